#include "app/app_fixture.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells/cell_texts.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/repair_dialog.hpp"
#include "app/cells_fixture.hpp"
#include "app/document/history.hpp"
#include "app/files/recent_files.hpp"
#include "app/pages/view_area.hpp"
#include "app/selection/branch_selection.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace hinesight;
using namespace hinesight::app;

/// Opens, repairs and removes cells in the real main window.
class TestCellFiles : public QObject, CellsFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void opensAFileByDialog();
  void opensDroppedFiles();
  void opensAFolder();
  void opensTheFoldersOfAFolder();
  void keepsWhatWasReadBeforeACancellation();
  void remembersAFewOfManyFiles();
  void listsEightCellsAtOnce();
  void leadsFromAWarningToItsPlace();
  void repairsACell();
  void aSavedRepairLeavesTheCamera();
  void theRepairFitsASmallScreen();
  void centresAndTurnsACell();
  void leavesACellThatIsNotRepaired();
  void exportsTheTableOfCells();
  void saysWhatAFolderHoldsInstead();
  void keepsOtherCellsWhenOneIsBroken();
  void tellsOfManyBrokenFiles();
  void forgetsTheErrorsOfCellsThatGo();
  void scalesACellInNanometres();
  void asksForOtherCellsThanThoseLetBe();
  void lightsTheChosenCellAndFitsToIt();
  void showsAHiddenCellToFitToIt();
  void drawsOtherCellsWhenOneIsTooFarOut();
  void tellsNoTimeOfAFailedRead();
  void remembersRecentFiles();
  void removesAllCells();
  void findsACellByTypingItsName();

private:
  QString openCellWithParts();
};

void TestCellFiles::init()
{
  QSettings().clear();
  show();
}

void TestCellFiles::cleanup()
{
  window.reset();
}

/// The cell has two parts, one of them with an unknown radius. Returns the path of its file.
QString TestCellFiles::openCellWithParts()
{
  const QString path = folder.filePath("parts.swc");
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) ||
      file.write("1 1 0 0 0 5 -1\n2 3 0 20 0 1 1\n3 3 0 30 0 1 -1\n4 3 0 50 0 0 3\n5 3 0 60 0 1 4\n") < 0)
    qFatal("cannot write %s", qPrintable(path));
  file.close();
  window->openFiles({dataFile("stellate.swc"), path});
  waitForResult();
  find<DataPanel>("dataPanel")->chooseCell(1);
  return path;
}

void TestCellFiles::opensAFileByDialog()
{
  press(Qt::Key_O, Qt::ControlModifier);
  auto* opening = dialog("openDialog");
  QCOMPARE(opening->directory(), QDir(QDir::currentPath())); // nothing was opened yet
  accept(opening, dataFile("stellate.swc"));
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 1, kPatience);
  QCOMPARE(window->cells().rowCount(), 1);
  QCOMPARE(window->windowTitle(), QStringLiteral("stellate - Hinesight"));
  QVERIFY(window->scene()->solution);

  // The status bar says it in words, the plan's figures and the card show it.
  const QString result = find<QLabel>("resultLabel")->text();
  QVERIFY2(result.contains(" ms") && result.contains(": 1 cell, 789 compartments, "), qPrintable(result));
  QVERIFY(find<QLabel>("planSummary")->isVisible());
  QCOMPARE(window->view(ViewKind::Morphology).timingCard()->runs(), 1);
}

void TestCellFiles::opensDroppedFiles()
{
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(dataFile("stellate.swc")), QUrl::fromLocalFile(dataFile("bipolar.swc"))});
  QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, {});
  QVERIFY(QCoreApplication::sendEvent(window.get(), &enter));
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(window.get(), &drop);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 1, kPatience);
  QCOMPARE(window->runs().runs()[0].cells, 2u);

  QMimeData text;
  text.setText("not a file");
  QDragEnterEvent other(QPoint(400, 400), Qt::CopyAction, &text, Qt::LeftButton, {});
  other.ignore();
  QCoreApplication::sendEvent(window.get(), &other);
  QVERIFY(!other.isAccepted());
}

void TestCellFiles::opensAFolder()
{
  const QTemporaryDir cells;
  for (const auto& [from, to] : {std::pair("stellate.swc", "b.swc"), std::pair("bipolar.swc", "a.SWC")})
    QVERIFY(QFile::copy(dataFile(from), cells.filePath(to)));
  QVERIFY(QFile::copy(dataFile("broken.swc"), cells.filePath("notes.txt")));
  QVERIFY(QDir(cells.path()).mkdir("c.swc"));
  window->openFiles({cells.path()});
  waitForResult();
  QCOMPARE(window->cells().rowCount(), 2);
  QCOMPARE(window->runs().runs().back().source, std::string("a.SWC, b.swc"));
  QVERIFY(!find<MessageBanner>("messageBanner")->isVisible());
}

