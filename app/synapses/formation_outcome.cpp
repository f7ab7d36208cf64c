#include "app/synapses/formation_outcome.hpp"

#include <utility>

namespace hinesight::app {

FormationOutcome FormationPictures::of(study::FormationResult result, const RunControl& control)
{
  control.report("picture", 0);
  FormationOutcome outcome{std::move(result), {}, {}};
  const synapse::Formation& formation = *outcome.formation;
  if (population != formation.population) {
    cloud = widgets::makeNeuronCloud(*formation.population, *formation.tree, control);
    population = formation.population;
  }
  outcome.content = widgets::makeOctreeContent(outcome.formation, cloud, control);
  control.checkpoint();
  outcome.distances = widgets::measureDistances(formation, control);
  return outcome;
}

} // namespace hinesight::app
