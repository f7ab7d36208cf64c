#pragma once

#include "app/selection/neuron_set.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::study {
struct SimulationModel;
}

namespace hinesight::app {

struct CircuitNeuron;

/// The neurons of a model that is simulated, numbered as its spikes are: cells, then point neurons. A selection knows
/// them by the names of their populations, as these are by now, and their numbers in them.
class SimulatedNeurons
{
public:
  /// Of no model: only another one may be assigned.
  SimulatedNeurons() = default;
  explicit SimulatedNeurons(std::shared_ptr<const study::SimulationModel> model);

  /// Of a population of the model, in the order of its nodes, without spike sources.
  std::vector<std::uint32_t> ofPopulation(std::size_t place) const;
  /// In its population.
  std::uint32_t numberOf(std::uint32_t neuron) const { return origins[neuron].number; }

  CircuitNeuron named(std::uint32_t neuron) const;
  NeuronSet named(const std::vector<std::uint32_t>& neurons) const;
  /// Those that are simulated and not in `left`, in the same order.
  std::vector<std::uint32_t> find(const std::vector<CircuitNeuron>& names, const NeuronSet& left) const;
  /// Those that are simulated and have a form.
  std::vector<std::uint32_t> findCells(const NeuronSet& names) const;

private:
  struct Origin
  {
    std::size_t population = 0; ///< of the model
    std::uint32_t number = 0;   ///< in it
  };
  struct Numbered
  {
    std::uint32_t number = 0; ///< in its population
    std::uint32_t neuron = 0;
  };

  std::map<std::string, std::size_t> placesOfPopulations() const;

  std::shared_ptr<const study::SimulationModel> model;
  std::vector<Origin> origins;                 ///< of each neuron
  std::vector<std::vector<Numbered>> numbered; ///< by population, the numbers ascending
};

} // namespace hinesight::app
