#include "widgets/cells/packing/packing_view_charts.hpp"

#include "widgets/background.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::int32_t kWarp = 32;

QString tr(const char* text)
{
  return QCoreApplication::translate("PackingView", text);
}

bool isSomebodys(const hines::LaneBar& bar)
{
  return bar.work != hines::LaneWork::Padding;
}

/// Which warps run when: the steps of a warp's bars, those that overlap or touch joined.
std::vector<PackedWarp> findWarps(const hines::LaneChart& chart)
{
  std::vector<const hines::LaneBar*> bars;
  bars.reserve(chart.bars.size());
  for (const hines::LaneBar& bar : chart.bars) {
    bars.push_back(&bar);
  }
  std::sort(bars.begin(), bars.end(), [](const hines::LaneBar* a, const hines::LaneBar* b) {
    return std::pair(a->lane / kWarp, a->step) < std::pair(b->lane / kWarp, b->step);
  });
  std::vector<PackedWarp> warps;
  for (const hines::LaneBar* bar : bars) {
    const std::int32_t firstLane = bar->lane / kWarp * kWarp;
    if (!warps.empty() && warps.back().firstLane == firstLane && bar->step <= warps.back().step + warps.back().length) {
      const auto end = std::max<std::int64_t>(warps.back().step + warps.back().length, bar->step + bar->steps);
      warps.back().length = static_cast<std::int32_t>(end - warps.back().step);
    } else {
      warps.push_back({firstLane, bar->step, bar->steps});
    }
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
  double all = 0;
  for (const hines::LaneBar& bar : chart.bars) {
    if (!isSomebodys(bar)) {
      continue;
    }
    all += bar.steps;
    // A bar may go on through several bands.
    for (std::size_t k = bandAt(chart, bar.step); k < sums.size() && chart.bands[k].step < bar.step + bar.steps; ++k) {
      const std::int32_t begin = std::max(bar.step, chart.bands[k].step);
      const std::int32_t end = std::min(bar.step + bar.steps, chart.bands[k].step + chart.bands[k].steps);
      sums[k] += std::max(0, end - begin);
    }
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    packed.busy.push_back(share(sums[k], chart.lanes, chart.bands[k].steps));
  }
  packed.occupancy = share(all, chart.lanes, chart.steps);
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

std::size_t bandAt(const hines::LaneChart& chart, std::int32_t step)
{
  const auto after = std::upper_bound(chart.bands.begin(), chart.bands.end(), step,
                                      [](std::int32_t s, const hines::LaneBand& band) { return s < band.step; });
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - chart.bands.begin() - 1));
}

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

ChartSummary summarize(const hines::LaneCharts& charts)
{
  ChartSummary summary;
  std::vector<std::size_t> groupOf(charts.units());
  double busy = 0;
  double all = 0;
  for (std::size_t unit = 0; unit < charts.units(); ++unit) {
    const std::size_t first = charts.firstAlike(unit);
    if (first == unit) {
      groupOf[unit] = summary.groups.size();
      summary.groups.push_back({static_cast<std::uint32_t>(unit), unit, 0});
      summary.figures.push_back(charts.figures(unit));
    }
    const std::size_t group = groupOf[first];
    ++summary.groups[group].blocks;
    const hines::LaneFigures& figures = summary.figures[group];
    const double laneSteps = static_cast<double>(figures.lanes) * static_cast<double>(figures.steps);
    summary.mostSteps = std::max(summary.mostSteps, figures.steps);
    busy += figures.occupancy * laneSteps;
    all += laneSteps;
  }
  summary.occupancy = all > 0 ? busy / all : 0;
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

void ChartLoader::setCharts(std::shared_ptr<const hines::LaneCharts> charts)
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
