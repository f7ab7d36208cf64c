#include "hines/benchmark_table_groups.hpp"

#include <array>
#include <string>
#include <utility>

namespace hinesight::hines::tables {

namespace {

/// Figures 4.1 to 4.4 of Martínez Pérez 2020.
Cases tridiagonalTable(const BenchmarkScope& scope)
{
  Cases cases;
  for (const std::int32_t elements : {64, 128, 256, 512}) {
    const Source source = chainOf(elements);
    for (const std::int64_t cells : cellsOf(scope, {256, 2'560, 25'600, 256'000}, {256}))
      for (const Precision precision : {Precision::Double, Precision::Single})
        for (BenchmarkCase& one : casesOfBatch("tridiagonal", source, cells, scope, true))
          if (precision == Precision::Double || traitsOf(one.solve.solver).inSingle) {
            one.solve.precision = precision;
            cases.push_back(std::move(one));
          }
  }
  return cases;
}

/// Figures 4.8 and 4.9 of Martínez Pérez 2018: the layouts, and what computing the padding costs.
Cases coarseTable(const BenchmarkScope& scope)
{
  Cases cases;
  BenchmarkScope coarseOnly = scope;
  coarseOnly.solvers = {SolverKind::Coarse};
  for (const Source& source : {copied(scope), mixed(scope)})
    for (const std::int64_t cells : cellsOf(scope, {256, 2'560, 25'600}, {64}))
      for (BenchmarkCase& one : casesOfBatch("coarse", source, cells, coarseOnly))
        for (const CoarseLayout layout : allCoarseLayouts())
          for (const auto padding : {CoarsePadding::NotComputed, CoarsePadding::Computed}) {
            if (layout == CoarseLayout::Flat && padding == CoarsePadding::Computed)
              continue; // there is none
            one.label = std::string(layoutName(layout)) + (padding == CoarsePadding::Computed ? ", CP" : ", NCP");
            one.solve.coarse.layout = layout;
            one.solve.coarse.padding = padding;
            // As many right-hand sides as the shared memory holds of cells of a few thousand compartments.
            one.solve.coarse.blockSize = layout == CoarseLayout::BlockShared ? 8 : 32;
            cases.push_back(one);
          }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{
        {"tridiagonal", "chains of 64 to 512 elements in double and single precision (Martínez 2020, 4.1 to 4.4)"},
        tridiagonalTable},
    TableMaker{{"coarse", "layouts and padding of the coarse solver, copies and mixed cells (Martínez 2018, 4.8, 4.9)"},
               coarseTable},
};

} // namespace

std::span<const TableMaker> coarseTables()
{
  return kTables;
}

} // namespace hinesight::hines::tables
