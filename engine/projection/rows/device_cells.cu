#include "projection/rows/device_cells.cuh"

#include <algorithm>
#include <bit>

#include <cub/device/device_radix_sort.cuh>

namespace hinesight::projection::detail {

using cuda::Buffer;
using cuda::check;

namespace {

constexpr unsigned kThreadsOfBlock = 256;

unsigned blocksFor(std::uint32_t count)
{
  return count / kThreadsOfBlock + (count % kThreadsOfBlock != 0 ? 1 : 0);
}

__device__ std::uint64_t threadNumber()
{
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__global__ void findCells(const __grid_constant__ DestinationView destination, std::uint32_t* cell,
                          std::uint32_t* index)
{
  const std::uint64_t i = threadNumber();
  if (i >= destination.count)
    return;
  double position[3];
  positionOf(destination.positions, static_cast<std::uint32_t>(i), position);
  cell[i] = cellAt(destination, position);
  index[i] = static_cast<std::uint32_t>(i);
}

/// Where each cell begins: how many destinations are in the cells before it.
__global__ void findBegins(const std::uint32_t* sortedCell, std::uint32_t count, std::uint32_t cells,
                           std::uint32_t* cellBegin)
{
  const std::uint64_t cell = threadNumber();
  if (cell > cells)
    return;
  std::uint32_t first = 0, last = count;
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    if (sortedCell[middle] < cell)
      first = middle + 1;
    else
      last = middle;
  }
  cellBegin[cell] = first;
}

__global__ void takeInOrder(const std::uint32_t* index, std::uint32_t count, const double* from, double* to)
{
  const std::uint64_t slot = threadNumber();
  if (slot < count)
    to[slot] = from[index[slot]];
}

} // namespace

DeviceCells sortIntoCells(const DestinationView& destination)
{
  const std::uint32_t count = destination.count;
  const std::uint32_t cells = destination.axis[0].count * destination.axis[1].count * destination.axis[2].count;
  DeviceCells sorted{Buffer<std::uint32_t>(std::size_t{cells} + 1), Buffer<std::uint32_t>(count), {}};
  Buffer<std::uint32_t> cell(count), sortedCell(count), index(count);
  findCells<<<blocksFor(count), kThreadsOfBlock>>>(destination, cell.data(), index.data());
  check(cudaGetLastError(), "launch the search for cells");
  // Stable: the destinations of a cell stay in the order of their indices.
  const int bits = std::max(1, static_cast<int>(std::bit_width(cells)));
  const auto sort = [&](void* space, std::size_t& bytes) {
    check(cub::DeviceRadixSort::SortPairs(space, bytes, cell.data(), sortedCell.data(), index.data(),
                                          sorted.slotIndex.data(), std::int64_t{count}, 0, bits),
          "sort the destinations into cells");
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes);
  Buffer<unsigned char> space(bytes);
  sort(space.data(), bytes);
  findBegins<<<blocksFor(cells) + 1, kThreadsOfBlock>>>(sortedCell.data(), count, cells, sorted.cellBegin.data());
  check(cudaGetLastError(), "launch the search for the cells' begins");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sorted.slotPosition[axis] = Buffer<double>(count);
    takeInOrder<<<blocksFor(count), kThreadsOfBlock>>>(sorted.slotIndex.data(), count, destination.positions.held[axis],
                                                       sorted.slotPosition[axis].data());
    check(cudaGetLastError(), "launch the ordering of positions");
  }
  check(cudaDeviceSynchronize(), "sort the destinations into cells");
  return sorted;
}

} // namespace hinesight::projection::detail
