#include "io/stored_network.hpp"

#include "core/error.hpp"
#include "synapse/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::io::detail {

namespace {

constexpr double kMostWeight = std::numeric_limits<std::int32_t>::max();

/// Before `b`: by source, target, then inhibitory before excitatory.
bool precedes(const synapse::Synapse& a, const synapse::Synapse& b)
{
  if (a.source != b.source)
    return a.source < b.source;
  return a.target != b.target ? a.target < b.target : a.weight < 0 && b.weight > 0;
}

} // namespace

NetworkBuilder::NetworkBuilder(std::string file, std::uint64_t count) : path(std::move(file)), neurons(count)
{
  if (count >= synapse::kNoTarget)
    fail("has " + std::to_string(count) + " neurons, more than there can be", 0);
}

void NetworkBuilder::fail(const std::string& what, std::int64_t line) const
{
  throw Error(ErrorCode::BadFormat, line > 0 || rows() == 0 ? what : "row " + std::to_string(rows() + 1) + " " + what,
              path, line);
}

void NetworkBuilder::add(std::uint64_t source, std::uint64_t target, double weight, bool isPlastic, std::int64_t line)
{
  const std::uint64_t limit = neurons > 0 ? neurons : synapse::kNoTarget;
  if (std::max(source, target) >= limit)
    fail("names neuron " + std::to_string(std::max(source, target)) + " (counted from 0) of " + std::to_string(limit),
         line);
  if (!(std::abs(weight) >= 1 && std::abs(weight) <= kMostWeight) || weight != std::trunc(weight))
    fail("has a weight that is no count of synapses: a whole number of 1 or more, negative from inhibitory axons",
         line);
  named = std::max(named, std::max(source, target) + 1);
  (isPlastic ? plastic : fixed)
      .push_back(
          {static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(target), static_cast<std::int32_t>(weight)});
}

void NetworkBuilder::order(std::vector<synapse::Synapse>& synapses) const
{
  if (!std::is_sorted(synapses.begin(), synapses.end(), precedes))
    std::stable_sort(synapses.begin(), synapses.end(), precedes);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < synapses.size(); ++i) {
    synapse::Synapse& last = synapses[kept > 0 ? kept - 1 : 0];
    if (kept == 0 || precedes(last, synapses[i])) {
      synapses[kept++] = synapses[i];
      continue;
    }
    const double sum = static_cast<double>(last.weight) + synapses[i].weight;
    if (std::abs(sum) > kMostWeight)
      throw Error(ErrorCode::BadFormat,
                  "the synapses from neuron " + std::to_string(last.source) + " to " + std::to_string(last.target) +
                      " (counted from 0) are more than there can be",
                  path);
    last.weight = static_cast<std::int32_t>(sum);
  }
  synapses.resize(kept);
}

StoredNetwork NetworkBuilder::finish(std::uint32_t step)
{
  order(plastic);
  order(fixed);
  StoredNetwork network;
  network.plastic.neurons = neurons > 0 ? neurons : named;
  network.plastic.synapses = std::move(plastic);
  network.fixed = std::move(fixed);
  network.step = step;
  return network;
}

} // namespace hinesight::io::detail
