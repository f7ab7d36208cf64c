#include "core/error.hpp"
#include "core/files.hpp"
#include "io/networks/network_files.hpp"
#include "io/tables/projection_export.hpp"
#include "projection/projection.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/connection_table.hpp"
#include "study/circuit/network_comparison.hpp"
#include "synapse/formation/formation.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

using namespace hinesight;
using namespace hinesight::study;

namespace {

using Weights = std::map<std::pair<std::uint64_t, std::uint64_t>, double>;

std::shared_ptr<const projection::Population> ball(const std::string& name, std::uint64_t count)
{
  projection::PopulationParameters parameters;
  parameters.name = name;
  parameters.kind = projection::PopulationKind::Sphere;
  parameters.count = count;
  parameters.seed = count;
  return projection::makePopulation(parameters);
}

struct Rows
{
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> target;
  std::vector<float> weight;
};

/// Rows of each source as they come.
ComparedNetwork networkOf(const std::string& name, std::shared_ptr<const projection::Population> sources,
                          std::shared_ptr<const projection::Population> targets,
                          const std::vector<std::vector<std::pair<std::uint32_t, float>>>& rowsOf)
{
  auto rows = std::make_shared<Rows>();
  rows->offsets.push_back(0);
  for (const auto& ofSource : rowsOf) {
    for (const auto& [target, weight] : ofSource) {
      rows->target.push_back(target);
      rows->weight.push_back(weight);
    }
    rows->offsets.push_back(rows->target.size());
  }
  ComparedNetwork network;
  network.edges.name = name;
  network.edges.source = sources->name();
  network.edges.target = targets->name();
  network.edges.targets = targets->count();
  network.edges.offsets = rows->offsets;
  network.edges.targetOfRow = rows->target;
  network.edges.weight = rows->weight;
  network.edges.owner = rows;
  network.sources = std::move(sources);
  network.targets = std::move(targets);
  return network;
}

/// Some rows, not in the order of their targets and some pairs twice.
ComparedNetwork scattered(const std::string& name, std::shared_ptr<const projection::Population> sources,
                          std::shared_ptr<const projection::Population> targets, std::uint32_t salt)
{
  std::vector<std::vector<std::pair<std::uint32_t, float>>> rows(sources->count());
  for (std::uint32_t source = 0; source < rows.size(); ++source)
    for (std::uint32_t k = 0; k < (source * salt) % 11; ++k) {
      const auto target = static_cast<std::uint32_t>((source * 7 + k * k * salt + 3) % targets->count());
      rows[source].emplace_back(target, static_cast<float>((source + k + salt) % 9) - 3.0F);
    }
  return networkOf(name, std::move(sources), std::move(targets), rows);
}

Weights weightsOf(const ComparedNetwork& network)
{
  Weights weights;
  for (std::size_t source = 0; source < network.sourceCount(); ++source)
    for (std::uint64_t row = network.edges.offsets[source]; row < network.edges.offsets[source + 1]; ++row)
      weights[{source, network.edges.targetOfRow[row]}] += network.edges.weight[row];
  return weights;
}

double distanceOf(const ComparedNetwork& network, std::uint64_t source, std::uint64_t target)
{
  const auto a = network.sources->position(source), b = network.targets->position(target);
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

bool nearly(double a, double b)
{
  constexpr double kRounding = 1e-12;
  return std::abs(a - b) <= kRounding * std::max({1.0, std::abs(a), std::abs(b)});
}

bool isAsCounted(const DegreeFigures& figures, const std::vector<std::uint64_t>& degrees, std::uint64_t width)
{
  double sum = 0, squares = 0;
  std::vector<std::uint64_t> neurons(figures.neurons.size(), 0);
  for (const std::uint64_t degree : degrees) {
    sum += static_cast<double>(degree);
    squares += static_cast<double>(degree * degree);
    ++neurons.at(degree / width);
  }
  const double count = static_cast<double>(degrees.size());
  const double mean = sum / count;
  return nearly(figures.mean, mean) && nearly(figures.deviation, std::sqrt(squares / count - mean * mean)) &&
         figures.least == *std::ranges::min_element(degrees) && figures.most == *std::ranges::max_element(degrees) &&
         figures.neurons == neurons;
}

/// 60 neurons E and 40 neurons I; the table EE, and synapses "formed" between both.
model::Project twoPopulations()
{
  model::Project project;
  for (const char* const name : {"E", "I"}) {
    model::Population population;
    population.placement.name = name;
    population.placement.kind = projection::PopulationKind::Sphere;
    population.placement.count = name[0] == 'I' ? 40 : 60;
    population.role = name[0] == 'I' ? model::Role::Inhibitory : model::Role::Excitatory;
    project.populations.push_back(population);
  }
  model::Connection table;
  table.name = "EE";
  table.source = table.target = "E";
  table.projection.kernel = projection::KernelKind::Gaussian;
  table.projection.sigma = 20;
  table.projection.cut = 0.3;
  model::Connection formed;
  formed.name = "formed";
  formed.kind = model::ConnectionKind::Formed;
  formed.between = {"E", "I"};
  formed.formation.axons = formed.formation.dendrites = 20; // so many that pairs have several
  project.connections = {table, formed};
  return project;
}

} // namespace

class TestNetworkComparison : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void figuresAreThoseOfBruteForce_data()
  {
    QTest::addColumn<bool>("isRecurrent");
    QTest::addColumn<int>("bins");
    QTest::newRow("two populations") << false << 13;
    QTest::newRow("one population") << true << 7;
    QTest::newRow("one bin") << true << 1;
  }
  void figuresAreThoseOfBruteForce()
  {
    QFETCH(bool, isRecurrent);
    QFETCH(int, bins);
    const auto sources = ball("E", 61);
    const auto targets = isRecurrent ? sources : ball("I", 40);
    const std::array networks = {scattered("a", sources, targets, 3), scattered("b", sources, targets, 5)};
    ComparisonParameters parameters;
    parameters.distanceBins = parameters.degreeBins = static_cast<std::uint32_t>(bins);
    const NetworkComparison made = compareNetworks(networks[0], networks[1], parameters);
    const std::array weights = {weightsOf(networks[0]), weightsOf(networks[1])};

    std::vector<std::uint64_t> pairs(parameters.distanceBins, 0);
    const auto binOf = [&](std::uint64_t i, std::uint64_t j) {
      return std::min<std::size_t>(pairs.size() - 1,
                                   static_cast<std::size_t>(distanceOf(networks[0], i, j) / made.distanceWidth));
    };
    std::array<std::vector<std::uint64_t>, 2> connected = {pairs, pairs};
    for (std::uint64_t i = 0; i < sources->count(); ++i)
      for (std::uint64_t j = 0; j < targets->count(); ++j) {
        if (isRecurrent && i == j)
          continue;
        QVERIFY(distanceOf(networks[0], i, j) <= made.distanceWidth * static_cast<double>(pairs.size()));
        ++pairs[binOf(i, j)];
        for (std::size_t k = 0; k < 2; ++k)
          connected[k][binOf(i, j)] += weights[k].count({i, j});
      }
    QVERIFY(made.pairsByDistance == pairs);

    std::vector<double> common[2];
    for (const auto& [pair, weight] : weights[0])
      if (const auto other = weights[1].find(pair); other != weights[1].end()) {
        common[0].push_back(weight);
        common[1].push_back(other->second);
      }
    QVERIFY(common[0].size() > 2);
    QCOMPARE(made.inBoth, std::uint64_t{common[0].size()});
    for (std::size_t k = 0; k < 2; ++k) {
      const NetworkFigures& figures = made.networks[k];
      QCOMPARE(made.inOneOnly[k], std::uint64_t{weights[k].size() - common[0].size()});
      QCOMPARE(figures.connections, std::uint64_t{weights[k].size()});
      QVERIFY(figures.byDistance == connected[k]);
      double total = 0;
      std::uint64_t selves = 0;
      std::vector<std::uint64_t> out(sources->count(), 0), in(targets->count(), 0);
      for (const auto& [pair, weight] : weights[k]) {
        total += weight;
        selves += isRecurrent && pair.first == pair.second;
        ++out[pair.first];
        ++in[pair.second];
      }
      QVERIFY(nearly(figures.totalWeight, total));
      QVERIFY(nearly(figures.positiveWeight + figures.negativeWeight, total) && figures.negativeWeight < 0);
      QCOMPARE(figures.selfConnections, selves);
      QVERIFY(isAsCounted(figures.out, out, made.outWidth));
      QVERIFY(isAsCounted(figures.in, in, made.inWidth));
      QVERIFY(figures.out.neurons.size() <= parameters.degreeBins);
    }
    const double either = static_cast<double>(weights[0].size() + weights[1].size() - common[0].size());
    QVERIFY(nearly(made.jaccard, static_cast<double>(common[0].size()) / either));
    double sums[5] = {};
    const double n = static_cast<double>(common[0].size());
    for (std::size_t i = 0; i < common[0].size(); ++i) {
      const double a = common[0][i], b = common[1][i];
      for (const auto& [sum, value] : {std::pair{0, a}, {1, b}, {2, a * a}, {3, b * b}, {4, a * b}})
        sums[sum] += value;
    }
    const double wanted = (n * sums[4] - sums[0] * sums[1]) /
                          std::sqrt((n * sums[2] - sums[0] * sums[0]) * (n * sums[3] - sums[1] * sums[1]));
    QVERIFY(std::abs(made.weightCorrelation - wanted) < 1e-9);
  }

