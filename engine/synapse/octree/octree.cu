#include "synapse/octree/device_octree.cuh"
#include "synapse/octree/octree_on_device.hpp"

#include <array>
#include <utility>
#include <vector>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

// The octree on a GPU: CUB reduces, sorts and adds up; each thread has a place of the Morton order or a node.

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;

namespace {

constexpr unsigned kThreads = 256;

static_assert(sizeof(Position) == sizeof(double3));

__device__ std::uint32_t threadIndex()
{
  return blockIdx.x * kThreads + threadIdx.x;
}

struct BoundsAt
{
  const double3* positions;
  __host__ __device__ Bounds operator()(std::uint32_t neuron) const
  {
    const double3 at = positions[neuron];
    return boundsOf(neuron, at.x, at.y, at.z);
  }
};

struct Join
{
  __host__ __device__ Bounds operator()(const Bounds& a, const Bounds& b) const { return joined(a, b); }
};

__global__ void __launch_bounds__(kThreads) codeKernel(OctreeBox box, const double3* positions, std::uint32_t neurons,
                                                       std::uint64_t* code, std::uint32_t* neuronOf)
{
  const std::uint32_t neuron = threadIndex();
  if (neuron >= neurons)
    return;
  const double3 at = positions[neuron];
  code[neuron] = mortonCode(gridPoint(box, at.x, at.y, at.z));
  neuronOf[neuron] = neuron;
}

__global__ void __launch_bounds__(kThreads) placeKernel(OctreeBox box, const double3* positions, std::uint32_t neurons,
                                                        const std::uint32_t* order, GridPoint* grid, float3* place)
{
  const std::uint32_t at = threadIndex();
  if (at >= neurons)
    return;
  const double3 position = positions[order[at]];
  grid[at] = gridPoint(box, position.x, position.y, position.z);
  place[at] =
      make_float3(static_cast<float>(position.x), static_cast<float>(position.y), static_cast<float>(position.z));
}

/// The number of nodes that begin at each place; none behind the last. Places differ much in what they take: a scan
/// that did this itself would wait for the longest of many.
__global__ void __launch_bounds__(kThreads) countKernel(SortedCodes codes, std::uint32_t* nodes)
{
  const std::uint32_t at = threadIndex();
  if (at <= codes.count)
    nodes[at] = at < codes.count ? onesOf(codes.innerLevels(at)) + 1 : 0;
}

__global__ void __launch_bounds__(kThreads) nodeKernel(SortedCodes codes, NodeArrays nodes)
{
  const std::uint32_t at = threadIndex();
  if (at < codes.count)
    writeNodes(codes, nodes, at);
}

/// The leaf of each neuron, by neuron.
__global__ void __launch_bounds__(kThreads) leafKernel(OctreeView tree, std::uint32_t* leafNode)
{
  const std::uint32_t node = threadIndex();
  if (node < tree.nodes && tree.isLeaf(node))
    leafNode[tree.order[tree.leafBegin[node]]] = node;
}

} // namespace

/// What only building takes.
struct DeviceOctree::Scratch
{
  explicit Scratch(const std::vector<Position>& places)
      : positions(places.size()), bounds(1), unsorted(places.size()), neuronOf(places.size()),
        firstNode(places.size() + 1)
  {
    positions.upload(reinterpret_cast<const double3*>(places.data()));
  }

  Buffer<double3> positions;
  Buffer<Bounds> bounds;
  Buffer<std::uint64_t> unsorted;
  Buffer<std::uint32_t> neuronOf;
  Buffer<std::uint32_t> firstNode;
};

DeviceOctree::DeviceOctree(const std::vector<Position>& positions, cuda::Workspace& space, const RunControl& control)
{
  const std::size_t neuronCount = positions.size();
  requireNeuronCount(neuronCount);
  stages.backend = Backend::Cuda;
  stages.device = cuda::currentDeviceName();
  Stopwatch stopwatch;
  control.report("upload", 0);
  Scratch scratch(positions);
  order = Buffer<std::uint32_t>(neuronCount);
  code = Buffer<std::uint64_t>(neuronCount);
  next = Buffer<std::uint32_t>(2 * neuronCount);
  leafBegin = Buffer<std::uint32_t>(2 * neuronCount);
  level = Buffer<std::uint8_t>(2 * neuronCount);
  grid = Buffer<GridPoint>(neuronCount);
  place = Buffer<float3>(neuronCount);
  check(cudaDeviceSynchronize(), "upload the positions");
  stages.add("upload", stopwatch.lap());
  control.report("codes", 0);
  findBox(scratch, space);
  stages.add("codes", stopwatch.lap());
  control.report("sort", 0);
  sortCodes(scratch, space);
  stages.add("sort", stopwatch.lap());
  control.report("nodes", 0);
  makeNodes(scratch, space);
  stages.add("nodes", stopwatch.lap());
  control.report("nodes", 1);
}

