#include "app/cells/pipeline.hpp"
#include "app_fixture.hpp"
#include "hines/solvers.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <mutex>

using namespace hinesight;
using namespace hinesight::app;

namespace {

PipelineRequest requestFor(std::initializer_list<const char*> names)
{
  PipelineRequest request;
  std::uint64_t id = 0;
  for (const char* name : names)
    request.cells.push_back({++id, dataFile(name).toStdString()});
  request.parameters.solve.solver = hines::kMulticore; // whose stages are always the same
  return request;
}

QStringList stagesOf(const PipelineOutcome& outcome)
{
  QStringList names;
  for (const Stage& stage : outcome.record->timings.stages)
    names << QString::fromStdString(stage.name);
  return names;
}

/// Keeps what a pipeline tells.
struct Listener
{
  std::vector<CellReading> readings;
  std::vector<PipelineOutcome> scenes;

  PipelineObserver observer()
  {
    return {[this](const auto& read) { readings = read; }, [this](const auto& scene) { scenes.push_back(scene); }};
  }
};

} // namespace

class TestPipeline : public QObject
{
  Q_OBJECT

private slots:
  void solvesOpenCells();
  void runsOnlyWhatChanged_data();
  void runsOnlyWhatChanged();
  void runsNothingTwice();
  void solvesAgainOnRequest();
  void keepsWhatAutoChose();
  void readsOnlyNewFiles();
  void goesOnWithoutBrokenFiles();
  void hasNothingToSolveWithoutCells();
  void solvesRandomTrees();
  void keepsThePlanOfAFailedSolve();
  void refusesParametersOutOfRange();
  void tellsProgressForwards();
  void stopsWhenCancelled();
  void namesSources();
};

void TestPipeline::solvesOpenCells()
{
  PipelineRequest request = requestFor({"stellate.swc", "bipolar.swc"});
  request.parameters.batch.copies = 3;
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome outcome = pipeline.run(request, {}, listener.observer());

  QCOMPARE(listener.readings.size(), 2u);
  QCOMPARE(outcome.scene->cells.size(), 2u);
  QCOMPARE(outcome.scene->cells[0].name, std::string("stellate"));
  QCOMPARE(outcome.cellIds, (std::vector<std::uint64_t>{1, 2}));
  QCOMPARE(outcome.scene->plan->batch->cells(), 6u);
  QCOMPARE(outcome.scene->branchOfCompartment.size(), 2u);
  QVERIFY(outcome.scene->accuracy.maxRelativeDifference <= 1e-12);
  QVERIFY(outcome.scene->accuracy.relativeResidual <= 1e-12);

  // One sample is one compartment, so the batch has three times the samples of both files.
  const auto samples = listener.readings[0].metrics.samples + listener.readings[1].metrics.samples;
  QVERIFY(outcome.record);
  QCOMPARE(outcome.record->compartments, 3 * samples);
  QCOMPARE(outcome.record->source, std::string("stellate, bipolar"));
  QCOMPARE(stagesOf(outcome), (QStringList{"read", "discretize", "batch", "plan", "permute", "solve"}));
  QVERIFY(!outcome.record->timings.device.empty());
  // Told twice before the end: the cells, then their plan, neither with figures of a solve.
  QCOMPARE(listener.scenes.size(), 2u);
  QVERIFY(!listener.scenes[0].scene->plan);
  QVERIFY(listener.scenes[1].scene->plan);
  QVERIFY(!listener.scenes[1].scene->solution);
}

void TestPipeline::runsOnlyWhatChanged_data()
{
  using Edit = std::function<void(PipelineParameters&)>;
  QTest::addColumn<Edit>("edit");
  QTest::addColumn<QStringList>("stages");
  QTest::newRow("solver") << Edit([](auto& p) { p.solve.solver = hines::kSerial; }) << QStringList({"plan", "solve"});
  QTest::newRow("repeat") << Edit([](auto& p) { p.solve.repeat = 2; }) << QStringList{"permute", "solve"};
  QTest::newRow("split") << Edit([](auto& p) {
    p.solve.template of<hines::PlanParameters>().split = hines::SplitStrategy::None;
  }) << QStringList{"plan", "permute", "solve"};
  QTest::newRow("copies") << Edit([](auto& p) { p.batch.copies = 2; })
                          << QStringList{"batch", "plan", "permute", "solve"};
  QTest::newRow("time step") << Edit([](auto& p) { p.discretization.timeStep = 0.05; })
                             << QStringList{"discretize", "batch", "plan", "permute", "solve"};
}

