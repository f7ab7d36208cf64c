#include "hines/solvers/tridiagonal/tridiagonal_solver.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_step.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// What the lanes that share one chain hold.
template <typename Real>
struct ChainLanes
{
  explicit ChainLanes(const TridiagonalPlan& plan)
      : eliminated(static_cast<std::size_t>(plan.lanes * plan.rowsPerLane)), row(static_cast<std::size_t>(plan.lanes)),
        neighbour(row.size()), sweep(row.size())
  {}

  std::vector<EliminatedRow<Real>> eliminated; ///< of each lane's piece; that of its junction is not used
  std::vector<JunctionRow<Real>> row, neighbour;
  std::vector<ChainSweep<Real>> sweep;
};

/// One chain, its lanes one after another between the places where they exchange numbers.
template <typename Real>
class ChainSolver
{
public:
  explicit ChainSolver(const TridiagonalPlan& tridiagonalPlan) : plan(tridiagonalPlan), lanes(tridiagonalPlan) {}

  void solve(std::span<const double> excess, std::span<const double> u, std::span<const double> b, std::span<double> x)
  {
    for (std::size_t lane = 0; lane < lanes.row.size(); ++lane)
      eliminatePiece(lane, excess, u, b);
    for (std::size_t lane = 1; lane < lanes.row.size(); ++lane) {
      lanes.row[lane].excess -= lanes.sweep[lane - 1].endExcess;
      lanes.row[lane].b -= lanes.sweep[lane - 1].endB;
      lanes.row[lane].before = lanes.row[lane - 1].behind;
    }
    for (std::size_t distance = 1; distance < lanes.row.size(); distance *= 2)
      reduceJunctions(distance);
    for (std::size_t lane = 0; lane < lanes.row.size(); ++lane)
      substitutePiece(lane, x);
  }

private:
  std::size_t begin(std::size_t lane) const { return lane * static_cast<std::size_t>(plan.rowsPerLane); }

  void eliminatePiece(std::size_t lane, std::span<const double> excess, std::span<const double> u,
                      std::span<const double> b)
  {
    const std::size_t rows = excess.size();
    const std::size_t first = begin(lane);
    const std::size_t end = begin(lane + 1);
    ChainSweep<Real>& sweep = lanes.sweep[lane];
    sweep = {};
    sweep.fill = end < rows ? static_cast<Real>(u[end]) : Real{0};
    for (std::size_t row = end; row-- > first + 1;)
      lanes.eliminated[row] =
          row < rows ? eliminateInChain<TridiagonalRounding>(sweep, static_cast<Real>(excess[row]),
                                                             static_cast<Real>(u[row]), static_cast<Real>(b[row]))
                     : eliminateInChain<TridiagonalRounding>(sweep, Real{1}, Real{0}, Real{0});
    JunctionRow<Real>& junction = lanes.row[lane];
    junction = {};
    if (first < rows)
      junction = {static_cast<Real>(excess[first]), static_cast<Real>(b[first]), 0, 0};
    junction.excess -= sweep.excess;
    junction.b -= sweep.b;
    junction.behind = sweep.fill;
  }

  void reduceJunctions(std::size_t distance)
  {
    std::vector<JunctionRow<Real>>& row = lanes.row;
    std::ranges::transform(row, lanes.neighbour.begin(), [](const auto& junction) { return scaled(junction); });
    for (std::size_t lane = 0; lane < row.size(); ++lane)
      row[lane] = reduced(row[lane], lanes.neighbour[lane >= distance ? lane - distance : lane],
                          lanes.neighbour[lane + distance < row.size() ? lane + distance : lane]);
  }

  void substitutePiece(std::size_t lane, std::span<double> x) const
  {
    const auto solutionOf = [&](std::size_t k) { return scaled(lanes.row[k]).b; };
    const Real end = lane + 1 < lanes.row.size() ? solutionOf(lane + 1) : Real{0};
    Real value = solutionOf(lane);
    for (std::size_t row = begin(lane); row < std::min(begin(lane + 1), x.size()); ++row) {
      if (row > begin(lane))
        value = substituteInChain(lanes.eliminated[row], value, end);
      x[row] = static_cast<double>(value);
    }
  }

  const TridiagonalPlan& plan;
  ChainLanes<Real> lanes;
};

