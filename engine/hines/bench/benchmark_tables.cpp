#include "hines/bench/benchmark_tables.hpp"

#include "core/error.hpp"
#include "hines/bench/benchmark_table_groups.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

using tables::TableMaker;

const std::vector<TableMaker>& allTables()
{
  static const std::vector<TableMaker> all = [] {
    std::vector<TableMaker> made;
    for (const auto& group :
         {tables::cellTables(), tables::coarseTables(), tables::ringTables(), tables::eddTables(), tables::cpuTables()})
      made.insert(made.end(), group.begin(), group.end());
    return made;
  }();
  return all;
}

} // namespace

std::span<const BenchmarkTable> benchmarkTables()
{
  static const std::vector<BenchmarkTable> list = [] {
    std::vector<BenchmarkTable> made;
    std::ranges::transform(allTables(), std::back_inserter(made), &TableMaker::table);
    return made;
  }();
  return list;
}

std::vector<BenchmarkCase> makeBenchmarkTable(std::string_view name, const BenchmarkScope& scope)
{
  const auto found = std::ranges::find(allTables(), name, [](const TableMaker& maker) { return maker.table.name; });
  if (found == allTables().end())
    throw Error(ErrorCode::BadParameter, "There is no benchmark table '" + std::string(name) + "'.");
  return found->make(scope);
}

std::vector<SolverId> chosenSolvers(const BenchmarkScope& scope, bool chains)
{
  if (!scope.solvers.empty())
    return scope.solvers;
  std::vector<SolverId> solvers = benchmarkSolvers(scope.backend);
  if (!chains)
    std::erase_if(solvers, [](SolverId solver) { return traitsOf(solver).chainsOnly; });
  return solvers;
}

std::vector<BenchmarkCase> casesOfBatch(std::string_view table, const std::shared_ptr<const BenchmarkSource>& source,
                                        std::int64_t cells, const BenchmarkScope& scope, bool chains)
{
  std::vector<BenchmarkCase> cases;
  for (const SolverId solver : chosenSolvers(scope, chains)) {
    BenchmarkCase one;
    one.table = table;
    one.source = source;
    one.cells = cells;
    SolveParameters parameters = scope.solve;
    parameters.solver = solver;
    parameters.backend = traitsOf(solver).onCuda ? scope.backend : Backend::Cpu;
    if (!traitsOf(solver).inSingle)
      parameters.precision = Precision::Double;
    for (BenchmarkVariant& variant : definitionOf(solver).benchmarkVariants(parameters)) {
      one.label = std::string(solverName(solver)) + variant.suffix;
      one.solve = std::move(variant.parameters);
      cases.push_back(one);
    }
  }
  return cases;
}

tables::CellCounts tables::cellsOf(const BenchmarkScope& scope, CellCounts usual, CellCounts quick)
{
  return !scope.cells.empty() ? scope.cells : scope.quick ? std::move(quick) : std::move(usual);
}

void tables::append(Cases& cases, Cases more)
{
  std::move(more.begin(), more.end(), std::back_inserter(cases));
}

tables::Source tables::copied(const BenchmarkScope& scope)
{
  return scope.given ? firstOf(scope.given) : ca1SizedCell();
}

tables::Source tables::mixed(const BenchmarkScope& scope)
{
  return scope.given ? scope.given : mixedSyntheticCells();
}

} // namespace hinesight::hines
