#include "app/app_fixture.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "simulation_fixture.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "study/simulation/simulated_network.hpp"
#include "test_main.hpp"

#include <QElapsedTimer>
#include <QTimer>
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <memory>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// So many small circuits, which have 12 cells, beside each other.
std::shared_ptr<const study::SimulationModel> sampleCircuits(std::uint32_t circuits)
{
  auto many = std::make_shared<study::SimulationModel>();
  many->circuit = study::buildSampleCircuit();
  many->title = "many cells";
  const simulation::Network one = many->circuit.network;
  simulation::Network& network = many->circuit.network;
  const auto cells = static_cast<std::uint32_t>(one.cells());
  network.modelOf.clear();
  network.detectors.clear();
  network.synapses.clear();
  network.connections.clear();
  network.trains.clear();
  many->circuit.populations = {{"cells", {}, {}}};
  for (std::uint32_t k = 0; k < circuits; ++k) {
    const auto firstSynapse = static_cast<std::uint32_t>(network.synapses.size());
    const auto firstTrain = static_cast<std::uint32_t>(network.trains.size());
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
      network.modelOf.push_back(one.modelOf[cell]);
      network.detectors.push_back(one.detectors[cell]);
      many->circuit.populations[0].ids.push_back(k * cells + cell);
      many->circuit.populations[0].nodes.push_back({study::SimulatedNode::Kind::Cell, k * cells + cell});
    }
    for (simulation::Synapse synapse : one.synapses) {
      synapse.cell += k * cells;
      network.synapses.push_back(synapse);
    }
    network.trains.insert(network.trains.end(), one.trains.begin(), one.trains.end());
    for (simulation::Connection connection : one.connections) {
      connection.source = connection.source < cells ? connection.source + k * cells
                                                    : circuits * cells + firstTrain + (connection.source - cells);
      connection.target += firstSynapse;
      network.connections.push_back(connection);
    }
  }
  many->pairs = std::make_shared<const study::SimulatedPairs>(study::pairsOf(many->circuit));
  return many;
}

} // namespace

/// How a run and what is drawn of it share the time, in the real main window.
class TestSimulationPace : public QObject, SimulationFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  void keepsTheWindowResponsive();
  void paintsThirtyFramesASecond();
  void tellsOfARunByTheClock();
  void drawingLeavesTimeToTheRun();
  void staysResponsiveWithThreeHundredCells();

private:
  /// To be run as fast as it goes.
  void openSampleCircuits(std::uint32_t circuits)
  {
    window->showView(ViewKind::Simulation);
    emit page().running().opened(sampleCircuits(circuits));
    page().setSpeed(SimulationRunner::kAsFastAsItGoes);
  }
};

/// No event of a run takes long.
void TestSimulationPace::keepsTheWindowResponsive()
{
  open(QString::fromLatin1(study::kSampleCircuit));
  page().setSpeed(SimulationRunner::kAsFastAsItGoes);
  click("simulationRun");
  QElapsedTimer sinceTick;
  qint64 longest = 0;
  QTimer ticks;
  connect(&ticks, &QTimer::timeout, this, [&] {
    longest = std::max(longest, sinceTick.isValid() ? sinceTick.elapsed() : 0);
    sinceTick.start();
  });
  ticks.start(5);
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 60, kPatience);
  page().pause();
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
  qInfo("the longest wait for an event: %lld ms", longest);
  QVERIFY(longest < 400 * tests::kSlowness); // software OpenGL on busy cores
}

void TestSimulationPace::paintsThirtyFramesASecond()
{
  constexpr int kFrames = 30;
  open(kCell);
  page().setSpeed(30);
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().framesShown() > 10, kPatience);
  const std::int64_t before = page().framesShown();
  QElapsedTimer timer;
  timer.start();
  QTRY_VERIFY_WITH_TIMEOUT(page().framesShown() >= before + kFrames, kPatience);
  const double rate = kFrames / (static_cast<double>(timer.elapsed()) / 1000);
  page().pause();
  qInfo("%.1f frames a second, the last one took %.1f ms as %s", rate, page().view().frameMilliseconds(),
        page().view().drawsLines() ? "lines" : "tubes");
  QVERIFY(rate > 5.0 / tests::kSlowness); // what it is on an idle machine stands in docs/simulation.md
}

/// However much simulated time that is.
void TestSimulationPace::tellsOfARunByTheClock()
{
  constexpr qint64 kMoment = 25; // ms of work
  open(kCell);
  page().setSpeed(SimulationRunner::kAsFastAsItGoes);
  qint64 told = 0;
  const QObject listener;
  connect(&page().running(), &SimulationRunner::advanced, &listener, [&] { ++told; });
  QElapsedTimer timer;
  timer.start();
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 100 && timer.elapsed() > 500, kPatience);
  page().pause();
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
  const qint64 most = timer.elapsed() / kMoment + 1; // and what came before the pause
  QVERIFY2(told > 1 && told <= most, qPrintable(QStringLiteral("%1 of at most %2").arg(told).arg(most)));
}

/// A run that takes all that there is: each frame has a part of the time until the next one, and still they come.
void TestSimulationPace::drawingLeavesTimeToTheRun()
{
  constexpr double kPart = 6;
  constexpr double kMostInterval = 100;    // ms
  constexpr double kTimerTolerance = 12.5; // ms
  openSampleCircuits(5);
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().framesShown() > 2, kPatience);
  QElapsedTimer timer;
  double last = 0;
  double reserved = 0;
  int frames = 0;
  const QObject listener;
  connect(&page().view(), &widgets::VoltageView::painted, &listener, [&] {
    if (frames++ == 0)
      return timer.start();
    reserved += std::max(0.0, last - kTimerTolerance); // of the one before
    last = std::min(kPart * page().view().frameMilliseconds(), kMostInterval);
  });
  QTRY_VERIFY_WITH_TIMEOUT(frames > 20, kPatience);
  const double passed = static_cast<double>(timer.elapsed());
  page().pause();
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
  qInfo("%d frames in %.0f ms, of which %.0f are theirs", frames, passed, reserved);
  constexpr double kOthers = 3 * kMostInterval; // frames of another cause, such as the card that comes
  QVERIFY(reserved <= passed + kOthers);
}

void TestSimulationPace::staysResponsiveWithThreeHundredCells()
{
  openSampleCircuits(25);
  QCOMPARE(page().model()->circuit.network.cells(), std::size_t{300});
  click("simulationRun");
  QElapsedTimer sinceTick;
  qint64 longest = 0;
  QTimer ticks;
  connect(&ticks, &QTimer::timeout, this, [&] {
    longest = std::max(longest, sinceTick.isValid() ? sinceTick.elapsed() : 0);
    sinceTick.start();
  });
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 0.5, kPatience);
  ticks.start(5);
  const double from = page().time();
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > from + 3, 2 * kPatience);
  QElapsedTimer pausing;
  pausing.start();
  page().pause();
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
  qInfo("the longest wait for an event: %lld ms; it stopped after %lld ms", longest, pausing.elapsed());
  QVERIFY(longest < 1000 * tests::kSlowness);
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulationPace>)
#include "test_simulation_pace.moc"
