#include "widgets/cells/morphology/tube_picker.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

void TubePicker::project(const TubeGeometry& geometry, const OrbitCamera& camera)
{
  isParallel = camera.parallel();
  pixelUnit = static_cast<float>(camera.pixelSize(1));
  tubes.resize(geometry.tubes());
  for (std::size_t i = 0; i < tubes.size(); ++i) {
    const float* a = &geometry.endA[3 * i];
    const float* b = &geometry.endB[3 * i];
    const ScreenPoint endA = camera.project({a[0], a[1], a[2]});
    const ScreenPoint endB = camera.project({b[0], b[1], b[2]});
    const double pixelA = camera.pixelSize(endA.depth);
    const double pixelB = camera.pixelSize(endB.depth);
    tubes[i] = {static_cast<float>(endA.x),
                static_cast<float>(endA.y),
                static_cast<float>(endB.x),
                static_cast<float>(endB.y),
                static_cast<float>(drawnRadius(geometry.radiusA[i], pixelA) / pixelA),
                static_cast<float>(drawnRadius(geometry.radiusB[i], pixelB) / pixelB),
                static_cast<float>(endA.depth),
                static_cast<float>(endB.depth)};
  }
}

float TubePicker::surfaceDepth(const Projected& tube, float part, float radius, float offAxis) const
{
  // Under perspective, the inverse of the depth is linear on the screen.
  const float axis = isParallel ? tube.depthA + part * (tube.depthB - tube.depthA)
                                : 1 / ((1 - part) / tube.depthA + part / tube.depthB);
  const float pixel = isParallel ? pixelUnit : pixelUnit * axis;
  return axis - pixel * std::sqrt(std::max(0.0f, radius * radius - offAxis * offAxis));
}

TubePicker::Pick TubePicker::pick(QPointF cursor, double tolerance, double clipDepth) const
{
  const auto x = static_cast<float>(cursor.x());
  const auto y = static_cast<float>(cursor.y());
  Pick hit{-1, std::numeric_limits<double>::infinity()};
  Pick nearby;
  auto nearbyDistance = static_cast<float>(tolerance);
  for (std::size_t i = 0; i < tubes.size(); ++i) {
    const Projected& tube = tubes[i];
    const float dx = tube.xB - tube.xA;
    const float dy = tube.yB - tube.yA;
    const float length = dx * dx + dy * dy;
    const float along = (x - tube.xA) * dx + (y - tube.yA) * dy;
    const float part = length > 0 ? std::clamp(along / length, 0.0f, 1.0f) : (tube.depthA < tube.depthB ? 0.0f : 1.0f);
    const float offX = x - tube.xA - part * dx;
    const float offY = y - tube.yA - part * dy;
    const float radius = tube.radiusA + part * (tube.radiusB - tube.radiusA);
    const float offAxis = std::sqrt(offX * offX + offY * offY);
    const float outside = offAxis - radius;
    if (outside > tolerance || tube.depthA <= 0 || tube.depthB <= 0) {
      continue;
    }
    const float depth = surfaceDepth(tube, part, radius, offAxis);
    if (depth < clipDepth) {
      continue;
    }
    if (outside <= 0 && depth < hit.depth) {
      hit = {static_cast<std::int64_t>(i), depth};
    } else if (outside > 0 && outside < nearbyDistance) {
      nearbyDistance = outside;
      nearby = {static_cast<std::int64_t>(i), depth};
    }
  }
  return hit.tube >= 0 ? hit : nearby;
}

} // namespace hinesight::widgets
