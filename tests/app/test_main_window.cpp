#include "app/cells/cell_controller.hpp"
#include "app/cells/data_panel.hpp"
#include "app/cells/repair_dialog.hpp"
#include "app/cells/schedule_pair.hpp"
#include "app/figures/figure_dialog.hpp"
#include "app/files/recent_files.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/main_window.hpp"
#include "app/synapses/formation_panel.hpp"
#include "app_fixture.hpp"
#include "core/parallel.hpp"
#include "held_job.hpp"
#include "hines/solvers.hpp"
#include "io/runs/run_record.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"
#include "widgets/cells/packing/packing_view.hpp"
#include "widgets/cells/schedule_view.hpp"
#include "widgets/cells/splitting/splitting_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "window_fixture.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::app;

/// Drives the real main window with mouse and keyboard.
class TestMainWindow : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void startsEmptyAndOffersHelp();
  void loadsSampleCells();
  void opensAFileByDialog();
  void showsEveryView();
  void changesThePlanByTheSplitThreshold();
  void changesThePlanByDraggingTheThreshold();
  void changesKOfEddByDraggingIt();
  void choosesAStrategyInTheSplittingView();
  void showsTheScheduleOfAnotherSolver();
  void comparesTwoSchedules();
  void picksABranchInAllViews();
  void choosesTheCellOfAPickedBranch();
  void clearsTheSelectionByEscape();
  void keepsTheSelectionOfACellThatMoves();
  void hidesACellWithoutComputing();
  void solvesCopiesAndRandomTrees();
  void runsAgain();
  void cancelsByEscape();
  void cancelsByButton();
  void saysThatARunDidNotEnd();
  void marksFieldsThatTheViewsDoNotShow();
  void keepsEverythingWhenMemoryIsShort();
  void closesWhileRunning();
  void exportsTimings_data();
  void exportsTimings();
  void restoresTheParametersOfARun();
  void keepsOneHistoryOfAllPages();
  void reportsAFailedExport();
  void savesAViewAsFigure_data();
  void savesAViewAsFigure();
  void savesNoFigureUnderAnotherName();
  void replacesAFigureThatIsBeingSet();
  void copiesAFigure();
  void cancelsAFigure();
  void writesAFullTurn();
  void opensDroppedFiles();
  void opensAFolder();
  void opensTheFoldersOfAFolder();
  void keepsWhatWasReadBeforeACancellation();
  void remembersAFewOfManyFiles();
  void listsEightCellsAtOnce();
  void exportsTheTableOfCells();
  void leadsFromAWarningToItsPlace();
  void repairsACell();
  void centresAndTurnsACell();
  void leavesACellThatIsNotRepaired();
  void saysWhatAFolderHoldsInstead();
  void takesABackendForEverything();
  void keepsOtherCellsWhenOneIsBroken();
  void tellsOfManyBrokenFiles();
  void forgetsTheErrorsOfCellsThatGo();
  void scalesACellInNanometres();
  void lightsTheChosenCellAndFitsToIt();
  void drawsOtherCellsWhenOneIsTooFarOut();
  void tellsNoTimeOfAFailedRead();
  void remembersRecentFiles();
  void removesAllCells();
  void changesThemeAndOverlay();
  void switchesViewsByKeyboard();
  void leavesTheTimingsByTab();
  void findsACellByTypingItsName();
  void fitsTheFirstWindowIntoTheWorkArea();
  void colorsAllViewsAlike();
  void remembersItsLayout();
  void listsItsShortcuts();

private:
  void open(std::initializer_list<const char*> names);
  QString openCellWithParts();
  void waitForResult();
  void chooseSchedule(widgets::ScheduleView& view, const QString& title);
  void startLongRun();
  void cancelALongRun(const std::function<void()>& cancel);
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {});
  void show();
  QFileDialog* dialog(const char* name);
  void accept(QFileDialog* dialog, const QString& path);
  widgets::TreeView& treeView() { return static_cast<widgets::TreeView&>(window->view(ViewKind::Tree)); }

  QTemporaryDir folder;
};

void TestMainWindow::init()
{
  QSettings().clear();
  show();
}

void TestMainWindow::cleanup()
{
  window.reset();
}

void TestMainWindow::show()
{
  window = std::make_unique<MainWindow>();
  QVERIFY(showWindow());
}

void TestMainWindow::open(std::initializer_list<const char*> names)
{
  QStringList paths;
  for (const char* name : names)
    paths << dataFile(name);
  window->openFiles(paths);
  waitForResult();
}

void TestMainWindow::waitForResult()
{
  QVERIFY(waitForJobs());
}

/// By the keyboard, as a person chooses.
void TestMainWindow::chooseSchedule(widgets::ScheduleView& view, const QString& title)
{
  auto* box = view.findChild<QComboBox*>("scheduleChoice");
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Home);
  while (box->currentText() != title && box->currentIndex() + 1 < box->count())
    QTest::keyClick(box, Qt::Key_Down);
  QCOMPARE(box->currentText(), title);
}

/// A run that would take minutes, under way in its solve.
void TestMainWindow::startLongRun()
{
  QString stage;
  const auto connection =
      connect(&window->jobs(), &Jobs::progressed, this, [&](const JobKind&, const QString& name) { stage = name; });
  study::CellParameters parameters = window->parameters();
  parameters.batch.copies = 1000;
  parameters.solve.repeat = 1'000'000;
  window->setParameters(parameters);
  QTRY_COMPARE_WITH_TIMEOUT(stage, QStringLiteral("solve"), kPatience);
  disconnect(connection);
  QTRY_VERIFY(find<QWidget>("jobPanel")->isVisible()); // not at once: short runs do without
  QVERIFY(find<QAction>("cancelAction")->isEnabled());
}

/// Ends a long run by `cancel`, before any other event.
void TestMainWindow::cancelALongRun(const std::function<void()>& cancel)
{
  open({"stellate.swc"});
  startLongRun();
  window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(window.get()));
  const QSignalSpy cancelled(&window->jobs(), &Jobs::cancelled);
  cancel();
  QCOMPARE(cancelled.count(), 1);
  QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isIdle(), kPatience);
}

void TestMainWindow::press(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
  window->activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(window.get()));
  QTest::keyClick(window.get(), key, modifiers);
}

QFileDialog* TestMainWindow::dialog(const char* name)
{
  auto* found = find<QFileDialog>(name);
  if (!QTest::qWaitForWindowExposed(found))
    qFatal("the dialog does not open");
  return found;
}

