#include "projection/cut_contour.hpp"

#include "core/error.hpp"
#include "projection/projection.hpp"

#include <cmath>
#include <cstddef>

namespace hinesight::projection {

namespace {

/// |kernel| less the cut at the points of a square lattice; on a torus a point beyond the last is the first again.
class SampledKernel
{
public:
  SampledKernel(const Projection& projection, std::uint64_t source, const ContourRegion& region, std::uint32_t samples)
      : low(region.low), z(region.z), count(samples), closes(projection.parameters.wrap)
  {
    const std::uint32_t intervals = closes ? samples : samples - 1;
    for (std::size_t axis = 0; axis < 2; ++axis)
      step[axis] = (region.high[axis] - region.low[axis]) / intervals;
    const auto table = project(sampling(projection, source), {.threads = 1});
    const double cut = projection.parameters.cut;
    value.assign(std::size_t{count} * count, -cut);
    for (std::uint64_t row = 0; row < table->rows(); ++row)
      value[table->destination[row]] = std::abs(static_cast<double>(table->weight[row])) - cut;
  }

  std::uint32_t squares() const { return closes ? count : count - 1; }
  double at(std::uint32_t column, std::uint32_t row) const
  {
    return value[std::size_t{row % count} * count + column % count];
  }
  Position position(double column, double row) const { return {low[0] + column * step[0], low[1] + row * step[1], z}; }

private:
  /// The source alone, projected without a cut to the points of the lattice.
  Projection sampling(const Projection& projection, std::uint64_t source) const
  {
    const Position at = projection.source->position(source);
    Projection one;
    one.source = populationAt("source", {{{at[0]}, {at[1]}, {at[2]}}});
    PopulationParameters lattice;
    lattice.size = {count, count, 1};
    lattice.spacing = {step[0], step[1], 1};
    lattice.origin = {low[0], low[1], z};
    one.destination = makePopulation(lattice);
    one.parameters = projection.parameters;
    one.parameters.rule = ConnectionRule::Weighted;
    one.parameters.cut = 0;
    one.parameters.velocity = 0;
    one.parameters.selfConnections = true;
    if (one.parameters.fieldSize == 0 && projection.source->isGrid())
      one.parameters.fieldSize = projection.source->parameters().size[1];
    return one;
  }

  std::array<double, 2> low;
  std::array<double, 2> step{};
  double z;
  std::uint32_t count;
  bool closes;
  std::vector<double> value;
};

/// Where the border crosses the sides of a square of the lattice, in the order bottom, right, top, left.
class SquareCrossings
{
public:
  SquareCrossings(const SampledKernel& kernel, std::uint32_t column, std::uint32_t row)
  {
    const std::array<std::array<std::uint32_t, 2>, 4> corner = {
        {{column, row}, {column + 1, row}, {column + 1, row + 1}, {column, row + 1}}};
    std::array<double, 4> value;
    for (std::size_t k = 0; k < 4; ++k) {
      value[k] = kernel.at(corner[k][0], corner[k][1]);
      sum += value[k];
    }
    firstIsInside = value[0] > 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t next = (k + 1) % 4;
      if ((value[k] > 0) == (value[next] > 0))
        continue;
      const double share = value[k] / (value[k] - value[next]);
      const auto between = [&](std::size_t axis) {
        return corner[k][axis] + share * (static_cast<double>(corner[next][axis]) - corner[k][axis]);
      };
      point[count++] = kernel.position(between(0), between(1));
    }
  }

  void addTo(std::vector<ContourSegment>& segments) const
  {
    if (count == 2)
      segments.push_back({point[0], point[1]});
    if (count != 4)
      return;
    // A saddle: the middle tells which of the corners belong together.
    const bool middleIsInside = sum > 0;
    const std::size_t turn = middleIsInside == firstIsInside ? 0 : 3;
    segments.push_back({point[turn], point[(turn + 1) % 4]});
    segments.push_back({point[(turn + 2) % 4], point[(turn + 3) % 4]});
  }

private:
  std::array<Position, 4> point{};
  std::size_t count = 0;
  double sum = 0;
  bool firstIsInside = false;
};

} // namespace

std::vector<ContourSegment> cutContour(const Projection& projection, std::uint64_t source, const ContourRegion& region,
                                       std::uint32_t samples)
{
  if (samples < 2 || !(region.low[0] < region.high[0]) || !(region.low[1] < region.high[1]))
    throw Error(ErrorCode::BadParameter, "A contour needs a region with an area and 2 samples or more along a side.");
  const ProjectionParameters& p = projection.parameters;
  std::vector<ContourSegment> segments;
  if (p.cut <= 0 || isJoin(p.kernel))
    return segments;
  const SampledKernel kernel(projection, source, region, samples);
  for (std::uint32_t row = 0; row < kernel.squares(); ++row)
    for (std::uint32_t column = 0; column < kernel.squares(); ++column)
      SquareCrossings(kernel, column, row).addTo(segments);
  return segments;
}

} // namespace hinesight::projection
