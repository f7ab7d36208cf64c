#include "study/simulation/simulation_model.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/sonata/circuit_files.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "morphology/samples.hpp"
#include "study/circuit/placed_cells.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulated_network.hpp"
#include "study/simulation/single_cell.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using Kind = SimulatedNode::Kind;

constexpr std::uintmax_t kLongestModelFile = 1 << 20; // bytes; a longer JSON is none

/// The places of a population's cells, as far as they are finite. Returns how many those are.
std::size_t placeCells(const SimulatedPopulation& population, const std::array<std::vector<double>, 3>& position,
                       const io::SonataAngles& angles, std::vector<CellPlace>& places)
{
  std::size_t known = 0;
  for (std::size_t i = 0; i < population.nodes.size(); ++i) {
    if (population.nodes[i].kind != Kind::Cell)
      continue;
    CellPlace& place = places[population.nodes[i].index];
    bool isFinite = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      place.position[axis] = position[axis][i];
      place.angles[axis] = angles[axis].empty() ? 0 : angles[axis][i];
      isFinite = isFinite && std::isfinite(place.position[axis]) && std::isfinite(place.angles[axis]);
    }
    known += isFinite ? 1 : 0;
  }
  return known;
}

/// Where nodes are is for the eye and for expressions alone: of a population whose file does not say it as it should,
/// nobody knows it. Cells are placed where all of them are known.
void takePositions(SimulationModel& model, const io::SimulationConfiguration& configuration)
{
  const CircuitSimulation& circuit = model.circuit;
  model.positions.resize(circuit.populations.size());
  std::vector<CellPlace> places(circuit.network.cells());
  std::size_t known = 0;
  for (const auto& files : configuration.nodes)
    for (std::size_t p = 0; p < circuit.populations.size(); ++p) {
      const SimulatedPopulation& population = circuit.populations[p];
      const std::string nodes = "/nodes/" + population.name;
      std::array<std::vector<double>, 3>& position = model.positions[p];
      try {
        const io::Hdf5Reader reader(files.file);
        if (!reader.has(nodes))
          continue;
        position = io::detail::readNodes(reader, nodes, population.nodes.size(), files.file.string());
        if (!position[0].empty())
          known += placeCells(population, position, io::readAngles(files.file.string(), population.name), places);
      } catch (const Error&) {
        position = {};
      }
    }
  const bool areAlike =
      std::ranges::all_of(places, [&](const CellPlace& place) { return place.position == places.front().position; });
  if (known == places.size() && (!areAlike || places.size() == 1))
    model.places = std::move(places);
}

void takeCell(SimulationModel& model)
{
  const SomaCurrent& current = model.request.current;
  model.circuit = buildSingleCell({model.request.file,
                                   model.request.morphology,
                                   {},
                                   SingleCell::Current{current.amplitude, current.delay, current.duration}});
  model.isSingleCell = true;
  model.title = model.circuit.network.models.front()->name;
}

/// Its cells stand where their neurons are.
std::vector<CellPlace> placesOf(const Circuit& circuit, const CircuitSimulation& simulation)
{
  std::vector<CellPlace> places(simulation.network.cells());
  for (std::size_t p = 0; p < simulation.populations.size(); ++p) {
    const SimulatedPopulation& population = simulation.populations[p];
    if (population.nodes.empty() || population.nodes.front().kind != Kind::Cell)
      continue;
    const projection::Population& neurons = *circuit.neurons[p];
    const io::SonataAngles angles = anglesOf(circuit.project.populations[p], neurons.count());
    for (std::size_t i = 0; i < population.nodes.size(); ++i) {
      CellPlace& place = places[population.nodes[i].index];
      place.position = neurons.position(i);
      for (std::size_t axis = 0; axis < 3; ++axis)
        place.angles[axis] = angles[axis].empty() ? 0 : angles[axis][i];
    }
  }
  return places;
}

