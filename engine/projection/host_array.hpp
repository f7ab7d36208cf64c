#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace hinesight::projection {

/// Memory for `bytes` that nothing was written to yet, in large pages where the system has them: tables of a gigabyte
/// are then not slowed down by the making of their pages. Throws std::bad_alloc.
void* allocatePages(std::size_t bytes);
void freePages(void* pages) noexcept;

/// An array whose values are not set when it is made.
template <typename T>
class HostArray
{
  static_assert(std::is_trivially_copyable_v<T>);

public:
  HostArray() = default;
  explicit HostArray(std::size_t count) : pointer(static_cast<T*>(allocatePages(count * sizeof(T)))), items(count) {}

  T* data() { return pointer.get(); }
  const T* data() const { return pointer.get(); }
  std::size_t size() const { return items; }
  bool empty() const { return items == 0; }
  const T& operator[](std::size_t i) const { return pointer.get()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + items; }
  std::span<const T> span() const { return {data(), items}; }

private:
  struct Free
  {
    void operator()(T* pages) const { freePages(pages); }
  };
  std::unique_ptr<T[], Free> pointer;
  std::size_t items = 0;
};

} // namespace hinesight::projection
