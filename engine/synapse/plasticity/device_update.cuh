#pragma once

// For .cu files only.

#include "synapse/plasticity/neurons/device_neurons.cuh"

#include <cstdint>

// The kernels of a connectivity update and of disabling neurons, launched on the default stream. None of these waits.

namespace hinesight::synapse::detail {

/// Adds what has grown to the elements of a pool. `lost`: synapses that each neuron is to lose, which are added up in
/// `deleted`.
void launchCommit(const NeuronsView& neurons, int pool, double retract, std::uint32_t* lost, std::uint64_t* deleted);
/// Deletes what each neuron loses in a pool, drawn as DeletionDraw says.
void launchDelete(const NeuronsView& neurons, const GraphView& graph, int pool, const std::uint32_t* lost,
                  std::uint64_t seed, std::uint32_t step);
/// Vacant axons of a channel's neurons, 0 for the others, and vacant dendrites.
void launchVacant(const NeuronsView& neurons, Channel channel, std::uint32_t* axons, std::uint32_t* dendrites);
/// Counts the elements of new synapses as connected.
void launchConnect(const NeuronsView& neurons, Channel channel, const PairKey* pairs, std::size_t count);
/// Takes spikes, elements and synapses from neurons that are not enabled; their partners' elements become vacant.
/// Synapses that go are added up in `deleted`; their pairs stay with 0 units.
void launchDisable(const NeuronsView& neurons, const GraphView& graph, std::uint64_t* deleted);

} // namespace hinesight::synapse::detail
