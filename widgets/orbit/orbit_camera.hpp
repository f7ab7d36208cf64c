#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>

#include <array>
#include <vector>

namespace hinesight::widgets {

using Vec3 = std::array<double, 3>;

Vec3 operator+(const Vec3& a, const Vec3& b);
Vec3 operator-(const Vec3& a, const Vec3& b);
Vec3 operator*(double factor, const Vec3& a);
double dot(const Vec3& a, const Vec3& b);
Vec3 cross(const Vec3& a, const Vec3& b);
double norm(const Vec3& a);
Vec3 normalized(const Vec3& a); ///< the zero vector stays zero

/// A point on the screen: x and y in pixels from the top left, depth along the viewing direction in scene units.
struct ScreenPoint
{
  double x = 0;
  double y = 0;
  double depth = 0; ///< at most 0: behind the camera
};

/// A camera that turns around a focal point, in double precision and without VTK, so that picking, overlays and the
/// rendered picture agree. Screen coordinates are logical pixels of a viewport of the given size.
class OrbitCamera
{
public:
  void setViewport(const QSize& size);
  const QSize& viewport() const { return size; }
  void setParallel(bool parallel) { isParallel = parallel; }
  bool parallel() const { return isParallel; }

  /// Looks along -z with y up, as reconstructions are drawn; keeps focal point and distance.
  void resetOrientation();
  /// Shows balls around all of `points` (3 coordinates each; one radius each) with a margin, keeping the orientation.
  void fit(const std::vector<float>& points, const std::vector<float>& radii);
  /// The same as large as a room of the viewport holds them, in the middle of that room. The room has a size.
  void fitInto(const QRectF& room, const std::vector<float>& points, const std::vector<float>& radii);
  /// Turns by a drag of so many pixels: the whole height of the viewport is half a turn.
  void rotate(QPointF dragged);
  /// Moves so that what was grabbed at the focal depth stays under the cursor.
  void pan(QPointF dragged);
  /// Magnifies by `factor`; what is under the cursor at the focal depth stays there.
  void zoomAt(QPointF cursor, double factor);

  /// Moves the focal point along the viewing direction to a depth in front of the camera: the picture stays, but
  /// turning, moving and zooming refer to that depth. Perspective only; the picture of a parallel projection hangs on
  /// the distance.
  void focusAt(double depth);

  ScreenPoint project(const Vec3& point) const;
  /// Scene units per pixel at a depth.
  double pixelSize(double depth) const;
  double focalDistance() const { return distance; }
  double viewAngle() const;     ///< vertical, degrees
  double parallelScale() const; ///< half the height of the viewport at the focal depth, scene units

  Vec3 position() const;
  const Vec3& focalPoint() const { return focal; }
  const Vec3& right() const { return rightAxis; }
  const Vec3& up() const { return upAxis; }
  const Vec3& backward() const { return backAxis; } ///< from the focal point to the camera

  bool operator==(const OrbitCamera&) const = default;

private:
  Vec3 alongAxes(const Vec3& point) const; ///< right, up, towards the viewer
  Vec3 fromAxes(const Vec3& along) const;
  /// The middle of the box around balls, along the axes.
  Vec3 middleOf(const std::vector<float>& points, const std::vector<float>& radii) const;

  QSize size{1, 1};
  Vec3 focal{};
  double distance = 1;
  Vec3 rightAxis{1, 0, 0};
  Vec3 upAxis{0, 1, 0};
  Vec3 backAxis{0, 0, 1};
  bool isParallel = false;
};

/// A fit that left room for what lies over a view, and the same one for a figure, which has nothing there.
struct OverlaidFit
{
  OrbitCamera beside; ///< overlays
  OrbitCamera alone;
  OrbitCamera parallel; ///< `alone` in a parallel projection

  /// The camera of a figure: `now` where it has moved since.
  const OrbitCamera& forFigure(const OrbitCamera& now) const { return now == beside ? alone : now; }
  /// The same in a parallel projection, in which lengths at the focal depth stay as they are where it has moved.
  OrbitCamera forParallelFigure(const OrbitCamera& now) const
  {
    OrbitCamera camera = now == beside ? parallel : now;
    camera.setParallel(true);
    return camera;
  }
};

} // namespace hinesight::widgets
