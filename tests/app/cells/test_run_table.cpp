#include "app/app_fixture.hpp"
#include "app/cells/run_comparison.hpp"
#include "app/cells/run_history_chart.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/cells/strategy_times.hpp"
#include "app/cells/timings_panel.hpp"
#include "hines/branch/plan_parameters.hpp"
#include "hines/solvers.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "study/cells/parameters.hpp"
#include "test_main.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/elided_texts.hpp"
#include "widgets/theme.hpp"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTableWidget>
#include <QtTest>

#include <cstdlib>

using namespace hinesight;
using namespace hinesight::app;

namespace {

/// So often that there is an interval, within 1 % of the median.
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
  for (const double factor : {0.99, 0.99, 1.0, 1.0, 1.0, 1.01, 1.01})
    run.repetitions.push_back(solveMilliseconds * factor);
  return run;
}

io::RunRecord solvedOnce(double milliseconds)
{
  io::RunRecord run = makeRun(milliseconds);
  run.repetitions = {milliseconds};
  return run;
}

io::RunRecord makeTable(std::size_t rows)
{
  io::RunRecord run = io::startRecord(io::RunKind::Table, "source → destination", {});
  run.cells = 200;
  run.size = "100 x 100 neurons, " + std::to_string(rows) + " rows";
  run.parameters = "sigma 4";
  run.settings = {{"sigma", "4"}};
  run.timings.add("count", 3);
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
  void tellsWhatEachDeviceTook();
  void comparesInWords();
  void namesSolversByTheirTitles();
  void saysWhatASolverWasSetTo();
  void saysThatTheCpuCarriedOutAPlanOfAGpu();
  void comparesEqualRuns();
  void claimsNothingOfASingleSolve();
  void comparesNothingUnlike();
  void claimsNothingOfRunsByTheSameParameters();
  void namesTheParametersThatDiffer();
  void setsTwoRunsSideBySide();
  void summarizes();
  void drawsHistory();
  void selectsForComparison();
  void showsTheRunsOfAPage();
  void restoresARunByDoubleClick();
  void showsTheRunsOfADocument();
  void showsColumnsWholeInASmallWindow();
  void givesNoRoomToWhatIsEmpty();
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
  QCOMPARE(cellText(model, 0, RunTableModel::Median), QStringLiteral("0.312 ms \u00b1 1 %"));
  QCOMPARE(cellText(model, 0, RunTableModel::Kind), QStringLiteral("Solve"));
  QCOMPARE(cellText(model, 0, RunTableModel::Difference), QStringLiteral("2.5e-16"));
  QCOMPARE(model.index(0, RunTableModel::Total).data(RunTableModel::SortRole).toDouble(), 1.312);
  for (int column = 0; column < RunTableModel::kColumns; ++column)
    QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
  model.add(makeTable(45'200));
  QCOMPARE(cellText(model, 1, RunTableModel::Kind), QStringLiteral("Table"));
  QCOMPARE(cellText(model, 1, RunTableModel::Plan), QStringLiteral("sigma 4"));
  QCOMPARE(cellText(model, 1, RunTableModel::Median), QStringLiteral("3 ms"));
  QCOMPARE(cellText(model, 1, RunTableModel::Compartments), QString());
  QCOMPARE(cellText(model, 1, RunTableModel::Difference), QString());
  QVERIFY(model.index(1, RunTableModel::Cells).data(Qt::ToolTipRole).toString().contains("45200 rows"));
}

void TestRunTable::tellsWhatEachDeviceTook()
{
  RunTableModel model;
  io::RunRecord run = makeRun(0.312);
  run.timings.devices = {{Backend::Cuda, "GPU 0", {{"solve", 0.312}}},
                         {Backend::Cuda, "GPU 1", {{"solve", 0.3}, {"wait", 0.012}}}};
  model.add(run);
  QCOMPARE(cellText(model, 0, RunTableModel::Stages), QStringLiteral("plan 1 ms, solve 0.312 ms"));
  QCOMPARE(model.index(0, RunTableModel::Stages).data(Qt::ToolTipRole).toString(),
           QStringLiteral("plan 1 ms, solve 0.312 ms\nGPU 0: solve 0.312 ms\nGPU 1: solve 0.3 ms, wait 12 \u00b5s"));
}

/// A CPU that carries out what was planned for a GPU is no figure of that GPU.
void TestRunTable::saysThatTheCpuCarriedOutAPlanOfAGpu()
{
  io::RunRecord run = makeRun(0.31);
  QVERIFY(describeGpuPlan(run).isEmpty());
  run.plannedFor = "NVIDIA H200";
  run.predicted = 0.21;
  QCOMPARE(describeGpuPlan(run), QStringLiteral("Plan of a GPU: 0.21 ms predicted on NVIDIA H200"));
  QVERIFY(summarizeRun(run, -1).endsWith(
      "; the CPU carried out the plan for NVIDIA H200, predicted to take 0.21 ms there"));
  RunTableModel model;
  model.add(run);
  QCOMPARE(cellText(model, 0, RunTableModel::BackendColumn), QStringLiteral("CPU, GPU's plan"));
  QVERIFY(model.index(0, RunTableModel::BackendColumn).data(Qt::ToolTipRole).toString().contains("0.21 ms"));
  // Beside a run that is none of that, too.
  const io::RunRecord own = makeRun(0.31);
  QVERIFY(compareRuns(own, "run 1", run, "run 2").contains("backend CPU → CPU, GPU's plan"));
  const std::vector<RunDifference> differences = differencesOf(own, run);
  QCOMPARE(differences.front().what, QStringLiteral("Plan of a GPU, on the CPU"));
  QCOMPARE(differences.front().first, QStringLiteral("\u2013"));
  QCOMPARE(differences.front().second, QStringLiteral("NVIDIA H200: 0.21 ms predicted"));
  run.predicted = 0; // such a solve has no costs there
  QVERIFY(
      summarizeRun(run, -1).endsWith("; the CPU carried out the plan for NVIDIA H200, whose time cannot be predicted"));
  QCOMPARE(describeGpuPlan(run), QStringLiteral("Plan of a GPU: no time predicted on NVIDIA H200"));
}

void TestRunTable::comparesInWords()
{
  const io::RunRecord slow = makeRun(4);
  io::RunRecord fast = makeRun(2);
  fast.split = "fixed:16";
  fast.figures->rounds = 24;
  const QString words = compareRuns(slow, "run 1", fast, "run 2");
  QVERIFY2(words.contains("Solve: run 2 is 2 times as fast as run 1 (run 1 4 ms \u00b1 1 %, run 2 2 ms \u00b1 1 %)."),
           qPrintable(words));
  // The other stages were measured once.
  QVERIFY2(words.contains("All stages of the run: run 1 took 5 ms, run 2 3 ms; whether they differ cannot be told: one "
                          "repetition each."),
           qPrintable(words));
  QVERIFY2(words.contains("Changed: split level-average → fixed:16."), qPrintable(words));
  QVERIFY2(words.contains("The schedule: rounds 20 → 24."), qPrintable(words));
  QVERIFY(compareRuns(fast, "run 2", slow, "run 1").contains("run 1 is 2 times as slow as run 2"));
  // What one run could keep from before is left out; another number of compartments is reckoned with.
  io::RunRecord whole = slow;
  whole.timings.stages.insert(whole.timings.stages.begin(), {"read", 100});
  QVERIFY(compareRuns(whole, "run 1", fast, "run 2").contains("The stages of both: run 1 took 5 ms, run 2 3 ms"));
  io::RunRecord more = slow;
  more.compartments = 2 * slow.compartments;
  QVERIFY(compareRuns(whole, "run 1", more, "run 2").startsWith("A million compartments: run 2 is 2 times as fast"));
  // Of a solver with a schedule of its own that is compared; of one that tells nothing, nothing.
  fast.solver = "resident";
  fast.balance = fast.split = fast.pack = "";
  QVERIFY(compareRuns(slow, "run 1", fast, "run 2").contains("The schedule: rounds 20 → 24."));
  QVERIFY(!compareRuns(slow, "run 1", fast, "run 2").contains("split"));
  fast.figures.reset();
  QVERIFY(!compareRuns(slow, "run 1", fast, "run 2").contains("The schedule"));
}

/// Of one that this program does not have, the name in the file.
void TestRunTable::namesSolversByTheirTitles()
{
  io::RunRecord run = makeRun(4);
  run.kind = io::RunKind::Benchmark;
  run.source = "edd, edd, single";
  run.solver = "edd";
  run.precision = "single";
  RunTableModel model;
  model.add(run);
  QCOMPARE(cellText(model, 0, RunTableModel::Source), QStringLiteral("edd, Domain decomposition, single"));
  QCOMPARE(cellText(model, 0, RunTableModel::Solver), QStringLiteral("Domain decomposition, single"));
  run.kind = io::RunKind::Solve;
  run.solver = "another";
  model.add(run);
  QCOMPARE(cellText(model, 1, RunTableModel::Source), QStringLiteral("edd, edd, single"));
  QCOMPARE(cellText(model, 1, RunTableModel::Solver), QStringLiteral("another, single"));
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
  QCOMPARE(cellText(model, 0, RunTableModel::Solver), QStringLiteral("Coarse"));
  QCOMPARE(cellText(model, 1, RunTableModel::Solver), QStringLiteral("Coarse, single"));
  QCOMPARE(cellText(model, 1, RunTableModel::Plan), QStringLiteral("layout unified-vector"));
  const QString words = compareRuns(one, "run 1", other, "run 2");
  QVERIFY2(words.contains("Coarse → Coarse, single"), qPrintable(words));
  QVERIFY2(words.contains("layout flat → layout unified-vector"), qPrintable(words));
}

void TestRunTable::comparesEqualRuns()
{
  const QString words = compareRuns(makeRun(4), "run 1", makeRun(4), "run 2");
  QVERIFY2(words.contains("Solve: no difference between run 1 and run 2 (run 1 4 ms"), qPrintable(words));
  QVERIFY2(words.endsWith("Same parameters."), qPrintable(words));
}

/// Two equal plans, solved once each, are no "1.83 times as fast".
void TestRunTable::claimsNothingOfASingleSolve()
{
  const QString words = compareRuns(solvedOnce(4), "run 1", solvedOnce(2.19), "run 2");
  QVERIFY2(words.startsWith("Solve: run 1 took 4 ms, run 2 2.19 ms; whether they differ cannot be told: one repetition "
                            "each."),
           qPrintable(words));
  QVERIFY(!words.contains("fast"));
}

void TestRunTable::comparesNothingUnlike()
{
  const QString words = compareRuns(makeRun(4), "run 1", makeTable(10), "run 2");
  QCOMPARE(words, QStringLiteral("The times of run 1 and run 2 are of different tasks and are not compared."));
  const QString tables = compareRuns(makeTable(10), "run 1", makeTable(20'000), "run 2");
  QVERIFY2(tables.startsWith("The times of run 1 and run 2 are of different tasks"), qPrintable(tables));
}

/// However narrow their intervals are: another core, another clock, another program beside it.
void TestRunTable::claimsNothingOfRunsByTheSameParameters()
{
  const study::CellParameters parameters;
  io::RunRecord one = makeRun(4);
  one.settings = settingsOf(fieldsOf(parameters));
  io::RunRecord other = makeRun(2);
  other.settings = one.settings;
  const QString words = compareRuns(one, "run 1", other, "run 2");
  QVERIFY2(
      words.startsWith("Solve: run 1 took 4 ms \u00b1 1 %, run 2 2 ms \u00b1 1 %, by the same parameters: what else "
                       "the machine did makes the difference."),
      qPrintable(words));
  QVERIFY2(!words.contains("no difference"), qPrintable(words));
  for (const RunDifference& each : differencesOf(one, other))
    QCOMPARE(each.verdict, Verdict::Same);
  // Equal times are no difference; a run that was made once, or beside other programs, tells nothing.
  QVERIFY(compareRuns(one, "run 1", one, "run 2").contains("by the same parameters: no difference."));
  io::RunRecord once = other;
  once.repetitions = {13.2};
  io::RunRecord another = once;
  another.repetitions = {2.64};
  QCOMPARE(
      compareTimes(once, "run 15", another, "run 26"),
      QStringLiteral("Solve: run 15 took 13.2 ms, run 26 2.64 ms, by the same parameters; whether they differ cannot "
                     "be told: one repetition each."));
  io::RunRecord busy = other;
  busy.others = 1;
  QVERIFY(compareTimes(one, "run 1", busy, "run 2").endsWith("cannot be told: the machine was busy."));
  other.timings.device = "another processor";
  QVERIFY(compareRuns(one, "run 1", other, "run 2").contains("times as fast"));
}

/// Of tables, whose plans are all that a person sees of them.
void TestRunTable::namesTheParametersThatDiffer()
{
  const io::RunRecord before = makeTable(10);
  io::RunRecord after = before;
  after.settings = {{"sigma", "4"}, {"seed", "7"}};
  RunTableModel model;
  TimingsPanel panel(&model);
  model.add(before);
  model.add(after);
  panel.resize(1200, 300);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  auto* table = panel.findChild<QTableView*>("runTable");
  for (const int row : {0, 1})
    QTest::mouseClick(table->viewport(), Qt::LeftButton, row > 0 ? Qt::ControlModifier : Qt::NoModifier,
                      table->visualRect(table->model()->index(row, RunTableModel::Kind)).center());
  const QString words = panel.findChild<QLabel*>("runComparison")->text();
  QVERIFY2(words.contains("Changed: seed."), qPrintable(words));
}

/// What differs stands by its names on screen, with words for special values; equal ones are left out.
void TestRunTable::setsTwoRunsSideBySide()
{
  study::CellParameters parameters;
  const auto record = [&](double milliseconds) {
    io::RunRecord run = makeRun(milliseconds);
    run.settings = settingsOf(fieldsOf(std::as_const(parameters)));
    return run;
  };
  const io::RunRecord before = record(4);
  parameters.solve.of<hines::PlanParameters>().split = hines::SplitStrategy::FixedLength;
  parameters.solve.repeat = 8;
  parameters.discretization.maximumLength += 5;
  const io::RunRecord after = record(2);
  const std::vector<RunDifference> differences = differencesOf(before, after);
  const auto of = [&](const QString& what) {
    const auto found = std::ranges::find(differences, what, &RunDifference::what);
    return found == differences.end() ? RunDifference{} : *found;
  };
  QCOMPARE(differences.size(), 3u + 2u); // and the stages
  QCOMPARE(of("Repetitions").first, QStringLiteral("until stable"));
  QCOMPARE(of("Repetitions").second, QStringLiteral("8"));
  QCOMPARE(of("solve").change, QStringLiteral("\u221250 %"));
  QCOMPARE(of("solve").verdict, Verdict::Less);
  QCOMPARE(of("plan").verdict, Verdict::Unknown); // measured once
  // A run that has not that parameter or stage.
  const std::vector<RunDifference> unlike = differencesOf(before, makeTable(10));
  QVERIFY(std::ranges::any_of(unlike, [](const RunDifference& each) {
    return each.what == "sigma" && each.first == "\u2013" && each.second == "4";
  }));
  QVERIFY(std::ranges::all_of(unlike, [](const RunDifference& each) { return each.change.isEmpty(); }));
}

void TestRunTable::summarizes()
{
  QCOMPARE(summarizeRun(solvedOnce(0.31), -1),
           QStringLiteral("0.31 ms: 1,000 cells, 1.4 M compartments, Multicore, CPU"));
  QCOMPARE(summarizeRun(solvedOnce(0.31), 0.44),
           QStringLiteral("0.31 ms: 1,000 cells, 1.4 M compartments, Multicore, CPU, 44 % of the floor"));
  QCOMPARE(summarizeRun(makeRun(0.31), -1),
           QStringLiteral("0.31 ms \u00b1 1 %: 1,000 cells, 1.4 M compartments, Multicore, CPU"));
  io::RunRecord chosen = solvedOnce(0.31);
  chosen.choice = "multicore, 2 threads: 0.3 ms expected";
  QVERIFY(summarizeRun(chosen, -1).endsWith("CPU; chosen: multicore, 2 threads: 0.3 ms expected"));
  io::RunRecord one = makeRun(0.31);
  one.cells = 1;
  one.compartments = 999;
  QVERIFY(summarizeRun(one, -1).contains(": 1 cell, 999 compartments"));
  // Where nothing was solved there is no time of it.
  io::RunRecord kept = makeRun(0.31);
  kept.timings.stages = {{"read", 2}};
  QVERIFY2(summarizeRun(kept, -1).startsWith("As solved before: "), qPrintable(summarizeRun(kept, -1)));
}

void TestRunTable::drawsHistory()
{
  RunTableModel model;
  const RunFilter all(&model);
  RunHistoryChart chart(&all);
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
                      table->visualRect(table->model()->index(row, RunTableModel::Plan)).center());
  };
  click(0, {});
  QCOMPARE(comparison->text(), QStringLiteral("Select two runs to compare them."));
  click(2, Qt::ControlModifier);
  QVERIFY2(comparison->text().contains("run 3 is 4 times as fast as run 1"), qPrintable(comparison->text()));
  QVERIFY(comparison->text().contains("<a href"));
  auto* compare = panel.findChild<QAction*>("compareRunsAction");
  QVERIFY(compare->isEnabled());
  emit comparison->linkActivated("compare");
  auto* dialog = panel.findChild<QDialog*>("runComparisonDialog");
  QVERIFY(dialog && dialog->isVisible());
  QVERIFY(dialog->findChild<QLabel*>("runComparisonSentence")->text().contains("run 3 is 4 times as fast as run 1"));
  auto* stages = dialog->findChild<QTableWidget*>("runComparisonTable");
  QCOMPARE(stages->rowCount(), 2);
  QCOMPARE(stages->item(1, 3)->text(), QStringLiteral("\u221275 %"));
  QCOMPARE(stages->item(1, 3)->foreground().color(), widgets::theme().accent);
  dialog->close();
  QTest::mouseClick(panel.findChild<QPushButton*>("clearRunsButton"), Qt::LeftButton);
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(comparison->text(), QStringLiteral("Select two runs to compare them."));
  QVERIFY(!compare->isEnabled());
}

/// All runs at first; of those of a page their numbers stay, and an export has all of them.
void TestRunTable::showsTheRunsOfAPage()
{
  RunTableModel model;
  TimingsPanel panel(&model);
  auto* table = panel.findChild<QTableView*>("runTable");
  auto* filter = panel.findChild<QComboBox*>("runFilter");
  model.add(makeRun(4));
  model.add(makeTable(10));
  QCOMPARE(table->model()->rowCount(), 2);
  filter->setCurrentIndex(1);
  QCOMPARE(table->model()->rowCount(), 1);
  QCOMPARE(table->model()->index(0, RunTableModel::Kind).data().toString(), QStringLiteral("Solve"));
  panel.setPage(io::RunKind::Table);
  QCOMPARE(table->model()->rowCount(), 1);
  QCOMPARE(table->model()->index(0, RunTableModel::Kind).data().toString(), QStringLiteral("Table"));
  QCOMPARE(table->model()->headerData(0, Qt::Vertical).toString(), QStringLiteral("2"));
  model.add(makeTable(20));
  QCOMPARE(table->model()->rowCount(), 2);
  panel.setPage(io::RunKind::Growth);
  QCOMPARE(table->model()->rowCount(), 0);
  QVERIFY(panel.findChild<QPushButton*>("exportButton")->isEnabled());
  filter->setCurrentIndex(0);
  QCOMPARE(table->model()->rowCount(), 3);
  QVERIFY(!panel.grab().isNull());
}

void TestRunTable::restoresARunByDoubleClick()
{
  RunTableModel model;
  TimingsPanel panel(&model);
  auto* table = panel.findChild<QTableView*>("runTable");
  std::vector<int> restored;
  for (int run = 0; run < 2; ++run)
    model.add(makeRun(1), [&restored, run] { restored.push_back(run); });
  model.add(makeTable(10)); // which cannot be
  panel.resize(1200, 300);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  const auto cell = [&](int row) {
    return table->visualRect(table->model()->index(row, RunTableModel::Plan)).center();
  };
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell(1));
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell(1));
  QCOMPARE(restored, std::vector<int>{1});
  auto* action = panel.findChild<QAction*>("restoreRunAction");
  QVERIFY(action->isEnabled());
  action->trigger();
  QCOMPARE(restored, (std::vector<int>{1, 1}));
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell(2));
  QVERIFY(!action->isEnabled());
  QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell(2));
  QCOMPARE(restored.size(), 2u);
}

