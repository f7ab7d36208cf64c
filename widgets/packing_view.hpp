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
  const hines::BlockSchedule* schedule() const;
  BranchId branchOf(const hines::BlockSchedule& block, std::int32_t branch) const;
  QColor colorOf(const hines::BlockSchedule& block, std::int32_t branch) const;
  void composeBars(const hines::BlockSchedule& block, PlanarDrawing& drawing, std::vector<BranchId>& branches) const;
  void composeBands(PlanarDrawing& drawing) const;
  void composeAxes(PlanarDrawing& drawing) const;
  QStringList heading(const hines::BlockSchedule& block) const;
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
  PackedSweep packed;
};

} // namespace hinesight::widgets
