#include "widgets/canvas/planar_canvas.hpp"

#include "widgets/canvas/planar_canvas_overlay.hpp"
#include "widgets/canvas/planar_canvas_painter.hpp"
#include "widgets/pixel_mask.hpp"
#include "widgets/selection_outline.hpp"
#include "widgets/theme.hpp"
#include "widgets/value_drag.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <vtkGenericOpenGLRenderWindow.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hinesight::widgets {

namespace {

constexpr double kPickDistance = 4;   // pixels
constexpr double kHandleDistance = 5; // pixels
constexpr double kClickDistance = 4;  // pixels that the mouse may move during a click
constexpr int kSamples = 4;           // a pixel, for round dots
constexpr double kZoomPerNotch = 1.25;
constexpr double kWheelNotch = 120; // Qt's delta of one notch
constexpr double kMostPixelsPerUnit = 400;
constexpr double kPanStep = 48;                 // pixels, by an arrow key
constexpr std::ptrdiff_t kManyOutlines = 2'000; // each of as many is drawn
constexpr int kOutlineDistance = 8;             // pixels between more of them

/// Which of many outlines are drawn: one in each square of the plot. More could not be told apart.
class OutlineSquares
{
public:
  explicit OutlineSquares(const QRectF& area)
      : plot(area), columns(static_cast<int>(plot.width()) / kOutlineDistance + 1),
        isTaken(static_cast<std::size_t>(columns) *
                static_cast<std::size_t>(static_cast<int>(plot.height()) / kOutlineDistance + 1))
  {}

  /// Whether it is the first there.
  bool take(const QPointF& pixel)
  {
    const double x = std::clamp(pixel.x() - plot.left(), 0.0, plot.width());
    const double y = std::clamp(pixel.y() - plot.top(), 0.0, plot.height());
    const auto square = static_cast<std::size_t>(static_cast<int>(y) / kOutlineDistance * columns +
                                                 static_cast<int>(x) / kOutlineDistance);
    return !std::exchange(isTaken[square], true);
  }

private:
  QRectF plot;
  int columns;
  std::vector<char> isTaken;
};

QRectF plotIn(const QSizeF& size, const QMarginsF& margins)
{
  return {margins.left(), margins.top(), std::max(1.0, size.width() - margins.left() - margins.right()),
          std::max(1.0, size.height() - margins.top() - margins.bottom())};
}

/// Shows the whole drawing in `plot`.
PlanarTransform fitting(const PlanarDrawing& drawing, const QRectF& plot)
{
  PlanarTransform view;
  const QRectF& bounds = drawing.bounds;
  view.scaleX = std::min(plot.width() / std::max(bounds.width(), 1e-9), drawing.maximumScaleX);
  view.scaleY = std::min(plot.height() / std::max(bounds.height(), 1e-9), drawing.maximumScaleY);
  view.originX = plot.center().x() - view.scaleX * bounds.center().x();
  view.originY = plot.top() - view.scaleY * bounds.top();
  return view;
}

/// Shows a part of the scene in `plot`.
PlanarTransform showing(const QRectF& part, const QRectF& plot)
{
  PlanarTransform view;
  view.scaleX = plot.width() / part.width();
  view.scaleY = plot.height() / part.height();
  view.originX = plot.left() - view.scaleX * part.left();
  view.originY = plot.top() - view.scaleY * part.top();
  return view;
}

} // namespace

void PlanarFigure::paint(QPainter& painter, const QSizeF& size, double ratio, const QFont& font) const
{
  const QRectF plot = plotIn(size, margins);
  const PlanarTransform view = sceneShown ? showing(*sceneShown, plot) : fitting(drawing, plot);
  const QSize whole(static_cast<int>(std::ceil(size.width())), static_cast<int>(std::ceil(size.height())));
  paintPlanar(painter, {drawing, view, emphasis, plot, whole, ratio});
  for (const PlanarHandle& handle : drawing.handles)
    paintHandle(painter, handle, view, plot);
  PlanarTexts({drawing, view, plot, size, font}).paint(painter);
}

class PlanarCanvas::Private
{
public:
  explicit Private(PlanarCanvas& owner)
      : canvas(owner), overlay(new PlanarOverlay(owner)), outline(new SelectionOutline(&owner)),
        painter(*owner.renderer())
  {}

  void changed()
  {
    stale = true;
    canvas.requestRender();
    overlay->update();
  }

  void moved()
  {
    changed();
    emit canvas.viewChanged();
  }

