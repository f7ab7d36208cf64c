#include "app/selection/neuron_selection.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

/// Of a file, or of all open cells, nobody knows it here: a page does.
std::uint64_t mostNeuronsOf(const model::Population& population)
{
  const projection::PopulationParameters& placement = population.placement;
  switch (placement.kind) {
  case PopulationKind::Grid:
    return std::uint64_t{placement.size[0]} * placement.size[1] * placement.size[2];
  case PopulationKind::Box:
  case PopulationKind::Sphere:
    return placement.count;
  case PopulationKind::Given:
    if (!population.cells.empty())
      return population.cells.size();
    break;
  case PopulationKind::File:
    break;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

/// Of a neuron that stays where it is.
std::pair<std::string_view, std::uint64_t> keyOf(const CircuitNeuron& neuron)
{
  return {neuron.population, neuron.index};
}

} // namespace

std::vector<std::uint32_t> NeuronSelection::of(const std::string& population, std::uint64_t count) const
{
  std::vector<std::uint32_t> indices;
  for (const CircuitNeuron& neuron : picked)
    if (neuron.population == population && neuron.index < count)
      indices.push_back(static_cast<std::uint32_t>(neuron.index));
  return indices;
}

void NeuronSelection::pick(const std::vector<CircuitNeuron>& wanted)
{
  std::set<std::pair<std::string_view, std::uint64_t>> missing;
  for (const CircuitNeuron& neuron : wanted)
    missing.insert(keyOf(neuron));
  std::vector<CircuitNeuron> next;
  for (const std::vector<CircuitNeuron>* neurons : {&std::as_const(picked), &wanted})
    for (const CircuitNeuron& neuron : *neurons)
      if (missing.erase(keyOf(neuron)) > 0)
        next.push_back(neuron);
  set(std::move(next));
}

void NeuronSelection::setPopulations(const std::vector<model::Population>& populations)
{
  std::vector<CircuitNeuron> next = picked;
  std::erase_if(next, [&](const CircuitNeuron& neuron) {
    const auto found = std::ranges::find(populations, neuron.population, &model::Population::name);
    return found == populations.end() || neuron.index >= mostNeuronsOf(*found);
  });
  set(std::move(next));
}

void NeuronSelection::renamePopulation(const std::string& before, const std::string& now)
{
  for (CircuitNeuron& neuron : picked)
    if (neuron.population == before)
      neuron.population = now;
}

void NeuronSelection::set(std::vector<CircuitNeuron> next)
{
  if (std::exchange(picked, std::move(next)) != picked)
    emit changed();
}

} // namespace hinesight::app
