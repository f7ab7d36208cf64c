#include "widgets/charts/benchmark_chart.hpp"

#include "widgets/theme.hpp"

#include <QFocusEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::widgets {

namespace {

constexpr double kLeft = 84;  ///< numbers of the vertical axes
constexpr double kRight = 16; ///< plus the widest label
constexpr double kTitle = 34; ///< above each chart
constexpr double kEdge = 8;   ///< that titles keep to the edges
constexpr double kFoot = 52;  ///< numbers of the horizontal axis and what they are
constexpr double kTimesShare = 0.62;
constexpr double kReach = 10; ///< px around a point
constexpr double kMark = 3.5; ///< radius of a point
constexpr double kLeaderWidth = 14;
constexpr double kMostOfLabels = 1.0 / 3; ///< of the width

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

double nearest(const std::optional<QPointF>& point, const QPointF& position)
{
  return point ? std::hypot(point->x() - position.x(), point->y() - position.y())
               : std::numeric_limits<double>::infinity();
}

} // namespace

QString timesText(double factor)
{
  return formatNumber(factor) + QStringLiteral(" ×");
}

QPointF BenchmarkChart::Chart::at(double x, double value) const
{
  const double across = (std::log10(x) - left) / (right - left);
  const double up = (std::log10(value) - bottom) / (top - bottom);
  return {area.left() + across * area.width(), area.bottom() - up * area.height()};
}

BenchmarkChart::BenchmarkChart(Texts chartTexts, QWidget* parent) : QWidget(parent), texts(std::move(chartTexts))
{
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(360, 320);
}

// ---- points ----

void BenchmarkChart::setPoints(std::vector<ChartPoint> points)
{
  if (current && *current >= points.size())
    current.reset();
  all = std::move(points);
  update();
}

void BenchmarkChart::setMarks(std::vector<ChartMark> chartMarks)
{
  marks = std::move(chartMarks);
  update();
}

void BenchmarkChart::setTimeTitle(const QString& title)
{
  texts.timeTitle = title;
  update();
}

QStringList BenchmarkChart::labels() const
{
  QStringList labels;
  for (const ChartPoint& point : all)
    if (point.milliseconds.median > 0 && !labels.contains(point.label))
      labels << point.label;
  return labels;
}

void BenchmarkChart::setHiddenLabels(const QStringList& labels)
{
  hidden = labels;
  if (current && !isDrawn(*current))
    current.reset();
  update();
}

void BenchmarkChart::setBaseline(const QString& label)
{
  chosenBaseline = label;
  update();
}

QString BenchmarkChart::baseline() const
{
  const QStringList known = labels();
  return known.contains(chosenBaseline) ? chosenBaseline : known.value(0);
}

bool BenchmarkChart::isDrawn(std::size_t point) const
{
  return all[point].milliseconds.median > 0 && !hidden.contains(all[point].label);
}

std::vector<BenchmarkChart::Line> BenchmarkChart::lines() const
{
  std::vector<Line> lines;
  for (std::size_t point = 0; point < all.size(); ++point) {
    if (!isDrawn(point))
      continue;
    auto line = std::ranges::find(lines, all[point].label, &Line::label);
    if (line == lines.end())
      line = lines.insert(line, {all[point].label, {}});
    line->points.push_back(point);
  }
  for (Line& line : lines)
    std::ranges::stable_sort(line.points, {}, [this](std::size_t point) { return all[point].x; });
  return lines;
}

std::optional<double> BenchmarkChart::speedup(std::size_t point) const
{
  const QString base = baseline();
  for (const ChartPoint& other : all)
    if (other.label == base && other.x == all[point].x && other.milliseconds.median > 0 &&
        all[point].milliseconds.median > 0)
      return other.milliseconds.median / all[point].milliseconds.median;
  return std::nullopt;
}

// ---- layout ----