/// Each document has its own, with those that were made since; those that a session brought are restored by their
/// records.
void TestRunTable::showsTheRunsOfADocument()
{
  RunTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  std::vector<std::string> restored;
  model.setRestoring([&](const io::RunRecord& run) { restored.push_back(run.source); });
  int own = 0;
  model.add(makeRun(1), [&] { ++own; });
  const auto before = model.history();
  io::RunRecord kept = makeTable(10);
  kept.startedAt = "2024-05-01T10:00:00.000Z";
  const auto opened = historyOf({std::make_shared<const io::RunRecord>(kept)});
  model.setHistory(opened);
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(cellText(model, 0, RunTableModel::Kind), QStringLiteral("Table"));
  // Of another day than today; the tooltip has the time.
  QCOMPARE(cellText(model, 0, RunTableModel::Time), QStringLiteral("1 May"));
  QVERIFY(model.index(0, RunTableModel::Time).data(Qt::ToolTipRole).toString().startsWith("1 May 2024, "));
  io::RunRecord today = makeRun(2);
  today.startedAt = QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs).toStdString();
  model.add(today, [&] { ++own; });
  const QString time = cellText(model, 1, RunTableModel::Time);
  QVERIFY2(QTime::fromString(time, QStringLiteral("HH:mm:ss")).isValid(), qPrintable(time));
  QCOMPARE(model.made().size(), std::size_t{1});
  QCOMPARE(model.made().front().startedAt, today.startedAt);
  QVERIFY(model.canRestore(0) && model.canRestore(1));
  model.restore(0);
  QCOMPARE(restored, std::vector<std::string>{kept.source});
  QCOMPARE(own, 0);
  model.restore(1);
  QCOMPARE(own, 1);

  model.setHistory(before);
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(cellText(model, 0, RunTableModel::Kind), QStringLiteral("Solve"));
  model.restore(0);
  QCOMPARE(own, 2);
  model.setHistory(opened);
  QCOMPARE(model.rowCount(), 2);
  model.clear();
  QVERIFY(model.made().empty() && model.shared().empty());
}

