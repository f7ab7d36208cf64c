#include "hines/benchmark_table_groups.hpp"

#include <algorithm>
#include <array>

namespace hinesight::hines::tables {

namespace {

/// One neuron of some 120,000 compartments, beside the serial sweep.
Cases longTable(const BenchmarkScope& scope)
{
  constexpr std::int32_t kCompartments = 120'000;
  const std::int32_t compartments = scope.quick ? kCompartments / 10 : kCompartments;
  const Source neuron = finelyCutCell(compartments);
  Cases cases;
  for (const Source& source : {neuron, chainOf(compartments)}) {
    BenchmarkScope withSerial = scope;
    withSerial.solvers = chosenSolvers(scope, source != neuron);
    if (scope.solvers.empty()) // its chains are short ones
      std::erase(withSerial.solvers, SolverKind::Tridiagonal);
    if (std::ranges::count(withSerial.solvers, SolverKind::Serial) == 0)
      withSerial.solvers.insert(withSerial.solvers.begin(), SolverKind::Serial);
    append(cases, casesOfBatch("long", source, 1, withSerial));
  }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"long", "one neuron of 120,000 compartments and one chain, beside the serial sweep"}, longTable},
};

} // namespace

std::span<const TableMaker> eddTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
