#include "hines/solvers/coarse/coarse_solver.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// The same plan and layouts as on the GPU, executed lane by lane. Shared memory has no counterpart: BlockShared is
/// executed as BlockInterleaved.
template <typename Real>
class PreparedCoarse final : public PreparedSolver
{
public:
  PreparedCoarse(std::shared_ptr<const CoarsePlan> coarsePlan, int threadCount)
      : plan(std::move(coarsePlan)), threads(threadCount)
  {
    requireMemory(plan->table.values * sizeof(Real), "The coarse solver's layout");
    values.resize(plan->table.values);
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    SolveTimes took;
    Stopwatch watch;
    forEachLane(control, [&](const CoarseLane& lane, const LaneSystem<Real>& system) { fill(lane, system); });
    took.permute = watch.lap();
    forEachLane(control, [](const CoarseLane&, const LaneSystem<Real>& system) { sweepLane(system); });
    took.solve = watch.lap();
    return took;
  }

  void read(std::span<double> x, StageTimings& timings) override
  {
    const Stopwatch watch;
    forEachLane({}, [&](const CoarseLane& lane, const LaneSystem<Real>& system) {
      for (std::size_t row = 0; row < static_cast<std::size_t>(lane.rows); ++row)
        x[plan->batch->offset[lane.cell] + row] = system.b[row * system.strideOfB];
    });
    timings.add("permute", watch.elapsed());
  }

private:
  template <typename Function>
  void forEachLane(const RunControl& control, Function f)
  {
    const CoarseTable& table = plan->table;
    parallelFor(
        table.lanes.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            f(table.lanes[k], detail::laneSystem(table.lanes[k], table.warps[k / plan->warpLanes], table.strides,
                                                 plan->computesPadding(), values.data(), table.parent.data()));
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
  std::vector<Real> values;
};

/// Whether the columns of right-hand sides that such a block keeps on chip fit there.
bool fitsOnChip(const HinesBatch& batch, const CoarseParameters& coarse)
{
  std::size_t largest = 0;
  for (const auto& shape : batch.shapes)
    largest = std::max(largest, shape->size());
  return largest * static_cast<std::size_t>(coarse.blockSize) * sizeof(double) <= planningDevice().sharedBytesPerBlock;
}

class CoarseSolver final : public SolverDefinition
{
public:
  CoarseSolver()
      : SolverDefinition(SolverTraits{.id = kCoarse,
                                      .title = "Coarse",
                                      .summary = "One lane a cell, in one of five layouts of memory (Martinez 2018)",
                                      .onCpu = true,
                                      .onCuda = true,
                                      .inSingle = true,
                                      .usesThreads = true,
                                      .isExact = true})
  {}

  std::vector<SettingsGroup> settings() const override
  {
    return {settingsGroup<CoarseParameters>({"coarse", "Coarse solver", "coarse-", "One lane a cell."})};
  }

  std::string describe(const SolveParameters& parameters, std::size_t /*cells*/) const override
  {
    const auto& coarse = parameters.of<CoarseParameters>();
    return "layout " + std::string(layoutName(coarse.layout)) + ", padding " +
           std::string(paddingName(coarse.padding)) + ", blocks of " + std::to_string(coarse.blockSize);
  }

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& /*timings*/, const RunControl& control) const override
  {
    return makeCoarsePlan(std::move(batch), parameters.of<CoarseParameters>(), control);
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings,
                                          [[maybe_unused]] const RunControl& control) const override
  {
    auto plan = scheduleAs<CoarsePlan>(schedule);
#if HINESIGHT_HAS_CUDA
    if (parameters.backend == Backend::Cuda)
      return detail::prepareCoarseCuda(std::move(plan), parameters, timings, control);
#endif
    const int threads = detail::threadsOf(parameters);
    timings.device = detail::deviceText(threads);
    if (parameters.precision == Precision::Single)
      return std::make_unique<PreparedCoarse<float>>(std::move(plan), threads);
    return std::make_unique<PreparedCoarse<double>>(std::move(plan), threads);
  }

  std::optional<CudaCost> cudaCost() const override
  {
    return CudaCost{.start = 3'000,
                    .stepClocks = 1'610,
                    .bytes = 32,
                    .multiplyAdds = 20,
                    .doubleClocks = 1,
                    .singleClocks = 0.5,
                    .isChecked = true};
  }
  /// One compartment of the largest cell after another. A step waits for memory twice as long as for the L2 cache, and
  /// longer where lanes of a warp read tables of different shapes.
  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    constexpr std::size_t kNumbers = 4; // of a compartment
    constexpr double kOfManyShapes = 1.3;
    const auto bytes = static_cast<double>(profile.compartments * kNumbers * bytesOf(scope.precision));
    const double slowness = (1 + missedShare(scope.device, bytes)) * (profile.shapes.size() > 1 ? kOfManyShapes : 1);
    return countLaunch(profile, static_cast<double>(profile.largestCell) * slowness);
  }
  bool isFittedOn(const BatchProfile& profile, Backend /*backend*/) const override
  {
    constexpr std::size_t kLargeCell = 50'000;
    return profile.largestCell < kLargeCell;
  }

  /// Every layout with and without computed padding.
  std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters, const HinesBatch& batch) const override
  {
    std::vector<SolveParameters> variants;
    for (const CoarseLayout layout : allCoarseLayouts())
      for (const auto padding : {CoarsePadding::NotComputed, CoarsePadding::Computed}) {
        SolveParameters variant = parameters;
        auto& coarse = variant.of<CoarseParameters>();
        coarse.layout = layout;
        coarse.padding = padding;
        coarse.blockSize = layout == CoarseLayout::BlockShared ? 4 : 64;
        if (parameters.backend == Backend::Cpu || layout != CoarseLayout::BlockShared || fitsOnChip(batch, coarse))
          variants.push_back(std::move(variant));
      }
    return variants;
  }
};

} // namespace

const SolverDefinition& coarseSolver()
{
  static const CoarseSolver solver;
  return solver;
}

} // namespace hinesight::hines
