#include "widgets/orbit/scale_overlay.hpp"

#include "widgets/figure/figure.hpp"
#include "widgets/theme.hpp"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hinesight::widgets {

namespace {

constexpr int kLongestBar = 150;
constexpr int kShortestBar = 20;
constexpr double kBelowBar = 6.5;
constexpr double kBelowText = 14.5;
constexpr double kAxesSize = 62;
constexpr double kAxisLength = 21;
constexpr int kGap = 12;
constexpr int kGroundAlpha = 190;
constexpr double kAroundText = 4;         // of the ground
constexpr QSizeF kFigureGaps{12, 6};      // to the edges of a figure
constexpr double kShortestLabelled = 0.3; // of an axis, foreshortened

/// In at most so many pixels.
double lengthOfBar(const OrbitCamera& camera, double longest = kLongestBar)
{
  return roundLength(longest * camera.pixelSize(camera.focalDistance()));
}

/// In perspective the same length looks longer nearer to the viewer.
QString depthNote()
{
  return ScaleOverlay::tr("at the centre");
}

void paintAxes(QPainter& painter, const OrbitCamera& shown, const QPointF& centre)
{
  struct Axis
  {
    Vec3 direction; ///< right, up, towards the viewer
    const char* name;
  };
  std::vector<Axis> axes;
  const char* names[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3; ++i) {
    axes.push_back({{shown.right()[i], shown.up()[i], shown.backward()[i]}, names[i]});
  }
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.direction[2] < b.direction[2]; });
  for (const Axis& axis : axes) {
    const QPointF way(axis.direction[0], -axis.direction[1]);
    // What points away from the viewer recedes.
    QColor color = theme().secondaryText;
    color.setAlphaF(static_cast<float>(0.65 + 0.35 * axis.direction[2]));
    painter.setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre, centre + kAxisLength * way);
    if (std::hypot(way.x(), way.y()) < kShortestLabelled) {
      continue; // it points at the viewer
    }
    const QFontMetricsF metrics(painter.font());
    const QPointF label = centre + (kAxisLength + 7) * way;
    painter.drawText(label +
                         QPointF(-metrics.horizontalAdvance(QLatin1String(axis.name)) / 2.0, metrics.xHeight() / 2.0),
                     QLatin1String(axis.name));
  }
}

/// With their names, of which large letters need more.
double axesSize(const QFontMetricsF& metrics)
{
  constexpr double kAround = 3;
  return std::max(kAxesSize, 2 * (kAxisLength + kAround) + metrics.height());
}

/// Of what is written at a bar, in two lines.
double leastTextWidth(const QFontMetricsF& metrics)
{
  return std::max(metrics.horizontalAdvance(depthNote()), metrics.horizontalAdvance(formatLength(500)));
}

/// Where a bar and what is written at it are.
struct PlacedBar
{
  double left = 0;
  double right = 0;
  double end = 0; ///< the lowest pixel that it may take
  double axes = 0;
  bool hasAxes = false;
  QStringList lines;
  std::vector<QRectF> textRects; ///< of the lines

  double bottom() const { return end - kBelowBar; }
};

/// Lines stand over the bar in its middle, or where they are longer, from one end beyond the other.
PlacedBar placeBar(const OrbitCamera& camera, const QSizeF& size, const QFont& font, Corner corner)
{
  const QFontMetricsF metrics(font);
  PlacedBar bar;
  bar.axes = axesSize(metrics);
  const double besideAxes = size.width() - bar.axes - kGap;
  bar.hasAxes = besideAxes >= leastTextWidth(metrics);
  const double reach = bar.hasAxes ? besideAxes : size.width() - 1; // of bar and text
  const double length = lengthOfBar(camera, std::clamp<double>(reach, kShortestBar, kLongestBar));
  const double pixels = length / camera.pixelSize(camera.focalDistance());
  bar.left = isLeft(corner) ? size.width() - reach : reach - pixels;
  bar.right = isLeft(corner) ? bar.left + pixels : reach;
  bar.end = isTop(corner) ? std::min<double>(scaleSize(font).height(), size.height()) : size.height();
  bar.lines = scaleLines(camera, length, font, reach);
  double baseline = bar.end - kBelowText - static_cast<double>(bar.lines.size() - 1) * metrics.height();
  for (const QString& line : bar.lines) {
    const double width = metrics.horizontalAdvance(line);
    const double centred = (bar.left + bar.right - width) / 2;
    const double left = isLeft(corner) ? std::max(centred, bar.left) : std::min(centred, bar.right - width);
    bar.textRects.emplace_back(left, baseline - metrics.ascent(), width, metrics.height());
    baseline += metrics.height();
  }
  return bar;
}

} // namespace

