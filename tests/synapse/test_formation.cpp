#include "synapse/search_reference.hpp"

#include "cancellation.hpp"
#include "core/error.hpp"
#include "synapse/search/search_parts.hpp"
#include "test_main.hpp"

#include <QTest>

#include <map>

using namespace hinesight;
using namespace hinesight::synapse;
using hinesight::tests::chiSquareScore;

namespace {

constexpr double kScore = 4.5;

FormationParameters flatKernel(std::uint32_t elements, SearchKind kind, std::uint64_t seed)
{
  FormationParameters p;
  p.axons = elements;
  p.dendrites = elements;
  p.search.kind = kind;
  p.search.kernel.kind = AttractionKind::Linear;
  p.search.seed = seed;
  p.threads = 1;
  return p;
}

} // namespace

class TestFormation : public QObject
{
  Q_OBJECT

private slots:
  /// Test 10: of R requests on a neuron with v vacant elements min(R, v) are granted, each with the same probability.
  void conflictsAreFair()
  {
    constexpr std::uint32_t kRequests = 12;
    std::vector<Request> requests;
    for (std::uint32_t i = 0; i < kRequests; ++i)
      requests.push_back({i / 2, i % 2, 20 + i % 2 * 5}); // six on neuron 20, six on neuron 25
    std::vector<std::uint32_t> vacant(30);
    vacant[20] = 2;
    vacant[25] = 9;
    std::vector<std::uint64_t> wins(kRequests / 2);
    std::vector<std::uint64_t> pairs(36);
    for (std::uint32_t step = 0; step < 30'000; ++step) {
      const auto granted = resolveConflicts(requests, vacant, kExcitatory, step, 5, 1);
      std::vector<std::uint32_t> winners;
      for (std::uint32_t i = 0; i < kRequests; ++i) {
        if (requests[i].found == 25) {
          QVERIFY(granted[i] != 0); // fewer than it has elements
        } else if (granted[i] != 0) {
          winners.push_back(i / 2);
          ++wins[i / 2];
        }
      }
      QCOMPARE(winners.size(), std::size_t{2});
      ++pairs[winners[0] * 6 + winners[1]];
    }
    // Winners of a step exclude each other, which takes a little off the spread of `wins`; `pairs` has no such flaw.
    QVERIFY(chiSquareScore(wins, std::vector<double>(6, 1.0 / 6)) < kScore);
    std::vector<double> expected(36);
    for (int a = 0; a < 6; ++a)
      for (int b = a + 1; b < 6; ++b)
        expected[a * 6 + b] = 1.0 / 15;
    QVERIFY(std::abs(chiSquareScore(pairs, expected)) < kScore);
  }

