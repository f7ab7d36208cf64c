#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/plasticity/neurons/neuron_step.hpp"
#include "synapse/plasticity/plastic_graph.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

// The connectivity update on the CPU.

namespace hinesight::synapse {

/// What a connectivity update changes. Pools: axons, excitatory, inhibitory dendrites.
struct Connectivity
{
  std::array<std::vector<double>, kPools> grown;
  std::array<std::vector<std::uint32_t>, kPools> connected;
  std::array<std::vector<double>, kPools> delta; ///< grown since the last update
  PlasticGraph graph;
};

/// How the elements of a pool grow.
inline const GrowthParameters& growthOf(const PlasticityParameters& p, int pool)
{
  return pool == kAxons ? p.axon : pool == kDendrites ? p.excitatoryDendrite : p.inhibitoryDendrite;
}

struct ConnectivityChange
{
  std::uint64_t created = 0;
  std::uint64_t deleted = 0;
};

/// Commits the grown elements of all neurons pool by pool and deletes, for each, the synapses that have no element any
/// more, uniformly without replacement; the partner's element becomes vacant. Returns how many were deleted; pairs
/// without synapses stay in the graph with 0 units.
std::uint64_t deleteSynapses(Connectivity& connectivity, const std::vector<std::uint8_t>& isInhibitory,
                             const PlasticityParameters& parameters, std::uint32_t step, const RunControl& control);

/// Takes all elements and plastic synapses from the neurons that are not enabled; their partners' elements become
/// vacant. Returns how many synapses went.
std::uint64_t disableNeurons(Connectivity& connectivity, const std::vector<std::uint8_t>& isInhibitory,
                             const std::vector<std::uint8_t>& enabled);

/// One update: deletion, vacant elements in the octree, search, conflicts, new synapses. All or nothing: where it
/// throws (Error(Cancelled), Error(OutOfMemory)), `connectivity` is as before.
ConnectivityChange updateConnectivity(Connectivity& connectivity, const NeuronPopulation& population,
                                      const Octree& tree, const PlasticityParameters& parameters, std::uint32_t step,
                                      StageTimings& timings, const RunControl& control);

} // namespace hinesight::synapse
