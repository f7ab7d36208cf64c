#pragma once

#include "study/projection/population_choice.hpp"

#include <QString>

#include <string_view>

namespace hinesight::app {

/// "150 x 150 grid", "10,000 in a box", "somata.csv", "12 somata".
QString describePopulation(const study::PopulationChoice& choice);
/// The unit of a parameter of a population or a projection in a circuit, whose lengths are in µm: the engine places and
/// projects in any unit of length. Empty: it has none, or its own.
std::string_view circuitUnitOf(std::string_view parameter);
/// How its neurons are placed in space, a sentence.
QString describePlacing(const study::PopulationChoice& choice);

} // namespace hinesight::app
