#include "app/cells/run_history_chart.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/cells/strategy_times.hpp"
#include "app/cells/timings_panel.hpp"
#include "app_fixture.hpp"
#include "hines/branch/plan_parameters.hpp"
#include "hines/solvers.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

io::RunRecord makeRun(double solveMilliseconds)
{
  io::RunRecord run;
  run.startedAt = "2024-05-01T10:00:00.000Z";
  run.source = "cell";
  run.cells = 1000;
  run.compartments = 1'400'000;
  run.solver = "multicore";
  run.balance = "branches";
  run.split = "level-average";
  run.pack = "greedy";
  run.blockSize = 128;
  run.figures.emplace().rounds = 20;
  run.timings.device = "Processor";
  run.timings.add("plan", 1);
  run.timings.add("solve", solveMilliseconds);
  return run;
}

QString cellText(const RunTableModel& model, int row, RunTableModel::Column column)
{
  return model.index(row, column).data().toString();
}

} // namespace

class TestRunTable : public QObject
{
  Q_OBJECT

private slots:
  void holdsItsPromisesAsModel();
  void showsRuns();
  void comparesInWords();
  void saysWhatASolverWasSetTo();
  void comparesEqualRuns();
  void summarizes();
  void drawsHistory();
  void selectsForComparison();
  void forgetsStrategyTimesOfAnotherBatch();
};

void TestRunTable::holdsItsPromisesAsModel()
{
  RunTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  model.add(makeRun(2));
  model.add(makeRun(1));
  QCOMPARE(model.rowCount(), 2);
  model.clear();
  QCOMPARE(model.rowCount(), 0);
}

void TestRunTable::showsRuns()
{
  RunTableModel model;
  io::RunRecord run = makeRun(0.312);
  run.accuracy.maxRelativeDifference = 2.5e-16;
  run.timings.backend = Backend::Cuda;
  model.add(run);
  QCOMPARE(cellText(model, 0, RunTableModel::Cells), QStringLiteral("1,000"));
  QCOMPARE(cellText(model, 0, RunTableModel::Compartments), QStringLiteral("1,400,000"));
  QCOMPARE(cellText(model, 0, RunTableModel::BackendColumn), QStringLiteral("CUDA"));
  QCOMPARE(cellText(model, 0, RunTableModel::Stages), QStringLiteral("plan 1 ms, solve 0.312 ms"));
  QCOMPARE(cellText(model, 0, RunTableModel::Total), QStringLiteral("1.31 ms"));
  QCOMPARE(cellText(model, 0, RunTableModel::Difference), QStringLiteral("2.5e-16"));
  QCOMPARE(model.index(0, RunTableModel::Total).data(RunTableModel::SortRole).toDouble(), 1.312);
  for (int column = 0; column < RunTableModel::kColumns; ++column)
    QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
}

void TestRunTable::comparesInWords()
{
  const io::RunRecord slow = makeRun(4);
  io::RunRecord fast = makeRun(2);
  fast.split = "fixed:16";
  fast.figures->rounds = 24;
  const QString words = compareRuns(slow, "run 1", fast, "run 2");
  QVERIFY2(words.contains("Solve: run 2 is 2 times as fast as run 1 (2 ms against 4 ms)."), qPrintable(words));
  QVERIFY2(words.contains("All stages of the run: run 2 is 1.67 times as fast"), qPrintable(words));
  QVERIFY2(words.contains("Changed: split level-average → fixed:16."), qPrintable(words));
  QVERIFY2(words.contains("The schedule: rounds 20 → 24."), qPrintable(words));
  QVERIFY(compareRuns(fast, "run 2", slow, "run 1").contains("run 1 is 2 times as slow as run 2"));
  // What one run could keep from before is left out; another number of compartments is reckoned with.
  io::RunRecord whole = slow;
  whole.timings.stages.insert(whole.timings.stages.begin(), {"read", 100});
  io::RunRecord more = slow;
  more.compartments = 2 * slow.compartments;
  QVERIFY(
      compareRuns(whole, "run 1", more, "run 2").contains("The stages of both: run 1 and run 2 take the same time"));
  QVERIFY(compareRuns(whole, "run 1", more, "run 2").contains("A million compartments: run 2 is 2 times as fast"));
  // Of a solver with a schedule of its own that is compared; of one that tells nothing, nothing.
  fast.solver = "resident";
  fast.balance = fast.split = fast.pack = "";
  QVERIFY(compareRuns(slow, "run 1", fast, "run 2").contains("The schedule: rounds 20 → 24."));
  QVERIFY(!compareRuns(slow, "run 1", fast, "run 2").contains("split"));
  fast.figures.reset();
  QVERIFY(!compareRuns(slow, "run 1", fast, "run 2").contains("The schedule"));
}

