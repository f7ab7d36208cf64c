#include "widgets/benchmark_plot.hpp"

#include "hines/benchmark_tables.hpp"
#include "widgets/theme.hpp"

#include <QFocusEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::widgets {

namespace {

constexpr double kLeft = 84;  ///< numbers of the vertical axes
constexpr double kRight = 16; ///< plus the widest label
constexpr double kTitle = 34; ///< above each chart
constexpr double kFoot = 52;  ///< numbers of cells and what they are
constexpr double kTimesShare = 0.62;
constexpr double kReach = 10; ///< px around a point
constexpr double kMark = 3.5; ///< radius of a point
constexpr double kLeaderWidth = 14;

struct Range
{
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value)
  {
    if (!(value > 0) || !std::isfinite(value))
      return;
    low = std::min(low, std::log10(value));
    high = std::max(high, std::log10(value));
  }
  /// With a margin, and never empty.
  Range padded(double margin) const
  {
    if (low > high)
      return {0, 1};
    const double pad = std::max(margin * (high - low), 0.15);
    return {low - pad, high + pad};
  }
};

/// 1, 2 and 5 times powers of ten in a range of logarithms; powers alone where that would be many.
std::vector<double> ticksOf(double low, double high)
{
  const bool fine = high - low < 2.5;
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(low)); power <= static_cast<int>(std::ceil(high)); ++power)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, power);
      if ((fine || factor == 1.0) && std::log10(value) >= low && std::log10(value) <= high)
        ticks.push_back(value);
    }
  return ticks;
}

QString labelOf(const hines::BenchmarkRow& row)
{
  return QString::fromStdString(row.label);
}

bool isVariant(const hines::BenchmarkRow& row)
{
  return row.label != hines::solverName(row.solve.solver);
}

QString timesText(double factor)
{
  return formatNumber(factor) + QStringLiteral(" ×");
}

double nearest(const std::optional<QPointF>& point, const QPointF& position)
{
  return point ? std::hypot(point->x() - position.x(), point->y() - position.y())
               : std::numeric_limits<double>::infinity();
}

} // namespace

QColor solverColor(hines::SolverKind solver)
{
  // One of the others: no category, and drawn over theirs.
  if (solver == hines::SolverKind::Auto)
    return theme().text;
  const auto solvers = hines::allSolvers();
  const auto found = std::ranges::find(solvers, solver, &hines::SolverTraits::kind);
  return categoryColor(found - solvers.begin());
}

QPointF BenchmarkPlot::Chart::at(double cells, double value) const
{
  const double x = (std::log10(cells) - left) / (right - left);
  const double y = (std::log10(value) - bottom) / (top - bottom);
  return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

BenchmarkPlot::BenchmarkPlot(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("benchmarkPlot"));
  setAccessibleName(tr("Time of a solve and speedup over the number of cells"));
  setAccessibleDescription(tr("Arrow keys walk from point to point, Enter loads its plan into the views"));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(360, 320);
}

// ---- rows ----

void BenchmarkPlot::setRows(std::vector<hines::BenchmarkRow> rows)
{
  all = std::move(rows);
  current.reset();
  update();
}

void BenchmarkPlot::addRow(const hines::BenchmarkRow& row)
{
  all.push_back(row);
  update();
}

QStringList BenchmarkPlot::labels() const
{
  QStringList labels;
  for (const hines::BenchmarkRow& row : all)
    if (row.milliseconds.median > 0 && !labels.contains(labelOf(row)))
      labels << labelOf(row);
  return labels;
}

void BenchmarkPlot::setHiddenLabels(const QStringList& labels)
{
  hidden = labels;
  if (current && !isDrawn(*current))
    current.reset();
  update();
}

void BenchmarkPlot::setBaseline(const QString& label)
{
  chosenBaseline = label;
  update();
}

QString BenchmarkPlot::baseline() const
{
  const QStringList known = labels();
  return known.contains(chosenBaseline) ? chosenBaseline : known.value(0);
}

void BenchmarkPlot::setPermuteCounted(bool counted)
{
  permuteCounted = counted;
  update();
}