template <typename Real>
class PreparedTridiagonal final : public PreparedSolver
{
public:
  PreparedTridiagonal(std::shared_ptr<const TridiagonalPlan> tridiagonalPlan, int threadCount)
      : plan(std::move(tridiagonalPlan)), threads(threadCount)
  {
    requireMemory(plan->batch->compartments() * sizeof(double), "The solution");
    x.resize(plan->batch->compartments());
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const HinesBatch& batch = *plan->batch;
    const std::span<const double> b = rightHandSide.empty() ? std::span(batch.b) : std::span(rightHandSide);
    const Stopwatch watch;
    parallelFor(
        batch.cells(), 16,
        [&](std::size_t begin, std::size_t end) {
          ChainSolver<Real> solver(*plan);
          const auto rows = static_cast<std::size_t>(plan->rows);
          for (std::size_t cell = begin; cell < end; ++cell) {
            control.checkpoint();
            const std::size_t first = batch.offset[cell];
            solver.solve(std::span(batch.excess).subspan(first, rows), std::span(batch.u).subspan(first, rows),
                         b.subspan(first, rows), std::span(x).subspan(first, rows));
          }
        },
        threads);
    return {0, watch.elapsed()};
  }

  void read(std::span<double> solution, StageTimings& /*timings*/) override { std::ranges::copy(x, solution.begin()); }

private:
  std::shared_ptr<const TridiagonalPlan> plan;
  int threads;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<double> x;
};

/// The longest chain that a warp's lanes hold with their registers full.
constexpr std::size_t kLongestChain = 32 * static_cast<std::size_t>(kMostRowsPerLane);

class TridiagonalSolver final : public SolverDefinition
{
public:
  TridiagonalSolver()
      : SolverDefinition(
            SolverTraits{.id = kTridiagonal,
                         .title = "Tridiagonal",
                         .summary = "Chains of one length, in pieces that the lanes of a warp keep in registers",
                         .onCpu = true,
                         .onCuda = true,
                         .inSingle = true,
                         .usesThreads = true,
                         .chainsOnly = true})
  {}

  std::vector<SettingsGroup> settings() const override
  {
    return {
        settingsGroup<TridiagonalParameters>({"tridiagonal", "Tridiagonal solver", "chain-", "Batches of chains."})};
  }

  std::string describe(const SolveParameters& parameters, std::size_t /*cells*/) const override
  {
    const std::int32_t lanes = parameters.of<TridiagonalParameters>().lanes;
    return lanes > 0 ? std::to_string(lanes) + " lanes a chain" : std::string();
  }

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& /*timings*/, const RunControl& /*control*/) const override
  {
    return makeTridiagonalPlan(std::move(batch), parameters.of<TridiagonalParameters>(),
                               planningDevice(parameters.gpu).multiprocessors);
  }

  /// How many lanes are fastest depends on the number of cells.
  SolveParameters parametersForPart(const Schedule& whole, const SolveParameters& parameters) const override
  {
    SolveParameters part = parameters;
    part.of<TridiagonalParameters>().lanes = dynamic_cast<const TridiagonalPlan&>(whole).lanes;
    return part;
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings,
                                          [[maybe_unused]] const RunControl& control) const override
  {
    auto plan = scheduleAs<TridiagonalPlan>(schedule);
#if HINESIGHT_HAS_CUDA
    if (parameters.backend == Backend::Cuda)
      return detail::prepareTridiagonalCuda(std::move(plan), parameters, timings, control);
#endif
    const int threads = detail::threadsOf(parameters);
    timings.device = detail::deviceText(threads);
    if (parameters.precision == Precision::Single)
      return std::make_unique<PreparedTridiagonal<float>>(std::move(plan), threads);
    return std::make_unique<PreparedTridiagonal<double>>(std::move(plan), threads);
  }

  std::optional<CudaCost> cudaCost() const override
  {
    return CudaCost{.start = 1'300,
                    .stepClocks = 1'190,
                    .bytes = 32,
                    .multiplyAdds = 27,
                    .doubleClocks = 1.5,
                    .singleClocks = 0.75,
                    .isChecked = true};
  }
  CostTerms countTerms(const BatchProfile& profile, const CostScope& /*scope*/) const override
  {
    return countLaunch(profile, reductionSteps(profile.chainLength));
  }
  bool canSolve(const BatchProfile& profile) const override
  {
    return profile.chainLength > 0 && profile.chainLength <= kLongestChain;
  }

  std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters, const HinesBatch& batch) const override
  {
    std::vector<SolveParameters> variants;
    for (const std::int32_t lanes : {1, 2, 4, 8, 16, 32})
      if (batch.shapes.front()->size() <= static_cast<std::size_t>(lanes * kMostRowsPerLane))
        variants.emplace_back(parameters).of<TridiagonalParameters>().lanes = lanes;
    return variants;
  }
};

} // namespace

const SolverDefinition& tridiagonalSolver()
{
  static const TridiagonalSolver solver;
  return solver;
}

} // namespace hinesight::hines
