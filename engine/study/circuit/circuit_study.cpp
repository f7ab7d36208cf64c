#include "study/circuit/circuit_study.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/csv.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/runs/formation_timings.hpp"
#include "io/runs/history_records.hpp"
#include "morphology/cell_place.hpp"
#include "morphology/morphometry.hpp"
#include "morphology/swc.hpp"
#include "morphology/unit_scale.hpp"
#include "projection/projection.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/edge_rows.hpp"
#include "study/circuit/network_comparison.hpp"
#include "study/circuit/placed_cells.hpp"
#include "study/gpu_ranks.hpp"
#include "synapse/formation/formation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using io::CircuitEdges;
using model::Connection;
using model::ConnectionKind;
using projection::PopulationKind;

std::size_t placeOf(const model::Project& project, const std::string& population)
{
  return static_cast<std::size_t>(model::findPopulation(project, population) - project.populations.data());
}

/// A neuron at the soma of each of its cells.
std::shared_ptr<const projection::Population> atSomata(const Circuit& circuit, const model::Population& population)
{
  if (population.cells.empty())
    throw Error(ErrorCode::BadParameter, "The population \"" + population.name() +
                                             "\" lies where the somata of its cells are, but names no cell.");
  std::unordered_map<std::string_view, std::size_t> placeOfCell;
  for (std::size_t cell = 0; cell < circuit.project.cells.size(); ++cell)
    placeOfCell.emplace(circuit.project.cells[cell].name, cell);
  std::array<std::vector<double>, 3> positions;
  for (const std::string& name : population.cells) {
    const auto centre = morphology::somaCentreOf(*circuit.cells[placeOfCell.at(name)]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      positions[axis].push_back(centre[axis] + population.moved[axis]);
  }
  return projection::populationAt(population.name(), std::move(positions));
}

std::shared_ptr<const projection::Population> place(const Circuit& circuit, const model::Population& population,
                                                    const RunControl& control)
{
  if (population.placement.kind == PopulationKind::Given)
    return atSomata(circuit, population);
  return io::makePopulation(population.placement, population.nodes, control);
}

void add(Circuit& circuit, const Connection& connection, CircuitEdges edges, StageTimings timings)
{
  edges.name = connection.name;
  edges.source = connection.source;
  edges.target = connection.target;
  circuit.connections.push_back(
      {.name = connection.name, .rows = edges.rows(), .synapses = edges.synapses, .timings = std::move(timings)});
  circuit.edges.push_back(std::move(edges));
}

/// Axons of inhibitory neurons inhibit, whatever sign the kernel has: their weights are negative, as those of the
/// synapses that they form are.
void makeInhibitory(CircuitEdges& edges)
{
  if (std::ranges::none_of(edges.weight, [](float weight) { return weight > 0; }))
    return;
  struct Negated
  {
    std::shared_ptr<const void> table;
    std::vector<float> weight;
  };
  auto negated = std::make_shared<Negated>();
  negated->table = edges.owner;
  negated->weight.reserve(edges.weight.size());
  for (const float weight : edges.weight)
    negated->weight.push_back(-std::abs(weight));
  edges.weight = {negated->weight.data(), negated->weight.size()};
  edges.owner = std::move(negated);
}

void makeProjection(Circuit& circuit, const Connection& connection, std::shared_ptr<KeptRanks>& gpus,
                    const RunControl& control)
{
  const projection::Projection wanted{circuit.neurons[placeOf(circuit.project, connection.source)],
                                      circuit.neurons[placeOf(circuit.project, connection.target)],
                                      connection.projection};
  gpus = ranksFor(std::move(gpus), circuit.project.compute);
  const KeptRanksScope scope(gpus, control);
  const auto table = projection::project(wanted, circuit.project.compute, control);
  CircuitEdges edges = edgesOf(table, wanted.destination->count());
  if (circuit.project.populations[placeOf(circuit.project, connection.source)].role == model::Role::Inhibitory)
    makeInhibitory(edges);
  add(circuit, connection, std::move(edges), table->timings);
  MadeConnection& made = circuit.connections.back();
  made.run = io::recordOf(*table, {}, table->timings, settingsOf(fieldsOf(circuit.project.compute)));
  made.table = table;
}

/// All edges of the file; of a network over several populations, such as one that was grown between them, those that
/// the connection joins.
CircuitEdges edgesOfNetwork(const Connection& connection, const ComparedNetwork& network, const RunControl& control)
{
  const auto isThere = [&](const std::string& name) {
    return std::ranges::find(network.populations, name, &NamedNeurons::name) != network.populations.end();
  };
  if (!isThere(connection.source) || !isThere(connection.target))
    return network.edges;
  for (const ComparedNetwork& part : partsOf(network, network.populations, control))
    if (part.edges.source == connection.source && part.edges.target == connection.target)
      return part.edges;
  return network.edges;
}

/// A weight table, a network, or the edges of another circuit.
void readEdges(Circuit& circuit, const Connection& connection, const RunControl& control)
{
  const auto countOf = [&](const std::string& population) {
    return circuit.neurons[placeOf(circuit.project, population)]->count();
  };
  StageTimings timings;
  CircuitEdges edges = timed(timings, "read", [&] {
    return connection.edges.empty()
               ? edgesOfNetwork(connection, readComparedNetwork(connection.file, {}, control), control)
               : io::readCircuitEdges({connection.file, connection.edges, connection.edgeTypes},
                                      countOf(connection.source), countOf(connection.target), control);
  });
  const auto require = [&](const std::string& population, std::uint64_t held) {
    if (const std::uint64_t neurons = countOf(population); held != neurons)
      throw Error(ErrorCode::BadFormat,
                  "has " + std::to_string(held) + " neurons where the population \"" + population + "\" has " +
                      std::to_string(neurons),
                  connection.file);
  };
  require(connection.source, edges.offsets.size() - 1);
  require(connection.target, edges.targets);
  add(circuit, connection, std::move(edges), std::move(timings));
}

/// The synapses from neurons [sourceBegin, sourceEnd) to neurons [targetBegin, targetEnd) of a network.
CircuitEdges edgesBetween(const synapse::Network& network, std::uint32_t sourceBegin, std::uint32_t sourceEnd,
                          std::uint32_t targetBegin, std::uint32_t targetEnd)
{
  auto rows = std::make_shared<EdgeRows>();
  std::uint64_t synapses = 0;
  auto synapse = std::ranges::lower_bound(network.synapses, sourceBegin, {}, &synapse::Synapse::source);
  for (std::uint32_t source = sourceBegin; source < sourceEnd; ++source) {
    for (; synapse != network.synapses.end() && synapse->source == source; ++synapse)
      if (synapse->target >= targetBegin && synapse->target < targetEnd) {
        rows->add(synapse->target - targetBegin, synapse->weight);
        synapses += static_cast<std::uint64_t>(std::abs(std::int64_t{synapse->weight}));
      }
    rows->endSource();
  }
  CircuitEdges edges = edgesOf(std::move(rows), targetEnd - targetBegin);
  edges.synapses = synapses;
  return edges;
}

void form(Circuit& circuit, const Connection& connection, std::shared_ptr<KeptRanks>& gpus, const RunControl& control)
{
  std::vector<std::uint32_t> begin = {0};
  for (const std::string& name : connection.between)
    begin.push_back(begin.back() +
                    static_cast<std::uint32_t>(circuit.neurons[placeOf(circuit.project, name)]->count()));
  gpus = ranksFor(std::move(gpus), connection.formation);
  const KeptRanksScope scope(gpus, control);
  const auto formation =
      synapse::formSynapses(joinedNeurons(circuit, connection.between), connection.formation, control);
  circuit.connections.push_back({.name = connection.name,
                                 .rows = formation->network.synapses.size(),
                                 .synapses = synapse::synapseCount(formation->network),
                                 .timings = formation->timings});
  MadeConnection& made = circuit.connections.back();
  made.run = io::recordOf(io::summarize(*formation, made.synapses), {});
  for (std::size_t from = 0; from < connection.between.size(); ++from)
    for (std::size_t to = 0; to < connection.between.size(); ++to) {
      control.checkpoint();
      CircuitEdges edges = edgesBetween(formation->network, begin[from], begin[from + 1], begin[to], begin[to + 1]);
      edges.source = connection.between[from];
      edges.target = connection.between[to];
      edges.name = connection.name + "_" + edges.source + "_to_" + edges.target;
      circuit.edges.push_back(std::move(edges));
    }
}

/// `gpus`: that made the connection before together; null: one did.
void make(Circuit& circuit, const Connection& connection, std::shared_ptr<KeptRanks>& gpus, const RunControl& control)
{
  switch (connection.kind) {
  case ConnectionKind::Projection:
    return makeProjection(circuit, connection, gpus, control);
  case ConnectionKind::Formed:
    return form(circuit, connection, gpus, control);
  case ConnectionKind::File:
    return readEdges(circuit, connection, control);
  }
}

/// Cells of no pool are not part of the circuit, and need not be readable.
bool isOfPool(const model::Project& project, const std::string& cell)
{
  return std::ranges::any_of(project.populations, [&](const model::Population& population) {
    return std::ranges::find(population.cells, cell) != population.cells.end();
  });
}

PopulationJoin joinOf(const CircuitEdges& edges)
{
  return {.source = edges.source,
          .target = edges.target,
          .rows = edges.rows(),
          .synapses = edges.synapses,
          .weight = std::accumulate(edges.weight.begin(), edges.weight.end(), 0.0)};
}

/// Edges are files by their names.
void requireDistinctNames(const std::vector<CircuitEdges>& edges)
{
  std::vector<std::string> names;
  for (const CircuitEdges& e : edges)
    names.push_back(e.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    throw Error(ErrorCode::BadParameter,
                "Two connections make edges of the name \"" + *twice + "\"; rename one of them.");
}

/// The types of a population's nodes: one for each of its cells. No simulator's template is known.
std::vector<io::SonataType> typesOf(const model::Population& population)
{
  const bool isInhibitory = population.role == model::Role::Inhibitory;
  const io::SonataType common = {
      {"population", population.name()}, {"pop_name", population.name()}, {"ei", isInhibitory ? "i" : "e"}};
  const auto with = [&](const char* model, const std::string& cell) {
    io::SonataType type = common;
    type.emplace_back("model_type", model);
    type.emplace_back("model_template", "NULL");
    if (!cell.empty())
      type.emplace_back("morphology", cell);
    return type;
  };
  if (population.cells.empty())
    return {with(population.role == model::Role::Relay ? "virtual" : "point_neuron", {})};
  std::vector<io::SonataType> types;
  for (const std::string& cell : population.cells)
    types.push_back(with("biophysical", cell));
  return types;
}

nlohmann::ordered_json configurationOf(const Circuit& circuit)
{
  using Json = nlohmann::ordered_json;
  Json nodes = Json::array();
  for (const auto& neurons : circuit.neurons)
    nodes.push_back({{"nodes_file", "$NETWORK_DIR/" + neurons->name() + "_nodes.h5"},
                     {"node_types_file", "$NETWORK_DIR/" + neurons->name() + "_node_types.csv"}});
  Json edges = Json::array();
  for (const CircuitEdges& e : circuit.edges)
    edges.push_back({{"edges_file", "$NETWORK_DIR/" + e.name + "_edges.h5"},
                     {"edge_types_file", "$NETWORK_DIR/" + e.name + "_edge_types.csv"}});
  return {
      {"manifest",
       {{"$BASE_DIR", "."}, {"$NETWORK_DIR", "$BASE_DIR/network"}, {"$MORPHOLOGIES_DIR", "$BASE_DIR/morphologies"}}},
      {"components", {{"morphologies_dir", "$MORPHOLOGIES_DIR"}}},
      {"networks", {{"nodes", std::move(nodes)}, {"edges", std::move(edges)}}}};
}

} // namespace

std::shared_ptr<const morphology::Morphology> readCell(const model::Cell& cell, const RunControl& control)
{
  const auto scaled = morphology::inMicrometres(morphology::readSwc(cell.file, {}, control), cell.scale, control);
  return morphology::placed(scaled, cell.place, control);
}

CircuitEdges edgesOf(std::shared_ptr<const projection::WeightTable> table, std::uint64_t targets)
{
  CircuitEdges edges;
  edges.targets = targets;
  edges.offsets = table->offsets;
  edges.targetOfRow = {table->destination.data(), table->destination.size()};
  edges.weight = {table->weight.data(), table->weight.size()};
  edges.delay = {table->delay.data(), table->delay.size()};
  edges.constantDelay = table->constantDelay;
  edges.owner = std::move(table);
  return edges;
}

void makeFolder(const fs::path& folder)
{
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorCode::WriteFailed, "The folder cannot be made: " + failure.message(), folder.string());
}

