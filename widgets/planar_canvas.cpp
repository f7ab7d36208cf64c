#include "widgets/planar_canvas.hpp"

#include "widgets/planar_canvas_density.hpp"
#include "widgets/planar_canvas_overlay.hpp"
#include "widgets/theme.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkIdTypeArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkTexture.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hinesight::widgets {

namespace {

constexpr double kSmallestShape = 2;  // device pixels; what is smaller goes into the density grid
constexpr double kGap = 1;            // device pixels between neighbours that are wide enough to afford it
constexpr double kAffordsGap = 4;     // device pixels
constexpr double kPickDistance = 4;   // pixels
constexpr double kHandleDistance = 5; // pixels
constexpr double kClickDistance = 4;  // pixels that the mouse may move during a click
constexpr int kSamples = 4;           // a pixel, for round dots
constexpr double kZoomPerNotch = 1.25;
constexpr double kWheelNotch = 120; // Qt's delta of one notch
constexpr double kMostPixelsPerUnit = 400;
constexpr double kPanStep = 48;            // pixels, by an arrow key
constexpr double kGridDistance = 30;       // pixels
constexpr double kLeastSpacing = 5;        // pixels between lines alike
constexpr std::size_t kSmoothDots = 4'000; // above, dots are small squares on whole pixels
constexpr std::size_t kManyDots = 20'000;  // above, dots on the same pixels are drawn once

/// Depth of the layers: the density bands lie between what is behind the bars and the bars.
constexpr double kBackDepth = 0;
constexpr double kDensityDepth = 1;
constexpr double kFrontDepth = 2;

/// Coloured polygons in device pixels, y upward, of one actor.
class PolygonLayer
{
public:
  explicit PolygonLayer(double z) : depth(static_cast<float>(z))
  {
    coordinates->SetNumberOfComponents(3);
    colors->SetNumberOfComponents(3);
    points->SetData(coordinates);
    data->SetPoints(points);
    data->SetPolys(polygons);
    data->GetPointData()->SetScalars(colors);
    mapper->SetInputData(data);
    mapper->SetScalarModeToUsePointData();
    mapper->StaticOn();
    actor->SetMapper(mapper);
    actor->GetProperty()->LightingOff();
    actor->ForceOpaqueOn();
  }

  vtkActor* prop() const { return actor; }

  void begin(int deviceHeight)
  {
    height = deviceHeight;
    xyz.clear();
    rgb.clear();
    offsets.assign(1, 0);
  }

  void rectangle(double left, double top, double right, double bottom, QRgb color)
  {
    corner(left, top, color);
    corner(left, bottom, color);
    corner(right, bottom, color);
    corner(right, top, color);
    close();
  }

  void disc(double x, double y, double radius, QRgb color)
  {
    constexpr int kCorners = 12;
    static const auto kDirections = [] {
      std::array<std::array<double, 2>, kCorners> directions{};
      for (int k = 0; k < kCorners; ++k) {
        const double angle = 2 * M_PI * (k + 0.5) / kCorners;
        directions[static_cast<std::size_t>(k)] = {std::cos(angle), std::sin(angle)};
      }
      return directions;
    }();
    for (const auto& direction : kDirections) {
      corner(x + radius * direction[0], y + radius * direction[1], color);
    }
    close();
  }

  void end()
  {
    const auto count = static_cast<vtkIdType>(xyz.size() / 3);
    // VTK reads the vectors in place until the next `end`; both outlive the rendering.
    coordinates->SetArray(xyz.data(), 3 * count, 1);
    colors->SetArray(rgb.data(), 3 * count, 1);
    vtkNew<vtkIdTypeArray> connectivity;
    connectivity->SetNumberOfValues(count);
    for (vtkIdType k = 0; k < count; ++k) {
      connectivity->SetValue(k, k);
    }
    vtkNew<vtkIdTypeArray> begins;
    begins->SetNumberOfValues(static_cast<vtkIdType>(offsets.size()));
    std::copy(offsets.begin(), offsets.end(), begins->GetPointer(0));
    polygons->SetData(begins, connectivity);
    coordinates->Modified();
    colors->Modified();
    points->Modified();
    polygons->Modified();
    data->Modified();
  }

private:
  void corner(double x, double y, QRgb color)
  {
    xyz.insert(xyz.end(), {static_cast<float>(x), static_cast<float>(height - y), depth});
    rgb.insert(rgb.end(), {static_cast<unsigned char>(qRed(color)), static_cast<unsigned char>(qGreen(color)),
                           static_cast<unsigned char>(qBlue(color))});
  }

