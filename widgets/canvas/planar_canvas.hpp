#pragma once

#include "widgets/orbit/vtk_widget.hpp"

#include <QMarginsF>
#include <QPointF>
#include <QRectF>
#include <QRgb>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hinesight::widgets {

enum class AreaShape;
struct DrawnArea;

// What a planar drawing is made of. Scene coordinates: x to the right, y downward, in units of the drawing's choice.

/// A filled rectangle. `item`: what picking it reports, 0 or more; -1: cannot be picked.
struct PlanarRect
{
  double left = 0, top = 0, right = 0, bottom = 0;
  QRgb color = 0;
  std::int32_t item = -1;
};

/// A horizontal or vertical line with a width in device-independent pixels.
struct PlanarStroke
{
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  QRgb color = 0;
  float width = 1;
  /// Distance to the next line alike, in the scene: where it comes to few pixels the line is left out, because many of
  /// them would be a haze. 0: always shown.
  double spacing = 0;
};

/// A disc with a radius in device-independent pixels; a square where a drawing has thousands.
struct PlanarDot
{
  double x = 0, y = 0;
  float radius = 3;
  QRgb color = 0;
  std::int32_t item = -1;
};

/// A text that belongs to a part of the scene. It stays beside the visible part of its area, and is left out where it
/// would not fit there or would touch a text of an earlier label.
struct PlanarLabel
{
  enum class Place
  {
    LeftMargin,   ///< in the left margin, at the height of the area
    RightMargin,  ///< in the right margin
    TopMargin,    ///< at the top of the canvas, over the area
    BottomMargin, ///< below the plot, under the area
    Above,        ///< right above the area
    LeftOf,       ///< left of the area, kept in sight when the area begins outside
  };
  enum class Style
  {
    Normal,
    Strong,
    Quiet
  };

  QStringList alternatives; ///< the longest that fits is shown; lines separated by '\n'
  QRectF area;
  Place place = Place::LeftMargin;
  Style style = Style::Normal;
};

/// Numbers along an edge of the plot, for a part of the scene.
struct PlanarAxis
{
  Qt::Edge edge = Qt::BottomEdge;
  QString title;   ///< with its unit
  double from = 0; ///< scene coordinates between which the axis holds
  double to = 0;
  double origin = 0;    ///< scene coordinate of the value 0; of the value 1 on a logarithmic axis
  double direction = 1; ///< scene units of the value 1; of a doubling on a logarithmic axis
  enum class Scale
  {
    Linear,
    PowersOfTwo,
    Logarithmic
  };
  Scale scale = Scale::Linear; ///< PowersOfTwo: linear with ticks at multiples of powers of two
  std::optional<double> grid;  ///< a hairline through the drawing at every multiple of this value; 0: at every tick

  /// Scene coordinate of a value.
  double toScene(double value) const;
  double toValue(double scene) const;
};

/// A line across the plot that can be dragged at right angles to itself.
struct PlanarHandle
{
  std::int32_t id = 0;
  double y = 0; ///< horizontal line, from `left` to `right`
  double left = 0, right = 0;
  bool inForce = true; ///< else drawn faintly
};

/// A drawing, from back to front. Items of `bars` narrower or flatter than two pixels are merged into bands whose
/// colours say how densely they are filled.
struct PlanarDrawing
{
  std::vector<PlanarRect> backdrop;
  std::vector<PlanarStroke> strokes;
  std::vector<PlanarRect> bars;
  std::vector<PlanarDot> dots;
  std::vector<PlanarStroke> marks; ///< in front of everything, always visible
  std::vector<PlanarLabel> labels; ///< most important first
  std::vector<PlanarAxis> axes;
  std::vector<PlanarHandle> handles;
  QRectF bounds;
  /// Pixels of one unit that `fit` does not exceed.
  double maximumScaleX = 1e9;
  double maximumScaleY = 1e9;
};

/// Scene to device-independent pixels of the widget.
struct PlanarTransform
{
  double scaleX = 1, scaleY = 1;
  double originX = 0, originY = 0;

