#include "widgets/projection/projection_overlay.hpp"

#include "widgets/rings.hpp"
#include "widgets/theme.hpp"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace hinesight::widgets {

namespace {

using projection::Population;
using projection::Position;

constexpr double kMarkerRadius = 7;      ///< pixels
constexpr double kRingGap = 4;           ///< between a marker and the ring of a picked one, pixels
constexpr double kNumberGap = 3;         ///< between a marker and its number, pixels
constexpr std::size_t kMostNumbers = 30; ///< of picked neurons
constexpr int kNameGap = 6;              ///< between a layer and its name, pixels
constexpr int kNameLines = 2;
constexpr int kHaloAlpha = 150;  ///< of what separates a contour from the colours below it
constexpr int kPlateAlpha = 190; ///< of what is behind a name or a number

QString counted(std::uint64_t count)
{
  return formatNumber(static_cast<double>(count));
}

/// "150 x 150" of a grid, else "10,000 neurons".
QString sizeInWords(const Population& population)
{
  const auto& size = population.parameters().size;
  if (!population.isGrid()) {
    return population.count() == 1 ? ProjectionOverlay::tr("1 neuron")
                                   : ProjectionOverlay::tr("%1 neurons").arg(counted(population.count()));
  }
  QString text = QStringLiteral("%1 \u00d7 %2").arg(counted(size[0]), counted(size[1]));
  if (size[2] > 1) {
    text += QStringLiteral(" \u00d7 %1").arg(counted(size[2]));
  }
  return text;
}

bool intersectsAny(const QRectF& area, const std::vector<QRectF>& others)
{
  return std::ranges::any_of(others, [&area](const QRectF& other) { return other.intersects(area); });
}

/// Where a text of this size stands beside a marker: on the first of its sides where it is whole and covers nothing
/// that is taken; none: it has no room.
std::optional<QRectF> placeBeside(const QPointF& marker, const QSizeF& text, const QRectF& whole,
                                  const std::vector<QRectF>& taken)
{
  const double across = kMarkerRadius + kNumberGap + text.width() / 2;
  const double along = kMarkerRadius + kNumberGap + text.height() / 2;
  const auto at = [&](const QPointF& shift) {
    QRectF area(QPointF(), text);
    area.moveCenter(marker + shift);
    return area;
  };
  for (const QPointF& shift :
       {QPointF(across, 0), QPointF(-across, 0), QPointF(0, -along), QPointF(0, along), QPointF(across, along),
        QPointF(-across, along), QPointF(across, -along), QPointF(-across, -along), QPointF(0, 2 * along),
        QPointF(across, 2 * along), QPointF(-across, 2 * along), QPointF(0, 3 * along)}) {
    const QRectF area = at(shift);
    if (whole.contains(area) && !intersectsAny(area, taken))
      return area;
  }
  return std::nullopt;
}

/// On a plate, so that points behind it do not make it unreadable.
void writeOnPlate(QPainter& painter, const QRectF& area, const QString& text, const QColor& color)
{
  constexpr double kAround = 2; // pixels
  constexpr double kRounding = 3;
  QColor plate = theme().canvas;
  plate.setAlpha(kPlateAlpha);
  painter.setPen(Qt::NoPen);
  painter.setBrush(plate);
  painter.drawRoundedRect(area.adjusted(-kAround, 0, kAround, 0), kRounding, kRounding);
  painter.setPen(color);
  painter.drawText(area.topLeft() + QPointF(0, painter.fontMetrics().ascent()), text);
}

} // namespace

