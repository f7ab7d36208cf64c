#include "synapse/formation/device_graph.cuh"

#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <utility>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/std/functional>
#include <thrust/iterator/constant_iterator.h>
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
constexpr unsigned kLanesOfNeuron = 8;

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
struct HasTargetIn
{
  NeuronRange targets;

  __device__ bool operator()(PairKey key) const
  {
    const std::uint32_t target = targetOf(key);
    return target >= targets.begin && target < targets.end;
  }
};

/// The pairs of a source whose targets are in a range: they lie side by side.
struct TargetSpans
{
  const PairKey* key;
  const std::uint64_t* outOffset;
  NeuronRange targets;

  __device__ std::uint64_t firstFrom(std::uint32_t source, std::uint32_t target) const
  {
    return firstAtLeast(KeyAt{key}, outOffset[source], outOffset[source + 1], pairKey(source, target));
  }
  __device__ std::uint64_t begin(std::uint32_t source) const { return firstFrom(source, targets.begin); }
  __device__ std::uint64_t end(std::uint32_t source) const { return firstFrom(source, targets.end); }
};

/// `count`: size neurons + 1, the last 0.
__global__ void __launch_bounds__(kThreads)
    countSentKernel(TargetSpans spans, std::uint32_t neurons, std::uint64_t* count)
{
  const std::uint64_t item = threadIndex();
  if (item > neurons)
    return;
  const auto neuron = static_cast<std::uint32_t>(item);
  count[item] = item < neurons ? spans.end(neuron) - spans.begin(neuron) : 0;
}

/// Some lanes take a neuron.
__global__ void __launch_bounds__(kThreads)
    sentKernel(TargetSpans spans, const std::uint32_t* units, std::uint32_t neurons, const std::uint64_t* sentOffset,
               SentPair* sent)
{
  const std::uint64_t item = threadIndex() / kLanesOfNeuron;
  if (item >= neurons)
    return;
  const std::uint64_t first = spans.begin(static_cast<std::uint32_t>(item));
  const std::uint64_t begin = sentOffset[item], count = sentOffset[item + 1] - begin;
  for (std::uint64_t each = threadIdx.x % kLanesOfNeuron; each < count; each += kLanesOfNeuron)
    sent[begin + each] = {targetOf(spans.key[first + each]), units[first + each]};
}

__global__ void __launch_bounds__(kThreads)
    endsKernel(const PairKey* key, std::uint64_t pairs, std::uint32_t* target, std::uint32_t* source)
{
  const std::uint64_t pair = threadIndex();
  if (pair >= pairs)
    return;
  target[pair] = targetOf(key[pair]);
  source[pair] = sourceOf(key[pair]);
}

__global__ void __launch_bounds__(kThreads)
    countTargetsKernel(const PairKey* key, std::uint64_t pairs, std::uint64_t* count)
{
  const std::uint64_t pair = threadIndex();
  if (pair < pairs)
    atomicAdd(reinterpret_cast<unsigned long long*>(count + targetOf(key[pair])), 1ull);
}

/// Items of one call of CUB at most, some of whose algorithms count in 32 bits before CUDA 13.
constexpr std::size_t kMostOfCall = std::size_t{1} << 30;

/// The first place from `begin` to `end` of ascending numbers in device memory whose number is above another.
template <typename T>
std::size_t firstAbove(const T* numbers, std::size_t begin, std::size_t end, T other)
{
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (cuda::readEntry(numbers + middle) <= other)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Items for which `is` holds, in order. Returns how many.
template <typename From, typename To, typename Is>
std::size_t selectIf(const char* step, From from, To to, std::size_t count, Is is, std::uint64_t* counter,
                     cuda::Workspace& space)
{
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < count; begin += kMostOfCall) {
    space.run(step, [&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::If(memory, bytes, from + begin, to + kept, counter,
                                   std::min(count - begin, kMostOfCall), is);
    });
    kept += cuda::readEntry(counter);
  }
  return kept;
}

/// Makes a buffer hold at least `count` items, of which it keeps the first ones.
template <typename T>
void growKept(Buffer<T>& buffer, std::size_t kept, std::size_t count)
{
  if (count <= buffer.size())
    return;
  Buffer<T> larger(count);
  check(cudaMemcpy(larger.data(), buffer.data(), kept * sizeof(T), cudaMemcpyDeviceToDevice), "keep the synapses");
  buffer = std::move(larger);
}

