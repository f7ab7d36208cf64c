#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

namespace hinesight {

/// How long work is watched and stopped. Copies share one cancellation flag, so a copy kept by the caller cancels the
/// work that was given another copy. Default-constructed: never cancelled, progress unheard.
///
/// The work calls `checkpoint` at least every 50 ms; `report` may be called from any thread, and is forwarded as is.
class RunControl
{
public:
  /// Called with the stage's name ("plan", "solve", ...) and the fraction of that stage done, 0 to 1.
  using Listener = std::function<void(std::string_view stage, double fraction)>;

  RunControl() : cancelled(std::make_shared<std::atomic<bool>>(false)) {}
  explicit RunControl(Listener onProgress) : RunControl() { listener = std::move(onProgress); }

  void cancel() const { cancelled->store(true, std::memory_order_relaxed); }
  bool isCancelled() const { return cancelled->load(std::memory_order_relaxed); }

  /// Throws Error(Cancelled) after `cancel`.
  void checkpoint() const;

  /// Tells the listener, then checks for cancellation.
  void report(std::string_view stage, double fraction) const;

  /// For a part of a stage: the same cancellation, and fractions 0 to 1 that are told as `begin` to `end`.
  RunControl part(double begin, double end) const;

  /// For work inside a stage that tells its own progress: the same cancellation, progress unheard.
  RunControl silenced() const;

private:
  std::shared_ptr<std::atomic<bool>> cancelled;
  Listener listener;
};

} // namespace hinesight