  QRectF sceneShown() const
  {
    const QRectF plot = canvas.plotArea();
    return {view.toScene(plot.topLeft()), view.toScene(plot.bottomRight())};
  }

  void fitNow()
  {
    view = fitting(drawing, canvas.plotArea());
    fitted = true;
    moved();
  }

  /// Keeps a part of the drawing in the plot.
  void keepInSight()
  {
    const QRectF plot = canvas.plotArea();
    const QRectF shown = view.map(drawing.bounds);
    const double marginX = std::min(40.0, plot.width() / 4);
    const double marginY = std::min(40.0, plot.height() / 4);
    view.originX += std::max(0.0, plot.left() + marginX - shown.right());
    view.originX -= std::max(0.0, shown.left() - plot.right() + marginX);
    view.originY += std::max(0.0, plot.top() + marginY - shown.bottom());
    view.originY -= std::max(0.0, shown.top() - plot.bottom() + marginY);
  }

  bool isEmphasized(std::int32_t item) const
  {
    return item >= 0 && static_cast<std::size_t>(item) < emphasis.size() && emphasis[item];
  }

  void outlineItems();

  std::optional<PlanarHandle> handleAt(const QPointF& pixel) const
  {
    for (const PlanarHandle& handle : drawing.handles) {
      if (std::abs(view.y(handle.y) - pixel.y()) <= kHandleDistance && pixel.x() >= view.x(handle.left) &&
          pixel.x() <= view.x(handle.right) && canvas.plotArea().contains(pixel)) {
        return handle;
      }
    }
    return std::nullopt;
  }

  void hover(const QPointF& pixel)
  {
    const auto handle = awaited ? std::nullopt : handleAt(pixel);
    setActiveHandle(handle ? handle->id : -1);
    canvas.setCursor(awaited ? Qt::CrossCursor : handle ? Qt::SplitVCursor : Qt::ArrowCursor);
    setHovered(handle ? -1 : canvas.itemAt(pixel), view.toScene(pixel));
  }

  void setActiveHandle(std::int32_t id)
  {
    if (overlay->activeHandle != id) {
      overlay->activeHandle = id;
      overlay->update();
    }
  }

  void setHovered(std::int32_t item, const QPointF& scene)
  {
    const bool other = item != hoveredItem;
    hoveredItem = item;
    if (other) {
      outlineItems();
      overlay->update();
    }
    if (other || item >= 0) {
      emit canvas.itemHovered(item, scene);
    }
  }

  PlanarCanvas& canvas;
  PlanarOverlay* overlay;
  SelectionOutline* outline; ///< that is being drawn
  PlanarPainter painter;
  PlanarDrawing drawing;
  PlanarTransform view;
  QMarginsF margins{12, 12, 12, 12};
  std::vector<bool> emphasis;
  bool fitted = true;
  bool stale = true;
  double ratio = 1; ///< device pixels per pixel of the last painting

  // The gesture under way.
  QPointF pressedAt;
  QPointF lastPixel;
  bool pressed = false;
  bool dragging = false;
  bool drawsArea = false;
  std::optional<AreaShape> awaited;
  Qt::MouseButton button = Qt::NoButton; ///< that is pressed
  std::int32_t draggedHandle = -1;
  ValueDrag drag; ///< of that
  std::int32_t hoveredItem = -1;
};

void PlanarCanvas::Private::outlineItems()
{
  overlay->selected.clear();
  overlay->hovered.clear();
  const QRectF plot = canvas.plotArea();
  std::optional<OutlineSquares> squares;
  if (std::ranges::count(emphasis, true) > kManyOutlines) {
    squares.emplace(plot);
  }
  const auto isOneOfFew = [&](const std::vector<PlanarOverlay::Outline>& outlines, const QPointF& pixel) {
    return !squares || &outlines != &overlay->selected || squares->take(pixel);
  };
  const auto outlineRect = [&](std::vector<PlanarOverlay::Outline>& outlines, const PlanarRect& bar) {
    const QRectF pixels = view.map(QRectF(QPointF(bar.left, bar.top), QPointF(bar.right, bar.bottom)));
    const bool isSeen = pixels.intersects(plot) || (pixels.isEmpty() && plot.contains(pixels.center()));
    if (isSeen && isOneOfFew(outlines, pixels.topLeft())) {
      outlines.push_back({pixels, false});
    }
  };
  const auto outlineDot = [&](std::vector<PlanarOverlay::Outline>& outlines, const PlanarDot& dot) {
    const QPointF middle = view.map(QPointF(dot.x, dot.y));
    if (plot.contains(middle) && isOneOfFew(outlines, middle)) {
      const double radius = dot.radius + 1;
      outlines.push_back({QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius), true});
    }
  };
  for (const PlanarRect& bar : drawing.bars) {
    if (isEmphasized(bar.item)) {
      outlineRect(overlay->selected, bar);
    }
    if (hoveredItem >= 0 && bar.item == hoveredItem) {
      outlineRect(overlay->hovered, bar);
    }
  }
  for (const PlanarDot& dot : drawing.dots) {
    if (isEmphasized(dot.item)) {
      outlineDot(overlay->selected, dot);
    }
    if (hoveredItem >= 0 && dot.item == hoveredItem) {
      outlineDot(overlay->hovered, dot);
    }
  }
}

