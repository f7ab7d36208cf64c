#include "io/sonata/simulation_configuration.hpp"

#include "core/error.hpp"
#include "io/sonata/configuration.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace hinesight::io {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Sets of nodes by their names.
class NodeSetReader
{
public:
  explicit NodeSetReader(const SonataConfiguration& configuration) : config(configuration)
  {
    add(part(config.root(), "node_sets"));
    if (const auto file = config.text(config.root(), "node_sets_file")) {
      const SonataConfiguration own(config.resolve(*file));
      add(own.root());
    }
  }

  /// What an entry says: a name, a list of ids or of names, or properties; all nodes where it is not there.
  NodeSets read(const Json& entry, const std::string& where) const { return read(entry, where, 0); }

private:
  static constexpr int kDeepest = 20;

  void add(const Json& more)
  {
    if (more.is_null())
      return;
    if (!more.is_object())
      config.fail("its sets of nodes are no JSON object");
    for (const auto& [name, value] : more.items())
      sets[name] = value;
  }

  NodeSets read(const Json& entry, const std::string& where, int depth) const
  {
    if (depth > kDeepest)
      config.fail(where + " names sets of nodes that name each other");
    if (entry.is_null())
      return {NodeSet()};
    if (entry.is_string())
      return named(entry.get<std::string>(), where, depth);
    if (entry.is_object())
      return {withProperties(entry, where)};
    if (!entry.is_array())
      config.fail(where + " is no set of nodes");
    if (std::ranges::all_of(entry, [](const Json& id) { return id.is_number_unsigned(); })) {
      NodeSet set;
      set.ids = entry.get<std::vector<std::uint64_t>>();
      return {set};
    }
    NodeSets all;
    for (const Json& each : entry) {
      if (!each.is_string())
        config.fail(where + " is no list of ids and no list of names");
      const NodeSets some = named(each.get<std::string>(), where, depth);
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  /// A set of that name, else a population.
  NodeSets named(const std::string& name, const std::string& where, int depth) const
  {
    if (sets.contains(name))
      return read(sets[name], where, depth + 1);
    if (name == "all")
      return {NodeSet()};
    NodeSet set;
    set.population = name;
    return {set};
  }

  NodeSet withProperties(const Json& entry, const std::string& where) const
  {
    NodeSet set;
    for (const auto& [name, value] : entry.items()) {
      if (name == "population" && value.is_string())
        set.population = value.get<std::string>();
      else if (name == "node_id" || name == "node_ids")
        set.ids = idsOf(value, where);
      else
        set.properties.emplace_back(name, textsOf(value, where));
    }
    return set;
  }

  std::vector<std::uint64_t> idsOf(const Json& value, const std::string& where) const
  {
    if (value.is_number_unsigned())
      return {value.get<std::uint64_t>()};
    if (!value.is_array() || !std::ranges::all_of(value, [](const Json& id) { return id.is_number_unsigned(); }))
      config.fail(where + " has ids of nodes that are no whole numbers from 0 on");
    return value.get<std::vector<std::uint64_t>>();
  }

  std::vector<std::string> textsOf(const Json& value, const std::string& where) const
  {
    std::vector<std::string> texts;
    for (const Json& each : value.is_array() ? value : Json::array({value})) {
      if (!each.is_string() && !each.is_number())
        config.fail(where + " has a property that is no text and no number");
      texts.push_back(each.is_string() ? each.get<std::string>() : each.dump());
    }
    return texts;
  }

  const SonataConfiguration& config;
  Json sets = Json::object();
};

class Reader
{
public:
  explicit Reader(const fs::path& path) : config(path), circuit(SonataConfiguration::circuitOf(path)), nodeSets(config)
  {}

  SimulationConfiguration read()
  {
    made.file = config.path();
    readRun();
    readConditions();
    readCircuit();
    for (const auto& [name, entry] : itemsOf("inputs"))
      readInput(name, entry);
    readOutput();
    for (const auto& [name, entry] : itemsOf("reports"))
      readReport(name, entry);
    return std::move(made);
  }

private:
  static constexpr std::string_view kSoma = "soma";

  void note(std::string sentence) { made.notes.push_back(std::move(sentence)); }

  std::vector<std::pair<std::string, Json>> itemsOf(const char* name) const
  {
    const Json& object = part(config.root(), name);
    if (object.is_null())
      return {};
    if (!object.is_object())
      config.fail("\"" + std::string(name) + "\" is no JSON object");
    std::vector<std::pair<std::string, Json>> items;
    for (const auto& [key, value] : object.items())
      items.emplace_back(key, value);
    return items;
  }

  /// Tells of every entry of an object that nobody reads.
  void noteOthers(const Json& object, const std::string& where, const std::set<std::string>& known)
  {
    if (object.is_object())
      for (const auto& [name, value] : object.items())
        if (!known.contains(name) && !value.is_null())
          note("\"" + name + "\" of " + where + " is not known and has no effect.");
  }

  void readRun()
  {
    const Json& run = part(config.root(), "run");
    if (!run.is_object())
      config.fail("has no \"run\"; is it the configuration of a SONATA simulation?");
    made.stop = config.requiredNumber(run, "tstop", "\"run\"");
    made.timeStep = config.number(run, "dt").value_or(made.timeStep);
    if (const auto length = config.number(run, "dL")) {
      if (!(*length > 0))
        config.fail("\"dL\" has to be above 0");
      made.longestSegment = 2 * *length;
    }
    made.threshold = config.number(run, "spike_threshold").value_or(made.threshold);
    if (const auto start = config.number(run, "tstart"); start && *start != 0)
      config.fail("\"tstart\" is " + std::to_string(*start) + "; simulations start at 0");
    noteOthers(run, "\"run\"",
               {"tstop", "tstart", "dt", "dL", "spike_threshold", "nsteps_block", "calc_ecp", "overwrite_output_dir"});
  }

  void readConditions()
  {
    const Json& conditions = part(config.root(), "conditions");
    made.celsius = config.number(conditions, "celsius");
    made.startPotential = config.number(conditions, "v_init");
    noteOthers(conditions, "\"conditions\"", {"celsius", "v_init"});
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
    const Json& networks = part(circuit.root(), "networks");
    made.nodes = filesOf(networks, "nodes", "nodes_file", "node_types_file");
    made.edges = filesOf(networks, "edges", "edges_file", "edge_types_file");
    if (made.nodes.empty())
      circuit.fail("names no nodes; there is nothing to simulate");
    for (const char* const name : {"gap_juncs", "gap_junctions"})
      if (!part(networks, name).is_null())
        note("\"" + std::string(name) + "\" of \"networks\" is not known and has no effect.");
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

  // --- Inputs -------------------------------------------------------------------------------------------------------

  NodeSets nodesOf(const Json& entry, const std::string& where) const
  {
    for (const char* const name : {"node_set", "cells", "node_sets"})
      if (!part(entry, name).is_null())
        return nodeSets.read(entry[name], where);
    return nodeSets.read({}, where);
  }

  static bool isEnabled(const Json& entry)
  {
    const Json& enabled = part(entry, "enabled");
    return !enabled.is_boolean() || enabled.get<bool>();
  }

  void readInput(const std::string& name, const Json& entry)
  {
    const std::string where = "the input \"" + name + "\"";
    if (!isEnabled(entry))
      return;
    const std::string type = config.text(entry, "input_type").value_or("");
    const std::string module = config.text(entry, "module").value_or("");
    if (type == "spikes")
      readSpikes(name, entry, module, where);
    else if (type == "current_clamp" && (module == "IClamp" || module == "iclamp"))
      readCurrents(name, entry, where);
    else
      config.fail(where + " is of the type \"" + type + "\" and the module \"" + module +
                  "\", which is not known; there are spikes (sonata, h5, csv) and current_clamp (IClamp)");
  }

  void readSpikes(const std::string& name, const Json& entry, const std::string& module, const std::string& where)
  {
    if (module != "sonata" && module != "h5" && module != "csv")
      config.fail(where + " reads spikes of the module \"" + module + "\"; those of sonata, h5 and csv can be read");
    const auto file = config.text(entry, "input_file");
    if (!file)
      config.fail(where + " has no \"input_file\"");
    if (!part(entry, "trial").is_null())
      note("\"trial\" of " + where + " is not known and has no effect.");
    noteOthers(entry, where, {"input_type", "module", "input_file", "node_set", "cells", "trial", "enabled"});
    made.spikes.push_back({name, nodesOf(entry, where), config.resolve(*file)});
  }

  /// Numbers of an entry: one, or a list.
  std::vector<double> numbersOf(const Json& entry, std::initializer_list<const char*> names, const std::string& where)
  {
    for (const char* const name : names) {
      const Json& value = part(entry, name);
      if (!value.is_array() && config.number(entry, name))
        return {*config.number(entry, name)};
      if (!value.is_array())
        continue;
      std::vector<double> numbers;
      for (const Json& each : value) {
        if (!each.is_number())
          config.fail("\"" + std::string(name) + "\" of " + where + " is no list of numbers");
        numbers.push_back(each.get<double>());
      }
      return numbers;
    }
    config.fail(where + " has no \"" + *names.begin() + "\"");
  }

  void readCurrents(const std::string& name, const Json& entry, const std::string& where)
  {
    const std::vector<double> amplitudes = numbersOf(entry, {"amp", "amps"}, where);
    const std::vector<double> delays = numbersOf(entry, {"delay", "delays"}, where);
    const std::vector<double> durations = numbersOf(entry, {"duration", "dur", "durations"}, where);
    if (amplitudes.size() != delays.size() || delays.size() != durations.size())
      config.fail(where + " has not as many delays and durations as amplitudes");
    for (const char* const place : {"section_name", "section_index", "section_dist"})
      if (!part(entry, place).is_null() && !isSoma(place, entry[place]))
        config.fail(where + " goes to another place than the middle of the soma; that is not possible yet");
    noteOthers(entry, where,
               {"input_type", "module", "node_set", "cells", "amp", "amps", "delay", "delays", "duration", "dur",
                "durations", "section_name", "section_index", "section_dist", "enabled"});
    for (std::size_t k = 0; k < amplitudes.size(); ++k)
      made.currents.push_back({name, nodesOf(entry, where), amplitudes[k], delays[k], durations[k]});
  }

  static bool isSoma(std::string_view place, const Json& value)
  {
    if (place == "section_name")
      return value == kSoma;
    return value.is_number() && value.get<double>() == (place == "section_dist" ? 0.5 : 0.0);
  }

  // --- Output -------------------------------------------------------------------------------------------------------

  void readOutput()
  {
    const Json& output = part(config.root(), "output");
    made.outputFolder = config.resolve(config.text(output, "output_dir").value_or("output"));
    made.spikesFile = config.text(output, "spikes_file").value_or(made.spikesFile);
    noteOthers(output, "\"output\"",
               {"output_dir", "spikes_file", "spikes_file_csv", "spikes_sort_order", "log_file", "log_level",
                "log_format", "log_to_console", "overwrite_output_dir", "quiet_simulator"});
  }

  void readReport(const std::string& name, const Json& entry)
  {
    const std::string where = "the report \"" + name + "\"";
    if (!isEnabled(entry))
      return;
    const std::string module = config.text(entry, "module").value_or("membrane_report");
    if (module != "membrane_report") {
      note("The report \"" + name + "\" is of the module \"" + module + "\", which is not known; it is not made.");
      return;
    }
    ReportRequest report;
    report.name = name;
    report.nodes = nodesOf(entry, where);
    const auto variable = config.text(entry, "variable_name");
    report.variable = variable.value_or("v");
    if (report.variable != "v" && report.variable != "cai") {
      note("The report \"" + name + "\" is of \"" + report.variable + "\"; those of v and cai are made.");
      return;
    }
    const std::string sections = config.text(entry, "sections").value_or("all");
    if (sections != kSoma && sections != "all")
      config.fail(where + " is of the sections \"" + sections + "\"; there are soma and all");
    report.isOfSoma = sections == kSoma;
    report.file = config.text(entry, "file_name").value_or(name + ".h5");
    noteOthers(entry, where, {"module", "cells", "node_set", "variable_name", "sections", "file_name", "enabled"});
    made.reports.push_back(std::move(report));
  }

  const SonataConfiguration config, circuit;
  const NodeSetReader nodeSets;
  SimulationConfiguration made;
};

} // namespace

SimulationConfiguration readSimulationConfiguration(const fs::path& path)
{
  return Reader(path).read();
}

} // namespace hinesight::io
