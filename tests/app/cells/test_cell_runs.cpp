#include "app/app_fixture.hpp"
#include "app/cells/schedule_pair.hpp"
#include "app/cells_fixture.hpp"
#include "app/held_job.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/simulation/simulation_controller.hpp"
#include "app/synapses/formation_panel.hpp"
#include "hines/solvers.hpp"
#include "io/runs/run_record.hpp"
#include "test_main.hpp"
#include "widgets/cells/packing/packing_view.hpp"
#include "widgets/cells/schedule_view.hpp"
#include "widgets/cells/splitting/splitting_view.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// Plans, solves and cancels in the real main window.
class TestCellRuns : public QObject, CellsFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void changesThePlanByTheSplitThreshold();
  void changesThePlanByDraggingTheThreshold();
  void changesKOfEddByDraggingIt();
  void choosesAStrategyInTheSplittingView();
  void showsTheScheduleOfAnotherSolver();
  void comparesTwoSchedules();
  void solvesCopiesAndRandomTrees();
  void runsAgain();
  void cancelsByEscape();
  void cancelsByButton();
  void saysThatARunDidNotEnd();
  void marksFieldsThatTheViewsDoNotShow();
  void keepsEverythingWhenMemoryIsShort();
  void closesWhileRunning();
  void restoresTheParametersOfARun();
  void keepsOneHistoryOfAllPages();
  void showsMedianAndPlanInASmallWindow();
  void takesABackendForEverything();

private:
  void chooseSchedule(widgets::ScheduleView& view, const QString& title);
};

void TestCellRuns::init()
{
  QSettings().clear();
  show();
}

void TestCellRuns::cleanup()
{
  window.reset();
}

/// By the keyboard, as a person chooses.
void TestCellRuns::chooseSchedule(widgets::ScheduleView& view, const QString& title)
{
  auto* box = view.findChild<QComboBox*>("scheduleChoice");
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Home);
  while (box->currentText() != title && box->currentIndex() + 1 < box->count())
    QTest::keyClick(box, Qt::Key_Down);
  QCOMPARE(box->currentText(), title);
}

void TestCellRuns::changesThePlanByTheSplitThreshold()
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

void TestCellRuns::changesThePlanByDraggingTheThreshold()
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

void TestCellRuns::changesKOfEddByDraggingIt()
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

void TestCellRuns::choosesAStrategyInTheSplittingView()
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
void TestCellRuns::showsTheScheduleOfAnotherSolver()
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

void TestCellRuns::comparesTwoSchedules()
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

void TestCellRuns::solvesCopiesAndRandomTrees()
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

void TestCellRuns::runsAgain()
{
  choose("solverCombo", static_cast<int>(hines::placeInTable(hines::kMulticore))); // the plan of branches is what runs
  open({"bipolar.swc"});
  press(Qt::Key_F5);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  QCOMPARE(window->runs().runs()[1].timings.of("plan"), 0.0);
  QVERIFY(window->runs().runs()[1].timings.of("solve") > 0);
}

void TestCellRuns::cancelsByEscape()
{
  cancelALongRun([this] { QTest::keyClick(window.get(), Qt::Key_Escape); });
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  QVERIFY(!find<QAction>("cancelAction")->isEnabled());
  QVERIFY(find<QLabel>("resultLabel")->text().startsWith("Cancelled"));
  QCOMPARE(window->runs().rowCount(), 1);
}

void TestCellRuns::cancelsByButton()
{
  cancelALongRun([this] { QTest::mouseClick(find<QToolButton>("cancelButton"), Qt::LeftButton); });

  // The window works on.
  type("repeatSpin", "1");
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  QCOMPARE(window->runs().runs()[1].cells, 1000u);
}

/// The plan is that of the fields, the figures are not: there is nothing to go back to.
void TestCellRuns::saysThatARunDidNotEnd()
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

void TestCellRuns::marksFieldsThatTheViewsDoNotShow()
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

void TestCellRuns::keepsEverythingWhenMemoryIsShort()
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

