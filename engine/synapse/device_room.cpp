#include "synapse/device_room.hpp"

#include "synapse/formation/network.hpp"
#include "synapse/search/pair_key.hpp"
#include "synapse/search/search.hpp"

#include <algorithm>
#include <cstdint>

namespace hinesight::synapse::detail {

namespace {

// Of a neuron.
constexpr std::size_t kOctreeBytes = 54; // order, code, grid and place; next, leaf and level of two nodes
constexpr std::size_t kSearchBytes = 12; // first slot and seeker
constexpr std::size_t kVacantBytes = 8;  // axons and dendrites
constexpr std::size_t kSumBytes = 74;    // sums by place; counts and search nodes of 1.4 nodes
constexpr std::size_t kOffsetBytes = 16; // of its synapses in the graph, outgoing and incoming
constexpr std::size_t kStateBytes = 110; // potential, recovery, calcium, three pools, inputs of two steps, kind, area
constexpr std::size_t kSavepointBytes = 60; // three pools

// Of a pair of neurons that has synapses: its key, their number and its source among the incoming ones.
constexpr std::size_t kPairBytes = sizeof(PairKey) + 2 * sizeof(std::uint32_t);
constexpr std::size_t kFormedPairBytes = sizeof(PairKey) + sizeof(std::uint32_t); // without that
// On one of several GPUs: its place in the list of those whose targets it steps, and that of a neuron.
constexpr std::size_t kSentPairBytes = 2 * sizeof(std::uint32_t);
constexpr std::size_t kSentOffsetBytes = sizeof(std::uint64_t);
// The first synapses are sorted into a second array.
constexpr std::size_t kScratchBytes = sizeof(PairKey);
// Of an element that seeks: its request as found, with spare places, and as gathered; sorted by two keys, with a flag
// and the pair.
constexpr std::size_t kRequestBytes =
    2 * sizeof(Request) + sizeof(Request) / 8 + 3 * sizeof(PairKey) + 2 * sizeof(std::uint32_t) + 1;
// Of one of the items of a sort: a second array of both, and what its blocks count.
constexpr std::size_t kSortBytes = sizeof(PairKey) + sizeof(std::uint32_t) + 1;

} // namespace

std::size_t sortingBytes(std::size_t items)
{
  constexpr std::size_t kAtLeast = std::size_t{1} << 20; // of few items, and of other algorithms
  return items * kSortBytes + kAtLeast;
}

DeviceBytes deviceBytesOfFormation(std::size_t neurons, std::size_t elements, std::size_t seeking)
{
  const std::size_t ofNeurons = neurons * (kOctreeBytes + kSearchBytes + kVacantBytes + kSumBytes);
  const std::size_t ofSearch = elements * kRequestBytes;
  const std::size_t ofGraph = seeking * (kFormedPairBytes + kScratchBytes + sizeof(Synapse)); // as they are downloaded
  const std::size_t fresh = seeking * sizeof(PairKey);                                        // the new synapses
  const std::size_t sorted = std::max({neurons, elements, seeking}) * kSortBytes;
  return {ofNeurons + fresh + ofSearch + ofGraph + sorted, ofNeurons + fresh + sorted + std::max(ofSearch, ofGraph)};
}

std::size_t deviceBytesOfModel(std::size_t neurons, std::size_t pairs, std::size_t gpus, bool hasTree)
{
  const std::size_t ofTree = hasTree ? neurons * (kOctreeBytes + kSearchBytes + kSumBytes) : 0;
  const std::size_t ofSent = gpus > 1 ? neurons * kSentOffsetBytes + pairs / gpus * kSentPairBytes : 0;
  return ofTree + ofSent + neurons * (kVacantBytes + kOffsetBytes + kStateBytes + kSavepointBytes) + pairs * kPairBytes;
}

} // namespace hinesight::synapse::detail
