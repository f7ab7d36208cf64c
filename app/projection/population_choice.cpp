#include "app/projection/population_choice.hpp"

#include "core/error.hpp"
#include "io/networks/neuron_files.hpp"

namespace hinesight::app {

namespace {

using projection::PopulationKind;
using projection::PopulationParameters;

/// The parameters with all that their kind does not use at its default.
PopulationParameters usedOf(const PopulationParameters& parameters)
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

} // namespace

bool makeTheSame(const PopulationChoice& a, const PopulationChoice& b)
{
  return usedOf(a.parameters) == usedOf(b.parameters) && a.nodes == b.nodes && a.given == b.given &&
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

} // namespace hinesight::app
