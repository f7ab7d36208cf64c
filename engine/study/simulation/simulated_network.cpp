#include "study/simulation/simulated_network.hpp"

#include "projection/populations/population.hpp"
#include "study/simulation/simulation_model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace hinesight::study {

namespace {

using Kind = SimulatedNode::Kind;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// The neurons that the parts of a network are; kNone: they are of no population.
struct NeuronNumbers
{
  std::vector<std::uint32_t> cells, trains, points;
  std::size_t count = 0;

  explicit NeuronNumbers(const CircuitSimulation& circuit)
      : cells(circuit.network.cells(), kNone), trains(circuit.network.trains.size(), kNone),
        points(circuit.network.pointNeurons.size(), kNone)
  {
    for (const SimulatedPopulation& population : circuit.populations)
      for (const SimulatedNode& node : population.nodes)
        ofKind(node.kind)[node.index] = static_cast<std::uint32_t>(count++);
  }

  std::uint32_t source(const simulation::Connection& connection) const
  {
    std::size_t place = connection.source;
    for (const auto* part : {&cells, &trains, &points}) {
      if (place < part->size())
        return (*part)[place];
      place -= part->size();
    }
    return kNone;
  }
  std::uint32_t target(const simulation::Connection& connection, const simulation::Network& network) const
  {
    if (connection.target < network.synapses.size())
      return cells[network.synapses[connection.target].cell];
    return points[connection.target - network.synapses.size()];
  }

private:
  std::vector<std::uint32_t>& ofKind(Kind kind)
  {
    return kind == Kind::Cell ? cells : kind == Kind::Train ? trains : points;
  }
};

/// Where a node stands, as far as anybody says it.
std::array<double, 3> positionOf(const SimulationModel& model, std::size_t population, std::size_t index)
{
  if (population < model.neurons.size())
    return model.neurons[population]->position(index);
  if (population < model.positions.size() && !model.positions[population][0].empty()) {
    const auto& [x, y, z] = model.positions[population];
    return {x[index], y[index], z[index]};
  }
  return {kUnknown, kUnknown, kUnknown};
}

/// Of each neuron.
std::vector<double> spikeCounts(const CircuitSimulation& circuit, std::span<const simulation::Spike> spikes)
{
  const NeuronNumbers numbers(circuit);
  std::vector<double> counts(numbers.count, 0);
  for (const std::uint32_t train : numbers.trains)
    if (train != kNone)
      counts[train] = kUnknown;
  for (const simulation::Spike& spike : spikes) {
    const std::size_t cells = numbers.cells.size();
    const std::uint32_t neuron = spike.cell < cells ? numbers.cells[spike.cell] : numbers.points[spike.cell - cells];
    if (neuron != kNone)
      ++counts[neuron];
  }
  return counts;
}

} // namespace

SimulatedPairs pairsOf(const CircuitSimulation& circuit)
{
  struct Row
  {
    std::uint32_t target = 0;
    double weight = 0, delay = 0;
  };
  const NeuronNumbers numbers(circuit);
  const auto visit = [&](auto&& take) {
    for (const simulation::Connection& connection : circuit.network.connections) {
      const std::uint32_t source = numbers.source(connection);
      const std::uint32_t target = numbers.target(connection, circuit.network);
      if (source != kNone && target != kNone)
        take(source, Row{target, connection.weight, connection.delay});
    }
  };
  std::vector<std::size_t> first(numbers.count + 1, 0); // row of each source
  visit([&](std::uint32_t source, const Row&) { ++first[source + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Row> rows(first.back());
  visit([&, next = first](std::uint32_t source, const Row& row) mutable { rows[next[source]++] = row; });
  SimulatedPairs pairs;
  pairs.offsets.push_back(0);
  for (std::size_t neuron = 0; neuron < numbers.count; ++neuron) {
    const auto ofNeuron = std::span(rows).subspan(first[neuron], first[neuron + 1] - first[neuron]);
    std::ranges::stable_sort(ofNeuron, {}, &Row::target);
    for (const Row& row : ofNeuron) {
      if (pairs.target.size() > pairs.offsets.back() && pairs.target.back() == row.target) {
        pairs.weight.back() += row.weight;
        pairs.delay.back() = std::min(pairs.delay.back(), row.delay);
      } else {
        pairs.target.push_back(row.target);
        pairs.weight.push_back(row.weight);
        pairs.delay.push_back(row.delay);
      }
    }
    pairs.offsets.push_back(pairs.target.size());
  }
  return pairs;
}

std::vector<std::uint32_t> numbersOf(const CircuitSimulation& circuit)
{
  std::vector<std::uint32_t> numbers;
  for (const SimulatedPopulation& population : circuit.populations) {
    const bool isShort = std::ranges::all_of(population.ids, [](std::uint64_t id) { return id < kNone; });
    for (std::size_t i = 0; i < population.ids.size(); ++i)
      numbers.push_back(static_cast<std::uint32_t>(isShort ? population.ids[i] : i));
  }
  return numbers;
}

selection::NetworkTable networkOf(const std::shared_ptr<const SimulationModel>& model,
                                  std::span<const simulation::Spike> spikes, double time)
{
  selection::NetworkTable made;
  for (std::size_t p = 0; p < model->circuit.populations.size(); ++p)
    made.addPopulation(model->populationName(p), model->circuit.populations[p].nodes.size());
  made.number = [numbers = numbersOf(model->circuit)](std::size_t neuron) { return numbers[neuron]; };
  made.position = [model, first = made.firstNeuron](std::size_t neuron) {
    const auto population = static_cast<std::size_t>(std::ranges::upper_bound(first, neuron) - first.begin()) - 1;
    return positionOf(*model, population, neuron - first[population]);
  };
  made.offsets = model->pairs->offsets;
  made.target = model->pairs->target;
  made.weight = [model](std::size_t pair) { return model->pairs->weight[pair]; };
  made.delay = [model](std::size_t pair) { return model->pairs->delay[pair]; };
  if (time > 0)
    made.spikes = [counts = spikeCounts(model->circuit, spikes)](std::size_t neuron) { return counts[neuron]; };
  made.ran = time;
  made.kept = model;
  return made;
}

} // namespace hinesight::study