  void threadsDoNotMatter()
  {
    const auto neurons = ball("E", 83);
    const ComparedNetwork a = scattered("a", neurons, neurons, 3), b = scattered("b", neurons, neurons, 4);
    std::vector<std::string> texts;
    for (const int threads : {1, 2, 7}) {
      ComparisonParameters parameters;
      parameters.threads = threads;
      texts.push_back(comparisonsAsJson({compareNetworks(a, b, parameters)}));
    }
    QVERIFY(texts[0] == texts[1] && texts[0] == texts[2]);
  }

  void aNetworkIsItsOwnEqual()
  {
    const auto neurons = ball("E", 50);
    const ComparedNetwork a = scattered("a", neurons, neurons, 3);
    const NetworkComparison made = compareNetworks(a, a);
    QCOMPARE(made.jaccard, 1.0);
    QVERIFY(nearly(made.weightCorrelation, 1));
    QVERIFY(made.warnings.empty());
  }

  void networksWithoutConnectionsHaveNoOverlap()
  {
    const auto neurons = ball("E", 5);
    const ComparedNetwork none = networkOf("none", neurons, neurons, {{}, {}, {}, {}, {}});
    const NetworkComparison made = compareNetworks(none, none);
    QVERIFY(std::isnan(made.jaccard) && std::isnan(made.weightCorrelation));
    QCOMPARE(made.networks[0].out.most, std::uint64_t{0});
  }

