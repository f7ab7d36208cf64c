#include "synapse/plasticity/plastic_graph.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>

namespace hinesight::synapse {

IncomingPairs incomingPairs(const PlasticGraph& graph)
{
  return incomingPairs(graph, graph.neurons());
}

IncomingPairs incomingPairs(const PlasticGraph& graph, std::size_t targets)
{
  const std::size_t neurons = graph.neurons();
  IncomingPairs in;
  in.offset.assign(targets + 1, 0);
  for (const std::uint32_t target : graph.target)
    ++in.offset[target + 1];
  std::partial_sum(in.offset.begin(), in.offset.end(), in.offset.begin());
  in.source.resize(graph.pairs());
  in.pair.resize(graph.pairs());
  std::vector<std::uint64_t> end(in.offset.begin(), in.offset.end() - 1);
  for (std::size_t i = 0; i < neurons; ++i)
    for (std::uint64_t pair = graph.offset[i]; pair < graph.offset[i + 1]; ++pair) {
      const std::uint64_t place = end[graph.target[pair]]++;
      in.source[place] = static_cast<std::uint32_t>(i);
      in.pair[place] = pair;
    }
  return in;
}

namespace {

/// Appends pairs in order, one by one.
class GraphBuilder
{
public:
  GraphBuilder(std::size_t neurons, std::size_t pairs)
  {
    graph.offset.reserve(neurons + 1);
    graph.target.reserve(pairs);
    graph.units.reserve(pairs);
  }
  void add(std::uint32_t target, std::uint32_t units)
  {
    const bool again = graph.target.size() > graph.offset.back() && graph.target.back() == target;
    if (again) {
      graph.units.back() += units;
      return;
    }
    graph.target.push_back(target);
    graph.units.push_back(units);
  }
  void endNeuron() { graph.offset.push_back(graph.target.size()); }
  PlasticGraph take() { return std::move(graph); }

private:
  PlasticGraph graph;
};

[[noreturn]] void refuse(std::size_t index, const Synapse& synapse, const std::string& why)
{
  throw Error(ErrorCode::BadFormat, "Synapse " + std::to_string(index) + ", from neuron " +
                                        std::to_string(synapse.source) + " to " + std::to_string(synapse.target) +
                                        ", " + why + ".");
}

void requirePlastic(const Network& network, std::size_t index, const std::vector<std::uint8_t>& isInhibitory)
{
  const Synapse& s = network.synapses[index];
  if (s.source >= isInhibitory.size() || s.target >= isInhibitory.size())
    refuse(index, s, "names a neuron that is not there; there are " + std::to_string(isInhibitory.size()));
  if (s.source == s.target)
    refuse(index, s, "connects a neuron with itself");
  if (s.weight == 0 || (s.weight < 0) != (isInhibitory[s.source] != 0))
    refuse(index, s, "has weight " + std::to_string(s.weight) + "; that is not of its axon's sign");
  if (s.weight == std::numeric_limits<std::int32_t>::min())
    refuse(index, s, "has weight " + std::to_string(s.weight) + "; that is more than 2^31 - 1 synapses");
  if (index > 0) {
    const Synapse& before = network.synapses[index - 1];
    if (before.source > s.source || (before.source == s.source && before.target >= s.target))
      refuse(index, s, "is not behind the one before it in the order of sources, then targets");
  }
}

template <typename T>
void makeRoomInFront(std::vector<T>& items, std::size_t room)
{
  if (room == 0)
    return;
  const std::size_t count = items.size();
  items.reserve(count + room);
  items.resize(count + room);
  std::move_backward(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count), items.end());
}

} // namespace

PlasticGraph mergeSynapses(PlasticGraph graph, std::span<const NewSynapse> added)
{
  // What has been merged never reaches what has not.
  makeRoomInFront(graph.target, added.size());
  makeRoomInFront(graph.units, added.size());
  std::uint64_t kept = 0, pair = added.size();
  auto next = added.begin();
  for (std::size_t i = 0; i < graph.neurons(); ++i) {
    const std::uint64_t first = kept, end = added.size() + graph.offset[i + 1];
    const auto add = [&](std::uint32_t target, std::uint32_t units) {
      if (kept > first && graph.target[kept - 1] == target) {
        graph.units[kept - 1] += units;
        return;
      }
      graph.target[kept] = target;
      graph.units[kept++] = units;
    };
    const auto addUpTo = [&](std::uint64_t target) {
      for (; next != added.end() && next->source == i && next->target <= target; ++next)
        add(next->target, 1);
    };
    for (; pair < end; ++pair) {
      if (graph.units[pair] == 0)
        continue;
      addUpTo(graph.target[pair]);
      add(graph.target[pair], graph.units[pair]);
    }
    addUpTo(UINT64_MAX);
    graph.offset[i + 1] = kept;
  }
  graph.target.resize(kept);
  graph.units.resize(kept);
  return graph;
}

PlasticGraph graphOf(const Network& network, const std::vector<std::uint8_t>& isInhibitory)
{
  GraphBuilder builder(isInhibitory.size(), network.synapses.size());
  std::size_t index = 0;
  for (std::size_t i = 0; i < isInhibitory.size(); ++i) {
    for (; index < network.synapses.size() && network.synapses[index].source <= i; ++index) {
      requirePlastic(network, index, isInhibitory);
      const Synapse& synapse = network.synapses[index];
      builder.add(synapse.target, static_cast<std::uint32_t>(std::abs(synapse.weight)));
    }
    builder.endNeuron();
  }
  if (index < network.synapses.size())
    requirePlastic(network, index, isInhibitory);
  return builder.take();
}

Network networkOf(const PlasticGraph& graph, const std::vector<std::uint8_t>& isInhibitory)
{
  Network network;
  network.neurons = graph.neurons();
  network.synapses.reserve(graph.pairs());
  for (std::size_t i = 0; i < graph.neurons(); ++i)
    for (std::uint64_t pair = graph.offset[i]; pair < graph.offset[i + 1]; ++pair) {
      const auto units = static_cast<std::int32_t>(graph.units[pair]);
      network.synapses.push_back(
          {static_cast<std::uint32_t>(i), graph.target[pair], isInhibitory[i] != 0 ? -units : units});
    }
  return network;
}

} // namespace hinesight::synapse
