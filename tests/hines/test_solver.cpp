// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/solvers.hpp"
#include "hines/trees.hpp"

#include "core/device.hpp"
#include "core/measured.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;
using trees::Parents;
using trees::System;

Q_DECLARE_METATYPE(hinesight::hines::SolveParameters)

namespace {

const std::vector<SolverId> kSolvers = {kSerial, kMulticore, kFine, kResident, kCoarse, kInterleaved};

SolveParameters on(SolverId solver, std::int32_t threads = 0)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.solver = solver;
  parameters.threads = threads;
  return parameters;
}

/// The same with a plan of branches.
SolveParameters by(SolverId solver, const PlanParameters& plan, std::int32_t threads = 0)
{
  SolveParameters parameters = on(solver, threads);
  parameters.of<PlanParameters>() = plan;
  return parameters;
}

bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Trees of every kind, finely and coarsely cut.
std::vector<System> mixedSystems()
{
  return {trees::makeSystem(trees::chain(1), 1),
          trees::makeSystem(trees::randomTree(150, 4, 2), 2),
          trees::makeSystem(trees::randomTree(120, 60, 3), 3, 1e6),
          trees::makeSystem(trees::star(200), 4),
          trees::makeSystem(trees::randomTree(90, 8, 5, true), 5),
          trees::makeSystem(trees::comb(40), 6, 1e3),
          trees::makeSystem(trees::binaryTree(6, 3), 7)};
}

} // namespace

class TestSolver : public QObject
{
  Q_OBJECT

private Q_SLOTS:
  void solvesAnExample();
  void equalsADenseSolver_data();
  void equalsADenseSolver();
  void equalsTheSerialSweepBitForBit();
  void movedRootsStayWithinTheLimit();
  void givesTheSameBytesOnAnyNumberOfThreads();
  void givesTheSameBytesLaneByLane();
  void takesAnyMatrix();
  void repeats();
  void repeatsUntilTheMedianIsStable();
  void reportsStagesAndDevice();
  void leavesTheBatchAlone();
  void solvesExtremes_data();
  void solvesExtremes();
  void rejectsParameters_data();
  void rejectsParameters();
  void schedulesNeedNoDevice();
  void solversRefuseSchedulesOfOthers();
  void settingsAreAValue();
  void waysToCutAreTheChoicesOfAParameter();
  void needsADeviceForCuda();
  void canBeCancelled_data();
  void canBeCancelled();
};

void TestSolver::solvesAnExample()
{
  // Three compartments, 1 and 2 on 0:  [4 -1 -2; -1 3 0; -2 0 5] x = [-1; 5; 13] has the solution 2, 7/3, 17/5.
  auto system = std::make_shared<HinesSystem>();
  system->parent = {-1, 0, 0};
  system->d = {4, 3, 5};
  system->u = {0, -1, -2};
  system->b = {4 * 2 - 7.0 / 3 - 2 * 17.0 / 5, 5, 13};
  const auto batch = makeBatch({system}, 1);
  QCOMPARE(batch->excess, (std::vector<double>{1, 2, 3}));
  for (const PlanParameters& parameters : trees::everyPlan()) {
    for (const SolverId solver : kSolvers) {
      const auto solution = solve(batch, by(solver, parameters));
      const std::vector<double> expected = {2, 7.0 / 3, 17.0 / 5};
      QVERIFY(trees::normwiseDifference(solution->x, expected) < 1e-15);
    }
  }
}

void TestSolver::equalsADenseSolver_data()
{
  QTest::addColumn<Parents>("parent");
  QTest::addColumn<double>("strength");
  for (const double strength : {1.0, 1e4})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto size = static_cast<std::int32_t>(10 + 12 * seed);
      QTest::addRow("tree %d, couplings x %g", static_cast<int>(seed), strength)
          << trees::randomTree(size, 1 + static_cast<std::int32_t>(3 * seed), seed) << strength;
      QTest::addRow("forest %d, couplings x %g", static_cast<int>(seed), strength)
          << trees::randomTree(size, 5, seed, true) << strength;
    }
}

