#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/branch/plan.hpp"
#include "hines/lane_chart.hpp"
#include "hines/solver.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::hines {

/// What one solve took, ms.
struct SolveTimes
{
  double permute = 0; ///< from the order of the batch into the layout; 0 where there is none
  double solve = 0;   ///< on CUDA the kernels alone
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
  /// The solver's own schedule; null where it executes the plan of branches, and of cuSPARSE's routines.
  virtual std::shared_ptr<const LaneCharts> charts() const { return nullptr; }
};

/// What all solvers are made from.
struct SolverInput
{
  std::shared_ptr<const HinesBatch> batch;
  std::shared_ptr<const SolvePlan> plan; ///< of that batch; may be null unless SolverTraits::executesPlan
  SolveParameters parameters;
};

/// An input that names a solver, and why where that was chosen.
struct ResolvedInput
{
  SolverInput input;
  std::string choice; ///< SolverChoice::reason; empty where the solver was asked for
};

/// Puts what the current costs choose (cost_cache.hpp) in the place of `auto`, and makes the plan of branches with its
/// default parameters where the choice needs and the input lacks one (stages "choose", "plan"). What names a solver
/// comes back as it is. Throws as validate; Error(Cancelled).
ResolvedInput resolve(const SolverInput& input, StageTimings& timings, const RunControl& control = {});

/// Resolves the input. Plans what the solver plans itself (stage "solver plan"), allocates, and brings the batch to
/// where it is solved (stage "upload" on CUDA), all added to `timings`, device and backend too. Throws as validate;
/// Error(OutOfMemory), Error(DeviceFailure), Error(Cancelled), Error(BadParameter) where the solver cannot do the
/// batch.
std::unique_ptr<PreparedSolver> prepare(const SolverInput& input, StageTimings& timings,
                                        const RunControl& control = {});

/// Runs a prepared solver `input.parameters.repeat` times.
std::shared_ptr<const Solution> solve(const SolverInput& input, const RunControl& control = {});

namespace detail {
// One function a solver; those named CUDA only in CUDA builds.
std::unique_ptr<PreparedSolver> prepareSerial(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> preparePlanned(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareFineCuda(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareCoarse(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareTridiagonal(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareGtsvCuda(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareResident(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareInterleaved(const SolverInput& input, StageTimings& timings, const RunControl&);
std::unique_ptr<PreparedSolver> prepareEdd(const SolverInput& input, StageTimings& timings, const RunControl&);

/// "AMD EPYC 9B14, 2 threads".
std::string deviceText(int threads);
/// The threads that the parameters mean: 0 is all of them.
int threadsOf(const SolveParameters& parameters);
} // namespace detail

} // namespace hinesight::hines
