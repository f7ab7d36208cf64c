#include "synapse/octree/device_octree.cuh"
#include "synapse/octree/octree_on_device.hpp"

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

/// What of the nodes does not depend on the vacant elements.
__global__ void __launch_bounds__(kThreads) limitKernel(OctreeView tree, bool naive, double theta, SearchNode* nodes)
{
  const std::uint32_t node = threadIndex();
  if (node >= tree.nodes)
    return;
  const bool isLeaf = tree.isLeaf(node);
  const double reach = greatestCoordinate(tree.box);
  nodes[node].limit = naive ? naiveLimit(isLeaf) : acceptanceLimit(isLeaf, tree.cellEdge(node), theta, reach);
  nodes[node].next = tree.next[node];
}

__device__ float3 centroidOf(const OctreeView& tree, std::uint32_t node, const VacantSum& sum)
{
  if (tree.isLeaf(node))
    return tree.place[tree.leafBegin[node]];
  const OctreeBox& box = tree.box;
  return make_float3(centroidCoordinate(sum.x, sum.count, box.lowest[0], box.edge),
                     centroidCoordinate(sum.y, sum.count, box.lowest[1], box.edge),
                     centroidCoordinate(sum.z, sum.count, box.lowest[2], box.edge));
}

__global__ void __launch_bounds__(kThreads)
    vacantKernel(OctreeView tree, const VacantSum* sums, SearchNode* nodes, std::uint32_t* counts)
{
  const std::uint32_t node = threadIndex();
  if (node >= tree.nodes)
    return;
  const VacantSum sum = sums[tree.leafEnd(node)] - sums[tree.leafBegin[node]];
  const float3 centroid = sum.count > 0 ? centroidOf(tree, node, sum) : make_float3(0, 0, 0);
  counts[node] = static_cast<std::uint32_t>(sum.count);
  nodes[node].x = centroid.x;
  nodes[node].y = centroid.y;
  nodes[node].z = centroid.z;
  nodes[node].count = static_cast<float>(counts[node]);
}

/// Vacant elements as the host has them.
__global__ void __launch_bounds__(kThreads)
    copyVacantKernel(const SearchNode* nodes, const std::uint32_t* counts, std::uint32_t size, std::uint32_t* countsNow,
                     std::array<float, 3>* centroids)
{
  const std::uint32_t node = threadIndex();
  if (node >= size)
    return;
  countsNow[node] = counts[node];
  centroids[node] = {nodes[node].x, nodes[node].y, nodes[node].z};
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
  leafNode = Buffer<std::uint32_t>(neuronCount);
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
  space.run("find the box of the neurons", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(memory, bytes, each(BoundsAt{scratch.positions.data()}), scratch.bounds.data(),
                                     neurons(), Join{}, Bounds{});
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
  space.run("number the nodes", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, each(NodesAt{codes}), firstNode, neurons() + 1);
  });
  nodeCount = cuda::readEntry(firstNode + neurons());
  nodeKernel<<<blocksFor(neurons(), kThreads), kThreads>>>(
      codes, {firstNode, order.data(), next.data(), leafBegin.data(), level.data(), leafNode.data()});
  check(cudaGetLastError(), "write the nodes");
  check(cudaDeviceSynchronize(), "write the nodes");
}

OctreeView DeviceOctree::view() const
{
  return {neurons(),   nodes(),          box,          order.data(), code.data(), leafNode.data(),
          next.data(), leafBegin.data(), level.data(), grid.data(),  place.data()};
}

void DeviceOctree::download(Octree& to, cuda::HostCopies& copies) const
{
  to.lowest = {box.lowest[0], box.lowest[1], box.lowest[2]};
  to.edge = box.edge;
  copies.add(order.data(), order.size(), to.order);
  copies.add(code.data(), code.size(), to.code);
  copies.add(leafNode.data(), leafNode.size(), to.leafNode);
  copies.add(next.data(), nodeCount, to.next);
  copies.add(leafBegin.data(), nodeCount, to.leafBegin);
  copies.add(level.data(), nodeCount, to.level);
  to.timings.backend = stages.backend;
  to.timings.device = stages.device;
  for (const char* stage : {"codes", "sort", "nodes"})
    to.timings.add(stage, stages.of(stage));
}

DeviceVacant::DeviceVacant(const OctreeView& octree, const SearchParameters& parameters)
    : tree(octree), sum(std::size_t{octree.neurons} + 1), node(octree.nodes), count(octree.nodes)
{
  limitKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, parameters.kind == SearchKind::Naive,
                                                             parameters.theta, node.data());
  check(cudaGetLastError(), "prepare the search");
}

void DeviceVacant::refresh(const std::uint32_t* vacant, cuda::Workspace& space)
{
  space.run("add up vacant elements", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(memory, bytes, each(VacantAtPlace{tree, vacant}), sum.data(), Add{},
                                          VacantSum{}, sum.size());
  });
  vacantKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, sum.data(), node.data(), count.data());
  check(cudaGetLastError(), "add up vacant elements");
}

std::uint32_t DeviceVacant::total() const
{
  const VacantSum all = cuda::readEntry(sum.data() + tree.neurons);
  requireVacantCount(all.count);
  return static_cast<std::uint32_t>(all.count);
}

void DeviceVacant::download(VacantElements& to, cuda::HostCopies& copies) const
{
  Buffer<std::uint32_t> countNow(count.size());
  Buffer<std::array<float, 3>> centroid(node.size());
  copyVacantKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(node.data(), count.data(), tree.nodes,
                                                                  countNow.data(), centroid.data());
  check(cudaGetLastError(), "copy the vacant elements");
  copies.add(std::move(countNow), to.count);
  copies.add(std::move(centroid), to.centroid);
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
