#pragma once

#include "core/communicator.hpp"

#include <functional>

namespace hinesight {

/// Runs `body` on so many ranks, each a thread of this process (rank 0 is the caller's), and returns when all have
/// ended. Where one throws, the others throw its error at their next collective call, and it is thrown to the caller.
/// A rank that ends while others wait for it is such an error too, Error(Unexpected). Throws Error(BadParameter) for
/// less than one rank, Error(OutOfMemory) where the system gives too few threads.
void runRanks(int ranks, const std::function<void(Communicator&)>& body);

} // namespace hinesight
