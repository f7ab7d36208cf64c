#include "core/error.hpp"
#include "core/radix_sort.hpp"
#include "synapse/search/search_parts.hpp"
#include "synapse/search/search_step.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
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

constexpr std::size_t kMostSorted = std::numeric_limits<std::uint32_t>::max();

std::vector<std::uint8_t> resolveTogether(std::span<const Request> requests, std::span<const std::uint32_t> vacant,
                                          const SearchKey& draws, int threads)
{
  if (requests.size() > kMostSorted)
    throw Error(ErrorCode::BadParameter, "Neuron " + std::to_string(requests[0].found) +
                                             " is found by more than 2^32 - 1 elements at once; give neurons fewer.");
  std::vector<std::uint64_t> keys(requests.size());
  std::vector<std::uint32_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = 0; i < requests.size(); ++i)
    keys[i] = conflictKey({draws.seed, draws.step, draws.channel, requests[i].seeker}, requests[i].element,
                          requests[i].found);
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

/// Sets the flags of the requests on neurons [begin, end).
void resolveOn(std::uint32_t begin, std::uint32_t end, std::span<const Request> requests,
               std::span<const std::uint32_t> vacant, const SearchKey& draws, int threads,
               std::vector<std::uint8_t>& granted)
{
  const auto isOn = [&](const Request& request) { return request.found >= begin && request.found < end; };
  std::vector<Request> part;
  std::ranges::copy_if(requests, std::back_inserter(part), isOn);
  const std::vector<std::uint8_t> ofPart = resolveTogether(part, vacant, draws, threads);
  auto next = ofPart.begin();
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (isOn(requests[i]))
      granted[i] = *next++;
}

} // namespace

std::vector<std::uint8_t> detail::resolveInParts(std::span<const Request> requests,
                                                 std::span<const std::uint32_t> vacant, const SearchKey& draws,
                                                 int threads, std::size_t most)
{
  if (requests.size() <= most)
    return resolveTogether(requests, vacant, draws, threads);
  std::vector<std::uint64_t> on(vacant.size());
  for (const Request& request : requests)
    ++on[request.found];
  std::vector<std::uint8_t> granted(requests.size());
  for (std::uint32_t begin = 0, end = 0; begin < vacant.size(); begin = end) {
    std::uint64_t count = 0;
    do
      count += on[end++];
    while (end < vacant.size() && count + on[end] <= most);
    if (count > 0)
      resolveOn(begin, end, requests, vacant, draws, threads, granted);
  }
  return granted;
}

std::vector<std::uint8_t> resolveConflicts(std::span<const Request> requests, std::span<const std::uint32_t> vacant,
                                           Channel channel, std::uint32_t step, std::uint64_t seed, int threads)
{
  return detail::resolveInParts(requests, vacant, {seed, step, channel, 0}, threads, kMostSorted);
}

} // namespace hinesight::synapse
