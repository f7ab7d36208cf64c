#include "widgets/cells/morphology/tube_geometry.hpp"

#include "cable/cell_geometry.hpp"
#include "morphology/morphometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace hinesight::widgets {

namespace {

constexpr double kMuchOverlap = 0.15; // of the smaller box's area, seen along z
constexpr double kTooFarApart = 12;   // extent of all cells over the sum of their own
constexpr double kGap = 0.12;         // between cells side by side, of their mean size
constexpr double kRowAspect = 1.7;    // width over height of the view that several rows are to fill
constexpr int kRowWidths = 32;        // that are tried

using morphology::Morphology;

struct Box
{
  Vec3 lower{};
  Vec3 upper{};

  Vec3 centre() const { return 0.5 * (lower + upper); }
  Vec3 size() const { return upper - lower; }
};

/// Tubes are drawn to scale, so a cell's box is that of its samples and its soma with their radii.
Box boxOf(const Morphology& cell)
{
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Box box{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  const auto include = [&box](const Vec3& at, double radius) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lower[axis] = std::min(box.lower[axis], at[axis] - radius);
      box.upper[axis] = std::max(box.upper[axis], at[axis] + radius);
    }
  };
  for (std::size_t i = 0; i < cell.samples(); ++i) {
    include({cell.x[i], cell.y[i], cell.z[i]}, cell.solvedRadius[i]);
  }
  if (cell.somaKind != morphology::SomaKind::None) {
    include({cell.somaCentre[0], cell.somaCentre[1], cell.somaCentre[2]}, cell.somaRadius);
  }
  return box;
}

bool canDraw(const Box& box)
{
  for (std::size_t axis = 0; axis < box.lower.size(); ++axis) {
    const bool isNear = std::abs(box.lower[axis]) <= kFarthestDrawn && std::abs(box.upper[axis]) <= kFarthestDrawn;
    if (!isNear || box.upper[axis] - box.lower[axis] > kLongestDrawn) {
      return false;
    }
  }
  return true;
}

struct DrawnCell
{
  std::int32_t index = -1;
  const Morphology* morphology = nullptr;
  const morphology::BranchTree* branches = nullptr;
  Box box;
};

std::vector<DrawnCell> drawnCells(const Scene& scene)
{
  std::vector<DrawnCell> cells;
  for (std::size_t i = 0; i < scene.cells.size(); ++i) {
    const SceneCell& cell = scene.cells[i];
    if (cell.visible && cell.discretization && cell.discretization->morphology->samples() > 0) {
      const Morphology& morphology = *cell.discretization->morphology;
      if (const Box box = boxOf(morphology); canDraw(box)) {
        cells.push_back({static_cast<std::int32_t>(i), &morphology, cell.discretization->branches.get(), box});
      }
    }
  }
  return cells;
}

/// Area in which two boxes overlap along z, over the area of the smaller one.
double overlap(const Box& a, const Box& b)
{
  double common = 1;
  double areaA = 1;
  double areaB = 1;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    common *= std::max(0.0, std::min(a.upper[axis], b.upper[axis]) - std::max(a.lower[axis], b.lower[axis]));
    areaA *= a.size()[axis];
    areaB *= b.size()[axis];
  }
  const double smaller = std::min(areaA, areaB);
  return smaller > 0 ? common / smaller : 0;
}

Box unite(const Box& a, const Box& b)
{
  Box result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.lower[axis] = std::min(a.lower[axis], b.lower[axis]);
    result.upper[axis] = std::max(a.upper[axis], b.upper[axis]);
  }
  return result;
}

/// Centres of cells in rows, top row first, in the order given.
struct Rows
{
  std::vector<Vec3> centres;
  double width = 0;
  double height = 0;

  /// Of a view of kRowAspect that shows them all.
  double neededHeight() const { return std::max(height, width / kRowAspect); }
};

