#pragma once

#include "core/fixed/fixed_operations.hpp"

#include <cstdint>

// Elementary functions in single precision as a fixed sequence of correctly rounded operations, for the same reason as
// those of fixed_math.hpp. They are templates over the number: a float, or several side by side (a type with the same
// operators and with functions of the same names as those for float here and in fixed_operations.hpp). Lanes beside
// each other never mix, so that a value has the same bits in a vector of any width, alone, and on CUDA.

namespace hinesight {

/// `b` where one of them is no number, as vector instructions have it.
HINESIGHT_FORMULA float smaller(float a, float b)
{
  return a < b ? a : b;
}

HINESIGHT_FORMULA float larger(float a, float b)
{
  return a > b ? a : b;
}

/// x where `limit` is at most `at`, else 0.
HINESIGHT_FORMULA float keepFrom(float limit, float at, float x)
{
  return at >= limit ? x : 0.0F;
}

HINESIGHT_FORMULA float toSingle(std::int32_t n)
{
  return static_cast<float>(n);
}

/// Whole numbers as many as F has lanes.
template <typename F>
struct WholeOf
{
  using Type = typename F::Whole;
};

template <>
struct WholeOf<float>
{
  using Type = std::int32_t;
};

/// A number mantissa * 2^exponent: far smaller and larger ones than a float holds.
template <typename F>
struct Scaled
{
  F mantissa;
  typename WholeOf<F>::Type exponent;
};

/// exp(x) to within 2 ulp of single precision for x in [-708, 708]; the mantissa is between 0.7 and 1.5.
template <typename F>
HINESIGHT_FORMULA Scaled<F> scaledExp(F x)
{
  constexpr float kLog2E = 0x1.715476p+0F;
  constexpr float kLn2High = 0x1.62e43p-1F;
  constexpr float kLn2Low = -0x1.05c61p-29F;
  constexpr float kShift = 0x1.8p23F; // adding it rounds to a whole number, which the low bits then hold
  constexpr std::int32_t kBitsOfShift = 0x4B400000;
  const F shifted = fusedMultiplyAdd(x, F(kLog2E), F(kShift));
  const F whole = shifted - F(kShift);
  const F r = fusedMultiplyAdd(whole, F(-kLn2Low), fusedMultiplyAdd(whole, F(-kLn2High), x));
  // (exp(r) - 1 - r) / r^2 interpolated at Chebyshev nodes of |r| <= ln(2) / 2.
  F p = F(0x1.6d113cp-10F);
  p = fusedMultiplyAdd(p, r, F(0x1.120ba2p-7F));
  p = fusedMultiplyAdd(p, r, F(0x1.55551ap-5F));
  p = fusedMultiplyAdd(p, r, F(0x1.5554dcp-3F));
  p = fusedMultiplyAdd(p, r, F(0.5F));
  const F mantissa = F(1.0F) + fusedMultiplyAdd(p, r * r, r);
  return {mantissa, bitsOf(shifted) - typename WholeOf<F>::Type(kBitsOfShift)};
}

/// exp(x) to within 2 ulp; x below -87 and above 88 count as these.
template <typename F>
HINESIGHT_FORMULA F singleExp(F x)
{
  const Scaled<F> value = scaledExp(smaller(larger(x, F(-87.0F)), F(88.0F)));
  return singleFromBits(bitsOf(value.mantissa) + (value.exponent << 23));
}

/// ln(x) to within 2 ulp for normal x above 0; anything else gives some number.
template <typename F>
HINESIGHT_FORMULA F singleLog(F x)
{
  // The mantissa m is taken from [sqrt(1/2), sqrt(2)).
  using Whole = typename WholeOf<F>::Type;
  constexpr std::int32_t kRootHalf = 0x3F3504F3;
  const Whole exponent = (bitsOf(x) - Whole(kRootHalf)) >> 23;
  const F m = singleFromBits(bitsOf(x) - (exponent << 23));
  const F k = toSingle(exponent);
  const F s = (m - F(1.0F)) / (m + F(1.0F));
  const F s2 = s * s;
  // (2 atanh(s) / s - 2) / s^2 interpolated at Chebyshev nodes.
  F p = F(0x1.ddd4dap-3F);
  p = fusedMultiplyAdd(p, s2, F(0x1.245c28p-2F));
  p = fusedMultiplyAdd(p, s2, F(0x1.9999ecp-2F));
  p = fusedMultiplyAdd(p, s2, F(0x1.555556p-1F));
  // ln(m) = 2 s + s^3 p; what rounding takes off s is small beside m - 1 itself, which is exact.
  const F mantissaLog = fusedMultiplyAdd(s * s2, p, s + s);
  return fusedMultiplyAdd(k, F(0x1.62e43p-1F), fusedMultiplyAdd(k, F(-0x1.05c61p-29F), mantissaLog));
}

} // namespace hinesight
