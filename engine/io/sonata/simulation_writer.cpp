#include "io/sonata/simulation_writer.hpp"

#include "core/files.hpp"

#include <set>
#include <string>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Writer
{
public:
  Writer(const SimulationConfiguration& configuration, const fs::path& into) : config(configuration), folder(into) {}

  void write()
  {
    for (const NodeSets* sets : allSets())
      for (const NodeSet& set : *sets)
        if (set.population)
          names.insert(*set.population);      // sets come before populations of their name
    const Json simulation = simulationJson(); // makes the sets
    writeJson(kCircuitConfigurationFile, circuitJson());
    writeJson(kNodeSetsFile, nodeSets);
    writeJson(kSimulationConfigurationFile, simulation);
  }

private:
  void writeJson(const char* name, const Json& json) const
  {
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    writeFileAtomically(folder / name, [&](std::ostream& stream) { stream << text; });
  }

  std::vector<const NodeSets*> allSets() const
  {
    std::vector<const NodeSets*> sets;
    const auto add = [&](const auto& inputs) {
      for (const auto& input : inputs)
        sets.push_back(&input.nodes);
    };
    add(config.spikes);
    add(config.currents);
    add(config.sinusoids);
    add(config.noises);
    add(config.clamps);
    add(config.reports);
    return sets;
  }

  /// Below the folder by the variable of the manifest, elsewhere as it is.
  std::string shown(const fs::path& path) const
  {
    const fs::path from = fs::absolute(folder).lexically_normal();
    const fs::path relative = fs::absolute(path).lexically_normal().lexically_relative(from);
    if (relative.empty() || *relative.begin() == "..")
      return fs::absolute(path).lexically_normal().generic_string();
    return "$BASE_DIR/" + relative.generic_string();
  }

  // --- The circuit --------------------------------------------------------------------------------------------------

  Json circuitJson() const
  {
    Json components = Json::object();
    const auto add = [&](const char* name, const fs::path& path) {
      if (!path.empty())
        components[name] = shown(path);
    };
    add("morphologies_dir", config.morphologies);
    add("biophysical_neuron_models_dir", config.cellModels);
    add("point_neuron_models_dir", config.pointModels);
    add("synaptic_models_dir", config.synapseModels);
    add("mechanisms_dir", config.mechanisms);
    return {{"manifest", {{"$BASE_DIR", "."}}},
            {"components", std::move(components)},
            {"networks",
             {{"nodes", filesJson(config.nodes, "nodes_file", "node_types_file")},
              {"edges", filesJson(config.edges, "edges_file", "edge_types_file")}}}};
  }

  Json filesJson(const std::vector<SimulationConfiguration::Files>& files, const char* file, const char* types) const
  {
    Json list = Json::array();
    for (const SimulationConfiguration::Files& each : files) {
      Json entry = {{file, shown(each.file)}};
      entry[types] = each.types.empty() ? Json() : Json(shown(each.types));
      list.push_back(std::move(entry));
    }
    return list;
  }

  // --- Sets of nodes ------------------------------------------------------------------------------------------------

  static Json setJson(const NodeSet& set)
  {
    Json json = Json::object();
    if (set.population)
      json["population"] = *set.population;
    if (set.ids)
      json["node_id"] = *set.ids;
    for (const auto& [name, values] : set.properties)
      json[name] = values.size() == 1 ? Json(values.front()) : Json(values);
    return json;
  }

  /// A set that all nodes are in is "all", that of a population has its name, others that of who needs them.
  std::string addSet(const NodeSet& set, const std::string& wanted)
  {
    if (!set.ids && set.properties.empty()) {
      if (!set.population)
        return "all";
      nodeSets[*set.population] = setJson(set);
      return *set.population;
    }
    return addNamed(wanted, setJson(set));
  }

  std::string addNamed(std::string name, Json set)
  {
    while (!names.insert(name).second || name == "all")
      name += "_";
    nodeSets[name] = std::move(set);
    return name;
  }

  std::string nameOf(const NodeSets& sets, const std::string& wanted)
  {
    if (sets.size() == 1)
      return addSet(sets.front(), wanted);
    Json parts = Json::array();
    for (std::size_t k = 0; k < sets.size(); ++k)
      parts.push_back(addSet(sets[k], wanted + "_" + std::to_string(k)));
    return addNamed(wanted, std::move(parts));
  }

  // --- The simulation -----------------------------------------------------------------------------------------------

  Json simulationJson()
  {
    Json json = {{"manifest", {{"$BASE_DIR", "."}}}, {"target_simulator", "NEURON"}, {"run", runJson()}};
    Json& conditions = json["conditions"] = Json::object();
    if (config.celsius)
      conditions["celsius"] = *config.celsius;
    if (config.startPotential)
      conditions["v_init"] = *config.startPotential;
    if (config.detectsInAxon)
      conditions["spike_location"] = "AIS";
    json["network"] = "$BASE_DIR/" + std::string(kCircuitConfigurationFile);
    json["node_sets_file"] = "$BASE_DIR/" + std::string(kNodeSetsFile);
    json["inputs"] = inputsJson();
    json["output"] = {{"output_dir", shown(config.outputFolder)},
                      {"spikes_file", config.spikesFile},
                      {"spikes_file_csv", "spikes.csv"},
                      {"spikes_sort_order", "time"},
                      {"overwrite_output_dir", true}};
    json["reports"] = reportsJson();
    return json;
  }

  Json runJson() const
  {
    constexpr int kStepsOfBlock = 5000; // that others write reports after
    Json run = {{"tstop", config.stop},
                {"dt", config.timeStep},
                {"dL", config.longestSegment / 2},
                {"spike_threshold", config.threshold},
                {"nsteps_block", kStepsOfBlock}};
    if (config.seed)
      run["random_seed"] = *config.seed;
    if (config.isSecondOrder)
      run["integration_method"] = *config.isSecondOrder ? "1" : "0";
    return run;
  }

  /// Inputs of different kinds may have one name.
  void addInput(Json& inputs, std::string name, Json entry)
  {
    while (inputs.contains(name))
      name += "_";
    inputs[name] = std::move(entry);
  }

  template <typename Input>
  Json entryOf(const Input& input, const char* type, const char* module)
  {
    return {{"input_type", type}, {"module", module}, {"node_set", nameOf(input.nodes, input.name)}};
  }

  static void addPlace(Json& entry, const InputPlace& place)
  {
    const InputPlace usual;
    if (place.sections == usual.sections && place.index == usual.index && place.position == usual.position)
      return;
    entry["section_name"] = place.sections;
    entry["section_index"] = place.index;
    entry["section_dist"] = place.position;
  }

  Json inputsJson()
  {
    Json inputs = Json::object();
    for (const SpikeInput& input : config.spikes)
      addInput(inputs, input.name, spikesJson(input));
    for (const CurrentInput& input : config.currents)
      addInput(inputs, input.name, currentJson(input));
    for (const SinusoidInput& input : config.sinusoids) {
      Json entry = entryOf(input, "current_clamp", "sinusoidal");
      entry["amp_start"] = input.amplitude;
      entry["frequency"] = input.frequency;
      entry["phase"] = input.phase;
      entry["offset"] = input.offset;
      entry["delay"] = input.delay;
      entry["duration"] = input.duration;
      addPlace(entry, input.place);
      addInput(inputs, input.name, std::move(entry));
    }
    for (const NoiseInput& input : config.noises) {
      Json entry = entryOf(input, "current_clamp", "ornstein_uhlenbeck");
      entry["mean"] = input.mean;
      entry["sigma"] = input.deviation;
      entry["tau"] = input.tau;
      entry["delay"] = input.delay;
      entry["duration"] = input.duration;
      if (input.seed)
        entry["random_seed"] = *input.seed;
      addPlace(entry, input.place);
      addInput(inputs, input.name, std::move(entry));
    }
    for (const ClampInput& input : config.clamps)
      addInput(inputs, input.name, clampJson(input));
    return inputs;
  }

  Json spikesJson(const SpikeInput& input)
  {
    if (!input.poisson) {
      Json entry = entryOf(input, "spikes", input.file.extension() == ".csv" ? "csv" : "sonata");
      entry["input_file"] = shown(input.file);
      return entry;
    }
    Json entry = entryOf(input, "spikes", "poisson");
    entry["rate"] = input.poisson->rate;
    entry["delay"] = input.poisson->delay;
    entry["duration"] = input.poisson->duration;
    if (input.poisson->seed)
      entry["random_seed"] = *input.poisson->seed;
    return entry;
  }

  Json currentJson(const CurrentInput& input)
  {
    Json entry = entryOf(input, "current_clamp", "IClamp");
    Json amplitudes = Json::array(), delays = Json::array(), durations = Json::array();
    for (const CurrentInput::Step& step : input.steps) {
      amplitudes.push_back(step.amplitude);
      delays.push_back(step.delay);
      durations.push_back(step.duration);
    }
    const bool isOne = input.steps.size() == 1;
    entry["amp"] = isOne ? amplitudes[0] : amplitudes;
    entry["delay"] = isOne ? delays[0] : delays;
    entry["duration"] = isOne ? durations[0] : durations;
    addPlace(entry, input.place);
    return entry;
  }

  Json clampJson(const ClampInput& input)
  {
    Json entry = entryOf(input, "voltage_clamp", "SEClamp");
    Json potentials = Json::array(), durations = Json::array();
    for (const ClampInput::Level& level : input.levels) {
      potentials.push_back(level.potential);
      durations.push_back(level.duration);
    }
    entry["amps"] = std::move(potentials);
    entry["durations"] = std::move(durations);
    entry["rs"] = input.resistance;
    entry["delay"] = input.delay;
    addPlace(entry, input.place);
    return entry;
  }

  Json reportsJson()
  {
    Json reports = Json::object();
    for (const ReportRequest& report : config.reports) {
      Json entry = {{"module", "membrane_report"},
                    {"variable_name", report.variable},
                    {"cells", nameOf(report.nodes, report.name)},
                    {"sections", report.sections},
                    {"file_name", report.file}};
      if (report.quantity == ReportRequest::Quantity::ClampCurrent)
        entry["module"] = "clamp_report";
      if (report.isSummed) {
        entry["type"] = "summation";
        entry["sections"] = "soma"; // one value of the whole cell
      } else if (report.isOfCentres != report.isOfSoma())
        entry["compartments"] = report.isOfCentres ? "center" : "all";
      if (report.interval)
        entry["dt"] = *report.interval;
      if (report.start != 0)
        entry["start_time"] = report.start;
      if (report.stop)
        entry["end_time"] = *report.stop;
      reports[report.name] = std::move(entry);
    }
    return reports;
  }

  const SimulationConfiguration& config;
  const fs::path folder;
  Json nodeSets = Json::object();
  std::set<std::string> names; ///< of sets and populations
};

} // namespace

void writeSimulationConfiguration(const SimulationConfiguration& configuration, const fs::path& folder)
{
  Writer(configuration, folder).write();
}

} // namespace hinesight::io
