#include "app/app_fixture.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/tags_dialog.hpp"
#include "app/document/history.hpp"
#include "app/session_fixture.hpp"
#include "core/time_text.hpp"
#include "model/session_file.hpp"
#include "test_main.hpp"

#include <QAction>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <QTreeView>
#include <QUndoStack>
#include <QtTest>

#include <chrono>
#include <filesystem>

using namespace hinesight;
using namespace hinesight::app;

/// Tags of cells, and the times of their files, in the real main window.
class TestCellTags : public QObject, SessionFixture
{
  Q_OBJECT

  using Tags = std::vector<std::string>;

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void tagsOfAllChosenCellsAreOneStep()
  {
    openThree();
    clickRow(0);
    clickRow(1, Qt::ControlModifier);
    QVERIFY(list()->isColumnHidden(CellListModel::TagsColumn)); // there are none
    const int steps = window->history().stack().count();
    const auto solves = runsOf(io::RunKind::Solve);
    chooseInContextMenu("tagCellsAction");
    const QPointer<TagsDialog> dialog = find<TagsDialog>("tagsDialog");
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    QCOMPARE(dialog->windowTitle(), QStringLiteral("Tags of 2 cells"));
    QTest::keyClicks(field(), "pyramidal, layer 5");
    QTest::keyClick(field(), Qt::Key_Return);
    QTRY_VERIFY(!dialog);
    const std::vector<Tags> tagged{{"layer 5", "pyramidal"}, {"layer 5", "pyramidal"}, {}};
    QVERIFY(tags() == tagged);
    QVERIFY(!list()->isColumnHidden(CellListModel::TagsColumn));
    QCOMPARE(window->cells().index(1, CellListModel::TagsColumn).data().toString(),
             QStringLiteral("layer 5, pyramidal"));
    QTRY_COMPARE(window->history().stack().count(), steps + 1);
    QCOMPARE(window->history().stack().undoText(), QStringLiteral("2 cells: Tags none to layer 5,pyramidal"));
    QVERIFY(window->project().cells[0].tags == tagged[0]);

    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(tags() == std::vector<Tags>(3));
    QTRY_VERIFY(list()->isColumnHidden(CellListModel::TagsColumn));
    find<QAction>("redoAction")->trigger();
    QTRY_VERIFY(tags() == tagged);
    QVERIFY(waitForJobs());
    QCOMPARE(runsOf(io::RunKind::Solve), solves); // nothing is solved for words
  }

  void whatOnlySomeHaveStays()
  {
    openThree();
    window->cells().setTags({{0, {"a", "b"}}, {1, {"b"}}});
    QPointer<TagsDialog> dialog = openDialog({0, 1});
    QCOMPARE(field()->text(), QStringLiteral("b"));
    QVERIFY(find<QLabel>("tagsOfSome")->text().endsWith(": a"));
    field()->selectAll();
    QTest::keyClicks(field(), "c");
    press(QDialogButtonBox::Ok);
    QTRY_VERIFY(!dialog);
    QVERIFY((tags() == std::vector<Tags>{{"a", "c"}, {"c"}, {}}));
    // Cancelled, it changes nothing.
    dialog = openDialog({0});
    QCOMPARE(field()->text(), QStringLiteral("a, c"));
    QVERIFY(!find<QLabel>("tagsOfSome")->isVisible());
    field()->clear();
    press(QDialogButtonBox::Cancel);
    QTRY_VERIFY(!dialog);
    QVERIFY((tags() == std::vector<Tags>{{"a", "c"}, {"c"}, {}}));
  }

  void whatIsNoTagIsRefusedInASentence()
  {
    openThree();
    const QPointer<TagsDialog> dialog = openDialog({2});
    auto* keep = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(keep->isEnabled() && !find<QLabel>("tagsProblem")->isVisible());
    field()->setText(QString(65, u'x'));
    QVERIFY(!keep->isEnabled());
    QVERIFY(find<QLabel>("tagsProblem")->text().contains("1 to 64 characters"));
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(dialog && dialog->isVisible());
    QTest::keyClick(field(), Qt::Key_Backspace);
    QVERIFY(keep->isEnabled() && !find<QLabel>("tagsProblem")->isVisible());
    QStringList many;
    for (int i = 0; i < 33; ++i)
      many << QString::number(i);
    field()->setText(many.join(u','));
    QCOMPARE(find<QLabel>("tagsProblem")->text(), QStringLiteral("These are 33 tags; a cell has at most 32."));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
    QVERIFY(tags() == std::vector<Tags>(3));
  }

