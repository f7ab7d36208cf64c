#include "study/circuit/sonata_import.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/sonata/configuration.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/sonata/type_table.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using io::part;
using Configuration = io::SonataConfiguration;

/// "a, b and c".
std::string listOf(const std::vector<std::string>& names)
{
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
  return text;
}

class SonataImport
{
public:
  SonataImport(const fs::path& path, const RunControl& runControl)
      : config(Configuration::circuitOf(path)), folder(fs::absolute(path).lexically_normal().parent_path()),
        control(runControl)
  {}

  ImportedSonata run()
  {
    const Json& networks = config.root()["networks"];
    if (const Json& components = part(config.root(), "components"); components.is_object())
      if (const auto named = config.text(components, "morphologies_dir"))
        morphologies = config.resolve(*named);
    for (const Json& entry : entriesOf(networks, "nodes"))
      takeNodes(entry);
    for (const Json& entry : entriesOf(networks, "edges"))
      takeEdges(entry);
    if (made.project.populations.empty())
      config.fail("names no nodes; there is no circuit to import");
    for (const std::string& file : outside)
      warn("The file \"" + file + "\" lies outside of the configuration's folder.");
    model::validate(made.project);
    return std::move(made);
  }

private:
  void warn(std::string sentence) { made.warnings.push_back(std::move(sentence)); }

  std::vector<Json> entriesOf(const Json& networks, const char* name) const
  {
    const Json& list = part(networks, name);
    if (list.is_null())
      return {};
    if (!list.is_array())
      config.fail("\"" + std::string(name) + "\" of \"networks\" is no list");
    return list.get<std::vector<Json>>();
  }

  /// The file that an entry names under that key; empty: none.
  std::string fileOf(const Json& entry, const char* key, bool isNeeded)
  {
    const auto named = config.text(entry, key);
    if (!named || named->empty()) {
      if (isNeeded)
        config.fail("an entry of \"networks\" has no \"" + std::string(key) + "\"");
      return {};
    }
    const fs::path path = config.resolve(*named);
    const fs::path within = fs::absolute(path).lexically_normal().lexically_relative(folder);
    if (within.empty() || *within.begin() == "..")
      outside.insert(path.string());
    return path.string();
  }

  // --- Nodes --------------------------------------------------------------------------------------------------------

  void takeNodes(const Json& entry)
  {
    const std::string file = fileOf(entry, "nodes_file", true);
    const std::string typesFile = fileOf(entry, "node_types_file", false);
    const io::TypeTable types = typesFile.empty() ? io::TypeTable() : io::readTypeTable(typesFile, "node_type_id");
    const io::Hdf5Reader reader(file);
    if (!reader.has("/nodes"))
      throw Error(ErrorCode::BadFormat, "has no /nodes; is it a SONATA file?", file);
    for (const std::string& name : reader.namesIn("/nodes")) {
      control.checkpoint();
      takePopulation(reader, name, file, types);
    }
  }

  void takePopulation(const io::Hdf5Reader& reader, const std::string& name, const std::string& file,
                      const io::TypeTable& types)
  {
    const std::string nodes = "/nodes/" + name;
    const std::uint64_t count = io::detail::countNodes(reader, nodes);
    if (count == 0 || count > projection::kMaxNeurons)
      throw Error(ErrorCode::BadFormat,
                  "has " + std::to_string(count) + " nodes in " + nodes + "; 1 to " +
                      std::to_string(projection::kMaxNeurons) + " are possible",
                  file);
    model::Population population;
    population.placement.name = name;
    if (reader.has(nodes + "/0/x") && reader.has(nodes + "/0/y")) {
      population.placement.kind = projection::PopulationKind::File;
      population.placement.file = file;
      population.nodes = name;
    } else {
      if (count > UINT32_MAX)
        throw Error(ErrorCode::BadFormat, nodes + " has too many nodes without positions", file);
      population.placement.size = {static_cast<std::uint32_t>(count), 1, 1};
      warn("The nodes of \"" + name + "\" have no positions; they are put on a line.");
    }
    std::vector<std::string> unused;
    if (reader.has(nodes + "/0"))
      for (const std::string& column : reader.namesIn(nodes + "/0"))
        if (!kUsedOfNodes.contains(column))
          unused.push_back(column);
    if (reader.has(nodes + "/1"))
      warn("The nodes of \"" + name + "\" are of several groups; what only some of them have is not used.");
    takeTypes(reader, nodes, count, file, types, population);
    for (const std::string& column : types.columns)
      if (!kUsedOfNodeTypes.contains(column) && types.hasValues(column))
        unused.push_back(column);
    if (!unused.empty())
      warn("Of the nodes of \"" + name + "\", " + listOf(unused) + (unused.size() > 1 ? " are" : " is") + " not used.");
    made.project.populations.push_back(std::move(population));
  }

