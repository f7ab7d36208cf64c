#include "core/parallel.hpp"

#include <algorithm>
#include <optional>
#include <thread>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace hinesight {

int hardwareThreads()
{
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallelFor(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& body,
                 int threads)
{
  if (count == 0)
    return;
  if (threads == 1) {
    body(0, count);
    return;
  }
  // More threads than the machine has must be allowed first; TBB would use fewer and warn on stderr.
  std::optional<tbb::global_control> allowance;
  if (threads > hardwareThreads())
    allowance.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, std::max<std::size_t>(1, grain)),
                      [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
  });
}

} // namespace hinesight
