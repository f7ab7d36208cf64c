#include "widgets/charts/benchmark_plot.hpp"

#include "hines/solvers/definition.hpp"
#include "widgets/theme.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hinesight::widgets {

namespace {

/// Beyond the categories of the solvers.
QColor variantColor(qsizetype place)
{
  return categoryColor(static_cast<std::int64_t>(hines::allSolvers().size()) + place);
}

} // namespace

QString lineName(const hines::BenchmarkRow& row)
{
  const std::string_view name = hines::solverName(row.solve.solver);
  const std::string_view label = row.label;
  if (!label.starts_with(name))
    return inText(label);
  return inText(hines::traitsOf(row.solve.solver).title) + inText(label.substr(name.size()));
}

QColor solverColor(hines::SolverId solver)
{
  const auto solvers = hines::allSolvers();
  const auto isIt = [solver](const hines::SolverDefinition* other) { return other->traits.id == solver; };
  const auto found = std::ranges::find_if(solvers, isIt);
  // One of the others: no category, and drawn over theirs.
  return (*found)->traits.isChoice ? theme().text : categoryColor(found - solvers.begin());
}

BenchmarkPlot::BenchmarkPlot(QWidget* parent)
    : BenchmarkChart({.empty = tr("Choose solvers and numbers of cells, then press Run: every solver becomes a line "
                                  "here."),
                      .timeTitle = {},
                      .horizontalAxis = tr("cells"),
                      .choosable = true},
                     parent)
{
  setObjectName(QStringLiteral("benchmarkPlot"));
  setAccessibleName(tr("Time of a solve and speedup over the number of cells"));
  setAccessibleDescription(tr("Arrow keys walk from point to point, Enter loads its plan into the views"));
  refresh();
}

void BenchmarkPlot::setRows(std::vector<hines::BenchmarkRow> rows)
{
  all = std::move(rows);
  refresh();
}

void BenchmarkPlot::addRow(const hines::BenchmarkRow& row)
{
  all.push_back(row);
  refresh();
}

void BenchmarkPlot::setPermuteCounted(bool counted)
{
  permuteCounted = counted;
  refresh();
}

void BenchmarkPlot::refresh()
{
  setTimeTitle(permuteCounted ? tr("Time of a solve, with the permutation") : tr("Time of a solve"));
  std::vector<ChartPoint> points;
  QStringList variants; // in the order in which they came, so that one more changes no other
  for (const hines::BenchmarkRow& row : all) {
    ChartPoint& point = points.emplace_back(pointOf(row));
    if (!point.dotted)
      continue;
    if (!variants.contains(point.label))
      variants << point.label;
    point.color = variantColor(variants.indexOf(point.label));
  }
  setPoints(std::move(points));
}

ChartPoint BenchmarkPlot::pointOf(const hines::BenchmarkRow& row) const
{
  ChartPoint point;
  point.label = lineName(row);
  point.color = solverColor(row.solve.solver);
  point.dotted = row.label != hines::solverName(row.solve.solver);
  point.square = hines::traitsOf(row.solve.solver).isPeer;
  point.x = static_cast<double>(row.cells);
  if (row.milliseconds.median > 0) {
    point.milliseconds = row.milliseconds;
    Spread& ms = point.milliseconds;
    for (double* value : {&ms.min, &ms.lowerQuartile, &ms.median, &ms.upperQuartile, &ms.max})
      *value += permuteCounted ? row.permute : 0;
  }
  if (row.copyBandwidth > 0)
    point.floor = static_cast<double>(row.bytesMoved) / row.copyBandwidth * 1e3;
  return point;
}

QString BenchmarkPlot::describe(std::size_t index) const
{
  const hines::BenchmarkRow& row = all[index];
  const Spread& ms = row.milliseconds;
  QStringList lines;
  lines << QStringLiteral("<b>%1</b>, %2")
               .arg(lineName(row).toHtmlEscaped(),
                    tr("%1 %2, %3 compartments")
                        .arg(formatNumber(static_cast<double>(row.cells)), row.cells == 1 ? tr("cell") : tr("cells"),
                             formatNumber(static_cast<double>(row.compartments))));
  lines << tr("median %1, quartiles %2 to %3, %4 runs")
               .arg(formatMilliseconds(ms.median), formatMilliseconds(ms.lowerQuartile),
                    formatMilliseconds(ms.upperQuartile))
               .arg(row.repetitions.size());
  lines << tr("%1 billion compartments/s, %2 % of the copy bandwidth")
               .arg(formatNumber(row.compartmentsPerSecond * 1e-9), formatNumber(100 * row.bandwidthFraction));
  if (row.permute > 0)
    lines << tr("bringing the batch into its layout %1").arg(formatMilliseconds(row.permute));
  if (const auto factor = speedup(index))
    lines << tr("%1 as fast as %2").arg(timesText(*factor), baseline().toHtmlEscaped());
  if (!row.parameters.empty())
    lines << QString::fromStdString(row.parameters).toHtmlEscaped();
  lines << QString::fromStdString(row.device).toHtmlEscaped();
  return lines.join(QStringLiteral("<br>"));
}

} // namespace hinesight::widgets
