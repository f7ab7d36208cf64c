#pragma once

#include "core/fixed/fixed_operations.hpp"

#include <cstdint>

// Elementary functions as a fixed sequence of correctly rounded operations (add, multiply, divide, square root, fused
// multiply-add), so that CPU and CUDA, whatever the vector width, give the same bits. The library's own exp and sin
// differ from each other in the last place, enough to decide a pair at the cut differently.

namespace hinesight {

/// A whole number below 2^32 in double precision, by arithmetic alone: conversions are slow on a GPU, and vectors of
/// unsigned numbers have none before AVX-512.
HINESIGHT_FORMULA double wholeNumber(std::uint32_t n)
{
  constexpr std::uint64_t kBitsOfTwoTo52 = 0x4330000000000000u;
  return fromBits(kBitsOfTwoTo52 | n) - 0x1p52;
}

constexpr double kInfinity = __builtin_huge_val();
constexpr double kNotANumber = __builtin_nan("");

namespace detail {

struct ExpConstants
{
  double log2E = 0x1.71547652b82fep+0;
  double ln2High = 0x1.62e42fefa39efp-1;
  double ln2Low = 0x1.abc9e3b39803fp-56;
  double shift = 0x1.8p52; ///< adding it rounds to a whole number, which the low bits then hold
  /// (exp(r) - 1 - r) / r^2 interpolated at Chebyshev nodes of |r| <= ln(2) / 2, from the highest power.
  double series[10] = {
      0x1.af38a9b0ec855p-26, 0x1.289185613a3d6p-22, 0x1.71de0dae63bb3p-19, 0x1.a019b90d2ae7ap-16, 0x1.a01a01a7c41d5p-13,
      0x1.6c16c1788bd90p-10, 0x1.11111111109b3p-7,  0x1.5555555553d63p-5,  0x1.5555555555556p-3,  0.5};
};
inline constexpr ExpConstants kExp;

#ifdef __CUDACC__
/// From here an operation reads its constant itself; one that is written into the program needs instructions of its
/// own. Not const: the compiler would write it into the program.
[[maybe_unused]] static __constant__ ExpConstants kDeviceExp = kExp;
#endif

} // namespace detail

/// exp(x) to within 1 ulp where |x| is at most 708; anything beyond.
HINESIGHT_FORMULA double fixedExpWithin(double x)
{
#ifdef __CUDA_ARCH__
  const detail::ExpConstants& k = detail::kDeviceExp;
#else
  constexpr const detail::ExpConstants& k = detail::kExp;
#endif
  const double shifted = fusedMultiplyAdd(x, k.log2E, k.shift);
  const double whole = shifted - k.shift;
  const double r = fusedMultiplyAdd(-whole, k.ln2Low, fusedMultiplyAdd(-whole, k.ln2High, x));
  double p = k.series[0];
  p = fusedMultiplyAdd(p, r, k.series[1]);
  p = fusedMultiplyAdd(p, r, k.series[2]);
  p = fusedMultiplyAdd(p, r, k.series[3]);
  p = fusedMultiplyAdd(p, r, k.series[4]);
  p = fusedMultiplyAdd(p, r, k.series[5]);
  p = fusedMultiplyAdd(p, r, k.series[6]);
  p = fusedMultiplyAdd(p, r, k.series[7]);
  p = fusedMultiplyAdd(p, r, k.series[8]);
  p = fusedMultiplyAdd(p, r, k.series[9]);
  const double e = 1.0 + fusedMultiplyAdd(p, r * r, r);
  return fromBits(bitsOf(e) + (bitsOf(shifted) << 52));
}

/// exp(x) of x below 709, to within 1 ulp; 0 below -708, where it is no normal number any more.
HINESIGHT_FORMULA double fixedDecay(double x)
{
  const double within = fixedExpWithin(x);
  return x < -708.0 ? 0.0 : within;
}

/// exp(x) to within 1 ulp; 0 below -708, infinite above 709.
HINESIGHT_FORMULA double fixedExp(double x)
{
  const double bounded = fixedDecay(x);
  return x > 709.0 ? kInfinity : bounded;
}

/// ln(x) to within 2 ulp; -infinity for 0, not a number below.
HINESIGHT_FORMULA double fixedLog(double x)
{
  if (!(x > 0) || x == kInfinity)
    return x == 0 ? -kInfinity : x > 0 ? x : kNotANumber;
  constexpr double kSmallest = 0x1p-1022;
  const bool subnormal = x < kSmallest;
  std::uint64_t bits = bitsOf(subnormal ? x * 0x1p54 : x);
  // The mantissa m is taken from [sqrt(1/2), sqrt(2)).
  constexpr std::uint64_t kRootHalf = 0x3FE6A09E667F3BCDu;
  const auto exponent = static_cast<std::int64_t>(bits - kRootHalf) >> 52;
  bits -= static_cast<std::uint64_t>(exponent) << 52;
  const double m = fromBits(bits);
  const double k = static_cast<double>(subnormal ? exponent - 54 : exponent);
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double p = 0; // 2 atanh(s) = 2 s (1 + s^2/3 + s^4/5 + ...)
  for (int n = 21; n >= 3; n -= 2)
    p = fusedMultiplyAdd(p, s2, 1.0 / n);
  const double mantissaLog = fusedMultiplyAdd(2.0 * s * s2, p, 2.0 * s);
  return fusedMultiplyAdd(k, 0x1.62e42fefa39efp-1, fusedMultiplyAdd(k, 0x1.abc9e3b39803fp-56, mantissaLog));
}

/// sin(2 pi t), the error below 3e-16; exactly 0 and +-1 where the sine is.
HINESIGHT_FORMULA double fixedSinTurns(double t)
{
  constexpr double kTwoPi = 0x1.921fb54442d18p+2;
  double r = t - roundDown(t + 0.5);
  r = r > 0.25 ? 0.5 - r : r;
  r = r < -0.25 ? -0.5 - r : r;
  const double x = kTwoPi * r;
  const double x2 = x * x;
  double p = 1.0 / 51090942171709440000.0; // 1/21!, 1/19!, ...
  p = fusedMultiplyAdd(p, x2, -1.0 / 121645100408832000.0);
  p = fusedMultiplyAdd(p, x2, 1.0 / 355687428096000.0);
  p = fusedMultiplyAdd(p, x2, -1.0 / 1307674368000.0);
  p = fusedMultiplyAdd(p, x2, 1.0 / 6227020800.0);
  p = fusedMultiplyAdd(p, x2, -1.0 / 39916800.0);
  p = fusedMultiplyAdd(p, x2, 1.0 / 362880.0);
  p = fusedMultiplyAdd(p, x2, -1.0 / 5040.0);
  p = fusedMultiplyAdd(p, x2, 1.0 / 120.0);
  p = fusedMultiplyAdd(p, x2, -1.0 / 6.0);
  return fusedMultiplyAdd(x * x2, p, x);
}

/// The error grows with |x|: about 1e-16 |x|.
HINESIGHT_FORMULA double fixedSin(double x)
{
  constexpr double kPerTurn = 0x1.45f306dc9c883p-3; // 1 / (2 pi)
  return fixedSinTurns(x * kPerTurn);
}

HINESIGHT_FORMULA double fixedCos(double x)
{
  constexpr double kPerTurn = 0x1.45f306dc9c883p-3;
  return fixedSinTurns(fusedMultiplyAdd(x, kPerTurn, 0.25));
}

/// The angle of (x, y) in (-pi, pi], to 4e-16; 0 for the origin.
HINESIGHT_FORMULA double fixedAtan2(double y, double x)
{
  constexpr double kPi = 0x1.921fb54442d18p+1;
  const double ax = magnitude(x), ay = magnitude(y);
  const double most = ax > ay ? ax : ay;
  if (most == 0)
    return 0;
  double t = (ax > ay ? ay : ax) / most;
  constexpr double kTanEighth = 0x1.a827999fcef32p-2; // tan(pi / 8)
  const bool turned = t > kTanEighth;
  t = turned ? (t - 1.0) / (t + 1.0) : t;
  const double t2 = -(t * t);
  double p = 0; // atan(t) = t (1 - t^2/3 + t^4/5 - ...)
  for (int n = 43; n >= 1; n -= 2)
    p = fusedMultiplyAdd(p, t2, 1.0 / n);
  double angle = t * p;
  angle = turned ? angle + kPi / 4 : angle;
  angle = ay > ax ? kPi / 2 - angle : angle;
  angle = x < 0 ? kPi - angle : angle;
  return y < 0 ? -angle : angle;
}

/// x to the power y. For whole y up to 64 in magnitude by multiplication, so that squares are exact to rounding and
/// negative x are allowed; else exp(y ln x), relative error about 1e-15 |y ln x|.
HINESIGHT_FORMULA double fixedPow(double x, double y)
{
  const double whole = roundDown(y);
  if (whole == y && magnitude(y) <= 64) {
    double product = 1, factor = x;
    for (int n = static_cast<int>(magnitude(y)); n > 0; n >>= 1) {
      product = (n & 1) != 0 ? product * factor : product;
      factor *= factor;
    }
    return y < 0 ? 1.0 / product : product;
  }
  return fixedExp(y * fixedLog(x));
}

} // namespace hinesight
