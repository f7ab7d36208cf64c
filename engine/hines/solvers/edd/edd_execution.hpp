#pragma once

#include "core/host_device.hpp"
#include "hines/solvers/edd/edd_plan.hpp"
#include "hines/solvers/edd/edd_step.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

// How a plan of exact domain decomposition is executed, shared by CPU and CUDA: what one thread does with one piece.

namespace hinesight::hines {

/// What of the work is done: right-hand sides need the factors only.
enum class EddPhase
{
  Both,   ///< one right-hand side, factors made on the way
  Factor, ///< factors alone, reciprocals kept
  Solve,  ///< right-hand sides with factors that are there
};

/// An EddLevel, or what is left to the serial sweep, in the concatenated tables.
struct EddLevelHead
{
  std::int32_t pieces; ///< 0 for the rest
  std::int32_t rows;
  std::size_t slotBegin;         ///< per cell of the unit
  std::size_t contributionBegin; ///< that its pieces leave; per cell of the unit
  std::size_t pieceTable;
  std::size_t rowTable;          ///< EddLevel::rowBegin, or for the rest its parents
  std::size_t contributionTable; ///< EddLevel::contributionBegin; unused at the first recursion
};

struct EddShapeHead
{
  std::size_t levelBegin; ///< the recursions, then the rest
  std::int32_t depth;
};

/// A plan as flat arrays.
struct EddTables
{
  std::vector<EddShapeHead> shapes;
  std::vector<EddLevelHead> levels;
  std::vector<EddPiece> pieces;
  std::vector<std::int32_t> numbers;
  std::vector<EddUnit> units;

  explicit EddTables(const EddPlan& plan);
};

/// The tables and the values, in host or device memory. Arrays of slots unless said otherwise.
template <typename Real>
struct EddView
{
  const EddShapeHead* shapes;
  const EddLevelHead* levels;
  const EddPiece* pieces;
  const std::int32_t* numbers;
  const EddUnit* units;

