#pragma once

#include "widgets/canvas/planar_canvas_view.hpp"
#include "widgets/cells/packing/packing_view_charts.hpp"
#include "widgets/cells/packing/packing_view_layout.hpp"
#include "widgets/cells/packing/packing_view_strip.hpp"

class QToolButton;

namespace hinesight::widgets {

class ChoiceBox;

/// "How full are the lanes?": one block of threads as lanes across and elimination steps downward, one band per level
/// in the order of a sweep, one bar per branch; what is idle stays empty. Above it all blocks in small. Draws what was
/// executed: the plan of branches, or, where the solver made a plan of its own, the lane charts of that.
class PackingView : public PlanarView
{
  Q_OBJECT

public:
  explicit PackingView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  /// Turns to a block that holds the branch's cell.
  void setSelection(BranchId id) override;
  void setColorBy(ColorBy colorBy) override;
  QImage grabPicture() override;
  /// Waits for charts that are made in the background.
  void settle() override;

  const std::vector<BlockGroup>& groups() const;
  int shownGroup() const;
  /// Index into SolvePlan::blocks, or of a unit of the solver's own plan.
  std::size_t shownBlock() const { return block; }
  void showGroup(int group);
  void setLaneOrder(LaneOrder order);
  void setSweep(Sweep sweep);
  void setColoredByCell(bool byCell);

  /// The sweep that is drawn. Scene coordinates: x lanes, y steps.
  const PackedSweep& sweep() const { return packed; }
  /// Of the solver's own plan: what is drawn, once it was made. Null where the plan of branches is drawn.
  const PackedChart* chart() const { return chartIsOld ? nullptr : shownChart.get(); }

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  bool shows(std::int32_t item, BranchId branch) const override;
  QString titleOfItem(std::int32_t item) const override;
  QString describeItem(std::int32_t item) const override;
  void refreshParts() override;
  void layOutOwnOverlays() override;

private:
  /// Of the solver that solved the scene; null where the plan of branches is drawn.
  const hines::Schedule* charts() const;
  bool hasBlocks() const;
  const hines::BlockSchedule& scheduleOf(std::size_t block) const;
  /// The cell of the scene that cell `index` of a block is a copy of.
  std::int32_t cellOf(std::size_t block, std::int32_t index) const;
  BranchId branchOf(std::size_t block, std::int32_t branch) const;
  QColor colorOf(std::size_t block, std::int32_t branch) const;
  /// The cell of the scene that a cell of the batch is a copy of.
  std::int32_t cellOfBatch(std::int32_t cell) const;
  BranchId branchOfBar(const hines::LaneBar& bar) const;
  QColor colorOfBar(const PackedChart& drawn, std::size_t bar) const;
  Legend legendOfCopies() const;
  bool holds(std::size_t candidate, std::int32_t cell) const;
  void turnTo(std::int32_t cell);
  void turnToUnitOf(std::int32_t cell);

  PlanarDrawing composeChart(std::vector<BranchId>& branches);
  PlanarDrawing composeBlock(std::vector<BranchId>& branches);
  void composeBars(PackingDrawing& drawing, std::vector<BranchId>& branches) const;
  void composeBands(PackingDrawing& drawing) const;
  QStringList heading() const;
  QString nameOfAllCells() const;
  QStringList chartHeading() const;
  std::optional<PackingStrip::Picture> drawBlock(int group, const QSize& pixels) const;
  PackingStrip::Picture pictureOf(const PackedChart& drawn) const;

  void takeCharts();
  void takeSummary(std::shared_ptr<const ChartSummary> summary);
  void takeChart(std::shared_ptr<const PackedChart> chart);
  void refreshStrip();
  void refreshLegend();
  void refreshHeader();
  void followPlan(const hines::SolvePlan& plan);
  void refreshSwitches();

  PackingStrip* strip = nullptr;
  QToolButton* sortedSwitch = nullptr;
  ChoiceBox* sweepSwitch = nullptr;
  QToolButton* byCellSwitch = nullptr;
  LaneOrder laneOrder = LaneOrder::ByLength;
  Sweep shownSweep = Sweep::Backward;
  bool coloredByCell = false;
  std::optional<bool> planIsSorted; ///< the order of lanes that the switch was set to last; none before a plan
  std::size_t block = 0;            ///< that is drawn, one of the chosen group
  PackedSweep packed;

  ChartLoader* loader = nullptr;
  std::shared_ptr<const ChartSummary> summary; ///< of the loader's charts; null until it is there
  std::shared_ptr<const PackedChart> shownChart;
  bool chartIsOld = false; ///< it is of another scene; what is drawn stays until the next one comes
  bool fitsNext = false;   ///< the next chart is of another unit, and is shown whole
};

} // namespace hinesight::widgets
