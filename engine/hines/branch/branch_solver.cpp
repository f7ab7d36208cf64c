#include "hines/branch/branch_solver.hpp"

#include <utility>

namespace hinesight::hines {

/// Its trees are drawn whatever solves.
std::vector<SettingsGroup> BranchSolver::settings() const
{
  return {settingsGroup<PlanParameters>({"plan", "Plan", "", "How cells share blocks of threads."}, true)};
}

std::string BranchSolver::describe(const SolveParameters& parameters, std::size_t /*cells*/) const
{
  const auto& plan = parameters.of<PlanParameters>();
  return "balance " + std::string(balanceName(plan.balance)) + ", split " + describeSplit(plan) + ", pack " +
         std::string(packName(plan.pack)) + ", blocks of " + std::to_string(plan.blockSize) +
         (plan.sortByLength ? "" : ", unsorted");
}

std::shared_ptr<const Schedule> BranchSolver::plan(std::shared_ptr<const HinesBatch> batch,
                                                   const SolveParameters& parameters, StageTimings& /*timings*/,
                                                   const RunControl& control) const
{
  return makePlan(std::move(batch), parameters.of<PlanParameters>(), control);
}

bool BranchSolver::wouldPlan(const Schedule& schedule, const SolveParameters& parameters) const
{
  const auto* plan = dynamic_cast<const SolvePlan*>(&schedule);
  return plan && plan->parameters == parameters.of<PlanParameters>();
}

std::vector<SolveParameters> BranchSolver::verifyVariants(const SolveParameters& parameters,
                                                          const HinesBatch& /*batch*/) const
{
  std::vector<SolveParameters> variants;
  for (const auto balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments})
    for (const auto split :
         {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::FixedLength, SplitStrategy::BlockAverage})
      for (const auto pack : {PackStrategy::Greedy, PackStrategy::FirstFit, PackStrategy::LevelShift}) {
        auto& plan = variants.emplace_back(parameters).of<PlanParameters>();
        plan.balance = balance;
        plan.split = split;
        plan.pack = pack;
      }
  auto& narrow = variants.emplace_back(parameters).of<PlanParameters>();
  narrow.blockSize = 32;
  narrow.sortByLength = false;
  return variants;
}

std::vector<CutWay> BranchSolver::cutWays(const SolveParameters& parameters) const
{
  return cutWaysOf(parameters.of<PlanParameters>().split);
}

void BranchSolver::chooseCut(SolveParameters& parameters, std::string_view name) const
{
  chooseWay(parameters.of<PlanParameters>().split, name);
}

std::vector<CutLength> BranchSolver::cutLengths(const Schedule& schedule, const SolveParameters& parameters) const
{
  const auto& settings = parameters.of<PlanParameters>();
  const auto* plan = dynamic_cast<const SolvePlan*>(&schedule);
  if (!plan || settings.split != SplitStrategy::LevelAverage)
    return {{static_cast<double>(settings.splitLength), settings.split == SplitStrategy::FixedLength, false, -1}};
  std::vector<CutLength> lengths;
  for (std::size_t level = 0; level < plan->levelThreshold.size(); ++level)
    lengths.push_back({plan->levelThreshold[level], true, true, static_cast<std::int32_t>(level)});
  return lengths;
}

void BranchSolver::setCutLength(SolveParameters& parameters, std::int32_t compartments) const
{
  auto& plan = parameters.of<PlanParameters>();
  plan.split = SplitStrategy::FixedLength;
  plan.splitLength = compartments;
}

} // namespace hinesight::hines
