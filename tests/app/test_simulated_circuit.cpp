#include "app/shell/main_window.hpp"

#include "app/document/history.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/simulation/parts/membrane_table.hpp"
#include "app/simulation/parts/part_dialog.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app_fixture.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "simulation/simulation.hpp"
#include "small_session.hpp"
#include "study/circuit/sonata_import.hpp"
#include "study/simulation/session_simulation.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/simulation/raster_chart.hpp"
#include "widgets/simulation/time_axis.hpp"
#include "widgets/simulation/trace_chart.hpp"
#include "window_fixture.hpp"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// Fails at each question and dialog that comes up as long as it lives.
class NoQuestions : public QObject
{
public:
  NoQuestions() { qApp->installEventFilter(this); }

  bool eventFilter(QObject* watched, QEvent* event) override
  {
    const bool asks = qobject_cast<QuestionBar*>(watched) || qobject_cast<QDialog*>(watched);
    if (asks && event->type() == QEvent::Show)
      [&] { QFAIL(qPrintable(watched->objectName())); }();
    return false;
  }
};

} // namespace

/// Simulates the circuit of a session in the real main window, and changes how it is simulated.
class TestSimulatedCircuit : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup() { window.reset(); }

  void simulatesTheCircuitOfASession();
  void editsAStimulusAndAsksForANewRun();
  void makesAModelAndGivesItToAPopulation();
  void refusesWhatIsWrong();
  void simulatesWithoutAConnectionThatHasNoSynapses();
  void saysWhatIsMissing();
  void aNewRefusalTakesThePlaceOfTheOlder();
  void offersAStimulusThatItsPopulationCanHave();
  void aStimulusGoesToTheMiddleOfTheSoma();
  void changesAModelBeforeItsStimuli();
  void proposesAWeightOfPointNeurons();
  void keepsTheStepInTheSession();
  void anEditBesideAnotherCircuitOpensThat();
  void aNewNameOfAPopulationKeepsTheRun();
  void isOpenAgainWithItsSession_data();
  void isOpenAgainWithItsSession();
  void isOpenedOnceItIsSeen();
  void isOfNoOtherSession();
  void runsToItsEndAndOn();
  void inputGoesOnAfterTheEnd();
  void namesAllThatIsWrong();
  void makesAModelForAPopulation();
  void leadsToAModelWhereThereIsNone();
  void saysTimeAndSpikesInANarrowPage();
  void tracesTheRowThatIsClicked();
  void isExportedWithItsSimulation();

