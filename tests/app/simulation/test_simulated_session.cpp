#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "model/session_file.hpp"
#include "no_questions.hpp"
#include "simulated_circuit_fixture.hpp"
#include "study/circuit/sonata_import.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFileDialog>
#include <QUndoStack>
#include <QtTest>

#include <cstdint>
#include <string>

using namespace hinesight;
using namespace hinesight::app;

/// What a session keeps of the simulation of its circuit in the real main window, and an export has of it.
class TestSimulatedSession : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

private slots:
  void init() { openSmallSession(); }
  void cleanup() { window.reset(); }

  void keepsTheStepInTheSession();
  void anEditBesideAnotherCircuitOpensThat();
  void isOpenAgainWithItsSession_data();
  void isOpenAgainWithItsSession();
  void isOpenedOnceItIsSeen();
  void isOfNoOtherSession();
  void isShownUnasked();
  void isNotShownInPlaceOfWhatWasChosen();
  void isNotShownWhereItCannotBeSimulated();
  void isExportedWithItsSimulation();

private:
  /// The small session with another current.
  void openOther()
  {
    std::string text = tests::kSmallSession;
    const std::string before = R"("amplitude": 0.5)";
    text.replace(text.find(before), before.size(), R"("amplitude": 0.25)");
    writeFileAtomically(path("other.hinesight"), [&](std::ostream& stream) { stream << text; });
    window->openFiles({folder.filePath(QStringLiteral("other.hinesight"))});
    QTRY_COMPARE_WITH_TIMEOUT(window->project().stimuli[0].amplitude, 0.25, kPatience);
  }
  /// Whose page Simulation is seen, and the session.
  void openBeforeItsPage(const char* state)
  {
    newWindow(state);
    window->showView(ViewKind::Simulation);
    QVERIFY(find<QWidget>("simulationEmpty")->isVisible());
    QSignalSpy opened(&page(), &SimulationPage::opened);
    window->openFiles({folder.filePath(QStringLiteral("small.hinesight"))});
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  }
  void saveAgain()
  {
    find<QAction>("saveSessionAction")->trigger();
    QVERIFY(waitForJobs());
  }
  /// Of a person, who begins on another page.
  void newWindow(const char* state)
  {
    window.reset();
    QVERIFY(showWindow({1400, 950}));
    window->showView(ViewKind::Morphology);
    window->keepOpenIn(folder.filePath(QLatin1String(state)));
  }
};

/// What the page says of its steps is the session's.
void TestSimulatedSession::keepsTheStepInTheSession()
{
  openCircuit();
  type("simulationDtSpin", "0.05");
  QTRY_COMPARE(window->project().simulate->parameters.timeStep, 0.05);
  QTRY_COMPARE(page().parameters().timeStep, 0.05);
  QVERIFY(!find<QWidget>("mismatchBar")->isVisible());
  QTRY_COMPARE(window->history().stack().count(), 2); // after that of the session's opening
  window->history().stack().undo();
  QCOMPARE(window->project().simulate->parameters.timeStep, 0.025);
  QTRY_VERIFY(find<QWidget>("mismatchBar")->isVisible());
}

/// Nothing has run: what the fields say is taken, with all else that changed.
void TestSimulatedSession::anEditBesideAnotherCircuitOpensThat()
{
  openCircuit();
  editPart(QStringLiteral("Stimuli"), QStringLiteral("step"));
  type("partAmplitudeSpin", "0");
  accept();
  QTRY_VERIFY(find<QWidget>("mismatchBar")->isVisible());
  QSignalSpy opened(&page(), &SimulationPage::opened);
  type("simulationDtSpin", "0.05");
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QCOMPARE(page().parameters().timeStep, 0.05);
  QTRY_VERIFY(!find<QWidget>("mismatchBar")->isVisible());
  for (const auto& step : page().model()->circuit.network.steps)
    QCOMPARE(step.amplitude, 0.0);
}

void TestSimulatedSession::isOpenAgainWithItsSession_data()
{
  QTest::addColumn<bool>("isRestored");
  QTest::newRow("opened") << false;
  QTest::newRow("restored") << true;
}

