#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"

#include <algorithm>
#include <functional>
#include <mutex>

namespace hinesight::bench {

/// The longest time from one checkpoint of `work` to the next, its beginning and its end among them, ms: how long it
/// may go on after it was cancelled. Of work that several threads share it is that of all together.
inline double longestGap(const std::function<void(const RunControl&)>& work)
{
  std::mutex mutex;
  double longest = 0;
  Stopwatch sinceLast;
  const auto look = [&] {
    const std::lock_guard lock(mutex);
    longest = std::max(longest, sinceLast.lap());
  };
  work(RunControl(nullptr, look));
  look();
  return longest;
}

} // namespace hinesight::bench
