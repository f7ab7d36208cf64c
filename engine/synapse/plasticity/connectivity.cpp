#include "synapse/plasticity/connectivity.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::synapse {

namespace {

/// Forms the synapses of one channel.
class ChannelFormation
{
public:
  ChannelFormation(Connectivity& changed, const NeuronPopulation& neurons, const Octree& octree,
                   const PlasticityParameters& p, std::uint32_t atStep)
      : connectivity(changed), population(neurons), tree(octree), parameters(p), step(atStep)
  {}

  void run(Channel channel, std::vector<NewSynapse>& added, StageTimings& timings, const RunControl& control)
  {
    Stopwatch stopwatch;
    const std::vector<std::uint32_t> axons = vacantAxons(channel), dendrites = vacantDendrites(channel);
    const bool inverse = parameters.search.kind == SearchKind::Inverse;
    const std::vector<std::uint32_t>& seeking = inverse ? dendrites : axons;
    const std::vector<std::uint32_t>& offered = inverse ? axons : dendrites;
    const auto some = [](std::uint32_t count) { return count > 0; };
    if (std::none_of(axons.begin(), axons.end(), some) || std::none_of(dendrites.begin(), dendrites.end(), some))
      return;
    const VacantElements sought = sumVacant(tree, population.position, offered, parameters.threads);
    timings.add("tree", stopwatch.lap());
    const std::vector<Request> requests = searchTargets(tree, population.position, seeking, sought, channel, step,
                                                        parameters.search, parameters.threads, control.silenced());
    timings.add("search", stopwatch.lap());
    const std::vector<std::uint8_t> granted =
        resolveConflicts(requests, offered, channel, step, parameters.search.seed, parameters.threads);
    timings.add("resolve", stopwatch.lap());
    for (std::size_t r = 0; r < requests.size(); ++r)
      if (granted[r] != 0)
        connect(inverse ? requests[r].found : requests[r].seeker, inverse ? requests[r].seeker : requests[r].found,
                channel, added);
    timings.add("edges", stopwatch.lap());
  }

private:
  std::uint32_t vacant(int pool, std::size_t neuron) const
  {
    return vacantElements(connectivity.grown[pool][neuron], connectivity.connected[pool][neuron]);
  }
  std::vector<std::uint32_t> vacantAxons(Channel channel) const
  {
    std::vector<std::uint32_t> counts(population.size(), 0);
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = population.isInhibitory[i] == channel ? vacant(kAxons, i) : 0;
    return counts;
  }
  std::vector<std::uint32_t> vacantDendrites(Channel channel) const
  {
    std::vector<std::uint32_t> counts(population.size(), 0);
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = vacant(kDendrites + channel, i);
    return counts;
  }
  void connect(std::uint32_t source, std::uint32_t target, Channel channel, std::vector<NewSynapse>& added)
  {
    ++connectivity.connected[kAxons][source];
    ++connectivity.connected[kDendrites + channel][target];
    added.push_back({source, target});
  }

  Connectivity& connectivity;
  const NeuronPopulation& population;
  const Octree& tree;
  const PlasticityParameters& parameters;
  std::uint32_t step;
};

} // namespace

ConnectivityChange updateConnectivity(Connectivity& connectivity, const NeuronPopulation& population,
                                      const Octree& tree, const PlasticityParameters& parameters, std::uint32_t step,
                                      StageTimings& timings, const RunControl& control)
{
  Stopwatch stopwatch;
  Connectivity changed = connectivity;
  ConnectivityChange change;
  change.deleted = deleteSynapses(changed, population.isInhibitory, parameters, step, control);
  timings.add("delete", stopwatch.elapsed());

  std::vector<NewSynapse> added;
  ChannelFormation formation(changed, population, tree, parameters, step);
  formation.run(kExcitatory, added, timings, control);
  formation.run(kInhibitory, added, timings, control);

  stopwatch.lap();
  change.created = added.size();
  if (change.created + change.deleted > 0) {
    std::sort(added.begin(), added.end());
    changed.graph = mergeSynapses(std::move(changed.graph), added);
  }
  connectivity = std::move(changed);
  timings.add("edges", stopwatch.elapsed());
  return change;
}

} // namespace hinesight::synapse