BenchmarkChart::Layout BenchmarkChart::layOut(const QRectF& area) const
{
  Range across, times, speedups;
  speedups.add(1);
  double widest = fontMetrics().horizontalAdvance(tr("floor"));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!isDrawn(i))
      continue;
    const ChartPoint& point = all[i];
    across.add(point.x);
    times.add(point.milliseconds.lowerQuartile);
    times.add(point.milliseconds.upperQuartile);
    times.add(point.floor);
    if (const auto factor = speedup(i))
      speedups.add(*factor);
    widest = std::max<double>(widest, fontMetrics().horizontalAdvance(point.label));
  }
  across = across.padded(0.03);
  times = times.padded(0.06);
  speedups = speedups.padded(0.08);

  widest = std::min(widest, kMostOfLabels * area.width());
  const double width = area.width() - kLeft - kRight - kLeaderWidth - widest;
  const double height = area.height() - 2 * kTitle - kFoot;
  Layout layout;
  layout.area = area;
  const double split = std::round(height * kTimesShare);
  layout.times = {QRectF(area.left() + kLeft, area.top() + kTitle, width, split), across.low, across.high, times.low,
                  times.high};
  layout.speedups = {QRectF(area.left() + kLeft, area.top() + 2 * kTitle + split, width, height - split), across.low,
                     across.high, speedups.low, speedups.high};
  return layout;
}

std::optional<QPointF> BenchmarkChart::timePosition(std::size_t point) const
{
  if (point >= all.size() || !isDrawn(point))
    return std::nullopt;
  return layOut(rect()).times.at(all[point].x, all[point].milliseconds.median);
}

std::optional<QPointF> BenchmarkChart::speedupPosition(std::size_t point) const
{
  const auto factor = point < all.size() && isDrawn(point) ? speedup(point) : std::nullopt;
  if (!factor)
    return std::nullopt;
  return layOut(rect()).speedups.at(all[point].x, *factor);
}

QString BenchmarkChart::speedupTitle() const
{
  return tr("Speedup over %1").arg(baseline());
}

/// From the left of the chart on, over the room of the labels too; a longer one begins farther to the left.
QRectF BenchmarkChart::titlePlace(const Layout& layout, const Chart& chart, const QString& title) const
{
  const double room = layout.area.width() - 2 * kEdge;
  const double width = std::min<double>(fontMetrics().horizontalAdvance(title) + 1, room);
  const double left = std::min(chart.area.left(), layout.area.right() - kEdge - width);
  return {left, chart.area.top() - kTitle, width, kTitle - 6};
}

/// Below the middle of the charts, or as near to it as the edges let it.
QRectF BenchmarkChart::axisPlace(const Layout& layout) const
{
  const QRectF& chart = layout.speedups.area;
  const double lineHeight = fontMetrics().height();
  const double room = layout.area.width() - 2 * kEdge;
  const double width = std::min<double>(fontMetrics().horizontalAdvance(texts.horizontalAxis) + 1, room);
  const double left = std::min(chart.center().x() - width / 2, layout.area.right() - kEdge - width);
  return {std::max(left, layout.area.left() + kEdge), chart.bottom() + 8 + lineHeight, width, lineHeight};
}

std::vector<QRectF> BenchmarkChart::titlePlaces() const
{
  const Layout layout = layOut(rect());
  return {titlePlace(layout, layout.times, texts.timeTitle), titlePlace(layout, layout.speedups, speedupTitle()),
          axisPlace(layout)};
}

std::optional<std::size_t> BenchmarkChart::pointAt(const QPointF& position) const
{
  std::optional<std::size_t> best;
  double distance = kReach;
  for (std::size_t point = 0; point < all.size(); ++point) {
    const double here = std::min(nearest(timePosition(point), position), nearest(speedupPosition(point), position));
    if (here <= distance) {
      distance = here;
      best = point;
    }
  }
  return best;
}

// ---- drawing ----

void BenchmarkChart::paintPart(QPainter& painter, const FigureArea& area)
{
  painter.setFont(font());
  paint(painter, QRectF({}, area.size), area.isTransparent);
}

void BenchmarkChart::paint(QPainter& painter, const QRectF& area, bool isTransparent) const
{
  painter.setRenderHint(QPainter::Antialiasing);
  if (!isTransparent)
    painter.fillRect(area, theme().canvas);
  if (lines().empty()) {
    painter.setPen(theme().secondaryText);
    painter.drawText(area.adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, texts.empty);
    return;
  }
  const Layout layout = layOut(area);
  paintScale(painter, layout.times, formatMilliseconds);
  paintScale(painter, layout.speedups, timesText);
  painter.setPen(theme().text);
  paintTitle(painter, titlePlace(layout, layout.times, texts.timeTitle), texts.timeTitle);
  paintTitle(painter, titlePlace(layout, layout.speedups, speedupTitle()), speedupTitle());
  paintHorizontalAxis(painter, layout);
  paintMarks(painter, layout);
  paintTimes(painter, layout.times);
  paintSpeedups(painter, layout.speedups);
  paintLabels(painter, layout);
  paintCurrent(painter, layout);
}