void takeCircuit(SimulationModel& model, model::Project project, const RunControl& control)
{
  if (!project.simulate)
    project.simulate.emplace();
  requireSimulable(project, control);
  const Circuit circuit = makeCircuit(project, control);
  model.circuit = buildSimulation(circuit, control);
  model.places = placesOf(circuit, model.circuit);
  model.neurons = circuit.neurons;
  model.usual = project.simulate->parameters;
  model.usual.threads = model.request.run.threads;
  model.stop = project.simulate->stop;
  model.hasStop = true;
  model.title = "circuit of the session";
}

} // namespace

ModelFileKind modelFileKind(const fs::path& file)
{
  std::error_code failure;
  if (!morphology::sampleText(file.string()) && (fs::file_size(file, failure) > kLongestModelFile || failure))
    return ModelFileKind::None;
  nlohmann::json json;
  try {
    if (isSingleCell(file))
      return ModelFileKind::Cell;
    json = nlohmann::json::parse(readFile(file), nullptr, false); // which the line above has looked at
  } catch (const Error&) {
    return ModelFileKind::None;
  }
  if (!json.is_object())
    return ModelFileKind::None;
  return json.contains("run") && (json.contains("network") || json.contains("networks") || json.contains("components"))
             ? ModelFileKind::Configuration
             : ModelFileKind::None;
}

std::size_t SimulationModel::compartments() const
{
  std::size_t count = 0;
  for (const std::uint32_t model : circuit.network.modelOf)
    count += circuit.network.models[model]->cut.nodes();
  return count;
}

const std::string& SimulationModel::populationName(std::size_t place) const
{
  return place < names->size() ? (*names)[place] : circuit.populations[place].name;
}

std::string SimulationModel::nameOf(std::uint32_t neuron) const
{
  if (isSingleCell)
    return title;
  const std::size_t cells = circuit.network.cells();
  const Kind kind = neuron < cells ? Kind::Cell : Kind::PointNeuron;
  const auto index = static_cast<std::uint32_t>(neuron < cells ? neuron : neuron - cells);
  for (std::size_t p = 0; p < circuit.populations.size(); ++p) {
    const SimulatedPopulation& population = circuit.populations[p];
    for (std::size_t i = 0; i < population.nodes.size(); ++i)
      if (population.nodes[i].kind == kind && population.nodes[i].index == index)
        return populationName(p) + " " + std::to_string(population.ids[i]);
  }
  return std::to_string(neuron);
}

SimulationModel openModel(const SimulationRequest& request, const model::Project& project, const RunControl& control)
{
  SimulationModel model;
  model.request = request;
  model.usual = request.run;
  if (request.file == kCircuitOfProject) {
    takeCircuit(model, project, control);
  } else if (request.file == kSampleCircuit) {
    model.circuit = buildSampleCircuit();
    model.title = "synthetic circuit";
  } else if (modelFileKind(request.file) == ModelFileKind::Cell) {
    takeCell(model);
  } else {
    const io::SimulationConfiguration configuration = io::readSimulationConfiguration(request.file);
    model.circuit = buildSimulation(configuration, request.seed, control);
    takePositions(model, configuration);
    model.usual.timeStep = configuration.timeStep;
    model.hasStop = configuration.stop > 0;
    if (model.hasStop)
      model.stop = configuration.stop;
    const fs::path file = fs::absolute(request.file);
    model.title = file.parent_path().filename().string() + "/" + file.filename().string();
  }
  model.circuit.network.probes.clear();
  model.circuit.reports.clear();
  model.pairs = std::make_shared<const SimulatedPairs>(pairsOf(model.circuit));
  model.usual.celsius = model.circuit.celsius;
  if (isNeurons(model.usual.rules))
    model.usual.scheme = simulation::Scheme::BackwardEuler;
  else if (model.circuit.scheme)
    model.usual.scheme = *model.circuit.scheme;
  return model;
}

std::vector<SampleModel> sampleModels()
{
  return {
      {":/samples/synthetic_pyramidal_fit.json", "Pyramidal cell",
       "One synthetic cell: hh in soma and axon, passive dendrites, a current into the soma"},
      {":/samples/synthetic_stellate_fit.json", "Stellate cell",
       "A small synthetic cell: hh in soma and axon, passive dendrites, a current into the soma"},
      {kSampleCircuit, "Small circuit", "Nine pyramidal and three stellate cells that excite and inhibit one another"}};
}

} // namespace hinesight::study
