#include "widgets/cells/morphology/tube_extent.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

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

Extent extentOfBlocks(std::span<const TubeGeometry::Block> blocks)
{
  Extent extent;
  const std::size_t together = (blocks.size() + kMostBoxes - 1) / kMostBoxes;
  for (std::size_t first = 0; first < blocks.size(); first += together)
    addCorners(extent, blocks.subspan(first, std::min(together, blocks.size() - first)));
  return extent;
}

/// The box around some tubes.
TubeGeometry::Block boxOf(const TubeGeometry& geometry, std::span<const std::size_t> tubes)
{
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3 low{kInfinity, kInfinity, kInfinity};
  Vec3 high{-kInfinity, -kInfinity, -kInfinity};
  const auto add = [&](const float* end, double radius) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], end[axis] - radius);
      high[axis] = std::max(high[axis], end[axis] + radius);
    }
  };
  for (const std::size_t tube : tubes) {
    add(&geometry.endA[3 * tube], geometry.radiusA[tube]);
    add(&geometry.endB[3 * tube], geometry.radiusB[tube]);
  }
  TubeGeometry::Block box;
  box.centre = 0.5 * (low + high);
  box.reach = 0.5 * (high - low);
  box.radius = norm(box.reach);
  return box;
}

} // namespace

Extent extentOfAll(const TubeGeometry& geometry)
{
  if (geometry.tubes() < kFittedByBlocks)
    return extentOf(geometry, [](std::size_t) { return true; });
  return extentOfBlocks(geometry.blocks);
}

Extent extentOfRest(const TubeGeometry& geometry, const std::vector<bool>& leftOut)
{
  if (geometry.tubes() < kFittedByBlocks)
    return extentOf(geometry, [&](std::size_t tube) { return !leftOut[tube]; });
  std::vector<TubeGeometry::Block> blocks;
  std::vector<std::size_t> rest; // of a block
  for (std::size_t block = 0; block < geometry.blocks.size(); ++block) {
    const std::size_t first = block * TubeGeometry::Block::kTubes;
    const std::size_t end = std::min(first + TubeGeometry::Block::kTubes, geometry.tubes());
    rest.clear();
    for (std::size_t tube = first; tube < end; ++tube)
      if (!leftOut[tube])
        rest.push_back(tube);
    if (rest.size() == end - first)
      blocks.push_back(geometry.blocks[block]);
    else if (!rest.empty()) // what is left out may lie far from it
      blocks.push_back(boxOf(geometry, rest));
  }
  return extentOfBlocks(blocks);
}

} // namespace hinesight::widgets