double roundLength(double limit)
{
  const double power = std::pow(10.0, std::floor(std::log10(limit)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= limit) {
      return factor * power;
    }
  }
  return power;
}

QString formatLength(double micrometres)
{
  if (micrometres >= 1e6) {
    return formatNumber(micrometres / 1e6) + QStringLiteral(" m");
  }
  if (micrometres >= 1e3) {
    return formatNumber(micrometres / 1e3) + QStringLiteral(" mm");
  }
  if (micrometres >= 1) {
    return formatNumber(micrometres) + QStringLiteral(" \u00b5m");
  }
  return formatNumber(micrometres * 1e3) + QStringLiteral(" nm");
}

ScaleOverlay::ScaleOverlay(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("scaleBar"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  resize(sizeHint());
}

void ScaleOverlay::setCamera(const OrbitCamera& camera)
{
  shown = camera;
  unit = camera.pixelSize(camera.focalDistance());
  length = lengthOfBar(camera);
  update();
}

void ScaleOverlay::setCorner(Corner corner)
{
  place = corner;
  update();
}

QSize ScaleOverlay::sizeHint() const
{
  return scaleSize(font());
}

void ScaleOverlay::changeEvent(QEvent* event)
{
  if (event->type() == QEvent::FontChange)
    resize(sizeHint());
  QWidget::changeEvent(event);
}

void ScaleOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  // A ground, so that branches behind it do not make it unreadable.
  const PlacedBar bar = placeBar(shown, size(), font(), place);
  QRectF ground(QPointF(bar.left, bar.bottom()), QPointF(bar.right, bar.bottom()));
  for (const QRectF& line : bar.textRects)
    ground |= line;
  QColor color = theme().canvas;
  color.setAlpha(kGroundAlpha);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(ground.adjusted(-kAroundText, 0, kAroundText, kAroundText), kAroundText, kAroundText);
  paintScale(painter, shown, size(), font(), place);
}

QSize scaleSize(const QFont& font)
{
  const QFontMetricsF metrics(font);
  const double text = std::max<double>(kLongestBar, leastTextWidth(metrics));
  const double axes = axesSize(metrics);
  return QSizeF(std::ceil(text + kGap + axes), std::ceil(std::max(axes, 2 * metrics.height() + kBelowText))).toSize();
}

QStringList scaleLines(const OrbitCamera& camera, double length, const QFont& font, double width)
{
  const QString text = formatLength(length);
  if (camera.parallel())
    return {text};
  const QString whole = text + QLatin1Char(' ') + depthNote();
  if (QFontMetricsF(font).horizontalAdvance(whole) <= width)
    return {whole};
  return {text, depthNote()};
}

void paintScale(QPainter& painter, const OrbitCamera& camera, const QSizeF& size, const QFont& font, Corner corner)
{
  const PlacedBar bar = placeBar(camera, size, font, corner);
  const double bottom = bar.bottom();
  painter.setFont(font);
  painter.setPen(QPen(theme().text, 1.5, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(bar.left, bottom), QPointF(bar.right, bottom));
  painter.drawLine(QPointF(bar.left, bottom - 4), QPointF(bar.left, bottom + 4));
  painter.drawLine(QPointF(bar.right, bottom - 4), QPointF(bar.right, bottom + 4));
  const double ascent = QFontMetricsF(font).ascent();
  for (std::size_t line = 0; line < bar.textRects.size(); ++line)
    painter.drawText(bar.textRects[line].topLeft() + QPointF(0, ascent), bar.lines[static_cast<qsizetype>(line)]);
  if (bar.hasAxes)
    paintAxes(painter, camera, {isLeft(corner) ? bar.axes / 2 : size.width() - bar.axes / 2, bar.end - bar.axes / 2});
}

void paintScale(QPainter& painter, const OrbitCamera& camera, const FigureArea& area)
{
  painter.save();
  painter.translate(isLeft(area.scaleCorner) ? kFigureGaps.width() : 0,
                    isTop(area.scaleCorner) ? kFigureGaps.height() : 0);
  paintScale(painter, camera, area.size - kFigureGaps, area.font, area.scaleCorner);
  painter.restore();
}

QRectF placeOfScale(const FigureArea& area)
{
  const QSizeF size = scaleSize(area.font);
  const QSizeF around = area.size - size - kFigureGaps;
  return {QPointF(isLeft(area.scaleCorner) ? kFigureGaps.width() : around.width(),
                  isTop(area.scaleCorner) ? kFigureGaps.height() : around.height()),
          size};
}

} // namespace hinesight::widgets