/// On its page, and not run; by its file, or as what a window had open that was killed.
void TestSimulatedSession::isOpenAgainWithItsSession()
{
  QFETCH(bool, isRestored);
  QVERIFY(!window->sessionView().isCircuitOpen);
  openCircuit();
  runMore();
  saveAgain();
  const model::ReadSession saved = model::readSession(path("small.hinesight"));
  QVERIFY(saved.view.isCircuitOpen);
  QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("left")));
  if (isRestored)
    model::writeSession(saved.project, path("left/window-1-7.hinesight"), saved.view);

  newWindow("left");
  QSignalSpy opened(&page(), &SimulationPage::opened);
  if (isRestored)
    click("recoveryAgree");
  else
    window->openFiles({folder.filePath(QStringLiteral("small.hinesight"))});
  const NoQuestions noQuestions;
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(waitForJobs());
  QCOMPARE(opened.size(), 1);
  QVERIFY(page().isVisible());
  QVERIFY(page().model()->isOfProject());
  QCOMPARE(page().model()->circuit.network.cells(), std::size_t{6});
  QVERIFY(!page().isBegun());
  QVERIFY(window->sessionView().isCircuitOpen);
  runMore();
  window->close();
}

/// A person who never turns to the page waits for nothing, and the session that is saved then says it still.
void TestSimulatedSession::isOpenedOnceItIsSeen()
{
  openCircuit();
  window->showView(ViewKind::Tree);
  saveAgain();
  newWindow("seen");
  QSignalSpy opened(&page(), &SimulationPage::opened);
  window->openFiles({folder.filePath(QStringLiteral("small.hinesight"))});
  QTRY_VERIFY_WITH_TIMEOUT(window->project().models.size() == 3 && !window->isOpening(), kPatience);
  QVERIFY(waitForJobs());
  QVERIFY(window->view(ViewKind::Tree).isVisible());
  QVERIFY(window->sessionView().isCircuitOpen);
  QVERIFY(!page().model());
  window->showView(ViewKind::Simulation);
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(page().model()->isOfProject() && !page().isBegun());
  window->showView(ViewKind::Tree);
  window->showView(ViewKind::Simulation);
  QVERIFY(waitForJobs());
  QCOMPARE(opened.size(), 1);
  window->close();
}

/// The page goes on with what it has open. The other session says nothing of it, whatever a person answers.
void TestSimulatedSession::isOfNoOtherSession()
{
  const auto isKept = [&] { return window->sessionView().isCircuitOpen; };
  openCircuit();
  runMore();
  QVERIFY(isKept());
  const int ofFirst = window->history().stack().index();
  openOther();
  QVERIFY(waitForJobs());
  QVERIFY(page().model() && page().time() > 0);
  QVERIFY(!isKept());
  window->showView(ViewKind::Simulation);
  QTRY_VERIFY(find<QWidget>("mismatchBar")->isVisible());
  click("mismatchDecline");
  QTRY_VERIFY(!find<QWidget>("mismatchBar")->isVisible());
  QVERIFY(!isKept());
  // Undo brings back the session that it is of.
  window->history().stack().setIndex(ofFirst);
  QTRY_COMPARE(window->project().stimuli[0].amplitude, 0.5);
  QVERIFY(isKept());
  window->history().stack().setIndex(window->history().stack().count());
  QTRY_COMPARE(window->project().stimuli[0].amplitude, 0.25);
  QVERIFY(!isKept());
  openCircuit();
  QVERIFY(isKept());
  // Nor is a model of a file.
  QSignalSpy opened(&page(), &SimulationPage::opened);
  find<QAction>("sampleModel1Action")->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  QVERIFY(!isKept());
}