void TestCellFiles::opensTheFoldersOfAFolder()
{
  const QTemporaryDir cells;
  QVERIFY(QDir(cells.path()).mkpath("deep/deeper") && QDir(cells.path()).mkdir(".hidden"));
  for (const auto& [from, to] : {std::pair("stellate.swc", "deep/deeper/a.swc"), std::pair("bipolar.swc", "b.swc"),
                                 std::pair("broken.swc", "deep/c.swc"), std::pair("bipolar.swc", ".hidden/d.swc")})
    QVERIFY(QFile::copy(dataFile(from), cells.filePath(to)));
  find<QAction>("openFolderAction")->trigger();
  auto* dialog = find<QFileDialog>("openFolderDialog");
  QTRY_VERIFY(dialog->isVisible());
  dialog->selectFile(cells.path());
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->click();
  QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 3, kPatience);
  waitForResult();
  // What cannot be read is listed with its reason, and the others are drawn. There was one run for all.
  QCOMPARE(window->runs().runs().back().source, std::string("b.swc, a.swc"));
  QCOMPARE(window->runs().rowCount(), 1);
  QCOMPARE(window->scene()->cells.size(), std::size_t{2});
  const QModelIndex broken = window->cells().index(1, CellListModel::ProblemsColumn);
  QVERIFY2(broken.data().toString().startsWith("Line 3: "), qPrintable(broken.data().toString()));
  QCOMPARE(find<RecentFiles>("")->paths(), QStringList{cells.path()});
}

void TestCellFiles::keepsWhatWasReadBeforeACancellation()
{
  const QTemporaryDir cells;
  for (int i = 0; i < 40; ++i)
    QVERIFY(QFile::copy(dataFile("stellate.swc"), cells.filePath(QString::number(i) + ".swc")));
  window->openFiles({cells.path()});
  window->jobs().cancel();
  QVERIFY(!window->isOpening());
  QCOMPARE(window->cells().rowCount(), 0);
  QCOMPARE(find<QLabel>("resultLabel")->text(), QStringLiteral("Cancelled; no file was opened."));
  window->openFiles({cells.path()});
  QTRY_COMPARE_WITH_TIMEOUT(window->cells().rowCount(), 40, kPatience);
  QCOMPARE(window->findChild<CellController*>()->progressInWords("read", 0.25),
           QStringLiteral("Reading files: 10 of 40"));
  window->jobs().cancel();
  QTest::keyClick(window.get(), Qt::Key_F5);
  waitForResult();
  for (const OpenCell& cell : window->cells().cells())
    QVERIFY(cell.morphology);
  QCOMPARE(window->scene()->cells.size(), std::size_t{40});
}

/// A person who opens many files at once finds the other ones again.
void TestCellFiles::remembersAFewOfManyFiles()
{
  const QTemporaryDir cells;
  open({"stellate.swc"});
  QStringList paths;
  for (int i = 0; i < 40; ++i) {
    paths << cells.filePath(QString::number(i) + ".swc");
    QVERIFY(QFile::copy(dataFile("bipolar.swc"), paths.back()));
  }
  window->openFiles(paths);
  waitForResult();
  QCOMPARE(find<RecentFiles>("")->paths(), (QStringList{paths[2], paths[1], paths[0], dataFile("stellate.swc")}));
}

/// In a small window too.
void TestCellFiles::listsEightCellsAtOnce()
{
  window->resize(1280, 720);
  QStringList paths;
  for (int i = 0; i < 12; ++i) {
    paths << folder.filePath("cell %1.swc").arg(i);
    QFile::remove(paths.back());
    QVERIFY(QFile::copy(dataFile("bipolar.swc"), paths.back()));
  }
  window->openFiles(paths);
  waitForResult();
  const auto* list = find<QAbstractItemView>("cellList");
  const auto isSeen = [&](int row) {
    return list->viewport()->rect().contains(list->visualRect(list->model()->index(row, 0)));
  };
  QTRY_VERIFY2(isSeen(7), qPrintable(QString::number(list->viewport()->height())));
  // All of them where the details are folded, and the figures beside the names.
  QTest::mouseClick(find<QToolButton>("foldDetails"), Qt::LeftButton);
  QTRY_VERIFY(isSeen(11));
  const QRect length = list->visualRect(list->model()->index(0, CellListModel::LengthColumn));
  QVERIFY(list->viewport()->rect().contains(length));
  QTest::mouseClick(find<QToolButton>("foldDetails"), Qt::LeftButton);
}

