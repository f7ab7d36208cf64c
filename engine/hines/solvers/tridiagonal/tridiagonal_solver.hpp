#pragma once

#include "core/run_control.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_plan.hpp"

#include <memory>

namespace hinesight::hines::detail {

/// The part of the tridiagonal solver that is on the device. Only in CUDA builds.
std::unique_ptr<PreparedSolver> prepareTridiagonalCuda(std::shared_ptr<const TridiagonalPlan> plan,
                                                       const SolveParameters& parameters, StageTimings& timings,
                                                       const RunControl& control);

} // namespace hinesight::hines::detail
