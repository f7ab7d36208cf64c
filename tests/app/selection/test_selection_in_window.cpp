#include "app/app_fixture.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/document/history.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/selection/expression_history.hpp"
#include "app/window_fixture.hpp"
#include "morphology/morphometry.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/legend_overlay.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QCompleter>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <initializer_list>
#include <set>

using namespace hinesight;
using namespace hinesight::app;
using selection::BranchFigure;

/// Selects branches in the real main window with mouse and keyboard.
class TestSelectionInWindow : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup() { window.reset(); }

  void selectsByAnExpressionWhileItIsTyped();
  void marksAMistakeWhereItIs();
  void completesTheNamesOfFields();
  void goesThroughTheExpressionsThatWereUsed();
  void keepsTheNewestExpressions();
  void addsAndRemovesByClicksWithCtrl();
  void followsTheTree();
  void hidesAndIsolates();
  void showingAllKeepsTheSelection();
  void countsTheSameCellsWhateverSelected();
  void selectsAndHidesByTheLegend();
  void keysGoThroughTheLegend();
  void marksWhatIsHiddenOfTheShownCells();
  void selectsByTheColourBar();
  void keepsSets();
  void renamesASet();
  void aSetIsNotReplacedUnawares();
  void keepsSetsOfCells();
  void setsOfCellsFollowTheList();
  void takesTheTextAwayWithTheSelection();
  void keepsTheSelectionWhenACellIsAdded();
  void selectsInABox();
  void selectsInALoop();
  void isThereOnlyWhereItIsOfUse();
  void alwaysSaysHowManyAreSelected();
  void undoesWhatWasDoneToBranches();
  void goesBackToWhatWasSelected();
  void selectsInTheChosenCellsOnly();
  void keepsAnExpressionWithinTheChosenCells();
  void saysThatAChosenCellIsHidden();
  void describesWhatIsSelected();
  void showsOnlyTheChosenCell();
  void listsTypesOfVisibleCellsOnly();
  void foldsTheLegendToItsTitle();

private:
  void open(const QStringList& files);
  BranchSelection& selected() { return *window->findChild<BranchSelection*>(); }
  const widgets::BranchIds& ids() { return selected().choice().selected; }
  const selection::BranchTable& table() { return *selected().table(); }
  void write(const char* expression);
  void choose(std::initializer_list<int> rows);
  void keepChosenCells(const char* name);
  std::vector<int> chosenCells() { return find<DataPanel>("dataPanel")->chosenRows(); }
  void trigger(const char* action) { find<QAction>(action)->trigger(); }
  widgets::MorphologyView& morphology()
  {
    return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  }
  widgets::TreeView& tree() { return static_cast<widgets::TreeView&>(window->view(ViewKind::Tree)); }
  QPoint middleOf(std::int32_t branch);
  std::size_t drawnBars();
  /// Into the folder that HINESIGHT_PICTURES names, to be looked at.
  void savePicture(const char* name)
  {
    if (const QString folder = qEnvironmentVariable("HINESIGHT_PICTURES"); !folder.isEmpty())
      QVERIFY(window->grab().save(QDir(folder).filePath(QLatin1String(name) + QStringLiteral(".png"))));
  }
  void drag(QWidget* canvas, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers);
};

void TestSelectionInWindow::init()
{
  QSettings().clear();
  QVERIFY(showWindow({1280, 720}));
  open({"stellate.swc"});
}

void TestSelectionInWindow::open(const QStringList& files)
{
  QStringList paths;
  for (const QString& file : files)
    paths << dataFile(qPrintable(file));
  window->openFiles(paths);
  QVERIFY(waitForJobs());
}

/// With Ctrl+F, in the place of what is there.
void TestSelectionInWindow::write(const char* expression)
{
  trigger("selectWhereAction");
  auto* line = find<QLineEdit>("selectWhere");
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, QLatin1String(expression));
}

/// Cells in the list, by the mouse.
void TestSelectionInWindow::choose(std::initializer_list<int> rows)
{
  auto* list = find<QAbstractItemView>("cellList");
  Qt::KeyboardModifiers modifiers;
  for (const int row : rows) {
    const QRect name = list->visualRect(list->model()->index(row, CellListModel::NameColumn));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, {name.right() - 4, name.center().y()});
    modifiers = Qt::ControlModifier;
  }
}

/// By the menu and the dialog.
void TestSelectionInWindow::keepChosenCells(const char* name)
{
  trigger("saveCellSetAction");
  const QPointer<QInputDialog> dialog = find<QInputDialog>("setNameDialog");
  auto* line = dialog->findChild<QLineEdit*>();
  line->selectAll();
  QTest::keyClicks(line, QLatin1String(name));
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(!dialog);
}

/// Of a branch of the first cell, in the Dependency tree as read.
QPoint TestSelectionInWindow::middleOf(std::int32_t branch)
{
  return tree().planarCanvas()->transform().map(tree().barOf(false, branch)).center().toPoint();
}

std::size_t TestSelectionInWindow::drawnBars()
{
  return tree().planarCanvas()->drawing().bars.size();
}

void TestSelectionInWindow::alwaysSaysHowManyAreSelected()
{
  open({"bipolar.swc"});
  write("type == axon && pathDistance > 150");
  auto* count = find<widgets::ElidedLabel>("selectionCount");
  QTRY_VERIFY(count->isVisible() && count->width() > 0);
  QVERIFY(count->text().contains(" in 2 cells"));
  QCOMPARE(count->shownText(), count->text());
  QVERIFY(find<QWidget>("selectionBar")->rect().contains(count->geometry()));
  savePicture("selection");
}

