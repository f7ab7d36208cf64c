#include "widgets/synapse/octree_scene.hpp"

#include "widgets/area_mask.hpp"
#include "widgets/theme.hpp"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPlane.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr std::size_t kMostBoxes = 4096;       ///< of a level; of more, every so manieth is drawn
constexpr std::size_t kCoarseNeurons = 30'000; ///< drawn while the camera moves on a slow device
constexpr std::size_t kChunk = 1U << 16;       ///< neurons that a frame may hand to the device
constexpr std::size_t kManyNeurons = 3'000;    ///< from here on they are smaller
constexpr std::size_t kVeryManyNeurons = 50'000;
constexpr float kLeafSize = 7;         ///< pixels, of an accepted neuron
constexpr float kAcceptedWidth = 1.5F; ///< pixels, of an accepted box
constexpr double kDimmed = 0.35;       ///< how much of its colour what is not selected keeps
constexpr double kPickRadius = 8;      ///< pixels
constexpr double kFrontRadius = 3.5;   ///< pixels: of all neurons so near to a click the foremost is meant
constexpr double kTilt = 22;           ///< degrees from which the box is seen
constexpr double kTurn = -28;          ///< degrees
constexpr int kFaintest = 26;          ///< alpha of a box without vacant elements
constexpr int kStrongest = 215;
constexpr int kExpandedAlpha = 36;
constexpr double kShrunk = 0.94; ///< edge of an accepted box as it is drawn, so that neighbours do not share edges

struct Box
{
  Vec3 corner;
  double edge;
  QRgb color;
};

float neuronSize(std::size_t neurons, bool isDimmed)
{
  const float size = neurons < kManyNeurons ? 6.0F : neurons < kVeryManyNeurons ? 4.0F : 2.0F;
  return isDimmed ? std::max(2.0F, size - 2) : size;
}

/// x, y, z of each, scene units.
std::vector<float> cornersOfBox(const synapse::Octree& tree)
{
  const auto half = static_cast<float>(std::max(tree.edge, 1e-3) / 2);
  std::vector<float> corners;
  for (int corner = 0; corner < 8; ++corner) {
    for (int axis = 0; axis < 3; ++axis) {
      corners.push_back((corner >> axis & 1) != 0 ? half : -half);
    }
  }
  return corners;
}

void put(unsigned char* at, QRgb color)
{
  at[0] = static_cast<unsigned char>(qRed(color));
  at[1] = static_cast<unsigned char>(qGreen(color));
  at[2] = static_cast<unsigned char>(qBlue(color));
  at[3] = static_cast<unsigned char>(qAlpha(color));
}

QRgb dimmed(const QColor& color, bool isDimmed)
{
  if (!isDimmed) {
    return color.rgb();
  }
  const QColor canvas = theme().canvas;
  const auto mix = [](int from, int to) { return static_cast<int>(std::lround(from + kDimmed * (to - from))); };
  return qRgb(mix(canvas.red(), color.red()), mix(canvas.green(), color.green()), mix(canvas.blue(), color.blue()));
}

/// As OctreeScene::groups counts them.
std::size_t groupIn(const synapse::NeuronPopulation& neurons, bool isOfCircuit, std::uint32_t neuron)
{
  return isOfCircuit ? neurons.area[neuron] : neurons.isInhibitory[neuron] != 0 ? 1 : 0;
}

/// The ancestors of accepted nodes: those that the walk went into. Both in the order of the tree.
std::vector<std::uint32_t> expandedNodes(const synapse::Octree& tree,
                                         const std::vector<synapse::AcceptedNode>& accepted)
{
  std::vector<std::uint32_t> expanded;
  std::size_t place = 0;
  std::uint32_t node = 0;
  while (node < tree.nodes() && place < accepted.size()) {
    const std::uint32_t ahead = accepted[place].node;
    if (ahead == node) {
      ++place;
      node = tree.next[node];
    } else if (ahead < tree.next[node]) {
      expanded.push_back(node++);
    } else {
      node = tree.next[node];
    }
  }
  return expanded;
}

} // namespace