  /// The role and the cells of a population.
  void takeTypes(const io::Hdf5Reader& reader, const std::string& nodes, std::uint64_t count, const std::string& file,
                 const io::TypeTable& types, model::Population& population)
  {
    if (io::detail::countNodes(reader, nodes) != reader.count(nodes + "/node_type_id"))
      throw Error(ErrorCode::BadFormat, nodes + "/node_type_id does not have a value for each node", file);
    requireMemory(count * sizeof(std::int64_t), "The types of " + std::to_string(count) + " nodes", file);
    std::vector<std::int64_t> typeOf(count);
    reader.read(nodes + "/node_type_id", 0, std::span(typeOf));
    const std::set<std::int64_t> present(typeOf.begin(), typeOf.end());
    std::set<model::Role> roles;
    std::size_t withMorphology = 0;
    for (const std::int64_t type : present) {
      if (!types.has(type))
        throw Error(ErrorCode::BadFormat,
                    nodes + " has nodes of the type " + std::to_string(type) + ", which its table of types has not",
                    file);
      const bool isVirtual = types.valueOf(type, "model_type") == "virtual";
      roles.insert(isVirtual                          ? model::Role::Relay
                   : types.valueOf(type, "ei") == "i" ? model::Role::Inhibitory
                                                      : model::Role::Excitatory);
      withMorphology += !types.valueOf(type, "morphology").empty();
    }
    const std::string& name = population.name();
    population.role = *roles.begin();
    if (roles.size() > 1)
      warn("The nodes of \"" + name + "\" are excitatory, inhibitory or virtual by their types; all are taken for " +
           std::string(choiceName(population.role)) + ".");
    if (withMorphology == 0)
      return;
    const std::size_t period = periodOf(typeOf);
    const bool isInTurn = period <= present.size();
    const bool canBeTold = isInTurn || population.placement.kind == projection::PopulationKind::File;
    if (withMorphology < present.size() || present.size() > kMostCells || !canBeTold) {
      warn("The morphologies of \"" + name + "\" are not used: " +
           (withMorphology < present.size() ? "not all of its types have one."
            : canBeTold                     ? "it has too many types."
                                            : "its types do not repeat in turn, and its nodes have no positions."));
      return;
    }
    population.order = isInTurn ? model::CellOrder::Turn : model::CellOrder::Type;
    const std::vector<std::int64_t> ofPool =
        isInTurn ? std::vector(typeOf.begin(), typeOf.begin() + static_cast<std::ptrdiff_t>(period))
                 : std::vector(present.begin(), present.end());
    for (const std::int64_t type : ofPool)
      population.cells.push_back(cellOf(types.valueOf(type, "morphology")));
  }

  /// After how many nodes the types repeat.
  static std::size_t periodOf(const std::vector<std::int64_t>& typeOf)
  {
    // The longest beginning that is an end too (Knuth, Morris and Pratt 1977).
    std::vector<std::size_t> border(typeOf.size(), 0);
    for (std::size_t i = 1; i < typeOf.size(); ++i) {
      std::size_t k = border[i - 1];
      while (k > 0 && typeOf[i] != typeOf[k])
        k = border[k - 1];
      border[i] = k + (typeOf[i] == typeOf[k]);
    }
    return typeOf.size() - border.back();
  }

