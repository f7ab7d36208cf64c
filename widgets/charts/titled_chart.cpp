#include "widgets/charts/titled_chart.hpp"

#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QPainter>
#include <QScopedValueRollback>

namespace hinesight::widgets {

namespace {

constexpr int kMargin = 10;
constexpr int kTitleGap = 6;
constexpr int kTextGap = 8; // from the title to the text behind it

QFont smallFont(const QFont& base)
{
  QFont font = base;
  font.setPointSizeF(base.pointSizeF() * 0.85);
  return font;
}

QFont boldFont(const QFont& base)
{
  QFont font = base;
  font.setWeight(QFont::DemiBold);
  return font;
}

} // namespace

TitledChart::TitledChart(const QString& name, QWidget* parent) : QWidget(parent), heading(name)
{
  setFont(smallFont(font()));
}

void TitledChart::paintTitle(QPainter& painter, const QString& text) const
{
  if (!isTransparent) {
    painter.fillRect(rect(), theme().canvas);
  }
  const QFont bold = boldFont(font());
  const QFontMetrics titleMetrics(bold);
  const int baseline = kMargin + titleMetrics.ascent();
  painter.setFont(bold);
  painter.setPen(theme().text);
  painter.drawText(kMargin, baseline, heading);
  painter.setFont(font());
  painter.setPen(theme().secondaryText);
  const int left = kMargin + titleMetrics.horizontalAdvance(heading) + kTextGap;
  painter.drawText(left, baseline, fontMetrics().elidedText(text, Qt::ElideRight, width() - left - kMargin));
}

double TitledChart::titleEnd(const QString& text) const
{
  return kMargin + QFontMetrics(boldFont(font())).horizontalAdvance(heading) + kTextGap +
         fontMetrics().horizontalAdvance(text);
}

void TitledChart::paintPart(QPainter& painter, const FigureArea& area)
{
  const QScopedValueRollback ground(isTransparent, area.isTransparent);
  render(&painter, {}, {}, {});
}

void TitledChart::paintHeights(QPainter& painter, const QRectF& area, double top) const
{
  const double step = roundLength(top / 2);
  for (double value = 0; value <= top; value += step) {
    const double y = area.bottom() - area.height() * value / top;
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    const QString label = formatNumber(value);
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(area.left() - fontMetrics().horizontalAdvance(label) - kTickGap, y + 4), label);
  }
}

QRectF TitledChart::plotArea(const QMarginsF& margins) const
{
  const double top = kMargin + fontMetrics().height() + kTitleGap;
  const QRectF area(kMargin, top, width() - 2 * kMargin, height() - top - kMargin);
  return area.marginsRemoved(margins);
}

void TitledChart::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    update();
  }
}

} // namespace hinesight::widgets
