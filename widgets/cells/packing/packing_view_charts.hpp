#pragma once

#include "widgets/cells/packing/packing_view_drawing.hpp"
#include "widgets/cells/packing/packing_view_layout.hpp"
#include "widgets/cells/scene.hpp"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {

class Background;

/// A unit of a plan that a solver made of its own, with what is counted in it.
struct PackedChart
{
  std::size_t unit = 0;
  hines::LaneChart chart;
  std::vector<PackedWarp> warps;       ///< 32 lanes each, from their first step of work to the next break
  std::vector<double> busy;            ///< per band: its bars' steps that are somebody's, over lanes times steps
  std::vector<std::int32_t> cells;     ///< of the batch, rising
  std::vector<std::int32_t> cellOfBar; ///< index into `cells`; -1: padding
  bool wholeCells = false;             ///< its bars are cells, not parts of them
  double occupancy = 0;                ///< LaneFigures::occupancy
};

PackedChart packChart(std::size_t unit, hines::LaneChart chart);

/// What is said of all units together.
struct ChartSummary
{
  std::vector<BlockGroup> groups;          ///< units alike; BlockGroup::schedule is the first of them
  std::vector<hines::LaneFigures> figures; ///< of each group
  std::int64_t mostSteps = 0;
  double occupancy = 0; ///< lane steps that are somebody's over all, of all units
};

ChartSummary summarize(const hines::Schedule& schedule);

/// A chart in the visual language of packing. The forward sweep is the mirror image of the backward one.
/// `colorOf(bar)`: of a bar of the chart that is not padding. Item k of the drawing is bar k.
PlanarDrawing drawChart(const PackedChart& packed, Sweep sweep, const QStringList& heading,
                        const std::function<QRgb(std::size_t bar)>& colorOf);

/// Makes charts in the background, one after another, what was asked for last first: a unit of a large cell takes
/// longer than a frame.
class ChartLoader : public QObject
{
  Q_OBJECT

public:
  explicit ChartLoader(QObject* parent = nullptr);

  /// Forgets what was asked for before, and sums up these units. Null: nothing more.
  void setCharts(std::shared_ptr<const hines::Schedule> charts);
  const hines::Schedule* charts() const { return current.get(); }
  void request(std::size_t unit);
  /// Blocks until everything asked for was delivered.
  void wait();

signals:
  void summarized(std::shared_ptr<const ChartSummary> summary);
  void loaded(std::shared_ptr<const PackedChart> chart);
  void failed(const QString& sentence);

private:
  std::shared_ptr<const hines::Schedule> current;
  Background* background;
};

} // namespace hinesight::widgets