  void distancesOfATorusGoTheShortWay()
  {
    projection::PopulationParameters grid;
    grid.size = {10, 1, 1};
    const auto neurons = projection::makePopulation(grid);
    std::vector<std::vector<std::pair<std::uint32_t, float>>> rows(10);
    rows[0] = {{9, 1.0F}};
    ComparedNetwork ring = networkOf("ring", neurons, neurons, rows);
    ring.isWrapped = true;
    ComparisonParameters parameters;
    parameters.distanceBins = 5;
    const NetworkComparison made = compareNetworks(ring, ring, parameters);
    QCOMPARE(made.distanceWidth, 1.0);
    QVERIFY((made.networks[0].byDistance == std::vector<std::uint64_t>{0, 1, 0, 0, 0}));
    QVERIFY((made.pairsByDistance == std::vector<std::uint64_t>{0, 20, 20, 20, 30}));
  }

  void whatIsNotKnownIsSaid()
  {
    const auto neurons = ball("E", 50), others = ball("E", 51);
    ComparedNetwork a = scattered("a", neurons, neurons, 3), b = scattered("b", neurons, neurons, 5);
    QVERIFY_EXCEPTION_THROWN(compareNetworks(a, scattered("c", others, others, 3)), Error);
    ComparedNetwork moved = a;
    projection::PopulationParameters parameters = neurons->parameters();
    parameters.seed = 99;
    moved.sources = moved.targets = projection::makePopulation(parameters);
    QCOMPARE(compareNetworks(a, moved).warnings.size(), std::size_t{1});
    a.sources = a.targets = nullptr;
    QVERIFY(!compareNetworks(a, b).pairsByDistance.empty());
    b.sources = b.targets = nullptr;
    const NetworkComparison made = compareNetworks(a, b);
    QVERIFY(made.pairsByDistance.empty() && made.networks[0].byDistance.empty());
    QCOMPARE(made.warnings.size(), std::size_t{1});
    ComparisonParameters none;
    none.distanceBins = 0;
    QVERIFY_EXCEPTION_THROWN(compareNetworks(a, b, none), Error);
  }

