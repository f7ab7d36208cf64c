#include "core/device.hpp"
#include "core/error.hpp"
#include "hines/choice/cost_cache.hpp"
#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "study/cells/schedule_study.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>

using namespace hinesight;
using namespace hinesight::hines;
using study::PlannedSchedule;
using study::ScheduleOption;

namespace {

std::shared_ptr<const HinesBatch> treeBatch()
{
  return makeBatchOfCells({trees::makeSystem(trees::binaryTree(5, 7), 1), trees::makeSystem(trees::comb(40), 2)}, 6);
}

std::shared_ptr<const HinesBatch> chainBatch()
{
  return makeBatchOfCells({trees::makeSystem(trees::chain(96), 3)}, 6);
}

/// What the option can solve.
std::shared_ptr<const HinesBatch> batchFor(const ScheduleOption& option)
{
  return traitsOf(option.solver).chainsOnly ? chainBatch() : treeBatch();
}

SolveParameters parametersOf(const ScheduleOption& option)
{
  SolveParameters parameters;
  parameters.solver = option.solver;
  parameters.backend = option.backend;
  parameters.of<EddParameters>().threshold = 16; // else a device that is there is measured
  return parameters;
}

} // namespace

class TestScheduleStudy : public QObject
{
  Q_OBJECT

private slots:
  void optionsAreSolversWithSchedules()
  {
    const std::vector<ScheduleOption> options = study::scheduleOptions();
    std::size_t count = 0;
    for (const SolverDefinition* solver : allSolvers()) {
      const SolverTraits& traits = solver->traits;
      for (const Backend backend : {Backend::Cpu, Backend::Cuda}) {
        const auto found = std::ranges::find_if(options, [&](const ScheduleOption& option) {
          return option.solver == traits.id && option.backend == backend;
        });
        const bool isWanted = runsOn(traits.id, backend) && !traits.isChoice && !traits.isPeer;
        QCOMPARE(found != options.end(), isWanted);
        count += isWanted ? 1 : 0;
      }
    }
    QCOMPARE(options.size(), count);
    const auto fine = std::ranges::find_if(options, [](const ScheduleOption& option) {
      return option.solver == kFine && option.backend == Backend::Cuda;
    });
    QVERIFY(fine != options.end());
    QCOMPARE(fine->title, std::string("Fine, CUDA"));
    QVERIFY(!fine->help.empty());
    QCOMPARE(study::scheduleTitle(kFine, Backend::Cuda, " on "), std::string("Fine on CUDA"));
  }

  void everyOptionPlansWithoutADevice()
  {
    for (const ScheduleOption& option : study::scheduleOptions()) {
      const auto batch = batchFor(option);
      const PlannedSchedule planned = study::planSchedule(batch, parametersOf(option));
      QVERIFY2(planned.problem.empty(), (option.title + ": " + planned.problem).c_str());
      QVERIFY2(planned.schedule, option.title.c_str());
      QCOMPARE(planned.schedule->batch, batch);
      QVERIFY(planned.schedule->unitCount() > 0);
      QVERIFY(!planned.schedule->chart(0).bars.empty());
      QVERIFY(planned.schedule->summary().has_value()); // it is known
      QVERIFY(planned.parameters.solver == option.solver && planned.parameters.backend == option.backend);
      const bool isCpu = option.backend == Backend::Cpu;
      QCOMPARE(planned.device, isCpu ? processorName() : planningDevice().name);
      QCOMPARE(planned.deviceIsHere, isCpu || !cudaDevices().empty());
    }
  }

