#include "study/simulation/session_export.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/models/allen_fit.hpp"
#include "io/sonata/simulation_writer.hpp"
#include "io/sonata/spike_files.hpp"
#include "io/sonata/synapse_edges.hpp"
#include "morphology/swc.hpp"
#include "study/circuit/placed_cells.hpp"
#include "study/simulation/session_cells.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/session_synapses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using model::StimulusKind;

void writeJson(const Json& json, const fs::path& path)
{
  const std::string text = json.dump(2) + "\n";
  writeFileAtomically(path, [&](std::ostream& stream) { stream << text; });
}

/// What of a second reads as this many milliseconds.
double secondsOf(double milliseconds)
{
  constexpr double kMillisecondsOfSecond = 1000;
  const double seconds = milliseconds / kMillisecondsOfSecond;
  for (const double near : {seconds, std::nextafter(seconds, 0.0), std::nextafter(seconds, HUGE_VAL)})
    if (near * kMillisecondsOfSecond == milliseconds)
      return near;
  return seconds;
}

std::size_t placeOf(const model::Project& project, const std::string& population)
{
  return static_cast<std::size_t>(model::findPopulation(project, population) - project.populations.data());
}

class Exporter
{
public:
  Exporter(const Circuit& ofCircuit, const fs::path& into, const RunControl& runControl)
      : circuit(ofCircuit), project(ofCircuit.project), folder(into), control(runControl),
        cells(ofCircuit.project, ofCircuit.cells)
  {}

  std::vector<std::string> write()
  {
    const auto folderOf = [&](const char* name) {
      makeFolder(folder / name);
      return folder / name;
    };
    config.morphologies = folderOf("morphologies");
    config.cellModels = folderOf("biophysical_neuron_models");
    config.pointModels = folderOf("point_neuron_models");
    config.synapseModels = folderOf("synaptic_models");
    network = folderOf("network");
    inputs = folderOf("inputs");
    writeModels();
    for (std::size_t p = 0; p < project.populations.size(); ++p)
      writeNodes(p);
    for (std::size_t c = 0; c < project.connections.size(); ++c)
      for (std::size_t e = circuit.connections[c].edgesBegin; e < circuit.connections[c].edgesEnd; ++e)
        writeEdges(project.connections[c], circuit.edges[e]);
    takeRun();
    writeTrains();
    for (const model::Stimulus& stimulus : project.stimuli)
      takeStimulus(stimulus);
    for (const model::ProbeRequest& probe : project.probes)
      takeProbe(probe);
    config.outputFolder = folder / "output";
    io::writeSimulationConfiguration(config, folder);
    return std::move(notes);
  }

private:
  void note(std::string sentence) { notes.push_back(std::move(sentence)); }

  // --- Cells --------------------------------------------------------------------------------------------------------

  void writeModels()
  {
    writeMorphologies(circuit, config.morphologies);
    std::vector<bool> isWritten(project.models.size(), false);
    for (const SessionCells::Entry& entry : cells.entries())
      if (!isWritten[entry.model]) {
        isWritten[entry.model] = true;
        io::writeAllenFit(entry.made->biophysics, config.cellModels / fileOf(project.models[entry.model]));
      }
    for (const model::NeuronModel& model : project.models)
      if (model.kind == model::NeuronKind::Point)
        writeJson({{"tau", secondsOf(model.tau)}, {"refrac", secondsOf(model.refractory)}},
                  config.pointModels / fileOf(model));
  }

  static std::string fileOf(const model::NeuronModel& model) { return model.name + ".json"; }

  void writeNodes(std::size_t p)
  {
    const model::Population& population = project.populations[p];
    const std::uint64_t neurons = circuit.neurons[p]->count();
    io::writeCircuitNodes(
        {*circuit.neurons[p], typesOf(p), cellsOfNeurons(population, neurons), study::anglesOf(population, neurons)},
        network, control);
    config.nodes.push_back(
        {network / (population.name() + "_nodes.h5"), network / (population.name() + "_node_types.csv")});
  }

  std::vector<io::SonataType> typesOf(std::size_t p) const
  {
    const model::Population& population = project.populations[p];
    const bool isInhibitory = population.role == model::Role::Inhibitory;
    const io::SonataType common = {
        {"population", population.name()}, {"pop_name", population.name()}, {"ei", isInhibitory ? "i" : "e"}};
    std::vector<io::SonataType> types;
    const auto add = [&](std::initializer_list<std::pair<std::string, std::string>> values) {
      types.push_back(common);
      types.back().insert(types.back().end(), values);
    };
    switch (kindOf(project, population)) {
    case SimulatedKind::Trains:
      // Their cells are not simulated; a type for each, as nodes are numbered by them.
      for (std::size_t k = 0; k < std::max<std::size_t>(1, population.cells.size()); ++k)
        add({{"model_type", "virtual"}, {"model_template", "NULL"}});
      break;
    case SimulatedKind::PointNeurons:
      for (std::size_t k = 0; k < std::max<std::size_t>(1, population.cells.size()); ++k)
        add({{"model_type", "point_neuron"},
             {"model_template", "nrn:IntFire1"},
             {"dynamics_params", fileOf(*model::findModel(project, population.models.front()))}});
      break;
    case SimulatedKind::Cells:
      for (std::size_t k = 0; k < population.cells.size(); ++k) {
        const model::NeuronModel& model = project.models[cells.entries()[cells.entryOf(p, k)].model];
        add({{"model_type", "biophysical"},
             {"model_template", "ctdb:Biophys1.hoc"},
             {"model_processing", processingOf(axonOf(model))},
             {"morphology", population.cells[k]},
             {"dynamics_params", fileOf(model)}});
      }
      break;
    }
    return types;
  }

