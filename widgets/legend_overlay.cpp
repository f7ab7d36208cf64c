#include "widgets/legend_overlay.hpp"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace hinesight::widgets {

namespace {

constexpr int kMargin = 10;
constexpr int kSwatch = 10;
constexpr int kGap = 8;
constexpr int kBarWidth = 168;
constexpr int kBarHeight = 9;
constexpr std::size_t kMostEntries = 12; // more are counted in one last line

int rowHeight(const QFontMetrics& metrics)
{
  return metrics.height() + 3;
}

std::size_t rows(const Legend& legend)
{
  return std::min(legend.entries.size(), kMostEntries + 1);
}

QString rowText(const Legend& legend, std::size_t row)
{
  if (row < kMostEntries) {
    return legend.entries[row].label;
  }
  return QObject::tr("and %1 more").arg(formatNumber(static_cast<double>(legend.entries.size() - kMostEntries)));
}

} // namespace

LegendOverlay::LegendOverlay(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("legend"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setVisible(false);
}

void LegendOverlay::setLegend(const Legend& legend)
{
  shown = legend;
  setVisible(!shown.title.isEmpty());
  resize(sizeHint());
  updateGeometry();
  update();
}

QSize LegendOverlay::sizeHint() const
{
  const QFontMetrics metrics(font());
  int width = metrics.horizontalAdvance(shown.title);
  int height = kMargin + rowHeight(metrics);
  if (shown.isQuantity) {
    width = std::max(width, kBarWidth);
    height += kBarHeight + rowHeight(metrics) + 2;
  } else {
    for (std::size_t row = 0; row < rows(shown); ++row) {
      width = std::max(width, kSwatch + kGap + metrics.horizontalAdvance(rowText(shown, row)));
    }
    height += static_cast<int>(rows(shown)) * rowHeight(metrics);
  }
  return {width + 2 * kMargin, height + kMargin - 3};
}

void LegendOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().hairline, 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);

  const QFontMetrics metrics(font());
  painter.setPen(theme().secondaryText);
  painter.drawText(kMargin, kMargin + metrics.ascent() - 2, shown.title);
  const int top = kMargin + rowHeight(metrics);
  if (shown.isQuantity) {
    paintColorBar(painter, top);
  } else {
    paintSwatches(painter, top);
  }
}

void LegendOverlay::paintSwatches(QPainter& painter, int top)
{
  const QFontMetrics metrics(font());
  for (std::size_t row = 0; row < rows(shown); ++row) {
    const int y = top + static_cast<int>(row) * rowHeight(metrics);
    if (row < kMostEntries) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(shown.entries[row].color);
      painter.drawRoundedRect(QRectF(kMargin, y + (metrics.height() - kSwatch) / 2.0, kSwatch, kSwatch), 3, 3);
    }
    painter.setPen(theme().text);
    painter.drawText(kMargin + kSwatch + kGap, y + metrics.ascent(), rowText(shown, row));
  }
}

void LegendOverlay::paintColorBar(QPainter& painter, int top)
{
  QLinearGradient gradient(kMargin, 0, kMargin + kBarWidth, 0);
  constexpr int kStops = 32;
  for (int stop = 0; stop <= kStops; ++stop) {
    const double fraction = static_cast<double>(stop) / kStops;
    gradient.setColorAt(fraction, mapColor(shown.map, fraction));
  }
  const QRectF bar(kMargin, top + 1, kBarWidth, kBarHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(gradient);
  painter.drawRoundedRect(bar, 3, 3);

  const QFontMetrics metrics(font());
  const int baseline = top + kBarHeight + 4 + metrics.ascent();
  const QString high = (shown.clamped ? QStringLiteral("\u2265 ") : QString()) + formatNumber(shown.high);
  const QString middle = formatNumber((shown.low + shown.high) / 2);
  painter.setPen(theme().text);
  painter.drawText(kMargin, baseline, formatNumber(shown.low));
  painter.drawText(kMargin + (kBarWidth - metrics.horizontalAdvance(middle)) / 2, baseline, middle);
  painter.drawText(kMargin + kBarWidth - metrics.horizontalAdvance(high), baseline, high);
}

} // namespace hinesight::widgets
