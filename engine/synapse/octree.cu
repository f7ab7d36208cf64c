#include "synapse/device_octree.cuh"
#include "synapse/on_device.hpp"

#include <array>
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

struct Add
{
  __host__ __device__ VacantSum operator()(const VacantSum& a, const VacantSum& b) const { return a + b; }
};

/// The number of nodes that begin at a place; none behind the last.
struct NodesAt
{
  SortedCodes codes;
  __host__ __device__ std::uint32_t operator()(std::uint32_t at) const
  {
    return at < codes.count ? onesOf(codes.innerLevels(at)) + 1 : 0;
  }
};

struct VacantAtPlace
{
  OctreeView tree;
  const std::uint32_t* vacant;
  __host__ __device__ VacantSum operator()(std::uint32_t at) const
  {
    return at < tree.neurons ? vacantAt(vacant[tree.order[at]], tree.grid[at]) : VacantSum{};
  }
};

template <typename Function>
auto each(Function function)
{
  return thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}), function);
}

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

__global__ void __launch_bounds__(kThreads) nodeKernel(SortedCodes codes, NodeArrays nodes)
{
  const std::uint32_t at = threadIndex();
  if (at < codes.count)
    writeNodes(codes, nodes, at);
}

__global__ void __launch_bounds__(kThreads) vacantKernel(OctreeView tree, const VacantSum* sums, VacantNode* nodes)
{
  const std::uint32_t node = threadIndex();
  if (node >= tree.nodes)
    return;
  const std::uint32_t begin = tree.leafBegin[node];
  const VacantSum sum = sums[tree.leafEnd(node)] - sums[begin];
  VacantNode vacant = {};
  if (sum.count > 0) {
    if (tree.next[node] == node + 1) {
      const float3 at = tree.place[begin];
      vacant = {at.x, at.y, at.z, 0};
    } else {
      vacant = {centroidCoordinate(sum.x, sum.count, tree.box.lowest[0], tree.box.edge),
                centroidCoordinate(sum.y, sum.count, tree.box.lowest[1], tree.box.edge),
                centroidCoordinate(sum.z, sum.count, tree.box.lowest[2], tree.box.edge), 0};
    }
    vacant.count = static_cast<std::uint32_t>(sum.count);
  }
  nodes[node] = vacant;
}

template <typename T>
std::vector<T> onHost(const Buffer<T>& buffer)
{
  std::vector<T> host(buffer.size());
  buffer.download(host.data());
  return host;
}

template <typename T>
T entryOf(const T* entry)
{
  T value;
  check(cudaMemcpy(&value, entry, sizeof value, cudaMemcpyDeviceToHost), "download a count");
  return value;
}

} // namespace

DeviceOctree::DeviceOctree(const std::vector<Position>& positions, cuda::Workspace& space, const RunControl& control)
{
  requireNeuronCount(positions.size());
  stages.backend = Backend::Cuda;
  stages.device = cuda::currentDeviceName();
  Stopwatch stopwatch;
  control.report("upload", 0);
  Buffer<double3> places(positions.size());
  places.upload(reinterpret_cast<const double3*>(positions.data()));
  order = Buffer<std::uint32_t>(positions.size());
  code = Buffer<std::uint64_t>(positions.size());
  leafNode = Buffer<std::uint32_t>(positions.size());
  grid = Buffer<GridPoint>(positions.size());
  place = Buffer<float3>(positions.size());
  stages.add("upload", stopwatch.lap());
  control.report("codes", 0);
  box = findBox(places, space);
  stages.add("codes", stopwatch.lap());
  control.report("sort", 0);
  sortCodes(places, space);
  stages.add("sort", stopwatch.lap());
  control.report("nodes", 0);
  makeNodes(space);
  stages.add("nodes", stopwatch.lap());
  control.report("nodes", 1);
}

OctreeBox DeviceOctree::findBox(const Buffer<double3>& positions, cuda::Workspace& space)
{
  Buffer<Bounds> bounds(1);
  space.run("find the box of the neurons", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(memory, bytes, each(BoundsAt{positions.data()}), bounds.data(), neurons(), Join{},
                                     Bounds{});
  });
  return boxOf(entryOf(bounds.data()));
}

