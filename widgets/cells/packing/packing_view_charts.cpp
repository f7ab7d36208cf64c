#include "widgets/cells/packing/packing_view_charts.hpp"

#include "widgets/background_work.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kManyBands = 5'000; // above, bands are only named

QString tr(const char* text)
{
  return QCoreApplication::translate("PackingView", text);
}

bool isSomebodys(const hines::LaneBar& bar)
{
  return bar.work != hines::LaneWork::Padding;
}

/// Steps that two stretches have in common.
std::int64_t common(std::int32_t step, std::int32_t steps, const hines::LaneBand& band)
{
  const std::int32_t end = std::min(step + steps, band.step + band.steps);
  return std::max(0, end - std::max(step, band.step));
}

/// Adds `lanes` times the steps to every band that they go through.
void addToBands(const hines::LaneChart& chart, std::int32_t step, std::int32_t steps, std::int32_t lanes,
                std::vector<std::int64_t>& sums)
{
  for (std::size_t k = hines::bandAt(chart, step); k < sums.size() && chart.bands[k].step < step + steps; ++k)
    sums[k] += lanes * common(step, steps, chart.bands[k]);
}

void countBands(PackedChart& packed)
{
  const hines::LaneChart& chart = packed.chart;
  std::vector<std::int64_t> busy(chart.bands.size(), 0);
  std::vector<std::int64_t> issued(chart.bands.size(), 0);
  for (const hines::LaneBar& bar : chart.bars)
    if (isSomebodys(bar))
      addToBands(chart, bar.step, bar.steps, 1, busy);
  for (const hines::LaneWarp& warp : packed.warps)
    addToBands(chart, warp.step, warp.steps, warp.lanes, issued);
  for (std::size_t k = 0; k < busy.size(); ++k)
    packed.busy.push_back(issued[k] == 0 ? 0 : static_cast<double>(busy[k]) / static_cast<double>(issued[k]));
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

/// What the margin says of a band, longest first.
QStringList bandTexts(const hines::LaneBand& band, double busy)
{
  const QString label = QString::fromStdString(band.label);
  const QString steps = counted(band.steps, tr("step"), tr("steps"));
  QStringList texts = {tr("%1\n%2, %3 busy").arg(label, steps, inPercent(busy)),
                       tr("%1, %2, %3").arg(label, steps, inPercent(busy)), label};
  if (!band.detail.empty())
    texts.prepend(tr("%1, %2\n%3, %4 busy").arg(label, QString::fromStdString(band.detail), steps, inPercent(busy)));
  return texts;
}

void drawBands(const PackedChart& packed, PackingDrawing& drawing)
{
  const std::vector<hines::LaneBand>& bands = packed.chart.bands;
  for (std::size_t k = 0; k < bands.size(); ++k) {
    const hines::LaneBand& band = bands[k];
    drawing.addBand(bands.size() > kManyBands ? QStringList{QString::fromStdString(band.label)}
                                              : bandTexts(band, packed.busy[k]),
                    band.step, band.steps);
    for (const std::int32_t seam : band.seams)
      drawing.addSeam(seam);
    if (k + 1 == bands.size())
      continue;
    if (band.barrierAfter)
      drawing.addBarrier(band.step + band.steps, bands.size());
    else
      drawing.addSeam(band.step + band.steps);
  }
}

} // namespace

PackedChart packChart(const ChartKey& key, hines::LaneChart backward)
{
  PackedChart packed;
  packed.key = key;
  packed.chart = key.sweep == Sweep::Forward ? hines::forwardSweep(std::move(backward)) : std::move(backward);
  packed.warps = hines::warpsOf(packed.chart);
  countBands(packed);
  findCells(packed);
  return packed;
}

ChartSummary summarize(const hines::Schedule& schedule)
{
  ChartSummary summary;
  summary.groups = hines::groupUnits(schedule);
  if (const auto figures = schedule.summary()) {
    summary.mostSteps = figures->criticalPath;
    summary.occupancy = figures->occupancy;
  }
  return summary;
}

PlanarDrawing drawChart(const PackedChart& packed, const QStringList& heading,
                        const std::function<QRgb(std::size_t bar)>& colorOf)
{
  const hines::LaneChart& chart = packed.chart;
  PackingDrawing drawing(chart.lanes, chart.steps);
  for (const hines::LaneWarp& warp : packed.warps)
    drawing.addWarp(warp);
  bool hasPadding = false;
  for (std::size_t k = 0; k < chart.bars.size(); ++k) {
    if (isSomebodys(chart.bars[k])) {
      drawing.addBar(chart.bars[k], colorOf(k), static_cast<std::int32_t>(k));
    } else {
      drawing.addPadding(chart.bars[k]);
      hasPadding = true;
    }
  }
  drawBands(packed, drawing);
  const QString padding = hasPadding ? tr("Grey: padding, computed for no cell. ") : QString();
  return drawing.finish(heading, {padding + tr("Shaded: idle while the warp runs. Empty: the warp waits or is done."),
                                  padding + tr("Shaded: idle in a running warp. Empty: waiting."),
                                  tr("Shaded and empty: idle")});
}

ChartLoader::ChartLoader(QObject* parent) : QObject(parent), background(new BackgroundWork(this))
{
  connect(background, &BackgroundWork::outOfMemory, this,
          [this] { emit failed(tr("There is not enough memory to draw this unit.")); });
}

void ChartLoader::setCharts(std::shared_ptr<const hines::Schedule> charts)
{
  background->restart();
  current = std::move(charts);
  if (!current) {
    return;
  }
  background->start([this, charts = current](const RunControl&) -> BackgroundWork::Deliver {
    return [this, summary = std::make_shared<const ChartSummary>(summarize(*charts))] { emit summarized(summary); };
  });
}

void ChartLoader::request(const ChartKey& key)
{
  background->start([this, charts = current, key](const RunControl&) -> BackgroundWork::Deliver {
    return [this, chart = std::make_shared<const PackedChart>(packChart(key, charts->chart(key.unit, key.order)))] {
      emit loaded(chart);
    };
  });
}

void ChartLoader::wait()
{
  background->wait();
}

} // namespace hinesight::widgets
