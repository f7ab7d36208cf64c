#pragma once

#include "core/host_device.hpp"

namespace hinesight::hines {

/// What eliminating a compartment adds to its parent's row (algorithms of Hines 1984; huber 2018, listing 2 corrected:
/// the coupling with the parent is u[i]).
struct Contribution
{
  double d;
  double b;
};

HINESIGHT_HOST_DEVICE inline Contribution eliminate(double d, double u, double b)
{
  const double f = u / d;
  return {f * u, f * b};
}

HINESIGHT_HOST_DEVICE inline double substitute(double d, double u, double b, double parentValue)
{
  return (b - u * parentValue) / d;
}

} // namespace hinesight::hines
