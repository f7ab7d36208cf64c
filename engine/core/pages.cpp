#include "core/pages.hpp"

#include "core/parallel.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace hinesight {

namespace {

constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
constexpr std::size_t kGrain = 16;

} // namespace

void makePages(void* memory, std::size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (address + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (address + bytes) / kLargePage * kLargePage;
  if (begin >= end)
    return;
  // What the system refuses costs time later, nothing else.
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  parallelFor((end - begin) / kLargePage, kGrain, [begin](std::size_t first, std::size_t last) {
    ::madvise(reinterpret_cast<void*>(begin + first * kLargePage), (last - first) * kLargePage, MADV_POPULATE_WRITE);
  });
#else
  static_cast<void>(memory);
  static_cast<void>(bytes);
#endif
}

} // namespace hinesight
