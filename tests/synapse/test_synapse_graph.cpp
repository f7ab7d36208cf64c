#include "core/error.hpp"
#include "core/philox.hpp"
#include "synapse/plasticity/connectivity.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::synapse;

namespace {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

class Random
{
public:
  explicit Random(std::uint64_t randomSeed) : seed(randomSeed) {}
  double uniform(double most) { return most * randomUniform(seed, 0, 0, draw++); }
  std::uint32_t below(std::uint32_t most) { return static_cast<std::uint32_t>(uniform(most)); }

private:
  std::uint64_t seed;
  std::uint32_t draw = 0;
};

Pairs pairsOf(const PlasticGraph& graph)
{
  Pairs pairs;
  for (std::uint32_t i = 0; i < graph.neurons(); ++i)
    for (std::uint64_t at = graph.offset[i]; at < graph.offset[i + 1]; ++at)
      pairs[{i, graph.target[at]}] = graph.units[at];
  return pairs;
}

PlasticGraph graphFrom(std::uint32_t neurons, const Pairs& pairs)
{
  PlasticGraph graph;
  for (std::uint32_t i = 0; i < neurons; ++i) {
    for (const auto& [pair, units] : pairs)
      if (pair.first == i) {
        graph.target.push_back(pair.second);
        graph.units.push_back(units);
      }
    graph.offset.push_back(graph.target.size());
  }
  return graph;
}

Pairs randomPairs(std::uint32_t neurons, int pairs, Random& random)
{
  Pairs result;
  for (int i = 0; i < pairs; ++i) {
    const std::uint32_t source = random.below(neurons), target = random.below(neurons);
    if (source != target)
      result[{source, target}] += 1 + random.below(3);
  }
  return result;
}

std::vector<std::uint8_t> randomKinds(std::uint32_t neurons, Random& random)
{
  std::vector<std::uint8_t> inhibitory;
  for (std::uint32_t i = 0; i < neurons; ++i)
    inhibitory.push_back(random.uniform(1) < 0.3);
  return inhibitory;
}

using Counts = std::array<std::vector<std::uint32_t>, kPools>;

/// Connected elements by what the synapses are.
Counts countElements(const Pairs& pairs, const std::vector<std::uint8_t>& inhibitory)
{
  Counts counts;
  counts.fill(std::vector<std::uint32_t>(inhibitory.size(), 0));
  for (const auto& [pair, units] : pairs) {
    counts[0][pair.first] += units;
    counts[1 + inhibitory[pair.first]][pair.second] += units;
  }
  return counts;
}

/// Elements for a graph: those that are connected and fractions more.
Connectivity randomConnectivity(const Pairs& pairs, const std::vector<std::uint8_t>& inhibitory, Random& random)
{
  Connectivity c;
  c.graph = graphFrom(static_cast<std::uint32_t>(inhibitory.size()), pairs);
  c.connected = countElements(pairs, inhibitory);
  for (int pool = 0; pool < kPools; ++pool)
    for (const std::uint32_t connected : c.connected[pool]) {
      c.grown[pool].push_back(connected + random.uniform(1.5));
      c.delta[pool].push_back(random.uniform(4) - 3);
    }
  return c;
}

std::uint64_t unitsOf(const PlasticGraph& graph)
{
  return std::accumulate(graph.units.begin(), graph.units.end(), std::uint64_t{0});
}

std::optional<ErrorCode> refusal(const Network& network, const std::vector<std::uint8_t>& inhibitory)
{
  try {
    graphOf(network, inhibitory);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

} // namespace

class TestSynapseGraph : public QObject
{
  Q_OBJECT

private slots:
  void incomingIsTheTranspose()
  {
    Random random(1);
    const Pairs pairs = randomPairs(50, 400, random);
    const PlasticGraph graph = graphFrom(50, pairs);
    const IncomingPairs in = incomingPairs(graph);
    QCOMPARE(in.offset.back(), std::uint64_t{pairs.size()});
    Pairs found;
    for (std::uint32_t i = 0; i < 50; ++i)
      for (std::uint64_t at = in.offset[i]; at < in.offset[i + 1]; ++at) {
        QVERIFY(at == in.offset[i] || in.source[at - 1] < in.source[at]);
        QCOMPARE(graph.target[in.pair[at]], i);
        found[{in.source[at], i}] = graph.units[in.pair[at]];
      }
    QVERIFY(found == pairs);
  }

  void mergingAddsAndForgetsEmptyPairs()
  {
    Random random(2);
    for (int round = 0; round < 20; ++round) {
      Pairs expected = randomPairs(20, 60, random);
      PlasticGraph graph = graphFrom(20, expected);
      for (std::size_t at = 0; at < graph.pairs(); at += 3)
        graph.units[at] = 0;
      expected = pairsOf(graph);
      std::erase_if(expected, [](const auto& pair) { return pair.second == 0; });
      std::vector<NewSynapse> added;
      for (int i = 0; i < 80; ++i) {
        added.push_back({random.below(20), random.below(20)});
        ++expected[{added.back().source, added.back().target}];
      }
      std::sort(added.begin(), added.end());
      const PlasticGraph merged = mergeSynapses(graph, added);
      QVERIFY(pairsOf(merged) == expected);
      QCOMPARE(merged.pairs(), expected.size());
      QCOMPARE(merged.neurons(), std::size_t{20});
      std::erase_if(expected, [&](const auto& pair) { return pair.second == 1; });
      PlasticGraph fewer = merged;
      for (std::uint32_t& units : fewer.units)
        units = units == 1 ? 0 : units;
      QVERIFY(pairsOf(mergeSynapses(fewer, {})) == expected);
      std::ranges::fill(fewer.units, 0u);
      QCOMPARE(mergeSynapses(fewer, {}).pairs(), std::size_t{0});
      QCOMPARE(mergeSynapses(fewer, added).pairs(), mergeSynapses(graphFrom(20, {}), added).pairs());
    }
  }

  void networksBecomeGraphsAndBack()
  {
    Random random(3);
    const std::vector<std::uint8_t> inhibitory = randomKinds(30, random);
    const PlasticGraph graph = graphFrom(30, randomPairs(30, 200, random));
    const Network network = networkOf(graph, inhibitory);
    QCOMPARE(network.neurons, std::size_t{30});
    for (const Synapse& synapse : network.synapses)
      QCOMPARE(synapse.weight < 0, inhibitory[synapse.source] != 0);
    const PlasticGraph again = graphOf(network, inhibitory);
    QVERIFY(again.offset == graph.offset && again.target == graph.target && again.units == graph.units);
  }

  void networksThatAreNoneAreRefused()
  {
    const std::vector<std::uint8_t> kinds = {0, 1, 0};
    QVERIFY(!refusal({3, {{0, 1, 2}, {1, 0, -1}, {2, 1, 1}}}, kinds));
    for (const Network& network : {Network{3, {{0, 3, 1}}},
                                   {3, {{3, 0, 1}}},
                                   {3, {{0, 0, 1}}},
                                   {3, {{0, 1, -1}}},
                                   {3, {{1, 0, 1}}},
                                   {3, {{0, 1, 0}}},
                                   {3, {{0, 1, 1}, {0, 1, 1}}},
                                   {3, {{0, 2, 1}, {0, 1, 1}}},
                                   {3, {{2, 0, 1}, {0, 1, 1}}}})
      QCOMPARE(refusal(network, kinds), ErrorCode::BadFormat);
  }

  /// 0 <= c <= floor(g) in every pool, and what is connected is what the synapses say.
  void deletionConserves()
  {
    Random random(4);
    for (std::uint32_t round = 0; round < 20; ++round) {
      const std::vector<std::uint8_t> inhibitory = randomKinds(60, random);
      Connectivity c = randomConnectivity(randomPairs(60, 500, random), inhibitory, random);
      const std::uint64_t before = unitsOf(c.graph);
      const std::uint64_t deleted = deleteSynapses(c, inhibitory, {}, 100 * round, {});
      QVERIFY(deleted > 0);
      QCOMPARE(unitsOf(c.graph) + deleted, before);
      const Counts counts = countElements(pairsOf(c.graph), inhibitory);
      for (int pool = 0; pool < kPools; ++pool)
        for (std::size_t i = 0; i < inhibitory.size(); ++i) {
          QCOMPARE(c.connected[pool][i], counts[pool][i]);
          QVERIFY(c.connected[pool][i] <= std::floor(c.grown[pool][i]));
          QCOMPARE(c.delta[pool][i], 0.0);
        }
    }
  }

  void deletionIsTheSameOnAnyNumberOfThreads()
  {
    Random random(5);
    const std::uint32_t neurons = 20'000;
    const std::vector<std::uint8_t> inhibitory = randomKinds(neurons, random);
    PlasticGraph graph;
    for (std::uint32_t i = 0; i < neurons; ++i) {
      std::set<std::uint32_t> targets;
      for (int k = 0; k < 6; ++k)
        targets.insert((i + 1 + random.below(neurons - 1)) % neurons);
      for (const std::uint32_t target : targets) {
        graph.target.push_back(target);
        graph.units.push_back(1 + random.below(2));
      }
      graph.offset.push_back(graph.target.size());
    }
    Connectivity one = randomConnectivity({}, inhibitory, random);
    one.graph = graph;
    one.connected = countElements(pairsOf(graph), inhibitory);
    for (int pool = 0; pool < kPools; ++pool)
      for (std::size_t i = 0; i < neurons; ++i)
        one.grown[pool][i] += one.connected[pool][i];
    Connectivity many = one;
    PlasticityParameters parameters;
    parameters.threads = 1;
    const std::uint64_t deleted = deleteSynapses(one, inhibitory, parameters, 700, {});
    parameters.threads = 7;
    QCOMPARE(deleteSynapses(many, inhibitory, parameters, 700, {}), deleted);
    QVERIFY(one.graph.units == many.graph.units);
    QVERIFY(one.connected == many.connected);
    QVERIFY(one.grown == many.grown);
  }

  /// Axons go first, and free the dendrites of their partners: these then have nothing to delete.
  void aSynapseThatBothSidesGiveUpGoesOnce()
  {
    Connectivity c;
    c.graph = graphFrom(2, {{{0, 1}, 1}});
    c.grown = {{{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}}};
    c.connected = {{{1, 0}, {0, 1}, {0, 0}}};
    c.delta = {{{-0.5, 0.0}, {0.0, -0.5}, {0.0, 0.0}}};
    QCOMPARE(deleteSynapses(c, {0, 0}, {}, 100, {}), std::uint64_t{1});
    QCOMPARE(c.graph.units, std::vector<std::uint32_t>{0});
    QCOMPARE(c.grown[0][0], 0.5);
    QCOMPARE(c.grown[1][1], 0.5);
    QCOMPARE(c.connected[0][0] + c.connected[1][1], 0u);
  }

  /// A dendrite that goes leaves the partner's axon, which is vacant then.
  void thePartnersElementStays()
  {
    Connectivity c;
    c.graph = graphFrom(3, {{{0, 2}, 1}, {{1, 2}, 1}});
    c.grown = {{{1.0, 1.0, 0.0}, {0.0, 0.0, 1.5}, {0.0, 0.0, 1.0}}};
    c.connected = {{{1, 1, 0}, {0, 0, 1}, {0, 0, 1}}};
    c.delta = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, -0.25}}};
    QCOMPARE(deleteSynapses(c, {0, 1, 0}, {}, 100, {}), std::uint64_t{1});
    QCOMPARE(c.graph.units, (std::vector<std::uint32_t>{1, 0}));
    QCOMPARE(vacantElements(c.grown[0][1], c.connected[0][1]), 1u);
    QCOMPARE(vacantElements(c.grown[2][2], c.connected[2][2]), 0u);
  }
};

HINESIGHT_TEST(TestSynapseGraph)
#include "test_synapse_graph.moc"
