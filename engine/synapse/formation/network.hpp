#pragma once

#include <cstdint>
#include <vector>

namespace hinesight::synapse {

/// Plastic synapses from an axon neuron to a dendrite neuron.
struct Synapse
{
  std::uint32_t source = 0; ///< of the axon
  std::uint32_t target = 0; ///< of the dendrite
  std::int32_t weight = 0;  ///< how many: positive from excitatory axons, negative from inhibitory ones

  auto operator<=>(const Synapse&) const = default;
};

/// Ordered by source, then target; a pair appears once (per sign: a neuron's axons are all of one sign).
struct Network
{
  std::size_t neurons = 0;
  std::vector<Synapse> synapses;
};

/// A synapse that nothing deletes, with a weight of any size and sign.
struct StaticSynapse
{
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  double weight = 0;

  auto operator<=>(const StaticSynapse&) const = default;
};

/// In any order; a pair may appear more than once.
struct StaticNetwork
{
  std::size_t neurons = 0;
  std::vector<StaticSynapse> synapses;
};

/// Every unit of weight is a synapse.
std::uint64_t synapseCount(const Network& network);

/// Adds synapses, in any order: those of a pair and sign that is there already add to its weight. Sources and targets
/// must be below `neurons`. Throws Error(BadFormat) where a weight comes to more than 2^31 - 1.
void addSynapses(Network& network, std::vector<Synapse> fresh);

/// The same synapses grouped by neuron: entries [offset[i], offset[i + 1]) are those of neuron i, by partner.
struct Adjacency
{
  std::vector<std::uint64_t> offset; ///< size neurons + 1
  std::vector<std::uint32_t> partner;
  std::vector<std::int32_t> weight;
};

Adjacency outgoing(const Network& network);
Adjacency incoming(const Network& network);

} // namespace hinesight::synapse
