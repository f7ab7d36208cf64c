#pragma once

#include "core/host_device.hpp"
#include "core/philox.hpp"

#include <cstdint>

// The arithmetic of exact domain decomposition, shared by CPU and CUDA. Rows are kept as in elimination.hpp: by their
// excess s, the sum of the row; the diagonal is s less the couplings that are left. Contracting a chain then only ever
// adds numbers of one sign, and so does the Schur complement over the junctions.

namespace hinesight::hines {

/// 1 / x, to the last bit or the one before it.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real eddReciprocal(Real x)
{
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == sizeof(double)) {
    // The hardware's estimate is good to 20 bits; one cubic step makes that 60.
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double e = ::fma(-x, r, 1.0);
    return ::fma(r, ::fma(e, e, e), r);
  } else {
    return __frcp_rn(x);
  }
#else
  return Real{1} / x;
#endif
}

/// A thread on its way up a piece: what does not depend on right-hand sides.
template <typename Real>
struct EddSweep
{
  Real excess = 0;    ///< what the row below takes from the next one's excess
  Real fill = 0;      ///< coupling of the next row with the junction that the piece begins with
  Real endExcess = 0; ///< what the chain takes from that junction's excess
};

/// And what does.
template <typename Real>
struct EddCarry
{
  Real next = 0; ///< what the row below takes from the next one's right-hand side
  Real end = 0;  ///< what the chain takes from the junction's right-hand side
};

/// An eliminated row: x = y - w x_next - v x_junction.
template <typename Real>
struct EddFactors
{
  Real reciprocal; ///< of the eliminated diagonal
  Real w, v;
};

template <typename Real>
HINESIGHT_HOST_DEVICE inline EddFactors<Real> eddFactorize(EddSweep<Real>& sweep, Real excess, Real u)
{
  const Real s = excess - sweep.excess;
  const Real r = eddReciprocal(s - (u + sweep.fill));
  const Real w = u * r;
  const Real v = sweep.fill * r;
  sweep.endExcess += v * s;
  sweep.excess = w * s;
  sweep.fill = -(u * v);
  return {r, w, v};
}

/// The y of an eliminated row.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real eddEliminate(EddCarry<Real>& carry, const EddFactors<Real>& f, Real b)
{
  const Real left = b - carry.next;
  carry.next = f.w * left;
  carry.end += f.v * left;
  return left * f.reciprocal;
}

/// By how much right-hand side `column` of a cell moves its voltages, mV: uniform from -10 to 10; 0 for the first.
HINESIGHT_HOST_DEVICE inline double eddColumnShift(std::uint64_t cell, std::uint32_t column)
{
  constexpr std::uint64_t kSeed = 2019;
  constexpr double kSpread = 10;
  return column == 0 ? 0.0 : kSpread * (2 * randomUniform(kSeed, cell, column, 0) - 1);
}

} // namespace hinesight::hines
