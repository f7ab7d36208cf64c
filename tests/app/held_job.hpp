#pragma once

#include "app/jobs/job_runner.hpp"
#include "hines/bench/benchmark_sources.hpp"
#include "hines/solvers/serial/serial.hpp"

#include <QDeadlineTimer>
#include <QSemaphore>
#include <QThread>

#include <atomic>
#include <memory>

namespace hinesight::app {

/// A job whose worker a test holds in the midst of it.
class HeldJob
{
public:
  enum class Until
  {
    Released, ///< by `release`; only then it looks whether it was cancelled
    Cancelled
  };

  explicit HeldJob(Until until)
  {
    hines::BenchmarkCase one;
    one.source = std::make_shared<const hines::BenchmarkSource>(
        hines::BenchmarkSource{"held cells", [until, worker = worker](const RunControl& control) {
                                 worker->held.release();
                                 if (until == Until::Released)
                                   worker->released.tryAcquire(1, kLongest);
                                 else
                                   waitForCancellation(control);
                                 control.checkpoint();
                                 worker->wentOn = true;
                                 return hines::chainOf(20)->make(control);
                               }});
    one.solve.solver = hines::kSerial;
    benchmark.cases = {one};
  }

  const BenchmarkRequest& request() const { return benchmark; }
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

  std::shared_ptr<Worker> worker = std::make_shared<Worker>();
  BenchmarkRequest benchmark;
};

} // namespace hinesight::app