  void areFoundSortedExportedAndKept()
  {
    openThree();
    window->cells().setTags({{0, {"interneuron"}}, {1, {"layer 5", "pyramidal"}}});
    auto* panel = find<DataPanel>("dataPanel");
    panel->sortBy("tags", true);
    QCOMPARE(listed(), (QStringList{"bipolar", "stellate", "warned"}));
    const QStringList lines = panel->table().split(u'\n');
    QVERIFY(lines[0].endsWith(",tags"));
    QVERIFY2(lines[1].endsWith(",\"layer 5, pyramidal\""), qPrintable(lines[1]));
    find<QLineEdit>("cellFilter")->setText("PYRAM");
    QCOMPARE(listed(), QStringList{"bipolar"});
    find<QLineEdit>("cellFilter")->clear();
    save("tags.hinesight");
    const model::Project saved = model::readSession(path("tags.hinesight").toStdString()).project;
    QCOMPARE(saved.cells[1].modified, modificationTime(dataFile("bipolar.swc").toStdString()));

    newWindow();
    open({path("tags.hinesight")});
    QVERIFY((tags() == std::vector<Tags>{{"interneuron"}, {"layer 5", "pyramidal"}, {}}));
    QCOMPARE(find<DataPanel>("dataPanel")->sortedBy(), std::string("tags"));
    // A file that is read again keeps them.
    open({dataFile("bipolar.swc")});
    QVERIFY((tags()[1] == Tags{"layer 5", "pyramidal"}));
  }

  void aFileThatIsWrittenAnewIsSaid()
  {
    const std::filesystem::path file = path("cell.swc").toStdString();
    QVERIFY(QFile::copy(dataFile("stellate.swc"), path("cell.swc")));
    open({path("cell.swc")});
    const QModelIndex cell = window->cells().index(0, CellListModel::ProblemsColumn);
    const std::string before = modificationTime(file);
    const QString written = QString::fromStdString(before.substr(0, 10) + " " + before.substr(11, 8) + " UTC");
    QVERIFY(window->cells().index(0).data(Qt::ToolTipRole).toString().contains("Written " + written));
    QEvent activated(QEvent::WindowActivate);
    QApplication::sendEvent(window.get(), &activated);
    QCOMPARE(cell.data().toString(), QString());
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::hours(1));
    QApplication::sendEvent(window.get(), &activated);
    QTRY_VERIFY_WITH_TIMEOUT(cell.data().toString().contains("written anew"), kPatience);
    auto* details = find<QLabel>("cellDetails");
    QVERIFY(details->text().contains("Read it again"));
    emit details->linkActivated(QStringLiteral("read-again"));
    QVERIFY(waitForJobs());
    QTRY_COMPARE_WITH_TIMEOUT(cell.data().toString(), QString(), kPatience);
    QVERIFY(!details->text().contains("Read it again"));
    QVERIFY(!window->cells().index(0).data(Qt::ToolTipRole).toString().contains(written));
  }

private:
  void openThree() { open({dataFile("stellate.swc"), dataFile("bipolar.swc"), dataFile("warned.swc")}); }
  QTreeView* list() { return find<QTreeView>("cellList"); }
  QLineEdit* field() { return find<QLineEdit>("cellTags"); }
  std::vector<Tags> tags() const
  {
    std::vector<Tags> all;
    for (const OpenCell& cell : window->cells().cells())
      all.push_back(cell.tags);
    return all;
  }
  QStringList listed()
  {
    QStringList names;
    for (int row = 0; row < list()->model()->rowCount(); ++row)
      names << list()->model()->index(row, 0).data().toString();
    return names;
  }
  QPoint placeOf(int row) { return list()->visualRect(list()->model()->index(row, 0)).center(); }
  void clickRow(int row, Qt::KeyboardModifiers modifiers = {})
  {
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, modifiers, placeOf(row));
  }
  void press(QDialogButtonBox::StandardButton button)
  {
    QTest::mouseClick(find<TagsDialog>("tagsDialog")->findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
  }
  TagsDialog* openDialog(const std::vector<int>& rows)
  {
    find<DataPanel>("dataPanel")->chooseCells(rows);
    find<QAction>("tagCellsAction")->trigger();
    auto* dialog = find<TagsDialog>("tagsDialog");
    if (!QTest::qWaitForWindowExposed(dialog))
      qFatal("the dialog does not open");
    return dialog;
  }
  /// By mouse; the menu has an event loop of its own.
  void chooseInContextMenu(const char* action)
  {
    QTimer::singleShot(0, window.get(), [this, action] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu)
        qFatal("the list has no context menu");
      QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(find<QAction>(action)).center());
    });
    const QPoint place = placeOf(0);
    QContextMenuEvent asked(QContextMenuEvent::Mouse, place, list()->viewport()->mapToGlobal(place));
    QApplication::sendEvent(list()->viewport(), &asked);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestCellTags>)
#include "test_cell_tags.moc"
