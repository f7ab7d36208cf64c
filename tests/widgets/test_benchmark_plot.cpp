#include "hines/solvers.hpp"
#include "test_main.hpp"
#include "widgets/charts/benchmark_plot.hpp"
#include "widgets/theme.hpp"

#include <QApplication>

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
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

/// How many pixels near the place have about that colour.
int pixelsOf(const QImage& picture, const QPointF& place, const QColor& color)
{
  constexpr int kReach = 4; // pixels
  constexpr int kMostApart = 12;
  int count = 0;
  for (int dy = -kReach; dy <= kReach; ++dy)
    for (int dx = -kReach; dx <= kReach; ++dx) {
      const QColor pixel = picture.pixelColor(place.toPoint() + QPoint(dx, dy));
      count += std::max({std::abs(pixel.red() - color.red()), std::abs(pixel.green() - color.green()),
                         std::abs(pixel.blue() - color.blue())}) < kMostApart
                   ? 1
                   : 0;
    }
  return count;
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
  void linesHaveTheTitlesOfSolvers();
  void everySolverHasItsColour();
  void noVariantHasTheColourOfAnotherLine();
  void aVariantKeepsItsColourWhileLinesAreAdded();

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
  QCOMPARE(plot().baseline(), QString("Serial"));
  QCOMPARE(*plot().speedup(0), 1.0);
  QCOMPARE(*plot().speedup(1), 0.5);
  QCOMPARE(*plot().speedup(3), 4.0);
  QVERIFY(plot().speedupPosition(3)->y() < plot().speedupPosition(1)->y());
  plot().setBaseline("Multicore");
  QCOMPARE(*plot().speedup(3), 1.0);
  QCOMPARE(*plot().speedup(4), 0.2);
  plot().setBaseline("no such line");
  QCOMPARE(plot().baseline(), QString("Serial"));
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
  plot().setHiddenLabels({"Multicore"});
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
  QCOMPARE(plot().labels(), (QStringList{"Serial", "Multicore"}));
  plot().setRows({rows[3]});
  QVERIFY(plot().labels().isEmpty());
  QVERIFY(!plot().grab().isNull());
}

/// As the choices of the Parameters panel have.
void TestBenchmarkPlot::linesHaveTheTitlesOfSolvers()
{
  plot().setRows({makeRow(hines::kEdd, "edd", 1, 1), makeRow(hines::kEdd, "edd, single", 1, 2),
                  makeRow(hines::kSerial, "another way", 1, 3)});
  QCOMPARE(plot().labels(), (QStringList{"Domain decomposition", "Domain decomposition, single", "another way"}));
  for (const hines::SolverDefinition* solver : hines::allSolvers())
    QCOMPARE(widgets::lineName(makeRow(solver->traits.id, std::string(solver->traits.name()), 1, 1)),
             widgets::inText(solver->traits.title));
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

/// As the window measures them in both precisions.
void TestBenchmarkPlot::noVariantHasTheColourOfAnotherLine()
{
  std::vector<hines::BenchmarkRow> rows;
  double median = 1;
  for (const char* const suffix : {", as read", "", ", single"})
    for (const hines::SolverDefinition* solver : hines::allSolvers())
      rows.push_back(makeRow(solver->traits.id, std::string(solver->traits.name()) + suffix, 100, median *= 3));
  plot().setRows(rows);
  const auto& points = plot().points();
  std::map<QRgb, QString> labels;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [before, isNew] = labels.emplace(points[i].color.rgb(), points[i].label);
    QVERIFY2(isNew, qPrintable(before->second + QStringLiteral(" and ") + points[i].label));
    const bool isVariant = rows[i].label.find(',') != std::string::npos;
    QCOMPARE(points[i].dotted, isVariant);
    if (!isVariant)
      QCOMPARE(points[i].color, widgets::solverColor(rows[i].solve.solver));
  }
  const auto lineOf = [&](const QString& label) {
    return static_cast<std::size_t>(std::ranges::find(points, label, &widgets::ChartPoint::label) - points.begin());
  };
  const std::size_t variant = lineOf(QStringLiteral("Fine, as read"));
  const std::size_t solver = lineOf(QStringLiteral("Fine"));
  const QImage picture = plot().grab().toImage();
  const auto pixelsAt = [&](std::size_t line, std::size_t colored) {
    return pixelsOf(picture, *plot().timePosition(line), points[colored].color);
  };
  QVERIFY(pixelsAt(variant, variant) > 0);
  QVERIFY(pixelsAt(variant, variant) > pixelsAt(variant, solver));
  QVERIFY(pixelsAt(solver, solver) > pixelsAt(solver, variant));
}

void TestBenchmarkPlot::aVariantKeepsItsColourWhileLinesAreAdded()
{
  using hines::kFine;
  plot().setRows({makeRow(kFine, "fine, as read", 1, 1)});
  const QColor first = plot().points()[0].color;
  QVERIFY(first != widgets::solverColor(kFine));
  for (const hines::SolverDefinition* other : hines::allSolvers())
    plot().addRow(makeRow(other->traits.id, std::string(other->traits.name()), 1, 2));
  plot().addRow(makeRow(kFine, "fine, single", 1, 3));
  plot().addRow(makeRow(kFine, "fine, as read", 100, 4));
  plot().setHiddenLabels({"Fine"});
  QCOMPARE(plot().points().front().color, first);
  QCOMPARE(plot().points().back().color, first);
}

HINESIGHT_TEST_RUN(hinesight::tests::runTest<TestBenchmarkPlot, QApplication>)
#include "test_benchmark_plot.moc"