  /// No more of the project is made than is compared.
  void connectionsOfAProjectAreComparedWithFiles()
  {
    model::Project project;
    for (const char* const name : {"E", "elsewhere"}) {
      model::Population population;
      population.placement.name = name;
      population.placement.kind = projection::PopulationKind::Sphere;
      population.placement.count = 80;
      project.populations.push_back(population);
    }
    project.populations[1].placement.kind = projection::PopulationKind::File;
    project.populations[1].placement.file = path("nowhere.csv").string();
    model::Connection table;
    table.name = "EE";
    table.source = table.target = "E";
    table.projection.kernel = projection::KernelKind::Gaussian;
    table.projection.sigma = 20;
    table.projection.cut = 0.3;
    model::Connection formed;
    formed.name = "formed";
    formed.kind = model::ConnectionKind::Formed;
    formed.between = {"E"};
    model::Connection lost = table;
    lost.name = "lost";
    lost.source = "elsewhere";
    project.connections = {table, formed, lost};
    const auto made = compareConnections(project, {"EE", {}}, {"formed", {}});
    QCOMPARE(made.size(), std::size_t{1});
    QVERIFY(made[0].jaccard > 0 && made[0].jaccard < 1);
    QVERIFY(made[0].networks[0].rows > 0);

    // The same connections as files: a table, and a network.
    const auto neurons = projection::makePopulation(project.populations[0].placement);
    io::exportTable(*projection::project({neurons, neurons, table.projection}), path("EE.npy"));
    const auto population = neuronsOf(project, {"E"});
    try { // one that was removed while its neurons were wanted
      neuronsOf(project, {"E", "nobody"});
      QFAIL("not refused");
    } catch (const Error& error) {
      QVERIFY2(QByteArray(error.what()).contains("no population \"nobody\""), error.what());
    }
    const auto formation = synapse::formSynapses(population, formed.formation);
    io::StoredNetwork stored;
    stored.plastic = formation->network;
    io::writeNetwork(stored, *population, path("formed.h5"));
    const auto sameTable = compareConnections(project, {"EE", {}}, {{}, path("EE.npy").string()});
    QCOMPARE(sameTable.at(0).jaccard, 1.0);
    const auto sameNetwork = compareConnections(project, {"formed", {}}, {{}, path("formed.h5").string()});
    QCOMPARE(sameNetwork.at(0).jaccard, 1.0);
    QVERIFY(!sameNetwork[0].pairsByDistance.empty());
    const auto files = compareConnections(project, {{}, path("EE.npy").string()}, {{}, path("formed.h5").string()});
    QCOMPARE(files.at(0).jaccard, made[0].jaccard);

    // As connections of files they are the same, too, and have tables.
    for (const char* const name : {"EE.npy", "formed.h5"}) {
      model::Connection read;
      read.name = name;
      read.kind = model::ConnectionKind::File;
      read.source = read.target = "E";
      read.file = path(name).string();
      project.connections.push_back(read);
    }
    QCOMPARE(compareConnections(project, {"formed", {}}, {"formed.h5", {}}).at(0).jaccard, 1.0);
    const ProjectionResult shown = tableOfFile(project, "formed.h5");
    QCOMPARE(shown.table->rows(), std::uint64_t{formation->network.synapses.size()});
    QVERIFY(shown.table->projection.source->coordinates(0) == neurons->coordinates(0));
    QVERIFY(shown.summary && !shown.hasParameters && shown.positionsAreKnown);
    for (std::uint64_t s = 0; s < shown.table->sources(); ++s)
      QVERIFY(std::is_sorted(shown.table->destination.begin() + shown.table->offsets[s],
                             shown.table->destination.begin() + shown.table->offsets[s + 1]));
    QVERIFY_EXCEPTION_THROWN(tableOfFile(project, "EE"), Error);
    // Other neurons.
    project.populations[0].placement.count = 81;
    try {
      compareConnections(project, {"EE", {}}, {{}, path("formed.h5").string()});
      QFAIL("networks over other neurons were compared");
    } catch (const Error& error) {
      QVERIFY2(error.message().find("do not join as many neurons") != std::string::npos, error.what());
    }
  }

