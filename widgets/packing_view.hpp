#pragma once

#include "widgets/packing_view_layout.hpp"
#include "widgets/planar_canvas_view.hpp"

class QComboBox;
class QToolButton;

namespace hinesight::widgets {

class PackingStrip;

/// "How full are the lanes?": one block of threads as lanes across and elimination steps downward, one band per level
/// in the order of a sweep, one bar per branch; what is idle stays empty. Above it all blocks in small.
class PackingView : public PlanarView
{
  Q_OBJECT

public:
  explicit PackingView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  /// Turns to a block that holds the branch's cell.
  void setSelection(BranchId id) override;
  void setColorBy(ColorBy colorBy) override;

  const std::vector<BlockGroup>& groups() const;
  int shownGroup() const;
  /// Index into SolvePlan::blocks.
  std::size_t shownBlock() const { return block; }
  void showGroup(int group);
  void setLaneOrder(LaneOrder order);
  void setSweep(Sweep sweep);
  void setColoredByCell(bool byCell);

  /// The sweep that is drawn. Scene coordinates: x lanes, y steps.
  const PackedSweep& sweep() const { return packed; }

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  QString describeItem(std::int32_t item) const override;
  void refreshParts() override;
  void layOutOwnOverlays() override;

private:
  bool hasBlocks() const;
  const hines::BlockSchedule& scheduleOf(std::size_t block) const;
  /// The cell of the scene that cell `index` of a block is a copy of.
  std::int32_t cellOf(std::size_t block, std::int32_t index) const;
  BranchId branchOf(std::size_t block, std::int32_t branch) const;
  QColor colorOf(std::size_t block, std::int32_t branch) const;
  void turnTo(std::int32_t cell);
  void composeBars(PlanarDrawing& drawing, std::vector<BranchId>& branches) const;
  void composeBands(PlanarDrawing& drawing) const;
  void composeAxes(PlanarDrawing& drawing) const;
  QStringList heading() const;
  void refreshStrip();
  void refreshLegend();
  void refreshHeader();

  PackingStrip* strip = nullptr;
  QToolButton* sortedSwitch = nullptr;
  QComboBox* sweepSwitch = nullptr;
  QToolButton* byCellSwitch = nullptr;
  LaneOrder laneOrder = LaneOrder::ByLength;
  Sweep shownSweep = Sweep::Backward;
  bool coloredByCell = false;
  const hines::SolvePlan* knownPlan = nullptr; ///< whose order of lanes the switch was set to
  std::size_t block = 0;                       ///< that is drawn, one of the chosen group
  PackedSweep packed;
};

} // namespace hinesight::widgets
