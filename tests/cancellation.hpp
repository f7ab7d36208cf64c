#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "processor_time.hpp"

#include <algorithm>
#include <atomic>
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

/// What it takes to end work that other threads do. Software OpenGL, too, draws on threads of its own: nothing should
/// be painted meanwhile.
struct EndOfWork
{
  double asking = 0;  ///< CPU ms of this thread until it had asked for the end
  double working = 0; ///< CPU ms of all other threads together from then to the end
};

/// CPU ms after which an end is not waited for any more.
inline constexpr double kNoEnd = 10'000;

/// Asks for the end of what other threads do, and waits for it. `hasEnded` is asked again and again on this thread.
inline EndOfWork endWork(const std::function<void()>& ask, const std::function<bool()>& hasEnded)
{
  const auto ofOthers = [] { return cpuMilliseconds() - threadMilliseconds(); };
  const double here = threadMilliseconds();
  const double elsewhere = ofOthers();
  ask();
  EndOfWork end;
  end.asking = threadMilliseconds() - here;
  while (!hasEnded() && ofOthers() - elsewhere < kNoEnd)
    std::this_thread::yield();
  end.working = ofOthers() - elsewhere;
  return end;
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