  /// The neurons of a formed connection are its populations one after another; the file of a network has them as one.
  void aFormedConnectionIsComparedWithTheFileOfItsNetwork()
  {
    const model::Project project = twoPopulations();
    const Circuit circuit = makeCircuit(project);
    const auto population = joinedNeurons(circuit, {"E", "I"});
    const auto formation = synapse::formSynapses(population, project.connections[1].formation);
    io::StoredNetwork stored;
    stored.plastic = formation->network;
    io::writeNetwork(stored, *population, path("whole.h5"));
    const auto made = compareConnections(project, {"formed", {}}, {{}, path("whole.h5").string()});
    QCOMPARE(made.size(), std::size_t{1});
    QCOMPARE(made[0].source, std::string("E + I"));
    QCOMPARE(made[0].sources, std::uint64_t{100});
    QCOMPARE(made[0].jaccard, 1.0);
    QVERIFY2(made[0].warnings.empty(), made[0].warnings.empty() ? "" : made[0].warnings[0].c_str());
    // Synapses and the pairs that have them are different things.
    const NetworkFigures& formed = made[0].networks[0];
    QCOMPARE(formed.synapses, synapse::synapseCount(formation->network));
    QCOMPARE(formed.connections, std::uint64_t{formation->network.synapses.size()});
    QVERIFY(formed.synapses > formed.connections);
    QCOMPARE(made[0].networks[1].synapses, formed.synapses);
    QCOMPARE(circuit.connections[1].synapses, formed.synapses);
    QCOMPARE(circuit.connections[0].synapses, std::uint64_t{0}); // of a table
    // In the other order, too; a file over other neurons is refused.
    QCOMPARE(compareConnections(project, {{}, path("whole.h5").string()}, {"formed", {}}).at(0).jaccard, 1.0);
    model::Project other = project;
    other.populations[0].placement.count = 61;
    QVERIFY_EXCEPTION_THROWN(compareConnections(other, {"formed", {}}, {{}, path("whole.h5").string()}), Error);
  }

