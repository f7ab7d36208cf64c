#include "io/network_start.hpp"

#include "core/error.hpp"

#include <cstdlib>
#include <utility>

namespace hinesight::io {

void requireNeuronsOf(const StoredNetwork& network, std::size_t neurons, const std::string& name)
{
  if (network.neurons() > neurons)
    throw Error(ErrorCode::BadParameter,
                "is a network of " + std::to_string(network.neurons()) + " neurons, but there are " +
                    std::to_string(neurons) + "; give the positions that belong to it",
                name);
}

std::unique_ptr<synapse::PlasticityModel> startFromNetwork(std::shared_ptr<const synapse::NeuronPopulation> population,
                                                           const synapse::PlasticityParameters& parameters,
                                                           const StoredNetwork& network, const std::string& name)
{
  requireNeuronsOf(network, population->size(), name);
  const synapse::StaticNetwork fixed = {population->size(), network.fixed};
  synapse::PlasticityParameters onHost = parameters;
  onHost.backend = Backend::Cpu;
  synapse::PlasticityProgress start = makePlasticityModel(population, onHost, fixed)->progress();
  start.network = {population->size(), network.plastic.synapses};
  for (const synapse::Synapse& synapse : start.network.synapses) {
    const auto count = static_cast<std::uint32_t>(std::abs(synapse.weight));
    const std::size_t pool = population->isInhibitory[synapse.source] != 0 ? 2 : 1;
    start.neurons.connected[0][synapse.source] += count;
    start.neurons.grown[0][synapse.source] += count;
    start.neurons.connected[pool][synapse.target] += count;
    start.neurons.grown[pool][synapse.target] += count;
  }
  return continuePlasticityModel(std::move(population), parameters, fixed, start);
}

} // namespace hinesight::io