  Real* excess; ///< of the first recursion: the matrix; behind it what the recursions leave
  Real* u;
  Real* w;
  Real* v;
  Real* reciprocal;         ///< null in phase Both
  const Real* b;            ///< columns of `rowCount`, as slots of the first recursion
  Real* x;                  ///< columns of `slotCount`
  Real* contributionExcess; ///< what pieces take from the excess of the junctions above them
  Real* contributionB;      ///< columns of `contributionCount`
  std::size_t rowCount, slotCount, contributionCount;
};

namespace edd {

/// Where a unit's recursion is.
struct Place
{
  const EddLevelHead* level;
  std::int32_t number; ///< of the recursion
  std::size_t cells;
  std::size_t cell;
  std::size_t slot;         ///< of the cell's first slot of the recursion
  std::size_t inputSlot;    ///< the same in the right-hand sides, at the first recursion
  std::size_t contribution; ///< the cell's first contribution of the previous recursion
};

template <typename Real>
HINESIGHT_HOST_DEVICE inline Place placeOf(const EddView<Real>& view, const EddUnit& unit, std::int32_t number,
                                           std::size_t cell)
{
  const EddLevelHead* level = view.levels + view.shapes[unit.shape].levelBegin + number;
  Place place{
      level, number, unit.cells, cell, unit.slotBegin + level->slotBegin * unit.cells + cell, unit.rowBegin + cell, 0};
  if (number > 0)
    place.contribution = unit.contributionBegin + level[-1].contributionBegin * unit.cells + cell;
  return place;
}

/// A row as the recursion finds it.
template <typename Real>
struct Row
{
  Real excess = 0;
  Real u = 0;
  Real b = 0;
  ChainFactors<Real> factors{};
};

template <EddPhase phase, typename Real>
HINESIGHT_HOST_DEVICE inline Row<Real> load(const EddView<Real>& view, const Place& place, std::int32_t slot,
                                            std::size_t column)
{
  const std::size_t within = static_cast<std::size_t>(slot) * place.cells;
  const std::size_t at = place.slot + within;
  Row<Real> row;
  if constexpr (phase != EddPhase::Solve) {
    row.excess = view.excess[at];
    row.u = view.u[at];
  } else {
    row.factors = {view.reciprocal[at], view.w[at], view.v[at]};
  }
  if constexpr (phase != EddPhase::Factor)
    row.b = place.number == 0 ? view.b[column * view.rowCount + place.inputSlot + within]
                              : view.x[column * view.slotCount + at];
  if (place.number > 0) {
    const std::int32_t* begin = view.numbers + place.level->contributionTable + slot;
    for (std::int32_t c = begin[0]; c < begin[1]; ++c) {
      const std::size_t from = place.contribution + static_cast<std::size_t>(c) * place.cells;
      if constexpr (phase != EddPhase::Solve)
        row.excess -= view.contributionExcess[from];
      if constexpr (phase != EddPhase::Factor)
        row.b -= view.contributionB[column * view.contributionCount + from];
    }
  }
  return row;
}

/// Eliminates the chain of a piece and hands its junction to the next recursion. `t`: piece and cell of the unit, 0 to
/// pieces * cells - 1.
template <EddPhase phase, typename Real>
HINESIGHT_HOST_DEVICE inline void contract(const EddView<Real>& view, const EddUnit& unit, std::int32_t number,
                                           std::uint32_t t, std::size_t column)
{
  const std::uint32_t index = t / unit.cells;
  const Place place = placeOf(view, unit, number, t - index * unit.cells);
  const EddLevelHead& level = *place.level;
  const EddPiece piece = view.pieces[level.pieceTable + index];
  const std::int32_t* rowBegin = view.numbers + level.rowTable;
  const auto slotOf = [&](std::int32_t k) { return rowBegin[k] + static_cast<std::int32_t>(index); };

  ChainSweep<Real> sweep;
  EddCarry<Real> carry;
  const bool hasJunction = piece.junction >= 0;
  std::int32_t slot = slotOf(0);
  Row<Real> row = load<phase>(view, place, slot, column);
  const Row<Real> junction = row;
  if (hasJunction)
    sweep.fill = row.u;
  for (std::int32_t k = 0; k < piece.length; ++k) {
    // The next row is on its way while this one is eliminated.
    std::int32_t nextSlot = slot;
    Row<Real> next;
    if (k + 1 < piece.length) {
      nextSlot = slotOf(k + 1);
      next = load<phase>(view, place, nextSlot, column);
    }
    if (k > 0 || !hasJunction) {
      const std::size_t at = place.slot + static_cast<std::size_t>(slot) * place.cells;
      if constexpr (phase != EddPhase::Solve) {
        row.factors = factorizeInChain<EddRounding>(sweep, row.excess, row.u);
        view.w[at] = row.factors.w;
        if (hasJunction || phase == EddPhase::Factor)
          view.v[at] = row.factors.v;
      }
      if constexpr (phase == EddPhase::Factor)
        view.reciprocal[at] = row.factors.inverse;
      else
        view.x[column * view.slotCount + at] = eddEliminate(carry, row.factors, row.b);
    }
    row = next;
    slot = nextSlot;
  }

  if (piece.parent >= 0) {
    const std::size_t to = unit.contributionBegin + place.cell +
                           (level.contributionBegin + static_cast<std::size_t>(piece.contribution)) * place.cells;
    if constexpr (phase != EddPhase::Solve)
      view.contributionExcess[to] = sweep.excess;
    if constexpr (phase != EddPhase::Factor)
      view.contributionB[column * view.contributionCount + to] = carry.next;
  }
  if (hasJunction) {
    const std::size_t to = unit.slotBegin + place.cell +
                           (place.level[1].slotBegin + static_cast<std::size_t>(piece.junction)) * place.cells;
    if constexpr (phase != EddPhase::Solve) {
      view.excess[to] = junction.excess - sweep.endExcess;
      view.u[to] = piece.parent >= 0 ? sweep.fill : Real{0};
    }
    if constexpr (phase != EddPhase::Factor)
      view.x[column * view.slotCount + to] = junction.b - carry.end;
  }
}

/// Puts the solution into the rows of a piece, once the junctions have theirs.
template <typename Real>
HINESIGHT_HOST_DEVICE inline void expand(const EddView<Real>& view, const EddUnit& unit, std::int32_t number,
                                         std::uint32_t t, std::size_t column)
{
  const std::uint32_t index = t / unit.cells;
  const Place place = placeOf(view, unit, number, t - index * unit.cells);
  const EddLevelHead& level = *place.level;
  const EddPiece piece = view.pieces[level.pieceTable + index];
  const std::int32_t* rowBegin = view.numbers + level.rowTable;
  const Real* above =
      view.x + column * view.slotCount + unit.slotBegin + place.level[1].slotBegin * place.cells + place.cell;
  Real* x = view.x + column * view.slotCount;
  const bool hasJunction = piece.junction >= 0;
  const Real end = hasJunction ? above[static_cast<std::size_t>(piece.junction) * place.cells] : Real{0};
  Real next = piece.parent >= 0 ? above[static_cast<std::size_t>(piece.parent) * place.cells] : Real{0};
  for (std::int32_t k = piece.length - 1; k >= 0; --k) {
    const std::int32_t slot = rowBegin[k] + static_cast<std::int32_t>(index);
    const std::size_t at = place.slot + static_cast<std::size_t>(slot) * place.cells;
    if (!hasJunction)
      next = x[at] - view.w[at] * next;
    else
      next = k > 0 ? x[at] - view.w[at] * next - view.v[at] * end : end;
    x[at] = next;
  }
}

/// The serial sweep over what the recursions left of one cell of a unit (Hines 1984).
template <EddPhase phase, typename Real>
HINESIGHT_HOST_DEVICE inline void finish(const EddView<Real>& view, const EddUnit& unit, std::size_t cell,
                                         std::size_t column)
{
  const Place place = placeOf(view, unit, view.shapes[unit.shape].depth, cell);
  const std::int32_t* parent = view.numbers + place.level->rowTable;
  const std::int32_t rows = place.level->rows;
  Real* x = view.x + column * view.slotCount;
  const auto at = [&](std::int32_t i) { return place.slot + static_cast<std::size_t>(i) * place.cells; };

  // Unknowns that wait for their children are in v (their excess) and x.
  for (std::int32_t i = 0; i < rows; ++i) {
    const Row<Real> row = load<phase>(view, place, i, column);
    if constexpr (phase != EddPhase::Solve)
      view.v[at(i)] = row.excess;
    if constexpr (phase != EddPhase::Factor)
      x[at(i)] = row.b;
  }
  // What a row takes from its neighbour goes there in registers.
  std::int32_t carriedTo = -1;
  ChainSweep<Real> sweep;
  EddCarry<Real> carry;
  for (std::int32_t i = rows - 1; i >= 0; --i) {
    const std::int32_t p = parent[i];
    ChainFactors<Real> f{};
    if (carriedTo != i) {
      sweep = {};
      carry = {};
    }
    if constexpr (phase != EddPhase::Solve) {
      f = factorizeInChain<EddRounding>(sweep, view.v[at(i)], view.u[at(i)]);
      view.w[at(i)] = f.w;
    } else {
      f.inverse = view.reciprocal[at(i)];
      f.w = view.w[at(i)];
    }
    if constexpr (phase == EddPhase::Factor)
      view.reciprocal[at(i)] = f.inverse;
    else
      x[at(i)] = eddEliminate(carry, f, x[at(i)]);
    carriedTo = p;
    if (p < 0 || p == i - 1)
      continue;
    carriedTo = -1;
    if constexpr (phase != EddPhase::Solve)
      view.v[at(p)] -= sweep.excess;
    if constexpr (phase != EddPhase::Factor)
      x[at(p)] -= carry.next;
  }
  if constexpr (phase != EddPhase::Factor) {
    for (std::int32_t i = 0; i < rows; ++i)
      if (parent[i] >= 0)
        x[at(i)] -= view.w[at(i)] * x[at(parent[i])];
  }
}

} // namespace edd

} // namespace hinesight::hines