void TestSolver::equalsADenseSolver()
{
  QFETCH(Parents, parent);
  QFETCH(double, strength);
  const System system = trees::makeSystem(parent, 3, strength);
  const std::vector<double> expected = trees::solveDensely(trees::denseMatrix(*system), system->b);
  const auto batch = makeBatch({system}, 1);
  for (const PlanParameters& parameters : trees::everyPlan(32)) {
    for (const SolverId solver : kSolvers)
      // The dense solver works in long double on the diagonal, so it is right to 1e-19 times the coupling strength.
      QVERIFY(trees::normwiseDifference(solve(batch, by(solver, parameters))->x, expected) < 3e-14);
  }
}

void TestSolver::equalsTheSerialSweepBitForBit()
{
  const auto batch = makeBatch(mixedSystems(), 7);
  for (const std::int32_t blockSize : {32, 128, 1024})
    for (const PlanParameters& parameters : trees::everyPlan(blockSize)) {
      if (parameters.balance != BalanceMeasure::None)
        continue;
      const auto plan = makePlan(batch, parameters);
      const auto serial = solve(batch, on(kSerial));
      QVERIFY(sameBytes(solve(plan, on(kMulticore))->x, serial->x));
      QVERIFY(sameBytes(solve(plan, on(kFine))->x, serial->x));
    }
}

void TestSolver::movedRootsStayWithinTheLimit()
{
  const auto batch = makeBatch(mixedSystems(), 7);
  std::vector<double> serial;
  bool anyDiffers = false;
  for (const PlanParameters& parameters : trees::everyPlan()) {
    const auto plan = makePlan(batch, parameters);
    if (serial.empty())
      serial = solve(batch, on(kSerial))->x;
    const auto solution = solve(plan, on(kMulticore));
    anyDiffers = anyDiffers || !sameBytes(solution->x, serial);
    const Accuracy accuracy = checkAccuracy(*batch, solution->x);
    QVERIFY2(accuracy.isWithinLimit(),
             qPrintable(QString("%1 %2").arg(accuracy.maxRelativeDifference).arg(accuracy.relativeResidual)));
  }
  QVERIFY(anyDiffers); // else nothing was moved and the comparison said nothing
}

void TestSolver::givesTheSameBytesOnAnyNumberOfThreads()
{
  const auto batch = makeBatch(mixedSystems(), 60);
  PlanParameters parameters;
  parameters.blockSize = 32; // many blocks
  const auto plan = makePlan(batch, parameters);
  QVERIFY(plan->blocks.size() > 100);
  const auto one = solve(plan, on(kMulticore, 1));
  for (const std::int32_t threads : {2, 3, 8, 0})
    QVERIFY(sameBytes(solve(plan, on(kMulticore, threads))->x, one->x));
}

void TestSolver::givesTheSameBytesLaneByLane()
{
  const auto batch = makeBatch(mixedSystems(), 5);
  for (PlanParameters parameters : trees::everyPlan()) {
    parameters.sortByLength = true;
    const auto sorted = makePlan(batch, parameters);
    parameters.sortByLength = false;
    const auto unsorted = makePlan(batch, parameters);
    const auto rowByRow = solve(sorted, on(kMulticore));
    QVERIFY(sameBytes(solve(sorted, on(kFine))->x, rowByRow->x));
    QVERIFY(sameBytes(solve(unsorted, on(kMulticore))->x, rowByRow->x));
    QVERIFY(sameBytes(solve(unsorted, on(kFine))->x, rowByRow->x));
  }
}

void TestSolver::takesAnyMatrix()
{
  // Couplings of either sign: no matrix of a cable, but still diagonally dominant.
  auto system = std::make_shared<HinesSystem>(*trees::makeSystem(trees::randomTree(60, 5, 9), 9));
  for (std::size_t i = 0; i < system->size(); i += 3)
    system->u[i] = -system->u[i];
  const std::vector<double> expected = trees::solveDensely(trees::denseMatrix(*system), system->b);
  const auto batch = makeBatch({system}, 1);
  for (const PlanParameters& parameters : trees::everyPlan()) {
    const auto solution = solve(makePlan(batch, parameters), on(kMulticore));
    QVERIFY(trees::normwiseDifference(solution->x, expected) < 1e-13);
  }
}