/// What VTK draws.
class OctreeScene::Actors
{
public:
  /// Points or lines with a colour of their own.
  struct Layer
  {
    vtkNew<vtkActor> actor;
    vtkNew<vtkPolyDataMapper> mapper;
    vtkNew<vtkPolyData> shape;

    Layer()
    {
      mapper->SetInputData(shape);
      actor->SetMapper(mapper);
      actor->VisibilityOff();
    }
  };

  static void lookLikeSpheres(Layer& layer)
  {
    layer.actor->GetProperty()->RenderPointsAsSpheresOn();
    layer.actor->GetProperty()->SetAmbient(0.35);
    layer.actor->GetProperty()->SetDiffuse(0.75);
    layer.actor->ForceOpaqueOn();
  }

  /// One cell of all points.
  static vtkNew<vtkCellArray> onePerPoint(vtkIdType count)
  {
    vtkNew<vtkTypeInt64Array> points;
    points->SetNumberOfValues(count);
    std::iota(points->GetPointer(0), points->GetPointer(0) + count, vtkTypeInt64{0});
    return cellOf(points);
  }

  static vtkNew<vtkCellArray> cellOf(vtkTypeInt64Array* points)
  {
    const vtkIdType count = points->GetNumberOfValues();
    vtkNew<vtkTypeInt64Array> offsets;
    offsets->InsertNextValue(0);
    if (count > 0) {
      offsets->InsertNextValue(count);
    }
    vtkNew<vtkCellArray> cells;
    cells->SetData(offsets, points);
    return cells;
  }

  /// Neurons as spheres.
  struct Points : Layer
  {
    vtkNew<vtkUnsignedCharArray> colors;
    bool areAll = true; ///< that are drawn

    Points()
    {
      lookLikeSpheres(*this);
      colors->SetNumberOfComponents(4);
    }

    /// `places`: x, y, z each; not written to.
    void setPoints(const float* places, std::size_t number)
    {
      const auto count = static_cast<vtkIdType>(number);
      vtkNew<vtkFloatArray> coordinates;
      coordinates->SetNumberOfComponents(3);
      coordinates->SetArray(const_cast<float*>(places), 3 * count, 1);
      vtkNew<vtkPoints> points;
      points->SetData(coordinates);
      colors->SetNumberOfTuples(count);
      shape->Initialize();
      shape->SetPoints(points);
      shape->SetVerts(onePerPoint(count));
      shape->GetPointData()->SetScalars(colors);
      areAll = true;
    }

    /// Of those at `first`, `first + stride` and so on the ones that are not hidden; null: none is.
    void leaveOut(const std::function<bool(std::uint32_t)>& isHidden, std::uint32_t first, std::uint32_t stride)
    {
      if (!isHidden && areAll) {
        return;
      }
      areAll = !isHidden;
      const vtkIdType count = colors->GetNumberOfTuples();
      if (areAll) {
        shape->SetVerts(onePerPoint(count));
        return;
      }
      vtkNew<vtkTypeInt64Array> places;
      places->Allocate(count);
      for (vtkIdType place = 0; place < count; ++place) {
        if (!isHidden(first + static_cast<std::uint32_t>(place) * stride)) {
          places->InsertNextValue(place);
        }
      }
      shape->SetVerts(cellOf(places));
    }

    void colorsChanged()
    {
      colors->Modified();
      shape->Modified();
    }
  };

  explicit Actors(vtkRenderer& scene) : renderer(scene)
  {
    for (Layer* layer : {&boxes, &expanded, &accepted, &leaves, static_cast<Layer*>(&someNeurons)}) {
      renderer.AddActor(layer->actor);
    }
    for (Layer* layer : {&boxes, &expanded, &accepted}) {
      layer->actor->GetProperty()->LightingOff();
      layer->actor->ForceTranslucentOn();
    }
    lookLikeSpheres(leaves);
    drawSizes();
  }

