#include "synapse/formation/device_graph.cuh"

#include <bit>
#include <cstdlib>
#include <utility>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;
using cuda::grow;

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kItemsOfBlock = 8 * kThreads;

__device__ std::uint64_t threadIndex()
{
  return std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
}

// Numbers in ascending order, by place.

struct KeyAt
{
  const PairKey* key;
  __device__ PairKey operator()(std::uint64_t pair) const { return key[pair]; }
};

struct SourceAt
{
  const PairKey* key;
  __device__ std::uint32_t operator()(std::uint64_t pair) const { return sourceOf(key[pair]); }
};

struct TargetAt
{
  const std::uint32_t* target;
  __device__ std::uint32_t operator()(std::uint64_t pair) const { return target[pair]; }
};

/// The first place from `begin` to `end` whose number is at least `wanted`.
template <typename NumberAt>
__device__ std::uint64_t firstAtLeast(NumberAt numberAt, std::uint64_t begin, std::uint64_t end, std::uint64_t wanted)
{
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (numberAt(middle) < wanted)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Sets a flag where a key is below the one before it.
__global__ void __launch_bounds__(kThreads) disorderKernel(const PairKey* key, std::uint64_t count, std::uint64_t* flag)
{
  const std::uint64_t item = threadIndex();
  if (item > 0 && item < count && key[item] < key[item - 1])
    *flag = 1;
}

/// Puts pairs where they belong among those of another list, both in ascending order: behind equal ones of that where
/// `behind` is 1, before them where it is 0. Without `units` each has one synapse. As in offsetKernel, a block finds
/// where its pairs lie, and each of them only there.
__global__ void __launch_bounds__(kThreads)
    mergeKernel(const PairKey* key, const std::uint32_t* units, std::uint64_t count, const PairKey* other,
                std::uint64_t otherCount, unsigned behind, PairKey* merged, std::uint32_t* mergedUnits)
{
  __shared__ std::uint64_t bound[2];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kItemsOfBlock;
  if (begin >= count)
    return;
  const std::uint64_t end = count - begin < kItemsOfBlock ? count : begin + kItemsOfBlock;
  const KeyAt others{other};
  if (threadIdx.x < 2)
    bound[threadIdx.x] = firstAtLeast(others, 0, otherCount, key[threadIdx.x == 0 ? begin : end - 1] + behind);
  __syncthreads();
  for (std::uint64_t item = begin + threadIdx.x; item < end; item += kThreads) {
    const std::uint64_t at = item + firstAtLeast(others, bound[0], bound[1], key[item] + behind);
    merged[at] = key[item];
    mergedUnits[at] = units ? units[item] : 1;
  }
}

struct HasSynapses
{
  __device__ bool operator()(const thrust::tuple<PairKey, std::uint32_t>& pair) const
  {
    return thrust::get<1>(pair) > 0;
  }
};

/// Where each neuron's pairs begin. A block finds where those of its neurons lie, and each of them only there.
template <typename NeuronAt>
__global__ void __launch_bounds__(kThreads)
    offsetKernel(NeuronAt neuronAt, std::uint64_t pairs, std::uint32_t neurons, std::uint64_t* offset)
{
  __shared__ std::uint64_t bound[2];
  const std::uint64_t begin = std::uint64_t{blockIdx.x} * kItemsOfBlock;
  if (threadIdx.x < 2)
    bound[threadIdx.x] = firstAtLeast(neuronAt, 0, pairs, begin + threadIdx.x * kItemsOfBlock);
  __syncthreads();
#pragma unroll
  for (unsigned each = threadIdx.x; each < kItemsOfBlock; each += kThreads)
    if (begin + each <= neurons)
      offset[begin + each] = firstAtLeast(neuronAt, bound[0], bound[1], begin + each);
}

template <typename NeuronAt>
void findOffsets(NeuronAt neuronAt, std::uint64_t pairs, Buffer<std::uint64_t>& offset)
{
  offsetKernel<<<blocksFor(offset.size(), kItemsOfBlock), kThreads>>>(
      neuronAt, pairs, static_cast<std::uint32_t>(offset.size() - 1), offset.data());
  check(cudaGetLastError(), "index the synapses");
}

/// Whether the target of a pair is in a range.
struct IsSent
{
  const PairKey* key;
  NeuronRange targets;

  __device__ std::uint32_t operator()(std::uint64_t pair) const
  {
    const std::uint32_t target = targetOf(key[pair]);
    return target >= targets.begin && target < targets.end ? 1 : 0;
  }
};

/// `through`: how many pairs up to each one are sent.
__global__ void __launch_bounds__(kThreads) sentKernel(IsSent isSent, const std::uint32_t* units, std::uint64_t pairs,
                                                       const std::uint32_t* through, SentPair* sent)
{
  const std::uint64_t pair = threadIndex();
  if (pair < pairs && isSent(pair) != 0)
    sent[through[pair] - 1] = {targetOf(isSent.key[pair]), units[pair]};
}

__global__ void __launch_bounds__(kThreads) sentOffsetKernel(const std::uint64_t* outOffset, std::uint32_t neurons,
                                                             const std::uint32_t* through, std::uint32_t* sentOffset)
{
  const std::uint64_t neuron = threadIndex();
  if (neuron > neurons)
    return;
  const std::uint64_t before = outOffset[neuron];
  sentOffset[neuron] = before == 0 ? 0 : through[before - 1];
}

__global__ void __launch_bounds__(kThreads)
    targetKernel(const PairKey* key, std::uint64_t pairs, std::uint32_t* target, std::uint32_t* pair)
{
  const std::uint64_t item = threadIndex();
  if (item >= pairs)
    return;
  target[item] = targetOf(key[item]);
  pair[item] = static_cast<std::uint32_t>(item);
}

/// Synapses as the host has them.
__global__ void __launch_bounds__(kThreads)
    synapseKernel(const PairKey* key, const std::uint32_t* units, std::uint64_t pairs, const std::uint8_t* isInhibitory,
                  Synapse* synapses)
{
  const std::uint64_t pair = threadIndex();
  if (pair >= pairs)
    return;
  const std::uint32_t source = sourceOf(key[pair]);
  const auto weight = static_cast<std::int32_t>(units[pair]);
  synapses[pair] = Synapse{source, targetOf(key[pair]), isInhibitory[source] != 0 ? -weight : weight};
}

} // namespace

