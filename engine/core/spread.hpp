#pragma once

#include <vector>

namespace hinesight {

/// How repeated measurements lie, in their unit.
struct Spread
{
  double min = 0, lowerQuartile = 0, median = 0, upperQuartile = 0, max = 0;
};

/// Of at least one number; quartiles between two numbers are interpolated.
Spread spreadOf(std::vector<double> values);

} // namespace hinesight
