#include "widgets/cells/morphology/tube_picker.hpp"

#include "widgets/line_clip.hpp"
#include "widgets/pixel_mask.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

void TubePicker::aim(const TubeGeometry& at, const OrbitCamera& through, const std::vector<bool>* notFound)
{
  geometry = &at;
  camera = through;
  hidden = notFound && !notFound->empty() ? notFound : nullptr;
  isParallel = camera.parallel();
  pixelUnit = static_cast<float>(camera.pixelSize(1));
}

TubePicker::Projected TubePicker::projected(std::size_t tube) const
{
  const float* a = &geometry->endA[3 * tube];
  const float* b = &geometry->endB[3 * tube];
  const ScreenPoint endA = camera.project({a[0], a[1], a[2]});
  const ScreenPoint endB = camera.project({b[0], b[1], b[2]});
  const double pixelA = camera.pixelSize(endA.depth);
  const double pixelB = camera.pixelSize(endB.depth);
  return {static_cast<float>(endA.x),
          static_cast<float>(endA.y),
          static_cast<float>(endB.x),
          static_cast<float>(endB.y),
          static_cast<float>(drawnRadius(geometry->radiusA[tube], pixelA) / pixelA),
          static_cast<float>(drawnRadius(geometry->radiusB[tube], pixelB) / pixelB),
          static_cast<float>(endA.depth),
          static_cast<float>(endB.depth)};
}

template <typename Visit>
void TubePicker::visitBlocks(const QRectF& area, Visit visit) const
{
  if (!geometry)
    return;
  for (std::size_t block = 0; block < geometry->blocks.size(); ++block) {
    if (!mayReach(area, geometry->blocks[block], camera))
      continue;
    const std::size_t begin = block * TubeGeometry::Block::kTubes;
    visit(geometry->blocks[block], begin, std::min(begin + TubeGeometry::Block::kTubes, geometry->tubes()));
  }
}

template <typename Look>
void TubePicker::lookInto(const QRectF& area, Look look) const
{
  visitBlocks(area, [&](const TubeGeometry::Block&, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (!isHidden(i))
        look(i, projected(i));
  });
}

std::vector<std::size_t> TubePicker::inside(const QRectF& box, double clipDepth) const
{
  const auto crosses = [&](const Projected& tube) {
    const bool isSeen = tube.depthA > 0 && tube.depthB > 0 && std::max(tube.depthA, tube.depthB) >= clipDepth;
    return isSeen && clipLine(box, {tube.xA, tube.yA}, {tube.xB, tube.yB}).has_value();
  };
  std::vector<std::size_t> found;
  visitBlocks(box, [&](const TubeGeometry::Block& block, std::size_t begin, std::size_t end) {
    const bool isWhole =
        liesIn(box, block, camera) && camera.project(block.centre).depth - block.radius > std::max(clipDepth, 0.0);
    for (std::size_t i = begin; i < end; ++i)
      if (!isHidden(i) && (isWhole || crosses(projected(i))))
        found.push_back(i);
  });
  return found;
}

std::vector<std::size_t> TubePicker::inside(const QPolygonF& loop, double clipDepth) const
{
  const PixelMask mask(loop);
  std::vector<std::size_t> found;
  lookInto(loop.boundingRect(), [&](std::size_t i, const Projected& tube) {
    const bool isSeen = tube.depthA > 0 && tube.depthB > 0 && std::max(tube.depthA, tube.depthB) >= clipDepth;
    if (isSeen && mask.crosses({tube.xA, tube.yA}, {tube.xB, tube.yB}))
      found.push_back(i);
  });
  return found;
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
  const QRectF near(cursor.x() - tolerance, cursor.y() - tolerance, 2 * tolerance, 2 * tolerance);
  lookInto(near, [&](std::size_t i, const Projected& tube) {
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
      return;
    }
    const float depth = surfaceDepth(tube, part, radius, offAxis);
    if (depth < clipDepth) {
      return;
    }
    if (outside <= 0 && depth < hit.depth) {
      hit = {static_cast<std::int64_t>(i), depth};
    } else if (outside > 0 && outside < nearbyDistance) {
      nearbyDistance = outside;
      nearby = {static_cast<std::int64_t>(i), depth};
    }
  });
  return hit.tube >= 0 ? hit : nearby;
}

} // namespace hinesight::widgets
