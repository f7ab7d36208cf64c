#include "widgets/projection/projection_scene.hpp"

#include "core/error.hpp"
#include "widgets/canvas/planar_canvas.hpp"
#include "widgets/overlay_room.hpp"
#include "widgets/projection/projection_colors.hpp"
#include "widgets/theme.hpp"

#include <vtkCamera.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace hinesight::widgets {

namespace {

using projection::Position;

constexpr double kGapShare = 0.75; ///< between the layers, of the longest side
constexpr double kTilt = 24;       ///< degrees from which the layers are seen
constexpr double kTurn = -24;      ///< degrees
constexpr double kPickRadius = 11; ///< pixels
constexpr int kPlateAlpha = 150;
constexpr double kPointOpacity = 0.6;
constexpr double kIdlePointOpacity = 0.45;    ///< of a neuron that no chosen source reaches
constexpr std::uint32_t kContourSamples = 96; ///< along a side of what a source reaches
constexpr std::uint32_t kTorusSamples = 192;  ///< along a side of the whole layer
constexpr double kContourRoom = 0.3;          ///< around the rows of a source, of their extent

} // namespace

ProjectionScene::ProjectionScene(vtkRenderer& renderer) : destination(renderer), source(renderer)
{
  source.setTranslucent(true);
  destination.setTranslucent(false);
}

bool ProjectionScene::setTable(std::shared_ptr<const projection::WeightTable> table,
                               std::shared_ptr<const projection::TableSummary> summary, bool hasCut)
{
  const bool samePopulations = shown && table && shown->projection.source == table->projection.source &&
                               shown->projection.destination == table->projection.destination;
  shown = std::move(table);
  sums = std::move(summary);
  cutIsKnown = hasCut;
  if (!samePopulations) {
    sourceCells = destinationCells = nullptr; // they are of other neurons
    pickedSources.clear();
    pickedDestinations.clear();
    hiddenSources.clear();
    hiddenDestinations.clear();
    placeLayers();
  }
  keepSources();
  repaint();
  return !samePopulations;
}

void ProjectionScene::setCells(std::shared_ptr<const PlacedCellLines> sources,
                               std::shared_ptr<const PlacedCellLines> destinations)
{
  sourceCells = std::move(sources);
  destinationCells = std::move(destinations);
  placeLayers();
  repaint();
}

void ProjectionScene::placeLayers()
{
  if (!shown) {
    source.setPopulation(nullptr, 0);
    destination.setPopulation(nullptr, 0);
    return;
  }
  const auto above = shown->projection.source->bounds();
  const auto below = shown->projection.destination->bounds();
  double longest = 0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    longest = std::max({longest, above[1][axis] - above[0][axis], below[1][axis] - below[0][axis]});
  }
  const double gap = longest > 0 ? kGapShare * longest : 1;
  const double top = destinationCells ? destinationCells->high[2] : below[1][2];
  const double bottom = sourceCells ? sourceCells->low[2] : above[0][2];
  destination.setPopulation(shown->projection.destination, 0);
  source.setPopulation(shown->projection.source, top - bottom + gap);
  source.setCells(sourceCells);
  destination.setCells(destinationCells);
  hideInLayers();
}

/// What is hidden is clear, which an opaque picture cannot be.
void ProjectionScene::hideInLayers()
{
  source.setHidden(hiddenSources);
  destination.setHidden(hiddenDestinations);
  destination.setTranslucent(destination.hidesAny());
}

bool ProjectionScene::setHidden(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations)
{
  if (!shown || (sources == hiddenSources && destinations == hiddenDestinations))
    return false;
  hiddenSources = std::move(sources);
  hiddenDestinations = std::move(destinations);
  hideInLayers();
  repaint();
  return true;
}

void ProjectionScene::keepSources()
{
  if (!shown) {
    chosen.clear();
    return;
  }
  const std::vector<std::uint32_t> before = sourceIndices();
  setSources(before);
  if (chosen.empty()) {
    chooseFirstSources();
  }
}

