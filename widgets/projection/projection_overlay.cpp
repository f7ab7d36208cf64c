#include "widgets/projection/projection_overlay.hpp"

#include "widgets/theme.hpp"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace hinesight::widgets {

namespace {

using projection::Population;
using projection::Position;

constexpr double kMarkerRadius = 7; ///< pixels
constexpr int kNameGap = 6;         ///< between a layer and its name, pixels
constexpr int kNameLines = 2;
constexpr int kHaloAlpha = 150; ///< of what separates a contour from the colours below it

/// "150 x 150" of a grid, else "10,000 neurons".
QString sizeInWords(const Population& population)
{
  const auto counted = [](std::uint64_t count) { return formatNumber(static_cast<double>(count)); };
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

} // namespace

ProjectionOverlay::ProjectionOverlay(const ProjectionScene& shown, QWidget* parent) : QWidget(parent), scene(shown)
{
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

int ProjectionOverlay::nameHeight() const
{
  return kNameGap + kNameLines * fontMetrics().height();
}

void ProjectionOverlay::paintEvent(QPaintEvent*)
{
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

/// The name of the upper layer stands above its farthest corner, that of the lower one below its nearest.
void ProjectionOverlay::paintOutline(QPainter& painter, const ProjectionLayer& layer, const QString& role,
                                     bool isUpper) const
{
  QPolygonF polygon;
  for (const Vec3& corner : layer.outline()) {
    polygon << scene.pixelOf(corner);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().secondaryText, 1));
  painter.drawPolygon(polygon);
  const auto higher = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
  const QPointF corner = isUpper ? *std::min_element(polygon.begin(), polygon.end(), higher)
                                 : *std::max_element(polygon.begin(), polygon.end(), higher);
  const QFontMetrics metrics = painter.fontMetrics();
  const double top = isUpper ? corner.y() - kNameGap - kNameLines * metrics.height() : corner.y() + kNameGap;
  const auto write = [&](const QString& text, int line, const QColor& color) {
    painter.setPen(color);
    painter.drawText(
        QPointF(corner.x() - metrics.horizontalAdvance(text) / 2.0, top + line * metrics.height() + metrics.ascent()),
        text);
  };
  const QString name = QString::fromStdString(layer.population().name());
  write(name, 0, theme().text);
  write(name == role ? sizeInWords(layer.population()) : tr("%1, %2").arg(role, sizeInWords(layer.population())), 1,
        theme().secondaryText);
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

void ProjectionOverlay::paintMarkers(QPainter& painter) const
{
  for (std::size_t place = 0; place < scene.sources().size(); ++place) {
    const std::uint32_t index = scene.sources()[place].index;
    const QPointF at = scene.pixelOf(scene.sourceLayer().worldOf(index));
    painter.setPen(QPen(theme().canvas, 2));
    painter.setBrush(ProjectionScene::markerColor(place));
    painter.drawEllipse(at, kMarkerRadius, kMarkerRadius);
    painter.setPen(theme().text);
    painter.drawText(at + QPointF(kMarkerRadius + 4, 4), formatNumber(index));
  }
}

} // namespace hinesight::widgets
