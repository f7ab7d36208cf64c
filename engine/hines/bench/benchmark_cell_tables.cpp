#include "hines/bench/benchmark_table_groups.hpp"
#include "hines/choice/cost_model.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "hines/solvers/resident/resident.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hinesight::hines::tables {

namespace {

/// Figure 4 of Zhang et al. 2023 (DHS), and small and large batches around it.
Cases copiesTable(const BenchmarkScope& scope)
{
  const Source source = copied(scope);
  Cases cases;
  for (const std::int64_t cells : cellsOf(scope, {1, 10, 100, 250, 1'000, 3'000, 10'000}, {1, 10, 100}))
    append(cases, casesOfBatch("copies", source, cells, scope));
  return cases;
}

Cases mixedTable(const BenchmarkScope& scope)
{
  const Source cells = mixed(scope);
  const Source copies = meanSizedOf(cells);
  Cases cases;
  for (const Source& source : {cells, copies})
    for (const std::int64_t count : cellsOf(scope, {1, 10, 100, 1'000, 10'000, 100'000, 256'000}, {1, 10, 50}))
      append(cases, casesOfBatch("mixed", source, count, scope));
  return cases;
}

/// Where one thread a cell, one thread a branch and our own solver meet: from one cell to far more than a device holds
/// at a time, copies and small cells that all differ. Beside them what `auto` chooses.
Cases sweepTable(const BenchmarkScope& scope)
{
  BenchmarkScope contest = scope;
  if (scope.solvers.empty()) {
    contest.solvers = costedSolvers(scope.backend, scope.solve.precision);
    std::erase_if(contest.solvers, [](SolverId solver) { return traitsOf(solver).chainsOnly; });
    std::erase(contest.solvers, kEdd); // for single large cells: table "long"
    contest.solvers.push_back(kAuto);
  }
  const CellCounts counts =
      cellsOf(scope, {1, 3, 10, 30, 100, 300, 1'000, 3'000, 10'000, 30'000, 100'000, 256'000}, {1, 3, 10, 30, 100});
  Cases cases;
  for (const Source& source : {copied(scope), ringNetwork({}, std::ranges::max(counts))})
    for (const std::int64_t count : counts)
      append(cases, casesOfBatch("sweep", source, count, contest));
  return cases;
}

Cases singleTable(const BenchmarkScope& scope)
{
  const Source source = copied(scope);
  Cases cases;
  for (const std::int64_t cells : cellsOf(scope, {100, 1'000, 10'000}, {10, 100}))
    for (BenchmarkCase& one : casesOfBatch("single", source, cells, scope))
      if (traitsOf(one.solve.solver).inSingle) {
        cases.push_back(one);
        one.comparedTo = one.label;
        one.solve.precision = Precision::Single;
        one.label += ", single";
        cases.push_back(std::move(one));
      }
  return cases;
}

/// A solve in the order of the batch beside one in the layout of the plan.
Cases oneShotTable(const BenchmarkScope& scope)
{
  BenchmarkScope resident = scope;
  resident.solvers = {kResident};
  const std::vector<Source> sources =
      scope.given ? std::vector{scope.given} : std::vector{ca1SizedCell(), mixedSyntheticCells()};
  Cases cases;
  for (const Source& source : sources)
    for (const std::int64_t cells : cellsOf(scope, {1, 100, 1'000, 3'000, 10'000, 30'000}, {1, 10}))
      for (BenchmarkCase& one : casesOfBatch("one-shot", source, cells, resident)) {
        cases.push_back(one);
        one.comparedTo = one.label;
        one.solve.of<ResidentSettings>().order = ResidentOrder::Batch;
        one.label += ", one shot";
        cases.push_back(std::move(one));
      }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"copies", "copies of a CA1-sized cell (Zhang 2023, figure 4), or of the first file"}, copiesTable},
    TableMaker{{"mixed", "cells of many sizes, the files', beside copies of one cell of their mean size"}, mixedTable},
    TableMaker{{"sweep", "our solver beside coarse and fine from 1 to 256,000 cells, and what auto chooses"},
               sweepTable},
    TableMaker{{"single", "single beside double precision, copies of one cell"}, singleTable},
    TableMaker{{"one-shot", "our solver in the order of the batch beside its own layout: the files' cells in turn"},
               oneShotTable},
};

} // namespace

std::span<const TableMaker> cellTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