  void conflictsAreTheSameOnAnyThreads()
  {
    std::vector<Request> requests;
    for (std::uint32_t i = 0; i < 50'000; ++i)
      requests.push_back({i, 0, i * 7919 % 9'000});
    const std::vector<std::uint32_t> vacant(50'000, 2);
    const auto one = resolveConflicts(requests, vacant, kInhibitory, 3, 5, 1);
    QVERIFY(resolveConflicts(requests, vacant, kInhibitory, 3, 5, 4) == one);
    QCOMPARE(std::ranges::count(one, 1), 18'000);
    QVERIFY(resolveConflicts(requests, vacant, kExcitatory, 3, 5, 1) != one);
    QVERIFY(resolveConflicts({}, vacant, kInhibitory, 3, 5, 1).empty());
  }

  /// Parts that hold many neurons, one, and fewer requests than a neuron has.
  void conflictsAreTheSameInParts()
  {
    std::vector<Request> requests;
    for (std::uint32_t i = 0; i < 20'000; ++i)
      requests.push_back({i, i % 3, i % 7 == 0 ? 11 : i * 7919 % 500});
    const std::vector<std::uint32_t> vacant(600, 8);
    const auto one = resolveConflicts(requests, vacant, kInhibitory, 3, 5, 1);
    for (const std::size_t most : {19'999, 3'000, 40, 1})
      QVERIFY(synapse::detail::resolveInParts(requests, vacant, {5, 3, kInhibitory, 0}, 1, most) == one);
  }

  /// Test 10: with a flat kernel and v axons and dendrites each, 1 - e^-v v^v / v! of the axons connect.
  void theOccupancyLawHolds()
  {
    const auto population = makeRandomPopulation(5'000, 26, 1, 2);
    for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact}) {
      for (const std::uint32_t v : {1u, 3u, 10u}) {
        const auto formation = formSynapses(population, flatKernel(v, kind, 4));
        QCOMPARE(formation->vacantAxons, std::uint64_t{5'000} * v);
        const double share = static_cast<double>(synapseCount(formation->network)) / (5'000.0 * v);
        const double law = 1 - std::exp(v * std::log(v) - v - std::lgamma(v + 1.0));
        // The spread of the share is 0.31 / sqrt(N) for v = 1 and less above.
        QVERIFY2(std::abs(share - law) < 4.5 * 0.31 / std::sqrt(5'000.0),
                 qPrintable(QString("v %1: %2, not %3").arg(v).arg(share).arg(law)));
      }
    }
  }

  /// Test 3: nobody has more synapses than elements, signs are the axons' own, nobody reaches itself.
  void keepsCounts()
  {
    const auto population = makeRandomPopulation(1'500, 26, 0.8, 3);
    for (const SearchKind kind : {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Inverse, SearchKind::Exact}) {
      FormationParameters p;
      p.search.kind = kind;
      p.search.kernel.sigma = 100;
      p.axons = 3;
      p.dendrites = 2;
      const auto formation = formSynapses(population, p);
      std::vector<std::uint32_t> axons(1'500);
      std::map<std::pair<std::uint32_t, bool>, std::uint32_t> dendrites;
      for (const Synapse& synapse : formation->network.synapses) {
        QVERIFY(synapse.source != synapse.target);
        QCOMPARE(synapse.weight < 0, population->isInhibitory[synapse.source] != 0);
        axons[synapse.source] += static_cast<std::uint32_t>(std::abs(synapse.weight));
        dendrites[{synapse.target, synapse.weight < 0}] += static_cast<std::uint32_t>(std::abs(synapse.weight));
      }
      QVERIFY(std::ranges::all_of(axons, [](std::uint32_t n) { return n <= 3; }));
      QVERIFY(std::ranges::all_of(dendrites, [](const auto& n) { return n.second <= 2; }));
      QVERIFY(std::ranges::is_sorted(formation->network.synapses));
      QVERIFY(synapseCount(formation->network) > 1'500);
      QVERIFY(formation->meanDistance > 50 && formation->meanDistance < 200);
      for (const char* stage : {"tree", "vacant", "search", "resolve", "edges"})
        QVERIFY2(formation->timings.of(stage) > 0, stage);
    }
  }

  void keepsTheTreeWhereItIsWanted()
  {
    const auto population = makeRandomPopulation(500, 26, 0.7, 3);
    FormationParameters p;
    const auto all = formSynapses(population, p);
    QCOMPARE(all->tree->neurons(), population->size());
    for (const VacantElements& sought : all->sought)
      QCOMPARE(sought.count.size(), all->tree->nodes());
    p.keepsTree = false;
    const auto network = formSynapses(population, p);
    QVERIFY(network->network.synapses == all->network.synapses);
    QCOMPARE(network->meanDistance, all->meanDistance);
    QVERIFY(!network->tree);
    for (const VacantElements& sought : network->sought)
      QVERIFY(sought.count.empty() && sought.centroid.empty());
  }

  void isTheSameOnAnyThreads()
  {
    const auto population = makeRandomPopulation(3'000, 26, 0.7, 3);
    for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Exact}) {
      FormationParameters p;
      p.search.kind = kind;
      p.threads = 1;
      const auto one = formSynapses(population, p);
      for (const int threads : {2, 5}) {
        p.threads = threads;
        QVERIFY(formSynapses(population, p)->network.synapses == one->network.synapses);
      }
      p.search.seed = 2;
      QVERIFY(formSynapses(population, p)->network.synapses != one->network.synapses);
    }
  }

  void refusesWhatCannotConnect()
  {
    const auto messageFor = [](std::shared_ptr<const NeuronPopulation> population, FormationParameters p) {
      try {
        formSynapses(std::move(population), p);
      } catch (const Error& error) {
        return QString::fromStdString(error.message());
      }
      return QString("nothing");
    };
    const auto at = [](std::vector<Position> positions) {
      auto population = std::make_shared<NeuronPopulation>();
      population->isInhibitory.resize(positions.size());
      population->area.resize(positions.size());
      population->position = std::move(positions);
      return population;
    };
    QVERIFY(messageFor(at({}), {}).contains("at least two"));
    QVERIFY(messageFor(at({{1, 2, 3}}), {}).contains("at least two"));
    QVERIFY(messageFor(at({{1, 2, 3}, {1, 2, 3}}), {}).contains("one place"));
    QVERIFY(messageFor(at({{1, 2, 3}, {1e300, 2, 3}}), {}).contains("Neuron 1"));
    QVERIFY(messageFor(at({{std::nan(""), 2, 3}, {1, 2, 3}}), {}).contains("Neuron 0"));
    const auto sound = at({{0, 0, 0}, {1, 2, 3}});
    FormationParameters p;
    p.axons = 0;
    QVERIFY(messageFor(sound, p).contains("Axons is 0"));
    p.axons = 1;
    p.dendrites = 0;
    QVERIFY(messageFor(sound, p).contains("Dendrites is 0"));
    p.dendrites = 1;
    p.search.theta = 0.6;
    QVERIFY(messageFor(sound, p).contains("Theta is 0.6"));
    p.search.theta = 0.3;
    p.threads = -1;
    QVERIFY(messageFor(sound, p).contains("threads is -1"));
    p.threads = 0;
    QCOMPARE(synapseCount(formSynapses(sound, p)->network), std::uint64_t{2});
  }

  void stopsInTheMidstOfEveryStage()
  {
    constexpr std::size_t kNeurons = 100'000;
    constexpr std::size_t kMostSought = 64; // searches side by side
    const auto population = makeRandomPopulation(kNeurons, 26, 1, 1);
    FormationParameters p;
    p.threads = 2;
    const auto form = [&](const RunControl& control) { formSynapses(population, p, control); };
    const tests::Checkpoints checkpoints(form);
    for (const char* stage : {"codes", "sort", "nodes", "vacant", "search", "resolve", "edges"})
      QVERIFY2(checkpoints.of(stage) >= 2, stage);
    QVERIFY(checkpoints.of("search") >= kNeurons / kMostSought);
    QVERIFY(tests::endsWhereCancelled(form, checkpoints.all(), p.threads));
  }
};

HINESIGHT_TEST(TestFormation)
#include "test_formation.moc"
