#include "hines/benchmark_tables.hpp"

#include "cable/assembly.hpp"
#include "cable/discretization.hpp"
#include "cable/random_tree.hpp"
#include "core/error.hpp"
#include "morphology/branches.hpp"
#include "morphology/synthetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

using Source = std::shared_ptr<const BenchmarkSource>;
using Systems = BenchmarkSource::Systems;
using Cases = std::vector<BenchmarkCase>;
using CellCounts = std::vector<std::int64_t>;

CellCounts cellsOf(const BenchmarkScope& scope, CellCounts usual, CellCounts quick)
{
  return !scope.cells.empty() ? scope.cells : scope.quick ? std::move(quick) : std::move(usual);
}

void append(Cases& cases, Cases more)
{
  std::move(more.begin(), more.end(), std::back_inserter(cases));
}

std::shared_ptr<const HinesSystem> cutAtSamples(const morphology::SyntheticCellParameters& cell,
                                                const RunControl& control, std::int32_t resolution = 1)
{
  const auto morphology = morphology::makeSyntheticCell(cell, control);
  const auto branches = std::make_shared<const morphology::BranchTree>(morphology::findBranches(*morphology));
  cable::DiscretizationParameters parameters;
  parameters.resolution = resolution;
  return cable::discretize(morphology, branches, parameters, control)->system;
}

morphology::SyntheticCellParameters ca1Sized()
{
  morphology::SyntheticCellParameters cell;
  cell.levels = 5;
  cell.stepLength = 4.7;
  return cell;
}

/// The first system of a source.
Source firstOf(const Source& source)
{
  return makeOnce({"copies of the first of: " + source->what,
                   [source](const RunControl& control) { return Systems{source->make(control).front()}; }});
}

/// Of a source's systems, the one whose size is nearest to their mean.
Source meanSizedOf(const Source& source)
{
  return makeOnce({"copies of one cell of mean size of: " + source->what, [source](const RunControl& control) {
                     const Systems systems = source->make(control);
                     double mean = 0;
                     for (const auto& system : systems)
                       mean += static_cast<double>(system->size()) / static_cast<double>(systems.size());
                     const auto distance = [mean](const auto& system) {
                       return std::abs(static_cast<double>(system->size()) - mean);
                     };
                     return Systems{*std::ranges::min_element(systems, {}, distance)};
                   }});
}

Source copied(const BenchmarkScope& scope)
{
  return scope.given ? firstOf(scope.given) : ca1SizedCell();
}

Source mixed(const BenchmarkScope& scope)
{
  return scope.given ? scope.given : mixedSyntheticCells();
}

// ---- tables ----

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

std::string describe(const cable::RandomTreeParameters& tree)
{
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "random trees, %d levels, branching %g, %d compartments and %g um a branch",
                tree.levels, tree.branchingProbability, tree.compartmentsPerBranch, tree.branchLength);
  return text.data();
}

/// The settings of a sweep: the middle one, then one parameter at a time lower and higher.
std::vector<cable::RandomTreeParameters> ringSettings(bool quick)
{
  const cable::RandomTreeParameters middle;
  std::vector<cable::RandomTreeParameters> settings = {middle};
  if (quick)
    return settings;
  const auto vary = [&](auto member, auto... values) {
    for (const auto value : {values...}) {
      settings.push_back(middle);
      settings.back().*member = value;
    }
  };
  vary(&cable::RandomTreeParameters::branchingProbability, 0.25, 0.75);
  vary(&cable::RandomTreeParameters::branchLength, 50.0, 200.0);
  vary(&cable::RandomTreeParameters::compartmentsPerBranch, 4, 64);
  return settings;
}