void TestSelectionInWindow::undoesWhatWasDoneToBranches()
{
  write("type == axon");
  const auto axons = ids();
  trigger("invertAction");
  const auto others = ids();
  QVERIFY(others != axons);
  trigger("hideBranchesAction");
  trigger("showAllBranchesAction");
  QVERIFY(selected().choice().hidden.isEmpty());
  window->setFocus();
  const auto undo = [this] { QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier); };
  undo();
  QCOMPARE(selected().choice().hidden, others);
  undo();
  QVERIFY(selected().choice().hidden.isEmpty());
  QCOMPARE(ids(), others);
  QCOMPARE(window->view(ViewKind::Morphology).choice().selected, others);
  // What only selects is no step.
  trigger("previousSelectionAction");
  QCOMPARE(ids(), axons);
  QCOMPARE(selected().expression(), std::string("type == axon"));
  trigger("isolateAction");
  QVERIFY(!selected().choice().hidden.isEmpty());
  const auto isolated = selected().choice().hidden;
  for (const char* action : {"invertAction", "subtreeAction", "pathToSomaAction", "hostAction"})
    trigger(action);
  undo();
  QVERIFY(selected().choice().hidden.isEmpty());
  trigger("redoAction");
  QCOMPARE(selected().choice().hidden, isolated);
  undo();
  // A set that is kept, and chosen.
  selected().saveAs(QStringLiteral("axons"));
  selected().clear();
  selected().selectSet(0);
  QCOMPARE(ids(), axons);
  undo();
  QVERIFY(selected().sets().empty());
}

void TestSelectionInWindow::goesBackToWhatWasSelected()
{
  auto* previous = find<QAction>("previousSelectionAction");
  QVERIFY(!previous->isEnabled());
  write("type == axon");
  const auto axons = ids();
  selected().select({0, 3});
  selected().select({0, 4});
  previous->trigger();
  QCOMPARE(ids(), widgets::BranchIds({{0, 3}}));
  // In another scene too.
  open({"bipolar.swc"});
  previous->trigger();
  QCOMPARE(selected().expression(), std::string("type == axon"));
  QCOMPARE(ids(), axons);
  QVERIFY(!previous->isEnabled());
}

void TestSelectionInWindow::selectsInTheChosenCellsOnly()
{
  auto* only = find<QToolButton>("selectInChosen");
  write("type == axon");
  QVERIFY(!only->isVisible()); // there is one cell
  open({"bipolar.swc"});
  const auto ofBoth = ids();
  auto* list = find<QAbstractItemView>("cellList");
  list->setCurrentIndex(list->model()->index(0, 0));
  QTest::mouseClick(only, Qt::LeftButton);
  QVERIFY(ids().hasAnyOf(0) && !ids().hasAnyOf(1));
  QVERIFY(find<QLabel>("selectionCount")->text().contains(" in 1 chosen cell,"));
  list->setCurrentIndex(list->model()->index(1, 0));
  QVERIFY(!ids().hasAnyOf(0));
  list->selectAll();
  QCOMPARE(ids(), ofBoth);
  QVERIFY(find<QLabel>("selectionCount")->text().contains(" in 2 chosen cells,"));
  savePicture("chosen");
}

void TestSelectionInWindow::keepsAnExpressionWithinTheChosenCells()
{
  open({"bipolar.swc"});
  write("type == axon");
  auto* list = find<QAbstractItemView>("cellList");
  list->setCurrentIndex(list->model()->index(0, 0));
  auto* only = find<QToolButton>("selectInChosen");
  QTest::mouseClick(only, Qt::LeftButton);
  const auto axons = ids();
  QVERIFY(axons.hasAnyOf(0) && !axons.hasAnyOf(1));
  selected().saveAs("one");
  QCOMPARE(selected().sets().back().expression, std::string("(type == axon) && cell == \"stellate\""));
  list->selectAll();
  selected().saveAs("both");
  QCOMPARE(selected().sets().back().expression, std::string("(type == axon) && cell in {\"stellate\", \"bipolar\"}"));
  QTest::mouseClick(only, Qt::LeftButton);
  selected().selectSet(0);
  QCOMPARE(ids(), axons);
}

void TestSelectionInWindow::saysThatAChosenCellIsHidden()
{
  open({"bipolar.swc"});
  write("type == axon");
  auto* list = find<QAbstractItemView>("cellList");
  list->setCurrentIndex(list->model()->index(0, 0));
  QTest::mouseClick(find<QToolButton>("selectInChosen"), Qt::LeftButton);
  window->cells().setVisible(0, false);
  const auto* count = find<QLabel>("selectionCount");
  QTRY_COMPARE(count->text(), QStringLiteral("The chosen cell is hidden, and nothing is selected in it"));
  QVERIFY(ids().isEmpty());
  list->selectAll();
  QVERIFY2(count->text().contains(" in 1 chosen and shown cell,"), qPrintable(count->text()));
}

/// One branch by its figures, several by what they come to, none not at all; lengths are those of the table of types.
void TestSelectionInWindow::describesWhatIsSelected()
{
  const auto* details = find<QLabel>("branchDetails");
  write("type == axon");
  const auto axons = ids();
  QVERIFY(axons.size() > 1);
  selected().select(*axons.begin());
  QVERIFY(details->text().contains("branch or root") && details->text().contains("radius"));
  write("type == axon");
  QCOMPARE(window->selection(), *axons.begin());
  QVERIFY(details->text().contains(QStringLiteral("%1 of %2").arg(axons.size()).arg(table().rows())));
  QVERIFY2(!details->text().contains("radius"), qPrintable(details->text()));
  const auto& types = window->cells().cells()[0].types;
  const auto axon = std::ranges::find(types, morphology::kAxon, &morphology::TypeMeasures::type);
  QCOMPARE(axons.size(), static_cast<std::size_t>(axon->branches));
  const QString length = widgets::formatNumber(axon->length) + QStringLiteral(" µm");
  QVERIFY2(details->text().contains(length), qPrintable(details->text()));
  QVERIFY2(find<QLabel>("selectionCount")->text().endsWith(length), qPrintable(length));
  selected().clear();
  QVERIFY(!details->isVisibleTo(details->parentWidget()));
}

