#include "synapse/search/device_search.cuh"

#include "core/device.hpp"
#include "core/stage_timings.hpp"

#include <algorithm>
#include <string>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

// The search on a GPU, over a whole tree.

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;
using cuda::grow;

namespace {

constexpr unsigned kThreads = 256;
/// Seekers of one launch of a naive search times nodes at most, of a multiprocessor, but some seekers at least.
constexpr std::uint64_t kMostWeighed = std::uint64_t{1} << 27;
constexpr std::uint64_t kLeastSeekers = std::uint64_t{1} << 13;

/// Everything that the search kernel reads.
struct SearchTask
{
  SearchView view;
  KernelForm form;
  OctreeView tree;
  const std::uint32_t* seekers; ///< places of the Morton order
  SeekerShare share;
  std::uint32_t begin, end; ///< of the share's seekers
  const std::uint32_t* vacant;
  const std::uint64_t* firstSlot; ///< by neuron; null: slots are taken as they come
  std::uint64_t* slotsTaken;
  Request* outcome;
  std::uint64_t seed;
  std::uint32_t step, channel;
};

__device__ std::uint64_t takeSlots(std::uint64_t* taken, std::uint32_t count)
{
  return atomicAdd(reinterpret_cast<unsigned long long*>(taken), static_cast<unsigned long long>(count));
}

template <Falloff kFalloff, bool kExact>
__global__ void __launch_bounds__(kSearchThreads) searchKernel(const __grid_constant__ SearchTask task)
{
  const std::uint32_t index = task.begin + blockIdx.x * kSearchThreads + threadIdx.x;
  const bool seeks = index < task.end;
  const std::uint32_t place = task.seekers[task.share.seeker(seeks ? index : task.begin)];
  const float3 at = task.tree.place[place];
  const Seeker<float> seeker{at.x, at.y, at.z};
  Checkpoints points;
  const double sum = sumTogether<kFalloff, kExact>(task.view, task.form, seeker, seeks, points);
  if (!seeks)
    return;
  const std::uint32_t neuron = task.tree.order[place];
  const SearchKey key{task.seed, task.step, task.channel, neuron};
  const std::uint32_t elements = task.vacant[neuron];
  Request* const outcome =
      task.outcome + (task.firstSlot ? task.firstSlot[neuron] : takeSlots(task.slotsTaken, elements));
  const auto store = [&](std::uint32_t element, std::uint32_t leaf, std::uint32_t) {
    outcome[element] = {neuron, element, leaf == kNoTarget ? kNoTarget : task.tree.order[task.tree.leafBegin[leaf]]};
  };
  findTargets<kFalloff, kExact>(task.view, task.form, seeker, key, elements, sum, points, store);
}

void launchSearch(const SearchTask& task, bool exact, cudaStream_t stream)
{
  const unsigned blocks = blocksFor(task.end - task.begin, kSearchThreads);
  withFalloff(task.form.falloff, [&]<Falloff kFalloff>() {
    if (exact)
      searchKernel<kFalloff, true><<<blocks, kSearchThreads, 0, stream>>>(task);
    else
      searchKernel<kFalloff, false><<<blocks, kSearchThreads, 0, stream>>>(task);
  });
  check(cudaGetLastError(), "search");
}

__global__ void __launch_bounds__(kThreads) cellKernel(OctreeView tree, CellBounds* cells)
{
  const std::uint32_t node = blockIdx.x * kThreads + threadIdx.x;
  if (node >= tree.nodes)
    return;
  const std::uint32_t begin = tree.leafBegin[node];
  const float3 at = tree.place[begin];
  cells[node] = tree.isLeaf(node) ? CellBounds{{at.x, at.y, at.z}, {at.x, at.y, at.z}}
                                  : cellBounds(tree.box, tree.code[begin], tree.level[node]);
}

/// Elements of a neuron that seek; none behind the last neuron.
struct ElementsOf
{
  const std::uint32_t* vacant;
  std::uint32_t neurons;
  __host__ __device__ std::uint64_t operator()(std::uint32_t neuron) const
  {
    return neuron < neurons ? vacant[neuron] : 0;
  }
};

struct Seeks
{
  const std::uint32_t* vacant;
  const std::uint32_t* order;
  __host__ __device__ bool operator()(std::uint32_t place) const { return vacant[order[place]] > 0; }
};

/// Beyond, draws of one element would be those of another.
void requireElementCount(std::uint32_t most)
{
  if (most > kMostElements)
    throw Error(ErrorCode::BadParameter, "A neuron has " + std::to_string(most) + " vacant elements, but at most " +
                                             std::to_string(kMostElements) + " can seek at once; give it fewer.");
}

/// Elements of a share's seeker.
struct ElementsOfShare
{
  const std::uint32_t* vacant;
  const std::uint32_t* order;
  const std::uint32_t* seekers;
  SeekerShare share;
  __host__ __device__ std::uint64_t operator()(std::uint32_t number) const
  {
    return vacant[order[seekers[share.seeker(number)]]];
  }
};

struct FoundOne
{
  __host__ __device__ bool operator()(const Request& request) const { return request.found != kNoTarget; }
};

/// Every byte where there is no request.
constexpr int kNoRequest = 0xFF;
static_assert(kNoTarget == 0xFFFFFFFFu);

} // namespace

