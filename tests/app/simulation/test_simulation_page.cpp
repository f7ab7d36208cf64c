#include "app/app_fixture.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/simulation/simulation_panel.hpp"
#include "simulation/simulation.hpp"
#include "simulation_fixture.hpp"
#include "study/simulation/sample_circuit.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"
#include "widgets/simulation/trace_chart.hpp"
#include "widgets/simulation/voltage_overlay.hpp"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLabel>
#include <QMouseEvent>
#include <QSlider>
#include <QToolButton>
#include <QTreeWidget>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace hinesight;
using namespace hinesight::app;

/// Drives the page of simulations in the real main window.
class TestSimulationPage : public QObject, SimulationFixture
{
  Q_OBJECT

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  void opensASampleFromTheMenu();
  void saysWhatThereIsWhereNothingIsOpen();
  void runsPausesAndGoesOn();
  void stepsRunsMoreAndResets();
  void givesWhatASimulationGives();
  void coloursTheCellAsItRuns();
  void playsAsSlowlyAsItIsAsked();
  void looksBackThroughFrames();
  void goesToTheTimeThatIsClicked();
  void showsTheWholeRunWhenItStops();
  void recordsWhereAPersonClicks();
  void fillsInThePastOfAPlace();
  void actsOnASliderWithinAMillisecond();
  void selectsInRasterAndInSpace();
  void asksBeforeOtherParametersEndARun();
  void stopsWithASentenceWhereItBlowsUp();
  void remembersRuns();
  void cardAndHistoryAgree();
  void warmsUpWhileItRuns();

private:
  QString headline() const { return find<QLabel>("simulationHeadline")->text(); }
  widgets::CellNode dendrite() const
  {
    const cell::CutCell& cut = page().model()->circuit.network.models[0]->cut;
    std::int32_t longest = -1;
    for (std::size_t s = 0; s < cut.sections.size(); ++s)
      if (cut.sections[s].type >= 3 &&
          (longest < 0 || cut.sections[s].length > cut.sections[static_cast<std::size_t>(longest)].length))
        longest = static_cast<std::int32_t>(s);
    return {0, cut.nodeAt(longest, 0.5)};
  }

  SimulationPanel& panel() const { return *find<SimulationPanel>("simulationPanel"); }
};

void TestSimulationPage::opensASampleFromTheMenu()
{
  QSignalSpy opened(&page(), &SimulationPage::opened);
  find<QAction>("sampleModel1Action")->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(page().isVisible()); // the page is shown
  QVERIFY(headline().contains(QStringLiteral("1 cell")));
  QVERIFY(find<QPushButton>("simulationRun")->isEnabled());
  QCOMPARE(page().traces().lines().size(), std::size_t{1}); // the soma is recorded
  QCOMPARE(window->cells().rowCount(), 0);
}

void TestSimulationPage::saysWhatThereIsWhereNothingIsOpen()
{
  window->showView(ViewKind::Simulation);
  QVERIFY(find<QWidget>("simulationEmpty")->isVisible());
  QVERIFY(!find<QPushButton>("simulationRun")->isEnabled());
  click("simulationOpenModel");
  QVERIFY(find<QFileDialog>("openModelDialog")->isVisible());
  delete find<QFileDialog>("openModelDialog");
  QSignalSpy opened(&page(), &SimulationPage::opened);
  click("simulationSample3");
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(!find<QWidget>("simulationEmpty")->isVisible());
  QCOMPARE(page().model()->circuit.network.cells(), study::buildSampleCircuit().network.cells());
  QCOMPARE(page().raster().groups().size(), std::size_t{2});
}

void TestSimulationPage::runsPausesAndGoesOn()
{
  open(kCell);
  page().setSpeed(SimulationRunner::kAsFastAsItGoes);
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 20, kPatience);
  QCOMPARE(find<QPushButton>("simulationRun")->text(), QStringLiteral("Pause"));
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
  const double paused = page().time();
  QTest::qWait(150);
  QCOMPARE(page().time(), paused);
  QCOMPARE(find<QPushButton>("simulationRun")->text(), QStringLiteral("Run"));
  find<QAction>("runAction")->trigger(); // F5
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > paused + 5, kPatience);
  page().pause();
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
}

