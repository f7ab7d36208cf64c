#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "hines/prepared_solver.hpp"
#include "hines/solvers/interleaved/interleaved_plan.hpp"
#include "hines/solvers/interleaved/interleaved_streams.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cstring>
#include <limits>
#include <set>

using namespace hinesight;
using namespace hinesight::hines;
using trees::Parents;
using trees::System;

Q_DECLARE_METATYPE(Parents)

namespace {

constexpr InstructionSet kAllInstructions[] = {InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512};

SolveParameters parametersFor(int threads, Precision precision = Precision::Double)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = kInterleaved;
  parameters.threads = threads;
  parameters.precision = precision;
  return parameters;
}

std::vector<double> solved(const std::shared_ptr<const HinesBatch>& batch, int threads = 1,
                           Precision precision = Precision::Double)
{
  return solve(batch, parametersFor(threads, precision))->x;
}

template <typename Real>
bool sameBytes(const std::vector<Real>& a, const std::vector<Real>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

/// The first cells of a batch of one shape, a lane each, solved by one sweep: their solutions, one behind the other.
std::vector<double> sweptSideBySide(const hines::detail::InterleavedWidth<double>& width, const HinesBatch& batch)
{
  const auto steps = hines::detail::interleavedSteps(batch.shapes.front()->parent, {});
  const std::size_t n = batch.shapes.front()->size();
  const std::size_t count = width.lanes * n;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  struct alignas(64) Line
  {
    double values[8] = {kNan, kNan, kNan, kNan, kNan, kNan, kNan, kNan};
  };
  const std::size_t lines = (count + 7) / 8;
  std::vector<Line> memory(5 * lines);
  const auto array = [&](std::size_t k) { return memory[k * lines].values; };
  for (std::size_t lane = 0; lane < width.lanes; ++lane)
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t from = batch.offset[lane] + i;
      array(0)[i * width.lanes + lane] = batch.excess[from];
      array(1)[i * width.lanes + lane] = batch.u[from];
      array(2)[i * width.lanes + lane] = batch.b[from];
    }
  width.sweep(steps.view(), {array(0), array(1), array(2), array(3)}, array(4));
  std::vector<double> x(count);
  for (std::size_t lane = 0; lane < width.lanes; ++lane)
    for (std::size_t i = 0; i < n; ++i)
      x[lane * n + i] = array(3)[i * width.lanes + lane];
  return x;
}

/// Breadth first, so that hardly a compartment is numbered next to its parent.
Parents breadthFirst(std::int32_t size)
{
  Parents tree = {-1};
  for (std::int32_t i = 1; i < size; ++i)
    tree.push_back((i - 1) / 2);
  return tree;
}

/// Copies of many shapes, as many of each as it takes to have full, half full and single lanes.
std::shared_ptr<const HinesBatch> mixedBatch(std::int64_t copiesOfAll = 1)
{
  std::vector<System> systems;
  const auto add = [&](const Parents& parent, int copies) {
    for (int copy = 0; copy < copies; ++copy)
      systems.push_back(trees::makeSystem(parent, systems.size() + 1, copy % 2 == 0 ? 1 : 1e5));
  };
  add(trees::chain(1), 50);
  add(trees::chain(77), 16);
  add(trees::randomTree(150, 4, 2), 37);
  add(trees::randomTree(61, 9, 5, true), 21);
  add(trees::comb(40), 8);
  add(trees::binaryTree(5, 3), 5);
  add(breadthFirst(100), 19);
  add(trees::star(30), 3);
  for (std::uint64_t seed = 0; seed < 25; ++seed)
    add(trees::randomTree(20 + 10 * static_cast<std::int32_t>(seed), 5, seed + 100), 1);
  return makeBatch(systems, copiesOfAll);
}

} // namespace

class TestInterleaved : public QObject
{
  Q_OBJECT

private slots:
  void everyWidthEqualsTheDenseSolver_data();
  void everyWidthEqualsTheDenseSolver();
  void allInstructionsGiveTheSameBytes();
  void solvesMixedBatches();
  void givesTheSameBytesOnAnyNumberOfThreads();
  void takesOtherRightHandSides();
  void readsNoCouplingOfARoot();
  void solvesInSinglePrecision();
  void plansEveryCellOnce();
  void leavesHugeCellsToTheStreams();
  void wakesNoMoreThreadsThanPay();
  void goesOnAfterACancelledSolve();
  void drawsItsSchedule();
};