void TestSelectionInWindow::showsOnlyTheChosenCell()
{
  open({"bipolar.swc"});
  auto* list = find<QAbstractItemView>("cellList");
  auto* only = find<QAction>("showOnlyCellsAction");
  auto* all = find<QAction>("showAllCellsAction");
  QVERIFY(list->actions().contains(only) && !only->icon().isNull() && !all->isEnabled());
  list->setCurrentIndex(list->model()->index(1, 0));
  const auto eyes = [&] {
    std::vector<bool> shown;
    for (const OpenCell& cell : window->findChild<CellListModel*>()->cells())
      shown.push_back(cell.visible);
    return shown;
  };
  write("type == axon");
  QVERIFY(ids().hasAnyOf(0) && ids().hasAnyOf(1));
  only->trigger();
  QCOMPARE(eyes(), (std::vector<bool>{false, true}));
  // What is not shown is not selected, and is not hidden either.
  QTRY_VERIFY(!ids().hasAnyOf(0) && ids().hasAnyOf(1));
  QVERIFY(find<QLabel>("selectionCount")->text().contains(" in 1 shown cell,"));
  find<QAction>("hideBranchesAction")->trigger();
  QVERIFY(!selected().choice().hidden.hasAnyOf(0) && selected().choice().hidden.hasAnyOf(1));
  QCoreApplication::processEvents(); // the step is taken
  find<QAction>("undoAction")->trigger();
  QVERIFY(selected().choice().hidden.isEmpty());
  find<QAction>("invertAction")->trigger();
  QVERIFY(!ids().hasAnyOf(0) && ids().hasAnyOf(1));
  QCoreApplication::processEvents();
  find<QAction>("undoAction")->trigger();
  QCOMPARE(eyes(), (std::vector<bool>{true, true}));
  find<QAction>("redoAction")->trigger();
  all->trigger();
  QCOMPARE(eyes(), (std::vector<bool>{true, true}));
}

void TestSelectionInWindow::listsTypesOfVisibleCellsOnly()
{
  const QTemporaryDir folder;
  QFile file(folder.filePath("types.swc"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("1 1 0 0 0 5 -1\n");
  for (int type = 2; type < 40; ++type)
    file.write(QStringLiteral("%1 %1 %2 100 0 1 1\n").arg(type).arg(type * 10).toUtf8());
  file.close();
  const auto* legend = morphology().findChild<widgets::LegendOverlay*>();
  const auto before = legend->legend().entries.size();
  window->openFiles({file.fileName()});
  QVERIFY(waitForJobs());
  const auto of = [&] { return legend->legend().entries.size(); };
  QTRY_COMPARE(of(), std::size_t{39});
  // What there is no room for is one line, and all is reached by it.
  QTRY_VERIFY(legend->isVisible() && legend->height() < 0.41 * morphology().canvas()->height());
  QCOMPARE(legend->rectOfEntry(38), legend->rectOfEntry(37));
  QVERIFY(legend->rect().contains(legend->rectOfEntry(38).center()));
  savePicture("legend");
  window->cells().setVisible(1, false);
  QTRY_COMPARE(of(), before);
  QCOMPARE(morphology().figure().legend().entries.size(), before);
  // The tree shows hidden cells, which are solved.
  window->showView(ViewKind::Tree);
  QTRY_COMPARE(tree().shownLegend().entries.size(), std::size_t{39});
}

void TestSelectionInWindow::drag(QWidget* canvas, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers)
{
  QTest::mousePress(canvas, Qt::LeftButton, modifiers, from);
  for (const QPoint& point : {(from + to) / 2, to}) {
    QMouseEvent move(QEvent::MouseMove, point, canvas->mapToGlobal(point), Qt::NoButton, Qt::LeftButton, modifiers);
    QApplication::sendEvent(canvas, &move);
  }
  QTest::mouseRelease(canvas, Qt::LeftButton, modifiers, to);
}

void TestSelectionInWindow::selectsByAnExpressionWhileItIsTyped()
{
  auto* bar = find<QWidget>("selectionBar");
  QVERIFY(!bar->isVisible());
  write("type == axon");
  QVERIFY(bar->isVisible());
  const std::size_t axons = ids().size();
  QVERIFY(axons > 0 && axons < table().rows());
  for (const widgets::BranchId id : ids())
    QCOMPARE(table().at(BranchFigure::Type, *table().rowOf(id)), 2.0);
  auto* count = find<QLabel>("selectionCount");
  QVERIFY2(count->text().startsWith(QStringLiteral("%1 of %2 branches and roots, ").arg(axons).arg(table().rows())),
           qPrintable(count->text()));
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    window->showView(kind);
    QCOMPARE(window->view(kind).choice().selected, ids());
  }
  QTest::keyClicks(find<QLineEdit>("selectWhere"), " && length > 100");
  QVERIFY(!ids().isEmpty() && ids().size() < axons);
  // Escape selects nothing; then there is nothing to say.
  find<QAction>("deselectAction")->trigger();
  QVERIFY(ids().isEmpty());
}

void TestSelectionInWindow::marksAMistakeWhereItIs()
{
  write("type == axon");
  const std::size_t axons = ids().size();
  write("lenght > 100");
  auto* mistake = find<QLabel>("selectionMistake");
  QVERIFY(mistake->isVisible());
  QCOMPARE(mistake->text(), QStringLiteral("There is no field \"lenght\"; did you mean \"length\"?"));
  QCOMPARE(ids().size(), axons); // what was selected stays
  write("length > 100");
  QVERIFY(!mistake->isVisible());
  QVERIFY(ids().size() != axons);
}

void TestSelectionInWindow::completesTheNamesOfFields()
{
  auto* line = find<QLineEdit>("selectWhere");
  write("pathS");
  auto* completer = line->findChild<QCompleter*>();
  QCOMPARE(completer->currentCompletion(), QStringLiteral("pathStart"));
  emit completer->activated(completer->currentCompletion());
  QCOMPARE(line->text(), QStringLiteral("pathStart"));
  QTest::keyClicks(line, " > 10");
  QVERIFY(!ids().isEmpty());
  // A name of two words, as the legend has it.
  write("type == basal d");
  QCOMPARE(completer->currentCompletion(), QStringLiteral("basal dendrite"));
  emit completer->activated(completer->currentCompletion());
  QCOMPARE(line->text(), QStringLiteral("type == basal dendrite"));
  const auto basal = ids();
  selected().selectWhere("type == 3");
  QCOMPARE(ids(), basal);
}

/// As a shell does, but for those that were wrong; what is being typed comes after the newest.
void TestSelectionInWindow::goesThroughTheExpressionsThatWereUsed()
{
  auto* line = find<QLineEdit>("selectWhere");
  auto* popup = line->findChild<QCompleter*>()->popup();
  const auto press = [line](Qt::Key key) {
    QTest::keyClick(line, key);
    return line->text();
  };
  write("type != apical dendrite");
  QVERIFY(!popup->isVisible()); // nothing more can come
  const auto others = ids();
  QVERIFY(!others.isEmpty());
  press(Qt::Key_Return);
  press(Qt::Key_Return); // kept once
  write("lenght > 5");
  press(Qt::Key_Return);
  write("level == 1");
  trigger("deselectAction");
  QCOMPARE(line->text(), QString());
  write("length > 30");
  find<QAbstractItemView>("cellList")->setFocus();
  QTRY_VERIFY(!line->hasFocus());
  write("order > 0");
  QTest::mouseClick(find<QToolButton>("closeSelection"), Qt::LeftButton);

  write("pathS");
  QTRY_VERIFY(popup->isVisible());
  QCOMPARE(press(Qt::Key_Up), QStringLiteral("pathS")); // the list of words has these keys
  QTest::keyClicks(line, "tart > 10");
  QVERIFY(!popup->isVisible());
  const auto typed = ids();
  QCOMPARE(press(Qt::Key_Down), QStringLiteral("pathStart > 10"));
  QCOMPARE(press(Qt::Key_Up), QStringLiteral("order > 0"));
  QCOMPARE(press(Qt::Key_Up), QStringLiteral("length > 30"));
  QCOMPARE(press(Qt::Key_Up), QStringLiteral("level == 1"));
  for (int again = 0; again < 2; ++again)
    QCOMPARE(press(Qt::Key_Up), QStringLiteral("type != apical dendrite"));
  QCOMPARE(ids(), others);
  QVERIFY(!popup->isVisible());
  for (const char* next : {"level == 1", "length > 30", "order > 0", "pathStart > 10"})
    QCOMPARE(press(Qt::Key_Down), QLatin1String(next));
  QCOMPARE(ids(), typed);
  // One that is used again, or written on, is the newest.
  press(Qt::Key_Up);
  press(Qt::Key_Up);
  press(Qt::Key_Return);
  QCOMPARE(press(Qt::Key_Up), QStringLiteral("order > 0"));
  QTest::keyClicks(line, "1");
  QCOMPARE(press(Qt::Key_Up), QStringLiteral("length > 30"));
  QCOMPARE(press(Qt::Key_Down), QStringLiteral("order > 01"));
}

void TestSelectionInWindow::keepsTheNewestExpressions()
{
  ExpressionHistory history;
  QVERIFY(!history.step(-1, "typed") && !history.step(1, "typed"));
  for (int i = 1; i <= ExpressionHistory::kMost + 2; ++i)
    history.add(QString::number(i));
  QString text = QStringLiteral("typed");
  while (const auto before = history.step(-1, text))
    text = *before;
  QCOMPARE(text, QStringLiteral("3"));
}

void TestSelectionInWindow::addsAndRemovesByClicksWithCtrl()
{
  window->showView(ViewKind::Tree);
  QWidget* canvas = tree().planarCanvas();
  QTest::mouseClick(canvas, Qt::LeftButton, {}, middleOf(5));
  QVERIFY(!find<QWidget>("selectionBar")->isVisible()); // one branch needs none
  QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, middleOf(7));
  QVERIFY(find<QWidget>("selectionBar")->isVisible());
  QCOMPARE(ids(), widgets::BranchIds({{0, 5}, {0, 7}}));
  QCOMPARE(window->selection(), (widgets::BranchId{0, 7})); // whose figures are shown
  QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, middleOf(7));
  QCOMPARE(ids(), widgets::BranchIds({{0, 5}}));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, middleOf(6));
  QCOMPARE(ids(), widgets::BranchIds({{0, 6}}));
  QCOMPARE(morphology().choice().selected, tree().choice().selected);
}

