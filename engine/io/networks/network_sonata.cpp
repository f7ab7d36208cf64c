#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "io/networks/network_files.hpp"
#include "io/sonata/sonata_parts.hpp"
#include "io/text_lines.hpp"

#include <algorithm>

// Neurons as SONATA nodes, /nodes/neurons with x, y, z, synapse_class and region; networks as SONATA edges besides,
// /edges/neurons__neurons__plastic, whose syn_weight counts synapses (negative from inhibitory axons), and, where there
// are static synapses, /edges/neurons__neurons__static, whose syn_weight is any number. The tables of types lie beside
// such a file.

namespace hinesight::io::detail {

namespace {

using synapse::NeuronPopulation;

const std::string kPopulation = "neurons";
constexpr std::string_view kPlastic = "plastic";
constexpr std::string_view kStatic = "static";
constexpr const char* kClass = "/0/synapse_class";
constexpr const char* kClasses = "/0/@library/synapse_class";
constexpr const char* kRegion = "/0/region";
constexpr const char* kRegions = "/0/@library/region";
constexpr std::uint64_t kRowsOfPiece = 1 << 16;
constexpr double kDelay = 1; // ms: a spike reaches its targets in the next step

/// A population of edges.
std::string edgesOfKind(std::string_view kind)
{
  return kPopulation + "__" + kPopulation + "__" + std::string(kind);
}

struct NeuronColumns
{
  NodeColumns nodes;
  std::uint64_t synapseClass, region;
};

const std::string kOwnGroup = "/hinesight";
const std::string kParameters = kOwnGroup + "/parameters"; // a text of lines "name=text"

void addParameters(Hdf5Layout& file, const std::vector<Setting>& settings)
{
  if (settings.empty())
    return;
  const std::string lines = linesOf(settings);
  file.addGroup(kOwnGroup);
  file.addTexts(kParameters, {&lines, 1});
}

NeuronColumns layOutNeurons(Hdf5Layout& file, const NeuronPopulation& population)
{
  static const std::array<std::string, 2> kClassNames = {"EXC", "INH"};
  const std::string nodes = "/nodes/" + kPopulation;
  NeuronColumns columns{};
  columns.nodes = layOutNodes(file, kPopulation, population.size());
  columns.synapseClass = file.addColumn(nodes + kClass, StoredNumber::UInt32, population.size());
  columns.region = file.addColumn(nodes + kRegion, StoredNumber::UInt32, population.size());
  file.addTexts(nodes + kClasses, kClassNames);
  file.addTexts(nodes + kRegions, population.areaNames);
  return columns;
}

template <typename Synapse>
std::vector<std::uint64_t> offsetsOf(const std::vector<Synapse>& synapses, std::size_t neurons)
{
  std::vector<std::uint64_t> offsets(neurons + 1, 0);
  for (const Synapse& synapse : synapses)
    ++offsets[synapse.source + 1];
  for (std::size_t i = 0; i < neurons; ++i)
    offsets[i + 1] += offsets[i];
  return offsets;
}

template <typename Synapse>
EdgeColumns layOutEdges(Hdf5Layout& file, std::string_view kind, std::uint32_t type,
                        const std::vector<Synapse>& synapses, const StoredNetwork& network, const RunControl& control)
{
  const std::string edges = "/edges/" + edgesOfKind(kind);
  const std::uint64_t rows = synapses.size();
  file.addGroup(edges);
  file.addAttribute(edges, kStepAttribute, std::to_string(network.step), StoredText::Fixed);
  const EdgeColumns columns =
      addEdgeColumns(file, edges, rows, kPopulation, kPopulation, StoredText::Fixed, nullptr, type);
  file.addConstantColumn(edges + "/0/delay", StoredNumber::Float64, rows, kDelay);
  addSourceIndex(file, edges, offsetsOf(synapses, network.neurons()));
  requireMemory(rows * sizeof(std::uint32_t), "The targets of " + std::to_string(rows) + " synapses");
  std::vector<std::uint32_t> targets;
  targets.reserve(rows);
  for (const Synapse& synapse : synapses)
    targets.push_back(synapse.target);
  addTargetIndex(file, edges, targets, network.neurons(), control);
  return columns;
}

/// Calls body(begin, end) for one piece after the other.
template <typename Body>
void forPieces(std::uint64_t count, const RunControl& control, const Body& body)
{
  for (std::uint64_t begin = 0; begin < count; begin += kRowsOfPiece) {
    control.checkpoint();
    body(begin, std::min(count, begin + kRowsOfPiece));
  }
}

void writeNeurons(const RowFile& file, const NeuronPopulation& population, const NeuronColumns& columns,
                  const RunControl& control)
{
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint32_t> kinds;
  std::vector<double> positions;
  forPieces(population.size(), control, [&](std::uint64_t begin, std::uint64_t end) {
    const auto itself = [](std::uint64_t i) { return i; };
    writeColumn(file, columns.nodes.id, begin, end, numbers, itself);
    writeColumn(file, columns.nodes.groupIndex, begin, end, numbers, itself);
    for (std::size_t axis = 0; axis < 3; ++axis)
      writeColumn(file, columns.nodes.position[axis], begin, end, positions,
                  [&](std::uint64_t i) { return population.position[i][axis]; });
    writeColumn(file, columns.synapseClass, begin, end, kinds,
                [&](std::uint64_t i) -> std::uint32_t { return population.isInhibitory[i] ? 1 : 0; });
    writeColumn(file, columns.region, begin, end, kinds, [&](std::uint64_t i) { return population.area[i]; });
  });
}

template <typename Synapse>
void writeEdges(const RowFile& file, const std::vector<Synapse>& synapses, const EdgeColumns& columns,
                const RunControl& control)
{
  std::vector<std::uint64_t> numbers;
  std::vector<double> weights;
  forPieces(synapses.size(), control, [&](std::uint64_t begin, std::uint64_t end) {
    writeColumn(file, columns.source, begin, end, numbers,
                [&](std::uint64_t i) -> std::uint64_t { return synapses[i].source; });
    writeColumn(file, columns.target, begin, end, numbers,
                [&](std::uint64_t i) -> std::uint64_t { return synapses[i].target; });
    writeColumn(file, columns.groupIndex, begin, end, numbers, [](std::uint64_t i) { return i; });
    writeColumn(file, columns.weight, begin, end, weights,
                [&](std::uint64_t i) -> double { return synapses[i].weight; });
  });
}

/// A column of whole numbers of nodes, each below `limit`.
std::vector<std::uint32_t> readKinds(const Hdf5Reader& file, const std::string& column, std::uint64_t count,
                                     std::size_t limit, const std::string& path)
{
  if (file.count(column) != count)
    throw Error(ErrorCode::BadFormat,
                column + " holds " + std::to_string(file.count(column)) + " values for " + std::to_string(count) +
                    " nodes",
                path);
  std::vector<std::int64_t> values(count);
  file.read(column, 0, std::span(values));
  std::vector<std::uint32_t> kinds;
  kinds.reserve(count);
  for (const std::int64_t value : values) {
    if (value < 0 || static_cast<std::uint64_t>(value) >= limit)
      throw Error(ErrorCode::BadFormat,
                  column + " holds " + std::to_string(value) + ", its @library has " + std::to_string(limit) + " names",
                  path);
    kinds.push_back(static_cast<std::uint32_t>(value));
  }
  return kinds;
}

void readClasses(const Hdf5Reader& file, const std::string& nodes, NeuronPopulation& population,
                 const std::string& path)
{
  population.isInhibitory.assign(population.size(), 0);
  if (!file.has(nodes + kClass) || !file.has(nodes + kClasses))
    return;
  const std::vector<std::string> names = file.texts(nodes + kClasses);
  const std::vector<std::uint32_t> kinds = readKinds(file, nodes + kClass, population.size(), names.size(), path);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    population.isInhibitory[i] = names[kinds[i]] == "INH" ? 1 : 0;
}

void readRegions(const Hdf5Reader& file, const std::string& nodes, NeuronPopulation& population,
                 const std::string& path)
{
  population.area.assign(population.size(), 0);
  if (!file.has(nodes + kRegion) || !file.has(nodes + kRegions))
    return;
  population.areaNames = file.texts(nodes + kRegions);
  population.area = readKinds(file, nodes + kRegion, population.size(), population.areaNames.size(), path);
}

/// Reads the edges of a file whose edges are all of one population of neurons.
class SonataNetworkReader
{
public:
  explicit SonataNetworkReader(const std::filesystem::path& file) : path(file.string()), reader(file)
  {
    if (!reader.has("/edges"))
      fail("has no /edges; is it a SONATA file of a network?");
    populations = reader.namesIn("/edges");
    if (populations.empty())
      fail("holds no population in /edges");
  }

