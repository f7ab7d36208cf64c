#include "study/simulation/spike_store.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::study {

namespace {

bool isBefore(const simulation::Spike& a, const simulation::Spike& b)
{
  return a.time != b.time ? a.time < b.time : a.cell < b.cell;
}

} // namespace

void SpikeStore::append(std::vector<simulation::Spike> spikes)
{
  if (spikes.empty())
    return;
  std::ranges::sort(spikes, isBefore);
  // What is there and later than the first new one is merged; mostly nothing.
  const auto from = std::ranges::upper_bound(all, spikes.front(), isBefore) - all.begin();
  const auto middle = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), spikes.begin(), spikes.end());
  std::inplace_merge(all.begin() + from, all.begin() + middle, all.end(), isBefore);
}

std::span<const simulation::Spike> SpikeStore::between(double from, double to) const
{
  const auto begin = std::ranges::lower_bound(all, from, {}, &simulation::Spike::time);
  const auto end = std::ranges::lower_bound(begin, all.end(), to, {}, &simulation::Spike::time);
  return {begin, end};
}

std::vector<std::vector<double>> spikeRates(std::span<const simulation::Spike> spikes, const std::vector<int>& groupOf,
                                            double from, double width, std::size_t bins)
{
  constexpr double kSecond = 1000; // ms
  const int last = groupOf.empty() ? -1 : *std::ranges::max_element(groupOf);
  std::vector<std::vector<double>> rates(static_cast<std::size_t>(last + 1), std::vector<double>(bins, 0));
  std::vector<double> neurons(rates.size(), 0);
  for (const int group : groupOf)
    if (group >= 0)
      ++neurons[static_cast<std::size_t>(group)];
  for (const simulation::Spike& spike : spikes) {
    const double bin = std::floor((spike.time - from) / width);
    if (bin < 0 || bin >= static_cast<double>(bins) || groupOf[spike.cell] < 0)
      continue;
    const auto group = static_cast<std::size_t>(groupOf[spike.cell]);
    rates[group][static_cast<std::size_t>(bin)] += kSecond / (width * neurons[group]);
  }
  return rates;
}

} // namespace hinesight::study
