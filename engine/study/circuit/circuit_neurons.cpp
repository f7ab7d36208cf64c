#include "study/circuit/circuit_neurons.hpp"

#include "study/circuit/circuit_study.hpp"

#include <algorithm>

namespace hinesight::study {

model::Project partWith(const model::Project& project, const std::vector<std::string>& populations)
{
  model::Project part;
  for (const std::string& name : populations) {
    const model::Population* population = model::findPopulation(project, name);
    if (!population)
      continue; // validate says so
    part.populations.push_back(*population);
    for (const std::string& cell : population->cells)
      if (const model::Cell* found = model::findCell(project, cell); found && !model::findCell(part, cell))
        part.cells.push_back(*found);
  }
  for (model::Cell& cell : part.cells)
    cell.isShown = true; // of the picture alone
  return part;
}

std::shared_ptr<const synapse::NeuronPopulation>
neuronsOf(const model::Project& project, const std::vector<std::string>& populations, const RunControl& control)
{
  const Circuit circuit = makeCircuit(partWith(project, populations), control);
  auto all = std::make_shared<synapse::NeuronPopulation>();
  all->areaNames = populations;
  for (std::size_t k = 0; k < circuit.neurons.size(); ++k) {
    const projection::Population& neurons = *circuit.neurons[k];
    for (std::uint64_t i = 0; i < neurons.count(); ++i)
      all->position.push_back(neurons.position(i));
    all->isInhibitory.resize(all->size(), circuit.project.populations[k].role == model::Role::Inhibitory);
    all->area.resize(all->size(), static_cast<std::uint32_t>(k));
  }
  return all;
}

} // namespace hinesight::study
