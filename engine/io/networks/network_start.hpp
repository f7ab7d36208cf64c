#pragma once

#include "io/networks/stored_network.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace hinesight::io {

/// A model that begins with a network: with elements for its plastic synapses, its static ones as they are. `name` is
/// the file that errors name. Throws Error(BadParameter) where the network has more neurons than the population, and as
/// addHeld and makePlasticityModel.
std::unique_ptr<synapse::PlasticityModel> startFromNetwork(std::shared_ptr<const synapse::NeuronPopulation> population,
                                                           const synapse::PlasticityParameters& parameters,
                                                           const StoredNetwork& network, const std::string& name);

/// Throws Error(BadParameter) where the network has more neurons than there are.
void requireNeuronsOf(const StoredNetwork& network, std::size_t neurons, const std::string& name);

/// Adds the synapses of a weight to the elements of one kind that they hold of a neuron. Throws Error(BadFormat), which
/// names the neuron and the file `name`, where these come to more than 2^32 - 1.
void addHeld(std::uint32_t& held, std::int32_t weight, std::uint32_t neuron, const std::string& name);

} // namespace hinesight::io
