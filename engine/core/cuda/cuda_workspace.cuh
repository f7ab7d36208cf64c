#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hinesight::cuda {

/// Memory that CUB's algorithms need while they run, kept from one to the next. Of one stream at a time.
class Workspace
{
public:
  /// Calls call(space, bytes) twice, as CUB wants it: to ask how much it needs, then to run. `step` names the work.
  template <typename Call>
  void run(const char* step, Call call)
  {
    std::size_t bytes = 0;
    check(call(static_cast<void*>(nullptr), bytes), step);
    reserve(bytes);
    check(call(static_cast<void*>(space.data()), bytes), step);
  }

  /// Takes so many bytes beforehand.
  void reserve(std::size_t bytes)
  {
    if (bytes <= space.size())
      return;
    space = {};
    space = Buffer<unsigned char>(bytes);
  }

private:
  Buffer<unsigned char> space;
};

/// How much a buffer is to hold: some more than is needed, so that a demand that rises slowly allocates rarely, or just
/// that, where it is known beforehand.
enum class Room
{
  Spare,
  Exact
};

/// Makes a buffer hold at least `count` items; what it held is lost where it grows.
template <typename T>
void grow(Buffer<T>& buffer, std::size_t count, Room room = Room::Spare)
{
  if (count <= buffer.size())
    return;
  buffer = {};
  buffer = Buffer<T>(room == Room::Spare ? count + count / 8 : count);
}

/// The first items of a buffer.
template <typename T>
std::vector<T> toHost(const Buffer<T>& buffer, std::size_t count)
{
  std::vector<T> host(count);
  if (count > 0)
    check(cudaMemcpy(host.data(), buffer.data(), count * sizeof(T), cudaMemcpyDeviceToHost), "download results");
  return host;
}

template <typename T>
std::vector<T> toHost(const Buffer<T>& buffer)
{
  return toHost(buffer, buffer.size());
}

/// One item in device memory. Waits for the work that writes it.
template <typename T>
T readEntry(const T* entry)
{
  T value;
  check(cudaMemcpy(&value, entry, sizeof value, cudaMemcpyDeviceToHost), "download a count");
  return value;
}

/// Blocks of `threads` that make up one thread an item; at least one block.
inline unsigned blocksFor(std::size_t items, unsigned threads)
{
  return items == 0 ? 1 : static_cast<unsigned>((items + threads - 1) / threads);
}

/// How many blocks of a kernel the current device runs at once: as many as a kernel is given whose threads take one
/// item after another. At least 1.
template <typename Kernel>
unsigned blocksAtOnce(Kernel kernel, unsigned threads)
{
  int device = 0, multiprocessors = 1, blocks = 1;
  check(cudaGetDevice(&device), "find the GPU");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device), "ask the GPU for its size");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), 0),
        "ask the GPU for its size");
  return static_cast<unsigned>(std::max(1, multiprocessors * blocks));
}

} // namespace hinesight::cuda
