#include "widgets/cells/morphology/morphology_figure.hpp"

#include "widgets/cells/coloring.hpp"
#include "widgets/cells/morphology/tube_colors.hpp"
#include "widgets/cells/morphology/tube_pieces.hpp"
#include "widgets/orbit/scale_overlay.hpp"
#include "widgets/theme.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include <vtkNew.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kNameGap = 9; // below the lowest sample

} // namespace

QColor behindNames()
{
  QColor color = theme().canvas;
  color.setAlphaF(0.7F);
  return color;
}

QRectF placeOfName(const TubeGeometry::Placement& cell, const OrbitCamera& camera, const QSizeF& size)
{
  const ScreenPoint foot = camera.project({(cell.lower[0] + cell.upper[0]) / 2, cell.lower[1], 0});
  return {QPointF(foot.x - size.width() / 2, foot.y + kNameGap), size};
}

QRectF freePlaceOfName(QRectF place, const std::vector<QRectF>& taken, const QRectF& canvas)
{
  constexpr int kMostLines = 3;
  for (int line = 0; line < kMostLines; ++line) {
    const bool isFree = canvas.contains(place) &&
                        std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
    if (isFree)
      return place;
    place.translate(0, place.height());
  }
  return {};
}

/// Shows in an area at least what the screen shows.
OrbitCamera MorphologyFigure::cameraFor(const FigureArea& area) const
{
  const QSizeF& size = area.size;
  OrbitCamera fitted = area.isParallel ? parallel : camera;
  const QSize before = fitted.viewport();
  fitted.setViewport(size.toSize());
  const double wider = size.width() / size.height() * before.height() / before.width();
  if (wider < 1)
    fitted.zoomAt(QPointF(size.width(), size.height()) / 2, wider);
  return fitted;
}

void MorphologyFigure::paint(QPainter& painter, const FigureArea& area, const Coloring& coloring) const
{
  const OrbitCamera fitted = cameraFor(area);
  auto recolored = std::make_shared<TubeDrawing>(*drawing);
  recolored->colors = tubeColors(*drawing->geometry, coloring);
  const vtkNew<vtkRenderer> renderer;
  TubeActor tubes(renderer);
  tubes.setDrawing(std::move(recolored));
  tubes.setMarks(marks);
  TubeStyle style; // without what follows the pointer and the list of cells, as the outline does
  style.background = theme().canvas;
  style.selection = theme().selection;
  style.anySelected = anySelected;
  if (clipOffset)
    style.clipDepth = fitted.focalDistance() + *clipOffset;
  tubes.setStyle(style);
  renderer->SetBackground(style.background.redF(), style.background.greenF(), style.background.blueF());
  renderer->SetBackgroundAlpha(area.isTransparent ? 0 : 1);
  const QSize pixels = (area.size * area.ratio).toSize().expandedTo({1, 1});
  TubePieces pieces(tubes, drawing->geometry->tubes());
  const QImage picture = graphics.render(*renderer, pixels,
                                         {[&](const QRectF& part) { tubes.setCamera(fitted, part); },
                                          [&](double lastTook) { return pieces.next(lastTook); }},
                                         area.control);
  painter.drawImage(QRectF(QPointF(0, 0), area.size), picture);
  path.paint(painter, fitted, area.font, paintNames(painter, fitted, area));
  if (area.hasScaleBar && drawing->geometry->tubes() > 0)
    paintScale(painter, fitted, area);
}

/// Those that cover neither another one nor the scale bar. Returns where they and the scale bar are.
std::vector<QRectF> MorphologyFigure::paintNames(QPainter& painter, const OrbitCamera& fitted,
                                                 const FigureArea& area) const
{
  painter.setFont(area.font);
  painter.setPen(theme().secondaryText);
  const QFontMetricsF metrics(area.font);
  std::vector<QRectF> taken;
  if (area.hasScaleBar)
    taken.push_back(placeOfScale(area));
  const std::vector<TubeGeometry::Placement>& placements = drawing->geometry->placements;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), placements.size()); ++i) {
    const QString& text = names[static_cast<qsizetype>(i)];
    const QRectF place =
        freePlaceOfName(placeOfName(placements[i], fitted, {metrics.horizontalAdvance(text), metrics.height()}), taken,
                        QRectF(QPointF(0, 0), area.size));
    if (!place.isNull()) {
      if (!area.isTransparent)
        painter.fillRect(place, behindNames());
      painter.drawText(place.topLeft() + QPointF(0, metrics.ascent()), text);
      taken.push_back(place);
    }
  }
  return taken;
}

} // namespace hinesight::widgets
