#include "hines/solvers/edd/edd_solver.hpp"

#include "core/device.hpp"
#include "hines/solvers/edd/edd_host.hpp"
#include "hines/solvers/edd/edd_threshold.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace hinesight::hines {

namespace {

/// The plan carried out recursion by recursion.
template <typename Real>
class EddCpuSolver final : public detail::EddHostSolver<Real>
{
public:
  EddCpuSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters, int threadCount,
               const RunControl& control)
      : detail::EddHostSolver<Real>(std::move(eddPlan), parameters, threadCount, control)
  {
    if (this->keepFactors)
      this->template contractAll<EddPhase::Factor>(this->view(), 1, control);
  }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const Stopwatch watch;
    this->runRecursions(control);
    this->expandAll(this->view(), control);
    return {0, watch.elapsed()};
  }
};

/// Interleaved cells read whole lines of memory, but there must be units for all multiprocessors.
std::int32_t cellsPerUnitFor(const HinesBatch& batch)
{
  constexpr std::size_t kMostCells = 4;
  constexpr std::size_t kUnits = 160;
  return static_cast<std::int32_t>(std::clamp(batch.cells() / kUnits, std::size_t{1}, kMostCells));
}

} // namespace

std::shared_ptr<const EddPlan> makeEddPlan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                           StageTimings& timings, const RunControl& control)
{
  const EddParameters& edd = parameters.edd;
  EddPlanParameters wanted;
  wanted.junctions = edd.method == EddMethod::Fine ? EddJunctions::Fine : EddJunctions::Minimal;
  wanted.chainLength = chainLengthFor(edd, batch->cells());
  wanted.depth = edd.depth;
  if (edd.threshold > 0)
    wanted.threshold = edd.threshold;
  else if (edd.depth < 0)
    wanted.threshold =
        eddThreshold(parameters.backend, parameters.precision, timings, control).rows(edd.rightHandSides);
  const Stopwatch stopwatch;
  if (edd.method == EddMethod::MinTrsv)
    wanted.contiguousChains = true;
  else if (parameters.backend == Backend::Cuda)
    wanted.cellsPerUnit = cellsPerUnitFor(*batch);
  auto plan = makeEddPlan(std::move(batch), wanted, control);
  timings.add("solver plan", stopwatch.elapsed());
  return plan;
}

std::unique_ptr<EddSolver> prepareEdd(std::shared_ptr<const EddPlan> plan, const SolveParameters& parameters,
                                      StageTimings& timings, const RunControl& control)
{
  timings.backend = parameters.backend;
#if HINESIGHT_HAS_CUDA
  if (parameters.backend == Backend::Cuda) {
    requireCudaDevice();
    return detail::prepareEddCuda(std::move(plan), parameters, timings, control);
  }
#endif
  const int threads = detail::threadsOf(parameters);
  timings.device = detail::deviceText(threads);
  if (plan->parameters.contiguousChains)
    return detail::prepareEddTrsvCpu(std::move(plan), parameters, control);
  if (parameters.precision == Precision::Single)
    return std::make_unique<EddCpuSolver<float>>(std::move(plan), parameters.edd, threads, control);
  return std::make_unique<EddCpuSolver<double>>(std::move(plan), parameters.edd, threads, control);
}

std::unique_ptr<PreparedSolver> detail::prepareEdd(const SolverInput& input, StageTimings& timings,
                                                   const RunControl& control)
{
  return hines::prepareEdd(makeEddPlan(input.batch, input.parameters, timings, control), input.parameters, timings,
                           control);
}

} // namespace hinesight::hines
