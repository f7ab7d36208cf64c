#include "widgets/canvas/planar_canvas_overlay.hpp"

#include "widgets/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kTextGap = 6;           // pixels between a text and what it belongs to
constexpr double kEdgeGap = 12;          // pixels between a text and the edge of the widget
constexpr double kTickLength = 4;        // pixels
constexpr double kTickTextDistance = 56; // pixels between numbers across
constexpr double kTickLineDistance = 30; // pixels between numbers down
constexpr double kLeastDistance = 6;     // pixels between lines of a grid
constexpr double kLeastOutline = 4;      // pixels
constexpr double kSmallTextScale = 0.9;
constexpr double kFaintOpacity = 0.5;
constexpr double kActiveHandleWidth = 3;
constexpr double kLeastGripLine = 120; // pixels; shorter lines have no room for a grip

QFont small(QFont font)
{
  if (font.pixelSize() > 0) {
    font.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * kSmallTextScale)));
  } else {
    font.setPointSizeF(font.pointSizeF() * kSmallTextScale);
  }
  return font;
}

QFont styled(const QFont& base, PlanarLabel::Style style)
{
  QFont font = style == PlanarLabel::Style::Strong ? base : small(base);
  font.setWeight(style == PlanarLabel::Style::Strong ? QFont::DemiBold : QFont::Normal);
  return font;
}

bool isHorizontal(const PlanarAxis& axis)
{
  return axis.edge == Qt::TopEdge || axis.edge == Qt::BottomEdge;
}

double scaleAlong(const PlanarAxis& axis, const PlanarTransform& transform)
{
  return isHorizontal(axis) ? transform.scaleX : transform.scaleY;
}

double toPixel(const PlanarAxis& axis, const PlanarTransform& transform, double value)
{
  const double scene = axis.toScene(value);
  return isHorizontal(axis) ? transform.x(scene) : transform.y(scene);
}

double toValue(const PlanarAxis& axis, const PlanarTransform& transform, double pixel)
{
  const QPointF scene = transform.toScene({pixel, pixel});
  return axis.toValue(isHorizontal(axis) ? scene.x() : scene.y());
}

/// The least step of at least `least` that is a power of two, or 1, 2 or 5 times a power of ten; never below 1.
double roundStep(double least, bool powerOfTwo)
{
  if (powerOfTwo) {
    return std::max(1.0, std::exp2(std::ceil(std::log2(least))));
  }
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= least) {
      return std::max(1.0, factor * decade);
    }
  }
  return std::max(1.0, 10 * decade);
}

QSizeF sizeOf(const QFontMetricsF& metrics, const QString& text)
{
  const QStringList lines = text.split(u'\n');
  double width = 0;
  for (const QString& line : lines) {
    width = std::max(width, metrics.horizontalAdvance(line));
  }
  return {std::ceil(width) + 1, metrics.lineSpacing() * static_cast<double>(lines.size())};
}

QPen outlinePen(double width)
{
  QPen pen(theme().selection, width);
  pen.setJoinStyle(Qt::MiterJoin);
  return pen;
}

} // namespace

PixelSpan axisSpan(const PlanarAxis& axis, const PlanarTransform& transform, const QRectF& plot)
{
  const bool across = isHorizontal(axis);
  const double from = across ? transform.x(axis.from) : transform.y(axis.from);
  const double to = across ? transform.x(axis.to) : transform.y(axis.to);
  return {std::max(from, across ? plot.left() : plot.top()), std::min(to, across ? plot.right() : plot.bottom())};
}

std::vector<double> multiplesInSight(const PlanarAxis& axis, const PlanarTransform& transform, const QRectF& plot,
                                     double step)
{
  const PixelSpan span = axisSpan(axis, transform, plot);
  if (span.isEmpty() || step * std::abs(axis.direction) * scaleAlong(axis, transform) < kLeastDistance) {
    return {};
  }
  double first = toValue(axis, transform, span.low);
  double last = toValue(axis, transform, span.high);
  if (first > last) {
    std::swap(first, last);
  }
  constexpr double kRounding = 1e-9; // keeps the multiples at both ends
  std::vector<double> values;
  for (double k = std::ceil(first / step - kRounding); k <= std::floor(last / step + kRounding); ++k) {
    values.push_back(k * step);
  }
  return values;
}

