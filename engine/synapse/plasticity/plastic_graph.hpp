#pragma once

#include "synapse/formation/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::synapse {

/// Plastic synapses as lists by axon neuron: those of neuron i are [offset[i], offset[i + 1]), ordered by target, a
/// pair once. The sign of a synapse is that of its axon neuron.
struct PlasticGraph
{
  std::vector<std::uint64_t> offset = {0}; ///< size neurons + 1
  std::vector<std::uint32_t> target;
  std::vector<std::uint32_t> units; ///< how many synapses the pair has; 0 only while synapses are being deleted

  std::size_t neurons() const { return offset.size() - 1; }
  std::size_t pairs() const { return target.size(); }
};

/// The same pairs by dendrite neuron: those of neuron i are [offset[i], offset[i + 1]), ordered by source.
struct IncomingPairs
{
  std::vector<std::uint64_t> offset;
  std::vector<std::uint32_t> source;
  std::vector<std::uint64_t> pair; ///< its place in the graph
};

IncomingPairs incomingPairs(const PlasticGraph& graph);
/// The same of a graph whose targets are numbered apart from its sources, from 0 to `targets` - 1.
IncomingPairs incomingPairs(const PlasticGraph& graph, std::size_t targets);

/// A new synapse, ordered by source, then target.
struct NewSynapse
{
  std::uint32_t source = 0;
  std::uint32_t target = 0;

  auto operator<=>(const NewSynapse&) const = default;
};

/// The graph without pairs of 0 units and with new synapses, which must be ordered; equal ones add up.
PlasticGraph mergeSynapses(PlasticGraph graph, std::span<const NewSynapse> added);

/// Throws Error(BadFormat) for a neuron out of range, a pair that is out of order or twice, a synapse from a neuron to
/// itself, and a weight that is 0 or not of its axon's sign.
PlasticGraph graphOf(const Network& network, const std::vector<std::uint8_t>& isInhibitory);
Network networkOf(const PlasticGraph& graph, const std::vector<std::uint8_t>& isInhibitory);

} // namespace hinesight::synapse
