#include "widgets/synapse/octree_content.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kBetweenLooks = 1U << 16; ///< neurons from one look whether to stop to the next

void lookWhetherToStop(const RunControl& control, std::size_t neuron)
{
  if (neuron % kBetweenLooks == 0) {
    control.checkpoint();
  }
}

/// What the search found vacant at each neuron, less its synapses that hold such an element.
std::shared_ptr<const VacancyLeft> leftOf(const synapse::Formation& formation, const synapse::Adjacency& held,
                                          const RunControl& control)
{
  auto left = std::make_shared<VacancyLeft>();
  left->ofNeuron.resize(formation.population->size());
  for (std::uint32_t neuron = 0; neuron < left->ofNeuron.size(); ++neuron) {
    lookWhetherToStop(control, neuron);
    const std::uint32_t leaf = formation.tree->leafNode[neuron];
    std::size_t sought = 0;
    for (const synapse::VacantElements& channel : formation.sought) {
      sought += channel.count.empty() ? 0 : channel.count[leaf];
    }
    left->ofNeuron[neuron] = static_cast<std::uint32_t>(sought - std::min(sought, degree(held, neuron)));
    left->most = std::max(left->most, left->ofNeuron[neuron]);
  }
  return left;
}

} // namespace

std::size_t degree(const synapse::Adjacency& list, std::uint32_t neuron)
{
  std::size_t synapses = 0;
  for (std::uint64_t k = list.offset[neuron]; k < list.offset[neuron + 1]; ++k) {
    synapses += static_cast<std::size_t>(std::abs(list.weight[k]));
  }
  return synapses;
}

std::shared_ptr<const NeuronCloud> makeNeuronCloud(const synapse::NeuronPopulation& population,
                                                   const synapse::Octree& tree, const RunControl& control)
{
  auto cloud = std::make_shared<NeuronCloud>();
  cloud->points.resize(3 * population.size());
  for (std::size_t neuron = 0; neuron < population.size(); ++neuron) {
    lookWhetherToStop(control, neuron);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cloud->points[3 * neuron + axis] =
          static_cast<float>(population.position[neuron][axis] - tree.lowest[axis] - tree.edge / 2);
    }
  }
  return cloud;
}

OctreeContent makeOctreeContent(std::shared_ptr<const synapse::Formation> formation,
                                std::shared_ptr<const NeuronCloud> cloud, const RunControl& control)
{
  auto lists = std::make_shared<SynapseLists>();
  control.checkpoint();
  lists->outgoing = synapse::outgoing(formation->network);
  control.checkpoint();
  lists->incoming = synapse::incoming(formation->network);
  const bool dendritesSeek = formation->parameters.search.kind == synapse::SearchKind::Inverse;
  auto left = leftOf(*formation, dendritesSeek ? lists->outgoing : lists->incoming, control);
  return {std::move(formation), std::move(cloud), std::move(lists), std::move(left)};
}

} // namespace hinesight::widgets
