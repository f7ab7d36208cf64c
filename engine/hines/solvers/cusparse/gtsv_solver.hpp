#pragma once

#include "core/run_control.hpp"
#include "hines/prepared_solver.hpp"

#include <memory>

namespace hinesight::hines::detail {

/// The routine that the parameters name, on the device. Only in CUDA builds.
std::unique_ptr<PreparedSolver> prepareGtsvCuda(const HinesBatch& batch, const SolveParameters& parameters,
                                                StageTimings& timings, const RunControl& control);

} // namespace hinesight::hines::detail