/// In a grid on its diagonal.
void ProjectionScene::chooseFirstSources()
{
  const std::uint64_t count = shown->sources();
  std::vector<std::uint32_t> first;
  for (const double share : {0.2, 0.5, 0.8}) {
    auto index = static_cast<std::uint64_t>(share * static_cast<double>(count));
    if (source.isPlate()) {
      const auto& size = source.population().parameters().size;
      index = static_cast<std::uint64_t>(share * size[1]) * size[0] + static_cast<std::uint64_t>(share * size[0]);
    }
    while (index < count && source.isHidden(index))
      ++index;
    first.push_back(static_cast<std::uint32_t>(index));
  }
  setSources(first);
}

void ProjectionScene::setSources(const std::vector<std::uint32_t>& sources)
{
  const std::vector<std::uint32_t> before = sourceIndices();
  chosen.clear();
  for (const std::uint32_t index : std::span(sources).last(std::min(sources.size(), kMostSources))) {
    const bool isNew =
        std::none_of(chosen.begin(), chosen.end(), [&](const ChosenSource& other) { return other.index == index; });
    if (isNew && shown && index < shown->sources()) {
      chosen.push_back(choose(index));
    }
  }
  dropPicked(before);
}

void ProjectionScene::setPicked(bool isSource, std::vector<std::uint32_t> neurons)
{
  const std::uint64_t count = !shown ? 0 : isSource ? shown->sources() : shown->projection.destination->count();
  std::erase_if(neurons, [count](std::uint32_t neuron) { return neuron >= count; });
  (isSource ? pickedSources : pickedDestinations) = std::move(neurons);
}

/// Those of them that are no sources any more.
void ProjectionScene::dropPicked(const std::vector<std::uint32_t>& before)
{
  const std::vector<std::uint32_t> indices = sourceIndices();
  const auto isIn = [](const std::vector<std::uint32_t>& all, std::uint32_t neuron) {
    return std::ranges::find(all, neuron) != all.end();
  };
  std::erase_if(pickedSources, [&](std::uint32_t neuron) { return isIn(before, neuron) && !isIn(indices, neuron); });
}

bool ProjectionScene::addSource(std::uint32_t index)
{
  std::vector<std::uint32_t> indices = sourceIndices();
  if (std::find(indices.begin(), indices.end(), index) != indices.end()) {
    return false;
  }
  if (chosen.size() == kMostSources) {
    chosen.erase(chosen.begin());
    dropPicked(indices);
  }
  chosen.push_back(choose(index));
  return true;
}

void ProjectionScene::removeSource(std::size_t place)
{
  const std::vector<std::uint32_t> before = sourceIndices();
  chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(place));
  dropPicked(before);
}

bool ProjectionScene::replaceSource(std::size_t place, std::uint32_t index)
{
  const std::vector<std::uint32_t> indices = sourceIndices();
  if (std::find(indices.begin(), indices.end(), index) != indices.end()) {
    return false;
  }
  chosen[place] = choose(index);
  dropPicked(indices);
  return true;
}

std::vector<std::uint32_t> ProjectionScene::sourceIndices() const
{
  std::vector<std::uint32_t> indices;
  for (const ChosenSource& each : chosen) {
    indices.push_back(each.index);
  }
  return indices;
}

QColor ProjectionScene::markerColor(std::size_t place)
{
  return categoryColor(static_cast<std::int64_t>(place));
}

ChosenSource ProjectionScene::choose(std::uint32_t index) const
{
  return {index, centreOfRows(index), contourOf(index)};
}

