#include "app/benchmark/benchmark_page.hpp"
#include "app/cells/data_panel.hpp"
#include "app/document/autosave.hpp"
#include "app/document/history.hpp"
#include "app/document/session_controller.hpp"
#include "app/measure/measure_page.hpp"
#include "app/plasticity/plasticity_controller.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/synapses/formation_controller.hpp"
#include "app/synapses/formation_page.hpp"
#include "app_fixture.hpp"
#include "core/files.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "test_main.hpp"
#include "widgets/cells/view.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QTreeView>
#include <QUndoView>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Undoes, redoes and recovers a person's steps in the real main window.
class TestHistory : public QObject, WindowFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const char* name) const { return folder.filePath(name); }

  bool newWindow(bool keepsOpen = false)
  {
    window.reset();
    if (!showWindow())
      return false;
    window->history().setMergeTime(0);
    if (keepsOpen)
      window->keepOpenIn(path("state"));
    return true;
  }
  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    settle();
  }
  /// Until the step is made and all that follows from it has ended.
  void settle()
  {
    QCoreApplication::processEvents();
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
  }
  void undo()
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window->focusWidget() ? window->focusWidget() : window.get(), Qt::Key_Z, Qt::ControlModifier);
    settle();
  }
  void redo()
  {
    QTest::keyClick(window->focusWidget() ? window->focusWidget() : window.get(), Qt::Key_Z,
                    Qt::ControlModifier | Qt::ShiftModifier);
    settle();
  }
  QUndoStack& stack() const { return window->history().stack(); }
  BranchSelection& selected() const { return *window->findChild<BranchSelection*>(); }
  /// By the selection bar. The keys that follow are not the field's.
  void selectWhere(const char* expression)
  {
    find<QAction>("selectWhereAction")->trigger();
    auto* line = find<QLineEdit>("selectWhere");
    line->selectAll();
    QTest::keyClicks(line, QLatin1String(expression));
    find<QTreeView>("cellList")->setFocus();
  }
  /// In the list of cells, by the mouse.
  void clickCell(int row, Qt::KeyboardModifiers modifiers = {})
  {
    auto* list = find<QTreeView>("cellList");
    const QRect name = list->visualRect(list->model()->index(row, CellListModel::NameColumn));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, {name.right() - 4, name.center().y()});
  }
  std::vector<int> chosenCells() const { return find<DataPanel>("dataPanel")->chosenRows(); }
  std::vector<std::string> stepNames() const
  {
    std::vector<std::string> names;
    for (int k = 0; k < stack().count(); ++k)
      names.push_back(stack().text(k).toStdString());
    return names;
  }