private:
  QTemporaryDir folder;

  void openSession(const char* name, const std::string& text)
  {
    writeFileAtomically(path(name), [&](std::ostream& stream) { stream << text; });
    QVERIFY(showWindow({1400, 950}));
    window->openFiles({folder.filePath(QLatin1String(name))});
    QTRY_VERIFY_WITH_TIMEOUT(window->project().models.size() == 3 && !window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
  }
  QString message() const { return find<QLabel>("messageText")->text(); }
  QString problem() const { return find<QLabel>("partProblem")->text(); }
  std::string path(const char* name) const { return folder.filePath(QLatin1String(name)).toStdString(); }
  SimulationPage& page() const { return window->simulation(); }
  QTreeWidget* list() const { return find<QTreeWidget>("simulatedPartList"); }

  void showParts()
  {
    if (!find<QDockWidget>("circuitDock")->isVisible())
      find<QAction>("circuitDockAction")->trigger();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(2);
    QVERIFY(list()->isVisible());
  }
  void openCircuit()
  {
    window->showView(ViewKind::Simulation);
    QSignalSpy opened(&page(), &SimulationPage::opened);
    if (find<QWidget>("simulationEmpty")->isVisible())
      click("simulationOwnCircuit");
    else
      click("simulationCircuit");
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
  void runMore()
  {
    find<QComboBox>("simulationSpeed")->setCurrentIndex(0);
    click("simulationMore");
    QTRY_VERIFY_WITH_TIMEOUT(page().time() > 0 && !page().isRunning(), kPatience);
  }
  /// The entry of that name below a title, chosen.
  QTreeWidgetItem* choosePart(const QString& title, const QString& name)
  {
    showParts();
    for (int g = 0; g < list()->topLevelItemCount(); ++g) {
      QTreeWidgetItem* group = list()->topLevelItem(g);
      for (int k = 0; group->text(0).startsWith(title) && k < group->childCount(); ++k)
        if (group->child(k)->text(0) == name) {
          list()->scrollToItem(group->child(k));
          QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(group->child(k)).center());
          return group->child(k);
        }
    }
    return nullptr;
  }
  QTreeWidgetItem* part(const QString& title, const QString& name) { return choosePart(title, name); }
  void editPart(const QString& title, const QString& name)
  {
    QVERIFY2(choosePart(title, name), qPrintable(name));
    click("editSimulatedPart");
    QTRY_VERIFY(window->findChild<PartDialog*>());
    QVERIFY(QTest::qWaitForWindowExposed(window->findChild<PartDialog*>()));
  }
  /// Which its cells have not.
  void putOnApicalDendrites(const char* connection)
  {
    editPart(QStringLiteral("Synapses"), QLatin1String(connection));
    choose("partPlaceCombo", static_cast<int>(model::SynapsePlace::Sections));
    choose("partOnCombo", static_cast<int>(model::Sections::Apic));
    accept();
  }
  /// To whatever has the keyboard in the dialog.
  template <typename Key>
  void press(Key key) const
  {
    QTest::keyClick(find<PartDialog>("partDialog")->windowHandle(), key);
  }
  QTableWidget* membrane() const { return find<QTableWidget>("membraneTable"); }
  void clickCell(int row, int column) const
  {
    auto* dialog = find<PartDialog>("partDialog");
    dialog->activateWindow(); // a list that was open takes the keyboard away where no window manager gives it back
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QTest::mouseClick(membrane()->viewport(), Qt::LeftButton, {},
                      membrane()->visualItemRect(membrane()->item(row, column)).center());
  }
  /// Of the cell that is edited; null: there is none of that kind.
  template <typename Editor>
  Editor* editor() const
  {
    return qobject_cast<Editor*>(find<PartDialog>("partDialog")->focusWidget());
  }
  /// From the list of the cell.
  void chooseInCell(int row, int column, const QString& text) const
  {
    clickCell(row, column);
    QTRY_VERIFY(editor<QComboBox>());
    const auto* combo = editor<QComboBox>();
    const int place = combo->findText(text);
    QVERIFY2(place >= 0, qPrintable(text));
    press(Qt::Key_F4);
    QTRY_VERIFY(combo->view()->isVisible());
    QTest::keyClick(combo->view(), Qt::Key_Home);
    for (int k = 0; k < place; ++k)
      QTest::keyClick(combo->view(), Qt::Key_Down);
    QTest::keyClick(combo->view(), Qt::Key_Return);
    verifyOnlyTheEditEnded(row, column, text);
  }
  /// By arrow keys alone.
  void stepInCell(int row, int column, const QString& text) const
  {
    clickCell(row, column);
    QTRY_VERIFY(editor<QComboBox>());
    const auto* combo = editor<QComboBox>();
    const int place = combo->findText(text);
    QVERIFY2(place > 1, qPrintable(text)); // one step would not do
    press(Qt::Key_Home);
    for (int k = 0; k < place; ++k)
      press(Qt::Key_Down);
    QCOMPARE(editor<QComboBox>(), combo);
    press(Qt::Key_Return);
    verifyOnlyTheEditEnded(row, column, text);
  }
  /// In place of what the cell that is edited says.
  void typeInCell(int row, int column, const char* text) const
  {
    QTRY_VERIFY(editor<QLineEdit>());
    for (const char* letter = text; *letter; ++letter)
      press(*letter);
    press(Qt::Key_Return);
    verifyOnlyTheEditEnded(row, column, QLatin1String(text));
  }
  void verifyOnlyTheEditEnded(int row, int column, const QString& text) const
  {
    QTRY_COMPARE(membrane()->item(row, column)->text(), text);
    const auto* dialog = find<PartDialog>("partDialog");
    QTRY_VERIFY(!membrane()->viewport()->isAncestorOf(dialog->focusWidget()));
    QVERIFY(dialog->isVisible());
    QVERIFY(okOfDialog()->isEnabled()); // it would have been pressed
    QCOMPARE(window->project().models.size(), std::size_t{3});
  }
  QPushButton* okOfDialog() const
  {
    return find<PartDialog>("partDialog")->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  }
  void accept()
  {
    QVERIFY2(okOfDialog()->isEnabled(), qPrintable(find<QLabel>("partProblem")->text()));
    QTest::mouseClick(okOfDialog(), Qt::LeftButton);
    QTRY_VERIFY(!window->findChild<PartDialog*>());
  }
};

