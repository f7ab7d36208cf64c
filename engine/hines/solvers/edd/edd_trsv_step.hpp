#pragma once

#include "core/host_device.hpp"
#include "hines/solvers/edd/edd_execution.hpp"
#include "hines/solvers/edd/edd_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// MIN-TRSV of vooturi 2019, section III-D1, figure 5, shared by CPU and CUDA. With the rows and columns of all
// junctions emptied, what is left of the matrix is tridiagonal. It is solved for three right-hand sides: the right-hand
// side itself and, of each chain, its coupling with the junction above (P) and with the one below (Q). The Schur
// complement is formed in row sums: what a chain takes from a junction's is P or Q times the row sums of the chain, all
// of one sign.
//
// The tridiagonal solver is somebody else's and wants diagonals, in which a row sum that is small against the couplings
// is rounded away. Refinement makes up for that: the residual is formed in row sums, and the correction solved for with
// the same factors (not in the paper).
//
// For plans of contiguous chains, in which each unit is one cell.

namespace hinesight::hines {

struct EddTrsvCell
{
  std::uint32_t unit;
  std::size_t pieceOf; ///< table of its shape: slot of the first recursion -> piece
};

struct EddTrsvPiece
{
  std::uint32_t unit;
  std::int32_t piece;
};

/// What the plan's tables lack.
struct EddTrsvTables
{
  std::vector<EddTrsvCell> cells;
  std::vector<EddTrsvPiece> pieces;     ///< of the first recursions of all cells
  std::vector<std::int32_t> pieceOf;    ///< of the shapes, by slot
  std::vector<std::int32_t> pieceBegin; ///< slot of a piece's first row, in the order of EddTables::pieces
  std::int32_t mostRows = 1;            ///< of a cell

  explicit EddTrsvTables(const EddPlan& plan);
};

/// The tridiagonal system of all cells, row after row as the slots of their first recursions.
template <typename Real>
struct EddTrsvView
{
  Real* lower;
  Real* diagonal;
  Real* upper;
  Real* solutions;  ///< columns of `rows`: P, Q, then one for each right-hand side
  std::size_t rows; ///< at least those of the batch
  const EddTrsvCell* cells;
  const EddTrsvPiece* pieces;
  const std::int32_t* pieceOf;
  const std::int32_t* pieceBegin;

  HINESIGHT_HOST_DEVICE Real* column(std::size_t number) const { return solutions + (2 + number) * rows; }
};

namespace edd {

/// A row of a cell's first recursion.
struct TrsvRow
{
  EddUnit unit;
  EddPiece piece;
  std::int32_t within; ///< rows from the piece's first one
  std::size_t row;     ///< in the tridiagonal system and in the right-hand sides
  std::size_t slot;    ///< in everything else
  std::size_t above;   ///< slot of the first junction at the next recursion