void TestInterleaved::everyWidthEqualsTheDenseSolver_data()
{
  QTest::addColumn<Parents>("parent");
  for (const std::int32_t size : {1, 2, 3, 7, 8, 9, 15, 16, 17, 33})
    QTest::addRow("chain of %d", size) << trees::chain(size);
  QTest::newRow("star") << trees::star(20);
  QTest::newRow("comb") << trees::comb(12);
  QTest::newRow("breadth first") << breadthFirst(50);
  QTest::newRow("binary tree") << trees::binaryTree(4, 3);
  QTest::newRow("forest") << trees::randomTree(60, 6, 3, true);
  QTest::newRow("roots only") << Parents(13, -1);
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    QTest::addRow("tree %d", static_cast<int>(seed)) << trees::randomTree(70, 3 + 4 * static_cast<int>(seed), seed);
}

void TestInterleaved::everyWidthEqualsTheDenseSolver()
{
  QFETCH(Parents, parent);
  const std::size_t n = parent.size();
  for (const auto instructions : kAllInstructions) {
    if (!hines::detail::hasVectorInstructions(instructions))
      continue;
    for (const auto& width : hines::detail::interleavedWidths<double>(instructions)) {
      std::vector<System> systems;
      for (std::size_t lane = 0; lane < width.lanes; ++lane)
        systems.push_back(trees::makeSystem(parent, lane + 1));
      const auto batch = makeBatch(systems, 1);
      const std::vector<double> x = sweptSideBySide(width, *batch);
      for (std::size_t lane = 0; lane < width.lanes; ++lane) {
        const auto expected = trees::solveDensely(trees::denseMatrix(*systems[lane]), systems[lane]->b);
        const auto first = x.begin() + static_cast<std::ptrdiff_t>(batch->offset[lane]);
        QVERIFY(trees::normwiseDifference({first, first + static_cast<std::ptrdiff_t>(n)}, expected) < 3e-14);
      }
    }
  }
}

void TestInterleaved::allInstructionsGiveTheSameBytes()
{
  // One lane of every width of all instructions: a cell's result is its own, whoever is beside it.
  const Parents parent = trees::randomTree(200, 5, 8);
  const System cell = trees::makeSystem(parent, 1, 1e3);
  std::vector<double> first;
  std::size_t compared = 0;
  for (const auto instructions : kAllInstructions) {
    if (!hines::detail::hasVectorInstructions(instructions))
      continue;
    for (const auto& width : hines::detail::interleavedWidths<double>(instructions)) {
      const auto batch = makeBatch(std::vector<System>(width.lanes, cell), 1);
      std::vector<double> x = sweptSideBySide(width, *batch);
      x.resize(parent.size());
      if (first.empty())
        first = x;
      QVERIFY(sameBytes(x, first));
      ++compared;
    }
  }
  QVERIFY(compared >= 2);
}

void TestInterleaved::solvesMixedBatches()
{
  const auto batch = mixedBatch();
  const Accuracy accuracy = checkAccuracy(*batch, solved(batch));
  QVERIFY2(accuracy.maxRelativeDifference < 1e-13, qPrintable(QString::number(accuracy.maxRelativeDifference)));
  QVERIFY(accuracy.relativeResidual < 1e-13);
}

void TestInterleaved::givesTheSameBytesOnAnyNumberOfThreads()
{
  const auto batch = mixedBatch(31);
  const std::vector<std::size_t> lanes = {16, 8, 4};
  QVERIFY(hines::detail::usefulThreads(*hines::detail::planInterleaved(batch, lanes, {}), 7) >= 3);
  for (const Precision precision : {Precision::Double, Precision::Single}) {
    const auto one = solved(batch, 1, precision);
    for (const int threads : {2, 3, 7, 0})
      QVERIFY(sameBytes(solved(batch, threads, precision), one));
  }
}

