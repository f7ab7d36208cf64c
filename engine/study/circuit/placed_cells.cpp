#include "study/circuit/placed_cells.hpp"

#include "core/error.hpp"
#include "core/philox.hpp"
#include "io/networks/neuron_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

namespace hinesight::study {

namespace {

using projection::PopulationKind;

constexpr std::uint32_t kTurnStream = 0x5455524E;
constexpr std::uint32_t kDrawStream = 0x44524157;

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b)
{
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}

/// Rodrigues' formula; the axis may be of any length but 0.
Matrix rotationAbout(const std::array<double, 3>& axis, double radians)
{
  const double length = std::hypot(axis[0], axis[1], axis[2]);
  const double x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const double c = std::cos(radians), s = std::sin(radians), d = 1 - c;
  return {{{c + d * x * x, d * x * y - s * z, d * x * z + s * y},
           {d * x * y + s * z, c + d * y * y, d * y * z - s * x},
           {d * x * z - s * y, d * y * z + s * x, c + d * z * z}}};
}

/// About z first, then y, then x.
Matrix rotationOf(const std::array<double, 3>& angles)
{
  return product(rotationAbout({1, 0, 0}, angles[0]),
                 product(rotationAbout({0, 1, 0}, angles[1]), rotationAbout({0, 0, 1}, angles[2])));
}

/// Axes without angles are not turned about.
Matrix rotationOf(const io::SonataAngles& angles, std::uint64_t neuron)
{
  const auto about = [&](std::size_t axis) { return angles[axis].empty() ? 0.0 : angles[axis][neuron]; };
  return rotationOf({about(0), about(1), about(2)});
}

/// The angles of rotationOf. Where the turn about y is a quarter, that about z is 0.
std::array<double, 3> anglesOf(const Matrix& rotation)
{
  constexpr double kQuarter = 1 - 1e-14;
  const double sine = std::clamp(rotation[0][2], -1.0, 1.0);
  if (std::abs(sine) > kQuarter)
    return {std::atan2(rotation[2][1], rotation[1][1]), std::copysign(std::numbers::pi / 2, sine), 0};
  return {std::atan2(-rotation[1][2], rotation[2][2]), std::asin(sine), std::atan2(-rotation[0][1], rotation[0][0])};
}

/// The pool has a cell for each type, in ascending order.
std::vector<std::uint32_t> cellsByType(const model::Population& population)
{
  const std::string& file = population.placement.file;
  if (population.placement.kind != PopulationKind::File || !io::isSonataFile(file))
    throw Error(ErrorCode::BadParameter, "The population \"" + population.name() +
                                             "\" takes its cells by type of node, which only neurons of a SONATA "
                                             "file have; take them in turn or by chance.");
  const std::vector<std::int64_t> typeOf = io::readNodeTypes(file, population.nodes);
  const std::set<std::int64_t> present(typeOf.begin(), typeOf.end());
  if (present.size() != population.cells.size())
    throw Error(ErrorCode::BadParameter,
                "The population \"" + population.name() + "\" has " + std::to_string(population.cells.size()) +
                    " cells for the " + std::to_string(present.size()) + " types of its nodes; name one for each.",
                file);
  const std::vector<std::int64_t> types(present.begin(), present.end());
  std::vector<std::uint32_t> cells;
  cells.reserve(typeOf.size());
  for (const std::int64_t type : typeOf)
    cells.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(types, type) - types.begin()));
  return cells;
}

/// Before the population's rotation.
io::SonataAngles ownAngles(const model::Population& population, std::uint64_t neurons)
{
  io::SonataAngles angles;
  const projection::PopulationParameters& placement = population.placement;
  if (population.isTurned)
    for (std::uint64_t i = 0; i < neurons; ++i)
      angles[1].push_back(2 * std::numbers::pi * randomUniform(population.seed, i, kTurnStream, 0));
  else if (placement.kind == PopulationKind::File && io::isSonataFile(placement.file))
    angles = io::readAngles(placement.file, population.nodes);
  return angles;
}

} // namespace

std::vector<std::uint32_t> cellsOfNeurons(const model::Population& population, std::uint64_t neurons)
{
  std::vector<std::uint32_t> cells;
  const std::size_t pool = population.cells.size();
  if (pool < 2)
    return cells;
  const bool isGiven = population.placement.kind == PopulationKind::Given;
  if (!isGiven && population.order == model::CellOrder::Type)
    return cellsByType(population);
  const bool isDrawn = !isGiven && population.order == model::CellOrder::Chance;
  cells.reserve(neurons);
  for (std::uint64_t i = 0; i < neurons; ++i) {
    const double drawn = randomUniform(population.seed, i, kDrawStream, 0) * static_cast<double>(pool);
    cells.push_back(static_cast<std::uint32_t>(isDrawn ? static_cast<std::uint64_t>(drawn) : i % pool));
  }
  return cells;
}

io::SonataAngles anglesOf(const model::Population& population, std::uint64_t neurons)
{
  if (population.cells.empty())
    return {};
  io::SonataAngles angles = ownAngles(population, neurons);
  if (population.rotation == 0)
    return angles;
  const Matrix rotation = rotationAbout(population.axis, population.rotation * std::numbers::pi / 180);
  for (std::vector<double>& ofAxis : angles)
    ofAxis.resize(neurons, 0);
  for (std::uint64_t i = 0; i < neurons; ++i) {
    const std::array<double, 3> turned = anglesOf(product(rotation, rotationOf(angles, i)));
    for (std::size_t axis = 0; axis < 3; ++axis)
      angles[axis][i] = turned[axis];
  }
  return angles;
}

PlacedCells::PlacedCells(const model::Population& population, const projection::Population& neurons)
    : somata(neurons), cells(cellsOfNeurons(population, neurons.count())), angles(anglesOf(population, neurons.count()))
{}

PlacedCells::Pose PlacedCells::poseOf(std::uint64_t neuron) const
{
  return {rotationOf(angles, neuron), somata.position(neuron)};
}

std::array<double, 3> PlacedCells::Pose::placed(const std::array<double, 3>& point,
                                                const std::array<double, 3>& centre) const
{
  std::array<double, 3> at = soma;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t axis = 0; axis < 3; ++axis)
      at[row] += rotation[row][axis] * (point[axis] - centre[axis]);
  return at;
}

} // namespace hinesight::study
