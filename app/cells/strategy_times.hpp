#pragma once

#include "hines/solver.hpp"
#include "widgets/cells/splitting/splitting_view_ledger.hpp"

#include <memory>
#include <vector>

namespace hinesight::app {

/// The last solve time of each of a solver's ways to cut, for one batch under otherwise equal parameters: another
/// batch, packing strategy, block size or solver starts anew. Where it cuts in the chosen way has no say.
class StrategyTimes
{
public:
  /// What a solver without such ways did is left out.
  void add(const hines::Solution& solution);
  const std::vector<widgets::StrategyTime>& times() const { return measured; }

private:
  std::weak_ptr<const hines::HinesBatch> batch;
  hines::SolveParameters solved; ///< with the first of the ways
  std::vector<widgets::StrategyTime> measured;
};

} // namespace hinesight::app
