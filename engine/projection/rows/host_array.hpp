#pragma once

#include "core/pages.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace hinesight::projection {

/// An array whose values are not set when it is made, in large pages: tables of a gigabyte are then not slowed down by
/// the making of their pages.
template <typename T>
class HostArray
{
  static_assert(std::is_trivially_copyable_v<T>);

public:
  HostArray() = default;
  explicit HostArray(std::size_t count) : HostArray(count, count) {}
  /// With room for `capacity` values, at least `count`.
  HostArray(std::size_t count, std::size_t capacity)
      : pointer(static_cast<T*>(allocatePages(capacity * sizeof(T)))), items(count), room(capacity)
  {}
  HostArray(HostArray&& other) noexcept { swap(other); }
  HostArray& operator=(HostArray&& other) noexcept
  {
    HostArray(std::move(other)).swap(*this);
    return *this;
  }

  T* data() { return pointer.get(); }
  const T* data() const { return pointer.get(); }
  std::size_t size() const { return items; }
  bool empty() const { return items == 0; }
  std::size_t capacity() const { return room; }
  /// Keeps the memory; `count` is at most the capacity.
  void resize(std::size_t count) { items = count; }
  const T& operator[](std::size_t i) const { return pointer.get()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + items; }
  std::span<const T> span() const { return {data(), items}; }

private:
  void swap(HostArray& other) noexcept
  {
    std::swap(pointer, other.pointer);
    std::swap(items, other.items);
    std::swap(room, other.room);
  }

  struct Free
  {
    void operator()(T* pages) const { freePages(pages); }
  };
  std::unique_ptr<T[], Free> pointer;
  std::size_t items = 0;
  std::size_t room = 0;
};

} // namespace hinesight::projection