ProjectionOverlay::ProjectionOverlay(const ProjectionScene& shown, QWidget* parent) : QWidget(parent), scene(shown)
{
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

QString ProjectionOverlay::describe(bool isSource) const
{
  const ProjectionLayer& layer = isSource ? scene.sourceLayer() : scene.destinationLayer();
  QString text = sizeInWords(layer.population());
  if (const std::uint64_t hidden = layer.hiddenNeurons())
    text += tr(", %1 hidden").arg(counted(hidden));
  if (const PlacedCellLines* cells = layer.cellLines())
    text += tr(", %1 of %2 cells drawn").arg(counted(layer.drawnCells()), counted(cells->neurons));
  return text;
}

int ProjectionOverlay::nameHeight() const
{
  return kNameGap + kNameLines * fontMetrics().height();
}

void ProjectionOverlay::setTaken(std::vector<QRectF> areas)
{
  others = std::move(areas);
  update();
}

void ProjectionOverlay::paintEvent(QPaintEvent*)
{
  names.clear();
  if (!scene.table()) {
    return;
  }
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintOutline(painter, scene.destinationLayer(), tr("destination"), false);
  paintContours(painter);
  paintDrops(painter);
  paintOutline(painter, scene.sourceLayer(), tr("source"), true);
  paintMarkers(painter);
}

/// What other overlays leave of a line of text, around a place in it.
QRectF ProjectionOverlay::roomFor(const QPointF& place, double height) const
{
  QRectF line(kNameGap, place.y(), width() - 2 * kNameGap, height);
  for (const QRectF& other : others) {
    if (!other.intersects(line))
      continue;
    if (other.center().x() >= place.x())
      line.setRight(std::min(line.right(), other.left() - kNameGap));
    else
      line.setLeft(std::max(line.left(), other.right() + kNameGap));
  }
  return line;
}

/// The name of the upper layer stands above its farthest corner, that of the lower one below its nearest; both inside
/// the picture. A line that would lie over a marker or another name is left out, with the one after it.
void ProjectionOverlay::paintOutline(QPainter& painter, const ProjectionLayer& layer, const QString& role, bool isUpper)
{
  QPolygonF polygon;
  for (const Vec3& corner : layer.outline()) {
    polygon << scene.pixelOf(corner);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().secondaryText, 1));
  painter.drawPolygon(polygon);
  if (layer.cellLines()) {
    polygon.clear(); // the name stands beyond the cells
    for (const Vec3& point : layer.reach())
      polygon << scene.pixelOf(point);
  }
  const auto& bounds = layer.population().bounds(); // a box or a sphere rises above its outline
  for (std::size_t end = 0; end < 8; ++end)
    polygon << scene.pixelOf(layer.world({bounds[end & 1][0], bounds[end >> 1 & 1][1], bounds[end >> 2][2]}));
  const auto higher = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
  const QPointF corner = isUpper ? *std::min_element(polygon.begin(), polygon.end(), higher)
                                 : *std::max_element(polygon.begin(), polygon.end(), higher);
  const QFontMetrics metrics = painter.fontMetrics();
  const double high = kNameLines * metrics.height();
  const double top = isUpper ? std::max(0.0, corner.y() - kMarkerRadius - kNameGap - high)
                             : std::min(corner.y() + kNameGap, height() - high);
  std::vector<QRectF> taken = names;
  for (const ChosenSource& source : scene.sources())
    taken.push_back(markerOf(true, source.index));
  const auto write = [&](const QString& wanted, int line, Qt::TextElideMode mode, const QColor& color) {
    const QRectF place = roomFor({corner.x(), top + line * metrics.height()}, metrics.height());
    const QString text = metrics.elidedText(wanted, mode, static_cast<int>(place.width()));
    const double width = metrics.horizontalAdvance(text);
    const double left = std::clamp(corner.x() - width / 2, place.left(), std::max(place.left(), place.right() - width));
    const QRectF area(left, place.top(), width, metrics.height());
    if (width > place.width() || !QRectF(rect()).contains(area) || intersectsAny(area, taken))
      return false;
    writeOnPlate(painter, area, text, color);
    names.push_back(area);
    return true;
  };
  const QString name = QString::fromStdString(layer.population().name());
  const QString size = describe(isUpper);
  if (write(name, 0, Qt::ElideMiddle, theme().text))
    write(name == role ? size : tr("%1, %2").arg(role, size), 1, Qt::ElideRight, theme().secondaryText);
}

void ProjectionOverlay::paintContours(QPainter& painter) const
{
  painter.setBrush(Qt::NoBrush);
  QColor halo = theme().canvas;
  halo.setAlpha(kHaloAlpha);
  for (std::size_t place = 0; place < scene.sources().size(); ++place) {
    QPainterPath path;
    for (const projection::ContourSegment& segment : scene.sources()[place].contour) {
      path.moveTo(scene.pixelOf(scene.destinationLayer().world(segment[0])));
      path.lineTo(scene.pixelOf(scene.destinationLayer().world(segment[1])));
    }
    painter.setPen(QPen(halo, 3));
    painter.drawPath(path);
    painter.setPen(QPen(ProjectionScene::markerColor(place), 1.5));
    painter.drawPath(path);
  }
}

