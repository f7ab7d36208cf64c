#pragma once

#include <ctime>

#include <time.h>

// What work takes on a machine that others work on too.

namespace hinesight::tests {

/// CPU time of this process, all threads together: what other programs do does not count.
inline double cpuMilliseconds()
{
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// CPU time of the calling thread: what other threads and programs do does not count.
inline double threadMilliseconds()
{
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

} // namespace hinesight::tests
