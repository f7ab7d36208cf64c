#include "hines/solvers/coarse/coarse_solver.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// The same plan and layouts as on the GPU, executed lane by lane. Shared memory has no counterpart: BlockShared is
/// executed as BlockInterleaved.
template <typename Real>
class CoarseSolver final : public PreparedSolver
{
public:
  CoarseSolver(std::shared_ptr<const CoarsePlan> coarsePlan, int threadCount)
      : plan(std::move(coarsePlan)), threads(threadCount)
  {
    for (const CoarseShare& share : plan->shares) {
      requireMemory(share.values * sizeof(Real), "The coarse solver's layout");
      values.emplace_back(share.values);
    }
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    SolveTimes took;
    for (std::size_t share = 0; share < plan->shares.size(); ++share) {
      Stopwatch watch;
      forEachLane(share, control, [&](const CoarseLane& lane, const LaneSystem<Real>& system) { fill(lane, system); });
      took.permute += watch.lap();
      forEachLane(share, control, [](const CoarseLane&, const LaneSystem<Real>& system) { sweepLane(system); });
      took.solve += watch.lap();
    }
    return took;
  }

  void read(std::span<double> x, StageTimings& timings) override
  {
    const Stopwatch watch;
    for (std::size_t share = 0; share < plan->shares.size(); ++share)
      forEachLane(share, {}, [&](const CoarseLane& lane, const LaneSystem<Real>& system) {
        for (std::size_t row = 0; row < static_cast<std::size_t>(lane.rows); ++row)
          x[plan->batch->offset[lane.cell] + row] = system.b[row * system.strideOfB];
      });
    timings.add("permute", watch.elapsed());
  }

  std::shared_ptr<const LaneCharts> charts() const override { return makeCoarseCharts(plan); }

private:
  template <typename Function>
  void forEachLane(std::size_t index, const RunControl& control, Function f)
  {
    const CoarseShare& share = plan->shares[index];
    parallelFor(
        share.lanes.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            f(share.lanes[k], detail::laneSystem(share.lanes[k], share.warps[k / plan->warpLanes], share.strides,
                                                 plan->computesPadding(), values[index].data(), share.parent.data()));
          }
        },
        threads);
  }

  void fill(const CoarseLane& lane, const LaneSystem<Real>& system) const
  {
    const HinesBatch& batch = *plan->batch;
    const std::vector<double>& b = rightHandSide.empty() ? batch.b : rightHandSide;
    const std::size_t offset = batch.offset[lane.cell];
    const auto rows = static_cast<std::size_t>(lane.rows);
    for (std::size_t row = 0; row < rows; ++row) {
      system.excess[row * system.stride] = static_cast<Real>(batch.excess[offset + row]);
      system.u[row * system.stride] = static_cast<Real>(batch.u[offset + row]);
      system.b[row * system.strideOfB] = static_cast<Real>(b[offset + row]);
    }
    for (std::size_t row = rows; row < static_cast<std::size_t>(system.computedRows); ++row)
      system.excess[row * system.stride] = 1;
  }

  std::shared_ptr<const CoarsePlan> plan;
  int threads;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<std::vector<Real>> values;
};

std::int32_t sharesOf(const SolveParameters& parameters)
{
  const std::int32_t wanted = parameters.coarse.devices;
  if (parameters.backend == Backend::Cpu)
    return std::max(1, wanted);
  const auto present = static_cast<std::int32_t>(cudaDevices().size());
  if (wanted > present)
    throw Error(ErrorCode::BadParameter, "The coarse solver was given " + std::to_string(wanted) +
                                             " devices, but this machine has " + std::to_string(present) +
                                             "; choose 0 for all.");
  return wanted == 0 ? present : wanted;
}

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareCoarse(const SolverInput& input, StageTimings& timings,
                                                      const RunControl& control)
{
  const SolveParameters& parameters = input.parameters;
  const Stopwatch stopwatch;
  auto plan = makeCoarsePlan(input.batch, parameters.coarse, sharesOf(parameters), control);
  timings.add("solver plan", stopwatch.elapsed());
#if HINESIGHT_HAS_CUDA
  if (parameters.backend == Backend::Cuda)
    return prepareCoarseCuda(std::move(plan), parameters, timings, control);
#endif
  const int threads = threadsOf(parameters);
  timings.device = deviceText(threads);
  if (parameters.precision == Precision::Single)
    return std::make_unique<CoarseSolver<float>>(std::move(plan), threads);
  return std::make_unique<CoarseSolver<double>>(std::move(plan), threads);
}

} // namespace hinesight::hines
