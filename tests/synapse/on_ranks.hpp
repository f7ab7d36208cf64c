#pragma once

#include "core/rank_tasks.hpp"
#include "core/thread_ranks.hpp"
#include "synapse/ranks/rank_tasks.hpp"

#include <functional>

namespace hinesight::tests {

/// The ranks that everything is done on: one, a power of two and not, more than a machine has cores.
inline constexpr int kRanks[] = {1, 2, 3, 5, 8};

/// Does the work of `body` on so many ranks; it looks as if it was done on one.
inline void onRanks(int ranks, const std::function<void()>& body, const RunControl& control = {})
{
  runRanks(ranks, [&](Communicator& communicator) { leadTasks(communicator, synapse::rankTasks(control), body); });
}

} // namespace hinesight::tests
