#pragma once

#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "widgets/cells/splitting/splitting_view_ledger.hpp"

#include <memory>
#include <vector>

namespace hinesight::app {

/// The last solve time of every split strategy, for one batch under otherwise equal parameters: another batch, pack,
/// block size or solver starts anew.
class StrategyTimes
{
public:
  /// What did not execute a plan of branches has no say.
  void add(const hines::Solution& solution);
  const std::vector<widgets::StrategyTime>& times() const { return measured; }

private:
  std::weak_ptr<const hines::HinesBatch> batch;
  hines::SolveParameters solved; ///< without the split
  std::vector<widgets::StrategyTime> measured;
};

} // namespace hinesight::app