void TestSolver::repeats()
{
  const auto batch = makeBatch(mixedSystems(), 3);
  for (const SolverId solver : kSolvers) {
    SolveParameters parameters = on(solver);
    const auto once = solve(batch, parameters);
    QCOMPARE(once->repetitions.size(), std::size_t{1});
    parameters.repeat = 17;
    const auto often = solve(batch, parameters);
    QVERIFY(sameBytes(often->x, once->x));
    QCOMPARE(often->repetitions.size(), std::size_t{17});
    std::vector<double> sorted = often->repetitions;
    std::ranges::sort(sorted);
    QCOMPARE(often->timings.of("solve"), sorted[8]);
    QCOMPARE(often->parameters, parameters);
  }
}

/// A small batch is solved at least as often as an interval takes.
void TestSolver::repeatsUntilTheMedianIsStable()
{
  const auto batch = makeBatch(mixedSystems(), 3);
  QCOMPARE(SolveParameters().repeat, kUntilStable);
  SolveParameters parameters = on(kSerial);
  parameters.repeat = kUntilStable;
  const auto solution = solve(batch, parameters);
  QVERIFY(solution->repetitions.size() >= kLeastForInterval);
  QVERIFY(solution->repetitions.size() <= 1000);
  QCOMPARE(solution->timings.of("solve"), measuredOf(solution->repetitions).median);
}

void TestSolver::reportsStagesAndDevice()
{
  const auto batch = makeBatch(mixedSystems(), 3);
  const auto stages = [](const Solution& solution) {
    std::vector<std::string> names;
    for (const Stage& stage : solution.timings.stages)
      names.push_back(stage.name);
    return names;
  };
  const auto serial = solve(batch, on(kSerial));
  QCOMPARE(stages(*serial), (std::vector<std::string>{"plan", "solve"}));
  QCOMPARE(serial->timings.device, processorName() + ", 1 thread");
  const auto multicore = solve(batch, on(kMulticore, 3));
  QCOMPARE(stages(*multicore), (std::vector<std::string>{"plan", "permute", "solve"}));
  QCOMPARE(multicore->timings.device, processorName() + ", 3 threads");
  QCOMPARE(multicore->timings.backend, Backend::Cpu);
  QVERIFY(multicore->timings.of("permute") > 0);
  QVERIFY(multicore->timings.of("solve") > 0);
  const auto fine = solve(batch, on(kFine, 3));
  QCOMPARE(stages(*fine), (std::vector<std::string>{"plan", "permute", "solve"}));
  QCOMPARE(fine->timings.device, processorName() + ", 1 thread");
  // A schedule that is there is executed as it is.
  const auto plan = makePlan(batch, {});
  const auto known = solve(batch, on(kFine), {}, plan);
  QCOMPARE(stages(*known), (std::vector<std::string>{"permute", "solve"}));
  QVERIFY(known->schedule == plan);
  PlanParameters other;
  other.blockSize = 32;
  QVERIFY(solve(batch, by(kFine, other), {}, plan)->schedule != plan);
  QVERIFY(solve(batch, on(kSerial), {}, plan)->schedule != plan);
}

void TestSolver::leavesTheBatchAlone()
{
  const auto batch = makeBatch(mixedSystems(), 3);
  const HinesBatch before = *batch;
  for (const SolverId solver : kSolvers)
    solve(batch, on(solver));
  QVERIFY(sameBytes(batch->d, before.d));
  QVERIFY(sameBytes(batch->u, before.u));
  QVERIFY(sameBytes(batch->b, before.b));
  QVERIFY(sameBytes(batch->excess, before.excess));
}

