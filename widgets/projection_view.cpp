#include "widgets/projection_view.hpp"

#include "widgets/legend_overlay.hpp"
#include "widgets/planar_canvas.hpp"
#include "widgets/projection_colors.hpp"
#include "widgets/theme.hpp"
#include "widgets/timing_card.hpp"
#include "widgets/vtk_widget.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
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
#include <limits>

namespace hinesight::widgets {

namespace {

using projection::Population;
using projection::Position;

constexpr std::uint32_t kMostPixels = 1024;    ///< of a layer's picture, a side; larger grids are drawn coarser
constexpr std::uint64_t kMostPoints = 100'000; ///< of a layer that is no flat grid; of larger ones a part is drawn
constexpr std::size_t kMostSources = 12;       ///< one more takes the place of the first
constexpr double kGapShare = 0.75;             ///< between the layers, of the longest side
constexpr double kTilt = 24;                   ///< degrees from which the layers are seen
constexpr double kTurn = -24;                  ///< degrees
constexpr double kMarkerRadius = 7;            ///< pixels
constexpr double kPickRadius = 11;             ///< pixels
constexpr double kPointRadius = 8;             ///< pixels
constexpr double kClickDistance = 4;           ///< pixels that the mouse may move during a click
constexpr double kZoomPerNotch = 1.2;
constexpr double kCardRoom = 0.09; ///< of the width, that the picture leaves more at the right than at the left
constexpr double kWheelNotch = 120;
constexpr int kOverlayMargin = 12;
constexpr double kNameGap = 12; ///< between a layer and its name, pixels
constexpr double kPlateOpacity = 0.6;
constexpr double kIdlePointOpacity = 0.45; ///< of a neuron that no chosen source reaches
constexpr int kPlateAlpha = 150;
constexpr float kPointSize = 3;

QString counted(std::uint64_t count)
{
  return formatNumber(static_cast<double>(count));
}

bool isFlatGrid(const Population& population)
{
  return population.isGrid() && population.parameters().size[2] == 1;
}

/// "150 x 150" of a grid, else "10,000".
QString sizeInWords(const Population& population)
{
  const auto& size = population.parameters().size;
  if (!population.isGrid()) {
    return ProjectionView::tr("%1 neurons").arg(counted(population.count()));
  }
  QString text = QStringLiteral("%1 \u00d7 %2").arg(counted(size[0]), counted(size[1]));
  if (size[2] > 1) {
    text += QStringLiteral(" \u00d7 %1").arg(counted(size[2]));
  }
  return text;
}

} // namespace

/// A population as it is drawn: a flat grid as a picture with a pixel for each neuron, or for a square of them; any
/// other as points.
class ProjectionLayer
{
public:
  explicit ProjectionLayer(vtkRenderer& renderer)
  {
    actor->SetMapper(mapper);
    actor->GetProperty()->LightingOff();
    actor->GetProperty()->SetPointSize(kPointSize);
    mapper->SetInputData(shape);
    texture->InterpolateOff();
    texture->MipmapOff();
    texture->SetInputData(picture);
    actor->VisibilityOff();
    renderer.AddActor(actor);
  }

  void setPopulation(std::shared_ptr<const Population> shown, double height)
  {
    population = std::move(shown);
    lift = height;
    actor->SetVisibility(population != nullptr);
    if (!population) {
      return;
    }
    if (isFlatGrid(*population)) {
      makePlate();
    } else {
      makePoints();
    }
  }

  std::size_t cells() const { return cellCount; }

  std::size_t cellOf(std::uint64_t neuron) const
  {
    if (isPlate()) {
      const auto columns = population->parameters().size[0];
      return static_cast<std::size_t>(neuron / columns / coarseness) * width +
             static_cast<std::size_t>(neuron % columns / coarseness);
    }
    return static_cast<std::size_t>(neuron / stride);
  }

  bool isPlate() const { return isFlatGrid(*population); }

