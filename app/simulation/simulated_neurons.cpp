#include "app/simulation/simulated_neurons.hpp"

#include "app/selection/neuron_selection.hpp"
#include "study/simulation/simulated_network.hpp"
#include "study/simulation/simulation_model.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hinesight::app {

namespace {

/// As spikes count neurons: cells, then point neurons. None of a train.
std::optional<std::uint32_t> numberOfNode(const study::SimulatedNode& node, std::size_t cells)
{
  if (node.kind == study::SimulatedNode::Kind::Train)
    return std::nullopt;
  const bool isCell = node.kind == study::SimulatedNode::Kind::Cell;
  return static_cast<std::uint32_t>(isCell ? node.index : cells + node.index);
}

} // namespace

SimulatedNeurons::SimulatedNeurons(std::shared_ptr<const study::SimulationModel> ofThat) : model(std::move(ofThat))
{
  const study::CircuitSimulation& circuit = model->circuit;
  origins.resize(circuit.network.cells() + circuit.network.pointNeurons.size());
  numbered.resize(circuit.populations.size());
  std::size_t node = 0;
  const std::vector<std::uint32_t> numbers = study::numbersOf(circuit);
  for (std::size_t p = 0; p < circuit.populations.size(); ++p) {
    for (const study::SimulatedNode& each : circuit.populations[p].nodes) {
      const std::uint32_t number = numbers[node++];
      if (const auto neuron = numberOfNode(each, circuit.network.cells())) {
        origins[*neuron] = {p, number};
        numbered[p].push_back({number, *neuron});
      }
    }
    std::ranges::sort(numbered[p], {}, &Numbered::number);
  }
}

std::vector<std::uint32_t> SimulatedNeurons::ofPopulation(std::size_t place) const
{
  std::vector<std::uint32_t> neurons;
  for (const study::SimulatedNode& node : model->circuit.populations[place].nodes)
    if (const auto neuron = numberOfNode(node, model->circuit.network.cells()))
      neurons.push_back(*neuron);
  return neurons;
}

CircuitNeuron SimulatedNeurons::named(std::uint32_t neuron) const
{
  return {model->populationName(origins[neuron].population), origins[neuron].number};
}

NeuronSet SimulatedNeurons::named(const std::vector<std::uint32_t>& neurons) const
{
  std::map<std::size_t, NeuronSet::Numbers> numbers; // by population
  for (const std::uint32_t neuron : neurons)
    numbers[origins[neuron].population].push_back(origins[neuron].number);
  NeuronSet names;
  for (const auto& [population, ofIt] : numbers)
    names.add(model->populationName(population), ofIt);
  return names;
}

std::vector<std::uint32_t> SimulatedNeurons::find(const std::vector<CircuitNeuron>& names, const NeuronSet& left) const
{
  const std::map<std::string, std::size_t> places = placesOfPopulations();
  std::vector<std::uint32_t> neurons;
  for (const CircuitNeuron& each : names) {
    const auto place = places.find(each.population);
    if (place == places.end() || left.has(each.population, each.index))
      continue;
    const std::vector<Numbered>& ofIt = numbered[place->second];
    const auto found = std::ranges::lower_bound(ofIt, each.index, {}, &Numbered::number);
    if (found != ofIt.end() && found->number == each.index)
      neurons.push_back(found->neuron);
  }
  return neurons;
}

std::vector<std::uint32_t> SimulatedNeurons::findCells(const NeuronSet& names) const
{
  const std::map<std::string, std::size_t> places = placesOfPopulations();
  std::vector<std::uint32_t> cells;
  for (const auto& [population, numbers] : names.populations()) {
    const auto place = places.find(population);
    if (place == places.end())
      continue;
    auto number = numbers.begin();
    for (const Numbered& each : numbered[place->second]) {
      while (number != numbers.end() && *number < each.number)
        ++number;
      if (number == numbers.end())
        break;
      if (*number == each.number && each.neuron < model->circuit.network.cells())
        cells.push_back(each.neuron);
    }
  }
  return cells;
}

/// By their names; of several with the same name the first.
std::map<std::string, std::size_t> SimulatedNeurons::placesOfPopulations() const
{
  std::map<std::string, std::size_t> places;
  for (std::size_t p = 0; p < model->circuit.populations.size(); ++p)
    places.try_emplace(model->populationName(p), p);
  return places;
}

} // namespace hinesight::app