PlanarCanvas::PlanarCanvas(QWidget* parent) : VtkWidget(parent), d(std::make_unique<Private>(*this))
{
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
}

PlanarCanvas::~PlanarCanvas() = default;

void PlanarCanvas::setDrawing(PlanarDrawing drawing)
{
  // A drawing of quite another size is another thing, of which a detail of the one before is nowhere in particular.
  const auto differ = [](double a, double b) { return a > 2 * b || b > 2 * a; };
  const bool isOther = differ(d->drawing.bounds.width(), drawing.bounds.width()) ||
                       differ(d->drawing.bounds.height(), drawing.bounds.height());
  d->drawing = std::move(drawing);
  // Bars and squares fall on whole pixels; only discs need more than one sample a pixel, which costs.
  const bool discs = !d->drawing.dots.empty() && d->drawing.dots.size() <= PlanarPainter::kSmoothDots;
  renderWindow()->SetMultiSamples(discs ? kSamples : 0);
  d->hoveredItem = -1;
  d->emphasis.clear();
  if (d->fitted || isOther) {
    d->fitNow();
  } else {
    d->keepInSight();
    d->changed();
  }
}

const PlanarDrawing& PlanarCanvas::drawing() const
{
  return d->drawing;
}

void PlanarCanvas::setPlotMargins(const QMarginsF& margins)
{
  if (margins == d->margins) {
    return;
  }
  d->margins = margins;
  if (d->fitted) {
    d->fitNow();
  } else {
    d->moved();
  }
}

QRectF PlanarCanvas::plotArea() const
{
  return plotIn(size(), d->margins);
}

PlanarFigure PlanarCanvas::figureOf(PlanarDrawing drawing, const QMarginsF& margins) const
{
  return {std::move(drawing), d->emphasis, d->fitted ? std::nullopt : std::optional(d->sceneShown()), margins};
}

void PlanarCanvas::setEmphasis(std::vector<bool> items)
{
  d->emphasis = std::move(items);
  d->changed();
}

void PlanarCanvas::fit()
{
  d->fitNow();
}

const PlanarTransform& PlanarCanvas::transform() const
{
  return d->view;
}

void PlanarCanvas::zoom(double factorX, double factorY, const QPointF& fixedPixel)
{
  const QPointF fixed = d->view.toScene(fixedPixel);
  const QRectF plot = plotArea();
  const QRectF& bounds = d->drawing.bounds;
  const auto limited = [](double scale, double factor, double pixels, double extent) {
    const double least = 0.5 * pixels / std::max(extent, 1e-9);
    return std::clamp(scale * factor, std::min(least, kMostPixelsPerUnit), std::max(least, kMostPixelsPerUnit));
  };
  d->view.scaleX = limited(d->view.scaleX, factorX, plot.width(), bounds.width());
  d->view.scaleY = limited(d->view.scaleY, factorY, plot.height(), bounds.height());
  d->view.originX = fixedPixel.x() - d->view.scaleX * fixed.x();
  d->view.originY = fixedPixel.y() - d->view.scaleY * fixed.y();
  d->fitted = false;
  d->keepInSight();
  d->moved();
}

void PlanarCanvas::pan(const QPointF& pixels)
{
  d->view.originX += pixels.x();
  d->view.originY += pixels.y();
  d->fitted = false;
  d->keepInSight();
  d->moved();
}

