#include "synapse/search_groups_kernel.hpp"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

namespace hinesight::synapse::detail {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

namespace {

struct Whole16
{
  __m512i v;
  Whole16() = default;
  HINESIGHT_FORMULA explicit Whole16(__m512i value) : v(value) {}
  HINESIGHT_FORMULA explicit Whole16(std::int32_t value) : v(_mm512_set1_epi32(value)) {}
};

HINESIGHT_FORMULA Whole16 operator+(Whole16 a, Whole16 b)
{
  return Whole16(_mm512_add_epi32(a.v, b.v));
}

HINESIGHT_FORMULA Whole16 operator-(Whole16 a, Whole16 b)
{
  return Whole16(_mm512_sub_epi32(a.v, b.v));
}

HINESIGHT_FORMULA Whole16 operator<<(Whole16 a, int bits)
{
  return Whole16(_mm512_slli_epi32(a.v, static_cast<unsigned>(bits)));
}

HINESIGHT_FORMULA Whole16 operator>>(Whole16 a, int bits)
{
  return Whole16(_mm512_srai_epi32(a.v, static_cast<unsigned>(bits)));
}

struct Real16
{
  using Whole = Whole16;
  __m512 v;
  Real16() = default;
  HINESIGHT_FORMULA explicit Real16(__m512 value) : v(value) {}
  HINESIGHT_FORMULA explicit Real16(float value) : v(_mm512_set1_ps(value)) {}
};

HINESIGHT_FORMULA Real16 operator+(Real16 a, Real16 b)
{
  return Real16(_mm512_add_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real16 operator-(Real16 a, Real16 b)
{
  return Real16(_mm512_sub_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real16 operator-(Real16 a)
{
  return Real16(_mm512_xor_ps(a.v, _mm512_set1_ps(-0.0F)));
}

HINESIGHT_FORMULA Real16 operator*(Real16 a, Real16 b)
{
  return Real16(_mm512_mul_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real16 operator/(Real16 a, Real16 b)
{
  return Real16(_mm512_div_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real16 fusedMultiplyAdd(Real16 a, Real16 b, Real16 c)
{
  return Real16(_mm512_fmadd_ps(a.v, b.v, c.v));
}

HINESIGHT_FORMULA Real16 squareRoot(Real16 x)
{
  return Real16(_mm512_sqrt_ps(x.v));
}

HINESIGHT_FORMULA Real16 smaller(Real16 a, Real16 b)
{
  return Real16(_mm512_min_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real16 larger(Real16 a, Real16 b)
{
  return Real16(_mm512_max_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real16 magnitude(Real16 x)
{
  return Real16(_mm512_abs_ps(x.v));
}

HINESIGHT_FORMULA Real16 keepFrom(Real16 limit, Real16 at, Real16 x)
{
  return Real16(_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(at.v, limit.v, _CMP_GE_OQ), x.v));
}

HINESIGHT_FORMULA Whole16 bitsOf(Real16 x)
{
  return Whole16(_mm512_castps_si512(x.v));
}

HINESIGHT_FORMULA Real16 singleFromBits(Whole16 bits)
{
  return Real16(_mm512_castsi512_ps(bits.v));
}

HINESIGHT_FORMULA Real16 toSingle(Whole16 n)
{
  return Real16(_mm512_cvtepi32_ps(n.v));
}

HINESIGHT_FORMULA __m512d doublesOf(__m256 mantissa, __m256i exponent)
{
  const __m512i power =
      _mm512_slli_epi64(_mm512_add_epi64(_mm512_cvtepi32_epi64(exponent), _mm512_set1_epi64(1023)), 52);
  return _mm512_mul_pd(_mm512_cvtps_pd(mantissa), _mm512_castsi512_pd(power));
}

/// Sixteen seekers beside each other.
struct SixteenLanes
{
  static constexpr int kCount = 16;
  using Real = Real16;
  using Whole = Whole16;
  using Mask = __mmask16;

  struct Sums
  {
    __m512d low = _mm512_setzero_pd();
    __m512d high = _mm512_setzero_pd();
    HINESIGHT_FORMULA void add(Mask mask, const Scaled<Real16>& weight)
    {
      const __m512 m = weight.mantissa.v;
      const __m512i e = weight.exponent.v;
      const __m512d lowValues = doublesOf(_mm512_castps512_ps256(m), _mm512_castsi512_si256(e));
      const __m512d highValues = doublesOf(_mm512_extractf32x8_ps(m, 1), _mm512_extracti32x8_epi32(e, 1));
      low = _mm512_mask_add_pd(low, static_cast<__mmask8>(mask), low, lowValues);
      high = _mm512_mask_add_pd(high, static_cast<__mmask8>(mask >> 8), high, highValues);
    }
    HINESIGHT_FORMULA void store(double* to) const
    {
      _mm512_storeu_pd(to, low);
      _mm512_storeu_pd(to + 8, high);
    }
  };

  HINESIGHT_FORMULA static Real load(const float* from) { return Real16(_mm512_loadu_ps(from)); }
  HINESIGHT_FORMULA static void store(std::uint32_t* to, Whole value) { _mm512_storeu_si512(to, value.v); }
  HINESIGHT_FORMULA static Whole later(Whole resume, std::uint32_t node)
  {
    return Whole16(_mm512_max_epi32(resume.v, _mm512_set1_epi32(static_cast<int>(node))));
  }
  HINESIGHT_FORMULA static Mask notAfter(Whole resume, std::uint32_t node)
  {
    return _mm512_cmple_epi32_mask(resume.v, _mm512_set1_epi32(static_cast<int>(node)));
  }
  HINESIGHT_FORMULA static Mask above(Real value, float limit)
  {
    return _mm512_cmp_ps_mask(value.v, _mm512_set1_ps(limit), _CMP_GT_OQ);
  }
  HINESIGHT_FORMULA static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
  HINESIGHT_FORMULA static Mask without(Mask a, Mask b) { return static_cast<Mask>(a & ~b); }
  HINESIGHT_FORMULA static bool any(Mask mask) { return mask != 0; }
  HINESIGHT_FORMULA static Whole choose(Mask mask, std::uint32_t value, Whole other)
  {
    return Whole16(_mm512_mask_mov_epi32(other.v, mask, _mm512_set1_epi32(static_cast<int>(value))));
  }
};

} // namespace

SearchSeekers avx512Search()
{
  return &searchSeekers<SixteenLanes>;
}

#else

SearchSeekers avx512Search()
{
  return nullptr;
}

#endif

} // namespace hinesight::synapse::detail
