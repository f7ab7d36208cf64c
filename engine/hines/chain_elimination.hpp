#pragma once

#include "core/host_device.hpp"

// The elimination of a chain's inner rows with fill, shared by CPU and CUDA and by the solvers that cut branches into
// pieces: resident, edd and tridiagonal. A piece's rows are eliminated one after the other towards its near end. Each
// hands the coupling with the junction at the far end on to the next row, the fill, so that in the end the near and the
// far end are coupled with one another alone. Rows are kept as in elimination.hpp: by their excess s, the sum of the
// row; the diagonal is s less the couplings that are left. So all sums are of numbers of one sign.
//
// Solvers differ in how they round, and keep their rounding: each has a `Rounding` with
//   static Real inverse(Real s, Real u, Real fill)      1 / (s - u - fill)
//   static Real multiplyAdd(Real a, Real b, Real c)     a b + c
//   static constexpr bool kInverseLast                  products are multiplied by the inverse last: they need not wait
//                                                       for it
// whose functions are for both compilers.

namespace hinesight::hines {

/// A thread on its way through a piece.
template <typename Real>
struct ChainSweep
{
  Real excess = 0;    ///< what the row before takes from the next one's excess
  Real b = 0;         ///< what the row before takes from the next one's right-hand side
  Real fill = 0;      ///< coupling of the next row with the junction at the far end
  Real endExcess = 0; ///< what the piece takes from that junction's excess
  Real endB = 0;      ///< what the piece takes from that junction's right-hand side
};

/// An eliminated row, by the next one and the junction at the far end: x = y - w x_next - v x_end.
template <typename Real>
struct EliminatedRow
{
  Real w, y, v;
};

/// The same for any right-hand side.
template <typename Real>
struct ChainFactors
{
  Real inverse; ///< of the eliminated diagonal
  Real w, v;
};

namespace detail {

template <typename Rounding, bool kHasRightHandSide, typename Real>
HINESIGHT_HOST_DEVICE inline EliminatedRow<Real> eliminateInChain(ChainSweep<Real>& sweep, Real excess, Real u, Real b,
                                                                  Real& inverse)
{
  const Real s = excess - sweep.excess;
  const Real r = Rounding::inverse(s, u, sweep.fill);
  EliminatedRow<Real> row;
  if constexpr (kHasRightHandSide)
    row.y = (b - sweep.b) * r;
  row.w = u * r;
  row.v = sweep.fill * r;
  sweep.endExcess = Rounding::multiplyAdd(row.v, s, sweep.endExcess);
  if constexpr (kHasRightHandSide)
    sweep.endB = Rounding::multiplyAdd(sweep.fill, row.y, sweep.endB);
  sweep.excess = Rounding::kInverseLast ? (u * s) * r : row.w * s;
  if constexpr (kHasRightHandSide)
    sweep.b = u * row.y;
  sweep.fill = Rounding::kInverseLast ? -(u * sweep.fill) * r : -(u * row.v);
  inverse = r;
  return row;
}

} // namespace detail

/// `u`: the row's coupling with the next one.
template <typename Rounding, typename Real>
HINESIGHT_HOST_DEVICE inline EliminatedRow<Real> eliminateInChain(ChainSweep<Real>& sweep, Real excess, Real u, Real b)
{
  Real inverse;
  return detail::eliminateInChain<Rounding, true>(sweep, excess, u, b, inverse);
}

/// The same without a right-hand side.
template <typename Rounding, typename Real>
HINESIGHT_HOST_DEVICE inline ChainFactors<Real> factorizeInChain(ChainSweep<Real>& sweep, Real excess, Real u)
{
  Real inverse;
  const EliminatedRow<Real> row = detail::eliminateInChain<Rounding, false>(sweep, excess, u, Real{0}, inverse);
  return {inverse, row.w, row.v};
}

template <typename Real>
HINESIGHT_HOST_DEVICE inline Real substituteInChain(const EliminatedRow<Real>& row, Real next, Real end)
{
  return row.y - row.w * next - row.v * end;
}

} // namespace hinesight::hines
