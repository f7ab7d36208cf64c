#include "cancellation.hpp"
#include "core/device.hpp"
#include "core/files.hpp"
#include "core/kept_ranks.hpp"
#include "core/rank_timings.hpp"
#include "core/thread_ranks.hpp"
#include "study/formation/formation_study.hpp"
#include "study/gpu_ranks.hpp"
#include "study/growth/growth_study.hpp"
#include "study/growth_fixture.hpp"
#include "study/projection/projection_study.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <variant>

using namespace hinesight;
using namespace hinesight::study;
using hinesight::tests::cancelAfter;
using hinesight::tests::Cancellation;
using hinesight::tests::Checkpoints;
using hinesight::tests::failureOf;
using hinesight::tests::growing;

namespace {

std::shared_ptr<KeptRanks> someRanks(int ranks = 3)
{
  return std::make_shared<KeptRanks>(ranks, &study::rankTasks);
}

FormationRequest forming(std::size_t neurons = 700)
{
  FormationRequest request;
  request.source.placement.neurons = neurons;
  request.source.placement.excitatory = 0.8;
  request.formation.search.kernel.sigma = 100;
  request.formation.axons = 2;
  request.formation.threads = 1;
  return request;
}

ProjectionRequest projecting(std::uint32_t side = 20)
{
  projection::PopulationParameters grid;
  grid.name = "a";
  grid.size = {side, side, 1};
  ProjectionRequest request;
  request.source = PopulationChoice(grid);
  grid.name = "b";
  request.destination = PopulationChoice(grid);
  request.parameters.kernel = projection::KernelKind::Gaussian;
  request.parameters.sigma = 2;
  request.parameters.cut = 0.01;
  request.compute.threads = 1;
  return request;
}

bool isSame(const projection::WeightTable& a, const projection::WeightTable& b)
{
  return a.offsets == b.offsets && std::ranges::equal(a.destination.span(), b.destination.span()) &&
         std::ranges::equal(a.weight.span(), b.weight.span());
}

std::size_t gpusHere()
{
  return cudaDevices().size();
}

} // namespace

