#include "projection/populations/population.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/philox.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace hinesight::projection {

namespace {

constexpr const char* kAxisNames[] = {"x", "y", "z"};

[[noreturn]] void refuse(const PopulationParameters& parameters, const std::string& what)
{
  throw Error(ErrorCode::BadParameter, "Population \"" + parameters.name + "\": " + what);
}

void requireName(const std::string& name)
{
  constexpr std::size_t kLongest = 200;
  const bool control = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (name.empty() || name.size() > kLongest || name.front() == '.' || control || name.find('/') != std::string::npos)
    throw Error(ErrorCode::BadParameter, "A population needs a name of 1 to 200 characters, without '.' at its "
                                         "beginning, '/' and control characters; give it one.");
}

// What a random number is drawn for: the draws of a position, and the stream that keeps them from other uses of a seed.
constexpr std::uint32_t kPositionStream = 0x504F5331;

double drawPosition(const PopulationParameters& p, std::uint64_t neuron, std::uint32_t draw)
{
  return randomUniform(p.seed, neuron, kPositionStream, draw);
}

Position inBox(const PopulationParameters& p, std::uint64_t neuron)
{
  Position at;
  for (std::uint32_t axis = 0; axis < 3; ++axis)
    at[axis] = p.origin[axis] + p.extent[axis] * drawPosition(p, neuron, axis);
  return at;
}

/// By the cube root of a uniform number for the distance, and a uniform point of the unit sphere for the direction.
Position inBall(const PopulationParameters& p, std::uint64_t neuron)
{
  const double distance = p.radius * std::cbrt(drawPosition(p, neuron, 0));
  const double height = 2 * drawPosition(p, neuron, 1) - 1;
  const double angle = 2 * std::numbers::pi * drawPosition(p, neuron, 2);
  const double across = distance * std::sqrt(std::max(0.0, 1 - height * height));
  return {p.origin[0] + across * std::cos(angle), p.origin[1] + across * std::sin(angle),
          p.origin[2] + distance * height};
}

std::array<std::vector<double>, 3> drawPositions(const PopulationParameters& p, const RunControl& control)
{
  constexpr std::size_t kGrain = 16'384;
  const auto count = static_cast<std::size_t>(p.count);
  requireMemory(3 * sizeof(double) * count, "A population of that size");
  std::array<std::vector<double>, 3> positions;
  for (auto& coordinate : positions)
    coordinate.resize(count);
  parallelFor(count, kGrain, [&](std::size_t begin, std::size_t end) {
    control.checkpoint();
    for (std::size_t i = begin; i < end; ++i) {
      const Position at = p.kind == PopulationKind::Box ? inBox(p, i) : inBall(p, i);
      for (std::size_t axis = 0; axis < 3; ++axis)
        positions[axis][i] = at[axis];
    }
  });
  return positions;
}

} // namespace

void validate(const PopulationParameters& parameters)
{
  requireName(parameters.name);
  try {
    validateFields(fieldsOf(parameters));
  } catch (const Error& error) {
    refuse(parameters, error.message());
  }
  double neurons = 1;
  for (const std::uint32_t along : parameters.size)
    neurons *= along;
  if (parameters.kind == PopulationKind::Grid && neurons > static_cast<double>(kMaxNeurons))
    refuse(parameters,
           "a grid of that size has more than " + std::to_string(kMaxNeurons) + " neurons; choose a smaller one.");
  if (parameters.kind == PopulationKind::Box && parameters.extent == Position{})
    refuse(parameters, "its box has no extent; choose one above 0 along an axis.");
  if (parameters.kind == PopulationKind::File && parameters.file.empty())
    refuse(parameters, "no file is named that holds its positions; name one.");
}

