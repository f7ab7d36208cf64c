#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "projection/rows/candidates.hpp"

#include <array>
#include <cstdint>

namespace hinesight::projection::detail {

/// Destinations sorted by cell, those of a cell by index, in device memory: what Problem has of the same names.
struct DeviceCells
{
  cuda::Buffer<std::uint32_t> cellBegin, slotIndex;
  std::array<cuda::Buffer<double>, 3> slotPosition;
};

/// Sorts destinations whose positions are held in device memory into the cells that their axes say. Throws as
/// cuda::check.
DeviceCells sortIntoCells(const DestinationView& destination);

} // namespace hinesight::projection::detail
