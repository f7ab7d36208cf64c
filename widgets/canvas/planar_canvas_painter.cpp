#include "widgets/canvas/planar_canvas_painter.hpp"

#include "widgets/canvas/planar_canvas_density.hpp"
#include "widgets/canvas/planar_canvas_overlay.hpp"
#include "widgets/theme.hpp"

#include <QImage>
#include <QPainter>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
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
#include <optional>

namespace hinesight::widgets {

namespace {

constexpr double kSmallestShape = 2;      // device pixels; what is smaller goes into the density grid
constexpr double kGap = 1;                // device pixels between neighbours that are wide enough to afford it
constexpr double kAffordsGap = 4;         // device pixels
constexpr double kGridDistance = 30;      // pixels
constexpr double kLeastSpacing = 5;       // pixels between lines alike
constexpr std::size_t kManyDots = 20'000; // above, dots on the same pixels are drawn once

/// Depth of the layers: the density bands lie between what is behind the bars and the bars.
constexpr double kBackDepth = 0;
constexpr double kDensityDepth = 1;
constexpr double kFrontDepth = 2;

/// Takes shapes in device pixels, y downward.
class ShapeLayer
{
public:
  virtual ~ShapeLayer() = default;
  virtual void rectangle(double left, double top, double right, double bottom, QRgb color) = 0;
  virtual void disc(double x, double y, double radius, QRgb color) = 0;
};

/// Coloured polygons in device pixels, y upward, of one actor.
class PolygonLayer final : public ShapeLayer
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

  void rectangle(double left, double top, double right, double bottom, QRgb color) override
  {
    corner(left, top, color);
    corner(left, bottom, color);
    corner(right, bottom, color);
    corner(right, top, color);
    close();
  }

  void disc(double x, double y, double radius, QRgb color) override
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

/// Keeps shapes until they are painted in their order.
class RecordedLayer final : public ShapeLayer
{
public:
  void rectangle(double left, double top, double right, double bottom, QRgb color) override
  {
    shapes.push_back({QRectF(QPointF(left, top), QPointF(right, bottom)), color, false});
  }

  void disc(double x, double y, double radius, QRgb color) override
  {
    shapes.push_back({QRectF(x - radius, y - radius, 2 * radius, 2 * radius), color, true});
  }

  void paint(QPainter& painter) const
  {
    for (const Shape& shape : shapes) {
      painter.setBrush(QColor(shape.color));
      painter.setRenderHint(QPainter::Antialiasing, shape.isDisc); // rectangles fall on whole pixels
      if (shape.isDisc) {
        painter.drawEllipse(shape.around);
      } else {
        painter.drawRect(shape.around);
      }
    }
  }

private:
  struct Shape
  {
    QRectF around;
    QRgb color;
    bool isDisc;
  };
  std::vector<Shape> shapes;
};

struct PixelRect
{
  double left, top, right, bottom;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool contains(const PixelRect& other) const
  {
    return left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom;
  }
};

/// Turns the visible part of a drawing into shapes: those behind the density bands, those that are too small for a
/// shape of their own, those in front.
class ShapeEmitter
{
public:
  ShapeEmitter(const PlanarFrame& shown, ShapeLayer& backLayer, ShapeLayer& frontLayer, DensityGrid& densities)
      : frame(shown), back(backLayer), front(frontLayer),
        grid(densities), clip{std::round(frame.ratio * frame.plot.left()), std::round(frame.ratio * frame.plot.top()),
                              std::round(frame.ratio * frame.plot.right()),
                              std::round(frame.ratio * frame.plot.bottom())}
  {}

  void emitAll();

private:
  PixelRect project(double left, double top, double right, double bottom) const
  {
    return {frame.ratio * frame.view.x(left), frame.ratio * frame.view.y(top), frame.ratio * frame.view.x(right),
            frame.ratio * frame.view.y(bottom)};
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
    return item >= 0 && static_cast<std::size_t>(item) < frame.emphasis.size() && frame.emphasis[item];
  }

  QRgb shade(QRgb color, std::int32_t item) const
  {
    return frame.emphasis.empty() || item < 0 || isEmphasized(item) ? color : overCanvas(QColor(color), kDimmedOpacity);
  }

  void emitFill(const PlanarRect& rect);
  /// What a line covers of the plot, whole device pixels.
  std::optional<PixelRect> pixelsOf(const PlanarStroke& stroke) const;
  void emitStroke(const PlanarStroke& stroke);
  void emitMark(const PlanarStroke& stroke);
  void emitBar(const PlanarRect& bar);
  void emitGrid(const PlanarAxis& axis);
  void emitDots();

