#include "app/app_fixture.hpp"
#include "app/cells/cell_list_model.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/place_dialog.hpp"
#include "app/cells/repair_dialog.hpp"
#include "app/document/history.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/orbit/vtk_widget.hpp"
#include "widgets/theme.hpp"

#include <QAction>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeView>
#include <QUndoStack>
#include <QtTest>

#include <array>

using namespace hinesight;
using namespace hinesight::app;

/// What is chosen in the list of cells stays chosen and is seen, whatever is listed or shown in its place.
class TestCellChoice : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow({1280, 720}));
  }
  void cleanup() { window.reset(); }

  void aFilterLeavesTheChoice();
  void theTreeTurnsToTheChosenCell();
  void aPreviewLeavesCameraAndChoice();
  void theOutlineLeavesTheColours();
  void placesAllChosenCellsInOneStep();
  void aPlaceIsKeptInTheSession();

private:
  DataPanel& panel() { return *find<DataPanel>("dataPanel"); }
  widgets::MorphologyView& morphology()
  {
    return static_cast<widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  }
  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QVERIFY(waitForJobs());
  }
  void write(const char* field, const char* text)
  {
    auto* line = find<QLineEdit>(field);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  /// Least corner of the box around a cell, µm.
  std::array<double, 3> cornerOf(std::size_t cell)
  {
    const auto& lower = window->scene()->cells.at(cell).metrics.lower;
    return {lower[0], lower[1], lower[2]};
  }

  QTemporaryDir folder;
};

void TestCellChoice::aFilterLeavesTheChoice()
{
  QStringList paths;
  for (const char* name : {"axo", "basket", "chandelier", "double", "granule", "martinotti", "stellate"}) {
    paths << folder.filePath(QLatin1String(name) + QStringLiteral(".swc"));
    QVERIFY(QFile::copy(dataFile("bipolar.swc"), paths.back()));
  }
  open(paths);
  auto* list = find<QTreeView>("cellList");
  auto* filter = find<QLineEdit>("cellFilter");
  panel().chooseCell(2);
  QTest::keyClicks(filter, "stell");
  QCOMPARE(list->model()->rowCount(), 1);
  QCOMPARE(panel().chosenRows(), std::vector<int>{2});
  QVERIFY(find<QLabel>("cellDetails")->text().contains(QStringLiteral("chandelier")));
  const auto* unlisted = find<QLabel>("unlistedCell"); // said before all that is told of the cell
  QTRY_VERIFY(unlisted->isVisible() && !unlisted->visibleRegion().isEmpty());
  for (const char* below : {"branchDetails", "cellDetails"})
    QVERIFY(!find<QLabel>(below)->isVisible() || find<QLabel>(below)->y() > unlisted->geometry().bottom());
  QCOMPARE(morphology().litCells(), std::vector<std::int32_t>{2});
  QVERIFY(!list->selectionModel()->hasSelection());
  QVERIFY(!find<QPushButton>("removeButton")->isEnabled()); // nothing is closed that is not seen
  filter->clear();
  QVERIFY(!unlisted->isVisible());
  QCOMPARE(panel().chosenRows(), std::vector<int>{2});
  QCOMPARE(list->selectionModel()->selectedRows().size(), 1);
  QCOMPARE(list->currentIndex().row(), 2);
  // Another one that is clicked takes its place.
  QTest::keyClicks(filter, "gran");
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
  filter->clear();
  QCOMPARE(panel().chosenRows(), std::vector<int>{4});
  // Several at once, of which one is listed.
  QTest::keyClicks(filter, "stell");
  panel().chooseCells({2, 6});
  QCOMPARE(panel().chosenRows(), (std::vector<int>{2, 6}));
  QCOMPARE(morphology().litCells(), (std::vector<std::int32_t>{2, 6}));
  QCOMPARE(list->selectionModel()->selectedRows().size(), 1);
  filter->clear();
  QCOMPARE(list->selectionModel()->selectedRows().size(), 2);
  panel().chooseCells({});
  QVERIFY(panel().chosenRows().empty());
  panel().chooseCell(4);
  // A cell that is closed gives the choice to its neighbour.
  QTest::mouseClick(find<QPushButton>("removeButton"), Qt::LeftButton);
  QCOMPARE(panel().chosenRows().size(), std::size_t{1});
}