void TestSimulationPage::stepsRunsMoreAndResets()
{
  open(kCell);
  click("simulationStep");
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning() && page().time() > 0, kPatience);
  QCOMPARE(page().time(), page().parameters().timeStep);
  more();
  QVERIFY(page().raster().store().spikes().size() > 1);
  QVERIFY(page().frames().size() > 50);
  click("simulationReset");
  QCOMPARE(page().time(), 0.0);
  QVERIFY(page().raster().store().spikes().empty());
  QCOMPARE(page().frames().size(), std::size_t{0});
  QVERIFY(!page().traces().lines()[0].trace.lastValue());
  more();
  QVERIFY(page().raster().store().spikes().size() > 1);
}

/// The run of the window is that of the engine, bit by bit.
void TestSimulationPage::givesWhatASimulationGives()
{
  open(QString::fromLatin1(study::kSampleCircuit));
  more();
  simulation::Network network = page().model()->circuit.network;
  network.probes = {{soma().cell, soma().node}};
  simulation::Simulation reference(network, page().parameters());
  reference.runUntil(page().time());
  QCOMPARE(page().raster().store().spikes(), reference.spikes());
  QVERIFY(reference.spikes().size() > 10);
  const std::vector<float> trace = page().traces().lines()[0].trace.values();
  QCOMPARE(trace.size(), reference.records()[0].size());
  for (std::size_t i = 0; i < trace.size(); ++i)
    QCOMPARE(trace[i], static_cast<float>(reference.records()[0][i]));
}

void TestSimulationPage::coloursTheCellAsItRuns()
{
  open(kCell);
  more();
  // The frame in which the soma is at its highest, and one at rest.
  const auto& ring = page().frames();
  std::size_t peak = 0;
  std::size_t rest = 0;
  const auto node = static_cast<std::size_t>(soma().node);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (ring[i]->levels[node] > ring[peak]->levels[node])
      peak = i;
    if (ring[i]->levels[node] < ring[rest]->levels[node])
      rest = i;
  }
  QVERIFY(ring[peak]->levels[node] > 170);
  const QPoint at = page().view().pixelOf(soma())->toPoint();
  const auto colorAt = [&](std::size_t frame) {
    page().view().setFrame(ring[frame]);
    return page().view().grabPicture().pixelColor(at);
  };
  const QColor high = colorAt(peak);
  const QColor low = colorAt(rest);
  QVERIFY2(high.lightness() > low.lightness() + 20, qPrintable(high.name() + QLatin1Char(' ') + low.name()));
}

void TestSimulationPage::playsAsSlowlyAsItIsAsked()
{
  open(kCell);
  page().setSpeed(10);
  QElapsedTimer timer;
  timer.start();
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() >= 5, kPatience);
  page().pause();
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
  const double seconds = static_cast<double>(timer.elapsed()) / 1000;
  QVERIFY2(page().time() <= 10 * seconds + 1,
           qPrintable(QStringLiteral("%1 ms in %2 s").arg(page().time()).arg(seconds)));
  QVERIFY(page().time() < 50);
}

void TestSimulationPage::looksBackThroughFrames()
{
  open(kCell);
  more();
  auto* scrub = find<QSlider>("simulationScrub");
  QVERIFY(scrub->isEnabled());
  scrub->setFocus();
  scrub->setValue(500);
  const double looked = page().view().frame()->time;
  QVERIFY2(std::abs(looked - 50) < 2, qPrintable(QString::number(looked)));
  QCOMPARE(page().view().overlay().clock(), QString::number(looked, 'f', 2) + QStringLiteral(" ms"));
  QVERIFY(page().axis().cursor());
  find<QToolButton>("simulationNewest")->click();
  QCOMPARE(page().view().frame()->time, page().time());
  // A press in a chart looks there too.
  widgets::TraceChart& chart = page().traces();
  QTest::mouseClick(&chart, Qt::LeftButton, {},
                    QPoint(static_cast<int>(chart.xOf(30)), static_cast<int>(chart.plot().center().y())));
  QVERIFY(std::abs(page().view().frame()->time - 30) < 2);
}

