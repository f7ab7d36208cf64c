#include "synapse/on_ranks.hpp"

#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/ranks/neuron_ranges.hpp"
#include "synapse/ranks/rank_formation.hpp"
#include "synapse/ranks/rank_search.hpp"
#include "synapse/search/search_step.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <random>

using namespace hinesight;
using namespace hinesight::synapse;
using hinesight::tests::failureOf;
using hinesight::tests::kRanks;
using hinesight::tests::onRanks;
using hinesight::tests::populationAt;

namespace {

constexpr SearchKind kSearchKinds[] = {SearchKind::Naive, SearchKind::BarnesHut, SearchKind::Inverse,
                                       SearchKind::Exact};

/// Several elements each, of which many conflict.
FormationParameters someElements(SearchKind kind)
{
  FormationParameters p;
  p.search.kind = kind;
  p.search.kernel.sigma = 100;
  p.axons = 3;
  p.dendrites = 2;
  p.threads = 2;
  return p;
}

/// The same to the last bit, whatever it is made on.
bool isSame(const Formation& a, const Formation& b)
{
  return a.network.neurons == b.network.neurons && a.network.synapses == b.network.synapses &&
         a.vacantAxons == b.vacantAxons && a.requests == b.requests &&
         std::memcmp(&a.meanDistance, &b.meanDistance, sizeof a.meanDistance) == 0;
}

/// Whether all numbers of ranks form what one rank alone does.
bool isSameOnRanks(const std::shared_ptr<const NeuronPopulation>& population, const FormationParameters& parameters)
{
  const auto alone = formSynapses(population, parameters);
  for (const int ranks : kRanks) {
    std::shared_ptr<const Formation> formation;
    onRanks(ranks, [&] { formation = formSynapses(population, parameters); });
    if (!isSame(*formation, *alone))
      return false;
  }
  return true;
}

} // namespace

class TestRankFormation : public QObject
{
  Q_OBJECT

private slots:
  void rangesCoverAllNeurons()
  {
    for (const std::size_t neurons : {1, 2, 63, 64, 65, 200, 1000, 4097})
      for (const int ranks : kRanks) {
        const NeuronRanges ranges(neurons, ranks);
        std::uint32_t next = 0;
        for (int rank = 0; rank < ranks; ++rank) {
          const NeuronRange range = ranges.of(rank);
          QCOMPARE(range.begin, next);
          QVERIFY(range.begin % 64 == 0 || range.size() == 0);
          for (std::uint32_t neuron = range.begin; neuron < range.end; ++neuron)
            QCOMPARE(ranges.owner(neuron), rank);
          next = range.end;
        }
        QCOMPARE(next, neurons);
        QCOMPARE(ranges.begins().back(), neurons);
      }
  }

