#include "hines/branch/block_schedule.hpp"

#include "core/error.hpp"
#include "hines/pulse.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace hinesight::hines::detail {

namespace {

constexpr std::int32_t kWarp = 32;

/// A branch of a cell of the block.
struct Lane
{
  std::int32_t cell;
  std::int32_t node;
  std::int32_t length;
};

} // namespace

BlockSchedule layOutBranches(std::span<const std::uint32_t> cellShape, std::span<const BranchLevels> branchLevels,
                             std::span<const PlannedShape> shapes, bool sortByLength, const RunControl& control)
{
  BlockSchedule schedule;
  schedule.cellShape.assign(cellShape.begin(), cellShape.end());
  Pulse pulse(control);

  std::vector<std::vector<Lane>> lanesOf; // per level
  for (std::size_t cell = 0; cell < cellShape.size(); ++cell) {
    control.checkpoint();
    const DependencyTree& tree = shapes[cellShape[cell]].tree;
    const std::vector<std::int32_t>& levelOf = branchLevels[cell] ? *branchLevels[cell] : tree.level;
    for (std::size_t node = 0; node < tree.branches(); ++node) {
      pulse.tick();
      const auto level = static_cast<std::size_t>(levelOf[node]);
      if (level >= lanesOf.size())
        lanesOf.resize(level + 1);
      lanesOf[level].push_back({static_cast<std::int32_t>(cell), static_cast<std::int32_t>(node), tree.length[node]});
    }
  }
  for (std::vector<Lane>& lanes : lanesOf) {
    control.checkpoint();
    if (sortByLength)
      std::stable_sort(lanes.begin(), lanes.end(), [&](const Lane& a, const Lane& b) {
        pulse.tick();
        return a.length > b.length;
      });
    PlannedLevel level;
    level.branchBegin = schedule.branches();
    level.branchCount = static_cast<std::int32_t>(lanes.size());
    level.stride = level.branchCount;
    for (const Lane& lane : lanes) {
      pulse.tick();
      level.maxLength = std::max(level.maxLength, lane.length);
      schedule.branchLength.push_back(lane.length);
      schedule.branchCell.push_back(lane.cell);
      schedule.branchNode.push_back(lane.node);
    }
    schedule.levels.push_back(level);
    lanes = {};
  }
  return schedule;
}

std::int64_t slotsOf(const BlockSchedule& schedule)
{
  std::int64_t slotCount = 0;
  for (const PlannedLevel& level : schedule.levels)
    slotCount += std::int64_t{level.stride} * level.maxLength;
  return slotCount;
}

void requireSlots(const BlockSchedule& schedule)
{
  const std::int64_t slotCount = slotsOf(schedule);
  if (slotCount > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::BadParameter,
                "The level-interleaved layout of one cell needs " + std::to_string(slotCount) +
                    " slots, but a block can have 2147483647; split the long branches, or choose fewer compartments.");
}

std::vector<std::int32_t> serialBranchOrder(const PlannedShape& shape, const RunControl& control)
{
  // A table over compartments instead of a sort: linear.
  std::vector<std::int32_t> branchAt(shape.compartment.size(), -1);
  Pulse pulse(control);
  for (std::size_t k = 0; k < shape.tree.branches(); ++k) {
    pulse.tick();
    if (shape.tree.parent[k] >= 0)
      branchAt[static_cast<std::size_t>(shape.compartment[shape.tree.first[k]])] = static_cast<std::int32_t>(k);
  }
  std::vector<std::int32_t> order;
  for (auto it = branchAt.rbegin(); it != branchAt.rend(); ++it) {
    pulse.tick();
    if (*it >= 0)
      order.push_back(*it);
  }
  return order;
}

