#pragma once

#include "study/projection/population_choice.hpp"

#include <QString>

namespace hinesight::app {

/// "150 x 150 grid", "10,000 in a box", "somata.csv", "12 somata".
QString describePopulation(const study::PopulationChoice& choice);
/// How its neurons are placed in space, a sentence.
QString describePlacing(const study::PopulationChoice& choice);

} // namespace hinesight::app
