#pragma once

// For .cu files only.

#include "core/cuda_support.cuh"

#include <cstddef>

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
    if (bytes > space.size()) {
      space = {};
      space = Buffer<unsigned char>(bytes);
    }
    check(call(static_cast<void*>(space.data()), bytes), step);
  }

private:
  Buffer<unsigned char> space;
};

/// Makes a buffer hold at least `count` items; what it held is lost where it grows.
template <typename T>
void grow(Buffer<T>& buffer, std::size_t count)
{
  if (count <= buffer.size())
    return;
  buffer = {};
  buffer = Buffer<T>(count);
}

/// Blocks of `threads` that make up one thread an item; at least one block.
inline unsigned blocksFor(std::size_t items, unsigned threads)
{
  return items == 0 ? 1 : static_cast<unsigned>((items + threads - 1) / threads);
}

} // namespace hinesight::cuda
