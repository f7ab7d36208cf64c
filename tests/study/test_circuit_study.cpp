#include "core/error.hpp"
#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/networks/neuron_files.hpp"
#include "io/tables/projection_export.hpp"
#include "model/session_file.hpp"
#include "morphology/swc.hpp"
#include "paths/paths.hpp"
#include "study/circuit/circuit_study.hpp"
#include "study/circuit/placed_cells.hpp"
#include "study/circuit/sonata_import.hpp"
#include "synapse/formation/formation.hpp"
#include "test_main.hpp"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <nlohmann/json.hpp>

using namespace hinesight;
using namespace hinesight::model;
using namespace hinesight::study;

namespace {

using projection::PopulationKind;

Population ball(const std::string& name, std::uint64_t count, Role role)
{
  Population population;
  population.placement.name = name;
  population.placement.kind = PopulationKind::Sphere;
  population.placement.count = count;
  population.placement.radius = 200;
  population.placement.seed = count;
  population.role = role;
  return population;
}

Connection projected(const std::string& name, const std::string& source, const std::string& target)
{
  Connection connection;
  connection.name = name;
  connection.source = source;
  connection.target = target;
  connection.projection.kernel = projection::KernelKind::Gaussian;
  connection.projection.sigma = 60;
  connection.projection.cut = 0.2;
  return connection;
}

/// Three populations, one of them cells, and a connection of each kind but files.
Project threePopulations()
{
  Project project;
  project.cells = {{"one", tests::testData("app/bipolar.swc").toStdString(), "", 1},
                   {"two", tests::testData("app/stellate.swc").toStdString(), "", 0.5}};
  project.populations = {ball("E", 120, Role::Excitatory), ball("I", 50, Role::Inhibitory), ball("R", 30, Role::Relay)};
  project.populations[0].cells = {"one", "two"};
  project.populations[0].isTurned = true;
  Connection formed;
  formed.name = "grown";
  formed.kind = ConnectionKind::Formed;
  formed.between = {"I", "E"};
  formed.formation.axons = formed.formation.dendrites = 4;
  Connection delayed = projected("RE", "R", "E");
  delayed.projection.velocity = 300;
  project.connections = {projected("EI", "E", "I"), formed, delayed};
  return project;
}

const io::CircuitEdges& edgesNamed(const Circuit& circuit, const std::string& name)
{
  return *std::ranges::find(circuit.edges, name, &io::CircuitEdges::name);
}

std::vector<std::int64_t> columnOf(const io::Hdf5Reader& file, const std::string& path)
{
  std::vector<std::int64_t> values(file.count(path));
  file.read(path, 0, std::span(values));
  return values;
}

} // namespace

