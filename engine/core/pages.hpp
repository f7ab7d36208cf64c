#pragma once

#include <cstddef>

namespace hinesight {

/// Has the system make the pages of memory that nothing was written to yet: by several threads, and large ones where it
/// has them. One thread that writes to new memory waits for each page. What is there stays. Where the system does not
/// do it, pages are made when they are written to.
void makePages(void* memory, std::size_t bytes);

} // namespace hinesight
