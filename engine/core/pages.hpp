#pragma once

#include "core/run_control.hpp"

#include <cstddef>

namespace hinesight {

/// A large page has so many bytes, and begins at a multiple of them.
inline constexpr std::size_t kLargePageBytes = std::size_t{2} << 20;

/// Asks the system to make memory that nothing was written to yet of large pages, as far as it holds whole ones. They
/// are made several times as fast, and looked up less often. Without them all works too.
void adviseLargePages(void* memory, std::size_t bytes);

/// Memory for `bytes` that nothing was written to yet, from the beginning of a large page on, of large pages where the
/// system has them. Null for no bytes. Throws std::bad_alloc.
void* allocatePages(std::size_t bytes);
void freePages(void* pages) noexcept;

/// Has the system make the pages of memory that nothing was written to yet, by so many threads (0: all of the machine).
/// One thread that writes to new memory waits for each page. What is there stays; nobody else writes to the memory
/// meanwhile. Throws Error(Cancelled); what was made by then stays.
void makePages(void* memory, std::size_t bytes, int threads = 0, const RunControl& control = {});

} // namespace hinesight
