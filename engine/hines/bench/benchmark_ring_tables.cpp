#include "hines/bench/benchmark_table_groups.hpp"
#include "hines/branch/plan_parameters.hpp"
#include "hines/solvers/coarse/coarse_parameters.hpp"
#include "hines/solvers/fine/fine.hpp"
#include "hines/solvers/resident/resident.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::hines::tables {

namespace {

/// The settings of a sweep: the middle one, then one parameter at a time lower and higher.
std::vector<cable::RandomTreeParameters> ringSettings(bool quick)
{
  const cable::RandomTreeParameters middle;
  std::vector<cable::RandomTreeParameters> settings = {middle};
  if (quick)
    return settings;
  const auto vary = [&](auto member, auto... values) {
    for (const auto value : {values...}) {
      settings.push_back(middle);
      settings.back().*member = value;
    }
  };
  vary(&cable::RandomTreeParameters::branchingProbability, 0.25, 0.75);
  vary(&cable::RandomTreeParameters::branchLength, 50.0, 200.0);
  vary(&cable::RandomTreeParameters::compartmentsPerBranch, 4, 64);
  return settings;
}

/// How the fine solver's plan is optimised, from the paper's "fine" and "fine with opt" (as in figure 7.1: branches are
/// split, the root stays) to its outlook.
struct FineVariant
{
  std::string_view name;
  BalanceMeasure balance;
  SplitStrategy split;
  PackStrategy pack;
};

constexpr std::array kFineVariants = {
    FineVariant{"as read", BalanceMeasure::None, SplitStrategy::None, PackStrategy::Greedy},
    FineVariant{"split", BalanceMeasure::None, SplitStrategy::LevelAverage, PackStrategy::Greedy},
    FineVariant{"balanced, split", BalanceMeasure::Branches, SplitStrategy::LevelAverage, PackStrategy::Greedy},
    FineVariant{"block average", BalanceMeasure::Branches, SplitStrategy::BlockAverage, PackStrategy::Greedy},
    FineVariant{"level-shift", BalanceMeasure::Branches, SplitStrategy::LevelAverage, PackStrategy::LevelShift},
};

/// The paper's two solvers, and ours, unless others were asked for.
BenchmarkScope withRingSolvers(BenchmarkScope scope)
{
  if (scope.solvers.empty())
    scope.solvers = {kCoarse, kFine, kResident};
  return scope;
}

Cases ringCasesOfBatch(const Source& source, std::int64_t cells, const BenchmarkScope& scope)
{
  Cases cases;
  for (const BenchmarkCase& one : casesOfBatch("ring", source, cells, scope)) {
    if (one.solve.solver != kFine) {
      cases.push_back(one);
      continue;
    }
    if (one.label != solverName(kFine)) // as read: it is among the variants
      continue;
    for (const FineVariant& variant : kFineVariants) {
      cases.push_back(one);
      cases.back().label += ", " + std::string(variant.name);
      auto& plan = cases.back().solve.of<PlanParameters>();
      plan.balance = variant.balance;
      plan.split = variant.split;
      plan.pack = variant.pack;
    }
  }
  return cases;
}

/// Figures 7.1 and 7.2 of Huber 2018: branching probability, branch length and compartments varied around a middle
/// setting.
Cases ringTable(const BenchmarkScope& wanted)
{
  const BenchmarkScope scope = withRingSolvers(wanted);
  const CellCounts counts = cellsOf(scope, {16, 64, 256, 1'024, 4'096, 16'384}, {16, 64});
  Cases cases;
  for (const cable::RandomTreeParameters& tree : ringSettings(scope.quick)) {
    const Source source = ringNetwork(tree, std::ranges::max(counts));
    for (const std::int64_t cells : counts)
      append(cases, ringCasesOfBatch(source, cells, scope));
  }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{
        {"ring",
         "random trees of a ring network, branching, length and compartments swept: coarse beside fine, optimised in "
         "four ways (Huber 2018, 7 and 8)",
         true},
        ringTable},
};

} // namespace

std::span<const TableMaker> ringTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