  void close() { offsets.push_back(static_cast<vtkIdType>(xyz.size() / 3)); }

  float depth;
  int height = 0;
  std::vector<float> xyz;
  std::vector<unsigned char> rgb;
  std::vector<vtkIdType> offsets{0};
  vtkNew<vtkFloatArray> coordinates;
  vtkNew<vtkUnsignedCharArray> colors;
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> polygons;
  vtkNew<vtkPolyData> data;
  vtkNew<vtkPolyDataMapper> mapper;
  vtkNew<vtkActor> actor;
};

/// The density grid as a picture on one rectangle.
class DensityLayer
{
public:
  DensityLayer()
  {
    texture->SetInputData(image);
    texture->InterpolateOff();
    texture->SetColorModeToDirectScalars();
    coordinates->SetNumberOfComponents(2);
    coordinates->SetNumberOfTuples(4);
    points->SetNumberOfPoints(4);
    polygons->InsertNextCell({0, 1, 2, 3});
    data->SetPoints(points);
    data->SetPolys(polygons);
    data->GetPointData()->SetTCoords(coordinates);
    mapper->SetInputData(data);
    actor->SetMapper(mapper);
    actor->SetTexture(texture);
    actor->GetProperty()->LightingOff();
    // Transparent texels are discarded in the opaque pass; a translucent one would cost far more than all else.
    actor->ForceOpaqueOn();
  }

  vtkActor* prop() const { return actor; }

  void show(const DensityGrid& grid, int deviceHeight)
  {
    actor->SetVisibility(!grid.isEmpty());
    if (grid.isEmpty()) {
      return;
    }
    image->SetDimensions(grid.columns(), grid.rows(), 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    grid.paint(static_cast<std::uint8_t*>(image->GetScalarPointer()), theme().canvas.rgb());
    image->Modified();
    // The grid's first row is the top one.
    const double right = grid.columns() * DensityGrid::kCell;
    const double bottom = deviceHeight - grid.rows() * DensityGrid::kCell;
    place(0, 0, deviceHeight, 0, 0);
    place(1, 0, bottom, 0, 1);
    place(2, right, bottom, 1, 1);
    place(3, right, deviceHeight, 1, 0);
    points->Modified();
    coordinates->Modified();
    data->Modified();
  }

private:
  void place(vtkIdType k, double x, double y, float u, float v)
  {
    points->SetPoint(k, x, y, kDensityDepth);
    coordinates->SetTuple2(k, u, v);
  }

  vtkNew<vtkImageData> image;
  vtkNew<vtkTexture> texture;
  vtkNew<vtkFloatArray> coordinates;
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> polygons;
  vtkNew<vtkPolyData> data;
  vtkNew<vtkPolyDataMapper> mapper;
  vtkNew<vtkActor> actor;
};

struct PixelRect
{
  double left, top, right, bottom;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

} // namespace

class PlanarCanvas::Private
{
public:
  explicit Private(PlanarCanvas& owner) : canvas(owner), overlay(new PlanarOverlay(owner))
  {
    canvas.renderer()->AddActor(back.prop());
    canvas.renderer()->AddActor(density.prop());
    canvas.renderer()->AddActor(front.prop());
  }

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

