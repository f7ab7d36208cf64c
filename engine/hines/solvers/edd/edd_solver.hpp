#pragma once

#include "core/run_control.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "hines/solvers/edd/edd_plan.hpp"

#include <memory>
#include <span>
#include <vector>

namespace hinesight::hines {

/// A batch laid out for exact domain decomposition.
class EddSolver : public PreparedSolver
{
public:
  /// The solution for right-hand side `column`, 0 to rightHandSides - 1, in the order of the batch.
  virtual void readColumn(std::int32_t column, std::span<double> x) = 0;
  virtual std::int32_t columnCount() const = 0;

  std::vector<std::vector<double>> readAll(const HinesBatch& batch) override;
};

/// The plan that the parameters ask for, what they leave open as suits the backend and the batch. Adds the stage
/// "threshold fit" (see eddThreshold; where there is no device, the threshold is EddThreshold's own) to `timings`.
/// Throws as makeEddPlan and fitEddThreshold.
std::shared_ptr<const EddPlan> makeEddPlan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                           StageTimings& timings, const RunControl& control = {});

/// Prepares a plan that is there, as `prepare` does where it is not. Of `parameters.edd` only the right-hand sides, the
/// refinements, and what is kept, are read; the plan tells the method: min-trsv where chains are contiguous. Throws
/// Error(NoDevice), also where cuSPARSE is wanted and cannot be loaded; Error(OutOfMemory), Error(DeviceFailure),
/// Error(Cancelled).
std::unique_ptr<EddSolver> prepareEdd(std::shared_ptr<const EddPlan> plan, const SolveParameters& parameters,
                                      StageTimings& timings, const RunControl& control = {});

namespace detail {
/// The part of it that is on the device. Only in CUDA builds.
std::unique_ptr<EddSolver> prepareEddCuda(std::shared_ptr<const EddPlan> plan, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control);
/// min-trsv; on CUDA cuSPARSE solves the chains.
std::unique_ptr<EddSolver> prepareEddTrsvCpu(std::shared_ptr<const EddPlan> plan, const SolveParameters& parameters,
                                             const RunControl& control);
std::unique_ptr<EddSolver> prepareEddTrsvCuda(std::shared_ptr<const EddPlan> plan, const SolveParameters& parameters);
} // namespace detail

} // namespace hinesight::hines
