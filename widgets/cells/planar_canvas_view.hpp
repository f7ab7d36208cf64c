#pragma once

#include "widgets/canvas/planar_canvas.hpp"
#include "widgets/cells/view.hpp"

#include <vector>

class QVBoxLayout;

namespace hinesight::widgets {

/// Branches, to be asked about at once, however many there are.
class BranchMask
{
public:
  explicit BranchMask(const BranchIds& branches)
  {
    for (const BranchId id : branches) { // in order
      if (id.isNull())
        continue;
      ofCell.resize(static_cast<std::size_t>(id.cell) + 1);
      ofCell.back().resize(static_cast<std::size_t>(id.branch) + 1);
      ofCell.back().back() = true;
    }
  }

  bool has(BranchId id) const
  {
    return hasAnyOf(id.cell) && id.branch >= 0 && static_cast<std::size_t>(id.branch) < of(id.cell).size() &&
           of(id.cell)[static_cast<std::size_t>(id.branch)];
  }
  bool hasAnyOf(std::int32_t cell) const
  {
    return cell >= 0 && static_cast<std::size_t>(cell) < ofCell.size() && !of(cell).empty();
  }

private:
  const std::vector<bool>& of(std::int32_t cell) const { return ofCell[static_cast<std::size_t>(cell)]; }

  std::vector<std::vector<bool>> ofCell; ///< up to the last branch of each
};

/// A view with a flat drawing whose items are branches. It redraws when scene, colours or theme change, emphasizes the
/// selected branches, leaves out the hidden ones, reports clicks and shows a branch's figures as tooltip. On a wide
/// canvas the timing card and the legend have a column of their own at the right, so that they cover nothing.
class PlanarView : public View
{
  Q_OBJECT

public:
  PlanarView(const QString& title, QWidget* parent);

  void setScene(std::shared_ptr<const Scene> scene) override;
  void setChoice(const BranchChoice& choice) override;
  void fit() override;
  void awaitArea(std::optional<AreaShape> shape) override;
  QImage grabPicture() override;

  PlanarCanvas* planarCanvas() const { return canvas; }
  /// The branch that an item of the drawing shows; null for -1.
  BranchId branchOfItem(std::int32_t item) const;

protected:
  /// The drawing of the current scene, which has a plan. `branches`: per item of the drawing, its branch.
  virtual PlanarDrawing compose(std::vector<BranchId>& branches) = 0;
  /// Whether an item, which stands for a branch, shows (a part of) one of these.
  virtual bool shows(std::int32_t item, const BranchMask& branches) const;
  /// Whether an item is a whole cell, whose root it stands for.
  virtual bool isWholeCell(std::int32_t) const { return false; }
  /// The first lines of an item's tooltip. By default: its branch and the branch's figures.
  virtual QString titleOfItem(std::int32_t item) const;
  /// What the tooltip of an item says besides the branch's own figures, one "name: value" a line.
  virtual QString describeItem(std::int32_t item) const = 0;
  /// Whether what is to be drawn of a scene with a plan is still being made: until then the drawing stays, of which no
  /// branch can be picked.
  virtual bool isWaiting() const { return false; }
  /// Why nothing can be drawn of a scene that has a plan, one sentence; empty: it can.
  virtual QString problem() const { return {}; }
  /// Called before the drawing is composed anew because scene, colours or theme changed.
  virtual void refreshParts() {}
  /// Least margins around the plot, for texts of the drawing.
  void setTextMargins(const QMarginsF& margins);
  /// Shows the column at the right even without a timing card, unless the view is very narrow. Once, by the derived
  /// constructor.
  void keepSideColumn();

  /// Whether a wide view shows card and legend beside the widgets above the canvas, instead of in the column at the
  /// right. From the next layout on.
  void setOverlaysAbove(bool isAbove);

  /// Composes and shows the drawing again. A derived view may do so on another thread, where it takes longer than a
  /// frame, and call `showDrawing`.
  virtual void redraw();
  /// `branches` as of `compose`.
  void showDrawing(PlanarDrawing drawing, std::vector<BranchId> branches);
  /// Of a drawing, with the part of it that is seen and what is emphasized.
  PlanarFigure figureOf(PlanarDrawing drawing) const;
  /// Where a derived view puts widgets above the canvas.
  QVBoxLayout* aboveCanvas() const { return aboveWidgets; }
  /// Where a derived view puts widgets into the column at the right.
  QVBoxLayout* sideColumn() const { return sideWidgets; }
  bool hasPlan() const;

  void recolored() override;
  void paintFigure(QPainter& painter, const FigureArea& area) override;
  StillPainter stillPainter(ThemeMode mode) override;
  void changeEvent(QEvent* event) override;
  bool hasRoomForCard() const override;
  int mostLegendWidth(int width) const override;
  void layOutOwnOverlays() override;

private:
  double heightOfPlot() const;
  void emphasizeSelection();
  PlanarDrawing composeShown(std::vector<BranchId>& branches);
  PlanarFigure figureNow();
  std::vector<BranchId> branchesIn(const DrawnArea& area) const;
  void showTooltip(std::int32_t item);
  void recolorSide();

  QWidget* body = nullptr;
  QWidget* sidePanel = nullptr;
  QWidget* cardRoom = nullptr;
  QWidget* legendRoom = nullptr;
  QVBoxLayout* aboveWidgets = nullptr;
  QVBoxLayout* sideWidgets = nullptr;
  PlanarCanvas* canvas = nullptr;
  QMarginsF textMargins;
  QWidget* aboveRoom = nullptr;
  bool overlaysAbove = false;
  bool sideColumnKept = false;
  std::vector<BranchId> itemBranch;
};

} // namespace hinesight::widgets
