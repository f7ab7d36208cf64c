#pragma once

#include "core/fixed/fixed_math.hpp"

// What rates of channels are made of.

namespace hinesight {

/// x / (e^(x/k) - 1), which is k at 0.
HINESIGHT_FORMULA double linoid(double x, double k)
{
  const double ratio = x / k;
  const bool isNear = magnitude(ratio) < 1e-6;
  const double quotient = x / (fixedExp(isNear ? 1.0 : ratio) - 1.0);
  return isNear ? k * (1.0 - ratio / 2) : quotient;
}

} // namespace hinesight
