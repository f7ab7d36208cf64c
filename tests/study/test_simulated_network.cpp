#include "selection/expression.hpp"
#include "small_circuit.hpp"
#include "study/simulation/simulated_network.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::study;

/// The neurons of what is simulated as expressions see them.
class TestSimulatedNetwork : public QObject
{
  Q_OBJECT

  /// Nine pyramidal and three stellate cells, and trains of spikes.
  std::shared_ptr<const SimulationModel> model;

private slots:
  void initTestCase()
  {
    SimulationRequest request;
    request.file = sampleModels()[2].path;
    model = std::make_shared<const SimulationModel>(openModel(request));
  }

  /// Its cells come before its trains, among sources and among the neurons of its populations.
  void pairsAreThoseOfTheConnections()
  {
    const simulation::Network& network = model->circuit.network;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<double, double>> expected;
    for (const simulation::Connection& connection : network.connections) {
      const std::pair ends(connection.source, network.synapses[connection.target].cell);
      const auto [found, isNew] = expected.try_emplace(ends, 0, connection.delay);
      found->second.first += connection.weight;
      found->second.second = std::min(found->second.second, connection.delay);
    }
    const SimulatedPairs& pairs = *model->pairs;
    QCOMPARE(pairs.offsets.size(), network.cells() + network.trains.size() + 1);
    QCOMPARE(pairs.target.size(), expected.size());
    std::size_t row = 0;
    for (const auto& [ends, figures] : expected) {
      QVERIFY(row >= pairs.offsets[ends.first] && row < pairs.offsets[ends.first + 1]);
      QCOMPARE(pairs.target[row], ends.second);
      QCOMPARE(pairs.weight[row], figures.first);
      QCOMPARE(pairs.delay[row], figures.second);
      ++row;
    }
  }

  void neuronsHaveTheirSpikes()
  {
    const std::vector<simulation::Spike> spikes = {{0, 1.5}, {10, 2}, {0, 3}};
    const selection::NetworkTable table = networkOf(model, spikes, 500);
    QCOMPARE(table.populations, (std::vector<std::string>{"pyramidal", "stellate", "outside"}));
    QCOMPARE(table.firstNeuron[2], std::size_t{12});
    QCOMPARE(table.spikes(0), 2.0);
    QCOMPARE(table.spikes(1), 0.0);
    QCOMPARE(table.spikes(10), 1.0);
    QVERIFY(std::isnan(table.spikes(12))); // a train
    QCOMPARE(table.ran, 500.0);
    QVERIFY(std::isnan(table.position(0)[0])); // nobody says where it is
    QVERIFY(!networkOf(model, {}, 0).spikes);
  }

  /// Also those that are not drawn: node 4 is a point neuron. A population without places has none.
  void nodesOfFilesHaveTheirIdsAndPlaces()
  {
    const QTemporaryDir folder;
    tests::SmallCircuit circuit;
    circuit.nodes.addNumbers("/nodes/inside/0/x", {1, 2, 3});
    circuit.nodes.addNumbers("/nodes/inside/0/y", {0, 10, 20}); // flat: without z
    SimulationRequest request;
    request.file = circuit.write(folder.path().toStdString());
    const auto opened = std::make_shared<const SimulationModel>(openModel(request));
    QCOMPARE(opened->places.size(), std::size_t{2});
    QCOMPARE(opened->places[1].position, (std::array<double, 3>{3, 20, 0}));
    const selection::NetworkTable table = networkOf(opened, {}, 0);
    QCOMPARE(table.populations, (std::vector<std::string>{"inside", "outside"}));
    const auto rowsWhere = [&](const char* text) {
      std::vector<std::size_t> rows;
      selection::Expression(text, selection::vocabularyOf(selection::SetKind::Neurons))
          .visitRows(*selection::rowsOf(table, selection::SetKind::Neurons),
                     [&](std::size_t row) { rows.push_back(row); });
      return rows;
    };
    using Rows = std::vector<std::size_t>;
    QCOMPARE(rowsWhere("index == 4"), Rows{1});
    QCOMPARE(rowsWhere("population == \"outside\" && index == 1"), Rows{4});
    QCOMPARE(rowsWhere("x > 1 && y >= 10 && z == 0"), (Rows{1, 2}));
    QVERIFY(std::isnan(table.position(3)[0]));
  }

  /// Beyond 32 bits expressions cannot count: such nodes are counted from 0.
  void longIdsAreCountedFromZero()
  {
    CircuitSimulation circuit;
    circuit.populations = {{"far", {7, std::uint64_t{1} << 40}, {}}, {"near", {7, 9}, {}}};
    QCOMPARE(numbersOf(circuit), (std::vector<std::uint32_t>{0, 1, 7, 9}));
  }
};

HINESIGHT_TEST(TestSimulatedNetwork)
#include "test_simulated_network.moc"
