#include "cable/sealed_cable.hpp"

#include <cmath>
#include <numbers>

namespace hinesight::cable {

double SealedCable::lengthConstant() const
{
  return 1e6 * std::sqrt(membraneResistance / axialResistivity * diameter * 1e-6 / 4);
}

double SealedCable::timeConstant() const
{
  return 1e3 * membraneResistance * membraneCapacitance;
}

double SealedCable::inputResistance() const
{
  const double radius = diameter / 2;
  return lengthConstant() * axialResistivity / (std::numbers::pi * radius * radius); // um ohm m / um2 is MOhm
}

double SealedCable::voltage(double position, double time) const
{
  if (time <= 0)
    return rest;
  using std::numbers::pi;
  const double b = length / lengthConstant();
  const double x = (length - position) / lengthConstant();
  const double t = time / timeConstant();
  double series = std::exp(-t) / 2;
  for (int k = 1;; ++k) {
    const double rate = 1 + (k * pi / b) * (k * pi / b);
    const double term = std::exp(-rate * t) / rate;
    if (term < 1e-18)
      break;
    series += (k % 2 == 0 ? 1 : -1) * std::cos(k * pi * x / b) * term;
  }
  return rest + current * inputResistance() * (std::cosh(x) / std::sinh(b) - 2 / b * series);
}

} // namespace hinesight::cable