std::vector<double> axisTicks(const PlanarAxis& axis, const PlanarTransform& transform, const QRectF& plot,
                              double leastPixels)
{
  if (axis.scale != PlanarAxis::Scale::Logarithmic) {
    const double least = leastPixels / (std::abs(axis.direction) * scaleAlong(axis, transform));
    return multiplesInSight(axis, transform, plot, roundStep(least, axis.scale == PlanarAxis::Scale::PowersOfTwo));
  }
  const PixelSpan span = axisSpan(axis, transform, plot);
  std::vector<double> values;
  if (span.isEmpty()) {
    return values;
  }
  double last = -1e9;
  constexpr double kMostValue = 1e9;
  for (double decade = 1; decade < kMostValue; decade *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = toPixel(axis, transform, factor * decade);
      if (at > span.low - 0.5 && at < span.high + 0.5 && std::abs(at - last) >= leastPixels) {
        values.push_back(factor * decade);
        last = at;
      }
    }
  }
  return values;
}

PlanarOverlay::PlanarOverlay(PlanarCanvas& owner) : QWidget(&owner), canvas(owner)
{
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setAttribute(Qt::WA_NoSystemBackground);
}

void PlanarOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintOutlines(painter);
  paintHandles(painter);
  PlanarTexts shown({canvas.drawing(), canvas.transform(), canvas.plotArea(), size(), font()});
  shown.paint(painter);
  texts = std::move(shown.texts);
  rects = std::move(shown.rects);
}

void PlanarOverlay::paintOutlines(QPainter& painter) const
{
  const auto paint = [&](const std::vector<Outline>& outlines, double mostWidth) {
    painter.setBrush(Qt::NoBrush);
    for (const Outline& outline : outlines) {
      // Thinner around narrow bars, which must still be seen between the lines; never smaller than can be seen.
      const double width = std::clamp(outline.pixels.width() / 6, 1.0, mostWidth);
      const double growX = std::max(0.5 * width, 0.5 * (kLeastOutline - outline.pixels.width()));
      const double growY = std::max(0.5 * width, 0.5 * (kLeastOutline - outline.pixels.height()));
      const QRectF around = outline.pixels.adjusted(-growX, -growY, growX, growY);
      painter.setPen(outlinePen(outline.round ? mostWidth : width));
      if (outline.round) {
        painter.drawEllipse(around);
      } else {
        painter.drawRect(around);
      }
    }
  };
  painter.save();
  painter.setClipRect(canvas.plotArea().adjusted(-2, -2, 2, 2));
  paint(hovered, 1);
  paint(selected, 2);
  painter.restore();
}

QLineF paintHandle(QPainter& painter, const PlanarHandle& handle, const PlanarTransform& transform, const QRectF& plot,
                   double width)
{
  const double y = transform.y(handle.y);
  const double left = std::max(plot.left(), transform.x(handle.left));
  const double right = std::min(plot.right(), transform.x(handle.right));
  if (y < plot.top() || y > plot.bottom() || left >= right) {
    return {};
  }
  const QLineF line(left, y, right, y);
  painter.setPen(QPen(QColor(overCanvas(theme().accent, handle.inForce ? 1 : kFaintOpacity)), width));
  painter.drawLine(line);
  return line;
}

void PlanarOverlay::paintHandles(QPainter& painter) const
{
  for (const PlanarHandle& handle : canvas.drawing().handles) {
    const QLineF line = paintHandle(painter, handle, canvas.transform(), canvas.plotArea(),
                                    handle.id == activeHandle ? kActiveHandleWidth : kHandleWidth);
    if (line.dx() < kLeastGripLine) {
      continue;
    }
    // A grip shows that the line can be taken.
    const double y = line.y2();
    const QRectF grip(line.x2() - 30, y - 5, 22, 10);
    painter.setBrush(painter.pen().color());
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(grip, 5, 5);
    painter.setPen(QPen(theme().canvas, 1));
    for (const double offset : {-2.0, 0.0, 2.0}) {
      painter.drawLine(QPointF(grip.left() + 6, y + offset), QPointF(grip.right() - 6, y + offset));
    }
    painter.setBrush(Qt::NoBrush);
  }
}

