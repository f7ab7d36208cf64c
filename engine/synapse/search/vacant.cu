#include "synapse/search/device_vacant.cuh"

#include <array>
#include <utility>

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

// The vacant elements of the nodes of an octree on a GPU: CUB adds up; each thread has a node.

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;

namespace {

constexpr unsigned kThreads = 256;

__device__ std::uint32_t threadIndex()
{
  return blockIdx.x * kThreads + threadIdx.x;
}

struct Add
{
  __host__ __device__ VacantSum operator()(const VacantSum& a, const VacantSum& b) const { return a + b; }
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

DeviceVacant::DeviceVacant(const OctreeView& octree, const SearchParameters& parameters)
    : tree(octree), sum(std::size_t{octree.neurons} + 1), node(octree.nodes), count(octree.nodes)
{
  limitKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, parameters.kind == SearchKind::Naive,
                                                             parameters.theta, node.data());
  check(cudaGetLastError(), "prepare the search");
}

void DeviceVacant::refresh(const std::uint32_t* vacant, cuda::Workspace& space)
{
  const auto atPlace =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t{0}), VacantAtPlace{tree, vacant});
  space.run("add up vacant elements", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(memory, bytes, atPlace, sum.data(), Add{}, VacantSum{}, sum.size());
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

} // namespace hinesight::synapse::detail
