#include "hines/cells/benchmark_sources.hpp"

#include "cable/assembly.hpp"
#include "cable/discretization.hpp"
#include "morphology/branches.hpp"
#include "morphology/synthetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <string_view>
#include <utility>

namespace hinesight::hines {

namespace {

using Source = std::shared_ptr<const BenchmarkSource>;
using Systems = BenchmarkSource::Systems;

std::vector<Setting> settingsOfCells(std::int32_t resolution = 1)
{
  cable::DiscretizationParameters parameters;
  parameters.resolution = resolution;
  return settingsOf(fieldsOf(parameters));
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

std::string describe(const cable::RandomTreeParameters& tree)
{
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "random trees, %d levels, branching %g, %d compartments and %g um a branch",
                tree.levels, tree.branchingProbability, tree.compartmentsPerBranch, tree.branchLength);
  return text.data();
}

} // namespace

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
  return std::make_shared<const BenchmarkSource>(
      BenchmarkSource{std::move(source.what), std::move(make), std::move(source.settings)});
}

Source firstOf(const Source& source)
{
  return makeOnce({"copies of the first of: " + source->what,
                   [source](const RunControl& control) { return Systems{source->make(control).front()}; },
                   source->settings});
}

Source meanSizedOf(const Source& source)
{
  return makeOnce({"copies of one cell of mean size of: " + source->what,
                   [source](const RunControl& control) {
                     const Systems systems = source->make(control);
                     double mean = 0;
                     for (const auto& system : systems)
                       mean += static_cast<double>(system->size()) / static_cast<double>(systems.size());
                     const auto distance = [mean](const auto& system) {
                       return std::abs(static_cast<double>(system->size()) - mean);
                     };
                     return Systems{*std::ranges::min_element(systems, {}, distance)};
                   },
                   source->settings});
}

Source ca1SizedCell()
{
  return makeOnce({"copies of a CA1-sized synthetic cell",
                   [](const RunControl& control) { return Systems{cutAtSamples(ca1Sized(), control)}; },
                   settingsOfCells()});
}

Source finelyCutCell(std::int32_t compartments)
{
  return makeOnce({"one CA1-sized cell, finely cut", [compartments](const RunControl& control) {
                     const auto coarse = cutAtSamples(ca1Sized(), control);
                     const auto resolution = compartments / static_cast<double>(coarse->size());
                     return Systems{cutAtSamples(ca1Sized(), control, static_cast<std::int32_t>(resolution + 0.5))};
                   }});
}

std::vector<Source> syntheticCells(std::int32_t resolution)
{
  std::vector<Source> cells;
  for (const std::int32_t levels : {4, 6, 8, 9})
    for (const morphology::SyntheticKind kind : morphology::kSyntheticKinds) {
      morphology::SyntheticCellParameters cell;
      cell.kind = kind;
      cell.levels = levels;
      cell.seed = static_cast<std::uint64_t>(levels);
      cells.push_back(makeOnce(
          {"synthetic " + std::string(choiceName(kind)) + " cell, " + std::to_string(levels) + " levels",
           [cell, resolution](const RunControl& control) { return Systems{cutAtSamples(cell, control, resolution)}; },
           settingsOfCells(resolution)}));
    }
  return cells;
}

Source mixedSyntheticCells()
{
  return makeOnce({"mixed synthetic cells",
                   [](const RunControl& control) {
                     Systems systems;
                     for (const Source& cell : syntheticCells())
                       systems.push_back(cell->make(control).front());
                     return systems;
                   },
                   settingsOfCells()});
}

Source ringNetwork(const cable::RandomTreeParameters& tree, std::int64_t mostCells)
{
  constexpr std::int64_t kMostTrees = 1'024;
  const auto trees = static_cast<std::uint64_t>(std::clamp<std::int64_t>(mostCells, 1, kMostTrees));
  return makeOnce({describe(tree),
                   [tree, trees](const RunControl& control) {
                     Systems systems;
                     for (std::uint64_t index = 0; index < trees; ++index) {
                       control.checkpoint();
                       systems.push_back(cable::makeRandomTree(tree, index));
                     }
                     return systems;
                   },
                   settingsOf(fieldsOf(tree))});
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
