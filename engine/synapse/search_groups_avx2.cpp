#include "synapse/search_groups_kernel.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace hinesight::synapse::detail {

#if defined(__AVX2__) && defined(__FMA__)

namespace {

struct Whole8
{
  __m256i v;
  Whole8() = default;
  HINESIGHT_FORMULA explicit Whole8(__m256i value) : v(value) {}
  HINESIGHT_FORMULA explicit Whole8(std::int32_t value) : v(_mm256_set1_epi32(value)) {}
};

HINESIGHT_FORMULA Whole8 operator+(Whole8 a, Whole8 b)
{
  return Whole8(_mm256_add_epi32(a.v, b.v));
}

HINESIGHT_FORMULA Whole8 operator-(Whole8 a, Whole8 b)
{
  return Whole8(_mm256_sub_epi32(a.v, b.v));
}

HINESIGHT_FORMULA Whole8 operator<<(Whole8 a, int bits)
{
  return Whole8(_mm256_slli_epi32(a.v, bits));
}

HINESIGHT_FORMULA Whole8 operator>>(Whole8 a, int bits)
{
  return Whole8(_mm256_srai_epi32(a.v, bits));
}

struct Real8
{
  using Whole = Whole8;
  __m256 v;
  Real8() = default;
  HINESIGHT_FORMULA explicit Real8(__m256 value) : v(value) {}
  HINESIGHT_FORMULA explicit Real8(float value) : v(_mm256_set1_ps(value)) {}
};

HINESIGHT_FORMULA Real8 operator+(Real8 a, Real8 b)
{
  return Real8(_mm256_add_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real8 operator-(Real8 a, Real8 b)
{
  return Real8(_mm256_sub_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real8 operator-(Real8 a)
{
  return Real8(_mm256_xor_ps(a.v, _mm256_set1_ps(-0.0F)));
}

HINESIGHT_FORMULA Real8 operator*(Real8 a, Real8 b)
{
  return Real8(_mm256_mul_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real8 operator/(Real8 a, Real8 b)
{
  return Real8(_mm256_div_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real8 fusedMultiplyAdd(Real8 a, Real8 b, Real8 c)
{
  return Real8(_mm256_fmadd_ps(a.v, b.v, c.v));
}

HINESIGHT_FORMULA Real8 squareRoot(Real8 x)
{
  return Real8(_mm256_sqrt_ps(x.v));
}

HINESIGHT_FORMULA Real8 smaller(Real8 a, Real8 b)
{
  return Real8(_mm256_min_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real8 larger(Real8 a, Real8 b)
{
  return Real8(_mm256_max_ps(a.v, b.v));
}

HINESIGHT_FORMULA Real8 magnitude(Real8 x)
{
  return Real8(_mm256_andnot_ps(_mm256_set1_ps(-0.0F), x.v));
}

HINESIGHT_FORMULA Real8 keepFrom(Real8 limit, Real8 at, Real8 x)
{
  return Real8(_mm256_and_ps(_mm256_cmp_ps(at.v, limit.v, _CMP_GE_OQ), x.v));
}

HINESIGHT_FORMULA Whole8 bitsOf(Real8 x)
{
  return Whole8(_mm256_castps_si256(x.v));
}

HINESIGHT_FORMULA Real8 singleFromBits(Whole8 bits)
{
  return Real8(_mm256_castsi256_ps(bits.v));
}

HINESIGHT_FORMULA Real8 toSingle(Whole8 n)
{
  return Real8(_mm256_cvtepi32_ps(n.v));
}

HINESIGHT_FORMULA __m256d doublesOf(__m128 mantissa, __m128i exponent)
{
  const __m256i power =
      _mm256_slli_epi64(_mm256_add_epi64(_mm256_cvtepi32_epi64(exponent), _mm256_set1_epi64x(1023)), 52);
  return _mm256_mul_pd(_mm256_cvtps_pd(mantissa), _mm256_castsi256_pd(power));
}

/// Eight seekers beside each other. A mask has all bits of a lane set, or none.
struct EightLanes
{
  static constexpr int kCount = 8;
  using Real = Real8;
  using Whole = Whole8;
  struct Mask
  {
    __m256 v;
  };

  struct Sums
  {
    __m256d low = _mm256_setzero_pd();
    __m256d high = _mm256_setzero_pd();
    /// Lanes outside the mask add 0.
    HINESIGHT_FORMULA void add(Mask mask, const Scaled<Real8>& weight)
    {
      const __m256 m = _mm256_and_ps(mask.v, weight.mantissa.v);
      const __m256i e = weight.exponent.v;
      low = _mm256_add_pd(low, doublesOf(_mm256_castps256_ps128(m), _mm256_castsi256_si128(e)));
      high = _mm256_add_pd(high, doublesOf(_mm256_extractf128_ps(m, 1), _mm256_extracti128_si256(e, 1)));
    }
    HINESIGHT_FORMULA void store(double* to) const
    {
      _mm256_storeu_pd(to, low);
      _mm256_storeu_pd(to + 4, high);
    }
  };

  HINESIGHT_FORMULA static Real load(const float* from) { return Real8(_mm256_loadu_ps(from)); }
  HINESIGHT_FORMULA static void store(std::uint32_t* to, Whole value)
  {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value.v);
  }
  HINESIGHT_FORMULA static Whole later(Whole resume, std::uint32_t node)
  {
    return Whole8(_mm256_max_epi32(resume.v, _mm256_set1_epi32(static_cast<int>(node))));
  }
  HINESIGHT_FORMULA static Mask notAfter(Whole resume, std::uint32_t node)
  {
    const __m256i behind = _mm256_set1_epi32(static_cast<int>(node + 1));
    return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(behind, resume.v))};
  }
  HINESIGHT_FORMULA static Mask above(Real value, float limit)
  {
    return {_mm256_cmp_ps(value.v, _mm256_set1_ps(limit), _CMP_GT_OQ)};
  }
  HINESIGHT_FORMULA static Mask both(Mask a, Mask b) { return {_mm256_and_ps(a.v, b.v)}; }
  HINESIGHT_FORMULA static Mask without(Mask a, Mask b) { return {_mm256_andnot_ps(b.v, a.v)}; }
  HINESIGHT_FORMULA static bool any(Mask mask) { return _mm256_movemask_ps(mask.v) != 0; }
  HINESIGHT_FORMULA static Whole choose(Mask mask, std::uint32_t value, Whole other)
  {
    return Whole8(_mm256_blendv_epi8(other.v, _mm256_set1_epi32(static_cast<int>(value)), _mm256_castps_si256(mask.v)));
  }
};

} // namespace

SearchSeekers avx2Search()
{
  return &searchSeekers<EightLanes>;
}

#else

SearchSeekers avx2Search()
{
  return nullptr;
}

#endif

} // namespace hinesight::synapse::detail
