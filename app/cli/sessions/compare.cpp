#include "app/cli/commands.hpp"
#include "app/cli/options.hpp"
#include "app/cli/report.hpp"
#include "app/cli/sessions/session_options.hpp"
#include "core/error.hpp"
#include "io/networks/neuron_files.hpp"
#include "model/session_file.hpp"
#include "study/circuit/network_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace hinesight::cli {

namespace {

struct CompareOptions : SessionOptions
{
  std::vector<std::string> files;       ///< a session, or two networks
  std::vector<std::string> connections; ///< two, of a session, or one and the file of a network
  std::vector<std::string> neurons;     ///< positions for networks that hold none
  study::ComparisonParameters parameters;
  std::string folder;
};

bool isSession(const std::string& file)
{
  return std::filesystem::path(file).extension() == model::kSessionEnding;
}

std::vector<study::NetworkComparison> compareInSession(CompareOptions& options, Session& session)
{
  options.file = options.files.front();
  if (options.connections.size() != 2)
    throw UsageError("--connections", "names two connections of the session: --connections FIRST SECOND");
  if (!options.neurons.empty())
    throw UsageError("--neurons", "is of files; a session says where its neurons are");
  const model::Project project = readProject(options, session);
  const auto sideOf = [&](const std::string& name) {
    const bool isConnection =
        std::ranges::find(project.connections, name, &model::Connection::name) != project.connections.end();
    return !isConnection && std::filesystem::is_regular_file(name) ? study::ComparedSide{{}, name}
                                                                   : study::ComparedSide{name, {}};
  };
  const study::ComparedSide first = sideOf(options.connections[0]), second = sideOf(options.connections[1]);
  if (!first.file.empty() || !second.file.empty())
    return study::compareConnections(project, first, second, options.parameters, session.control());
  const study::Circuit circuit = study::makeCircuit(project, session.control());
  return study::compareConnections(circuit, options.connections[0], options.connections[1], options.parameters,
                                   session.control());
}

std::vector<study::NetworkComparison> compareFiles(const CompareOptions& options, Session& session)
{
  if (options.files.size() != 2)
    throw UsageError("FILE", "needs two networks or tables, or one session with --connections");
  if (!options.connections.empty() || !options.changes.empty())
    throw UsageError(options.connections.empty() ? "--set" : "--connections",
                     "is of a session, FILE" + std::string(model::kSessionEnding));
  std::vector<study::ComparedNetwork> networks;
  for (const std::string& file : options.files)
    networks.push_back(study::readComparedNetwork(file, options.neurons, session.control()));
  return study::compareFiles(networks[0], networks[1], options.parameters, session.control());
}

std::string meanAndDeviation(const study::DegreeFigures& degrees)
{
  constexpr int kDigits = 4;
  return formatNumber(degrees.mean, kDigits) + " (" + formatNumber(degrees.deviation, kDigits) + ")";
}

void printText(std::ostream& stream, const study::NetworkComparison& c)
{
  constexpr int kDigits = 5;
  const auto count = [](std::uint64_t number) { return formatCount(static_cast<std::int64_t>(number)); };
  printField(stream, "from", c.source + ", " + count(c.sources) + " neurons");
  printField(stream, "to", c.target + ", " + count(c.targets) + " neurons");
  stream << '\n';
  Table table;
  table.add(
      {"network", "synapses", "connected pairs", "probability", "out-degree (sd)", "in-degree (sd)", "total weight"});
  for (const study::NetworkFigures& network : c.networks)
    table.add({network.name, network.synapses > 0 ? count(network.synapses) : "-", count(network.connections),
               formatNumber(network.probability, kDigits), meanAndDeviation(network.out), meanAndDeviation(network.in),
               formatNumber(network.totalWeight, kDigits)});
  table.print(stream);
  stream << '\n';
  printField(stream, "in both", count(c.inBoth));
  printField(stream, "only in the first", count(c.inOneOnly[0]));
  printField(stream, "only in the second", count(c.inOneOnly[1]));
  const auto known = [](double figure) { return std::isnan(figure) ? "-" : formatNumber(figure, kDigits); };
  printField(stream, "Jaccard index", known(c.jaccard));
  printField(stream, "correlation of weights", known(c.weightCorrelation));
  if (c.pairsByDistance.empty())
    return;
  stream << '\n';
  Table distances;
  distances.add({"distance up to", "pairs", "probability, first", "second"});
  for (std::size_t k = 0; k < c.pairsByDistance.size(); ++k) {
    const std::uint64_t pairs = c.pairsByDistance[k];
    const auto probability = [&](std::size_t network) {
      return pairs == 0
                 ? std::string("-")
                 : formatNumber(static_cast<double>(c.networks[network].byDistance[k]) / static_cast<double>(pairs),
                                kDigits);
    };
    distances.add({formatNumber(static_cast<double>(k + 1) * c.distanceWidth, kDigits), count(pairs), probability(0),
                   probability(1)});
  }
  distances.print(stream);
}

int runCompare(CompareOptions& options, Session& session)
{
  const auto comparisons = isSession(options.files.front()) && options.files.size() == 1
                               ? compareInSession(options, session)
                               : compareFiles(options, session);
  if (!options.folder.empty())
    study::writeComparisons(comparisons, options.folder);
  for (const study::NetworkComparison& comparison : comparisons)
    for (const std::string& warning : comparison.warnings)
      session.printWarning(warning);
  if (session.json) {
    session.results() << study::comparisonsAsJson(comparisons);
    return 0;
  }
  for (const study::NetworkComparison& comparison : comparisons) {
    session.results() << (&comparison == comparisons.data() ? "" : "\n");
    printText(session.results(), comparison);
  }
  return 0;
}

} // namespace

void addCompareCommand(Command& program, Session& session)
{
  auto options = std::make_shared<CompareOptions>();
  Command& command = addCommand(program, session, "compare",
                                "Compare two networks over the same neurons: by distance, by degree, by overlap",
                                [options, &session] { return runCompare(*options, session); });
  command.addInput("FILE", options->files, "Two weight tables or networks, or one session, FILE.hinesight")
      .required()
      .takes(1, 2);
  command
      .addOption("--connections", options->connections,
                 "The two of a session, by their names, such as EE formed; of a formed connection those parts that "
                 "join the same populations. One may be the file of a network, such as one that was grown")
      .typeName("NAME")
      .takes(2);
  addSetOption(command, *options);
  command
      .addInput("--neurons", options->neurons,
                "Positions for networks whose files hold none, or the nodes of SONATA edges; given twice, those of "
                "sources and of targets: " +
                    io::neuronFileHelp())
      .takesOneArgument();
  addFieldOptions(command, fieldsOf(options->parameters), "Comparison");
  command.addOutputFolder("--out", options->folder,
                          "Write to a folder: comparison.json, overlap.csv, by_degree.csv, by_distance.csv");
}

} // namespace hinesight::cli