hines::Spread BenchmarkPlot::timeOf(const hines::BenchmarkRow& row) const
{
  hines::Spread ms = row.milliseconds;
  const double more = permuteCounted ? row.permute : 0;
  for (double* value : {&ms.min, &ms.lowerQuartile, &ms.median, &ms.upperQuartile, &ms.max})
    *value += more;
  return ms;
}

bool BenchmarkPlot::isDrawn(std::size_t row) const
{
  return all[row].milliseconds.median > 0 && !hidden.contains(labelOf(all[row]));
}

std::vector<BenchmarkPlot::Line> BenchmarkPlot::lines() const
{
  std::vector<Line> lines;
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (!isDrawn(row))
      continue;
    auto line = std::ranges::find(lines, labelOf(all[row]), &Line::label);
    if (line == lines.end())
      line = lines.insert(line, {labelOf(all[row]), {}});
    line->rows.push_back(row);
  }
  for (Line& line : lines)
    std::ranges::stable_sort(line.rows, {}, [this](std::size_t row) { return all[row].cells; });
  return lines;
}

std::optional<double> BenchmarkPlot::speedup(std::size_t row) const
{
  const QString base = baseline();
  for (const hines::BenchmarkRow& other : all)
    if (labelOf(other) == base && other.cells == all[row].cells && other.milliseconds.median > 0 &&
        all[row].milliseconds.median > 0)
      return timeOf(other).median / timeOf(all[row]).median;
  return std::nullopt;
}

/// ms that the least traffic takes; 0: unknown.
double BenchmarkPlot::floorOf(const hines::BenchmarkRow& row) const
{
  return row.copyBandwidth > 0 ? static_cast<double>(row.bytesMoved) / row.copyBandwidth * 1e3 : 0;
}

// ---- layout ----

BenchmarkPlot::Layout BenchmarkPlot::layOut(const QRectF& area) const
{
  Range cells, times, speedups;
  speedups.add(1);
  double widest = fontMetrics().horizontalAdvance(tr("floor"));
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (!isDrawn(row))
      continue;
    cells.add(static_cast<double>(all[row].cells));
    times.add(timeOf(all[row]).lowerQuartile);
    times.add(timeOf(all[row]).upperQuartile);
    times.add(floorOf(all[row]));
    if (const auto factor = speedup(row))
      speedups.add(*factor);
    widest = std::max<double>(widest, fontMetrics().horizontalAdvance(labelOf(all[row])));
  }
  cells = cells.padded(0.03);
  times = times.padded(0.06);
  speedups = speedups.padded(0.08);

  const double width = area.width() - kLeft - kRight - kLeaderWidth - widest;
  const double height = area.height() - 2 * kTitle - kFoot;
  Layout layout;
  const double split = std::round(height * kTimesShare);
  layout.times = {QRectF(area.left() + kLeft, area.top() + kTitle, width, split), cells.low, cells.high, times.low,
                  times.high};
  layout.speedups = {QRectF(area.left() + kLeft, area.top() + 2 * kTitle + split, width, height - split), cells.low,
                     cells.high, speedups.low, speedups.high};
  return layout;
}

std::optional<QPointF> BenchmarkPlot::timePosition(std::size_t row) const
{
  if (row >= all.size() || !isDrawn(row))
    return std::nullopt;
  return layOut(rect()).times.at(static_cast<double>(all[row].cells), timeOf(all[row]).median);
}

std::optional<QPointF> BenchmarkPlot::speedupPosition(std::size_t row) const
{
  const auto factor = row < all.size() && isDrawn(row) ? speedup(row) : std::nullopt;
  if (!factor)
    return std::nullopt;
  return layOut(rect()).speedups.at(static_cast<double>(all[row].cells), *factor);
}

std::optional<std::size_t> BenchmarkPlot::rowAt(const QPointF& position) const
{
  std::optional<std::size_t> best;
  double distance = kReach;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const double here = std::min(nearest(timePosition(row), position), nearest(speedupPosition(row), position));
    if (here <= distance) {
      distance = here;
      best = row;
    }
  }
  return best;
}

// ---- drawing ----

