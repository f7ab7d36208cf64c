#pragma once

#include "core/communicator.hpp"
#include "core/rank_tasks.hpp"
#include "core/run_control.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/ranks/neuron_ranges.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::synapse {

/// Vacant elements by neuron, and which of them seek.
struct VacantByNeuron
{
  std::array<std::vector<std::uint32_t>, kChannels> axons;
  std::array<std::vector<std::uint32_t>, kChannels> dendrites;

  const std::vector<std::uint32_t>& seeking(int channel, SearchKind kind) const
  {
    return kind == SearchKind::Inverse ? dendrites[channel] : axons[channel];
  }
  const std::vector<std::uint32_t>& offered(int channel, SearchKind kind) const
  {
    return kind == SearchKind::Inverse ? axons[channel] : dendrites[channel];
  }
};

/// Of a range of neurons, from the first of them on.
VacantByNeuron vacantByNeuron(const NeuronPopulation& population, const FormationParameters& parameters,
                              const NeuronRange& range);

/// Whether so few neurons are done sooner on one rank. On an H100, updates and steps gain from a second GPU from some
/// 500,000 neurons on; CPU ranks share whatever there is.
bool areTooFewToShare(std::size_t neurons, Backend backend);

/// One connectivity update on ranks: the octree and the vacant elements are whole on every rank, or each has what its
/// neurons need (TreeOnRanks); the search and its conflicts are split, and each rank has the synapses of its own
/// neurons' axons (NeuronRanges). Collective; all ranks
/// give the same population and parameters, which are sound. On rank 0 the network is whole in the end, and the
/// formation is what one rank alone makes, byte for byte. Throws FailedTogether as formSynapses.
std::shared_ptr<Formation> formOnRanks(Communicator& ranks, std::shared_ptr<const NeuronPopulation> population,
                                       const FormationParameters& parameters, const RunControl& control);

/// Of rank 0: the others join a formation task; as formOnRanks.
std::shared_ptr<Formation> leadFormation(Communicator& ranks, std::shared_ptr<const NeuronPopulation> population,
                                         const FormationParameters& parameters, const RunControl& control);

/// What the other ranks join. `control` cancels their work.
RankTask formationTask(const RunControl& control);

/// The neurons of rank 0 on all ranks, which keep them; the others give none. Where they are from is not told.
/// Collective.
std::shared_ptr<const NeuronPopulation> broadcastPopulation(Communicator& ranks,
                                                            std::shared_ptr<const NeuronPopulation> population);

} // namespace hinesight::synapse