void TestSimulatedCircuit::init()
{
  QSettings().clear();
  writeFileAtomically(path("tree.swc"), [](std::ostream& stream) { stream << tests::kSmallTree; });
  openSession("small.hinesight", tests::kSmallSession);
}

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

void TestSimulatedCircuit::makesAModelAndGivesItToAPopulation()
{
  window->showView(ViewKind::Simulation);
  showParts();
  find<QAction>("addNeuronModel")->trigger();
  QTRY_VERIFY(window->findChild<PartDialog*>());
  auto* dialog = find<PartDialog>("partDialog");
  dialog->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(dialog));
  auto* name = find<QLineEdit>("partNameEdit");
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, QStringLiteral("fast"));
  QTest::keyClick(name, Qt::Key_Return);
  QVERIFY(dialog->isVisible()); // the key was the field's
  // One line more: hh of the soma with more sodium.
  click("membraneAdd");
  const QTableWidget* table = membrane();
  QCOMPARE(table->rowCount(), 2);
  // All columns are seen.
  const QHeaderView* header = table->horizontalHeader();
  QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
  for (int column = 0; column < table->columnCount(); ++column)
    QVERIFY2(header->sectionSize(column) >= header->sectionSizeHint(column), qPrintable(QString::number(column)));
  for (const auto& [column, text] : {std::pair(0, "Soma"), std::pair(1, "hh"), std::pair(2, "gnabar")}) {
    chooseInCell(1, column, QLatin1String(text));
    QVERIFY(!QTest::currentTestFailed());
  }
  stepInCell(1, 0, QStringLiteral("Axon"));
  chooseInCell(1, 0, QStringLiteral("Soma"));
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(table->item(1, 3)->text(), QStringLiteral("0.12")); // as it usually is
  QCOMPARE(table->item(1, 4)->text(), QStringLiteral("S/cm2"));
  clickCell(1, 3);
  typeInCell(1, 3, "0.25");
  QVERIFY(!QTest::currentTestFailed());
  // With Ctrl the key presses OK too, once the cell has what was typed.
  press(Qt::Key_F2);
  QTRY_VERIFY(editor<QLineEdit>());
  for (const char letter : {'0', '.', '2'})
    press(letter);
  QTest::keyClick(find<PartDialog>("partDialog")->windowHandle(), Qt::Key_Return, Qt::ControlModifier);
  QTRY_VERIFY(!window->findChild<PartDialog*>());
  QCOMPARE(window->project().models.size(), std::size_t{4});
  const model::NeuronModel made = window->project().models[3];
  QCOMPARE(made.name, std::string("fast"));
  QCOMPARE(made.membrane[1].value, 0.2);
  editPart(QStringLiteral("Populations"), QStringLiteral("I"));
  auto* models = find<QComboBox>("partModel");
  models->setCurrentIndex(models->findText(QStringLiteral("fast")));
  accept();
  QCOMPARE(window->project().populations[1].models, std::vector<std::string>{"fast"});
  QCOMPARE(part(QStringLiteral("Populations"), QStringLiteral("I"))->text(1), QStringLiteral("fast"));
  // A new name is followed by the population.
  editPart(QStringLiteral("Models"), QStringLiteral("fast"));
  auto* renamed = find<QLineEdit>("partNameEdit");
  renamed->selectAll();
  QTest::keyClicks(renamed, QStringLiteral("quick"));
  QTest::keyClick(renamed, Qt::Key_Return);
  accept();
  QCOMPARE(window->project().populations[1].models, std::vector<std::string>{"quick"});
  openCircuit();
  QCOMPARE(page().model()->circuit.network.models.size(), std::size_t{2});
}