void TestSelectionInWindow::followsTheTree()
{
  write("subtree > 3 && level == 1");
  const std::size_t stems = ids().size();
  QVERIFY(stems > 0);
  trigger("subtreeAction");
  QVERIFY(ids().size() > stems);
  const std::size_t trees = ids().size();
  trigger("pathToSomaAction");
  QCOMPARE(ids().size(), trees + 1); // the soma
  trigger("invertAction");
  QCOMPARE(ids().size(), table().rows() - trees - 1);
  write("level == 1 && branch == 2");
  trigger("hostAction");
  QCOMPARE(ids(), widgets::BranchIds({{0, 0}}));
  QCOMPARE(window->selection(), (widgets::BranchId{0, 0}));
}

void TestSelectionInWindow::hidesAndIsolates()
{
  window->showView(ViewKind::Tree);
  const std::size_t all = drawnBars();
  QVERIFY(!find<QAction>("hideBranchesAction")->isEnabled());
  const QPoint place = middleOf(5);
  QCOMPARE(tree().branchOfItem(tree().planarCanvas()->itemAt(place)), (widgets::BranchId{0, 5}));
  QTest::mouseClick(tree().planarCanvas(), Qt::LeftButton, {}, place);
  trigger("hideBranchesAction");
  QVERIFY(ids().isEmpty());
  QVERIFY(drawnBars() < all);
  QVERIFY(tree().planarCanvas()->itemAt(place) < 0);
  QVERIFY2(find<QLabel>("selectionCount")->text().endsWith("; 1 hidden"),
           qPrintable(find<QLabel>("selectionCount")->text()));
  trigger("showAllBranchesAction");
  QCOMPARE(drawnBars(), all);

  // In space too: nothing is found where a hidden branch is.
  window->showView(ViewKind::Morphology);
  morphology().fitTo({0, 5});
  write("branch == 6");
  trigger("isolateAction");
  std::set<widgets::BranchId> found;
  const QSize size = morphology().canvas()->size();
  for (int x = 0; x < size.width(); x += 3)
    for (int y = 0; y < size.height(); y += 3)
      found.insert(morphology().branchAt(QPointF(x, y)));
  QCOMPARE(found, (std::set<widgets::BranchId>{{}, {0, 5}}));
}

