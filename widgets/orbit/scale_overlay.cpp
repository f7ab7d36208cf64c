#include "widgets/orbit/scale_overlay.hpp"

#include "widgets/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr int kLongestBar = 150;
constexpr int kAxesSize = 62;
constexpr double kAxisLength = 21;
constexpr int kGap = 12;
constexpr double kShortestLabelled = 0.3; // of an axis, foreshortened

double lengthOfBar(const OrbitCamera& camera)
{
  return roundLength(kLongestBar * camera.pixelSize(camera.focalDistance()));
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

QSize ScaleOverlay::sizeHint() const
{
  return scaleSize();
}

void ScaleOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintScale(painter, shown, size(), font());
}

QSize scaleSize()
{
  return {kLongestBar + kGap + kAxesSize, kAxesSize};
}

void paintScale(QPainter& painter, const OrbitCamera& camera, const QSizeF& size, const QFont& font)
{
  const double length = lengthOfBar(camera);
  const double right = size.width() - kAxesSize - kGap;
  const double left = right - length / camera.pixelSize(camera.focalDistance());
  const double bottom = size.height() - 6.5;
  painter.setFont(font);
  painter.setPen(QPen(theme().text, 1.5, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(left, bottom), QPointF(right, bottom));
  painter.drawLine(QPointF(left, bottom - 4), QPointF(left, bottom + 4));
  painter.drawLine(QPointF(right, bottom - 4), QPointF(right, bottom + 4));
  const QString text = formatLength(length);
  const double textWidth = QFontMetricsF(font).horizontalAdvance(text);
  painter.drawText(QPointF(right - (right - left + textWidth) / 2, bottom - 8), text);
  paintAxes(painter, camera, {size.width() - kAxesSize / 2.0, size.height() - kAxesSize / 2.0});
}

} // namespace hinesight::widgets