  /// The name of the cell of a morphology.
  std::string cellOf(const std::string& morphology)
  {
    if (morphologies.empty())
      config.fail("has no \"morphologies_dir\", which the morphology \"" + morphology + "\" is looked for in");
    const fs::path named = morphology;
    if (named.has_root_path() || std::ranges::find(named, fs::path("..")) != named.end())
      config.fail("a table of types names the morphology \"" + morphology +
                  "\"; a name below \"morphologies_dir\" is needed");
    fs::path file = morphologies / named;
    if (file.extension() != ".swc")
      file += ".swc";
    const std::string path = file.lexically_normal().string();
    if (const auto known = cellAt.find(path); known != cellAt.end())
      return known->second;
    if (!fs::is_regular_file(file))
      throw Error(ErrorCode::FileNotFound, "The morphology \"" + morphology + "\" of a type is not there.", path);
    model::Cell cell;
    cell.name = file.stem().string();
    while (!cellNames.insert(cell.name).second)
      cell.name += "_";
    cell.file = path;
    made.project.cells.push_back(cell);
    cellAt[path] = cell.name;
    return cell.name;
  }

  // --- Edges --------------------------------------------------------------------------------------------------------

  void takeEdges(const Json& entry)
  {
    const std::string file = fileOf(entry, "edges_file", true);
    const std::string typesFile = fileOf(entry, "edge_types_file", false);
    const io::TypeTable types = typesFile.empty() ? io::TypeTable() : io::readTypeTable(typesFile, "edge_type_id");
    const io::Hdf5Reader reader(file);
    if (!reader.has("/edges"))
      throw Error(ErrorCode::BadFormat, "has no /edges; is it a SONATA file?", file);
    for (const std::string& name : reader.namesIn("/edges")) {
      control.checkpoint();
      takeConnection(reader, name, file, typesFile, types);
    }
  }

  void takeConnection(const io::Hdf5Reader& reader, const std::string& name, const std::string& file,
                      const std::string& typesFile, const io::TypeTable& types)
  {
    const std::string edges = "/edges/" + name;
    model::Connection connection;
    connection.name = name;
    connection.kind = model::ConnectionKind::File;
    connection.source = reader.textAttribute(edges + "/source_node_id", "node_population");
    connection.target = reader.textAttribute(edges + "/target_node_id", "node_population");
    connection.file = file;
    connection.edges = name;
    connection.edgeTypes = typesFile;
    for (const std::string& population : {connection.source, connection.target})
      if (!model::findPopulation(made.project, population))
        throw Error(ErrorCode::BadFormat,
                    edges + " joins the nodes \"" + population + "\", which the configuration does not name", file);
    if (reader.has(edges + "/1"))
      throw Error(ErrorCode::BadFormat, edges + " has several groups of edges; those with one can be read", file);
    std::vector<std::string> unused;
    if (reader.has(edges + "/0"))
      for (const std::string& column : reader.namesIn(edges + "/0"))
        if (!kUsedOfEdges.contains(column))
          unused.push_back(column);
    for (const std::string& column : types.columns)
      if (!kUsedOfEdgeTypes.contains(column) && types.hasValues(column))
        unused.push_back(column);
    if (!unused.empty())
      warn("Of the edges \"" + name + "\", " + listOf(unused) + (unused.size() > 1 ? " are" : " is") + " not used.");
    for (const char* const value : {"syn_weight", "delay"})
      if (!reader.has(edges + "/0/" + value) && std::ranges::find(types.columns, value) == types.columns.end())
        warn("The edges \"" + name + "\" have no " + value + "; it is 1.");
    made.project.connections.push_back(std::move(connection));
  }

  static constexpr std::size_t kMostCells = 1000; ///< of a population
  inline static const std::set<std::string> kUsedOfNodes = {
      "x", "y", "z", "rotation_angle_xaxis", "rotation_angle_yaxis", "rotation_angle_zaxis"};
  inline static const std::set<std::string> kUsedOfNodeTypes = {"population", "pop_name", "ei", "model_type",
                                                                "morphology"};
  inline static const std::set<std::string> kUsedOfEdges = {"syn_weight", "delay"};
  inline static const std::set<std::string> kUsedOfEdgeTypes = {"source_query", "target_query", "population",
                                                                "syn_weight", "delay"};

  const Configuration config;
  const fs::path folder;
  const RunControl& control;
  fs::path morphologies; ///< empty: the configuration names none
  std::map<std::string, std::string> cellAt;
  std::set<std::string> cellNames;
  std::set<std::string> outside; ///< files
  ImportedSonata made;
};

} // namespace

ImportedSonata importSonata(const fs::path& configuration, const RunControl& control)
{
  return SonataImport(configuration, control).run();
}

} // namespace hinesight::study
