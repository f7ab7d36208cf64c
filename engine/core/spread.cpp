#include "core/spread.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hinesight {

Spread spreadOf(std::vector<double> values)
{
  std::ranges::sort(values);
  const auto quantile = [&](double fraction) {
    const double at = fraction * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], at - static_cast<double>(below));
  };
  return {values.front(), quantile(0.25), quantile(0.5), quantile(0.75), values.back()};
}

} // namespace hinesight
