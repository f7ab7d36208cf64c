#include "synapse/device_room.hpp"

#include "synapse/search/pair_key.hpp"
#include "synapse/search/search.hpp"

#include <cstdint>

namespace hinesight::synapse::detail {

namespace {

// Of a neuron.
constexpr std::size_t kOctreeBytes = 58;  // order, code, leaf, grid and place; next, leaf and level of two nodes
constexpr std::size_t kSearchBytes = 20;  // first slot, seeker, vacant axons and dendrites
constexpr std::size_t kOffsetBytes = 16;  // of its synapses in the graph, outgoing and incoming
constexpr std::size_t kSortingBytes = 64; // what an update takes beforehand
constexpr std::size_t kStateBytes = 110;  // potential, recovery, calcium, three pools, inputs of two steps, kind, area
constexpr std::size_t kSavepointBytes = 60; // three pools

// Of a pair of neurons that has synapses: its key, their number and its place among the incoming ones.
constexpr std::size_t kPairBytes = sizeof(PairKey) + 2 * sizeof(std::uint32_t);
// The graph sorts pairs with the new ones into a second and a third array.
constexpr std::size_t kScratchBytes = 2 * (sizeof(PairKey) + sizeof(std::uint32_t));
// Of an element that seeks: its request as found and as gathered; sorted by two keys, with a flag and the pair.
constexpr std::size_t kRequestBytes = 2 * sizeof(Request) + 3 * sizeof(PairKey) + 2 * sizeof(std::uint32_t) + 1;
// Of one of the items of a sort, while it lasts.
constexpr std::size_t kSortBytes = sizeof(PairKey) + sizeof(std::uint32_t);

} // namespace

std::size_t deviceBytesOfFormation(std::size_t neurons, std::size_t elements, std::size_t seeking)
{
  return neurons * (kOctreeBytes + kSearchBytes + kOffsetBytes + kSortingBytes) + elements * kRequestBytes +
         seeking * (sizeof(PairKey) + kPairBytes + kScratchBytes + kSortBytes);
}

std::size_t deviceBytesOfModel(std::size_t neurons, std::size_t pairs)
{
  return neurons * (kOctreeBytes + kSearchBytes + kOffsetBytes + kStateBytes + kSavepointBytes) + pairs * kPairBytes;
}

} // namespace hinesight::synapse::detail
