#include "hines/bench/benchmark_table_groups.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "hines/solvers/resident/resident.hpp"
#include "hines/solvers/serial/serial.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_parameters.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

// Large neurons, and the measurements of vooturi 2019, section IV. The serial sweep on the CPU, which the paper's
// speedups refer to, is always there.

namespace hinesight::hines::tables {

namespace {

using Numbers = std::vector<std::int32_t>;

constexpr std::initializer_list<EddMethod> kFineAndTrsv = {EddMethod::Fine, EddMethod::MinTrsv};

Numbers numbersOf(const BenchmarkScope& scope, Numbers usual)
{
  constexpr std::size_t kQuick = 2;
  if (scope.quick && usual.size() > kQuick)
    usual.resize(kQuick);
  return usual;
}

std::string labelOf(EddMethod method)
{
  return "edd " + std::string(eddMethodName(method));
}

std::string with(const std::string& label, std::string_view parameter, std::int32_t value)
{
  return label + ", " + std::string(parameter) + " " + std::to_string(value);
}

/// A method as it is published: MIN-TRSV without refinement, good to some 1e-11 where cells are cut finely.
EddParameters methodOf(const BenchmarkScope& scope, EddMethod method)
{
  EddParameters edd = scope.solve.of<EddParameters>();
  edd.method = method;
  edd.refinements = 0;
  return edd;
}

/// One cell of a source; none where the scope names other solvers only.
Cases caseOf(std::string_view table, const Source& source, SolverId solver, const BenchmarkScope& scope)
{
  if (!scope.solvers.empty() && std::ranges::count(scope.solvers, solver) == 0)
    return {};
  BenchmarkScope one = scope;
  one.solvers = {solver};
  return casesOfBatch(table, source, 1, one);
}

Cases caseOfSerial(std::string_view table, const Source& source, BenchmarkScope scope)
{
  scope.solvers.clear();
  return caseOf(table, source, kSerial, scope);
}

Cases caseOfEdd(std::string_view table, const Source& source, const std::string& label, const EddParameters& edd,
                const BenchmarkScope& scope)
{
  BenchmarkScope one = scope;
  one.solve.of<EddParameters>() = edd;
  Cases cases = caseOf(table, source, kEdd, one);
  for (BenchmarkCase& made : cases)
    made.label = label;
  return cases;
}

/// MIN-TRSV as published, and refined as far as it is where nothing else is asked for.
Cases casesOfTrsv(std::string_view table, const Source& source, const BenchmarkScope& scope)
{
  EddParameters edd = methodOf(scope, EddMethod::MinTrsv);
  const std::string label = labelOf(edd.method);
  Cases cases = caseOfEdd(table, source, label, edd, scope);
  edd.refinements = EddParameters{}.refinements;
  append(cases, caseOfEdd(table, source, label + ", refined", edd, scope));
  return cases;
}

std::vector<Source> cellsAt(const BenchmarkScope& scope, std::int32_t resolution)
{
  return scope.givenAt ? scope.givenAt(resolution) : syntheticCells(resolution);
}

/// Numbers of the cells by rising size.
std::vector<std::size_t> bySize(const std::vector<Source>& cells)
{
  std::vector<std::pair<std::size_t, std::size_t>> sizes;
  for (const Source& cell : cells)
    sizes.emplace_back(cell->make({}).front()->size(), sizes.size());
  std::ranges::sort(sizes);
  std::vector<std::size_t> order;
  for (const auto& [size, number] : sizes)
    order.push_back(number);
  return order;
}

/// The smallest, the middle one and the largest: the paper's three classes.
std::vector<std::size_t> threeOf(const std::vector<Source>& cells)
{
  const std::vector<std::size_t> order = bySize(cells);
  std::vector<std::size_t> three = {order.front(), order[order.size() / 2], order.back()};
  three.erase(std::unique(three.begin(), three.end()), three.end());
  return three;
}

std::vector<Source> threeCells(const BenchmarkScope& scope)
{
  const std::vector<Source> cells = cellsAt(scope, 1);
  std::vector<Source> three;
  for (const std::size_t number : threeOf(cells))
    three.push_back(cells[number]);
  return three;
}

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
      std::erase(withSerial.solvers, kTridiagonal);
    if (std::ranges::count(withSerial.solvers, kSerial) == 0)
      withSerial.solvers.insert(withSerial.solvers.begin(), kSerial);
    append(cases, casesOfBatch("long", source, 1, withSerial));
    append(cases, casesOfTrsv("long", source, scope));
  }
  return cases;
}

/// Figure 6: each cell alone, R-FINE-TPT beside MIN-TRSV and the resident solver.
Cases eddCellsTable(const BenchmarkScope& scope)
{
  const std::vector<Source> cells = cellsAt(scope, 1);
  std::vector<std::size_t> order = bySize(cells);
  if (scope.quick)
    order.resize(1);
  Cases cases;
  for (const std::size_t number : order) {
    const Source& cell = cells[number];
    append(cases, caseOfSerial("edd-cells", cell, scope));
    for (const EddMethod method : {EddMethod::Fine, EddMethod::MinTpt})
      append(cases, caseOfEdd("edd-cells", cell, labelOf(method), methodOf(scope, method), scope));
    append(cases, casesOfTrsv("edd-cells", cell, scope));
    append(cases, caseOf("edd-cells", cell, kResident, scope));
  }
  return cases;
}

