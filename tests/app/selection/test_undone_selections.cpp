#include "app/app_fixture.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/history_fixture.hpp"
#include "app/selection/branch_selection.hpp"
#include "test_main.hpp"
#include "widgets/cells/view.hpp"

#include <QAction>
#include <QLineEdit>
#include <QTreeView>
#include <QtTest>

#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// What was selected, chosen and hidden comes back with a person's steps in the real main window.
class TestUndoneSelections : public QObject, HistoryFixture
{
  Q_OBJECT

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

private slots:
  void init() { QVERIFY(newWindow()); }
  void cleanup() { window.reset(); }

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
};

HINESIGHT_TEST_RUN(runWindowTest<TestUndoneSelections>)
#include "test_undone_selections.moc"