/// In rows of that width at most, or of one cell.
Rows placeInRows(const std::vector<DrawnCell>& cells, double rowWidth, double gap)
{
  Rows rows;
  rows.centres.resize(cells.size());
  for (std::size_t begin = 0; begin < cells.size();) {
    std::size_t end = begin;
    double width = 0;
    double height = 0;
    while (end < cells.size() && (end == begin || width + gap + cells[end].box.size()[0] <= rowWidth)) {
      width += (end == begin ? 0 : gap) + cells[end].box.size()[0];
      height = std::max(height, cells[end].box.size()[1]);
      ++end;
    }
    rows.height += begin == 0 ? 0 : gap;
    double left = -width / 2;
    for (std::size_t i = begin; i < end; ++i) {
      const double own = cells[i].box.size()[0];
      rows.centres[i] = {left + own / 2, -rows.height - height / 2, 0};
      left += own + gap;
    }
    rows.width = std::max(rows.width, width);
    rows.height += height;
    begin = end;
  }
  return rows;
}

/// Few cells in one row, more in the rows that are seen largest.
std::vector<Vec3> placeInRows(const std::vector<DrawnCell>& cells)
{
  constexpr std::size_t kOneRow = 4;
  double meanSize = 0;
  double widest = 0;
  double sum = 0;
  for (const DrawnCell& cell : cells) {
    const Vec3 size = cell.box.size();
    meanSize += std::max(size[0], size[1]) / static_cast<double>(cells.size());
    widest = std::max(widest, size[0]);
    sum += size[0];
  }
  const double gap = kGap * meanSize;
  const double whole = sum + gap * static_cast<double>(cells.size());
  Rows best = placeInRows(cells, whole, gap);
  for (int step = 0; cells.size() > kOneRow && widest > 0 && step < kRowWidths; ++step) {
    Rows rows = placeInRows(cells, widest * std::pow(whole / widest, static_cast<double>(step) / kRowWidths), gap);
    if (rows.neededHeight() < best.neededHeight())
      best = std::move(rows);
  }
  return best.centres;
}

/// Centres of the cells' boxes in the scene. `places` are not the suited ones.
std::vector<Vec3> placesOf(const std::vector<DrawnCell>& cells, CellPlaces places)
{
  if (places == CellPlaces::SideBySide) {
    return placeInRows(cells);
  }
  Box all = cells.front().box;
  for (const DrawnCell& cell : cells) {
    all = unite(all, cell.box);
  }
  std::vector<Vec3> centres;
  for (const DrawnCell& cell : cells) {
    Vec3 origin = all.centre();
    if (places == CellPlaces::Centred) {
      const std::array<double, 3> soma = morphology::somaCentreOf(*cell.morphology);
      origin = {soma[0], soma[1], soma[2]};
    }
    centres.push_back(cell.box.centre() - origin);
  }
  return centres;
}

class TubeBuilder
{
public:
  TubeBuilder(TubeGeometry& target, const DrawnCell& drawn, const Vec3& centre)
      : geometry(target), cell(drawn), offset(centre - drawn.box.centre())
  {}

  /// Depth first, whatever order the file has: tubes that follow one another lie together.
  void build()
  {
    const Morphology& morphology = *cell.morphology;
    const cable::CellGeometry somata(morphology, *cell.branches);
    const auto firstSoma = std::ranges::find(morphology.type, morphology::kSoma) - morphology.type.begin();
    std::vector<bool> hasSphere(somata.spheres(), false);
    for (const std::int32_t sample : morphology.order) {
      const std::int32_t sphere = somata.sphereOf(sample);
      if (sphere >= 0 && !hasSphere[index(sphere)]) {
        hasSphere[index(sphere)] = true;
        // What the cell says of its soma is about the first one of the file.
        const bool isDescribed = sphere == somata.sphereOf(static_cast<std::int32_t>(firstSoma));
        const auto& centre = morphology.somaCentre;
        addSphere(isDescribed ? Vec3{centre[0], centre[1], centre[2]} : at(sample), somata.radiusOfSphere(sphere),
                  sample);
      }
      const std::int32_t parent = morphology.parent[index(sample)];
      if (parent >= 0 && (sphere < 0 || sphere != somata.sphereOf(parent))) {
        addEdge(parent, sample, sphere >= 0);
      } else if (parent < 0 && sphere < 0 && morphology.childCount(sample) == 0) {
        addSphere(at(sample), morphology.solvedRadius[index(sample)], sample);
      }
    }
    geometry.placements.push_back({cell.index, cell.box.lower + offset, cell.box.upper + offset});
  }

private:
  static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

