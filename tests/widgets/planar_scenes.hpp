#pragma once

#include "hines/branch/plan.hpp"
#include "widgets/cells/scene.hpp"
#include "widgets/orbit/vtk_widget.hpp"

#include <QApplication>
#include <QColor>
#include <QImage>
#include <QMouseEvent>
#include <QTest>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::testing {

/// A cell from the parent of each compartment, with a diagonally dominant matrix.
inline std::shared_ptr<const cable::HinesSystem> makeSystem(std::vector<std::int32_t> parent)
{
  auto system = std::make_shared<cable::HinesSystem>();
  system->d.assign(parent.size(), 8);
  system->u.assign(parent.size(), -1);
  system->b.assign(parent.size(), 1);
  for (std::size_t i = 0; i < parent.size(); ++i) {
    if (parent[i] < 0) {
      system->u[i] = 0;
    }
  }
  system->parent = std::move(parent);
  return system;
}

/// Parents of a cell whose branch k has length[k] compartments and hangs on the end of branch parent[k].
inline std::vector<std::int32_t> compartmentParents(const std::vector<std::int32_t>& branchParent,
                                                    const std::vector<std::int32_t>& length)
{
  std::vector<std::int32_t> parent;
  std::vector<std::int32_t> end;
  for (std::size_t branch = 0; branch < branchParent.size(); ++branch) {
    std::int32_t above = branchParent[branch] < 0 ? -1 : end[branchParent[branch]];
    for (std::int32_t k = 0; k < length[branch]; ++k) {
      parent.push_back(above);
      above = static_cast<std::int32_t>(parent.size()) - 1;
    }
    end.push_back(above);
  }
  return parent;
}

/// A scene of such cells, planned by the engine.
inline std::shared_ptr<widgets::Scene> makeScene(const std::vector<std::shared_ptr<const cable::HinesSystem>>& systems,
                                                 std::int64_t copies, const hines::PlanParameters& parameters)
{
  auto scene = std::make_shared<widgets::Scene>();
  for (std::size_t k = 0; k < systems.size(); ++k) {
    widgets::SceneCell cell;
    cell.name = "cell " + std::to_string(k + 1);
    scene->cells.push_back(cell);
  }
  scene->plan = hines::makePlan(hines::makeBatch(systems, copies), parameters);
  scene->branchOfCompartment = hines::BranchMap(*scene->plan, scene->cells.size());
  return scene;
}

/// A root of 4 compartments with children of 9 and 3; the long one has children of 2 and 5.
inline std::shared_ptr<const cable::HinesSystem> smallCell()
{
  return makeSystem(compartmentParents({-1, 0, 0, 1, 1}, {4, 9, 3, 2, 5}));
}

/// Whether two colours differ by at most `tolerance` in each channel.
inline bool alike(QRgb a, QRgb b, int tolerance = 3)
{
  return std::abs(qRed(a) - qRed(b)) <= tolerance && std::abs(qGreen(a) - qGreen(b)) <= tolerance &&
         std::abs(qBlue(a) - qBlue(b)) <= tolerance;
}

/// Pixels of the picture with that colour.
inline int countPixels(const QImage& picture, QRgb color, int tolerance = 3)
{
  int count = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      count += alike(picture.pixel(x, y), color, tolerance) ? 1 : 0;
    }
  }
  return count;
}

/// Polygons that the last painting of a canvas handed to VTK.
std::int64_t shapesOf(const widgets::VtkWidget& canvas);

/// Moves the mouse over a widget. QTest::mouseMove moves the real pointer, whose event comes some time later.
inline void moveMouse(QWidget& widget, const QPointF& pixel, Qt::MouseButtons pressed = Qt::NoButton)
{
  QMouseEvent event(QEvent::MouseMove, pixel, widget.mapToGlobal(pixel), Qt::NoButton, pressed, Qt::NoModifier);
  QApplication::sendEvent(&widget, &event);
}

/// Drags from one pixel to another in two steps.
inline void dragMouse(QWidget& widget, const QPoint& from, const QPoint& to)
{
  QTest::mousePress(&widget, Qt::LeftButton, {}, from);
  moveMouse(widget, (QPointF(from) + QPointF(to)) / 2, Qt::LeftButton);
  moveMouse(widget, to, Qt::LeftButton);
  QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

/// Runs a test program with windows that hold VTK's pictures.
template <typename Test>
int runWidgetTest(int argc, char** argv)
{
  widgets::VtkWidget::setDefaultSurfaceFormat();
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  const QApplication application(argc, argv);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

} // namespace hinesight::testing
