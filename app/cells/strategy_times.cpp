#include "app/cells/strategy_times.hpp"

#include <algorithm>

namespace hinesight::app {

namespace {

hines::PlanParameters withoutSplit(hines::PlanParameters parameters)
{
  parameters.split = hines::SplitStrategy::None;
  parameters.splitLength = hines::PlanParameters{}.splitLength;
  return parameters;
}

} // namespace

void StrategyTimes::add(const hines::SolvePlan& plan, const hines::Solution& solution)
{
  if (!hines::traitsOf(solution.parameters.solver).executesPlan)
    return;
  const hines::PlanParameters others = withoutSplit(plan.parameters);
  if (batch.lock() != plan.batch || planned != others || solved != solution.parameters) {
    measured.clear();
    batch = plan.batch;
    planned = others;
    solved = solution.parameters;
  }
  const hines::SplitStrategy strategy = plan.parameters.split;
  std::erase_if(measured, [&](const widgets::StrategyTime& time) { return time.strategy == strategy; });
  measured.push_back({strategy, solution.timings.of("solve")});
}

} // namespace hinesight::app
