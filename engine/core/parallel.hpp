#pragma once

#include <cstddef>
#include <functional>

namespace hinesight {

/// Calls body(begin, end) over disjoint ranges that cover [0, count), each of at least `grain` items where there are so
/// many, from up to `threads` threads (0: all of the machine). Where the system gives fewer threads, fewer do the work.
/// The ranges are no part of any result: bodies must write only what belongs to their items. An exception of a body is
/// thrown to the caller. Loops may be nested, and called from any thread.
void parallelFor(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body,
                 int threads = 0);

/// Hardware threads of this machine, at least 1.
int hardwareThreads();

} // namespace hinesight
