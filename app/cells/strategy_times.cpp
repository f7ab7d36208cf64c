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

void StrategyTimes::add(const hines::Solution& solution)
{
  const auto* plan = dynamic_cast<const hines::SolvePlan*>(solution.schedule.get());
  if (!plan)
    return;
  hines::SolveParameters others = solution.parameters;
  others.of<hines::PlanParameters>() = withoutSplit(plan->parameters);
  if (batch.lock() != plan->batch || solved != others) {
    measured.clear();
    batch = plan->batch;
    solved = others;
  }
  const hines::SplitStrategy strategy = plan->parameters.split;
  std::erase_if(measured, [&](const widgets::StrategyTime& time) { return time.strategy == strategy; });
  measured.push_back({strategy, solution.timings.of("solve")});
}

} // namespace hinesight::app