void TestCellFiles::leadsFromAWarningToItsPlace()
{
  open({"stellate.swc", "bipolar.swc"});
  find<DataPanel>("dataPanel")->chooseCell(1);
  window->showView(ViewKind::Tree);
  auto* details = find<QLabel>("cellDetails");
  const std::vector<std::int64_t>& lines = window->scene()->cells[1].discretization->morphology->line;
  emit details->linkActivated(kLineLink + QString::number(lines.back()));
  QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Morphology));
  QCOMPARE(window->selection().cell, 1);
  const auto& branches = window->scene()->branchOfCompartment[1];
  QCOMPARE(window->selection().branch,
           branches[static_cast<std::size_t>(window->scene()->cells[1].discretization->ofSample[lines.size() - 1])]);
  emit details->linkActivated(kLineLink + QString::number(lines.front())); // of the soma, which is no branch
  QVERIFY(window->selection().isNull());
  // The words of a warning hold the link.
  open({"warned.swc"});
  find<DataPanel>("dataPanel")->chooseCell(2);
  QVERIFY2(details->text().contains("<a href='line:3'"), qPrintable(details->text()));
}

void TestCellFiles::repairsACell()
{
  openCellWithParts();
  const auto roots = [this] { return window->scene()->cells[1].discretization->morphology->roots.size(); };
  QCOMPARE(roots(), std::size_t{2});
  window->cells().setVisible(1, false);
  emit find<QLabel>("cellDetails")->linkActivated(kRepairLink);
  QVERIFY(window->cells().cells()[1].visible); // its repair is to be seen
  const QPointer<RepairDialog> dialog = find<RepairDialog>("repairDialog");
  QVERIFY(dialog && !dialog->isModal());
  auto* save = find<QPushButton>("saveRepaired");
  QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), kPatience);
  QVERIFY(find<QCheckBox>("repair-radius")->isEnabled() && find<QCheckBox>("repair-parts")->isEnabled());
  QVERIFY(!find<QCheckBox>("repair-soma")->isEnabled() && !find<QCheckBox>("repair-scale")->isEnabled());
  // The views show what would be saved, and what it is without.
  waitForResult();
  QCOMPARE(roots(), std::size_t{1});
  find<QCheckBox>("repairPreview")->click();
  waitForResult();
  QCOMPARE(roots(), std::size_t{2});
  find<QCheckBox>("repairPreview")->click();
  find<QCheckBox>("repair-parts")->click();
  QTRY_COMPARE_WITH_TIMEOUT(dialog->repaired().changes.size(), std::size_t{1}, kPatience);
  find<QCheckBox>("repair-parts")->click();
  QTRY_COMPARE_WITH_TIMEOUT(dialog->repaired().changes.size(), std::size_t{2}, kPatience);

  const QString path = folder.filePath("mended.swc");
  QFile::remove(path);
  auto* hold = find<QTimer>("noticeHold");
  hold->setInterval(kPatience); // whatever the run takes here
  QTest::mouseClick(save, Qt::LeftButton);
  auto* where = find<QFileDialog>("saveRepairedDialog");
  QTRY_VERIFY(where->isVisible());
  where->selectFile(path);
  where->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatience);
  waitForResult();
  QCOMPARE(window->cells().cells()[1].source.path, path.toStdString());
  QCOMPARE(window->cells().cells()[1].name, QStringLiteral("mended"));
  QCOMPARE(window->history().stack().undoText(), QStringLiteral("Save the repaired cell as mended.swc"));
  QVERIFY(window->cells().cells()[1].morphology->warnings.empty());
  QCOMPARE(roots(), std::size_t{1});
  QCOMPARE(find<RecentFiles>("")->paths().front(), path);
  // It is said what became of the cell, also after the run of the repaired one, and then what that gave.
  const auto* line = find<QLabel>("resultLabel");
  QVERIFY2(line->text().startsWith(QStringLiteral("Saved to ")), qPrintable(line->text()));
  QVERIFY2(line->toolTip().endsWith(QStringLiteral("mended.swc, which is the file of the cell from now on.")),
           qPrintable(line->toolTip()));
  hold->start(0);
  QTRY_VERIFY2(line->text().contains(QStringLiteral(": 2 cells, ")), qPrintable(line->text()));
}

