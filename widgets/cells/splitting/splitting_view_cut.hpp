#pragma once

#include "widgets/cells/scene.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
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
  std::int32_t level = 0;  ///< of a plan: branches from the root; of a solver's own schedule: rounds that come before
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

/// What a schedule comes to in lanes and steps, one sweep; the barriers are of both.
struct CutFigures
{
  std::int64_t levels = 0; ///< rounds: the bands of a chart
  std::int64_t barriers = 0;
  std::int64_t steps = 0;
  double occupancy = 0; ///< 0 to 1
};

/// The cut of a solver that plans itself.
struct OwnCut
{
  Cut cut;
  CutFigures figures;
};

/// Branches of the plan, balanced, before they were cut. The scene has a plan.
Cut uncutBranches(const Scene& scene);
/// Branches of the plan after they were cut.
Cut plannedCut(const Scene& scene);
/// What a solver does with its own schedule: that of the units which hold the first copy of each cell. Linear in the
/// bars of these. Throws std::bad_alloc.
OwnCut ownCut(const Scene& scene, const hines::Schedule& charts);

} // namespace hinesight::widgets
