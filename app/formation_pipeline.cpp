#include "app/formation_pipeline.hpp"

#include "io/network_files.hpp"

#include <utility>

namespace hinesight::app {

std::shared_ptr<const synapse::NeuronPopulation> makeNeurons(const NeuronSource& source, const RunControl& control)
{
  if (!source.path.empty())
    return std::make_shared<const synapse::NeuronPopulation>(io::readNeuronPopulation(source.path, control));
  return synapse::makeRandomPopulation(source.neurons, source.spacing, source.excitatory, source.seed, control);
}

void exportNetwork(const NetworkExportRequest& request, const RunControl& control)
{
  const synapse::Formation& formation = *request.formation;
  if (request.neuronsOnly)
    return io::writeNeuronPopulation(*formation.population, request.path, control);
  io::StoredNetwork stored;
  stored.plastic = formation.network;
  io::writeNetwork(stored, *formation.population, request.path, control);
}

FormationOutcome FormationPipeline::run(const FormationRequest& request, const RunControl& control)
{
  synapse::validate(request.formation);
  control.report("positions", 0);
  if (!population || source != request.source) {
    population = makeNeurons(request.source, control);
    source = request.source;
    cloud.reset(); // of the neurons before; a run that is cancelled below leaves none
  }
  FormationOutcome outcome;
  std::shared_ptr<const synapse::Formation> formation = synapse::formSynapses(population, request.formation, control);
  control.report("picture", 0);
  if (!cloud)
    cloud = widgets::makeNeuronCloud(*population, *formation->tree, control);
  outcome.content = widgets::makeOctreeContent(std::move(formation), cloud, control);
  control.checkpoint();
  outcome.distances = widgets::measureDistances(*outcome.formation(), control);
  return outcome;
}

} // namespace hinesight::app