void TestSimulatedCircuit::refusesWhatIsWrong()
{
  window->showView(ViewKind::Simulation);
  editPart(QStringLiteral("Models"), QStringLiteral("hh"));
  auto* name = find<QLineEdit>("partNameEdit");
  name->selectAll();
  QTest::keyClicks(name, QStringLiteral("passive")); // is taken
  QTest::keyClick(name, Qt::Key_Return);
  QVERIFY(!okOfDialog()->isEnabled());
  QVERIFY(find<QLabel>("partProblem")->text().contains(QStringLiteral("passive")));
  find<PartDialog>("partDialog")->reject();
  QTRY_VERIFY(!window->findChild<PartDialog*>());
  QCOMPARE(window->project().models[0].name, std::string("hh"));
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
  QVERIFY2(message().contains(QStringLiteral("tab Simulation of Circuit")), qPrintable(message()));
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

/// Currents are for cells, spikes for neurons without a model; the dialog says so.
void TestSimulatedCircuit::offersAStimulusThatItsPopulationCanHave()
{
  showParts();
  find<QAction>("addStimulus")->trigger();
  QTRY_VERIFY(window->findChild<PartDialog*>());
  QVERIFY(QTest::qWaitForWindowExposed(window->findChild<PartDialog*>()));
  QCOMPARE(find<QComboBox>("partPopulation")->currentText(), QStringLiteral("E"));
  QVERIFY(okOfDialog()->isEnabled());
  choose("partPopulation", 3); // P
  QVERIFY(!okOfDialog()->isEnabled());
  QVERIFY2(problem().contains(QStringLiteral("is a current into \"P\", whose neurons have no form")),
           qPrintable(problem()));
  choose("partKindCombo", 5); // Poisson
  QVERIFY(!okOfDialog()->isEnabled());
  QVERIFY2(problem().contains(QStringLiteral("whose neurons have a model")), qPrintable(problem()));
  choose("partPopulation", 2); // outside
  QVERIFY2(problem().isEmpty(), qPrintable(problem()));
  accept();
  QCOMPARE(window->project().stimuli.size(), std::size_t{7});
  QCOMPARE(window->project().stimuli.back().population, std::string("outside"));
}

/// Of which there is nothing to choose; what a file says otherwise can be seen and changed.
void TestSimulatedCircuit::aStimulusGoesToTheMiddleOfTheSoma()
{
  const auto isEnabled = [&](const char* row) { return find<QWidget>(row)->isEnabled(); };
  const auto isVisible = [&](const char* row) { return find<QWidget>(row)->isVisible(); };
  editPart(QStringLiteral("Stimuli"), QStringLiteral("noise")); // on dendrites, at 0.9 of section 1
  QCOMPARE(find<QLineEdit>("partNeuronsEdit")->placeholderText(), QStringLiteral("all"));
  QVERIFY(isEnabled("partSectionRow") && isEnabled("partPositionRow"));
  choose("partOnCombo", static_cast<int>(model::Sections::Soma));
  QVERIFY(!isEnabled("partSectionRow") && !isEnabled("partPositionRow"));
  QVERIFY(isVisible("partSectionRow") && isVisible("partPositionRow"));
  accept();
  QCOMPARE(window->project().stimuli[2].on, model::Sections::Soma);
  QCOMPARE(window->project().stimuli[2].section, 0);
  QCOMPARE(window->project().stimuli[2].position, 0.5);
  std::string text = tests::kSmallSession;
  const std::string before = R"("on": "dend", "section": 1, "position": 0.9)";
  const std::size_t at = text.find(before);
  QVERIFY(at != std::string::npos);
  text.replace(at, before.size(), R"("on": "soma", "position": 0.9)");
  window.reset();
  QSettings().clear();
  openSession("beside.hinesight", text);
  editPart(QStringLiteral("Stimuli"), QStringLiteral("noise"));
  QVERIFY(isEnabled("partPositionRow"));
  accept();
  QCOMPARE(window->project().stimuli[2].position, 0.9);
}

/// Whichever comes first: the session may have what cannot run, and the run says what.
void TestSimulatedCircuit::changesAModelBeforeItsStimuli()
{
  window->showView(ViewKind::Simulation);
  editPart(QStringLiteral("Populations"), QStringLiteral("E"));
  choose("partModel", 0); // none
  QVERIFY2(problem().contains(QStringLiteral("\"step\" is a current into \"E\", whose neurons have no model")),
           qPrintable(problem()));
  accept();
  QVERIFY(window->project().populations[0].models.empty());
  click("simulationCircuit");
  QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("\"step\" is a current into \"E\"")), kPatience);
  editPart(QStringLiteral("Stimuli"), QStringLiteral("step"));
  QVERIFY(!okOfDialog()->isEnabled());
  choose("partKindCombo", 5); // Poisson
  accept();
  for (const auto& [title, name] :
       {std::pair("Stimuli", "hold"), std::pair("Recorded", "v"), std::pair("Recorded", "held")}) {
    QVERIFY(choosePart(QLatin1String(title), QLatin1String(name)));
    click("removeSimulatedPart");
    QTRY_VERIFY(!choosePart(QLatin1String(title), QLatin1String(name)));
  }
  openCircuit();
  QCOMPARE(page().model()->circuit.network.cells(), std::size_t{2});
}