/// Does work that changes nothing before it has taken all its memory. Returns whether there was as much.
template <typename Work>
bool hasMemoryFor(Work work)
{
  try {
    work();
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::OutOfMemory)
      throw;
    return false;
  }
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
    sentOffset = Buffer<std::uint64_t>(std::size_t{neurons} + 1);
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
  return {neurons,         pairs,           key.data(),  units.data(),     outOffset.data(),
          inOffset.data(), inSource.data(), sent.data(), sentOffset.data()};
}

int DeviceGraph::neuronBits() const
{
  return static_cast<int>(std::bit_width(neurons));
}

void DeviceGraph::reserve(std::size_t synapses)
{
  grow(key, synapses, cuda::Room::Exact);
  grow(units, synapses, cuda::Room::Exact);
  grow(keyScratch[0], synapses, cuda::Room::Exact); // to sort them
}

void DeviceGraph::takeScratch(std::size_t items, cuda::Room room)
{
  for (auto& scratch : keyScratch)
    grow(scratch, items, room);
  for (auto& scratch : unitScratch)
    grow(scratch, items, room);
}

void DeviceGraph::releaseScratch()
{
  for (auto& scratch : keyScratch)
    scratch = {};
  for (auto& scratch : unitScratch)
    scratch = {};
}

/// Of slices whose scratch takes a part of the memory that is free.
std::size_t DeviceGraph::itemsOfSlice() const
{
  constexpr std::size_t kLeast = std::size_t{1} << 16;
  constexpr std::size_t kBytes = 8 * 2 * (sizeof(PairKey) + sizeof(std::uint32_t));
  return std::clamp(cuda::freeMemory() / kBytes, kLeast, kMostOfCall / 2);
}

void DeviceGraph::merge(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  if (pairs + count == 0)
    return;
  if (pairs == 0) {
    const cuda::Room room = isIndexed ? cuda::Room::Spare : cuda::Room::Exact;
    grow(key, count, room);
    grow(units, count, room);
    const PairKey* const ordered = inOrder(added, count, keyScratch[0], space);
    pairs = addUp(ordered, thrust::make_constant_iterator(std::uint32_t{1}), count, key.data(), units.data(), space);
  } else if (!hasMemoryFor([&] { mergeAtOnce(added, count, space); })) {
    mergeInSlices(added, count, space);
  }
  if (isIndexed)
    index(space);
}

/// The same in ascending order: where they are, or in `sorted`. Those of one channel that sought dendrites on one GPU
/// are already.
const PairKey* DeviceGraph::inOrder(const PairKey* added, std::size_t count, Buffer<PairKey>& sorted,
                                    cuda::Workspace& space)
{
  if (count == 0)
    return added;
  check(cudaMemsetAsync(counter.data(), 0, sizeof(std::uint64_t)), "order the new synapses");
  disorderKernel<<<blocksFor(count, kThreads), kThreads>>>(added, count, counter.data());
  check(cudaGetLastError(), "order the new synapses");
  if (cuda::readEntry(counter.data()) == 0)
    return added;
  grow(sorted, count, cuda::Room::Exact);
  space.run("sort the new synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, added, sorted.data(), count, 0, 32 + neuronBits());
  });
  return sorted.data();
}

/// Adds up what equal ones have. Returns how many are left.
template <typename Units>
std::size_t DeviceGraph::addUp(const PairKey* ordered, Units of, std::size_t count, PairKey* sums,
                               std::uint32_t* unitSums, cuda::Workspace& space)
{
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = count;
    if (count - begin > kMostOfCall) // equal ones stay together
      end = firstAbove(ordered, begin + kMostOfCall, count, cuda::readEntry(ordered + begin + kMostOfCall - 1));
    space.run("add up the synapses", [&](void* memory, std::size_t& bytes) {
      return cub::DeviceReduce::ReduceByKey(memory, bytes, ordered + begin, sums + kept, of + begin, unitSums + kept,
                                            counter.data(), ::cuda::std::plus<>{}, end - begin);
    });
    kept += cuda::readEntry(counter.data());
    begin = end;
  }
  return kept;
}