  /// Without any GPU: shared memory of a T4 holds less of a cell than an H200's.
  void aScheduleFollowsTheGpuThatItIsPlannedFor()
  {
    std::vector<trees::System> systems = {trees::makeSystem(trees::chain(5'000), 1)};
    const auto batch = makeBatchOfCells(systems, 10);
    SolveParameters resident;
    resident.solver = kResident;
    resident.backend = Backend::Cuda;
    resident.gpu = Gpu::H200;
    const PlannedSchedule large = study::planSchedule(batch, resident);
    resident.gpu = Gpu::T4;
    const PlannedSchedule small = study::planSchedule(batch, resident);
    QVERIFY2(large.schedule && small.schedule, (large.problem + small.problem).c_str());
    QCOMPARE(small.device, std::string("NVIDIA T4"));
    QVERIFY(!small.deviceIsHere);
    QVERIFY(!planAlike(large.parameters, small.parameters));
    QVERIFY(small.predicted->milliseconds > large.predicted->milliseconds);
    QVERIFY(large.predicted->checked && !small.predicted->checked);
    // What auto takes is chosen by the costs of that device.
    resident.solver = kAuto;
    const PlannedSchedule chosen = study::planSchedule(batch, resident);
    QVERIFY(chosen.schedule);
    QCOMPARE(chosen.predicted->device, std::string("NVIDIA T4"));
  }

  void theScheduleIsTheOneThatIsExecuted()
  {
    for (const ScheduleOption& option : study::scheduleOptions()) {
      if (option.backend != Backend::Cpu)
        continue;
      const auto batch = batchFor(option);
      const PlannedSchedule planned = study::planSchedule(batch, parametersOf(option));
      const auto solution = solve(batch, planned.parameters);
      QVERIFY2(planned.schedule->summary() == solution->schedule->summary(), option.title.c_str());
      QCOMPARE(planned.schedule->unitName(), solution->schedule->unitName());
      QVERIFY(planAlike(planned.parameters, solution->parameters));
    }
  }

  void theTimeIsTheCostModels()
  {
    const auto batch = treeBatch();
    for (const ScheduleOption& option : study::scheduleOptions()) {
      const PlannedSchedule planned = study::planSchedule(batchFor(option), parametersOf(option));
      const auto costed = costedSolvers(option.backend, Precision::Double);
      const bool isCosted = std::ranges::find(costed, option.solver) != costed.end();
      QCOMPARE(planned.predicted.has_value(), isCosted);
      if (isCosted)
        QVERIFY(planned.predicted->milliseconds > 0 && !planned.predicted->device.empty());
    }
    SolveParameters multicore;
    multicore.solver = kMulticore;
    multicore.threads = 2;
    const auto expected = predict(profileOf(*batch), multicore, currentCosts(multicore.backend, multicore.precision));
    QCOMPARE(study::planSchedule(batch, multicore).predicted->milliseconds, expected->milliseconds);
  }

  void inPlaceOfAutoStandsWhatItChooses()
  {
    const auto batch = treeBatch();
    SolveParameters automatic;
    automatic.solver = kAuto;
    automatic.backend = Backend::Cuda;
    const PlannedSchedule planned = study::planSchedule(batch, automatic);
    QVERIFY(planned.schedule);
    QVERIFY(planned.parameters.solver == chooseSolver(*batch, automatic).parameters.solver);
  }

  void whatCannotBePlannedIsAProblemInWords()
  {
    SolveParameters chains;
    chains.solver = kTridiagonal;
    chains.backend = Backend::Cuda;
    const PlannedSchedule planned = study::planSchedule(treeBatch(), chains);
    QVERIFY(!planned.schedule && !planned.predicted);
    QVERIFY2(planned.problem.size() > 10 && planned.problem.back() == '.', planned.problem.c_str());
    QCOMPARE(planned.device, planningDevice().name);
    // So are parameters that do not go together.
    SolveParameters single;
    single.solver = kFine;
    single.precision = Precision::Single;
    QVERIFY(study::planSchedule(treeBatch(), single).problem.find("double precision") != std::string::npos);
  }

  void cancellingIsNoProblemButAnEnd()
  {
    for (const ScheduleOption& option : study::scheduleOptions()) {
      const RunControl control;
      control.cancel();
      const auto failure =
          trees::failureOf([&] { study::planSchedule(batchFor(option), parametersOf(option), control); });
      QVERIFY(failure == ErrorCode::Cancelled);
    }
  }

  void plansAreAlikeByWhatTheSolverReads()
  {
    SolveParameters a;
    a.solver = kFine;
    SolveParameters b = a;
    b.repeat = 7;
    b.threads = 3;
    b.of<EddParameters>().chainLength = 9; // which fine does not read
    QVERIFY(planAlike(a, b));
    b.of<PlanParameters>().blockSize = 64;
    QVERIFY(!planAlike(a, b));
    b = a;
    b.backend = Backend::Cuda;
    QVERIFY(!planAlike(a, b));
    b = a;
    b.solver = kMulticore;
    QVERIFY(!planAlike(a, b));
    a.solver = b.solver = kResident;
    b.precision = Precision::Single;
    QVERIFY(!planAlike(a, b));
  }
};

HINESIGHT_TEST(TestScheduleStudy)

#include "test_schedule_study.moc"