/// Pastes a path as a person does, and presses the dialog's button.
void TestMainWindow::accept(QFileDialog* dialog, const QString& path)
{
  auto* line = dialog->findChild<QLineEdit*>();
  QVERIFY(line);
  line->setFocus();
  line->selectAll();
  line->insert(path);
  // The dialog may shorten a path to the name of a file in the folder that it shows, and add the default suffix.
  QTRY_VERIFY(dialog->selectedFiles().value(0).startsWith(path));
  const bool saves = dialog->acceptMode() == QFileDialog::AcceptSave;
  auto* button =
      dialog->findChild<QDialogButtonBox*>()->button(saves ? QDialogButtonBox::Save : QDialogButtonBox::Open);
  QTRY_VERIFY(button->isEnabled());
  const QPointer<QFileDialog> open(dialog);
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY(!open || !open->isVisible());
}

void TestMainWindow::startsEmptyAndOffersHelp()
{
  auto& view = window->view(ViewKind::Morphology);
  QVERIFY(view.isVisible());
  QVERIFY(view.findChild<QPushButton*>("emptyOpen")->isVisible());
  QVERIFY(view.findChild<QPushButton*>("emptySamples")->isVisible());
  QVERIFY(!find<MessageBanner>("messageBanner")->isVisible());
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  QVERIFY(!find<QAction>("exportAction")->isEnabled());
  QVERIFY(!find<QAction>("cancelAction")->isEnabled());
  QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("deviceLabel")->text().isEmpty(), kPatience);
  QVERIFY(find<QLabel>("memoryLabel")->text().endsWith("free"));
}

void TestMainWindow::loadsSampleCells()
{
  QTest::mouseClick(window->view(ViewKind::Morphology).findChild<QPushButton*>("emptySamples"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 1, kPatience);
  QCOMPARE(window->cells().rowCount(), 4);
  for (const OpenCell& cell : window->cells().cells()) {
    QVERIFY2(cell.name.contains("synthetic"), qPrintable(cell.name));
    QVERIFY2(cell.morphology->comments[0].find("ynthetic") != std::string::npos, qPrintable(cell.name));
    QVERIFY(cell.morphology->warnings.empty());
  }
  QVERIFY(!window->view(ViewKind::Morphology).findChild<QPushButton*>("emptyOpen")->isVisible());
  // Samples are no files: they are not offered again under "Open recent".
  QVERIFY(!find<QMenu>("recentMenu")->isEnabled());
}

void TestMainWindow::opensAFileByDialog()
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

void TestMainWindow::showsEveryView()
{
  open({"stellate.swc"});
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    window->showView(kind);
    widgets::View& view = window->view(kind);
    QVERIFY(view.isVisible());
    QVERIFY(view.scene() && view.scene()->plan == window->scene()->plan);
    const QImage picture = view.grabPicture().convertToFormat(QImage::Format_RGB32);
    const QRgb canvas = widgets::theme().canvas.rgb();
    int drawn = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        drawn += picture.pixel(x, y) != canvas;
    QVERIFY2(drawn > 1000, qPrintable(QString("%1: %2 pixels").arg(view.title()).arg(drawn)));
  }
}

void TestMainWindow::changesThePlanByTheSplitThreshold()
{
  window->showView(ViewKind::Tree);
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kMulticore))); // the plan of branches is what runs
  open({"stellate.swc"});
  choose("splitCombo", static_cast<int>(hines::SplitStrategy::FixedLength));
  waitForResult();
  const auto figuresBefore = window->scene()->plan->figures;
  const QString summaryBefore = find<QLabel>("planSummary")->text();
  const QImage pictureBefore = treeView().grabPicture();
  const int runsBefore = treeView().timingCard()->runs();

  type("splitLengthSpin", "3");
  QTRY_COMPARE_WITH_TIMEOUT(treeView().timingCard()->runs(), runsBefore + 1, kPatience);
  QCOMPARE(window->scene()->plan->parameters.splitLength, 3);
  QVERIFY(window->scene()->plan->figures.rounds > figuresBefore.rounds);
  QVERIFY(find<QLabel>("planSummary")->text() != summaryBefore);
  QTRY_VERIFY_WITH_TIMEOUT(treeView().grabPicture() != pictureBefore, kPatience);
  QCOMPARE(treeView().scene()->plan, window->scene()->plan);
  QCOMPARE(window->runs().runs().back().split, std::string("fixed:3"));
  // The overlay shows this run, in which the cells were neither read nor cut again.
  QCOMPARE(treeView().timingCard()->timings().of("read"), 0.0);
  QVERIFY(treeView().timingCard()->timings().of("plan") > 0);
}

void TestMainWindow::changesThePlanByDraggingTheThreshold()
{
  window->showView(ViewKind::Splitting);
  open({"stellate.swc"});
  auto& view = static_cast<widgets::SplittingView&>(window->view(ViewKind::Splitting));
  emit view.cutLengthDragged(hines::kFine, 5);
  waitForResult();
  QCOMPARE(window->parameters().solve.of<hines::PlanParameters>().split, hines::SplitStrategy::FixedLength);
  QCOMPARE(find<QDoubleSpinBox>("splitLengthSpin")->value(), 5.0);
  QCOMPARE(window->scene()->plan->parameters.splitLength, 5);
}

void TestMainWindow::changesKOfEddByDraggingIt()
{
  window->showView(ViewKind::Splitting);
  open({"stellate.swc"});
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kEdd)));
  waitForResult();
  auto& view = static_cast<widgets::SplittingView&>(window->view(ViewKind::Splitting));
  view.settle();
  view.planarCanvas()->grabPicture();
  const auto& handle = view.planarCanvas()->drawing().handles.front();
  const auto pixelAt = [&](double y) { return view.planarCanvas()->transform().map(QPointF(0.5, y)).toPoint(); };
  const QPoint from = pixelAt(handle.y);
  const QPoint to = pixelAt(view.yOf(false, 3));
  QTest::mousePress(view.planarCanvas(), Qt::LeftButton, {}, from);
  for (const QPoint& at : {(from + to) / 2, to}) {
    QMouseEvent event(QEvent::MouseMove, at, view.planarCanvas()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(view.planarCanvas(), &event);
  }
  QTest::mouseRelease(view.planarCanvas(), Qt::LeftButton, {}, to);
  waitForResult();
  QCOMPARE(find<QDoubleSpinBox>("eddChainLengthSpin")->value(), 3.0);
  QTRY_COMPARE_WITH_TIMEOUT(window->scene()->solution->parameters.of<hines::EddParameters>().chainLength, 3, kPatience);
  view.settle();
  const widgets::Cut& cut = view.cut(true);
  QVERIFY(!cut.pieces.empty());
  for (const widgets::CutPiece& piece : cut.pieces)
    QVERIFY(piece.level > 0 || piece.length <= 3);
}

