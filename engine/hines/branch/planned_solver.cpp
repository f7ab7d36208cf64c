#include "hines/branch/planned_solver.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/branch/planned_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// The memory in which blocks are executed. Threads borrow it and hand it back, so that neither blocks nor repetitions
/// ask the system for it again.
class ScratchPool
{
public:
  std::unique_ptr<detail::BlockValues> borrow()
  {
    const std::lock_guard lock(mutex);
    if (idle.empty())
      return std::make_unique<detail::BlockValues>();
    auto values = std::move(idle.back());
    idle.pop_back();
    return values;
  }

  void handBack(std::unique_ptr<detail::BlockValues> values)
  {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(values));
  }

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<detail::BlockValues>> idle;
};

/// Every block is brought into the layout, swept and taken out again while it is in the cache.
SolveTimes executePlan(const SolvePlan& plan, std::span<const double> b, bool laneByLane, int threads,
                       ScratchPool& pool, std::span<double> x, const RunControl& control)
{
  std::atomic<std::int64_t> permuteNanoseconds{0};
  std::atomic<std::int64_t> sweepNanoseconds{0};
  const auto add = [](std::atomic<std::int64_t>& sum, double milliseconds) {
    sum.fetch_add(static_cast<std::int64_t>(milliseconds * 1e6), std::memory_order_relaxed);
  };
  const Stopwatch wall;
  parallelFor(
      plan.blocks.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        auto values = pool.borrow();
        double permute = 0;
        double sweep = 0;
        Stopwatch lap;
        for (std::size_t block = begin; block < end; ++block) {
          control.checkpoint();
          const BlockSchedule& schedule = plan.schedules[plan.blocks[block].schedule];
          detail::gatherBlock(plan, plan.blocks[block], b, *values, control);
          permute += lap.lap();
          if (laneByLane)
            detail::sweepLanes(schedule, *values, control);
          else
            detail::sweepRows(schedule, *values, control);
          sweep += lap.lap();
          detail::scatterBlock(plan, plan.blocks[block], *values, x, control);
          permute += lap.lap();
        }
        pool.handBack(std::move(values));
        add(permuteNanoseconds, permute);
        add(sweepNanoseconds, sweep);
      },
      threads);
  const double milliseconds = wall.elapsed();
  const auto permute = static_cast<double>(permuteNanoseconds);
  const double total = std::max(1.0, permute + static_cast<double>(sweepNanoseconds));
  return {milliseconds * permute / total, milliseconds * (total - permute) / total};
}

/// What `threads` threads need to execute the largest block each.
std::size_t scratchBytes(const SolvePlan& plan, int threads)
{
  std::size_t largest = 0;
  for (const BlockSchedule& schedule : plan.schedules)
    largest = std::max(largest, static_cast<std::size_t>(schedule.slotCount()) * 3 * sizeof(double) +
                                    static_cast<std::size_t>(schedule.branches()) * sizeof(Contribution));
  return largest * std::min(static_cast<std::size_t>(threads), plan.blocks.size());
}

class PlannedSolver final : public PreparedSolver
{
public:
  PlannedSolver(std::shared_ptr<const SolvePlan> executedPlan, int threadCount, bool laneByLaneOnly)
      : plan(std::move(executedPlan)), threads(threadCount),
        laneByLane(laneByLaneOnly || !plan->parameters.sortByLength)
  {
    requireMemory(plan->batch->compartments() * sizeof(double) + scratchBytes(*plan, threads), "The solution");
    x.resize(plan->batch->compartments());
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const std::span<const double> b = rightHandSide.empty() ? std::span(plan->batch->b) : std::span(rightHandSide);
    return executePlan(*plan, b, laneByLane, threads, pool, x, control);
  }

  void read(std::span<double> solution, StageTimings& /*timings*/) override { std::ranges::copy(x, solution.begin()); }

private:
  std::shared_ptr<const SolvePlan> plan;
  int threads;
  bool laneByLane;
  ScratchPool pool;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<double> x;
};

} // namespace

std::unique_ptr<PreparedSolver> preparePlanned(std::shared_ptr<const SolvePlan> plan, int threads, bool laneByLane,
                                               StageTimings& timings)
{
  timings.device = detail::deviceText(threads);
  return std::make_unique<PlannedSolver>(std::move(plan), threads, laneByLane);
}

} // namespace hinesight::hines