/// A drag goes on from there, and keys step.
void TestSimulationPage::goesToTheTimeThatIsClicked()
{
  open(kCell);
  more();
  auto* scrub = find<QSlider>("simulationScrub");
  const auto at = [&](double share) { return QPoint(static_cast<int>(share * scrub->width()), scrub->height() / 2); };
  const auto isNear = [&](double milliseconds) {
    return std::abs(page().view().frame()->time - milliseconds) < 5; // half a handle
  };
  QTest::mouseClick(scrub, Qt::LeftButton, {}, at(0.3));
  QVERIFY2(isNear(30), qPrintable(QString::number(page().view().frame()->time)));
  QTest::mousePress(scrub, Qt::LeftButton, {}, at(0.7));
  QVERIFY2(isNear(70), qPrintable(QString::number(page().view().frame()->time)));
  QMouseEvent move(QEvent::MouseMove, at(0.5), scrub->mapToGlobal(at(0.5)), Qt::NoButton, Qt::LeftButton,
                   Qt::NoModifier);
  QApplication::sendEvent(scrub, &move);
  QTest::mouseRelease(scrub, Qt::LeftButton, {}, at(0.5));
  QVERIFY2(isNear(50), qPrintable(QString::number(page().view().frame()->time)));
  const int before = scrub->value();
  scrub->setFocus();
  QTest::keyClick(scrub, Qt::Key_Right);
  QCOMPARE(scrub->value(), before + 1);
  QTest::keyClick(scrub, Qt::Key_PageDown);
  QCOMPARE(scrub->value(), before + 1 - scrub->pageStep());
  QTest::keyClick(scrub, Qt::Key_End);
  QCOMPARE(page().view().frame()->time, page().time()); // the newest
}

/// And a part that a person chose moves to the time that is looked at.
void TestSimulationPage::showsTheWholeRunWhenItStops()
{
  open(kCell);
  widgets::TimeAxis& axis = page().axis();
  for (int k = 0; k < 6; ++k)
    more();
  QCOMPARE(axis.from(), 0.0);
  QCOMPARE(axis.to(), page().time());
  axis.zoom(1, 0.1);
  QVERIFY(axis.from() > 500);
  find<QSlider>("simulationScrub")->setValue(300);
  QVERIFY(axis.cursor());
  QVERIFY(*axis.cursor() < 200);
  QVERIFY(axis.from() <= *axis.cursor() && axis.to() >= *axis.cursor());
  click("simulationReset");
  QCOMPARE(axis.from(), 0.0);
  QVERIFY(!axis.cursor());
}

void TestSimulationPage::recordsWhereAPersonClicks()
{
  open(kCell);
  const widgets::CellNode wanted = dendrite();
  auto* canvas = find<QWidget>("voltageCanvas");
  QTest::mouseClick(canvas, Qt::LeftButton, {}, page().view().pixelOf(wanted)->toPoint());
  QCOMPARE(page().places().size(), std::size_t{2});
  QCOMPARE(page().view().overlay().marks().size(), std::size_t{2});
  QTest::mouseClick(canvas, Qt::LeftButton, {}, page().view().pixelOf(soma())->toPoint()); // is recorded already
  QCOMPARE(page().places().size(), std::size_t{2});
  const auto& lines = page().traces().lines();
  for (std::size_t k = 0; k < lines.size(); ++k)
    QCOMPARE(page().view().overlay().marks()[k].label, lines[k].name);
  more();
  const auto whole = lines[0].trace.rangeOf(0, 100);
  const auto there = lines[1].trace.rangeOf(0, 100);
  QVERIFY(whole && there);
  QVERIFY(whole->greatest > 0);               // the soma spikes
  QVERIFY(there->greatest < whole->greatest); // the passive dendrite follows
  QVERIFY(there->greatest > there->least + 1);
}

