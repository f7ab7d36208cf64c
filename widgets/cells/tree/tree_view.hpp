#pragma once

#include "widgets/cells/planar_canvas_view.hpp"
#include "widgets/cells/tree/tree_layout.hpp"

class QVariantAnimation;

namespace hinesight::widgets {

class ChoiceBox;

/// "What waits for what?": the dependency tree of one cell as read and as planned, side by side at the same scale.
/// Levels are rows with the root on top; a branch is a bar as high as it has compartments, hung from its row; thin
/// lines between rows are barriers; the critical path is bold; pieces of a cut branch are joined by a neck in their
/// colour. A new plan does not replace the old one at once: every piece moves from where its compartments were, in the
/// old planned tree or in the tree as read, to its place.
class TreeView : public PlanarView
{
  Q_OBJECT

public:
  explicit TreeView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  /// Turns to the cell of the branch.
  void setChoice(const BranchChoice& choice) override;

  std::int32_t shownCell() const { return cell; }
  void showCell(std::int32_t index);

  /// Where the drawing has a branch of the shown cell's tree as read or as planned, in scene coordinates; while the
  /// planned tree moves, where it goes.
  QRectF barOf(bool planned, std::int32_t branch) const;
  /// Ends the movement.
  void settle() override;
  QImage grabPicture() override;

  static constexpr int kMorphMilliseconds = 200;

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  bool shows(std::int32_t item, const BranchMask& chosen) const override;
  QString describeItem(std::int32_t item) const override;

private:
  /// One of the two trees with its place in the drawing.
  struct Side
  {
    const hines::PlannedShape* shape = nullptr;
    TreeLayout layout;
    double left = 0;                        ///< scene x of the layout's column 0
    std::int32_t firstItem = 0;             ///< item of branch 0
    std::vector<std::int32_t> asReadBranch; ///< per branch: the branch of the tree as read that it shows
    std::vector<QRectF> origin;             ///< per branch: where its bar comes from while the tree moves; else empty
  };

  /// Where a tree has the compartments of its cell.
  struct Places
  {
    std::int32_t cell = -1;
    std::string name;        ///< of the cell
    std::vector<QPointF> of; ///< per compartment: the middle of its upper edge; the tree's left edge is at x = 0
    QSizeF size;             ///< of the tree
    bool suits(const TreeView& view) const; ///< whether the shown cell is that one, cut into as many compartments
  };

  void composeSide(const Side& side, PlanarDrawing& drawing) const;
  void composeRows(const Side& side, PlanarDrawing& drawing) const;
  void composeBranch(const Side& side, std::int32_t branch, PlanarDrawing& drawing) const;
  void composeCriticalPath(const Side& side, PlanarDrawing& drawing) const;
  QRectF barOf(const Side& side, std::int32_t branch) const;
  /// The bar as it is drawn now: on its way, or there.
  QRectF movingBarOf(const Side& side, std::int32_t branch) const;
  Places placesOf(const Side& side) const;
  /// Lets the planned tree move to its place from `before`, or from the tree as read where that is another cell's.
  void morphFrom(const Places& before);
  /// In how many ways the plan cuts the shown cell: blocks may do it differently; the first way is shown.
  std::ptrdiff_t waysToCut() const;
  const Side& sideOf(std::int32_t item) const;
  std::int32_t placeIn(const Scene& next) const;
  void refreshCells();
  void refreshHeader();

  ChoiceBox* cells = nullptr;
  std::int32_t cell = 0;
  Side asRead;
  Side planned;
  /// Branches as read that are no planned branch's first: shown by every planned branch that holds a part of them.
  std::vector<bool> mergedAway;
  QVariantAnimation* morph = nullptr;
  double arrived = 1; ///< share of the way that the planned tree has gone
  QSizeF originSize;  ///< of the drawing where it comes from
};

} // namespace hinesight::widgets