void BenchmarkChart::paintTitle(QPainter& painter, const QRectF& place, const QString& title) const
{
  const auto room = static_cast<int>(place.width());
  painter.drawText(place, Qt::AlignLeft | Qt::AlignBottom | Qt::TextDontClip,
                   fontMetrics().elidedText(title, Qt::ElideMiddle, room));
}

/// Horizontal lines with their numbers, as many as there is room for.
void BenchmarkChart::paintScale(QPainter& painter, const Chart& chart, QString (*textOf)(double)) const
{
  const double lineHeight = fontMetrics().height();
  double free = std::numeric_limits<double>::infinity(); // above the number before
  for (const double value : ticksOf(chart.bottom, chart.top)) {
    const double y = chart.at(std::pow(10.0, chart.left), value).y();
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(chart.area.left(), y), QPointF(chart.area.right(), y));
    if (y > free)
      continue;
    free = y - fontMetrics().ascent();
    painter.setPen(theme().secondaryText);
    painter.drawText(QRectF(chart.area.left() - kLeft, y - lineHeight / 2, kLeft - 10, lineHeight),
                     Qt::AlignRight | Qt::AlignVCenter, textOf(value));
  }
}

/// Vertical lines where was measured, named where there is room.
void BenchmarkChart::paintHorizontalAxis(QPainter& painter, const Layout& layout) const
{
  std::vector<double> measured;
  for (std::size_t point = 0; point < all.size(); ++point)
    if (isDrawn(point))
      measured.push_back(all[point].x);
  std::ranges::sort(measured);
  measured.erase(std::unique(measured.begin(), measured.end()), measured.end());
  constexpr double kGap = 10;
  const double lineHeight = fontMetrics().height();
  const auto widthOf = [this](double value) -> double { return fontMetrics().horizontalAdvance(formatNumber(value)); };
  // The largest has its number in any case, the others where it leaves room.
  const double last = measured.back();
  const double beginOfLast = layout.times.at(last, 1).x() - widthOf(last) / 2 - kGap;
  double free = -std::numeric_limits<double>::infinity();
  for (const double value : measured) {
    const double x = layout.times.at(value, 1).x();
    painter.setPen(QPen(theme().hairline, 1));
    for (const Chart* chart : {&layout.times, &layout.speedups})
      painter.drawLine(QPointF(x, chart->area.top()), QPointF(x, chart->area.bottom()));
    const QString text = formatNumber(value);
    const double width = widthOf(value);
    if (value < last && (x - width / 2 < free || x + width / 2 > beginOfLast))
      continue;
    free = x + width / 2 + kGap;
    painter.setPen(theme().secondaryText);
    painter.drawText(QRectF(x - width / 2 - 2, layout.speedups.area.bottom() + 6, width + 4, lineHeight),
                     Qt::AlignCenter, text);
  }
  painter.setPen(theme().secondaryText);
  paintTitle(painter, axisPlace(layout), texts.horizontalAxis);
}

