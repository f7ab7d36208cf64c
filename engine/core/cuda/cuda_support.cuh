#pragma once

// For .cu files only.

#include "core/error.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::cuda {

/// Turns a CUDA error into Error(OutOfMemory) or Error(DeviceFailure) that names the step.
inline void check(cudaError_t status, const char* step)
{
  if (status == cudaSuccess)
    return;
  cudaGetLastError(); // clears a recoverable error, so that the next call starts clean
  if (status == cudaErrorMemoryAllocation)
    throw Error(ErrorCode::OutOfMemory, std::string("The GPU has too little free memory to ") + step +
                                            "; choose fewer cells or neurons, or the CPU backend.");
  throw Error(ErrorCode::DeviceFailure,
              std::string("The GPU failed to ") + step + ": " + cudaGetErrorString(status) + ".");
}

/// Of the device that this thread uses, such as "NVIDIA H200".
std::string currentDeviceName();
/// Of the device that this thread uses, bytes; where devices are limited (limitDevices), of what the limit leaves.
std::size_t freeMemory();
/// In that device's memory, to be given back by cudaFree. Throws Error(OutOfMemory).
void* allocate(std::size_t bytes);

/// An array in device memory.
template <typename T>
class Buffer
{
public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : items(count)
  {
    if (count > 0)
      pointer = static_cast<T*>(allocate(count * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { upload(host.data()); }
  Buffer(Buffer&& other) noexcept : pointer(std::exchange(other.pointer, nullptr)), items(std::exchange(other.items, 0))
  {}
  Buffer& operator=(Buffer&& other) noexcept
  {
    std::swap(pointer, other.pointer);
    std::swap(items, other.items);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer()
  {
    if (pointer)
      cudaFree(pointer);
  }

  T* data() { return pointer; }
  const T* data() const { return pointer; }
  std::size_t size() const { return items; }

  void upload(const T* host)
  {
    if (items > 0)
      check(cudaMemcpy(pointer, host, items * sizeof(T), cudaMemcpyHostToDevice), "upload data");
  }
  void download(T* host) const
  {
    if (items > 0)
      check(cudaMemcpy(host, pointer, items * sizeof(T), cudaMemcpyDeviceToHost), "download results");
  }

private:
  T* pointer = nullptr;
  std::size_t items = 0;
};

} // namespace hinesight::cuda