void TestSelectionInWindow::showingAllKeepsTheSelection()
{
  write("type == axon");
  const auto axons = ids();
  window->setFocus();
  const auto showAll = [this] { QTest::keyClick(window.get(), Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier); };
  for (const Qt::KeyboardModifiers modifiers :
       {Qt::KeyboardModifiers(Qt::ControlModifier | Qt::ShiftModifier), Qt::KeyboardModifiers(Qt::ControlModifier)}) {
    const bool isolates = modifiers.testFlag(Qt::ShiftModifier);
    QTest::keyClick(window.get(), isolates ? Qt::Key_I : Qt::Key_H, modifiers);
    QVERIFY(!selected().choice().hidden.isEmpty());
    QCOMPARE(ids().isEmpty(), !isolates);
    showAll();
    QVERIFY(selected().choice().hidden.isEmpty());
    QCOMPARE(ids(), axons);
    QCOMPARE(selected().expression(), std::string("type == axon"));
    QCOMPARE(morphology().choice().selected, axons);
  }
  // What is selected since they were hidden stays.
  QTest::keyClick(window.get(), Qt::Key_H, Qt::ControlModifier);
  selected().select({0, 3});
  showAll();
  QCOMPARE(ids(), widgets::BranchIds({{0, 3}}));
}

/// An expression and a box say it in the same words, in the bar and in Details, and follow the eyes.
void TestSelectionInWindow::countsTheSameCellsWhateverSelected()
{
  open({"bipolar.swc"});
  const auto* count = find<QLabel>("selectionCount");
  const auto* details = find<QLabel>("branchDetails");
  const auto scope = [&] { return count->text().section(QStringLiteral(" of "), 1).section(',', 0, 0); };
  const auto byBox = [this] {
    const QSize size = morphology().canvas()->size();
    drag(morphology().canvas(), {1, 1}, {size.width() - 2, size.height() - 2}, Qt::ShiftModifier);
  };
  write("type == axon");
  QCOMPARE(scope(), QStringLiteral("%1 branches and roots in 2 cells").arg(table().rows()));
  const QString ofBoth = scope();
  byBox();
  QVERIFY(selected().expression().empty());
  QCOMPARE(scope(), ofBoth);
  QVERIFY(details->text().contains(QStringLiteral(">2<")));
  const QString ofOne = QStringLiteral("%1 branches and roots in 1 of 2 cells").arg(table().rows());
  write("type == axon && cell == \"bipolar\"");
  QVERIFY(!ids().isEmpty());
  QCOMPARE(scope(), ofOne);
  selected().pick({{0, 0}, {0, 1}}, widgets::PickMode::Replace);
  QCOMPARE(scope(), ofOne);
  QVERIFY2(details->text().contains(QStringLiteral(">1 of 2<")), qPrintable(details->text()));
  window->cells().setVisible(1, false);
  selected().clear();
  QTRY_COMPARE(morphology().scene(), window->scene());
  write("type == axon");
  const QString ofFirst = scope();
  QCOMPARE(ofFirst, QStringLiteral("%1 branches and roots in 1 shown cell").arg(table().firstRow[1]));
  byBox();
  QVERIFY(!ids().isEmpty() && selected().expression().empty());
  QCOMPARE(scope(), ofFirst);
  QVERIFY(details->text().contains(QStringLiteral(">1 shown<")));
  window->cells().setVisible(1, true);
  QTRY_COMPARE(scope(), ofOne); // what the box selected is in the first cell
}

void TestSelectionInWindow::selectsAndHidesByTheLegend()
{
  auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
  const auto& entries = legend->legend().entries;
  const auto axon = std::ranges::find(entries, QStringLiteral("axon"), &widgets::Legend::Entry::label);
  QVERIFY(axon != entries.end());
  const QPoint place = legend->rectOfEntry(static_cast<std::size_t>(axon - entries.begin())).center();
  QTest::mouseClick(legend, Qt::LeftButton, {}, place);
  QCOMPARE(QString::fromStdString(selected().expression()), QStringLiteral("type == 2"));
  const std::size_t axons = ids().size();
  QVERIFY(axons > 0);
  QTest::mouseClick(legend, Qt::LeftButton, Qt::ControlModifier, place);
  QCOMPARE(selected().choice().hidden.size(), axons);
  QVERIFY(ids().isEmpty());
  QTest::mouseClick(legend, Qt::LeftButton, Qt::ControlModifier, place);
  QVERIFY(selected().choice().hidden.isEmpty());
}

/// A cell that is not shown still has such branches. A click on what is hidden shows it again.
void TestSelectionInWindow::keysGoThroughTheLegend()
{
  auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
  const auto& entries = legend->legend().entries;
  QVERIFY(entries.size() > 1);
  const auto branchesOf = [this](const widgets::Legend::Entry& entry) {
    selected().selectWhere(entry.expression);
    return ids();
  };
  const widgets::BranchIds first = branchesOf(entries[0]);
  const widgets::BranchIds second = branchesOf(entries[1]);
  const widgets::BranchIds last = branchesOf(entries.back());
  selected().clear();
  legend->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY(legend->hasFocus());
  const QImage before = legend->grab().toImage();
  QTest::keyClick(legend, Qt::Key_Return); // on no line
  QVERIFY(ids().isEmpty());
  QTest::keyClick(legend, Qt::Key_Down);
  QVERIFY(legend->grab().toImage() != before); // the line is marked
  QTest::keyClick(legend, Qt::Key_Return);
  QCOMPARE(ids(), first);
  QTest::keyClick(legend, Qt::Key_Down);
  QTest::keyClick(legend, Qt::Key_Enter, Qt::ControlModifier);
  QCOMPARE(selected().choice().hidden, second);
  QTest::keyClick(legend, Qt::Key_Return); // what is hidden is shown
  QVERIFY(selected().choice().hidden.isEmpty());
  for (std::size_t line = 0; line < entries.size(); ++line)
    QTest::keyClick(legend, Qt::Key_Down);
  QTest::keyClick(legend, Qt::Key_Return);
  QCOMPARE(ids(), last);
  QTest::keyClick(legend, Qt::Key_Space);
  QVERIFY(legend->isFolded());
  selected().clear();
  QTest::keyClick(legend, Qt::Key_Return); // there are no lines
  QVERIFY(ids().isEmpty());
}

