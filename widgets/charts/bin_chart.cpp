#include "widgets/charts/bin_chart.hpp"

#include "widgets/orbit/scale_overlay.hpp"
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
  const double step = roundLength(highest() / 2);
  const int widest = std::max(fontMetrics().horizontalAdvance(formatNumber(step)),
                              fontMetrics().horizontalAdvance(formatNumber(2 * step)));
  return plotArea(
      QMarginsF(widest + 2 * kTickGap, fontMetrics().height() + kTickGap, 0, fontMetrics().height() + kTickGap));
}

void BinChart::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
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
  const QString text =
      fontMetrics().elidedText(axis, Qt::ElideRight, static_cast<int>(endLeft - kNameGap - beginRight));
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
    // Told apart without colour, too.
    painter.setPen(QPen(categoryColor(static_cast<std::int64_t>(k)), 1.5, k == 0 ? Qt::SolidLine : Qt::DashLine));
    painter.drawPolyline(outline);
  }
}

/// In a line above the plot, each with its share of the room.
void BinChart::paintNames(QPainter& painter, const QRectF& area) const
{
  const double share = area.width() / static_cast<double>(all.size());
  const double baseline = area.top() - kTickGap - fontMetrics().descent();
  double left = area.left();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int room = static_cast<int>(share) - kSwatch - kTickGap - kNameGap;
    const QString text = fontMetrics().elidedText(all[k].name, Qt::ElideMiddle, room);
    painter.setPen(QPen(categoryColor(static_cast<std::int64_t>(k)), 2, k == 0 ? Qt::SolidLine : Qt::DashLine));
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
