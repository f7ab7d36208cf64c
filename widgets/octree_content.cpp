#include "widgets/octree_content.hpp"

#include <cstdlib>
#include <utility>

namespace hinesight::widgets {

std::size_t degree(const synapse::Adjacency& list, std::uint32_t neuron)
{
  std::size_t synapses = 0;
  for (std::uint64_t k = list.offset[neuron]; k < list.offset[neuron + 1]; ++k) {
    synapses += static_cast<std::size_t>(std::abs(list.weight[k]));
  }
  return synapses;
}

std::shared_ptr<const NeuronCloud> makeNeuronCloud(const synapse::NeuronPopulation& population,
                                                   const synapse::Octree& tree)
{
  auto cloud = std::make_shared<NeuronCloud>();
  cloud->points.resize(3 * population.size());
  for (std::size_t neuron = 0; neuron < population.size(); ++neuron) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cloud->points[3 * neuron + axis] =
          static_cast<float>(population.position[neuron][axis] - tree.lowest[axis] - tree.edge / 2);
    }
  }
  return cloud;
}

OctreeContent makeOctreeContent(std::shared_ptr<const synapse::Formation> formation,
                                std::shared_ptr<const NeuronCloud> cloud)
{
  auto lists = std::make_shared<SynapseLists>();
  lists->outgoing = synapse::outgoing(formation->network);
  lists->incoming = synapse::incoming(formation->network);
  const bool dendritesSeek = formation->parameters.search.kind == synapse::SearchKind::Inverse;
  const synapse::Adjacency& held = dendritesSeek ? lists->outgoing : lists->incoming;
  std::vector<std::uint32_t> taken(formation->population->size());
  for (std::uint32_t neuron = 0; neuron < taken.size(); ++neuron) {
    taken[neuron] = static_cast<std::uint32_t>(degree(held, neuron));
  }
  return {std::move(formation), std::move(cloud), std::move(lists), std::move(taken)};
}

} // namespace hinesight::widgets