/// It has another name, at the same place.
void TestCellFiles::aSavedRepairLeavesTheCamera()
{
  openCellWithParts();
  emit find<QLabel>("cellDetails")->linkActivated(kRepairLink);
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("saveRepaired")->isEnabled(), kPatience);
  waitForResult();
  auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  const QPoint middle = view.canvas()->rect().center();
  QTest::mousePress(view.canvas(), Qt::LeftButton, {}, middle);
  QTest::mouseMove(view.canvas(), middle + QPoint(60, 25));
  QTest::mouseRelease(view.canvas(), Qt::LeftButton, {}, middle + QPoint(60, 25));
  const widgets::OrbitCamera turned = view.camera();
  click("saveRepaired");
  accept(dialog("saveRepairedDialog"), folder.filePath("camera.swc"));
  QTRY_COMPARE_WITH_TIMEOUT(window->cells().cells()[1].name, QStringLiteral("camera"), kPatience);
  waitForResult();
  QCOMPARE(window->scene()->cells[1].name, std::string("camera"));
  QVERIFY(view.camera() == turned);
}

/// Its buttons are seen, whatever has no room scrolls.
void TestCellFiles::theRepairFitsASmallScreen()
{
  openCellWithParts();
  emit find<QLabel>("cellDetails")->linkActivated(kRepairLink);
  auto* dialog = find<RepairDialog>("repairDialog");
  auto* save = find<QPushButton>("saveRepaired");
  QTRY_VERIFY_WITH_TIMEOUT(save->isEnabled(), kPatience);
  const auto* scroll = find<QScrollArea>("repairScroll");
  const auto bottomOf = [dialog](const QWidget* widget) {
    return widget->mapTo(dialog, widget->rect().bottomLeft()).y();
  };
  QVERIFY(dialog->frameGeometry().height() <= dialog->screen()->availableGeometry().height());
  dialog->resize(dialog->width(), 380);
  QTRY_COMPARE(dialog->height(), 380);
  QTRY_VERIFY(bottomOf(save) < dialog->height());
  QVERIFY(scroll->verticalScrollBar()->maximum() > 0);
  QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
  auto* last = dialog->findChild<QLineEdit*>(QStringLiteral("repairMoveEdit"));
  QVERIFY(last);
  dialog->activateWindow();
  QTRY_VERIFY(dialog->isActiveWindow());
  QVERIFY(last->visibleRegion().isEmpty());
  for (int presses = 0; presses < 60 && !last->hasFocus(); ++presses)
    QTest::keyClick(dialog->focusWidget(), Qt::Key_Tab);
  QVERIFY(last->hasFocus());
  QTRY_VERIFY(!last->visibleRegion().isEmpty());
}

void TestCellFiles::centresAndTurnsACell()
{
  open({"stellate.swc"});
  const auto size = [this](std::size_t axis) {
    const auto& metrics = window->scene()->cells[0].metrics;
    return metrics.upper[axis] - metrics.lower[axis];
  };
  const double width = size(0);
  const double height = size(1);
  find<DataPanel>("dataPanel")->chooseCell(0);
  find<QAction>("repairCellAction")->trigger();
  const QPointer<RepairDialog> dialog = find<RepairDialog>("repairDialog");
  QTRY_VERIFY_WITH_TIMEOUT(find<QCheckBox>("repair-place")->text().contains(QStringLiteral("nothing to do")),
                           kPatience);
  QVERIFY(!find<QPushButton>("saveRepaired")->isEnabled());
  auto* turn = dialog->findChild<QLineEdit*>(QStringLiteral("repairTurnEdit"));
  QVERIFY(turn);
  turn->selectAll();
  QTest::keyClicks(turn, QStringLiteral("0,0,90"));
  QTest::keyClick(turn, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("saveRepaired")->isEnabled(), kPatience);
  QVERIFY(dialog); // the key was the field's
  waitForResult();
  turn->setFocus();
  QTest::keyClick(turn, Qt::Key_Return); // and is, where there is something to save
  QCoreApplication::processEvents();
  QVERIFY(!dialog->findChild<QFileDialog*>());
  QTest::keyClick(turn, Qt::Key_Return, Qt::ControlModifier);
  QTRY_VERIFY(dialog->findChild<QFileDialog*>(QStringLiteral("saveRepairedDialog")));
  dialog->findChild<QFileDialog*>()->close();
  QVERIFY(std::abs(size(0) - height) < 1e-9 && std::abs(size(1) - width) < 1e-9);
  dialog->reject();
  QTRY_VERIFY(!dialog);
  waitForResult();
  QCOMPARE(size(0), width);
}

