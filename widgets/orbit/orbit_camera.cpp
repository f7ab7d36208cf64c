#include "widgets/orbit/orbit_camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hinesight::widgets {

namespace {

constexpr double kViewAngle = 28;   // degrees: perspective without distortion
constexpr double kFitMargin = 1.12; // of the drawing's size
constexpr double kClosest = 1e-9;   // focal distance, scene units
constexpr double kFarthest = 1e15;

double tangentOfHalfAngle()
{
  return std::tan(kViewAngle / 2 * std::numbers::pi / 180);
}

/// `v` turned by `angle` around the unit vector `axis` (Rodrigues).
Vec3 turned(const Vec3& v, const Vec3& axis, double angle)
{
  const double c = std::cos(angle);
  return c * v + std::sin(angle) * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis;
}

Vec3 pointAt(const std::vector<float>& points, std::size_t i)
{
  return {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
}

/// One axis of the screen between the two ends of a room: balls touch the planes through the camera and each end.
/// Ends are slopes: across over the distance from the camera.
class RoomAxis
{
public:
  RoomAxis(double lowEnd, double highEnd, bool parallel)
      : low(lowEnd), high(highEnd), lowPerRadius(parallel ? 1 : std::hypot(1, lowEnd)),
        highPerRadius(parallel ? 1 : std::hypot(1, highEnd)), isParallel(parallel)
  {}

  void add(double across, double towards, double radius)
  {
    const double nearer = isParallel ? 0 : towards;
    least = std::min(least, across + low * nearer - lowPerRadius * radius);
    most = std::max(most, across + high * nearer + highPerRadius * radius);
  }

  double leastDistance() const { return (most - least) / (high - low); }
  /// Where the camera stands across, so that both ends are equally far.
  double middle(double distance) const { return (least - low * distance + most - high * distance) / 2; }

private:
  double low;
  double high;
  double lowPerRadius;
  double highPerRadius;
  bool isParallel;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
};

} // namespace

Vec3 operator+(const Vec3& a, const Vec3& b)
{
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Vec3 operator-(const Vec3& a, const Vec3& b)
{
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vec3 operator*(double factor, const Vec3& a)
{
  return {factor * a[0], factor * a[1], factor * a[2]};
}

double dot(const Vec3& a, const Vec3& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vec3 cross(const Vec3& a, const Vec3& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double norm(const Vec3& a)
{
  return std::sqrt(dot(a, a));
}

Vec3 normalized(const Vec3& a)
{
  const double length = norm(a);
  return length > 0 ? (1 / length) * a : a;
}

void OrbitCamera::setViewport(const QSize& newSize)
{
  size = newSize.expandedTo({1, 1});
}

void OrbitCamera::resetOrientation()
{
  rightAxis = {1, 0, 0};
  upAxis = {0, 1, 0};
  backAxis = {0, 0, 1};
}

void OrbitCamera::fit(const std::vector<float>& points, const std::vector<float>& radii)
{
  if (radii.empty()) {
    return;
  }
  const Vec3 centre = middleOf(points, radii);
  focal = fromAxes(centre);

  const double vertical = tangentOfHalfAngle();
  const double horizontal = vertical * size.width() / size.height();
  double needed = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const Vec3 p = alongAxes(pointAt(points, i)) - centre;
    const double nearer = isParallel ? 0 : p[2] + radii[i];
    needed = std::max({needed, kFitMargin * (std::abs(p[0]) + radii[i]) / horizontal + nearer,
                       kFitMargin * (std::abs(p[1]) + radii[i]) / vertical + nearer});
  }
  distance = std::clamp(needed, kClosest, kFarthest);
}

/// Each end of the room bounds distance and place of the camera linearly, so that the largest picture is found at once.
void OrbitCamera::fitInto(const QRectF& room, const std::vector<float>& points, const std::vector<float>& radii)
{
  if (radii.empty())
    return;
  const Vec3 centre = middleOf(points, radii);
  const double perPixel = 2 * tangentOfHalfAngle() / size.height();
  const QPointF middle(size.width() / 2.0, size.height() / 2.0);
  RoomAxis across((room.left() - middle.x()) * perPixel, (room.right() - middle.x()) * perPixel, isParallel);
  RoomAxis upward((middle.y() - room.bottom()) * perPixel, (middle.y() - room.top()) * perPixel, isParallel);
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const Vec3 p = alongAxes(pointAt(points, i)) - centre;
    across.add(p[0], p[2], radii[i]);
    upward.add(p[1], p[2], radii[i]);
  }
  distance = std::clamp(std::max(across.leastDistance(), upward.leastDistance()), kClosest, kFarthest);
  focal = fromAxes(centre + Vec3{across.middle(distance), upward.middle(distance), 0});
}

Vec3 OrbitCamera::alongAxes(const Vec3& point) const
{
  return {dot(point, rightAxis), dot(point, upAxis), dot(point, backAxis)};
}

Vec3 OrbitCamera::fromAxes(const Vec3& along) const
{
  return along[0] * rightAxis + along[1] * upAxis + along[2] * backAxis;
}

Vec3 OrbitCamera::middleOf(const std::vector<float>& points, const std::vector<float>& radii) const
{
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3 low{kInfinity, kInfinity, kInfinity};
  Vec3 high{-kInfinity, -kInfinity, -kInfinity};
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const Vec3 p = alongAxes(pointAt(points, i));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis] - radii[i]);
      high[axis] = std::max(high[axis], p[axis] + radii[i]);
    }
  }
  return 0.5 * (low + high);
}

