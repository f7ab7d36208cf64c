#pragma once

#include "core/host_device.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

// Correctly rounded operations of both precisions, which CPU and CUDA evaluate to the same bits, and the bits
// themselves. Builtins and not <cmath>: its overloads are inline functions of their own (core/host_device.hpp says what
// is wrong with those).

namespace hinesight {

#ifdef __CUDA_ARCH__
#define HINESIGHT_BUILTIN(name) ::name
#else
#define HINESIGHT_BUILTIN(name) __builtin_##name
#endif

/// Not for vectors of numbers, which have functions of their own.
template <typename F>
using IfReal = std::enable_if_t<std::is_floating_point_v<F>, F>;

template <typename F>
HINESIGHT_FORMULA IfReal<F> fusedMultiplyAdd(F a, F b, F c)
{
  if constexpr (std::is_same_v<F, float>)
    return HINESIGHT_BUILTIN(fmaf)(a, b, c);
  else
    return HINESIGHT_BUILTIN(fma)(a, b, c);
}

template <typename F>
HINESIGHT_FORMULA IfReal<F> squareRoot(F x)
{
  if constexpr (std::is_same_v<F, float>)
    return HINESIGHT_BUILTIN(sqrtf)(x);
  else
    return HINESIGHT_BUILTIN(sqrt)(x);
}

template <typename F>
HINESIGHT_FORMULA IfReal<F> magnitude(F x)
{
  if constexpr (std::is_same_v<F, float>)
    return HINESIGHT_BUILTIN(fabsf)(x);
  else
    return HINESIGHT_BUILTIN(fabs)(x);
}

HINESIGHT_FORMULA double roundDown(double x)
{
  return HINESIGHT_BUILTIN(floor)(x);
}

#undef HINESIGHT_BUILTIN

template <typename To, typename From>
HINESIGHT_FORMULA To sameBits(From value)
{
  static_assert(sizeof(To) == sizeof(From));
  To bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

HINESIGHT_FORMULA std::uint64_t bitsOf(double x)
{
  return sameBits<std::uint64_t>(x);
}

HINESIGHT_FORMULA double fromBits(std::uint64_t bits)
{
  return sameBits<double>(bits);
}

/// Signed, as vector instructions have it.
HINESIGHT_FORMULA std::int32_t bitsOf(float x)
{
  return sameBits<std::int32_t>(x);
}

HINESIGHT_FORMULA float singleFromBits(std::int32_t bits)
{
  return sameBits<float>(bits);
}

} // namespace hinesight
