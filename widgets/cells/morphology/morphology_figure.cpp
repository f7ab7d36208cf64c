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
#include <cmath>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr int kNameGap = 9; // below the lowest sample, or above the highest

/// At that height of the middle of a cell.
QPointF pixelAt(const TubeGeometry::Placement& cell, double height, const OrbitCamera& camera)
{
  const ScreenPoint point = camera.project({(cell.lower[0] + cell.upper[0]) / 2, height, 0});
  return {point.x, point.y};
}

/// Sideways, as far as the name stays at its cell, and away from it, for a name of that size; the nearest first.
std::vector<QPointF> shiftsOfName(const QSizeF& size)
{
  std::vector<QPointF> shifts;
  for (const int lines : {0, 1, 2})
    for (const double widths : {0.0, 0.25, -0.25, 0.5, -0.5})
      shifts.emplace_back(widths * size.width(), lines * size.height());
  std::ranges::stable_sort(shifts, {}, [](const QPointF& shift) { return std::hypot(shift.x(), shift.y()); });
  return shifts;
}

} // namespace

QColor behindNames()
{
  QColor color = theme().canvas;
  color.setAlphaF(0.7F);
  return color;
}

QRectF placeOfName(const TubeGeometry::Placement& cell, const OrbitCamera& camera, const QSizeF& size)
{
  return {pixelAt(cell, cell.lower[1], camera) + QPointF(-size.width() / 2, kNameGap), size};
}

QRectF freePlaceOfName(const TubeGeometry::Placement& cell, const OrbitCamera& camera, const QSizeF& size,
                       const std::vector<QRectF>& taken, const QRectF& canvas)
{
  const std::vector<QPointF> shifts = shiftsOfName(size);
  const auto firstFree = [&](const QRectF& nearest, int down) {
    for (const QPointF& shift : shifts) {
      const QRectF place = nearest.translated(shift.x(), down * shift.y());
      if (canvas.contains(place) &&
          std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); }))
        return place;
    }
    return QRectF();
  };
  const QRectF below = placeOfName(cell, camera, size);
  const QPointF top = pixelAt(cell, cell.upper[1], camera);
  const QRectF above(top - QPointF(size.width() / 2, kNameGap + size.height()), size);
  QRectF place;
  if (canvas.contains(pixelAt(cell, cell.lower[1], camera)))
    place = firstFree(below, 1);
  if (place.isNull() && canvas.contains(top))
    place = firstFree(above, -1);
  return place;
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
    if (text.isEmpty())
      continue;
    const QRectF place = freePlaceOfName(placements[i], fitted, {metrics.horizontalAdvance(text), metrics.height()},
                                         taken, QRectF(QPointF(0, 0), area.size));
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
