#include "widgets/cells/morphology/path_overlay.hpp"

#include "widgets/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kLineWidth = 2.5;
constexpr double kDotRadius = 4.5;
constexpr double kTextGap = 8;
constexpr double kTextPadding = 4;

} // namespace

PathOverlay::PathOverlay(QWidget* canvas) : QWidget(canvas)
{
  setObjectName(QStringLiteral("pathOverlay"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void PathOverlay::setCamera(const OrbitCamera& camera)
{
  eye = camera;
  setGeometry(QRect(QPoint(0, 0), camera.viewport()));
  update();
}

void PathOverlay::setPath(std::vector<SamplePoint> samples, const QString& text)
{
  along = std::move(samples);
  path.label = text;
  setVisible(!along.empty());
  raise();
}

void PathOverlay::setPlaces(const TubeGeometry& geometry)
{
  std::map<std::pair<std::int32_t, std::int32_t>, std::optional<Vec3>> placeOf; // none: not drawn
  for (const SamplePoint& point : along) {
    placeOf.emplace(std::pair(point.cell, point.sample), std::nullopt);
  }
  const auto take = [&](std::int32_t cell, std::int32_t sample, const float* at) {
    if (const auto found = placeOf.find({cell, sample}); found != placeOf.end()) {
      found->second = Vec3{at[0], at[1], at[2]};
    }
  };
  for (std::size_t tube = 0; !along.empty() && tube < geometry.tubes(); ++tube) {
    take(geometry.cell[tube], geometry.sampleA[tube], &geometry.endA[3 * tube]);
    take(geometry.cell[tube], geometry.sampleB[tube], &geometry.endB[3 * tube]);
  }
  path.points.clear();
  for (const SamplePoint& point : along) {
    if (const auto& place = placeOf[{point.cell, point.sample}]) {
      path.points.push_back(*place);
    }
  }
  update();
}

void PathOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  path.paint(painter, eye, font());
}

void DrawnPath::paint(QPainter& painter, const OrbitCamera& camera, const QFont& ofText) const
{
  if (points.empty()) {
    return;
  }
  QPolygonF line;
  for (const Vec3& point : points) {
    const ScreenPoint at = camera.project(point);
    if (at.depth > 0) {
      line << QPointF(at.x, at.y);
    }
  }
  if (line.isEmpty()) {
    return;
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme().text, kLineWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(line);
  painter.setPen(QPen(theme().canvas, 1));
  painter.setBrush(theme().text);
  painter.drawEllipse(line.front(), kDotRadius, kDotRadius);
  painter.drawEllipse(line.back(), kDotRadius, kDotRadius);
  // The text stays inside the picture.
  const QFontMetricsF metrics(ofText);
  const QSizeF size(metrics.horizontalAdvance(label) + 2 * kTextPadding, metrics.height() + 2 * kTextPadding);
  const QSizeF room = camera.viewport();
  const QPointF corner(std::clamp(line.back().x() + kTextGap, 0.0, std::max(room.width() - size.width(), 0.0)),
                       std::clamp(line.back().y() + kTextGap, 0.0, std::max(room.height() - size.height(), 0.0)));
  const QRectF box(corner, size);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(box, kTextPadding, kTextPadding);
  painter.setPen(theme().text);
  painter.setFont(ofText);
  painter.drawText(box, Qt::AlignCenter, label);
  painter.restore();
}

} // namespace hinesight::widgets