void TestSelectionInWindow::marksWhatIsHiddenOfTheShownCells()
{
  open({"bipolar.swc"});
  window->cells().setVisible(1, false);
  QTRY_COMPARE(morphology().scene(), window->scene());
  write("type == axon");
  QTRY_VERIFY(!ids().isEmpty());
  const std::size_t axons = ids().size();
  trigger("hideBranchesAction");
  QCOMPARE(selected().choice().hidden.size(), axons);
  auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
  const auto& entries = legend->legend().entries;
  const auto axon = std::ranges::find(entries, QStringLiteral("axon"), &widgets::Legend::Entry::label);
  QVERIFY(axon != entries.end());
  const auto place = static_cast<std::size_t>(axon - entries.begin());
  QVERIFY(legend->whichAreHidden()[place]);
  QCOMPARE(std::ranges::count(legend->whichAreHidden(), true), 1);
  savePicture("hidden-type");
  const auto isInFigure = [&] {
    const widgets::Legend legendOfFigure = window->figure().legend();
    return std::ranges::count(legendOfFigure.entries, QStringLiteral("axon"), &widgets::Legend::Entry::label) == 1;
  };
  QVERIFY(!isInFigure());
  QTest::mouseClick(legend, Qt::LeftButton, {}, legend->rectOfEntry(place).center());
  QVERIFY(selected().choice().hidden.isEmpty());
  QVERIFY(ids().isEmpty());
  QVERIFY(isInFigure());
  // What is not shown stays as it is.
  QTest::mouseClick(legend, Qt::LeftButton, Qt::ControlModifier, legend->rectOfEntry(place).center());
  QCOMPARE(selected().choice().hidden.size(), axons);
  window->cells().setVisible(1, true);
  QTRY_VERIFY(std::ranges::count(legend->whichAreHidden(), true) == 0);
}

void TestSelectionInWindow::selectsByTheColourBar()
{
  window->setColorBy(widgets::ColorBy::Level);
  auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
  const QRect bar = legend->rectOfBar();
  QTest::mouseClick(legend, Qt::LeftButton, {}, QPoint(bar.right(), bar.center().y()));
  QVERIFY(!ids().isEmpty());
  for (const widgets::BranchId id : ids())
    QCOMPARE(table().at(BranchFigure::Level, *table().rowOf(id)), legend->legend().high);
}

void TestSelectionInWindow::keepsSets()
{
  write("type == axon");
  const auto axons = ids();
  trigger("saveSetAction");
  auto* dialog = find<QInputDialog>("setNameDialog");
  QTRY_VERIFY(dialog->width() > dialog->fontMetrics().horizontalAdvance(dialog->windowTitle()) + 120); // its buttons
  dialog->setTextValue("axons");
  dialog->accept();
  QCOMPARE(selected().sets(), (std::vector<selection::NamedSelection>{{"axons", "type == axon"}}));
  QTRY_COMPARE(find<QLabel>("resultLabel")->text(),
               QStringLiteral("The set axons is saved: choose it under Sets, below the view."));
  // What was picked by hand is kept by its numbers.
  selected().pick({{0, 3}, {0, 4}}, widgets::PickMode::Replace);
  selected().saveAs("two");
  QCOMPARE(selected().sets().back().expression, std::string("cell == \"stellate\" && branch in {4, 5}"));
  auto* sets = find<QComboBox>("selectionSets");
  QVERIFY(sets->isVisible());
  sets->setFocus();
  QTest::keyClick(sets, Qt::Key_Down);
  QCOMPARE(ids(), axons);
  // A session may hold any text.
  selected().setSets({{"wrong", "lenght > 3"}});
  QTest::keyClick(sets, Qt::Key_Down);
  auto* mistake = find<QLabel>("selectionMistake");
  QVERIFY(mistake->isVisible());
  QVERIFY2(mistake->text().contains("did you mean \"length\"?"), qPrintable(mistake->text()));
  QCOMPARE(ids(), axons);
}

void TestSelectionInWindow::renamesASet()
{
  open({"stellate.swc"});
  write("type == axon");
  selected().saveAs("one");
  selected().saveAs("two");
  const auto rename = [this](const char* set, const char* to) {
    auto* sets = find<QComboBox>("selectionSets");
    QVERIFY(sets->isVisible());
    sets->setFocus();
    emit sets->activated(sets->findText(QStringLiteral("Rename a set…")));
    const QPointer<QDialog> dialog = find<QDialog>("renameSetDialog");
    QVERIFY(dialog);
    find<QComboBox>("renamedSet")->setCurrentText(QLatin1String(set));
    auto* name = find<QLineEdit>("newSetName");
    name->selectAll();
    QTest::keyClicks(name, to);
  };
  rename("one", "two"); // which is another one
  QVERIFY(!find<QPushButton>("renameSet")->isEnabled());
  find<QDialog>("renameSetDialog")->reject();
  QTRY_VERIFY(!window->findChild<QDialog*>(QStringLiteral("renameSetDialog")));
  rename("one", "axons of all cells");
  click("renameSet");
  QTRY_VERIFY(!window->findChild<QDialog*>(QStringLiteral("renameSetDialog")));
  QCOMPARE(selected().sets().at(0).name, std::string("axons of all cells"));
  QCOMPARE(selected().sets().at(0).expression, std::string("type == axon"));
  QCOMPARE(selected().sets().at(1).name, std::string("two"));
  QVERIFY(find<QComboBox>("selectionSets")->findText(QStringLiteral("axons of all cells")) > 0);
}

/// Its dialog proposes a name that is free, and says that it replaces the set of a name that is not.
void TestSelectionInWindow::aSetIsNotReplacedUnawares()
{
  write("type == axon");
  selected().saveAs("set 1");
  selected().saveAs("set 2");
  selected().removeSet(0);
  trigger("saveSetAction");
  const QPointer<QInputDialog> dialog = find<QInputDialog>("setNameDialog");
  QCOMPARE(dialog->textValue(), QStringLiteral("set 3"));
  QCOMPARE(dialog->okButtonText(), QStringLiteral("Save"));
  auto* line = dialog->findChild<QLineEdit*>();
  line->selectAll();
  QTest::keyClicks(line, QStringLiteral(" set 2 "));
  QCOMPARE(dialog->okButtonText(), QStringLiteral("Replace"));
  QTest::keyClicks(line, QStringLiteral("b"));
  QCOMPARE(dialog->okButtonText(), QStringLiteral("Save"));
  QTest::keyClick(line, Qt::Key_Backspace);
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY(!dialog);
  QCOMPARE(selected().sets(), (std::vector<selection::NamedSelection>{{"set 2", "type == axon"}}));
}

