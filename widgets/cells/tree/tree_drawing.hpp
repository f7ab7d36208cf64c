#pragma once

#include "widgets/canvas/planar_canvas.hpp"
#include "widgets/cells/branch_choice.hpp"
#include "widgets/cells/coloring.hpp"
#include "widgets/cells/tree/tree_layout.hpp"

#include <QRectF>
#include <QSizeF>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::widgets {

/// The dependency tree of a cell as read or as planned, with its place beside the other one. Scene coordinates: columns
/// across, compartments down.
struct PlacedTree
{
  const hines::PlannedShape* shape = nullptr;
  TreeLayout layout;
  double left = 0;                        ///< of the layout's column 0
  std::int32_t firstItem = 0;             ///< item of branch 0
  std::vector<std::int32_t> asReadBranch; ///< per branch: the branch of the tree as read that it shows

  QRectF barOf(std::int32_t branch) const;
};

/// Both trees of a cell of a scene whose plan has it. They depend on the plan alone: whatever their colours, and
/// whichever branches are hidden, they stay.
class TreePair
{
public:
  TreePair(const Scene& scene, std::int32_t cellOfScene);

  const std::shared_ptr<const hines::SolvePlan> plan; ///< owns the shapes
  const std::int32_t cell;                            ///< of the scene
  const std::string name;                             ///< the cell's
  PlacedTree asRead;
  PlacedTree planned;

  QSizeF size() const;
  /// Per item, its branch.
  std::vector<BranchId> branches() const;
  /// Other branches as read that a planned branch shows besides its own, since none is theirs.
  std::span<const std::int32_t> mergedInto(std::int32_t plannedBranch) const;
  /// In how many ways the plan cuts the cell: blocks may do it differently; the first way is drawn.
  std::ptrdiff_t waysToCut() const;

private:
  std::vector<std::int32_t> mergedBegin; ///< per planned branch and one more, in `merged`
  std::vector<std::int32_t> merged;
};

/// The planned tree on its way to its place.
struct TreeMovement
{
  std::vector<QRectF> origin; ///< per planned branch: where its bar comes from; empty: nothing moves
  QSizeF originSize;          ///< of the drawing where it comes from
  double arrived = 1;         ///< share of the way that it has gone
};

/// What a TreeView draws, in the colours of theme(); bars of hidden branches are left out. On any thread.
PlanarDrawing drawTrees(const TreePair& trees, const TreeMovement& movement, const Coloring& coloring,
                        const BranchIds& hidden);

/// "L12".
QString levelName(std::int32_t level);

} // namespace hinesight::widgets
