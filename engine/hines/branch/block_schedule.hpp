#pragma once

#include "core/run_control.hpp"
#include "hines/branch/pack.hpp"
#include "hines/branch/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// The levels of a block and the branches on each in lane order: cellShape, levels (without slotOffset), branchLength,
/// branchCell and branchNode. `branchLevels`: per cell. Enough for the figures; no limit on the slots.
BlockSchedule layOutBranches(std::span<const std::uint32_t> cellShape, std::span<const BranchLevels> branchLevels,
                             std::span<const PlannedShape> shapes, bool sortByLength, const RunControl& control);

/// Slots that a block with these levels needs.
std::int64_t slotsOf(const BlockSchedule& schedule);

/// Throws Error(BadParameter) where they are more than 32-bit integers number.
void requireSlots(const BlockSchedule& schedule);

/// Adds the rest: the interleaved slots, parents and children. `branchOrder[s]` lists the branches of shape s that have
/// a parent by falling number of their first compartment. requireSlots must hold.
void layOutSlots(BlockSchedule& schedule, std::span<const PlannedShape> shapes,
                 std::span<const std::vector<std::int32_t>> branchOrder, const RunControl& control);

/// The order in which the serial sweep reaches the branches: by falling number of the compartment that couples a branch
/// with its parent.
std::vector<std::int32_t> serialBranchOrder(const PlannedShape& shape, const RunControl& control);

/// The figures of all blocks, `timesUsed[s]` of them with schedule s.
ScheduleFigures measure(std::span<const BlockSchedule> schedules, std::span<const std::size_t> timesUsed,
                        std::int32_t blockSize);

} // namespace hinesight::hines::detail