/// Runs of one solver can be told apart by what it was set to.
void TestRunTable::saysWhatASolverWasSetTo()
{
  io::RunRecord one = makeRun(4);
  one.solver = "coarse";
  one.balance = one.split = one.pack = "";
  one.precision = "double";
  one.parameters = "layout flat";
  io::RunRecord other = one;
  other.precision = "single";
  other.parameters = "layout unified-vector";
  RunTableModel model;
  model.add(one);
  model.add(other);
  QCOMPARE(cellText(model, 0, RunTableModel::Solver), QStringLiteral("coarse"));
  QCOMPARE(cellText(model, 1, RunTableModel::Solver), QStringLiteral("coarse, single"));
  QCOMPARE(cellText(model, 1, RunTableModel::Plan), QStringLiteral("layout unified-vector"));
  const QString words = compareRuns(one, "run 1", other, "run 2");
  QVERIFY2(words.contains("coarse → coarse, single"), qPrintable(words));
  QVERIFY2(words.contains("layout flat → layout unified-vector"), qPrintable(words));
}

void TestRunTable::comparesEqualRuns()
{
  const QString words = compareRuns(makeRun(4), "run 1", makeRun(4), "run 2");
  QVERIFY2(words.contains("take the same time (4 ms)"), qPrintable(words));
  QVERIFY2(words.endsWith("Same parameters."), qPrintable(words));
}

void TestRunTable::summarizes()
{
  QCOMPARE(summarizeRun(makeRun(0.31), -1), QStringLiteral("1,000 cells, 1.4 M compartments, multicore, CPU: 0.31 ms"));
  QCOMPARE(summarizeRun(makeRun(0.31), 0.44),
           QStringLiteral("1,000 cells, 1.4 M compartments, multicore, CPU: 0.31 ms, 44 % of the floor"));
  io::RunRecord chosen = makeRun(0.31);
  chosen.choice = "multicore, 2 threads: 0.3 ms expected";
  QVERIFY(summarizeRun(chosen, -1).endsWith("0.31 ms; chosen: multicore, 2 threads: 0.3 ms expected"));
  io::RunRecord one = makeRun(0.31);
  one.cells = 1;
  one.compartments = 999;
  QVERIFY(summarizeRun(one, -1).startsWith("1 cell, 999 compartments"));
  // Where nothing was solved there is no time of it.
  io::RunRecord kept = makeRun(0.31);
  kept.timings.stages = {{"read", 2}};
  QVERIFY2(summarizeRun(kept, -1).endsWith("CPU: as solved before"), qPrintable(summarizeRun(kept, -1)));
}

void TestRunTable::drawsHistory()
{
  RunTableModel model;
  RunHistoryChart chart(&model);
  chart.resize(400, 160);
  QVERIFY(chart.barRect(0).isEmpty());
  model.add(makeRun(1));
  model.add(makeRun(3));
  const QRect low = chart.barRect(0);
  const QRect high = chart.barRect(1);
  QCOMPARE(high.bottom(), low.bottom());
  // 2 ms and 4 ms in total.
  QVERIFY2(std::abs(high.height() - 2 * low.height()) <= 1,
           qPrintable(QString("%1 %2").arg(low.height()).arg(high.height())));

  const QImage picture = chart.grab().toImage();
  QCOMPARE(picture.pixelColor(high.center().x(), high.top() + 2), widgets::stageColor("solve"));
  QCOMPARE(picture.pixelColor(high.center().x(), high.bottom() - 2), widgets::stageColor("plan"));

  QSignalSpy clicked(&chart, &RunHistoryChart::runClicked);
  QTest::mouseClick(&chart, Qt::LeftButton, {}, high.center());
  QCOMPARE(clicked.count(), 1);
  QCOMPARE(clicked[0][0].toInt(), 1);

  // More runs than fit: the newest are shown.
  for (int i = 0; i < 100; ++i)
    model.add(makeRun(1));
  QVERIFY(chart.barRect(0).isEmpty());
  QVERIFY(!chart.barRect(101).isEmpty());
  QVERIFY(chart.rect().contains(chart.barRect(101)));
}

