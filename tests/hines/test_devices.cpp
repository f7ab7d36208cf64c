#include "hines/devices.hpp"

#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "hines/shares.hpp"
#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

using Batch = std::shared_ptr<const HinesBatch>;

/// Cells of 3 compartments to some thousands.
Batch mixedCells(std::int64_t copies)
{
  return makeBatch({trees::makeSystem(trees::chain(3), 1), trees::makeSystem(trees::randomTree(40, 4, 2), 2),
                    trees::makeSystem(trees::randomTree(1'200, 8, 3, true), 3),
                    trees::makeSystem(trees::comb(4'000), 4, 1e3)},
                   copies);
}

/// Solvers that predict their times give the deep cell fewer others than its compartments would.
Batch aDeepCellAmongSmallOnes()
{
  std::vector<trees::System> systems(1'000, trees::makeSystem(trees::randomTree(20, 4, 2), 2));
  systems.insert(systems.begin(), trees::makeSystem(trees::comb(4'000), 4, 1e3));
  return makeBatch(systems, 1);
}

SolveParameters with(SolverId solver)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.threads = 1;
  parameters.solver = solver;
  return parameters;
}

bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<double> solvedBy(PreparedSolver& solver, std::size_t compartments)
{
  solver.solveOnce({});
  std::vector<double> x(compartments);
  StageTimings ignored;
  solver.read(x, ignored);
  return x;
}

} // namespace

/// The shares of several devices, solved side by side on the CPU.
class TestDevices : public QObject
{
  Q_OBJECT

private slots:
  void giveTheBytesOfOne_data()
  {
    QTest::addColumn<int>("solver");
    QTest::addColumn<Batch>("batch");
    for (const SolverDefinition* solver : allSolvers())
      if (solver->traits.onCpu && solver->traits.onCuda && !solver->traits.chainsOnly && !solver->traits.isChoice) {
        const std::string name(solver->traits.name());
        const auto place = static_cast<int>(placeInTable(solver->traits.id));
        QTest::newRow((name + ", mixed cells").c_str()) << place << mixedCells(5);
        QTest::newRow((name + ", a deep cell").c_str()) << place << aDeepCellAmongSmallOnes();
      }
  }
  void giveTheBytesOfOne()
  {
    QFETCH(int, solver);
    QFETCH(Batch, batch);
    SolveParameters parameters = with(choiceAt(SolverId{}, static_cast<std::size_t>(solver)));
    parameters.gpu = Gpu::H200;
    StageTimings timings;
    const auto schedule = makeSchedule(batch, parameters, timings);
    StageTimings ofOne;
    const auto one = prepare(schedule, parameters, ofOne);
    const std::vector<double> expected = solvedBy(*one, batch->compartments());
    std::vector<double> other(batch->compartments());
    for (std::size_t i = 0; i < other.size(); ++i)
      other[i] = std::sin(static_cast<double>(i));
    one->setRightHandSide(other);
    const std::vector<double> expectedOfOther = solvedBy(*one, batch->compartments());
    for (const std::size_t devices : {std::size_t{2}, std::size_t{3}, std::size_t{5}}) {
      StageTimings ofAll;
      const auto all = prepareOnDevices(*schedule, parameters, devices, ofAll);
      QVERIFY2(QString::fromStdString(ofAll.device).startsWith(QString::number(devices)), ofAll.device.c_str());
      QVERIFY(sameBytes(solvedBy(*all, batch->compartments()), expected));
      all->setRightHandSide(other);
      QVERIFY(sameBytes(solvedBy(*all, batch->compartments()), expectedOfOther));
      const SolveTimes took = all->solveOnce({});
      QVERIFY(took.solve > 0);
    }
  }

  void sharesAreThoseOfPredictedTimes()
  {
    const Batch batch = aDeepCellAmongSmallOnes();
    const auto cellsOfFirst = [&](SolverId solver) {
      SolveParameters parameters = with(solver);
      parameters.gpu = Gpu::H200;
      return shareCells(*batch, parameters, 2).front().cells();
    };
    for (const SolverId solver : {kResident, kFine, kCoarse, kEdd})
      QVERIFY(cellsOfFirst(solver) < cellsOfFirst(kSerial));
  }

  /// A large cell and two small ones, on devices of their own.
  void tellWhatEachOfThemTook()
  {
    const Batch batch = makeBatch({trees::makeSystem(trees::comb(40'000), 1, 1e3),
                                   trees::makeSystem(trees::chain(3), 2), trees::makeSystem(trees::chain(3), 3)},
                                  1);
    StageTimings ignored;
    const SolveParameters parameters = with(kSerial);
    const auto schedule = makeSchedule(batch, parameters, ignored);
    StageTimings timings;
    const auto all = prepareOnDevices(*schedule, parameters, 3, timings);
    QCOMPARE(timings.devices.size(), std::size_t{3});
    const SolveTimes took = all->solveOnce({});
    QCOMPARE(took.devices.size(), std::size_t{3});
    timings.add("permute", took.permute);
    timings.add("solve", took.solve);
    addDevices(took, timings);
    std::vector<double> x(batch->compartments());
    all->read(x, timings);
    for (std::size_t k = 0; k < 3; ++k) {
      const StageTimings& device = timings.devices[k];
      QCOMPARE(device.device, "CPU " + std::to_string(k));
      QVERIFY(device.of("solve") <= timings.of("solve"));
      // All of it was shared: what a device had no part in it waited for.
      QVERIFY2(std::abs(device.total() - timings.total()) < 1e-6, qPrintable(QString::number(device.total())));
    }
    QVERIFY(timings.devices[0].of("solve") > timings.devices[1].of("solve"));
    QVERIFY(timings.devices[0].of("wait") < timings.devices[1].of("wait"));
    StageTimings ofOne;
    const auto one = prepare(schedule, parameters, ofOne);
    QVERIFY(ofOne.devices.empty() && one->solveOnce({}).devices.empty());
  }

  void allEndWhereOneFails()
  {
    const Batch batch = mixedCells(5);
    StageTimings timings;
    const SolveParameters parameters = with(kSerial);
    const auto schedule = makeSchedule(batch, parameters, timings);
    const auto all = prepareOnDevices(*schedule, parameters, 3, timings);
    const tests::Cancellable solveAll = [&](const RunControl& control) { all->solveOnce(control); };
    QVERIFY(tests::endsWhereCancelled(solveAll, tests::Checkpoints(solveAll).all(), 3));
    // What is left is of use.
    QVERIFY(sameBytes(solvedBy(*all, batch->compartments()),
                      solvedBy(*prepare(schedule, parameters, timings), batch->compartments())));
  }

  void isRefusedWhereThereAreFewer()
  {
    SolveParameters parameters = with(kSerial);
    parameters.devices = 65;
    QCOMPARE(tests::failureOf([&] { validate(parameters); }), ErrorCode::BadParameter);
    parameters.devices = 64; // the CPU has none
    QCOMPARE(devicesFor(*mixedCells(1), parameters), std::size_t{1});
    parameters.solver = kResident;
    parameters.backend = Backend::Cuda;
    if (cudaDevices().size() < 64)
      QCOMPARE(tests::failureOf([&] { devicesFor(*mixedCells(1), parameters); }), ErrorCode::BadParameter);
  }
};

HINESIGHT_TEST(TestDevices)
#include "test_devices.moc"
