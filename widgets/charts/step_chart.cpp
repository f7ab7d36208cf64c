#include "widgets/charts/step_chart.hpp"

#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kMostJoins = 512; ///< more could not be told apart
constexpr double kHeadroom = 1.08;
constexpr int kNameGap = 12;
constexpr int kSwatch = 12;
constexpr double kDotRadius = 2; ///< pixels

} // namespace

StepChart::StepChart(const QString& name, const QString& unitOfValues, std::vector<Line> allLines, QWidget* parent)
    : TitledChart(name, parent), unit(unitOfValues), lines(std::move(allLines)), lastValues(lines.size(), 0)
{}

void StepChart::append(std::uint32_t step, const std::vector<double>& values)
{
  if (joined.empty() || joined.back().count == joinSize) {
    if (joined.size() == kMostJoins) {
      halve();
    }
    Join join;
    for (const double value : values) {
      join.ranges.push_back({value, value});
    }
    joined.push_back(std::move(join));
  }
  Join& join = joined.back();
  join.step = step;
  ++join.count;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    join.ranges[line].least = std::min(join.ranges[line].least, values[line]);
    join.ranges[line].most = std::max(join.ranges[line].most, values[line]);
  }
  last = step;
  lastValues = values;
  update();
}

void StepChart::halve()
{
  for (std::size_t place = 0; place < joined.size() / 2; ++place) {
    Join join = std::move(joined[2 * place]);
    const Join& later = joined[2 * place + 1];
    join.step = later.step;
    join.count += later.count;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      join.ranges[line].least = std::min(join.ranges[line].least, later.ranges[line].least);
      join.ranges[line].most = std::max(join.ranges[line].most, later.ranges[line].most);
    }
    joined[place] = std::move(join);
  }
  joined.resize(joined.size() / 2);
  joinSize *= 2;
}

void StepChart::clear(std::uint32_t beginStep)
{
  joined.clear();
  joinSize = 1;
  begin = beginStep;
  last = 0;
  std::fill(lastValues.begin(), lastValues.end(), 0.0);
  update();
}

double StepChart::lastValue(std::size_t line) const
{
  return lastValues[line];
}

double StepChart::highest() const
{
  double most = 0;
  for (const Join& join : joined) {
    for (const Range& range : join.ranges) {
      most = std::max(most, range.most);
    }
  }
  return most > 0 ? most * kHeadroom : 1;
}

double StepChart::xOf(std::uint32_t step, const QRectF& area) const
{
  return area.left() + area.width() * (step - begin) / std::max<double>(last - begin, 1);
}

/// More than two names may need a second row.
QSize StepChart::minimumSizeHint() const
{
  return {150, 116 + (lines.size() > 2 ? fontMetrics().height() : 0)};
}

QRectF StepChart::plot() const
{
  const double height = fontMetrics().height();
  QMarginsF margins(widthOfHeights(highest()) + 2 * kTickGap, 0, 0, height + kTickGap);
  const auto rows = static_cast<double>(rowsOfNames(plotArea(margins).width()).size());
  margins.setTop(rows * height + kTickGap);
  return plotArea(margins);
}

void StepChart::paintChart(QPainter& painter)
{
  paintTitle(painter, joined.empty() ? tr("%1; press Run").arg(unit) : unit);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = plot();
  paintAxes(painter, area);
  paintNames(painter);
  if (!joined.empty()) {
    paintLines(painter, area);
  }
}

void StepChart::paintAxes(QPainter& painter, const QRectF& area) const
{
  paintHeights(painter, area, highest());
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  painter.drawText(QPointF(area.left(), baseline), formatNumber(begin));
  if (!joined.empty()) {
    const QString end = tr("step %1").arg(formatNumber(last));
    painter.drawText(QPointF(area.right() - fontMetrics().horizontalAdvance(end), baseline), end);
  }
}

void StepChart::paintLines(QPainter& painter, const QRectF& area) const
{
  const double top = highest();
  for (std::size_t line = 0; line < lines.size(); ++line) {
    QPolygonF path;
    for (const Join& join : joined) {
      const double x = xOf(join.step, area);
      const Range& range = join.ranges[line];
      path << QPointF(x, area.bottom() - area.height() * range.least / top);
      if (range.most > range.least) {
        path << QPointF(x, area.bottom() - area.height() * range.most / top);
      }
    }
    const QColor color = categoryColor(lines[line].category);
    painter.setPen(QPen(color, 1.5, lines[line].dashed ? Qt::DashLine : Qt::SolidLine));
    painter.drawPolyline(path);
    if (path.size() == 1) {
      painter.setBrush(color); // no line yet
      painter.drawEllipse(path.front(), kDotRadius, kDotRadius);
      painter.setBrush(Qt::NoBrush);
    }
  }
}

