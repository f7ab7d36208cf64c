#pragma once

#include "core/fixed/reciprocal.hpp"
#include "core/host_device.hpp"
#include "hines/chain_elimination.hpp"

// The arithmetic of the resident solver, shared by CPU and CUDA, in double (Real = double) or single precision. Rows
// are kept as in elimination.hpp: by their excess s, the sum of the row; the diagonal is s less the couplings that are
// left. Eliminating in any order then only ever adds numbers of one sign.

namespace hinesight::hines {

/// a b + c, rounded once.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real multiplyAdd(Real a, Real b, Real c)
{
  return hinesight::fusedMultiplyAdd(a, b, c);
}

/// Compartments of a piece are eliminated from the far end towards the root (chain_elimination.hpp).
struct ResidentRounding
{
  static constexpr bool kInverseLast = true;

  template <typename Real>
  HINESIGHT_HOST_DEVICE static Real inverse(Real s, Real u, Real fill)
  {
    return reciprocal(s - (u + fill));
  }
  template <typename Real>
  HINESIGHT_HOST_DEVICE static Real multiplyAdd(Real a, Real b, Real c)
  {
    return hines::multiplyAdd(a, b, c);
  }
};

/// substituteInChain, rounded less often, and what waits for `next` last.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real substituteInPiece(const EliminatedRow<Real>& c, Real next, Real end)
{
  return multiplyAdd(-c.w, next, multiplyAdd(-c.v, end, c.y));
}

/// What eliminated compartments and nodes take from the node that they hang on.
template <typename Real>
struct alignas(2 * sizeof(Real)) NodeContribution
{
  Real excess;
  Real b;
};

/// A node's unknowns: before elimination excess, right-hand side and coupling with the parent; after it v, y and w of
/// x = y - w x_parent - v x_child; last of all x in `b`.
template <typename Real>
struct NodeValues
{
  Real excess;
  Real b;
  Real w;
};

/// What eliminating a node leaves in itself, in its parent and in its child.
template <typename Real>
struct NodeElimination
{
  NodeValues<Real> own;
  NodeContribution<Real> toParent;
  NodeValues<Real> child;
};

template <typename Real>
HINESIGHT_HOST_DEVICE inline void take(NodeValues<Real>& node, const NodeContribution<Real>& left)
{
  node.excess -= left.excess;
  node.b -= left.b;
}
/// The first two are taken together: most nodes have no more, and a round waits for one operation less.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void take(NodeValues<Real>& node, const NodeContribution<Real>& left,
                                       const NodeContribution<Real>& right)
{
  node.excess -= left.excess + right.excess;
  node.b -= left.b + right.b;
}

/// Of `node` everything that was left to it is taken already; `child` is what hangs on it still, with w = 0 where
/// nothing does; `toParent` is what its children gave to its parent before they were eliminated above it.
template <typename Real>
HINESIGHT_HOST_DEVICE inline NodeElimination<Real>
eliminateNode(const NodeValues<Real>& node, const NodeValues<Real>& child, const NodeContribution<Real>& toParent)
{
  // Products that wait for the inverse last, each only for that: the rounds of a tree are a chain of them.
  const Real r = reciprocal(node.excess - (node.w + child.w));
  const Real flow = node.w * node.excess;
  const Real flowOfChild = child.w * node.excess;
  return {{child.w * r, node.b * r, node.w * r},
          {multiplyAdd(flow, r, toParent.excess), multiplyAdd(node.w * node.b, r, toParent.b)},
          {multiplyAdd(-flowOfChild, r, child.excess), multiplyAdd(-(child.w * node.b), r, child.b),
           -(node.w * child.w) * r}};
}

/// x of an eliminated node. Where there is no parent or no child, any finite x will do: its factor is 0.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real substituteNode(const NodeValues<Real>& node, Real parent, Real child)
{
  return multiplyAdd(-node.excess, child, multiplyAdd(-node.w, parent, node.b));
}

} // namespace hinesight::hines
