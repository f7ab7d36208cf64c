#include "core/device.hpp"
#include "core/error.hpp"
#include "paths/paths.hpp"
#include "simulation/check/checks.hpp"
#include "simulation/samples/sample_networks.hpp"
#include "study/simulation/model_truths.hpp"
#include "test_main.hpp"

#include <QTest>

#include <limits>

using namespace hinesight;
using namespace hinesight::simulation;

/// What is known of cables, spikes, synapses, networks and published cells (docs/verification.md), in small sizes.
class TestVerifySimulation : public QObject
{
  Q_OBJECT

  static void rows()
  {
    QTest::addColumn<QString>("truth");
    for (const Truth& truth : study::allTruths(tests::sharedFile("models").toStdString()))
      QTest::newRow(truth.name.data()) << QString::fromUtf8(truth.name.data());
  }

  static std::vector<Check> look(const QString& truth, Backend backend)
  {
    VerifyParameters parameters;
    parameters.quick = true;
    parameters.backends = {backend};
    parameters.truths = {truth.toStdString()};
    return verify(parameters, study::allTruths(tests::sharedFile("models").toStdString()));
  }

  static void requirePassed(const std::vector<Check>& checks)
  {
    QVERIFY(!checks.empty());
    for (const Check& check : checks) {
      if (check.outcome == CheckOutcome::Skipped)
        QSKIP(check.reason.c_str());
      const QString line = QString("%1: %2: expected %3, found %4, at most %5 apart")
                               .arg(check.subject.c_str(), check.quantity.c_str())
                               .arg(check.expected, 0, 'g', 12)
                               .arg(check.found, 0, 'g', 12)
                               .arg(check.bound);
      QVERIFY2(check.outcome == CheckOutcome::Passed, qPrintable(line));
    }
  }

private slots:
  void everyTruthHolds_data() { rows(); }
  void everyTruthHolds()
  {
    QFETCH(QString, truth);
    requirePassed(look(truth, Backend::Cpu));
  }

  void everyTruthHoldsOnCuda_data() { rows(); }
  void everyTruthHoldsOnCuda()
  {
    if (cudaDevices().empty())
      QSKIP("there is no CUDA device here");
    QFETCH(QString, truth);
    requirePassed(look(truth, Backend::Cuda));
  }

  void whatIsOffFails()
  {
    const std::vector<Truth> truths = {{"numbers", "some", [](checks::Session& session) {
                                          session.expect("a", "near", 1, 1.05, 0.1);
                                          session.expect("a", "far", 1, 1.5, 0.1);
                                          session.expect("a", "none", 1, std::numeric_limits<double>::quiet_NaN(), 1e9);
                                          session.expectNone("a", "many", 3);
                                          session.skip("a", "nobody knows");
                                        }}};
    const std::vector<Check> checks = verify({}, truths);
    const std::vector<CheckOutcome> expected = {CheckOutcome::Passed, CheckOutcome::Failed, CheckOutcome::Failed,
                                                CheckOutcome::Failed, CheckOutcome::Skipped};
    QCOMPARE(checks.size(), expected.size());
    for (std::size_t i = 0; i < checks.size(); ++i)
      QCOMPARE(checks[i].outcome, expected[i]);
    try {
      verify({.truths = {"numerals"}}, truths);
      QFAIL("a truth that there is not");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadParameter);
      QVERIFY(error.message().find("numbers") != std::string::npos);
    }
  }

  /// A simulation that is wrong is found out: another temperature is no squid axon at 6.3 °C.
  void anotherCellFails()
  {
    const std::vector<Truth> truths = {
        {"warm", "an axon that is too warm", [](checks::Session& session) {
           Network network = samples::copies(samples::ball({samples::hh()}));
           network.steps = {{0, 0, 0.1, 5, 100}};
           SimulationParameters with = session.with();
           with.celsius = 8;
           const std::vector<Spike> spikes = session.run(std::move(network), with, 120).spikes();
           session.expect("A", "last spike, ms", 94.9284457062, spikes.back().time, 0.02);
         }}};
    QCOMPARE(verify({}, truths).front().outcome, CheckOutcome::Failed);
  }

  void samplesAreWhatTheySay()
  {
    for (const auto kind : {samples::Kind::Perisomatic, samples::Kind::AllActive}) {
      const samples::Model model = samples::cortical(kind);
      QCOMPARE(model->cut.segments(), std::size_t{264});
      QVERIFY(!problemOf(model->biophysics));
      Network network = samples::randomNetwork(model, {.cells = 1, .leastCurrent = 0.3, .greatestCurrent = 0.3});
      QCOMPARE(samples::compartmentsOf(network), std::size_t{264});
      SimulationParameters parameters;
      parameters.celsius = model->biophysics.celsius;
      Simulation simulation(std::move(network), parameters);
      simulation.runUntil(150);
      QVERIFY2(simulation.spikes().size() >= 2, qPrintable(QString::number(simulation.spikes().size())));
    }
    QCOMPARE(samples::pyramidal()->cut.segments(), std::size_t{1501});
    QCOMPARE(samples::dendrites(200, 1, {samples::hh()})->cut.nodes(), std::size_t{200});
  }
};

HINESIGHT_TEST(TestVerifySimulation)
#include "test_verify_simulation.moc"