  /// Wires of boxes.
  static void draw(Layer& layer, const std::vector<Box>& shown)
  {
    const auto count = static_cast<vtkIdType>(shown.size());
    layer.actor->SetVisibility(count > 0);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToFloat();
    points->SetNumberOfPoints(8 * count);
    vtkNew<vtkUnsignedCharArray> colors;
    colors->SetNumberOfComponents(4);
    colors->SetNumberOfTuples(8 * count);
    vtkNew<vtkCellArray> lines;
    lines->AllocateExact(12 * count, 24 * count);
    for (vtkIdType box = 0; box < count; ++box) {
      const Box& each = shown[static_cast<std::size_t>(box)];
      for (vtkIdType corner = 0; corner < 8; ++corner) {
        const vtkIdType place = 8 * box + corner;
        points->SetPoint(place, each.corner[0] + ((corner & 1) != 0 ? each.edge : 0),
                         each.corner[1] + ((corner & 2) != 0 ? each.edge : 0),
                         each.corner[2] + ((corner & 4) != 0 ? each.edge : 0));
        put(colors->GetPointer(4 * place), each.color);
        for (const vtkIdType direction : {1, 2, 4}) {
          if ((corner & direction) == 0) {
            const vtkIdType ends[2] = {place, place + direction};
            lines->InsertNextCell(2, ends);
          }
        }
      }
    }
    layer.shape->Initialize();
    layer.shape->SetPoints(points);
    layer.shape->SetLines(lines);
    layer.shape->GetPointData()->SetScalars(colors);
  }

  static void draw(Layer& layer, const std::vector<std::pair<Vec3, QRgb>>& spheres)
  {
    const auto count = static_cast<vtkIdType>(spheres.size());
    layer.actor->SetVisibility(count > 0);
    vtkNew<vtkPoints> points;
    points->SetDataTypeToFloat();
    points->SetNumberOfPoints(count);
    vtkNew<vtkUnsignedCharArray> colors;
    colors->SetNumberOfComponents(4);
    colors->SetNumberOfTuples(count);
    for (vtkIdType place = 0; place < count; ++place) {
      const auto& [at, color] = spheres[static_cast<std::size_t>(place)];
      points->SetPoint(place, at.data());
      put(colors->GetPointer(4 * place), color);
    }
    layer.shape->Initialize();
    layer.shape->SetPoints(points);
    layer.shape->SetVerts(onePerPoint(count));
    layer.shape->GetPointData()->SetScalars(colors);
  }

