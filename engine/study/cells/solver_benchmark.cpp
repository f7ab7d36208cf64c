#include "study/cells/solver_benchmark.hpp"

#include "cable/discretization.hpp"
#include "core/error.hpp"
#include "hines/cells/benchmark_sources.hpp"
#include "hines/solvers/definition.hpp"
#include "morphology/branches.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace hinesight::study {

namespace {

using hines::BenchmarkCase;
using hines::BenchmarkScope;
using hines::BenchmarkSource;

/// A compartment a sample, times `resolution`.
cable::DiscretizationParameters parametersAt(std::int32_t resolution)
{
  cable::DiscretizationParameters parameters;
  parameters.resolution = resolution;
  return parameters;
}

std::vector<Setting> settingsOfCells(const std::vector<CellSource>& files,
                                     const cable::DiscretizationParameters& parameters)
{
  std::vector<double> scales;
  for (const CellSource& file : files)
    scales.push_back(file.scale);
  std::vector<Setting> settings = settingsOf(fieldsOf(fileParametersOf(scales)));
  addMissing(settings, settingsOf(fieldsOf(parameters)));
  return settings;
}

std::shared_ptr<const hines::HinesSystem>
readSystem(const CellSource& file, const cable::DiscretizationParameters& parameters, const RunControl& control)
{
  const auto scaled = morphology::inMicrometres(morphology::readSwc(file.path, {}, control), file.scale, control);
  const auto morphology = morphology::placed(scaled, file.place, control);
  const auto branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*morphology));
  return cable::discretize(morphology, branches, parameters, control)->system;
}

BenchmarkSource::Systems readSystems(const std::vector<CellSource>& files,
                                     const cable::DiscretizationParameters& parameters, const RunControl& control)
{
  BenchmarkSource::Systems systems;
  for (const CellSource& file : files)
    systems.push_back(readSystem(file, parameters, control));
  return systems;
}

/// Each file as a source of its own, for tables of single cells.
std::vector<std::shared_ptr<const BenchmarkSource>> eachAsSource(const std::vector<CellSource>& files,
                                                                 std::int32_t resolution)
{
  std::vector<std::shared_ptr<const BenchmarkSource>> sources;
  for (const CellSource& file : files)
    sources.push_back(hines::makeOnce(
        {std::filesystem::path(file.path).stem().string() + (resolution > 1 ? ", P " + std::to_string(resolution) : ""),
         [file, resolution](const RunControl& control) {
           return BenchmarkSource::Systems{readSystem(file, parametersAt(resolution), control)};
         },
         settingsOfCells({file}, parametersAt(resolution))}));
  return sources;
}

std::shared_ptr<const BenchmarkSource> madeOf(std::string what, BenchmarkSource::Systems systems,
                                              std::vector<Setting> settings)
{
  return std::make_shared<const BenchmarkSource>(BenchmarkSource{
      std::move(what), [made = std::move(systems)](const RunControl&) { return made; }, std::move(settings)});
}

std::vector<CellSource> filesOf(const model::Project& project)
{
  std::vector<CellSource> files;
  for (const model::Cell& cell : project.cells)
    files.push_back({.id = files.size() + 1, .path = cell.file, .scale = cell.scale, .place = cell.place});
  return files;
}

std::vector<BenchmarkCase> casesOfProjectTables(const model::Project& project, BenchmarkScope scope,
                                                const RunControl& control)
{
  scope.quick = project.solverBenchmark->quick;
  scope.solve.threads = project.solverBenchmark->threads;
  takeCells(scope, filesOf(project), control);
  return casesOfTables(project.solverBenchmark->tables, scope);
}

std::shared_ptr<const BenchmarkSource> batchSource(const model::Project& project, const BenchmarkScope& scope,
                                                   const RunControl& control)
{
  switch (project.solverBenchmark->cells) {
  case model::BenchmarkCells::RandomTrees:
    return hines::ringNetwork(project.solve.batch.randomTree, std::ranges::max(scope.cells));
  case model::BenchmarkCells::Ca1:
    return hines::ca1SizedCell();
  case model::BenchmarkCells::Mixed:
    return hines::mixedSyntheticCells();
  case model::BenchmarkCells::Session:
  case model::BenchmarkCells::Tables:
    break;
  }
  return sourceOf(project, control);
}

} // namespace