void TestSolver::solvesExtremes_data()
{
  QTest::addColumn<Parents>("parent");
  QTest::newRow("chain of 300,000") << trees::chain(300'000);
  QTest::newRow("comb of 100,000 joints") << trees::comb(100'000);
  QTest::newRow("star of 200,000 tips") << trees::star(200'000);
  QTest::newRow("300,000 single compartments") << Parents(300'000, -1);
}

void TestSolver::solvesExtremes()
{
  QFETCH(Parents, parent);
  const System system = trees::makeSystem(parent, 1, 100);
  const auto batch = makeBatch({system}, 1);
  const auto expected = trees::solveByTextbook<long double>(parent, system->d, system->u, system->b);
  for (const BalanceMeasure balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments}) {
    PlanParameters parameters;
    parameters.balance = balance;
    for (const SolverId solver : kSolvers)
      QVERIFY(trees::normwiseDifference(solve(batch, by(solver, parameters))->x, expected) < 1e-13);
  }
}

void TestSolver::rejectsParameters_data()
{
  QTest::addColumn<SolveParameters>("parameters");
  const auto row = [](const char* name, const std::function<void(SolveParameters&)>& spoil) {
    SolveParameters parameters;
    spoil(parameters);
    QTest::newRow(name) << parameters;
  };
  row("negative repetitions", [](SolveParameters& p) { p.repeat = -3; });
  row("absurdly many repetitions", [](SolveParameters& p) { p.repeat = 2'000'000; });
  row("negative threads", [](SolveParameters& p) { p.threads = -1; });
  row("absurdly many threads", [](SolveParameters& p) { p.threads = 5000; });
  row("multicore on CUDA", [](SolveParameters& p) {
    p.solver = kMulticore;
    p.backend = Backend::Cuda;
  });
  row("no such solver", [](SolveParameters& p) { p.solver = SolverId{"cereal"}; });
  row("a setting out of range", [](SolveParameters& p) {
    p.solver = kEdd;
    p.of<EddParameters>().refinements = 9;
  });
  row("serial on CUDA", [](SolveParameters& p) {
    p.solver = kSerial;
    p.backend = Backend::Cuda;
  });
}

void TestSolver::rejectsParameters()
{
  QFETCH(SolveParameters, parameters);
  QCOMPARE(trees::failureOf([&] { validate(parameters); }), ErrorCode::BadParameter);
  const auto batch = makeBatch({trees::makeSystem(trees::chain(3), 1)}, 1);
  QCOMPARE(trees::failureOf([&] { solve(batch, parameters); }), ErrorCode::BadParameter);
}

/// What a solver would do on a GPU can be looked at where there is none.
void TestSolver::schedulesNeedNoDevice()
{
  const auto cells = makeBatch(mixedSystems(), 3);
  const auto chains = makeBatch({trees::makeSystem(trees::chain(64), 1)}, 3);
  for (const SolverDefinition* solver : allSolvers())
    for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
      if (!runsOn(solver->traits.id, backend))
        continue;
      SolveParameters parameters = on(solver->traits.id);
      parameters.backend = backend;
      StageTimings timings;
      const auto batch = solver->traits.chainsOnly ? chains : cells;
      const auto schedule = makeSchedule(batch, parameters, timings);
      QVERIFY(schedule->batch == batch);
      QVERIFY(schedule->unitCount() > 0);
      QVERIFY(schedule->unitOfCell(0).has_value());
      QVERIFY(!schedule->unitOfCell(batch->cells()).has_value());
      QVERIFY(timings.of("plan") > 0);
      const std::optional<ScheduleFigures> figures = schedule->summary();
      QCOMPARE(figures.has_value(), !solver->traits.isPeer);
      if (!figures)
        continue;
      QCOMPARE(figures->units, schedule->unitCount());
      QVERIFY(figures->occupancy > 0 && figures->occupancy <= 1);
      QVERIFY(figures->rounds >= 1 && figures->criticalPath >= 1);
      QVERIFY(figures->bytesMoved >= 4 * sizeof(double) * batch->compartments());
      // Every row of a cell is in one piece; lanes that share a chain go on with their junctions until all are solved.
      const std::int32_t first = 0;
      std::int64_t rows = 0;
      for (const SchedulePiece& piece : schedule->piecesOf(std::span(&first, 1)))
        rows += piece.work == LaneWork::Junction && solver->traits.chainsOnly ? 0 : piece.steps;
      QVERIFY(solver->traits.chainsOnly || rows == static_cast<std::int64_t>(batch->offset[1]));
    }
}

void TestSolver::solversRefuseSchedulesOfOthers()
{
  const auto batch = makeBatch(mixedSystems(), 3);
  StageTimings timings;
  const auto schedule = makeSchedule(batch, on(kCoarse), timings);
  QCOMPARE(solve(schedule, on(kCoarse))->schedule, schedule);
  QCOMPARE(trees::failureOf([&] { solve(schedule, on(kMulticore)); }), ErrorCode::BadParameter);
  QCOMPARE(trees::failureOf([&] { solve(schedule, on(kSerial)); }), ErrorCode::BadParameter);
}

void TestSolver::settingsAreAValue()
{
  SolveParameters a;
  SolveParameters b;
  QCOMPARE(b.of<EddParameters>().chainLength, 0); // to look is not to change
  QVERIFY(a == b);
  a.of<EddParameters>().chainLength = 7;
  QVERIFY(a != b && b != a);
  b = a;
  QVERIFY(a == b);
  b.of<EddParameters>().chainLength = 8;
  QCOMPARE(a.of<EddParameters>().chainLength, 7);
  QVERIFY(a != b);
  b.of<CoarseParameters>().blockSize = 64;
  const SolveParameters moved = std::move(b);
  QCOMPARE(moved.of<EddParameters>().chainLength, 8);
  QCOMPARE(moved.of<CoarseParameters>().blockSize, 64);
  QCOMPARE(moved.of<PlanParameters>(), PlanParameters{});
}

/// The Splitting view offers under the same names what the form of parameters offers.
void TestSolver::waysToCutAreTheChoicesOfAParameter()
{
  const std::vector<std::pair<SolverId, std::span<const Choice>>> tables = {
      {kFine, tableOf(SplitStrategy{})}, {kMulticore, tableOf(SplitStrategy{})}, {kEdd, tableOf(EddMethod{})}};
  for (const auto& [solver, table] : tables) {
    const SolverDefinition& definition = definitionOf(solver);
    SolveParameters parameters;
    for (std::size_t k = 0; k < table.size(); ++k) {
      definition.chooseCut(parameters, table[k].name);
      const std::vector<CutWay> ways = definition.cutWays(parameters);
      QCOMPARE(ways.size(), table.size());
      QCOMPARE(ways[k].name, table[k].name);
      QCOMPARE(ways[k].title, table[k].label);
      QVERIFY(ways[k].isChosen);
      QCOMPARE(std::ranges::count(ways, true, &CutWay::isChosen), 1);
    }
    const SolveParameters before = parameters;
    definition.chooseCut(parameters, "no way");
    QVERIFY(parameters == before);
  }
}

void TestSolver::needsADeviceForCuda()
{
  if (!cudaDevices().empty())
    QSKIP("There is a CUDA device.");
  const auto batch = makeBatch({trees::makeSystem(trees::chain(3), 1)}, 1);
  SolveParameters parameters = on(kFine);
  parameters.backend = Backend::Cuda;
  QCOMPARE(trees::failureOf([&] { solve(batch, parameters); }), ErrorCode::NoDevice);
}

void TestSolver::canBeCancelled_data()
{
  QTest::addColumn<SolverId>("solver");
  QTest::addColumn<int>("copies");
  QTest::addColumn<int>("size");
  for (const SolverId solver : {kSerial, kMulticore, kFine, kInterleaved}) {
    QTest::addRow("%s, many cells", solverName(solver).data()) << solver << 5000 << 300;
    QTest::addRow("%s, one huge cell", solverName(solver).data()) << solver << 1 << 1'500'000;
  }
}

void TestSolver::canBeCancelled()
{
  QFETCH(SolverId, solver);
  QFETCH(int, copies);
  QFETCH(int, size);
  PlanParameters unsplit;
  unsplit.split = SplitStrategy::None;
  constexpr std::size_t kMostBetween = 1 << 18; // compartments, eliminated or substituted
  const auto batch = makeBatch({trees::makeSystem(trees::randomTree(size, 2, 1), 1)}, copies);
  const auto run = [&](const RunControl& control) { solve(batch, by(solver, unsplit), control); };
  const trees::Checkpoints checkpoints(run);
  const std::size_t ofSolve = checkpoints.of("solve");
  QVERIFY2(ofSolve >= 2 * batch->compartments() / kMostBetween, qPrintable(QString::number(ofSolve)));
  QVERIFY(trees::endsWhereCancelled(run, checkpoints.all()));
}

HINESIGHT_TEST(TestSolver)
#include "test_solver.moc"