/// To one that is chosen alone, and not back to it when a person turned it to another one.
void TestCellChoice::theTreeTurnsToTheChosenCell()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  auto* list = find<QTreeView>("cellList");
  const auto clickCell = [list](int row, Qt::KeyboardModifiers keys = {}) {
    const QPoint middle = list->visualRect(list->model()->index(row, 0)).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, keys, middle);
  };
  auto& tree = static_cast<widgets::TreeView&>(window->view(ViewKind::Tree));
  clickCell(1); // before the page is seen
  window->showView(ViewKind::Tree);
  QTRY_COMPARE(tree.shownCell(), 1);
  clickCell(0);
  QTRY_COMPARE(tree.shownCell(), 0);
  clickCell(1, Qt::ControlModifier); // several
  QCoreApplication::processEvents();
  QCOMPARE(tree.shownCell(), 0);
  clickCell(1);
  QTRY_COMPARE(tree.shownCell(), 1);
  tree.showCell(0);
  window->showView(ViewKind::Morphology);
  window->showView(ViewKind::Tree);
  find<QAction>("runAction")->trigger();
  QVERIFY(waitForJobs());
  QCOMPARE(tree.shownCell(), 0);
}

void TestCellChoice::aPreviewLeavesCameraAndChoice()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  panel().chooseCell(1);
  QCOMPARE(morphology().litCells(), std::vector<std::int32_t>{1});
  QWidget* canvas = morphology().canvas();
  const QPoint middle = canvas->rect().center();
  QTest::mousePress(canvas, Qt::LeftButton, {}, middle);
  QTest::mouseMove(canvas, middle + QPoint(60, 25));
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, middle + QPoint(60, 25));
  const widgets::OrbitCamera turned = morphology().camera();
  find<QAction>("repairCellAction")->trigger();
  const QPointer<RepairDialog> dialog = find<RepairDialog>("repairDialog");
  write("repairTurnEdit", "0,0,20");
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("saveRepaired")->isEnabled(), kPatience);
  QVERIFY(waitForJobs());
  QVERIFY(window->cells().cells()[1].own);
  QVERIFY(morphology().camera() == turned);
  QCOMPARE(morphology().litCells(), std::vector<std::int32_t>{1});
  QCOMPARE(panel().chosenRows(), std::vector<int>{1});
  dialog->reject();
  QVERIFY(waitForJobs());
  QVERIFY(!window->cells().cells()[1].own);
  QVERIFY(morphology().camera() == turned);
  QCOMPARE(morphology().litCells(), std::vector<std::int32_t>{1});
}

void TestCellChoice::theOutlineLeavesTheColours()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  const auto count = [this](auto isIt) {
    const QImage picture = morphology().grabPicture();
    int pixels = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        pixels += isIt(picture.pixelColor(x, y)) ? 1 : 0;
    return pixels;
  };
  const auto isNear = [](const QColor& pixel, const QColor& color) {
    return std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
               std::abs(pixel.blue() - color.blue()) <
           90;
  };
  const auto isTube = [&](const QColor& pixel) {
    return pixel.hsvSaturation() > 110 && pixel.value() > 90 && !isNear(pixel, widgets::theme().selection);
  };
  const auto isOutline = [&](const QColor& pixel) { return isNear(pixel, widgets::theme().selection); };
  morphology().setLitCells({});
  const int tubes = count(isTube);
  morphology().setLitCells({0});
  QVERIFY(count(isOutline) > 200);
  QVERIFY2(count(isTube) > 4 * tubes / 5, qPrintable(QStringLiteral("%1 of %2").arg(count(isTube)).arg(tubes)));
}

