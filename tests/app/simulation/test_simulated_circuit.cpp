#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "model/session_file.hpp"
#include "no_questions.hpp"
#include "simulated_circuit_fixture.hpp"
#include "simulation/simulation.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"
#include "widgets/simulation/trace_chart.hpp"

#include <QLineEdit>
#include <QListWidget>
#include <QUndoStack>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

using namespace hinesight;
using namespace hinesight::app;

/// Simulates the circuit of a session in the real main window.
class TestSimulatedCircuit : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

private slots:
  void init() { openSmallSession(); }
  void cleanup() { window.reset(); }

  void simulatesTheCircuitOfASession();
  void editsAStimulusAndAsksForANewRun();
  void simulatesWithoutAConnectionThatHasNoSynapses();
  void saysWhatIsMissing();
  void aNewRefusalTakesThePlaceOfTheOlder();
  void aNewNameOfAPopulationKeepsTheRun();
  void runsToItsEndAndOn();
  void inputGoesOnAfterTheEnd();
  void saysTimeAndSpikesInANarrowPage();
  void tracesTheRowThatIsClicked();

private:
  /// Which its cells have not.
  void putOnApicalDendrites(const char* connection)
  {
    editPart(QStringLiteral("Synapses"), QLatin1String(connection));
    choose("partPlaceCombo", static_cast<int>(model::SynapsePlace::Sections));
    choose("partOnCombo", static_cast<int>(model::Sections::Apic));
    accept();
  }
};

/// The run of the window is that of the command line's engine, bit by bit; cells stand where their neurons are.
void TestSimulatedCircuit::simulatesTheCircuitOfASession()
{
  openCircuit();
  QVERIFY(page().isVisible());
  const study::SimulationModel& model = *page().model();
  QCOMPARE(model.circuit.network.cells(), std::size_t{6});
  QCOMPARE(model.stop, 60.0);
  QCOMPARE(model.places.size(), std::size_t{6});
  QCOMPARE(model.places[3].position[0] - model.places[0].position[0], 300.0);
  QCOMPARE(model.places[4].position[1], 300.0);
  runMore();
  const model::Project project = model::readSession(path("small.hinesight")).project;
  study::CircuitSimulation expected = study::buildSimulation(study::makeCircuit(project));
  simulation::Simulation reference(expected.network, page().parameters());
  reference.runUntil(page().time());
  QVERIFY(reference.spikes().size() > 3);
  QCOMPARE(page().raster().store().spikes(), reference.spikes());
  QCOMPARE(page().raster().groups().size(), std::size_t{3});
  // Populations have the same colours in all panels.
  const auto& raster = *find<widgets::RasterChart>("simulationRaster");
  QVERIFY(!raster.groups().empty());
  for (std::size_t group = 0; group < raster.groups().size(); ++group)
    QCOMPARE(raster.colorOf(group),
             find<PopulationPanel>("populationPanel")->colourNamed(raster.groups()[group].name.toStdString()));
}

void TestSimulatedCircuit::editsAStimulusAndAsksForANewRun()
{
  openCircuit();
  runMore();
  const auto spikesOfFirst = [&] {
    return std::ranges::count(page().raster().store().spikes(), 0u, &simulation::Spike::cell);
  };
  const auto before = spikesOfFirst();
  QVERIFY(before > 0);
  auto* question = find<QWidget>("mismatchBar");
  QVERIFY(!question->isVisible());
  editPart(QStringLiteral("Stimuli"), QStringLiteral("step"));
  type("partAmplitudeSpin", "0");
  accept();
  QCOMPARE(window->project().stimuli[0].amplitude, 0.0);
  QTRY_VERIFY(question->isVisible());
  QSignalSpy opened(&page(), &SimulationPage::opened);
  click("mismatchAgree");
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QTRY_VERIFY(!question->isVisible());
  QVERIFY(page().model()->circuit.network.steps.empty() || page().model()->circuit.network.steps[0].amplitude == 0);
  runMore();
  QVERIFY(spikesOfFirst() < before);
  // Undo brings the current back, and asks again.
  window->history().stack().undo();
  QCOMPARE(window->project().stimuli[0].amplitude, 0.5);
  QTRY_VERIFY(question->isVisible());
}