  static const char* processingOf(cell::AxonPolicy axon)
  {
    switch (axon) {
    case cell::AxonPolicy::Kept:
      return "NULL";
    case cell::AxonPolicy::Stub:
      return "aibs_perisomatic";
    case cell::AxonPolicy::StubAsThick:
    case cell::AxonPolicy::Truncated: // of no model of a session
      break;
    }
    return "aibs_allactive";
  }

  // --- Edges --------------------------------------------------------------------------------------------------------

  void writeEdges(const model::Connection& connection, const io::CircuitEdges& edges)
  {
    if (edges.rows() == 0)
      return;
    const std::size_t target = placeOf(project, edges.target);
    if (kindOf(project, project.populations[target]) == SimulatedKind::Trains) {
      note("The edges \"" + edges.name + "\" end on neurons without a model; they are not written.");
      return;
    }
    if (connection.synapses.place == model::SynapsePlace::None) {
      note("The edges \"" + edges.name + "\" have no synapses (synapse-place); they are not written.");
      return;
    }
    const ConnectionSynapses synapses(circuit, cells, connection, edges);
    constexpr std::uint64_t kBytes = 8 * sizeof(double);
    requireMemory(synapses.mostSynapses() * kBytes, "The edges \"" + edges.name + "\"");
    const bool hasPlaces = synapses.kindOfTarget() == SimulatedKind::Cells;
    io::SynapseEdges rows;
    rows.population = edges.name;
    rows.source = edges.source;
    rows.target = edges.target;
    bool has[2] = {false, false};
    synapses.forEach(
        [&](const PlacedSynapse& each) {
          rows.sourceNode.push_back(each.source);
          rows.targetNode.push_back(each.target);
          rows.type.push_back(each.isInhibitory ? 1 : 0);
          rows.weight.push_back(each.weight);
          rows.delay.push_back(each.delay);
          has[each.isInhibitory ? 1 : 0] = true;
          if (!hasPlaces)
            return;
          rows.section.push_back(each.place.section);
          rows.position.push_back(each.place.position);
        },
        control);
    if (!has[0]) // one type alone has the number 0
      std::ranges::fill(rows.type, 0);
    std::vector<io::SonataType> types;
    for (const bool isInhibitory : {false, true})
      if (has[isInhibitory ? 1 : 0])
        types.push_back(typeOf(connection, edges, isInhibitory, hasPlaces));
    io::writeSynapseEdges(rows, edges.offsets.size() - 1, edges.targets, types, network, control);
    config.edges.push_back({network / (edges.name + "_edges.h5"), network / (edges.name + "_edge_types.csv")});
  }

  io::SonataType typeOf(const model::Connection& connection, const io::CircuitEdges& edges, bool isInhibitory,
                        bool isOfCells)
  {
    const model::SynapseModel& s = connection.synapses;
    const std::string file = edges.name + (isInhibitory ? "_inhibitory.json" : "_excitatory.json");
    const bool hasRise = s.tau1 > 0;
    Json parameters = {{"level_of_detail", isOfCells ? (hasRise ? "exp2syn" : "expsyn") : "instantaneous"}};
    if (!isOfCells)
      parameters["sign"] = isInhibitory ? -1 : 1;
    else {
      if (hasRise)
        parameters["tau1"] = s.tau1;
      parameters[hasRise ? "tau2" : "tau"] = s.tau2;
      parameters["erev"] = isInhibitory ? s.inhibitoryReversal : s.reversal;
      if (!isInhibitory && s.magnesium > 0) {
        parameters["mg"] = s.magnesium;
        note("The synapses \"" + edges.name + "\" are blocked by magnesium (\"mg\"), which other programs overlook.");
      }
    }
    writeJson(parameters, config.synapseModels / file);
    return {{"population", edges.name},
            {"source_query", "*"},
            {"target_query", "*"},
            {"model_template", isOfCells ? (hasRise ? "Exp2Syn" : "ExpSyn") : "NULL"},
            {"dynamics_params", file}};
  }

  // --- The simulation -----------------------------------------------------------------------------------------------

