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
constexpr double kSwatch = 12; // length of the line beside a name

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

void ProfileChart::setAxisTitles(const QString& ofQuantity, const QString& ofNumbers)
{
  across = ofQuantity;
  upwards = ofNumbers;
  update();
}

QColor ProfileChart::colorOf(std::size_t curve)
{
  return curve == 0 ? theme().accent : theme().text;
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
  const double title = upwards.isEmpty() ? 0 : fontMetrics().height();
  const double left = title + fontMetrics().horizontalAdvance(formatNumber(roundLength(highest()))) + 3 * kTickGap;
  return plotArea(QMarginsF(left, kTickGap, kTickGap, fontMetrics().height() + kTickGap));
}

void ProfileChart::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  paintTitle(painter, {});
  paintLegend(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF area = plot();
  paintAxes(painter, area);
  for (std::size_t curve = 0; curve < shown.size(); ++curve) {
    paintCurve(painter, area, curve);
  }
}

/// At the right of the heading, the first curve at the left.
void ProfileChart::paintLegend(QPainter& painter) const
{
  const QRectF whole = plotArea({});
  const double baseline = whole.top() - fontMetrics().height() + fontMetrics().ascent() / 2.0 + kTickGap;
  const double most = whole.width() * 2 / 3 / static_cast<double>(std::max<std::size_t>(1, shown.size())) - 2 * kSwatch;
  double right = whole.right();
  for (std::size_t curve = shown.size(); curve-- > 0;) {
    const QString name = fontMetrics().elidedText(shown[curve].name, Qt::ElideMiddle, static_cast<int>(most));
    right -= fontMetrics().horizontalAdvance(name);
    painter.setPen(theme().text);
    painter.drawText(QPointF(right, baseline), name);
    right -= kSwatch + kTickGap;
    painter.setPen(QPen(colorOf(curve), 2));
    const double middle = baseline - fontMetrics().ascent() / 3.0;
    painter.drawLine(QPointF(right, middle), QPointF(right + kSwatch, middle));
    right -= kSwatch;
  }
}

void ProfileChart::paintAxes(QPainter& painter, const QRectF& area) const
{
  paintHeights(painter, area, highest());
  const double baseline = area.bottom() + kTickGap + fontMetrics().ascent();
  painter.drawText(QPointF(area.left(), baseline), QStringLiteral("0"));
  const bool hasUnit = unit.isEmpty() || !across.isEmpty(); // which has it
  const QString end =
      formatNumber(static_cast<double>(places()) * width) + (hasUnit ? QString() : QStringLiteral(" ") + unit);
  const double endLeft = area.right() - fontMetrics().horizontalAdvance(end);
  painter.drawText(QPointF(endLeft, baseline), end);
  const auto paintCentred = [&](const QString& title, double from, double to, double y) {
    const QString text = fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(to - from));
    painter.drawText(QPointF((from + to - fontMetrics().horizontalAdvance(text)) / 2, y), text);
  };
  paintCentred(across, area.left() + 4 * kTickGap, endLeft - kTickGap, baseline);
  painter.save();
  painter.rotate(-90);
  paintCentred(upwards, -area.bottom(), -area.top(), plotArea({}).left() + fontMetrics().ascent() - kTickGap);
  painter.restore();
}

void ProfileChart::paintCurve(QPainter& painter, const QRectF& area, std::size_t curve) const
{
  const std::vector<double>& values = shown[curve].values;
  const double step = area.width() / static_cast<double>(places());
  const double top = highest();
  const auto yOf = [&](double value) { return area.bottom() - area.height() * value / top; };
  QPolygonF path;
  path << area.bottomLeft();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double right = area.left() + step * static_cast<double>(k + 1);
    if (isStair) {
      path << QPointF(right - step, yOf(values[k]));
    }
    path << QPointF(right, yOf(values[k]));
  }
  const QColor color = colorOf(curve);
  if (isStair) {
    path << QPointF(area.left() + step * static_cast<double>(values.size()), area.bottom());
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
