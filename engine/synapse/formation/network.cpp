#include "synapse/formation/network.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

namespace hinesight::synapse {

namespace {

bool areMerged(const Synapse& a, const Synapse& b)
{
  return a.source == b.source && a.target == b.target && (a.weight < 0) == (b.weight < 0);
}

bool isBefore(const Synapse& a, const Synapse& b)
{
  return std::tuple(a.source, a.target, a.weight >= 0) < std::tuple(b.source, b.target, b.weight >= 0);
}

/// Of two synapses of a pair and sign.
std::int32_t weightOfBoth(const Synapse& a, const Synapse& b)
{
  const std::int64_t sum = std::int64_t{a.weight} + b.weight;
  if (std::abs(sum) > INT32_MAX)
    throw Error(ErrorCode::BadFormat, "The synapses from neuron " + std::to_string(a.source) + " to " +
                                          std::to_string(a.target) +
                                          " (counted from 0) are more than 2,147,483,647; give smaller weights.");
  return static_cast<std::int32_t>(sum);
}

/// One of several of the same pair and sign, in an ordered list.
void mergeEqual(std::vector<Synapse>& synapses)
{
  std::size_t kept = 0;
  for (std::size_t i = 0; i < synapses.size(); ++i) {
    if (kept > 0 && areMerged(synapses[kept - 1], synapses[i]))
      synapses[kept - 1].weight = weightOfBoth(synapses[kept - 1], synapses[i]);
    else
      synapses[kept++] = synapses[i];
  }
  synapses.resize(kept);
}

template <typename Of, typename Partner>
Adjacency groupBy(const Network& network, Of of, Partner partner)
{
  Adjacency adjacency;
  adjacency.offset.assign(network.neurons + 1, 0);
  for (const Synapse& synapse : network.synapses)
    ++adjacency.offset[of(synapse) + 1];
  for (std::size_t neuron = 0; neuron < network.neurons; ++neuron)
    adjacency.offset[neuron + 1] += adjacency.offset[neuron];
  adjacency.partner.resize(network.synapses.size());
  adjacency.weight.resize(network.synapses.size());
  std::vector<std::uint64_t> place(adjacency.offset.begin(), adjacency.offset.end() - 1);
  // In order of source, then target: so partners come in order, whichever of them it is.
  for (const Synapse& synapse : network.synapses) {
    const std::uint64_t at = place[of(synapse)]++;
    adjacency.partner[at] = partner(synapse);
    adjacency.weight[at] = synapse.weight;
  }
  return adjacency;
}

} // namespace

std::uint64_t synapseCount(const Network& network)
{
  std::uint64_t count = 0;
  for (const Synapse& synapse : network.synapses)
    count += static_cast<std::uint64_t>(std::abs(std::int64_t{synapse.weight}));
  return count;
}

void addSynapses(Network& network, std::vector<Synapse> fresh)
{
  std::ranges::sort(fresh, isBefore);
  std::vector<Synapse>& synapses = network.synapses;
  if (synapses.empty()) {
    synapses = std::move(fresh);
  } else {
    const auto old = static_cast<std::ptrdiff_t>(synapses.size());
    synapses.insert(synapses.end(), fresh.begin(), fresh.end());
    std::inplace_merge(synapses.begin(), synapses.begin() + old, synapses.end(), isBefore);
  }
  mergeEqual(synapses);
}

Adjacency outgoing(const Network& network)
{
  return groupBy(
      network, [](const Synapse& s) { return s.source; }, [](const Synapse& s) { return s.target; });
}

Adjacency incoming(const Network& network)
{
  return groupBy(
      network, [](const Synapse& s) { return s.target; }, [](const Synapse& s) { return s.source; });
}

} // namespace hinesight::synapse
