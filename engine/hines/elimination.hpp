#pragma once

#include "core/host_device.hpp"

namespace hinesight::hines {

// The elimination of Hines 1984 (huber 2018, listing 2, corrected: the coupling with the parent is u[i]), carried out
// on the excess of the diagonal s = d + (sum of the row's couplings) in place of the diagonal d. Adding f times a row
// to another adds f times its sum to the other's sum, so the excess is eliminated like a right-hand side, and what d
// has become is s - u at any time: the same factors, the same number of divisions.
//
// It is done so for accuracy. In a cell's matrix u < 0 < s, and s - u, f s and their sums only ever add numbers of one
// sign: no digit is lost (Alfa, Xue and Ye 2002, "Accurate computation of the smallest eigenvalue of a diagonally
// dominant M-matrix", section 2). The textbook's d - u^2 / d' cancels where couplings are much greater than
// capacitance and leak: on real files cut finely its result is off by 1e-11 to 1e-7, and moving the root changes it as
// much (docs/accuracy.md has the measurements).

/// What eliminating a compartment takes from its parent's row.
template <typename Real>
struct ContributionOf
{
  Real excess;
  Real b;
};
using Contribution = ContributionOf<double>;

/// `excess`, `b`: of a compartment whose children are eliminated; `u`: its coupling with its parent.
template <typename Real>
HINESIGHT_HOST_DEVICE inline ContributionOf<Real> eliminate(Real excess, Real u, Real b)
{
  const Real f = u / (excess - u);
  return {f * excess, f * b};
}

/// The solution in a compartment whose parent's is known. At a root u is 0 and any finite parentValue will do.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real substitute(Real excess, Real u, Real b, Real parentValue)
{
  return (b - u * parentValue) / (excess - u);
}

} // namespace hinesight::hines