DeviceGraph::DeviceGraph(std::uint32_t neuronCount) : neurons(neuronCount), counter(1) {}

DeviceGraph::DeviceGraph(const Network& network, NeuronRange steppedHere, cuda::Workspace& space)
    : DeviceGraph(static_cast<std::uint32_t>(network.neurons))
{
  isIndexed = true;
  outOffset = Buffer<std::uint64_t>(std::size_t{neurons} + 1);
  inOffset = Buffer<std::uint64_t>(std::size_t{neurons} + 1);
  stepped = steppedHere;
  if (stepped.size() < neurons)
    sentOffset = Buffer<std::uint32_t>(std::size_t{neurons} + 1);
  std::vector<PairKey> keys;
  std::vector<std::uint32_t> synapses;
  keys.reserve(network.synapses.size());
  synapses.reserve(network.synapses.size());
  for (const Synapse& synapse : network.synapses) {
    keys.push_back(pairKey(synapse.source, synapse.target));
    synapses.push_back(static_cast<std::uint32_t>(std::abs(synapse.weight)));
  }
  key = Buffer<PairKey>(keys);
  units = Buffer<std::uint32_t>(synapses);
  pairs = keys.size();
  index(space);
}

GraphView DeviceGraph::view()
{
  return {neurons,         pairs,         key.data(),  units.data(),     outOffset.data(),
          inOffset.data(), inPair.data(), sent.data(), sentOffset.data()};
}

int DeviceGraph::neuronBits() const
{
  return static_cast<int>(std::bit_width(neurons));
}

void DeviceGraph::reserve(std::size_t items, cuda::Room room)
{
  for (auto& scratch : keyScratch)
    grow(scratch, items, room);
  for (auto& scratch : unitScratch)
    grow(scratch, items, room);
  if (isIndexed)
    grow(inPair, items, room);
  if (pairs > 0)
    return;
  grow(key, items, room);
  grow(units, items, room);
}

void DeviceGraph::merge(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  if (pairs + count == 0)
    return;
  reserve(pairs + count, cuda::Room::Spare);
  const bool hadPairs = pairs > 0;
  if (count > 0)
    add(inOrder(added, count, space), count, space);
  if (hadPairs)
    dropEmpty(space);
  if (isIndexed)
    index(space);
}

/// The same in ascending order: where they are, or in scratch. Those of one channel that sought dendrites on one GPU
/// are already.
const PairKey* DeviceGraph::inOrder(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  check(cudaMemsetAsync(counter.data(), 0, sizeof(std::uint64_t)), "order the new synapses");
  disorderKernel<<<blocksFor(count, kThreads), kThreads>>>(added, count, counter.data());
  check(cudaGetLastError(), "order the new synapses");
  if (cuda::readEntry(counter.data()) == 0)
    return added;
  space.run("sort the new synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, added, keyScratch[0].data(), count, 0, 32 + neuronBits());
  });
  return keyScratch[0].data();
}