void BenchmarkPlot::paint(QPainter& painter, const QRectF& area) const
{
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(area, theme().canvas);
  if (lines().empty()) {
    painter.setPen(theme().secondaryText);
    painter.drawText(area.adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Choose solvers and numbers of cells, then press Run: every solver becomes a line here."));
    return;
  }
  const Layout layout = layOut(area);
  paintFrame(painter, layout.times,
             permuteCounted ? tr("Time of a solve, with the permutation") : tr("Time of a solve"), formatMilliseconds);
  paintFrame(painter, layout.speedups, tr("Speedup over %1").arg(baseline()), timesText);
  paintCells(painter, layout);
  paintTimes(painter, layout.times);
  paintSpeedups(painter, layout.speedups);
  paintLabels(painter, layout.times);
  paintCurrent(painter, layout);
}

/// Title, horizontal lines with their numbers.
void BenchmarkPlot::paintFrame(QPainter& painter, const Chart& chart, const QString& title,
                               QString (*textOf)(double)) const
{
  painter.setPen(theme().text);
  painter.drawText(QRectF(chart.area.left(), chart.area.top() - kTitle, chart.area.width(), kTitle - 6),
                   Qt::AlignLeft | Qt::AlignBottom, title);
  const double lineHeight = fontMetrics().height();
  for (const double value : ticksOf(chart.bottom, chart.top)) {
    const double y = chart.at(std::pow(10.0, chart.left), value).y();
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(chart.area.left(), y), QPointF(chart.area.right(), y));
    painter.setPen(theme().secondaryText);
    painter.drawText(QRectF(chart.area.left() - kLeft, y - lineHeight / 2, kLeft - 10, lineHeight),
                     Qt::AlignRight | Qt::AlignVCenter, textOf(value));
  }
}

/// Vertical lines at the numbers of cells that were measured, named where there is room.
void BenchmarkPlot::paintCells(QPainter& painter, const Layout& layout) const
{
  std::vector<std::size_t> counts;
  for (std::size_t row = 0; row < all.size(); ++row)
    if (isDrawn(row))
      counts.push_back(all[row].cells);
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  double free = -std::numeric_limits<double>::infinity();
  const double lineHeight = fontMetrics().height();
  for (const std::size_t count : counts) {
    const double x = layout.times.at(static_cast<double>(count), 1).x();
    painter.setPen(QPen(theme().hairline, 1));
    for (const Chart* chart : {&layout.times, &layout.speedups})
      painter.drawLine(QPointF(x, chart->area.top()), QPointF(x, chart->area.bottom()));
    const QString text = formatNumber(static_cast<double>(count));
    const double width = fontMetrics().horizontalAdvance(text);
    if (x - width / 2 < free)
      continue;
    free = x + width / 2 + 10;
    painter.setPen(theme().secondaryText);
    painter.drawText(QRectF(x - width / 2 - 2, layout.speedups.area.bottom() + 6, width + 4, lineHeight),
                     Qt::AlignCenter, text);
  }
  painter.setPen(theme().secondaryText);
  const QRectF& area = layout.speedups.area;
  painter.drawText(QRectF(area.left(), area.bottom() + 8 + lineHeight, area.width(), lineHeight), Qt::AlignCenter,
                   tr("cells"));
}

void BenchmarkPlot::paintLine(QPainter& painter, const Line& line, const std::vector<QPointF>& points) const
{
  const hines::BenchmarkRow& first = all[line.rows.front()];
  const QColor color = solverColor(first.solve.solver);
  QPen pen(color, 2);
  if (isVariant(first))
    pen.setStyle(Qt::DotLine);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(points.data(), static_cast<int>(points.size()));
  const bool peer = hines::isPeer(first.solve.solver);
  painter.setPen(QPen(color, 1.5));
  painter.setBrush(isVariant(first) ? theme().canvas : color);
  for (const QPointF& point : points)
    peer ? painter.drawRect(QRectF(point.x() - kMark, point.y() - kMark, 2 * kMark, 2 * kMark))
         : painter.drawEllipse(point, kMark, kMark);
}