void TestInterleaved::takesOtherRightHandSides()
{
  const auto batch = mixedBatch();
  std::vector<double> twice = batch->b;
  for (double& value : twice)
    value *= 2;
  StageTimings timings;
  const auto solver = prepare(batch, parametersFor(2), timings);
  std::vector<double> before(batch->compartments());
  std::vector<double> after(batch->compartments());
  solver->solveOnce({});
  solver->read(before, timings);
  solver->setRightHandSide(twice);
  solver->solveOnce({});
  solver->read(after, timings);
  for (std::size_t i = 0; i < after.size(); ++i)
    QCOMPARE(after[i], 2 * before[i]); // exactly: nothing but a power of two
}

void TestInterleaved::readsNoCouplingOfARoot()
{
  for (const int copies : {1, 40}) {
    const auto clean = makeBatch({trees::makeSystem(trees::randomTree(90, 7, 4, true), 1)}, copies);
    auto spoilt = std::make_shared<HinesBatch>(*clean);
    for (std::size_t cell = 0; cell < clean->cells(); ++cell)
      for (std::size_t i = 0; i < clean->shapes[0]->size(); ++i)
        if (clean->shapes[0]->parent[i] < 0)
          spoilt->u[clean->offset[cell] + i] = -17;
    QVERIFY(sameBytes(solved(spoilt), solved(clean)));
  }
}

void TestInterleaved::solvesInSinglePrecision()
{
  const auto batch = mixedBatch();
  const auto single = solved(batch, 1, Precision::Single);
  QVERIFY(checkAccuracy(*batch, single).isWithinLimit(Precision::Single));
  // The numbers were single precision's, not double's under another name.
  std::size_t exact = 0;
  for (const double value : single)
    exact += static_cast<double>(static_cast<float>(value)) == value ? 1 : 0;
  QCOMPARE(exact, single.size());
}

void TestInterleaved::plansEveryCellOnce()
{
  const auto batch = mixedBatch();
  const std::vector<std::size_t> lanes = {16, 8, 4};
  const auto plan = hines::detail::planInterleaved(batch, lanes, {});
  std::multiset<std::uint32_t> cells(plan->streamedCells.begin(), plan->streamedCells.end());
  cells.insert(plan->groupedCells.begin(), plan->groupedCells.end());
  for (std::uint32_t cell = 0; cell < batch->cells(); ++cell)
    QCOMPARE(cells.count(cell), std::size_t{1});
  QCOMPARE(cells.size(), batch->cells());

  std::vector<std::size_t> widthsUsed(lanes.size(), 0);
  std::size_t grouped = 0;
  for (const auto& group : plan->groups) {
    QVERIFY(group.cells <= lanes[group.width]);
    QVERIFY(2 * group.cells > lanes[group.width]);
    for (std::size_t k = 0; k < group.cells; ++k)
      QCOMPARE(batch->shapeOf[plan->groupedCells[group.cellBegin + k]], group.shape);
    ++widthsUsed[group.width];
    grouped += group.cells;
  }
  QCOMPARE(grouped, plan->groupedCells.size());
  for (const std::size_t used : widthsUsed)
    QVERIFY(used > 0);
  QVERIFY(plan->streamedCells.size() >= 25); // those of a shape of their own
  for (std::size_t k = 1; k < plan->streamedCells.size(); ++k)
    QVERIFY(batch->shapes[batch->shapeOf[plan->streamedCells[k]]]->size() <=
            batch->shapes[batch->shapeOf[plan->streamedCells[k - 1]]]->size());
}

