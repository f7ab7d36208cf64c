#pragma once

#include "app/selection/neuron_set.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace hinesight::app {

/// The hidden neurons that a page has left out of what it draws. There may be millions, of which a pick changes none:
/// a page maps them to what it draws only where `take` says so.
class HiddenNeurons
{
public:
  /// Whether these are others than before.
  bool take(const NeuronSet& now)
  {
    if (last == now)
      return false;
    last = now;
    return true;
  }
  /// The page draws other neurons: the next ones count as others.
  void forget() { last.reset(); }

private:
  std::optional<NeuronSet> last;
};

/// Those of a population of which a page draws the first `count` neurons.
inline NeuronSet::Numbers firstOf(const NeuronSet& set, const std::string& population, std::uint64_t count)
{
  const NeuronSet::Numbers& all = set.of(population);
  return {all.begin(), std::ranges::lower_bound(all, count)};
}

} // namespace hinesight::app
