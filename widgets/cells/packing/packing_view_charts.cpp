#include "widgets/cells/packing/packing_view_charts.hpp"

#include "widgets/background.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

QString tr(const char* text)
{
  return QCoreApplication::translate("PackingView", text);
}

bool isSomebodys(const hines::LaneBar& bar)
{
  return bar.work != hines::LaneWork::Padding;
}

std::vector<PackedWarp> findWarps(const hines::LaneChart& chart)
{
  std::vector<PackedWarp> warps;
  for (const hines::LaneWarp& warp : hines::warpsOf(chart)) {
    warps.push_back({warp.firstLane, warp.step, warp.steps});
  }
  return warps;
}

double share(double busy, double lanes, double steps)
{
  return lanes * steps > 0 ? busy / (lanes * steps) : 0;
}

void countBands(PackedChart& packed)
{
  const hines::LaneChart& chart = packed.chart;
  std::vector<double> sums(chart.bands.size(), 0);
  for (const hines::LaneBar& bar : chart.bars) {
    if (!isSomebodys(bar)) {
      continue;
    }
    // A bar may go on through several bands.
    for (std::size_t k = hines::bandAt(chart, bar.step); k < sums.size() && chart.bands[k].step < bar.step + bar.steps;
         ++k) {
      const std::int32_t begin = std::max(bar.step, chart.bands[k].step);
      const std::int32_t end = std::min(bar.step + bar.steps, chart.bands[k].step + chart.bands[k].steps);
      sums[k] += std::max(0, end - begin);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    packed.busy.push_back(share(sums[k], chart.lanes, chart.bands[k].steps));
  }
  packed.occupancy = hines::measure(chart).occupancy();
}

void findCells(PackedChart& packed)
{
  bool anyPart = false;
  for (const hines::LaneBar& bar : packed.chart.bars) {
    if (isSomebodys(bar)) {
      packed.cells.push_back(bar.cell);
      anyPart = anyPart || bar.compartment >= 0;
    }
  }
  std::sort(packed.cells.begin(), packed.cells.end());
  packed.cells.erase(std::unique(packed.cells.begin(), packed.cells.end()), packed.cells.end());
  packed.wholeCells = !packed.cells.empty() && !anyPart;
  packed.cellOfBar.reserve(packed.chart.bars.size());
  for (const hines::LaneBar& bar : packed.chart.bars) {
    const auto place = std::lower_bound(packed.cells.begin(), packed.cells.end(), bar.cell);
    packed.cellOfBar.push_back(isSomebodys(bar) ? static_cast<std::int32_t>(place - packed.cells.begin()) : -1);
  }
}

QStringList bandTexts(const hines::LaneBand& band, double busy)
{
  const QString label = QString::fromStdString(band.label);
  const QString steps = counted(band.steps, tr("step"), tr("steps"));
  return {tr("%1\n%2, %3 busy").arg(label, steps, inPercent(busy)), tr("%1, %2, %3").arg(label, steps, inPercent(busy)),
          label};
}

} // namespace

PackedChart packChart(std::size_t unit, hines::LaneChart chart)
{
  PackedChart packed;
  packed.unit = unit;
  packed.chart = std::move(chart);
  packed.warps = findWarps(packed.chart);
  countBands(packed);
  findCells(packed);
  return packed;
}

ChartSummary summarize(const hines::Schedule& schedule)
{
  ChartSummary summary;
  double busy = 0;
  double issued = 0;
  for (const hines::UnitGroup& group : hines::groupUnits(schedule)) {
    summary.groups.push_back({static_cast<std::uint32_t>(group.first), group.first, group.units});
    summary.figures.push_back(hines::measure(schedule.chart(group.first)));
    const hines::LaneFigures& figures = summary.figures.back();
    summary.mostSteps = std::max(summary.mostSteps, figures.steps);
    busy += static_cast<double>(group.units) * static_cast<double>(figures.busy);
    issued += static_cast<double>(group.units) * static_cast<double>(figures.issued);
  }
  summary.occupancy = issued > 0 ? busy / issued : 0;
  return summary;
}

PlanarDrawing drawChart(const PackedChart& packed, Sweep sweep, const QStringList& heading,
                        const std::function<QRgb(std::size_t bar)>& colorOf)
{
  const hines::LaneChart& chart = packed.chart;
  const bool mirrored = sweep == Sweep::Forward;
  const auto top = [&](std::int64_t step, std::int64_t steps) { return mirrored ? chart.steps - step - steps : step; };
  PackingDrawing drawing(chart.lanes, chart.steps);
  for (PackedWarp warp : packed.warps) {
    warp.step = top(warp.step, warp.length);
    drawing.addWarp(warp);
  }
  bool hasPadding = false;
  for (std::size_t k = 0; k < chart.bars.size(); ++k) {
    const hines::LaneBar& bar = chart.bars[k];
    const PackedBar placed{static_cast<std::int32_t>(k), bar.lane, top(bar.step, bar.steps), bar.steps};
    if (isSomebodys(bar)) {
      drawing.addBar(placed, colorOf(k), static_cast<std::int32_t>(k));
    } else {
      drawing.addPadding(placed);
      hasPadding = true;
    }
  }
  for (std::size_t k = 0; k < chart.bands.size(); ++k) {
    const hines::LaneBand& band = chart.bands[k];
    drawing.addBand(bandTexts(band, packed.busy[k]), top(band.step, band.steps), band.steps);
    if (k + 1 == chart.bands.size()) {
      continue;
    }
    const std::int64_t line = top(band.step + band.steps, 0);
    if (band.barrierAfter) {
      drawing.addBarrier(line, chart.bands.size());
    } else {
      drawing.addSeam(line);
    }
  }
  const QString padding = hasPadding ? tr("Grey: padding, computed for nobody. ") : QString();
  return drawing.finish(heading, {padding + tr("Shaded: idle while the warp runs. Empty: the warp waits or is done."),
                                  padding + tr("Shaded: idle in a running warp. Empty: waiting."),
                                  tr("Shaded and empty: idle")});
}

ChartLoader::ChartLoader(QObject* parent) : QObject(parent), background(new Background(this))
{
  connect(background, &Background::outOfMemory, this,
          [this] { emit failed(tr("There is not enough memory to draw this unit.")); });
}

void ChartLoader::setCharts(std::shared_ptr<const hines::Schedule> charts)
{
  background->restart();
  current = std::move(charts);
  if (!current) {
    return;
  }
  background->start([this, charts = current]() -> Background::Deliver {
    return [this, summary = std::make_shared<const ChartSummary>(summarize(*charts))] { emit summarized(summary); };
  });
}

void ChartLoader::request(std::size_t unit)
{
  background->start([this, charts = current, unit]() -> Background::Deliver {
    return [this, chart = std::make_shared<const PackedChart>(packChart(unit, charts->chart(unit)))] {
      emit loaded(chart);
    };
  });
}

void ChartLoader::wait()
{
  background->wait();
}

} // namespace hinesight::widgets