/// In a window of 1280 x 720 the panel is about 620 pixels wide. Names give way, and what is seen first has its plan.
void TestRunTable::showsColumnsWholeInASmallWindow()
{
  RunTableModel model;
  TimingsPanel panel(&model);
  auto* table = panel.findChild<QTableView*>("runTable");
  const std::string source = "inhibition: a long name of a population \u2192 another long name of a population ";
  const auto add = [&](const std::string& parameters, int place) {
    io::RunRecord run = makeRun(0.312);
    run.balance.clear();
    run.parameters = parameters;
    run.source = source + std::to_string(place);
    model.add(run);
  };
  add("kernel gaussian, sigma 40, rule random, seed 5, cut 0.01", 1);
  add("kernel gaussian, sigma 60, rule random, seed 5, cut 0.01", 2);
  add("kernel gaussian, sigma 40, rule random, seed 7, cut 0.01", 3);
  panel.resize(620, 210);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  for (const int column : {RunTableModel::Source, RunTableModel::Plan})
    QVERIFY(table->columnWidth(column) >= 12 * table->fontMetrics().averageCharWidth());
  QVERIFY(table->viewport()->rect().contains(table->visualRect(table->model()->index(0, RunTableModel::Plan))));
  QVERIFY(table->horizontalScrollBar()->maximum() > 0); // to what has no room
  for (const int column : {RunTableModel::Time, RunTableModel::Kind, RunTableModel::Median, RunTableModel::Total,
                           RunTableModel::Cells, RunTableModel::Compartments, RunTableModel::Difference}) {
    const QModelIndex cell = table->model()->index(0, column);
    table->scrollTo(cell);
    QVERIFY2(table->viewport()->rect().contains(table->visualRect(cell)), qPrintable(QString::number(column)));
    QVERIFY2(table->fontMetrics().horizontalAdvance(cell.data().toString()) < table->columnWidth(column),
             qPrintable(QString::number(column)));
  }
  // What is seen tells the runs apart, and the tooltip has all.
  for (const int column : {RunTableModel::Source, RunTableModel::Plan}) {
    const auto* delegate = dynamic_cast<widgets::ElidedTextDelegate*>(table->itemDelegateForColumn(column));
    QVERIFY(delegate);
    QStringList seen;
    for (int row = 0; row < 3; ++row) {
      const QModelIndex cell = table->model()->index(row, column);
      seen << delegate->shownText(cell);
      QVERIFY(seen.back() != cell.data().toString());
      QVERIFY(table->fontMetrics().horizontalAdvance(seen.back()) <= table->visualRect(cell).width());
      QCOMPARE(cell.data(Qt::ToolTipRole), cell.data());
    }
    QCOMPARE(seen.removeDuplicates(), 0);
  }
}

