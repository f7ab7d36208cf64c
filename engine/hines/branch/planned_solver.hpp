#pragma once

#include "hines/branch/plan.hpp"
#include "hines/prepared_solver.hpp"

#include <memory>

namespace hinesight::hines {

/// Executes a plan on the CPU, its blocks in parallel over the threads: row by row, so that neighbouring lanes share
/// vector instructions, or lane by lane as a GPU does. The same bytes either way.
std::unique_ptr<PreparedSolver> preparePlanned(std::shared_ptr<const SolvePlan> plan, int threads, bool laneByLane,
                                               StageTimings& timings);

} // namespace hinesight::hines