void PlanarTexts::paint(QPainter& painter)
{
  for (const PlanarAxis& axis : frame.drawing.axes) {
    paintAxis(painter, axis);
  }
  using Style = PlanarLabel::Style;
  const LabelFont normal(styled(frame.font, Style::Normal));
  const LabelFont strong(styled(frame.font, Style::Strong));
  for (const PlanarLabel& label : frame.drawing.labels) {
    paintLabel(painter, label, label.style == Style::Strong ? strong : normal);
  }
}

void PlanarTexts::paintAxis(QPainter& painter, const PlanarAxis& axis)
{
  const QRectF plot = frame.plot;
  const PixelSpan span = axisSpan(axis, frame.transform, plot);
  if (span.isEmpty()) {
    return;
  }
  painter.setFont(small(frame.font));
  const QFontMetricsF metrics(painter.font());
  const bool across = isHorizontal(axis);
  paintAxisTitle(painter, axis,
                 across ? QRectF(span.low, 0, span.high - span.low, frame.size.height())
                        : QRectF(0, span.low, frame.size.width(), span.high - span.low));
  for (const double value : axisTicks(axis, frame.transform, plot, across ? kTickTextDistance : kTickLineDistance)) {
    const double at = toPixel(axis, frame.transform, value);
    const QString text = formatNumber(value);
    const QSizeF size = sizeOf(metrics, text);
    QRectF rect(QPointF(), size);
    QLineF tick;
    switch (axis.edge) {
    case Qt::TopEdge:
      rect.moveCenter({at, plot.top() - kTickLength - 2 - size.height() / 2});
      tick = {at, plot.top() - kTickLength, at, plot.top()};
      break;
    case Qt::BottomEdge:
      rect.moveCenter({at, plot.bottom() + kTickLength + 2 + size.height() / 2});
      tick = {at, plot.bottom(), at, plot.bottom() + kTickLength};
      break;
    case Qt::LeftEdge:
      rect.moveCenter({plot.left() - kTextGap - size.width() / 2, at});
      tick = {plot.left() - kTickLength, at, plot.left(), at};
      break;
    case Qt::RightEdge:
      rect.moveCenter({plot.right() + kTextGap + size.width() / 2, at});
      tick = {plot.right(), at, plot.right() + kTickLength, at};
      break;
    }
    rect.moveLeft(std::clamp(rect.left(), 2.0, std::max(2.0, frame.size.width() - rect.width() - 2)));
    if (paintText(painter, rect, text, theme().secondaryText)) {
      painter.setPen(QPen(theme().hairline, 1));
      painter.drawLine(tick);
    }
  }
}

void PlanarTexts::paintAxisTitle(QPainter& painter, const PlanarAxis& axis, const QRectF& span)
{
  const QRectF plot = frame.plot;
  const QFontMetricsF metrics(painter.font());
  const QSizeF size = sizeOf(metrics, axis.title);
  const double line = metrics.lineSpacing();
  QRectF rect(QPointF(), size);
  switch (axis.edge) {
  case Qt::TopEdge:
    rect.moveCenter({span.center().x(), plot.top() - kTickLength - 4 - 1.5 * line});
    break;
  case Qt::BottomEdge:
    rect.moveCenter({span.center().x(), plot.bottom() + kTickLength + 4 + 1.5 * line});
    break;
  case Qt::LeftEdge:
  case Qt::RightEdge: {
    if (size.width() > span.height()) {
      return;
    }
    // Upright beside the numbers: drawn turned, so that it needs no more of the margin than a line's height.
    const bool left = axis.edge == Qt::LeftEdge;
    const double x = left ? 4 + line / 2 : frame.size.width() - 4 - line / 2;
    const QRectF upright(x - line / 2, span.center().y() - size.width() / 2, line, size.width());
    painter.save();
    painter.translate(x, span.center().y());
    painter.rotate(-90);
    painter.setPen(theme().secondaryText);
    painter.drawText(QRectF(-size.width() / 2, -line / 2, size.width(), line), Qt::AlignCenter, axis.title);
    painter.restore();
    texts.append(axis.title);
    rects.push_back(upright);
    return;
  }
  }
  if (size.width() <= span.width()) {
    paintText(painter, rect, axis.title, theme().secondaryText);
  }
}

