#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::hines {

// The plan of exact domain decomposition (vooturi 2019, section III). A junction set is chosen, the chains between
// junctions are eliminated side by side, and what is left over the junctions is a Hines system again (theorem 1), on
// which the same is done, until it is small enough for a serial sweep. Made from shapes alone and shared by the cells
// of a shape.
//
// A piece is a junction and the chain above it, up to the next junction or the root: one thread's work. Where the chain
// ends in a tip the piece has no junction. So every row of a system belongs to exactly one piece. Pieces are ordered by
// falling length and their rows laid out side by side: the k-th rows of all pieces that have one are neighbours, and
// the cells of a unit are neighbours within each row.

/// Which rows become junctions.
enum class EddJunctions
{
  Minimal, ///< those with several children
  Fine,    ///< and every K-th of each branch, counted from the tip or the junction below
};

struct EddPlanParameters
{
  EddJunctions junctions = EddJunctions::Fine;
  std::int32_t chainLength = 6;  ///< K of Fine; at least 1
  std::int32_t depth = -1;       ///< recursions; -1: until the threshold; see EddParameters
  std::int32_t threshold = 16;   ///< rows left to the serial sweep where depth is -1; at least 1
  std::int32_t cellsPerUnit = 1; ///< cells of one shape that are interleaved; 1 to 1024
  /// The rows of a piece are neighbours at the first recursion, which is always made, as tridiagonal solvers want them;
  /// with one cell a unit.
  bool contiguousChains = false;
};

/// A junction and the chain above it, or a chain that begins with a tip. Slots are those of the next recursion.
struct EddPiece
{
  std::int32_t length;       ///< rows, the junction included
  std::int32_t junction;     ///< its slot; -1 where the piece begins with a tip
  std::int32_t parent;       ///< slot of the junction above; -1 where the piece ends with a root
  std::int32_t contribution; ///< where it leaves what it takes from its parent; -1 without one
};

/// One recursion on one shape.
struct EddLevel
{
  std::int32_t rows = 0;
  std::vector<EddPiece> pieces;         ///< by falling length, so that the first of them has the most rows
  std::vector<std::int32_t> rowBegin;   ///< slot of the first piece's k-th row; the last entry is the number of rows
  std::vector<std::int32_t> pieceBegin; ///< slot of each piece's first row, where chains are contiguous; else empty
  /// Per slot and one more: first contribution of the previous recursion; empty at the first recursion.
  std::vector<std::int32_t> contributionBegin;
  std::int32_t contributions = 0; ///< that its pieces leave

  std::int32_t pieceCount() const { return static_cast<std::int32_t>(pieces.size()); }
  std::int32_t longest() const { return static_cast<std::int32_t>(rowBegin.size()) - 1; }
};

/// The recursions on one shape, and what they leave to the serial sweep.
struct EddShape
{
  std::vector<EddLevel> levels;
  std::vector<std::int32_t> restParent;            ///< root first; -1 at a root; slots are row numbers
  std::vector<std::int32_t> restContributionBegin; ///< as EddLevel::contributionBegin; empty without recursions
  std::vector<std::int32_t> slotOf;                ///< compartment -> slot of the first recursion, or of the rest

  std::int32_t depth() const { return static_cast<std::int32_t>(levels.size()); }
  std::int32_t restRows() const { return static_cast<std::int32_t>(restParent.size()); }
  /// Of all recursions and the rest.
  std::size_t slotCount() const;
  std::size_t contributionCount() const;
};

/// Cells of one shape that are solved side by side: value of slot s of cell c at slotBegin + s * cells + c.
struct EddUnit
{
  std::uint32_t shape;
  std::uint32_t cellBegin; ///< into EddPlan::cellOrder
  std::uint32_t cells;
  std::size_t rowBegin;  ///< compartments of the units before it
  std::size_t slotBegin; ///< slots of the units before it
  std::size_t contributionBegin;
};

/// As a schedule: one band a recursion, in which each lane eliminates the chain of one piece, and a last one in which
/// one lane a cell sweeps over the junctions that are left. One step is one row. A device may run several pieces one
/// after another in the same lane.
struct EddPlan final : Schedule
{
  EddPlanParameters parameters;
  std::vector<EddShape> shapes; ///< as the batch's
  std::vector<std::uint32_t> cellOrder;
  std::vector<EddUnit> units; ///< the largest cells first
  std::size_t slotCount = 0;
  std::size_t contributionCount = 0;

  std::int32_t depth() const; ///< of the deepest shape

  std::string_view unitName() const override { return "block"; }
  std::size_t unitCount() const override { return units.size(); }
  LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const override;
  std::size_t kindOf(std::size_t unit) const override;
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return depth() > 0; }

protected:
  std::size_t bytesMoved() const override;
};

/// The recursions on one shape. Throws Error(BadParameter).
EddShape makeEddShape(std::span<const std::int32_t> parent, const EddPlanParameters& parameters = {},
                      const RunControl& control = {});

/// Throws Error(BadParameter), Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<const EddPlan> makeEddPlan(std::shared_ptr<const HinesBatch> batch,
                                           const EddPlanParameters& parameters = {}, const RunControl& control = {});

} // namespace hinesight::hines