  Vec3 world(const Position& position) const { return {position[0], position[2] + lift, -position[1]}; }
  Vec3 worldOf(std::uint64_t neuron) const { return world(population->position(neuron)); }

  std::array<Vec3, 8> corners() const
  {
    const auto box = population->bounds();
    std::array<Vec3, 8> result;
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] = world({box[k & 1][0], box[(k >> 1) & 1][1], box[(k >> 2) & 1][2]});
    }
    return result;
  }

  /// The corners of its floor, in order around the layer.
  std::array<Vec3, 4> outline() const
  {
    const auto box = population->bounds();
    const double z = box[0][2];
    const double dx = isPlate() ? population->parameters().spacing[0] / 2 : 0;
    const double dy = isPlate() ? population->parameters().spacing[1] / 2 : 0;
    return {world({box[0][0] - dx, box[0][1] - dy, z}), world({box[1][0] + dx, box[0][1] - dy, z}),
            world({box[1][0] + dx, box[1][1] + dy, z}), world({box[0][0] - dx, box[1][1] + dy, z})};
  }

  /// `colorOf(cell)`: RGBA.
  template <typename ColorOf>
  void paint(const ColorOf& colorOf)
  {
    auto* values = isPlate() ? static_cast<unsigned char*>(picture->GetScalarPointer()) : pointColors->GetPointer(0);
    for (std::size_t cell = 0; cell < cellCount; ++cell) {
      const QRgb color = colorOf(cell);
      values[4 * cell] = static_cast<unsigned char>(qRed(color));
      values[4 * cell + 1] = static_cast<unsigned char>(qGreen(color));
      values[4 * cell + 2] = static_cast<unsigned char>(qBlue(color));
      values[4 * cell + 3] = static_cast<unsigned char>(qAlpha(color));
    }
    picture->Modified();
    pointColors->Modified();
    shape->Modified();
  }

  void setTranslucent(bool translucent)
  {
    if (translucent) {
      actor->ForceTranslucentOn();
    } else {
      actor->ForceOpaqueOn();
    }
  }

  /// The neuron of a flat grid where a line of sight meets it.
  std::optional<std::uint32_t> hit(const Vec3& eye, const Vec3& direction) const
  {
    const double height = population->bounds()[0][2] + lift;
    const double way = direction[1] == 0 ? -1 : (height - eye[1]) / direction[1];
    if (way <= 0) {
      return std::nullopt;
    }
    const auto& grid = population->parameters();
    const Vec3 point = eye + way * direction;
    const double column = std::round((point[0] - grid.origin[0]) / grid.spacing[0]);
    const double row = std::round((-point[2] - grid.origin[1]) / grid.spacing[1]);
    if (!(column >= 0 && column < grid.size[0] && row >= 0 && row < grid.size[1])) {
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(row) * grid.size[0] + static_cast<std::uint32_t>(column);
  }

  /// The drawn neuron that is nearest to a pixel, within a few.
  std::optional<std::uint32_t> nearest(const OrbitCamera& camera, const QPointF& pixel) const
  {
    std::optional<std::uint32_t> found;
    double best = kPointRadius;
    for (std::uint64_t neuron = 0; neuron < population->count(); neuron += stride) {
      const ScreenPoint at = camera.project(worldOf(neuron));
      const double distance = std::hypot(at.x - pixel.x(), at.y - pixel.y());
      if (at.depth > 0 && distance < best) {
        best = distance;
        found = static_cast<std::uint32_t>(neuron);
      }
    }
    return found;
  }

  std::shared_ptr<const Population> population;

private:
  void makePlate()
  {
    const auto& grid = population->parameters();
    coarseness = (std::max(grid.size[0], grid.size[1]) + kMostPixels - 1) / kMostPixels;
    width = (grid.size[0] + coarseness - 1) / coarseness;
    const std::uint32_t height = (grid.size[1] + coarseness - 1) / coarseness;
    cellCount = std::size_t{width} * height;
    picture->SetDimensions(static_cast<int>(width), static_cast<int>(height), 1);
    picture->AllocateScalars(VTK_UNSIGNED_CHAR, 4);

    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkFloatArray> places;
    places->SetNumberOfComponents(2);
    const double right = grid.origin[0] + (width * coarseness - 0.5) * grid.spacing[0];
    const double far = grid.origin[1] + (height * coarseness - 0.5) * grid.spacing[1];
    const double left = grid.origin[0] - 0.5 * grid.spacing[0];
    const double near = grid.origin[1] - 0.5 * grid.spacing[1];
    const std::array<Vec3, 4> quad = {world({left, near, grid.origin[2]}), world({right, near, grid.origin[2]}),
                                      world({right, far, grid.origin[2]}), world({left, far, grid.origin[2]})};
    vtkNew<vtkCellArray> faces;
    faces->InsertNextCell(4);
    for (vtkIdType k = 0; k < 4; ++k) {
      points->InsertNextPoint(quad[static_cast<std::size_t>(k)].data());
      places->InsertNextTuple2(k == 1 || k == 2 ? 1 : 0, k >= 2 ? 1 : 0);
      faces->InsertCellPoint(k);
    }
    shape->Initialize();
    shape->SetPoints(points);
    shape->SetPolys(faces);
    shape->GetPointData()->SetTCoords(places);
    mapper->ScalarVisibilityOff();
    actor->SetTexture(texture);
  }

  void makePoints()
  {
    stride = (population->count() + kMostPoints - 1) / kMostPoints;
    cellCount = static_cast<std::size_t>((population->count() + stride - 1) / stride);
    vtkNew<vtkPoints> points;
    points->SetNumberOfPoints(static_cast<vtkIdType>(cellCount));
    vtkNew<vtkCellArray> vertices;
    for (std::size_t cell = 0; cell < cellCount; ++cell) {
      points->SetPoint(static_cast<vtkIdType>(cell), worldOf(cell * stride).data());
      vertices->InsertNextCell(1);
      vertices->InsertCellPoint(static_cast<vtkIdType>(cell));
    }
    pointColors->SetNumberOfComponents(4);
    pointColors->SetNumberOfTuples(static_cast<vtkIdType>(cellCount));
    shape->Initialize();
    shape->SetPoints(points);
    shape->SetVerts(vertices);
    shape->GetPointData()->SetScalars(pointColors);
    mapper->ScalarVisibilityOn();
    actor->SetTexture(nullptr);
  }

  vtkNew<vtkActor> actor;
  vtkNew<vtkPolyDataMapper> mapper;
  vtkNew<vtkPolyData> shape;
  vtkNew<vtkImageData> picture;
  vtkNew<vtkTexture> texture;
  vtkNew<vtkUnsignedCharArray> pointColors;
  double lift = 0;
  std::size_t cellCount = 0;
  std::uint32_t coarseness = 1; ///< neurons along a side of a pixel
  std::uint32_t width = 0;      ///< pixels
  std::uint64_t stride = 1;     ///< every so manieth neuron is drawn as a point
};

