#include "hines/prepared_solver.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/solvers/interleaved/interleaved_plan.hpp"
#include "hines/solvers/interleaved/interleaved_rows.hpp"
#include "hines/solvers/interleaved/interleaved_streams.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

using detail::InterleavedGroup;
using detail::InterleavedPlan;
using detail::InterleavedStore;
using detail::InterleavedWidth;

/// What one thread works with.
template <typename Real>
struct Worker
{
  detail::AlignedMemory<Real> factors;
  detail::StreamSweep<Real> streams;
};

/// One bar a cell; its compartments in a row.
class InterleavedCharts final : public LaneCharts
{
public:
  InterleavedCharts(std::shared_ptr<const HinesBatch> solvedBatch, std::shared_ptr<const InterleavedPlan> solvedPlan,
                    std::vector<std::size_t> widths)
      : batch(std::move(solvedBatch)), plan(std::move(solvedPlan)), lanes(std::move(widths))
  {}

  std::size_t units() const override { return plan->groups.size() + (plan->streamedCells.empty() ? 0 : 1); }

  LaneFigures figures(std::size_t unit) const override
  {
    const LaneChart drawn = chart(unit);
    std::int64_t busy = 0;
    for (const LaneBar& bar : drawn.bars)
      busy += bar.steps;
    return {drawn.lanes, drawn.steps, static_cast<double>(busy) / (static_cast<double>(drawn.lanes) * drawn.steps)};
  }

  LaneChart chart(std::size_t unit) const override
  {
    LaneChart chart = unit < plan->groups.size() ? chartOf(plan->groups[unit]) : chartOfStreams();
    chart.title = "unit " + std::to_string(unit + 1) + ": " + chart.title;
    return chart;
  }

  /// The streams are the last unit.
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override
  {
    const auto found = std::ranges::find(plan->groupedCells, cell);
    if (found == plan->groupedCells.end())
      return plan->groups.size();
    const auto place = static_cast<std::size_t>(found - plan->groupedCells.begin());
    const auto isOf = [&](const InterleavedGroup& group) {
      return place >= group.cellBegin && place < group.cellBegin + group.cells;
    };
    return static_cast<std::size_t>(std::ranges::find_if(plan->groups, isOf) - plan->groups.begin());
  }

private:
  LaneChart chartOf(const InterleavedGroup& group) const
  {
    LaneChart result;
    result.lanes = static_cast<std::int32_t>(lanes[group.width]);
    result.steps = static_cast<std::int32_t>(batch->shapes[group.shape]->size());
    result.title = std::to_string(group.cells) + " cells of one shape";
    result.bands.push_back({"whole cells", 0, result.steps, false});
    for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(group.cells); ++lane)
      result.bars.push_back({lane, 0, result.steps,
                             static_cast<std::int32_t>(plan->groupedCells[group.cellBegin + lane]),
                             LaneWork::Compartment});
    return result;
  }

  /// As one thread takes them: each into the lane that is free first.
  LaneChart chartOfStreams() const
  {
    constexpr auto kLanes = detail::StreamSweep<double>::kStreams;
    std::array<std::int32_t, kLanes> busyUntil{};
    LaneChart result;
    result.lanes = static_cast<std::int32_t>(kLanes);
    result.title = std::to_string(plan->streamedCells.size()) + (plan->streamedCells.size() == 1 ? " cell" : " cells") +
                   " one by one";
    for (const std::uint32_t cell : plan->streamedCells) {
      const auto lane = std::ranges::min_element(busyUntil) - busyUntil.begin();
      const auto steps = static_cast<std::int32_t>(batch->offset[cell + 1] - batch->offset[cell]);
      result.bars.push_back({static_cast<std::int32_t>(lane), busyUntil[static_cast<std::size_t>(lane)], steps,
                             static_cast<std::int32_t>(cell), LaneWork::Compartment});
      busyUntil[static_cast<std::size_t>(lane)] += steps;
    }
    result.steps = *std::ranges::max_element(busyUntil);
    result.bands.push_back({"whole cells", 0, result.steps, false});
    return result;
  }

  std::shared_ptr<const HinesBatch> batch;
  std::shared_ptr<const InterleavedPlan> plan;
  std::vector<std::size_t> lanes;
};

template <typename Real>
std::vector<std::size_t> lanesOf(std::span<const InterleavedWidth<Real>> widths)
{
  std::vector<std::size_t> lanes;
  for (const InterleavedWidth<Real>& width : widths)
    lanes.push_back(width.lanes);
  return lanes;
}

