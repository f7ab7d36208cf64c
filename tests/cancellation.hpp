#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <optional>
#include <thread>

// How long work takes to notice that it was cancelled.

namespace hinesight::tests {

/// What an action fails with; nothing where it succeeds.
inline std::optional<ErrorCode> failureOf(const std::function<void()>& action)
{
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

/// CPU time of this process, all threads together: what other programs do does not count.
inline double cpuMilliseconds()
{
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// How an action ended that was cancelled in the middle.
struct Cancellation
{
  std::optional<ErrorCode> failure;
  double delay = 0; ///< CPU ms from the cancellation to the end; 0 where the action ended first
};

/// Cancels `action` from another thread once it has run for `after` ms of CPU time.
inline Cancellation cancelAfter(double after, const std::function<void(const RunControl&)>& action)
{
  const RunControl control;
  const double start = cpuMilliseconds();
  std::atomic<bool> ended{false};
  double cancelledAt = 0;
  std::thread canceller([&] {
    while (!ended && cpuMilliseconds() < start + after)
      std::this_thread::yield();
    cancelledAt = cpuMilliseconds();
    control.cancel();
  });
  Cancellation result;
  result.failure = failureOf([&] { action(control); });
  const double endedAt = cpuMilliseconds();
  ended = true;
  canceller.join();
  result.delay = std::max(0.0, endedAt - cancelledAt);
  return result;
}

} // namespace hinesight::tests