  /// A network that was grown between populations, beside a projection of two of them, and as connections of files.
  void aGrownNetworkIsComparedByItsParts()
  {
    model::Project project = twoPopulations();
    model::Connection table = project.connections[0];
    table.name = "EI";
    table.target = "I";
    table.projection.sigma = 40;
    project.connections.push_back(table);
    const auto population = neuronsOf(project, {"E", "I"});
    const auto formation = synapse::formSynapses(population, project.connections[1].formation);
    io::StoredNetwork stored;
    stored.plastic = formation->network;
    io::writeNetwork(stored, *population, path("grown.h5"));
    const Circuit circuit = makeCircuit(project);
    const auto wanted = compareConnections(circuit, "EI", "formed");
    const auto isWanted = [&](const std::vector<NetworkComparison>& made) {
      return made.size() == 1 && made[0].source == "E" && made[0].target == "I" && wanted.size() == 1 &&
             made[0].inBoth == wanted[0].inBoth && made[0].jaccard == wanted[0].jaccard &&
             made[0].networks[1].connections == wanted[0].networks[1].connections &&
             made[0].networks[1].synapses == wanted[0].networks[1].synapses &&
             made[0].networks[1].byDistance == wanted[0].networks[1].byDistance &&
             made[0].pairsByDistance == wanted[0].pairsByDistance;
    };
    QVERIFY(wanted[0].inBoth > 0);
    const auto made = compareConnections(project, {"EI", {}}, {{}, path("grown.h5").string()});
    QVERIFY(isWanted(made));
    QVERIFY(made[0].warnings.empty());

    // The file does not say whose the neurons are, but the session grew it: their number says so, and a warning.
    io::writeNetwork(stored, *population, path("grown.csv"));
    model::Project growing = project;
    growing.grow.emplace().source.populations = {"E", "I"};
    const auto guessed = compareConnections(growing, {"EI", {}}, {{}, path("grown.csv").string()});
    QVERIFY(isWanted(guessed));
    QCOMPARE(guessed[0].warnings.size(), std::size_t{1});
    QVERIFY_EXCEPTION_THROWN(compareConnections(project, {"EE", {}}, {{}, path("grown.csv").string()}), Error);

    // As connections of files: each gets its part.
    model::Connection read;
    read.name = "grown EI";
    read.kind = model::ConnectionKind::File;
    read.source = "E";
    read.target = "I";
    read.file = path("grown.h5").string();
    project.connections.push_back(read);
    QVERIFY(isWanted(compareConnections(project, {"EI", {}}, {"grown EI", {}})));
    const auto same = compareConnections(project, {"formed", {}}, {"grown EI", {}});
    QCOMPARE(same.size(), std::size_t{1});
    QCOMPARE(same[0].jaccard, 1.0);
    QVERIFY(nearly(same[0].weightCorrelation, 1));
    // Over the same populations in another order there is no common whole, but all parts are.
    project.connections[1].between = {"I", "E"};
    QCOMPARE(compareConnections(project, {"formed", {}}, {{}, path("grown.h5").string()}).size(), std::size_t{4});

    // Two files: the part that joins what the table joins.
    io::exportTable(*projection::project({circuit.neurons[0], circuit.neurons[1], table.projection}), path("EI.h5"));
    const auto files = compareFiles(readComparedNetwork(path("EI.h5")), readComparedNetwork(path("grown.h5")));
    QVERIFY(isWanted(files));
  }

  /// Together the parts are the whole.
  void partsOfANetworkHaveEachRowOnce()
  {
    const auto neurons = ball("all", 90);
    const ComparedNetwork whole = scattered("w", neurons, neurons, 5);
    const std::vector<NamedNeurons> populations = {{"a", 30}, {"none", 0}, {"b", 60}};
    const auto parts = partsOf(whole, populations);
    QCOMPARE(parts.size(), std::size_t{9});
    std::uint64_t rows = 0;
    Weights weights;
    for (const ComparedNetwork& part : parts) {
      rows += part.edges.rows();
      const std::uint64_t from = part.edges.source == "b" ? 30 : 0, to = part.edges.target == "b" ? 30 : 0;
      for (const auto& [pair, weight] : weightsOf(part))
        weights[{pair.first + from, pair.second + to}] += weight;
      if (part.edges.source == "b" && part.edges.target == "a") {
        QVERIFY(part.sources->position(2) == neurons->position(32));
        QVERIFY(part.targets->position(2) == neurons->position(2));
      }
    }
    QCOMPARE(rows, whole.edges.rows());
    QVERIFY(weights == weightsOf(whole));
  }

