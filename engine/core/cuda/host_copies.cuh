#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "core/pages.hpp"
#include "core/run_control.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hinesight::cuda {

/// Copies of arrays in device memory to main memory, faster than one cudaMemcpy after the other: several threads take
/// turns, each of which has pieces come to pinned memory while it makes the pages of those before and takes them out.
class HostCopies
{
public:
  /// `from` and `to` stay where they are until run; what `to` holds is lost.
  template <typename T>
  void add(const T* from, std::size_t count, std::vector<T>& to)
  {
    const auto makeRoom = [&to, count] {
      to.clear();
      to.reserve(count);
      adviseLargePages(to.data(), count * sizeof(T));
      return static_cast<void*>(to.data());
    };
    // A vector sets its values before they are copied to: piece by piece, so that no thread sets all of them.
    const auto hold = [&to, setting = std::make_shared<std::mutex>()](std::size_t bytes) {
      const std::size_t held = (bytes + sizeof(T) - 1) / sizeof(T);
      const std::lock_guard lock(*setting);
      if (to.size() < held)
        to.resize(held);
    };
    copies.push_back({from, count * sizeof(T), makeRoom, hold});
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
    std::function<void*()> makeRoom;                       ///< returns where to
    std::function<void(std::size_t bytes)> hold = nullptr; ///< to be called before so many are there; none: they may be
    std::shared_ptr<const void> source = nullptr;
  };
  std::vector<Copy> copies;
};

} // namespace hinesight::cuda
