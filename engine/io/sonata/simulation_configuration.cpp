#include "io/sonata/simulation_configuration.hpp"

#include "core/text.hpp"
#include "io/sonata/configuration_entry.hpp"
#include "io/sonata/node_sets.hpp"
#include "io/sonata/simulation_inputs.hpp"
#include "io/sonata/simulation_reports.hpp"

#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Reader
{
public:
  explicit Reader(const fs::path& path)
      : config(path), circuit(SonataConfiguration::circuitOf(path)), nodeSets(config, circuit)
  {}

  SimulationConfiguration read()
  {
    made.file = config.path();
    readRoot();
    readRun();
    readConditions();
    readCircuit();
    readInputs(config, nodeSets, made);
    readOutput();
    readReports(config, nodeSets, made);
    return std::move(made);
  }

private:
  ConfigurationEntry entryOf(const char* name) const
  {
    return {config, part(config.root(), name), "\"" + std::string(name) + "\""};
  }

  void noteUnread(const ConfigurationEntry& entry)
  {
    const std::vector<std::string> sentences = entry.unread();
    made.notes.insert(made.notes.end(), sentences.begin(), sentences.end());
  }

  void readRoot()
  {
    ConfigurationEntry root(config, config.root(), "the configuration");
    root.passOver({"manifest", "run", "conditions", "network", "networks", "components", "inputs", "reports", "output",
                   "node_sets", "node_sets_file", "version", "target_simulator", "simulation_name", "config_path",
                   "config_dir"});
    if (root.text("node_set").value_or("all") != "all")
      made.notes.emplace_back("\"node_set\" of the configuration has no effect; all nodes are simulated.");
    const Json& overrides = root.part({"connection_overrides"});
    if (!overrides.empty())
      made.notes.emplace_back("\"connection_overrides\" of the configuration has no effect; edges are as their files "
                              "say.");
    noteUnread(root);
  }

  void readRun()
  {
    if (!part(config.root(), "run").is_object())
      config.fail("has no \"run\"; is it the configuration of a SONATA simulation?");
    ConfigurationEntry run = entryOf("run");
    made.stop = run.required({"tstop", "duration"});
    made.timeStep = run.number({"dt"}).value_or(made.timeStep);
    if (const auto length = run.number({"dL"})) {
      if (!(*length > 0))
        config.fail("\"dL\" has to be above 0");
      made.longestSegment = 2 * *length;
    }
    if (const auto start = run.number({"tstart"}); start && *start != 0)
      config.fail("\"tstart\" is " + hinesight::textOf(*start) + "; simulations start at 0");
    made.seed = run.count("random_seed");
    isExtension = made.seed.has_value(); // the SONATA extension needs one
    if (const auto stimuli = run.count("stimulus_seed"); stimuli && *stimuli != 0)
      made.seed = *stimuli;
    constexpr double kThresholdOfExtension = -30; // mV
    if (const auto threshold = run.number({"spike_threshold"}))
      made.threshold = *threshold;
    else if (isExtension)
      made.threshold = kThresholdOfExtension;
    readMethod(run);
    run.passOver({"nsteps_block", "overwrite_output_dir", "ionchannel_seed", "minis_seed", "synapse_seed"});
    if (run.flag("calc_ecp", false))
      made.notes.emplace_back("\"calc_ecp\" of \"run\" has no effect; extracellular potentials are not computed.");
    noteUnread(run);
  }

  /// NEURON's `secondorder`. Its third way differs from the second in the currents of ions alone.
  void readMethod(ConfigurationEntry& run)
  {
    const Json& method = run.part({"integration_method"});
    if (method.is_null())
      return;
    const std::string text = method.is_string() ? method.get<std::string>() : method.dump();
    if (text != "0" && text != "1" && text != "2")
      run.fail("has the \"integration_method\" " + text +
               "; 0 (backward Euler), 1 and 2 (Crank-Nicolson) are possible");
    made.isSecondOrder = text != "0";
  }

  void readConditions()
  {
    ConfigurationEntry conditions = entryOf("conditions");
    made.celsius = conditions.number({"celsius"});
    made.startPotential = conditions.number({"v_init"});
    if (isExtension) {
      made.celsius = made.celsius.value_or(34);
      made.startPotential = made.startPotential.value_or(-80);
    }
    const std::string location = conditions.text("spike_location").value_or("soma");
    if (location != "soma" && location != "AIS")
      conditions.fail("has the \"spike_location\" \"" + location + "\"; soma and AIS are possible");
    made.detectsInAxon = location == "AIS";
    noteUnread(conditions);
  }

  // --- The circuit --------------------------------------------------------------------------------------------------

  fs::path folderOf(const char* name) const
  {
    for (const SonataConfiguration* each : {&circuit, &config})
      if (const auto named = each->text(part(each->root(), "components"), name))
        return each->resolve(*named);
    return {};
  }

  void readCircuit()
  {
    made.morphologies = folderOf("morphologies_dir");
    made.cellModels = folderOf("biophysical_neuron_models_dir");
    made.pointModels = folderOf("point_neuron_models_dir");
    made.synapseModels = folderOf("synaptic_models_dir");
    made.mechanisms = folderOf("mechanisms_dir");
    const Json& networks = part(circuit.root(), "networks");
    made.nodes = filesOf(networks, "nodes", "nodes_file", "node_types_file");
    made.edges = filesOf(networks, "edges", "edges_file", "edge_types_file");
    if (made.nodes.empty())
      circuit.fail("names no nodes; there is nothing to simulate");
    for (const char* const name : {"gap_juncs", "gap_junctions"})
      if (!part(networks, name).empty())
        made.notes.push_back("\"" + std::string(name) +
                             "\" of \"networks\" has no effect; gap junctions are those of the edges.");
  }

  std::vector<SimulationConfiguration::Files> filesOf(const Json& networks, const char* name, const char* fileKey,
                                                      const char* typesKey) const
  {
    std::vector<SimulationConfiguration::Files> files;
    const Json& list = part(networks, name);
    if (!list.is_null() && !list.is_array())
      circuit.fail("\"" + std::string(name) + "\" of \"networks\" is no list");
    for (const Json& entry : list) {
      const auto file = circuit.text(entry, fileKey);
      if (!file)
        circuit.fail("an entry of \"networks\" has no \"" + std::string(fileKey) + "\"");
      const auto types = circuit.text(entry, typesKey);
      files.push_back({circuit.resolve(*file), types && !types->empty() ? circuit.resolve(*types) : fs::path()});
    }
    return files;
  }

  // --- Output -------------------------------------------------------------------------------------------------------

  void readOutput()
  {
    ConfigurationEntry output = entryOf("output");
    made.outputFolder = config.resolve(output.text("output_dir").value_or("output"));
    made.spikesFile = output.text("spikes_file").value_or(made.spikesFile);
    if (made.spikesFile.empty())
      made.spikesFile = "spikes.h5";
    if (output.text("spikes_sort_order").value_or("time").find("id") != std::string::npos)
      made.notes.emplace_back("\"spikes_sort_order\" of \"output\" has no effect; spikes are written by time.");
    output.passOver({"spikes_file_csv", "log_file", "log_level", "log_format", "log_to_console", "overwrite_output_dir",
                     "quiet_simulator"});
    noteUnread(output);
  }

  const SonataConfiguration config, circuit;
  const NodeSetReader nodeSets;
  SimulationConfiguration made;
  bool isExtension = false; ///< the dialect of the Blue Brain Project
};

} // namespace

SimulationConfiguration readSimulationConfiguration(const fs::path& path)
{
  // A file that names that of the simulation beside that of the circuit, as the SONATA guide has it.
  const SonataConfiguration given(path);
  if (part(given.root(), "run").is_null())
    if (const auto simulation = given.text(given.root(), "simulation"))
      return Reader(given.resolve(*simulation)).read();
  return Reader(path).read();
}

} // namespace hinesight::io
