#pragma once

#include "synapse/formation.hpp"

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

/// A formation with what the octree view needs of it.
struct OctreeContent
{
  std::shared_ptr<const synapse::Formation> formation;
  std::shared_ptr<const NeuronCloud> cloud;
  std::shared_ptr<const SynapseLists> synapses;
  std::vector<std::uint32_t> taken; ///< per neuron: synapses that hold one of its sought elements
};

// Both on any thread.
std::shared_ptr<const NeuronCloud> makeNeuronCloud(const synapse::NeuronPopulation& population,
                                                   const synapse::Octree& tree);
OctreeContent makeOctreeContent(std::shared_ptr<const synapse::Formation> formation,
                                std::shared_ptr<const NeuronCloud> cloud);

} // namespace hinesight::widgets
