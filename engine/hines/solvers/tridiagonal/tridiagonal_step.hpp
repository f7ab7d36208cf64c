#pragma once

#include "core/host_device.hpp"

// The arithmetic of the tridiagonal solver, shared by CPU and CUDA, which give the same bytes. Rows are kept by their
// excess as in elimination.hpp, so that all sums are of numbers of one sign.

namespace hinesight::hines {

/// A lane on its way through its piece, from the last row to the second.
template <typename Real>
struct ChainSweep
{
  Real fill = 0;   ///< coupling of the row that is next with the junction behind the piece
  Real excess = 0; ///< what the row below takes from the excess of the next one
  Real b = 0;
  Real endExcess = 0; ///< what the piece takes from the junction behind it
  Real endB = 0;
};

/// x = y - w x_above - v x_end: an eliminated row by the one above it and the junction behind the piece.
template <typename Real>
struct EliminatedRow
{
  Real w, y, v;
};

template <typename Real>
HINESIGHT_HOST_DEVICE inline EliminatedRow<Real> eliminateRow(ChainSweep<Real>& sweep, Real excess, Real u, Real b)
{
  const Real s = excess - sweep.excess;
  const Real r = Real{1} / (s - u - sweep.fill);
  const EliminatedRow<Real> row{u * r, (b - sweep.b) * r, sweep.fill * r};
  sweep.endExcess += row.v * s;
  sweep.endB += sweep.fill * row.y;
  sweep.excess = row.w * s;
  sweep.b = u * row.y;
  sweep.fill = -(u * row.v);
  return row;
}

template <typename Real>
HINESIGHT_HOST_DEVICE inline Real substituteRow(const EliminatedRow<Real>& row, Real above, Real end)
{
  return row.y - row.w * above - row.v * end;
}

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