std::int32_t PlanarCanvas::itemAt(const QPointF& pixel) const
{
  if (!plotArea().contains(pixel)) {
    return -1;
  }
  std::int32_t nearest = -1;
  double best = kPickDistance;
  // What lies further to the front comes later and wins.
  for (const PlanarRect& bar : d->drawing.bars) {
    if (bar.item < 0) {
      continue;
    }
    const double beside = std::max({d->view.x(bar.left) - pixel.x(), pixel.x() - d->view.x(bar.right), 0.0});
    const double above = std::max({d->view.y(bar.top) - pixel.y(), pixel.y() - d->view.y(bar.bottom), 0.0});
    const double distance = std::max(beside, above);
    if (distance <= best) {
      best = distance;
      nearest = bar.item;
    }
  }
  for (const PlanarDot& dot : d->drawing.dots) {
    const QPointF apart = d->view.map(QPointF(dot.x, dot.y)) - pixel;
    const double distance = std::max(0.0, std::hypot(apart.x(), apart.y()) - static_cast<double>(dot.radius));
    if (dot.item >= 0 && distance <= best) {
      best = distance;
      nearest = dot.item;
    }
  }
  return nearest;
}

std::vector<std::int32_t> PlanarCanvas::itemsIn(const DrawnArea& area) const
{
  std::vector<std::int32_t> items;
  const QRectF box = area.box() & plotArea();
  const std::optional<PixelMask> loop = area.isLoop ? std::optional<PixelMask>(area.outline) : std::nullopt;
  const QPointF topLeft = d->view.toScene(box.topLeft());
  const QPointF bottomRight = d->view.toScene(box.bottomRight());
  for (const PlanarRect& bar : d->drawing.bars) {
    const bool touches = bar.left <= bottomRight.x() && bar.right >= topLeft.x() && bar.top <= bottomRight.y() &&
                         bar.bottom >= topLeft.y();
    const auto isInLoop = [&] {
      return loop->touches(
          QRectF(d->view.map(QPointF(bar.left, bar.top)), d->view.map(QPointF(bar.right, bar.bottom))));
    };
    if (bar.item >= 0 && touches && (!loop || isInLoop())) {
      items.push_back(bar.item);
    }
  }
  for (const PlanarDot& dot : d->drawing.dots) {
    const QPointF pixel = d->view.map(QPointF(dot.x, dot.y));
    if (dot.item >= 0 && box.contains(pixel) && (!loop || loop->contains(pixel))) {
      items.push_back(dot.item);
    }
  }
  std::ranges::sort(items);
  items.erase(std::ranges::unique(items).begin(), items.end());
  return items;
}

void PlanarCanvas::awaitArea(std::optional<AreaShape> shape)
{
  if (d->awaited && !shape && d->pressed && d->drawsArea && d->button == Qt::LeftButton) {
    d->outline->end();
    d->pressed = d->dragging = false; // what is being drawn selects nothing
  }
  d->awaited = shape;
  d->setActiveHandle(-1);
  setCursor(shape ? Qt::CrossCursor : Qt::ArrowCursor);
}

QStringList PlanarCanvas::visibleTexts() const
{
  return d->overlay->texts;
}

std::vector<QRectF> PlanarCanvas::visibleTextRects() const
{
  return d->overlay->rects;
}

bool PlanarCanvas::event(QEvent* event)
{
  switch (event->type()) {
  case QEvent::MouseMove:
  case QEvent::MouseButtonPress:
  case QEvent::MouseButtonRelease:
  case QEvent::MouseButtonDblClick:
  case QEvent::Wheel:
  case QEvent::KeyPress:
  case QEvent::KeyRelease:
  case QEvent::Leave:
    // Not for VTK's interactor: pan and zoom move the drawing, not the camera.
    return QOpenGLWidget::event(event);
  case QEvent::PaletteChange:
    d->changed();
    break;
  default:
    break;
  }
  return VtkWidget::event(event);
}

void PlanarCanvas::paintGL()
{
  if (d->stale || d->ratio != devicePixelRatioF()) {
    d->stale = false;
    d->ratio = devicePixelRatioF();
    d->painter.paint({d->drawing, d->view, d->emphasis, plotArea(), size(), d->ratio});
    d->outlineItems();
  }
  VtkWidget::paintGL();
}

void PlanarCanvas::resizeEvent(QResizeEvent* event)
{
  VtkWidget::resizeEvent(event);
  d->overlay->setGeometry(rect());
  if (d->fitted) {
    d->fitNow();
  } else {
    d->keepInSight();
    d->changed();
  }
}