void TestMainWindow::choosesAStrategyInTheSplittingView()
{
  window->showView(ViewKind::Splitting);
  open({"stellate.swc"});
  auto& view = static_cast<widgets::SplittingView&>(window->view(ViewKind::Splitting));
  emit view.cutWayChosen(hines::kFine, "none");
  waitForResult();
  QCOMPARE(find<QComboBox>("splitCombo")->currentIndex(), static_cast<int>(hines::SplitStrategy::None));
  QCOMPARE(window->scene()->plan->parameters.split, hines::SplitStrategy::None);
}

/// Planned for a device that need not be there, and not run: what was solved stays.
void TestMainWindow::showsTheScheduleOfAnotherSolver()
{
  open({"stellate.swc"});
  window->showView(ViewKind::Packing);
  auto& view = dynamic_cast<widgets::PackingView&>(window->view(ViewKind::Packing));
  const auto solution = window->scene()->solution;
  const int runs = window->runs().rowCount();
  chooseSchedule(view, "Resident, CUDA");
  waitForResult();
  view.settle();
  QVERIFY(view.chart());
  QCOMPARE(view.scene()->planned->parameters.solver, hines::kResident);
  QCOMPARE(widgets::drawnSchedule(*view.scene()), view.scene()->planned->schedule);
  const auto* text = view.findChild<QLabel*>("viewText");
  QVERIFY2(text->text().startsWith("Not run: "), qPrintable(text->text()));
  QVERIFY2(text->text().contains(" ms predicted ") || text->text().contains("\u00b5s predicted "),
           qPrintable(text->text()));
  QCOMPARE(window->scene()->solution, solution);
  QCOMPARE(window->runs().rowCount(), runs);

  // It follows the cells.
  type("copiesSpin", "3");
  waitForResult();
  QCOMPARE(widgets::drawnSchedule(*view.scene())->batch->cells(), std::size_t{3});
  QCOMPARE(view.scene()->planned->parameters.solver, hines::kResident);
  QCOMPARE(widgets::drawnSchedule(*view.scene()), view.scene()->planned->schedule);

  // And the GPU that is chosen, which is not here.
  find<QComboBox>("gpuCombo")->setCurrentIndex(static_cast<int>(Gpu::T4));
  waitForResult();
  view.settle();
  QCOMPARE(view.scene()->planned->parameters.gpu, Gpu::T4);
  QCOMPARE(QString::fromStdString(view.scene()->planned->device), QStringLiteral("NVIDIA T4"));
  QVERIFY2(text->text().contains("predicted for an NVIDIA T4 (not checked against one)"), qPrintable(text->text()));

  chooseSchedule(view, "As solved");
  QVERIFY(!view.scene()->planned);
}

void TestMainWindow::comparesTwoSchedules()
{
  open({"stellate.swc"});
  window->showView(ViewKind::Splitting);
  auto& left = dynamic_cast<widgets::SplittingView&>(window->view(ViewKind::Splitting));
  const int alone = left.width();
  QTest::mouseClick(left.findChild<QToolButton*>("scheduleCompare"), Qt::LeftButton);
  waitForResult();
  auto* right = find<widgets::SplittingView>("splittingViewBeside");
  QVERIFY(right->isVisible());
  QVERIFY(left.width() < alone && right->width() > alone / 3);
  QVERIFY(!left.scene()->planned);
  QVERIFY(right->scene()->planned && right->scene()->planned->schedule);
  // A branch lights up in both, and both are in the picture.
  window->showView(ViewKind::Tree);
  widgets::PlanarCanvas* canvas = treeView().planarCanvas();
  const QRectF bar = canvas->transform().map(treeView().barOf(false, 5));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, bar.center().toPoint());
  window->showView(ViewKind::Splitting);
  const widgets::BranchId expected{0, 5};
  QCOMPARE(left.selection(), expected);
  QCOMPARE(right->selection(), expected);
  const QString picture = folder.filePath("both.png");
  find<SchedulePair>("splittingViewPair")->grabPicture().save(picture);
  QVERIFY(QImage(picture).width() >= left.width() + right->width());
  QTest::mouseClick(left.findChild<QToolButton*>("scheduleCompare"), Qt::LeftButton);
  QVERIFY(!right->isVisible());
  QTRY_VERIFY(left.width() == alone);
}

void TestMainWindow::picksABranchInAllViews()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  widgets::PlanarCanvas* canvas = treeView().planarCanvas();
  const std::int32_t branch = 5;
  const QRectF bar = canvas->transform().map(treeView().barOf(false, branch));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, bar.center().toPoint());
  const widgets::BranchId expected{0, branch};
  QCOMPARE(window->selection(), expected);
  auto* details = find<QLabel>("branchDetails");
  QVERIFY(details->isVisible());
  QVERIFY2(details->text().contains("branch"), qPrintable(details->text()));
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    window->showView(kind);
    QCOMPARE(window->view(kind).selection(), expected);
  }

  // A new plan of the same cell keeps it; a click on the background takes it back.
  type("blockSizeSpin", "256");
  waitForResult();
  QCOMPARE(window->selection(), expected);
  window->showView(ViewKind::Tree);
  QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(2, 2));
  QVERIFY(window->selection().isNull());
  QVERIFY(!details->isVisible());
}

void TestMainWindow::choosesTheCellOfAPickedBranch()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc", "bipolar.swc"});
  auto* list = find<QAbstractItemView>("cellList");
  QCOMPARE(list->currentIndex().row(), 0);
  treeView().showCell(1);
  treeView().settle();
  widgets::PlanarCanvas* canvas = treeView().planarCanvas();
  const QRectF bar = canvas->transform().map(treeView().barOf(false, 3));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, bar.center().toPoint());
  QCOMPARE(window->selection(), (widgets::BranchId{1, 3}));
  QCOMPARE(list->currentIndex().row(), 1);
  QVERIFY(find<QLabel>("cellDetails")->text().contains("bipolar"));
  // A click on the background takes the branch back, and leaves the cell.
  QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(2, 2));
  QVERIFY(window->selection().isNull());
  QCOMPARE(list->currentIndex().row(), 1);
}

