#pragma once

#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/theme.hpp"

#include <QApplication>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hinesight::test {

/// The greatest difference of a colour channel, 0 to 255.
inline int distance(const QColor& a, const QColor& b)
{
  return std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()), std::abs(a.blue() - b.blue())});
}

/// Difference of hue in degrees, 0 to 180.
inline int hueDistance(const QColor& a, const QColor& b)
{
  const int difference = std::abs(a.hsvHue() - b.hsvHue());
  return std::min(difference, 360 - difference);
}

/// Runs a test object in an application as main() of the program sets it up.
template <typename Test>
int runGlTest(int argc, char** argv)
{
  QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  widgets::VtkWidget::setDefaultSurfaceFormat();
  QApplication application(argc, argv);
  widgets::setTheme(widgets::ThemeMode::Dark);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

} // namespace hinesight::test