/// A new connection to point neurons lets them spike; what a session says stays.
void TestSimulatedCircuit::proposesAWeightOfPointNeurons()
{
  std::string text = tests::kSmallSession;
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    QVERIFY2(at != std::string::npos, from.c_str());
    text.replace(at, from.size(), to);
  };
  replace("\"size\": [3, 1, 1]", "\"size\": [20, 1, 1]");
  replace("\"neurons\": [0, 2], \"rate\": 50", "\"rate\": 20");
  replace("\"source\": \"I\", \"target\": \"P\"", "\"source\": \"outside\", \"target\": \"P\"");
  replace(R"("sigma": 1000, "synapse-place": "soma",
     "synapse-weight": 0.5})",
          R"("sigma": 1000})");
  window.reset();
  QSettings().clear();
  openSession("points.hinesight", text);
  const auto synapses = [&] { return window->project().connections[3].synapses; };
  editPart(QStringLiteral("Synapses"), QStringLiteral("point"));
  accept(); // as it is
  QCOMPARE(synapses(), model::SynapseModel());
  editPart(QStringLiteral("Synapses"), QStringLiteral("point"));
  choose("partPlaceCombo", 1);
  auto* weight = find<QDoubleSpinBox>("partWeightSpin");
  QCOMPARE(weight->value(), 0.5);
  QVERIFY2(weight->toolTip().contains(QStringLiteral("threshold")), qPrintable(weight->toolTip()));
  QVERIFY(!find<QWidget>("partTau1Row")->isVisible()); // point neurons have no conductances
  accept();
  QCOMPARE(synapses().weight, 0.5);
  QVERIFY(part(QStringLiteral("Synapses"), QStringLiteral("point"))->text(1).contains(QStringLiteral("threshold")));
  openCircuit();
  runMore();
  const auto cells = static_cast<std::uint32_t>(page().model()->circuit.network.cells());
  QVERIFY(std::ranges::count(page().raster().store().spikes(), cells, &simulation::Spike::cell) > 0);
  editPart(QStringLiteral("Synapses"), QStringLiteral("point"));
  type("partWeightSpin", "0.001");
  accept();
  editPart(QStringLiteral("Synapses"), QStringLiteral("point"));
  accept();
  QCOMPARE(synapses().weight, 0.001);
  editPart(QStringLiteral("Synapses"), QStringLiteral("in")); // ends on cells
  QVERIFY(find<QWidget>("partTau1Row")->isVisible());
  QCOMPARE(find<QDoubleSpinBox>("partWeightSpin")->value(), 0.002);
  find<PartDialog>("partDialog")->reject();
}

/// What the page says of its steps is the session's.
void TestSimulatedCircuit::keepsTheStepInTheSession()
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
void TestSimulatedCircuit::anEditBesideAnotherCircuitOpensThat()
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

void TestSimulatedCircuit::isOpenAgainWithItsSession_data()
{
  QTest::addColumn<bool>("isRestored");
  QTest::newRow("opened") << false;
  QTest::newRow("restored") << true;
}