void TestMainWindow::clearsTheSelectionByEscape()
{
  open({"stellate.swc"});
  QVERIFY(!find<QAction>("deselectAction")->isEnabled());
  emit window->view(ViewKind::Morphology).branchPicked({0, 3});
  QVERIFY(!window->selection().isNull());

  // While a job runs, Escape ends the job and nothing else.
  startLongRun();
  press(Qt::Key_Escape);
  QVERIFY(!window->jobs().isActive());
  QVERIFY(!window->selection().isNull());
  press(Qt::Key_Escape);
  QVERIFY(window->selection().isNull());
  QVERIFY(window->view(ViewKind::Morphology).selection().isNull());
  QVERIFY(!find<QLabel>("branchDetails")->isVisible());
}

void TestMainWindow::keepsTheSelectionOfACellThatMoves()
{
  open({"stellate.swc", "bipolar.swc"});
  emit window->view(ViewKind::Morphology).branchPicked({1, 3});
  QVERIFY(window->cells().moveRows({}, 1, 1, {}, 0));
  waitForResult();
  QCOMPARE(window->selection(), (widgets::BranchId{0, 3}));
  window->cells().remove(0);
  waitForResult();
  QVERIFY(window->selection().isNull());
}

void TestMainWindow::hidesACellWithoutComputing()
{
  open({"stellate.swc", "bipolar.swc"});
  QSignalSpy started(&window->jobs(), &Jobs::submitted);
  const auto solution = window->scene()->solution;
  window->cells().setVisible(1, false);
  QCOMPARE(started.count(), 0);
  QVERIFY(!window->view(ViewKind::Morphology).scene()->cells[1].visible);
  QCOMPARE(window->scene()->solution, solution);
  // It is said where it is hidden and where it is missed.
  const QModelIndex row = window->cells().index(1);
  QVERIFY(row.data(CellListModel::SummaryRole).toString().startsWith("hidden, but solved"));
  QVERIFY(row.data(Qt::ToolTipRole).toString().contains("still part of what is solved"));
  auto* header = window->view(ViewKind::Morphology).findChild<QLabel*>("viewText");
  QVERIFY2(header->text().contains("1 more hidden, but solved"), qPrintable(header->text()));
  // It stays hidden through the next run.
  type("blockSizeSpin", "256");
  waitForResult();
  QVERIFY(!window->scene()->cells[1].visible);
  QVERIFY(window->scene()->cells[0].visible);
}

void TestMainWindow::solvesCopiesAndRandomTrees()
{
  open({"bipolar.swc"});
  type("copiesSpin", "100");
  waitForResult();
  QCOMPARE(window->runs().runs().back().cells, 100u);
  choose("sourceCombo", 1);
  waitForResult();
  QCOMPARE(window->runs().runs().back().source, std::string("4 random trees"));
  QCOMPARE(window->runs().runs().back().cells, 400u);
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    window->showView(kind);
    QVERIFY(!window->view(kind).grabPicture().isNull());
  }
  QCOMPARE(window->cells().rowCount(), 1);
}

void TestMainWindow::runsAgain()
{
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kMulticore))); // the plan of branches is what runs
  open({"bipolar.swc"});
  press(Qt::Key_F5);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  QCOMPARE(window->runs().runs()[1].timings.of("plan"), 0.0);
  QVERIFY(window->runs().runs()[1].timings.of("solve") > 0);
}

void TestMainWindow::cancelsByEscape()
{
  cancelALongRun([this] { QTest::keyClick(window.get(), Qt::Key_Escape); });
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  QVERIFY(!find<QAction>("cancelAction")->isEnabled());
  QVERIFY(find<QLabel>("resultLabel")->text().startsWith("Cancelled"));
  QCOMPARE(window->runs().rowCount(), 1);
}

void TestMainWindow::cancelsByButton()
{
  cancelALongRun([this] { QTest::mouseClick(find<QToolButton>("cancelButton"), Qt::LeftButton); });

  // The window works on.
  type("repeatSpin", "1");
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  QCOMPARE(window->runs().runs()[1].cells, 1000u);
}

/// The plan is that of the fields, the figures are not: there is nothing to go back to.
void TestMainWindow::saysThatARunDidNotEnd()
{
  cancelALongRun([this] { QTest::keyClick(window.get(), Qt::Key_Escape); });
  auto* mark = find<QWidget>("mismatchBar");
  QTRY_VERIFY(mark->isVisible());
  QVERIFY2(find<QLabel>("mismatchText")->text().contains("did not finish"),
           qPrintable(find<QLabel>("mismatchText")->text()));
  QVERIFY(!find<QPushButton>("mismatchDecline")->isVisible());
  type("repeatSpin", "1");
  waitForResult();
  QTRY_VERIFY(!mark->isVisible());
}

void TestMainWindow::marksFieldsThatTheViewsDoNotShow()
{
  auto* mark = find<QWidget>("mismatchBar");
  type("copiesSpin", "3"); // of no cells
  QCoreApplication::processEvents();
  QVERIFY(!mark->isVisible());
  open({"stellate.swc"});
  type("resolutionSpin", "1000");
  waitForResult();
  type("copiesSpin", "1000000"); // refused: there is not so much memory
  waitForResult();
  QTRY_VERIFY(mark->isVisible());
  QCOMPARE(window->scene()->plan->batch->cells(), std::size_t{3});
  // Pages have fields and a picture of their own.
  window->showView(ViewKind::Plasticity);
  QTRY_VERIFY(!mark->isVisible());
  window->showView(ViewKind::Packing);
  QTRY_VERIFY(mark->isVisible());
  const int runs = window->runs().rowCount();
  QTest::mouseClick(find<QPushButton>("mismatchDecline"), Qt::LeftButton);
  QCOMPARE(find<QDoubleSpinBox>("copiesSpin")->value(), 3.0);
  QTRY_VERIFY(!mark->isVisible());
  QVERIFY(!window->jobs().isActive());
  QCOMPARE(window->runs().rowCount(), runs);
}

