#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "io/csv.hpp"
#include "io/networks/network_files.hpp"
#include "io/runs/json_values.hpp"
#include "io/tables/projection_export.hpp"
#include "study/circuit/edge_file.hpp"
#include "study/circuit/edge_rows.hpp"
#include "study/circuit/network_comparison.hpp"
#include "study/formation/formation_study.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hinesight::study {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

ComparedNetwork comparedTable(const fs::path& path, const RunControl& control)
{
  const std::shared_ptr<io::ImportedTable> imported = io::importTable(path, control);
  const projection::Projection& projection = imported->table.projection;
  ComparedNetwork network;
  network.edges = edgesOf({imported, &imported->table}, imported->destinations);
  network.edges.source = io::valueOf(imported->metadata, "source");
  network.edges.target = io::valueOf(imported->metadata, "destination");
  if (projection.source && projection.destination) {
    network.sources = projection.source;
    network.targets = projection.destination;
    network.edges.source = projection.source->name();
    network.edges.target = projection.destination->name();
  }
  network.isWrapped = projection.parameters.wrap;
  return network;
}

/// The areas of neurons, where these lie one after another in the order of their names, each in one piece: so has them
/// what was formed or grown between populations. Empty: there is one area, or they lie in another way.
std::vector<NamedNeurons> areasOf(const synapse::NeuronPopulation& neurons)
{
  std::vector<NamedNeurons> areas;
  for (const std::string& name : neurons.areaNames)
    areas.push_back({name, 0});
  if (areas.size() < 2 || !std::ranges::is_sorted(neurons.area) || neurons.area.back() >= areas.size())
    return {};
  for (const std::uint32_t area : neurons.area)
    ++areas[area].count;
  return areas;
}

/// Those of a network whose file holds them, or of the file of neurons beside it. What of these cannot be read says
/// nothing.
std::vector<NamedNeurons> areasBeside(const fs::path& network, std::uint64_t count, const RunControl& control)
{
  const std::string file = neuronsBeside(network.string());
  if (file.empty())
    return {};
  try {
    const synapse::NeuronPopulation neurons = io::readNeuronPopulation(io::NeuronFile{file, {}}, control);
    return neurons.size() == count ? areasOf(neurons) : std::vector<NamedNeurons>();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
    return {};
  }
}

/// The synapses, without positions and names. Both kinds lie by their sources.
ComparedNetwork comparedNetwork(const io::StoredNetwork& stored)
{
  auto rows = std::make_shared<EdgeRows>();
  auto plastic = stored.plastic.synapses.begin();
  auto fixed = stored.fixed.begin();
  const auto take = [&](auto& synapse, auto end, std::uint32_t source) {
    for (; synapse != end && synapse->source == source; ++synapse)
      rows->add(synapse->target, synapse->weight);
  };
  for (std::uint32_t source = 0; source < stored.neurons(); ++source) {
    take(plastic, stored.plastic.synapses.end(), source);
    take(fixed, stored.fixed.end(), source);
    rows->endSource();
  }
  ComparedNetwork network;
  network.edges = edgesOf(std::move(rows), stored.neurons());
  network.edges.source = network.edges.target = "neurons";
  network.edges.synapses = synapse::synapseCount(stored.plastic) + stored.fixed.size();
  return network;
}

ComparedNetwork comparedSynapses(const fs::path& path, const RunControl& control)
{
  const io::StoredNetwork stored = io::readNetwork(path, control);
  ComparedNetwork network = comparedNetwork(stored);
  network.populations = areasBeside(path, stored.neurons(), control);
  if (io::isSonataFile(path) && io::sonataContent(path).hasNeurons)
    network.sources = network.targets = projection::populationAt("neurons", io::readPositions({path.string(), {}}));
  return network;
}

/// The neurons of edges whose nodes are in other files.
ComparedNetwork comparedEdges(const EdgesWithoutNodes& edges, const std::vector<std::string>& neurons,
                              const RunControl& control)
{
  const EdgeEnds ends = findNodes(edges, neurons, control);
  ComparedNetwork network;
  network.edges =
      io::readCircuitEdges({edges.file, edges.name, ends.edgeTypes}, ends.source.count, ends.target.count, control);
  network.edges.name = edges.file;
  network.edges.source = edges.source;
  network.edges.target = edges.target;
  network.sources = ends.source.neurons;
  network.targets = ends.target.neurons;
  return network;
}

