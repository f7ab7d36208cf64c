#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/cuda_workspace.cuh"
#include "core/cuda/host_copies.cuh"
#include "synapse/formation/network.hpp"
#include "synapse/ranks/neuron_ranges.hpp"
#include "synapse/search/pair_key.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hinesight::synapse::detail {

/// What a spike brings to a target.
struct alignas(8) SentPair
{
  std::uint32_t target;
  std::uint32_t units; ///< synapses
};

/// A graph in device memory, for kernels. Each pair appears once; those with axons of neuron i are [outOffset[i],
/// outOffset[i + 1]), by target.
struct GraphView
{
  std::uint32_t neurons;
  std::uint64_t pairs;
  const PairKey* key;             ///< by pair
  std::uint32_t* units;           ///< by pair: synapses; merge drops pairs that have none
  const std::uint64_t* outOffset; ///< size neurons + 1
  /// The sources of the pairs with dendrites of neuron i: inSource[inOffset[i]] up to inSource[inOffset[i + 1]],
  /// ascending.
  const std::uint64_t* inOffset;
  const std::uint32_t* inSource;
  /// Where this GPU steps but some of the neurons, those pairs again whose targets it steps: with axons of neuron i
  /// sent[sentOffset[i]] up to sent[sentOffset[i + 1]], by target. Else sentOffset is null.
  const SentPair* sent;
  const std::uint64_t* sentOffset;

  /// The place of a pair that is there.
  __device__ std::uint64_t pairOf(std::uint32_t source, std::uint32_t target) const
  {
    const PairKey wanted = pairKey(source, target);
    std::uint64_t begin = outOffset[source], end = outOffset[source + 1];
    while (end - begin > 1) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      (key[middle] <= wanted ? begin : end) = middle;
    }
    return begin;
  }
};

/// Some pairs in order. Without `units` each has one synapse, and one may be there several times.
struct PairsPart
{
  const PairKey* key;
  const std::uint32_t* units;
  std::size_t count;
};

/// Plastic synapses on the device, without their signs: these are their axons'. Work is put on the default stream.
class DeviceGraph
{
public:
  /// Only to be merged and downloaded; the view has no offsets.
  explicit DeviceGraph(std::uint32_t neurons);
  /// Uploads a network, of which this GPU steps the neurons of a range.
  DeviceGraph(const Network& network, NeuronRange stepped, cuda::Workspace& space);

  GraphView view();
  /// Takes the memory for so many first synapses, beforehand.
  void reserve(std::size_t synapses);
  /// Drops pairs without synapses and adds new synapses, each of a pair in device memory, in any order, repeats
  /// allowed. Where memory does not hold everything a second time it goes through ranges of neurons. Waits for counts.
  /// Throws as cuda::check; then the graph is spoilt.
  void merge(const PairKey* added, std::size_t count, cuda::Workspace& space);
  /// With the weights' signs by their sources' kind.
  Network download(const std::vector<std::uint8_t>& isInhibitory) const;
  /// The same, `isInhibitory` in device memory, when `copies` are run.
  void download(const std::uint8_t* isInhibitory, Network& to, cuda::HostCopies& copies) const;

private:
  /// Bits that tell neurons from each other.
  int neuronBits() const;
  void takeScratch(std::size_t items, cuda::Room room);
  void releaseScratch();
  std::size_t itemsOfSlice() const;
  const PairKey* inOrder(const PairKey* added, std::size_t count, cuda::Buffer<PairKey>& sorted,
                         cuda::Workspace& space);
  template <typename Units>
  std::size_t addUp(const PairKey* ordered, Units of, std::size_t count, PairKey* sums, std::uint32_t* unitSums,
                    cuda::Workspace& space);
  std::size_t mergePart(const PairsPart& old, const PairsPart& added, PairKey* to, std::uint32_t* toUnits,
                        cuda::Workspace& space);
  std::size_t dropEmpty(const PairsPart& of, PairKey* to, std::uint32_t* toUnits, cuda::Workspace& space);
  void mergeAtOnce(const PairKey* added, std::size_t count, cuda::Workspace& space);
  void mergeInSlices(const PairKey* added, std::size_t count, cuda::Workspace& space);
  void moveBack(std::size_t by, std::size_t slice);
  void index(cuda::Workspace& space);
  /// Writes the sources of some pairs in order of their targets, and the targets.
  void sortByTarget(const PairKey* some, std::size_t count, std::uint32_t* sources, std::uint32_t* sorted,
                    cuda::Workspace& space);
  void indexAtOnce(cuda::Workspace& space);
  void indexInSlices(cuda::Workspace& space);
  /// Finds the pairs whose targets are stepped here.
  void findSent(cuda::Workspace& space);

  std::uint32_t neurons;
  bool isIndexed = false;
  std::size_t pairs = 0;
  cuda::Buffer<PairKey> key;
  cuda::Buffer<std::uint32_t> units;
  cuda::Buffer<std::uint64_t> outOffset;
  cuda::Buffer<std::uint64_t> inOffset;
  cuda::Buffer<std::uint32_t> inSource;
  NeuronRange stepped;
  cuda::Buffer<SentPair> sent;
  cuda::Buffer<std::uint64_t> sentOffset; ///< size neurons + 1, or 0 where it steps all of them
  // Scratch of merge and index, kept from one update to the next.
  cuda::Buffer<PairKey> keyScratch[2];
  cuda::Buffer<std::uint32_t> unitScratch[2];
  cuda::Buffer<std::uint64_t> counter;
};

} // namespace hinesight::synapse::detail
