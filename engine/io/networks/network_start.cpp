#include "io/networks/network_start.hpp"

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

void addHeld(std::uint32_t& held, std::int32_t weight, std::uint32_t neuron, const std::string& name)
{
  const std::int64_t sum = held + std::abs(std::int64_t{weight});
  if (sum > UINT32_MAX)
    throw Error(ErrorCode::BadFormat,
                "gives neuron " + std::to_string(neuron) +
                    " (counted from 0) more than 4,294,967,295 synapses of one kind; give smaller weights",
                name);
  held = static_cast<std::uint32_t>(sum);
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
    const auto count = static_cast<double>(std::abs(std::int64_t{synapse.weight}));
    const std::size_t pool = population->isInhibitory[synapse.source] != 0 ? 2 : 1;
    addHeld(start.neurons.connected[0][synapse.source], synapse.weight, synapse.source, name);
    start.neurons.grown[0][synapse.source] += count;
    addHeld(start.neurons.connected[pool][synapse.target], synapse.weight, synapse.target, name);
    start.neurons.grown[pool][synapse.target] += count;
  }
  return continuePlasticityModel(std::move(population), parameters, fixed, start);
}

} // namespace hinesight::io