/// Figure 7: a linear neuron over K.
Cases eddChainLengthTable(const BenchmarkScope& scope)
{
  const Source source = chainOf(scope.quick ? 10'000 : 100'000);
  Cases cases = caseOfSerial("edd-k", source, scope);
  for (const std::int32_t k : numbersOf(scope, {2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64})) {
    EddParameters edd = methodOf(scope, EddMethod::Fine);
    edd.chainLength = k;
    append(cases, caseOfEdd("edd-k", source, with(labelOf(edd.method), "K", k), edd, scope));
  }
  return cases;
}

/// Figure 8: over the depth of recursion.
Cases eddDepthTable(const BenchmarkScope& scope)
{
  Cases cases;
  for (const Source& source : threeCells(scope)) {
    append(cases, caseOfSerial("edd-depth", source, scope));
    for (const std::int32_t depth : numbersOf(scope, {0, 1, 2, 3, 4, 5, 6, 8})) {
      EddParameters edd = methodOf(scope, EddMethod::Fine);
      edd.depth = depth;
      append(cases, caseOfEdd("edd-depth", source, with(labelOf(edd.method), "D", depth), edd, scope));
    }
  }
  return cases;
}

/// Figure 9: over the resolution P.
Cases eddResolutionTable(const BenchmarkScope& scope)
{
  const std::vector<std::size_t> numbers = threeOf(cellsAt(scope, 1));
  Cases cases;
  for (const std::int32_t resolution : numbersOf(scope, {1, 2, 4, 8, 16})) {
    const std::vector<Source> cells = cellsAt(scope, resolution);
    for (const std::size_t number : numbers) {
      append(cases, caseOfSerial("edd-resolution", cells[number], scope));
      for (const EddMethod method : kFineAndTrsv)
        append(cases, caseOfEdd("edd-resolution", cells[number], with(labelOf(method), "P", resolution),
                                methodOf(scope, method), scope));
    }
  }
  return cases;
}

/// Figure 10: over the number of right-hand sides R.
Cases eddRightHandSidesTable(const BenchmarkScope& scope)
{
  Cases cases;
  for (const Source& source : threeCells(scope)) {
    append(cases, caseOfSerial("edd-rhs", source, scope));
    for (const std::int32_t columns : numbersOf(scope, {1, 2, 4, 8, 16, 32, 64}))
      for (const EddMethod method : kFineAndTrsv) {
        EddParameters edd = methodOf(scope, method);
        edd.rightHandSides = columns;
        append(cases, caseOfEdd("edd-rhs", source, with(labelOf(method), "R", columns), edd, scope));
      }
  }
  return cases;
}

/// Figure 11: short linear neurons, swept and decomposed once, over their length and R.
Cases eddThresholdTable(const BenchmarkScope& scope)
{
  Cases cases;
  for (const std::int32_t rows : numbersOf(scope, {8, 16, 24, 32, 48, 64, 96, 128})) {
    const Source source = chainOf(rows);
    for (const std::int32_t columns : numbersOf(scope, {1, 8, 64}))
      for (const std::int32_t depth : {0, 1}) {
        EddParameters edd = methodOf(scope, EddMethod::Fine);
        edd.rightHandSides = columns;
        edd.depth = depth;
        const std::string label = depth == 0 ? "swept" : "decomposed once";
        append(cases, caseOfEdd("edd-threshold", source, with(label, "R", columns), edd, scope));
      }
  }
  return cases;
}

/// Figure 12: linear neurons of many lengths over K.
Cases eddBestChainLengthTable(const BenchmarkScope& scope)
{
  Cases cases;
  for (const std::int32_t rows : numbersOf(scope, {1'000, 4'000, 16'000, 64'000, 256'000})) {
    const Source source = chainOf(rows);
    for (const std::int32_t k : numbersOf(scope, {2, 3, 4, 6, 8, 12, 16, 24, 32})) {
      EddParameters edd = methodOf(scope, EddMethod::Fine);
      edd.chainLength = k;
      append(cases, caseOfEdd("edd-best-k", source, with(labelOf(edd.method), "K", k), edd, scope));
    }
  }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"long", "one neuron of 120,000 compartments and one chain, beside the serial sweep", true}, longTable},
    TableMaker{{"edd-cells", "each cell alone by every method of domain decomposition (Vooturi 2019, figure 6)"},
               eddCellsTable},
    TableMaker{{"edd-k", "a linear neuron of 100,000 compartments over K (Vooturi 2019, figure 7)", true},
               eddChainLengthTable},
    TableMaker{{"edd-depth", "three cells over the depth of recursion D (Vooturi 2019, figure 8)"}, eddDepthTable},
    TableMaker{{"edd-resolution", "three cells over the resolution P (Vooturi 2019, figure 9)"}, eddResolutionTable},
    TableMaker{{"edd-rhs", "three cells over the number of right-hand sides R (Vooturi 2019, figure 10)"},
               eddRightHandSidesTable},
    TableMaker{{"edd-threshold", "short linear neurons, swept and decomposed once (Vooturi 2019, figure 11)", true},
               eddThresholdTable},
    TableMaker{{"edd-best-k", "linear neurons of many lengths over K (Vooturi 2019, figure 12)", true},
               eddBestChainLengthTable},
};

} // namespace

std::span<const TableMaker> eddTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