/// In the list, which the views follow. A set of cells is kept, named, renamed and forgotten as one of branches.
void TestSelectionInWindow::keepsSetsOfCells()
{
  open({"bipolar.swc", "warned.swc"});
  auto* bar = find<QWidget>("selectionBar");
  QVERIFY(!bar->isVisible());
  choose({0, 2});
  QVERIFY(find<QAction>("saveCellSetAction")->isEnabled());
  keepChosenCells("interneurons");
  using Sets = std::vector<selection::NamedSelection>;
  QCOMPARE(window->project().selections, (Sets{{"interneurons", "", {"stellate", "warned"}}}));
  QCoreApplication::processEvents(); // the step is taken
  QUndoStack& steps = window->history().stack();
  QCOMPARE(steps.undoText(), QStringLiteral("Save set 'interneurons' (2 cells)"));
  const int count = steps.count();

  QVERIFY(bar->isVisible());
  auto* sets = find<QComboBox>("selectionSets");
  QVERIFY(sets->isVisible());
  QCOMPARE(sets->itemText(1), QStringLiteral("interneurons (2 cells)"));
  QCOMPARE(sets->itemData(1, Qt::ToolTipRole).toString(), QStringLiteral("stellate, warned"));
  choose({1});
  QCOMPARE(morphology().litCells(), std::vector<std::int32_t>{1});
  sets->setFocus();
  QTest::keyClick(sets, Qt::Key_Down);
  QCOMPARE(chosenCells(), (std::vector<int>{0, 2}));
  QCOMPARE(morphology().litCells(), (std::vector<std::int32_t>{0, 2}));
  QVERIFY(ids().isEmpty()); // no branch is selected by that
  savePicture("set-of-cells");
  QCoreApplication::processEvents();
  QCOMPARE(steps.count(), count);

  selected().renameSet(0, QStringLiteral("basket"));
  QCOMPARE(sets->itemText(1), QStringLiteral("basket (2 cells)"));
  QCoreApplication::processEvents();
  QCOMPARE(steps.undoText(), QStringLiteral("Rename interneurons to basket"));
  selected().removeSet(0);
  QVERIFY(!sets->isVisible());
  QCoreApplication::processEvents();
  trigger("undoAction");
  trigger("undoAction");
  QCOMPARE(sets->itemText(1), QStringLiteral("interneurons (2 cells)"));
  trigger("undoAction");
  QVERIFY(selected().sets().empty());
  trigger("redoAction");
  QCOMPARE(window->project().selections, (Sets{{"interneurons", "", {"stellate", "warned"}}}));
  // One of the same name is replaced, also by branches.
  choose({1});
  keepChosenCells("interneurons");
  QCOMPARE(window->project().selections, (Sets{{"interneurons", "", {"bipolar"}}}));
  QCOMPARE(sets->itemText(1), QStringLiteral("interneurons (1 cell)"));
  write("type == axon");
  selected().saveAs(QStringLiteral("interneurons"));
  QCOMPARE(window->project().selections, (Sets{{"interneurons", "type == axon"}}));
}

void TestSelectionInWindow::setsOfCellsFollowTheList()
{
  open({"bipolar.swc", "warned.swc"});
  choose({0, 1});
  keepChosenCells("pair");
  const auto names = [this] {
    const auto all = window->project().selections;
    return all.empty() ? std::vector<std::string>() : all.front().cells;
  };
  choose({0});
  click("removeButton");
  QVERIFY(waitForJobs());
  QCOMPARE(names(), std::vector<std::string>{"bipolar"});
  find<QAbstractItemView>("cellList")->selectAll();
  auto* sets = find<QComboBox>("selectionSets");
  sets->setFocus();
  QTest::keyClick(sets, Qt::Key_Down); // those that are open
  QCOMPARE(chosenCells(), std::vector<int>{0});
  trigger("undoAction");
  QVERIFY(waitForJobs());
  QCOMPARE(names(), (std::vector<std::string>{"stellate", "bipolar"}));
  // Another file in the place of the cell's is still that cell.
  const QTemporaryDir folder;
  const QString copy = folder.filePath("other.swc");
  QVERIFY(QFile::copy(dataFile("stellate.swc"), copy));
  window->cells().setFile(0, copy.toStdString());
  QVERIFY(waitForJobs());
  QCOMPARE(names(), (std::vector<std::string>{"other", "bipolar"}));
  window->cells().removeAll();
  QVERIFY(waitForJobs());
  QVERIFY(names().empty());
  trigger("undoAction");
  QVERIFY(waitForJobs());
  QCOMPARE(names(), (std::vector<std::string>{"other", "bipolar"}));
}

void TestSelectionInWindow::takesTheTextAwayWithTheSelection()
{
  open({"stellate.swc"});
  auto* text = find<QLineEdit>("selectWhere");
  write("type == axon");
  QVERIFY(!ids().isEmpty());
  trigger("deselectAction");
  QVERIFY(ids().isEmpty());
  QCOMPARE(text->text(), QString());
  // What selects nothing yet stays while it is written.
  write("type == ");
  selected().clear();
  QCOMPARE(text->text(), QStringLiteral("type == "));
}

void TestSelectionInWindow::keepsTheSelectionWhenACellIsAdded()
{
  write("type == axon");
  trigger("hideBranchesAction");
  const auto hidden = selected().choice().hidden;
  selected().select({0, 3});
  open({"bipolar.swc"});
  QCOMPARE(selected().choice().hidden, hidden);
  QCOMPARE(ids(), widgets::BranchIds({{0, 3}}));
  // An expression holds for the new cell too.
  write("type == soma");
  QCOMPARE(ids().size(), std::size_t(2));
}

