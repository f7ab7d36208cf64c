#pragma once

#include "hines/bench/benchmark.hpp"
#include "hines/cells/benchmark_sources.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::hines {

/// A set of cases with a name, and what it shows.
struct BenchmarkTable
{
  std::string_view name;    ///< such as "copies"
  std::string_view help;    ///< one line
  bool hasOwnCells = false; ///< whatever BenchmarkScope::given and givenAt say
};

/// "copies", "mixed", "sweep", "single", "one-shot", "tridiagonal", "coarse", "ring", "long", "edd-cells", "edd-k",
/// "edd-depth", "edd-resolution", "edd-rhs", "edd-threshold", "edd-best-k", "cpu".
std::span<const BenchmarkTable> benchmarkTables();

/// What all tables are made for.
struct BenchmarkScope
{
  Backend backend = Backend::Cpu;  ///< solvers that are named but run on the CPU only are measured there
  std::vector<SolverId> solvers;   ///< empty: all of the backend, the peers in tables of chains only
  std::vector<std::int64_t> cells; ///< empty: those of each table
  bool quick = false;              ///< few and small batches
  SolveParameters solve;           ///< the rest: threads, precision where a solver has it, parameters of solvers
  /// Cells of "copies" (the first of each), "mixed" and "cpu"; null: synthetic ones.
  std::shared_ptr<const BenchmarkSource> given;
  /// The same cells, a source each, every compartment cut in `resolution`: those of the tables of single cells; null:
  /// syntheticCells.
  std::function<std::vector<std::shared_ptr<const BenchmarkSource>>(std::int32_t resolution)> givenAt;
};

/// What can be said in numbers of it.
template <typename Visitor>
void visitFields(BenchmarkScope& p, Visitor&& visit)
{
  visit(Field{.name = "cells",
              .label = "Numbers of cells",
              .range = from(1, 100'000'000),
              .help = "Cells of the batches, each number a batch of its own."},
        p.cells);
}

/// The cases of a table, ordered by batch. Throws Error(BadParameter) for a name that is no table's.
std::vector<BenchmarkCase> makeBenchmarkTable(std::string_view name, const BenchmarkScope& scope);

/// The solvers that a table of that scope measures where the batch has trees, or chains only. Empty: none.
std::vector<SolverId> chosenSolvers(const BenchmarkScope& scope, bool chains);

/// The cases of a batch: those of each solver that it has (SolverDefinition::benchmarkVariants).
std::vector<BenchmarkCase> casesOfBatch(std::string_view table, const std::shared_ptr<const BenchmarkSource>& source,
                                        std::int64_t cells, const BenchmarkScope& scope, bool chains = false);

} // namespace hinesight::hines