  /// Every seeker has one rank, and every rank about as many seekers as the others.
  void seekersAreDivided()
  {
    const auto population = makeRandomPopulation(20'000, 26, 0.8, 3);
    const auto tree = makeOctree(population->position);
    std::vector<std::uint32_t> vacant(population->size());
    for (std::size_t i = 0; i < vacant.size(); ++i)
      vacant[i] = static_cast<std::uint32_t>(i % 3);
    for (const int ranks : kRanks) {
      std::vector<std::uint32_t> sum(vacant.size(), 0);
      for (int rank = 0; rank < ranks; ++rank) {
        const auto share = shareOfSeekers(*tree, vacant, rank, ranks);
        const auto seekers = std::ranges::count_if(share, [](std::uint32_t n) { return n > 0; });
        QVERIFY(std::abs(static_cast<double>(seekers) * ranks / 13'333 - 1) < 0.1);
        std::ranges::transform(share, sum, sum.begin(), std::plus());
      }
      QVERIFY(sum == vacant);
    }
  }

  void everySearchFormsTheSame_data()
  {
    QTest::addColumn<int>("kind");
    for (const SearchKind kind : kSearchKinds)
      QTest::newRow(std::string(searchName(kind)).c_str()) << static_cast<int>(kind);
  }
  void everySearchFormsTheSame()
  {
    QFETCH(int, kind);
    const FormationParameters p = someElements(static_cast<SearchKind>(kind));
    QVERIFY(isSameOnRanks(makeRandomPopulation(1'500, 26, 0.8, 3), p));
    QVERIFY(isSameOnRanks(makeRandomPopulation(1'500, 26, 1, 4), p)); // no inhibitory channel
  }

  void everyKernelFormsTheSame()
  {
    const auto population = makeRandomPopulation(700, 26, 0.8, 3);
    for (const Choice& kernel : kKernels)
      for (const SearchKind kind : {SearchKind::BarnesHut, SearchKind::Exact}) {
        FormationParameters p = someElements(kind);
        p.search.kernel.kind = static_cast<AttractionKind>(&kernel - kKernels);
        QVERIFY2(isSameOnRanks(population, p), std::string(kernel.name).c_str());
      }
  }

  /// Where the kernel is 0 the inverse of the distance takes its place, or nothing is found.
  void farNeuronsFormTheSame()
  {
    FormationParameters p = someElements(SearchKind::BarnesHut);
    p.search.kernel.sigma = 1e-3;
    for (const SearchKind kind : kSearchKinds) {
      p.search.kind = kind;
      QVERIFY(isSameOnRanks(makeRandomPopulation(300, 26, 0.5, 5), p));
    }
  }

  void colocatedNeuronsFormTheSame()
  {
    std::vector<Position> positions;
    for (int i = 0; i < 400; ++i)
      positions.push_back({std::floor(i / 7.0) * 10, (i % 3) * 20.0, i < 200 ? 0.0 : 50.0});
    for (const SearchKind kind : kSearchKinds)
      QVERIFY(isSameOnRanks(populationAt(positions), someElements(kind)));
  }

  /// Fewer neurons than ranks, or than fill a word of bits.
  void ranksMayBeEmpty()
  {
    for (const SearchKind kind : kSearchKinds) {
      QVERIFY(isSameOnRanks(populationAt({{0, 0, 0}, {1, 2, 3}}), someElements(kind)));
      QVERIFY(isSameOnRanks(populationAt({{0, 0, 0}, {1, 2, 3}, {1, 2, 3}, {9, 9, 9}, {5, 0, 1}}), someElements(kind)));
      QVERIFY(isSameOnRanks(makeRandomPopulation(150, 26, 0.8, 3), someElements(kind)));
    }
  }

  /// Every rank does its share of the search, and has the synapses of its own axons alone.
  void workAndMemoryAreSplit()
  {
    const auto population = makeRandomPopulation(4'000, 26, 0.8, 3);
    const FormationParameters p = someElements(SearchKind::BarnesHut);
    const auto alone = formSynapses(population, p);
    std::mutex mutex;
    std::map<int, std::size_t> synapses;
    runRanks(4, [&](Communicator& ranks) {
      const NeuronRange range = NeuronRanges(population->size(), 4).of(ranks.rank());
      const auto formation = formOnRanks(ranks, population, p, {});
      const std::lock_guard lock(mutex);
      if (!ranks.isRoot() &&
          std::ranges::all_of(formation->network.synapses, [&](const Synapse& s) { return range.holds(s.source); }))
        synapses[ranks.rank()] = formation->network.synapses.size();
    });
    QCOMPARE(synapses.size(), std::size_t{3});
    for (const auto& [rank, count] : synapses)
      QVERIFY(std::abs(4.0 * static_cast<double>(count) / static_cast<double>(alone->network.synapses.size()) - 1) <
              0.2);
  }

  /// Requests of equal random keys: their order is that of the seekers, however they arrive.
  void tiesDoNotDependOnArrival()
  {
    constexpr std::uint32_t kStep = 3, kTarget = 7;
    constexpr std::uint64_t kSeed = 5;
    std::vector<Request> requests;
    std::map<std::uint64_t, std::vector<std::uint32_t>> byKey;
    for (std::uint32_t seeker = 0; seeker < 300'000; ++seeker) {
      requests.push_back({seeker, 0, kTarget});
      byKey[conflictKey({kSeed, kStep, kExcitatory, seeker}, 0, kTarget)].push_back(seeker);
    }
    // As many elements as are before the second of two with one key.
    std::uint32_t before = 0, winner = 0, loser = 0;
    for (const auto& [key, seekers] : byKey) {
      before += static_cast<std::uint32_t>(seekers.size());
      if (seekers.size() == 2) {
        winner = seekers[0];
        loser = seekers[1];
        --before;
        break;
      }
    }
    QVERIFY2(winner < loser, "no two have one key");
    std::vector<std::uint32_t> vacant(kTarget + 1, 0);
    vacant[kTarget] = before;
    for (int order = 0; order < 2; ++order) {
      const auto granted = resolveConflicts(requests, vacant, kExcitatory, kStep, kSeed, 1);
      for (std::size_t i = 0; i < requests.size(); ++i)
        if (requests[i].seeker == winner || requests[i].seeker == loser)
          QCOMPARE(granted[i] != 0, requests[i].seeker == winner);
      std::ranges::reverse(requests);
    }
  }

  void failuresEndAllRanks()
  {
    const auto population = makeRandomPopulation(2'000, 26, 0.8, 3);
    const auto many = makeRandomPopulation(500'000, 26, 0.8, 3); // enough for several GPUs
    for (const int ranks : {1, 3}) {
      FormationParameters p = someElements(SearchKind::BarnesHut);
      p.backend = Backend::Cuda;
      if (cudaDevices().empty())
        for (const auto& neurons : {population, many})
          QCOMPARE(failureOf([&] { onRanks(ranks, [&] { formSynapses(neurons, p); }); }), ErrorCode::NoDevice);
      p.backend = Backend::Cpu;
      const RunControl cancelled;
      cancelled.cancel();
      QCOMPARE(failureOf([&] { onRanks(ranks, [&] { formSynapses(population, p, cancelled); }); }),
               ErrorCode::Cancelled);
      // What others are cancelled by ends rank 0 too, and all can go on.
      if (ranks > 1)
        QCOMPARE(failureOf([&] {
                   onRanks(
                       ranks, [&] { formSynapses(population, p); }, cancelled);
                 }),
                 ErrorCode::Cancelled);
      onRanks(ranks, [&] {
        QCOMPARE(failureOf([&] { formSynapses(population, p, cancelled); }), ErrorCode::Cancelled);
        const auto distant = std::make_shared<NeuronPopulation>(*population);
        distant->position[17][1] = 1e300;
        QCOMPARE(failureOf([&] { formSynapses(distant, p); }), ErrorCode::BadParameter);
        QVERIFY(formSynapses(population, p)->network.synapses.size() > 1'000);
      });
    }
  }
};

HINESIGHT_TEST(TestRankFormation)
#include "test_rank_formation.moc"