  Vec3 at(std::int32_t sample) const
  {
    const Morphology& morphology = *cell.morphology;
    return {morphology.x[index(sample)], morphology.y[index(sample)], morphology.z[index(sample)]};
  }

  /// That a sample stands for, alone or as the first of several.
  void addSphere(const Vec3& centre, double radius, std::int32_t sample)
  {
    add(centre, centre, radius, radius, sample, sample);
  }

  /// Cable neither widens to the radius of the soma that it leaves nor to that of a sphere that it reaches, as in
  /// cable::discretize.
  void addEdge(std::int32_t parent, std::int32_t sample, bool reachesSphere)
  {
    const Morphology& morphology = *cell.morphology;
    const bool leavesSoma =
        morphology.type[index(parent)] == morphology::kSoma && morphology.type[index(sample)] != morphology::kSoma;
    const double own = morphology.solvedRadius[index(sample)];
    const double above = morphology.solvedRadius[index(parent)];
    add(at(parent), at(sample), leavesSoma ? own : above, reachesSphere ? above : own, leavesSoma ? sample : parent,
        sample);
  }

  void add(const Vec3& a, const Vec3& b, double radiusA, double radiusB, std::int32_t sampleA, std::int32_t sampleB)
  {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      geometry.endA.push_back(static_cast<float>(a[axis] + offset[axis]));
      geometry.endB.push_back(static_cast<float>(b[axis] + offset[axis]));
    }
    geometry.radiusA.push_back(static_cast<float>(radiusA));
    geometry.radiusB.push_back(static_cast<float>(radiusB));
    geometry.cell.push_back(cell.index);
    geometry.sampleA.push_back(sampleA);
    geometry.sampleB.push_back(sampleB);
  }

  TubeGeometry& geometry;
  const DrawnCell& cell;
  Vec3 offset;
};

/// Room for tubes of all cells: an edge or a sphere a sample, at most two of a sample of a soma.
void reserve(TubeGeometry& geometry, const std::vector<DrawnCell>& cells)
{
  std::size_t samples = 0;
  for (const DrawnCell& cell : cells) {
    samples += cell.morphology->samples() + 1;
  }
  for (auto* ends : {&geometry.endA, &geometry.endB}) {
    ends->reserve(3 * samples);
  }
  for (auto* radii : {&geometry.radiusA, &geometry.radiusB}) {
    radii->reserve(samples);
  }
  for (auto* indices : {&geometry.cell, &geometry.sampleA, &geometry.sampleB}) {
    indices->reserve(samples);
  }
}

} // namespace

void addBlocks(TubeGeometry& geometry)
{
  constexpr double kRounding = 1e-6; // of the coordinates, in single precision
  for (std::size_t begin = 0; begin < geometry.tubes(); begin += TubeGeometry::Block::kTubes) {
    const std::size_t end = std::min(begin + TubeGeometry::Block::kTubes, geometry.tubes());
    Vec3 low{geometry.endA[3 * begin], geometry.endA[3 * begin + 1], geometry.endA[3 * begin + 2]};
    Vec3 high = low;
    double thickest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [least, most] = std::minmax(geometry.endA[3 * i + axis], geometry.endB[3 * i + axis]);
        low[axis] = std::min<double>(low[axis], least);
        high[axis] = std::max<double>(high[axis], most);
      }
      thickest = std::max<double>({thickest, geometry.radiusA[i], geometry.radiusB[i]});
    }
    const Vec3 centre = 0.5 * (low + high);
    const Vec3 half = 0.5 * (high - low);
    const double around = thickest + kRounding * (norm(low) + norm(high));
    geometry.blocks.push_back({centre, norm(half) + around, half + Vec3{around, around, around}});
  }
}

