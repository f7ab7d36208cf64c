#include "widgets/synapse/synapse_charts.hpp"

#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr double kBandWidth = 2; ///< standard deviations each way
constexpr int kBandAlpha = 70;
constexpr double kBarOpacity = 0.4;

} // namespace

DistanceChart::DistanceChart(QWidget* parent) : TitledChart(tr("Distances"), parent) {}

void DistanceChart::setFigure(const DistanceFigure& figure)
{
  shown = figure;
  update();
}

QRectF DistanceChart::plot() const
{
  return plotArea(QMarginsF(widthOfHeights(most()) + 2 * kTickGap, 0, 0, fontMetrics().height() + kTickGap));
}

double DistanceChart::most() const
{
  double highest = 1;
  for (std::size_t bin = 0; bin < shown.counts.size(); ++bin) {
    highest = std::max(highest, static_cast<double>(shown.counts[bin]));
    if (shown.hasExpectation()) {
      highest = std::max(highest, shown.expected[bin] + kBandWidth * shown.deviation[bin]);
    }
  }
  return highest;
}

void DistanceChart::paintChart(QPainter& painter)
{
  if (shown.synapses == 0) {
    paintTitle(painter, tr("no synapses"));
    return;
  }
  paintTitle(painter,
             shown.hasExpectation()
                 ? tr("synapses by length, mean %1; line: the kernel's, \u00b1 2 s.d.").arg(formatLength(shown.mean))
                 : tr("synapses by length, mean %1").arg(formatLength(shown.mean)));
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = plot();
  paintAxes(painter, area);
  QColor bar = theme().secondaryText;
  bar.setAlphaF(static_cast<float>(kBarOpacity));
  const double width = area.width() / static_cast<double>(shown.counts.size());
  for (std::size_t bin = 0; bin < shown.counts.size(); ++bin) {
    const double height = area.height() * static_cast<double>(shown.counts[bin]) / most();
    painter.fillRect(QRectF(area.left() + static_cast<double>(bin) * width, area.bottom() - height,
                            std::max(1.0, width - 0.8), height),
                     bar);
  }
  if (shown.hasExpectation()) {
    paintExpectation(painter, area);
  }
}

void DistanceChart::paintAxes(QPainter& painter, const QRectF& area) const
{
  paintHeights(painter, area, most());
  const double farthest = shown.binWidth * static_cast<double>(shown.counts.size());
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  const double lengthStep = roundLength(farthest / 2);
  double free = area.left(); // beside the label before
  for (double length = 0; length <= farthest; length += lengthStep) {
    const QString label = length == 0 ? QStringLiteral("0") : formatLength(length);
    const double x = area.left() + area.width() * length / farthest;
    const double advance = fontMetrics().horizontalAdvance(label);
    const double left = std::max(area.left(), std::min(x - advance / 2, area.right() - advance));
    if (left < free)
      continue;
    free = left + advance + kTickGap;
    painter.drawText(QPointF(left, baseline), label);
  }
}

void DistanceChart::paintExpectation(QPainter& painter, const QRectF& area) const
{
  const double width = area.width() / static_cast<double>(shown.counts.size());
  const auto at = [&](std::size_t bin, double value) {
    return QPointF(area.left() + (static_cast<double>(bin) + 0.5) * width,
                   area.bottom() - area.height() * std::max(0.0, value) / most());
  };
  QPolygonF line;
  QPolygonF band;
  for (std::size_t bin = 0; bin < shown.counts.size(); ++bin) {
    line << at(bin, shown.expected[bin]);
    band << at(bin, shown.expected[bin] + kBandWidth * shown.deviation[bin]);
  }
  for (std::size_t bin = shown.counts.size(); bin-- > 0;) {
    band << at(bin, shown.expected[bin] - kBandWidth * shown.deviation[bin]);
  }
  QColor color = theme().accent;
  color.setAlpha(kBandAlpha);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(band);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 1.6));
  painter.drawPolyline(line);
}

bool DistanceChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip || shown.synapses == 0) {
    return TitledChart::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF area = plot();
  const double share = (help->pos().x() - area.left()) / area.width();
  if (share < 0 || share >= 1) {
    QToolTip::hideText();
    return true;
  }
  const auto bin = static_cast<std::size_t>(share * static_cast<double>(shown.counts.size()));
  QString text = tr("%1 synapses of %2 to %3")
                     .arg(formatNumber(static_cast<double>(shown.counts[bin])),
                          formatLength(static_cast<double>(bin) * shown.binWidth),
                          formatLength(static_cast<double>(bin + 1) * shown.binWidth));
  if (shown.hasExpectation()) {
    text += tr("\nthe kernel: %1 \u00b1 %2, from %3 seekers")
                .arg(formatNumber(std::round(shown.expected[bin])), formatNumber(shown.deviation[bin]),
                     formatNumber(shown.seekers));
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

} // namespace hinesight::widgets
