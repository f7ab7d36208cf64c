#include "core/simd/arithmetic_rate.hpp"

#include "core/parallel.hpp"
#include "core/simd/instruction_set.hpp"
#include "core/stage_timings.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hinesight {

namespace {

constexpr int kChains = 12; ///< independent of each other: more than the latency of a unit times the units

/// Keeps the compiler from leaving out what it computed. Wider values have it in the functions that may use their
/// registers.
void keep(double& value)
{
#if defined(__x86_64__)
  asm volatile("" : "+x"(value));
#else
  asm volatile("" : "+g"(value));
#endif
}

double loopPortable(std::size_t rounds)
{
  double chain[kChains];
  std::fill_n(chain, kChains, 1.0);
  double factor = 0.5;
  for (std::size_t round = 0; round < rounds; ++round)
    for (double& each : chain) {
      each = each * factor + factor;
      keep(each);
    }
  return kChains * static_cast<double>(rounds);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) double loopAvx2(std::size_t rounds)
{
  __m256d chain[kChains];
  std::fill_n(chain, kChains, _mm256_set1_pd(1));
  const __m256d factor = _mm256_set1_pd(0.5);
  for (std::size_t round = 0; round < rounds; ++round)
    for (__m256d& each : chain) {
      each = _mm256_fmadd_pd(each, factor, factor);
      asm volatile("" : "+x"(each));
    }
  return 4 * kChains * static_cast<double>(rounds);
}

__attribute__((target("avx512f"))) double loopAvx512(std::size_t rounds)
{
  __m512d chain[kChains];
  std::fill_n(chain, kChains, _mm512_set1_pd(1));
  const __m512d factor = _mm512_set1_pd(0.5);
  for (std::size_t round = 0; round < rounds; ++round)
    for (__m512d& each : chain) {
      each = _mm512_fmadd_pd(each, factor, factor);
      asm volatile("" : "+x"(each));
    }
  return 8 * kChains * static_cast<double>(rounds);
}
#endif

/// Returns how many multiply-adds there were.
double loop(std::size_t rounds)
{
#if defined(__x86_64__)
  if (widestInstructionSet() == InstructionSet::Avx512)
    return loopAvx512(rounds);
  if (widestInstructionSet() == InstructionSet::Avx2)
    return loopAvx2(rounds);
#endif
  return loopPortable(rounds);
}

} // namespace

double measureArithmeticRate(int threads)
{
  constexpr std::size_t kRounds = 20'000;
  constexpr int kTries = 5;
  constexpr double kMilliseconds = 5;
  const auto count = static_cast<std::size_t>(threads > 0 ? threads : hardwareThreads());
  std::vector<double> rateOf(count);
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    parallelFor(
        count, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t thread = begin; thread < end; ++thread) {
            const Stopwatch watch;
            double done = 0;
            while (watch.elapsed() < kMilliseconds)
              done += loop(kRounds);
            rateOf[thread] = done / (watch.elapsed() * 1e-3);
          }
        },
        threads);
    double sum = 0;
    for (const double rate : rateOf)
      sum += rate;
    best = std::max(best, sum);
  }
  return best;
}

} // namespace hinesight