void TestMainWindow::keepsEverythingWhenMemoryIsShort()
{
  open({"stellate.swc"});
  type("resolutionSpin", "1000");
  type("copiesSpin", "1000000");
  waitForResult();
  auto* banner = find<MessageBanner>("messageBanner");
  QVERIFY(banner->isVisible());
  QVERIFY2(banner->text().contains("of main memory"), qPrintable(banner->text()));
  QVERIFY(window->scene()->cells.size() == 1);
  const int runs = window->runs().rowCount();
  type("copiesSpin", "1");
  waitForResult();
  QCOMPARE(window->runs().rowCount(), runs + 1);
  QVERIFY(!banner->isVisible()); // what it said is true no more
  // The run of 789 compartments is nothing to compare with.
  QVERIFY(window->view(ViewKind::Morphology).timingCard()->runs() < window->runs().rowCount());
  // Every sample but the soma, a sphere of one compartment, is cut in a thousand.
  QCOMPARE(window->runs().runs().back().compartments, 788'001u);
}

void TestMainWindow::closesWhileRunning()
{
  HeldJob job(HeldJob::Until::Cancelled);
  job.submitTo(window->jobs());
  QVERIFY(job.waitUntilHeld());
  QVERIFY(window->close());
  window.reset();
  QVERIFY2(!job.wentOn(), "the window waited for its job instead of stopping it");
}

void TestMainWindow::exportsTimings_data()
{
  QTest::addColumn<QString>("name");
  QTest::newRow("CSV") << "runs.csv";
  QTest::newRow("JSON") << "runs.json";
  QTest::newRow("no extension") << "runs";
}

void TestMainWindow::exportsTimings()
{
  QFETCH(QString, name);
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kMulticore))); // the plan of branches is what runs
  open({"bipolar.swc"});
  type("blockSizeSpin", "64");
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  find<QAction>("exportAction")->trigger();
  const QString path = folder.filePath(name);
  accept(dialog("exportDialog"), path);
  const QString written = QFileInfo(path).suffix().isEmpty() ? path + ".csv" : path;
  QTRY_VERIFY(QFile::exists(written));

  const auto runs =
      written.endsWith("json") ? io::readTimingsJson(written.toStdString()) : io::readTimingsCsv(written.toStdString());
  QCOMPARE(runs.size(), 2u);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const io::RunRecord& shown = window->runs().runs()[i];
    QCOMPARE(runs[i].startedAt, shown.startedAt);
    QCOMPARE(runs[i].source, std::string("bipolar.swc"));
    QCOMPARE(runs[i].blockSize, i == 0 ? 128 : 64);
    QCOMPARE(runs[i].timings.of("solve"), shown.timings.of("solve"));
    QCOMPARE(runs[i].timings.of("read"), shown.timings.of("read"));
    QCOMPARE(runs[i].timings.device, shown.timings.device);
  }
  QVERIFY(QFile::remove(written));
}

/// The fields and what is drawn are again those of that run, also from a page of something else.
void TestMainWindow::restoresTheParametersOfARun()
{
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kMulticore)));
  open({"bipolar.swc"});
  const study::CellParameters first = window->parameters();
  type("blockSizeSpin", "64");
  waitForResult();
  type("copiesSpin", "3");
  waitForResult();
  QCOMPARE(window->runs().rowCount(), 3);
  window->showView(ViewKind::Plasticity);
  auto* table = find<QTableView>("runTable");
  table->scrollToTop();
  const QPoint cell = table->visualRect(table->model()->index(0, RunTableModel::Plan)).center();
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell);
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell);
  QVERIFY(window->parameters() == first);
  QCOMPARE(find<QDoubleSpinBox>("blockSizeSpin")->value(), 128.0);
  QVERIFY(window->view(ViewKind::Morphology).isVisible());
  waitForResult();
  QCOMPARE(window->scene()->plan->parameters.blockSize, 128);
  QCOMPARE(window->scene()->plan->batch->cells(), std::size_t{1});
}

/// All pages have one history; an export has it whole, whatever is shown.
void TestMainWindow::keepsOneHistoryOfAllPages()
{
  open({"bipolar.swc"});
  window->showView(ViewKind::Projection);
  waitForResult();
  window->showView(ViewKind::Synapses);
  waitForResult();
  window->showView(ViewKind::Plasticity);
  QTest::mouseClick(find<QPushButton>("plasticityStep"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 4, kPatience);
  for (const auto kind : {io::RunKind::Solve, io::RunKind::Table, io::RunKind::Formation, io::RunKind::Growth})
    QCOMPARE(runsOf(kind), 1);
  auto* table = find<QTableView>("runTable");
  QVERIFY(table->isVisible());
  QCOMPARE(table->model()->rowCount(), 4);
  choose("runFilter", 1);
  const auto shown = [&] {
    return table->model()->rowCount() == 1 ? table->model()->index(0, RunTableModel::Kind).data().toString()
                                           : QString();
  };
  QCOMPARE(shown(), QStringLiteral("Growth"));
  window->showView(ViewKind::Tree);
  QCOMPARE(shown(), QStringLiteral("Solve"));
  window->showView(ViewKind::Projection);
  QCOMPARE(shown(), QStringLiteral("Table"));
  find<QAction>("exportAction")->trigger();
  const QString path = folder.filePath("whole.csv");
  accept(dialog("exportDialog"), path);
  QTRY_VERIFY(QFile::exists(path));
  const std::vector<io::RunRecord> written = io::readTimingsCsv(path.toStdString());
  QCOMPARE(written.size(), std::size_t{4});
  QVERIFY(written[3].kind == io::RunKind::Growth);
  QVERIFY2(written[1].size.find(" rows") != std::string::npos, written[1].size.c_str());
  QVERIFY(!written[2].settings.empty());
}

void TestMainWindow::reportsAFailedExport()
{
  open({"bipolar.swc"});
  QTest::mouseClick(find<QPushButton>("exportButton"), Qt::LeftButton);
  auto* exporting = dialog("exportDialog");
  // A folder that is gone when the file is written: root could write into a read-only one.
  QTemporaryDir gone;
  const QString path = gone.filePath("runs.csv");
  emit exporting->fileSelected(gone.path() + "/missing/runs.csv");
  exporting->close();
  auto* banner = find<MessageBanner>("messageBanner");
  QTRY_VERIFY(banner->isVisible());
  QVERIFY2(banner->text().contains("/missing/runs.csv: cannot be written"), qPrintable(banner->text()));
  QCOMPARE(window->runs().rowCount(), 1);
}

void TestMainWindow::savesAViewAsFigure_data()
{
  QTest::addColumn<QString>("name");
  QTest::newRow("picture") << "tree.png";
  QTest::newRow("drawing") << "tree.svg";
  QTest::newRow("page") << "tree.pdf";
}

void TestMainWindow::savesAViewAsFigure()
{
  QFETCH(QString, name);
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  auto* figure = find<FigureDialog>("figureDialog");
  QTRY_VERIFY(!find<QLabel>("figurePreview")->pixmap(Qt::ReturnByValue).isNull());
  click("figureSave");
  auto* saving = dialog("saveViewDialog");
  QCOMPARE(QFileInfo(saving->selectedFiles().value(0)).fileName(), QStringLiteral("dependency-tree.png"));
  const QSize pixels = figure->options().pixels();
  const QSizeF millimetres(figure->options().width, figure->options().height);
  const QString path = folder.filePath(name);
  accept(saving, path);
  QTRY_VERIFY(QFile::exists(path));
  if (name.endsWith("png"))
    QCOMPARE(QImage(path).size(), pixels);
  // On paper it is as large as was asked for, to the micrometre.
  QCOMPARE(millimetres, QSizeF(160, 100));
  QFile written(path);
  QVERIFY(written.open(QIODevice::ReadOnly));
  const QByteArray bytes = written.readAll();
  if (name.endsWith("svg"))
    QVERIFY2(bytes.contains("width=\"160mm\" height=\"100mm\""), bytes.left(200));
  if (name.endsWith("pdf"))
    QVERIFY(bytes.contains("/MediaBox [0 0 453.543307 283.464567]"));
  QTRY_VERIFY(!window->findChild<FigureDialog*>());
  QVERIFY(find<QLabel>("resultLabel")->text().contains(name));
}

void TestMainWindow::savesNoFigureUnderAnotherName()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  click("figureSave");
  const QString path = folder.filePath("tree.gif");
  accept(dialog("saveViewDialog"), path);
  auto* banner = find<MessageBanner>("messageBanner");
  QTRY_VERIFY(banner->isVisible());
  QVERIFY2(banner->text().startsWith(path + ": ") && banner->text().contains(".svg"), qPrintable(banner->text()));
  QVERIFY(!QFile::exists(path));
}