class ProjectionView::Private
{
public:
  explicit Private(ProjectionView& owner)
      : view(owner), canvas(new VtkWidget(&owner)), overlay(new Overlay(*this)), destinationLayer(*canvas->renderer()),
        sourceLayer(*canvas->renderer())
  {
    sourceLayer.setTranslucent(true);
    destinationLayer.setTranslucent(false);
    legend = new LegendOverlay(canvas);
    card = new TimingCard(canvas);
    card->hide();
    canvas->renderWindow();
    canvas->setFocusPolicy(Qt::StrongFocus);
    canvas->setMouseTracking(true);
  }

  /// Outlines, names, markers and the lines from them down to the other layer.
  class Overlay : public QWidget
  {
  public:
    explicit Overlay(Private& d) : QWidget(d.canvas), own(d) { setAttribute(Qt::WA_TransparentForMouseEvents); }

  protected:
    void paintEvent(QPaintEvent*) override
    {
      if (!own.table) {
        return;
      }
      QPainter painter(this);
      painter.setRenderHint(QPainter::Antialiasing);
      own.paintOutline(painter, own.destinationLayer, ProjectionView::tr("destination"));
      own.paintDrops(painter);
      own.paintOutline(painter, own.sourceLayer, ProjectionView::tr("source"));
      own.paintMarkers(painter);
    }

