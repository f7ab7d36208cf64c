#include "core/pages.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace hinesight {

namespace {

constexpr std::uintptr_t downTo(std::uintptr_t address, std::size_t boundary)
{
  return address / boundary * boundary;
}

constexpr std::uintptr_t upTo(std::uintptr_t address, std::size_t boundary)
{
  return downTo(address + boundary - 1, boundary);
}

/// Writes to each page of [begin, end) what is there.
void touchPages(std::uintptr_t begin, std::uintptr_t end, std::size_t page)
{
  for (std::uintptr_t at = begin; at < end; at = downTo(at, page) + page) {
    auto* const byte = reinterpret_cast<volatile unsigned char*>(at);
    const unsigned char value = *byte;
    *byte = value;
  }
}

void makePagesOf(std::uintptr_t begin, std::uintptr_t end)
{
  constexpr std::size_t kPage = 4096;
#ifdef MADV_POPULATE_WRITE
  const std::uintptr_t first = downTo(begin, kPage), last = upTo(end, kPage);
  if (::madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE) == 0 || errno != EINVAL)
    return; // where there is no memory, whoever writes there will know
#endif
  touchPages(begin, end, kPage); // a system that does not know how
}

} // namespace

void adviseLargePages(void* memory, std::size_t bytes)
{
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = upTo(address, kLargePageBytes), end = downTo(address + bytes, kLargePageBytes);
  if (begin < end)
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void* allocatePages(std::size_t bytes)
{
  if (bytes == 0)
    return nullptr;
  const std::size_t whole = upTo(bytes, kLargePageBytes);
  void* const pages = whole >= bytes ? std::aligned_alloc(kLargePageBytes, whole) : nullptr;
  if (!pages)
    throw std::bad_alloc();
  adviseLargePages(pages, whole);
  return pages;
}

void freePages(void* pages) noexcept
{
  std::free(pages);
}

void makePages(void* memory, std::size_t bytes, int threads, const RunControl& control)
{
  if (bytes == 0)
    return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t end = begin + bytes;
  const std::uintptr_t first = downTo(begin, kLargePageBytes);
  parallelFor((upTo(end, kLargePageBytes) - first) / kLargePageBytes, 1,
              [&](std::size_t from, std::size_t to) {
                for (std::size_t page = from; page < to; ++page) {
                  control.checkpoint();
                  const std::uintptr_t at = first + page * kLargePageBytes;
                  makePagesOf(std::max(begin, at), std::min(end, at + kLargePageBytes));
                }
              },
              threads);
}

} // namespace hinesight
