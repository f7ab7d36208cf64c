#pragma once

#include "core/host_device.hpp"
#include "hines/chain_elimination.hpp"

// The arithmetic of the tridiagonal solver, shared by CPU and CUDA, which give the same bytes. Rows are kept by their
// excess as in elimination.hpp, so that all sums are of numbers of one sign.

namespace hinesight::hines {

/// Rows of a lane's piece are eliminated from the last to the second (chain_elimination.hpp).
struct TridiagonalRounding
{
  static constexpr bool kInverseLast = false;

  template <typename Real>
  HINESIGHT_HOST_DEVICE static Real inverse(Real s, Real u, Real fill)
  {
    return Real{1} / (s - u - fill);
  }
  template <typename Real>
  HINESIGHT_HOST_DEVICE static Real multiplyAdd(Real a, Real b, Real c)
  {
    return c + a * b;
  }
};

/// A row of the reduced system, which is tridiagonal too, by its couplings with the junctions before and behind it.
template <typename Real>
struct JunctionRow
{
  Real excess = 1;
  Real b = 0;
  Real before = 0;
  Real behind = 0;
};

/// A row over its diagonal: what its neighbours need to eliminate it.
template <typename Real>
HINESIGHT_HOST_DEVICE inline JunctionRow<Real> scaled(const JunctionRow<Real>& row)
{
  const Real r = Real{1} / (row.excess - row.before - row.behind);
  return {row.excess * r, row.b * r, row.before * r, row.behind * r};
}

/// One step of parallel cyclic reduction: eliminates the scaled neighbours `before` and `behind`, after which the row
/// is coupled with those twice as far. Where there is none the coupling is 0 and any finite row will do.
template <typename Real>
HINESIGHT_HOST_DEVICE inline JunctionRow<Real> reduced(const JunctionRow<Real>& row, const JunctionRow<Real>& before,
                                                       const JunctionRow<Real>& behind)
{
  return {row.excess - (row.before * before.excess + row.behind * behind.excess),
          row.b - (row.before * before.b + row.behind * behind.b), -(row.before * before.before),
          -(row.behind * behind.behind)};
}

} // namespace hinesight::hines