std::vector<std::string> benchmarkTableNames()
{
  std::vector<std::string> names;
  for (const hines::BenchmarkTable& table : hines::benchmarkTables())
    names.emplace_back(table.name);
  return names;
}

hines::SolverId benchmarkSolver(const std::string& name)
{
  std::string names;
  for (const hines::SolverDefinition* solver : hines::allSolvers()) {
    if (solver->traits.name() == name)
      return solver->traits.id;
    names += (names.empty() ? "" : ", ") + std::string(solver->traits.name());
  }
  throw Error(ErrorCode::BadParameter, "There is no solver \"" + name + "\"; there are: " + names + ".");
}

void takeCells(BenchmarkScope& scope, const std::vector<CellSource>& files, const RunControl& control)
{
  if (files.empty())
    return;
  scope.given = madeOf(files.size() == 1 ? files.front().path : std::to_string(files.size()) + " cells from files",
                       readSystems(files, parametersAt(1), control), settingsOfCells(files, parametersAt(1)));
  scope.givenAt = [files](std::int32_t resolution) { return eachAsSource(files, resolution); };
}

std::vector<BenchmarkCase> casesOfTables(const std::vector<std::string>& tables, const BenchmarkScope& scope)
{
  const bool all = tables.empty() || tables == std::vector<std::string>{"all"};
  std::vector<BenchmarkCase> cases;
  for (const std::string& table : all ? benchmarkTableNames() : tables) {
    const auto ofTable = hines::makeBenchmarkTable(table, scope);
    cases.insert(cases.end(), ofTable.begin(), ofTable.end());
  }
  if (cases.empty())
    throw Error(ErrorCode::BadParameter, "None of the chosen solvers can do a case of these tables; choose others.");
  return cases;
}

std::vector<BenchmarkCase> casesOfSource(std::string_view table, const std::shared_ptr<const BenchmarkSource>& source,
                                         const BenchmarkScope& scope, model::BenchmarkPrecision precision)
{
  using hines::Precision;
  using model::BenchmarkPrecision;
  BenchmarkScope wanted = scope;
  std::vector<BenchmarkCase> cases;
  for (const std::int64_t count : scope.cells)
    for (const Precision one : {Precision::Double, Precision::Single}) {
      if (precision == (one == Precision::Double ? BenchmarkPrecision::Single : BenchmarkPrecision::Double))
        continue;
      wanted.solve.precision = one;
      for (BenchmarkCase& made : hines::casesOfBatch(table, source, count, wanted)) {
        if (made.solve.precision == Precision::Single)
          made.label += ", single";
        if (precision != BenchmarkPrecision::Both || made.solve.precision == one)
          cases.push_back(std::move(made));
      }
    }
  return cases;
}

std::shared_ptr<const BenchmarkSource> sourceOf(const model::Project& project, const RunControl& control)
{
  const std::vector<CellSource> files = filesOf(project);
  if (files.empty())
    throw Error(
        ErrorCode::BadParameter,
        "There are no cells to measure: the session has none. Let bench-hines.of be random-trees, ca1 or mixed.");
  std::vector<std::string> names;
  for (const CellSource& file : files)
    names.push_back(std::filesystem::path(file.path).filename().string());
  const cable::DiscretizationParameters& parameters = project.solve.discretization;
  return madeOf(describeSources(names), readSystems(files, parameters, control), settingsOfCells(files, parameters));
}

std::vector<BenchmarkCase> benchmarkCases(const model::Project& project, const RunControl& control)
{
  if (!project.solverBenchmark)
    throw Error(ErrorCode::BadParameter, "The session says of no benchmark of solvers what it measures.");
  const model::SolverBenchmark& wanted = *project.solverBenchmark;
  BenchmarkScope scope;
  scope.backend = wanted.backend;
  for (const std::string& name : wanted.solvers)
    scope.solvers.push_back(benchmarkSolver(name));
  scope.cells = wanted.counts;
  if (wanted.cells == model::BenchmarkCells::Tables)
    return casesOfProjectTables(project, std::move(scope), control);
  if (scope.cells.empty())
    scope.cells = {1, 10, 100, 1000};
  scope.solve = project.solve.solve;
  auto cases = casesOfSource("session", batchSource(project, scope, control), scope, wanted.precision);
  if (cases.empty())
    throw Error(ErrorCode::BadParameter, "None of the chosen solvers can do such a batch; choose others.");
  return cases;
}

} // namespace hinesight::study