/// The neurons of a file, as many as the network has.
std::shared_ptr<const projection::Population> placedAs(const std::string& file, std::uint64_t wanted,
                                                       const fs::path& network, const RunControl& control)
{
  auto placed = projection::populationAt("neurons", io::readPositions(io::parseNeuronFile(file), control));
  if (placed->count() != wanted)
    throw Error(ErrorCode::BadParameter,
                "has " + std::to_string(placed->count()) + " neurons where the network \"" + network.string() +
                    "\" has " + std::to_string(wanted),
                file);
  return placed;
}

Json jsonOf(const DegreeFigures& degrees)
{
  return {{"mean", degrees.mean},
          {"standardDeviation", degrees.deviation},
          {"least", degrees.least},
          {"most", degrees.most},
          {"neurons", degrees.neurons}};
}

Json jsonOf(const NetworkFigures& network)
{
  return {{"name", network.name},
          {"rows", network.rows},
          {"synapses", network.synapses},
          {"connections", network.connections},
          {"selfConnections", network.selfConnections},
          {"probability", network.probability},
          {"totalWeight", io::jsonNumber(network.totalWeight)},
          {"positiveWeight", io::jsonNumber(network.positiveWeight)},
          {"negativeWeight", io::jsonNumber(network.negativeWeight)},
          {"outDegree", jsonOf(network.out)},
          {"inDegree", jsonOf(network.in)},
          {"byDistance", network.byDistance}};
}

Json jsonOf(const NetworkComparison& c)
{
  Json networks = Json::array();
  for (const NetworkFigures& network : c.networks)
    networks.push_back(jsonOf(network));
  return {{"source", c.source},
          {"target", c.target},
          {"sources", c.sources},
          {"targets", c.targets},
          {"inBoth", c.inBoth},
          {"onlyFirst", c.inOneOnly[0]},
          {"onlySecond", c.inOneOnly[1]},
          {"jaccard", io::jsonNumber(c.jaccard)},
          {"weightCorrelation", io::jsonNumber(c.weightCorrelation)},
          {"outDegreeWidth", c.outWidth},
          {"inDegreeWidth", c.inWidth},
          {"distanceWidth", c.distanceWidth},
          {"pairsByDistance", c.pairsByDistance},
          {"networks", std::move(networks)},
          {"warnings", c.warnings}};
}

/// Source, target, and the names of both networks: what every row begins with.
std::string beginOf(const NetworkComparison& c)
{
  return io::quoteCsv(c.source) + ',' + io::quoteCsv(c.target) + ',' + io::quoteCsv(c.networks[0].name) + ',' +
         io::quoteCsv(c.networks[1].name);
}
constexpr const char* kBegin = "source,target,first,second";

void writeOverlap(std::ostream& stream, const std::vector<NetworkComparison>& comparisons)
{
  stream << kBegin
         << ",connections_first,connections_second,in_both,only_first,only_second,jaccard,weight_correlation,"
            "total_weight_first,total_weight_second\n";
  for (const NetworkComparison& c : comparisons)
    stream << beginOf(c) << ',' << c.networks[0].connections << ',' << c.networks[1].connections << ',' << c.inBoth
           << ',' << c.inOneOnly[0] << ',' << c.inOneOnly[1] << ',' << textOf(c.jaccard) << ','
           << textOf(c.weightCorrelation) << ',' << textOf(c.networks[0].totalWeight) << ','
           << textOf(c.networks[1].totalWeight) << '\n';
}

void writeDegrees(std::ostream& stream, const std::vector<NetworkComparison>& comparisons)
{
  stream << kBegin << ",degree,from,to,neurons_first,neurons_second\n";
  for (const NetworkComparison& c : comparisons) {
    const auto write = [&](const char* degree, std::uint64_t width, const DegreeFigures& a, const DegreeFigures& b) {
      for (std::size_t k = 0; k < a.neurons.size(); ++k)
        stream << beginOf(c) << ',' << degree << ',' << k * width << ',' << (k + 1) * width - 1 << ',' << a.neurons[k]
               << ',' << b.neurons[k] << '\n';
    };
    write("out", c.outWidth, c.networks[0].out, c.networks[1].out);
    write("in", c.inWidth, c.networks[0].in, c.networks[1].in);
  }
}

