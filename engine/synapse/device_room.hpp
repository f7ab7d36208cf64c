#pragma once

#include <cstddef>

// What formation and growth of synapses hold in a GPU's memory at once. Their trees and graphs are of all neurons, so
// that they cannot go through it part by part.

namespace hinesight::synapse::detail {

/// Bytes that work takes at least: where all its memory is there from the beginning, and where each stage takes its
/// own.
struct DeviceBytes
{
  std::size_t together = 0;
  std::size_t inTurn = 0;
};

/// What CUB takes for sorting so many pairs of 64-bit keys and 32-bit values.
std::size_t sortingBytes(std::size_t items);

/// Of a connectivity update of so many neurons, where at most `elements` seek in one channel and `seeking` in both.
DeviceBytes deviceBytesOfFormation(std::size_t neurons, std::size_t elements, std::size_t seeking);

/// Bytes that the plasticity model of so many neurons takes at least on each of so many GPUs, with so many pairs of
/// neurons that have synapses; `hasTree`: with the octree of all neurons and what its search needs.
std::size_t deviceBytesOfModel(std::size_t neurons, std::size_t pairs, std::size_t gpus = 1, bool hasTree = true);

} // namespace hinesight::synapse::detail
