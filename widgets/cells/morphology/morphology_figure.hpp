#pragma once

#include "widgets/cells/morphology/path_overlay.hpp"
#include "widgets/cells/morphology/tube_actor.hpp"
#include "widgets/figure/figure.hpp"
#include "widgets/orbit/offscreen_graphics.hpp"
#include "widgets/orbit/orbit_camera.hpp"

#include <QRectF>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace hinesight::widgets {

class Coloring;

/// What is laid behind the names of cells, which may lie over other cells.
QColor behindNames();

/// Where the name of a cell stands, below its lowest sample, for text of that size; pixels of the camera.
QRectF placeOfName(const TubeGeometry::Placement& cell, const OrbitCamera& camera, const QSizeF& size);

/// That place, or the nearest one, a little beside it or a line or two lower, that lies on the canvas and covers
/// nothing that is taken; then the same above the highest sample. Null: there is none, or neither end of the cell is on
/// the canvas.
QRectF freePlaceOfName(const TubeGeometry::Placement& cell, const OrbitCamera& camera, const QSizeF& size,
                       const std::vector<QRectF>& taken, const QRectF& canvas);

/// All that a figure of cells is made of, so that it can be painted on any thread and whatever becomes of the view.
/// Made on the thread of the window.
struct MorphologyFigure
{
  std::shared_ptr<const TubeDrawing> drawing;
  std::vector<TubeMark> marks; ///< per branch
  bool anySelected = false;
  std::optional<double> clipOffset; ///< of the plane that cuts, from the focal depth; none: nothing is cut
  OrbitCamera camera;               ///< of the screen
  OrbitCamera parallel;             ///< the same in a parallel projection
  QStringList names;                ///< of the cells of TubeGeometry::placements, empty where none is shown; or none
  DrawnPath path;
  OffscreenGraphics graphics = {};

  /// In the colours of theme(). Throws as OffscreenGraphics::render.
  void paint(QPainter& painter, const FigureArea& area, const Coloring& coloring) const;

private:
  OrbitCamera cameraFor(const FigureArea& area) const;
  std::vector<QRectF> paintNames(QPainter& painter, const OrbitCamera& camera, const FigureArea& area) const;
};

} // namespace hinesight::widgets