  /// The neurons in chunks, none of them painted yet. The cloud is not written to, and must outlive its drawing.
  void setCloud(const NeuronCloud& cloud)
  {
    const std::size_t count = cloud.points.size() / 3;
    while (chunks.size() * kChunk > count + kChunk - 1) {
      renderer.RemoveActor(chunks.back()->actor);
      chunks.pop_back();
    }
    while (chunks.size() * kChunk < count) {
      chunks.push_back(std::make_unique<Points>());
      renderer.AddActor(chunks.back()->actor);
    }
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      const std::size_t begin = chunk * kChunk;
      chunks[chunk]->setPoints(cloud.points.data() + 3 * begin, std::min(kChunk, count - begin));
    }
    stride = std::max<std::size_t>(1, count / kCoarseNeurons);
    coarsePoints.clear();
    for (std::size_t neuron = 0; neuron < count; neuron += stride) {
      coarsePoints.insert(coarsePoints.end(), &cloud.points[3 * neuron], &cloud.points[3 * neuron] + 3);
    }
    someNeurons.setPoints(coarsePoints.data(), coarsePoints.size() / 3);
    staleFrom = 0;
    visibleChunks = 0;
  }

  /// From now on `color` says how neurons are drawn, and `isHidden` which are not; null: all are. Those of the coarse
  /// picture are painted at once, the others by `paintMore`.
  void paintBy(std::function<QRgb(std::uint32_t)> color, std::function<bool(std::uint32_t)> isHidden)
  {
    colorOf = std::move(color);
    hides = std::move(isHidden);
    unsigned char* at = someNeurons.colors->GetPointer(0);
    for (std::size_t place = 0; place < coarsePoints.size() / 3; ++place, at += 4) {
      put(at, colorOf(static_cast<std::uint32_t>(place * stride)));
    }
    someNeurons.leaveOut(hides, 0, static_cast<std::uint32_t>(stride));
    someNeurons.colorsChanged();
    staleFrom = 0;
  }

  bool isPainting() const { return neuronsShown && staleFrom < chunks.size(); }

  /// Paints one more chunk, which the next frame hands to the device.
  void paintMore()
  {
    if (!isPainting()) {
      return;
    }
    Points& chunk = *chunks[staleFrom];
    auto neuron = static_cast<std::uint32_t>(staleFrom * kChunk);
    chunk.leaveOut(hides, neuron, 1);
    unsigned char* at = chunk.colors->GetPointer(0);
    for (vtkIdType place = 0; place < chunk.colors->GetNumberOfTuples(); ++place, at += 4) {
      put(at, colorOf(neuron++));
    }
    chunk.colorsChanged();
    ++staleFrom;
    visibleChunks = std::max(visibleChunks, staleFrom);
    showNeurons(neuronsShown);
  }

  void setNeuronSize(float pixels)
  {
    neuronPixels = pixels;
    drawSizes();
  }

  void setPixelRatio(float ratio)
  {
    pixelRatio = ratio;
    drawSizes();
  }

  void drawSizes()
  {
    accepted.actor->GetProperty()->SetLineWidth(pixelRatio * kAcceptedWidth);
    leaves.actor->GetProperty()->SetPointSize(pixelRatio * kLeafSize);
    someNeurons.actor->GetProperty()->SetPointSize(pixelRatio * neuronPixels);
    for (const auto& chunk : chunks) {
      chunk->actor->GetProperty()->SetPointSize(pixelRatio * neuronPixels);
    }
  }

  /// While chunks are missing the coarse picture stands in for them.
  void showNeurons(bool visible)
  {
    neuronsShown = visible;
    someNeurons.actor->SetVisibility(visible && (coarse || visibleChunks < chunks.size()));
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      chunks[chunk]->actor->SetVisibility(visible && !coarse && chunk < visibleChunks);
    }
  }

  void setCut(bool isCut, int axis, double at)
  {
    const double direction = -1; // what lies before the plane stays
    double normal[3] = {0, 0, 0};
    double origin[3] = {0, 0, 0};
    normal[axis] = direction;
    origin[axis] = at;
    plane->SetNormal(normal);
    plane->SetOrigin(origin);
    const auto cut = [&](Layer& layer) {
      layer.mapper->RemoveAllClippingPlanes();
      if (isCut) {
        layer.mapper->AddClippingPlane(plane);
      }
    };
    for (Layer* layer : {&boxes, &expanded, &accepted, &leaves, static_cast<Layer*>(&someNeurons)}) {
      cut(*layer);
    }
    for (const auto& chunk : chunks) {
      cut(*chunk);
    }
  }

  Layer boxes;
  Layer expanded;
  float neuronPixels = 1;
  float pixelRatio = 1; ///< rendered pixels a logical one
  Layer accepted;
  Layer leaves;
  Points someNeurons;
  bool coarse = false;

private:
  vtkRenderer& renderer;
  std::vector<std::unique_ptr<Points>> chunks;
  std::vector<float> coarsePoints;
  std::size_t stride = 1; ///< neurons from one of the coarse picture to the next
  std::function<QRgb(std::uint32_t)> colorOf;
  std::function<bool(std::uint32_t)> hides; ///< null: none
  std::size_t staleFrom = 0;                ///< chunks from here on have yet to be painted
  std::size_t visibleChunks = 0;            ///< the first ones, which were painted at least once
  bool neuronsShown = false;
  vtkNew<vtkPlane> plane;
};