  private:
    Private& own;
  };

  QPointF pixelOf(const Vec3& point) const
  {
    const ScreenPoint at = camera.project(point);
    return {at.x, at.y};
  }

  void paintOutline(QPainter& painter, const ProjectionLayer& layer, const QString& role) const
  {
    QPolygonF polygon;
    for (const Vec3& corner : layer.outline()) {
      polygon << pixelOf(corner);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().secondaryText, 1));
    painter.drawPolygon(polygon);
    // Beside the left corner, where nothing is drawn.
    const QPointF corner = *std::min_element(polygon.begin(), polygon.end(),
                                             [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    const QString name = QString::fromStdString(layer.population->name());
    const QFontMetrics metrics = painter.fontMetrics();
    const auto write = [&](const QString& text, double line, const QColor& color) {
      painter.setPen(color);
      painter.drawText(
          QPointF(corner.x() - metrics.horizontalAdvance(text) - kNameGap, corner.y() + line * metrics.height()), text);
    };
    write(name, 0, theme().text);
    write(ProjectionView::tr("%1, %2").arg(role, sizeInWords(*layer.population)), 1, theme().secondaryText);
  }

  /// From each marker straight down to the destination layer, and from there to where its rows are on the mean.
  void paintDrops(QPainter& painter) const
  {
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const Position from = sourceLayer.population->position(sources[k]);
      const Position below = {from[0], from[1], destinationLayer.population->bounds()[0][2]};
      const QPointF foot = pixelOf(destinationLayer.world(below));
      const QColor color = markerColor(k);
      painter.setPen(QPen(color, 1, Qt::DotLine));
      painter.drawLine(pixelOf(sourceLayer.world(from)), foot);
      painter.setBrush(color);
      painter.drawEllipse(foot, 2.5, 2.5);
      if (const auto& centre = centres[k]) {
        painter.setPen(QPen(color, 1.5));
        painter.drawLine(foot, pixelOf(destinationLayer.world(*centre)));
      }
    }
  }