std::vector<std::string> warningsOf(const std::vector<MadeConnection>& connections)
{
  std::vector<std::string> warnings;
  for (const MadeConnection& made : connections)
    if (made.table)
      for (const std::string& warning : made.table->warnings)
        warnings.push_back("The connection \"" + made.name + "\": " + warning);
  return warnings;
}

Circuit makeCircuit(const model::Project& project, const RunControl& control)
{
  model::validate(project);
  Circuit circuit;
  circuit.project = project;
  for (const model::Cell& cell : project.cells)
    circuit.cells.push_back(isOfPool(project, cell.name) ? readCell(cell, control) : nullptr);
  for (const model::Population& population : project.populations)
    circuit.neurons.push_back(place(circuit, population, control));
  std::shared_ptr<KeptRanks> gpus;
  for (const Connection& connection : project.connections) {
    control.checkpoint();
    const std::size_t begin = circuit.edges.size();
    try {
      make(circuit, connection, gpus, control);
      MadeConnection& made = circuit.connections.back();
      made.edgesBegin = begin;
      made.edgesEnd = circuit.edges.size();
      for (std::size_t k = begin; k < made.edgesEnd; ++k)
        made.joins.push_back(joinOf(circuit.edges[k]));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      throw Error(error.code(), "The connection \"" + connection.name + "\": " + error.message(), error.file(),
                  error.line());
    }
  }
  requireDistinctNames(circuit.edges);
  return circuit;
}

