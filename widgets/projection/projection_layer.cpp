#include "widgets/projection/projection_layer.hpp"

#include "widgets/area_mask.hpp"

#include <vtkActor.h>
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
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::uint32_t kMostPixels = 1024;    ///< of a layer's picture, a side; larger grids are drawn coarser
constexpr std::uint64_t kMostPoints = 100'000; ///< of a layer that is no flat grid; of larger ones a part is drawn
constexpr double kPointRadius = 8;             ///< pixels, within which a point is picked

/// Pixels; a few neurons are to be seen, many are not to hide one another.
float pointSize(std::size_t points)
{
  constexpr std::size_t kFew = 300;
  constexpr std::size_t kMany = 5'000;
  return points <= kFew ? 9 : points <= kMany ? 5 : 3;
}

} // namespace

/// What VTK draws of a layer: a textured rectangle or coloured points.
class ProjectionLayer::Actor
{
public:
  explicit Actor(vtkRenderer& renderer)
  {
    actor->SetMapper(mapper);
    actor->GetProperty()->LightingOff();
    actor->GetProperty()->RenderPointsAsSpheresOn(); // round
    mapper->SetInputData(shape);
    texture->InterpolateOff();
    texture->MipmapOff();
    texture->SetInputData(picture);
    actor->VisibilityOff();
    renderer.AddActor(actor);
    lineMapper->SetInputData(lineShape);
    lineActor->SetMapper(lineMapper);
    lineActor->GetProperty()->LightingOff();
    lineActor->VisibilityOff();
    renderer.AddActor(lineActor);
  }

  void setVisible(bool visible) { actor->SetVisibility(visible); }

  /// Two ends a line, three coordinates an end; none: nothing. As whole arrays: there are too many lines to be set one
  /// by one within a frame.
  void makeLines(const std::vector<float>& coordinates)
  {
    const auto count = static_cast<vtkIdType>(coordinates.size() / 3);
    vtkNew<vtkFloatArray> places;
    places->SetNumberOfComponents(3);
    places->SetNumberOfTuples(count);
    std::ranges::copy(coordinates, places->GetPointer(0));
    vtkNew<vtkPoints> points;
    points->SetData(places);
    vtkNew<vtkIdTypeArray> ends;
    ends->SetNumberOfValues(count);
    std::iota(ends->GetPointer(0), ends->GetPointer(0) + count, vtkIdType{0});
    vtkNew<vtkCellArray> cells;
    cells->SetData(2, ends);
    lineColors->SetNumberOfComponents(4);
    lineColors->SetNumberOfTuples(count);
    lineShape->Initialize();
    lineShape->SetPoints(points);
    lineShape->SetLines(cells);
    lineShape->GetPointData()->SetScalars(lineColors);
    lineActor->SetVisibility(count > 0);
  }

  void paintLine(std::size_t line, QRgb color)
  {
    unsigned char* values = lineColors->GetPointer(static_cast<vtkIdType>(8 * line));
    for (int end = 0; end < 2; ++end)
      for (const int part : {qRed(color), qGreen(color), qBlue(color), 255})
        *values++ = static_cast<unsigned char>(part);
  }

  void linesWerePainted()
  {
    lineColors->Modified();
    lineShape->Modified();
  }

  void setTranslucent(bool translucent)
  {
    if (translucent) {
      actor->ForceTranslucentOn();
    } else {
      actor->ForceOpaqueOn();
    }
  }

