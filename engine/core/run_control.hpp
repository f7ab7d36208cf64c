#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

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
  /// Called by every checkpoint before it looks for cancellation, on the thread that comes to it.
  using Watch = std::function<void()>;

  RunControl() : RunControl(nullptr) {}
  explicit RunControl(Listener onProgress, Watch onCheckpoint = nullptr)
      : shared(std::make_shared<Shared>(std::move(onCheckpoint))), listener(std::move(onProgress))
  {}

  void cancel() const { shared->cancelled.store(true, std::memory_order_relaxed); }
  bool isCancelled() const { return shared->cancelled.load(std::memory_order_relaxed); }

  /// Throws Error(Cancelled) after `cancel`.
  void checkpoint() const;

  /// Tells the listener, then checks for cancellation.
  void report(std::string_view stage, double fraction) const;

  /// For a part of a stage: the same cancellation, and fractions 0 to 1 that are told as `begin` to `end`.
  RunControl part(double begin, double end) const;

  /// For work inside a stage that tells its own progress: the same cancellation, progress unheard.
  RunControl silenced() const;

private:
  /// Of all copies, parts and silenced ones.
  struct Shared
  {
    explicit Shared(Watch onCheckpoint) : watch(std::move(onCheckpoint)) {}

    std::atomic<bool> cancelled{false};
    const Watch watch; ///< may be none
  };

  std::shared_ptr<Shared> shared;
  Listener listener;
};

} // namespace hinesight
