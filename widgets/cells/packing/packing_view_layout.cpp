#include "widgets/cells/packing/packing_view_layout.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hinesight::widgets {

namespace {

constexpr std::int32_t kWarp = 32;

/// The branches of a level in the order in which they are given to the lanes.
std::vector<std::int32_t> orderedBranches(const hines::BlockSchedule& schedule, const hines::PlannedLevel& level,
                                          LaneOrder order)
{
  std::vector<std::int32_t> branches(level.branchCount);
  std::iota(branches.begin(), branches.end(), level.branchBegin);
  if (order == LaneOrder::ByLength) {
    // Stable: a plan that sorts by length is drawn lane by lane as it is.
    std::stable_sort(branches.begin(), branches.end(), [&](std::int32_t a, std::int32_t b) {
      return schedule.branchLength[a] > schedule.branchLength[b];
    });
  } else {
    std::sort(branches.begin(), branches.end(), [&](std::int32_t a, std::int32_t b) {
      return std::tie(schedule.branchCell[a], schedule.branchNode[a]) <
             std::tie(schedule.branchCell[b], schedule.branchNode[b]);
    });
  }
  return branches;
}

} // namespace

PackedSweep layOutSweep(const hines::BlockSchedule& schedule, std::int32_t blockSize, Sweep sweep, LaneOrder order)
{
  PackedSweep packed;
  packed.bars.reserve(schedule.branchLength.size());
  const auto levels = static_cast<std::int32_t>(schedule.levels.size());
  std::int64_t busy = 0;
  std::int64_t issued = 0;
  for (std::int32_t k = 0; k < levels; ++k) {
    PackedBand band;
    band.level = sweep == Sweep::Backward ? levels - 1 - k : k;
    band.step = packed.steps;
    const hines::PlannedLevel& level = schedule.levels[band.level];
    band.branches = level.branchCount;
    const std::vector<std::int32_t> branches = orderedBranches(schedule, level, order);
    std::int64_t levelBusy = 0;
    std::int64_t levelIssued = 0;
    for (std::int32_t begin = 0; begin < level.branchCount; begin += blockSize) {
      const std::int32_t end = std::min(begin + blockSize, level.branchCount);
      band.passes.push_back(packed.steps);
      std::int32_t passLength = 0;
      for (std::int32_t first = begin; first < end; first += kWarp) {
        PackedWarp warp{first - begin, packed.steps, 0};
        for (std::int32_t j = first; j < std::min(first + kWarp, end); ++j) {
          const std::int32_t length = schedule.branchLength[branches[j]];
          packed.bars.push_back({branches[j], j - begin, packed.steps, length});
          warp.length = std::max(warp.length, length);
          levelBusy += length;
        }
        levelIssued += std::int64_t{kWarp} * warp.length;
        passLength = std::max(passLength, warp.length);
        packed.warps.push_back(warp);
      }
      packed.steps += passLength;
    }
    band.steps = packed.steps - band.step;
    band.occupancy = levelIssued == 0 ? 0 : static_cast<double>(levelBusy) / static_cast<double>(levelIssued);
    busy += levelBusy;
    issued += levelIssued;
    packed.bands.push_back(std::move(band));
  }
  packed.occupancy = issued == 0 ? 0 : static_cast<double>(busy) / static_cast<double>(issued);
  return packed;
}

std::vector<BlockGroup> groupBlocks(const hines::SolvePlan& plan)
{
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> groupOf(plan.schedules.size(), kNone);
  std::vector<BlockGroup> groups;
  for (std::size_t block = 0; block < plan.blocks.size(); ++block) {
    const std::uint32_t schedule = plan.blocks[block].schedule;
    if (groupOf[schedule] == kNone) {
      groupOf[schedule] = groups.size();
      groups.push_back({schedule, block, 0});
    }
    ++groups[groupOf[schedule]].blocks;
  }
  return groups;
}

} // namespace hinesight::widgets