QRectF PlanarTexts::placeOf(const PlanarLabel& label, const QSizeF& size) const
{
  using Place = PlanarLabel::Place;
  const QRectF plot = frame.plot;
  const QRectF area = frame.transform.map(label.area);
  const QRectF visible = area.intersected(plot);
  QRectF rect(QPointF(), size);
  rect.moveCenter(visible.center());
  switch (label.place) {
  case Place::LeftMargin:
    rect.moveLeft(kEdgeGap);
    break;
  case Place::RightMargin:
    rect.moveLeft(plot.right() + kTextGap);
    break;
  case Place::TopMargin:
    rect.moveTopLeft({visible.left(), kEdgeGap - 2});
    break;
  case Place::BottomMargin:
    rect.moveTopLeft({visible.left(), plot.bottom() + kTextGap});
    break;
  case Place::Above:
    rect.moveBottomLeft({visible.left(), visible.top() - kTextGap});
    break;
  case Place::LeftOf:
    rect.moveRight(std::max(area.left(), plot.left()) - kTextGap);
    break;
  }
  return rect;
}

double PlanarTexts::roomFor(const PlanarLabel& label, const QRectF& visible) const
{
  using Place = PlanarLabel::Place;
  const QRectF plot = frame.plot;
  switch (label.place) {
  case Place::LeftMargin:
    return plot.left() - kEdgeGap - kTextGap;
  case Place::RightMargin:
    return frame.size.width() - plot.right() - 2 * kTextGap;
  case Place::LeftOf:
    return plot.width();
  default:
    return visible.width();
  }
}

void PlanarTexts::paintLabel(QPainter& painter, const PlanarLabel& label, const LabelFont& labelFont)
{
  using Place = PlanarLabel::Place;
  const QRectF visible = frame.transform.map(label.area).intersected(frame.plot);
  const bool inSight = visible.height() >= 0.5 || visible.width() >= 0.5;
  // Of ten thousands of rows nearly all fail here, before their texts are measured.
  if (!inSight || collides(placeOf(label, {1, labelFont.metrics.lineSpacing()}))) {
    return;
  }
  const bool inRow = label.place == Place::LeftMargin || label.place == Place::RightMargin;
  const double room = roomFor(label, visible);
  QString text;
  for (const QString& alternative : label.alternatives) {
    const QSizeF size = sizeOf(labelFont.metrics, alternative);
    text = alternative;
    const bool highEnough = !inRow || !text.contains(u'\n') || size.height() + kTextGap <= visible.height();
    if (size.width() <= room && highEnough) {
      break;
    }
  }
  if (!text.contains(u'\n')) {
    text = labelFont.metrics.elidedText(text, Qt::ElideRight, room);
  }
  const QSizeF size = sizeOf(labelFont.metrics, text);
  if (text.isEmpty() || size.width() > room + 2) {
    return;
  }
  painter.setFont(labelFont.font);
  const QColor color = label.style == PlanarLabel::Style::Quiet ? theme().secondaryText : theme().text;
  paintText(painter, placeOf(label, size), text, color);
}

bool PlanarTexts::collides(const QRectF& rect) const
{
  const QRectF padded = rect.adjusted(-1, 0, 1, 0);
  return std::any_of(rects.begin(), rects.end(), [&](const QRectF& other) { return other.intersects(padded); });
}

bool PlanarTexts::paintText(QPainter& painter, const QRectF& rect, const QString& text, const QColor& color)
{
  if (collides(rect) || !QRectF(QPointF(0, 0), frame.size).contains(rect)) {
    return false;
  }
  painter.setPen(color);
  painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, text);
  texts.append(text);
  rects.push_back(rect);
  return true;
}

} // namespace hinesight::widgets