  StoredNetwork read(const RunControl& control)
  {
    const std::string nodes = nodesOf(populations.front());
    for (const std::string& name : populations)
      if (nodesOf(name) != nodes)
        fail("connects populations " + nodes + " and " + nodesOf(name) + "; a network of one is needed");
    NetworkBuilder builder(path, reader.has("/nodes/" + nodes) ? countNodes(reader, "/nodes/" + nodes) : 0);
    std::uint32_t step = 0;
    for (const std::string& name : populations) {
      step = std::max(step, stepOf("/edges/" + name));
      addRows(builder, "/edges/" + name, !name.ends_with(kStatic), control);
    }
    StoredNetwork network = builder.finish(step);
    if (reader.has(kParameters))
      for (const std::string& lines : reader.texts(kParameters))
        network.settings = settingsOfLines(lines);
    return network;
  }

private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorCode::BadFormat, what, path); }

  /// The population that the edges connect with itself.
  std::string nodesOf(const std::string& population) const
  {
    const std::string edges = "/edges/" + population;
    const std::string source = reader.textAttribute(edges + "/source_node_id", "node_population");
    const std::string target = reader.textAttribute(edges + "/target_node_id", "node_population");
    if (source != target)
      fail(edges + " goes from population " + source + " to " + target + "; a network of one is needed");
    return source;
  }

