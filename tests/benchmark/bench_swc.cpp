// How fast SWC is read: usage: bench_swc [MEGABYTES [REPEATS]] or bench_swc FILE [REPEATS].
// Reads a synthetic text of that size (100 MB) from memory, or a file that was read into memory first, several times on
// one thread and prints the best time; without FILE also that of cells that break what is quadratic, down to their
// branches and metrics, and what samples cost whose parents lie anywhere before them. Exit 1 below the 100 MB/s that
// the reader promises for a plain file, or where such a cell takes long.

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/philox.hpp"
#include "core/stage_timings.hpp"
#include "limits.hpp"
#include "morphology/branches.hpp"
#include "morphology/extreme_shapes.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace {

using namespace hinesight;

constexpr double kPromisedMegabytesPerSecond = 100;
constexpr std::int64_t kExtremeSamples = 300'000;
constexpr double kMostForExtreme = 1'000; // ms

void appendFixed(std::string& text, double value)
{
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed, 4).ptr;
  text += ' ';
  text.append(digits.data(), end);
}

/// Long random walks of 500 samples that hang on one another at random, four decimals, as most files are.
std::string makeText(std::size_t bytes)
{
  constexpr std::uint64_t kWalk = 500;
  std::string text = "# synthetic text for measuring the reader\n1 1 0 0 0 8 -1\n";
  text.reserve(bytes + 128);
  std::array<double, 3> at{};
  for (std::uint64_t id = 2; text.size() < bytes; ++id) {
    const auto draw = [id](std::uint32_t which) { return randomUniform(1, id, 0, which); };
    std::uint64_t parent = id - 1;
    if (id % kWalk == 0)
      parent = 1 + static_cast<std::uint64_t>(draw(4) * static_cast<double>(id - 1));
    text += std::to_string(id) + (id % kWalk < kWalk / 2 ? " 3" : " 2");
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      at[axis] = 0.999 * at[axis] + 4 * (draw(axis) - 0.5);
      appendFixed(text, at[axis]);
    }
    appendFixed(text, 0.2 + draw(3));
    text += ' ' + std::to_string(parent) + '\n';
  }
  return text;
}

/// Least of `repeats` times, ms.
template <typename Work>
double fastest(int repeats, Work work)
{
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Stopwatch stopwatch;
    work();
    best = std::min(best, stopwatch.elapsed());
  }
  return best;
}

void measureExtremeShapes(int repeats, bench::Limits& limits)
{
  for (const extreme_shapes::ExtremeShape& shape : extreme_shapes::ofSamples(kExtremeSamples)) {
    const std::string text = extreme_shapes::textOf(shape, kExtremeSamples);
    const double milliseconds = fastest(repeats, [&] {
      const auto cell = morphology::parseSwc(text, "memory.swc");
      morphology::measure(*cell, morphology::findBranches(*cell));
    });
    limits.atMost(kMostForExtreme, std::string(shape.name) + " of 300,000 samples", milliseconds, "ms");
  }
}

/// Each sample hangs on any of those before it: parents are seldom in a cache.
std::string makeScatteredText(std::uint64_t samples)
{
  std::string text = "1 1 0 0 0 8 -1\n";
  for (std::uint64_t id = 2; id <= samples; ++id) {
    const auto draw = [id](std::uint32_t which) { return randomUniform(2, id, 0, which); };
    text += std::to_string(id) + " 3";
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      appendFixed(text, 100 * draw(axis));
    text += " 1 " + std::to_string(1 + static_cast<std::uint64_t>(draw(3) * static_cast<double>(id - 1))) + '\n';
  }
  return text;
}

void measureScatteredParents(int repeats)
{
  for (const std::uint64_t samples : {100'000, 1'000'000}) {
    const std::string text = makeScatteredText(samples);
    const double toNanoseconds = 1e6 / static_cast<double>(samples);
    const auto cell = morphology::parseSwc(text, "memory.swc");
    const auto branches = morphology::findBranches(*cell);
    const double reading = fastest(repeats, [&] { morphology::parseSwc(text, "memory.swc"); });
    const double finding = fastest(repeats, [&] { morphology::findBranches(*cell); });
    const double measuring = fastest(repeats, [&] { morphology::measure(*cell, branches); });
    std::printf("%zu samples with parents anywhere: %.0f ns a sample to read, %.0f to find branches, %.0f to measure\n",
                cell->samples(), reading * toNanoseconds, finding * toNanoseconds, measuring * toNanoseconds);
  }
}

} // namespace

int main(int count, char** arguments)
{
  try {
    const std::string what = count > 1 ? arguments[1] : "100";
    const int repeats = count > 2 ? std::max(1, std::atoi(arguments[2])) : 5;
    const bool isSize = what.find_first_not_of("0123456789") == std::string::npos;
    const std::string text = isSize ? makeText(std::stoull(what) * 1'000'000) : readFile(what);

    std::size_t samples = 0;
    const double best = fastest(repeats, [&] { samples = morphology::parseSwc(text, "memory.swc")->samples(); });
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    const double speed = megabytes / best * 1e3;
    std::printf("%.1f MB, %zu samples: best of %d: %.1f ms, %.0f MB/s, %.0f ns a sample\n", megabytes, samples, repeats,
                best, speed, best * 1e6 / static_cast<double>(samples));
    bench::Limits limits;
    if (isSize) {
      limits.atLeast(kPromisedMegabytesPerSecond, "reading", speed, "MB/s");
      measureExtremeShapes(repeats, limits);
      measureScatteredParents(repeats);
    }
    return limits.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
