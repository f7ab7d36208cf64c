#include "widgets/cells/splitting/splitting_view_cut.hpp"

#include "widgets/cells/packing/packing_view_charts.hpp"
#include "widgets/cells/tree/tree_layout.hpp"

#include <algorithm>
#include <map>
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

CutPiece::Kind kindOf(const Scene& scene, const hines::LaneBar& bar)
{
  if (bar.work == hines::LaneWork::Junction) {
    return CutPiece::Kind::Junction;
  }
  return bar.steps == rowsOf(scene, bar.cell) ? CutPiece::Kind::Cell : CutPiece::Kind::Piece;
}

/// What the bar's lane does in each band that the bar goes through.
void addBar(const Scene& scene, const hines::LaneChart& chart, const hines::LaneBar& bar, Cut& cut)
{
  CutPiece piece;
  piece.branch = branchOf(scene, bar.cell, std::max(0, bar.compartment));
  piece.ofAnyBranch = bar.compartment < 0;
  piece.kind = kindOf(scene, bar);
  const std::int32_t end = bar.step + bar.steps;
  for (std::size_t band = hines::bandAt(chart, bar.step); band < chart.bands.size() && chart.bands[band].step < end;
       ++band) {
    const std::int32_t from = std::max(bar.step, chart.bands[band].step);
    const std::int32_t to = std::min(end, chart.bands[band].step + chart.bands[band].steps);
    if (from < to) {
      piece.level = static_cast<std::int32_t>(band);
      piece.length = to - from;
      cut.pieces.push_back(piece);
    }
  }
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

Cut plannedCut(const Scene& scene)
{
  Cut cut;
  for (const std::int32_t cell : distinctCells(scene)) {
    const hines::DependencyTree& tree = plannedShape(scene, cell).tree;
    for (std::int32_t piece = 0; piece < static_cast<std::int32_t>(tree.branches()); ++piece) {
      cut.pieces.push_back({tree.level[piece], tree.length[piece], branchOfPiece(scene, cell, piece)});
    }
  }
  finish(cut);
  return cut;
}

OwnCut ownCut(const Scene& scene, const hines::Schedule& charts)
{
  // The first cells of the batch are the scene's. Several may share a unit, which is made once.
  std::map<std::size_t, std::vector<std::int32_t>> cellsOfUnit;
  for (const std::int32_t cell : distinctCells(scene)) {
    if (const auto unit = charts.unitOfCell(static_cast<std::size_t>(cell))) {
      cellsOfUnit[*unit].push_back(cell);
    }
  }
  OwnCut own;
  for (const auto& [unit, cells] : cellsOfUnit) {
    const hines::LaneChart chart = charts.chart(unit);
    for (const hines::LaneBar& bar : chart.bars) {
      if (bar.work != hines::LaneWork::Padding && std::binary_search(cells.begin(), cells.end(), bar.cell)) {
        addBar(scene, chart, bar, own.cut);
      }
    }
    const auto waits = std::count_if(chart.bands.begin(), chart.bands.end(),
                                     [](const hines::LaneBand& band) { return band.barrierAfter; });
    own.figures.barriers = std::max<std::int64_t>(own.figures.barriers, 2 * waits);
    own.figures.levels = std::max(own.figures.levels, static_cast<std::int64_t>(chart.bands.size()));
  }
  finish(own.cut);
  const ChartSummary summary = summarize(charts);
  own.figures.steps = summary.mostSteps;
  own.figures.occupancy = summary.occupancy;
  return own;
}

} // namespace hinesight::widgets
