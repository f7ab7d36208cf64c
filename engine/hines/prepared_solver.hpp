#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/schedule.hpp"
#include "hines/solver.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::hines {

/// What one solve took, ms.
struct SolveTimes
{
  double permute = 0;                   ///< from the order of the batch into the layout; 0 where there is none
  double solve = 0;                     ///< on CUDA the kernels alone
  std::vector<SolveTimes> devices = {}; ///< of several that shared it; empty of one
};

/// A batch laid out in memory for a solver, to be solved as often as wanted.
class PreparedSolver
{
public:
  virtual ~PreparedSolver() = default;

  /// Takes other right-hand sides than the batch's: one number per compartment, in the order of the batch.
  virtual void setRightHandSide(std::span<const double> b) = 0;
  /// Solves. Throws Error(Cancelled), Error(DeviceFailure).
  virtual SolveTimes solveOnce(const RunControl& control) = 0;
  /// The solution of the last solveOnce, in the order of the batch; adds what it takes to `timings`
  /// ("permute", "download").
  virtual void read(std::span<double> x, StageTimings& timings) = 0;
  /// The solution of every right-hand side that one solve is for, the batch's first; the others moved to where that one
  /// is. One, where there is but one.
  virtual std::vector<std::vector<double>> readAll(const HinesBatch& batch);
};

/// Parameters that name a solver, and why where that was chosen.
struct ResolvedParameters
{
  SolveParameters parameters;
  std::string choice; ///< SolverChoice::reason; empty where the solver was asked for
};

/// Puts what the current costs choose (cost_cache.hpp) in the place of `auto` (stage "choose"). What names a solver
/// comes back as it is. Throws as validate; Error(Cancelled).
ResolvedParameters resolve(const HinesBatch& batch, const SolveParameters& parameters, StageTimings& timings,
                           const RunControl& control = {});

/// How the solver that the parameters name solves the batch (stage "plan", and what a solver measures to plan). Needs
/// no device, and resolves nothing: of `auto` it is the schedule of what that chooses. Throws as validate;
/// Error(OutOfMemory), Error(Cancelled), Error(BadParameter) where the solver cannot do the batch.
std::shared_ptr<const Schedule> makeSchedule(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                             StageTimings& timings, const RunControl& control = {});

/// Allocates, and brings the schedule's batch to where it is solved (stage "upload" on CUDA), added to `timings`,
/// device and backend too. What does not fit into the memory of the device goes through it in slabs (slabs.hpp).
/// Throws as validate and requireDevice; Error(OutOfMemory), Error(DeviceFailure),
/// Error(Cancelled), Error(BadParameter) for a schedule of another solver.
std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                        StageTimings& timings, const RunControl& control = {});
/// The same with resolve and makeSchedule before it.
std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                        StageTimings& timings, const RunControl& control = {});

namespace detail {
/// "AMD EPYC 9B14, 2 threads".
std::string deviceText(int threads);
/// The threads that the parameters mean: 0 is all of them.
int threadsOf(const SolveParameters& parameters);
} // namespace detail

} // namespace hinesight::hines