  /// A picture of so many pixels over the corners left near, right near, right far, left far.
  void makePlate(std::uint32_t width, std::uint32_t height, const std::array<Vec3, 4>& corners)
  {
    picture->SetDimensions(static_cast<int>(width), static_cast<int>(height), 1);
    picture->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    vtkNew<vtkFloatArray> places;
    places->SetNumberOfComponents(2);
    vtkNew<vtkCellArray> faces;
    faces->InsertNextCell(4);
    for (vtkIdType k = 0; k < 4; ++k) {
      points->InsertNextPoint(corners[static_cast<std::size_t>(k)].data());
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

  void makePoints(const std::vector<Vec3>& places)
  {
    const auto count = static_cast<vtkIdType>(places.size());
    vtkNew<vtkPoints> points;
    points->SetNumberOfPoints(count);
    vtkNew<vtkCellArray> vertices;
    for (vtkIdType k = 0; k < count; ++k) {
      points->SetPoint(k, places[static_cast<std::size_t>(k)].data());
      vertices->InsertNextCell(1);
      vertices->InsertCellPoint(k);
    }
    pointColors->SetNumberOfComponents(4);
    pointColors->SetNumberOfTuples(count);
    shape->Initialize();
    shape->SetPoints(points);
    shape->SetVerts(vertices);
    shape->GetPointData()->SetScalars(pointColors);
    mapper->ScalarVisibilityOn();
    pointPixels = pointSize(places.size());
    setPixelRatio(pixelRatio);
    actor->SetTexture(nullptr);
  }

  void setPixelRatio(float ratio)
  {
    pixelRatio = ratio;
    actor->GetProperty()->SetPointSize(pixelRatio * pointPixels);
  }

  void paint(bool isPlate, std::span<const QRgb> colors)
  {
    auto* values = isPlate ? static_cast<unsigned char*>(picture->GetScalarPointer()) : pointColors->GetPointer(0);
    for (const QRgb color : colors) {
      *values++ = static_cast<unsigned char>(qRed(color));
      *values++ = static_cast<unsigned char>(qGreen(color));
      *values++ = static_cast<unsigned char>(qBlue(color));
      *values++ = static_cast<unsigned char>(qAlpha(color));
    }
    picture->Modified();
    pointColors->Modified();
    shape->Modified();
  }

private:
  vtkNew<vtkActor> actor;
  vtkNew<vtkPolyDataMapper> mapper;
  vtkNew<vtkPolyData> shape;
  vtkNew<vtkImageData> picture;
  vtkNew<vtkTexture> texture;
  vtkNew<vtkUnsignedCharArray> pointColors;
  vtkNew<vtkActor> lineActor;
  vtkNew<vtkPolyDataMapper> lineMapper;
  vtkNew<vtkPolyData> lineShape;
  vtkNew<vtkUnsignedCharArray> lineColors;
  float pointPixels = 1;
  float pixelRatio = 1;
};

ProjectionLayer::ProjectionLayer(vtkRenderer& renderer) : actor(std::make_unique<Actor>(renderer)) {}

ProjectionLayer::~ProjectionLayer() = default;

void ProjectionLayer::setPopulation(std::shared_ptr<const projection::Population> population, double height)
{
  shown = std::move(population);
  lift = height;
  painted.clear();
  hidden.clear();
  emptyCells.clear();
  setCells(nullptr); // they were of other neurons
  actor->setVisible(shown != nullptr);
  if (!shown) {
    return;
  }
  if (!isPlate()) {
    stride = (shown->count() + kMostPoints - 1) / kMostPoints;
    cellCount = static_cast<std::size_t>((shown->count() + stride - 1) / stride);
    std::vector<Vec3> places(cellCount);
    for (std::size_t cell = 0; cell < cellCount; ++cell) {
      places[cell] = worldOf(cell * stride);
    }
    actor->makePoints(places);
    return;
  }
  stride = 1;
  const auto& grid = shown->parameters();
  coarseness = (std::max(grid.size[0], grid.size[1]) + kMostPixels - 1) / kMostPixels;
  width = (grid.size[0] + coarseness - 1) / coarseness;
  const std::uint32_t rows = (grid.size[1] + coarseness - 1) / coarseness;
  cellCount = std::size_t{width} * rows;
  // The pixels at the far edges may stand for neurons that are not there: the picture is then larger than the layer.
  const double left = grid.origin[0] - 0.5 * grid.spacing[0];
  const double near = grid.origin[1] - 0.5 * grid.spacing[1];
  const double right = left + width * coarseness * grid.spacing[0];
  const double far = near + rows * coarseness * grid.spacing[1];
  const double z = grid.origin[2];
  actor->makePlate(width, rows,
                   {world({left, near, z}), world({right, near, z}), world({right, far, z}), world({left, far, z})});
}

void ProjectionLayer::setPixelRatio(double ratio)
{
  actor->setPixelRatio(static_cast<float>(ratio));
}

void ProjectionLayer::setTranslucent(bool translucent)
{
  actor->setTranslucent(translucent);
}

void ProjectionLayer::paint(const std::vector<QRgb>& colors)
{
  painted = colors;
  for (std::size_t cell = 0; cell < emptyCells.size(); ++cell)
    if (emptyCells[cell])
      painted[cell] = qRgba(0, 0, 0, 0);
  actor->paint(isPlate(), painted);
  paintCells();
}

void ProjectionLayer::setCells(std::shared_ptr<const PlacedCellLines> cells)
{
  if (!cells && !lines)
    return;
  lines = std::move(cells);
  makeLines();
}

void ProjectionLayer::makeLines()
{
  drawnLines.clear();
  const std::size_t count = lines ? lines->lines() : 0;
  for (std::size_t line = 0; line < count; ++line)
    if (!isHidden(lines->neuron[line]))
      drawnLines.push_back(line);
  std::vector<float> ends;
  ends.reserve(6 * drawnLines.size());
  for (const std::size_t line : drawnLines)
    for (const std::size_t k : {2 * line, 2 * line + 1})
      for (const double coordinate : world({lines->ends[3 * k], lines->ends[3 * k + 1], lines->ends[3 * k + 2]}))
        ends.push_back(static_cast<float>(coordinate));
  actor->makeLines(ends);
  paintCells();
}

void ProjectionLayer::setHidden(const std::vector<std::uint32_t>& neurons)
{
  hidden.clear();
  emptyCells.clear();
  if (!neurons.empty()) {
    const auto count = static_cast<std::size_t>(shown->count());
    hidden.assign(count, false);
    for (const std::uint32_t neuron : neurons)
      hidden[neuron] = true;
    emptyCells.assign(cellCount, true);
    for (std::size_t neuron = 0; neuron < count; neuron += stride)
      if (!hidden[neuron])
        emptyCells[cellOf(neuron)] = false;
  }
  if (lines)
    makeLines();
}

std::uint64_t ProjectionLayer::hiddenNeurons() const
{
  return static_cast<std::uint64_t>(std::ranges::count(hidden, true));
}

std::uint64_t ProjectionLayer::drawnCells() const
{
  std::uint64_t drawn = 0;
  for (std::size_t place = 0; place < drawnLines.size(); ++place)
    if (place == 0 || lines->neuron[drawnLines[place]] != lines->neuron[drawnLines[place - 1]])
      ++drawn;
  return drawn;
}

void ProjectionLayer::paintCells()
{
  if (!lines || painted.empty())
    return;
  for (std::size_t place = 0; place < drawnLines.size(); ++place)
    actor->paintLine(place, painted[cellOf(lines->neuron[drawnLines[place]])]);
  actor->linesWerePainted();
}

bool ProjectionLayer::isPlate() const
{
  return shown->isGrid() && shown->parameters().size[2] == 1;
}

std::size_t ProjectionLayer::cellOf(std::uint64_t neuron) const
{
  if (isPlate()) {
    const auto columns = shown->parameters().size[0];
    return static_cast<std::size_t>(neuron / columns / coarseness) * width +
           static_cast<std::size_t>(neuron % columns / coarseness);
  }
  return static_cast<std::size_t>(neuron / stride);
}

Vec3 ProjectionLayer::world(const projection::Position& position) const
{
  return {position[0], position[2] + lift, -position[1]};
}

std::array<Vec3, 8> ProjectionLayer::corners() const
{
  const auto box = lines ? std::array{lines->low, lines->high} : shown->bounds();
  std::array<Vec3, 8> result;
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = world({box[k & 1][0], box[(k >> 1) & 1][1], box[(k >> 2) & 1][2]});
  }
  return result;
}

std::vector<Vec3> ProjectionLayer::reach() const
{
  constexpr std::size_t kMostEnds = 1000;
  if (!lines) {
    const auto box = corners();
    return {box.begin(), box.end()};
  }
  const auto floor = outline();
  std::vector<Vec3> points(floor.begin(), floor.end());
  const std::size_t ends = lines->ends.size() / 3;
  for (std::size_t k = 0; k < ends; k += std::max<std::size_t>(1, ends / kMostEnds))
    points.push_back(world({lines->ends[3 * k], lines->ends[3 * k + 1], lines->ends[3 * k + 2]}));
  return points;
}

std::array<std::array<double, 2>, 2> ProjectionLayer::extent() const
{
  const auto box = shown->bounds();
  const double dx = isPlate() ? shown->parameters().spacing[0] / 2 : 0;
  const double dy = isPlate() ? shown->parameters().spacing[1] / 2 : 0;
  return {{{box[0][0] - dx, box[0][1] - dy}, {box[1][0] + dx, box[1][1] + dy}}};
}

std::array<Vec3, 4> ProjectionLayer::outline() const
{
  const auto [low, high] = extent();
  const double z = shown->bounds()[0][2];
  return {world({low[0], low[1], z}), world({high[0], low[1], z}), world({high[0], high[1], z}),
          world({low[0], high[1], z})};
}

std::optional<std::uint32_t> ProjectionLayer::hit(const Vec3& eye, const Vec3& direction) const
{
  const double height = shown->bounds()[0][2] + lift;
  const double way = direction[1] == 0 ? -1 : (height - eye[1]) / direction[1];
  if (way <= 0) {
    return std::nullopt;
  }
  const auto& grid = shown->parameters();
  const Vec3 point = eye + way * direction;
  const double column = std::round((point[0] - grid.origin[0]) / grid.spacing[0]);
  const double row = std::round((-point[2] - grid.origin[1]) / grid.spacing[1]);
  if (!(column >= 0 && column < grid.size[0] && row >= 0 && row < grid.size[1])) {
    return std::nullopt;
  }
  const std::uint32_t neuron = static_cast<std::uint32_t>(row) * grid.size[0] + static_cast<std::uint32_t>(column);
  return isHidden(neuron) ? std::nullopt : std::optional(neuron);
}

std::optional<std::uint32_t> ProjectionLayer::nearest(const OrbitCamera& camera, const QPointF& pixel) const
{
  std::optional<std::uint32_t> found;
  double best = kPointRadius;
  for (std::uint64_t neuron = 0; neuron < shown->count(); neuron += stride) {
    const ScreenPoint at = camera.project(worldOf(neuron));
    const double distance = std::hypot(at.x - pixel.x(), at.y - pixel.y());
    if (at.depth > 0 && distance < best && !isHidden(neuron)) {
      best = distance;
      found = static_cast<std::uint32_t>(neuron);
    }
  }
  return found;
}

std::vector<std::uint32_t> ProjectionLayer::inside(const OrbitCamera& camera, const AreaMask& area) const
{
  std::vector<std::uint32_t> found;
  for (std::uint64_t neuron = 0; neuron < shown->count(); ++neuron) {
    const ScreenPoint at = camera.project(worldOf(neuron));
    if (at.depth > 0 && area.contains({at.x, at.y}) && !isHidden(neuron))
      found.push_back(static_cast<std::uint32_t>(neuron));
  }
  return found;
}

} // namespace hinesight::widgets
