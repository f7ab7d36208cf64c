#include "study/circuit/edge_file.hpp"

#include "io/hdf5/hdf5_file.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "study/circuit/sonata_import.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using model::Connection;

/// Files of a folder that are SONATA's by their ending, in the order of their names.
std::vector<fs::path> sonataFilesIn(const fs::path& folder)
{
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (io::isSonataFile(entry->path()))
      files.push_back(entry->path());
  std::ranges::sort(files);
  return files;
}

/// Also false where the file cannot be read: another one may have the nodes.
bool hasNodes(const fs::path& file, const std::string& population)
{
  try {
    return io::Hdf5Reader(file).has("/nodes/" + population);
  } catch (const Error&) {
    return false;
  }
}

EdgeEnd placedAt(const std::string& population, std::array<std::vector<double>, 3> positions)
{
  const std::uint64_t count = positions[0].size();
  return {count, projection::populationAt(population, std::move(positions))};
}

/// Nodes without positions are counted.
EdgeEnd nodesOf(const fs::path& file, const std::string& population)
{
  const io::Hdf5Reader reader(file);
  const std::string nodes = "/nodes/" + population;
  const std::uint64_t count = io::detail::countNodes(reader, nodes);
  auto positions = io::detail::readNodes(reader, nodes, count, file.string());
  return positions[0].empty() ? EdgeEnd{count, nullptr} : placedAt(population, std::move(positions));
}

EdgeEnd nodesGiven(const std::vector<std::string>& given, const std::string& population, bool isSource,
                   const RunControl& control)
{
  for (const std::string& text : given) {
    const io::NeuronFile file = io::parseNeuronFile(text);
    if (file.population.empty() && io::isSonataFile(file.path) && hasNodes(file.path, population))
      return nodesOf(file.path, population);
  }
  return placedAt(population, io::readPositions(io::parseNeuronFile(isSource ? given.front() : given.back()), control));
}

/// Where a circuit that names the edges may be, the nearest first.
std::array<fs::path, 2> configurationsBy(const EdgesWithoutNodes& edges)
{
  const fs::path folder = fs::absolute(edges.file).lexically_normal().parent_path();
  return {folder / "circuit_config.json", folder.parent_path() / "circuit_config.json"};
}

/// The end where the circuit does not name them.
auto namedIn(const model::Project& circuit, const EdgesWithoutNodes& edges)
{
  return std::ranges::find_if(circuit.connections, [&](const Connection& connection) {
    std::error_code lost;
    return connection.edges == edges.name && fs::equivalent(connection.file, edges.file, lost);
  });
}

std::optional<EdgeEnds> nodesOfConfiguration(const fs::path& path, const EdgesWithoutNodes& edges,
                                             const RunControl& control)
{
  std::error_code failure;
  if (!fs::is_regular_file(path, failure))
    return std::nullopt;
  const model::Project circuit = importSonata(path, control).project;
  const auto named = namedIn(circuit, edges);
  if (named == circuit.connections.end())
    return std::nullopt;
  const auto endOf = [&](const std::string& name) {
    const model::Population& population = *model::findPopulation(circuit, name);
    return population.placement.kind == projection::PopulationKind::File
               ? nodesOf(population.placement.file, name)
               : EdgeEnd{population.placement.size[0], nullptr};
  };
  return EdgeEnds{endOf(edges.source), endOf(edges.target), named->edgeTypes};
}

EdgeEnd nodesBeside(const EdgesWithoutNodes& edges, const std::string& population)
{
  for (const fs::path& file : sonataFilesIn(fs::absolute(edges.file).parent_path()))
    if (hasNodes(file, population))
      return nodesOf(file, population);
  throw Error(ErrorCode::BadFormat,
              "holds edges of the nodes \"" + population +
                  "\", which no SONATA file in its folder has and no circuit_config.json names; put the file of these "
                  "nodes beside it, or give it with --neurons",
              edges.file);
}

} // namespace

std::optional<EdgesWithoutNodes> edgesWithoutNodes(const fs::path& file)
{
  std::error_code failure;
  if (!io::isSonataFile(file) || !fs::is_regular_file(file, failure))
    return std::nullopt;
  try {
    const io::Hdf5Reader reader(file);
    if (!reader.has("/edges"))
      return std::nullopt;
    const std::string name = io::detail::onlyName(reader, "/edges", file.string());
    const auto nodesAt = [&](const char* column) {
      return reader.textAttribute("/edges/" + name + column, "node_population");
    };
    EdgesWithoutNodes edges{file.string(), name, nodesAt("/source_node_id"), nodesAt("/target_node_id")};
    if (reader.has("/nodes/" + edges.source) && reader.has("/nodes/" + edges.target))
      return std::nullopt;
    return edges;
  } catch (const Error&) {
    return std::nullopt; // what is wrong with it is said where it is read
  }
}

fs::path circuitNaming(const EdgesWithoutNodes& edges, const RunControl& control)
{
  for (const fs::path& path : configurationsBy(edges))
    try {
      std::error_code failure;
      if (!fs::is_regular_file(path, failure))
        continue;
      const model::Project circuit = importSonata(path, control).project;
      if (namedIn(circuit, edges) != circuit.connections.end())
        return path;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
    }
  return {};
}

Error needOfNodes(const EdgesWithoutNodes& edges, const fs::path& circuit)
{
  const std::string ends = edges.source == edges.target ? "nodes \"" + edges.source + "\""
                                                        : "nodes \"" + edges.source + "\" and \"" + edges.target + "\"";
  const std::string instead =
      circuit.empty()
          ? "open the circuit_config.json that names this file and theirs, which neither its folder nor the "
            "one above has"
          : "open the circuit that names them, " + circuit.string();
  return {ErrorCode::BadFormat, "holds edges of the " + ends + ", which are in other files; " + instead, edges.file};
}

EdgeEnds findNodes(const EdgesWithoutNodes& edges, const std::vector<std::string>& given, const RunControl& control)
{
  if (!given.empty())
    return {nodesGiven(given, edges.source, true, control), nodesGiven(given, edges.target, false, control), {}};
  for (const fs::path& path : configurationsBy(edges))
    if (auto ends = nodesOfConfiguration(path, edges, control))
      return *ends;
  return {nodesBeside(edges, edges.source), nodesBeside(edges, edges.target), {}};
}

} // namespace hinesight::study