void TestCellFiles::leavesACellThatIsNotRepaired()
{
  const QString path = openCellWithParts();
  window->cells().setScale({1}, 2);
  waitForResult();
  find<QAction>("repairCellAction")->trigger();
  const QPointer<RepairDialog> dialog = find<RepairDialog>("repairDialog");
  QTRY_VERIFY_WITH_TIMEOUT(window->cells().cells()[1].own, kPatience);
  waitForResult();
  QCOMPARE(window->scene()->cells[1].discretization->morphology->roots.size(), std::size_t{1});
  QCOMPARE(window->scene()->cells[1].metrics.upper[1], 120.0);
  dialog->reject();
  QTRY_VERIFY(!dialog);
  waitForResult();
  QCOMPARE(window->scene()->cells[1].discretization->morphology->roots.size(), std::size_t{2});
  QCOMPARE(window->cells().cells()[1].source.scale, 2.0);
  QCOMPARE(window->cells().cells()[1].source.path, path.toStdString());
  // Nothing is left to repair of a cell that goes.
  find<QAction>("repairCellAction")->trigger();
  const QPointer<RepairDialog> again = find<RepairDialog>("repairDialog");
  window->cells().removeAll();
  QTRY_VERIFY(!again);
}

void TestCellFiles::exportsTheTableOfCells()
{
  open({"stellate.swc", "bipolar.swc"});
  find<QAction>("exportTableAction")->trigger();
  const QString path = folder.filePath("cells.csv");
  auto* dialog = find<QFileDialog>("exportCellsDialog");
  QTRY_VERIFY(dialog->isVisible());
  dialog->selectFile(path);
  dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
  QTRY_VERIFY(QFile::exists(path));
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().split('\n');
  QVERIFY(lines[0].startsWith("name,length_um,samples"));
  QVERIFY(lines[1].startsWith("stellate,") && lines[2].startsWith("bipolar,"));
}

void TestCellFiles::saysWhatAFolderHoldsInstead()
{
  const QTemporaryDir other;
  auto* banner = find<MessageBanner>("messageBanner");
  window->openFiles({other.path()});
  waitForResult();
  QCOMPARE(banner->text(), other.path() + ": is an empty folder; open one with SWC files");
  QTest::mouseClick(banner->findChild<QToolButton*>("dismissMessages"), Qt::LeftButton);
  for (const char* name : {"a.csv", "b.csv", "read me", "c.png"})
    QVERIFY(QFile::copy(dataFile("broken.swc"), other.filePath(name)));
  QVERIFY(QDir(other.path()).mkdir("cells"));
  window->openFiles({other.path()});
  waitForResult();
  QVERIFY2(banner->text().startsWith(other.path() + ": holds 4 files (.csv, .png) and 1 folder, but no SWC file"),
           qPrintable(banner->text()));
  QVERIFY(!banner->text().contains("rank 0"));
  QCOMPARE(window->cells().rowCount(), 0);
  QCOMPARE(find<RecentFiles>("")->paths(), QStringList());
}

void TestCellFiles::keepsOtherCellsWhenOneIsBroken()
{
  open({"stellate.swc"});
  auto* banner = find<MessageBanner>("messageBanner");
  open({"broken.swc", "missing.swc", "bipolar.swc"});
  QCOMPARE(window->scene()->cells.size(), std::size_t{2});
  QCOMPARE(window->runs().runs().back().source, std::string("stellate.swc, bipolar.swc"));
  QCOMPARE(window->windowTitle(), QStringLiteral("stellate, bipolar - Hinesight"));
  QStringList problems;
  for (int row = 0; row < window->cells().rowCount(); ++row)
    problems << window->cells().index(row).data(CellListModel::ProblemRole).toString();
  QCOMPARE(problems, (QStringList{"", "not read", "not read", ""}));
  QVERIFY(banner->isVisible());
  const QStringList lines = banner->text().split('\n');
  QVERIFY2(lines[0].startsWith(dataFile("broken.swc") + ":3: "), qPrintable(lines[0]));
  QVERIFY2(lines.last().startsWith(dataFile("missing.swc") + ": no such file"), qPrintable(lines.last()));

  QTest::mouseClick(banner->findChild<QToolButton*>("copyMessages"), Qt::LeftButton);
  QCOMPARE(QGuiApplication::clipboard()->text(), banner->text());
  QTest::mouseClick(banner->findChild<QToolButton*>("dismissMessages"), Qt::LeftButton);
  QVERIFY(!banner->isVisible());
}