  double x(double sceneX) const { return originX + scaleX * sceneX; }
  double y(double sceneY) const { return originY + scaleY * sceneY; }
  QPointF map(const QPointF& scene) const { return {x(scene.x()), y(scene.y())}; }
  QRectF map(const QRectF& scene) const { return {map(scene.topLeft()), map(scene.bottomRight())}; }
  QPointF toScene(const QPointF& pixel) const
  {
    return {(pixel.x() - originX) / scaleX, (pixel.y() - originY) / scaleY};
  }
};

/// A drawing with the part of it that a canvas shows, as it was: whatever becomes of the canvas, on any one thread.
struct PlanarFigure
{
  PlanarDrawing drawing;
  std::vector<bool> emphasis;       ///< per item; empty: none
  std::optional<QRectF> sceneShown; ///< in the plot of the canvas; nullopt: everything
  QMarginsF margins;                ///< around the plot

  /// Into an area from (0, 0), `ratio` pixels a unit of it, in the colours of theme(); without OpenGL.
  void paint(QPainter& painter, const QSizeF& size, double ratio, const QFont& font) const;
};

/// Canvas for flat drawings: two actors for any number of shapes, rebuilt for the visible part whenever the view moves,
/// so that edges fall on whole pixels and ten thousands of branches stay fast on software OpenGL. Drag: pan, with Shift
/// a box, with Shift and the right button a loop; wheel: zoom to the cursor, with Shift only across, with Ctrl only
/// down; F or a double click on the background: fit.
class PlanarCanvas : public VtkWidget
{
  Q_OBJECT

public:
  explicit PlanarCanvas(QWidget* parent = nullptr);
  ~PlanarCanvas() override;

  /// Keeps the part of the scene in view if the person has zoomed or panned, else fits.
  void setDrawing(PlanarDrawing drawing);
  const PlanarDrawing& drawing() const;

  /// Pixels around the plot: for texts and for overlays that must not cover it.
  void setPlotMargins(const QMarginsF& margins);
  QRectF plotArea() const;

  /// Per item: whether it is emphasized. Empty: nothing is, nothing is dimmed.
  void setEmphasis(std::vector<bool> items);

  /// Of a drawing, with the part of the scene that the widget shows of its own.
  PlanarFigure figureOf(PlanarDrawing drawing, const QMarginsF& margins) const;

  void fit();
  const PlanarTransform& transform() const;
  void zoom(double factorX, double factorY, const QPointF& fixedPixel);
  void pan(const QPointF& pixels);

  /// The item at a pixel of the widget, or the nearest within a few pixels; -1: none.
  std::int32_t itemAt(const QPointF& pixel) const;
  /// The items that touch an area of the widget, each once, ascending.
  std::vector<std::int32_t> itemsIn(const DrawnArea& area) const;
  /// The next drag with the left button draws that; nullopt: it moves the drawing.
  void awaitArea(std::optional<AreaShape> shape);

  /// The texts that the last painting showed.
  QStringList visibleTexts() const;
  /// Their places, in pixels of the widget.
  std::vector<QRectF> visibleTextRects() const;

signals:
  void itemClicked(int item, QPointF scene, Qt::KeyboardModifiers modifiers); ///< -1: the background
  /// By a drag with Shift: a box, with the right button a loop; or by one that was awaited.
  void areaDrawn(const hinesight::widgets::DrawnArea& area, Qt::KeyboardModifiers modifiers);
  /// After areaDrawn.
  void awaitedAreaDrawn();
  void itemHovered(int item, QPointF scene); ///< -1: none, also when the mouse leaves
  void handleDragged(int id, QPointF scene);
  void handleReleased(int id, QPointF scene);

protected:
  bool event(QEvent* event) override;
  void paintGL() override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d;
};

/// `color` over the canvas with `opacity` 0 to 1, as an opaque colour.
QRgb overCanvas(const QColor& color, double opacity);

/// Opacity of what is not selected while something is.
inline constexpr double kDimmedOpacity = 0.35;

} // namespace hinesight::widgets
