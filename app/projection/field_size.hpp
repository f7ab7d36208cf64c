#pragma once

#include "projection/parameters.hpp"
#include "study/projection/population_choice.hpp"

#include <optional>

namespace hinesight::app {

/// Whether a widening Gaussian takes its field from the rows of a grid that the source is not.
bool lacksFieldSize(const projection::ProjectionParameters& parameters, const study::PopulationChoice& source);
/// The extent of a population along y, or along the axis of its greatest one where it has none along y; in its unit.
/// nullopt where nobody knows it without reading a file.
std::optional<double> fieldSizeOf(const study::PopulationChoice& source);
/// Gives the parameters that of the source, where they lack one. Whether they have another one then.
bool giveFieldSize(projection::ProjectionParameters& parameters, const study::PopulationChoice& source);

} // namespace hinesight::app