void TestPipeline::runsOnlyWhatChanged()
{
  QFETCH(std::function<void(PipelineParameters&)>, edit);
  QFETCH(QStringList, stages);
  PipelineRequest request = requestFor({"bipolar.swc"});
  Pipeline pipeline;
  Listener listener;
  pipeline.run(request, {}, listener.observer());
  edit(request.parameters);
  QCOMPARE(stagesOf(pipeline.run(request, {}, listener.observer())), stages);
}

void TestPipeline::runsNothingTwice()
{
  const PipelineRequest request = requestFor({"bipolar.swc"});
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome first = pipeline.run(request, {}, listener.observer());
  const PipelineOutcome second = pipeline.run(request, {}, listener.observer());
  QCOMPARE(stagesOf(second), QStringList());
  QCOMPARE(second.scene->plan, first.scene->plan);
  QCOMPARE(second.scene->solution, first.scene->solution);
}

void TestPipeline::solvesAgainOnRequest()
{
  PipelineRequest request = requestFor({"bipolar.swc"});
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome first = pipeline.run(request, {}, listener.observer());
  request.solveAgain = true;
  const PipelineOutcome second = pipeline.run(request, {}, listener.observer());
  QCOMPARE(stagesOf(second), (QStringList{"permute", "solve"}));
  QVERIFY(second.scene->solution != first.scene->solution);
  QCOMPARE(second.scene->solution->x, first.scene->solution->x);
}

/// The solution names the solver that auto chose, and is none the less that of the parameters.
void TestPipeline::keepsWhatAutoChose()
{
  PipelineRequest request = requestFor({"bipolar.swc"});
  request.parameters.solve.solver = hines::kAuto;
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome outcome = pipeline.run(request, {}, listener.observer());
  QVERIFY(outcome.scene->solution->parameters.solver != hines::kAuto);
  QVERIFY(!outcome.record->choice.empty());
  QVERIFY(outcome.record->solver != "auto");
  QCOMPARE(stagesOf(pipeline.run(request, {}, listener.observer())), QStringList());
}

void TestPipeline::readsOnlyNewFiles()
{
  PipelineRequest request = requestFor({"bipolar.swc"});
  Pipeline pipeline;
  Listener listener;
  pipeline.run(request, {}, listener.observer());
  const auto kept = listener.readings[0].morphology;
  request = requestFor({"bipolar.swc", "stellate.swc"});
  const PipelineOutcome outcome = pipeline.run(request, {}, listener.observer());
  QCOMPARE(listener.readings[0].morphology, kept);
  QVERIFY(listener.readings[1].morphology);
  QCOMPARE(outcome.scene->cells.size(), 2u);

  // The same path under a new identity is read again.
  request.cells = {{7, dataFile("bipolar.swc").toStdString()}};
  pipeline.run(request, {}, listener.observer());
  QVERIFY(listener.readings[0].morphology != kept);
}

void TestPipeline::goesOnWithoutBrokenFiles()
{
  PipelineRequest request = requestFor({"broken.swc", "bipolar.swc", "missing.swc"});
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome outcome = pipeline.run(request, {}, listener.observer());
  QCOMPARE(listener.readings.size(), 3u);
  QVERIFY(listener.readings[0].error);
  QCOMPARE(listener.readings[0].error->line(), 3);
  QCOMPARE(listener.readings[0].error->file(), dataFile("broken.swc").toStdString());
  QVERIFY(!listener.readings[1].error);
  QCOMPARE(listener.readings[2].error->code(), ErrorCode::FileNotFound);
  QCOMPARE(outcome.cellIds, (std::vector<std::uint64_t>{2}));
  QVERIFY(outcome.record);
}

void TestPipeline::hasNothingToSolveWithoutCells()
{
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome outcome = pipeline.run({}, {}, listener.observer());
  QVERIFY(outcome.scene->cells.empty());
  QVERIFY(!outcome.record);
}