/// A number that is being typed into the dialog is no harm when another dialog takes its place.
void TestMainWindow::replacesAFigureThatIsBeingSet()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  const QPointer<FigureDialog> first = find<FigureDialog>("figureDialog");
  QVERIFY(QTest::qWaitForWindowActive(first));
  auto* width = find<QDoubleSpinBox>("figure-WidthSpin");
  width->setFocus();
  width->selectAll();
  QTest::keyClicks(width, "7");
  find<QAction>("saveViewAction")->trigger();
  QVERIFY(!first);
  QVERIFY(find<FigureDialog>("figureDialog")->isVisible());
}

void TestMainWindow::copiesAFigure()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  auto* figure = find<FigureDialog>("figureDialog");
  QGuiApplication::clipboard()->clear();
  click("figureCopy");
  QTRY_COMPARE_WITH_TIMEOUT(QGuiApplication::clipboard()->image().size(), figure->options().pixels(), kPatience);
  QVERIFY(figure->isVisible());
}

/// A large figure is made beside the window, which takes the click on Cancel.
void TestMainWindow::cancelsAFigure()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  const QPointer<FigureDialog> figure = find<FigureDialog>("figureDialog");
  choose("figure-UnitCombo", static_cast<int>(widgets::FigureUnit::Pixels));
  for (const char* side : {"figure-WidthSpin", "figure-HeightSpin"})
    type(side, "10000");
  click("figureSave");
  const QString path = folder.filePath("large.png");
  accept(dialog("saveViewDialog"), path);
  auto* cancel = find<QPushButton>("figureCancel");
  QTRY_VERIFY(cancel->isVisible());
  QVERIFY(!find<QPushButton>("figureSave")->isEnabled());
  QTest::mouseClick(cancel, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("figureSave")->isEnabled(), kPatience);
  QVERIFY(figure && !cancel->isVisible());
  QVERIFY(!QFile::exists(path));
  QVERIFY(find<QLabel>("resultLabel")->text().contains("nothing was written"));
  // One that is left behind ends, too.
  click("figureCopy");
  window.reset();
  QVERIFY(!figure);
}

void TestMainWindow::writesAFullTurn()
{
  window->showView(ViewKind::Morphology);
  open({"stellate.swc"});
  press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY(find<QLabel>("figureNote")->text().contains("embedded picture")); // what lies in space is no drawing
  find<QSpinBox>("turntableFrames")->setValue(3);
  click("turntable");
  auto* asking = dialog("turntableDialog");
  emit asking->fileSelected(folder.filePath("turn"));
  asking->close();
  QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>("resultLabel")->text().contains("3 pictures"), kPatience);
  QCOMPARE(QDir(folder.filePath("turn")).entryList(QDir::Files),
           QStringList({"frame-1.png", "frame-2.png", "frame-3.png"}));
}

void TestMainWindow::opensDroppedFiles()
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

void TestMainWindow::opensAFolder()
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

void TestMainWindow::opensTheFoldersOfAFolder()
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

void TestMainWindow::keepsWhatWasReadBeforeACancellation()
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
void TestMainWindow::remembersAFewOfManyFiles()
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
void TestMainWindow::listsEightCellsAtOnce()
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

void TestMainWindow::leadsFromAWarningToItsPlace()
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

/// The cell has two parts, one of them with an unknown radius. Returns the path of its file.
QString TestMainWindow::openCellWithParts()
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

void TestMainWindow::repairsACell()
{
  openCellWithParts();
  const auto roots = [this] { return window->scene()->cells[1].discretization->morphology->roots.size(); };
  QCOMPARE(roots(), std::size_t{2});
  emit find<QLabel>("cellDetails")->linkActivated(kRepairLink);
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
  QTest::mouseClick(save, Qt::LeftButton);
  auto* where = find<QFileDialog>("saveRepairedDialog");
  QTRY_VERIFY(where->isVisible());
  where->selectFile(path);
  where->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatience);
  waitForResult();
  QCOMPARE(window->cells().cells()[1].source.path, path.toStdString());
  QCOMPARE(window->cells().cells()[1].name, QStringLiteral("mended"));
  QVERIFY(window->cells().cells()[1].morphology->warnings.empty());
  QCOMPARE(roots(), std::size_t{1});
  QCOMPARE(find<RecentFiles>("")->paths().front(), path);
}

void TestMainWindow::centresAndTurnsACell()
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
  QVERIFY(std::abs(size(0) - height) < 1e-9 && std::abs(size(1) - width) < 1e-9);
  dialog->reject();
  QTRY_VERIFY(!dialog);
  waitForResult();
  QCOMPARE(size(0), width);
}

void TestMainWindow::leavesACellThatIsNotRepaired()
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

void TestMainWindow::exportsTheTableOfCells()
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

void TestMainWindow::saysWhatAFolderHoldsInstead()
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