private slots:
  void init() { QVERIFY(folder.isValid() && newWindow()); }
  void cleanup() { window.reset(); }

  /// Every step names what changed; back to the beginning and forth again, all is as it was.
  void stepsOfAllKindsAreUndoneAndDoneAgain()
  {
    const model::Project atFirst = window->history().project();
    std::vector<model::Project> states = {atFirst};
    const auto keep = [&] {
      settle();
      QCOMPARE(static_cast<std::size_t>(stack().count()), states.size());
      states.push_back(window->history().project());
    };
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    keep();
    window->cells().setScale({1}, 0.5);
    keep();
    window->cells().setVisible(0, false);
    keep();
    type("copiesSpin", "3");
    keep();
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    type("projectionSigmaMSpin", "20");
    keep();
    window->showView(ViewKind::Synapses);
    QVERIFY(waitForJobs());
    type("formationThetaSpin", "0.2");
    keep();
    window->showView(ViewKind::Plasticity);
    type("plasticityConductanceSpin", "0.05");
    keep();
    window->showView(ViewKind::Morphology);
    window->cells().removeAll();
    keep();
    const std::vector<std::string> names = stepNames();
    QCOMPARE(names.size(), std::size_t{8});
    QCOMPARE(names[0], std::string("Open 2 cells"));
    QCOMPARE(names[1], std::string("bipolar: Unit 1 to 0.5 µm"));
    QCOMPARE(names[2], std::string("Hide stellate"));
    QCOMPARE(names[3], std::string("Copies 1 to 3"));
    QVERIFY2(names[4].find("100 to 20") != std::string::npos, names[4].c_str());
    QCOMPARE(names[5], std::string("Theta 0.3 to 0.2"));
    QVERIFY2(names[6].find("0.03 to 0.05") != std::string::npos, names[6].c_str());
    QCOMPARE(names[7], std::string("Remove 2 cells"));

    for (std::size_t k = states.size() - 1; k-- > 0;) {
      undo();
      QVERIFY2(window->history().project() == states[k], names[k].c_str());
    }
    QCOMPARE(window->cells().rowCount(), 0);
    QVERIFY(!stack().canUndo());
    for (std::size_t k = 1; k < states.size(); ++k) {
      redo();
      QVERIFY2(window->history().project() == states[k], names[k - 1].c_str());
    }
    QVERIFY(!stack().canRedo());
  }

  /// The button asks nothing, so the status bar says how the cells come back, with all that was set of them.
  void allCellsThatWereRemovedComeBack()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    window->cells().setScale({1}, 0.5);
    settle();
    window->cells().setVisible(0, false);
    settle();
    type("copiesSpin", "3");
    settle();
    const model::Project before = window->history().project();
    QTest::mouseClick(find<QPushButton>("removeAllButton"), Qt::LeftButton);
    settle();
    QCOMPARE(window->cells().rowCount(), 0);
    QCOMPARE(find<QLabel>("resultLabel")->text(), QString("Removed 2 cells. Undo brings them back."));
    undo();
    QVERIFY(window->history().project() == before);
    QCOMPARE(window->cells().rowCount(), 2);
  }

  /// Also what was hidden of them, but not of a cell that is opened again by hand.
  void hiddenBranchesComeBackWithTheirCells()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    auto* selected = window->findChild<BranchSelection*>();
    selected->selectWhere("branch in {3, 4}");
    find<QAction>("hideBranchesAction")->trigger();
    const widgets::BranchIds hidden = selected->choice().hidden;
    QCOMPARE(hidden.size(), std::size_t{4});
    QTest::mouseClick(find<QPushButton>("removeAllButton"), Qt::LeftButton);
    settle();
    QVERIFY(selected->choice().hidden.isEmpty());
    undo();
    QVERIFY(selected->choice().hidden == hidden);
    undo(); // of the hiding itself
    QVERIFY(selected->choice().hidden.isEmpty());
    redo();
    QVERIFY(selected->choice().hidden == hidden);
    redo();
    QCOMPARE(window->cells().rowCount(), 0);
    open({dataFile("stellate.swc")});
    QVERIFY(selected->choice().hidden.isEmpty());
  }

  /// To select makes no step; a state is seen again with what was selected when it was left.
  void theSelectionComesBack()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    selectWhere("type == axon");
    const widgets::BranchIds axons = selected().choice().selected;
    QVERIFY(axons.hasAnyOf(0) && axons.hasAnyOf(1));
    find<QTreeView>("cellList")->setFocus();
    QTest::keyClick(window->focusWidget(), Qt::Key_H, Qt::ControlModifier);
    QVERIFY(selected().choice().hidden == axons);
    type("copiesSpin", "3");
    settle();
    selectWhere("branch == 1");
    const widgets::BranchIds roots = selected().choice().selected;
    QVERIFY(!roots.isEmpty());
    const QStringList names{stack().text(0), stack().text(1), stack().text(2)};
    QCOMPARE(names, (QStringList{QStringLiteral("Open 2 cells"), QStringLiteral("Hide selected branches"),
                                 QStringLiteral("Copies 1 to 3")}));
    QCOMPARE(stack().count(), 3);
    const auto shown = [&] { return window->view(ViewKind::Morphology).choice(); };
    undo(); // of the copies
    QCOMPARE(window->parameters().batch.copies, 1);
    QVERIFY(selected().choice().selected.isEmpty());
    QVERIFY(selected().choice().hidden == axons);
    QCOMPARE(find<QLineEdit>("selectWhere")->text(), QString());
    undo(); // of the hiding
    QVERIFY(shown().selected == axons);
    QVERIFY(shown().hidden.isEmpty());
    QCOMPARE(find<QLineEdit>("selectWhere")->text(), QStringLiteral("type == axon"));
    redo();
    QVERIFY(shown().selected.isEmpty());
    QVERIFY(shown().hidden == axons);
    redo();
    QCOMPARE(window->parameters().batch.copies, 3);
    QVERIFY(shown().selected == roots);
    QVERIFY(shown().hidden == axons);
    QCOMPARE(stack().count(), 3);
  }

  /// Also where a change makes another selection of it by itself: the cell is gone, or not seen.
  void theSelectionIsThatOfBeforeTheStep()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc"), dataFile("warned.swc")});
    selectWhere("type == axon");
    const widgets::BranchIds axons = selected().choice().selected;
    QVERIFY(axons.hasAnyOf(0) && axons.hasAnyOf(1));
    clickCell(1);
    QTest::keyClick(find<QTreeView>("cellList"), Qt::Key_Delete);
    settle();
    QCOMPARE(window->cells().rowCount(), 2);
    QVERIFY(selected().choice().selected != axons);
    clickCell(0);
    undo();
    QCOMPARE(window->cells().rowCount(), 3);
    QCOMPARE(chosenCells(), std::vector<int>{1});
    QVERIFY(selected().choice().selected == axons);
    find<QAction>("showOnlyCellsAction")->trigger();
    settle();
    QVERIFY(!selected().choice().selected.hasAnyOf(0));
    QCOMPARE(selected().expression(), std::string("type == axon"));
    selected().clear();
    undo();
    QVERIFY(selected().choice().selected == axons);
  }

  /// Of a cell that is there no sooner than it is planned again, by number.
  void pickedBranchesComeBackWithTheirCells()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    selected().pick({{1, 3}, {1, 4}}, widgets::PickMode::Replace);
    const widgets::BranchIds picked = selected().choice().selected;
    QCOMPARE(picked.size(), std::size_t{2});
    QTest::mouseClick(find<QPushButton>("removeAllButton"), Qt::LeftButton);
    settle();
    QVERIFY(selected().choice().selected.isEmpty());
    undo();
    QVERIFY(selected().choice().selected == picked);
    redo();
    undo();
    QVERIFY(selected().choice().selected == picked);
    // A cell that is opened by hand is another one.
    redo();
    open({dataFile("bipolar.swc")});
    QVERIFY(selected().choice().selected.isEmpty());
  }

  void theChosenCellsComeBack()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc"), dataFile("warned.swc")});
    clickCell(0);
    clickCell(2, Qt::ControlModifier);
    QCOMPARE(chosenCells(), (std::vector<int>{0, 2}));
    type("copiesSpin", "3");
    settle();
    clickCell(1);
    const int steps = stack().count();
    undo();
    QCOMPARE(chosenCells(), (std::vector<int>{0, 2}));
    redo();
    QCOMPARE(chosenCells(), std::vector<int>{1});
    QCOMPARE(stack().count(), steps);
  }

  /// However large it is.
  void aSelectionIsNotCopiedForEachStep()
  {
    open({dataFile("stellate.swc")});
    selectWhere("type == axon");
    const auto before = selected().selected().branches;
    QVERIFY(!before->choice.selected.isEmpty());
    for (const char* copies : {"2", "3"}) {
      type("copiesSpin", copies);
      settle();
    }
    QCOMPARE(stack().count(), 3);
    QCOMPARE(selected().selected().branches.get(), before.get());
  }

  /// There is nothing before what the program was started with.
  void whatWasOpenedAtTheStartIsNoStep()
  {
    window->openAtStart({dataFile("stellate.swc"), dataFile("bipolar.swc")}, false);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    settle();
    QCOMPARE(window->cells().rowCount(), 2);
    QCOMPARE(stack().count(), 0);
    type("copiesSpin", "3");
    settle();
    undo();
    undo();
    QCOMPARE(window->parameters().batch.copies, 1);
    QCOMPARE(window->cells().rowCount(), 2);
    QVERIFY(newWindow());
    window->openAtStart({QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight")}, false);
    settle();
    QCOMPARE(window->cells().rowCount(), 1);
    QCOMPARE(stack().count(), 0);
    QVERIFY(!window->isWindowModified());
    open({dataFile("bipolar.swc")});
    QCOMPARE(stack().count(), 1); // what comes later is one
  }

  /// What is undone is what the views show, too.
  void theViewsFollow()
  {
    open({dataFile("stellate.swc")});
    type("copiesSpin", "7");
    settle();
    QCOMPARE(window->runs().runs().back().cells, std::size_t{7});
    const std::size_t compartments = window->scene()->solution->x.size();
    undo(); // the field of the number has the focus
    QCOMPARE(window->scene()->solution->x.size() * 7, compartments);
    window->cells().setScale({0}, 0.5);
    settle();
    const double half = window->cells().cells()[0].metrics.totalLength;
    undo();
    QVERIFY(window->cells().cells()[0].metrics.totalLength > 1.9 * half);
    window->showView(ViewKind::Synapses);
    settle();
    type("formationNeuronsSpin", "500");
    settle();
    QCOMPARE(window->synapses().outcome().formation->population->size(), std::size_t{500});
    undo();
    QCOMPARE(window->synapses().outcome().formation->population->size(), std::size_t{10000});
  }

  /// A population that is removed takes what joined it along, and comes back with it.
  void populationsComeBack()
  {
    window->showView(ViewKind::Projection);
    settle();
    auto* panel = find<PopulationPanel>("populationPanel");
    std::vector<study::PopulationChoice> three = panel->populations();
    three.push_back(three.back());
    three.back().parameters.name = "third";
    panel->setPopulations(three);
    emit panel->changed();
    settle();
    QCOMPARE(QString::fromStdString(stepNames().back()), QStringLiteral("Add the population third"));
    find<QListWidget>("populationList")->setCurrentRow(0);
    click("removePopulation");
    settle();
    QCOMPARE(panel->populations().size(), std::size_t{2});
    undo();
    QCOMPARE(panel->populations().size(), std::size_t{3});
    QCOMPARE(panel->populations()[0].parameters.name, std::string("source"));
    QCOMPARE(find<ProjectionPanel>("projectionPanel")->request().source.parameters.name, std::string("source"));
  }

  /// A slider that is dragged is one step.
  void changesOfOneFieldThatFollowEachOtherAreOneStep()
  {
    open({dataFile("stellate.swc")});
    window->history().setMergeTime(kPatience);
    for (const char* copies : {"5", "6", "9"}) {
      type("copiesSpin", copies);
      settle();
    }
    QCOMPARE(stack().count(), 2);
    QCOMPARE(stack().undoText(), QStringLiteral("Copies 1 to 9"));
    type("copiesSpin", "1");
    settle();
    QCOMPARE(stack().count(), 1); // nothing is left of it
  }

  void theHistoryPanelNamesStepsAndGoesToThem()
  {
    open({dataFile("stellate.swc")});
    type("copiesSpin", "2");
    settle();
    type("copiesSpin", "3");
    settle();
    find<QAction>("historyDockAction")->trigger();
    auto* list = find<QUndoView>("historyList");
    QTRY_VERIFY(list->isVisible());
    QCOMPARE(list->model()->rowCount(), 4);
    const QModelIndex second = list->model()->index(2, 0);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(second).center());
    settle();
    QCOMPARE(window->parameters().batch.copies, 2);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
    settle();
    QCOMPARE(window->cells().rowCount(), 0);
  }

  /// A session is a step like any other.
  void openingASessionIsUndone()
  {
    open({dataFile("stellate.swc")});
    const model::Project before = window->history().project();
    open({QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight")});
    QCOMPARE(stack().undoText(), QStringLiteral("Open example.hinesight"));
    QVERIFY(window->windowTitle().startsWith(QStringLiteral("example.hinesight")));
    QVERIFY(!window->isWindowModified());
    const model::Project opened = window->history().project();
    QCOMPARE(opened.populations.size(), std::size_t{3});
    type("copiesSpin", "3");
    settle();
    QVERIFY(window->isWindowModified());
    undo();
    undo();
    QVERIFY(window->history().project() == before);
    redo();
    QVERIFY(window->history().project() == opened);
  }

  /// The window of a program that was killed.
  void whatAKilledWindowHadOpenIsOffered()
  {
    QVERIFY(newWindow(true));
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    type("copiesSpin", "4");
    settle();
    const model::Project had = window->history().project();
    const QDir state(path("state"));
    const auto written = [&]() -> std::optional<model::Project> {
      for (const QString& name : state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files))
        return model::readSession(state.filePath(name).toStdString()).project;
      return std::nullopt;
    };
    QTRY_VERIFY_WITH_TIMEOUT(written() && written()->solve.batch.copies == 4, kPatience);
    const QString file = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
    QVERIFY(QFile::copy(state.filePath(file), state.filePath(QStringLiteral("window-1-7.hinesight"))));

    // One that ends as it should leaves no more than the last session.
    window->close();
    QCOMPARE(state.entryList({QStringLiteral("*.hinesight")}, QDir::Files),
             (QStringList{QStringLiteral("last.hinesight"), QStringLiteral("window-1-7.hinesight")}));

    QVERIFY(newWindow(true));
    auto* bar = find<QuestionBar>("recoveryBar");
    QVERIFY(bar->isVisible());
    // What every window begins with is not counted.
    QVERIFY2(bar->text().endsWith(QStringLiteral(". 2 files of cells were open.")), qPrintable(bar->text()));
    click("recoveryAgree");
    settle();
    QVERIFY(!bar->isVisible());
    const std::string differences = model::summarize(model::changesBetween(had, window->history().project()));
    QVERIFY2(differences.empty(), differences.c_str());
    QVERIFY(window->history().project() == had);
    QCOMPARE(window->runs().runs().back().cells, std::size_t{8});
    QVERIFY(!QFile::exists(state.filePath(QStringLiteral("window-1-7.hinesight"))));
    undo();
    QCOMPARE(window->cells().rowCount(), 0);
    redo();
    window->close();

    QVERIFY(newWindow(true));
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    find<QAction>("lastAction")->trigger();
    settle();
    QVERIFY(window->history().project() == had);
    QCOMPARE(window->windowTitle(), QStringLiteral("stellate, bipolar - Hinesight")); // no file is its own
  }

  /// A button beside Restore loses nothing.
  void whatIsNotRestoredNowIsTheLastSession()
  {
    QVERIFY(QDir(path("state")).removeRecursively());
    QVERIFY(newWindow(true));
    open({dataFile("stellate.swc")});
    const QDir state(path("state"));
    QTRY_VERIFY_WITH_TIMEOUT(!state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).isEmpty(),
                             kPatience);
    window->close();
    QVERIFY(QFile::rename(state.filePath(QStringLiteral("last.hinesight")),
                          state.filePath(QStringLiteral("window-1-7.hinesight"))));
    QVERIFY(newWindow(true));
    QVERIFY(find<QuestionBar>("recoveryBar")->isVisible());
    QVERIFY(!find<QAction>("lastAction")->isEnabled());
    click("recoveryDecline");
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    QVERIFY(find<QAction>("lastAction")->isEnabled());
    find<QAction>("lastAction")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 1, kPatience);
    settle();
  }

  /// Not only of the last one: what was never saved is not lost when a second window is closed.
  void whatClosedWindowsHadOpenIsOffered()
  {
    QVERIFY(QDir(path("state")).removeRecursively());
    QVERIFY(newWindow(true));
    auto* earlier = find<QMenu>("earlierMenu");
    const auto fillsMenu = [&] {
      earlier = find<QMenu>("earlierMenu");
      emit earlier->aboutToShow();
      return earlier->isEnabled() ? earlier->actions().size() : qsizetype{0};
    };
    QCOMPARE(fillsMenu(), qsizetype{0});
    const auto closeWith = [&](const char* cell) {
      open({dataFile(cell)});
      window->close();
      QVERIFY(newWindow(true));
    };
    closeWith("stellate.swc");
    closeWith("bipolar.swc");
    closeWith("bipolar.swc"); // the same once more is no other session
    QVERIFY(!find<QuestionBar>("recoveryBar")->isVisible());
    QCOMPARE(fillsMenu(), qsizetype{1});
    QAction* before = earlier->actions().front();
    QVERIFY2(before->text().endsWith(QStringLiteral("stellate: 1 file of a cell")), qPrintable(before->text()));
    before->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 1, kPatience);
    settle();
    QVERIFY(window->project().cells.front().file.ends_with("stellate.swc"));

    model::Project project = window->project();
    for (int k = 1; k <= Autosave::kMostClosed + 1; ++k) {
      project.solve.batch.copies = k;
      Autosave ofWindow(path("state"));
      ofWindow.write(project, {});
      ofWindow.keepAsClosed();
    }
    QCOMPARE(model::readSession(path("state/last-9.hinesight").toStdString()).project.solve.batch.copies, 2);
    QCOMPARE(fillsMenu(), qsizetype{Autosave::kMostClosed} - 1);
    QCOMPARE(QDir(path("state")).entryList({QStringLiteral("last*")}, QDir::Files).size(),
             qsizetype{Autosave::kMostClosed});
    window->close();
    window.reset();
    QVERIFY(QDir(path("state")).removeRecursively());
  }

  /// As many as the lists have, also those that every window begins with.
  void whatIsOfferedIsCountedWhole()
  {
    model::Project project = window->project();
    for (const char* name : {"a", "b", "c"}) {
      project.populations.push_back(project.populations.front());
      project.populations.back().placement.name = name;
    }
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("counted")));
    model::writeSession(project, path("counted/window-1-7.hinesight").toStdString());
    window->keepOpenIn(path("counted"));
    const QString said = find<QuestionBar>("recoveryBar")->text();
    QVERIFY2(said.endsWith(QStringLiteral(". 5 populations were open.")), qPrintable(said));
    click("recoveryAgree");
    settle();
    QCOMPARE(window->project().populations.size(), std::size_t{5});
  }

  /// No step is made where a path is measured, and it is recovered all the same.
  void measuredPathsAreKept()
  {
    QVERIFY(QDir(path("state")).removeRecursively());
    QVERIFY(newWindow(true));
    open({dataFile("stellate.swc")});
    find<MeasurePage>("measurePage")->addPath({{QStringLiteral("a"), 1}, {QStringLiteral("a"), 2}, 5, 4});
    const QDir state(path("state"));
    const auto keptPaths = [&] {
      const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
      return name.isEmpty() ? 0 : model::readSession(state.filePath(name).toStdString()).view.paths.size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(keptPaths(), std::size_t{1}, kPatience);
    window->close();
    window.reset();
    QVERIFY(QDir(path("state")).removeRecursively());
  }

  /// Save goes to the file that the killed window had, and the title says so.
  void whatIsRecoveredKnowsItsFile()
  {
    model::SessionView view;
    view.page = "tree";
    view.savedAs = path("mine.hinesight").toStdString();
    model::Project project = window->project();
    project.cells.emplace_back().file = dataFile("stellate.swc").toStdString();
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("left")));
    model::writeSession(project, path("left/window-1-7.hinesight").toStdString(), view);
    window->keepOpenIn(path("left"));
    click("recoveryAgree");
    settle();
    QCOMPARE(window->windowTitle(), QStringLiteral("mine.hinesight[*] - Hinesight"));
    QVERIFY(window->isWindowModified());
    QVERIFY(window->view(ViewKind::Tree).isVisible());
    find<QAction>("saveSessionAction")->trigger();
    settle();
    QVERIFY(!window->isWindowModified());
    const model::ReadSession saved = model::readSession(path("mine.hinesight").toStdString());
    QVERIFY(saved.project.cells.size() == 1);
    QVERIFY(saved.view.savedAs.empty()); // it says so by itself
    // What is kept of it says so again.
    const QDir state(path("left"));
    const auto keptAs = [&] {
      const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
      return name.isEmpty() ? std::string() : model::readSession(state.filePath(name).toStdString()).view.savedAs;
    };
    QTRY_COMPARE_WITH_TIMEOUT(keptAs(), path("mine.hinesight").toStdString(), kPatience);
  }

  /// Another window that lives has its own.
  void aWindowThatLivesIsNotRecovered()
  {
    QVERIFY(newWindow(true));
    open({dataFile("stellate.swc")});
    const QDir state(path("state"));
    QTRY_VERIFY_WITH_TIMEOUT(!state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).isEmpty(),
                             kPatience);
    MainWindow other;
    other.keepOpenIn(path("state"));
    other.show();
    QVERIFY(!other.findChild<QuestionBar*>(QStringLiteral("recoveryBar"))->isVisible());
    window->close();
  }

  /// A folder that cannot be written to is said, once, and nothing else happens.
  void aStateFolderThatCannotBeWrittenIsSaid()
  {
    writeFileAtomically(path("file").toStdString(), [](std::ostream& stream) { stream << "no folder"; });
    window->keepOpenIn(path("file"));
    open({dataFile("stellate.swc")});
    QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("messageBanner")->isVisible(), kPatience);
    type("copiesSpin", "4");
    settle();
    QCOMPARE(window->runs().runs().back().cells, std::size_t{4});
  }

  /// The command computes what the page shows: the real program has the same figures.
  void aCopiedCommandComputesTheSame()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    window->cells().setScale({1}, 0.5);
    type("copiesSpin", "3");
    settle();
    const auto copied = [&] {
      find<QAction>("copyCommandAction")->trigger();
      return QGuiApplication::clipboard()->text();
    };
    const QString solve = copied();
    QVERIFY2(solve.startsWith(QStringLiteral("hinesight-cli solve ")), qPrintable(solve));
    QVERIFY2(solve.contains(QStringLiteral(" --copies 3")), qPrintable(solve));
    QVERIFY2(solve.contains(QStringLiteral(" --scale 1,0.5")), qPrintable(solve));
    window->showView(ViewKind::Projection);
    settle();
    type("projectionSigmaMSpin", "20");
    settle();
    const QString project = copied();
    QVERIFY2(project.contains(QStringLiteral("--source-grid 60,60,1 --source-spacing 1,1,1")), qPrintable(project));
    QVERIFY2(project.contains(QStringLiteral("--sigma-m 20")), qPrintable(project));
    window->showView(ViewKind::Synapses);
    settle();
    type("formationNeuronsSpin", "500");
    settle();
    const QString form = copied();
    QCOMPARE(form, QStringLiteral("hinesight-cli form --neurons 500"));
    window->showView(ViewKind::Plasticity);
    settle();
    const QString grow = copied();
    QVERIFY2(grow.startsWith(QStringLiteral("hinesight-cli grow --steps 1 --neurons 2000 --excitatory 0.8")),
             qPrintable(grow));
    const auto run = [](QString command) {
      command.replace(0, static_cast<int>(strlen("hinesight-cli")),
                      QStringLiteral("'" HINESIGHT_BINARY_DIR "/hinesight-cli'"));
      QProcess shell;
      shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command + QStringLiteral(" --json")});
      if (!shell.waitForFinished(kPatience) || shell.exitCode() != 0)
        return QByteArray("failed: " + shell.readAllStandardError());
      return shell.readAllStandardOutput();
    };
    const QByteArray solved = run(solve);
    QVERIFY2(solved.contains("\"cells\": 6"), solved);
    const QByteArray made = run(project);
    const auto rows = window->projections().outcome().table->rows();
    QVERIFY2(made.contains("\"rows\": " + QByteArray::number(static_cast<qulonglong>(rows))), made);
    QVERIFY2(!run(form).startsWith("failed"), run(form));
    QVERIFY2(!run(grow).startsWith("failed"), run(grow));
  }

  /// Of neurons of the circuit and of a benchmark: a run of the session's file, with what was changed since.
  void aCopiedCommandRunsTheSession()
  {
    const QString example = QStringLiteral(HINESIGHT_TEST_DATA "/../../docs/example.hinesight");
    open({example});
    const auto copied = [&] {
      find<QAction>("copyCommandAction")->trigger();
      return QGuiApplication::clipboard()->text();
    };
    const auto run = [](QString command) {
      command.replace(0, static_cast<int>(strlen("hinesight-cli")),
                      QStringLiteral("'" HINESIGHT_BINARY_DIR "/hinesight-cli'"));
      QProcess shell;
      shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command + QStringLiteral(" --json")});
      if (!shell.waitForFinished(kPatience) || shell.exitCode() != 0)
        return QByteArray("failed: " + shell.readAllStandardError());
      return shell.readAllStandardOutput();
    };
    const auto synapses = [&] {
      return "\"synapses\": " + QByteArray::number(static_cast<qulonglong>(
                                    synapse::synapseCount(window->synapses().outcome().formation->network)));
    };
    window->showView(ViewKind::Synapses);
    settle();
    const QString form = copied();
    QVERIFY2(form.contains(QStringLiteral("example.hinesight --study formation --connection local")), qPrintable(form));
    QVERIFY2(!form.contains(QStringLiteral("--set")), qPrintable(form));
    const QByteArray formed = run(form);
    QVERIFY2(formed.contains(synapses()), formed);
    type("formationAxonsSpin", "4");
    settle();
    const QString changed = copied();
    QVERIFY2(changed.contains(QStringLiteral("--set 'connections.local.formed-axons=4'")), qPrintable(changed));
    const QByteArray again = run(changed);
    QVERIFY2(again.contains(synapses()), again);

    window->showView(ViewKind::Benchmark);
    settle();
    const QString bench = copied();
    QVERIFY2(bench.contains(QStringLiteral("--study benchmark --set 'bench-hines.of=session'")), qPrintable(bench));
    window->findChild<BenchmarkPage*>()->showKind(BenchmarkPage::Kind::Projections);
    const QString projections = copied();
    QVERIFY2(projections.startsWith(QStringLiteral("hinesight-cli bench projections --backend")),
             qPrintable(projections));

    // What is saved is saved, not exported.
    window->findChild<SessionController*>()->save(path("own.hinesight"));
    settle();
    QVERIFY2(find<QLabel>("resultLabel")->text().startsWith(QStringLiteral("Saved to ")),
             qPrintable(find<QLabel>("resultLabel")->text()));
  }

  void aCopiedSessionOpens()
  {
    open({dataFile("stellate.swc")});
    type("copiesSpin", "3");
    settle();
    find<QAction>("copySessionAction")->trigger();
    const model::ReadSession read =
        model::parseSession(QGuiApplication::clipboard()->text().toStdString(), "/", "clipboard");
    QVERIFY(read.warnings.empty());
    QCOMPARE(read.project.solve.batch.copies, 3);
    QCOMPARE(read.project.cells[0].file, dataFile("stellate.swc").toStdString());
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestHistory>)
#include "test_history.moc"