/// A connection may be there to be compared alone. Who forgot its synapses sees a warning that says where they are
/// chosen, until it has some.
void TestSimulatedCircuit::simulatesWithoutAConnectionThatHasNoSynapses()
{
  const auto setPlace = [&](int place) {
    editPart(QStringLiteral("Synapses"), QStringLiteral("in"));
    choose("partPlaceCombo", place);
    accept();
  };
  openCircuit();
  const std::uint64_t all = page().model()->circuit.synapses;
  QVERIFY(message().isEmpty());
  setPlace(0);
  openCircuit();
  QVERIFY(page().model()->circuit.synapses < all);
  QTRY_VERIFY2(message().contains(QStringLiteral("The connection in takes no part")), qPrintable(message()));
  QVERIFY2(message().contains(QStringLiteral("tab Simulation of the dock Circuit")), qPrintable(message()));
  QVERIFY2(!message().contains(QStringLiteral("synapse-place")), qPrintable(message()));
  setPlace(3);
  openCircuit();
  QCOMPARE(page().model()->circuit.synapses, all);
  QTRY_VERIFY2(message().isEmpty(), qPrintable(message()));
}

/// A sentence that names the connection, and nothing is lost.
void TestSimulatedCircuit::saysWhatIsMissing()
{
  putOnApicalDendrites("in");
  find<QAction>("circuitDockAction")->trigger(); // folded
  window->showView(ViewKind::Simulation);
  QVERIFY(!list()->isVisible());
  click("simulationOwnCircuit");
  QTRY_VERIFY_WITH_TIMEOUT(list()->isVisible(), kPatience); // where it is to be mended
  QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("messageText")->text().contains(QStringLiteral("\"in\" has synapses")),
                           kPatience);
  QVERIFY(!page().model());
  QCOMPARE(window->project().connections.size(), std::size_t{4});
}

void TestSimulatedCircuit::aNewRefusalTakesThePlaceOfTheOlder()
{
  const auto setPlace = [&](const char* connection, int place) {
    editPart(QStringLiteral("Synapses"), QLatin1String(connection));
    choose("partPlaceCombo", place);
    accept();
  };
  window->showView(ViewKind::Simulation);
  putOnApicalDendrites("in");
  click("simulationCircuit");
  QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("\"in\" has synapses")), kPatience);
  QVERIFY2(!message().contains(QLatin1Char('\n')), qPrintable(message()));
  setPlace("in", 3);
  putOnApicalDendrites("inhibition");
  click("simulationCircuit");
  QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("\"inhibition\" has synapses")), kPatience);
  QTRY_VERIFY2(!message().contains(QLatin1Char('\n')), qPrintable(message()));
  setPlace("inhibition", 1);
  openCircuit();
  QTRY_VERIFY(message().isEmpty());
}

/// While it runs, and by undo.
void TestSimulatedCircuit::aNewNameOfAPopulationKeepsTheRun()
{
  openCircuit();
  runMore();
  const auto spikes = page().raster().store().spikes();
  QVERIFY(!spikes.empty());
  page().select({0, 4});
  const auto model = page().model();
  const double time = page().time();
  const auto nameOf = [&](std::size_t group) { return page().raster().groups()[group].name; };
  const auto trace = [&] { return page().traces().lines().front().name; };
  QCOMPARE(nameOf(0), QStringLiteral("E"));
  QVERIFY2(trace().startsWith(QStringLiteral("E 0")), qPrintable(trace()));
  const std::int64_t end = page().traces().lines().front().trace.endStep();

  showParts();
  find<QTabWidget>("circuitTabs")->setCurrentIndex(0);
  find<QListWidget>("populationList")->setCurrentRow(0);
  click("editPopulation");
  auto* dialog = find<PopulationDialog>("populationDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("populationName"));
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, QStringLiteral("pyramidal"));
  QVERIFY(!find<QWidget>("mismatchBar")->isVisible());
  auto noQuestions = std::make_unique<NoQuestions>();
  find<QComboBox>("simulationSpeed")->setCurrentIndex(9); // the slowest
  page().runMore();
  QTest::keyClick(name, Qt::Key_Return);
  QTRY_COMPARE(nameOf(0), QStringLiteral("pyramidal"));
  QVERIFY(page().isRunning());
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);

  QCOMPARE(page().model(), model);
  QVERIFY(page().time() >= time);
  QVERIFY(page().raster().store().spikes().size() >= spikes.size());
  QVERIFY(std::ranges::equal(spikes, std::span(page().raster().store().spikes()).first(spikes.size())));
  QVERIFY(page().traces().lines().front().trace.endStep() >= end);
  QVERIFY2(trace().startsWith(QStringLiteral("pyramidal 0")), qPrintable(trace()));
  QCOMPARE(QString::fromStdString(model->nameOf(1)), QStringLiteral("pyramidal 1"));
  QCOMPARE(page().selection(), (std::vector<std::uint32_t>{0, 4}));
  QCOMPARE(page().raster().colorOf(0), find<PopulationPanel>("populationPanel")->colourNamed("pyramidal"));
  // A place that is chosen now has the name too, and a neuron that is picked.
  page().addPlace({1, 0});
  QVERIFY(page().traces().lines().back().name.startsWith(QStringLiteral("pyramidal 1")));
  page().select({1});
  QCOMPARE(page().selection(), std::vector<std::uint32_t>{1});

  window->history().stack().undo();
  QTRY_COMPARE(nameOf(0), QStringLiteral("E"));
  QCOMPARE(page().model(), model);
  const double stopped = page().time();
  QVERIFY(stopped >= time);
  runMore();
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > stopped && !page().isRunning(), kPatience);
  noQuestions.reset();
  // Another change still asks.
  editPart(QStringLiteral("Stimuli"), QStringLiteral("step"));
  type("partAmplitudeSpin", "0");
  accept();
  QTRY_VERIFY(find<QWidget>("mismatchBar")->isVisible());
}