/// With their last values, where there is room for all of them in a row; bare, where there is for these; else bare in
/// two rows.
std::vector<QStringList> StepChart::rowsOfNames(double room) const
{
  if (hasNamesBelow())
    return {};
  QStringList bare, valued;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    bare << lines[line].name;
    valued << QStringLiteral("%1 %2").arg(lines[line].name, formatNumber(lastValues[line]));
  }
  const auto fits = [&](const QStringList& texts) {
    double wanted = -kNameGap;
    for (const QString& text : texts)
      wanted += kSwatch + kTickGap + fontMetrics().horizontalAdvance(text) + kNameGap;
    return wanted <= room;
  };
  if (!joined.empty() && fits(valued))
    return {valued};
  if (fits(bare))
    return {bare};
  const qsizetype inFirst = (bare.size() + 1) / 2;
  std::vector<QStringList> rows = {shortened(bare.first(inFirst), room)};
  if (bare.size() > inFirst)
    rows.push_back(shortened(bare.sliced(inFirst), room));
  return rows;
}

/// To fit in a row. The shortest come first: what they leave of their share is the others'.
QStringList StepChart::shortened(QStringList texts, double room) const
{
  double rest = room + kNameGap - static_cast<double>(texts.size()) * (kSwatch + kTickGap + kNameGap);
  const auto widthOf = [this](const QString& text) { return fontMetrics().horizontalAdvance(text); };
  std::vector<QString*> order;
  for (QString& text : texts)
    order.push_back(&text);
  std::ranges::stable_sort(order, {}, [&](const QString* text) { return widthOf(*text); });
  auto waiting = static_cast<double>(order.size());
  for (QString* text : order) {
    const int share = static_cast<int>(std::max(0.0, rest / waiting--));
    *text = fontMetrics().elidedText(*text, Qt::ElideMiddle, share);
    if (widthOf(*text) > share)
      text->clear(); // not even for dots
    rest -= widthOf(*text);
  }
  return texts;
}

std::vector<StepChart::PaintedName> StepChart::paintedNames() const
{
  const QRectF area = plot();
  const int height = fontMetrics().height();
  const std::vector<QStringList> rows = rowsOfNames(area.width());
  double top = area.top() - kTickGap - height * static_cast<double>(rows.size());
  std::vector<PaintedName> painted;
  for (const QStringList& row : rows) {
    double left = area.left() + kSwatch + kTickGap;
    for (const QString& text : row) {
      const double width = fontMetrics().horizontalAdvance(text);
      painted.push_back({text, QRectF(left, top, width, height)});
      left += width + kNameGap + kSwatch + kTickGap;
    }
    top += height;
  }
  return painted;
}

std::vector<TitledChart::LineName> StepChart::namesWithoutRoom() const
{
  const std::vector<PaintedName> painted = paintedNames();
  std::vector<LineName> names;
  bool isAnyShortened = false;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    isAnyShortened = isAnyShortened || !painted[line].text.startsWith(lines[line].name);
    names.push_back(
        {lines[line].name, categoryColor(lines[line].category), lines[line].dashed ? Qt::DashLine : Qt::SolidLine});
  }
  return isAnyShortened ? names : std::vector<LineName>();
}

/// Above the plot.
void StepChart::paintNames(QPainter& painter) const
{
  if (hasNamesBelow())
    return;
  const std::vector<PaintedName> painted = paintedNames();
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const QRectF& place = painted[line].place;
    const double left = place.left() - kSwatch - kTickGap;
    const double baseline = place.top() + fontMetrics().ascent();
    painter.setPen(QPen(categoryColor(lines[line].category), 2, lines[line].dashed ? Qt::DashLine : Qt::SolidLine));
    painter.drawLine(QPointF(left, baseline - 4), QPointF(left + kSwatch, baseline - 4));
    painter.setPen(theme().text);
    painter.drawText(QPointF(place.left(), baseline), painted[line].text);
  }
}

bool StepChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip || joined.empty()) {
    return TitledChart::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF area = plot();
  const auto pointed = static_cast<double>(help->pos().x());
  const auto found = std::lower_bound(joined.begin(), joined.end(), pointed,
                                      [&](const Join& join, double x) { return xOf(join.step, area) < x; });
  if (found == joined.end() || pointed < area.left()) {
    QToolTip::hideText();
    return true;
  }
  QString text = tr("step %1").arg(formatNumber(found->step));
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const Range& range = found->ranges[line];
    const QString least = formatNumber(range.least);
    const QString most = formatNumber(range.most);
    text += QStringLiteral("\n%1: %2").arg(lines[line].name, least == most ? least : tr("%1 to %2").arg(least, most));
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

} // namespace hinesight::widgets
