#pragma once

#include "paths/paths.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/theme.hpp"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>

namespace hinesight::app {

/// A SWC file of our own in tests/data.
inline QString dataFile(const char* name)
{
  return tests::testData("app/") + QLatin1String(name);
}

/// Runs something as main.cpp runs the program, with settings in a folder of its own and without the desktop's own file
/// dialogs, which no test can drive.
template <typename Application = QApplication>
int runInApplication(int argc, char** argv, const std::function<int()>& run)
{
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  widgets::VtkWidget::setDefaultSurfaceFormat();
  Application application(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("Hinesight"));
  QCoreApplication::setApplicationName(QStringLiteral("HinesightTest"));
  const QTemporaryDir settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
  return run();
}

/// Runs a test of the window.
template <typename Test>
int runWindowTest(int argc, char** argv)
{
  return runInApplication(argc, argv, [&] {
    Test test;
    return QTest::qExec(&test, argc, argv);
  });
}

} // namespace hinesight::app
