#include "hines/excess.hpp"

#include <cstddef>

namespace hinesight::hines {

namespace {

/// Adds `term` to the sum `high` and what rounding lost to `low` (Knuth, The Art of Computer Programming, vol. 2,
/// section 4.2.2, theorem B).
void addExactly(double term, double& high, double& low)
{
  const double sum = high + term;
  const double termRounded = sum - high;
  low += (high - (sum - termRounded)) + (term - termRounded);
  high = sum;
}

} // namespace

std::vector<double> diagonalExcess(const cable::HinesSystem& system)
{
  std::vector<double> high = system.d;
  std::vector<double> low(system.size(), 0);
  for (std::size_t i = 0; i < system.size(); ++i) {
    if (system.parent[i] < 0)
      continue;
    const auto p = static_cast<std::size_t>(system.parent[i]);
    addExactly(system.u[i], high[i], low[i]);
    addExactly(system.u[i], high[p], low[p]);
  }
  for (std::size_t i = 0; i < system.size(); ++i)
    high[i] += low[i];
  return high;
}

} // namespace hinesight::hines