/// A place that is chosen after the run has what a run with it from the beginning has.
void TestSimulationPage::fillsInThePastOfAPlace()
{
  open(kCell);
  more();
  page().addPlace(dendrite());
  QTRY_VERIFY_WITH_TIMEOUT(page().traces().lines()[1].trace.lastValue().has_value() && !page().isRunning(), kPatience);
  more();
  simulation::Network network = page().model()->circuit.network;
  network.probes = {{dendrite().cell, dendrite().node}};
  simulation::Simulation reference(network, page().parameters());
  reference.runUntil(page().time());
  const std::vector<float> trace = page().traces().lines()[1].trace.values();
  QCOMPARE(trace.size(), reference.records()[0].size());
  for (std::size_t i = 0; i < trace.size(); ++i)
    QCOMPARE(trace[i], static_cast<float>(reference.records()[0][i]));
}

void TestSimulationPage::actsOnASliderWithinAMillisecond()
{
  open(kCell);
  more();
  const std::size_t before = page().raster().store().spikes().size();
  QVERIFY(before > 1);
  type("liveStimuliSpin", "0");
  more();
  QCOMPARE(page().changes().size(), std::size_t{1});
  QVERIFY(page().changes()[0].time - 100 <= 1);
  QCOMPARE(page().changes()[0].factors.stimuli, 0.0);
  QCOMPARE(page().axis().marks().size(), std::size_t{1});
  QCOMPARE(find<QTreeWidget>("simulationChangeList")->topLevelItemCount(), 1);
  // Without current it falls silent.
  const auto late = page().raster().store().between(page().changes()[0].time + 20, 1e9);
  QVERIFY(late.empty());
  // A place that is chosen now goes through the change as well.
  page().addPlace(dendrite());
  QTRY_VERIFY_WITH_TIMEOUT(page().traces().lines()[1].trace.isWhole() && !page().isRunning(), kPatience);
  const study::Trace& trace = page().traces().lines()[1].trace;
  QVERIFY(trace.valueAt(190));
  QVERIFY(*trace.valueAt(190) < *trace.valueAt(90) || std::abs(*trace.valueAt(190) + 65) < 3);
}

void TestSimulationPage::selectsInRasterAndInSpace()
{
  open(QString::fromLatin1(study::kSampleCircuit));
  QTRY_VERIFY_WITH_TIMEOUT(page().view().pixelOf(soma()), kPatience); // it is drawn
  widgets::RasterChart& raster = page().raster();
  QTest::mouseClick(&raster, Qt::LeftButton, {},
                    QPoint(static_cast<int>(raster.plot().center().x()), static_cast<int>(raster.yOf(7))));
  QCOMPARE(page().selection(), std::vector<std::uint32_t>{7});
  QCOMPARE(page().view().selectedCells(), std::vector<std::uint32_t>{7});
  const widgets::CellNode other{2, page().model()->circuit.network.detectors[2].node};
  QTest::mouseClick(find<QWidget>("voltageCanvas"), Qt::LeftButton, Qt::ControlModifier,
                    page().view().pixelOf(other)->toPoint());
  QCOMPARE(page().selection(), std::vector<std::uint32_t>{2});
}

void TestSimulationPage::asksBeforeOtherParametersEndARun()
{
  open(kCell);
  more();
  type("simulationDtSpin", "0.05");
  QTRY_VERIFY(find<QWidget>("mismatchBar")->isVisible());
  QVERIFY(find<QLabel>("mismatchText")->text().contains(QStringLiteral("time step")));
  QCOMPARE(page().parameters().timeStep, 0.025);
  QVERIFY(page().time() > 0);
  find<QPushButton>("mismatchAgree")->click();
  QTRY_COMPARE(page().time(), 0.0);
  QCOMPARE(page().parameters().timeStep, 0.05);
  QTRY_VERIFY(!find<QWidget>("mismatchBar")->isVisible());
  // Another current makes another model.
  type("simulationCurrentAmplitudeSpin", "0");
  QTRY_COMPARE_WITH_TIMEOUT(page().model()->request.current.amplitude, 0.0, kPatience);
  more();
  QVERIFY(page().raster().store().spikes().empty());
}