void TestCellFiles::tellsOfManyBrokenFiles()
{
  const QTemporaryDir cells;
  for (int i = 0; i < 30; ++i)
    QVERIFY(QFile::copy(dataFile("broken.swc"), cells.filePath(QString::number(i) + ".swc")));
  QVERIFY(QFile::copy(dataFile("stellate.swc"), cells.filePath("good.swc")));
  window->openFiles({cells.path()});
  waitForResult();
  QCOMPARE(window->scene()->cells.size(), std::size_t{1});
  QCOMPARE(window->cells().rowCount(), 31);
  auto* banner = find<MessageBanner>("messageBanner");
  QVERIFY(banner->isVisible());
  QCOMPARE(banner->text().count('\n'), 29);
  const auto* text = find<QLabel>("messageText");
  static const QRegularExpression kFirst(
      QStringLiteral("^30 of the 31 open files could not be read:\n\\d+\\.swc, line 3: "));
  QTRY_VERIFY2(text->text().contains(kFirst), qPrintable(text->text()));
  QVERIFY(!text->text().contains(cells.path()) && text->toolTip().contains(cells.path()));
  const QScrollBar* scroll = banner->findChild<QScrollArea*>()->verticalScrollBar();
  QTRY_VERIFY(scroll->maximum() > 0);
  QTRY_COMPARE(scroll->value(), 0); // it is read from its beginning
  window->openFiles({dataFile("missing.swc")});
  QTRY_COMPARE(banner->text().count('\n'), 30);
  QTRY_VERIFY2(text->text().startsWith("31 of the 32 open files could not be read:\nmissing.swc: "),
               qPrintable(text->text()));
  QTRY_COMPARE(scroll->value(), 0);
  // What comes then is seen, above them.
  banner->show(MessageBanner::Severity::Error, QStringLiteral("Something else."));
  QTRY_VERIFY(text->text().startsWith("Something else.\n31 of the 32 open files"));
  banner->withdraw(QStringLiteral("Something else."));
  QVERIFY(window->view(ViewKind::Morphology).height() > window->height() / 3);
  click("removeAllButton");
  waitForResult();
  QVERIFY(!banner->isVisible());
}

void TestCellFiles::forgetsTheErrorsOfCellsThatGo()
{
  auto* banner = find<MessageBanner>("messageBanner");
  open({"broken.swc", "missing.swc", "bipolar.swc"});
  QVERIFY2(banner->text().startsWith(dataFile("broken.swc")), qPrintable(banner->text()));
  window->cells().remove(0);
  waitForResult();
  QVERIFY2(banner->text().startsWith(dataFile("missing.swc")), qPrintable(banner->text()));
  const widgets::TimingCard* card = window->view(ViewKind::Morphology).timingCard();
  QTRY_VERIFY(card->isVisible());
  click("removeAllButton");
  waitForResult();
  QVERIFY2(!banner->isVisible(), qPrintable(banner->text()));
  QTRY_VERIFY(!card->isVisible()); // nor a time of theirs
}

void TestCellFiles::scalesACellInNanometres()
{
  QFile file(folder.filePath("nanometres.swc"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY(file.write("1 1 0 0 0 6000 -1\n2 3 0 90000 0 500 1\n3 3 9000 99000 0 500 2\n") > 0);
  file.close();
  window->openFiles({dataFile("stellate.swc"), file.fileName()});
  waitForResult();
  const auto& view = static_cast<const widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  const double before = view.camera().focalDistance();
  auto* list = find<QAbstractItemView>("cellList");
  list->setCurrentIndex(list->model()->index(1, 0));
  QVERIFY(find<QPushButton>("scaleSuggested")->isVisible());
  const auto* question = find<QuestionBar>("unitsBar");
  QVERIFY(question->isVisible());
  QVERIFY2(question->text().startsWith("1 cell (nanometres) is probably in nm"), qPrintable(question->text()));
  QCOMPARE(find<QPushButton>("unitsAgree")->text(), QStringLiteral("Scale this cell from nm"));
  click("unitsAgree");
  waitForResult();
  QVERIFY(!question->isVisible());
  QCOMPARE(window->scene()->cells[1].metrics.upper[1], 99.0);
  QVERIFY(!find<QPushButton>("scaleSuggested")->isVisible());
  // The picture is of the new size, and so is the run.
  QVERIFY2(view.camera().focalDistance() < before / 10, qPrintable(QString::number(view.camera().focalDistance())));
  QCOMPARE(window->runs().rowCount(), 2);
  const std::vector<Setting>& settings = window->runs().runs().back().settings;
  QVERIFY(std::ranges::count(settings, Setting{"scale", "1,0.001"}) == 1);
  QVERIFY(!window->runs().runs().back().timings.has("read"));
}

/// Whose unit a person let be is not asked for again, and is not scaled with others.
void TestCellFiles::asksForOtherCellsThanThoseLetBe()
{
  const auto openInNanometres = [this](const QString& name) {
    QFile file(folder.filePath(name + QStringLiteral(".swc")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.write("1 1 0 0 0 6000 -1\n2 3 0 90000 0 500 1\n3 3 9000 99000 0 500 2\n") > 0);
    file.close();
    window->openFiles({file.fileName()});
    waitForResult();
  };
  openInNanometres(QStringLiteral("first"));
  const auto* question = find<QuestionBar>("unitsBar");
  QVERIFY(question->isVisible());
  QCOMPARE(find<QPushButton>("unitsDecline")->text(), QStringLiteral("Leave it"));
  click("unitsDecline");
  QVERIFY(!question->isVisible());
  openInNanometres(QStringLiteral("second"));
  QVERIFY(question->isVisible());
  QVERIFY2(question->text().startsWith("1 cell (second) is probably in nm"), qPrintable(question->text()));
  click("unitsAgree");
  waitForResult();
  QVERIFY(!question->isVisible());
  QCOMPARE(window->cells().cells()[0].source.scale, 1.0);
  QCOMPARE(window->cells().cells()[1].source.scale, 0.001);
  // Nor do as many as were let be keep a new one from being asked for.
  window->cells().setScale({0}, 0.001);
  waitForResult();
  openInNanometres(QStringLiteral("third"));
  QVERIFY(question->isVisible());
  QVERIFY2(question->text().startsWith("1 cell (third)"), qPrintable(question->text()));
}

void TestCellFiles::lightsTheChosenCellAndFitsToIt()
{
  open({"stellate.swc", "bipolar.swc"});
  const auto& view = static_cast<const widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  auto* list = find<QAbstractItemView>("cellList");
  QCOMPARE(view.litCells(), std::vector<std::int32_t>{0});
  const auto click = [&](int row) {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 0)).center());
  };
  click(1);
  QCOMPARE(view.litCells(), std::vector<std::int32_t>{1});
  QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::ControlModifier,
                    list->visualRect(list->model()->index(0, 0)).center());
  QCOMPARE(view.litCells(), (std::vector<std::int32_t>{0, 1}));
  click(1);
  const double ofAll = view.camera().focalDistance();
  QTest::keyClick(list, Qt::Key_Return);
  QVERIFY2(view.camera().focalDistance() < ofAll, qPrintable(QString::number(view.camera().focalDistance())));

  // From another view too, in which the list has not lost its cell.
  window->showView(ViewKind::Tree);
  QVERIFY(window->cells().moveRows({}, 0, 1, {}, 2));
  waitForResult();
  QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
  QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Morphology));
  QCOMPARE(view.litCells(), std::vector<std::int32_t>{0});

  // There is nothing to tell a single cell from.
  QTest::keyClick(list, Qt::Key_Delete);
  waitForResult();
  QCOMPARE(view.litCells(), std::vector<std::int32_t>());
}