void TestSelectionInWindow::selectsInABox()
{
  const QSize size = morphology().canvas()->size();
  drag(morphology().canvas(), {1, 1}, {size.width() - 2, size.height() - 2}, Qt::ShiftModifier);
  QCOMPARE(ids().size(), table().rows());
  QVERIFY(window->selection().isNull()); // many have no figures in common
  const QPoint foot(0, size.height() - 2);
  drag(morphology().canvas(), {0, size.height() - 8}, foot + QPoint(8, 0), Qt::ShiftModifier);
  QVERIFY(ids().isEmpty());

  window->showView(ViewKind::Tree);
  const QPoint first = middleOf(5);
  const auto scale = tree().planarCanvas()->transform();
  drag(tree().planarCanvas(), first - QPoint(5, 0), first + QPoint(5, 5), Qt::ShiftModifier);
  QVERIFY(ids().has({0, 5}));
  QCOMPARE(tree().planarCanvas()->transform().originX, scale.originX); // nothing moved
  const std::size_t few = ids().size();
  drag(tree().planarCanvas(), middleOf(0) - QPoint(5, 0), middleOf(0) + QPoint(5, 5),
       Qt::ShiftModifier | Qt::ControlModifier);
  QVERIFY(ids().has({0, 5}) && ids().has({0, 0}) && ids().size() > few);
}

/// By a drag with Shift and the right button; the same in every view.
void TestSelectionInWindow::selectsInALoop()
{
  const auto draw = [](QWidget* canvas, const QPolygon& loop, Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(canvas, Qt::RightButton, modifiers, loop.front());
    for (const QPoint& point : loop) {
      QMouseEvent move(QEvent::MouseMove, point, canvas->mapToGlobal(point), Qt::NoButton, Qt::RightButton, modifiers);
      QApplication::sendEvent(canvas, &move);
    }
    QVERIFY(canvas->findChild<QWidget*>(QStringLiteral("selectionOutline"))->isVisible());
    QTest::mouseRelease(canvas, Qt::RightButton, modifiers, loop.back());
    QVERIFY(!canvas->findChild<QWidget*>(QStringLiteral("selectionOutline"))->isVisible());
  };
  auto* canvas = morphology().canvas();
  const int right = canvas->width() - 2;
  const int bottom = canvas->height() - 2;
  // All but what lies between two bays from above and below.
  draw(canvas, QPolygon({{1, 1}, {right, 1}, {right, bottom}, {1, bottom}}), Qt::ShiftModifier);
  QCOMPARE(ids().size(), table().rows());
  const int middle = canvas->width() / 2;
  draw(canvas, QPolygon({{1, 1}, {middle, bottom / 2}, {1, bottom}}), Qt::ShiftModifier);
  const widgets::BranchIds left = ids();
  draw(canvas, QPolygon({{right, 1}, {middle, bottom / 2}, {right, bottom}}), Qt::ShiftModifier | Qt::ControlModifier);
  QVERIFY(ids().size() > left.size() && ids().size() < table().rows());

  window->showView(ViewKind::Tree);
  const QPoint at = middleOf(5);
  const auto scale = tree().planarCanvas()->transform();
  draw(tree().planarCanvas(), QPolygon({at - QPoint(0, 6), at + QPoint(6, 6), at + QPoint(-6, 6)}), Qt::ShiftModifier);
  QVERIFY(ids().has({0, 5}));
  QVERIFY(ids().size() < table().rows());
  QCOMPARE(tree().planarCanvas()->transform().originX, scale.originX); // nothing moved
}

void TestSelectionInWindow::isThereOnlyWhereItIsOfUse()
{
  auto* bar = find<QWidget>("selectionBar");
  write("type == axon");
  QVERIFY(bar->isVisible());
  window->showView(ViewKind::Benchmark);
  QVERIFY(!bar->isVisible());
  window->showView(ViewKind::Packing);
  QVERIFY(bar->isVisible());
  QVERIFY(find<QLabel>("selectionCount")->geometry().right() < bar->width());
  QTest::mouseClick(find<QToolButton>("closeSelection"), Qt::LeftButton);
  QVERIFY(!bar->isVisible());
  QVERIFY(ids().isEmpty());
}

/// Of that page, whatever is shown there later; a figure has the whole legend.
void TestSelectionInWindow::foldsTheLegendToItsTitle()
{
  auto* legend = morphology().findChild<widgets::LegendOverlay*>("legend");
  QTRY_VERIFY(legend->isVisible());
  const QRect whole = legend->geometry();
  const auto entries = morphology().figure().legend().entries.size();
  QVERIFY(entries > 1 && legend->toolTip().contains(QStringLiteral("title")));
  QTest::mouseClick(legend, Qt::LeftButton, {}, legend->rectOfTitle().center());
  QVERIFY(legend->isFolded());
  QVERIFY(legend->height() < whole.height() && legend->height() <= legend->rectOfTitle().height() + 10);
  QCOMPARE(legend->geometry().bottomLeft(), whole.bottomLeft());
  QVERIFY(legend->rectOfEntry(0).isEmpty());
  QTest::mouseClick(legend, Qt::LeftButton, {}, {20, legend->height() - 2}); // what was there means nothing
  QVERIFY(ids().isEmpty() && legend->isFolded());
  QCOMPARE(morphology().figure().legend().entries.size(), entries);
  savePicture("folded-legend");

  window->setColorBy(widgets::ColorBy::Level);
  window->showView(ViewKind::Tree);
  QVERIFY(!tree().findChild<widgets::LegendOverlay*>("legend")->isFolded());
  window->showView(ViewKind::Morphology);
  window->setColorBy(widgets::ColorBy::Type);
  QVERIFY(waitForJobs());
  QVERIFY(legend->isFolded() && legend->isVisible());
  legend->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY(legend->hasFocus());
  const QPoint corner = legend->geometry().bottomLeft();
  QTest::keyClick(legend, Qt::Key_Space);
  QVERIFY(!legend->isFolded());
  QCOMPARE(legend->size(), whole.size());
  QCOMPARE(legend->geometry().bottomLeft(), corner);
}

HINESIGHT_TEST_RUN(runWindowTest<TestSelectionInWindow>)
#include "test_selection_in_window.moc"