void BenchmarkPlot::paintTimes(QPainter& painter, const Chart& chart) const
{
  paintFloor(painter, chart);
  const std::vector<Line> drawn = lines();
  for (const Line& line : drawn) {
    QPolygonF band;
    for (const std::size_t row : line.rows)
      band << chart.at(static_cast<double>(all[row].cells), timeOf(all[row]).lowerQuartile);
    for (auto row = line.rows.rbegin(); row != line.rows.rend(); ++row)
      band << chart.at(static_cast<double>(all[*row].cells), timeOf(all[*row]).upperQuartile);
    QColor shade = solverColor(all[line.rows.front()].solve.solver);
    shade.setAlpha(56);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(band);
  }
  for (const Line& line : drawn) {
    std::vector<QPointF> points;
    for (const std::size_t row : line.rows)
      points.push_back(chart.at(static_cast<double>(all[row].cells), timeOf(all[row]).median));
    paintLine(painter, line, points);
  }
}

void BenchmarkPlot::paintSpeedups(QPainter& painter, const Chart& chart) const
{
  painter.setPen(QPen(theme().secondaryText, 1));
  const double one = chart.at(1, 1).y();
  painter.drawLine(QPointF(chart.area.left(), one), QPointF(chart.area.right(), one));
  for (Line line : lines()) {
    std::erase_if(line.rows, [this](std::size_t row) { return !speedup(row); });
    if (line.rows.empty())
      continue;
    std::vector<QPointF> points;
    for (const std::size_t row : line.rows)
      points.push_back(chart.at(static_cast<double>(all[row].cells), *speedup(row)));
    paintLine(painter, line, points);
  }
}

