#include "study/circuit/circuit_neurons.hpp"

#include "core/error.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/growth/growth_study.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

namespace hinesight::study {

std::vector<std::string> populationsOf(const model::Connection& connection)
{
  if (connection.kind == model::ConnectionKind::Formed)
    return connection.between;
  if (connection.source == connection.target)
    return {connection.source};
  return {connection.source, connection.target};
}

model::Project partWith(const model::Project& project, const std::vector<std::string>& populations)
{
  std::unordered_map<std::string_view, const model::Cell*> left; // by its name, until the part has it
  for (const model::Cell& cell : project.cells)
    left.emplace(cell.name, &cell);
  model::Project part;
  for (const std::string& name : populations) {
    const model::Population* population = model::findPopulation(project, name);
    if (!population)
      continue; // validate says so
    part.populations.push_back(*population);
    part.populations.back().models.clear(); // neurons lie where they lie, however they work
    for (const std::string& cell : population->cells)
      if (const auto found = left.extract(cell); !found.empty())
        part.cells.push_back(model::scienceOf(*found.mapped()));
  }
  return part;
}

std::shared_ptr<const synapse::NeuronPopulation> joinedNeurons(const Circuit& circuit,
                                                               const std::vector<std::string>& populations)
{
  auto all = std::make_shared<synapse::NeuronPopulation>();
  all->areaNames = populations;
  for (std::size_t area = 0; area < populations.size(); ++area) {
    const model::Population* const population = model::findPopulation(circuit.project, populations[area]);
    if (!population)
      throw Error(ErrorCode::BadParameter, "The circuit has no population \"" + populations[area] + "\" any more.");
    const auto place = static_cast<std::size_t>(population - circuit.project.populations.data());
    const projection::Population& neurons = *circuit.neurons[place];
    for (std::uint64_t i = 0; i < neurons.count(); ++i)
      all->position.push_back(neurons.position(i));
    all->isInhibitory.resize(all->size(), population->role == model::Role::Inhibitory);
    all->area.resize(all->size(), static_cast<std::uint32_t>(area));
  }
  return all;
}

std::shared_ptr<const synapse::NeuronPopulation>
neuronsOf(const model::Project& project, const std::vector<std::string>& populations, const RunControl& control)
{
  return joinedNeurons(makeCircuit(partWith(project, populations), control), populations);
}

std::shared_ptr<const GrowthStart> startFrom(const model::Project& project, const std::string& connection,
                                             const RunControl& control)
{
  const auto found = std::ranges::find(project.connections, connection, &model::Connection::name);
  if (found == project.connections.end() || found->kind != model::ConnectionKind::Formed)
    throw Error(ErrorCode::BadParameter,
                "The session has no formed connection \"" + connection + "\" for the network to begin with.");
  FormationRequest request;
  request.source.populations = found->between;
  request.source.given = neuronsOf(project, found->between, control);
  request.formation = found->formation;
  request.formation.keepsTree = false;
  auto start = std::make_shared<GrowthStart>();
  start->name = connection;
  start->formation = FormationStudy().run(request, control).formation;
  return start;
}

std::vector<PopulationJoin> joinsOf(const synapse::NeuronPopulation& neurons, const synapse::Network& network)
{
  std::vector<PopulationJoin> joins;
  for (const std::string& source : neurons.areaNames)
    for (const std::string& target : neurons.areaNames)
      joins.push_back({.source = source, .target = target});
  for (const synapse::Synapse& synapse : network.synapses) {
    PopulationJoin& join =
        joins[neurons.area[synapse.source] * neurons.areaNames.size() + neurons.area[synapse.target]];
    ++join.rows;
    join.synapses += static_cast<std::uint64_t>(std::abs(std::int64_t{synapse.weight}));
    join.weight += synapse.weight;
  }
  return joins;
}

} // namespace hinesight::study
