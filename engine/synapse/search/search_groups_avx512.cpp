// Compiled for processors with these instructions; elsewhere there is none of it.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

#include "synapse/search/search_groups_vector.hpp"

#include <immintrin.h>

namespace hinesight::synapse::detail {

namespace {

/// Sixteen lanes. A mask has one bit a lane.
struct Avx512
{
  static constexpr int kCount = 16;
  using Real = Reals<kCount>;
  using Whole = Wholes<kCount>;
  using Mask = __mmask16;

  HINESIGHT_FORMULA static Mask above(Real a, Real b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }
  HINESIGHT_FORMULA static Mask notBelow(Real a, Real b) { return _mm512_cmp_ps_mask(a, b, _CMP_GE_OQ); }
  HINESIGHT_FORMULA static Mask notAfter(Whole a, Whole b) { return _mm512_cmple_epi32_mask(__m512i(a), __m512i(b)); }
  HINESIGHT_FORMULA static bool any(Mask mask) { return mask != 0; }
  HINESIGHT_FORMULA static Real keep(Mask mask, Real x) { return _mm512_maskz_mov_ps(mask, x); }
  HINESIGHT_FORMULA static Whole choose(Mask mask, Whole a, Whole b)
  {
    return Whole(_mm512_mask_mov_epi32(__m512i(b), mask, __m512i(a)));
  }
  HINESIGHT_FORMULA static __m512d lowerDoubles(Real x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
  HINESIGHT_FORMULA static __m512d upperDoubles(Real x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }
  HINESIGHT_FORMULA static __m512i lowerLongs(Whole n)
  {
    return _mm512_cvtepi32_epi64(_mm512_castsi512_si256(__m512i(n)));
  }
  HINESIGHT_FORMULA static __m512i upperLongs(Whole n)
  {
    return _mm512_cvtepi32_epi64(_mm512_extracti32x8_epi32(__m512i(n), 1));
  }
  HINESIGHT_FORMULA static Real fusedMultiplyAdd(Real a, Real b, Real c) { return _mm512_fmadd_ps(a, b, c); }
  HINESIGHT_FORMULA static Real squareRoot(Real x) { return _mm512_sqrt_ps(x); }
  HINESIGHT_FORMULA static Real smaller(Real a, Real b) { return _mm512_min_ps(a, b); }
  HINESIGHT_FORMULA static Real larger(Real a, Real b) { return _mm512_max_ps(a, b); }
  HINESIGHT_FORMULA static Whole larger(Whole a, Whole b) { return Whole(_mm512_max_epi32(__m512i(a), __m512i(b))); }
};

} // namespace

} // namespace hinesight::synapse::detail

#define HINESIGHT_SEARCH &searchSeekers<VectorLanes<Avx512>>
#else
#include "synapse/search/search_groups.hpp"
#define HINESIGHT_SEARCH nullptr
#endif

namespace hinesight::synapse::detail {

SearchSeekers avx512Search()
{
  return HINESIGHT_SEARCH;
}

} // namespace hinesight::synapse::detail
