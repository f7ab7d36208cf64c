#include "hines/benchmark_table_groups.hpp"

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

Cases singleTable(const BenchmarkScope& scope)
{
  const Source source = copied(scope);
  Cases cases;
  for (const std::int64_t cells : cellsOf(scope, {100, 1'000, 10'000}, {10, 100}))
    for (BenchmarkCase& one : casesOfBatch("single", source, cells, scope))
      if (traitsOf(one.solve.solver).inSingle) {
        cases.push_back(one);
        one.solve.precision = Precision::Single;
        one.label += ", single";
        cases.push_back(std::move(one));
      }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"copies", "copies of a CA1-sized cell (Zhang 2023, figure 4), or of the first file"}, copiesTable},
    TableMaker{{"mixed", "cells of many sizes, the files', beside copies of one cell of their mean size"}, mixedTable},
    TableMaker{{"single", "single beside double precision, copies of one cell"}, singleTable},
};

} // namespace

std::span<const TableMaker> cellTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
