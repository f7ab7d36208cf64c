#pragma once

#include "hines/branch/plan.hpp"

#include <cstdint>
#include <vector>

namespace hinesight::widgets {

enum class Sweep
{
  Backward, ///< the deepest level first
  Forward,  ///< the root's level first
};

/// How the branches of a level are given to the lanes.
enum class LaneOrder
{
  ByLength, ///< by falling length (huber 2018, figure 4.1, right)
  ByCell,   ///< as the cells come (figure 4.1, left)
};

/// A branch of a block at its lane and first step of a sweep.
struct PackedBar
{
  std::int32_t branch = 0; ///< in the schedule's branch arrays
  std::int32_t lane = 0;
  std::int64_t step = 0; ///< since the start of the sweep
  std::int32_t length = 0;
};

/// 32 lanes of one pass of a level, from the first step until their longest branch is done.
struct PackedWarp
{
  std::int32_t firstLane = 0;
  std::int64_t step = 0;
  std::int32_t length = 0;
};

/// A level of a sweep, between two barriers.
struct PackedBand
{
  std::int32_t level = 0;
  std::int32_t branches = 0;
  std::int64_t step = 0; ///< its first
  std::int64_t steps = 0;
  std::vector<std::int64_t> passes; ///< first step of each pass
  double occupancy = 0;             ///< compartments over issued lane steps, 0 to 1
};

/// A sweep of a block as its threads execute it: every level in passes of as many branches as the block has threads, a
/// pass as long as its longest branch.
struct PackedSweep
{
  std::vector<PackedBar> bars;
  std::vector<PackedWarp> warps;
  std::vector<PackedBand> bands; ///< in the order of execution
  std::int64_t steps = 0;
  double occupancy = 0; ///< as ScheduleFigures::occupancy, of this block
};

PackedSweep layOutSweep(const hines::BlockSchedule& schedule, std::int32_t blockSize, Sweep sweep, LaneOrder order);

/// Blocks that execute the same schedule.
struct BlockGroup
{
  std::uint32_t schedule = 0;
  std::size_t firstBlock = 0;
  std::size_t blocks = 0;
};

/// In the order of their first blocks.
std::vector<BlockGroup> groupBlocks(const hines::SolvePlan& plan);

} // namespace hinesight::widgets