/// The session says nothing of it, and a person has asked for nothing. Where nothing ran, the next session's is shown.
void TestSimulatedSession::isShownUnasked()
{
  openBeforeItsPage("unasked");
  QVERIFY(page().model()->isOfProject() && !page().isBegun());
  QCOMPARE(page().model()->circuit.network.cells(), std::size_t{6});
  QVERIFY(!find<QWidget>("simulationEmpty")->isVisible());
  QVERIFY(window->sessionView().isCircuitOpen);
  const auto first = page().model();
  QVERIFY(!first->circuit.network.steps.empty());
  openOther();
  QTRY_VERIFY_WITH_TIMEOUT(page().model() != first, kPatience);
  QVERIFY(waitForJobs());
  QTRY_VERIFY(!find<QWidget>("mismatchBar")->isVisible());
  QCOMPARE(page().model()->circuit.network.steps[0].amplitude, first->circuit.network.steps[0].amplitude / 2);
  window->close();
}

/// A run, and a model of a file.
void TestSimulatedSession::isNotShownInPlaceOfWhatWasChosen()
{
  openBeforeItsPage("chosen");
  runMore();
  const auto ran = page().model();
  openOther();
  QVERIFY(waitForJobs());
  window->showView(ViewKind::Tree);
  window->showView(ViewKind::Simulation);
  QTRY_VERIFY(find<QWidget>("mismatchBar")->isVisible());
  QVERIFY(waitForJobs());
  QCOMPARE(page().model(), ran);
  QVERIFY(page().time() > 0);

  QSignalSpy opened(&page(), &SimulationPage::opened);
  find<QAction>("sampleModel1Action")->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
  window->openFiles({folder.filePath(QStringLiteral("small.hinesight"))});
  QTRY_COMPARE_WITH_TIMEOUT(window->project().stimuli[0].amplitude, 0.5, kPatience);
  QVERIFY(waitForJobs());
  window->showView(ViewKind::Tree);
  window->showView(ViewKind::Simulation);
  QTest::qWait(0); // what that has queued
  QVERIFY(waitForJobs());
  QCOMPARE(opened.size(), 1);
  QVERIFY(!page().model()->isOfProject());
  window->close();
}

/// No sentence says so before somebody asks for it.
void TestSimulatedSession::isNotShownWhereItCannotBeSimulated()
{
  writeFileAtomically(path("bare.hinesight"), [](std::ostream& stream) {
    stream << R"({"session": 1, "populations": [{"name": "A", "kind": "grid", "size": [2, 1, 1]}]})";
  });
  newWindow("bare");
  window->showView(ViewKind::Simulation);
  window->openFiles({folder.filePath(QStringLiteral("bare.hinesight"))});
  QTRY_VERIFY_WITH_TIMEOUT(window->project().populations[0].name() == "A" && !window->isOpening(), kPatience);
  QTest::qWait(0); // what that has queued
  QVERIFY(waitForJobs());
  QVERIFY(find<QWidget>("simulationEmpty")->isVisible());
  QVERIFY2(message().isEmpty(), qPrintable(message()));
  window->close();
}

/// All edges are in the circuit; how it is simulated lies in a folder of its own.
void TestSimulatedSession::isExportedWithItsSimulation()
{
  find<QAction>("exportCircuitAction")->trigger();
  auto* dialog = find<QFileDialog>("exportCircuitDialog");
  QVERIFY(QTest::qWaitForWindowExposed(dialog));
  dialog->setDirectory(folder.path());
  QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->buttons().front(), Qt::LeftButton);
  const std::string simulated = path("circuit/simulation/simulation_config.json");
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(simulated)), kPatience);
  QVERIFY(waitForJobs());
  const model::Project whole = window->project();
  const study::Circuit circuit = study::makeCircuit(whole);
  const study::ImportedSonata imported = study::importSonata(path("circuit/circuit_config.json"));
  const study::Circuit again = study::makeCircuit(imported.project);
  const auto edgesOf = [](const study::Circuit& of) {
    std::uint64_t edges = 0;
    for (const io::CircuitEdges& each : of.edges)
      edges += each.rows();
    return edges;
  };
  QVERIFY(edgesOf(circuit) > 0);
  QCOMPARE(edgesOf(again), edgesOf(circuit));
  study::SimulationRequest request;
  request.file = simulated;
  const study::SimulationModel model = study::openModel(request);
  QCOMPARE(model.circuit.network.cells(), std::size_t{6});
  QCOMPARE(model.stop, 60.0);
  QVERIFY(model.hasStop);
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulatedSession>)
#include "test_simulated_session.moc"
