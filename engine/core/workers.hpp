#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace hinesight {

/// Threads that each keep something of their own, such as a GPU that is current there.
class Workers
{
public:
  explicit Workers(std::size_t count) : workers(count) {}

  /// `work`(k) on each thread k at once. What the first of them threw is thrown when all have ended.
  template <typename Work>
  void onEach(const Work& work)
  {
    for (std::size_t k = 0; k < workers.size(); ++k)
      workers[k].start([&work, k] { work(k); });
    std::exception_ptr thrown;
    for (Worker& worker : workers)
      if (const std::exception_ptr ofWorker = worker.wait(); ofWorker && !thrown)
        thrown = ofWorker;
    if (thrown)
      std::rethrow_exception(thrown);
  }

  /// `work`() on thread k alone.
  template <typename Work>
  void on(std::size_t k, const Work& work)
  {
    workers[k].start([&work] { work(); });
    if (const std::exception_ptr thrown = workers[k].wait())
      std::rethrow_exception(thrown);
  }

  /// `work`() on thread k beside `own`() on the calling one. What `own` threw comes before what `work` did.
  template <typename Work, typename Own>
  void besideOn(std::size_t k, const Work& work, const Own& own)
  {
    workers[k].start([&work] { work(); });
    std::exception_ptr thrown;
    try {
      own();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::exception_ptr ofWorker = workers[k].wait();
    if (thrown || ofWorker)
      std::rethrow_exception(thrown ? thrown : ofWorker);
  }

private:
  /// A thread that does one thing after another, as its caller says.
  class Worker
  {
  public:
    Worker() : thread([this] { work(); }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker()
    {
      start({});
      thread.join();
    }

    void start(std::function<void()> task)
    {
      {
        const std::lock_guard lock(mutex);
        next = std::move(task);
      }
      changed.notify_all();
    }
    /// Until what was started is done; what it threw.
    std::exception_ptr wait()
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return !next; });
      return std::exchange(thrown, nullptr);
    }

  private:
    void work()
    {
      std::unique_lock lock(mutex);
      for (;;) {
        changed.wait(lock, [this] { return next.has_value(); });
        if (!*next)
          return;
        lock.unlock();
        try {
          (*next)();
        } catch (...) {
          thrown = std::current_exception();
        }
        lock.lock();
        next.reset();
        changed.notify_all();
      }
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::optional<std::function<void()>> next; ///< an empty function ends the thread
    std::exception_ptr thrown;
    std::thread thread;
  };

  std::vector<Worker> workers;
};

} // namespace hinesight
