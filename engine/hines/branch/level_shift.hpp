#pragma once

#include "core/run_control.hpp"
#include "hines/branch/open_block.hpp"
#include "hines/branch/pack.hpp"
#include "hines/branch/plan.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// Branch steps from each branch down to the deepest tip below it; 0 at a tip.
std::vector<std::int32_t> heightsOf(const DependencyTree& tree, const RunControl& control);

/// A level for each branch of a tree beside what a block has already (`used`), so that no level of the block has more
/// than `blockSize` branches, none is added below the deeper of both, and none takes more steps than its longest branch
/// without shifts. A branch takes the first level after its parent's on which a lane is left and that takes as many
/// steps; where several want the last lanes, those with the longest way to a tip get them and the others, with all that
/// hangs on them, begin later (the rule of Hu 1961, "Parallel sequencing and assembly line problems"). Nothing where a
/// branch would begin too late. O(branches log branches + levels blockSize).
std::optional<std::vector<std::int32_t>> placeBranches(const DependencyTree& tree,
                                                       std::span<const std::int32_t> heights, const Profile& used,
                                                       std::int32_t blockSize, const RunControl& control);

/// Greedy packing in which subtrees may begin levels later (huber 2018, section 8). Blocks that begin alike are worked
/// out once: linear in cells, and in the branches of the distinct beginnings.
Packing packShifted(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes, std::int32_t blockSize,
                    const RunControl& control);

} // namespace hinesight::hines::detail
