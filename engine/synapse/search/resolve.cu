#include "synapse/search/device_search.cuh"

#include "core/error.hpp"

#include <bit>
#include <limits>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/transform_iterator.h>

// Conflicts on a GPU: requests are sorted by whom they found, in random order, and the first of each are granted.

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::check;
using cuda::grow;

namespace {

constexpr unsigned kThreads = 256;

__device__ std::uint64_t threadIndex()
{
  return std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
}

__global__ void __launch_bounds__(kThreads)
    keyKernel(const Request* requests, std::uint64_t count, SearchKey search, std::uint64_t* key, std::uint32_t* index)
{
  const std::uint64_t at = threadIndex();
  if (at >= count)
    return;
  search.neuron = requests[at].seeker;
  key[at] = conflictKey(search, requests[at].element, requests[at].found);
  index[at] = static_cast<std::uint32_t>(at);
}

/// Sorting by fewer bits takes fewer passes over memory. What has the same upper bits is put in order where it is read.
/// Of very many requests too many would have them, if all were on one neuron.
constexpr int kUnsortedBits = 16;
constexpr std::size_t kMostOfUnsorted = std::size_t{1} << 26;

/// Requests by the upper bits of their keys.
struct SortedRequests
{
  const Request* requests;
  const std::uint64_t* key;
  const std::uint32_t* index;
  std::uint64_t count;
  int unsortedBits;

  /// The place of the one at `at` if all bits had been sorted by, and equal keys by seeker and element. It is among
  /// those of the same upper bits: of many thousands on one neuron these are few.
  __device__ std::uint64_t sortedPlace(std::uint64_t at) const
  {
    const auto isTied = [&](std::uint64_t other) { return key[other] >> unsortedBits == key[at] >> unsortedBits; };
    std::uint64_t place = at;
    for (std::uint64_t other = at; other > 0 && isTied(other - 1); --other)
      place -= isBefore(at, other - 1) ? 1 : 0;
    for (std::uint64_t other = at + 1; other < count && isTied(other); ++other)
      place += isBefore(other, at) ? 1 : 0;
    return place;
  }

private:
  __device__ bool isBefore(std::uint64_t a, std::uint64_t b) const
  {
    if (key[a] != key[b])
      return key[a] < key[b];
    const Request &first = requests[index[a]], &second = requests[index[b]];
    return first.seeker != second.seeker ? first.seeker < second.seeker : first.element < second.element;
  }
};

/// A request is granted where the one as many places before as there are vacant elements is on another neuron.
__global__ void __launch_bounds__(kThreads)
    grantKernel(SortedRequests sorted, const std::uint32_t* vacant, std::uint8_t* granted)
{
  const std::uint64_t at = threadIndex();
  if (at >= sorted.count)
    return;
  const std::uint64_t target = sorted.key[at] >> 32;
  const std::uint64_t places = vacant[target], place = sorted.sortedPlace(at);
  granted[sorted.index[at]] = place < places || sorted.key[place - places] >> 32 != target ? 1 : 0;
}

/// The pair that a request joins.
struct PairOf
{
  bool seeksAxons;
  __host__ __device__ PairKey operator()(const Request& request) const
  {
    return seeksAxons ? pairKey(request.found, request.seeker) : pairKey(request.seeker, request.found);
  }
};

} // namespace

void DeviceConflicts::reserve(std::size_t requests, cuda::Room room)
{
  for (auto& buffer : key)
    grow(buffer, requests, room);
  for (auto& buffer : request)
    grow(buffer, requests, room);
  grow(flag, requests, room);
  grow(pair, requests, room);
  grow(counter, 1);
}

void DeviceConflicts::release()
{
  for (auto& buffer : key)
    buffer = {};
  for (auto& buffer : request)
    buffer = {};
  flag = {};
  pair = {};
  count = 0;
}

void DeviceConflicts::resolve(const Request* requests, std::size_t requestCount, const std::uint32_t* vacant,
                              std::uint32_t neurons, Channel channel, std::uint32_t step, std::uint64_t seed,
                              bool seeksAxons, cuda::Workspace& space)
{
  count = 0;
  if (requestCount == 0)
    return;
  if (requestCount > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::OutOfMemory, "A GPU puts at most 4,294,967,295 elements that seek in order at once; give "
                                        "neurons fewer, or choose the CPU backend.");
  reserve(requestCount, cuda::Room::Spare);
  const unsigned blocks = blocksFor(requestCount, kThreads);
  keyKernel<<<blocks, kThreads>>>(requests, requestCount, SearchKey{seed, step, channel, 0}, key[0].data(),
                                  request[0].data());
  check(cudaGetLastError(), "order the requests");
  const int unsortedBits = requestCount <= kMostOfUnsorted ? kUnsortedBits : 0;
  space.run("sort the requests", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, key[0].data(), key[1].data(), request[0].data(),
                                           request[1].data(), requestCount, unsortedBits,
                                           32 + static_cast<int>(std::bit_width(neurons)));
  });
  grantKernel<<<blocks, kThreads>>>(
      SortedRequests{requests, key[1].data(), request[1].data(), requestCount, unsortedBits}, vacant, flag.data());
  check(cudaGetLastError(), "grant the requests");
  space.run("gather the new synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(memory, bytes, thrust::make_transform_iterator(requests, PairOf{seeksAxons}),
                                      flag.data(), pair.data(), counter.data(), requestCount);
  });
  count = cuda::readEntry(counter.data());
}

} // namespace hinesight::synapse::detail
