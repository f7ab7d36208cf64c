#include "core/error.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/formation/network.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace hinesight;
using namespace hinesight::synapse;

class TestNetworks : public QObject
{
  Q_OBJECT

private slots:
  void mergesSynapsesOfAPair()
  {
    Network network{4, {{0, 1, 2}, {2, 3, -1}}};
    addSynapses(network, {{2, 3, -1}, {0, 1, 1}, {3, 0, 1}, {0, 1, 1}, {0, 0, 5}});
    const std::vector<Synapse> expected = {{0, 0, 5}, {0, 1, 4}, {2, 3, -2}, {3, 0, 1}};
    QVERIFY(network.synapses == expected);
  }

  void weightsThatDoNotFitAreRefused()
  {
    const auto sumOf = [](std::int32_t a, std::int32_t b) {
      Network network{4, {{0, 1, 2}, {2, 3, a}}};
      addSynapses(network, {{2, 3, b}});
      return network.synapses.back().weight;
    };
    QCOMPARE(sumOf(INT32_MAX - 5, 5), INT32_MAX);
    QCOMPARE(sumOf(-INT32_MAX + 5, -5), -INT32_MAX);
    for (const std::int32_t sign : {1, -1})
      try {
        sumOf(sign * 2'000'000'000, sign * 1'000'000'000);
        QFAIL("Three billion synapses of a pair were taken.");
      } catch (const Error& error) {
        QCOMPARE(error.code(), ErrorCode::BadFormat);
        QVERIFY(error.message().find("from neuron 2 to 3") != std::string::npos);
      }
  }

  void listsInAreTheTransposeOfListsOut()
  {
    Network network{4, {}};
    addSynapses(network, {{2, 0, -1}, {0, 1, 2}, {0, 3, 1}, {3, 1, 4}, {2, 1, -3}});
    const Adjacency out = outgoing(network);
    QVERIFY((out.offset == std::vector<std::uint64_t>{0, 2, 2, 4, 5}));
    QVERIFY((out.partner == std::vector<std::uint32_t>{1, 3, 0, 1, 1}));
    QVERIFY((out.weight == std::vector<std::int32_t>{2, 1, -1, -3, 4}));
    const Adjacency in = incoming(network);
    QVERIFY((in.offset == std::vector<std::uint64_t>{0, 1, 4, 4, 5}));
    QVERIFY((in.partner == std::vector<std::uint32_t>{2, 0, 2, 3, 0}));
    QVERIFY((in.weight == std::vector<std::int32_t>{-1, 2, -3, 4, 1}));
    QVERIFY((outgoing({2, {}}).offset == std::vector<std::uint64_t>{0, 0, 0}));
  }

  void placesNeuronsInCellsOfTheirOwn()
  {
    for (const std::size_t neurons : {1u, 2u, 27u, 28u, 5'000u}) {
      const auto population = makeRandomPopulation(neurons, 26, 1, 3);
      QCOMPARE(population->size(), neurons);
      auto side = static_cast<std::size_t>(std::round(std::cbrt(neurons)));
      side += side * side * side < neurons;
      std::set<std::size_t> cells;
      for (const Position& at : population->position) {
        std::size_t cell = 0;
        for (const double x : at) {
          QVERIFY(x >= 0 && x < 26.0 * static_cast<double>(side));
          cell = cell * side + static_cast<std::size_t>(x / 26);
        }
        cells.insert(cell);
      }
      QCOMPARE(cells.size(), neurons);
    }
  }

  void placesNeuronsEvenly()
  {
    // 7,000 of 8,000 = 20^3 cells: each eighth of the cube has 875 neurons, give or take 10.
    const auto population = makeRandomPopulation(7'000, 10, 1, 9);
    int octant[8] = {};
    double offset[3] = {};
    for (const Position& at : population->position) {
      ++octant[(at[0] >= 100) + 2 * (at[1] >= 100) + 4 * (at[2] >= 100)];
      for (int axis = 0; axis < 3; ++axis)
        offset[axis] += at[axis] / 10 - std::floor(at[axis] / 10);
    }
    for (const int count : octant)
      QVERIFY(std::abs(count - 875) < 60);
    for (const double sum : offset)
      QVERIFY(std::abs(sum / 7'000 - 0.5) < 4 * std::sqrt(1 / 12.0 / 7'000));
  }

  void makesAShareOfThemExcitatory()
  {
    const auto inhibitory = [](double excitatory, std::uint64_t seed) {
      const auto population = makeRandomPopulation(1'001, 26, excitatory, seed);
      return std::ranges::count(population->isInhibitory, 1);
    };
    QCOMPARE(inhibitory(1, 1), 0);
    QCOMPARE(inhibitory(0, 1), 1'001);
    QCOMPARE(inhibitory(0.8, 1), 200);
    QVERIFY(makeRandomPopulation(1'001, 26, 0.8, 1)->isInhibitory !=
            makeRandomPopulation(1'001, 26, 0.8, 2)->isInhibitory);
  }

  void refusesSizesOutOfRange()
  {
    QVERIFY_EXCEPTION_THROWN(makeRandomPopulation(0, 26, 1, 1), Error);
    QVERIFY_EXCEPTION_THROWN(makeRandomPopulation(1'000'000'001, 26, 1, 1), Error);
    QVERIFY_EXCEPTION_THROWN(makeRandomPopulation(10, 0, 1, 1), Error);
    QVERIFY_EXCEPTION_THROWN(makeRandomPopulation(10, std::nan(""), 1, 1), Error);
    QVERIFY_EXCEPTION_THROWN(makeRandomPopulation(10, 26, 1.5, 1), Error);
  }
};

HINESIGHT_TEST(TestNetworks)
#include "test_networks.moc"
