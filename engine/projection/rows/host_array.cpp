#include "projection/rows/host_array.hpp"

#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace hinesight::projection {

void* allocatePages(std::size_t bytes)
{
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  if (bytes == 0)
    return nullptr;
  const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
  void* const pages = whole >= bytes ? std::aligned_alloc(kLargePage, whole) : nullptr;
  if (!pages)
    throw std::bad_alloc();
  ::madvise(pages, whole, MADV_HUGEPAGE); // advice: that it is not followed changes nothing but the time
  return pages;
}

void freePages(void* pages) noexcept
{
  std::free(pages);
}

} // namespace hinesight::projection
