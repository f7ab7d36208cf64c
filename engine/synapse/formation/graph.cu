#include "synapse/formation/device_graph.cuh"

#include <bit>
#include <cstdlib>
#include <utility>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;
using cuda::grow;

namespace {

constexpr unsigned kThreads = 256;
constexpr PairKey kNoPair = ~PairKey{0};

__device__ std::uint64_t threadIndex()
{
  return std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
}

/// Old pairs, those without synapses as kNoPair, then new ones with one synapse each.
__global__ void __launch_bounds__(kThreads)
    gatherKernel(GraphView graph, const PairKey* added, std::uint64_t count, PairKey* key, std::uint32_t* units)
{
  const std::uint64_t item = threadIndex();
  if (item >= graph.pairs + count)
    return;
  const bool isOld = item < graph.pairs;
  const std::uint32_t synapses = isOld ? graph.units[item] : 1;
  key[item] = synapses == 0 ? kNoPair : isOld ? graph.key[item] : added[item - graph.pairs];
  units[item] = synapses;
}

/// Leaves kNoPair, which is last, out of the count.
__global__ void dropEmptyKernel(const PairKey* key, std::uint64_t* count)
{
  if (*count > 0 && key[*count - 1] == kNoPair)
    --*count;
}

/// The first of ascending keys that is at least `wanted`.
__device__ std::uint64_t firstAtLeast(const PairKey* key, std::uint64_t count, PairKey wanted)
{
  std::uint64_t begin = 0;
  while (count > 0) {
    const std::uint64_t half = count / 2;
    const bool before = key[begin + half] < wanted;
    begin += before ? half + 1 : 0;
    count = before ? count - half - 1 : half;
  }
  return begin;
}

/// Where each neuron's pairs begin among keys with the neuron in front.
__global__ void __launch_bounds__(kThreads)
    offsetKernel(const PairKey* key, std::uint64_t pairs, std::uint32_t neurons, std::uint64_t* offset)
{
  const std::uint64_t neuron = threadIndex();
  if (neuron <= neurons)
    offset[neuron] = firstAtLeast(key, pairs, neuron << 32);
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
    turnKernel(const PairKey* key, std::uint64_t pairs, PairKey* turned, std::uint32_t* pair)
{
  const std::uint64_t item = threadIndex();
  if (item >= pairs)
    return;
  turned[item] = pairKey(targetOf(key[item]), sourceOf(key[item]));
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

DeviceGraph::DeviceGraph(std::uint32_t neuronCount)
    : neurons(neuronCount), outOffset(std::size_t{neuronCount} + 1),
      inOffset(std::size_t{neuronCount} + 1), stepped{0, neuronCount}, counter(1)
{
  check(cudaMemset(outOffset.data(), 0, outOffset.size() * sizeof(std::uint64_t)), "clear the graph");
  check(cudaMemset(inOffset.data(), 0, inOffset.size() * sizeof(std::uint64_t)), "clear the graph");
}

DeviceGraph::DeviceGraph(const Network& network, NeuronRange steppedHere, cuda::Workspace& space)
    : DeviceGraph(static_cast<std::uint32_t>(network.neurons))
{
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

int DeviceGraph::keyBits() const
{
  return 32 + static_cast<int>(std::bit_width(neurons));
}

void DeviceGraph::reserve(std::size_t items, cuda::Room room)
{
  for (auto& scratch : keyScratch)
    grow(scratch, items, room);
  for (auto& scratch : unitScratch)
    grow(scratch, items, room);
  grow(inPair, items, room);
  if (pairs > 0)
    return;
  grow(key, items, room);
  grow(units, items, room);
}

void DeviceGraph::merge(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  const std::size_t items = pairs + count;
  if (items == 0)
    return;
  reserve(items, cuda::Room::Spare);
  gatherKernel<<<blocksFor(items, kThreads), kThreads>>>(view(), added, count, keyScratch[0].data(),
                                                         unitScratch[0].data());
  check(cudaGetLastError(), "gather the synapses");
  space.run("sort the synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, keyScratch[0].data(), keyScratch[1].data(),
                                           unitScratch[0].data(), unitScratch[1].data(), items, 0, keyBits());
  });
  space.run("add up the synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(memory, bytes, keyScratch[1].data(), keyScratch[0].data(),
                                          unitScratch[1].data(), unitScratch[0].data(), counter.data(),
                                          ::cuda::std::plus<>{}, items);
  });
  dropEmptyKernel<<<1, 1>>>(keyScratch[0].data(), counter.data());
  check(cudaGetLastError(), "count the synapses");
  pairs = cuda::readEntry(counter.data());
  std::swap(key, keyScratch[0]);
  std::swap(units, unitScratch[0]);
  index(space);
}

void DeviceGraph::index(cuda::Workspace& space)
{
  const unsigned blocks = blocksFor(std::size_t{neurons} + 1, kThreads);
  offsetKernel<<<blocks, kThreads>>>(key.data(), pairs, neurons, outOffset.data());
  check(cudaGetLastError(), "index the synapses");
  reserve(pairs, cuda::Room::Spare);
  if (sentOffset.size() > 0)
    findSent(space);
  turnKernel<<<blocksFor(pairs, kThreads), kThreads>>>(key.data(), pairs, keyScratch[0].data(), unitScratch[0].data());
  check(cudaGetLastError(), "index the synapses");
  if (pairs > 0)
    space.run("sort the synapses by target", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, keyScratch[0].data(), keyScratch[1].data(),
                                             unitScratch[0].data(), inPair.data(), pairs, 0, keyBits());
    });
  offsetKernel<<<blocks, kThreads>>>(keyScratch[1].data(), pairs, neurons, inOffset.data());
  check(cudaGetLastError(), "index the synapses");
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
