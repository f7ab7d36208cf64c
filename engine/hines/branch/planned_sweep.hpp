#pragma once

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"
#include "hines/elimination.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// The values of one block in the level-interleaved layout, and what its branches hand to their parents.
struct BlockValues
{
  std::vector<double> excess, u, b;       ///< per slot; padding holds anything
  std::vector<Contribution> contribution; ///< per branch
};

/// Copies the rows of a block's cells from the batch, and their right-hand sides from `b` in its order, into `values`,
/// whose memory is reused.
void gatherBlock(const SolvePlan& plan, const PlannedBlock& block, std::span<const double> b, BlockValues& values,
                 const RunControl& control);

/// Copies the solution in values.b to the cells' places in x.
void scatterBlock(const SolvePlan& plan, const PlannedBlock& block, const BlockValues& values, std::span<double> x,
                  const RunControl& control);

/// Both sweeps over a block: on return values.b holds the solution. Operation for operation what the CUDA kernel does.
/// Lane by lane, as a thread of a GPU runs down its branch.
void sweepLanes(const BlockSchedule& schedule, BlockValues& values, const RunControl& control);

/// The same, bit for bit, row by row over the branches of a level, so that neighbouring lanes share vector instructions
/// and hide each other's division. The branches of each level must be sorted by falling length.
void sweepRows(const BlockSchedule& schedule, BlockValues& values, const RunControl& control);

} // namespace hinesight::hines::detail
