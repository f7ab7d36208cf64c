#include "core/memory_bandwidth.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/stage_timings.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <memory>

#include <unistd.h>

namespace hinesight {

double measureMemoryBandwidth(const RunControl& control)
{
  constexpr std::size_t kBytes = std::size_t{1} << 29;
  constexpr int kCopies = 7;
  const std::size_t bytes = std::min(kBytes, availableMemoryBytes() / 8);
  requireMemory(2 * bytes, "Measuring the memory bandwidth");
  const std::unique_ptr<unsigned char[]> from(new unsigned char[bytes]);
  const std::unique_ptr<unsigned char[]> to(new unsigned char[bytes]);
  // One long piece a thread: long copies bypass the caches, so that what is counted is what moves.
  const std::size_t piece = bytes / static_cast<std::size_t>(hardwareThreads()) + 1;
  const auto forPieces = [&](const auto& work) {
    parallelFor((bytes + piece - 1) / piece, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        work(i * piece, std::min(piece, bytes - i * piece));
    });
  };
  const auto tell = [&](int step) { control.report("memory bandwidth", static_cast<double>(step) / (kCopies + 1)); };
  tell(0);
  // The first touch of new memory takes as long as several copies on some systems.
  forPieces([&](std::size_t begin, std::size_t size) {
    std::memset(from.get() + begin, 1, size);
    std::memset(to.get() + begin, 2, size);
  });
  double best = 0;
  for (int copy = 0; copy < kCopies; ++copy) {
    tell(copy + 1);
    const Stopwatch watch;
    forPieces([&](std::size_t begin, std::size_t size) { std::memcpy(to.get() + begin, from.get() + begin, size); });
    best = std::max(best, 2.0 * static_cast<double>(bytes) / (watch.elapsed() * 1e-3));
  }
  return best;
}

std::size_t residentMemoryBytes()
{
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  std::size_t residentPages = 0;
  const long pageBytes = ::sysconf(_SC_PAGESIZE);
  return statm >> pages >> residentPages && pageBytes > 0 ? residentPages * static_cast<std::size_t>(pageBytes) : 0;
}

} // namespace hinesight