class TestKeptRanks : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  /// The bytes of a model's checkpoint.
  std::string checkpointOf(const GrowthStudy& study) const
  {
    const std::string path = folder.filePath("model").toStdString();
    synapse::writeCheckpoint(*study.model(), path);
    return readFile(path);
  }
  /// Of a model that was never split.
  std::string checkpointAlone(std::uint32_t steps) const
  {
    GrowthStudy alone;
    alone.begin(growing(), {});
    GrowthStretch done;
    alone.advance(steps, done, {});
    return checkpointOf(alone);
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void ranksFormWhatOneForms()
  {
    const FormationResult alone = FormationStudy().run(forming(), {});
    for (const int count : {2, 5}) {
      const auto ranks = someRanks(count);
      FormationStudy study;
      for (int run = 0; run < 3; ++run) {
        const KeptRanksScope scope(ranks, {});
        const FormationResult shared = study.run(forming(), {});
        QVERIFY(shared.formation->network.synapses == alone.formation->network.synapses);
        QVERIFY(shared.formation->timings.device.ends_with(std::to_string(count) + " ranks"));
      }
      QVERIFY(ranks->areOfUse());
      QCOMPARE(ranks->size(), count);
      QVERIFY(!currentRanks());
    }
  }

  void ranksMakeTheTableThatOneMakes()
  {
    ProjectionStudy alone;
    const auto table = std::get<ProjectionResult>(alone.run(projecting(), {})).table;
    const auto ranks = someRanks();
    ProjectionStudy study;
    for (int run = 0; run < 3; ++run) {
      const KeptRanksScope scope(ranks, {});
      QVERIFY(isSame(*std::get<ProjectionResult>(study.run(projecting(), {})).table, *table));
    }
    QVERIFY(ranks->areOfUse());
  }

  /// A model is looked at between its runs, outside of the scope.
  void aModelOnRanksGrowsAsOnOne()
  {
    const auto ranks = someRanks();
    GrowthStudy study;
    {
      const KeptRanksScope scope(ranks, {});
      study.begin(growing(), {});
    }
    for (const std::uint32_t steps : {7U, 33U, 20U}) {
      const KeptRanksScope scope(ranks, {});
      GrowthStretch done;
      study.advance(steps, done, {});
    }
    QCOMPARE(study.model()->step(), 60U);
    QVERIFY(checkpointOf(study) == checkpointAlone(60));
  }

  void ranksAreOfUseAfterACancellation()
  {
    const auto ranks = someRanks();
    const FormationResult alone = FormationStudy().run(forming(), {});
    FormationStudy study;
    const auto form = [&](const RunControl& control) {
      const KeptRanksScope scope(ranks, control);
      study.run(forming(), control);
    };
    form({}); // its neurons are kept
    const std::size_t checkpoints = Checkpoints(form).all();
    QVERIFY(checkpoints > 4);
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      const Cancellation cancelled = cancelAfter(quarter * checkpoints / 4, form);
      QCOMPARE(cancelled.failure, std::optional(ErrorCode::Cancelled));
      QVERIFY(ranks->areOfUse());
    }
    const KeptRanksScope scope(ranks, {});
    QVERIFY(study.run(forming(), {}).formation->network.synapses == alone.formation->network.synapses);
  }

  /// What pauses a model is not always the flag of its control: it may watch the checkpoints.
  void aPausedModelStandsAtOneStepOfAllRanks()
  {
    const auto ranks = someRanks();
    std::atomic<bool> isPaused = false;
    std::atomic<int> seen = 0;
    const RunControl control(nullptr, [&] {
      constexpr int kBefore = 100; // checkpoints
      isPaused = isPaused || ++seen > kBefore;
      if (isPaused)
        throw Error(ErrorCode::Cancelled, "Paused.");
    });
    GrowthStudy study;
    {
      const KeptRanksScope scope(ranks, {});
      study.begin(growing(), {});
    }
    constexpr std::uint32_t kMany = 100'000;
    GrowthStretch done;
    {
      const KeptRanksScope scope(ranks, control);
      QCOMPARE(failureOf([&] { study.advance(kMany, done, control); }), std::optional(ErrorCode::Cancelled));
    }
    QVERIFY(ranks->areOfUse());
    QVERIFY(study.model()->step() < kMany);
    QCOMPARE(done.step, study.model()->step());
    const std::uint32_t end = done.step + 40;
    {
      const KeptRanksScope scope(ranks, {});
      study.advance(end - study.model()->step(), done, {});
    }
    QVERIFY(checkpointOf(study) == checkpointAlone(end));
  }

  /// Rank 0 leaves the others in the middle of a task.
  void ranksThatWereLostEnd()
  {
    const auto ranks = someRanks();
    {
      const KeptRanksScope scope(ranks, {});
      QCOMPARE(failureOf([] {
                 const TaskScope task(*currentRanks(), "form");
                 throw Error(ErrorCode::FileUnreadable, "The disk is gone.");
               }),
               std::optional(ErrorCode::FileUnreadable));
    }
    QVERIFY(!ranks->areOfUse());
  }

  void oneGpuAndTheCpuHaveNoRanks()
  {
    synapse::FormationParameters p;
    QVERIFY(!ranksFor(nullptr, p));
    p.devices = 0;
    QVERIFY(!ranksFor(nullptr, p)); // on the CPU
    p.backend = Backend::Cuda;
    p.devices = 1;
    QVERIFY(!ranksFor(nullptr, p));
    // Those that there are do it.
    p.devices = 2;
    const KeptRanksScope scope(someRanks(2), {});
    QVERIFY(!ranksFor(nullptr, p));
  }

  void refusesMoreGpusThanThereAre()
  {
    constexpr std::int32_t kMany = 64;
    const ErrorCode expected = gpusHere() == 0 ? ErrorCode::NoDevice : ErrorCode::BadParameter;
    FormationRequest form = forming(50);
    form.formation.backend = Backend::Cuda;
    form.formation.devices = kMany;
    QCOMPARE(failureOf([&] { FormationStudy().run(form, {}); }), std::optional(expected));
    GrowthRequest grow = growing();
    grow.model.backend = Backend::Cuda;
    grow.model.devices = kMany;
    QCOMPARE(failureOf([&] { GrowthStudy().begin(grow, {}); }), std::optional(expected));
    ProjectionRequest project = projecting(5);
    project.compute.backend = Backend::Cuda;
    project.compute.devices = kMany;
    QCOMPARE(failureOf([&] { ProjectionStudy().run(project, {}); }), std::optional(expected));
  }

  void everyRankIsADeviceOfTheTimings()
  {
    std::atomic<int> withDevices = 0;
    runRanks(3, [&](Communicator& ranks) {
      StageTimings timings;
      timings.backend = Backend::Cuda;
      timings.add("search", 10.0 * (ranks.rank() + 1));
      if (ranks.isRoot())
        timings.add("download", 5);
      for (int twice = 0; twice < 2; ++twice) // what was there before is told anew
        gatherDevices(ranks, deviceInShort(Backend::Cuda, static_cast<std::size_t>(ranks.rank())), timings);
      withDevices += timings.devices.empty() ? 0 : 1;
      if (!ranks.isRoot())
        return;
      QCOMPARE(timings.devices.size(), std::size_t{3});
      QCOMPARE(timings.devices[1].device, std::string("GPU 1"));
      QCOMPARE(timings.devices[1].of("search"), 20.0);
      QCOMPARE(timings.devices[0].of("download"), 5.0);
      QVERIFY(!timings.devices[2].has("download"));
      QCOMPARE(timings.devices[0].of("wait"), 15.0);
      QCOMPARE(timings.devices[1].of("wait"), 10.0);
      QCOMPARE(timings.devices[2].of("wait"), 0.0);
    });
    QCOMPARE(withDevices.load(), 1);
  }

  void gpusFormTogether()
  {
    if (gpusHere() < 2)
      QSKIP("needs two GPUs");
    constexpr std::size_t kNeurons = 600'000;
    FormationRequest request = forming(kNeurons);
    request.formation.backend = Backend::Cuda;
    FormationStudy study;
    const FormationResult alone = study.run(request, {});
    QVERIFY(alone.formation->timings.devices.empty());
    request.formation.devices = 2;
    for (int run = 0; run < 2; ++run) {
      const FormationResult shared = study.run(request, {});
      QVERIFY(shared.formation->network.synapses == alone.formation->network.synapses);
      QCOMPARE(shared.formation->timings.devices.size(), std::size_t{2});
      QVERIFY(shared.formation->timings.has("exchange"));
    }
    request.source.placement.neurons = 1'000;
    const FormationResult few = study.run(request, {});
    QVERIFY(few.formation->timings.devices.empty());
    QVERIFY(few.formation->timings.device.ends_with("one of 2 ranks: too little to share"));
  }

  void gpusMakeATableTogether()
  {
    if (gpusHere() < 2)
      QSKIP("needs two GPUs");
    ProjectionRequest request = projecting(200);
    request.compute.backend = Backend::Cuda;
    ProjectionStudy study;
    const auto alone = std::get<ProjectionResult>(study.run(request, {}));
    request.compute.devices = 2;
    const auto shared = std::get<ProjectionResult>(study.run(request, {}));
    QVERIFY(isSame(*alone.table, *shared.table));
    QCOMPARE(shared.timings.devices.size(), std::size_t{2});
    QVERIFY(shared.timings.has("exchange"));
  }

  void gpusGrowTogether()
  {
    if (gpusHere() < 2)
      QSKIP("needs two GPUs");
    GrowthRequest request = growing();
    request.source.placement.neurons = 600'000;
    request.model.backend = Backend::Cuda;
    std::string alone;
    for (const std::int32_t devices : {1, 2}) {
      request.model.devices = devices;
      GrowthStudy study;
      study.begin(request, {});
      GrowthStretch done;
      study.advance(25, done, {});
      QCOMPARE(done.timings.devices.size(), std::size_t{devices == 1 ? 0U : 2U});
      QCOMPARE(done.timings.has("exchange"), devices > 1);
      if (devices == 1)
        alone = checkpointOf(study);
      else
        QVERIFY(checkpointOf(study) == alone);
    }
  }
};

HINESIGHT_TEST(TestKeptRanks)
#include "test_kept_ranks.moc"