OctreeScene::OctreeScene(vtkRenderer& renderer) : actors(std::make_unique<Actors>(renderer)) {}

OctreeScene::~OctreeScene() = default;

QColor OctreeScene::typeColor(bool isInhibitory)
{
  return categoryColor(isInhibitory ? 1 : 0);
}

bool OctreeScene::setContent(const OctreeContent& content, PopulationColors populations)
{
  const bool isOther = !shown || shown->population != content.formation->population;
  populationColor = std::move(populations);
  shown = content.formation;
  left = content.left;
  selected.reset();
  if (isOther) {
    hidden.reset();
    actors->setCloud(*content.cloud);
    cloud = content.cloud; // the one before was drawn until now
  }
  repaint();
  applyCut();
  return isOther;
}

void OctreeScene::setLook(const OctreeLook& look)
{
  const OctreeLook before = std::exchange(drawnLook, look);
  if (!shown || before == look) {
    return;
  }
  if (before.deepest != look.deepest || before.levels != look.levels) {
    drawBoxes();
  }
  if (before.neurons != look.neurons) {
    paintNeurons();
  }
  if (before.cut != look.cut || before.cutShare != look.cutShare) {
    applyCut();
  }
}

std::size_t OctreeScene::groupOf(std::uint32_t neuron) const
{
  return groupIn(*shown->population, populationColor != nullptr, neuron);
}

/// Groups of other names are shown whole.
void OctreeScene::regroup()
{
  const synapse::NeuronPopulation& neurons = *shown->population;
  std::vector<OctreeGroup> next;
  if (populationColor) {
    for (const std::string& name : neurons.areaNames) {
      const QColor color = populationColor(name);
      next.push_back({name, color.isValid() ? color : categoryColor(static_cast<std::int64_t>(next.size()))});
    }
  } else {
    next = {{"excitatory", typeColor(false)}, {"inhibitory", typeColor(true)}};
  }
  std::size_t missing = next.size();
  for (std::uint32_t neuron = 0; neuron < neurons.size() && missing > 0; ++neuron)
    if (!std::exchange(next[groupOf(neuron)].hasNeurons, true))
      --missing;
  if (!std::ranges::equal(next, grouped, {}, &OctreeGroup::name, &OctreeGroup::name))
    lookOfGroups = {};
  grouped = std::move(next);
}

bool OctreeScene::recolor()
{
  if (!shown || !populationColor)
    return false;
  const std::vector<OctreeGroup> before = grouped;
  regroup();
  if (grouped == before)
    return false;
  paintNeurons();
  return true;
}

void OctreeScene::setGroupLook(const OctreeGroupLook& look)
{
  if (std::exchange(lookOfGroups, look) != look && shown) {
    paintNeurons();
  }
}

bool OctreeScene::setHidden(const std::vector<std::uint32_t>& neurons)
{
  std::shared_ptr<std::vector<bool>> next;
  if (shown && !neurons.empty()) {
    next = std::make_shared<std::vector<bool>>(shown->population->size(), false);
    for (const std::uint32_t neuron : neurons)
      (*next)[neuron] = true;
  }
  if (next && hidden ? *next == *hidden : !next && !hidden)
    return false;
  hidden = std::move(next);
  if (shown)
    paintNeurons();
  return true;
}

bool OctreeScene::hidesGroup() const
{
  return drawnLook.neurons == NeuronLook::Type && std::ranges::count(lookOfGroups.isHidden, true) > 0;
}

bool OctreeScene::isHidden(std::uint32_t neuron) const
{
  return (hidden && (*hidden)[neuron]) || (hidesGroup() && lookOfGroups.hides(groupOf(neuron)));
}

