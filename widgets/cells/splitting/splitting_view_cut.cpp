#include "widgets/cells/splitting/splitting_view_cut.hpp"

#include "widgets/cells/tree/tree_layout.hpp"

#include <algorithm>
#include <tuple>

namespace hinesight::widgets {

namespace {

void finish(Cut& cut)
{
  std::stable_sort(cut.pieces.begin(), cut.pieces.end(), [](const CutPiece& a, const CutPiece& b) {
    return std::tie(a.level, a.length) < std::tie(b.level, b.length);
  });
  std::size_t run = 0;
  for (std::size_t k = 0; k < cut.pieces.size(); ++k) {
    const CutPiece& piece = cut.pieces[k];
    const bool alike = k > 0 && piece.level == cut.pieces[k - 1].level && piece.length == cut.pieces[k - 1].length;
    run = alike ? run + 1 : 1;
    cut.mostAlike = std::max(cut.mostAlike, run);
    cut.levels = std::max(cut.levels, piece.level + 1);
    cut.longest = std::max(cut.longest, piece.length);
  }
}

/// Cells of one shape have the same branches: the first cell of each shape.
std::vector<std::int32_t> distinctCells(const Scene& scene)
{
  std::vector<std::int32_t> cells;
  std::vector<bool> known(scene.plan->asRead.size(), false);
  for (std::size_t cell = 0; cell < scene.branchOfCompartment.size(); ++cell) {
    const std::int32_t shape = shapeOfCell(scene, cell);
    if (shape >= 0 && !known[shape]) {
      known[shape] = true;
      cells.push_back(static_cast<std::int32_t>(cell));
    }
  }
  return cells;
}

const hines::PlannedShape& plannedShape(const Scene& scene, std::int32_t cell)
{
  return scene.plan->shapes[shapeOfCell(scene, static_cast<std::size_t>(cell))];
}

std::int32_t rowsOf(const Scene& scene, std::int32_t cell)
{
  return static_cast<std::int32_t>(scene.branchOfCompartment[cell].size());
}

BranchId branchOf(const Scene& scene, std::int32_t cell, std::int32_t compartment)
{
  return {cell, scene.branchOfCompartment[cell][compartment]};
}

BranchId branchOfPiece(const Scene& scene, std::int32_t cell, std::int32_t piece)
{
  const hines::PlannedShape& shape = plannedShape(scene, cell);
  return branchOf(scene, cell, shape.compartment[shape.tree.first[piece]]);
}

CutPiece::Kind kindOf(const Scene& scene, const hines::SchedulePiece& piece)
{
  if (piece.work == hines::LaneWork::Junction) {
    return CutPiece::Kind::Junction;
  }
  const bool isWhole = piece.compartment < 0 || piece.steps == rowsOf(scene, piece.cell);
  return isWhole ? CutPiece::Kind::Cell : CutPiece::Kind::Piece;
}

} // namespace

Cut uncutBranches(const Scene& scene)
{
  Cut cut;
  for (const std::int32_t cell : distinctCells(scene)) {
    const UncutBranches uncut = joinPieces(plannedShape(scene, cell).tree);
    for (std::size_t branch = 0; branch < uncut.length.size(); ++branch) {
      cut.pieces.push_back({uncut.level[branch], uncut.length[branch], branchOfPiece(scene, cell, uncut.top[branch])});
    }
  }
  finish(cut);
  return cut;
}

ScheduleCut cutBy(const hines::Schedule& schedule, const Scene& scene)
{
  ScheduleCut made;
  // The first cells of the batch are the scene's.
  for (const hines::SchedulePiece& piece : schedule.piecesOf(distinctCells(scene))) {
    const BranchId branch = branchOf(scene, piece.cell, std::max(0, piece.compartment));
    made.cut.pieces.push_back({piece.round, piece.steps, branch, kindOf(scene, piece), piece.compartment < 0});
  }
  finish(made.cut);
  made.figures = schedule.summary();
  return made;
}

} // namespace hinesight::widgets