  std::uint32_t stepOf(const std::string& edges) const
  {
    if (!reader.hasAttribute(edges, kStepAttribute))
      return 0;
    std::uint32_t step = 0;
    if (!parseWhole(reader.textAttribute(edges, kStepAttribute), step))
      fail("does not give the step of " + edges + " as a whole number");
    return step;
  }

  void addRows(NetworkBuilder& builder, const std::string& edges, bool isPlastic, const RunControl& control)
  {
    const std::uint64_t rows = countEdges(reader, edges, {"/target_node_id", "/0/syn_weight"}, path);
    std::vector<std::int64_t> source, target;
    std::vector<double> weight;
    for (std::uint64_t begin = 0; begin < rows; begin += kRowsOfPiece) {
      control.report("read", static_cast<double>(begin) / static_cast<double>(rows));
      const std::uint64_t count = std::min(kRowsOfPiece, rows - begin);
      source.resize(count);
      target.resize(count);
      weight.resize(count);
      reader.read(edges + "/source_node_id", begin, std::span(source));
      reader.read(edges + "/target_node_id", begin, std::span(target));
      reader.read(edges + "/0/syn_weight", begin, std::span(weight));
      // A negative number becomes one that is above every population's size.
      for (std::size_t i = 0; i < count; ++i)
        builder.add(static_cast<std::uint64_t>(source[i]), static_cast<std::uint64_t>(target[i]), weight[i], isPlastic);
    }
  }

  std::string path;
  Hdf5Reader reader;
  std::vector<std::string> populations;
};

} // namespace

StoredNetwork readNetworkSonata(const std::filesystem::path& path, const RunControl& control)
{
  return SonataNetworkReader(path).read(control);
}

void writeNetworkSonata(const StoredNetwork& network, const NeuronPopulation& population,
                        const std::filesystem::path& path, const RunControl& control)
{
  replaceFileAtomically(path, [&](const std::filesystem::path& temporary) {
    NeuronColumns neurons{};
    EdgeColumns plastic{}, fixed{};
    {
      Hdf5Layout file(temporary, path.string());
      addSonataRoot(file);
      addParameters(file, settingsOf(network, population));
      neurons = layOutNeurons(file, population);
      plastic = layOutEdges(file, kPlastic, 0, network.plastic.synapses, network, control);
      if (!network.fixed.empty())
        fixed = layOutEdges(file, kStatic, 1, network.fixed, network, control);
      file.close();
    }
    const RowFile file(temporary, path.string());
    writeNeurons(file, population, neurons, control);
    writeEdges(file, network.plastic.synapses, plastic, control);
    writeEdges(file, network.fixed, fixed, control);
  });
  std::vector<std::string> kinds = {edgesOfKind(kPlastic)};
  if (!network.fixed.empty())
    kinds.push_back(edgesOfKind(kStatic));
  writeTypesBeside(path, {kPopulation}, kinds);
}

NeuronPopulation readNeuronsSonata(const std::filesystem::path& path, const std::string& population,
                                   const RunControl& control)
{
  control.checkpoint();
  const std::string name = path.string();
  const Hdf5Reader file(path);
  const std::string nodes = nodesNamed(file, population, name);
  const auto [x, y, z] = readPlacedNodes(file, nodes, name);
  NeuronPopulation neurons;
  neurons.position.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    neurons.position.push_back({x[i], y[i], z[i]});
  readClasses(file, nodes, neurons, name);
  readRegions(file, nodes, neurons, name);
  return neurons;
}

void writeNeuronsSonata(const NeuronPopulation& population, const std::filesystem::path& path,
                        const RunControl& control)
{
  replaceFileAtomically(path, [&](const std::filesystem::path& temporary) {
    NeuronColumns columns{};
    {
      Hdf5Layout file(temporary, path.string());
      addSonataRoot(file);
      addParameters(file, population.origin);
      columns = layOutNeurons(file, population);
      file.close();
    }
    writeNeurons(RowFile(temporary, path.string()), population, columns, control);
  });
}

} // namespace hinesight::io::detail