void TestMainWindow::takesABackendForEverything()
{
  QVERIFY(window->parameters().solve.backend == Backend::Cpu);
  window->setBackend(Backend::Cuda);
  QVERIFY(window->parameters().solve.backend == Backend::Cuda);
  QVERIFY(window->findChild<ProjectionPanel*>()->request().compute.backend == Backend::Cuda);
  QVERIFY(window->findChild<FormationPanel*>()->request().formation.backend == Backend::Cuda);
  QVERIFY(window->findChild<PlasticityPanel*>()->request().model.backend == Backend::Cuda);
  QCOMPARE(find<QComboBox>("benchmarkBackend")->currentData().toInt(), static_cast<int>(Backend::Cuda));

  // The same by the menu, which says where all of them compute.
  const auto* cpu = find<QAction>("cpuBackendAction");
  const auto* cuda = find<QAction>("cudaBackendAction");
  auto* menu = qobject_cast<QMenu*>(cpu->parent());
  QVERIFY(menu);
  emit menu->aboutToShow();
  QVERIFY(cuda->isChecked() && !cpu->isChecked());
  find<QAction>("cpuBackendAction")->trigger();
  QVERIFY(window->parameters().solve.backend == Backend::Cpu);
  QVERIFY(window->findChild<ProjectionPanel*>()->request().compute.backend == Backend::Cpu);
  QVERIFY(window->findChild<FormationPanel*>()->request().formation.backend == Backend::Cpu);
  QVERIFY(window->findChild<PlasticityPanel*>()->request().model.backend == Backend::Cpu);
  study::CellParameters otherwise = window->parameters();
  otherwise.solve.backend = Backend::Cuda;
  window->setParameters(otherwise);
  emit menu->aboutToShow();
  QVERIFY(!cuda->isChecked() && !cpu->isChecked());
}

void TestMainWindow::keepsOtherCellsWhenOneIsBroken()
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

void TestMainWindow::tellsOfManyBrokenFiles()
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
  static const QRegularExpression kFirst(QStringLiteral("^30 of 31 files could not be read:\n\\d+\\.swc, line 3: "));
  QTRY_VERIFY2(text->text().contains(kFirst), qPrintable(text->text()));
  QVERIFY(!text->text().contains(cells.path()) && text->toolTip().contains(cells.path()));
  const QScrollBar* scroll = banner->findChild<QScrollArea*>()->verticalScrollBar();
  QTRY_VERIFY(scroll->maximum() > 0);
  QTRY_COMPARE(scroll->value(), 0); // it is read from its beginning
  window->openFiles({dataFile("missing.swc")});
  QTRY_COMPARE(banner->text().count('\n'), 30);
  QTRY_VERIFY2(text->text().startsWith("31 of 32 files could not be read:\nmissing.swc: "), qPrintable(text->text()));
  QTRY_COMPARE(scroll->value(), 0);
  // What comes then is seen, above them.
  banner->show(MessageBanner::Severity::Error, QStringLiteral("Something else."));
  QTRY_VERIFY(text->text().startsWith("Something else.\n31 of 32 files"));
  banner->withdraw(QStringLiteral("Something else."));
  QVERIFY(window->view(ViewKind::Morphology).height() > window->height() / 3);
  click("removeAllButton");
  waitForResult();
  QVERIFY(!banner->isVisible());
}

void TestMainWindow::forgetsTheErrorsOfCellsThatGo()
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

void TestMainWindow::scalesACellInNanometres()
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
  QVERIFY2(question->text().startsWith("1 cell is probably in nm"), qPrintable(question->text()));
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

void TestMainWindow::lightsTheChosenCellAndFitsToIt()
{
  open({"stellate.swc", "bipolar.swc"});
  const auto& view = static_cast<const widgets::MorphologyView&>(window->view(ViewKind::Morphology));
  auto* list = find<QAbstractItemView>("cellList");
  QCOMPARE(view.litCell(), 0);
  const auto click = [&](int row) {
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(row, 0)).center());
  };
  click(1);
  QCOMPARE(view.litCell(), 1);
  const double ofAll = view.camera().focalDistance();
  QTest::keyClick(list, Qt::Key_Return);
  QVERIFY2(view.camera().focalDistance() < ofAll, qPrintable(QString::number(view.camera().focalDistance())));

  // From another view too, in which the list has not lost its cell.
  window->showView(ViewKind::Tree);
  QVERIFY(window->cells().moveRows({}, 0, 1, {}, 2));
  waitForResult();
  QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
  QCOMPARE(window->viewArea().current(), static_cast<int>(ViewKind::Morphology));
  QCOMPARE(view.litCell(), 0);

  // There is nothing to tell a single cell from.
  QTest::keyClick(list, Qt::Key_Delete);
  waitForResult();
  QCOMPARE(view.litCell(), -1);
}

/// All the little files with one quirk each that are read: one of them has a sample at 1e39 um.
void TestMainWindow::drawsOtherCellsWhenOneIsTooFarOut()
{
  QFile table(QStringLiteral(HINESIGHT_TEST_DATA "/swc/EDGE.tsv"));
  QVERIFY(table.open(QIODevice::ReadOnly));
  QStringList paths;
  for (const QByteArray& line : table.readAll().split('\n'))
    if (const QList<QByteArray> fields = line.split('\t'); fields.value(1).startsWith("accept"))
      paths << QStringLiteral(HINESIGHT_MORPHOLOGIES "/") + QString::fromUtf8(fields[0]);
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
}

void TestMainWindow::tellsNoTimeOfAFailedRead()
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

void TestMainWindow::remembersRecentFiles()
{
  open({"stellate.swc", "bipolar.swc"});
  open({"missing.swc"});
  open({"broken.swc"});
  cleanup();
  show();
  auto* menu = find<QMenu>("recentMenu");
  QVERIFY(menu->isEnabled());
  // Newest first, without what was never there or could not be read.
  QCOMPARE(menu->actions()[0]->toolTip(), dataFile("bipolar.swc"));
  QCOMPARE(menu->actions()[1]->toolTip(), dataFile("stellate.swc"));
  QCOMPARE(find<RecentFiles>("")->paths().size(), 2);
  menu->actions()[1]->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 1, kPatience);
  QCOMPARE(window->cells().cells()[0].name, QStringLiteral("stellate"));
  QCOMPARE(menu->actions()[0]->toolTip(), dataFile("stellate.swc"));
  find<QAction>("clearRecentAction")->trigger();
  QTRY_VERIFY(!menu->isEnabled());
}

void TestMainWindow::removesAllCells()
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

