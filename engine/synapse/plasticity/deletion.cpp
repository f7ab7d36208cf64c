#include "core/parallel.hpp"
#include "synapse/plasticity/connectivity.hpp"

#include <atomic>
#include <optional>
#include <utility>

namespace hinesight::synapse {

namespace {

constexpr std::size_t kGrain = 4096;

/// Deletes synapses from neurons of one pool, while those of the other pools wait.
class PoolDeletion
{
public:
  PoolDeletion(Connectivity& changed, const std::vector<std::uint8_t>& inhibitory, const PlasticityParameters& p,
               std::uint32_t atStep)
      : connectivity(changed), isInhibitory(inhibitory), parameters(p), step(atStep)
  {}

  /// Returns how many synapses went.
  std::uint64_t run(int pool)
  {
    commit(pool);
    const std::uint64_t gone = deleted.load();
    if (gone == 0)
      return 0;
    if (pool != kAxons && !in)
      in = incomingPairs(connectivity.graph);
    parallelFor(
        lost.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            if (lost[i] > 0)
              deleteOf(pool, static_cast<std::uint32_t>(i));
        },
        parameters.threads);
    return gone;
  }

private:
  void commit(int pool)
  {
    std::vector<double>& grown = connectivity.grown[pool];
    std::vector<std::uint32_t>& connected = connectivity.connected[pool];
    std::vector<double>& delta = connectivity.delta[pool];
    const double retract = growthOf(parameters, pool).retractRatio;
    lost.assign(grown.size(), 0);
    deleted = 0;
    parallelFor(
        grown.size(), kGrain,
        [&](std::size_t begin, std::size_t end) {
          std::uint64_t sum = 0;
          for (std::size_t i = begin; i < end; ++i) {
            const ElementUpdate update = commitElements(grown[i], connected[i], delta[i], retract);
            lost[i] = connected[i] - update.connected;
            sum += lost[i];
            grown[i] = update.grown;
            delta[i] = 0;
          }
          deleted += sum;
        },
        parameters.threads);
  }

  void deleteOf(int pool, std::uint32_t neuron)
  {
    std::uint32_t& connected = connectivity.connected[pool][neuron];
    DeletionDraw draw(parameters.search.seed, neuron, static_cast<std::uint32_t>(pool), step, connected, lost[neuron]);
    if (pool == kAxons)
      deleteOutgoing(neuron, draw);
    else
      deleteIncoming(neuron, pool - kDendrites, draw);
    connected -= lost[neuron];
  }

  void deleteOutgoing(std::uint32_t neuron, DeletionDraw& draw)
  {
    PlasticGraph& graph = connectivity.graph;
    std::vector<std::uint32_t>& partners = connectivity.connected[kDendrites + isInhibitory[neuron]];
    for (std::uint64_t pair = graph.offset[neuron]; pair < graph.offset[neuron + 1] && draw.left() > 0; ++pair)
      take(graph.units[pair], partners[graph.target[pair]], draw);
  }

  void deleteIncoming(std::uint32_t neuron, int channel, DeletionDraw& draw)
  {
    std::vector<std::uint32_t>& partners = connectivity.connected[kAxons];
    for (std::uint64_t place = in->offset[neuron]; place < in->offset[neuron + 1] && draw.left() > 0; ++place) {
      const std::uint32_t source = in->source[place];
      if (isInhibitory[source] == channel)
        take(connectivity.graph.units[in->pair[place]], partners[source], draw);
    }
  }

  /// The pair belongs to this neuron alone, its partner to many.
  static void take(std::uint32_t& units, std::uint32_t& partner, DeletionDraw& draw)
  {
    const std::uint32_t taken = draw.take(units);
    if (taken == 0)
      return;
    units -= taken;
    std::atomic_ref(partner).fetch_sub(taken, std::memory_order_relaxed);
  }

  Connectivity& connectivity;
  const std::vector<std::uint8_t>& isInhibitory;
  const PlasticityParameters& parameters;
  std::uint32_t step;
  std::optional<IncomingPairs> in;
  std::vector<std::uint32_t> lost; ///< synapses that each neuron loses
  std::atomic<std::uint64_t> deleted = 0;
};

} // namespace

std::uint64_t deleteSynapses(Connectivity& connectivity, const std::vector<std::uint8_t>& isInhibitory,
                             const PlasticityParameters& parameters, std::uint32_t step, const RunControl& control)
{
  PoolDeletion deletion(connectivity, isInhibitory, parameters, step);
  std::uint64_t deleted = 0;
  for (int pool = 0; pool < kPools; ++pool) {
    control.checkpoint();
    deleted += deletion.run(pool);
  }
  return deleted;
}

std::uint64_t disableNeurons(Connectivity& connectivity, const std::vector<std::uint8_t>& isInhibitory,
                             const std::vector<std::uint8_t>& enabled)
{
  PlasticGraph& graph = connectivity.graph;
  std::uint64_t deleted = 0;
  for (std::size_t i = 0; i < graph.neurons(); ++i) {
    std::vector<std::uint32_t>& partners = connectivity.connected[kDendrites + isInhibitory[i]];
    for (std::uint64_t pair = graph.offset[i]; pair < graph.offset[i + 1]; ++pair) {
      const std::uint32_t target = graph.target[pair];
      if (enabled[i] != 0 && enabled[target] != 0)
        continue;
      const std::uint32_t units = std::exchange(graph.units[pair], 0);
      connectivity.connected[kAxons][i] -= units;
      partners[target] -= units;
      deleted += units;
    }
  }
  if (deleted > 0)
    graph = mergeSynapses(std::move(graph), {});
  for (int pool = 0; pool < kPools; ++pool)
    for (std::size_t i = 0; i < enabled.size(); ++i)
      if (enabled[i] == 0)
        connectivity.grown[pool][i] = connectivity.delta[pool][i] = 0;
  return deleted;
}

} // namespace hinesight::synapse