/// In a window of 1280 x 720 too.
void TestRunTable::givesNoRoomToWhatIsEmpty()
{
  RunTableModel model;
  TimingsPanel panel(&model);
  auto* table = panel.findChild<QTableView*>("runTable");
  io::RunRecord run = makeTable(20); // no solver, no compartments
  run.source = "excitatory_to_inhibitory: excitatory \u2192 inhibitory";
  run.parameters = "kernel gaussian, sigma 300, cut 0.1, delay 1";
  model.add(run);
  panel.resize(620, 210);
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  for (const int column : {RunTableModel::Solver, RunTableModel::Compartments, RunTableModel::Difference})
    QVERIFY2(table->isColumnHidden(column), qPrintable(QString::number(column)));
  // The names have all that the numbers before the plan leave.
  int seen = 0;
  for (int column = 0; column <= RunTableModel::Plan; ++column)
    seen += table->columnWidth(column);
  QVERIFY(std::abs(seen - table->viewport()->width()) <= 1);
  const int letter = table->fontMetrics().averageCharWidth();
  QVERIFY(table->columnWidth(RunTableModel::Source) + table->columnWidth(RunTableModel::Plan) > 2 * 12 * letter);
  model.add(makeRun(1));
  QVERIFY(!table->isColumnHidden(RunTableModel::Solver));
  QVERIFY(table->columnWidth(RunTableModel::Solver) > 0);
  model.clear();
  for (int column = 0; column < RunTableModel::kColumns; ++column)
    QVERIFY(!table->isColumnHidden(column));
  const QRect ofClear = panel.findChild<QPushButton*>("clearRunsButton")->geometry();
  QVERIFY(panel.findChild<QPushButton*>("exportButton")->geometry().left() - ofClear.right() > 4);
}

void TestRunTable::forgetsStrategyTimesOfAnotherBatch()
{
  StrategyTimes times;
  hines::Solution solution;
  solution.timings.add("solve", 2);
  solution.repetitions = {2};
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
  QCOMPARE(times.times()[0].time.median, 2.0);
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
