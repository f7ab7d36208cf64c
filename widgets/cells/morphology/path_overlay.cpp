#include "widgets/cells/morphology/path_overlay.hpp"

#include "widgets/line_clip.hpp"
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

/// For a text at the end of a way: inside the picture, beside that end where this keeps off what is taken, else beside
/// something of that; where nothing is free, where it covers least.
QRectF placeOfText(const QSizeF& size, const QPointF& end, const QSizeF& room, const std::vector<QRectF>& taken)
{
  const auto boxAt = [&](double left, double top) {
    return QRectF(QPointF(std::clamp(left, 0.0, std::max(room.width() - size.width(), 0.0)),
                          std::clamp(top, 0.0, std::max(room.height() - size.height(), 0.0))),
                  size);
  };
  const auto before = [](double edge, double length) { return edge - kTextGap - length; };
  const auto behind = [](double edge) { return edge + kTextGap; };
  const double right = behind(end.x());
  const double below = behind(end.y());
  const double left = before(end.x(), size.width());
  const double above = before(end.y(), size.height());
  std::vector<QRectF> boxes{boxAt(right, below), boxAt(left, below), boxAt(right, above), boxAt(left, above)};
  for (const QRectF& other : taken)
    for (const QRectF& box : {boxAt(right, behind(other.bottom())), boxAt(before(other.left(), size.width()), below),
                              boxAt(right, before(other.top(), size.height())), boxAt(behind(other.right()), below)})
      boxes.push_back(box);
  const auto isFree = [&](const QRectF& box) {
    return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); });
  };
  const auto covered = [&](const QRectF& box) {
    double area = 0;
    for (const QRectF& other : taken) {
      const QRectF common = other & box;
      area += common.width() * common.height();
    }
    return area;
  };
  const auto free = std::ranges::find_if(boxes, isFree);
  return free == boxes.end() ? *std::ranges::min_element(boxes, {}, covered) : *free;
}

/// The parts of a line that lie in a box. Not every drawing can be clipped.
std::vector<QPolygonF> partsInside(const QPolygonF& line, const QRectF& box)
{
  std::vector<QPolygonF> parts;
  bool goesOn = false; // the part before, to the end of the last segment
  for (qsizetype k = 1; k < line.size(); ++k) {
    const QPointF& from = line[k - 1];
    const QPointF& to = line[k];
    const auto inside = clipLine(box, from, to);
    if (inside) {
      if (!goesOn)
        parts.push_back({from + inside->first * (to - from)});
      parts.back() << (inside->second < 1 ? from + inside->second * (to - from) : to);
    }
    goesOn = inside && inside->second == 1;
  }
  return parts;
}

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

void PathOverlay::setTaken(std::vector<QRectF> areas)
{
  if (std::exchange(taken, std::move(areas)) != taken)
    update();
}

void PathOverlay::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  path.paint(painter, eye, font(), taken);
}

void DrawnPath::paint(QPainter& painter, const OrbitCamera& camera, const QFont& ofText,
                      const std::vector<QRectF>& taken) const
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
  const QRectF area(QPointF(0, 0), camera.viewport());
  for (const QPolygonF& part : partsInside(line, area)) {
    painter.drawPolyline(part);
  }
  painter.setPen(QPen(theme().canvas, 1));
  painter.setBrush(theme().text);
  for (const QPointF& end : {line.front(), line.back()}) {
    if (area.adjusted(kDotRadius, kDotRadius, -kDotRadius, -kDotRadius).contains(end)) {
      painter.drawEllipse(end, kDotRadius, kDotRadius);
    }
  }
  const QFontMetricsF metrics(ofText);
  const QSizeF size(metrics.horizontalAdvance(label) + 2 * kTextPadding, metrics.height() + 2 * kTextPadding);
  const QRectF box = placeOfText(size, line.back(), camera.viewport(), taken);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(box, kTextPadding, kTextPadding);
  painter.setPen(theme().text);
  painter.setFont(ofText);
  painter.drawText(box, Qt::AlignCenter, label);
  painter.restore();
}

} // namespace hinesight::widgets