void OctreeScene::setSearch(std::optional<SearchPicture> search)
{
  const bool dims = selected.has_value() != search.has_value();
  selected = std::move(search);
  if (!shown) {
    return;
  }
  if (dims) {
    drawBoxes();
    paintNeurons();
  }
  drawSearch();
}

void OctreeScene::setCoarse(bool coarse)
{
  actors->coarse = coarse;
  actors->showNeurons(shown && showsNeurons());
}

void OctreeScene::repaint()
{
  if (shown) {
    regroup();
    paintNeurons();
    drawBoxes();
    drawSearch();
  }
}

std::uint64_t OctreeScene::soughtIn(std::uint32_t node) const
{
  return shown->sought[0].in(node) + shown->sought[1].in(node);
}

void OctreeScene::paintNeurons()
{
  const bool dims = selected.has_value();
  actors->setNeuronSize(neuronSize(shown->population->size(), dims));
  actors->showNeurons(showsNeurons());
  const bool byGroup = drawnLook.neurons != NeuronLook::Vacancy;
  std::vector<QRgb> palette;
  if (byGroup) {
    const std::vector<std::size_t>& standOut = lookOfGroups.standOut;
    for (std::size_t group = 0; group < grouped.size(); ++group) {
      const bool isDim = !standOut.empty() && std::ranges::count(standOut, group) == 0;
      palette.push_back(dimmed(grouped[group].color, dims || isDim));
    }
  } else {
    for (std::uint32_t entry = 0; entry <= left->most; ++entry)
      palette.push_back(dimmed(mapColor(ColorMap::Viridis, entry / std::max(1.0, left->most + 0.0)), dims));
  }
  const auto groupIt = [formation = shown, isOfCircuit = populationColor != nullptr](std::uint32_t neuron) {
    return groupIn(*formation->population, isOfCircuit, neuron);
  };
  std::function<bool(std::uint32_t)> hides;
  if (hidden || hidesGroup()) {
    hides = [look = hidesGroup() ? lookOfGroups : OctreeGroupLook(), isNeuronHidden = hidden,
             groupIt](std::uint32_t neuron) {
      return (isNeuronHidden && (*isNeuronHidden)[neuron]) || look.hides(groupIt(neuron));
    };
  }
  if (byGroup) {
    actors->paintBy([palette, groupIt](std::uint32_t neuron) { return palette[groupIt(neuron)]; }, std::move(hides));
  } else {
    actors->paintBy([palette, vacancy = left](std::uint32_t neuron) { return palette[vacancy->ofNeuron[neuron]]; },
                    std::move(hides));
  }
  actors->paintMore();
}

bool OctreeScene::isPainting() const
{
  return actors->isPainting();
}

void OctreeScene::paintMore()
{
  actors->paintMore();
}

void OctreeScene::paintAll()
{
  while (isPainting()) {
    paintMore();
  }
}

/// The boxes of the chosen levels; none where a neuron is selected, whose search has boxes of its own.
void OctreeScene::drawBoxes()
{
  const synapse::Octree& tree = *shown->tree;
  const int first = std::max(0, drawnLook.deepest - drawnLook.levels + 1);
  std::vector<std::vector<std::uint32_t>> nodes(static_cast<std::size_t>(drawnLook.deepest - first + 1));
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    if (tree.level[node] >= first && tree.level[node] <= drawnLook.deepest) {
      nodes[static_cast<std::size_t>(tree.level[node] - first)].push_back(node);
    }
  }
  levels.clear();
  std::vector<Box> boxes;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::size_t stride = (nodes[k].size() + kMostBoxes - 1) / kMostBoxes;
    std::uint64_t most = 1;
    for (const std::uint32_t node : nodes[k]) {
      most = std::max(most, soughtIn(node));
    }
    const std::size_t before = boxes.size();
    for (std::size_t i = 0; i < nodes[k].size(); i += stride) {
      QColor color = theme().accent;
      const auto sought = static_cast<double>(soughtIn(nodes[k][i]));
      color.setAlpha(kFaintest + static_cast<int>((kStrongest - kFaintest) * sought / static_cast<double>(most)));
      boxes.push_back({world(tree.cellCorner(nodes[k][i])), tree.cellEdge(nodes[k][i]), color.rgba()});
    }
    levels.push_back({first + static_cast<int>(k), boxes.size() - before, nodes[k].size()});
  }
  if (selected) {
    boxes.clear();
  }
  boxes.push_back({world(tree.lowest), tree.edge, theme().hairline.rgba()});
  Actors::draw(actors->boxes, boxes);
}