void TestCellRuns::closesWhileRunning()
{
  HeldJob job(HeldJob::Until::Cancelled);
  job.submitTo(window->jobs());
  QVERIFY(job.waitUntilHeld());
  QVERIFY(window->close());
  window.reset();
  QVERIFY2(!job.wentOn(), "the window waited for its job instead of stopping it");
}

/// The fields and what is drawn are again those of that run, also from a page of something else.
void TestCellRuns::restoresTheParametersOfARun()
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
void TestCellRuns::keepsOneHistoryOfAllPages()
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

/// The chart and the names of sources and plans yield to the numbers.
void TestCellRuns::showsMedianAndPlanInASmallWindow()
{
  type("copiesSpin", "100");
  open({"stellate.swc"});
  const QString source = folder.filePath(QStringLiteral("a_cell_of_a_long_name_that_has_no_room.swc"));
  QVERIFY(QFile::copy(dataFile("bipolar.swc"), source));
  window->openFiles({source});
  waitForResult();
  auto* table = find<QTableView>("runTable");
  auto* chart = find<QWidget>("runFilter")->parentWidget();
  window->resize(1000, 700);
  QTRY_COMPARE(window->size(), QSize(1000, 700));
  for (const auto& [name, isOpen] :
       {std::pair("dataDock", false), std::pair("parametersDock", true), std::pair("timingsDock", true)})
    if (auto* dock = find<QDockWidget>(name); dock->isVisible() != isOpen)
      dock->toggleViewAction()->trigger();
  QTRY_VERIFY(table->isVisible());
  QTRY_VERIFY(chart->width() < 180);
  const QAbstractItemModel* runs = table->model();
  QVERIFY(table->fontMetrics().horizontalAdvance(runs->index(1, RunTableModel::Source).data().toString()) >
          table->columnWidth(RunTableModel::Source));
  for (int row = 0; row < runs->rowCount(); ++row) {
    const QModelIndex median = runs->index(row, RunTableModel::Median);
    QVERIFY2(table->sizeHintForIndex(median).width() <= table->columnWidth(RunTableModel::Median),
             qPrintable(median.data().toString()));
  }
  const int end = table->columnViewportPosition(RunTableModel::Plan) + table->columnWidth(RunTableModel::Plan);
  QVERIFY2(end <= table->viewport()->width(), qPrintable(QStringLiteral("%1 of %2").arg(end).arg(table->width())));
}

void TestCellRuns::takesABackendForEverything()
{
  QVERIFY(window->parameters().solve.backend == Backend::Cpu);
  window->setBackend(Backend::Cuda);
  QVERIFY(window->parameters().solve.backend == Backend::Cuda);
  QVERIFY(window->findChild<ProjectionPanel*>()->request().compute.backend == Backend::Cuda);
  QVERIFY(window->findChild<FormationPanel*>()->request().formation.backend == Backend::Cuda);
  QVERIFY(window->findChild<PlasticityPanel*>()->request().model.backend == Backend::Cuda);
  auto* simulations = window->findChild<SimulationController*>();
  QVERIFY(simulations->request().run.backend == Backend::Cuda);
  auto* ofBenchmark = find<QComboBox>("benchmarkBackend");
  QCOMPARE(ofBenchmark->currentData().toInt(), static_cast<int>(Backend::Cuda));

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
  QVERIFY(simulations->request().run.backend == Backend::Cpu);
  QCOMPARE(ofBenchmark->currentData().toInt(), static_cast<int>(Backend::Cpu));
  emit menu->aboutToShow();
  QVERIFY(!cuda->isChecked() && cpu->isChecked());

  // No tick where one page differs, whichever it is.
  simulations->setBackend(Backend::Cuda);
  emit menu->aboutToShow();
  QVERIFY(!cuda->isChecked() && !cpu->isChecked());
  simulations->setBackend(Backend::Cpu);
  emit menu->aboutToShow();
  QVERIFY(!cuda->isChecked() && cpu->isChecked());
  study::CellParameters otherwise = window->parameters();
  otherwise.solve.backend = Backend::Cuda;
  window->setParameters(otherwise);
  emit menu->aboutToShow();
  QVERIFY(!cuda->isChecked() && !cpu->isChecked());
}

HINESIGHT_TEST_RUN(runWindowTest<TestCellRuns>)
#include "test_cell_runs.moc"
