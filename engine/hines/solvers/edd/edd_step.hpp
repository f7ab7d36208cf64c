#pragma once

#include "core/fixed/reciprocal.hpp"
#include "core/host_device.hpp"
#include "core/philox.hpp"
#include "hines/chain_elimination.hpp"

#include <cstdint>

// What is particular to exact domain decomposition in its arithmetic, shared by CPU and CUDA. Chains are contracted as
// chain_elimination.hpp says: sums are of numbers of one sign, and so are those of the Schur complement over the
// junctions.

namespace hinesight::hines {

struct EddRounding
{
  static constexpr bool kInverseLast = false;

  template <typename Real>
  HINESIGHT_HOST_DEVICE static Real inverse(Real s, Real u, Real fill)
  {
    return reciprocal(s - (u + fill));
  }
  template <typename Real>
  HINESIGHT_HOST_DEVICE static Real multiplyAdd(Real a, Real b, Real c)
  {
    return c + a * b;
  }
};

/// A thread on its way through a piece: what depends on the right-hand side, of which there may be several.
template <typename Real>
struct EddCarry
{
  Real next = 0; ///< what the row before takes from the next one's right-hand side
  Real end = 0;  ///< what the chain takes from the junction's right-hand side
};

/// The y of a row whose factors are known. Its couplings may not be at hand any more, so it rounds otherwise than
/// eliminateInChain.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real eddEliminate(EddCarry<Real>& carry, const ChainFactors<Real>& f, Real b)
{
  const Real left = b - carry.next;
  carry.next = f.w * left;
  carry.end += f.v * left;
  return left * f.inverse;
}

/// By how much right-hand side `column` of a cell moves its voltages, mV: uniform from -10 to 10; 0 for the first.
HINESIGHT_HOST_DEVICE inline double eddColumnShift(std::uint64_t cell, std::uint32_t column)
{
  constexpr std::uint64_t kSeed = 2019;
  constexpr double kSpread = 10;
  return column == 0 ? 0.0 : kSpread * (2 * randomUniform(kSeed, cell, column, 0) - 1);
}

} // namespace hinesight::hines