void DeviceOctree::sortCodes(const Buffer<double3>& positions, cuda::Workspace& space)
{
  Buffer<std::uint64_t> unsorted(neurons());
  Buffer<std::uint32_t> neuronOf(neurons());
  const unsigned blocks = blocksFor(neurons(), kThreads);
  codeKernel<<<blocks, kThreads>>>(box, positions.data(), neurons(), unsorted.data(), neuronOf.data());
  check(cudaGetLastError(), "compute Morton codes");
  space.run("sort Morton codes", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, unsorted.data(), code.data(), neuronOf.data(), order.data(),
                                           neurons(), 0, 3 * kDeepestLevel);
  });
  placeKernel<<<blocks, kThreads>>>(box, positions.data(), neurons(), order.data(), grid.data(), place.data());
  check(cudaGetLastError(), "put neurons into Morton order");
  check(cudaDeviceSynchronize(), "sort Morton codes");
}

void DeviceOctree::makeNodes(cuda::Workspace& space)
{
  const SortedCodes codes{code.data(), neurons()};
  Buffer<std::uint32_t> firstNode(std::size_t{neurons()} + 1);
  space.run("number the nodes", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, each(NodesAt{codes}), firstNode.data(), firstNode.size());
  });
  const std::uint32_t count = entryOf(firstNode.data() + neurons());
  next = Buffer<std::uint32_t>(count);
  leafBegin = Buffer<std::uint32_t>(count);
  level = Buffer<std::uint8_t>(count);
  nodeKernel<<<blocksFor(neurons(), kThreads), kThreads>>>(
      codes, {firstNode.data(), order.data(), next.data(), leafBegin.data(), level.data(), leafNode.data()});
  check(cudaGetLastError(), "write the nodes");
  check(cudaDeviceSynchronize(), "write the nodes");
}

OctreeView DeviceOctree::view() const
{
  return {neurons(),   nodes(),          box,          order.data(), code.data(), leafNode.data(),
          next.data(), leafBegin.data(), level.data(), grid.data(),  place.data()};
}

Octree DeviceOctree::download() const
{
  Octree tree;
  tree.lowest = {box.lowest[0], box.lowest[1], box.lowest[2]};
  tree.edge = box.edge;
  tree.order = onHost(order);
  tree.code = onHost(code);
  tree.leafNode = onHost(leafNode);
  tree.next = onHost(next);
  tree.leafBegin = onHost(leafBegin);
  tree.level = onHost(level);
  tree.timings.backend = stages.backend;
  tree.timings.device = stages.device;
  for (const char* stage : {"codes", "sort", "nodes"})
    tree.timings.add(stage, stages.of(stage));
  return tree;
}

DeviceVacant::DeviceVacant(const OctreeView& octree)
    : tree(octree), sum(std::size_t{octree.neurons} + 1), node(octree.nodes)
{}

void DeviceVacant::refresh(const std::uint32_t* vacant, cuda::Workspace& space)
{
  space.run("add up vacant elements", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(memory, bytes, each(VacantAtPlace{tree, vacant}), sum.data(), Add{},
                                          VacantSum{}, sum.size());
  });
  vacantKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, sum.data(), node.data());
  check(cudaGetLastError(), "add up vacant elements");
}

std::uint32_t DeviceVacant::total() const
{
  const VacantSum all = entryOf(sum.data() + tree.neurons);
  requireVacantCount(all.count);
  return static_cast<std::uint32_t>(all.count);
}

VacantElements DeviceVacant::download() const
{
  VacantElements elements;
  elements.count.reserve(node.size());
  elements.centroid.reserve(node.size());
  for (const VacantNode& at : onHost(node)) {
    elements.count.push_back(at.count);
    elements.centroid.push_back({at.x, at.y, at.z});
  }
  return elements;
}

std::shared_ptr<const Octree> makeOctreeOnDevice(const std::vector<Position>& positions, const RunControl& control)
{
  cuda::Workspace space;
  return std::make_shared<Octree>(DeviceOctree(positions, space, control).download());
}

} // namespace hinesight::synapse::detail