/// Writes the pairs that have synapses. They may replace what is merged. Returns how many.
std::size_t DeviceGraph::mergePart(const PairsPart& old, const PairsPart& added, PairKey* to, std::uint32_t* toUnits,
                                   cuda::Workspace& space)
{
  const auto put = [&](const PairsPart& part, const PairsPart& other, unsigned behind) {
    mergeKernel<<<blocksFor(part.count, kItemsOfBlock), kThreads>>>(
        part.key, part.units, part.count, other.key, other.count, behind, keyScratch[1].data(), unitScratch[1].data());
    check(cudaGetLastError(), "merge the synapses");
  };
  put(old, added, 0);
  put(added, old, 1);
  PairKey* const sums = keyScratch[0].data();
  std::uint32_t* const unitSums = unitScratch[0].data();
  const std::uint32_t* const merged = unitScratch[1].data();
  const std::size_t count = addUp(keyScratch[1].data(), merged, old.count + added.count, sums, unitSums, space);
  return dropEmpty({sums, unitSums, count}, to, toUnits, space);
}

std::size_t DeviceGraph::dropEmpty(const PairsPart& of, PairKey* to, std::uint32_t* toUnits, cuda::Workspace& space)
{
  return selectIf("drop pairs without synapses", thrust::make_zip_iterator(thrust::make_tuple(of.key, of.units)),
                  thrust::make_zip_iterator(thrust::make_tuple(to, toUnits)), of.count, HasSynapses{}, counter.data(),
                  space);
}

void DeviceGraph::mergeAtOnce(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  takeScratch(pairs + count, cuda::Room::Spare);
  const PairsPart old{key.data(), units.data(), pairs};
  PairKey* const to = keyScratch[1].data();
  std::uint32_t* const toUnits = unitScratch[1].data();
  if (count > 0)
    pairs = mergePart(old, {inOrder(added, count, keyScratch[0], space), nullptr, count}, to, toUnits, space);
  else
    pairs = dropEmpty(old, to, toUnits, space);
  std::swap(key, keyScratch[1]);
  std::swap(units, unitScratch[1]);
}

/// Moves all pairs behind by so many places.
void DeviceGraph::moveBack(std::size_t by, std::size_t slice)
{
  const auto move = [](auto* items, auto* through, std::size_t count, std::size_t to) {
    const std::size_t bytes = count * sizeof *items;
    check(cudaMemcpyAsync(through, items, bytes, cudaMemcpyDeviceToDevice), "move the synapses");
    check(cudaMemcpyAsync(items + to, through, bytes, cudaMemcpyDeviceToDevice), "move the synapses");
  };
  for (std::size_t end = pairs; by > 0 && end > 0;) {
    const std::size_t begin = end - std::min(end, slice);
    move(key.data() + begin, keyScratch[0].data(), end - begin, by);
    move(units.data() + begin, unitScratch[0].data(), end - begin, by);
    end = begin;
  }
}

/// From behind those that are there, which make room in front: what has been merged never reaches what has not.
void DeviceGraph::mergeInSlices(const PairKey* added, std::size_t count, cuda::Workspace& space)
{
  releaseScratch();
  Buffer<PairKey> sorted;
  const PairKey* const ordered = inOrder(added, count, sorted, space);
  space = {};
  growKept(key, pairs, pairs + count);
  growKept(units, pairs, pairs + count);
  const std::size_t slice = itemsOfSlice();
  takeScratch(2 * slice, cuda::Room::Exact);
  moveBack(count, slice);
  const PairKey* const old = key.data() + count;
  const std::uint32_t* const oldUnits = units.data() + count;
  std::size_t oldBegin = 0, newBegin = 0, kept = 0;
  while (oldBegin < pairs || newBegin < count) {
    std::size_t oldEnd = std::min(pairs, oldBegin + slice), newEnd = std::min(count, newBegin + slice);
    PairKey last = std::numeric_limits<PairKey>::max();
    if (oldEnd < pairs)
      last = cuda::readEntry(old + oldEnd - 1);
    if (newEnd < count)
      last = std::min(last, cuda::readEntry(ordered + newEnd - 1));
    oldEnd = firstAbove(old, oldBegin, oldEnd, last);
    newEnd = firstAbove(ordered, newBegin, count, last);
    takeScratch(oldEnd - oldBegin + newEnd - newBegin, cuda::Room::Exact); // more where very many are of one pair
    kept += mergePart({old + oldBegin, oldUnits + oldBegin, oldEnd - oldBegin},
                      {ordered + newBegin, nullptr, newEnd - newBegin}, key.data() + kept, units.data() + kept, space);
    oldBegin = oldEnd;
    newBegin = newEnd;
  }
  pairs = kept;
  releaseScratch();
}

