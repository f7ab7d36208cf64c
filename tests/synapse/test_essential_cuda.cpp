#include "synapse/on_ranks.hpp"
#include "synapse/plasticity_fixture.hpp"
#include "synapse/walks_fixture.hpp"

#include "cancellation.hpp"
#include "core/device.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"
#include "synapse/ranks/rank_formation.hpp"
#include "synapse/ranks/rank_model.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"
#include "test_main.hpp"

#include <QTest>

#include <atomic>
#include <cmath>

using namespace hinesight;
using namespace hinesight::tests;

// Ranks with a GPU each find in their essential trees what one processor does in the whole tree, to the last bit.

namespace {

constexpr SearchKind kWalkKinds[] = {SearchKind::BarnesHut, SearchKind::Inverse};
constexpr int kRanksOfGpus[] = {2, 3, 5};

/// Many neurons share their place.
std::shared_ptr<const NeuronPopulation> crowded(std::size_t count)
{
  std::vector<Position> positions = makeRandomPopulation(count, 26, 0.8, 5)->position;
  for (Position& position : positions)
    for (double& x : position)
      x = 40 * std::floor(x / 40);
  return populationAt(std::move(positions));
}

/// Ranks with a GPU each, or with the same one, whatever the number of neurons.
std::shared_ptr<Formation> formedOnGpus(int ranks, TreeOnRanks tree,
                                        const std::shared_ptr<const NeuronPopulation>& population,
                                        FormationParameters parameters, const RunControl& control = {})
{
  parameters.backend = Backend::Cuda;
  std::shared_ptr<Formation> formation;
  onRanks(ranks, [&] {
    const TreeScope scope(tree);
    formation = leadFormation(*currentRanks(), population, parameters, control);
  });
  return formation;
}

bool isSameOnGpus(const std::shared_ptr<const NeuronPopulation>& population, const FormationParameters& parameters)
{
  const auto alone = formSynapses(population, parameters);
  for (const int ranks : kRanksOfGpus) {
    const auto split = formedOnGpus(ranks, TreeOnRanks::Essential, population, parameters);
    const std::string ending = std::to_string(ranks) + " ranks with essential trees";
    if (!QByteArrayView(split->timings.device).endsWith(QByteArrayView(ending)) ||
        split->timings.backend != Backend::Cuda || split->network.synapses != alone->network.synapses ||
        split->requests != alone->requests || split->vacantAxons != alone->vacantAxons)
      return false;
  }
  return true;
}

} // namespace

class TestEssentialCuda : public QObject
{
  Q_OBJECT

private slots:
  void initTestCase()
  {
    if (cudaDevices().empty())
      QSKIP("no CUDA device");
  }