/// By a double click, or by the line of a warning, which leads to a hidden branch too.
void TestCellFiles::showsAHiddenCellToFitToIt()
{
  open({"stellate.swc", "bipolar.swc"});
  auto& view = static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  auto* list = find<QAbstractItemView>("cellList");
  const auto isFittedToBipolar = [&view] {
    const double distance = view.camera().focalDistance();
    const widgets::Vec3 before = view.camera().focalPoint();
    view.fitToCell(1);
    const widgets::Vec3& now = view.camera().focalPoint();
    return std::abs(view.camera().focalDistance() / distance - 1) < 0.01 &&
           std::hypot(now[0] - before[0], now[1] - before[1], now[2] - before[2]) < 0.01 * distance;
  };
  QVERIFY(!isFittedToBipolar());
  window->cells().setVisible(1, false);
  QTRY_COMPARE(view.geometry().placements.size(), std::size_t{1});
  QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(1, 0)).center());
  QVERIFY(window->cells().cells()[1].visible);
  QTRY_COMPARE(view.geometry().placements.size(), std::size_t{2});
  QVERIFY(isFittedToBipolar());

  auto* details = find<QLabel>("cellDetails");
  const std::int64_t last = window->scene()->cells[1].discretization->morphology->line.back();
  const auto follow = [&] { emit details->linkActivated(kLineLink + QString::number(last)); };
  follow();
  const widgets::BranchId branch = window->selection();
  QVERIFY(!branch.isNull());
  find<QAction>("hideBranchesAction")->trigger();
  window->cells().setVisible(1, false);
  const auto* branches = window->findChild<BranchSelection*>();
  QVERIFY(branches->choice().hidden.has(branch));
  follow();
  QVERIFY(window->cells().cells()[1].visible);
  QVERIFY(branches->choice().hidden.isEmpty());
  QCOMPARE(window->selection(), branch);
}

