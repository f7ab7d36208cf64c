#pragma once

#include "core/run_control.hpp"
#include "hines/bench/benchmark.hpp"
#include "hines/bench/benchmark_tables.hpp"
#include "model/project.hpp"
#include "study/cells/cell_study.hpp"

#include <string>
#include <vector>

// What the benchmark of solvers measures: tables of papers, and the cells of a session.

namespace hinesight::study {

/// "copies", ...: the names of all tables.
std::vector<std::string> benchmarkTableNames();

/// The solver of that name. Throws Error(BadParameter) that lists the names.
hines::SolverId benchmarkSolver(const std::string& name);

/// Makes cells of files those of a scope, a compartment a sample. They are read at once, so that one that cannot be
/// read is known before anything is measured. No files: the scope stays as it is. Throws as morphology::readSwc.
void takeCells(hines::BenchmarkScope& scope, const std::vector<CellSource>& files, const RunControl& control = {});

/// The cases of tables by their names; none, or "all": all tables. Throws Error(BadParameter) where there is no case.
std::vector<hines::BenchmarkCase> casesOfTables(const std::vector<std::string>& tables,
                                                const hines::BenchmarkScope& scope);

/// The chosen solvers on batches of one source, in the chosen precisions; single precision is named in the labels. The
/// numbers of cells are those of the scope. `table`: BenchmarkCase::table.
std::vector<hines::BenchmarkCase> casesOfSource(std::string_view table,
                                                const std::shared_ptr<const hines::BenchmarkSource>& source,
                                                const hines::BenchmarkScope& scope,
                                                model::BenchmarkPrecision precision);

/// The cells of a project as the window benchmarks them: in turn, discretized as `solve` says. Throws
/// Error(BadParameter) where there are none, and as morphology::readSwc.
std::shared_ptr<const hines::BenchmarkSource> sourceOf(const model::Project& project, const RunControl& control = {});

/// All that the benchmark of a project measures. Throws as the above, Error(BadParameter) where the project has none.
std::vector<hines::BenchmarkCase> benchmarkCases(const model::Project& project, const RunControl& control = {});

} // namespace hinesight::study
