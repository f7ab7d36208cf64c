#include "hines/bench/benchmark_table_groups.hpp"
#include "hines/solvers/coarse/coarse_parameters.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

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

/// Every layout with and without computed padding, of which Flat has none.
std::vector<CoarseParameters> coarseVariants(std::int32_t sharedBlock)
{
  std::vector<CoarseParameters> variants;
  for (const CoarseLayout layout : allCoarseLayouts())
    for (const auto padding : {CoarsePadding::NotComputed, CoarsePadding::Computed})
      if (layout != CoarseLayout::Flat || padding == CoarsePadding::NotComputed) {
        CoarseParameters& variant = variants.emplace_back();
        variant.layout = layout;
        variant.padding = padding;
        if (layout == CoarseLayout::BlockShared)
          variant.blockSize = sharedBlock;
      }
  return variants;
}

/// Figures 4.8 and 4.9 of Martínez Pérez 2018: the layouts, and what computing the padding costs.
Cases coarseTable(const BenchmarkScope& scope)
{
  // As many cells as have room for their right-hand sides in the shared memory of a block.
  constexpr std::int32_t kCopiesInShared = 8;
  constexpr std::int32_t kMixedInShared = 1;
  Cases cases;
  BenchmarkScope coarseOnly = scope;
  coarseOnly.solvers = {kCoarse};
  for (const bool isMixed : {false, true}) {
    const Source source = isMixed ? mixed(scope) : copied(scope);
    for (const std::int64_t cells : cellsOf(scope, {256, 2'560, 25'600}, {64}))
      for (BenchmarkCase& one : casesOfBatch("coarse", source, cells, coarseOnly))
        for (const Precision precision : {Precision::Double, Precision::Single})
          for (const CoarseParameters& variant : coarseVariants(isMixed ? kMixedInShared : kCopiesInShared)) {
            one.label = std::string(layoutName(variant.layout)) +
                        (variant.padding == CoarsePadding::Computed ? ", CP" : ", NCP");
            one.solve.precision = precision;
            auto& coarse = one.solve.of<CoarseParameters>();
            coarse.layout = variant.layout;
            coarse.padding = variant.padding;
            coarse.blockSize = variant.blockSize;
            cases.push_back(one);
          }
  }
  return cases;
}

constexpr std::array kTables = {
    TableMaker{{"tridiagonal",
                "chains of 64 to 512 elements in double and single precision (Martínez 2020, 4.1 to 4.4)", true},
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