  HINESIGHT_HOST_DEVICE bool isJunction() const { return within == 0 && piece.junction >= 0; }
  HINESIGHT_HOST_DEVICE bool isLast() const { return within + 1 == piece.length; }
};

template <typename Real>
HINESIGHT_HOST_DEVICE inline TrsvRow trsvRow(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                             std::size_t cell, std::int32_t slot)
{
  const EddTrsvCell work = system.cells[cell];
  const EddUnit unit = view.units[work.unit];
  const EddLevelHead* level = view.levels + view.shapes[unit.shape].levelBegin;
  const std::size_t piece =
      level->pieceTable + static_cast<std::size_t>(system.pieceOf[work.pieceOf + static_cast<std::size_t>(slot)]);
  const auto offset = static_cast<std::size_t>(slot);
  return {unit,
          view.pieces[piece],
          slot - system.pieceBegin[piece],
          unit.rowBegin + offset,
          unit.slotBegin + offset,
          unit.slotBegin + level[1].slotBegin};
}

/// The first row of a piece.
template <typename Real>
HINESIGHT_HOST_DEVICE inline TrsvRow trsvPiece(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                               std::size_t index)
{
  const EddTrsvPiece work = system.pieces[index];
  const EddUnit unit = view.units[work.unit];
  const EddLevelHead* level = view.levels + view.shapes[unit.shape].levelBegin;
  const std::size_t piece = level->pieceTable + static_cast<std::size_t>(work.piece);
  const auto begin = static_cast<std::size_t>(system.pieceBegin[piece]);
  return {
      unit, view.pieces[piece], 0, unit.rowBegin + begin, unit.slotBegin + begin, unit.slotBegin + level[1].slotBegin};
}

/// A row of the matrix and of the columns P and Q. Junctions become rows of the identity.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void trsvAssembleMatrix(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                                     const TrsvRow& at)
{
  const bool hasBelow = at.within > 0;
  const bool belowIsJunction = at.within == 1 && at.piece.junction >= 0;
  const Real u = at.isJunction() ? Real{0} : view.u[at.slot];
  const Real below = hasBelow ? view.u[at.slot - 1] : Real{0};
  system.diagonal[at.row] = at.isJunction() ? Real{1} : view.excess[at.slot] - (u + below);
  system.lower[at.row] = hasBelow && !belowIsJunction ? below : Real{0};
  system.upper[at.row] = at.isLast() ? Real{0} : u;
  system.solutions[at.row] = at.isLast() && at.piece.parent >= 0 ? u : Real{0};
  system.solutions[system.rows + at.row] = belowIsJunction ? below : Real{0};
}

template <typename Real>
HINESIGHT_HOST_DEVICE inline void trsvAssembleRightHandSide(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                                            const TrsvRow& at, std::size_t column)
{
  system.column(column)[at.row] = at.isJunction() ? Real{0} : view.b[column * view.rowCount + at.row];
}

/// What a chain takes from the row sums of the junctions above and below.
template <typename Real>
struct TrsvSums
{
  Real fromParent = 0;
  Real fromJunction = 0;
};

/// The share of rows first, first + step, ... of a piece's chain.
template <typename Real>
HINESIGHT_HOST_DEVICE inline TrsvSums<Real> trsvSum(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                                    const TrsvRow& begin, std::int32_t first, std::int32_t step)
{
  TrsvSums<Real> sums;
  // A tree without bifurcations leaves nothing to reduce.
  if (begin.piece.junction < 0 && begin.piece.parent < 0)
    return sums;
  const Real* excess = view.excess + begin.slot;
  const Real* p = system.solutions + begin.row;
  const Real* q = p + system.rows;
#ifdef __CUDA_ARCH__
#pragma unroll 8
#endif
  for (std::int32_t k = first + (begin.isJunction() ? 1 : 0); k < begin.piece.length; k += step) {
    sums.fromParent += p[k] * excess[k];
    sums.fromJunction += q[k] * excess[k];
  }
  return sums;
}

/// The Schur complement's share of a piece.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void trsvReduceMatrix(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                                   const TrsvRow& begin, const TrsvSums<Real>& sums)
{
  const EddPiece& piece = begin.piece;
  if (piece.parent >= 0)
    view.contributionExcess[begin.unit.contributionBegin + static_cast<std::size_t>(piece.contribution)] =
        sums.fromParent;
  if (piece.junction < 0)
    return;
  const std::size_t to = begin.above + static_cast<std::size_t>(piece.junction);
  const auto last = static_cast<std::size_t>(piece.length) - 1;
  view.excess[to] = view.excess[begin.slot] - sums.fromJunction;
  if (piece.parent < 0)
    view.u[to] = 0;
  else if (last == 0)
    view.u[to] = view.u[begin.slot];
  else
    view.u[to] = -(view.u[begin.slot + last] * system.solutions[system.rows + begin.row + last]);
}

/// What a piece's chain takes from the right-hand sides of the junctions above and below.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void trsvReduceRightHandSide(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                                          const TrsvRow& begin, std::size_t column)
{
  const EddPiece& piece = begin.piece;
  const bool hasJunction = piece.junction >= 0;
  const bool hasChain = piece.length > (hasJunction ? 1 : 0);
  const Real* u = view.u + begin.slot;
  const Real* y = system.column(column) + begin.row;
  if (piece.parent >= 0)
    view.contributionB[column * view.contributionCount + begin.unit.contributionBegin +
                       static_cast<std::size_t>(piece.contribution)] =
        hasChain ? u[piece.length - 1] * y[piece.length - 1] : Real{0};
  if (hasJunction) {
    const Real b = view.b[column * view.rowCount + begin.row];
    view.x[column * view.slotCount + begin.above + static_cast<std::size_t>(piece.junction)] =
        hasChain ? b - u[0] * y[1] : b;
  }
}

/// The unknown of a row from those of the junctions.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real trsvExpand(const EddView<Real>& view, const EddTrsvView<Real>& system,
                                             const TrsvRow& at, std::size_t column)
{
  const Real* junctions = view.x + column * view.slotCount + at.above;
  if (at.isJunction())
    return junctions[at.piece.junction];
  Real value = system.column(column)[at.row];
  if (at.piece.parent >= 0)
    value -= system.solutions[at.row] * junctions[at.piece.parent];
  if (at.piece.junction >= 0)
    value -= system.solutions[system.rows + at.row] * junctions[at.piece.junction];
  return value;
}

/// Adds the solution of `correction` to a row's unknown, and to the copy of a junction's that residuals read.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void trsvCorrect(const EddView<Real>& view, const EddView<Real>& correction,
                                              const EddTrsvView<Real>& system, const TrsvRow& at, std::size_t column)
{
  const Real by = trsvExpand(correction, system, at, column);
  Real* x = view.x + column * view.slotCount;
  x[at.slot] += by;
  if (at.isJunction())
    x[at.above + static_cast<std::size_t>(at.piece.junction)] += by;
}

