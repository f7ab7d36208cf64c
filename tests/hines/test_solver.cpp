// The plan has slots of its own.
#define QT_NO_KEYWORDS

#include "hines/trees.hpp"

#include "core/device.hpp"
#include "hines/branch/plan.hpp"
#include "hines/solver.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace hinesight;
using namespace hinesight::hines;
using trees::Parents;
using trees::System;

Q_DECLARE_METATYPE(hinesight::hines::SolveParameters)

namespace {

const std::vector<SolverKind> kSolvers = {SolverKind::Serial,   SolverKind::Multicore, SolverKind::Fine,
                                          SolverKind::Resident, SolverKind::Coarse,    SolverKind::Interleaved};

SolveParameters on(SolverKind solver, std::int32_t threads = 0)
{
  SolveParameters parameters;
  parameters.solver = solver;
  parameters.threads = threads;
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
  void reportsStagesAndDevice();
  void leavesTheBatchAlone();
  void solvesExtremes_data();
  void solvesExtremes();
  void rejectsParameters_data();
  void rejectsParameters();
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
    const auto plan = makePlan(batch, parameters);
    for (const SolverKind solver : kSolvers) {
      const auto solution = solve(plan, on(solver));
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
    const auto plan = makePlan(batch, parameters);
    for (const SolverKind solver : kSolvers)
      // The dense solver works in long double on the diagonal, so it is right to 1e-19 times the coupling strength.
      QVERIFY(trees::normwiseDifference(solve(plan, on(solver))->x, expected) < 3e-14);
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
      const auto serial = solve(plan, on(SolverKind::Serial));
      QVERIFY(sameBytes(solve(plan, on(SolverKind::Multicore))->x, serial->x));
      QVERIFY(sameBytes(solve(plan, on(SolverKind::Fine))->x, serial->x));
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
      serial = solve(plan, on(SolverKind::Serial))->x;
    const auto solution = solve(plan, on(SolverKind::Multicore));
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
  const auto one = solve(plan, on(SolverKind::Multicore, 1));
  for (const std::int32_t threads : {2, 3, 8, 0})
    QVERIFY(sameBytes(solve(plan, on(SolverKind::Multicore, threads))->x, one->x));
}

void TestSolver::givesTheSameBytesLaneByLane()
{
  const auto batch = makeBatch(mixedSystems(), 5);
  for (PlanParameters parameters : trees::everyPlan()) {
    parameters.sortByLength = true;
    const auto sorted = makePlan(batch, parameters);
    parameters.sortByLength = false;
    const auto unsorted = makePlan(batch, parameters);
    const auto rowByRow = solve(sorted, on(SolverKind::Multicore));
    QVERIFY(sameBytes(solve(sorted, on(SolverKind::Fine))->x, rowByRow->x));
    QVERIFY(sameBytes(solve(unsorted, on(SolverKind::Multicore))->x, rowByRow->x));
    QVERIFY(sameBytes(solve(unsorted, on(SolverKind::Fine))->x, rowByRow->x));
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
    const auto solution = solve(makePlan(batch, parameters), on(SolverKind::Multicore));
    QVERIFY(trees::normwiseDifference(solution->x, expected) < 1e-13);
  }
}

void TestSolver::repeats()
{
  const auto plan = makePlan(makeBatch(mixedSystems(), 3), {});
  for (const SolverKind solver : kSolvers) {
    SolveParameters parameters = on(solver);
    const auto once = solve(plan, parameters);
    parameters.repeat = 17;
    const auto often = solve(plan, parameters);
    QVERIFY(sameBytes(often->x, once->x));
    QCOMPARE(often->repetitions.size(), std::size_t{17});
    QCOMPARE(often->timings.of("solve"), *std::min_element(often->repetitions.begin(), often->repetitions.end()));
    QCOMPARE(often->parameters, parameters);
  }
}

void TestSolver::reportsStagesAndDevice()
{
  const auto plan = makePlan(makeBatch(mixedSystems(), 3), {});
  const auto stages = [](const Solution& solution) {
    std::vector<std::string> names;
    for (const Stage& stage : solution.timings.stages)
      names.push_back(stage.name);
    return names;
  };
  const auto serial = solve(plan, on(SolverKind::Serial));
  QCOMPARE(stages(*serial), (std::vector<std::string>{"solve"}));
  QCOMPARE(serial->timings.device, processorName() + ", 1 thread");
  const auto multicore = solve(plan, on(SolverKind::Multicore, 3));
  QCOMPARE(stages(*multicore), (std::vector<std::string>{"permute", "solve"}));
  QCOMPARE(multicore->timings.device, processorName() + ", 3 threads");
  QCOMPARE(multicore->timings.backend, Backend::Cpu);
  QVERIFY(multicore->timings.of("permute") > 0);
  QVERIFY(multicore->timings.of("solve") > 0);
  const auto fine = solve(plan, on(SolverKind::Fine, 3));
  QCOMPARE(stages(*fine), (std::vector<std::string>{"permute", "solve"}));
  QCOMPARE(fine->timings.device, processorName() + ", 1 thread");
}

void TestSolver::leavesTheBatchAlone()
{
  const auto batch = makeBatch(mixedSystems(), 3);
  const HinesBatch before = *batch;
  const auto plan = makePlan(batch, {});
  for (const SolverKind solver : kSolvers)
    solve(plan, on(solver));
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
    const auto plan = makePlan(batch, parameters);
    for (const SolverKind solver : kSolvers)
      QVERIFY(trees::normwiseDifference(solve(plan, on(solver))->x, expected) < 1e-13);
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
  row("no repetition", [](SolveParameters& p) { p.repeat = 0; });
  row("negative repetitions", [](SolveParameters& p) { p.repeat = -3; });
  row("absurdly many repetitions", [](SolveParameters& p) { p.repeat = 2'000'000; });
  row("negative threads", [](SolveParameters& p) { p.threads = -1; });
  row("absurdly many threads", [](SolveParameters& p) { p.threads = 5000; });
  row("multicore on CUDA", [](SolveParameters& p) {
    p.solver = SolverKind::Multicore;
    p.backend = Backend::Cuda;
  });
  row("serial on CUDA", [](SolveParameters& p) {
    p.solver = SolverKind::Serial;
    p.backend = Backend::Cuda;
  });
}

void TestSolver::rejectsParameters()
{
  QFETCH(SolveParameters, parameters);
  QCOMPARE(trees::failureOf([&] { validate(parameters); }), ErrorCode::BadParameter);
  const auto plan = makePlan(makeBatch({trees::makeSystem(trees::chain(3), 1)}, 1), {});
  QCOMPARE(trees::failureOf([&] { solve(plan, parameters); }), ErrorCode::BadParameter);
}

void TestSolver::needsADeviceForCuda()
{
  if (!cudaDevices().empty())
    QSKIP("There is a CUDA device.");
  const auto plan = makePlan(makeBatch({trees::makeSystem(trees::chain(3), 1)}, 1), {});
  SolveParameters parameters = on(SolverKind::Fine);
  parameters.backend = Backend::Cuda;
  QCOMPARE(trees::failureOf([&] { solve(plan, parameters); }), ErrorCode::NoDevice);
}

void TestSolver::canBeCancelled_data()
{
  QTest::addColumn<SolverKind>("solver");
  QTest::addColumn<int>("copies");
  QTest::addColumn<int>("size");
  for (const SolverKind solver :
       {SolverKind::Serial, SolverKind::Multicore, SolverKind::Fine, SolverKind::Interleaved}) {
    QTest::addRow("%s, many cells", solverName(solver).data()) << solver << 5000 << 300;
    QTest::addRow("%s, one huge cell", solverName(solver).data()) << solver << 1 << 1'500'000;
  }
}

void TestSolver::canBeCancelled()
{
  QFETCH(SolverKind, solver);
  QFETCH(int, copies);
  QFETCH(int, size);
  PlanParameters unsplit;
  unsplit.split = SplitStrategy::None;
  constexpr std::size_t kMostBetween = 1 << 18; // compartments, eliminated or substituted
  const auto plan = makePlan(makeBatch({trees::makeSystem(trees::randomTree(size, 2, 1), 1)}, copies), unsplit);
  const auto run = [&](const RunControl& control) { solve(plan, on(solver), control); };
  const trees::Checkpoints checkpoints(run);
  const std::size_t ofSolve = checkpoints.of("solve");
  QVERIFY2(ofSolve >= 2 * plan->batch->compartments() / kMostBetween, qPrintable(QString::number(ofSolve)));
  QVERIFY(trees::endsWhereCancelled(run, checkpoints.all()));
}

HINESIGHT_TEST(TestSolver)
#include "test_solver.moc"