void OrbitCamera::rotate(QPointF dragged)
{
  const double perPixel = std::numbers::pi / size.height();
  const double yaw = -dragged.x() * perPixel;
  const double pitch = -dragged.y() * perPixel;
  const Vec3 yawAxis = upAxis;
  backAxis = turned(backAxis, yawAxis, yaw);
  rightAxis = turned(rightAxis, yawAxis, yaw);
  backAxis = turned(backAxis, rightAxis, pitch);
  // Rounding must not skew the axes over a long session.
  backAxis = normalized(backAxis);
  upAxis = normalized(cross(backAxis, rightAxis));
  rightAxis = cross(upAxis, backAxis);
}

void OrbitCamera::pan(QPointF dragged)
{
  const double unit = pixelSize(distance);
  focal = focal + (-dragged.x() * unit) * rightAxis + (dragged.y() * unit) * upAxis;
}

void OrbitCamera::zoomAt(QPointF cursor, double factor)
{
  const double target = std::clamp(distance / factor, kClosest, kFarthest);
  const double unit = pixelSize(distance);
  const Vec3 under = focal + ((cursor.x() - size.width() / 2.0) * unit) * rightAxis +
                     ((size.height() / 2.0 - cursor.y()) * unit) * upAxis;
  focal = under + (target / distance) * (focal - under);
  distance = target;
}

void OrbitCamera::focusAt(double depth)
{
  if (!isParallel && depth > kClosest) {
    focal = focal + (distance - depth) * backAxis;
    distance = depth;
  }
}

ScreenPoint OrbitCamera::project(const Vec3& point) const
{
  const Vec3 relative = point - focal;
  const double depth = distance - dot(relative, backAxis);
  const double unit = pixelSize(depth);
  return {size.width() / 2.0 + dot(relative, rightAxis) / unit, size.height() / 2.0 - dot(relative, upAxis) / unit,
          depth};
}

double OrbitCamera::pixelSize(double depth) const
{
  const double plane = isParallel ? distance : std::max(depth, kClosest);
  return 2 * tangentOfHalfAngle() * plane / size.height();
}

double OrbitCamera::viewAngle() const
{
  return kViewAngle;
}

double OrbitCamera::parallelScale() const
{
  return tangentOfHalfAngle() * distance;
}

Vec3 OrbitCamera::position() const
{
  return focal + distance * backAxis;
}

} // namespace hinesight::widgets
