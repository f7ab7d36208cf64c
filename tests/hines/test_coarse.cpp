// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "cable/random_tree.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/coarse/coarse_plan.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <cstring>
#include <set>

using namespace hinesight;
using namespace hinesight::hines;
using trees::System;

namespace {

/// Sizes from 1 to some hundreds, each shape several times, more cells than one warp has lanes.
std::shared_ptr<const HinesBatch> mixedBatch(std::int64_t cells = 211)
{
  std::vector<System> systems = {trees::makeSystem(trees::chain(1), 1),
                                 trees::makeSystem(trees::chain(257), 2),
                                 trees::makeSystem(trees::randomTree(120, 60, 3), 3, 1e6),
                                 trees::makeSystem(trees::star(200), 4),
                                 trees::makeSystem(trees::randomTree(90, 8, 5, true), 5),
                                 trees::makeSystem(trees::comb(40), 6, 1e3),
                                 trees::makeSystem(trees::binaryTree(6, 3), 7)};
  for (std::uint64_t seed = 10; seed < 60; ++seed)
    systems.push_back(trees::makeSystem(trees::randomTree(40 + static_cast<std::int32_t>(seed), 5, seed), seed));
  return makeBatchOfCells(systems, cells);
}

std::vector<double> sweptSerially(const HinesBatch& batch)
{
  std::vector<double> excess = batch.excess;
  std::vector<double> x = batch.b;
  for (std::size_t cell = 0; cell < batch.cells(); ++cell) {
    const std::size_t begin = batch.offset[cell];
    const std::size_t n = batch.offset[cell + 1] - begin;
    sweepSerially(batch.shapes[batch.shapeOf[cell]]->parent, std::span(excess).subspan(begin, n),
                  std::span(batch.u).subspan(begin, n), std::span(x).subspan(begin, n));
  }
  return x;
}

bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

SolveParameters coarse(CoarseLayout layout, CoarsePadding padding, std::int32_t blockSize)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kCoarse;
  parameters.of<CoarseParameters>() = {layout, padding, blockSize};
  return parameters;
}

std::vector<double> solved(const std::shared_ptr<const HinesBatch>& batch, const SolveParameters& parameters)
{
  return solve(batch, parameters)->x;
}

} // namespace

class TestCoarse : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void equalsTheSerialSweepToTheLastBit_data();
  void equalsTheSerialSweepToTheLastBit();
  void isAccurateInSinglePrecision();
  void solvesOtherRightHandSides();
  void givesEveryCellOneLane_data();
  void givesEveryCellOneLane();
  void keepsItsPlacesApart_data();
  void keepsItsPlacesApart();
  void sharesParentsWhereShapesRepeat();
  void chartsPadding();
  void refusesBadParameters();
  void canBeCancelled();

private:
  static void addLayouts();
};

void TestCoarse::addLayouts()
{
  QTest::addColumn<int>("layout");
  QTest::addColumn<int>("padding");
  QTest::addColumn<int>("blockSize");
  for (const CoarseLayout layout : allCoarseLayouts())
    for (const auto padding : {CoarsePadding::NotComputed, CoarsePadding::Computed})
      for (const int blockSize : {1, 8, 32, 96})
        QTest::addRow("%s, padding %s, blocks of %d", layoutName(layout).data(), paddingName(padding).data(), blockSize)
            << static_cast<int>(layout) << static_cast<int>(padding) << blockSize;
}

void TestCoarse::equalsTheSerialSweepToTheLastBit_data()
{
  addLayouts();
}

void TestCoarse::equalsTheSerialSweepToTheLastBit()
{
  QFETCH(int, layout);
  QFETCH(int, padding);
  QFETCH(int, blockSize);
  const auto batch = mixedBatch();
  const auto expected = sweptSerially(*batch);
  SolveParameters parameters =
      coarse(static_cast<CoarseLayout>(layout), static_cast<CoarsePadding>(padding), blockSize);
  QVERIFY(sameBytes(solved(batch, parameters), expected));
  parameters.threads = 3;
  parameters.repeat = 2;
  QVERIFY(sameBytes(solved(batch, parameters), expected));
}

void TestCoarse::isAccurateInSinglePrecision()
{
  const auto batch = mixedBatch();
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kCoarse;
  parameters.precision = Precision::Single;
  for (const CoarseLayout layout : allCoarseLayouts()) {
    parameters.of<CoarseParameters>().layout = layout;
    const auto x = solved(batch, parameters);
    const Accuracy accuracy = checkAccuracy(*batch, x);
    QVERIFY(accuracy.isWithinLimit(Precision::Single));
    // It would be double precision otherwise.
    QVERIFY(!accuracy.isWithinLimit(Precision::Double));
    for (const double value : x)
      QCOMPARE(value, static_cast<double>(static_cast<float>(value)));
  }
}

void TestCoarse::solvesOtherRightHandSides()
{
  const auto batch = mixedBatch();
  HinesBatch other = *batch;
  for (std::size_t i = 0; i < other.b.size(); ++i)
    other.b[i] = std::sin(static_cast<double>(i));
  StageTimings timings;
  const auto prepared = prepare(batch, coarse(CoarseLayout::FullInterleaved, {}, 32), timings);
  prepared->solveOnce({});
  prepared->setRightHandSide(other.b);
  prepared->solveOnce({});
  std::vector<double> x(batch->compartments());
  prepared->read(x, timings);
  QVERIFY(sameBytes(x, sweptSerially(other)));
}

void TestCoarse::givesEveryCellOneLane_data()
{
  addLayouts();
}