void TestInterleaved::wakesNoMoreThreadsThanPay()
{
  const std::vector<std::size_t> lanes = {16, 8, 4};
  const auto threadsFor = [&](std::int32_t size, std::int64_t copies, int threads) {
    const auto batch = makeBatch({trees::makeSystem(trees::chain(size), 1)}, copies);
    return hines::detail::usefulThreads(*hines::detail::planInterleaved(batch, lanes, {}), threads);
  };
  QCOMPARE(threadsFor(10, 160, 8), 1);     // hardly anything to do
  QCOMPARE(threadsFor(100'000, 16, 8), 1); // one group cannot be shared
  QCOMPARE(threadsFor(10'000, 1'600, 8), 8);
  QCOMPARE(threadsFor(10'000, 1'600, 1), 1);
  const int some = threadsFor(1'000, 200, 64);
  QVERIFY(some > 1 && some < 12);
}

void TestInterleaved::leavesHugeCellsToTheStreams()
{
  const auto batch = makeBatch({trees::makeSystem(trees::chain(300'000), 1)}, 9);
  const std::vector<std::size_t> lanes = {8, 4};
  const auto plan = hines::detail::planInterleaved(batch, lanes, {});
  QVERIFY(plan->groups.empty());
  QCOMPARE(plan->streamedCells.size(), std::size_t{9});
  QVERIFY(checkAccuracy(*batch, solved(batch)).isWithinLimit());
}

void TestInterleaved::goesOnAfterACancelledSolve()
{
  std::vector<System> systems;
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    systems.push_back(trees::makeSystem(trees::randomTree(3000 + static_cast<int>(seed), 4, seed), seed));
  const auto batch = makeBatch(systems, 1);
  // Of the streams' state, a cell given at the second call ends in the middle.
  hines::detail::StreamSweep<double> streams;
  std::vector<double> x(batch->compartments());
  const hines::detail::InterleavedRows<double> rows{batch->excess.data(), batch->u.data(), batch->b.data(), x.data()};
  std::vector<hines::detail::InterleavedSteps> shapes;
  for (const auto& shape : batch->shapes)
    shapes.push_back(hines::detail::interleavedSteps(shape->parent, {}));
  const RunControl control;
  std::size_t cell = 0;
  const auto next = [&]() -> std::optional<hines::detail::StreamedCell> {
    if (cell == 12)
      control.cancel();
    if (cell == batch->cells())
      return std::nullopt;
    const std::size_t taken = cell++;
    return hines::detail::StreamedCell{shapes[batch->shapeOf[taken]].view(), batch->offset[taken]};
  };
  QCOMPARE(trees::failureOf([&] { streams.run(rows, next, control); }), ErrorCode::Cancelled);
  cell = 13; // past the cancellation: nothing of the abandoned cells may be touched again
  std::fill(x.begin(), x.end(), -1);
  streams.run(rows, next, {});
  for (std::size_t k = 0; k < batch->cells(); ++k) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(batch->offset[k]);
    const std::vector<double> mine(first, first + static_cast<std::ptrdiff_t>(systems[k]->size()));
    if (k < 13)
      QVERIFY(std::all_of(mine.begin(), mine.end(), [](double value) { return value == -1; }));
    else
      QVERIFY(trees::normwiseDifference(mine, trees::solveByTextbook<long double>(systems[k]->parent, systems[k]->d,
                                                                                  systems[k]->u, systems[k]->b)) <
              1e-13);
  }
}

void TestInterleaved::drawsItsSchedule()
{
  const auto batch = mixedBatch();
  const auto charts = solve(batch, parametersFor(1))->schedule;
  QVERIFY(charts);
  std::multiset<std::int32_t> drawn;
  for (std::size_t unit = 0; unit < charts->unitCount(); ++unit) {
    const LaneChart chart = charts->chart(unit);
    const LaneFigures figures = measure(chart);
    QCOMPARE(figures.lanes, chart.lanes);
    QCOMPARE(figures.steps, std::int64_t{chart.steps});
    std::int64_t busy = 0;
    for (const LaneBar& bar : chart.bars) {
      QVERIFY(bar.lane >= 0 && bar.lane < chart.lanes);
      QVERIFY(bar.step >= 0 && bar.step + bar.steps <= chart.steps);
      const auto cell = static_cast<std::size_t>(bar.cell);
      QCOMPARE(static_cast<std::size_t>(bar.steps), batch->offset[cell + 1] - batch->offset[cell]);
      busy += bar.steps;
      drawn.insert(bar.cell);
    }
    QCOMPARE(figures.occupancy(), static_cast<double>(busy) / (static_cast<double>(chart.lanes) * chart.steps));
  }
  QCOMPARE(drawn.size(), batch->cells());
  QCOMPARE(std::set<std::int32_t>(drawn.begin(), drawn.end()).size(), batch->cells());
}

HINESIGHT_TEST(TestInterleaved)
#include "test_interleaved.moc"