void DeviceGraph::index(cuda::Workspace& space)
{
  findOffsets(SourceAt{key.data()}, pairs, outOffset);
  if (sentOffset.size() > 0)
    findSent(space);
  if (!hasMemoryFor([&] { indexAtOnce(space); }))
    indexInSlices(space);
}

/// Pairs are in order of their sources, and those of one target stay so.
void DeviceGraph::sortByTarget(const PairKey* some, std::size_t count, std::uint32_t* sources, std::uint32_t* sorted,
                               cuda::Workspace& space)
{
  std::uint32_t* const target = unitScratch[0].data();
  std::uint32_t* const source = unitScratch[1].data();
  if (count == 0)
    return;
  endsKernel<<<blocksFor(count, kThreads), kThreads>>>(some, count, target, source);
  check(cudaGetLastError(), "index the synapses");
  space.run("sort the synapses by target", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, target, sorted, source, sources, count, 0, neuronBits());
  });
}

void DeviceGraph::indexAtOnce(cuda::Workspace& space)
{
  grow(inSource, pairs);
  takeScratch(pairs, cuda::Room::Spare);
  auto* const sorted = reinterpret_cast<std::uint32_t*>(keyScratch[1].data());
  sortByTarget(key.data(), pairs, inSource.data(), sorted, space);
  findOffsets(TargetAt{sorted}, pairs, inOffset);
}

/// The same, for targets of one range of neurons after another.
void DeviceGraph::indexInSlices(cuda::Workspace& space)
{
  releaseScratch();
  space = {};
  grow(inSource, pairs, cuda::Room::Exact);
  check(cudaMemsetAsync(inOffset.data(), 0, inOffset.size() * sizeof(std::uint64_t)), "index the synapses");
  countTargetsKernel<<<blocksFor(pairs, kThreads), kThreads>>>(key.data(), pairs, inOffset.data());
  check(cudaGetLastError(), "index the synapses");
  space.run("index the synapses", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, inOffset.data(), inOffset.data(), inOffset.size());
  });
  const std::size_t slice = itemsOfSlice();
  std::uint64_t done = 0;
  for (std::uint32_t begin = 0; begin < neurons;) {
    // As many neurons as have no more than a slice, or one.
    const std::size_t above = firstAbove(inOffset.data(), std::size_t{begin} + 1, inOffset.size(), done + slice);
    const auto end = static_cast<std::uint32_t>(std::max(above - 1, std::size_t{begin} + 1));
    const std::size_t count = cuda::readEntry(inOffset.data() + end) - done;
    takeScratch(count, cuda::Room::Exact);
    selectIf("index the synapses", static_cast<const PairKey*>(key.data()), keyScratch[0].data(), pairs,
             HasTargetIn{{begin, end}}, counter.data(), space);
    sortByTarget(keyScratch[0].data(), count, inSource.data() + done,
                 reinterpret_cast<std::uint32_t*>(keyScratch[1].data()), space);
    done += count;
    begin = end;
  }
}

void DeviceGraph::findSent(cuda::Workspace& space)
{
  const TargetSpans spans{key.data(), outOffset.data(), stepped};
  countSentKernel<<<blocksFor(sentOffset.size(), kThreads), kThreads>>>(spans, neurons, sentOffset.data());
  check(cudaGetLastError(), "find the synapses of spikes");
  space.run("find the synapses of spikes", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, sentOffset.data(), sentOffset.data(), sentOffset.size());
  });
  grow(sent, cuda::readEntry(sentOffset.data() + neurons), cuda::Room::Spare);
  sentKernel<<<blocksFor(std::size_t{neurons} * kLanesOfNeuron, kThreads), kThreads>>>(spans, units.data(), neurons,
                                                                                       sentOffset.data(), sent.data());
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
