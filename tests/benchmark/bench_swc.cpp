// How fast SWC is read: usage: bench_swc [MEGABYTES [REPEATS]] or bench_swc FILE [REPEATS].
// Reads a synthetic text of that size (100 MB) from memory, or a file that was read into memory first, several times on
// one thread and prints the best time. Exit 1 below the 100 MB/s that the reader promises for a plain file.

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/philox.hpp"
#include "morphology/swc.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace hinesight;

constexpr double kPromisedMegabytesPerSecond = 100;

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

double secondsSince(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int count, char** arguments)
{
  try {
    const std::string what = count > 1 ? arguments[1] : "100";
    const int repeats = count > 2 ? std::max(1, std::atoi(arguments[2])) : 5;
    const bool isSize = what.find_first_not_of("0123456789") == std::string::npos;
    const std::string text = isSize ? makeText(std::stoull(what) * 1'000'000) : readFile(what);

    double best = 0;
    std::size_t samples = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      samples = morphology::parseSwc(text, "memory.swc")->samples();
      const double seconds = secondsSince(start);
      best = repeat == 0 ? seconds : std::min(best, seconds);
    }
    const double speed = static_cast<double>(text.size()) / 1e6 / best;
    std::printf("%.1f MB, %zu samples: best of %d: %.1f ms, %.0f MB/s, %.0f ns a sample\n",
                static_cast<double>(text.size()) / 1e6, samples, repeats, best * 1e3, speed,
                best * 1e9 / static_cast<double>(samples));
    return isSize && speed < kPromisedMegabytesPerSecond ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
