#include "widgets/charts/profile_chart.hpp"

#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace hinesight::widgets {

namespace {

constexpr double kHeadroom = 1.08;
constexpr double kTickGap = 4;
constexpr int kFirstCategory = 1; ///< the first is a grey

} // namespace

ProfileChart::ProfileChart(const QString& name, QWidget* parent) : TitledChart(name, parent) {}

void ProfileChart::setCurves(std::vector<Curve> curves, double classWidth, const QString& ofQuantity, bool asStair)
{
  shown = std::move(curves);
  width = classWidth;
  unit = ofQuantity;
  isStair = asStair;
  update();
}

double ProfileChart::highest() const
{
  double most = 0;
  for (const Curve& curve : shown) {
    for (const double value : curve.values) {
      most = std::max(most, value);
    }
  }
  return most > 0 ? most * kHeadroom : 1;
}

std::size_t ProfileChart::places() const
{
  std::size_t most = 1;
  for (const Curve& curve : shown) {
    most = std::max(most, curve.values.size());
  }
  return most;
}

QRectF ProfileChart::plot() const
{
  const double left = fontMetrics().horizontalAdvance(formatNumber(roundLength(highest()))) + 3 * kTickGap;
  return plotArea(QMarginsF(left, kTickGap, kTickGap, fontMetrics().height() + kTickGap));
}

void ProfileChart::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  QStringList names;
  for (const Curve& curve : shown) {
    names << curve.name;
  }
  paintTitle(painter, names.join(QStringLiteral(", ")));
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = plot();
  paintAxes(painter, area);
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    paintCurve(painter, area, curve);
  }
}

void ProfileChart::paintAxes(QPainter& painter, const QRectF& area) const
{
  const double top = highest();
  const double step = roundLength(top / 2);
  for (double value = 0; value <= top; value += step) {
    const double y = area.bottom() - area.height() * value / top;
    painter.setPen(QPen(theme().hairline, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    const QString label = formatNumber(value);
    painter.setPen(theme().secondaryText);
    painter.drawText(QPointF(area.left() - fontMetrics().horizontalAdvance(label) - kTickGap, y + 4), label);
  }
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  painter.drawText(QPointF(area.left(), baseline), QStringLiteral("0"));
  const QString end =
      formatNumber(static_cast<double>(places()) * width) + (unit.isEmpty() ? QString() : QStringLiteral(" ") + unit);
  painter.drawText(QPointF(area.right() - fontMetrics().horizontalAdvance(end), baseline), end);
}

void ProfileChart::paintCurve(QPainter& painter, const QRectF& area, std::size_t curve) const
{
  const std::vector<double>& values = shown[curve].values;
  const double across = area.width() / static_cast<double>(places());
  const double top = highest();
  const auto yOf = [&](double value) { return area.bottom() - area.height() * value / top; };
  QPolygonF path;
  path << area.bottomLeft();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double right = area.left() + across * static_cast<double>(k + 1);
    if (isStair) {
      path << QPointF(right - across, yOf(values[k]));
    }
    path << QPointF(right, yOf(values[k]));
  }
  const QColor color = categoryColor(kFirstCategory + static_cast<int>(curve));
  if (isStair) {
    path << QPointF(area.left() + across * static_cast<double>(values.size()), area.bottom());
    QColor faint = color;
    faint.setAlpha(60);
    painter.setBrush(faint);
    painter.setPen(QPen(color, 1.5));
    painter.drawPolygon(path);
    painter.setBrush(Qt::NoBrush);
  } else {
    painter.setPen(QPen(color, 1.5));
    painter.drawPolyline(path);
  }
}

bool ProfileChart::event(QEvent* event)
{
  if (event->type() != QEvent::ToolTip || shown.empty()) {
    return TitledChart::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF area = plot();
  const double share = (help->pos().x() - area.left()) / area.width();
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(places()));
  if (share < 0 || place >= static_cast<std::ptrdiff_t>(places())) {
    QToolTip::hideText();
    return true;
  }
  const auto k = static_cast<std::size_t>(place);
  const QString from = formatNumber(static_cast<double>(k) * width);
  const QString to = formatNumber(static_cast<double>(k + 1) * width);
  QString text = (isStair ? tr("%1 to %2 %3").arg(from, to, unit) : tr("%1 %2").arg(to, unit)).trimmed();
  for (const Curve& curve : shown) {
    text += QStringLiteral("\n%1: %2").arg(curve.name, formatNumber(k < curve.values.size() ? curve.values[k] : 0));
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

} // namespace hinesight::widgets
