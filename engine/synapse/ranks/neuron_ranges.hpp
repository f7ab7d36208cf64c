#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::synapse {

/// Neurons [begin, end) by number.
struct NeuronRange
{
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::size_t size() const { return end - begin; }
  bool holds(std::uint32_t neuron) const { return neuron >= begin && neuron < end; }
};

/// Which rank has the state of which neurons: a range each, as even as words of 64 neurons are, so that the bits of a
/// rank's neurons are words of their own. Where there are few neurons some ranks have none.
class NeuronRanges
{
public:
  NeuronRanges(std::size_t neurons, int ranks)
      : count(neurons), words((neurons + kWord - 1) / kWord), parts(static_cast<std::size_t>(ranks))
  {}

  NeuronRange of(int rank) const
  {
    const auto r = static_cast<std::size_t>(rank);
    return {static_cast<std::uint32_t>(beginOf(r)), static_cast<std::uint32_t>(beginOf(r + 1))};
  }
  /// Where each rank's begin; the last entry is the number of all.
  std::vector<std::size_t> begins() const
  {
    std::vector<std::size_t> all;
    for (std::size_t r = 0; r <= parts; ++r)
      all.push_back(beginOf(r));
    return all;
  }
  int owner(std::uint32_t neuron) const { return static_cast<int>(((neuron / kWord + 1) * parts - 1) / words); }
  std::size_t neurons() const { return count; }
  int ranks() const { return static_cast<int>(parts); }

private:
  static constexpr std::size_t kWord = 64;

  std::size_t beginOf(std::size_t rank) const { return std::min(count, words * rank / parts * kWord); }

  std::size_t count, words, parts;
};

} // namespace hinesight::synapse