  void gpusFindWhatProcessorsDo()
  {
    const auto random = makeRandomPopulation(3'000, 26, 1, 3)->position;
    for (const auto& positions : {random, crowded(700)->position, std::vector<Position>{{1, 2, 3}, {4, 4, 4}}})
      for (const int ranks : kRanksOfGpus)
        for (const double theta : {0.2, 0.5}) {
          std::atomic<int> same = 0, sameAgain = 0;
          onWalks(ranks, positions, theta, [&](const Walked& walked) {
            useGpuOf(walked.ranks);
            const auto cpu = synapse::detail::makeCpuWalks(walked.placed, walked.tree, 1);
            const auto cuda = synapse::detail::makeCudaWalks(walked.placed, walked.tree, theta, 1);
            for (std::atomic<int>* count : {&same, &sameAgain}) {
              FirstFinds here = cpu->begin(walked.query, walked.seeking, walked.sought, {});
              FirstFinds there = cuda->begin(walked.query, walked.seeking, walked.sought, {});
              const bool begun = areSame(here.requests, there.requests) && areSame(here.descents, there.descents);
              const auto ended = walked.finish(*cpu, std::move(here));
              *count += areSame(ended, walked.finish(*cuda, std::move(there))) && begun;
            }
          });
          QCOMPARE(same.load(), ranks);
          QCOMPARE(sameAgain.load(), ranks);
        }
  }

  void gpusFormTheSame()
  {
    for (const SearchKind kind : kWalkKinds) {
      for (const double theta : {0.1, 0.3, 0.5})
        QVERIFY(isSameOnGpus(makeRandomPopulation(1'500, 26, 0.8, 3), someElements(kind, theta)));
      QVERIFY(isSameOnGpus(makeRandomPopulation(1'500, 26, 1, 4), someElements(kind))); // no inhibitory channel
      QVERIFY(isSameOnGpus(crowded(700), someElements(kind)));
      QVERIFY(isSameOnGpus(populationAt({{0, 0, 0}, {1, 2, 3}, {1, 2, 3}, {9, 9, 9}, {5, 0, 1}}), someElements(kind)));
      FormationParameters far = someElements(kind, 0.5);
      far.search.kernel.sigma = 1e-3; // the inverse of the distance takes its place
      QVERIFY(isSameOnGpus(makeRandomPopulation(300, 26, 0.5, 5), far));
    }
  }

  void everyKernelFormsTheSameOnGpus()
  {
    const auto population = makeRandomPopulation(700, 26, 0.8, 3);
    for (const Choice& kernel : kKernels) {
      FormationParameters p = someElements(SearchKind::BarnesHut, 0.5);
      p.search.kernel.kind = static_cast<AttractionKind>(&kernel - kKernels);
      QVERIFY2(isSameOnGpus(population, p), std::string(kernel.name).c_str());
    }
  }

  void exactSearchesOfGpusHaveWholeTrees()
  {
    const auto population = makeRandomPopulation(900, 26, 0.8, 3);
    const FormationParameters p = someElements(SearchKind::Exact);
    const auto alone = formSynapses(population, p);
    const auto split = formedOnGpus(2, TreeOnRanks::Essential, population, p);
    QVERIFY(split->timings.device.ends_with(", with whole trees: the search is exact"));
    QVERIFY(split->network.synapses == alone->network.synapses);
    const auto whole = formedOnGpus(2, TreeOnRanks::Whole, population, p);
    QVERIFY(whole->timings.device.find("trees") == std::string::npos);
  }

  void gpusGrowTheSame()
  {
    const auto population = neurons(400);
    for (const SearchKind kind : kWalkKinds) {
      PlasticityParameters p = lively(NeuronModel::Izhikevich);
      p.search.kind = kind;
      p.interrupts = {{45, InterruptKind::Disable, {1, 2, 3, 250}, 0}, {121, InterruptKind::Enable, {2, 3}, 0}};
      const auto alone = makePlasticityModel(population, p);
      const auto records = run(*alone, 165);
      p.backend = Backend::Cuda;
      for (const int ranks : kRanksOfGpus) {
        bool same = false;
        std::string device;
        onRanks(ranks, [&] {
          const TreeScope scope(TreeOnRanks::Essential);
          const auto split =
              synapse::detail::makeRankModel(*currentRanks(), synapse::detail::makeSetup(population, p, {}, 0),
                                             synapse::detail::freshProgress(*population, p));
          same = sameRecords(run(*split, 165), records) && sameState(*split, *alone);
          device = split->timings().device;
        });
        QVERIFY(same);
        QVERIFY(device.ends_with(", with essential trees"));
      }
    }
  }

  void gpusAreCancelledTogether()
  {
    const auto population = makeRandomPopulation(2'000, 26, 0.8, 3);
    const RunControl cancelled;
    cancelled.cancel();
    QCOMPARE(failureOf([&] {
               formedOnGpus(3, TreeOnRanks::Essential, population, someElements(SearchKind::BarnesHut), cancelled);
             }),
             ErrorCode::Cancelled);
  }
};

HINESIGHT_TEST(TestEssentialCuda)
#include "test_essential_cuda.moc"
