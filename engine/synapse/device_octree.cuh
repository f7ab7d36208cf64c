#pragma once

// For .cu files only.

#include "core/cuda_support.cuh"
#include "core/cuda_workspace.cuh"
#include "synapse/octree.hpp"
#include "synapse/octree_step.hpp"

#include <cstdint>

namespace hinesight::synapse::detail {

/// An octree in device memory, for kernels: the arrays of Octree, and by place of the Morton order where the neurons
/// are.
struct OctreeView
{
  std::uint32_t neurons, nodes;
  OctreeBox box;
  const std::uint32_t* order;
  const std::uint64_t* code;
  const std::uint32_t* leafNode;
  const std::uint32_t* next;
  const std::uint32_t* leafBegin;
  const std::uint8_t* level;
  const GridPoint* grid; ///< by place
  const float3* place;   ///< by place, um: positions rounded to float

  __device__ std::uint32_t leafEnd(std::uint32_t node) const
  {
    return next[node] < nodes ? leafBegin[next[node]] : neurons;
  }
};

/// An octree made and kept on the device: the arrays of makeOctree, byte for byte. Work is put on the default stream.
class DeviceOctree
{
public:
  /// Uploads the positions and builds. Throws as makeOctree and cuda::check.
  DeviceOctree(const std::vector<Position>& positions, cuda::Workspace& space, const RunControl& control = {});

  OctreeView view() const;
  std::uint32_t neurons() const { return static_cast<std::uint32_t>(order.size()); }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(next.size()); }
  /// "upload", "codes", "sort", "nodes".
  const StageTimings& timings() const { return stages; }
  /// Copies it to the host, timings without the upload.
  Octree download() const;

private:
  OctreeBox findBox(const cuda::Buffer<double3>& positions, cuda::Workspace& space);
  void sortCodes(const cuda::Buffer<double3>& positions, cuda::Workspace& space);
  void makeNodes(cuda::Workspace& space);

  OctreeBox box = {};
  cuda::Buffer<std::uint32_t> order;
  cuda::Buffer<std::uint64_t> code;
  cuda::Buffer<std::uint32_t> leafNode;
  cuda::Buffer<std::uint32_t> next;
  cuda::Buffer<std::uint32_t> leafBegin;
  cuda::Buffer<std::uint8_t> level;
  cuda::Buffer<GridPoint> grid;
  cuda::Buffer<float3> place;
  StageTimings stages;
};

/// A node as a search reads it, in one load.
struct alignas(16) VacantNode
{
  float x, y, z; ///< centroid, um
  std::uint32_t count;
};

/// Vacant elements of one channel in every node of an octree on the device: those of sumVacant, byte for byte.
class DeviceVacant
{
public:
  explicit DeviceVacant(const OctreeView& octree);

  /// Adds up `vacant`, by neuron in device memory, on the default stream; does not wait.
  void refresh(const std::uint32_t* vacant, cuda::Workspace& space);

  const VacantNode* nodes() const { return node.data(); }
  /// Exclusive sums over the Morton order; entry [neurons] is the sum of all.
  const VacantSum* sums() const { return sum.data(); }
  /// All vacant elements. Waits. Throws Error(BadParameter) where there are 2^32 or more.
  std::uint32_t total() const;
  VacantElements download() const;

private:
  OctreeView tree;
  cuda::Buffer<VacantSum> sum;
  cuda::Buffer<VacantNode> node;
};

} // namespace hinesight::synapse::detail
