#include "core/device.hpp"
#include "core/error.hpp"
#include "io/networks/network_files.hpp"
#include "paths/paths.hpp"
#include "synapse/check/verify.hpp"
#include "synapse/check/verify_checks.hpp"
#include "synapse/check/verify_reference.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace hinesight;
using namespace hinesight::synapse;

class TestVerifySynapses : public QObject
{
  Q_OBJECT

private slots:
  void passesOnTheCpu_data()
  {
    QTest::addColumn<int>("test");
    for (int test = 1; test <= kSynapseTests; ++test)
      QTest::addRow("%d %s", test, synapseTestName(test).data()) << test;
  }

  void passesOnTheCpu()
  {
    QFETCH(int, test);
    VerifyParameters parameters;
    parameters.quick = true;
    parameters.tests = {test};
    parameters.foreign = foreignNetworks();
    const std::vector<SynapseCheck> checks = verifySynapses(parameters);
    QVERIFY(!checks.empty());
    for (const SynapseCheck& check : checks) {
      QCOMPARE(check.test, test);
      if (check.outcome == CheckOutcome::Skipped)
        QSKIP(check.reason.c_str());
      const std::string line = check.subject + ": " + check.quantity + " " + std::to_string(check.value) + ", bound " +
                               std::to_string(check.bound);
      QVERIFY2(check.outcome == CheckOutcome::Passed, line.c_str());
      QCOMPARE(check.value >= check.bound, check.isAtLeast || check.value == check.bound);
    }
  }

  /// The references against what is known of them without any search.
  void referencesAreRight()
  {
    // Two neurons see each other only; a third at twice the distance weighs less by the kernel.
    const std::vector<Position> positions = {{0, 0, 0}, {100, 0, 0}, {0, 200, 0}};
    const std::vector<std::uint32_t> vacant = {1, 3, 5};
    KernelParameters kernel;
    kernel.sigma = 100;
    const double near = 3 * std::exp(-1.0);
    const double far = 5 * std::exp(-4.0);
    const auto exact = reference::exactDistribution(positions, vacant, 0, kernel);
    QCOMPARE(exact[0], 0.0);
    QVERIFY(std::abs(exact[1] - near / (near + far)) < 1e-15);
    const reference::Tree tree(positions, vacant, {0, 0, 0}, 200);
    QVERIFY(reference::totalVariation(tree.inducedDistribution(0, 0.3, kernel), exact) < 1e-15);
    // With a flat kernel a tree approximates nothing.
    const auto population = makeRandomPopulation(400, 26, 1, 5);
    const std::vector<std::uint32_t> two(400, 2);
    KernelParameters flat;
    flat.kind = AttractionKind::Linear;
    const auto octree = makeOctree(population->position);
    const reference::Tree large(population->position, two, octree->lowest, octree->edge);
    const auto induced = large.inducedDistribution(7, 0.5, flat);
    for (std::size_t i = 0; i < induced.size(); ++i)
      QVERIFY(std::abs(induced[i] - (i == 7 ? 0 : 1.0 / 399)) < 1e-12);
  }

  /// Where a search is off by what theta 0.5 costs, the comparison says so; against what theta 0.5 induces it does not.
  void noticesABias()
  {
    VerifyParameters parameters;
    const checks::Session session(parameters, {}, {});
    SearchParameters search;
    search.theta = 0.5;
    search.kernel = checks::gaussianKernel(50);
    const auto population = makeRandomPopulation(1'000, 26, 1, 3);
    const checks::Picks picks = checks::drawPicks(session, population, search, 300);
    const auto exact = checks::comparePicks(session, picks, [&](std::uint32_t seeker) {
      return reference::exactDistribution(population->position, picks.vacant, seeker, search.kernel);
    });
    QVERIFY(exact.isComplete);
    QVERIFY(exact.cells < kLeastP);
    QVERIFY(exact.lengths < kLeastP);
    const reference::Tree tree(population->position, picks.vacant, picks.tree->lowest, picks.tree->edge);
    const auto induced = checks::comparePicks(session, picks, [&](std::uint32_t seeker) {
      return tree.inducedDistribution(seeker, search.theta, search.kernel);
    });
    for (const double p : induced.pValues())
      QVERIFY(p > kLeastP);
  }

  void refusesTestsThatThereAreNot()
  {
    VerifyParameters parameters;
    parameters.tests = {16};
    QVERIFY_EXCEPTION_THROWN(verifySynapses(parameters), Error);
  }

  void canBeCancelled()
  {
    VerifyParameters parameters;
    parameters.quick = true;
    const RunControl control;
    std::vector<SynapseCheck> seen;
    const auto run = [&] {
      verifySynapses(
          parameters,
          [&](const SynapseCheck& check) {
            seen.push_back(check);
            control.cancel();
          },
          control);
    };
    QVERIFY_EXCEPTION_THROWN(run(), Error);
    QVERIFY(seen.size() >= 1 && seen.front().test == 1 && seen.back().test <= 2);
  }

private:
  /// RELeARN's, where they are.
  static std::shared_ptr<const ForeignNetworks> foreignNetworks()
  {
    const QString folder = tests::sharedFile("reference/relearn_networks/");
    if (!QFile::exists(folder + "positions.txt.gz"))
      return nullptr;
    auto foreign = std::make_shared<ForeignNetworks>();
    foreign->population =
        std::make_shared<const NeuronPopulation>(io::readNeuronPopulation((folder + "positions.txt.gz").toStdString()));
    ForeignRuns runs{100, {}};
    for (int seed = 1; seed <= 10; ++seed) {
      const QString name = QString("in_network_sigma100_seed%1.txt.gz").arg(seed, 2, 10, QChar('0'));
      runs.networks.push_back(io::readNetwork((folder + name).toStdString()).plastic);
    }
    foreign->runs.push_back(std::move(runs));
    return foreign;
  }
};

HINESIGHT_TEST(TestVerifySynapses)
#include "test_verify_synapses.moc"
