#include "hines/benchmark_table_groups.hpp"

#include <algorithm>
#include <array>
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

/// Figures 7.1 and 7.2 of Huber 2018: branching probability, branch length and compartments varied around a middle
/// setting.
Cases ringTable(const BenchmarkScope& scope)
{
  const CellCounts counts = cellsOf(scope, {16, 64, 256, 1'024, 4'096, 16'384}, {16, 64});
  Cases cases;
  for (const cable::RandomTreeParameters& tree : ringSettings(scope.quick)) {
    const Source source = ringNetwork(tree, std::ranges::max(counts));
    for (const std::int64_t cells : counts)
      append(cases, casesOfBatch("ring", source, cells, scope));
  }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"ring", "random trees of a ring network, branching, length and compartments swept (Huber 2018, 7)"},
               ringTable},
};

} // namespace

std::span<const TableMaker> ringTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