std::optional<Position> ProjectionScene::centreOfRows(std::uint32_t index) const
{
  Position sum{};
  double weights = 0;
  for (std::uint64_t row = shown->offsets[index]; row < shown->offsets[index + 1]; ++row) {
    const Position at = destination.population().position(shown->destination[row]);
    const double weight = std::abs(shown->weight[row]);
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

/// Where the contour of a source is looked for: around its rows, inside the layer; of a torus all of the layer.
projection::ContourRegion ProjectionScene::contourRegion(std::uint32_t index) const
{
  const auto [least, greatest] = destination.extent();
  const double z = destination.population().bounds()[0][2];
  if (shown->projection.parameters.wrap) {
    return {least, greatest, z};
  }
  std::array<double, 2> low = greatest;
  std::array<double, 2> high = least;
  for (std::uint64_t row = shown->offsets[index]; row < shown->offsets[index + 1]; ++row) {
    const Position at = destination.population().position(shown->destination[row]);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
    }
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double step = destination.isPlate() ? destination.population().parameters().spacing[axis] : 0;
    const double room = std::max(step, kContourRoom * (high[axis] - low[axis]));
    low[axis] = std::max(least[axis], low[axis] - room);
    high[axis] = std::min(greatest[axis], high[axis] + room);
  }
  return {low, high, z};
}

std::vector<projection::ContourSegment> ProjectionScene::contourOf(std::uint32_t index) const
{
  const auto box = destination.population().bounds();
  const bool isFlat = box[0][2] == box[1][2] && destination.population().period()[2] == 0;
  if (!cutIsKnown || !isFlat || shown->offsets[index] == shown->offsets[index + 1]) {
    return {};
  }
  const projection::ContourRegion region = contourRegion(index);
  if (!(region.low[0] < region.high[0]) || !(region.low[1] < region.high[1])) {
    return {};
  }
  try {
    return projection::cutContour(shown->projection, index, region,
                                  shown->projection.parameters.wrap ? kTorusSamples : kContourSamples);
  } catch (const Error&) {
    return {}; // a layer without the line says less, but nothing wrong
  }
}

float ProjectionScene::shownWeight(std::uint32_t target) const
{
  float strongest = 0;
  for (const ChosenSource& each : chosen) {
    const std::uint32_t* const begin = shown->destination.data() + shown->offsets[each.index];
    const std::uint32_t* const end = shown->destination.data() + shown->offsets[each.index + 1];
    const std::uint32_t* const found = std::lower_bound(begin, end, target);
    if (found == end || *found != target) {
      continue;
    }
    const float weight = shown->weight[static_cast<std::size_t>(found - shown->destination.data())];
    strongest = std::abs(weight) > std::abs(strongest) ? weight : strongest;
  }
  return strongest;
}

double ProjectionScene::highestWeight() const
{
  return std::max(std::abs(sums->weights.low), std::abs(sums->weights.high));
}

bool ProjectionScene::isSigned() const
{
  return sums->weights.low < 0;
}

void ProjectionScene::repaint()
{
  if (shown) {
    paintSourceLayer();
    paintHeat();
  }
}

void ProjectionScene::paintSourceLayer()
{
  QColor plate = theme().hairline;
  plate.setAlpha(kPlateAlpha);
  QColor point = theme().secondaryText;
  point.setAlphaF(static_cast<float>(kPointOpacity));
  source.paint(std::vector<QRgb>(source.cells(), source.isPlate() ? plate.rgba() : point.rgba()));
}

/// Per cell of the destination layer: the chosen sources' weight that is largest in magnitude.
std::vector<float> ProjectionScene::heat() const
{
  std::vector<float> strongest(destination.cells(), 0);
  for (const ChosenSource& each : chosen) {
    for (std::uint64_t row = shown->offsets[each.index]; row < shown->offsets[each.index + 1]; ++row) {
      float& cell = strongest[destination.cellOf(shown->destination[row])];
      if (std::abs(shown->weight[row]) > std::abs(cell)) {
        cell = shown->weight[row];
      }
    }
  }
  return strongest;
}

void ProjectionScene::paintHeat()
{
  const double highest = highestWeight();
  std::vector<QRgb> levels = levelColors(isSigned());
  if (!destination.isPlate()) {
    levels[isSigned() ? signedLevelOf(0) : levelOf(0)] = overCanvas(theme().secondaryText, kIdlePointOpacity);
  }
  const std::vector<float> weights = heat();
  std::vector<QRgb> colors(weights.size());
  for (std::size_t cell = 0; cell < weights.size(); ++cell) {
    const double share = highest > 0 ? weights[cell] / highest : 0;
    colors[cell] = levels[isSigned() ? signedLevelOf(share) : levelOf(share)];
  }
  destination.paint(colors);
}

QPointF ProjectionScene::pixelOf(const Vec3& point) const
{
  const ScreenPoint at = eye.project(point);
  return {at.x, at.y};
}

QRectF ProjectionScene::pictureOfLayers() const
{
  if (!shown)
    return {};
  QPolygonF pixels;
  for (const ProjectionLayer* layer : {&source, &destination}) {
    for (const Vec3& point : layer->reach()) {
      pixels << pixelOf(point);
    }
  }
  return pixels.boundingRect();
}

void ProjectionScene::fit(const QRectF& room)
{
  if (!shown) {
    return;
  }
  eye.resetOrientation();
  const double perDegree = eye.viewport().height() / 180.0;
  eye.rotate({kTurn * perDegree, 0});
  eye.rotate({0, kTilt * perDegree});
  std::vector<float> points;
  for (const ProjectionLayer* layer : {&source, &destination}) {
    for (const Vec3& point : layer->reach()) {
      for (const double coordinate : point) {
        points.push_back(static_cast<float>(coordinate));
      }
    }
  }
  eye.fit(points, std::vector<float>(points.size() / 3, 0.0F));
  // Perspective changes with the distance, so that the first correction is not exact yet.
  for (int attempt = 0; attempt < 3; ++attempt) {
    const QRectF picture = pictureOfLayers();
    if (picture.width() > 0 && picture.height() > 0) {
      eye.zoomAt(picture.center(), std::min(room.width() / picture.width(), room.height() / picture.height()));
    }
    const QRectF fitted = pictureOfLayers();
    eye.pan(middleIn(room, fitted.size(), eye.viewport()) - fitted.center());
  }
}

void ProjectionScene::setPixelRatio(double ratio)
{
  for (ProjectionLayer* layer : {&source, &destination})
    layer->setPixelRatio(ratio);
}

void ProjectionScene::applyCamera(vtkRenderer& renderer) const
{
  vtkCamera* camera = renderer.GetActiveCamera();
  const Vec3 position = eye.position();
  const Vec3& focus = eye.focalPoint();
  camera->SetPosition(position.data());
  camera->SetFocalPoint(focus.data());
  camera->SetViewUp(eye.up().data());
  camera->SetViewAngle(eye.viewAngle());
  if (!shown) {
    return;
  }
  double farthest = 0;
  for (const ProjectionLayer* layer : {&source, &destination}) {
    for (const Vec3& corner : layer->corners()) {
      farthest = std::max(farthest, eye.project(corner).depth);
    }
  }
  farthest = std::max(2 * farthest, 1e-6);
  camera->SetClippingRange(farthest * 1e-3, farthest);
}

/// The line of sight through a pixel: a point on it besides the eye, less the eye.
Vec3 ProjectionScene::directionAt(const QPointF& pixel) const
{
  const double unit = eye.pixelSize(eye.focalDistance());
  const double right = (pixel.x() - eye.viewport().width() / 2.0) * unit;
  const double up = (eye.viewport().height() / 2.0 - pixel.y()) * unit;
  return eye.focalPoint() + right * eye.right() + up * eye.up() - eye.position();
}

std::optional<std::uint32_t> ProjectionScene::neuronAt(const ProjectionLayer& layer, const QPointF& pixel) const
{
  if (!shown) {
    return std::nullopt;
  }
  return layer.isPlate() ? layer.hit(eye.position(), directionAt(pixel)) : layer.nearest(eye, pixel);
}

std::optional<std::size_t> ProjectionScene::markerAt(const QPointF& pixel) const
{
  std::optional<std::size_t> found;
  double best = kPickRadius;
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    const QPointF away = pixelOf(source.worldOf(chosen[place].index)) - pixel;
    if (std::hypot(away.x(), away.y()) < best) {
      best = std::hypot(away.x(), away.y());
      found = place;
    }
  }
  return found;
}

} // namespace hinesight::widgets
