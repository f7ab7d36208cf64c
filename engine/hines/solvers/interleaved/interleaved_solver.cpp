#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/interleaved/interleaved.hpp"
#include "hines/solvers/interleaved/interleaved_plan.hpp"
#include "hines/solvers/interleaved/interleaved_rows.hpp"
#include "hines/solvers/interleaved/interleaved_streams.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
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

template <typename Real>
std::vector<std::size_t> lanesOf(std::span<const InterleavedWidth<Real>> widths)
{
  std::vector<std::size_t> lanes;
  for (const InterleavedWidth<Real>& width : widths)
    lanes.push_back(width.lanes);
  return lanes;
}

template <typename Real>
class PreparedInterleaved final : public PreparedSolver
{
public:
  PreparedInterleaved(std::shared_ptr<const InterleavedPlan> interleavedPlan, int mostThreads, StageTimings& timings,
                      const RunControl& control)
      : plan(std::move(interleavedPlan)), batch(plan->batch),
        widths(detail::interleavedWidths<Real>(detail::bestVectorInstructions())),
        threads(detail::usefulThreads(*plan, mostThreads))
  {
    if (plan->lanes != lanesOf(widths))
      refuseSchedule(); // of the other precision
    const Stopwatch stopwatch;
    requireMemory(InterleavedStore<Real>::bytes(*plan) + static_cast<std::size_t>(threads) * scratchBytes(),
                  "The solution");
    rows.emplace(*batch, *plan, plan->lanes, threads, control);
    timings.add("permute", stopwatch.elapsed());
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

  std::shared_ptr<const InterleavedPlan> plan;
  std::shared_ptr<const HinesBatch> batch;
  std::span<const InterleavedWidth<Real>> widths;
  int threads;
  std::optional<InterleavedStore<Real>> rows;
  std::vector<Worker<Real>> workers;
};

std::vector<std::size_t> lanesFor(Precision precision)
{
  const auto instructions = detail::bestVectorInstructions();
  return precision == Precision::Single ? lanesOf(detail::interleavedWidths<float>(instructions))
                                        : lanesOf(detail::interleavedWidths<double>(instructions));
}

class InterleavedSolver final : public SolverDefinition
{
public:
  InterleavedSolver()
      : SolverDefinition(SolverTraits{.id = kInterleaved,
                                      .title = "Interleaved",
                                      .summary = "Cells of one shape side by side in the vector registers of the cores",
                                      .onCpu = true,
                                      .inSingle = true,
                                      .usesThreads = true})
  {}

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& /*timings*/, const RunControl& control) const override
  {
    return detail::planInterleaved(std::move(batch), lanesFor(parameters.precision), control);
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control) const override
  {
    auto plan = scheduleAs<InterleavedPlan>(schedule);
    const int threads = detail::threadsOf(parameters);
    timings.device = detail::deviceText(threads);
    if (parameters.precision == Precision::Single)
      return std::make_unique<PreparedInterleaved<float>>(std::move(plan), threads, timings, control);
    return std::make_unique<PreparedInterleaved<double>>(std::move(plan), threads, timings, control);
  }

  std::optional<CostTerms> cpuCosts() const override { return CostTerms{300, 6'000, 2.5, 13, 8, 3.5}; }

  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    const std::vector<std::size_t> lanes = lanesFor(scope.precision);
    std::size_t vectorRows = 0;
    std::size_t streamed = 0; // compartments of cells that are solved by themselves
    std::size_t largestStreamed = 0;
    for (const ShapeProfile& shape : profile.shapes) {
      std::size_t left = shape.cells;
      for (const detail::SideBySide& taken : detail::takeSideBySide(shape.cells, shape.compartments, lanes)) {
        vectorRows += shape.compartments;
        left -= taken.cells;
      }
      streamed += left * shape.compartments;
      if (left > 0)
        largestStreamed = std::max(largestStreamed, shape.compartments);
    }
    constexpr auto kStreams = detail::StreamSweep<double>::kStreams;
    CostTerms terms = countCalls(profile, scope);
    const double threads = scope.threads;
    termOf(terms, CostTerm::VectorRows) = static_cast<double>(vectorRows) / threads;
    termOf(terms, CostTerm::Compartments) = static_cast<double>(streamed) / threads;
    // Streams hide one another's latency, except that of the last ones.
    termOf(terms, CostTerm::Steps) =
        std::max(0.0, static_cast<double>(largestStreamed) - static_cast<double>(streamed) / (kStreams * threads));
    return terms;
  }
};

} // namespace

const SolverDefinition& interleavedSolver()
{
  static const InterleavedSolver solver;
  return solver;
}

} // namespace hinesight::hines
