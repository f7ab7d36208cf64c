#include "study/projection/population_choice.hpp"

#include "core/error.hpp"
#include "io/networks/neuron_files.hpp"

namespace hinesight::study {

bool makeTheSame(const PopulationChoice& a, const PopulationChoice& b)
{
  return definitionOf(a.parameters) == definitionOf(b.parameters) && a.nodes == b.nodes && a.given == b.given &&
         a.isSomata == b.isSomata;
}

std::shared_ptr<const projection::Population> makePopulation(const PopulationChoice& choice, const RunControl& control)
{
  const projection::PopulationParameters& parameters = choice.parameters;
  if (choice.given)
    return choice.given;
  if (choice.isSomata)
    throw Error(ErrorCode::BadParameter,
                "Population \"" + parameters.name + "\": no neuron is open whose soma it could have; open SWC files.");
  return io::makePopulation(parameters, choice.nodes, control);
}

} // namespace hinesight::study
