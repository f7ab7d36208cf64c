#include "widgets/charts/projection_benchmark_plot.hpp"

#include "core/device.hpp"
#include "widgets/theme.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace hinesight::widgets {

namespace {

/// One of the times of a measured side, and how its line looks.
struct Series
{
  QString label;
  std::int64_t color; ///< of the categories
  bool comparison;    ///< not our program: square marks, dotted
  std::optional<Spread> milliseconds;
  double floor;
};

std::optional<Spread> single(const std::optional<double>& milliseconds)
{
  if (!milliseconds)
    return std::nullopt;
  return Spread{*milliseconds, *milliseconds, *milliseconds, *milliseconds, *milliseconds};
}

std::vector<Series> seriesOf(const projection::BenchmarkPoint& point)
{
  const auto& resident = point.resident;
  const double deviceFloor = resident ? resident->writeFloor : 0;
  const auto tr = [](const char* text) { return ProjectionBenchmarkPlot::tr(text); };
  return {
      {tr("CPU"), 0, false, point.cpu, point.cpuWriteFloor.value_or(0)},
      {tr("CUDA, downloaded"), 1, false, point.cuda, deviceFloor},
      {tr("CUDA, left on the device"), 2, false, resident ? std::optional(resident->milliseconds) : std::nullopt,
       deviceFloor},
      {tr("all pairs, one CPU thread"), 3, true, single(point.loop), 0},
      {tr("all pairs, DeviceSelect"), 4, true, resident ? single(resident->select) : std::nullopt, 0},
  };
}

} // namespace

double sideOfPairs(double pairs)
{
  return std::sqrt(std::sqrt(pairs));
}

ProjectionBenchmarkPlot::ProjectionBenchmarkPlot(QWidget* parent)
    : BenchmarkChart({.empty = tr("Choose backends and sides of the populations, then press Run: every backend becomes "
                                  "a line here."),
                      .timeTitle = tr("Time of a weight table"),
                      .horizontalAxis = tr("side d of both populations, neurons"),
                      .choosable = false},
                     parent)
{
  setObjectName(QStringLiteral("projectionBenchmarkPlot"));
  setAccessibleName(tr("Time of a weight table and speedup over the side of the populations"));
  setAccessibleDescription(tr("Arrow keys walk from point to point"));
}

void ProjectionBenchmarkPlot::setMeasured(std::vector<projection::BenchmarkPoint> points)
{
  all = std::move(points);
  refresh();
}

void ProjectionBenchmarkPlot::addMeasured(const projection::BenchmarkPoint& point)
{
  all.push_back(point);
  refresh();
}

void ProjectionBenchmarkPlot::refresh()
{
  std::vector<ChartPoint> points;
  measuredOf.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const Series& series : seriesOf(all[i])) {
      if (!series.milliseconds)
        continue;
      points.push_back({series.label, categoryColor(series.color), series.comparison, series.comparison,
                        static_cast<double>(all[i].side), *series.milliseconds, series.floor});
      measuredOf.push_back(i);
    }
  setPoints(std::move(points));
  std::vector<ChartMark> crossovers;
  const auto mark = [&](const std::optional<double>& pairs, const QString& text) {
    if (pairs)
      crossovers.push_back({sideOfPairs(*pairs), text.arg(formatNumber(std::round(sideOfPairs(*pairs))))});
  };
  mark(projection::crossoverPairs(all), tr("CUDA, downloaded, is faster from d = %1"));
  mark(projection::residentCrossoverPairs(all), tr("CUDA, left on the device, is faster from d = %1"));
  setMarks(std::move(crossovers));
}

QString ProjectionBenchmarkPlot::describe(std::size_t index) const
{
  const ChartPoint& drawn = points()[index];
  const projection::BenchmarkPoint& point = all[measuredOf[index]];
  const Spread& ms = drawn.milliseconds;
  const auto count = [](std::uint64_t number) { return formatNumber(static_cast<double>(number)); };
  QStringList lines;
  lines << QStringLiteral("<b>%1</b>, d = %2").arg(drawn.label.toHtmlEscaped(), count(point.side));
  lines << tr("%1 pairs, %2 rows, %3")
               .arg(count(point.pairs), count(point.rows), QString::fromStdString(formatBytes(point.bytes)));
  lines << (ms.min < ms.max ? tr("median %1, quartiles %2 to %3")
                                  .arg(formatMilliseconds(ms.median), formatMilliseconds(ms.lowerQuartile),
                                       formatMilliseconds(ms.upperQuartile))
                            : formatMilliseconds(ms.median));
  if (point.rows > 0)
    lines << tr("%1 ns a row").arg(formatNumber(ms.median * 1e6 / static_cast<double>(point.rows)));
  if (drawn.floor > 0)
    lines << tr("%1 the floor of writing the rows (%2)")
                 .arg(timesText(ms.median / drawn.floor), formatMilliseconds(drawn.floor));
  if (const auto factor = speedup(index))
    lines << tr("%1 as fast as %2").arg(timesText(*factor), baseline().toHtmlEscaped());
  for (const std::string& device : {point.cpuDevice, point.cudaDevice})
    if (!device.empty())
      lines << QString::fromStdString(device).toHtmlEscaped();
  return lines.join(QStringLiteral("<br>"));
}

} // namespace hinesight::widgets