Position Population::position(std::uint64_t index) const
{
  if (!isGrid())
    return {held[0][index], held[1][index], held[2][index]};
  const std::uint64_t nx = made.size[0];
  const std::uint64_t ny = made.size[1];
  const std::array<std::uint64_t, 3> step = {index % nx, index / nx % ny, index / nx / ny};
  Position at;
  for (std::size_t axis = 0; axis < 3; ++axis)
    at[axis] = made.origin[axis] + static_cast<double>(step[axis]) * made.spacing[axis];
  return at;
}

Position Population::period() const
{
  Position period{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (isGrid())
      period[axis] = made.size[axis] > 1 ? made.size[axis] * made.spacing[axis] : 0;
    else if (made.kind == PopulationKind::Box)
      period[axis] = made.extent[axis];
  }
  return period;
}

void Population::findBounds()
{
  if (isGrid()) {
    box = {position(0), position(neurons - 1)};
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax_element(held[axis].begin(), held[axis].end());
    box[0][axis] = *low;
    box[1][axis] = *high;
  }
}

std::shared_ptr<const Population> makePopulation(const PopulationParameters& parameters, const RunControl& control)
{
  validate(parameters);
  if (parameters.kind == PopulationKind::File || parameters.kind == PopulationKind::Given)
    refuse(parameters, "its positions are not known; open the neurons again or choose another kind.");
  std::shared_ptr<Population> population(new Population);
  population->made = parameters;
  if (parameters.kind == PopulationKind::Grid) {
    population->neurons = std::uint64_t{parameters.size[0]} * parameters.size[1] * parameters.size[2];
  } else {
    population->held = drawPositions(parameters, control);
    population->neurons = population->held[0].size();
  }
  population->findBounds();
  return population;
}

std::shared_ptr<const Population> populationAt(PopulationParameters parameters,
                                               std::array<std::vector<double>, 3> positions)
{
  validate(parameters);
  std::shared_ptr<Population> population(new Population);
  population->made = std::move(parameters);
  const PopulationParameters& made = population->made;
  const std::size_t count = positions[0].size();
  if (count == 0)
    refuse(made, "it is empty; give it a neuron.");
  if (positions[1].size() != count || positions[2].size() != count)
    refuse(made, "its neurons have different numbers of x, y and z; give each one of each.");
  if (count > kMaxNeurons)
    refuse(made, "it has more than " + std::to_string(kMaxNeurons) + " neurons; give it fewer.");
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(positions[axis][i]))
        refuse(made, std::string(kAxisNames[axis]) + " of neuron " + std::to_string(i) +
                         " is not finite; give finite positions.");
  population->held = std::move(positions);
  population->neurons = count;
  population->findBounds();
  return population;
}

std::shared_ptr<const Population> populationAt(std::string name, std::array<std::vector<double>, 3> positions)
{
  PopulationParameters parameters;
  parameters.name = std::move(name);
  parameters.kind = PopulationKind::Given;
  return populationAt(std::move(parameters), std::move(positions));
}

PopulationParameters definitionOf(const PopulationParameters& parameters)
{
  PopulationParameters used;
  used.name = parameters.name;
  used.kind = parameters.kind;
  switch (parameters.kind) {
  case PopulationKind::Grid:
    used.size = parameters.size;
    used.spacing = parameters.spacing;
    used.origin = parameters.origin;
    break;
  case PopulationKind::Box:
  case PopulationKind::Sphere:
    used.count = parameters.count;
    used.origin = parameters.origin;
    used.seed = parameters.seed;
    if (parameters.kind == PopulationKind::Box)
      used.extent = parameters.extent;
    else
      used.radius = parameters.radius;
    break;
  case PopulationKind::File:
    used.file = parameters.file;
    break;
  case PopulationKind::Given:
    break;
  }
  return used;
}

bool isSamePopulation(const Population& a, const Population& b)
{
  if (&a == &b)
    return true;
  if (definitionOf(a.parameters()) != definitionOf(b.parameters()) || a.count() != b.count())
    return false;
  return a.coordinates(0) == b.coordinates(0) && a.coordinates(1) == b.coordinates(1) &&
         a.coordinates(2) == b.coordinates(2);
}

} // namespace hinesight::projection
