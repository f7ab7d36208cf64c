#include "hines/branch/pack.hpp"

#include "hines/branch/level_shift.hpp"
#include "hines/branch/open_block.hpp"

#include <deque>
#include <utility>

namespace hinesight::hines::detail {

namespace {

Packing packGreedily(std::span<const CellGroup> groups, std::span<const Profile> profiles, std::int32_t blockSize,
                     const RunControl& control)
{
  PackingBuilder builder;
  OpenBlock block;
  for (const CellGroup& group : groups) {
    const Profile& profile = profiles[group.shape];
    for (const std::uint32_t cell : group.cells) {
      control.checkpoint();
      if (!block.fits(profile, blockSize)) {
        builder.close(block.takeCells());
        block = OpenBlock();
      }
      block.add(cell, group.shape, profile, blockSize);
    }
  }
  builder.close(block.takeCells());
  return builder.finish();
}

/// A block that refuses a cell refuses every later cell of the same shape too, so a group looks at each block once.
Packing packFirstFit(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes,
                     std::span<const Profile> profiles, std::int32_t blockSize, const RunControl& control)
{
  PackingBuilder builder;
  std::deque<OpenBlock> open;
  for (const std::size_t g : largestFirst(groups, shapes)) {
    const CellGroup& group = groups[g];
    const Profile& profile = profiles[group.shape];
    std::size_t candidate = 0;
    for (const std::uint32_t cell : group.cells) {
      control.checkpoint();
      while (candidate < open.size() && !open[candidate].fits(profile, blockSize))
        ++candidate;
      if (candidate == open.size()) {
        open.emplace_back();
        if (open.size() > kOpenBlocks) {
          builder.close(open.front().takeCells());
          open.pop_front();
          --candidate;
        }
      }
      open[candidate].add(cell, group.shape, profile, blockSize);
    }
  }
  for (OpenBlock& block : open)
    builder.close(block.takeCells());
  return builder.finish();
}

} // namespace

Packing packCells(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes, PackStrategy strategy,
                  std::int32_t blockSize, const RunControl& control)
{
  if (strategy == PackStrategy::LevelShift)
    return packShifted(groups, shapes, blockSize, control);
  std::vector<Profile> profiles;
  profiles.reserve(shapes.size());
  for (const PlannedShape& shape : shapes) {
    control.checkpoint();
    profiles.push_back(profileOf(shape.tree));
  }
  return strategy == PackStrategy::Greedy ? packGreedily(groups, profiles, blockSize, control)
                                          : packFirstFit(groups, shapes, profiles, blockSize, control);
}

} // namespace hinesight::hines::detail
