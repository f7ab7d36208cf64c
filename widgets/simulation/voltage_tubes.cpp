#include "widgets/simulation/voltage_tubes.hpp"

#include "widgets/cells/morphology/line_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinesight::widgets {

namespace {

constexpr double kGap = 0.15;      // between cells side by side, of the mean width
constexpr double kRowAspect = 1.7; // width over height of all rows
constexpr std::size_t kOneRow = 4; // so few cells stand in one
constexpr double kAlike = 1e-3;    // lengths that are to be the same

using cell::Section;
using cell::SectionPoint;

Vec3 placeOf(const SectionPoint& point)
{
  return {point.x, point.y, point.z};
}

/// A piece of a cell in its own coordinates.
struct Piece
{
  Vec3 a, b;
  double radiusA, radiusB;
  std::int32_t nodeA, nodeB;
  bool goesOn = false; ///< from the piece before it, in its section
};

struct Box
{
  Vec3 lower{}, upper{};
};

/// The pieces of a model, the same for all of its cells.
struct Shape
{
  std::vector<Piece> pieces;
  Vec3 soma{};
  Box box;
};

class ShapeMaker
{
public:
  explicit ShapeMaker(const cell::CutCell& cell) : cut(cell) {}

  Shape make()
  {
    shape.soma = somaCentre();
    ends.assign(cut.sections.size(), shape.soma);
    for (std::size_t number = 0; number < cut.sections.size(); ++number)
      addSection(number);
    measure();
    return std::move(shape);
  }

private:
  Vec3 somaCentre() const
  {
    const std::vector<SectionPoint>& points = cut.sections.front().points;
    return 0.5 * (placeOf(points.front()) + placeOf(points.back()));
  }

  /// A cylinder as long as it is thick.
  static bool isSphere(const Section& section)
  {
    const float diameter = section.points.front().diameter;
    return std::ranges::all_of(section.points, [&](const auto& point) { return point.diameter == diameter; }) &&
           std::abs(section.length - diameter) <= kAlike * diameter;
  }

  /// Models put the cylinders in place of an axon nowhere: they are drawn below the soma, one after the other.
  static bool isStub(const Section& section)
  {
    return section.parent >= 0 && section.points.size() == 2 && placeOf(section.points[0]) == Vec3{} &&
           section.points[1].y == 0 && section.points[1].z == 0;
  }

  void addSection(std::size_t number)
  {
    const Section& section = cut.sections[number];
    const auto node = static_cast<std::int32_t>(number);
    if (number == 0 && isSphere(section)) {
      const double radius = section.points.front().diameter / 2.0;
      const std::int32_t middle = cut.nodeAt(0, 0.5);
      shape.pieces.push_back({shape.soma, shape.soma, radius, radius, middle, middle});
      return;
    }
    Vec3 offset{};
    Vec3 along{1, 0, 0};
    const bool stub = isStub(section);
    if (stub) {
      offset = ends[static_cast<std::size_t>(section.parent)];
      along = {0, -1, 0};
    }
    double begun = 0;
    std::int32_t before = section.parent > 0 ? cut.nodeAt(node, 0) : section.firstNode;
    for (std::size_t i = 0; i + 1 < section.points.size(); ++i) {
      Vec3 a = placeOf(section.points[i]);
      Vec3 b = placeOf(section.points[i + 1]);
      const double length = norm(b - a);
      begun += length;
      const double position = section.length > 0 ? std::min(1.0, begun / section.length) : 0;
      const std::int32_t after = std::min(section.firstNode + section.segments - 1, cut.nodeAt(node, position));
      if (stub) {
        a = offset + a[0] * along;
        b = offset + b[0] * along;
      }
      shape.pieces.push_back(
          {a, b, section.points[i].diameter / 2.0, section.points[i + 1].diameter / 2.0, before, after, i > 0});
      before = after;
      ends[number] = b;
    }
  }

  void measure()
  {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    shape.box = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const Piece& piece : shape.pieces)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        shape.box.lower[axis] =
            std::min({shape.box.lower[axis], piece.a[axis] - piece.radiusA, piece.b[axis] - piece.radiusB});
        shape.box.upper[axis] =
            std::max({shape.box.upper[axis], piece.a[axis] + piece.radiusA, piece.b[axis] + piece.radiusB});
      }
  }

  const cell::CutCell& cut;
  Shape shape;
  std::vector<Vec3> ends; ///< of sections
};

/// About z, then y, then x, as SONATA says.
Vec3 turned(Vec3 p, const std::array<double, 3>& angles)
{
  const auto turn = [&](std::size_t from, std::size_t to, double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double a = p[from];
    const double b = p[to];
    p[from] = c * a - s * b;
    p[to] = s * a + c * b;
  };
  turn(0, 1, angles[2]);
  turn(2, 0, angles[1]);
  turn(1, 2, angles[0]);
  return p;
}

