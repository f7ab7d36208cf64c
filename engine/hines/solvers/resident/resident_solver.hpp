#pragma once

#include "core/run_control.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/resident/resident_plan.hpp"

#include <memory>

namespace hinesight::hines {

/// Prepares the plan's batch for the resident solver, as `prepare` does where the plan does not exist yet. On CUDA the
/// units are thread blocks or clusters of them, sorted into launches by their shared memory that run side by side;
/// cells too large to stay on chip are spread over the device. On the CPU the same plan is executed unit by unit over
/// the cores. Of `parameters`, `solver` is not read. Throws Error(NoDevice), Error(OutOfMemory), Error(DeviceFailure),
/// Error(Cancelled).
std::unique_ptr<PreparedSolver> prepareResident(std::shared_ptr<const ResidentPlan> plan,
                                                const SolveParameters& parameters, StageTimings& timings,
                                                const RunControl& control = {});

namespace detail {
/// The part of it that is on the device. Only in CUDA builds.
std::unique_ptr<PreparedSolver> prepareResidentCuda(std::shared_ptr<const ResidentPlan> plan,
                                                    const SolveParameters& parameters, StageTimings& timings,
                                                    const RunControl& control);
} // namespace detail

} // namespace hinesight::hines
