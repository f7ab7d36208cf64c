#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "core/pages.hpp"
#include "core/run_control.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace hinesight::cuda {

/// Copies of arrays in device memory to main memory, faster than one cudaMemcpy after the other: several threads take
/// turns, each of which has a piece come to pinned memory while it takes the piece before out of it. So new pages of
/// main memory are made by several threads too.
class HostCopies
{
public:
  /// `from` and `to` stay where they are until run.
  template <typename T>
  void add(const T* from, std::size_t count, std::vector<T>& to)
  {
    copies.push_back({from, count * sizeof(T), [&to, count] {
                        to.reserve(count);
                        makePages(to.data(), count * sizeof(T));
                        to.resize(count);
                        return static_cast<void*>(to.data());
                      }});
  }

  /// The same to memory that is there.
  template <typename T>
  void add(const T* from, std::size_t count, T* to)
  {
    copies.push_back({from, count * sizeof(T), [to] { return static_cast<void*>(to); }});
  }

  /// The same of a buffer that is needed for the copy alone.
  template <typename T>
  void add(Buffer<T> from, std::vector<T>& to)
  {
    const auto kept = std::make_shared<const Buffer<T>>(std::move(from));
    add(kept->data(), kept->size(), to);
    copies.back().source = kept;
  }

  /// Waits for the default stream, and copies all that was added. Throws as check, std::bad_alloc, Error(Cancelled).
  void run(const RunControl& control = {});

private:
  struct Copy
  {
    const void* from;
    std::size_t bytes;
    std::function<void*()> makeRoom; ///< returns where to
    std::shared_ptr<const void> source = nullptr;
  };
  std::vector<Copy> copies;
};

} // namespace hinesight::cuda