void TestCellChoice::placesAllChosenCellsInOneStep()
{
  open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
  const auto pathsOf = [this] {
    QStringList paths;
    for (const OpenCell& cell : window->cells().cells())
      paths << QString::fromStdString(cell.source.path);
    return paths;
  };
  const QStringList before = pathsOf();
  const std::array corners{cornerOf(0), cornerOf(1)};
  panel().chooseCells({0, 1});
  find<QAction>("placeCellsAction")->trigger();
  const QPointer<PlaceDialog> dialog = find<PlaceDialog>("placeDialog");
  QVERIFY(!find<QPushButton>("savePlaced")->isEnabled()); // nothing is to do yet
  write("place-MoveEdit", "100,-20,3");
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("savePlaced")->isEnabled(), kPatience);
  QVERIFY(waitForJobs());
  const auto areMoved = [&] {
    for (std::size_t cell = 0; cell < 2; ++cell)
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (std::abs(cornerOf(cell)[axis] - corners[cell][axis] - std::array{100.0, -20.0, 3.0}[axis]) > 1e-3)
          return false;
    return true;
  };
  QVERIFY(areMoved()); // in the views, before anything is written
  dialog->save(folder.path());
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatience);
  QVERIFY(waitForJobs());
  QVERIFY(areMoved());
  const QStringList placed = pathsOf();
  for (int cell = 0; cell < 2; ++cell) {
    QVERIFY(placed[cell] != before[cell]);
    QVERIFY(QFile::exists(placed[cell]));
  }
  find<QAction>("undoAction")->trigger();
  QVERIFY(waitForJobs());
  QCOMPARE(pathsOf(), before);
  QVERIFY(cornerOf(0) == corners[0] && cornerOf(1) == corners[1]);
  find<QAction>("redoAction")->trigger();
  QVERIFY(waitForJobs());
  QCOMPARE(pathsOf(), placed);
  // Twice: with the soma at the origin, and closed without a trace.
  QCOMPARE(panel().chosenRows(), (std::vector<int>{0, 1}));
  find<QAction>("placeCellsAction")->trigger();
  find<QCheckBox>("place-CentreCheck")->click();
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("savePlaced")->isEnabled(), kPatience);
  click("closePlace");
  QVERIFY(waitForJobs());
  QVERIFY(areMoved());
}

void TestCellChoice::aPlaceIsKeptInTheSession()
{
  open({dataFile("stellate.swc")});
  const auto corner = cornerOf(0);
  const std::string file = window->project().cells[0].file;
  const int steps = window->history().stack().count();
  panel().chooseCells({0});
  find<QAction>("placeCellsAction")->trigger();
  const QPointer<PlaceDialog> dialog = find<PlaceDialog>("placeDialog");
  QVERIFY(!find<QPushButton>("keepPlaced")->isEnabled()); // nothing is to do yet
  write("place-MoveEdit", "100,-20,3");
  QVERIFY(waitForJobs());
  QCOMPARE(window->project().cells[0].place, morphology::CellPlace()); // it is only shown
  click("keepPlaced");
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatience);
  QVERIFY(waitForJobs());
  const morphology::CellPlace place{.move = {100, -20, 3}};
  const auto isMoved = [&] {
    const auto now = cornerOf(0);
    return std::abs(now[0] - corner[0] - 100) < 1e-3 && std::abs(now[1] - corner[1] + 20) < 1e-3 &&
           std::abs(now[2] - corner[2] - 3) < 1e-3;
  };
  QVERIFY(isMoved());
  QCOMPARE(window->project().cells[0].file, file);
  QCOMPARE(window->project().cells[0].place, place);
  QTRY_COMPARE(window->history().stack().count(), steps + 1);
  find<QAction>("undoAction")->trigger();
  QVERIFY(waitForJobs());
  QCOMPARE(window->project().cells[0].place, morphology::CellPlace());
  QVERIFY(cornerOf(0) == corner);
  find<QAction>("redoAction")->trigger();
  QVERIFY(waitForJobs());
  QVERIFY(isMoved());
  // The dialog begins where the cell is.
  panel().chooseCells({0});
  find<QAction>("placeCellsAction")->trigger();
  QCOMPARE(find<PlaceDialog>("placeDialog")->placing().place, place);
  click("closePlace");
  QVERIFY(waitForJobs());
  QVERIFY(isMoved());
}

HINESIGHT_TEST_RUN(runWindowTest<TestCellChoice>)
#include "test_cell_choice.moc"
