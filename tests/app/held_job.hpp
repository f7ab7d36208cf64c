#pragma once

#include "app/jobs/jobs.hpp"

#include <QDeadlineTimer>
#include <QSemaphore>
#include <QThread>

#include <atomic>
#include <memory>

namespace hinesight::app {

inline constexpr JobKind kHeld{.name = "held", .isLong = true};

/// A job whose worker a test holds in the midst of it.
class HeldJob
{
public:
  enum class Until
  {
    Released, ///< by `release`; only then it looks whether it was cancelled
    Cancelled
  };

  explicit HeldJob(Until heldUntil) : until(heldUntil) {}

  void submitTo(Jobs& jobs, const JobKind& kind = kHeld) const
  {
    jobs.submit(
        kind,
        [until = until, worker = worker](const JobContext& context) {
          worker->held.release();
          if (until == Until::Released)
            worker->released.tryAcquire(1, kLongest);
          else
            waitForCancellation(context.control());
          context.letOthersRun();
          context.control().checkpoint();
          worker->wentOn = true;
        },
        [] {});
  }
  /// Whether the worker comes to where it is held.
  bool waitUntilHeld() { return worker->held.tryAcquire(1, kLongest); }
  void release() { worker->released.release(); }
  /// Whether the worker did more of the job than to come here.
  bool wentOn() const { return worker->wentOn; }

private:
  static constexpr int kLongest = 60'000; ///< ms; ends what would hang

  struct Worker
  {
    QSemaphore held, released;
    std::atomic<bool> wentOn = false;
  };

  static void waitForCancellation(const RunControl& control)
  {
    const QDeadlineTimer deadline(kLongest);
    while (!control.isCancelled() && !deadline.hasExpired())
      QThread::yieldCurrentThread();
  }

  Until until;
  std::shared_ptr<Worker> worker = std::make_shared<Worker>();
};

} // namespace hinesight::app
