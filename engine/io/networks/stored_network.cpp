#include "io/networks/stored_network.hpp"

#include "core/error.hpp"
#include "synapse/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::io::detail {

namespace {

constexpr double kMostWeight = std::numeric_limits<std::int32_t>::max();
constexpr double kMostStaticWeight = 1e9;

/// Before `b`: by source, target, then inhibitory before excitatory.
template <typename Synapse>
bool precedes(const Synapse& a, const Synapse& b)
{
  if (a.source != b.source)
    return a.source < b.source;
  return a.target != b.target ? a.target < b.target : a.weight < 0 && b.weight >= 0;
}

/// Whether weights of a pair may have this sum.
bool isInRange(const synapse::Synapse&, double sum)
{
  return std::abs(sum) <= kMostWeight;
}
bool isInRange(const synapse::StaticSynapse&, double sum)
{
  return std::abs(sum) <= kMostStaticWeight;
}

} // namespace

NetworkBuilder::NetworkBuilder(std::string file, std::uint64_t count) : path(std::move(file)), neurons(count)
{
  if (count >= synapse::kNoTarget)
    throw Error(ErrorCode::BadFormat, "has " + std::to_string(count) + " neurons, more than there can be", path);
}

void NetworkBuilder::fail(const std::string& what, std::int64_t line) const
{
  throw Error(ErrorCode::BadFormat, line > 0 ? what : "row " + std::to_string(rows() + 1) + " " + what, path, line);
}

void NetworkBuilder::add(std::uint64_t source, std::uint64_t target, double weight, bool isPlastic, std::int64_t line)
{
  const std::uint64_t limit = neurons > 0 ? neurons : synapse::kNoTarget;
  if (std::max(source, target) >= limit)
    fail("names neuron " + std::to_string(std::max(source, target)) + " (counted from 0) of " + std::to_string(limit),
         line);
  const bool isCount = std::abs(weight) >= 1 && std::abs(weight) <= kMostWeight && weight == std::trunc(weight);
  if (isPlastic && !isCount)
    fail("has a weight that is no count of synapses: a whole number of 1 or more, negative from inhibitory axons",
         line);
  // Written so that what is no number is refused too.
  if (!isPlastic && !(std::abs(weight) <= kMostStaticWeight))
    fail("has a static weight that is not a number from -1e9 to 1e9", line);
  named = std::max(named, std::max(source, target) + 1);
  const auto from = static_cast<std::uint32_t>(source), onto = static_cast<std::uint32_t>(target);
  if (isPlastic)
    plastic.push_back({from, onto, static_cast<std::int32_t>(weight)});
  else
    fixed.push_back({from, onto, weight});
}

template <typename Synapses>
void NetworkBuilder::order(Synapses& synapses) const
{
  using Synapse = typename Synapses::value_type;
  if (!std::is_sorted(synapses.begin(), synapses.end(), precedes<Synapse>))
    std::stable_sort(synapses.begin(), synapses.end(), precedes<Synapse>);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < synapses.size(); ++i) {
    Synapse& last = synapses[kept > 0 ? kept - 1 : 0];
    if (kept == 0 || precedes(last, synapses[i])) {
      synapses[kept++] = synapses[i];
      continue;
    }
    const double sum = static_cast<double>(last.weight) + synapses[i].weight;
    if (!isInRange(last, sum))
      throw Error(ErrorCode::BadFormat,
                  "the synapses from neuron " + std::to_string(last.source) + " to " + std::to_string(last.target) +
                      " (counted from 0) are more than there can be",
                  path);
    last.weight = static_cast<decltype(last.weight)>(sum);
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