/// Run pauses where the session ends, and goes on from there.
void TestSimulatedCircuit::runsToItsEndAndOn()
{
  openCircuit();
  find<QComboBox>("simulationSpeed")->setCurrentIndex(0);
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 0 && !page().isRunning(), kPatience);
  QCOMPARE(page().time(), 60.0);
  QCOMPARE(page().axis().to(), 60.0);
  QVERIFY(find<QLabel>("simulationHeadline")->text().contains("this is its end"));
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 60.5, kPatience);
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(!page().isRunning(), kPatience);
}

/// A run to the end and 100 ms more has the spikes and the traces of a run to that time at once.
void TestSimulatedCircuit::inputGoesOnAfterTheEnd()
{
  openCircuit();
  find<QComboBox>("simulationSpeed")->setCurrentIndex(0);
  click("simulationRun");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 0 && !page().isRunning(), kPatience);
  QCOMPARE(page().time(), 60.0);
  click("simulationMore");
  QTRY_VERIFY_WITH_TIMEOUT(page().time() > 60.5 && !page().isRunning(), kPatience);
  QCOMPARE(std::round(page().time()), 160.0);
  model::Project project = model::readSession(path("small.hinesight")).project;
  project.simulate->stop = 160;
  simulation::Network network = study::buildSimulation(study::makeCircuit(project)).network;
  const widgets::CellNode place = page().places().front();
  network.probes = {{.cell = place.cell, .node = place.node}};
  simulation::Simulation reference(network, page().parameters());
  reference.runUntil(page().time());
  QVERIFY(reference.trains()[0].back() > 100);
  QCOMPARE(page().raster().store().spikes(), reference.spikes());
  const study::Trace& trace = page().traces().lines()[0].trace;
  QCOMPARE(trace.valueAt(150), std::optional(static_cast<float>(reference.records()[0][5999])));
  QVERIFY2(page().raster().store().spikes().back().time > 100, "input has ended");
}

/// Between two docks of a small screen.
void TestSimulatedCircuit::saysTimeAndSpikesInANarrowPage()
{
  openCircuit();
  showParts();
  runMore();
  window->resize(1366, 768);
  const auto* headline = static_cast<widgets::ElidedLabel*>(find<QLabel>("simulationHeadline"));
  QVERIFY2(headline->text().startsWith(QStringLiteral("100 ms, ")), qPrintable(headline->text()));
  QTRY_VERIFY2(headline->shownText().contains(QStringLiteral("spikes; ")), qPrintable(headline->shownText()));
  const int row = find<QWidget>("simulationRun")->y();
  for (const char* button : {"simulationStep", "simulationMore", "simulationReset", "simulationOpen",
                             "simulationCircuit", "simulationExport", "simulationSave"})
    QTRY_COMPARE(find<QWidget>(button)->y(), row);
}

/// A cell has a potential, a point neuron has none: that is said.
void TestSimulatedCircuit::tracesTheRowThatIsClicked()
{
  openCircuit();
  runMore();
  widgets::RasterChart& raster = page().raster();
  const auto clickRow = [&](std::uint32_t neuron) {
    QTest::mouseClick(&raster, Qt::LeftButton, {},
                      QPoint(static_cast<int>(raster.plot().center().x()), static_cast<int>(raster.yOf(neuron))));
  };
  const std::size_t before = page().places().size();
  clickRow(2);
  QCOMPARE(page().selection(), std::vector<std::uint32_t>{2});
  QCOMPARE(page().places().size(), before + 1);
  QCOMPARE(page().places().back().cell, 2u);
  QSignalSpy told(&page(), &SimulationPage::told);
  const auto point = static_cast<std::uint32_t>(page().model()->circuit.network.cells());
  clickRow(point);
  QCOMPARE(page().selection(), std::vector<std::uint32_t>{point});
  QCOMPARE(page().places().size(), before + 1);
  QCOMPARE(told.size(), 1);
  QVERIFY2(told[0][0].toString().startsWith(QStringLiteral("P 0 is a point neuron")),
           qPrintable(told[0][0].toString()));
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulatedCircuit>)
#include "test_simulated_circuit.moc"
