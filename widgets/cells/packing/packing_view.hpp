#pragma once

#include "widgets/cells/packing/packing_view_charts.hpp"
#include "widgets/cells/packing/packing_view_strip.hpp"
#include "widgets/cells/schedule_view.hpp"

class QToolButton;

namespace hinesight::widgets {

class ChoiceBox;

using hines::LaneOrder;

/// "How full are the lanes?": one unit of the drawn schedule, such as a block of threads, as lanes across and
/// elimination steps downward, one band per round in the order of a sweep, one bar for what a lane does without a
/// break; what is idle stays empty. Above it all units in small.
class PackingView : public ScheduleView
{
  Q_OBJECT

public:
  explicit PackingView(QWidget* parent = nullptr);

  void setScene(std::shared_ptr<const Scene> scene) override;
  /// Turns to a unit that holds the branch's cell.
  void setChoice(const BranchChoice& choice) override;
  void setColorBy(ColorBy colorBy) override;
  QImage grabPicture() override;
  /// Waits for charts that are made in the background.
  void settle() override;

  const std::vector<hines::UnitGroup>& groups() const;
  int shownGroup() const;
  /// Of the schedule's units.
  std::size_t shownUnit() const { return unit; }
  void showGroup(int group);
  const PackingLook& look() const { return drawnLook; }
  /// Of the lanes' order only schedules that have several take notice.
  void setLook(const PackingLook& look);

  /// What is drawn, once it was made; else null. Scene coordinates: x lanes, y steps.
  const PackedChart* chart() const { return chartIsOld ? nullptr : shownChart.get(); }

protected:
  PlanarDrawing compose(std::vector<BranchId>& branches) override;
  bool isWholeCell(std::int32_t item) const override;
  bool isWaiting() const override { return hasUnits() && !chart(); }
  QString titleOfItem(std::int32_t item) const override;
  QString describeItem(std::int32_t item) const override;
  void refreshParts() override;
  void changeEvent(QEvent* event) override;
  void layOutOwnOverlays() override;

private:
  /// Null where there is nothing to draw.
  const hines::Schedule* schedule() const { return loader->charts(); }
  bool hasUnits() const;
  /// The picture of a unit as it is asked for.
  ChartKey keyOf(std::size_t ofUnit) const;
  /// The cell of the scene that a cell of the batch is a copy of.
  std::int32_t cellOfBatch(std::int32_t cell) const;
  QString nameOfCell(std::int32_t cell) const;
  BranchId branchOfBar(const hines::LaneBar& bar) const;
  QColor colorOfBar(const PackedChart& drawn, std::size_t bar) const;
  Legend legendOfCopies() const;
  Legend legendOfCells() const;
  void turnTo(std::int32_t cell);
  int groupOf(std::size_t ofUnit) const;

  QStringList heading() const;
  QString nameOfAllCells() const;
  PackingStrip::Picture pictureOf(const PackedChart& drawn) const;

  void takeSchedule();
  void takeSummary(std::shared_ptr<const ChartSummary> summary);
  void takeChart(std::shared_ptr<const PackedChart> chart);
  /// In the header.
  void showLook();
  void recolorStrip();
  void refreshStrip();
  void refreshLegend();
  void refreshHeader();
  void followOrder();

  PackingStrip* strip = nullptr;
  QToolButton* sortedSwitch = nullptr;
  ChoiceBox* sweepSwitch = nullptr;
  QToolButton* byCellSwitch = nullptr;
  PackingLook drawnLook;
  bool isNarrow = false;                  ///< the names of bands have less room
  std::optional<LaneOrder> executedOrder; ///< that the switch was set to last; none before a schedule with orders
  std::size_t unit = 0;                   ///< that is drawn, one of the chosen group

  ChartLoader* loader = nullptr;
  std::shared_ptr<const ChartSummary> summary; ///< of the loader's charts; null until it is there
  std::shared_ptr<const PackedChart> shownChart;
  bool chartIsOld = false; ///< it is of another schedule; what is drawn stays until the next one comes
  bool fitsNext = false;   ///< the next chart is of another unit, and is shown whole
};

} // namespace hinesight::widgets
