#pragma once

// For .cu files only: between the order of the batch and the layout of a plan.

#include "core/cuda/cuda_support.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hinesight::hines::detail {

/// A run of slots that one schedule describes.
struct PermutedBlock
{
  std::size_t table;     ///< of its first slot in the tables
  std::size_t slotBegin; ///< of its first slot in the layout
  std::size_t cellBegin; ///< of its first cell in the list of cells
  std::uint32_t slotCount;
};

/// Where the slots' values come from; see BlockSchedule.
struct PermutationTables
{
  const PermutedBlock* blocks;
  const std::int32_t* cell;
  const std::int32_t* diagonal;
  const std::int32_t* coupling;
  const std::size_t* cellOffset; ///< first compartment in the batch, per cell in the plan's order
};

/// Batch order to the layout, in the layout's precision. Padding becomes rows of the identity. blockIdx.x: block,
/// blockIdx.y: part of it.
template <typename Source, typename Real>
__global__ void permuteKernel(PermutationTables t, const Source* excess, const Source* u, const Source* b,
                              Real* excessOut, Real* uOut, Real* bOut)
{
  const PermutedBlock block = t.blocks[blockIdx.x];
  const std::uint32_t step = blockDim.x * gridDim.y;
  for (std::uint32_t slot = blockIdx.y * blockDim.x + threadIdx.x; slot < block.slotCount; slot += step) {
    const std::int32_t cell = t.cell[block.table + slot];
    Source rowExcess = 1;
    Source coupling = 0;
    Source rightHandSide = 0;
    if (cell >= 0) {
      const std::size_t base = t.cellOffset[block.cellBegin + cell];
      const std::int32_t source = t.coupling[block.table + slot];
      const std::int32_t row = t.diagonal[block.table + slot];
      rowExcess = excess[base + row];
      rightHandSide = b[base + row];
      coupling = source >= 0 ? u[base + source] : Source(0);
    }
    excessOut[block.slotBegin + slot] = static_cast<Real>(rowExcess);
    uOut[block.slotBegin + slot] = static_cast<Real>(coupling);
    bOut[block.slotBegin + slot] = static_cast<Real>(rightHandSide);
  }
}

/// The solution back to batch order.
template <typename Real, typename Target>
__global__ void unpermuteKernel(PermutationTables t, const Real* x, Target* xOut)
{
  const PermutedBlock block = t.blocks[blockIdx.x];
  const std::uint32_t step = blockDim.x * gridDim.y;
  for (std::uint32_t slot = blockIdx.y * blockDim.x + threadIdx.x; slot < block.slotCount; slot += step) {
    const std::int32_t cell = t.cell[block.table + slot];
    if (cell >= 0)
      xOut[t.cellOffset[block.cellBegin + cell] + t.diagonal[block.table + slot]] = x[block.slotBegin + slot];
  }
}

/// The tables in device memory and the two kernels on them.
class Permutation
{
public:
  /// `coupling` may be empty: then it is `diagonal`.
  Permutation(const std::vector<PermutedBlock>& blockList, const std::vector<std::int32_t>& slotCell,
              const std::vector<std::int32_t>& slotDiagonal, const std::vector<std::int32_t>& slotCoupling,
              const std::vector<std::size_t>& cellOffsets)
      : blocks(blockList), cell(slotCell), diagonal(slotDiagonal), coupling(slotCoupling), cellOffset(cellOffsets)
  {
    std::uint32_t most = 0;
    for (const PermutedBlock& block : blockList)
      most = std::max(most, block.slotCount);
    // Large blocks are shared by several thread blocks.
    const auto parts = std::min<std::size_t>((most + kSlotsAPart - 1) / kSlotsAPart, 65535);
    grid = dim3(static_cast<unsigned>(blockList.size()), static_cast<unsigned>(std::max<std::size_t>(1, parts)));
  }

  template <typename Source, typename Real>
  void toLayout(const Source* excess, const Source* u, const Source* b, Real* excessOut, Real* uOut, Real* bOut,
                cudaStream_t stream = nullptr) const
  {
    permuteKernel<<<grid, kThreads, 0, stream>>>(tables(), excess, u, b, excessOut, uOut, bOut);
    cuda::check(cudaGetLastError(), "launch the permutation");
  }
  template <typename Real, typename Target>
  void toBatch(const Real* x, Target* xOut, cudaStream_t stream = nullptr) const
  {
    unpermuteKernel<<<grid, kThreads, 0, stream>>>(tables(), x, xOut);
    cuda::check(cudaGetLastError(), "launch the permutation");
  }

private:
  PermutationTables tables() const
  {
    return {blocks.data(), cell.data(), diagonal.data(), coupling.size() > 0 ? coupling.data() : diagonal.data(),
            cellOffset.data()};
  }

  static constexpr unsigned kThreads = 256;
  static constexpr std::uint32_t kSlotsAPart = 4096;
  cuda::Buffer<PermutedBlock> blocks;
  cuda::Buffer<std::int32_t> cell, diagonal, coupling;
  cuda::Buffer<std::size_t> cellOffset;
  dim3 grid;
};

} // namespace hinesight::hines::detail
