#include "app/synapses/formation_outcome.hpp"

#include "study/circuit/circuit_neurons.hpp"

#include <filesystem>
#include <utility>

namespace hinesight::app {

FormationOutcome FormationPictures::of(study::FormationResult result, bool isOfCircuit, const RunControl& control)
{
  control.report("picture", 0);
  FormationOutcome outcome;
  static_cast<study::FormationResult&>(outcome) = std::move(result);
  outcome.isRandom = outcome.neuronFile.empty();
  if (!outcome.left.empty())
    outcome.warning = std::filesystem::path(outcome.neuronFile).filename().string() + ": " + outcome.left;
  const synapse::Formation& formation = *outcome.formation;
  if (population != formation.population) {
    cloud = widgets::makeNeuronCloud(*formation.population, *formation.tree, control);
    population = formation.population;
  }
  outcome.content = widgets::makeOctreeContent(outcome.formation, cloud, control);
  control.checkpoint();
  outcome.distances = widgets::measureDistances(formation, control);
  if (isOfCircuit)
    outcome.joins = study::joinsOf(*formation.population, formation.network);
  return outcome;
}

} // namespace hinesight::app
