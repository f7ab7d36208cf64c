#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/plasticity/connectivity.hpp"
#include "synapse/ranks/essential_search.hpp"
#include "synapse/ranks/neuron_ranges.hpp"

#include <array>
#include <cstdint>
#include <vector>

// The connectivity update on ranks, each of which has the elements and the synapses of a range of neurons.

namespace hinesight::synapse {

/// What a connectivity update changes, of the neurons of one rank; neurons count from the first of them. A pair of
/// neurons of two ranks is with both: in `sent` of its axon's rank and in `received` of its dendrite's.
struct RankConnectivity
{
  std::array<std::vector<double>, kPools> grown;
  std::array<std::vector<std::uint32_t>, kPools> connected;
  std::array<std::vector<double>, kPools> delta;
  PlasticGraph sent;     ///< from own neurons to all, targets by number
  PlasticGraph received; ///< from all neurons to own ones: a list for every neuron, targets from the first own one
};

/// What all ranks know of a model whose connectivity is updated.
struct RankUpdateSetup
{
  const NeuronPopulation& population; ///< of all neurons
  const Octree* tree;                 ///< whole; null: there is `essential`
  const EssentialSearch* essential;   ///< null: there is `tree`
  const PlasticityParameters& parameters;
  const NeuronRanges& ranges;
  int threads;
};

/// One update, as updateConnectivity on one rank: deletion, vacant elements, search, conflicts, new synapses. For a
/// search over the whole tree the vacant elements of all neurons are gathered; everything else stays with its owner.
/// Returns the change on all ranks. All or nothing on all ranks together: where it throws FailedTogether,
/// `connectivity` is as before. Collective.
ConnectivityChange updateOnRanks(Communicator& ranks, const RankUpdateSetup& setup, RankConnectivity& connectivity,
                                 std::uint32_t step, StageTimings& timings, const RunControl& control);

/// As disableNeurons; `enabled` is of all neurons. Returns how many synapses went on all ranks. Collective.
std::uint64_t disableOnRanks(Communicator& ranks, const NeuronRanges& ranges, RankConnectivity& connectivity,
                             const std::vector<std::uint8_t>& isInhibitory, const std::vector<std::uint8_t>& enabled);

/// The synapses of a rank's neurons; `synapses` are those of its axons, in order. Collective: those of its dendrites
/// come from their axons' owners.
void takeSynapses(Communicator& ranks, const NeuronRanges& ranges, RankConnectivity& connectivity,
                  const std::vector<Synapse>& synapses);

} // namespace hinesight::synapse