/// From each marker straight down to the destination layer, and from there to where its rows are on the mean.
void ProjectionOverlay::paintDrops(QPainter& painter) const
{
  const ProjectionLayer& target = scene.destinationLayer();
  for (std::size_t place = 0; place < scene.sources().size(); ++place) {
    const ChosenSource& source = scene.sources()[place];
    const Position from = scene.sourceLayer().population().position(source.index);
    const Position below = {from[0], from[1], target.population().bounds()[0][2]};
    const QPointF foot = scene.pixelOf(target.world(below));
    const QColor color = ProjectionScene::markerColor(place);
    painter.setPen(QPen(color, 1, Qt::DotLine));
    painter.drawLine(scene.pixelOf(scene.sourceLayer().world(from)), foot);
    painter.setBrush(color);
    painter.drawEllipse(foot, 2.5, 2.5);
    if (source.centre) {
      painter.setPen(QPen(color, 1.5));
      painter.drawLine(foot, scene.pixelOf(target.world(*source.centre)));
    }
  }
}

/// Where the marker of a neuron is.
QRectF ProjectionOverlay::markerOf(bool isSource, std::uint32_t neuron) const
{
  const ProjectionLayer& layer = isSource ? scene.sourceLayer() : scene.destinationLayer();
  const QPointF at = scene.pixelOf(layer.worldOf(neuron));
  return {at - QPointF(kMarkerRadius, kMarkerRadius), QSizeF(2 * kMarkerRadius, 2 * kMarkerRadius)};
}

void ProjectionOverlay::paintMarkers(QPainter& painter)
{
  const bool areFew = scene.picked(false).size() <= kMostNumbers;
  std::vector<QRectF> taken;
  for (const ChosenSource& source : scene.sources())
    taken.push_back(markerOf(true, source.index));
  if (areFew)
    for (const std::uint32_t destination : scene.picked(false))
      taken.push_back(markerOf(false, destination));
  taken.insert(taken.end(), names.begin(), names.end()); // no number stands on the name of a layer
  taken.insert(taken.end(), others.begin(), others.end());
  numbers.clear();
  const QFontMetrics metrics = painter.fontMetrics();
  const QRect seen = visibleRegion().boundingRect(); // a very low window cuts the picture
  const QRectF whole(seen.isEmpty() ? rect() : seen);
  const auto writeNumber = [&](const QRectF& marker, std::uint32_t neuron) {
    const QString number = formatNumber(neuron);
    const QSizeF size(metrics.horizontalAdvance(number), metrics.height());
    const auto place = placeBeside(marker.center(), size, whole, taken);
    if (!place)
      return;
    writeOnPlate(painter, *place, number, theme().text);
    taken.push_back(*place);
    numbers.push_back(*place);
  };
  paintPicked(painter);
  for (std::size_t place = 0; place < scene.sources().size(); ++place) {
    const std::uint32_t source = scene.sources()[place].index;
    const QRectF marker = markerOf(true, source);
    painter.setPen(QPen(theme().canvas, 2));
    painter.setBrush(ProjectionScene::markerColor(place));
    painter.drawEllipse(marker);
    if (std::ranges::count(scene.picked(true), source) > 0)
      paintRings(painter, {marker.center()}, kMarkerRadius + kRingGap);
    writeNumber(marker, source);
  }
  if (areFew)
    for (const std::uint32_t destination : scene.picked(false))
      writeNumber(markerOf(false, destination), destination);
}

/// Those of the upper layer that are no sources, and those of the lower one.
void ProjectionOverlay::paintPicked(QPainter& painter) const
{
  for (const bool isSource : {true, false}) {
    std::vector<QPointF> middles;
    for (const std::uint32_t neuron : scene.picked(isSource))
      if (!isSource || std::ranges::find(scene.sources(), neuron, &ChosenSource::index) == scene.sources().end())
        middles.push_back(markerOf(isSource, neuron).center());
    paintRings(painter, middles, kMarkerRadius);
  }
}

} // namespace hinesight::widgets