/// Lines through both charts, named at the foot of the upper one.
void BenchmarkChart::paintMarks(QPainter& painter, const Layout& layout) const
{
  constexpr double kGap = 6;
  const double lineHeight = fontMetrics().height();
  const QRectF& area = layout.times.area;
  double bottom = area.bottom() - kGap;
  for (const ChartMark& mark : marks) {
    const double x = layout.times.at(mark.x, 1).x();
    if (x < area.left() || x > area.right())
      continue;
    painter.setPen(QPen(theme().accent, 1.5, Qt::DashDotLine));
    for (const Chart* chart : {&layout.times, &layout.speedups})
      painter.drawLine(QPointF(x, chart->area.top()), QPointF(x, chart->area.bottom()));
    const QString text = fontMetrics().elidedText(mark.text, Qt::ElideMiddle, static_cast<int>(area.width() - kGap));
    const double width = fontMetrics().horizontalAdvance(text);
    const double left = x + kGap + width <= area.right() ? x + kGap : std::max(area.left(), x - kGap - width);
    painter.setPen(theme().text);
    painter.drawText(QRectF(left, bottom - lineHeight, width + 2, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
    bottom -= lineHeight; // the names of several marks stand above one another
  }
}

void BenchmarkChart::paintLine(QPainter& painter, const ChartPoint& style, const std::vector<QPointF>& places) const
{
  QPen pen(style.color, 2);
  if (style.dotted)
    pen.setStyle(Qt::DotLine);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(places.data(), static_cast<int>(places.size()));
  painter.setPen(QPen(style.color, 1.5));
  painter.setBrush(style.dotted ? theme().canvas : style.color);
  for (const QPointF& place : places)
    style.square ? painter.drawRect(QRectF(place.x() - kMark, place.y() - kMark, 2 * kMark, 2 * kMark))
                 : painter.drawEllipse(place, kMark, kMark);
}

void BenchmarkChart::paintTimes(QPainter& painter, const Chart& chart) const
{
  paintFloor(painter, chart);
  const std::vector<Line> drawn = lines();
  for (const Line& line : drawn) {
    QPolygonF band;
    for (const std::size_t point : line.points)
      band << chart.at(all[point].x, all[point].milliseconds.lowerQuartile);
    for (auto point = line.points.rbegin(); point != line.points.rend(); ++point)
      band << chart.at(all[*point].x, all[*point].milliseconds.upperQuartile);
    QColor shade = all[line.points.front()].color;
    shade.setAlpha(56);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(band);
  }
  for (const Line& line : drawn) {
    std::vector<QPointF> places;
    for (const std::size_t point : line.points)
      places.push_back(chart.at(all[point].x, all[point].milliseconds.median));
    paintLine(painter, all[line.points.front()], places);
  }
}

void BenchmarkChart::paintSpeedups(QPainter& painter, const Chart& chart) const
{
  painter.setPen(QPen(theme().secondaryText, 1));
  const double one = chart.at(1, 1).y();
  painter.drawLine(QPointF(chart.area.left(), one), QPointF(chart.area.right(), one));
  for (Line line : lines()) {
    std::erase_if(line.points, [this](std::size_t point) { return !speedup(point); });
    if (line.points.empty())
      continue;
    std::vector<QPointF> places;
    for (const std::size_t point : line.points)
      places.push_back(chart.at(all[point].x, *speedup(point)));
    paintLine(painter, all[line.points.front()], places);
  }
}

/// The lowest of the lines that are drawn: with measurements on the CPU and on a device, the device's.
void BenchmarkChart::paintFloor(QPainter& painter, const Chart& chart) const
{
  std::vector<std::pair<double, double>> floors;
  for (std::size_t point = 0; point < all.size(); ++point)
    if (isDrawn(point) && all[point].floor > 0)
      floors.emplace_back(all[point].x, all[point].floor);
  std::ranges::sort(floors);
  QPolygonF path;
  for (std::size_t i = 0; i < floors.size(); ++i)
    if (i == 0 || floors[i].first != floors[i - 1].first) // the least of the same x comes first
      path << chart.at(floors[i].first, floors[i].second);
  painter.setPen(QPen(theme().secondaryText, 1.5, Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(path);
}

/// The names of the lines at their ends, pushed apart where they would cover one another; of many lines also beside the
/// lower chart.
void BenchmarkChart::paintLabels(QPainter& painter, const Layout& layout) const
{
  const Chart& chart = layout.times;
  struct Name
  {
    QString text;
    QColor color;
    QPointF end;
    double y;
  };
  std::vector<Name> names;
  double floorTime = 0;
  double furthest = 0;
  for (const Line& line : lines()) {
    const ChartPoint& last = all[line.points.back()];
    const QPointF end = chart.at(last.x, last.milliseconds.median);
    names.push_back({line.label, last.color, end, end.y()});
    if (last.floor > 0 && last.x >= furthest) {
      floorTime = last.x > furthest || floorTime == 0 ? last.floor : std::min(floorTime, last.floor);
      furthest = last.x;
    }
  }
  if (floorTime > 0) {
    const QPointF end = chart.at(furthest, floorTime);
    names.push_back({tr("floor"), theme().secondaryText, end, end.y()});
  }
  std::ranges::sort(names, {}, &Name::y);
  const double pitch = fontMetrics().height();
  const bool areMany = pitch * static_cast<double>(names.size()) > chart.area.height();
  const QRectF& lower = layout.speedups.area;
  for (std::size_t i = 1; i < names.size(); ++i) {
    double& y = names[i].y;
    y = std::max(y, names[i - 1].y + pitch);
    if (areMany && y > chart.area.bottom() && y < lower.top())
      y = lower.top(); // between the charts there is a title
  }
  const double end = areMany ? lower.bottom() : chart.area.bottom();
  const double overhang = names.back().y - end;
  for (std::size_t i = names.size(); overhang > 0 && i-- > 0;)
    names[i].y = std::min(names[i].y, end - pitch * static_cast<double>(names.size() - 1 - i));
  const double x = chart.area.right() + kLeaderWidth;
  const int room = static_cast<int>(layout.area.right() - kEdge - x);
  for (const Name& name : names) {
    QColor leader = name.color;
    leader.setAlpha(130);
    painter.setPen(QPen(leader, 1, Qt::DotLine)); // no line of measurements
    painter.drawLine(name.end + QPointF(kMark + 1, 0), QPointF(x - 3, name.y));
    painter.setPen(theme().text);
    painter.drawText(QRectF(x, name.y - pitch / 2, room, pitch), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(name.text, Qt::ElideMiddle, room));
  }
}

void BenchmarkChart::paintCurrent(QPainter& painter, const Layout& layout) const
{
  if (!current)
    return;
  painter.setPen(QPen(theme().selection, 2));
  painter.setBrush(Qt::NoBrush);
  const ChartPoint& point = all[*current];
  painter.drawEllipse(layout.times.at(point.x, point.milliseconds.median), kMark + 4, kMark + 4);
  if (const auto factor = speedup(*current))
    painter.drawEllipse(layout.speedups.at(point.x, *factor), kMark + 4, kMark + 4);
}

void BenchmarkChart::changeEvent(QEvent* event)
{
  if (event->type() == QEvent::PaletteChange)
    refresh();
  QWidget::changeEvent(event);
}

void BenchmarkChart::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  paint(painter, rect());
}

// ---- mouse and keys ----

void BenchmarkChart::setCurrent(std::optional<std::size_t> point)
{
  if (current == point)
    return;
  current = point;
  setCursor(current && texts.choosable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void BenchmarkChart::mousePressEvent(QMouseEvent* event)
{
  if (event->button() != Qt::LeftButton)
    return;
  setCurrent(pointAt(event->position()));
  choose();
}

void BenchmarkChart::choose()
{
  if (current && texts.choosable)
    emit pointChosen(*current);
}

void BenchmarkChart::mouseMoveEvent(QMouseEvent* event)
{
  setCurrent(pointAt(event->position()));
}

void BenchmarkChart::leaveEvent(QEvent* event)
{
  if (!hasFocus())
    setCurrent(std::nullopt);
  QWidget::leaveEvent(event);
}

void BenchmarkChart::focusInEvent(QFocusEvent* event)
{
  if (!current && event->reason() != Qt::MouseFocusReason)
    walk(0, 0);
  QWidget::focusInEvent(event);
}

/// To the next point of the line, or to the nearest of the next line.
void BenchmarkChart::walk(int alongLine, int acrossLines)
{
  const std::vector<Line> drawn = lines();
  if (drawn.empty())
    return;
  if (!current) {
    setCurrent(drawn.front().points.front());
    return;
  }
  const auto lineAt = [&](int index) -> const Line& {
    return drawn[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(drawn.size()) - 1))];
  };
  const auto here = std::ranges::find(drawn, all[*current].label, &Line::label);
  const Line& line = lineAt(static_cast<int>(here - drawn.begin()) + acrossLines);
  const auto distance = [this, x = all[*current].x](std::size_t point) { return std::abs(std::log(all[point].x / x)); };
  const auto closest = std::ranges::min_element(line.points, {}, distance);
  const auto wanted = (closest - line.points.begin()) + alongLine;
  setCurrent(line.points[static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(line.points.size()) - 1))]);
}

void BenchmarkChart::keyPressEvent(QKeyEvent* event)
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
    return choose();
  default:
    QWidget::keyPressEvent(event);
  }
}

bool BenchmarkChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip)
    return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto point = pointAt(help->pos()))
    QToolTip::showText(help->globalPos(), describe(*point), this);
  else
    QToolTip::hideText();
  return true;
}

} // namespace hinesight::widgets
