#include "app/cells/strategy_times.hpp"

#include "hines/schedule.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <string>

namespace hinesight::app {

void StrategyTimes::add(const hines::Solution& solution)
{
  const hines::SolverDefinition& solver = hines::definitionOf(solution.parameters.solver);
  const std::vector<hines::CutWay> ways = solver.cutWays(solution.parameters);
  const auto chosen = std::ranges::find_if(ways, &hines::CutWay::isChosen);
  if (chosen == ways.end())
    return;
  hines::SolveParameters others = solution.parameters;
  solver.setCutLength(others, 1);
  solver.chooseCut(others, ways.front().name);
  if (batch.lock() != solution.schedule->batch || solved != others) {
    measured.clear();
    batch = solution.schedule->batch;
    solved = others;
  }
  std::erase_if(measured, [&](const widgets::StrategyTime& time) { return time.way == chosen->name; });
  measured.push_back({std::string(chosen->name), solution.time()});
}

} // namespace hinesight::app