/// The floor of the backend that has the highest bandwidth: with solvers of both, the device's.
void BenchmarkPlot::paintFloor(QPainter& painter, const Chart& chart) const
{
  std::vector<std::pair<std::size_t, double>> floors;
  for (std::size_t row = 0; row < all.size(); ++row)
    if (isDrawn(row) && floorOf(all[row]) > 0)
      floors.emplace_back(all[row].cells, floorOf(all[row]));
  std::ranges::sort(floors);
  QPolygonF path;
  for (std::size_t i = 0; i < floors.size(); ++i)
    if (i == 0 || floors[i].first != floors[i - 1].first) // the least of as many cells comes first
      path << chart.at(static_cast<double>(floors[i].first), floors[i].second);
  painter.setPen(QPen(theme().secondaryText, 1.5, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(path);
}

/// The names of the lines at their ends, pushed apart where they would cover one another.
void BenchmarkPlot::paintLabels(QPainter& painter, const Chart& chart) const
{
  struct Name
  {
    QString text;
    QColor color;
    QPointF end;
    double y;
  };
  std::vector<Name> names;
  double floorTime = 0;
  double mostCells = 0;
  for (const Line& line : lines()) {
    const hines::BenchmarkRow& last = all[line.rows.back()];
    const QPointF end = chart.at(static_cast<double>(last.cells), timeOf(last).median);
    names.push_back({line.label, solverColor(last.solve.solver), end, end.y()});
    const double here = floorOf(last);
    if (here > 0 && static_cast<double>(last.cells) >= mostCells) {
      floorTime = static_cast<double>(last.cells) > mostCells || floorTime == 0 ? here : std::min(floorTime, here);
      mostCells = static_cast<double>(last.cells);
    }
  }
  if (floorTime > 0) {
    const QPointF end = chart.at(mostCells, floorTime);
    names.push_back({tr("floor"), theme().secondaryText, end, end.y()});
  }
  std::ranges::sort(names, {}, &Name::y);
  const double pitch = fontMetrics().height();
  for (std::size_t i = 1; i < names.size(); ++i)
    names[i].y = std::max(names[i].y, names[i - 1].y + pitch);
  const double overhang = names.back().y - chart.area.bottom();
  for (std::size_t i = names.size(); overhang > 0 && i-- > 0;)
    names[i].y = std::min(names[i].y, chart.area.bottom() - pitch * static_cast<double>(names.size() - 1 - i));
  for (const Name& name : names) {
    const double x = chart.area.right() + kLeaderWidth;
    QColor leader = name.color;
    leader.setAlpha(130);
    painter.setPen(QPen(leader, 1));
    painter.drawLine(name.end + QPointF(kMark + 1, 0), QPointF(x - 3, name.y));
    painter.setPen(theme().text);
    painter.drawText(QRectF(x, name.y - pitch / 2, 400, pitch), Qt::AlignLeft | Qt::AlignVCenter, name.text);
  }
}

void BenchmarkPlot::paintCurrent(QPainter& painter, const Layout& layout) const
{
  if (!current)
    return;
  painter.setPen(QPen(theme().selection, 2));
  painter.setBrush(Qt::NoBrush);
  const auto cells = static_cast<double>(all[*current].cells);
  painter.drawEllipse(layout.times.at(cells, timeOf(all[*current]).median), kMark + 4, kMark + 4);
  if (const auto factor = speedup(*current))
    painter.drawEllipse(layout.speedups.at(cells, *factor), kMark + 4, kMark + 4);
}

void BenchmarkPlot::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  paint(painter, rect());
}

// ---- mouse and keys ----

QString BenchmarkPlot::describe(std::size_t index) const
{
  const hines::BenchmarkRow& row = all[index];
  const hines::Spread& ms = row.milliseconds;
  QStringList lines;
  lines << QStringLiteral("<b>%1</b>, %2")
               .arg(labelOf(row).toHtmlEscaped(), tr("%1 cells, %2 compartments")
                                                      .arg(formatNumber(static_cast<double>(row.cells)),
                                                           formatNumber(static_cast<double>(row.compartments))));
  lines << tr("median %1, quartiles %2 to %3, %4 runs")
               .arg(formatMilliseconds(ms.median), formatMilliseconds(ms.lowerQuartile),
                    formatMilliseconds(ms.upperQuartile))
               .arg(row.repetitions);
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

void BenchmarkPlot::setCurrent(std::optional<std::size_t> row)
{
  if (current == row)
    return;
  current = row;
  setCursor(current ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void BenchmarkPlot::mousePressEvent(QMouseEvent* event)
{
  if (event->button() != Qt::LeftButton)
    return;
  setCurrent(rowAt(event->position()));
  if (current)
    emit rowChosen(*current);
}

void BenchmarkPlot::mouseMoveEvent(QMouseEvent* event)
{
  setCurrent(rowAt(event->position()));
}

void BenchmarkPlot::leaveEvent(QEvent* event)
{
  if (!hasFocus())
    setCurrent(std::nullopt);
  QWidget::leaveEvent(event);
}

void BenchmarkPlot::focusInEvent(QFocusEvent* event)
{
  if (!current && event->reason() != Qt::MouseFocusReason)
    walk(0, 0);
  QWidget::focusInEvent(event);
}

/// To the next point of the line, or to the nearest number of cells of the next line.
void BenchmarkPlot::walk(int alongLine, int acrossLines)
{
  const std::vector<Line> drawn = lines();
  if (drawn.empty())
    return;
  if (!current) {
    setCurrent(drawn.front().rows.front());
    return;
  }
  const auto lineAt = [&](int index) -> const Line& {
    return drawn[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(drawn.size()) - 1))];
  };
  const auto here = std::ranges::find(drawn, labelOf(all[*current]), &Line::label);
  const Line& line = lineAt(static_cast<int>(here - drawn.begin()) + acrossLines);
  const auto distance = [this, cells = static_cast<double>(all[*current].cells)](std::size_t row) {
    return std::abs(std::log(static_cast<double>(all[row].cells) / cells));
  };
  const auto closest = std::ranges::min_element(line.rows, {}, distance);
  const auto wanted = (closest - line.rows.begin()) + alongLine;
  setCurrent(line.rows[static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(line.rows.size()) - 1))]);
}

void BenchmarkPlot::keyPressEvent(QKeyEvent* event)
{
  switch (event->key()) {
  case Qt::Key_Left:
    return walk(-1, 0);
  case Qt::Key_Right:
    return walk(1, 0);
  case Qt::Key_Up:
    return walk(0, -1);
  case Qt::Key_Down:
    return walk(0, 1);
  case Qt::Key_Return:
  case Qt::Key_Enter:
    if (current)
      emit rowChosen(*current);
    return;
  default:
    QWidget::keyPressEvent(event);
  }
}

bool BenchmarkPlot::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip)
    return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto row = rowAt(help->pos()))
    QToolTip::showText(help->globalPos(), describe(*row), this);
  else
    QToolTip::hideText();
  return true;
}

} // namespace hinesight::widgets
