#pragma once

#include "core/run_control.hpp"
#include "hines/resident_plan.hpp"
#include "hines/solver.hpp"

#include <memory>

namespace hinesight::hines {

/// Solves the plan's batch with the resident solver. On CUDA the units are thread blocks or clusters of them, sorted
/// into launches by their shared memory that run side by side; cells too large to stay on chip are spread over the
/// device. On the CPU the same plan is executed unit by unit over the cores. Of `parameters`, `solver` is not read.
/// Timings as those of `solve`, after a stage "resident plan" of `planMilliseconds` where that is above 0. Throws
/// Error(NoDevice), Error(OutOfMemory), Error(DeviceFailure), Error(Cancelled).
std::shared_ptr<const Solution> solveResident(const ResidentPlan& plan, const SolveParameters& parameters,
                                              double planMilliseconds = 0, const RunControl& control = {});

namespace detail {
/// Behind `solveResident`. Only in CUDA builds.
void solveResidentCuda(const ResidentPlan& plan, const SolveParameters& parameters, const RunControl& control,
                       Solution& solution);
} // namespace detail

} // namespace hinesight::hines
