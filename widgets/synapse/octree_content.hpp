#pragma once

#include "core/run_control.hpp"
#include "synapse/formation/formation.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::widgets {

/// Where neurons are, as the device takes it: x, y, z less the middle of the box, um.
struct NeuronCloud
{
  std::vector<float> points;
};

/// The synapses of every neuron, both ways.
struct SynapseLists
{
  synapse::Adjacency outgoing;
  synapse::Adjacency incoming;
};

/// Synapses of a neuron, a partner with a weight of several counting as often.
std::size_t degree(const synapse::Adjacency& list, std::uint32_t neuron);

/// Sought elements that no synapse took.
struct VacancyLeft
{
  std::vector<std::uint32_t> ofNeuron;
  std::uint32_t most = 0; ///< of a neuron
};

/// A formation with what the octree view needs of it.
struct OctreeContent
{
  std::shared_ptr<const synapse::Formation> formation;
  std::shared_ptr<const NeuronCloud> cloud;
  std::shared_ptr<const SynapseLists> synapses;
  std::shared_ptr<const VacancyLeft> left;
};

// Both on any thread. They throw Error(Cancelled).
std::shared_ptr<const NeuronCloud> makeNeuronCloud(const synapse::NeuronPopulation& population,
                                                   const synapse::Octree& tree, const RunControl& control = {});
OctreeContent makeOctreeContent(std::shared_ptr<const synapse::Formation> formation,
                                std::shared_ptr<const NeuronCloud> cloud, const RunControl& control = {});

} // namespace hinesight::widgets