bool canDraw(const morphology::Morphology& cell)
{
  return canDraw(boxOf(cell));
}

bool shouldSpread(const Scene& scene)
{
  const std::vector<DrawnCell> cells = drawnCells(scene);
  if (cells.size() < 2) {
    return false;
  }
  Box all = cells.front().box;
  double sum = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    all = unite(all, cells[i].box);
    sum += norm(cells[i].box.size());
    // Neighbours in the list are enough for cells that all stand at the origin, and keep this linear.
    if (i > 0 && overlap(cells[i - 1].box, cells[i].box) > kMuchOverlap) {
      return true;
    }
  }
  return norm(all.size()) > kTooFarApart * sum;
}

TubeGeometry buildTubes(const Scene& scene, CellPlaces places)
{
  TubeGeometry geometry;
  const std::vector<DrawnCell> cells = drawnCells(scene);
  if (cells.empty()) {
    return geometry;
  }
  std::vector<Vec3> centres = placesOf(cells, places != CellPlaces::Suited ? places
                                              : shouldSpread(scene)        ? CellPlaces::SideBySide
                                                                           : CellPlaces::AsRead);
  reserve(geometry, cells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    TubeBuilder(geometry, cells[i], centres[i]).build();
  }
  addBlocks(geometry);
  return geometry;
}

namespace {

/// What a block of tubes may cover of the screen, pixels.
struct Cover
{
  double x = 0;
  double y = 0;
  double radius = 0;
};

/// None: it is behind the camera.
std::optional<Cover> coverOf(const TubeGeometry::Block& block, const OrbitCamera& camera)
{
  const ScreenPoint centre = camera.project(block.centre);
  const double unit = camera.pixelSize(1); // scene units a pixel at depth 1 where the projection is perspective
  double radius = block.radius / unit;
  if (!camera.parallel()) {
    if (centre.depth <= -block.radius)
      return std::nullopt;
    const double nearest = centre.depth - block.radius;
    if (nearest <= 1e-6 * block.radius)
      return Cover{centre.x, centre.y, std::numeric_limits<double>::infinity()}; // around the camera
    // A point of the sphere is at most this far from the projected centre: the sphere is seen askew.
    const double x = (centre.x - camera.viewport().width() / 2.0) * unit;
    const double y = (centre.y - camera.viewport().height() / 2.0) * unit;
    radius *= std::sqrt(1 + x * x + y * y) / nearest;
  }
  return Cover{centre.x, centre.y, radius + kLeastRadiusPixels + 1};
}

} // namespace

bool mayReach(const QRectF& area, const TubeGeometry::Block& block, const OrbitCamera& camera)
{
  const std::optional<Cover> cover = coverOf(block, camera);
  if (!cover)
    return false;
  const double offX = std::max({area.left() - cover->x, cover->x - area.right(), 0.0});
  const double offY = std::max({area.top() - cover->y, cover->y - area.bottom(), 0.0});
  return offX * offX + offY * offY <= cover->radius * cover->radius;
}

bool liesIn(const QRectF& area, const TubeGeometry::Block& block, const OrbitCamera& camera)
{
  const std::optional<Cover> cover = coverOf(block, camera);
  return cover && std::isfinite(cover->radius) &&
         area.contains(
             QRectF(cover->x - cover->radius, cover->y - cover->radius, 2 * cover->radius, 2 * cover->radius));
}

double drawnRadius(double radius, double pixel)
{
  const double least = kLeastRadiusPixels * pixel;
  return std::sqrt(radius * radius + least * least); // std::hypot minds overflow, and takes several times as long
}

} // namespace hinesight::widgets
