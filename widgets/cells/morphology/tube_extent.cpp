#include "widgets/cells/morphology/tube_extent.hpp"

#include <algorithm>
#include <span>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kMostBoxes = 4096; // that stand for all tubes

/// With the corners of the box around some blocks that follow one another.
void addCorners(Extent& extent, std::span<const TubeGeometry::Block> blocks)
{
  constexpr std::size_t kCorners = 8;
  Vec3 low = blocks.front().centre;
  Vec3 high = low;
  for (const TubeGeometry::Block& block : blocks)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], block.centre[axis] - block.reach[axis]);
      high[axis] = std::max(high[axis], block.centre[axis] + block.reach[axis]);
    }
  for (std::size_t corner = 0; corner < kCorners; ++corner)
    for (std::size_t axis = 0; axis < 3; ++axis)
      extent.points.push_back(static_cast<float>((corner >> axis & 1) != 0 ? high[axis] : low[axis]));
  extent.radii.insert(extent.radii.end(), kCorners, 0.0F);
  extent.ballsOfBody = kCorners;
}

} // namespace

Extent extentOfAll(const TubeGeometry& geometry)
{
  if (geometry.tubes() < kFittedByBlocks)
    return extentOf(geometry, [](std::size_t) { return true; });
  Extent extent;
  const std::span<const TubeGeometry::Block> blocks = geometry.blocks;
  const std::size_t together = (blocks.size() + kMostBoxes - 1) / kMostBoxes;
  for (std::size_t first = 0; first < blocks.size(); first += together)
    addCorners(extent, blocks.subspan(first, std::min(together, blocks.size() - first)));
  return extent;
}

} // namespace hinesight::widgets
