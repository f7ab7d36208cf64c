// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "hines/prepared_solver.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_plan.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace hinesight;
using namespace hinesight::hines;
using trees::System;

namespace {

constexpr int kAllLanes[] = {1, 2, 4, 8, 16, 32};

std::shared_ptr<const HinesBatch> chains(std::int32_t rows, std::int64_t cells, double strength = 100)
{
  return makeBatchOfCells({trees::makeSystem(trees::chain(rows), 1, strength)}, cells);
}

SolveParameters withLanes(std::int32_t lanes, Precision precision = Precision::Double)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kTridiagonal;
  parameters.precision = precision;
  parameters.of<TridiagonalParameters>().lanes = lanes;
  return parameters;
}

std::vector<double> solved(const std::shared_ptr<const HinesBatch>& batch, const SolveParameters& parameters)
{
  return solve(batch, parameters)->x;
}

bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

} // namespace

class TestTridiagonal : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void equalsADenseSolver();
  void isAccurate_data();
  void isAccurate();
  void staysAccurateWhereTheTextbookDoesNot();
  void solvesOtherRightHandSides();
  void givesTheSameBytesOnAnyNumberOfThreads();
  void choosesLanesThatHoldTheChain();
  void chartsEveryCompartmentOnce_data();
  void chartsEveryCompartmentOnce();
  void refusesOtherShapes();
  void refusesBadParameters();
  void peersNeedADevice();
  void canBeCancelled();
};

void TestTridiagonal::equalsADenseSolver()
{
  const System system = trees::makeSystem(trees::chain(45), 3);
  const auto expected = trees::solveDensely(trees::denseMatrix(*system), system->b);
  for (const int lanes : {2, 4, 8, 16, 32})
    QVERIFY(trees::normwiseDifference(solved(makeBatch({system}, 1), withLanes(lanes)), expected) < 1e-14);
}

void TestTridiagonal::isAccurate_data()
{
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("lanes");
  for (const int rows : {1, 2, 3, 31, 32, 33, 64, 65, 128, 257, 512, 1000, 1056})
    for (const int lanes : kAllLanes)
      if (rows <= lanes * kMostRowsPerLane)
        QTest::addRow("%d rows, %d lanes", rows, lanes) << rows << lanes;
}

void TestTridiagonal::isAccurate()
{
  QFETCH(int, rows);
  QFETCH(int, lanes);
  const auto batch = chains(rows, 7);
  QVERIFY(checkAccuracy(*batch, solved(batch, withLanes(lanes))).isWithinLimit());
  const auto single = solved(batch, withLanes(lanes, Precision::Single));
  QVERIFY(checkAccuracy(*batch, single).isWithinLimit(Precision::Single));
  for (const double value : single)
    QCOMPARE(value, static_cast<double>(static_cast<float>(value)));
}

/// Couplings a million times the excess, as in cells that are cut finely.
void TestTridiagonal::staysAccurateWhereTheTextbookDoesNot()
{
  const System system = trees::makeSystem(trees::chain(512), 5, 1e6);
  const auto batch = makeBatch({system}, 1);
  const auto exact = trees::solveByTextbook<long double>(system->parent, system->d, system->u, system->b);
  const auto textbook = trees::solveByTextbook<float>(system->parent, system->d, system->u, system->b);
  const auto ours = solved(batch, withLanes(0, Precision::Single));
  QVERIFY(trees::normwiseDifference(ours, exact) < 1e-5);
  QVERIFY(trees::normwiseDifference(textbook, exact) > 1e-3);
}

void TestTridiagonal::solvesOtherRightHandSides()
{
  const auto batch = chains(100, 9);
  auto other = std::make_shared<HinesBatch>(*batch);
  for (std::size_t i = 0; i < other->b.size(); ++i)
    other->b[i] = std::sin(static_cast<double>(i));
  StageTimings timings;
  const auto prepared = prepare(batch, withLanes(0), timings);
  prepared->solveOnce({});
  prepared->setRightHandSide(other->b);
  prepared->solveOnce({});
  std::vector<double> x(batch->compartments());
  prepared->read(x, timings);
  QVERIFY(sameBytes(x, solved(other, withLanes(0))));
}

void TestTridiagonal::givesTheSameBytesOnAnyNumberOfThreads()
{
  const auto batch = chains(200, 333);
  SolveParameters parameters = withLanes(0);
  parameters.threads = 1;
  const auto one = solved(batch, parameters);
  for (const int threads : {2, 5}) {
    parameters.threads = threads;
    QVERIFY(sameBytes(solved(batch, parameters), one));
  }
}