void writeDistances(std::ostream& stream, const std::vector<NetworkComparison>& comparisons)
{
  stream << kBegin << ",from,to,pairs,connections_first,connections_second,probability_first,probability_second\n";
  for (const NetworkComparison& c : comparisons)
    for (std::size_t k = 0; k < c.pairsByDistance.size(); ++k) {
      const std::uint64_t pairs = c.pairsByDistance[k];
      stream << beginOf(c) << ',' << textOf(static_cast<double>(k) * c.distanceWidth) << ','
             << textOf(static_cast<double>(k + 1) * c.distanceWidth) << ',' << pairs;
      for (const NetworkFigures& network : c.networks)
        stream << ',' << network.byDistance[k];
      // A bin without pairs has no probability.
      for (const NetworkFigures& network : c.networks)
        stream << ','
               << (pairs > 0 ? textOf(static_cast<double>(network.byDistance[k]) / static_cast<double>(pairs)) : "");
      stream << '\n';
    }
}

} // namespace

ComparedNetwork readComparedNetwork(const fs::path& path, const std::vector<std::string>& neurons,
                                    const RunControl& control)
{
  if (const auto edges = edgesWithoutNodes(path))
    return comparedEdges(*edges, neurons, control);
  const io::NetworkContent content = io::networkContent(path);
  if (content == io::NetworkContent::Neurons)
    throw Error(ErrorCode::BadFormat, "holds neurons and no connections; give a weight table or a network",
                path.string());
  ComparedNetwork network =
      content == io::NetworkContent::Network ? comparedSynapses(path, control) : comparedTable(path, control);
  network.edges.name = path.string();
  if (!neurons.empty() && !network.sources && !network.targets) {
    network.sources = placedAs(neurons.front(), network.sourceCount(), path, control);
    network.targets = neurons.size() == 1 && network.sourceCount() == network.edges.targets
                          ? network.sources
                          : placedAs(neurons.back(), network.edges.targets, path, control);
  }
  return network;
}

ComparedNetwork comparedNetwork(const synapse::PlasticityModel& model)
{
  io::StoredNetwork stored;
  stored.plastic = model.network();
  stored.fixed = model.staticNetwork().synapses;
  std::ranges::sort(stored.fixed);
  ComparedNetwork network = comparedNetwork(stored);
  const synapse::NeuronPopulation& neurons = model.population();
  if (neurons.areaNames.size() == 1)
    network.edges.source = network.edges.target = neurons.areaNames.front();
  network.populations = areasOf(neurons);
  std::array<std::vector<double>, 3> positions;
  for (const synapse::Position& position : neurons.position)
    for (std::size_t axis = 0; axis < positions.size(); ++axis)
      positions[axis].push_back(position[axis]);
  network.sources = network.targets = projection::populationAt(network.edges.source, std::move(positions));
  return network;
}

std::string comparisonsAsJson(const std::vector<NetworkComparison>& comparisons)
{
  Json list = Json::array();
  for (const NetworkComparison& comparison : comparisons)
    list.push_back(jsonOf(comparison));
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void writeComparisons(const std::vector<NetworkComparison>& comparisons, const fs::path& folder)
{
  makeFolder(folder);
  const std::string json = comparisonsAsJson(comparisons);
  writeFileAtomically(folder / "comparison.json", [&](std::ostream& stream) { stream << json; });
  writeFileAtomically(folder / "overlap.csv", [&](std::ostream& stream) { writeOverlap(stream, comparisons); });
  writeFileAtomically(folder / "by_degree.csv", [&](std::ostream& stream) { writeDegrees(stream, comparisons); });
  writeFileAtomically(folder / "by_distance.csv", [&](std::ostream& stream) { writeDistances(stream, comparisons); });
}

} // namespace hinesight::study