void writeMorphologies(const Circuit& circuit, const fs::path& folder)
{
  for (std::size_t k = 0; k < circuit.cells.size(); ++k)
    if (circuit.cells[k])
      morphology::writeSwc(*circuit.cells[k], folder / (circuit.project.cells[k].name + ".swc"));
}

void exportSonata(const Circuit& circuit, const fs::path& folder, const RunControl& control)
{
  const fs::path network = folder / "network";
  const fs::path morphologies = folder / "morphologies";
  makeFolder(network);
  if (std::ranges::any_of(circuit.cells, [](const auto& cell) { return cell != nullptr; }))
    makeFolder(morphologies);
  writeMorphologies(circuit, morphologies);
  for (std::size_t k = 0; k < circuit.neurons.size(); ++k) {
    const model::Population& population = circuit.project.populations[k];
    const std::uint64_t neurons = circuit.neurons[k]->count();
    io::writeCircuitNodes(
        {*circuit.neurons[k], typesOf(population), cellsOfNeurons(population, neurons), anglesOf(population, neurons)},
        network, control);
  }
  for (const CircuitEdges& edges : circuit.edges)
    io::writeCircuitEdges(edges, network, control);
  const std::string text = configurationOf(circuit).dump(2) + "\n";
  writeFileAtomically(folder / "circuit_config.json", [&](std::ostream& stream) { stream << text; });
}

void writeTimings(const Circuit& circuit, const fs::path& path)
{
  writeFileAtomically(path, [&](std::ostream& stream) {
    stream << "connection,edges,backend,device,stage,ms\n";
    for (const MadeConnection& made : circuit.connections)
      for (const auto& stage : made.timings.stages)
        stream << io::quoteCsv(made.name) << ',' << made.rows << ',' << backendName(made.timings.backend) << ','
               << io::quoteCsv(made.timings.device) << ',' << stage.name << ',' << textOf(stage.milliseconds) << '\n';
  });
}

} // namespace hinesight::study