  const PlanarFrame& frame;
  ShapeLayer& back;
  ShapeLayer& front;
  DensityGrid& grid;
  PixelRect clip;       ///< the plot in device pixels
  PixelRect lastMark{}; ///< the last line in front that was drawn
};

void ShapeEmitter::emitAll()
{
  for (const PlanarRect& rect : frame.drawing.backdrop) {
    emitFill(rect);
  }
  for (const PlanarAxis& axis : frame.drawing.axes) {
    emitGrid(axis);
  }
  for (const PlanarStroke& stroke : frame.drawing.strokes) {
    emitStroke(stroke);
  }
  for (const PlanarRect& bar : frame.drawing.bars) {
    emitBar(bar);
  }
  emitDots();
  for (const PlanarStroke& stroke : frame.drawing.marks) {
    emitMark(stroke);
  }
}

void ShapeEmitter::emitFill(const PlanarRect& rect)
{
  const PixelRect pixels = project(rect.left, rect.top, rect.right, rect.bottom);
  if (!outOfPlot(pixels)) {
    const PixelRect inside = clipped(pixels);
    back.rectangle(std::round(inside.left), std::round(inside.top), std::round(inside.right), std::round(inside.bottom),
                   rect.color);
  }
}

std::optional<PixelRect> ShapeEmitter::pixelsOf(const PlanarStroke& stroke) const
{
  const PixelRect line = project(std::min(stroke.x0, stroke.x1), std::min(stroke.y0, stroke.y1),
                                 std::max(stroke.x0, stroke.x1), std::max(stroke.y0, stroke.y1));
  const bool horizontal = line.width() > line.height();
  const double spacing = stroke.spacing * (horizontal ? frame.view.scaleY : frame.view.scaleX);
  if (stroke.spacing > 0 && spacing < kLeastSpacing) {
    return std::nullopt;
  }
  const double width = std::max(1.0, std::round(frame.ratio * stroke.width));
  PixelRect pixels{};
  if (horizontal) {
    const double top = std::round(line.top - 0.5 * width);
    pixels = {std::round(line.left - 0.5 * width), top, std::round(line.right + 0.5 * width), top + width};
  } else {
    const double left = std::round(line.left - 0.5 * width);
    pixels = {left, std::round(line.top), left + width, std::max(std::round(line.bottom), std::round(line.top) + 1)};
  }
  return outOfPlot(pixels) ? std::nullopt : std::optional(clipped(pixels));
}

void ShapeEmitter::emitStroke(const PlanarStroke& stroke)
{
  const double across = std::abs(stroke.x1 - stroke.x0) * frame.view.scaleX;
  const double down = std::abs(stroke.y1 - stroke.y0) * frame.view.scaleY;
  if (frame.ratio * std::max(across, down) < kSmallestShape) {
    return;
  }
  if (const auto pixels = pixelsOf(stroke)) {
    back.rectangle(pixels->left, pixels->top, pixels->right, pixels->bottom, stroke.color);
  }
}

void ShapeEmitter::emitMark(const PlanarStroke& stroke)
{
  const auto pixels = pixelsOf(stroke);
  // Of a path through thousands of levels most pieces fall on the pixels of the piece before.
  if (!pixels || lastMark.contains(*pixels)) {
    return;
  }
  lastMark = *pixels;
  const QRgb color = frame.emphasis.empty() ? stroke.color : overCanvas(QColor(stroke.color), kDimmedOpacity);
  front.rectangle(pixels->left, pixels->top, pixels->right, pixels->bottom, color);
}

void ShapeEmitter::emitBar(const PlanarRect& bar)
{
  PixelRect pixels = project(bar.left, bar.top, bar.right, bar.bottom);
  if (isEmphasized(bar.item)) {
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

void ShapeEmitter::emitGrid(const PlanarAxis& axis)
{
  if (!axis.grid) {
    return;
  }
  const QRectF plot = frame.plot;
  const std::vector<double> values = *axis.grid > 0 ? multiplesInSight(axis, frame.view, plot, *axis.grid)
                                                    : axisTicks(axis, frame.view, plot, kGridDistance);
  const bool across = axis.edge == Qt::TopEdge || axis.edge == Qt::BottomEdge;
  const QRectF inSight =
      QRectF(frame.view.toScene(plot.topLeft()), frame.view.toScene(plot.bottomRight())) & frame.drawing.bounds;
  const QRgb color = overCanvas(theme().hairline, 1);
  for (const double value : values) {
    const double at = axis.toScene(value);
    emitStroke(across ? PlanarStroke{at, inSight.top(), at, inSight.bottom(), color, 1}
                      : PlanarStroke{inSight.left(), at, inSight.right(), at, color, 1});
  }
}

void ShapeEmitter::emitDots()
{
  const bool smooth = frame.drawing.dots.size() <= PlanarPainter::kSmoothDots;
  const bool thin = frame.drawing.dots.size() > kManyDots;
  std::vector<bool> occupied;
  const int columns = static_cast<int>(clip.width() / kSmallestShape) + 1;
  if (thin) {
    occupied.assign(static_cast<std::size_t>(columns) * (static_cast<std::size_t>(clip.height() / kSmallestShape) + 1),
                    false);
  }
  const auto emitDot = [&](const PlanarDot& dot) {
    const double x = frame.ratio * frame.view.x(dot.x);
    const double y = frame.ratio * frame.view.y(dot.y);
    if (x < clip.left || x >= clip.right || y < clip.top || y >= clip.bottom) {
      return;
    }
    const bool emphasized = isEmphasized(dot.item);
    if (thin) {
      const auto cell = static_cast<std::size_t>((y - clip.top) / kSmallestShape) * static_cast<std::size_t>(columns) +
                        static_cast<std::size_t>((x - clip.left) / kSmallestShape);
      if (occupied[cell]) {
        return;
      }
      occupied[cell] = true;
    }
    const double radius = frame.ratio * (dot.radius + (emphasized ? 1 : 0));
    if (smooth || emphasized) {
      front.disc(x, y, radius, shade(dot.color, dot.item));
    } else {
      const double side = std::max(1.0, std::round(2 * radius));
      const double left = std::round(x - 0.5 * side);
      const double top = std::round(y - 0.5 * side);
      front.rectangle(left, top, left + side, top + side, shade(dot.color, dot.item));
    }
  };
  for (const PlanarDot& dot : frame.drawing.dots) {
    if (!isEmphasized(dot.item)) {
      emitDot(dot);
    }
  }
  std::fill(occupied.begin(), occupied.end(), false); // the emphasized ones lie over the others
  for (const PlanarDot& dot : frame.drawing.dots) {
    if (isEmphasized(dot.item)) {
      emitDot(dot);
    }
  }
}

} // namespace

class PlanarPainter::Private
{
public:
  explicit Private(vtkRenderer& shown) : renderer(shown)
  {
    renderer.AddActor(back.prop());
    renderer.AddActor(density.prop());
    renderer.AddActor(front.prop());
  }

  void paint(const PlanarFrame& frame);

private:
  void setUpCamera(const QSize& size);

  vtkRenderer& renderer;
  PolygonLayer back{kBackDepth};
  PolygonLayer front{kFrontDepth};
  DensityLayer density;
  DensityGrid grid;
};

void PlanarPainter::Private::setUpCamera(const QSize& size)
{
  vtkCamera* camera = renderer.GetActiveCamera();
  camera->ParallelProjectionOn();
  camera->SetParallelScale(0.5 * size.height());
  camera->SetFocalPoint(0.5 * size.width(), 0.5 * size.height(), 0);
  camera->SetPosition(0.5 * size.width(), 0.5 * size.height(), 10);
  camera->SetViewUp(0, 1, 0);
  camera->SetClippingRange(1, 20);
  const QColor background = theme().canvas;
  renderer.SetBackground(background.redF(), background.greenF(), background.blueF());
}

void PlanarPainter::Private::paint(const PlanarFrame& frame)
{
  const QSize size = frame.size * frame.ratio;
  setUpCamera(size);
  back.begin(size.height());
  front.begin(size.height());
  grid.clear(size.width(), size.height());
  ShapeEmitter(frame, back, front, grid).emitAll();
  back.end();
  front.end();
  density.show(grid, size.height());
}

PlanarPainter::PlanarPainter(vtkRenderer& renderer) : d(std::make_unique<Private>(renderer)) {}

PlanarPainter::~PlanarPainter() = default;

void PlanarPainter::paint(const PlanarFrame& frame)
{
  d->paint(frame);
}

void paintPlanar(QPainter& painter, const PlanarFrame& frame)
{
  const QSize size = frame.size * frame.ratio;
  RecordedLayer back;
  RecordedLayer front;
  DensityGrid grid;
  grid.clear(size.width(), size.height());
  ShapeEmitter(frame, back, front, grid).emitAll();
  painter.save();
  painter.scale(1 / frame.ratio, 1 / frame.ratio);
  painter.setPen(Qt::NoPen);
  back.paint(painter);
  if (!grid.isEmpty()) {
    QImage bands(grid.columns(), grid.rows(), QImage::Format_RGBA8888);
    grid.paint(bands.bits(), theme().canvas.rgb());
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(QRect({0, 0}, bands.size() * DensityGrid::kCell), bands);
  }
  front.paint(painter);
  painter.restore();
}

} // namespace hinesight::widgets
