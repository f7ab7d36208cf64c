#include "core/parallel.hpp"

#include "core/simd/instruction_set.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hinesight {

namespace {

using Body = std::function<void(std::size_t, std::size_t)>;

constexpr int kSpins = 500; ///< looks, some 20 us, before a thread sleeps: loops often follow one another

void pauseBriefly()
{
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// A loop whose ranges any number of threads take, one after the other.
class Loop
{
public:
  Loop(std::size_t items, std::size_t leastRange, const Body& loopBody, std::size_t threads)
      : body(loopBody), count(items), grain(leastRange), shares(threads)
  {}

  /// Works on ranges until all are taken or a body has thrown.
  void work() noexcept
  {
    clearUpperHalves();
    try {
      for (std::size_t begin = 0, end = 0; take(begin, end);)
        body(begin, end);
    } catch (...) {
      next = count; // nobody begins another range
      const std::lock_guard lock(mutex);
      if (!failure)
        failure = std::current_exception();
    }
  }

  /// What a body threw; null: nothing. For after the work.
  std::exception_ptr thrown() const { return failure; }

private:
  /// A thread's share of what is left: long ranges at first, which stay in a thread's cache from one loop to the next,
  /// then ever shorter ones, of which threads that are done early take more.
  bool take(std::size_t& begin, std::size_t& end)
  {
    begin = next.load(std::memory_order_relaxed);
    do {
      if (begin >= count)
        return false;
      const std::size_t left = count - begin;
      const std::size_t length = std::max(grain, left / shares);
      // What would be left over is taken along where it is less than the grain.
      end = left - std::min(left, length) < grain ? count : begin + length;
    } while (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return true;
  }

  const Body& body;
  const std::size_t count, grain, shares;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
};

/// The threads that help with loops: made when a loop first wants so many, kept until the program ends. Where the
/// system gives no more of them, those that there are do the work: whoever asks for help works too.
class Helpers
{
public:
  static Helpers& ofProgram()
  {
    static Helpers helpers;
    return helpers;
  }

  ~Helpers()
  {
    {
      const std::lock_guard lock(mutex);
      isEnding = true;
      ++news;
    }
    wake.notify_all();
    for (std::thread& thread : threads)
      thread.join();
  }

  /// Works on a loop together with up to `wanted` helpers. Returns when nobody works on it any more.
  void share(Loop& loop, std::size_t wanted)
  {
    Shared shared{loop, wanted};
    {
      const std::lock_guard lock(mutex);
      makeUpTo(wanted);
      open.push_back(&shared);
      ++news;
    }
    wake.notify_all();
    loop.work();
    for (int spin = 0; spin < kSpins && shared.helping > 0; ++spin)
      pauseBriefly();
    std::unique_lock lock(mutex);
    std::erase(open, &shared);
    left.wait(lock, [&shared] { return shared.helping == 0; });
  }

private:
  /// A loop that wants more helpers while it is among the open ones. The numbers change under the mutex.
  struct Shared
  {
    Loop& loop;
    std::size_t wanted;
    std::atomic<std::size_t> helping{0};
  };

  Helpers() = default;

  void makeUpTo(std::size_t wanted)
  {
    try {
      while (threads.size() < wanted)
        threads.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      // No more threads than these: the limit of processes is reached, or there is no room for another stack.
    }
  }

  void help()
  {
    std::unique_lock lock(mutex);
    while (true) {
      waitForLoop(lock);
      if (isEnding)
        return;
      Shared& shared = *open.front();
      if (--shared.wanted == 0)
        open.pop_front();
      ++shared.helping;
      lock.unlock();
      shared.loop.work();
      lock.lock();
      std::erase(open, &shared); // all of its ranges are taken
      // Nothing of the loop may be touched after this: who shared it may return.
      if (--shared.helping == 0)
        left.notify_all();
    }
  }

  void waitForLoop(std::unique_lock<std::mutex>& lock)
  {
    const auto isAwaited = [this] { return isEnding || !open.empty(); };
    if (isAwaited())
      return;
    const std::uint64_t known = news;
    lock.unlock();
    for (int spin = 0; spin < kSpins && news == known; ++spin)
      pauseBriefly();
    lock.lock();
    wake.wait(lock, isAwaited);
  }

  std::mutex mutex;
  std::condition_variable wake; ///< of helpers
  std::condition_variable left; ///< of those whose loops have helpers
  std::deque<Shared*> open;     ///< loops that want helpers, the oldest first
  std::atomic<std::uint64_t> news{0};
  bool isEnding = false;
  std::vector<std::thread> threads;
};

} // namespace

int hardwareThreads()
{
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallelFor(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body,
                 int threads)
{
  if (count == 0)
    return;
  const std::size_t leastRange = std::clamp<std::size_t>(grain, 1, count);
  const auto most = static_cast<std::size_t>(threads > 0 ? threads : hardwareThreads());
  const std::size_t useful = std::min(most, count / leastRange);
  if (useful == 1) {
    clearUpperHalves();
    body(0, count);
    return;
  }
  Loop loop(count, leastRange, body, useful);
  Helpers::ofProgram().share(loop, useful - 1);
  if (const std::exception_ptr thrown = loop.thrown())
    std::rethrow_exception(thrown);
}

} // namespace hinesight