void TestSimulationPage::stopsWithASentenceWhereItBlowsUp()
{
  open(kCell);
  type("simulationCurrentAmplitudeSpin", "-100");
  type("simulationCurrentDelaySpin", "0");
  QTRY_COMPARE_WITH_TIMEOUT(page().model()->request.current.delay, 0.0, kPatience);
  page().setSpeed(SimulationRunner::kAsFastAsItGoes);
  QSignalSpy failed(&page(), &SimulationPage::failed);
  click("simulationRun");
  QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, kPatience);
  const QString sentence = failed[0][0].toString();
  QVERIFY2(sentence.contains(QStringLiteral("ms")), qPrintable(sentence));
  QVERIFY(!page().isRunning());
  QVERIFY(!find<QPushButton>("simulationRun")->isEnabled());
  QVERIFY(headline().contains(QStringLiteral("Stopped")));
  click("simulationReset");
  QVERIFY(find<QPushButton>("simulationRun")->isEnabled());
}

void TestSimulationPage::remembersRuns()
{
  open(kCell);
  more();
  QTRY_COMPARE(runsOf(io::RunKind::Simulation), 1);
  const io::RunRecord& run = newestOf(io::RunKind::Simulation);
  QCOMPARE(run.cells, std::size_t{1});
  QVERIFY(run.timings.total() > 0);
  QVERIFY(QString::fromStdString(run.size).contains(QStringLiteral("100 ms")));
}

/// The card has all of the run, the history each piece of it; both are the sums of their stages.
void TestSimulationPage::cardAndHistoryAgree()
{
  open(kCell);
  more();
  QTRY_COMPARE(runsOf(io::RunKind::Simulation), 1);
  const widgets::TimingCard& card = *page().view().timingCard();
  const auto nearly = [](double a, double b) { return std::abs(a - b) <= 1e-6 * b; };
  const auto isSum = [&](const io::RunRecord& run) { return nearly(run.repetitions.front(), run.timings.total()); };
  const double first = newestOf(io::RunKind::Simulation).timings.total();
  QVERIFY(isSum(newestOf(io::RunKind::Simulation)));
  QVERIFY(nearly(card.timings().total(), first));
  QVERIFY2(card.note().startsWith(QStringLiteral("100 ms at ")), qPrintable(card.note()));
  QVERIFY2(!card.note().contains(QStringLiteral("last")), qPrintable(card.note()));
  more();
  QTRY_COMPARE(runsOf(io::RunKind::Simulation), 2);
  QVERIFY(isSum(newestOf(io::RunKind::Simulation)));
  QVERIFY(nearly(card.timings().total(), first + newestOf(io::RunKind::Simulation).timings.total()));
  QVERIFY2(card.note().startsWith(QStringLiteral("200 ms at ")), qPrintable(card.note()));
  QVERIFY2(card.note().contains(QStringLiteral("last 100 ms in ")), qPrintable(card.note()));
}

/// There is one temperature, and what cells are above it while it runs.
void TestSimulationPage::warmsUpWhileItRuns()
{
  open(kCell);
  more();
  int named = 0;
  for (const QLabel* label : panel().findChildren<QLabel*>())
    named += label->text() == QStringLiteral("Temperature") ? 1 : 0;
  QCOMPARE(named, 1);
  type("liveWarmerSpin", "2");
  more();
  QCOMPARE(page().changes().size(), std::size_t{1});
  QCOMPARE(page().changes()[0].factors.celsius, std::optional(page().parameters().celsius + 2));
  const QString degrees = QStringLiteral(" \u00b0C");
  QVERIFY(find<QDoubleSpinBox>("liveWarmerSpin")->suffix().endsWith(degrees));
  const QTreeWidgetItem* change = find<QTreeWidget>("simulationChangeList")->topLevelItem(0);
  QVERIFY2(change && change->text(1).endsWith(degrees), change ? qPrintable(change->text(1)) : "none");
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulationPage>)
#include "test_simulation_page.moc"
