#include "widgets/charts/bin_chart.hpp"

#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kHeadroom = 1.08;
constexpr int kNameGap = 12;
constexpr int kSwatch = 12;

} // namespace

BinChart::BinChart(const QString& name, const QString& unitOfValues, const QString& axisOfBins, QWidget* parent)
    : TitledChart(name, parent), unit(unitOfValues), axis(axisOfBins)
{}

void BinChart::setHistograms(std::vector<Histogram> histograms, double binWidth, const QString& whyNone)
{
  all = std::move(histograms);
  width = binWidth;
  nothing = whyNone;
  update();
}

std::size_t BinChart::bins() const
{
  return all.empty() ? 0 : all.front().values.size();
}

double BinChart::highest() const
{
  double most = 0;
  for (const Histogram& each : all)
    for (const double value : each.values)
      most = std::max(most, value);
  return most > 0 ? most * kHeadroom : 1;
}

QRectF BinChart::plot() const
{
  const double line = fontMetrics().height() + kTickGap;
  return plotArea(QMarginsF(widthOfHeights(highest()) + 2 * kTickGap, line, 0, line));
}

void BinChart::paintChart(QPainter& painter)
{
  paintTitle(painter, bins() == 0 ? nothing : unit);
  if (bins() == 0)
    return;
  const QRectF area = plot();
  paintAxes(painter, area);
  paintNames(painter, area);
  painter.setRenderHint(QPainter::Antialiasing);
  paintOutlines(painter, area);
}

void BinChart::paintAxes(QPainter& painter, const QRectF& area) const
{
  paintHeights(painter, area, highest());
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  const QString end = formatNumber(static_cast<double>(bins()) * width);
  const double endLeft = area.right() - fontMetrics().horizontalAdvance(end);
  const double beginRight = area.left() + fontMetrics().horizontalAdvance(QLatin1Char('0')) + kNameGap;
  painter.drawText(QPointF(area.left(), baseline), QStringLiteral("0"));
  painter.drawText(QPointF(endLeft, baseline), end);
  const QString text = fitting(axis, Qt::ElideRight, endLeft - kNameGap - beginRight);
  const double centre = (beginRight + endLeft - kNameGap - fontMetrics().horizontalAdvance(text)) / 2;
  painter.drawText(QPointF(centre, baseline), text);
}

void BinChart::paintOutlines(QPainter& painter, const QRectF& area) const
{
  const double top = highest();
  const double step = area.width() / static_cast<double>(bins());
  for (std::size_t k = 0; k < all.size(); ++k) {
    QPolygonF outline;
    for (std::size_t bin = 0; bin < bins(); ++bin) {
      const double y = area.bottom() - area.height() * all[k].values[bin] / top;
      outline << QPointF(area.left() + step * static_cast<double>(bin), y)
              << QPointF(area.left() + step * static_cast<double>(bin + 1), y);
    }
    painter.setPen(QPen(categoryColor(static_cast<std::int64_t>(k)), 1.5, styleOf(k)));
    painter.drawPolyline(outline);
  }
}

/// Told apart without colour, too.
Qt::PenStyle BinChart::styleOf(std::size_t histogram)
{
  return histogram == 0 ? Qt::SolidLine : Qt::DashLine;
}

/// Of its share of the line above the plot.
double BinChart::roomOfName(const QRectF& area) const
{
  return area.width() / static_cast<double>(all.size()) - kSwatch - kTickGap - kNameGap;
}

std::vector<TitledChart::LineName> BinChart::namesWithoutRoom() const
{
  std::vector<LineName> names;
  const double room = roomOfName(plot());
  if (std::ranges::any_of(all,
                          [&](const Histogram& each) { return fontMetrics().horizontalAdvance(each.name) > room; }))
    for (std::size_t k = 0; k < all.size(); ++k)
      names.push_back({all[k].name, categoryColor(static_cast<std::int64_t>(k)), styleOf(k)});
  return names;
}

/// In a line above the plot.
void BinChart::paintNames(QPainter& painter, const QRectF& area) const
{
  if (hasNamesBelow())
    return;
  const double baseline = area.top() - kTickGap - fontMetrics().descent();
  double left = area.left();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const QString text = fitting(all[k].name, Qt::ElideMiddle, roomOfName(area));
    painter.setPen(QPen(categoryColor(static_cast<std::int64_t>(k)), 2, styleOf(k)));
    painter.drawLine(QPointF(left, baseline - 4), QPointF(left + kSwatch, baseline - 4));
    painter.setPen(theme().text);
    painter.drawText(QPointF(left + kSwatch + kTickGap, baseline), text);
    left += kSwatch + kTickGap + fontMetrics().horizontalAdvance(text) + kNameGap;
  }
}

bool BinChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip || bins() == 0)
    return TitledChart::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF area = plot();
  if (!area.contains(help->pos())) {
    QToolTip::hideText();
    return true;
  }
  const double at = (help->pos().x() - area.left()) / area.width() * static_cast<double>(bins());
  const std::size_t bin = std::min(bins() - 1, static_cast<std::size_t>(std::max(0.0, at)));
  const auto begin = static_cast<double>(bin);
  QString text = tr("%1: %2 to %3").arg(axis, formatNumber(begin * width), formatNumber((begin + 1) * width));
  for (const Histogram& each : all)
    text += QStringLiteral("\n%1: %2").arg(each.name, formatNumber(each.values[bin]));
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

} // namespace hinesight::widgets
