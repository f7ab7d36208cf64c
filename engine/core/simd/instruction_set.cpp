#include "core/simd/instruction_set.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hinesight {

namespace {

#if defined(__x86_64__)
__attribute__((target("avx"))) void clearWithAvx()
{
  _mm256_zeroupper();
}
#endif

} // namespace

InstructionSet widestInstructionSet()
{
#if defined(__x86_64__)
  static const bool isFused = __builtin_cpu_supports("fma") != 0;
  static const bool isWide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                             __builtin_cpu_supports("avx512vl") != 0;
  if (isFused && isWide)
    return InstructionSet::Avx512;
  if (isFused && __builtin_cpu_supports("avx2") != 0)
    return InstructionSet::Avx2;
#endif
  return InstructionSet::Portable;
}

void clearUpperHalves()
{
#if defined(__x86_64__)
  static const bool hasThem = __builtin_cpu_supports("avx") != 0;
  if (hasThem)
    clearWithAvx();
#endif
}

} // namespace hinesight
