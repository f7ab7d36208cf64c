#include "hines/solvers.hpp"
#include "test_main.hpp"
#include "widgets/charts/benchmark_plot.hpp"

#include <QApplication>

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <memory>
#include <set>

using namespace hinesight;

namespace {

hines::BenchmarkRow makeRow(hines::SolverId solver, const std::string& label, std::size_t cells, double median)
{
  hines::BenchmarkRow row;
  row.what = "a cell";
  row.label = label;
  row.solve.solver = solver;
  row.cells = cells;
  row.compartments = 100 * cells;
  row.repetitions.assign(7, median);
  row.milliseconds = {0.8 * median, 0.9 * median, median, 1.1 * median, 1.2 * median};
  row.bytesMoved = 32 * row.compartments;
  row.copyBandwidth = 1e11;
  return row;
}

std::vector<hines::BenchmarkRow> twoLines()
{
  using hines::kMulticore;
  using hines::kSerial;
  return {makeRow(kSerial, "serial", 1, 0.01),   makeRow(kMulticore, "multicore", 1, 0.02),
          makeRow(kSerial, "serial", 100, 1),    makeRow(kMulticore, "multicore", 100, 0.25),
          makeRow(kSerial, "serial", 1'000, 10), makeRow(kMulticore, "multicore", 1'000, 2)};
}

} // namespace

class TestBenchmarkPlot : public QObject
{
  Q_OBJECT

private slots:
  void init();

  void plotsOnLogarithmicAxes();
  void comparesWithTheBaseline();
  void choosesPointsByMouseAndKeys();
  void countsThePermutation();
  void hidesLines();
  void leavesFailedRowsOut();
  void everySolverHasItsColour();

private:
  widgets::BenchmarkPlot& plot() { return *shown; }

  std::unique_ptr<widgets::BenchmarkPlot> shown;
};

void TestBenchmarkPlot::init()
{
  shown = std::make_unique<widgets::BenchmarkPlot>();
  shown->resize(1000, 700);
  shown->show();
  QVERIFY(QTest::qWaitForWindowExposed(shown.get()));
}

void TestBenchmarkPlot::plotsOnLogarithmicAxes()
{
  plot().setRows(twoLines());
  // A factor of ten is the same distance everywhere.
  const QPointF a = *plot().timePosition(0);
  const QPointF b = *plot().timePosition(2);
  const QPointF c = *plot().timePosition(4);
  QVERIFY(std::abs((b.x() - a.x()) - 2 * (c.x() - b.x())) < 1e-6);
  QVERIFY(std::abs((a.y() - b.y()) - 2 * (b.y() - c.y())) < 1e-6);
  QVERIFY(a.y() > b.y());
  QVERIFY(std::abs(plot().timePosition(1)->x() - a.x()) < 1e-6);
  QVERIFY(plot().timePosition(1)->y() < a.y());
}

void TestBenchmarkPlot::comparesWithTheBaseline()
{
  plot().setRows(twoLines());
  QCOMPARE(plot().baseline(), QString("serial"));
  QCOMPARE(*plot().speedup(0), 1.0);
  QCOMPARE(*plot().speedup(1), 0.5);
  QCOMPARE(*plot().speedup(3), 4.0);
  QVERIFY(plot().speedupPosition(3)->y() < plot().speedupPosition(1)->y());
  plot().setBaseline("multicore");
  QCOMPARE(*plot().speedup(3), 1.0);
  QCOMPARE(*plot().speedup(4), 0.2);
  plot().setBaseline("no such line");
  QCOMPARE(plot().baseline(), QString("serial"));
  plot().addRow(makeRow(hines::kMulticore, "multicore", 5'000, 9));
  QVERIFY(!plot().speedup(6));
  QVERIFY(!plot().speedupPosition(6));
  QVERIFY(plot().timePosition(6));
}

void TestBenchmarkPlot::choosesPointsByMouseAndKeys()
{
  plot().setRows(twoLines());
  QSignalSpy chosen(&plot(), &widgets::BenchmarkPlot::pointChosen);
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, plot().timePosition(3)->toPoint());
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, plot().speedupPosition(5)->toPoint() + QPoint(2, 2));
  QTest::mouseClick(&plot(), Qt::LeftButton, {}, QPoint(2, 2));
  QCOMPARE(chosen.size(), 2);
  QCOMPARE(chosen[0][0].value<std::size_t>(), std::size_t{3});
  QCOMPARE(chosen[1][0].value<std::size_t>(), std::size_t{5});

  chosen.clear();
  QTest::keyClick(&plot(), Qt::Key_Right); // the first point
  QTest::keyClick(&plot(), Qt::Key_Return);
  QTest::keyClick(&plot(), Qt::Key_Right);
  QTest::keyClick(&plot(), Qt::Key_Return);
  QTest::keyClick(&plot(), Qt::Key_Down);
  QTest::keyClick(&plot(), Qt::Key_Return);
  QTest::keyClick(&plot(), Qt::Key_Right);
  QTest::keyClick(&plot(), Qt::Key_Right);
  QTest::keyClick(&plot(), Qt::Key_Return);
  QTest::keyClick(&plot(), Qt::Key_Left);
  QTest::keyClick(&plot(), Qt::Key_Up);
  QTest::keyClick(&plot(), Qt::Key_Return);
  std::vector<std::size_t> rows;
  for (const auto& arguments : chosen)
    rows.push_back(arguments[0].value<std::size_t>());
  QCOMPARE(rows, (std::vector<std::size_t>{0, 2, 3, 5, 2}));
}

void TestBenchmarkPlot::countsThePermutation()
{
  auto rows = twoLines();
  rows[3].permute = 0.75;
  plot().setRows(rows);
  QCOMPARE(*plot().speedup(3), 1.0);
  plot().setPermuteCounted(false);
  QCOMPARE(*plot().speedup(3), 4.0);
}

void TestBenchmarkPlot::hidesLines()
{
  plot().setRows(twoLines());
  const QImage both = plot().grab().toImage();
  plot().setHiddenLabels({"multicore"});
  QVERIFY(!plot().timePosition(3));
  QVERIFY(plot().timePosition(2));
  QVERIFY(plot().grab().toImage() != both);
  plot().setHiddenLabels({});
  QCOMPARE(plot().grab().toImage(), both);
}

void TestBenchmarkPlot::leavesFailedRowsOut()
{
  auto rows = twoLines();
  rows[3].milliseconds = {};
  rows[3].error = "It does not fit.";
  plot().setRows(rows);
  QVERIFY(!plot().timePosition(3));
  QVERIFY(!plot().speedup(3));
  QCOMPARE(plot().labels(), (QStringList{"serial", "multicore"}));
  plot().setRows({rows[3]});
  QVERIFY(plot().labels().isEmpty());
  QVERIFY(!plot().grab().isNull());
}

void TestBenchmarkPlot::everySolverHasItsColour()
{
  std::vector<hines::BenchmarkRow> rows;
  for (const hines::SolverDefinition* solver : hines::allSolvers())
    rows.push_back(makeRow(solver->traits.id, std::string(solver->traits.name()), 100, 1));
  QVERIFY(rows.size() >= 8);
  plot().setRows(rows);
  QCOMPARE(static_cast<std::size_t>(plot().labels().size()), rows.size());
  std::set<QRgb> colors;
  for (const widgets::ChartPoint& point : plot().points())
    colors.insert(point.color.rgb());
  QCOMPARE(colors.size(), rows.size());
}

HINESIGHT_TEST_RUN(hinesight::tests::runTest<TestBenchmarkPlot, QApplication>)
#include "test_benchmark_plot.moc"