/// By how much each cell is moved so that all stand in rows, the first one top left.
std::vector<Vec3> inRows(const std::vector<Shape>& shapes, const std::vector<std::uint32_t>& modelOf)
{
  double area = 0;
  double meanWidth = 0;
  for (const std::uint32_t model : modelOf) {
    const Vec3 size = shapes[model].box.upper - shapes[model].box.lower;
    area += size[0] * size[1];
    meanWidth += size[0] / static_cast<double>(modelOf.size());
  }
  const double gap = kGap * meanWidth;
  const double most =
      modelOf.size() <= kOneRow ? std::numeric_limits<double>::infinity() : std::sqrt(area * kRowAspect) * (1 + kGap);
  std::vector<Vec3> moves;
  double left = 0;
  double top = 0;
  double height = 0;
  for (const std::uint32_t model : modelOf) {
    const Box& box = shapes[model].box;
    const Vec3 size = box.upper - box.lower;
    if (left > 0 && left + size[0] > most) {
      top -= height + gap;
      left = height = 0;
    }
    moves.push_back({left - box.lower[0], top - box.upper[1], -0.5 * (box.lower[2] + box.upper[2])});
    left += size[0] + gap;
    height = std::max(height, size[1]);
  }
  return moves;
}

void addCell(TubeGeometry& geometry, const Shape& shape, std::size_t cell, const study::CellPlace& place,
             const Vec3& centre)
{
  TubeGeometry::Placement placement{static_cast<std::int32_t>(cell), {}, {}};
  bool isFirst = true;
  for (const Piece& piece : shape.pieces) {
    const auto put = [&](const Vec3& own, std::vector<float>& into) {
      const Vec3 at = turned(own - shape.soma, place.angles) + place.position - centre;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        into.push_back(static_cast<float>(at[axis]));
        placement.lower[axis] = isFirst ? at[axis] : std::min(placement.lower[axis], at[axis]);
        placement.upper[axis] = isFirst ? at[axis] : std::max(placement.upper[axis], at[axis]);
      }
      isFirst = false;
    };
    put(piece.a, geometry.endA);
    put(piece.b, geometry.endB);
    geometry.radiusA.push_back(static_cast<float>(piece.radiusA));
    geometry.radiusB.push_back(static_cast<float>(piece.radiusB));
    geometry.cell.push_back(static_cast<std::int32_t>(cell));
    geometry.sampleA.push_back(piece.nodeA);
    geometry.sampleB.push_back(piece.nodeB);
  }
  geometry.placements.push_back(placement);
}

} // namespace

std::vector<std::int32_t> VoltageTubes::places() const
{
  std::vector<std::int32_t> all;
  all.reserve(2 * geometry.tubes());
  for (std::size_t tube = 0; tube < geometry.tubes(); ++tube) {
    const auto cell = static_cast<std::size_t>(geometry.cell[tube]);
    all.push_back(placeOf(cell, geometry.sampleA[tube]));
    all.push_back(placeOf(cell, geometry.sampleB[tube]));
  }
  return all;
}

/// Tubes are joined by the points between them: several may lie within a node.
std::vector<std::vector<std::uint32_t>> VoltageTubes::lines() const
{
  TubeGeometry byPoints = geometry;
  for (std::size_t tube = 0; tube < byPoints.tubes(); ++tube) {
    const std::size_t place = tube - firstTube[static_cast<std::size_t>(byPoints.cell[tube])];
    byPoints.sampleA[tube] = static_cast<std::int32_t>(2 * place) - (goesOn[tube] ? 1 : 0);
    byPoints.sampleB[tube] = static_cast<std::int32_t>(2 * place + 1);
  }
  return lineLevels(byPoints);
}

VoltageTubes buildVoltageTubes(const study::SimulationModel& model)
{
  const simulation::Network& network = model.circuit.network;
  VoltageTubes made;
  std::vector<Shape> shapes;
  for (const auto& each : network.models)
    shapes.push_back(ShapeMaker(each->cut).make());
  made.isSpread = model.places.empty();
  std::vector<study::CellPlace> places = model.places;
  if (made.isSpread) {
    const std::vector<Vec3> moves = inRows(shapes, network.modelOf);
    for (std::size_t cell = 0; cell < network.cells(); ++cell)
      places.push_back({shapes[network.modelOf[cell]].soma + moves[cell], {}});
  }
  Vec3 centre{};
  for (const study::CellPlace& place : places)
    centre = centre + (1.0 / static_cast<double>(places.size())) * place.position;
  for (std::size_t cell = 0; cell < network.cells(); ++cell) {
    const std::uint32_t of = network.modelOf[cell];
    addCell(made.geometry, shapes[of], cell, places[cell], centre);
    made.firstPlace.push_back(made.firstPlace.back() + network.models[of]->cut.nodes());
    for (const Piece& piece : shapes[of].pieces)
      made.goesOn.push_back(piece.goesOn);
    made.firstTube.push_back(made.geometry.tubes());
  }
  addBlocks(made.geometry);
  return made;
}

std::optional<Vec3> drawnPlaceOf(const VoltageTubes& tubes, std::size_t cell, std::int32_t node)
{
  const TubeGeometry& geometry = tubes.geometry;
  Vec3 sum{};
  double count = 0;
  if (cell + 1 >= tubes.firstTube.size())
    return std::nullopt;
  for (std::size_t tube = tubes.firstTube[cell]; tube < tubes.firstTube[cell + 1]; ++tube) {
    const auto add = [&](const std::vector<float>& ends) {
      sum = sum + Vec3{ends[3 * tube], ends[3 * tube + 1], ends[3 * tube + 2]};
      ++count;
    };
    if (geometry.sampleA[tube] == node)
      add(geometry.endA);
    if (geometry.sampleB[tube] == node)
      add(geometry.endB);
  }
  return count > 0 ? std::optional((1 / count) * sum) : std::nullopt;
}

} // namespace hinesight::widgets
