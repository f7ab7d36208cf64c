#include "app/document/circuit_populations.hpp"

#include "app/projection/population_panel.hpp"
#include "io/networks/neuron_files.hpp"
#include "model/taken_names.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

/// The cells of a population that are open, each with its model.
void keepOpenCells(model::Population& population, const std::set<std::string>& open)
{
  const bool hasModelOfEach = population.models.size() > 1 && population.models.size() == population.cells.size();
  std::vector<std::string> cells, models;
  for (std::size_t k = 0; k < population.cells.size(); ++k)
    if (open.contains(population.cells[k])) {
      cells.push_back(population.cells[k]);
      if (hasModelOfEach)
        models.push_back(population.models[k]);
    }
  population.cells = std::move(cells);
  if (hasModelOfEach)
    population.models = std::move(models);
}

} // namespace

double countNeurons(const study::PopulationChoice& choice)
{
  const projection::PopulationParameters& p = choice.parameters;
  switch (p.kind) {
  case PopulationKind::Grid:
    return static_cast<double>(p.size[0]) * static_cast<double>(p.size[1]) * static_cast<double>(p.size[2]);
  case PopulationKind::Box:
  case PopulationKind::Sphere:
    return static_cast<double>(p.count);
  case PopulationKind::File:
    return std::numeric_limits<double>::infinity();
  case PopulationKind::Given:
    break;
  }
  return choice.given ? static_cast<double>(choice.given->count()) : 0;
}

CircuitPopulations::CircuitPopulations(const PopulationPanel* ofWindow)
    : panel(ofWindow), untouched(ofWindow->populations())
{}

std::vector<model::Population> CircuitPopulations::inProject(const std::vector<model::Cell>& cells) const
{
  std::set<std::string> cellNames;
  for (const model::Cell& cell : cells)
    cellNames.insert(cell.name);
  model::TakenNames names;
  std::vector<model::Population> populations;
  for (const study::PopulationChoice& choice : panel->populations()) {
    model::Population population = panel->traitsOf(choice.parameters.name);
    population.placement = choice.parameters;
    population.nodes = choice.nodes;
    if (choice.isSomata) {
      if (population.cells.empty()) // all, whichever they are
        for (const model::Cell& cell : cells)
          population.cells.push_back(cell.name);
    } else if (choice.parameters.kind == PopulationKind::Given)
      ofTables.insert_or_assign(choice.parameters.name, choice);
    keepOpenCells(population, cellNames);
    population.placement.name = names.take(population.name());
    populations.push_back(std::move(population));
  }
  return populations;
}

study::PopulationChoice CircuitPopulations::choiceOf(const model::Population& population) const
{
  study::PopulationChoice choice(population.placement);
  if (choice.parameters.kind == PopulationKind::File && io::isSonataFile(choice.parameters.file))
    choice.nodes = population.nodes;
  if (choice.parameters.kind != PopulationKind::Given)
    return choice;
  if (const auto known = ofTables.find(population.name()); known != ofTables.end() && population.cells.empty())
    return known->second;
  choice.isSomata = true;
  return choice;
}

double CircuitPopulations::neuronsOf(const std::string& name) const
{
  const auto& choices = panel->populations();
  const auto choice =
      std::ranges::find(choices, name, [](const study::PopulationChoice& each) { return each.parameters.name; });
  return choice == choices.end() ? 0.0 : countNeurons(*choice);
}

std::vector<std::string> CircuitPopulations::own() const
{
  constexpr double kMostNeurons = 100'000;
  const std::vector<study::PopulationChoice>& choices = panel->populations();
  const auto isSame = [](const study::PopulationChoice& a, const study::PopulationChoice& b) {
    return a.parameters == b.parameters && a.nodes == b.nodes;
  };
  if (std::ranges::equal(choices, untouched, isSame))
    return {};
  std::vector<std::string> names;
  double neurons = 0;
  for (const study::PopulationChoice& choice : choices) {
    names.push_back(choice.parameters.name);
    if (choice.parameters.kind != PopulationKind::File) // whose number only the file says
      neurons += countNeurons(choice);
  }
  return neurons > 0 && neurons <= kMostNeurons ? names : std::vector<std::string>();
}

} // namespace hinesight::app
