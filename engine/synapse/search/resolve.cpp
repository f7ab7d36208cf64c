#include "core/radix_sort.hpp"
#include "synapse/search/search.hpp"
#include "synapse/search/search_step.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace hinesight::synapse {

namespace {

/// Of requests with one key the lower seeker is first, then the lower element, in whichever order they came.
void orderTies(std::span<const std::uint64_t> keys, std::span<std::uint32_t> order, std::span<const Request> requests)
{
  const auto isBefore = [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(requests[a].seeker, requests[a].element) < std::tuple(requests[b].seeker, requests[b].element);
  };
  for (std::size_t begin = 0; begin + 1 < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && keys[end] == keys[begin])
      ++end;
    if (end > begin + 1)
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end),
                isBefore);
    begin = end;
  }
}

} // namespace

std::vector<std::uint8_t> resolveConflicts(std::span<const Request> requests, std::span<const std::uint32_t> vacant,
                                           Channel channel, std::uint32_t step, std::uint64_t seed, int threads)
{
  std::vector<std::uint64_t> keys(requests.size());
  std::vector<std::uint32_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = 0; i < requests.size(); ++i)
    keys[i] = conflictKey({seed, step, channel, requests[i].seeker}, requests[i].element, requests[i].found);
  radixSort(keys, order, threads);
  orderTies(keys, order, requests);
  std::vector<std::uint8_t> granted(requests.size());
  std::size_t first = 0; // of the requests on the same neuron
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t target = requests[order[i]].found;
    if (target != requests[order[first]].found)
      first = i;
    granted[order[i]] = i - first < vacant[target];
  }
  return granted;
}

} // namespace hinesight::synapse
