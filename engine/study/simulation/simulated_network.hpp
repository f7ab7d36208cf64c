#pragma once

#include "selection/network_table.hpp"
#include "simulation/cells/cells.hpp"
#include "study/simulation/circuit_simulation.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hinesight::study {

struct SimulationModel;

/// A row for each pair of neurons of which one sends its spikes to the other, ordered by source and then by target.
/// Neurons are the nodes of all populations, one after another.
struct SimulatedPairs
{
  std::vector<std::uint64_t> offsets; ///< rows of neuron k; one more than neurons
  std::vector<std::uint32_t> target;
  std::vector<double> weight; ///< of all synapses of the pair together: µS, of a point neuron without unit
  std::vector<double> delay;  ///< ms, the least one
};

SimulatedPairs pairsOf(const CircuitSimulation& circuit);

/// The numbers of the nodes of all populations, one population after another, in theirs: their ids, of a population
/// with an id beyond 32 bits their places.
std::vector<std::uint32_t> numbersOf(const CircuitSimulation& circuit);

/// The neurons of what is simulated, for expressions. `spikes`: those until `time` ms; at 0 there is no run. Spike
/// sources have no count of theirs.
selection::NetworkTable networkOf(const std::shared_ptr<const SimulationModel>& model,
                                  std::span<const simulation::Spike> spikes, double time);

} // namespace hinesight::study
