#pragma once

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"
#include "hines/prepared_solver.hpp"

#include <memory>

namespace hinesight::hines::detail {

/// The fine solver on the device. Only in CUDA builds.
std::unique_ptr<PreparedSolver> prepareFineCuda(std::shared_ptr<const SolvePlan> plan, StageTimings& timings,
                                                const RunControl& control);

} // namespace hinesight::hines::detail