/// On its page, and not run; by its file, or as what a window had open that was killed.
void TestSimulatedCircuit::isOpenAgainWithItsSession()
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
void TestSimulatedCircuit::isOpenedOnceItIsSeen()
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
void TestSimulatedCircuit::isOfNoOtherSession()
{
  const auto isKept = [&] { return window->sessionView().isCircuitOpen; };
  openCircuit();
  runMore();
  QVERIFY(isKept());
  std::string text = tests::kSmallSession;
  const std::string before = R"("amplitude": 0.5)";
  text.replace(text.find(before), before.size(), R"("amplitude": 0.25)");
  const int ofFirst = window->history().stack().index();
  writeFileAtomically(path("other.hinesight"), [&](std::ostream& stream) { stream << text; });
  window->openFiles({folder.filePath(QStringLiteral("other.hinesight"))});
  QTRY_COMPARE_WITH_TIMEOUT(window->project().stimuli[0].amplitude, 0.25, kPatience);
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

/// However long the sentence is, the dialog has room for all of its lines.
void TestSimulatedCircuit::namesAllThatIsWrong()
{
  editPart(QStringLiteral("Populations"), QStringLiteral("outside"));
  choose("partModel", 1); // hh, for which there is no form
  QVERIFY(!okOfDialog()->isEnabled());
  const auto* label = find<QLabel>("partProblem");
  QVERIFY2(label->text().contains(QStringLiteral("form")), qPrintable(label->text()));
  QTRY_VERIFY(label->height() >= label->heightForWidth(label->width()));
  auto* dialog = find<PartDialog>("partDialog");
  QVERIFY(dialog->rect().contains(QRect(label->mapTo(dialog, QPoint()), label->size())));
  dialog->reject();
}

void TestSimulatedCircuit::makesAModelForAPopulation()
{
  editPart(QStringLiteral("Populations"), QStringLiteral("P"));
  auto* models = find<QComboBox>("partModel");
  QCOMPARE(models->itemText(models->count() - 1), QStringLiteral("New model…"));
  models->setCurrentIndex(models->count() - 1);
  auto* outer = find<PartDialog>("partDialog");
  const auto inner = [&] { return outer->findChild<PartDialog*>(); };
  QTRY_VERIFY(inner() && inner()->isVisible());
  QCOMPARE(models->currentText(), QStringLiteral("point")); // as before, until there is another one
  auto* ok = inner()->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  QVERIFY(ok->isEnabled());
  QTest::mouseClick(ok, Qt::LeftButton);
  QTRY_VERIFY(!inner());
  QCOMPARE(models->currentText(), QStringLiteral("point 2"));
  QTest::mouseClick(outer->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
  QTRY_COMPARE(window->project().models.size(), std::size_t{4});
  QCOMPARE(window->project().models.back().kind, model::NeuronKind::Point); // they have no form
  QCOMPARE(window->project().populations[3].models, std::vector<std::string>{"point 2"});
}

/// The message has a button that leads on, and goes with what it speaks of.
void TestSimulatedCircuit::leadsToAModelWhereThereIsNone()
{
  std::string text = tests::kSmallSession;
  for (const char* models : {R"(, "models": ["hh"])", R"(, "models": ["passive"])", R"(, "models": ["point"])"}) {
    const std::size_t at = text.find(models);
    QVERIFY2(at != std::string::npos, models);
    text.erase(at, std::string(models).size());
  }
  const std::size_t stimuli = text.find("\"stimuli\"");
  text.erase(stimuli, text.find("\"simulate\"") - stimuli);
  window.reset();
  QSettings().clear();
  openSession("none.hinesight", text);
  window->showView(ViewKind::Simulation);
  click("simulationOwnCircuit");
  QTRY_VERIFY_WITH_TIMEOUT(message().startsWith(QStringLiteral("No population")), kPatience);
  auto* remedy = find<QToolButton>("messageRemedy");
  QTRY_VERIFY(remedy->isVisible());
  QTest::mouseClick(remedy, Qt::LeftButton);
  QTRY_VERIFY(window->findChild<PartDialog*>());
  QVERIFY(window->findChild<QLineEdit*>(QStringLiteral("partNameEdit")));
  accept();
  QVERIFY(message().startsWith(QStringLiteral("No population"))); // still
  editPart(QStringLiteral("Populations"), QStringLiteral("P"));
  choose("partModel", 3); // point
  accept();
  QTRY_VERIFY(!find<QWidget>("messageBanner")->isVisible());
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

/// All edges are in the circuit; how it is simulated lies in a folder of its own.
void TestSimulatedCircuit::isExportedWithItsSimulation()
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

HINESIGHT_TEST_RUN(runWindowTest<TestSimulatedCircuit>)
#include "test_simulated_circuit.moc"
