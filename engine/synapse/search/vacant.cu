#include "synapse/search/device_vacant.cuh"

#include <array>
#include <utility>

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

// The vacant elements of the nodes of an octree on a GPU: sums by place of the Morton order, of which a node has the
// difference of two.

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

// Sums up to each place, in three kernels: of tiles of places, of the tiles, of the places of each tile. CUB's own scan
// of as large items takes four times as long, because its blocks wait for one another's sums.

constexpr unsigned kRows = 8; ///< of a tile: a thread has one place of each
constexpr unsigned kTile = kRows * kThreads;

/// Elements in the order of places, and the sum of each tile.
__global__ void __launch_bounds__(kThreads)
    tileKernel(OctreeView tree, const std::uint32_t* vacant, std::uint32_t* atPlace, VacantSum* tile)
{
  using Reduce = cub::BlockReduce<VacantSum, kThreads>;
  __shared__ typename Reduce::TempStorage space;
  VacantSum sum{};
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const std::uint64_t at = std::uint64_t{blockIdx.x} * kTile + row * kThreads + threadIdx.x;
    if (at >= tree.neurons)
      break;
    const std::uint32_t count = vacant[tree.order[at]];
    atPlace[at] = count;
    sum = sum + vacantAt(count, tree.grid[at]);
  }
  const VacantSum all = Reduce(space).Reduce(sum, Add{});
  if (threadIdx.x == 0)
    tile[blockIdx.x] = all;
}

/// `before`: the sum of the tiles before each. Sums before each place, and behind the last one.
__global__ void __launch_bounds__(kThreads)
    placeKernel(OctreeView tree, const std::uint32_t* atPlace, const VacantSum* before, VacantSum* sum)
{
  using Scan = cub::BlockScan<VacantSum, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage space;
  VacantSum begin = before[blockIdx.x];
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const std::uint64_t at = std::uint64_t{blockIdx.x} * kTile + row * kThreads + threadIdx.x;
    const VacantSum own = at < tree.neurons ? vacantAt(atPlace[at], tree.grid[at]) : VacantSum{};
    VacantSum inRow, all;
    Scan(space).ExclusiveScan(own, inRow, VacantSum{}, Add{}, all);
    if (at <= tree.neurons)
      sum[at] = begin + inRow;
    begin = begin + all;
    __syncthreads();
  }
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

__device__ float3 centroidOf(const OctreeView& tree, const WideSum& sum)
{
  const OctreeBox& box = tree.box;
  return make_float3(centroidCoordinate(sum, 0, box.lowest[0], box.edge),
                     centroidCoordinate(sum, 1, box.lowest[1], box.edge),
                     centroidCoordinate(sum, 2, box.lowest[2], box.edge));
}

__device__ float3 centroidOf(const OctreeView& tree, std::uint32_t node, const VacantSum* sums, const VacantSum& sum)
{
  if (tree.isLeaf(node))
    return tree.place[tree.leafBegin[node]];
  if (isLarge(sum.count))
    return centroidOf(tree, wideSum(sums, tree.leafBegin[node], tree.leafEnd(node)));
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
  const float3 centroid = sum.count > 0 ? centroidOf(tree, node, sums, sum) : make_float3(0, 0, 0);
  counts[node] = static_cast<std::uint32_t>(sum.count);
  nodes[node].x = centroid.x;
  nodes[node].y = centroid.y;
  nodes[node].z = centroid.z;
  nodes[node].count = static_cast<float>(sum.count);
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
    : tree(octree), sum(std::size_t{octree.neurons} + 1), tile(blocksFor(sum.size(), kTile)), node(octree.nodes),
      count(octree.nodes)
{
  limitKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, parameters.kind == SearchKind::Naive,
                                                             parameters.theta, node.data());
  check(cudaGetLastError(), "prepare the search");
}

void DeviceVacant::refresh(const std::uint32_t* vacant, cuda::Workspace& space)
{
  const auto tiles = static_cast<unsigned>(tile.size());
  std::uint32_t* const atPlace = count.data(); // until it gets the counts: there are no fewer nodes than places
  tileKernel<<<tiles, kThreads>>>(tree, vacant, atPlace, tile.data());
  check(cudaGetLastError(), "add up vacant elements");
  space.run("add up vacant elements", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(memory, bytes, tile.data(), tile.data(), Add{}, VacantSum{}, tiles);
  });
  placeKernel<<<tiles, kThreads>>>(tree, atPlace, tile.data(), sum.data());
  check(cudaGetLastError(), "add up vacant elements");
  vacantKernel<<<blocksFor(tree.nodes, kThreads), kThreads>>>(tree, sum.data(), node.data(), count.data());
  check(cudaGetLastError(), "add up vacant elements");
}

std::uint64_t DeviceVacant::total() const
{
  const VacantSum all = cuda::readEntry(sum.data() + tree.neurons);
  requireVacantCount(all.count);
  return all.count;
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