void TestCoarse::givesEveryCellOneLane()
{
  QFETCH(int, layout);
  QFETCH(int, padding);
  QFETCH(int, blockSize);
  const auto batch = mixedBatch();
  const auto plan =
      makeCoarsePlan(batch, {static_cast<CoarseLayout>(layout), static_cast<CoarsePadding>(padding), blockSize});
  std::set<std::uint32_t> cells;
  const CoarseTable& table = plan->table;
  for (std::size_t k = 0; k < table.lanes.size(); ++k) {
    const CoarseLane& lane = table.lanes[k];
    const CoarseWarp& warp = table.warps[k / plan->warpLanes];
    QVERIFY(cells.insert(lane.cell).second);
    QVERIFY(warp.startRow >= lane.rows);
    const std::vector<std::int32_t>& parent = batch->shapes[batch->shapeOf[lane.cell]]->parent;
    QCOMPARE(static_cast<std::size_t>(lane.rows), parent.size());
    for (std::size_t row = 0; row < parent.size(); ++row)
      QCOMPARE(table.parent[lane.parentBegin + row * static_cast<std::size_t>(warp.parentStride)], parent[row]);
  }
  QCOMPARE(cells.size(), batch->cells());
}

void TestCoarse::keepsItsPlacesApart_data()
{
  addLayouts();
}

/// No two numbers, padding that is computed included, lie in one place.
void TestCoarse::keepsItsPlacesApart()
{
  QFETCH(int, layout);
  QFETCH(int, padding);
  QFETCH(int, blockSize);
  const auto plan =
      makeCoarsePlan(mixedBatch(), {static_cast<CoarseLayout>(layout), static_cast<CoarsePadding>(padding), blockSize});
  const CoarseTable& table = plan->table;
  std::vector<bool> taken(table.values, false);
  for (std::size_t k = 0; k < table.lanes.size(); ++k) {
    const std::int32_t rows = plan->computesPadding() ? table.warps[k / plan->warpLanes].startRow : table.lanes[k].rows;
    for (std::size_t vector = 0; vector < 3; ++vector)
      for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
        const std::size_t at = table.lanes[k].begin + row * table.strides.row + vector * table.strides.vector;
        QVERIFY(at < table.values);
        QVERIFY(!taken[at]);
        taken[at] = true;
      }
  }
}

void TestCoarse::sharesParentsWhereShapesRepeat()
{
  const System chain = trees::makeSystem(trees::chain(100), 1);
  const System star = trees::makeSystem(trees::star(99), 2);
  const CoarseTable alone = makeCoarsePlan(makeBatchOfCells({chain}, 1000), {})->table;
  QCOMPARE(alone.parent.size(), std::size_t{100});
  // Two shapes of one size: sorted by shape, only the warp between them holds both.
  const CoarseTable both = makeCoarsePlan(makeBatchOfCells({chain, star}, 2 * 48), {})->table;
  QCOMPARE(both.parent.size(), std::size_t{100 + 100 + 32 * 100});
}

void TestCoarse::chartsPadding()
{
  const auto batch = mixedBatch();
  for (const auto padding : {CoarsePadding::NotComputed, CoarsePadding::Computed}) {
    const auto solution = solve(batch, coarse(CoarseLayout::FullInterleaved, padding, 32));
    QVERIFY(solution->schedule);
    const Schedule& charts = *solution->schedule;
    std::size_t compartments = 0;
    bool anyPadding = false;
    for (std::size_t unit = 0; unit < charts.unitCount(); ++unit) {
      const LaneChart chart = charts.chart(unit);
      const LaneFigures figures = measure(chart);
      QCOMPARE(figures.steps, std::int64_t{chart.steps});
      QCOMPARE(figures.lanes, chart.lanes);
      std::int64_t useful = 0;
      for (std::size_t other = 0; other < unit; ++other)
        if (charts.kindOf(other) == charts.kindOf(unit))
          QCOMPARE(charts.chart(other).bars.size(), chart.bars.size());
      for (const LaneBar& bar : chart.bars) {
        QCOMPARE(charts.unitOfCell(static_cast<std::size_t>(bar.cell)), unit);
        QVERIFY(bar.lane < chart.lanes && bar.step >= 0 && bar.step + bar.steps <= chart.steps);
        anyPadding = anyPadding || bar.work == LaneWork::Padding;
        useful += bar.work == LaneWork::Compartment ? bar.steps : 0;
      }
      QCOMPARE(figures.occupancy(), static_cast<double>(useful) / (static_cast<double>(chart.lanes) * chart.steps));
      compartments += static_cast<std::size_t>(useful);
    }
    QCOMPARE(compartments, batch->compartments());
    QCOMPARE(anyPadding, padding == CoarsePadding::Computed);
  }
}

void TestCoarse::refusesBadParameters()
{
  for (const std::int32_t blockSize : {0, -32, 3, 33, 48, 1056})
    QCOMPARE(trees::failureOf([&] { validate(CoarseParameters{.blockSize = blockSize}); }), ErrorCode::BadParameter);
}

void TestCoarse::canBeCancelled()
{
  const RunControl control;
  control.cancel();
  const auto batch = mixedBatch();
  const SolveParameters parameters = coarse(CoarseLayout::Flat, {}, 32);
  QCOMPARE(trees::failureOf([&] { solve(batch, parameters, control); }), ErrorCode::Cancelled);
  StageTimings timings;
  const auto prepared = prepare(batch, parameters, timings);
  QCOMPARE(trees::failureOf([&] { prepared->solveOnce(control); }), ErrorCode::Cancelled);
}

HINESIGHT_TEST(TestCoarse)
#include "test_coarse.moc"
