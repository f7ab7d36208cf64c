#pragma once

#include "cell_scenes.hpp"
#include "gl_test.hpp"

#include "morphology/synthetic.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/theme.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>
#include <memory>
#include <string>

namespace hinesight::test {

using namespace widgets;

constexpr int kWidth = 640;
constexpr int kHeight = 480; // of the canvas

/// A shown view without what covers its corners.
class ShownView
{
public:
  ShownView()
  {
    view.resize(kWidth, kHeight + 36);
    view.show();
    isExposed = QTest::qWaitForWindowExposed(&view);
  }

  MorphologyView* operator->() { return &view; }
  MorphologyView& operator*() { return view; }

  /// One pixel a logical pixel, whatever the device's.
  QImage picture()
  {
    for (const char* name : {"legend", "scaleBar", "timingCard"}) {
      view.findChild<QWidget*>(QLatin1String(name))->hide();
    }
    return view.grabPicture().scaled(kWidth, kHeight, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  }

  QPointF toScreen(const Vec3& point) const
  {
    const ScreenPoint screen = view.camera().project(point);
    return {screen.x, screen.y};
  }

  bool isExposed = false;

private:
  MorphologyView view;
};

inline QColor at(const QImage& picture, QPointF position)
{
  return picture.pixelColor(static_cast<int>(std::floor(position.x())), static_cast<int>(std::floor(position.y())));
}

inline bool isBackground(const QColor& color)
{
  return distance(color, theme().canvas) <= 1;
}

inline int countOf(const QImage& picture, const QColor& color, int tolerance)
{
  int count = 0;
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) {
      count += distance(picture.pixelColor(x, y), color) <= tolerance;
    }
  }
  return count;
}

inline int coveredPixels(const QImage& picture)
{
  return picture.width() * picture.height() - countOf(picture, theme().canvas, 1);
}

/// Where a sample of the scene's first drawn cell lies in the scene.
inline Vec3 inScene(const MorphologyView& view, std::int32_t sample)
{
  const TubeGeometry& geometry = view.geometry();
  for (std::size_t tube = 0; tube < geometry.tubes(); ++tube) {
    if (geometry.sampleB[tube] == sample) {
      const float* end = &geometry.endB[3 * tube];
      return {end[0], end[1], end[2]};
    }
  }
  return {};
}

inline Vec3 middleOf(const MorphologyView& view, std::size_t tube)
{
  const TubeGeometry& geometry = view.geometry();
  Vec3 middle{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    middle[axis] = 0.5 * (geometry.endA[3 * tube + axis] + geometry.endB[3 * tube + axis]);
  }
  return middle;
}

inline std::shared_ptr<const morphology::Morphology> syntheticCell(const std::string& kind)
{
  morphology::SyntheticCellParameters parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  findField(fields, "kind")->setText(kind);
  return morphology::makeSyntheticCell(parameters);
}

/// A cell that is too large to be made ready in a frame's time: stems of so many samples in a row, with forks.
inline std::shared_ptr<const morphology::Morphology> largeCell(std::int32_t samples = 60'000)
{
  std::vector<Row> rows{{1, 0, 0, 0, 10, -1}};
  constexpr std::int32_t kStems = 60;
  for (std::int32_t i = 1; i < samples; ++i) {
    const std::int32_t stem = i % kStems;
    const std::int32_t along = i / kStems;
    const double angle = 2 * M_PI * stem / kStems + 0.1 * std::sin(0.05 * along);
    const double out = 10 + 0.4 * along;
    const std::int32_t parent = i <= kStems ? 0 : stem % 2 == 1 && along == 300 ? i - kStems - 1 : i - kStems;
    rows.push_back({3, out * std::cos(angle), out * std::sin(angle), 0.05 * along, 0.6, parent});
  }
  return makeMorphology("large", rows);
}

inline void sendWheel(MorphologyView& view, QPointF position, int notches,
                      Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
  QWheelEvent event(position, view.canvas()->mapToGlobal(position), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
                    modifiers, Qt::NoScrollPhase, false);
  QApplication::sendEvent(view.canvas(), &event);
}

inline void moveMouse(MorphologyView& view, QPointF position, Qt::MouseButtons buttons = Qt::NoButton)
{
  QMouseEvent event(QEvent::MouseMove, position, view.canvas()->mapToGlobal(position), Qt::NoButton, buttons,
                    Qt::NoModifier);
  QApplication::sendEvent(view.canvas(), &event);
}

/// Two tubes that cross at right angles over the origin: along x at depth z = `zAlongX`, along y at z = 0.
inline std::shared_ptr<Scene> crossing(double zAlongX)
{
  return makeScene({makeMorphology("along x", {{2, -100, 0, zAlongX, 8, -1}, {2, 100, 0, zAlongX, 8, 0}}),
                    makeMorphology("along y", {{3, 0, -100, 0, 8, -1}, {3, 0, 100, 0, 8, 0}})});
}

} // namespace hinesight::test