  void takeRun()
  {
    const model::SimulateParameters& request = *project.simulate;
    config.stop = request.stop;
    config.timeStep = request.parameters.timeStep;
    config.longestSegment = request.longestSegment;
    config.threshold = request.threshold;
    config.celsius = request.parameters.celsius;
    config.isSecondOrder = request.parameters.scheme == simulation::Scheme::CrankNicolson;
    if (isNeurons(request.parameters.rules))
      note("The rules of NEURON are no part of a configuration; simulate it with --compatible " +
           std::string(choiceName(request.parameters.rules)) + ".");
    std::vector<double> starts;
    bool keepsAxons = false;
    for (const SessionCells::Entry& entry : cells.entries()) {
      starts.push_back(entry.made->biophysics.startPotential);
      keepsAxons = keepsAxons || axonOf(project.models[entry.model]) == cell::AxonPolicy::Kept;
    }
    if (!starts.empty() && std::ranges::count(starts, starts.front()) == std::ssize(starts))
      config.startPotential = starts.front();
    else if (!starts.empty())
      note("Cells start at several potentials, which the fits say (\"v_init\"); other programs take one of all.");
    if (keepsAxons)
      note("Models whose axon is kept have no \"model_processing\"; BMTK needs a function of one's own for them.");
  }

  /// All spikes of a population are one input.
  void writeTrains()
  {
    const auto trains = trainsOf(circuit, control);
    for (std::size_t p = 0; p < trains.size(); ++p) {
      io::PopulationSpikes spikes{project.populations[p].name(), {}, {}};
      std::vector<std::pair<double, std::uint64_t>> byTime;
      for (std::size_t neuron = 0; neuron < trains[p].size(); ++neuron)
        for (const double time : trains[p][neuron])
          byTime.emplace_back(time, neuron);
      if (byTime.empty())
        continue;
      std::ranges::sort(byTime);
      for (const auto& [time, neuron] : byTime) {
        spikes.time.push_back(time);
        spikes.node.push_back(neuron);
      }
      const fs::path file = inputs / (spikes.population + "_spikes.h5");
      io::writeSpikesHdf5(std::span(&spikes, 1), file);
      io::SpikeInput input;
      input.name = spikes.population + "_spikes";
      input.nodes = {setOf(spikes.population, {})};
      input.file = file;
      config.spikes.push_back(std::move(input));
    }
  }

  static io::NodeSet setOf(const std::string& population, const std::vector<std::uint64_t>& neurons)
  {
    io::NodeSet set;
    set.population = population;
    if (!neurons.empty())
      set.ids = neurons;
    return set;
  }

  void takeStimulus(const model::Stimulus& s)
  {
    const io::NodeSets nodes = {setOf(s.population, s.neurons)};
    const io::InputPlace place{std::string(choiceName(s.on)), static_cast<std::size_t>(s.section), s.position};
    switch (s.kind) {
    case StimulusKind::Step:
      config.currents.push_back({s.name, nodes, place, {{s.amplitude, s.delay, s.duration}}});
      break;
    case StimulusKind::Sinusoid:
      config.sinusoids.push_back(
          {s.name, nodes, place, s.amplitude, s.frequency, s.delay, s.duration, s.phase, s.offset});
      break;
    case StimulusKind::Noise:
      config.noises.push_back({s.name, nodes, place, s.mean, s.deviation, s.tau, s.delay, s.duration, s.seed});
      break;
    case StimulusKind::VoltageClamp: {
      io::ClampInput clamp{s.name, nodes, place, {}, s.seriesResistance, s.delay};
      for (std::size_t k = 0; k < s.potentials.size(); ++k)
        clamp.levels.push_back({s.potentials[k], s.durations[k]});
      config.clamps.push_back(std::move(clamp));
      break;
    }
    case StimulusKind::Spikes:
    case StimulusKind::Poisson:
      break;
    }
  }

  void takeProbe(const model::ProbeRequest& probe)
  {
    // Of the soma alone a report is of its middle.
    if (probe.places == model::ProbePlaces::Place ||
        (probe.places == model::ProbePlaces::Sections && probe.on == model::Sections::Soma)) {
      note("The probe \"" + probe.name + "\" is of places that reports cannot have; it is left out.");
      return;
    }
    io::ReportRequest report = reportRequestOf(probe);
    report.nodes = {setOf(probe.population, probe.neurons)};
    config.reports.push_back(std::move(report));
  }

  const Circuit& circuit;
  const model::Project& project;
  const fs::path folder;
  const RunControl& control;
  const SessionCells cells;
  fs::path network, inputs;
  io::SimulationConfiguration config;
  std::vector<std::string> notes;
};

} // namespace

bool isSimulated(const model::Project& project)
{
  return project.simulate.has_value();
}

std::vector<std::string> exportSimulation(const Circuit& circuit, const fs::path& folder, const RunControl& control)
{
  requireFittingStimuli(circuit.project);
  return Exporter(circuit, folder, control).write();
}

std::vector<std::string> exportWithSimulation(const Circuit& circuit, const fs::path& folder, const RunControl& control)
{
  exportSonata(circuit, folder, control);
  const bool hasModels = std::ranges::any_of(circuit.project.populations,
                                             [](const model::Population& each) { return !each.models.empty(); });
  if (!isSimulated(circuit.project) || !hasModels)
    return {};
  try {
    return exportSimulation(circuit, folder / "simulation", control);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::BadParameter)
      throw;
    return {"The circuit is written without how it is simulated: " + error.message()};
  }
}

} // namespace hinesight::study
