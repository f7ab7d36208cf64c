#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/cuda_workspace.cuh"
#include "core/cuda/host_copies.cuh"
#include "synapse/octree/octree.hpp"
#include "synapse/octree/octree_step.hpp"

#include <cstdint>

namespace hinesight::synapse::detail {

/// An octree in device memory, for kernels: the arrays of Octree but for leafNode, and by place of the Morton order
/// where the neurons are.
struct OctreeView
{
  std::uint32_t neurons, nodes;
  OctreeBox box;
  const std::uint32_t* order;
  const std::uint64_t* code;
  const std::uint32_t* next;
  const std::uint32_t* leafBegin;
  const std::uint8_t* level;
  const GridPoint* grid; ///< by place
  const float3* place;   ///< by place, um: positions rounded to float

  __device__ bool isLeaf(std::uint32_t node) const { return next[node] == node + 1; }
  __device__ double cellEdge(std::uint32_t node) const { return box.edge * fromBits((1023ull - level[node]) << 52); }
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
  std::uint32_t nodes() const { return nodeCount; }
  /// "upload" (with what memory it takes), "codes", "sort", "nodes".
  const StageTimings& timings() const { return stages; }
  /// Copies it to the host when `copies` are run, timings without the upload.
  void download(Octree& to, cuda::HostCopies& copies) const;

private:
  struct Scratch;
  void findBox(Scratch& scratch, cuda::Workspace& space);
  void sortCodes(Scratch& scratch, cuda::Workspace& space);
  void makeNodes(Scratch& scratch, cuda::Workspace& space);

  OctreeBox box = {};
  std::uint32_t nodeCount = 0;
  cuda::Buffer<std::uint32_t> order;
  cuda::Buffer<std::uint64_t> code;
  cuda::Buffer<std::uint32_t> next; ///< this and the next two have room for the most nodes
  cuda::Buffer<std::uint32_t> leafBegin;
  cuda::Buffer<std::uint8_t> level;
  cuda::Buffer<GridPoint> grid;
  cuda::Buffer<float3> place;
  StageTimings stages;
};

} // namespace hinesight::synapse::detail