template <typename Real>
class InterleavedSolver final : public PreparedSolver
{
public:
  InterleavedSolver(const SolverInput& input, StageTimings& timings, const RunControl& control)
      : batch(input.batch), widths(detail::interleavedWidths<Real>(detail::bestVectorInstructions())),
        threads(detail::threadsOf(input.parameters))
  {
    const Stopwatch stopwatch;
    plan = std::make_shared<const InterleavedPlan>(detail::planInterleaved(*batch, lanesOf(widths), control));
    threads = detail::usefulThreads(*plan, *batch, threads);
    const double planned = stopwatch.elapsed();
    timings.add("solver plan", planned);
    requireMemory(InterleavedStore<Real>::bytes(*plan) + static_cast<std::size_t>(threads) * scratchBytes(),
                  "The solution");
    rows.emplace(*batch, *plan, lanesOf(widths), threads, control);
    timings.add("permute", stopwatch.elapsed() - planned);
    workers.resize(static_cast<std::size_t>(threads));
  }

  void setRightHandSide(std::span<const double> b) override { rows->setRightHandSide(b); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    Stopwatch stopwatch;
    const bool permutes = rows->update(control);
    const double permuted = stopwatch.lap();
    // Every worker takes the next group, then the next cell, until there are none: which worker has a cell changes
    // nothing in it.
    std::atomic<std::size_t> nextGroup{0};
    std::atomic<std::size_t> nextCell{0};
    parallelFor(
        workers.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            for (std::size_t g = nextGroup++; g < plan->groups.size(); g = nextGroup++) {
              control.checkpoint();
              solveGroup(plan->groups[g], workers[k]);
            }
            solveStreams(nextCell, workers[k], control);
          }
        },
        threads);
    return {permutes ? permuted : 0, stopwatch.lap()};
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    const Stopwatch stopwatch;
    rows->read(solution);
    timings.add("permute", stopwatch.elapsed());
  }

  std::shared_ptr<const LaneCharts> charts() const override
  {
    return std::make_shared<InterleavedCharts>(batch, plan, lanesOf(widths));
  }

private:
  std::size_t factorsOf(const InterleavedGroup& group) const
  {
    return widths[group.width].lanes * batch->shapes[group.shape]->size();
  }

  /// Of one thread.
  std::size_t scratchBytes() const
  {
    std::size_t group = 0;
    for (const InterleavedGroup& g : plan->groups)
      group = std::max(group, factorsOf(g));
    std::size_t streams = 0;
    constexpr auto kStreams = detail::StreamSweep<Real>::kStreams;
    for (std::size_t k = 0; k < std::min(kStreams, plan->streamedCells.size()); ++k)
      streams += batch->shapes[batch->shapeOf[plan->streamedCells[k]]]->size();
    return group * sizeof(Real) + streams * sizeof(double);
  }

  void solveGroup(const InterleavedGroup& group, Worker<Real>& worker)
  {
    widths[group.width].sweep(plan->shapes[group.shape].view(), rows->rowsAt(group.slotBegin),
                              worker.factors.ofSize(factorsOf(group)));
  }

  void solveStreams(std::atomic<std::size_t>& nextCell, Worker<Real>& worker, const RunControl& control)
  {
    const auto next = [&]() -> std::optional<detail::StreamedCell> {
      const std::size_t k = nextCell++;
      if (k >= plan->streamedCells.size())
        return std::nullopt;
      const std::uint32_t cell = plan->streamedCells[k];
      return detail::StreamedCell{plan->shapes[batch->shapeOf[cell]].view(), plan->streamBegin[k]};
    };
    worker.streams.run(rows->rowsAt(0), next, control);
  }

  std::shared_ptr<const HinesBatch> batch;
  std::shared_ptr<const InterleavedPlan> plan;
  std::span<const InterleavedWidth<Real>> widths;
  int threads;
  std::optional<InterleavedStore<Real>> rows;
  std::vector<Worker<Real>> workers;
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareInterleaved(const SolverInput& input, StageTimings& timings,
                                                           const RunControl& control)
{
  timings.device = deviceText(threadsOf(input.parameters));
  if (input.parameters.precision == Precision::Single)
    return std::make_unique<InterleavedSolver<float>>(input, timings, control);
  return std::make_unique<InterleavedSolver<double>>(input, timings, control);
}

} // namespace hinesight::hines