/// What flows from the last row of a piece into the junction above it.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void trsvLeaveFlow(const EddView<Real>& view, const TrsvRow& begin, std::size_t column)
{
  const EddPiece& piece = begin.piece;
  if (piece.parent < 0)
    return;
  const Real* x = view.x + column * view.slotCount;
  const std::size_t last = begin.slot + static_cast<std::size_t>(piece.length) - 1;
  view.contributionB[column * view.contributionCount + begin.unit.contributionBegin +
                     static_cast<std::size_t>(piece.contribution)] =
      view.u[last] * (x[last] - x[begin.above + static_cast<std::size_t>(piece.parent)]);
}

/// b - A x of a row, in row sums: s x + the flows from its neighbours. Those from the chains below a junction have been
/// left by trsvLeaveFlow.
template <typename Real>
HINESIGHT_HOST_DEVICE inline Real trsvResidual(const EddView<Real>& view, const TrsvRow& at, std::size_t column)
{
  const Real* x = view.x + column * view.slotCount;
  const Real mine = x[at.slot];
  Real residual = view.b[column * view.rowCount + at.row] - view.excess[at.slot] * mine;
  if (!at.isLast())
    residual -= view.u[at.slot] * (x[at.slot + 1] - mine);
  else if (at.piece.parent >= 0)
    residual -= view.u[at.slot] * (x[at.above + static_cast<std::size_t>(at.piece.parent)] - mine);
  if (at.within > 0)
    residual -= view.u[at.slot - 1] * (x[at.slot - 1] - mine);
  if (at.isJunction()) {
    const EddLevelHead& next = view.levels[view.shapes[at.unit.shape].levelBegin + 1];
    const std::int32_t* begin = view.numbers + next.contributionTable + at.piece.junction;
    const Real* flows = view.contributionB + column * view.contributionCount + at.unit.contributionBegin;
    for (std::int32_t c = begin[0]; c < begin[1]; ++c)
      residual -= flows[c];
  }
  return residual;
}

} // namespace edd

} // namespace hinesight::hines