void DeviceOctree::findBox(Scratch& scratch, cuda::Workspace& space)
{
  const auto bounds = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}),
                                                      BoundsAt{scratch.positions.data()});
  space.run("find the box of the neurons", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(memory, bytes, bounds, scratch.bounds.data(), neurons(), Join{}, Bounds{});
  });
  box = boxOf(cuda::readEntry(scratch.bounds.data()));
}

void DeviceOctree::sortCodes(Scratch& scratch, cuda::Workspace& space)
{
  const unsigned blocks = blocksFor(neurons(), kThreads);
  codeKernel<<<blocks, kThreads>>>(box, scratch.positions.data(), neurons(), scratch.unsorted.data(),
                                   scratch.neuronOf.data());
  check(cudaGetLastError(), "compute Morton codes");
  space.run("sort Morton codes", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, scratch.unsorted.data(), code.data(), scratch.neuronOf.data(),
                                           order.data(), neurons(), 0, 3 * kDeepestLevel);
  });
  placeKernel<<<blocks, kThreads>>>(box, scratch.positions.data(), neurons(), order.data(), grid.data(), place.data());
  check(cudaGetLastError(), "put neurons into Morton order");
  check(cudaDeviceSynchronize(), "sort Morton codes");
}

void DeviceOctree::makeNodes(Scratch& scratch, cuda::Workspace& space)
{
  const SortedCodes codes{code.data(), neurons()};
  std::uint32_t* const firstNode = scratch.firstNode.data();
  countKernel<<<blocksFor(std::size_t{neurons()} + 1, kThreads), kThreads>>>(codes, firstNode);
  check(cudaGetLastError(), "number the nodes");
  space.run("number the nodes", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, firstNode, firstNode, neurons() + 1);
  });
  nodeCount = cuda::readEntry(firstNode + neurons());
  nodeKernel<<<blocksFor(neurons(), kThreads), kThreads>>>(codes,
                                                           {firstNode, next.data(), leafBegin.data(), level.data()});
  check(cudaGetLastError(), "write the nodes");
  check(cudaDeviceSynchronize(), "write the nodes");
}

OctreeView DeviceOctree::view() const
{
  return {neurons(),   nodes(),          box,          order.data(), code.data(),
          next.data(), leafBegin.data(), level.data(), grid.data(),  place.data()};
}

void DeviceOctree::download(Octree& to, cuda::HostCopies& copies) const
{
  to.lowest = {box.lowest[0], box.lowest[1], box.lowest[2]};
  to.edge = box.edge;
  copies.add(order.data(), order.size(), to.order);
  copies.add(code.data(), code.size(), to.code);
  Buffer<std::uint32_t> leafNode(order.size());
  leafKernel<<<blocksFor(nodeCount, kThreads), kThreads>>>(view(), leafNode.data());
  check(cudaGetLastError(), "find the leaves");
  copies.add(std::move(leafNode), to.leafNode);
  copies.add(next.data(), nodeCount, to.next);
  copies.add(leafBegin.data(), nodeCount, to.leafBegin);
  copies.add(level.data(), nodeCount, to.level);
  to.timings.backend = stages.backend;
  to.timings.device = stages.device;
  for (const char* stage : {"codes", "sort", "nodes"})
    to.timings.add(stage, stages.of(stage));
}

std::shared_ptr<const Octree> makeOctreeOnDevice(const std::vector<Position>& positions, const RunControl& control)
{
  cuda::Workspace space;
  const DeviceOctree onDevice(positions, space, control);
  auto tree = std::make_shared<Octree>();
  cuda::HostCopies copies;
  onDevice.download(*tree, copies);
  copies.run(control);
  return tree;
}

} // namespace hinesight::synapse::detail