void TestRunTable::selectsForComparison()
{
  RunTableModel model;
  TimingsPanel panel(&model);
  auto* exportButton = panel.findChild<QPushButton*>("exportButton");
  auto* comparison = panel.findChild<QLabel*>("runComparison");
  auto* table = panel.findChild<QTableView*>("runTable");
  QVERIFY(!exportButton->isEnabled());
  model.add(makeRun(4));
  model.add(makeRun(2));
  model.add(makeRun(1));
  QVERIFY(exportButton->isEnabled());
  panel.resize(1200, 300);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  const auto click = [&](int row, Qt::KeyboardModifiers modifiers) {
    QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers,
                      table->visualRect(model.index(row, RunTableModel::Source)).center());
  };
  click(0, {});
  QCOMPARE(comparison->text(), QStringLiteral("Select two runs to compare them."));
  click(2, Qt::ControlModifier);
  QVERIFY2(comparison->text().contains("run 3 is 4 times as fast as run 1"), qPrintable(comparison->text()));
  QTest::mouseClick(panel.findChild<QPushButton*>("clearRunsButton"), Qt::LeftButton);
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(comparison->text(), QStringLiteral("Select two runs to compare them."));
}

void TestRunTable::forgetsStrategyTimesOfAnotherBatch()
{
  StrategyTimes times;
  hines::Solution solution;
  solution.timings.add("solve", 2);
  const auto batch = std::make_shared<const hines::HinesBatch>();
  const auto add = [&](const std::shared_ptr<const hines::HinesBatch>& ofBatch, hines::SolverId solver,
                       const auto& set) {
    solution.schedule = std::make_shared<const hines::UnknownSchedule>(ofBatch, "nobody");
    solution.parameters = {};
    solution.parameters.solver = solver;
    set(solution.parameters);
    times.add(solution);
  };
  const auto split = [](hines::SplitStrategy strategy, std::int32_t length, std::int32_t blockSize = 128) {
    return [=](hines::SolveParameters& parameters) {
      auto& plan = parameters.of<hines::PlanParameters>();
      plan.split = strategy;
      plan.splitLength = length;
      plan.blockSize = blockSize;
    };
  };
  using Split = hines::SplitStrategy;
  add(batch, hines::kFine, split(Split::LevelAverage, 16));
  add(batch, hines::kFine, split(Split::FixedLength, 16));
  add(batch, hines::kFine, split(Split::FixedLength, 8));
  QCOMPARE(times.times().size(), 2u);
  QCOMPARE(times.times()[1].way, std::string("fixed"));
  add(batch, hines::kFine, split(Split::FixedLength, 8, 256));
  QCOMPARE(times.times().size(), 1u);
  QCOMPARE(times.times()[0].milliseconds, 2.0);
  const auto other = std::make_shared<const hines::HinesBatch>();
  add(other, hines::kFine, split(Split::None, 16));
  QCOMPARE(times.times().size(), 1u);
  // Methods of edd are its ways to cut.
  for (const hines::EddMethod method : {hines::EddMethod::Fine, hines::EddMethod::MinTpt})
    add(other, hines::kEdd,
        [method](hines::SolveParameters& parameters) { parameters.of<hines::EddParameters>().method = method; });
  QCOMPARE(times.times().size(), 2u);
  QCOMPARE(times.times()[1].way, std::string("min-tpt"));
  // A solver without such ways leaves them as they are.
  add(other, hines::kSerial, [](hines::SolveParameters&) {});
  QCOMPARE(times.times().size(), 2u);
}

HINESIGHT_TEST_RUN(runWindowTest<TestRunTable>)
#include "test_run_table.moc"