void OctreeScene::drawSearch()
{
  std::vector<Box> accepted;
  std::vector<Box> expanded;
  std::vector<std::pair<Vec3, QRgb>> leaves;
  highest = 0;
  if (selected) {
    const synapse::Octree& tree = *shown->tree;
    for (const synapse::AcceptedNode& each : selected->accepted) {
      highest = std::max(highest, each.probability);
    }
    for (const synapse::AcceptedNode& each : selected->accepted) {
      const QRgb color = mapColor(ColorMap::Viridis, highest > 0 ? each.probability / highest : 0).rgb();
      if (tree.isLeaf(each.node)) {
        leaves.emplace_back(worldOfNode(each.node), color);
      } else {
        const double edge = kShrunk * tree.cellEdge(each.node);
        const double inset = (tree.cellEdge(each.node) - edge) / 2;
        accepted.push_back({world(tree.cellCorner(each.node)) + Vec3{inset, inset, inset}, edge, color});
      }
    }
    QColor wire = theme().secondaryText;
    wire.setAlpha(kExpandedAlpha);
    for (const std::uint32_t node : expandedNodes(tree, selected->accepted)) {
      expanded.push_back({world(tree.cellCorner(node)), tree.cellEdge(node), wire.rgba()});
    }
  }
  Actors::draw(actors->accepted, accepted);
  Actors::draw(actors->expanded, expanded);
  Actors::draw(actors->leaves, leaves);
}

void OctreeScene::applyCut()
{
  const int axis = std::max(0, static_cast<int>(drawnLook.cut) - static_cast<int>(CutAxis::X));
  actors->setCut(drawnLook.cut != CutAxis::None, axis, (drawnLook.cutShare - 0.5) * shown->tree->edge);
}

bool OctreeScene::isCutAway(const Vec3& point) const
{
  if (drawnLook.cut == CutAxis::None) {
    return false;
  }
  const auto axis = static_cast<std::size_t>(drawnLook.cut) - static_cast<std::size_t>(CutAxis::X);
  return point[axis] > (drawnLook.cutShare - 0.5) * shown->tree->edge;
}

Vec3 OctreeScene::world(const synapse::Position& position) const
{
  const synapse::Octree& tree = *shown->tree;
  return {position[0] - tree.lowest[0] - tree.edge / 2, position[1] - tree.lowest[1] - tree.edge / 2,
          position[2] - tree.lowest[2] - tree.edge / 2};
}

Vec3 OctreeScene::worldOfNeuron(std::uint32_t neuron) const
{
  return world(shown->population->position[neuron]);
}

Vec3 OctreeScene::worldOfNode(std::uint32_t node) const
{
  const synapse::Octree& tree = *shown->tree;
  if (tree.isLeaf(node)) {
    return worldOfNeuron(tree.order[tree.leafBegin[node]]);
  }
  const double half = tree.cellEdge(node) / 2;
  return world(tree.cellCorner(node)) + Vec3{half, half, half};
}

QPointF OctreeScene::pixelOf(const Vec3& point) const
{
  const ScreenPoint at = eye.project(point);
  return {at.x, at.y};
}

QRectF OctreeScene::pictureOfBox() const
{
  if (!shown) {
    return {};
  }
  QPolygonF pixels;
  const std::vector<float> corners = cornersOfBox(*shown->tree);
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    pixels << pixelOf({corners[i], corners[i + 1], corners[i + 2]});
  }
  return pixels.boundingRect();
}