  void edgesOfAnExportedCircuitAreComparedWithTheNodesBesideThem()
  {
    model::Project project = twoPopulations();
    model::Connection wide = project.connections[0];
    wide.name = "wide";
    wide.projection.sigma = 30;
    project.connections = {project.connections[0], wide};
    for (model::Connection& connection : project.connections)
      connection.target = "I";
    const std::filesystem::path out = path("circuit");
    exportSonata(makeCircuit(project), out);
    const auto wanted = compareConnections(project, {"EE", {}}, {"wide", {}});
    const auto compare = [](const std::filesystem::path& network, const std::vector<std::string>& neurons = {}) {
      return compareNetworks(readComparedNetwork(network / "EE_edges.h5", neurons),
                             readComparedNetwork(network / "wide_edges.h5", neurons));
    };
    const auto isWanted = [&](const NetworkComparison& made) {
      return made.source == "E" && made.target == "I" && made.sources == 60 && made.targets == 40 &&
             made.jaccard == wanted.at(0).jaccard && made.pairsByDistance == wanted[0].pairsByDistance;
    };
    QVERIFY(isWanted(compare(out / "network"))); // by the configuration
    std::filesystem::remove(out / "circuit_config.json");
    QVERIFY(isWanted(compare(out / "network"))); // by the files beside them
    std::filesystem::create_directories(out / "alone");
    for (const char* const file : {"EE_edges.h5", "wide_edges.h5"})
      std::filesystem::copy(out / "network" / file, out / "alone" / file);
    try {
      compare(out / "alone");
      QFAIL("edges without nodes were compared");
    } catch (const Error& error) {
      const std::string what = error.what();
      QVERIFY2(what.find("\"E\"") != std::string::npos && what.find("--neurons") != std::string::npos, error.what());
    }
    const std::string nodesE = (out / "network/E_nodes.h5").string(), nodesI = (out / "network/I_nodes.h5").string();
    QVERIFY(isWanted(compare(out / "alone", {nodesE, nodesI})));
    QVERIFY(isWanted(compare(out / "alone", {nodesI, nodesE}))); // they are known by their names
  }

  void connectionsOfACircuitAreComparedByPopulations()
  {
    const model::Project project = twoPopulations();
    const Circuit circuit = makeCircuit(project);
    const auto made = compareConnections(circuit, "EE", "formed");
    QCOMPARE(made.size(), std::size_t{1});
    QCOMPARE(made[0].networks[0].connections, circuit.connections[0].rows);
    QCOMPARE(made[0].networks[1].name, std::string("formed_E_to_E"));
    QCOMPARE(compareConnections(circuit, "formed", "formed").size(), std::size_t{4});
    QCOMPARE(compareConnections(circuit, "formed_E_to_E", "EE").size(), std::size_t{1});
    QVERIFY_EXCEPTION_THROWN(compareConnections(circuit, "EE", "formed_I_to_I"), Error);
    QVERIFY_EXCEPTION_THROWN(compareConnections(circuit, "EE", "none"), Error);

    const std::filesystem::path out = folder.filePath("out").toStdString();
    writeComparisons(made, out);
    const auto json = nlohmann::json::parse(readFile(out / "comparison.json"));
    QCOMPARE(json[0]["inBoth"].get<std::uint64_t>(), made[0].inBoth);
    const auto linesOf = [&](const char* file) {
      const std::string text = readFile(out / file);
      return static_cast<std::size_t>(std::ranges::count(text, '\n'));
    };
    QCOMPARE(linesOf("overlap.csv"), std::size_t{2});
    QCOMPARE(linesOf("by_distance.csv"), 1 + made[0].pairsByDistance.size());
    QCOMPARE(linesOf("by_degree.csv"),
             1 + made[0].networks[0].out.neurons.size() + made[0].networks[0].in.neurons.size());
  }

  void isCancelled()
  {
    const auto neurons = ball("E", 50);
    const ComparedNetwork a = scattered("a", neurons, neurons, 3);
    const RunControl control;
    control.cancel();
    QVERIFY_EXCEPTION_THROWN(compareNetworks(a, a, {}, control), Error);
  }
};

HINESIGHT_TEST(TestNetworkComparison)

#include "test_network_comparison.moc"
