#pragma once

#include "widgets/background_work.hpp"
#include "widgets/cells/planar_canvas_view.hpp"
#include "widgets/cells/tree/tree_drawing.hpp"

#include <memory>

class QVariantAnimation;

namespace hinesight::widgets {

class ChoiceBox;

/// "What waits for what?": the dependency tree of one cell as read and as planned, side by side at the same scale.
/// Levels are rows with the root on top; a branch is a bar as high as it has compartments, hung from its row; thin
/// lines between rows are barriers; the critical path is bold; pieces of a cut branch are joined by a neck in their
/// colour. A new plan does not replace the old one at once: every piece moves from where its compartments were, in the
/// old planned tree or in the tree as read, to its place. Trees of many branches are laid out and drawn on another
/// thread: what is shown stays until then, and they change at once.
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
  /// Ends the movement; waits for large trees.
  void settle() override;
  QImage grabPicture() override;

  static constexpr int kMorphMilliseconds = 200;

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  bool shows(std::int32_t item, const BranchMask& chosen) const override;
  QString describeItem(std::int32_t item) const override;
  bool isWaiting() const override { return isLarge() && !hasTrees(); }
  void redraw() override;
  StillPainter stillPainter(ThemeMode mode) override;

private:
  /// Index of the shown cell's shape in the plan; -1: it has none.
  std::int32_t shownShape() const;
  /// Whether to lay out and draw the trees takes longer than a frame.
  bool isLarge() const;
  /// Whether `trees` are those of the shown cell.
  bool hasTrees() const;
  QMarginsF marginsOfTexts() const;
  /// Lets the planned tree move to its place from that of `before`, or from the tree as read where that is null or
  /// another cell's.
  void morphFrom(const TreePair* before);
  /// What moves is there.
  void stopMoving();
  std::int32_t placeIn(const Scene& next) const;
  void refreshCells();
  void refreshHeader();

  ChoiceBox* cells = nullptr;
  std::int32_t cell = 0;
  std::shared_ptr<const TreePair> trees; ///< null: they are not laid out
  QVariantAnimation* morph = nullptr;
  TreeMovement movement;
  BackgroundWork drawingLater; ///< of large trees
};

} // namespace hinesight::widgets