void TestTridiagonal::choosesLanesThatHoldTheChain()
{
  for (const std::int32_t rows : {1, 9, 10, 64, 128, 256, 288, 289, 512, 1056}) {
    const auto plan = makeTridiagonalPlan(chains(rows, 100), {}, 132);
    QCOMPARE(plan->rows, rows);
    QVERIFY(plan->lanes * plan->rowsPerLane >= rows);
    QCOMPARE(plan->rowsPerLane % 2, 1);
    QCOMPARE(32 % plan->lanes, 0);
    const auto perWarp = static_cast<std::size_t>(plan->systemsPerWarp());
    QVERIFY(plan->warps() * perWarp >= 100 && (plan->warps() - 1) * perWarp < 100);
  }
}

void TestTridiagonal::chartsEveryCompartmentOnce_data()
{
  QTest::addColumn<int>("rows");
  for (const int rows : {1, 5, 64, 200, 512})
    QTest::addRow("%d rows", rows) << rows;
}

void TestTridiagonal::chartsEveryCompartmentOnce()
{
  QFETCH(int, rows);
  const std::size_t cells = 13;
  const auto charts = solve(chains(rows, static_cast<std::int64_t>(cells)), withLanes(0))->schedule;
  QVERIFY(charts);
  std::size_t eliminated = 0;
  std::size_t junctions = 0;
  for (std::size_t unit = 0; unit < charts->unitCount(); ++unit) {
    const LaneChart chart = charts->chart(unit);
    std::int64_t useful = 0;
    for (const LaneBar& bar : chart.bars) {
      QVERIFY(bar.lane < chart.lanes && bar.step >= 0 && bar.step + bar.steps <= chart.steps);
      QVERIFY(bar.cell >= 0 && static_cast<std::size_t>(bar.cell) < cells);
      QCOMPARE(charts->unitOfCell(static_cast<std::size_t>(bar.cell)), unit);
      eliminated += bar.work == LaneWork::Compartment ? static_cast<std::size_t>(bar.steps) : 0;
      junctions += bar.work == LaneWork::Junction ? 1 : 0;
      useful += bar.work == LaneWork::Padding ? 0 : bar.steps;
    }
    const LaneFigures figures = measure(chart);
    QCOMPARE(figures.steps, std::int64_t{chart.steps});
    QCOMPARE(figures.occupancy(), static_cast<double>(useful) / (static_cast<double>(chart.lanes) * chart.steps));
    const bool isLast = unit + 1 == charts->unitCount();
    QVERIFY(isLast || charts->kindOf(unit) == charts->kindOf(0));
  }
  QCOMPARE(eliminated + junctions, cells * static_cast<std::size_t>(rows));
}

void TestTridiagonal::refusesOtherShapes()
{
  const auto refused = [](const std::vector<System>& systems) {
    return trees::failureOf([&] { solved(makeBatch(systems, 2), withLanes(0)); }) == ErrorCode::BadParameter;
  };
  const System chain = trees::makeSystem(trees::chain(20), 1);
  QVERIFY(refused({trees::makeSystem(trees::comb(10), 1)}));
  QVERIFY(refused({trees::makeSystem(trees::chain(20), 1), trees::makeSystem(trees::chain(21), 1)}));
  QVERIFY(refused({trees::makeSystem({-1, 0, -1}, 1)}));
  QVERIFY(refused({trees::makeSystem(trees::chain(1057), 1)}));
  QVERIFY(!refused({chain}));
}

void TestTridiagonal::refusesBadParameters()
{
  for (const std::int32_t lanes : {-1, 3, 33, 64})
    QCOMPARE(trees::failureOf([&] { solved(chains(10, 1), withLanes(lanes)); }), ErrorCode::BadParameter);
  QCOMPARE(trees::failureOf([] { solved(chains(100, 1), withLanes(2)); }), ErrorCode::BadParameter);
  for (const std::int32_t algorithm : {-1, 3})
    QCOMPARE(trees::failureOf([&] { validate(GtsvParameters{algorithm}); }), ErrorCode::BadParameter);
}

void TestTridiagonal::peersNeedADevice()
{
  for (const SolverId peer : {kGtsvStrided, kGtsvInterleaved}) {
    SolveParameters parameters;
    parameters.repeat = 1;
    parameters.solver = peer;
    QCOMPARE(trees::failureOf([&] { solved(chains(64, 4), parameters); }), ErrorCode::BadParameter);
  }
}

void TestTridiagonal::canBeCancelled()
{
  const RunControl control;
  control.cancel();
  StageTimings timings;
  const auto prepared = prepare(chains(64, 1000), withLanes(0), timings);
  QCOMPARE(trees::failureOf([&] { prepared->solveOnce(control); }), ErrorCode::Cancelled);
}

HINESIGHT_TEST(TestTridiagonal)
#include "test_tridiagonal.moc"
