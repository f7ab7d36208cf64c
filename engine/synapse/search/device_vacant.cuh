#pragma once

// For .cu files only.

#include "synapse/octree/device_octree.cuh"
#include "synapse/search/search_step.hpp"

#include <cstdint>

namespace hinesight::synapse::detail {

/// Vacant elements in every node of an octree on the device, as a search reads them: those of sumVacant, bit for bit.
class DeviceVacant
{
public:
  DeviceVacant(const OctreeView& octree, const SearchParameters& parameters);

  /// Adds up `vacant`, by neuron in device memory, on the default stream; does not wait.
  void refresh(const std::uint32_t* vacant, cuda::Workspace& space);

  const SearchNode* nodes() const { return node.data(); }
  /// By node, the lower 32 bits: SearchNode has them rounded to float.
  const std::uint32_t* counts() const { return count.data(); }
  /// All vacant elements. Waits. Throws as sumVacant.
  std::uint64_t total() const;
  /// As they are now, but for which nodes are large, when `copies` are run.
  void download(VacantElements& to, cuda::HostCopies& copies) const;

private:
  OctreeView tree;
  cuda::Buffer<VacantSum> sum;  ///< before each place of the Morton order, and behind the last
  cuda::Buffer<VacantSum> tile; ///< the same before each tile of places
  cuda::Buffer<SearchNode> node;
  cuda::Buffer<std::uint32_t> count;
};

} // namespace hinesight::synapse::detail