void OctreeScene::fit()
{
  if (!shown) {
    return;
  }
  eye.resetOrientation();
  const double perDegree = eye.viewport().height() / 180.0;
  eye.rotate({kTurn * perDegree, 0});
  eye.rotate({0, kTilt * perDegree});
  const std::vector<float> corners = cornersOfBox(*shown->tree);
  eye.fit(corners, std::vector<float>(corners.size() / 3, 0.0F));
}

void OctreeScene::setPixelRatio(double ratio)
{
  actors->setPixelRatio(static_cast<float>(ratio));
}

void OctreeScene::applyCamera(vtkRenderer& renderer) const
{
  vtkCamera* camera = renderer.GetActiveCamera();
  const Vec3 position = eye.position();
  camera->SetPosition(position.data());
  camera->SetFocalPoint(eye.focalPoint().data());
  camera->SetViewUp(eye.up().data());
  camera->SetViewAngle(eye.viewAngle());
  camera->SetParallelProjection(eye.parallel());
  camera->SetParallelScale(eye.parallelScale());
  const double radius = shown ? 0.9 * std::max(shown->tree->edge, 1e-3) : 1;
  const double middle = eye.project({0, 0, 0}).depth;
  const double farthest = std::max(middle + radius, radius * 1e-3);
  camera->SetClippingRange(std::max(middle - radius, farthest * 1e-3), farthest);
}

/// Walks down the tree and goes past the nodes whose balls lie away from the pixel.
std::optional<std::uint32_t> OctreeScene::neuronAt(const QPointF& pixel) const
{
  if (!shown || !showsNeurons()) {
    return std::nullopt;
  }
  const synapse::Octree& tree = *shown->tree;
  const double halfDiagonal = std::sqrt(3.0) / 2;
  std::optional<std::uint32_t> found;
  double bestDistance = kPickRadius;
  double bestDepth = 0;
  std::uint32_t node = 0;
  while (node < tree.nodes()) {
    if (!tree.isLeaf(node)) {
      const double radius = halfDiagonal * tree.cellEdge(node);
      const double half = tree.cellEdge(node) / 2;
      const ScreenPoint at = eye.project(world(tree.cellCorner(node)) + Vec3{half, half, half});
      const bool isNear = at.depth - radius <= 0 || std::hypot(at.x - pixel.x(), at.y - pixel.y()) <
                                                        kPickRadius + radius / eye.pixelSize(at.depth - radius);
      node = isNear ? node + 1 : tree.next[node];
      continue;
    }
    const std::uint32_t neuron = tree.order[tree.leafBegin[node++]];
    const Vec3 place = worldOfNeuron(neuron);
    const ScreenPoint at = eye.project(place);
    const double distance = std::max(kFrontRadius, std::hypot(at.x - pixel.x(), at.y - pixel.y()));
    const bool isBetter = distance < bestDistance || (found && distance == bestDistance && at.depth < bestDepth);
    if (at.depth > 0 && isBetter && !isCutAway(place) && !isHidden(neuron)) {
      found = neuron;
      bestDistance = distance;
      bestDepth = at.depth;
    }
  }
  return found;
}

std::vector<std::uint32_t> OctreeScene::neuronsIn(const DrawnArea& area) const
{
  std::vector<std::uint32_t> found;
  if (!shown || !showsNeurons())
    return found;
  const AreaMask mask(area);
  for (std::uint32_t neuron = 0; neuron < shown->population->size(); ++neuron) {
    const Vec3 place = worldOfNeuron(neuron);
    const ScreenPoint at = eye.project(place);
    if (at.depth > 0 && mask.contains({at.x, at.y}) && !isCutAway(place) && !isHidden(neuron))
      found.push_back(neuron);
  }
  return found;
}

} // namespace hinesight::widgets
