#pragma once

#include "widgets/cells/packing/packing_look.hpp"
#include "widgets/cells/packing/packing_view_drawing.hpp"
#include "widgets/cells/scene.hpp"

#include <QObject>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {

class BackgroundWork;

/// One picture of a unit of a schedule.
struct ChartKey
{
  std::size_t unit = 0;
  hines::LaneOrder order = hines::LaneOrder::AsExecuted;
  Sweep sweep = Sweep::Backward;

  bool operator==(const ChartKey&) const = default;
};

/// A chart with what is counted in it.
struct PackedChart
{
  ChartKey key;
  hines::LaneChart chart; ///< of the sweep
  std::vector<hines::LaneWarp> warps;
  std::vector<double> busy;            ///< per band: as LaneFigures::occupancy
  std::vector<std::int32_t> cells;     ///< of the batch, rising
  std::vector<std::int32_t> cellOfBar; ///< index into `cells`; -1: padding
  bool wholeCells = false;             ///< its bars are cells, not parts of them
  double occupancy = 0;                ///< LaneFigures::occupancy
};

/// `backward`: of the unit, with its lanes in that order.
PackedChart packChart(const ChartKey& key, hines::LaneChart backward);

/// What is said of all units together.
struct ChartSummary
{
  std::vector<hines::UnitGroup> groups; ///< units alike
  std::int64_t mostSteps = 0;
  double occupancy = 0; ///< lane steps that are somebody's over issued ones, of all units
};

ChartSummary summarize(const hines::Schedule& schedule);

/// A chart in the visual language of packing. `colorOf(bar)`: of a bar of the chart that is not padding. Item k of the
/// drawing is bar k.
PlanarDrawing drawChart(const PackedChart& packed, const QStringList& heading,
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
  /// After setCharts with a schedule that has the unit.
  void request(const ChartKey& key);
  /// Blocks until everything asked for was delivered.
  void wait();

signals:
  void summarized(std::shared_ptr<const ChartSummary> summary);
  void loaded(std::shared_ptr<const PackedChart> chart);
  void failed(const QString& sentence);

private:
  std::shared_ptr<const hines::Schedule> current;
  BackgroundWork* background;
};

} // namespace hinesight::widgets
