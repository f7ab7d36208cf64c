#pragma once

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/run_control.hpp"

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How often work looks whether it was cancelled, and how it ends. Checkpoints are counted where one might measure time:
// what lies between two of them is what is still done after a cancellation, on a machine of any speed.

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

using Cancellable = std::function<void(const RunControl&)>;

/// The checkpoints of an action that runs to its end.
class Checkpoints
{
public:
  explicit Checkpoints(const Cancellable& action)
  {
    // Several threads may report.
    std::mutex mutex;
    action(RunControl(
        [&](std::string_view stage, double) {
          const std::lock_guard lock(mutex);
          stretches.push_back({std::string(stage), 0});
        },
        [&] {
          const std::lock_guard lock(mutex);
          ++stretches.back().checkpoints;
        }));
  }

  std::size_t all() const
  {
    std::size_t sum = 0;
    for (const Stretch& stretch : stretches)
      sum += stretch.checkpoints;
    return sum;
  }

  /// From the reports of a stage to those of the next one; the reports are checkpoints too.
  std::size_t of(std::string_view stage) const
  {
    std::size_t sum = 0;
    for (const Stretch& stretch : stretches)
      sum += stretch.stage == stage ? stretch.checkpoints : 0;
    return sum;
  }

  /// From each report to the next.
  std::vector<std::size_t> betweenReports() const
  {
    std::vector<std::size_t> counts;
    for (const Stretch& stretch : stretches)
      if (!stretch.stage.empty())
        counts.push_back(stretch.checkpoints);
    return counts;
  }

private:
  struct Stretch
  {
    std::string stage; ///< empty: nothing was reported yet
    std::size_t checkpoints;
  };

  std::vector<Stretch> stretches{{}};
};

/// How an action ended that was cancelled.
struct Cancellation
{
  std::optional<ErrorCode> failure;
  std::size_t later = 0; ///< checkpoints that it came to after the one before which it was cancelled
};

/// Cancels `action` after `passed` of its checkpoints, just before the next one. Nothing is cancelled where the action
/// has no more of them. At that checkpoint the action ends, and other threads that work for it at their next one.
inline Cancellation cancelAfter(std::size_t passed, const Cancellable& action)
{
  Cancellation result;
  std::mutex mutex;
  std::size_t seen = 0;
  const RunControl* watched = nullptr;
  const RunControl control(nullptr, [&] {
    const std::lock_guard lock(mutex);
    if (watched->isCancelled())
      ++result.later;
    else if (seen++ == passed)
      watched->cancel();
  });
  watched = &control;
  result.failure = failureOf([&] { action(control); });
  return result;
}

/// Whether `action` ends as it should wherever it is cancelled. It comes to so many checkpoints (or about so many,
/// where threads share its work), with up to `threads` threads (0: all of the machine).
inline bool endsWhereCancelled(const Cancellable& action, std::size_t checkpoints, int threads = 0)
{
  const auto most = static_cast<std::size_t>(threads > 0 ? threads : hardwareThreads());
  for (std::size_t quarter = 0; quarter < 4; ++quarter) {
    const Cancellation cancellation = cancelAfter(quarter * checkpoints / 4, action);
    if (cancellation.failure != ErrorCode::Cancelled || cancellation.later >= most)
      return false;
  }
  return true;
}

} // namespace hinesight::tests