void TestPipeline::solvesRandomTrees()
{
  PipelineRequest request;
  request.parameters.batch.source = BatchSource::RandomTrees;
  request.parameters.batch.distinctTrees = 3;
  request.parameters.batch.copies = 5;
  Pipeline pipeline;
  Listener listener;
  const PipelineOutcome outcome = pipeline.run(request, {}, listener.observer());
  QCOMPARE(outcome.record->source, std::string("random trees"));
  QCOMPARE(outcome.record->cells, 15u);
  QCOMPARE(outcome.scene->cells.size(), 3u);
  QVERIFY(!outcome.scene->cells[0].discretization);

  request.parameters.batch.randomTree.seed = 2;
  const PipelineOutcome other = pipeline.run(request, {}, listener.observer());
  QVERIFY(other.scene->solution->x != outcome.scene->solution->x);
}

void TestPipeline::keepsThePlanOfAFailedSolve()
{
  PipelineRequest request = requestFor({"bipolar.swc"});
  request.parameters.solve.solver = hines::kSerial;
  request.parameters.solve.backend = Backend::Cuda; // does not exist anywhere
  Pipeline pipeline;
  Listener listener;
  QVERIFY_THROWS_EXCEPTION(Error, pipeline.run(request, {}, listener.observer()));
  QVERIFY(listener.scenes.back().scene->plan);

  request.parameters.solve.backend = Backend::Cpu;
  QCOMPARE(stagesOf(pipeline.run(request, {}, listener.observer())), QStringList({"plan", "solve"}));
}

void TestPipeline::refusesParametersOutOfRange()
{
  PipelineRequest request = requestFor({"bipolar.swc"});
  Pipeline pipeline;
  Listener listener;
  for (const std::int32_t copies : {0, -1, 1'000'001}) {
    request.parameters.batch.copies = copies;
    QVERIFY_THROWS_EXCEPTION(Error, pipeline.run(request, {}, listener.observer()));
  }
  request.parameters.batch = {};
  request.parameters.solve.of<hines::PlanParameters>().blockSize = 33;
  QVERIFY_THROWS_EXCEPTION(Error, pipeline.run(request, {}, listener.observer()));
  request.parameters.solve.of<hines::PlanParameters>() = {};
  QVERIFY(pipeline.run(request, {}, listener.observer()).record);
}

void TestPipeline::tellsProgressForwards()
{
  PipelineRequest request = requestFor({"stellate.swc", "bipolar.swc"});
  request.parameters.batch.copies = 50;
  std::mutex mutex;
  std::vector<std::pair<std::string, double>> told;
  const RunControl control([&](std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex);
    told.emplace_back(stage, fraction);
  });
  Pipeline pipeline;
  Listener listener;
  pipeline.run(request, control, listener.observer());
  const QStringList order{"read", "discretize", "batch", "plan", "solve", "check"};
  for (std::size_t i = 1; i < told.size(); ++i) {
    const auto& [stage, fraction] = told[i];
    const auto before = order.indexOf(QString::fromStdString(told[i - 1].first));
    const auto now = order.indexOf(QString::fromStdString(stage));
    QVERIFY2(now == before || now == before + 1, stage.c_str());
    QVERIFY(fraction >= 0 && fraction <= 1);
    // The batch is filled by several threads, which may overtake one another while they tell.
    if (now == before && stage != "batch")
      QVERIFY2(fraction >= told[i - 1].second, stage.c_str());
  }
  QCOMPARE(told.front().first, std::string("read"));
  QCOMPARE(told.back().first, std::string("check"));
}

void TestPipeline::stopsWhenCancelled()
{
  const PipelineRequest request = requestFor({"bipolar.swc"});
  Pipeline pipeline;
  Listener listener;
  const RunControl control([&](std::string_view stage, double) {
    if (stage == "plan")
      control.cancel();
  });
  try {
    pipeline.run(request, control, listener.observer());
    QFAIL("the run went on");
  } catch (const Error& error) {
    QCOMPARE(error.code(), ErrorCode::Cancelled);
  }
  // What was finished is kept: the next run starts with the plan.
  QCOMPARE(stagesOf(pipeline.run(request, {}, listener.observer())), (QStringList{"plan", "permute", "solve"}));
}

void TestPipeline::namesSources()
{
  QCOMPARE(describeSources({}), std::string());
  QCOMPARE(describeSources({"a"}), std::string("a"));
  QCOMPARE(describeSources({"a", "b", "c"}), std::string("a, b, c"));
  QCOMPARE(describeSources({"a", "b", "c", "d", "e"}), std::string("a, b, c and 2 more"));
}

HINESIGHT_TEST(TestPipeline)
#include "test_pipeline.moc"