/// Figures 7.1 and 7.2 of Huber 2018: branching probability, branch length and compartments varied around a middle
/// setting.
Cases ringTable(const BenchmarkScope& scope)
{
  const CellCounts counts = cellsOf(scope, {16, 64, 256, 1'024, 4'096, 16'384}, {16, 64});
  Cases cases;
  for (const cable::RandomTreeParameters& tree : ringSettings(scope.quick)) {
    const Source source = ringNetwork(tree, std::ranges::max(counts));
    for (const std::int64_t cells : counts)
      append(cases, casesOfBatch("ring", source, cells, scope));
  }
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

/// Every solver with one thread and, where it uses more, with all; batches that fit the caches and that do not.
Cases cpuTable(BenchmarkScope scope)
{
  if (scope.backend != Backend::Cpu) {
    std::erase_if(scope.solvers, [](SolverKind solver) { return !traitsOf(solver).onCpu; });
    scope.backend = Backend::Cpu;
  }
  Cases cases;
  for (const Source& source : {copied(scope), mixed(scope)})
    for (const std::int64_t cells : cellsOf(scope, {16, 128, 1'024, 4'096}, {16, 64}))
      for (BenchmarkCase& one : casesOfBatch("cpu", source, cells, scope)) {
        one.solve.threads = 1;
        const std::string label = one.label;
        const bool usesThreads = traitsOf(one.solve.solver).usesThreads;
        if (usesThreads)
          one.label += ", 1 thread";
        cases.push_back(one);
        if (usesThreads) {
          one.label = label;
          cases.push_back(std::move(one));
        }
      }
  return cases;
}

/// One neuron of some 120,000 compartments, beside the serial sweep.
Cases longTable(const BenchmarkScope& scope)
{
  constexpr std::int32_t kCompartments = 120'000;
  const std::int32_t compartments = scope.quick ? kCompartments / 10 : kCompartments;
  const Source neuron =
      makeOnce({"one CA1-sized cell, finely cut", [compartments](const RunControl& control) {
                  const auto coarse = cutAtSamples(ca1Sized(), control);
                  const auto resolution = compartments / static_cast<double>(coarse->size());
                  return Systems{cutAtSamples(ca1Sized(), control, static_cast<std::int32_t>(resolution + 0.5))};
                }});
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

struct TableMaker
{
  BenchmarkTable table;
  Cases (*make)(const BenchmarkScope& scope);
};

constexpr std::array kTables = {
    TableMaker{{"copies", "copies of a CA1-sized cell (Zhang 2023, figure 4), or of the first file"}, copiesTable},
    TableMaker{{"mixed", "cells of many sizes, the files', beside copies of one cell of their mean size"}, mixedTable},
    TableMaker{
        {"tridiagonal", "chains of 64 to 512 elements in double and single precision (Martínez 2020, 4.1 to 4.4)"},
        tridiagonalTable},
    TableMaker{{"coarse", "layouts and padding of the coarse solver, copies and mixed cells (Martínez 2018, 4.8, 4.9)"},
               coarseTable},
    TableMaker{{"ring", "random trees of a ring network, branching, length and compartments swept (Huber 2018, 7)"},
               ringTable},
    TableMaker{{"single", "single beside double precision, copies of one cell"}, singleTable},
    TableMaker{{"cpu", "CPU solvers with one thread and with all, copies and mixed cells"},
               [](const BenchmarkScope& scope) { return cpuTable(scope); }},
    TableMaker{{"long", "one neuron of 120,000 compartments and one chain, beside the serial sweep"}, longTable},
};

constexpr auto kTableList = [] {
  std::array<BenchmarkTable, kTables.size()> list{};
  std::ranges::transform(kTables, list.begin(), &TableMaker::table);
  return list;
}();

} // namespace

std::span<const BenchmarkTable> benchmarkTables()
{
  return kTableList;
}

std::vector<BenchmarkCase> makeBenchmarkTable(std::string_view name, const BenchmarkScope& scope)
{
  const auto found = std::ranges::find(kTables, name, [](const TableMaker& maker) { return maker.table.name; });
  if (found == kTables.end())
    throw Error(ErrorCode::BadParameter, "There is no benchmark table '" + std::string(name) + "'.");
  return found->make(scope);
}

bool isPeer(SolverKind solver)
{
  return traitsOf(solver).isPeer;
}

std::vector<SolverKind> chosenSolvers(const BenchmarkScope& scope, bool chains)
{
  if (!scope.solvers.empty())
    return scope.solvers;
  std::vector<SolverKind> solvers = benchmarkSolvers(scope.backend);
  if (!chains)
    std::erase_if(solvers, [](SolverKind solver) { return traitsOf(solver).chainsOnly; });
  return solvers;
}

std::vector<BenchmarkCase> casesOfBatch(std::string_view table, const Source& source, std::int64_t cells,
                                        const BenchmarkScope& scope, bool chains)
{
  Cases cases;
  for (const SolverKind solver : chosenSolvers(scope, chains)) {
    BenchmarkCase one;
    one.table = table;
    one.source = source;
    one.cells = cells;
    one.label = solverName(solver);
    one.plan = scope.plan;
    one.solve = scope.solve;
    one.solve.solver = solver;
    one.solve.backend = traitsOf(solver).onCuda ? scope.backend : Backend::Cpu;
    if (!traitsOf(solver).inSingle)
      one.solve.precision = Precision::Double;
    if (solver == SolverKind::GtsvInterleaved)
      for (const std::int32_t algorithm : {1, 2}) {
        BenchmarkCase other = one;
        other.label += algorithm == 1 ? ", LU" : ", QR";
        other.solve.gtsv.algorithm = algorithm;
        cases.push_back(std::move(other));
      }
    if (solver == SolverKind::Fine) {
      BenchmarkCase asRead = one;
      asRead.label += ", as read";
      asRead.plan.balance = BalanceMeasure::None;
      asRead.plan.split = SplitStrategy::None;
      cases.push_back(std::move(asRead));
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

Source makeOnce(BenchmarkSource source)
{
  struct Kept
  {
    std::mutex mutex;
    Systems systems;
  };
  auto make = [make = std::move(source.make), kept = std::make_shared<Kept>()](const RunControl& control) {
    const std::lock_guard lock(kept->mutex);
    if (kept->systems.empty())
      kept->systems = make(control);
    return kept->systems;
  };
  return std::make_shared<const BenchmarkSource>(BenchmarkSource{std::move(source.what), std::move(make)});
}

Source ca1SizedCell()
{
  return makeOnce({"copies of a CA1-sized synthetic cell",
                   [](const RunControl& control) { return Systems{cutAtSamples(ca1Sized(), control)}; }});
}

Source mixedSyntheticCells()
{
  return makeOnce({"mixed synthetic cells", [](const RunControl& control) {
                     Systems systems;
                     for (const std::int32_t levels : {4, 6, 8, 9})
                       for (const std::string_view kind : morphology::kSyntheticKinds) {
                         morphology::SyntheticCellParameters cell;
                         cell.kind = kind;
                         cell.levels = levels;
                         cell.seed = static_cast<std::uint64_t>(levels);
                         systems.push_back(cutAtSamples(cell, control));
                       }
                     return systems;
                   }});
}

Source ringNetwork(const cable::RandomTreeParameters& tree, std::int64_t mostCells)
{
  constexpr std::int64_t kMostTrees = 1'024;
  const auto trees = static_cast<std::uint64_t>(std::clamp<std::int64_t>(mostCells, 1, kMostTrees));
  return makeOnce({describe(tree), [tree, trees](const RunControl& control) {
                     Systems systems;
                     for (std::uint64_t index = 0; index < trees; ++index) {
                       control.checkpoint();
                       systems.push_back(cable::makeRandomTree(tree, index));
                     }
                     return systems;
                   }});
}

Source chainOf(std::int32_t compartments)
{
  return makeOnce({"chains of " + std::to_string(compartments), [compartments](const RunControl& control) {
                     const auto n = static_cast<std::size_t>(compartments);
                     constexpr double kArea = 60;              // um2: a cable of 2 um thickness cut every 10 um
                     constexpr double kAxialConductance = 0.3; // uS
                     std::vector<std::int32_t> parent(n);
                     std::iota(parent.begin(), parent.end(), -1);
                     std::vector<double> coupling(n, kAxialConductance);
                     coupling.front() = 0;
                     return Systems{std::make_shared<const HinesSystem>(cable::assembleSystem(
                         std::move(parent), std::vector<double>(n, kArea), coupling, {}, control))};
                   }});
}

} // namespace hinesight::hines