class TestCircuitStudy : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::filesystem::path path(const char* name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  /// Whether it is formed or projected, and whatever sign its kernel has.
  void whatInhibitoryNeuronsMakeIsNegative()
  {
    Project project = threePopulations();
    project.connections.push_back(projected("IE", "I", "E"));
    project.connections.push_back(projected("IR", "I", "R"));
    project.connections.back().projection.gain = -1;
    const Circuit circuit = makeCircuit(project);
    project.populations[1].role = Role::Excitatory;
    const Circuit excitatory = makeCircuit(project);
    for (const char* name : {"IE", "IR", "grown_I_to_E"}) {
      const auto& weights = edgesNamed(circuit, name).weight;
      QVERIFY2(!weights.empty() && std::ranges::all_of(weights, [](float weight) { return weight < 0; }), name);
    }
    const auto& negative = edgesNamed(circuit, "IE").weight;
    const auto& positive = edgesNamed(excitatory, "IE").weight;
    QVERIFY(std::ranges::equal(negative, positive, [](float a, float b) { return a == -b; }));
    QVERIFY(std::ranges::all_of(edgesNamed(circuit, "EI").weight, [](float weight) { return weight > 0; }));
  }

  void aProjectionIsTheTableOfItsPopulations()
  {
    const Project project = threePopulations();
    const Circuit circuit = makeCircuit(project);
    const auto source = projection::makePopulation(project.populations[0].placement);
    const auto target = projection::makePopulation(project.populations[1].placement);
    const auto& kernel = project.connections[0].projection;
    // By brute force.
    std::vector<std::uint32_t> targets;
    for (std::uint64_t i = 0; i < source->count(); ++i)
      for (std::uint64_t j = 0; j < target->count(); ++j) {
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
          square += std::pow(target->position(j)[axis] - source->position(i)[axis], 2);
        if (std::exp(-square / (2 * kernel.sigma * kernel.sigma)) > kernel.cut)
          targets.push_back(static_cast<std::uint32_t>(j));
      }
    const io::CircuitEdges& edges = edgesNamed(circuit, "EI");
    QVERIFY(!targets.empty());
    QVERIFY(std::ranges::equal(edges.targetOfRow, targets));
    QCOMPARE(circuit.connections[0].rows, std::uint64_t{targets.size()});
  }

  void synapsesAreFormedBetweenAllPopulationsAtOnce()
  {
    const Project project = threePopulations();
    const Circuit circuit = makeCircuit(project);
    // The same neurons in one population.
    auto all = std::make_shared<synapse::NeuronPopulation>();
    for (const std::size_t k : {1, 0}) {
      const auto neurons = projection::makePopulation(project.populations[k].placement);
      for (std::uint64_t i = 0; i < neurons->count(); ++i)
        all->position.push_back(neurons->position(i));
      all->isInhibitory.resize(all->size(), k == 1);
      all->area.resize(all->size(), k == 1 ? 0 : 1);
    }
    all->areaNames = {"I", "E"};
    const auto formation = synapse::formSynapses(all, project.connections[1].formation);
    std::map<std::pair<std::uint32_t, std::uint32_t>, float> wanted, made;
    for (const synapse::Synapse& s : formation->network.synapses)
      wanted[{s.source, s.target}] = static_cast<float>(s.weight);
    const std::map<std::string, std::uint32_t> begin = {{"I", 0}, {"E", 50}};
    for (const char* const name : {"grown_I_to_I", "grown_I_to_E", "grown_E_to_I", "grown_E_to_E"}) {
      const io::CircuitEdges& edges = edgesNamed(circuit, name);
      for (std::uint32_t source = 0; source + 1 < edges.offsets.size(); ++source)
        for (std::uint64_t row = edges.offsets[source]; row < edges.offsets[source + 1]; ++row) {
          QVERIFY(edges.targetOfRow[row] < edges.targets);
          QVERIFY((edges.weight[row] < 0) == (edges.source == "I"));
          made[{begin.at(edges.source) + source, begin.at(edges.target) + edges.targetOfRow[row]}] = edges.weight[row];
        }
    }
    QVERIFY(!wanted.empty());
    QVERIFY(made == wanted);
  }

  void aTableOfAFileJoinsPopulationsOfItsSize()
  {
    Project project = threePopulations();
    const Circuit made = makeCircuit(project);
    const auto table =
        projection::project({made.neurons[0], made.neurons[1], project.connections[0].projection}, project.compute);
    const auto file = path("table.npy");
    io::exportTable(*table, file);
    Connection fromFile;
    fromFile.name = "read";
    fromFile.kind = ConnectionKind::File;
    fromFile.source = "E";
    fromFile.target = "I";
    fromFile.file = file.string();
    project.connections = {fromFile};
    const Circuit circuit = makeCircuit(project);
    QVERIFY(std::ranges::equal(circuit.edges.at(0).targetOfRow, edgesNamed(made, "EI").targetOfRow));
    QVERIFY(std::ranges::equal(circuit.edges.at(0).weight, edgesNamed(made, "EI").weight));
    project.connections[0].target = "R";
    try {
      makeCircuit(project);
      QFAIL("a table for 50 neurons joined 30");
    } catch (const Error& error) {
      QVERIFY2(error.message().find("The connection \"read\"") == 0, error.what());
      QVERIFY2(error.message().find("50 neurons where the population \"R\" has 30") != std::string::npos, error.what());
      QCOMPARE(error.file(), file.string());
    }
  }

  void cellsAreInMicrometresAndNeuronsAtTheirSomata()
  {
    Project project = threePopulations();
    project.connections.clear();
    project.populations[0].placement.kind = PopulationKind::Given;
    const Circuit circuit = makeCircuit(project);
    const auto asRead = morphology::readSwc(project.cells[1].file);
    QCOMPARE(circuit.cells[1]->x.back(), 0.5 * asRead->x.back());
    QCOMPARE(circuit.cells[1]->somaRadius, 0.5 * asRead->somaRadius);
    QCOMPARE(circuit.neurons[0]->count(), std::uint64_t{2});
    for (std::size_t axis = 0; axis < 3; ++axis)
      QCOMPARE(circuit.neurons[0]->position(1)[axis], 0.5 * asRead->somaCentre[axis]);
    project.cells[1].place = {.isCentred = true, .move = {7, -8, 9}};
    const Circuit placed = makeCircuit(project);
    for (std::size_t axis = 0; axis < 3; ++axis)
      QVERIFY(std::abs(placed.neurons[0]->position(1)[axis] - project.cells[1].place.move[axis]) < 1e-9);
    project.populations[0].cells.clear();
    QVERIFY_EXCEPTION_THROWN(makeCircuit(project), Error);
  }

  void somataAreMoved()
  {
    Project project = threePopulations();
    project.connections.clear();
    project.populations[0].placement.kind = PopulationKind::Given;
    const auto before = makeCircuit(project).neurons[0];
    project.populations[0].moved = {10, -20, 0.5};
    const auto after = makeCircuit(project).neurons[0];
    for (std::uint64_t i = 0; i < 2; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis)
        QCOMPARE(after->position(i)[axis], before->position(i)[axis] + project.populations[0].moved[axis]);
  }

  /// What a reader of the files does by the guide: about z, then y, then x, all axes those of the world.
  void cellsAreTurnedAboutAnyAxis_data()
  {
    QTest::addColumn<double>("degrees");
    QTest::addColumn<QList<double>>("axis");
    QTest::addColumn<bool>("isTurned");
    QTest::newRow("about x") << 40.0 << QList<double>{1, 0, 0} << false;
    QTest::newRow("about y, by chance before") << 90.0 << QList<double>{0, 1, 0} << true;
    QTest::newRow("about z") << -125.0 << QList<double>{0, 0, 2} << false;
    QTest::newRow("aslant") << 70.0 << QList<double>{1, -2, 0.5} << false;
    QTest::newRow("aslant, by chance before") << 200.0 << QList<double>{3, 1, 1} << true;
    QTest::newRow("a quarter about y") << 90.0 << QList<double>{0, 5, 0} << false;
    QTest::newRow("not") << 0.0 << QList<double>{1, 1, 0} << true;
  }

  void cellsAreTurnedAboutAnyAxis()
  {
    QFETCH(double, degrees);
    QFETCH(QList<double>, axis);
    QFETCH(bool, isTurned);
    using Vector = std::array<double, 3>;
    Population population = threePopulations().populations[0];
    population.isTurned = isTurned;
    population.rotation = degrees;
    population.axis = {axis[0], axis[1], axis[2]};
    Population chanceAlone = population;
    chanceAlone.rotation = 0;
    const io::SonataAngles made = anglesOf(population, 20), own = anglesOf(chanceAlone, 20);
    QCOMPARE(own[1].size(), std::size_t(isTurned ? 20 : 0));
    const auto about = [](std::size_t of, double angle, const Vector& v) {
      const std::size_t a = (of + 1) % 3, b = (of + 2) % 3;
      Vector turned = v;
      turned[a] = std::cos(angle) * v[a] - std::sin(angle) * v[b];
      turned[b] = std::sin(angle) * v[a] + std::cos(angle) * v[b];
      return turned;
    };
    const auto asRead = [&](const io::SonataAngles& angles, std::size_t i, Vector v) {
      for (const std::size_t of : {2, 1, 0})
        if (!angles[of].empty())
          v = about(of, angles[of][i], v);
      return v;
    };
    // Along the axis a vector stays; across it, it turns by the angle.
    const double length = std::hypot(axis[0], axis[1], axis[2]), angle = degrees * std::numbers::pi / 180;
    const Vector k = {axis[0] / length, axis[1] / length, axis[2] / length};
    for (std::size_t i = 0; i < 20; ++i)
      for (const Vector& v : {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0.3, -2, 5}}) {
        const Vector before = asRead(own, i, v), after = asRead(made, i, v);
        const double along = k[0] * before[0] + k[1] * before[1] + k[2] * before[2];
        const Vector crossed = {k[1] * before[2] - k[2] * before[1], k[2] * before[0] - k[0] * before[2],
                                k[0] * before[1] - k[1] * before[0]};
        for (std::size_t c = 0; c < 3; ++c) {
          const double wanted =
              k[c] * along + std::cos(angle) * (before[c] - k[c] * along) + std::sin(angle) * crossed[c];
          QVERIFY2(std::abs(after[c] - wanted) < 1e-12, qPrintable(QString::number(after[c] - wanted)));
        }
      }
  }

  /// What a picture draws is what the files of the exported circuit say.
  void cellsLieWhereTheExportedCircuitHasThem()
  {
    Project project = threePopulations();
    project.connections.clear();
    project.populations[0].order = CellOrder::Chance;
    project.populations[0].isTurned = true;
    project.populations[0].rotation = 35;
    project.populations[0].axis = {1, -2, 0.5};
    const Circuit circuit = makeCircuit(project);
    exportSonata(circuit, path("placed"));
    const std::string name = project.populations[0].name();
    const std::string file = (path("placed") / "network" / (name + "_nodes.h5")).string();
    const auto positions = io::readPositions({file, name});
    const auto angles = io::readAngles(file, name);
    const auto types = io::readNodeTypes(file, name);
    const PlacedCells placed(project.populations[0], *circuit.neurons[0]);
    QCOMPARE(placed.count(), std::uint64_t{types.size()});
    const std::array<double, 3> centre = {5, -7, 11}, arm = {1, 20, -3};
    for (std::uint64_t i = 0; i < placed.count(); ++i) {
      QCOMPARE(std::int64_t{placed.cellOf(i)}, types[i]);
      std::array<double, 3> wanted = arm;
      for (const std::size_t axis : {2, 1, 0}) {
        const double c = std::cos(angles[axis][i]), s = std::sin(angles[axis][i]);
        const std::size_t a = (axis + 1) % 3, b = (axis + 2) % 3;
        const double first = wanted[a], second = wanted[b];
        wanted[a] = c * first - s * second;
        wanted[b] = s * first + c * second;
      }
      const auto at = placed.poseOf(i).placed({centre[0] + arm[0], centre[1] + arm[1], centre[2] + arm[2]}, centre);
      for (std::size_t axis = 0; axis < 3; ++axis)
        QVERIFY(std::abs(at[axis] - positions[axis][i] - wanted[axis]) < 1e-9);
    }
  }

  void aPoolIsTakenInTurnOrByChance()
  {
    Population population = threePopulations().populations[0];
    QCOMPARE(cellsOfNeurons(population, 5), (std::vector<std::uint32_t>{0, 1, 0, 1, 0}));
    population.order = CellOrder::Chance;
    const auto drawn = cellsOfNeurons(population, 1000);
    QCOMPARE(cellsOfNeurons(population, 1000), drawn);
    const auto second = std::ranges::count(drawn, 1U);
    QVERIFY(second > 400 && second < 600);
    QVERIFY(std::ranges::count(drawn, 0U) + second == 1000);
    population.seed = 2;
    QVERIFY(cellsOfNeurons(population, 1000) != drawn);
    population.placement.kind = PopulationKind::Given; // each is a cell of its own
    QCOMPARE(cellsOfNeurons(population, 2), (std::vector<std::uint32_t>{0, 1}));
  }

  /// A pool that was drawn from is that of the nodes' types when its circuit is read again.
  void aPoolByChanceIsReadAgain()
  {
    Project project = threePopulations();
    project.connections.clear();
    project.populations[0].order = CellOrder::Chance;
    project.populations[0].rotation = 20;
    project.populations[0].axis = {1, 1, 0};
    const Circuit circuit = makeCircuit(project);
    exportSonata(circuit, path("drawn"));
    const ImportedSonata imported = importSonata(path("drawn") / "circuit_config.json");
    const Population& read = imported.project.populations.at(0);
    QCOMPARE(read.cells, (std::vector<std::string>{"one", "two"}));
    QVERIFY(read.order == CellOrder::Type);
    QCOMPARE(cellsOfNeurons(read, 120), cellsOfNeurons(project.populations[0], 120));
    QVERIFY(anglesOf(read, 120) == anglesOf(project.populations[0], 120));
    Project fewer = imported.project;
    fewer.populations[0].cells = {"one", "two", "one"};
    QVERIFY_EXCEPTION_THROWN(exportSonata(makeCircuit(fewer), path("fewer")), Error);
    fewer = project;
    fewer.populations[0].order = CellOrder::Type;
    QVERIFY_EXCEPTION_THROWN(exportSonata(makeCircuit(fewer), path("fewer")), Error);
  }

  void anAxisNeedsALength()
  {
    Project project = threePopulations();
    project.populations[0].axis = {0, 0, 0};
    try {
      model::validate(project);
      QFAIL("an axis of length 0 was taken");
    } catch (const Error& error) {
      QCOMPARE(error.message(), std::string("The population \"E\" is turned about an axis of length 0; give it a "
                                            "direction."));
    }
  }

  /// SONATA Developer Guide: "Representing nodes", "Representing edges", "Circuit configuration".
  void theCircuitIsWrittenByTheRulesOfSonata()
  {
    const Project project = threePopulations();
    const Circuit circuit = makeCircuit(project);
    const auto out = path("circuit");
    exportSonata(circuit, out);
    auto config = nlohmann::json::parse(readFile(out / "circuit_config.json"));
    const auto resolved = [&](std::string text) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [name, value] : config["manifest"].items())
          if (const std::size_t at = text.find(name); at != std::string::npos) {
            text.replace(at, name.size(), value.get<std::string>());
            changed = true;
          }
      }
      return out / text;
    };
    std::map<std::string, std::uint64_t> neurons;
    for (const auto& entry : config["networks"]["nodes"]) {
      QVERIFY(std::filesystem::exists(resolved(entry["node_types_file"])));
      const io::Hdf5Reader file(resolved(entry["nodes_file"]));
      const std::string name = file.namesIn("/nodes").at(0);
      neurons[name] = file.count("/nodes/" + name + "/node_type_id");
      QCOMPARE(file.count("/nodes/" + name + "/node_group_id"), neurons[name]);
      QCOMPARE(file.count("/nodes/" + name + "/0/x"), neurons[name]);
    }
    QVERIFY((neurons == std::map<std::string, std::uint64_t>{{"E", 120}, {"I", 50}, {"R", 30}}));
    QCOMPARE(config["networks"]["edges"].size(), std::size_t{6});
    for (const auto& entry : config["networks"]["edges"]) {
      QVERIFY(std::filesystem::exists(resolved(entry["edge_types_file"])));
      const io::Hdf5Reader file(resolved(entry["edges_file"]));
      const std::string name = file.namesIn("/edges").at(0);
      const std::string edges = "/edges/" + name;
      const auto source = columnOf(file, edges + "/source_node_id");
      const auto target = columnOf(file, edges + "/target_node_id");
      const std::string ofSources = file.textAttribute(edges + "/source_node_id", "node_population");
      const std::string ofTargets = file.textAttribute(edges + "/target_node_id", "node_population");
      QVERIFY(
          std::ranges::all_of(source, [&](std::int64_t i) { return i >= 0 && std::uint64_t(i) < neurons[ofSources]; }));
      QVERIFY(
          std::ranges::all_of(target, [&](std::int64_t i) { return i >= 0 && std::uint64_t(i) < neurons[ofTargets]; }));
      QVERIFY(std::ranges::equal(target, edgesNamed(circuit, name).targetOfRow));
      for (const char* const column :
           {"/edge_type_id", "/edge_group_id", "/edge_group_index", "/0/syn_weight", "/0/delay"})
        QCOMPARE(file.count(edges + column), std::uint64_t{source.size()});
    }
    // Types: cells in turn.
    const std::string types = readFile(out / "network" / "E_node_types.csv");
    QCOMPARE(types, std::string("node_type_id population pop_name ei model_type model_template morphology\n"
                                "0 E E e biophysical NULL one\n1 E E e biophysical NULL two\n"));
    const io::Hdf5Reader nodes(out / "network" / "E_nodes.h5");
    const auto typeOf = columnOf(nodes, "/nodes/E/node_type_id");
    for (std::size_t i = 0; i < typeOf.size(); ++i)
      QCOMPARE(typeOf[i], std::int64_t(i % 2));
    QCOMPARE(nodes.count("/nodes/E/0/rotation_angle_yaxis"), std::uint64_t{120});
    QCOMPARE(readFile(out / "network" / "I_node_types.csv"),
             std::string("node_type_id population pop_name ei model_type model_template\n"
                         "0 I I i point_neuron NULL\n"));
    const auto cell = morphology::readSwc(out / "morphologies" / "two.swc");
    QVERIFY(cell->x == circuit.cells[1]->x);
  }

  /// A cell that no population is of is no part of the circuit: whether its file can be read does not matter.
  void cellsOfNoPoolAreLeftOut()
  {
    Project project = threePopulations();
    project.cells.push_back({"gone", path("nowhere.swc").string(), "", 1, true});
    const Circuit circuit = makeCircuit(project);
    QVERIFY(!circuit.cells.back());
    exportSonata(circuit, path("without"));
    QVERIFY(!std::filesystem::exists(path("without") / "morphologies" / "gone.swc"));
    QVERIFY(std::filesystem::exists(path("without") / "morphologies" / "two.swc"));
    project.populations.front().cells.push_back("gone");
    QVERIFY_EXCEPTION_THROWN(makeCircuit(project), Error);
  }

  /// What a connection comes to from population to population are the sums of its edges.
  void joinsAreTheSumsOfTheirEdges()
  {
    const Circuit circuit = makeCircuit(threePopulations());
    for (const MadeConnection& made : circuit.connections) {
      QCOMPARE(made.joins.size(), made.edgesEnd - made.edgesBegin);
      std::uint64_t rows = 0;
      for (std::size_t k = 0; k < made.joins.size(); ++k) {
        const io::CircuitEdges& edges = circuit.edges[made.edgesBegin + k];
        double weight = 0;
        for (const float each : edges.weight)
          weight += each;
        QVERIFY((made.joins[k] == PopulationJoin{edges.source, edges.target, edges.rows(), edges.synapses, weight}));
        rows += made.joins[k].rows;
      }
      QCOMPARE(rows, made.rows);
    }
  }

  /// Both indices name every edge of every node, once: read by another program.
  void theIndicesHoldForOtherPrograms()
  {
    const Circuit circuit = makeCircuit(threePopulations());
    const auto out = path("indexed");
    exportSonata(circuit, out);
    const auto numbers = [&](const QString& file, const QString& column) {
      QProcess process;
      process.start("h5dump",
                    {"-y", "-w", "0", "-d", column, QString::fromStdString((out / "network").string()) + "/" + file});
      std::vector<std::uint64_t> values;
      if (!process.waitForFinished() || process.exitCode() != 0)
        return values;
      const QString text = QString::fromUtf8(process.readAllStandardOutput());
      const QString data = text.section("DATA {", 1).section('}', 0, 0);
      for (const QString& word : data.split(QRegularExpression("[,\\s]+"), Qt::SkipEmptyParts))
        values.push_back(word.toULongLong());
      return values;
    };
    const QStringList names = {"EI", "grown_I_to_E", "RE"};
    for (const QString& name : names) {
      const QString file = name + "_edges.h5";
      const QString edges = "/edges/" + name;
      const std::array<std::vector<std::uint64_t>, 2> ends = {numbers(file, edges + "/source_node_id"),
                                                              numbers(file, edges + "/target_node_id")};
      if (ends[0].empty())
        QSKIP("there is no h5dump here");
      const std::array<const char*, 2> indices = {"source_to_target", "target_to_source"};
      for (std::size_t side = 0; side < 2; ++side) {
        const QString index = edges + "/indices/" + indices[side];
        const auto ofNode = numbers(file, index + "/node_id_to_ranges");
        const auto ofRange = numbers(file, index + "/range_to_edge_id");
        std::vector<int> seen(ends[side].size(), 0);
        for (std::size_t node = 0; 2 * node < ofNode.size(); ++node)
          for (std::uint64_t range = ofNode[2 * node]; range < ofNode[2 * node + 1]; ++range)
            for (std::uint64_t edge = ofRange.at(2 * range); edge < ofRange.at(2 * range + 1); ++edge) {
              QCOMPARE(ends[side].at(edge), std::uint64_t{node});
              ++seen[edge];
            }
        QVERIFY(std::ranges::all_of(seen, [](int times) { return times == 1; }));
      }
    }
  }

  void theSameProjectMakesTheSameBytes()
  {
    Project project = threePopulations();
    exportSonata(makeCircuit(project), path("first"));
    project.compute.threads = 1;
    for (Connection& connection : project.connections)
      connection.formation.threads = 1;
    exportSonata(makeCircuit(project), path("second"));
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("first")))
      if (entry.is_regular_file()) {
        const auto other = path("second") / std::filesystem::relative(entry.path(), path("first"));
        QVERIFY2(readFile(entry.path()) == readFile(other), entry.path().c_str());
        ++files;
      }
    QCOMPARE(files, 1 + 2 + 2 * 3 + 2 * 6);
  }

  void edgesHaveNamesOfTheirOwn()
  {
    Project project = threePopulations();
    project.connections.push_back(projected("grown_E_to_I", "E", "I"));
    QVERIFY_EXCEPTION_THROWN(makeCircuit(project), Error);
  }

  void isCancelled()
  {
    const RunControl control;
    control.cancel();
    try {
      makeCircuit(threePopulations(), control);
      QFAIL("it was not cancelled");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::Cancelled);
    }
  }

  /// The example of docs/session.md, which docs/example.hinesight is.
  void theExampleOfThePageIsMade()
  {
    const std::string page = readFile(tests::sourceFile("docs/session.md").toStdString());
    const std::string example = readFile(tests::sourceFile("docs/example.hinesight").toStdString());
    QVERIFY(page.find("```json\n" + example + "```") != std::string::npos);
    const ReadSession read = readSession(tests::sourceFile("docs/example.hinesight").toStdString());
    QVERIFY(read.warnings.empty());
    const Circuit circuit = makeCircuit(read.project);
    QCOMPARE(circuit.neurons.size(), std::size_t{3});
    QCOMPARE(circuit.connections.size(), std::size_t{4});
    for (const MadeConnection& made : circuit.connections)
      QVERIFY2(made.rows > 0, made.name.c_str());
  }
};

HINESIGHT_TEST(TestCircuitStudy)

#include "test_circuit_study.moc"
