#include "app/app_fixture.hpp"
#include "app/simulation/parts/membrane_table.hpp"
#include "simulated_circuit_fixture.hpp"
#include "study/simulation/simulation_model.hpp"
#include "test_main.hpp"
#include "widgets/simulation/raster_chart.hpp"

#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// Changes in the real main window how the circuit of a session is simulated: models, stimuli, synapses.
class TestSimulatedParts : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

private slots:
  void init() { openSmallSession(); }
  void cleanup() { window.reset(); }

  void makesAModelAndGivesItToAPopulation();
  void refusesWhatIsWrong();
  void offersAStimulusThatItsPopulationCanHave();
  void aStimulusGoesToTheMiddleOfTheSoma();
  void changesAModelBeforeItsStimuli();
  void proposesAWeightOfPointNeurons();
  void namesAllThatIsWrong();
  void makesAModelForAPopulation();
  void leadsToAModelWhereThereIsNone();
  void choosesTheFileOfAFit();

private:
  QString problem() const { return find<QLabel>("partProblem")->text(); }
  QTreeWidgetItem* part(const QString& title, const QString& name) { return choosePart(title, name); }
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
};

void TestSimulatedParts::makesAModelAndGivesItToAPopulation()
{
  window->showView(ViewKind::Simulation);
  showParts();
  find<QAction>("addNeuronModel")->trigger();
  QTRY_VERIFY(window->findChild<PartDialog*>());
  auto* dialog = find<PartDialog>("partDialog");
  dialog->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(dialog));
  QCOMPARE(find<QComboBox>("partSimulated")->currentText(), QStringLiteral("none yet")); // all have a model
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

void TestSimulatedParts::refusesWhatIsWrong()
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

/// Currents are for cells, spikes for neurons without a model; the dialog says so.
void TestSimulatedParts::offersAStimulusThatItsPopulationCanHave()
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
void TestSimulatedParts::aStimulusGoesToTheMiddleOfTheSoma()
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
void TestSimulatedParts::changesAModelBeforeItsStimuli()
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
void TestSimulatedParts::proposesAWeightOfPointNeurons()
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

/// However long the sentence is, the dialog has room for all of its lines.
void TestSimulatedParts::namesAllThatIsWrong()
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

void TestSimulatedParts::makesAModelForAPopulation()
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
void TestSimulatedParts::leadsToAModelWhereThereIsNone()
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
  // It is for a population, which is simulated by it then.
  const std::string proposed = find<QComboBox>("partSimulated")->currentText().toStdString();
  accept();
  const model::Project project = window->project();
  const model::Population* const simulated = model::findPopulation(project, proposed);
  QVERIFY(simulated && !simulated->cells.empty());
  QCOMPARE(simulated->models, std::vector{project.models.back().name});
  QTRY_VERIFY(!find<QWidget>("messageBanner")->isVisible());
}

void TestSimulatedParts::choosesTheFileOfAFit()
{
  window->showView(ViewKind::Simulation);
  showParts();
  find<QAction>("addNeuronModel")->trigger();
  QTRY_VERIFY(window->findChild<PartDialog*>());
  choose("partKindCombo", 1);          // Fit
  QVERIFY(!okOfDialog()->isEnabled()); // it names no file
  find<QAction>("partChooseFile")->trigger();
  auto* dialog = find<QFileDialog>("partFileDialog");
  QCOMPARE(dialog->windowTitle(), QStringLiteral("Fits of the Allen Cell Types database"));
  const QString file = QStringLiteral("/cells/pyramidal_fit.json");
  emit dialog->filesSelected({file});
  delete dialog;
  QCOMPARE(find<QLineEdit>("partFileEdit")->text(), file);
  accept();
  QCOMPARE(window->project().models.back().file, file.toStdString());
}

HINESIGHT_TEST_RUN(runWindowTest<TestSimulatedParts>)
#include "test_simulated_parts.moc"
