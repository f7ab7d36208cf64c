#pragma once

#include "hines/trees.hpp"

#include "hines/branch/plan.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::hines {

inline std::shared_ptr<const SolvePlan> plan(const std::vector<trees::System>& systems, std::int64_t copies,
                                             const PlanParameters& parameters)
{
  return makePlan(makeBatch(systems, copies), parameters);
}

inline PlanParameters parametersOf(BalanceMeasure balance, SplitStrategy split)
{
  PlanParameters parameters;
  parameters.balance = balance;
  parameters.split = split;
  return parameters;
}

} // namespace hinesight::hines
