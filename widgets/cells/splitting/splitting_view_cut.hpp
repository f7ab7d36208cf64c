#pragma once

#include "widgets/cells/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hinesight::widgets {

/// What one lane does before it, or what waits for it, goes on: a branch, a part of one, junctions, a whole cell.
struct CutPiece
{
  enum class Kind
  {
    Piece,    ///< rows of a branch
    Junction, ///< rows of the system that is left between pieces
    Cell,     ///< all rows of a cell
  };
  std::int32_t level = 0;  ///< Schedule::roundName says of what
  std::int32_t length = 0; ///< rows, one after another
  BranchId branch;         ///< that it begins in
  Kind kind = Kind::Piece;
  bool ofAnyBranch = false; ///< its rows may be of any branch of the cell
};

/// How the distinct cells of a scene are cut, whatever the number of their copies.
struct Cut
{
  std::vector<CutPiece> pieces; ///< by level, then length
  std::int32_t levels = 0;
  std::int32_t longest = 0;
  std::size_t mostAlike = 0; ///< pieces of one level and length
};

/// What a schedule makes of the cells, and what it comes to.
struct ScheduleCut
{
  Cut cut;
  std::optional<hines::ScheduleFigures> figures; ///< nullopt: not known
};

/// Branches of the plan, balanced, before they were cut. The scene has a plan.
Cut uncutBranches(const Scene& scene);
/// What the schedule does with the first copy of each cell. Linear in the bars of the units that hold these. Throws
/// std::bad_alloc.
ScheduleCut cutBy(const hines::Schedule& schedule, const Scene& scene);

} // namespace hinesight::widgets
