#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"

#include <cstddef>

namespace hinesight::cuda {

/// An array in pinned main memory: copies between it and a device's go on beside kernels and the host.
template <typename T>
class PinnedArray
{
public:
  PinnedArray() = default;
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { cudaFreeHost(pointer); }

  /// Holds at least `count` items, and somewhat more; what it held is lost where it grows.
  void grow(std::size_t count)
  {
    if (count <= items)
      return;
    cudaFreeHost(pointer);
    pointer = nullptr;
    items = 0;
    const std::size_t most = count + count / 8;
    check(cudaMallocHost(reinterpret_cast<void**>(&pointer), most * sizeof(T)), "reserve pinned memory");
    items = most;
  }

  T* data() { return pointer; }
  const T* data() const { return pointer; }
  T& operator[](std::size_t item) { return pointer[item]; }
  const T& operator[](std::size_t item) const { return pointer[item]; }

private:
  T* pointer = nullptr;
  std::size_t items = 0;
};

} // namespace hinesight::cuda
