// Compiled for processors with these instructions; elsewhere there is none of it.
#if defined(__AVX2__) && defined(__FMA__)

#include "synapse/search/search_groups_vector.hpp"

#include <immintrin.h>

namespace hinesight::synapse::detail {

namespace {

/// Eight lanes. A mask has all bits of a lane set, or none.
struct Avx2
{
  static constexpr int kCount = 8;
  using Real = Reals<kCount>;
  using Whole = Wholes<kCount>;
  using Mask = Whole;

  HINESIGHT_FORMULA static Mask above(Real a, Real b) { return Mask(_mm256_cmp_ps(a, b, _CMP_GT_OQ)); }
  HINESIGHT_FORMULA static Mask notBelow(Real a, Real b) { return Mask(_mm256_cmp_ps(a, b, _CMP_GE_OQ)); }
  HINESIGHT_FORMULA static Mask notAfter(Whole a, Whole b) { return a <= b; }
  HINESIGHT_FORMULA static bool any(Mask mask) { return _mm256_movemask_ps(__m256(mask)) != 0; }
  HINESIGHT_FORMULA static Real keep(Mask mask, Real x) { return Real(mask & Whole(x)); }
  HINESIGHT_FORMULA static Whole choose(Mask mask, Whole a, Whole b)
  {
    return Whole(_mm256_blendv_epi8(__m256i(b), __m256i(a), __m256i(mask)));
  }
  HINESIGHT_FORMULA static __m256d lowerDoubles(Real x) { return _mm256_cvtps_pd(_mm256_castps256_ps128(x)); }
  HINESIGHT_FORMULA static __m256d upperDoubles(Real x) { return _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)); }
  HINESIGHT_FORMULA static __m256i lowerLongs(Whole n)
  {
    return _mm256_cvtepi32_epi64(_mm256_castsi256_si128(__m256i(n)));
  }
  HINESIGHT_FORMULA static __m256i upperLongs(Whole n)
  {
    return _mm256_cvtepi32_epi64(_mm256_extracti128_si256(__m256i(n), 1));
  }
  HINESIGHT_FORMULA static Real fusedMultiplyAdd(Real a, Real b, Real c) { return _mm256_fmadd_ps(a, b, c); }
  HINESIGHT_FORMULA static Real squareRoot(Real x) { return _mm256_sqrt_ps(x); }
  HINESIGHT_FORMULA static Real smaller(Real a, Real b) { return _mm256_min_ps(a, b); }
  HINESIGHT_FORMULA static Real larger(Real a, Real b) { return _mm256_max_ps(a, b); }
  HINESIGHT_FORMULA static Whole larger(Whole a, Whole b) { return Whole(_mm256_max_epi32(__m256i(a), __m256i(b))); }
};

} // namespace

} // namespace hinesight::synapse::detail

#define HINESIGHT_SEARCH &searchSeekers<VectorLanes<Avx2>>
#else
#include "synapse/search/search_groups.hpp"
#define HINESIGHT_SEARCH nullptr
#endif

namespace hinesight::synapse::detail {

SearchSeekers avx2Search()
{
  return HINESIGHT_SEARCH;
}

} // namespace hinesight::synapse::detail