void TestMainWindow::changesThemeAndOverlay()
{
  open({"bipolar.swc"});
  widgets::View& view = window->view(ViewKind::Morphology);
  QCOMPARE(view.grabPicture().pixelColor(4, 4), widgets::theme().canvas);
  const QColor dark = widgets::theme().canvas;
  press(Qt::Key_D);
  QCOMPARE(widgets::theme().mode, widgets::ThemeMode::Light);
  QVERIFY(widgets::theme().canvas != dark);
  QTRY_COMPARE(view.grabPicture().pixelColor(4, 4), widgets::theme().canvas);
  // Whatever colours itself has the new colours, seen or not.
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    const auto* label = window->view(kind).findChild<QLabel*>("colorByLabel");
    QTRY_COMPARE(label->palette().color(QPalette::WindowText), widgets::theme().secondaryText);
    window->showView(kind);
    // Its first picture comes a moment after it is shown.
    const auto colourAt = [&](int fromTop) {
      const QImage picture = window->view(kind).grab().toImage();
      return picture.pixelColor(2, fromTop > 0 ? fromTop : picture.height() + fromTop);
    };
    QTRY_COMPARE(colourAt(-2), widgets::theme().canvas);
    const bool hasChoice = window->view(kind).findChild<QComboBox*>("scheduleChoice") != nullptr;
    QTRY_COMPARE(colourAt(hasChoice ? 84 : 40), widgets::theme().canvas); // right below the header
  }
  window->showView(ViewKind::Morphology);
  press(Qt::Key_D);
  QCOMPARE(widgets::theme().mode, widgets::ThemeMode::Dark);

  QVERIFY(view.timingCard()->isVisible());
  press(Qt::Key_T);
  QVERIFY(!view.timingCard()->isVisible());
  press(Qt::Key_T);
  QVERIFY(view.timingCard()->isVisible());
}

void TestMainWindow::switchesViewsByKeyboard()
{
  open({"bipolar.swc"});
  ViewArea& area = window->viewArea();
  press(Qt::Key_3);
  QCOMPARE(area.current(), 2);
  press(Qt::Key_2, Qt::ControlModifier);
  QCOMPARE(area.current(), 1);
  QVERIFY(treeView().isVisible() && !window->view(ViewKind::Packing).isVisible());
  press(Qt::Key_G);
  QVERIFY(area.isGrid());
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    QVERIFY(window->view(kind).isVisible());
    QCOMPARE(window->view(kind).scene()->plan, window->scene()->plan);
  }
  QTest::mouseClick(window->view(ViewKind::Splitting).findChild<QToolButton*>("maximize"), Qt::LeftButton);
  QVERIFY(!area.isGrid());
  QCOMPARE(area.current(), 3);
  QTest::mouseClick(window->view(ViewKind::Splitting).findChild<QToolButton*>("maximize"), Qt::LeftButton);
  QVERIFY(area.isGrid());
  auto* tabs = find<QTabBar>("viewTabs");
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
  QVERIFY(!area.isGrid());
  QCOMPARE(area.current(), 0);
  // Digits typed into a field are no shortcuts.
  type("copiesSpin", "3");
  QCOMPARE(area.current(), 0);
  waitForResult();
}

void TestMainWindow::leavesTheTimingsByTab()
{
  open({"bipolar.swc"});
  press(Qt::Key_F5);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  auto* table = find<QTableView>("runTable");
  table->setFocus();
  table->setCurrentIndex(window->runs().index(0, 0));
  QVERIFY(table->hasFocus());
  QTest::keyClick(table, Qt::Key_Tab);
  QVERIFY(!table->hasFocus());
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Backtab, Qt::ShiftModifier);
  QVERIFY(!table->hasFocus());
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Right);
  QCOMPARE(table->currentIndex().column(), 1);
}

/// Letters that are keys of the window elsewhere: t hides the timing card, 2 shows a view.
void TestMainWindow::findsACellByTypingItsName()
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

void TestMainWindow::fitsTheFirstWindowIntoTheWorkArea()
{
  const QMargins frame(1, 37, 1, 1);
  QCOMPARE(MainWindow::firstSize({3840, 2160}, frame), MainWindow::defaultSize());
  QCOMPARE(MainWindow::firstSize({1280, 680}, frame), QSize(1278, 642));
  const QSize least = window->minimumSizeHint();
  // 1280 x 720 of a screen whose pixels are half as large, with a title.
  QVERIFY2(least.width() <= 640 && least.height() <= 330, qPrintable(QString::number(least.height())));
  cleanup();
  QSettings().clear();
  window = std::make_unique<MainWindow>();
  window->show();
  window->activateWindow(); // there may be no window manager to do so
  QVERIFY(QTest::qWaitForWindowActive(window.get()));
  QTRY_VERIFY(window->screen()->availableGeometry().contains(window->frameGeometry()));
}

void TestMainWindow::colorsAllViewsAlike()
{
  open({"bipolar.swc"});
  auto* combo = window->view(ViewKind::Morphology).findChild<QComboBox*>("colorBy");
  combo->setFocus();
  QTest::keyClick(combo, Qt::Key_Down);
  const widgets::ColorBy chosen = window->view(ViewKind::Morphology).colorBy();
  QVERIFY(chosen != widgets::ColorBy::Type);
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting})
    QCOMPARE(window->view(kind).colorBy(), chosen);
}

void TestMainWindow::remembersItsLayout()
{
  press(Qt::Key_D);
  press(Qt::Key_4);
  find<QAction>("timingsDockAction")->trigger();
  QVERIFY(!find<QDockWidget>("timingsDock")->isVisible());
  QVERIFY(window->close());
  cleanup();
  show();
  QVERIFY(!find<QDockWidget>("timingsDock")->isVisible());
  QCOMPARE(widgets::theme().mode, widgets::ThemeMode::Light);
  QCOMPARE(window->viewArea().current(), 3);
}

void TestMainWindow::listsItsShortcuts()
{
  find<QAction>("shortcutsAction")->trigger();
  auto* help = find<QMessageBox>("shortcutsDialog");
  QTRY_VERIFY(help->isVisible());
  for (const char* key : {"Ctrl+O", "F5", "Esc", "Ctrl+E"})
    QVERIFY2(help->text().contains(key), key);
  QTest::mouseClick(help->button(QMessageBox::Close), Qt::LeftButton);
  find<QAction>("aboutAction")->trigger();
  QTRY_VERIFY(find<QMessageBox>("aboutDialog")->isVisible());
}

HINESIGHT_TEST_RUN(runWindowTest<TestMainWindow>)
#include "test_main_window.moc"