/// All the little files with one quirk each that are read: one of them has a sample at 1e39 um.
void TestCellFiles::drawsOtherCellsWhenOneIsTooFarOut()
{
  QFile table(tests::testData("swc/EDGE.tsv"));
  QVERIFY(table.open(QIODevice::ReadOnly));
  QStringList paths;
  for (const QByteArray& line : table.readAll().split('\n'))
    if (const QList<QByteArray> fields = line.split('\t'); fields.value(1).startsWith("accept"))
      paths << tests::sharedFile("morphologies/") + QString::fromUtf8(fields[0]);
  QCOMPARE(paths.size(), 92);
  if (!QFile::exists(paths.front()))
    QSKIP("the files are not here");
  window->openFiles(paths);
  waitForResult();
  const auto& view = static_cast<const widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  QCOMPARE(view.geometry().placements.size(), std::size_t{91});
  const double distance = view.camera().focalDistance();
  QVERIFY2(distance > 10 && distance < 1e9, qPrintable(QString::number(distance)));
  int marked = 0;
  for (int row = 0; row < 92; ++row)
    marked += window->cells().index(row).data(CellListModel::ProblemRole).toString() == QStringLiteral("not drawn");
  QCOMPARE(marked, 1);
  // Nor does its length, of hundreds of digits, push the names out.
  const auto* list = find<QTreeView>("cellList");
  QVERIFY(list->columnWidth(CellListModel::NameColumn) + list->columnWidth(CellListModel::LengthColumn) <=
          list->viewport()->width());
}

void TestCellFiles::tellsNoTimeOfAFailedRead()
{
  open({"stellate.swc"});
  const auto& card = *window->view(ViewKind::Morphology).timingCard();
  const auto best = card.best();
  QVERIFY(best && *best > 0);
  open({"broken.swc"});
  QCOMPARE(card.best(), best);
  QCOMPARE(card.runs(), 1);
  QVERIFY(card.timings().has("solve"));
  QCOMPARE(window->runs().rowCount(), 1);
  const QString result = find<QLabel>("resultLabel")->text();
  QVERIFY2(result.startsWith("As solved before: ") && !result.contains(" 0 ms"), qPrintable(result));
}

void TestCellFiles::remembersRecentFiles()
{
  open({"stellate.swc", "bipolar.swc"});
  open({"missing.swc"});
  open({"broken.swc"});
  cleanup();
  show();
  auto* menu = find<QMenu>("recentMenu");
  QVERIFY(menu->isEnabled());
  // Newest first, without what was never there or could not be read.
  QCOMPARE(menu->actions()[0]->toolTip(), QStringLiteral("Open this file again: ") + dataFile("bipolar.swc"));
  QCOMPARE(menu->actions()[1]->toolTip(), QStringLiteral("Open this file again: ") + dataFile("stellate.swc"));
  QCOMPARE(find<RecentFiles>("")->paths().size(), 2);
  menu->actions()[1]->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 1, kPatience);
  QCOMPARE(window->cells().cells()[0].name, QStringLiteral("stellate"));
  QCOMPARE(menu->actions()[0]->toolTip(), QStringLiteral("Open this file again: ") + dataFile("stellate.swc"));
  find<QAction>("clearRecentAction")->trigger();
  QTRY_VERIFY(!menu->isEnabled());
}

void TestCellFiles::removesAllCells()
{
  open({"stellate.swc", "bipolar.swc"});
  QTest::mouseClick(find<QPushButton>("removeAllButton"), Qt::LeftButton);
  waitForResult();
  QVERIFY(window->scene()->cells.empty());
  QVERIFY(window->view(ViewKind::Morphology).findChild<QPushButton*>("emptyOpen")->isVisible());
  QVERIFY(!find<QLabel>("planSummary")->isVisible());
  QCOMPARE(window->windowTitle(), QStringLiteral("Hinesight"));
  QCOMPARE(window->runs().rowCount(), 1);
}

/// Letters that are keys of the window elsewhere: t hides the timing card, 2 shows a view.
void TestCellFiles::findsACellByTypingItsName()
{
  const auto copyAs = [&](const char* name) {
    const QString path = folder.filePath(QLatin1String(name));
    QFile::remove(path);
    return QFile::copy(dataFile("bipolar.swc"), path) ? path : QString();
  };
  window->openFiles({dataFile("stellate.swc"), copyAs("t1 second.swc"), copyAs("t2 third.swc")});
  waitForResult();
  auto* list = find<QAbstractItemView>("cellList");
  list->setFocus();
  QCOMPARE(list->currentIndex().row(), 0);
  QTest::keyClick(list, Qt::Key_T);
  QTest::keyClick(list, Qt::Key_2);
  QCOMPARE(list->currentIndex().row(), 2);
  QVERIFY(window->view(ViewKind::Morphology).timingCard()->isVisible());
  QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Morphology));
  // Without cells the keys are those of the window.
  window->cells().removeAll();
  waitForResult();
  list->setFocus();
  QTest::keyClick(list, Qt::Key_3);
  QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Packing));
}

HINESIGHT_TEST_RUN(runWindowTest<TestCellFiles>)
#include "test_cell_files.moc"