  void paintMarkers(QPainter& painter) const
  {
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const QPointF at = pixelOf(sourceLayer.worldOf(sources[k]));
      painter.setPen(QPen(theme().canvas, 2));
      painter.setBrush(markerColor(k));
      painter.drawEllipse(at, kMarkerRadius, kMarkerRadius);
      painter.setPen(theme().text);
      painter.drawText(at + QPointF(kMarkerRadius + 4, 4), formatNumber(sources[k]));
    }
  }

  static QColor markerColor(std::size_t marker) { return categoryColor(static_cast<std::int64_t>(marker)); }

  /// Mean position of a source's destinations by magnitude of weight; none where it has no rows.
  std::optional<Position> centreOfRows(std::uint32_t source) const
  {
    Position sum{};
    double weights = 0;
    for (std::uint64_t row = table->offsets[source]; row < table->offsets[source + 1]; ++row) {
      const Position at = destinationLayer.population->position(table->destination[row]);
      const double weight = std::abs(table->weight[row]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum[axis] += weight * at[axis];
      }
      weights += weight;
    }
    if (weights == 0) {
      return std::nullopt;
    }
    for (double& coordinate : sum) {
      coordinate /= weights;
    }
    return sum;
  }

  void takeTable(std::shared_ptr<const projection::WeightTable> next,
                 std::shared_ptr<const projection::TableSummary> nextSummary)
  {
    const bool samePopulations = table && next && table->projection.source == next->projection.source &&
                                 table->projection.destination == next->projection.destination;
    table = std::move(next);
    summary = std::move(nextSummary);
    if (!samePopulations) {
      placeLayers();
      keepSources();
      view.fit();
    }
    paintSourceLayer();
    refreshHeat();
  }

  void placeLayers()
  {
    if (!table) {
      sourceLayer.setPopulation(nullptr, 0);
      destinationLayer.setPopulation(nullptr, 0);
      return;
    }
    const auto source = table->projection.source->bounds();
    const auto destination = table->projection.destination->bounds();
    double longest = 0;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      longest = std::max({longest, source[1][axis] - source[0][axis], destination[1][axis] - destination[0][axis]});
    }
    const double gap = longest > 0 ? kGapShare * longest : 1;
    destinationLayer.setPopulation(table->projection.destination, 0);
    sourceLayer.setPopulation(table->projection.source, destination[1][2] - source[0][2] + gap);
  }

  void keepSources()
  {
    if (!table) {
      return;
    }
    std::erase_if(sources, [&](std::uint32_t source) { return source >= table->sources(); });
    if (!sources.empty()) {
      return;
    }
    // Three that lie apart: in a grid on its diagonal.
    const std::uint64_t count = table->sources();
    for (const double share : {0.2, 0.5, 0.8}) {
      auto source = static_cast<std::uint64_t>(share * static_cast<double>(count));
      if (isFlatGrid(*table->projection.source)) {
        const auto& size = table->projection.source->parameters().size;
        source = static_cast<std::uint64_t>(share * size[1]) * size[0] + static_cast<std::uint64_t>(share * size[0]);
      }
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
        sources.push_back(static_cast<std::uint32_t>(source));
      }
    }
  }

  void paintSourceLayer()
  {
    if (!table) {
      return;
    }
    QColor plate = theme().hairline;
    plate.setAlpha(kPlateAlpha);
    QColor point = theme().secondaryText;
    point.setAlphaF(static_cast<float>(kPlateOpacity));
    const QRgb color = sourceLayer.isPlate() ? plate.rgba() : point.rgba();
    sourceLayer.paint([color](std::size_t) { return color; });
  }

  void refreshHeat()
  {
    if (table) {
      collectHeat();
      centres.clear();
      for (const std::uint32_t source : sources) {
        centres.push_back(centreOfRows(source));
      }
      const bool isSigned = summary->weights.low < 0;
      const double highest = std::max(std::abs(summary->weights.low), std::abs(summary->weights.high));
      std::vector<QRgb> colors = levelColors(isSigned);
      if (!destinationLayer.isPlate()) {
        colors[isSigned ? signedLevelOf(0) : levelOf(0)] = overCanvas(theme().secondaryText, kIdlePointOpacity);
      }
      destinationLayer.paint([&](std::size_t cell) {
        const double share = highest > 0 ? heat[cell] / highest : 0;
        return colors[isSigned ? signedLevelOf(share) : levelOf(share)];
      });
    }
    refreshLegend();
    draw();
  }

  /// Per cell of the destination layer: the chosen sources' weight that is largest in magnitude.
  void collectHeat()
  {
    heat.assign(destinationLayer.cells(), 0);
    for (const std::uint32_t source : sources) {
      for (std::uint64_t row = table->offsets[source]; row < table->offsets[source + 1]; ++row) {
        float& cell = heat[destinationLayer.cellOf(table->destination[row])];
        if (std::abs(table->weight[row]) > std::abs(cell)) {
          cell = table->weight[row];
        }
      }
    }
  }

  void refreshLegend()
  {
    Legend shown;
    if (table && table->rows() > 0) {
      const bool isSigned = summary->weights.low < 0;
      shown.title = ProjectionView::tr("weight of the chosen sources");
      shown.isQuantity = true;
      shown.map = isSigned ? ColorMap::Diverging : ColorMap::Viridis;
      shown.high = std::max(std::abs(summary->weights.low), std::abs(summary->weights.high));
      shown.low = isSigned ? -shown.high : 0;
    }
    legend->setLegend(shown);
    layOut();
  }

  void draw()
  {
    const QColor background = theme().canvas;
    canvas->renderer()->SetBackground(background.redF(), background.greenF(), background.blueF());
    applyCamera();
    canvas->requestRender();
    overlay->update();
  }

  void applyCamera()
  {
    vtkCamera* eye = canvas->renderer()->GetActiveCamera();
    const Vec3 position = camera.position();
    const Vec3& focus = camera.focalPoint();
    eye->SetPosition(position.data());
    eye->SetFocalPoint(focus.data());
    eye->SetViewUp(camera.up().data());
    eye->SetViewAngle(camera.viewAngle());
    if (!table) {
      return;
    }
    double farthest = 0;
    for (const ProjectionLayer* layer : {&sourceLayer, &destinationLayer}) {
      for (const Vec3& corner : layer->corners()) {
        farthest = std::max(farthest, camera.project(corner).depth);
      }
    }
    farthest = std::max(2 * farthest, 1e-6);
    eye->SetClippingRange(farthest * 1e-3, farthest);
  }

  /// The line of sight through a pixel: a point on it besides the eye, less the eye.
  Vec3 directionAt(const QPointF& pixel) const
  {
    const double unit = camera.pixelSize(camera.focalDistance());
    const double right = (pixel.x() - camera.viewport().width() / 2.0) * unit;
    const double up = (camera.viewport().height() / 2.0 - pixel.y()) * unit;
    return camera.focalPoint() + right * camera.right() + up * camera.up() - camera.position();
  }

  std::optional<std::uint32_t> neuronAt(const ProjectionLayer& layer, const QPointF& pixel) const
  {
    if (!table) {
      return std::nullopt;
    }
    return layer.isPlate() ? layer.hit(camera.position(), directionAt(pixel)) : layer.nearest(camera, pixel);
  }

  std::optional<std::size_t> markerAt(const QPointF& pixel) const
  {
    std::optional<std::size_t> found;
    double best = kPickRadius;
    for (std::size_t k = 0; table && k < sources.size(); ++k) {
      const QPointF away = pixelOf(sourceLayer.worldOf(sources[k])) - pixel;
      if (std::hypot(away.x(), away.y()) < best) {
        best = std::hypot(away.x(), away.y());
        found = k;
      }
    }
    return found;
  }

  void sourcesWereChanged()
  {
    refreshHeat();
    emit view.sourcesChanged();
  }

  void click(const QPointF& pixel)
  {
    if (const auto marker = markerAt(pixel)) {
      sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(*marker));
      sourcesWereChanged();
      return;
    }
    const auto source = neuronAt(sourceLayer, pixel);
    if (!source || std::find(sources.begin(), sources.end(), *source) != sources.end()) {
      return;
    }
    if (sources.size() == kMostSources) {
      sources.erase(sources.begin());
    }
    sources.push_back(*source);
    sourcesWereChanged();
  }

  bool press(const QMouseEvent& event)
  {
    pressedAt = lastPixel = event.position();
    moved = false;
    pressed = event.button();
    draggedMarker = pressed == Qt::LeftButton ? markerAt(pressedAt) : std::nullopt;
    canvas->setFocus();
    return true;
  }

  bool move(const QMouseEvent& event)
  {
    const QPointF pixel = event.position();
    if (pressed == Qt::NoButton) {
      canvas->setCursor(markerAt(pixel)                ? Qt::OpenHandCursor
                        : neuronAt(sourceLayer, pixel) ? Qt::PointingHandCursor
                                                       : Qt::ArrowCursor);
      return true;
    }
    moved = moved || (pixel - pressedAt).manhattanLength() > kClickDistance;
    if (!moved) {
      return true;
    }
    const QPointF step = pixel - lastPixel;
    lastPixel = pixel;
    if (draggedMarker) {
      dragMarker(pixel);
    } else {
      if (pressed == Qt::RightButton || event.modifiers().testFlag(Qt::ShiftModifier)) {
        camera.pan(step);
      } else {
        camera.rotate(step);
      }
      draw();
    }
    return true;
  }

  void dragMarker(const QPointF& pixel)
  {
    const auto source = neuronAt(sourceLayer, pixel);
    if (source && std::find(sources.begin(), sources.end(), *source) == sources.end()) {
      sources[*draggedMarker] = *source;
      sourcesWereChanged();
    }
  }

  bool release(const QMouseEvent& event)
  {
    if (!moved && event.button() == Qt::LeftButton) {
      click(event.position());
    }
    pressed = Qt::NoButton;
    draggedMarker.reset();
    return true;
  }

  bool wheel(const QWheelEvent& event)
  {
    camera.zoomAt(event.position(), std::pow(kZoomPerNotch, event.angleDelta().y() / kWheelNotch));
    draw();
    return true;
  }

  bool tell(const QHelpEvent& event)
  {
    QString text;
    if (const auto source = neuronAt(sourceLayer, event.pos())) {
      const Position at = table->projection.source->position(*source);
      text = ProjectionView::tr("source %1 at (%2, %3, %4): %5 rows")
                 .arg(formatNumber(*source), formatNumber(at[0]), formatNumber(at[1]), formatNumber(at[2]),
                      counted(summary->fanOut[*source]));
    } else if (const auto destination = neuronAt(destinationLayer, event.pos())) {
      const float weight = view.shownWeight(*destination);
      text = ProjectionView::tr("destination %1: %2 rows; %3")
                 .arg(formatNumber(*destination), counted(summary->fanIn[*destination]),
                      weight == 0 ? ProjectionView::tr("none of a chosen source")
                                  : ProjectionView::tr("weight %1").arg(formatNumber(static_cast<double>(weight))));
    }
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(event.globalPos(), text, canvas);
    }
    return true;
  }

  void layOut()
  {
    const QSize size = canvas->size();
    overlay->setGeometry(canvas->rect());
    legend->adjustSize();
    legend->setVisible(!legend->legend().title.isEmpty());
    legend->move(size.width() - legend->width() - kOverlayMargin, size.height() - legend->height() - kOverlayMargin);
    card->move(size.width() - card->width() - kOverlayMargin, kOverlayMargin);
    card->setVisible(timingsShown && (card->runs() > 0 || card->isRunning()));
  }

  ProjectionView& view;
  VtkWidget* canvas;
  Overlay* overlay;
  LegendOverlay* legend = nullptr;
  TimingCard* card = nullptr;
  bool timingsShown = true;
  OrbitCamera camera;
  ProjectionLayer destinationLayer;
  ProjectionLayer sourceLayer;
  std::shared_ptr<const projection::WeightTable> table;
  std::shared_ptr<const projection::TableSummary> summary;
  std::vector<std::uint32_t> sources;
  std::vector<std::optional<Position>> centres; ///< of the rows of each of `sources`
  std::vector<float> heat;                      ///< per cell of the destination layer, what it shows

  // The gesture under way.
  QPointF pressedAt;
  QPointF lastPixel;
  Qt::MouseButton pressed = Qt::NoButton;
  bool moved = false;
  std::optional<std::size_t> draggedMarker;
};

