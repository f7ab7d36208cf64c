#pragma once

#include "core/host_device.hpp"

#include <cmath>

// The arithmetic of the resident solver, shared by CPU and CUDA. Rows are kept as in elimination.hpp: by their excess
// s, the sum of the row; the diagonal is s less the couplings that are left. Eliminating in any order then only ever
// adds numbers of one sign.

namespace hinesight::hines {

/// 1 / x to the last bit or the one before it.
HINESIGHT_HOST_DEVICE inline double reciprocal(double x)
{
#ifdef __CUDA_ARCH__
  // The hardware's estimate is good to 20 bits; one cubic step makes that 60.
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  const double e = ::fma(-x, r, 1.0);
  return ::fma(r, ::fma(e, e, e), r);
#else
  return 1.0 / x;
#endif
}

/// A lane on its way through a piece, from the far end towards the root.
struct PieceSweep
{
  double excess = 0;        ///< what the compartment below takes from the next one's excess
  double rightHandSide = 0; ///< and from its right-hand side
  double fill = 0;          ///< coupling of the next compartment with the far end's junction
  double endExcess = 0;     ///< what the piece takes from its far end's excess
  double endRightHandSide = 0;
};

/// An eliminated compartment: x = y - w x_next - v x_end.
struct EliminatedCompartment
{
  double w;
  double y;
  double v;
};

HINESIGHT_HOST_DEVICE inline EliminatedCompartment eliminateInPiece(PieceSweep& sweep, double excess, double u,
                                                                    double b)
{
  const double s = excess - sweep.excess;
  const double r = reciprocal(s - (u + sweep.fill));
  const double y = (b - sweep.rightHandSide) * r;
  const double w = u * r;
  const double v = sweep.fill * r;
  sweep.endExcess = ::fma(v, s, sweep.endExcess);
  sweep.endRightHandSide = ::fma(sweep.fill, y, sweep.endRightHandSide);
  sweep.excess = (u * s) * r;
  sweep.rightHandSide = u * y;
  sweep.fill = -(u * sweep.fill) * r;
  return {w, y, v};
}

HINESIGHT_HOST_DEVICE inline double substituteInPiece(const EliminatedCompartment& c, double next, double end)
{
  return ::fma(-c.w, next, ::fma(-c.v, end, c.y));
}

/// What eliminated compartments and nodes take from the node that they hang on.
struct NodeContribution
{
  double excess;
  double b;
};

/// The nodes' unknowns: before elimination excess, right-hand side and coupling with the parent; after it v, y and w of
/// x = y - w x_parent - v x_child; last of all x in `b`.
struct NodeArrays
{
  double* excess;
  double* b;
  double* w;
  NodeContribution* contribution;
};

/// Eliminates node j. `parent` and `child` are -1 where there is none; [begin, end) are the contributions left to it.
HINESIGHT_HOST_DEVICE inline void eliminateNode(const NodeArrays& n, int j, int parent, int child, int out, int begin,
                                                int end)
{
  double s = n.excess[j];
  double b = n.b[j];
  const double above = n.w[j];
  const double below = child >= 0 ? n.w[child] : 0.0;
  for (int c = begin; c < end; ++c) {
    const NodeContribution left = n.contribution[c];
    s -= left.excess;
    b -= left.b;
  }
  const double r = reciprocal(s - (above + below));
  const double y = b * r;
  const double w = above * r;
  if (parent >= 0) {
    const NodeContribution sum = n.contribution[out];
    n.contribution[out] = {::fma(w, s, sum.excess), ::fma(above, y, sum.b)};
  }
  n.b[j] = y;
  n.w[j] = w;
  if (child >= 0) {
    const double v = below * r;
    n.excess[child] = ::fma(-v, s, n.excess[child]);
    n.b[child] = ::fma(-below, y, n.b[child]);
    n.w[child] = -above * v;
    n.excess[j] = v;
  }
}

HINESIGHT_HOST_DEVICE inline void substituteNode(const NodeArrays& n, int j, int parent, int child)
{
  double x = n.b[j];
  if (parent >= 0)
    x = ::fma(-n.w[j], n.b[parent], x);
  if (child >= 0)
    x = ::fma(-n.excess[j], n.b[child], x);
  n.b[j] = x;
}

} // namespace hinesight::hines