namespace {

void layOutLevel(BlockSchedule& schedule, const PlannedLevel& level, std::span<const PlannedShape> shapes, Pulse& pulse)
{
  for (std::int32_t lane = 0; lane < level.branchCount; ++lane) {
    const std::int32_t branch = level.branchBegin + lane;
    const std::int32_t cell = schedule.branchCell[branch];
    const PlannedShape& shape = shapes[schedule.cellShape[cell]];
    const std::int32_t first = shape.tree.first[schedule.branchNode[branch]];
    std::int32_t slot = level.slotOffset + lane;
    for (std::int32_t k = 0; k < schedule.branchLength[branch]; ++k) {
      pulse.tick();
      schedule.slotCell[slot] = cell;
      schedule.slotDiagonal[slot] = shape.compartment[first + k];
      schedule.slotCoupling[slot] = shape.couplingSource[first + k];
      // The last row ends at the last slot: do not step beyond what 32 bits can number.
      if (k + 1 < schedule.branchLength[branch])
        slot += level.stride;
    }
  }
}

/// Parent and children of every branch of the block.
void linkBranches(BlockSchedule& schedule, std::span<const PlannedShape> shapes,
                  std::span<const std::vector<std::int32_t>> branchOrder, Pulse& pulse)
{
  const auto branches = static_cast<std::size_t>(schedule.branches());
  std::vector<std::int32_t> cellBegin; // cell and node -> branchOfNode
  std::int32_t nodes = 0;
  for (const std::uint32_t shape : schedule.cellShape) {
    cellBegin.push_back(nodes);
    nodes += static_cast<std::int32_t>(shapes[shape].tree.branches());
  }
  std::vector<std::int32_t> branchOfNode(branches);
  std::vector<std::int32_t> endSlot(branches); // of the last compartment
  for (const PlannedLevel& level : schedule.levels)
    for (std::int32_t lane = 0; lane < level.branchCount; ++lane) {
      pulse.tick();
      const std::int32_t branch = level.branchBegin + lane;
      branchOfNode[cellBegin[schedule.branchCell[branch]] + schedule.branchNode[branch]] = branch;
      endSlot[branch] = level.slotOffset + (schedule.branchLength[branch] - 1) * level.stride + lane;
    }

  schedule.parentBranch.assign(branches, -1);
  schedule.parentSlot.assign(branches, -1);
  schedule.childBegin.assign(branches + 1, 0);
  for (std::size_t branch = 0; branch < branches; ++branch) {
    pulse.tick();
    const std::int32_t cell = schedule.branchCell[branch];
    const std::int32_t parentNode = shapes[schedule.cellShape[cell]].tree.parent[schedule.branchNode[branch]];
    if (parentNode < 0)
      continue;
    const std::int32_t parent = branchOfNode[cellBegin[cell] + parentNode];
    schedule.parentBranch[branch] = parent;
    schedule.parentSlot[branch] = endSlot[parent];
    ++schedule.childBegin[static_cast<std::size_t>(parent) + 1];
  }
  for (std::size_t branch = 0; branch < branches; ++branch)
    schedule.childBegin[branch + 1] += schedule.childBegin[branch];
  schedule.child.resize(static_cast<std::size_t>(schedule.childBegin.back()));
  std::vector<std::int32_t> next(schedule.childBegin.begin(), schedule.childBegin.end() - 1);
  for (std::size_t cell = 0; cell < schedule.cellShape.size(); ++cell)
    for (const std::int32_t node : branchOrder[schedule.cellShape[cell]]) {
      pulse.tick();
      const std::int32_t branch = branchOfNode[cellBegin[cell] + node];
      schedule.child[next[schedule.parentBranch[branch]]++] = branch;
    }
}

} // namespace

void layOutSlots(BlockSchedule& schedule, std::span<const PlannedShape> shapes,
                 std::span<const std::vector<std::int32_t>> branchOrder, const RunControl& control)
{
  const auto slotCount = static_cast<std::size_t>(slotsOf(schedule));
  std::int32_t offset = 0;
  for (PlannedLevel& level : schedule.levels) {
    level.slotOffset = offset;
    offset += level.stride * level.maxLength;
  }
  schedule.slotCell.assign(slotCount, -1);
  schedule.slotDiagonal.assign(slotCount, -1);
  schedule.slotCoupling.assign(slotCount, -1);
  Pulse pulse(control);
  for (const PlannedLevel& level : schedule.levels)
    layOutLevel(schedule, level, shapes, pulse);
  linkBranches(schedule, shapes, branchOrder, pulse);
}

namespace {

/// What a block contributes to the figures of its plan.
struct BlockFigures
{
  std::int64_t criticalPath = 0;
  std::int64_t compartments = 0;
  std::int64_t issued = 0; ///< lane steps
};

BlockFigures measureBlock(const BlockSchedule& schedule, std::int32_t blockSize)
{
  BlockFigures figures;
  for (const PlannedLevel& level : schedule.levels) {
    const auto* length = schedule.branchLength.data() + level.branchBegin;
    for (std::int32_t pass = 0; pass < level.branchCount; pass += blockSize) {
      const std::int32_t passEnd = std::min(level.branchCount, pass + blockSize);
      std::int32_t longestOfPass = 0;
      for (std::int32_t warp = pass; warp < passEnd; warp += kWarp) {
        std::int32_t longest = 0;
        for (std::int32_t lane = warp; lane < std::min(passEnd, warp + kWarp); ++lane) {
          longest = std::max(longest, length[lane]);
          figures.compartments += length[lane];
        }
        figures.issued += std::int64_t{kWarp} * longest;
        longestOfPass = std::max(longestOfPass, longest);
      }
      figures.criticalPath += longestOfPass;
    }
  }
  return figures;
}

} // namespace

ScheduleFigures measure(std::span<const BlockSchedule> schedules, std::span<const std::size_t> timesUsed,
                        std::int32_t blockSize)
{
  constexpr std::size_t kValueBytes = sizeof(double);
  ScheduleFigures figures;
  std::size_t compartments = 0;
  std::size_t branches = 0;
  std::size_t slotCount = 0;
  std::size_t issued = 0;
  for (std::size_t s = 0; s < schedules.size(); ++s) {
    const BlockFigures block = measureBlock(schedules[s], blockSize);
    figures.rounds = std::max(figures.rounds, static_cast<std::int64_t>(schedules[s].levels.size()));
    figures.criticalPath = std::max(figures.criticalPath, block.criticalPath);
    figures.units += timesUsed[s];
    compartments += timesUsed[s] * static_cast<std::size_t>(block.compartments);
    issued += timesUsed[s] * static_cast<std::size_t>(block.issued);
    branches += timesUsed[s] * static_cast<std::size_t>(schedules[s].branches());
    slotCount += timesUsed[s] * static_cast<std::size_t>(slotsOf(schedules[s]));
  }
  figures.barriers = std::max<std::int64_t>(0, 2 * (figures.rounds - 1));
  figures.occupancy = issued == 0 ? 0 : static_cast<double>(compartments) / static_cast<double>(issued);
  figures.paddingBytes = 3 * kValueBytes * (slotCount - compartments);
  figures.bytesMoved = 9 * kValueBytes * compartments + 64 * branches;
  return figures;
}

} // namespace hinesight::hines::detail