void PlanarCanvas::mousePressEvent(QMouseEvent* event)
{
  const bool isAwaited = d->awaited && event->button() == Qt::LeftButton;
  const bool drawsLoop = isAwaited
                             ? *d->awaited == AreaShape::Loop
                             : event->button() == Qt::RightButton && event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->button() != Qt::LeftButton && !drawsLoop) {
    event->ignore();
    return;
  }
  d->pressed = true;
  d->button = event->button();
  d->dragging = false;
  d->pressedAt = d->lastPixel = event->position();
  const auto handle = drawsLoop || isAwaited ? std::nullopt : d->handleAt(event->position());
  d->draggedHandle = handle ? handle->id : -1;
  if (handle)
    d->drag.begin();
  d->drawsArea = isAwaited || (!handle && event->modifiers().testFlag(Qt::ShiftModifier));
  if (d->drawsArea)
    d->outline->begin(d->pressedAt, drawsLoop);
}

void PlanarCanvas::mouseMoveEvent(QMouseEvent* event)
{
  const QPointF pixel = event->position();
  if (!d->pressed) {
    d->hover(pixel);
    return;
  }
  d->dragging = d->dragging || (pixel - d->pressedAt).manhattanLength() > kClickDistance;
  if (!d->dragging) {
    return;
  }
  if (d->draggedHandle >= 0) {
    emit handleDragged(d->draggedHandle, d->view.toScene(pixel));
  } else if (d->drawsArea) {
    d->outline->extend(pixel);
  } else {
    setCursor(Qt::ClosedHandCursor);
    pan(pixel - d->lastPixel);
  }
  d->lastPixel = pixel;
}

void PlanarCanvas::mouseReleaseEvent(QMouseEvent* event)
{
  if (!d->pressed || event->button() != d->button) {
    event->ignore();
    return;
  }
  d->pressed = false;
  const DrawnArea area = d->outline->end();
  const QPointF scene = d->view.toScene(event->position());
  if (d->draggedHandle >= 0) {
    emit handleReleased(std::exchange(d->draggedHandle, -1), scene);
    d->drag.end();
  } else if (!d->dragging && d->button == Qt::LeftButton) {
    emit itemClicked(itemAt(event->position()), scene, event->modifiers());
  } else if (d->dragging && d->drawsArea) {
    emit areaDrawn(area, event->modifiers());
    if (std::exchange(d->awaited, std::nullopt)) {
      emit awaitedAreaDrawn();
    }
  }
  d->dragging = false;
  d->hover(event->position());
}

void PlanarCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
  if (event->button() == Qt::LeftButton && itemAt(event->position()) < 0) {
    fit();
  }
}

void PlanarCanvas::wheelEvent(QWheelEvent* event)
{
  // With Alt, Qt turns the wheel's direction.
  const double delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  const double factor = std::pow(kZoomPerNotch, delta / kWheelNotch);
  const bool onlyAcross = event->modifiers().testFlag(Qt::ShiftModifier);
  const bool onlyDown = event->modifiers().testFlag(Qt::ControlModifier);
  zoom(onlyDown ? 1 : factor, onlyAcross ? 1 : factor, event->position());
  event->accept();
}

void PlanarCanvas::keyPressEvent(QKeyEvent* event)
{
  const QPointF middle = plotArea().center();
  switch (event->key()) {
  case Qt::Key_F:
    fit();
    break;
  case Qt::Key_Left:
    pan({kPanStep, 0});
    break;
  case Qt::Key_Right:
    pan({-kPanStep, 0});
    break;
  case Qt::Key_Up:
    pan({0, kPanStep});
    break;
  case Qt::Key_Down:
    pan({0, -kPanStep});
    break;
  case Qt::Key_Plus:
  case Qt::Key_Equal:
    zoom(kZoomPerNotch, kZoomPerNotch, middle);
    break;
  case Qt::Key_Minus:
    zoom(1 / kZoomPerNotch, 1 / kZoomPerNotch, middle);
    break;
  default:
    VtkWidget::keyPressEvent(event);
  }
}

void PlanarCanvas::leaveEvent(QEvent* event)
{
  d->setActiveHandle(-1);
  d->setHovered(-1, {});
  VtkWidget::leaveEvent(event);
}

double PlanarAxis::toScene(double value) const
{
  return origin + direction * (scale == Scale::Logarithmic ? std::log2(value) : value);
}

double PlanarAxis::toValue(double scene) const
{
  const double value = (scene - origin) / direction;
  return scale == Scale::Logarithmic ? std::exp2(value) : value;
}

QRgb overCanvas(const QColor& color, double opacity)
{
  const QColor background = theme().canvas;
  const double share = opacity * color.alphaF();
  const auto mix = [share](int over, int under) {
    return static_cast<int>(std::lround(share * over + (1 - share) * under));
  };
  return qRgb(mix(color.red(), background.red()), mix(color.green(), background.green()),
              mix(color.blue(), background.blue()));
}

} // namespace hinesight::widgets
