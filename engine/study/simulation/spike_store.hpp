#pragma once

#include "simulation/simulation.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace hinesight::study {

/// All spikes of a run, by time and then by neuron.
class SpikeStore
{
public:
  /// In any order; most of them are later than those there are.
  void append(std::vector<simulation::Spike> spikes);
  void clear() { all.clear(); }
  const std::vector<simulation::Spike>& spikes() const { return all; }
  /// From a time to before another, ms.
  std::span<const simulation::Spike> between(double from, double to) const;

private:
  std::vector<simulation::Spike> all;
};

/// Spikes a second of each neuron of a group, bin after bin. `groupOf`: of each neuron; those of -1 are left out.
/// Bin k begins at from + k width, ms.
std::vector<std::vector<double>> spikeRates(std::span<const simulation::Spike> spikes, const std::vector<int>& groupOf,
                                            double from, double width, std::size_t bins);

} // namespace hinesight::study