  void fitNow()
  {
    const QRectF plot = canvas.plotArea();
    const QRectF& bounds = drawing.bounds;
    view.scaleX = std::min(plot.width() / std::max(bounds.width(), 1e-9), drawing.maximumScaleX);
    view.scaleY = std::min(plot.height() / std::max(bounds.height(), 1e-9), drawing.maximumScaleY);
    view.originX = plot.center().x() - view.scaleX * bounds.center().x();
    view.originY = plot.top() - view.scaleY * bounds.top();
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

  void rebuild();
  void setUpCamera();

  PixelRect project(double left, double top, double right, double bottom) const
  {
    return {ratio * view.x(left), ratio * view.y(top), ratio * view.x(right), ratio * view.y(bottom)};
  }

  bool outOfPlot(const PixelRect& rect) const
  {
    return rect.right <= clip.left || rect.left >= clip.right || rect.bottom <= clip.top || rect.top >= clip.bottom;
  }

  PixelRect clipped(const PixelRect& rect) const
  {
    return {std::clamp(rect.left, clip.left, clip.right), std::clamp(rect.top, clip.top, clip.bottom),
            std::clamp(rect.right, clip.left, clip.right), std::clamp(rect.bottom, clip.top, clip.bottom)};
  }

  bool isEmphasized(std::int32_t item) const
  {
    return item >= 0 && static_cast<std::size_t>(item) < emphasis.size() && emphasis[static_cast<std::size_t>(item)];
  }

  QRgb shade(QRgb color, std::int32_t item) const
  {
    return emphasis.empty() || item < 0 || isEmphasized(item) ? color : overCanvas(QColor(color), kDimmedOpacity);
  }

  void emitFill(const PlanarRect& rect);
  void emitStroke(PolygonLayer& layer, const PlanarStroke& stroke, bool always);
  void emitBar(const PlanarRect& bar);
  void emitGrid(const PlanarAxis& axis);
  void emitDots();
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
    const auto handle = handleAt(pixel);
    setActiveHandle(handle ? handle->id : -1);
    canvas.setCursor(handle ? Qt::SplitVCursor : Qt::ArrowCursor);
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
  PlanarDrawing drawing;
  PlanarTransform view;
  QMarginsF margins{12, 12, 12, 12};
  std::vector<bool> emphasis;
  bool fitted = true;
  bool stale = true;

  // The gesture under way.
  QPointF pressedAt;
  QPointF lastPixel;
  bool pressed = false;
  bool dragging = false;
  std::int32_t draggedHandle = -1;
  std::int32_t hoveredItem = -1;

  // What the last rebuilding drew, in device pixels.
  double ratio = 1;
  PixelRect clip{};
  PolygonLayer back{kBackDepth};
  PolygonLayer front{kFrontDepth};
  DensityLayer density;
  DensityGrid grid;
  std::vector<const PlanarRect*> emphasizedBars;
};

void PlanarCanvas::Private::setUpCamera()
{
  const QSize size = canvas.size() * ratio;
  vtkCamera* camera = canvas.renderer()->GetActiveCamera();
  camera->ParallelProjectionOn();
  camera->SetParallelScale(0.5 * size.height());
  camera->SetFocalPoint(0.5 * size.width(), 0.5 * size.height(), 0);
  camera->SetPosition(0.5 * size.width(), 0.5 * size.height(), 10);
  camera->SetViewUp(0, 1, 0);
  camera->SetClippingRange(1, 20);
  const QColor background = theme().canvas;
  canvas.renderer()->SetBackground(background.redF(), background.greenF(), background.blueF());
}

void PlanarCanvas::Private::rebuild()
{
  stale = false;
  ratio = canvas.devicePixelRatioF();
  setUpCamera();
  const QSize size = canvas.size() * ratio;
  const QRectF plot = canvas.plotArea();
  clip = {std::round(ratio * plot.left()), std::round(ratio * plot.top()), std::round(ratio * plot.right()),
          std::round(ratio * plot.bottom())};

  back.begin(size.height());
  front.begin(size.height());
  grid.clear(size.width(), size.height());
  emphasizedBars.clear();
  for (const PlanarRect& rect : drawing.backdrop) {
    emitFill(rect);
  }
  for (const PlanarAxis& axis : drawing.axes) {
    emitGrid(axis);
  }
  for (const PlanarStroke& stroke : drawing.strokes) {
    emitStroke(back, stroke, false);
  }
  for (const PlanarRect& bar : drawing.bars) {
    emitBar(bar);
  }
  emitDots();
  for (const PlanarStroke& stroke : drawing.marks) {
    emitStroke(front, stroke, true);
  }
  back.end();
  front.end();
  density.show(grid, size.height());
  outlineItems();
}

void PlanarCanvas::Private::emitFill(const PlanarRect& rect)
{
  const PixelRect pixels = project(rect.left, rect.top, rect.right, rect.bottom);
  if (!outOfPlot(pixels)) {
    const PixelRect inside = clipped(pixels);
    back.rectangle(std::round(inside.left), std::round(inside.top), std::round(inside.right), std::round(inside.bottom),
                   rect.color);
  }
}

void PlanarCanvas::Private::emitStroke(PolygonLayer& layer, const PlanarStroke& stroke, bool always)
{
  const PixelRect line = project(std::min(stroke.x0, stroke.x1), std::min(stroke.y0, stroke.y1),
                                 std::max(stroke.x0, stroke.x1), std::max(stroke.y0, stroke.y1));
  const bool horizontal = line.width() > line.height();
  if (!always && std::max(line.width(), line.height()) < kSmallestShape) {
    return;
  }
  const double spacing = stroke.spacing * (horizontal ? view.scaleY : view.scaleX);
  if (stroke.spacing > 0 && spacing < kLeastSpacing) {
    return;
  }
  const double width = std::max(1.0, std::round(ratio * stroke.width));
  PixelRect pixels{};
  if (horizontal) {
    const double top = std::round(line.top - 0.5 * width);
    pixels = {std::round(line.left - 0.5 * width), top, std::round(line.right + 0.5 * width), top + width};
  } else {
    const double left = std::round(line.left - 0.5 * width);
    pixels = {left, std::round(line.top), left + width, std::max(std::round(line.bottom), std::round(line.top) + 1)};
  }
  if (!outOfPlot(pixels)) {
    const PixelRect inside = clipped(pixels);
    const bool dimmed = always && !emphasis.empty();
    layer.rectangle(inside.left, inside.top, inside.right, inside.bottom,
                    dimmed ? overCanvas(QColor(stroke.color), kDimmedOpacity) : stroke.color);
  }
}

void PlanarCanvas::Private::emitBar(const PlanarRect& bar)
{
  PixelRect pixels = project(bar.left, bar.top, bar.right, bar.bottom);
  if (isEmphasized(bar.item)) {
    emphasizedBars.push_back(&bar);
    // Always visible, at least two pixels wide and high.
    const double growX = std::max(0.0, 0.5 * (kSmallestShape - pixels.width()));
    const double growY = std::max(0.0, 0.5 * (kSmallestShape - pixels.height()));
    pixels = {pixels.left - growX, pixels.top - growY, pixels.right + growX, pixels.bottom + growY};
  }
  if (outOfPlot(pixels)) {
    return;
  }
  const QRgb color = shade(bar.color, bar.item);
  if (pixels.width() < kSmallestShape || pixels.height() < kSmallestShape) {
    const PixelRect inside = clipped(pixels);
    grid.add(inside.left, inside.top, inside.right, inside.bottom, color);
    return;
  }
  PixelRect whole =
      clipped({std::round(pixels.left), std::round(pixels.top), std::round(pixels.right), std::round(pixels.bottom)});
  if (pixels.width() >= kAffordsGap) {
    whole.right -= kGap;
  }
  if (pixels.height() >= kAffordsGap) {
    whole.bottom -= kGap;
  }
  front.rectangle(whole.left, whole.top, whole.right, whole.bottom, color);
}

void PlanarCanvas::Private::emitGrid(const PlanarAxis& axis)
{
  if (!axis.grid) {
    return;
  }
  const QRectF plot = canvas.plotArea();
  const std::vector<double> values =
      *axis.grid > 0 ? multiplesInSight(axis, view, plot, *axis.grid) : axisTicks(axis, view, plot, kGridDistance);
  const bool across = axis.edge == Qt::TopEdge || axis.edge == Qt::BottomEdge;
  for (const double value : values) {
    const double at = axis.toScene(value);
    const QPointF low = view.toScene(plot.topLeft());
    const QPointF high = view.toScene(plot.bottomRight());
    const QRgb color = overCanvas(theme().hairline, 1);
    emitStroke(back,
               across ? PlanarStroke{at, low.y(), at, high.y(), color, 1}
                      : PlanarStroke{low.x(), at, high.x(), at, color, 1},
               true);
  }
}

void PlanarCanvas::Private::emitDots()
{
  const bool smooth = drawing.dots.size() <= kSmoothDots;
  const bool thin = drawing.dots.size() > kManyDots;
  std::vector<bool> occupied;
  const int columns = static_cast<int>(clip.width() / kSmallestShape) + 1;
  if (thin) {
    occupied.assign(static_cast<std::size_t>(columns) * (static_cast<std::size_t>(clip.height() / kSmallestShape) + 1),
                    false);
  }
  const auto emitDot = [&](const PlanarDot& dot) {
    const double x = ratio * view.x(dot.x);
    const double y = ratio * view.y(dot.y);
    if (x < clip.left || x >= clip.right || y < clip.top || y >= clip.bottom) {
      return;
    }
    const bool emphasized = isEmphasized(dot.item);
    if (thin && !emphasized) {
      const auto cell = static_cast<std::size_t>((y - clip.top) / kSmallestShape) * static_cast<std::size_t>(columns) +
                        static_cast<std::size_t>((x - clip.left) / kSmallestShape);
      if (occupied[cell]) {
        return;
      }
      occupied[cell] = true;
    }
    const double radius = ratio * (dot.radius + (emphasized ? 1 : 0));
    if (smooth || emphasized) {
      front.disc(x, y, radius, shade(dot.color, dot.item));
    } else {
      const double side = std::max(1.0, std::round(2 * radius));
      const double left = std::round(x - 0.5 * side);
      const double top = std::round(y - 0.5 * side);
      front.rectangle(left, top, left + side, top + side, shade(dot.color, dot.item));
    }
  };
  for (const PlanarDot& dot : drawing.dots) {
    if (!isEmphasized(dot.item)) {
      emitDot(dot);
    }
  }
  for (const PlanarDot& dot : drawing.dots) {
    if (isEmphasized(dot.item)) {
      emitDot(dot);
    }
  }
}

void PlanarCanvas::Private::outlineItems()
{
  overlay->selected.clear();
  overlay->hovered.clear();
  const QRectF plot = canvas.plotArea();
  const auto outlineRect = [&](std::vector<PlanarOverlay::Outline>& outlines, const PlanarRect& bar) {
    const QRectF pixels = view.map(QRectF(QPointF(bar.left, bar.top), QPointF(bar.right, bar.bottom)));
    if (pixels.intersects(plot) || (pixels.isEmpty() && plot.contains(pixels.center()))) {
      outlines.push_back({pixels, false});
    }
  };
  const auto outlineDot = [&](std::vector<PlanarOverlay::Outline>& outlines, const PlanarDot& dot) {
    const QPointF middle = view.map(QPointF(dot.x, dot.y));
    if (plot.contains(middle)) {
      const double radius = dot.radius + 1;
      outlines.push_back({QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius), true});
    }
  };
  for (const PlanarRect* bar : emphasizedBars) {
    outlineRect(overlay->selected, *bar);
  }
  for (const PlanarRect& bar : drawing.bars) {
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
  d->drawing = std::move(drawing);
  // Bars and squares fall on whole pixels; only discs need more than one sample a pixel, which costs.
  const bool discs = !d->drawing.dots.empty() && d->drawing.dots.size() <= kSmoothDots;
  renderWindow()->SetMultiSamples(discs ? kSamples : 0);
  d->emphasizedBars.clear();
  d->hoveredItem = -1;
  d->emphasis.clear();
  if (d->fitted) {
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
  const QRectF whole(rect());
  const QMarginsF& margins = d->margins;
  return {margins.left(), margins.top(), std::max(1.0, whole.width() - margins.left() - margins.right()),
          std::max(1.0, whole.height() - margins.top() - margins.bottom())};
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
    d->rebuild();
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
  if (event->button() != Qt::LeftButton) {
    event->ignore();
    return;
  }
  d->pressed = true;
  d->dragging = false;
  d->pressedAt = d->lastPixel = event->position();
  const auto handle = d->handleAt(event->position());
  d->draggedHandle = handle ? handle->id : -1;
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
  } else {
    setCursor(Qt::ClosedHandCursor);
    pan(pixel - d->lastPixel);
  }
  d->lastPixel = pixel;
}

void PlanarCanvas::mouseReleaseEvent(QMouseEvent* event)
{
  if (event->button() != Qt::LeftButton || !d->pressed) {
    event->ignore();
    return;
  }
  d->pressed = false;
  const QPointF scene = d->view.toScene(event->position());
  if (d->draggedHandle >= 0) {
    emit handleReleased(std::exchange(d->draggedHandle, -1), scene);
  } else if (!d->dragging) {
    emit itemClicked(itemAt(event->position()), scene);
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
