#include "app/projection/field_size.hpp"

#include <algorithm>
#include <cstddef>

namespace hinesight::app {

namespace {

using projection::PopulationKind;

} // namespace

bool lacksFieldSize(const projection::ProjectionParameters& parameters, const study::PopulationChoice& source)
{
  const bool isGrid = source.given ? source.given->isGrid() : source.parameters.kind == PopulationKind::Grid;
  return parameters.kernel == projection::KernelKind::WideningGaussian && parameters.fieldSize == 0 && !isGrid;
}

std::optional<double> fieldSizeOf(const study::PopulationChoice& source)
{
  projection::Position extent{};
  if (source.given) {
    const auto [low, high] = source.given->bounds();
    for (std::size_t axis = 0; axis < extent.size(); ++axis)
      extent[axis] = high[axis] - low[axis];
  } else if (source.parameters.kind == PopulationKind::Box) {
    extent = source.parameters.extent;
  } else if (source.parameters.kind == PopulationKind::Sphere) {
    extent.fill(2 * source.parameters.radius);
  }
  const double size = extent[1] > 0 ? extent[1] : std::ranges::max(extent);
  return size > 0 ? std::optional(size) : std::nullopt;
}

bool giveFieldSize(projection::ProjectionParameters& parameters, const study::PopulationChoice& source)
{
  const std::optional<double> size = lacksFieldSize(parameters, source) ? fieldSizeOf(source) : std::nullopt;
  if (size)
    parameters.fieldSize = *size;
  return size.has_value();
}

} // namespace hinesight::app