ProjectionView::ProjectionView(QWidget* parent) : QWidget(parent), d(std::make_unique<Private>(*this))
{
  setObjectName(QStringLiteral("projectionView"));
  d->canvas->setObjectName(QStringLiteral("projectionCanvas"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(d->canvas);
  d->canvas->installEventFilter(this);
  connect(d->card, &TimingCard::contentChanged, this, [this] { d->layOut(); });
  d->draw();
}

ProjectionView::~ProjectionView()
{
  d->canvas->removeEventFilter(this);
}

void ProjectionView::setTable(std::shared_ptr<const projection::WeightTable> table,
                              std::shared_ptr<const projection::TableSummary> summary)
{
  d->takeTable(std::move(table), std::move(summary));
}

const projection::WeightTable* ProjectionView::table() const
{
  return d->table.get();
}

void ProjectionView::setSources(std::vector<std::uint32_t> sources)
{
  d->sources.clear();
  for (const std::uint32_t source : sources) {
    const bool isNew = std::find(d->sources.begin(), d->sources.end(), source) == d->sources.end();
    if (isNew && d->table && source < d->table->sources()) {
      d->sources.push_back(source);
    }
  }
  d->refreshHeat();
}

const std::vector<std::uint32_t>& ProjectionView::sources() const
{
  return d->sources;
}

float ProjectionView::shownWeight(std::uint32_t destination) const
{
  float shown = 0;
  for (const std::uint32_t source : d->sources) {
    const std::uint32_t* const begin = d->table->destination.data() + d->table->offsets[source];
    const std::uint32_t* const end = d->table->destination.data() + d->table->offsets[source + 1];
    const std::uint32_t* const found = std::lower_bound(begin, end, destination);
    if (found == end || *found != destination) {
      continue;
    }
    const float weight = d->table->weight[static_cast<std::size_t>(found - d->table->destination.data())];
    shown = std::abs(weight) > std::abs(shown) ? weight : shown;
  }
  return shown;
}

QPointF ProjectionView::pixelOf(bool isSource, std::uint32_t neuron) const
{
  const ProjectionLayer& layer = isSource ? d->sourceLayer : d->destinationLayer;
  return d->pixelOf(layer.worldOf(neuron));
}

std::optional<std::uint32_t> ProjectionView::sourceAt(const QPointF& pixel) const
{
  return d->neuronAt(d->sourceLayer, pixel);
}

void ProjectionView::fit()
{
  if (!d->table) {
    return;
  }
  d->camera.setViewport(d->canvas->size());
  d->camera.resetOrientation();
  const double perDegree = d->canvas->height() / 180.0;
  d->camera.rotate({kTurn * perDegree, 0});
  d->camera.rotate({0, kTilt * perDegree});
  std::vector<float> points;
  for (const ProjectionLayer* layer : {&d->sourceLayer, &d->destinationLayer}) {
    for (const Vec3& corner : layer->corners()) {
      for (const double coordinate : corner) {
        points.push_back(static_cast<float>(coordinate));
      }
    }
  }
  d->camera.fit(points, std::vector<float>(points.size() / 3, 0.0F));
  d->camera.pan({-kCardRoom * d->canvas->width(), 0});
  d->draw();
}

QImage ProjectionView::grabPicture()
{
  d->canvas->grabPicture();
  return grab().toImage();
}

VtkWidget* ProjectionView::canvas() const
{
  return d->canvas;
}

TimingCard* ProjectionView::timingCard() const
{
  return d->card;
}

void ProjectionView::setTimingsShown(bool shown)
{
  d->timingsShown = shown;
  d->layOut();
}

void ProjectionView::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  d->layOut();
}

void ProjectionView::changeEvent(QEvent* event)
{
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    d->paintSourceLayer();
    d->refreshHeat();
  }
}

bool ProjectionView::eventFilter(QObject* watched, QEvent* event)
{
  if (watched != d->canvas) {
    return QWidget::eventFilter(watched, event);
  }
  switch (event->type()) {
  case QEvent::Resize:
    d->camera.setViewport(d->canvas->size());
    d->layOut();
    d->draw();
    return false;
  case QEvent::MouseButtonPress:
  case QEvent::MouseButtonDblClick:
    return d->press(*static_cast<QMouseEvent*>(event));
  case QEvent::MouseMove:
    return d->move(*static_cast<QMouseEvent*>(event));
  case QEvent::MouseButtonRelease:
    return d->release(*static_cast<QMouseEvent*>(event));
  case QEvent::Wheel:
    return d->wheel(*static_cast<QWheelEvent*>(event));
  case QEvent::ToolTip:
    return d->tell(*static_cast<QHelpEvent*>(event));
  case QEvent::KeyPress:
    if (static_cast<QKeyEvent*>(event)->key() == Qt::Key_F) {
      fit();
      return true;
    }
    return false;
  default:
    return false;
  }
}

} // namespace hinesight::widgets