/// Adds ordered ones, which may be in the first scratch.
void DeviceGraph::add(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  const auto merge = [&](const PairKey* keys, const std::uint32_t* synapses, std::uint64_t of, const PairKey* others,
                         std::uint64_t ofOthers, unsigned behind) {
    mergeKernel<<<blocksFor(of, kItemsOfBlock), kThreads>>>(keys, synapses, of, others, ofOthers, behind,
                                                            keyScratch[1].data(), unitScratch[1].data());
    check(cudaGetLastError(), "merge the synapses");
  };
  merge(key.data(), units.data(), pairs, added, count, 0);
  merge(added, nullptr, count, key.data(), pairs, 1);
  grow(key, pairs + count); // what they held is in scratch
  grow(units, pairs + count);
  space.run("add up the synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(memory, bytes, keyScratch[1].data(), key.data(), unitScratch[1].data(),
                                          units.data(), counter.data(), ::cuda::std::plus<>{}, pairs + count);
  });
  pairs = cuda::readEntry(counter.data());
}

/// Drops pairs without synapses.
void DeviceGraph::dropEmpty(cuda::Workspace& space)
{
  const auto zip = [](Buffer<PairKey>& keys, Buffer<std::uint32_t>& synapses) {
    return thrust::make_zip_iterator(thrust::make_tuple(keys.data(), synapses.data()));
  };
  space.run("drop pairs without synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSelect::If(memory, bytes, zip(key, units), zip(keyScratch[0], unitScratch[0]), counter.data(),
                                 pairs, HasSynapses{});
  });
  pairs = cuda::readEntry(counter.data());
  std::swap(key, keyScratch[0]);
  std::swap(units, unitScratch[0]);
}

void DeviceGraph::index(cuda::Workspace& space)
{
  findOffsets(SourceAt{key.data()}, pairs, outOffset);
  reserve(pairs, cuda::Room::Spare);
  if (sentOffset.size() > 0)
    findSent(space);
  // Pairs are in order of their sources, and those of one target stay so.
  auto* const target = reinterpret_cast<std::uint32_t*>(keyScratch[0].data());
  auto* const sorted = reinterpret_cast<std::uint32_t*>(keyScratch[1].data());
  targetKernel<<<blocksFor(pairs, kThreads), kThreads>>>(key.data(), pairs, target, unitScratch[0].data());
  check(cudaGetLastError(), "index the synapses");
  if (pairs > 0)
    space.run("sort the synapses by target", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, target, sorted, unitScratch[0].data(), inPair.data(), pairs,
                                             0, neuronBits());
    });
  findOffsets(TargetAt{sorted}, pairs, inOffset);
}

void DeviceGraph::findSent(cuda::Workspace& space)
{
  const IsSent isSent{key.data(), stepped};
  Buffer<std::uint32_t>& through = unitScratch[1];
  const auto all = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint64_t{0}), isSent);
  if (pairs > 0)
    space.run("find the synapses of spikes", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(memory, bytes, all, through.data(), pairs);
    });
  grow(sent, pairs > 0 ? cuda::readEntry(through.data() + pairs - 1) : 0, cuda::Room::Spare);
  sentKernel<<<blocksFor(pairs, kThreads), kThreads>>>(isSent, units.data(), pairs, through.data(), sent.data());
  sentOffsetKernel<<<blocksFor(std::size_t{neurons} + 1, kThreads), kThreads>>>(outOffset.data(), neurons,
                                                                                through.data(), sentOffset.data());
  check(cudaGetLastError(), "find the synapses of spikes");
}

Network DeviceGraph::download(const std::vector<std::uint8_t>& isInhibitory) const
{
  const Buffer<std::uint8_t> kinds(isInhibitory);
  Network network;
  cuda::HostCopies copies;
  download(kinds.data(), network, copies);
  copies.run();
  return network;
}

void DeviceGraph::download(const std::uint8_t* isInhibitory, Network& to, cuda::HostCopies& copies) const
{
  Buffer<Synapse> synapses(pairs);
  synapseKernel<<<blocksFor(pairs, kThreads), kThreads>>>(key.data(), units.data(), pairs, isInhibitory,
                                                          synapses.data());
  check(cudaGetLastError(), "write the synapses");
  to.neurons = neurons;
  copies.add(std::move(synapses), to.synapses);
}

} // namespace hinesight::synapse::detail
