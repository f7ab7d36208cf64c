#pragma once

#include "core/fixed/fixed_operations.hpp"

#include <cmath>
#include <limits>

namespace hinesight {

namespace detail {

/// a b + c, rounded upwards, where that is within a factor of two of c.
template <typename Real>
HINESIGHT_FORMULA Real fusedMultiplyAddUp(Real a, Real b, Real c)
{
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == sizeof(double))
    return __fma_ru(a, b, c);
  else
    return __fmaf_ru(a, b, c);
#else
  const Real nearest = fusedMultiplyAdd(a, b, c);
  return fusedMultiplyAdd(a, b, c - nearest) > 0 ? std::nextafter(nearest, std::numeric_limits<Real>::infinity())
                                                 : nearest;
#endif
}

// 1 / x of x > 0, rounded to the nearest, from a rough estimate. A first step brings it so close that what it lacks is
// small beside the rounding; the remainder 1 - x r is exact then, and the last step rounds as a division does, unless
// the true inverse lies above the middle of two numbers by less than the remainder's square (Markstein 1990, IBM J.
// Res. Dev. 34, 111). There, r is the upper of the two, because the first step rounds upwards: so close to it the
// remainder's square is less than the distance from the middle, which is at least 1 / 2^106 of x's scale, in single
// precision 1 / 2^48.

/// From an estimate that is good to 20 bits.
HINESIGHT_FORMULA double refinedInverse(double x, double estimate)
{
  const double e = fusedMultiplyAdd(-x, estimate, 1.0);
  const double r = fusedMultiplyAddUp(estimate, fusedMultiplyAdd(e, e, e), estimate); // a cubic step: 60 bits
  return fusedMultiplyAdd(fusedMultiplyAdd(-x, r, 1.0), r, r);
}
/// From an estimate that is good to a few units in the last place.
HINESIGHT_FORMULA float refinedInverse(float x, float estimate)
{
  const float r = fusedMultiplyAddUp(fusedMultiplyAdd(-x, estimate, 1.0F), estimate, estimate);
  return fusedMultiplyAdd(fusedMultiplyAdd(-x, r, 1.0F), r, r);
}

} // namespace detail

/// 1 / x of x > 0, rounded to the nearest: the same bytes on every CPU and GPU. On CUDA without the branch of a
/// division, for x whose inverse is not subnormal either.
HINESIGHT_FORMULA double reciprocal(double x)
{
#ifdef __CUDA_ARCH__
  double estimate;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(estimate) : "d"(x));
  return detail::refinedInverse(x, estimate);
#else
  return 1.0 / x;
#endif
}
HINESIGHT_FORMULA float reciprocal(float x)
{
#ifdef __CUDA_ARCH__
  float estimate;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(x));
  return detail::refinedInverse(x, estimate);
#else
  return 1.0F / x;
#endif
}

} // namespace hinesight