DeviceSearch::DeviceSearch(const OctreeView& octree, const SearchParameters& search, cuda::DeviceExchange* withOthers)
    : tree(octree), parameters(search), exchange(withOthers), sought(octree, search), seekers(octree.neurons),
      selected(2), counter(1)
{
  if (!exchange)
    firstSlot = Buffer<std::uint64_t>(std::size_t{tree.neurons} + 1);
  if (parameters.kind != SearchKind::Exact)
    return;
  cells = Buffer<CellBounds>(tree.nodes);
  cellKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, cells.data());
  check(cudaGetLastError(), "prepare the search");
}

void DeviceSearch::reserve(std::size_t elements, cuda::Room room)
{
  grow(outcome, elements, exchange ? cuda::Room::Spare : room); // no rank has many more of them than another
  grow(found, elements, room);
}

void DeviceSearch::release()
{
  outcome = {};
  found = {};
  count = 0;
}

void DeviceSearch::run(const std::uint32_t* vacant, Channel channel, std::uint32_t step, cuda::Workspace& space,
                       const RunControl& control)
{
  count = 0;
  exchanged = 0;
  cuda::together(exchange, [&] { prepare(vacant, space); });
  if (seekerCount == 0)
    return;
  const auto ranks = exchange ? static_cast<std::size_t>(exchange->ranks().size()) : 1;
  const std::size_t elements = exchange ? exchange->ranks().allReduce(ownElements, Reduction::Sum) : ownElements;
  const std::size_t placesOfRank = exchange ? exchange->ranks().allReduce(ownElements, Reduction::Most) : ownElements;
  cuda::together(exchange, [&] {
    reserve(elements, cuda::Room::Spare);
    grow(outcome, ranks * placesOfRank);
    const auto rank = exchange ? static_cast<std::size_t>(exchange->ranks().rank()) : 0;
    Request* const own = outcome.data() + rank * placesOfRank;
    check(cudaMemsetAsync(own + ownElements, kNoRequest, (placesOfRank - ownElements) * sizeof(Request)), "search");
    seek(vacant, channel, step, own, control);
  });
  if (exchange) {
    const Stopwatch stopwatch;
    exchange->allGather(outcome.data(), placesOfRank * sizeof(Request));
    exchange->wait("exchange requests");
    exchanged = stopwatch.elapsed();
  }
  cuda::together(exchange, [&] { gather(ranks * placesOfRank, space); });
}

/// Finds who seeks, who of them here, and how many elements those have.
void DeviceSearch::prepare(const std::uint32_t* vacant, cuda::Workspace& space)
{
  const thrust::counting_iterator<std::uint32_t> numbers(0);
  space.run("select what seeks", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, numbers, seekers.data(), selected.data(), tree.neurons,
                                 Seeks{vacant, tree.order});
  });
  space.run("count what seeks", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Max(memory, bytes, vacant, selected.data() + 1, tree.neurons);
  });
  requireElementCount(cuda::readEntry(selected.data() + 1));
  seekerCount = cuda::readEntry(selected.data());
  if (exchange)
    countShare(vacant, space);
  else
    placeElements(vacant, space);
}

void DeviceSearch::countShare(const std::uint32_t* vacant, cuda::Workspace& space)
{
  const Communicator& ranks = exchange->ranks();
  share = SeekerShare(seekerCount, ranks.rank(), ranks.size());
  ownSeekers = static_cast<std::uint32_t>(share.count(seekerCount));
  const auto elements = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                        ElementsOfShare{vacant, tree.order, seekers.data(), share});
  space.run("count what seeks", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, elements, counter.data(), ownSeekers);
  });
  ownElements = cuda::readEntry(counter.data());
}

/// Where there are no other ranks: each neuron's elements have a place of their own.
void DeviceSearch::placeElements(const std::uint32_t* vacant, cuda::Workspace& space)
{
  const auto elements =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), ElementsOf{vacant, tree.neurons});
  space.run("count what seeks", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, elements, firstSlot.data(), firstSlot.size());
  });
  ownSeekers = seekerCount;
  ownElements = cuda::readEntry(firstSlot.data() + tree.neurons);
}

/// Leaves out what found nothing.
void DeviceSearch::gather(std::size_t places, cuda::Workspace& space)
{
  space.run("gather the requests", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, outcome.data(), found.data(), counter.data(), places, FoundOne{});
  });
  count = cuda::readEntry(counter.data());
}

void DeviceSearch::seek(const std::uint32_t* vacant, Channel channel, std::uint32_t step, Request* own,
                        const RunControl& control)
{
  const bool exact = parameters.kind == SearchKind::Exact;
  check(cudaMemsetAsync(counter.data(), 0, sizeof(std::uint64_t)), "search");
  SearchTask task{{sought.nodes(), cells.data(), sought.counts(), tree.nodes},
                  kernelForm(parameters.kernel),
                  tree,
                  seekers.data(),
                  share,
                  0,
                  0,
                  vacant,
                  firstSlot.data(),
                  counter.data(),
                  own,
                  parameters.seed,
                  step,
                  channel};
  const auto multiprocessors = static_cast<std::uint64_t>(planningDevice().multiprocessors);
  const std::uint64_t slice = parameters.kind == SearchKind::Naive
                                  ? std::max(kLeastSeekers, multiprocessors * kMostWeighed / tree.nodes)
                                  : multiprocessors * kMostSeekers;
  launches.run(ownSeekers, slice, control, [&](std::uint64_t begin, std::uint64_t end, cudaStream_t stream) {
    task.begin = static_cast<std::uint32_t>(begin);
    task.end = static_cast<std::uint32_t>(end);
    launchSearch(task, exact, stream);
  });
}

} // namespace hinesight::synapse::detail
