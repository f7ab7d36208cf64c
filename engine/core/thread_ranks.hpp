#pragma once

#include "core/communicator.hpp"

#include <functional>
#include <memory>

namespace hinesight {

/// Runs `body` on so many ranks, each a thread of this process (rank 0 is the caller's), and returns when all have
/// ended. Where one throws, the others throw its error at their next collective call, and it is thrown to the caller.
/// A rank that ends while others wait for it is such an error too, Error(Unexpected). Throws Error(BadParameter) for
/// less than one rank, Error(OutOfMemory) where the system gives too few threads.
void runRanks(int ranks, const std::function<void(Communicator&)>& body);

/// Ranks of this process that live as long as this: each but rank 0 is a thread that does `body`; rank 0 is whoever
/// uses `root`, one thread at a time. When this goes, what waits for rank 0 throws as runRanks says, and all have
/// ended. Throws as runRanks.
class ThreadRanks
{
public:
  ThreadRanks(int ranks, const std::function<void(Communicator&)>& body);
  ~ThreadRanks();
  ThreadRanks(const ThreadRanks&) = delete;
  ThreadRanks& operator=(const ThreadRanks&) = delete;

  Communicator& root() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace hinesight
