#include "core/device.hpp"
#include "core/time_text.hpp"
#include "hines/solvers.hpp"
#include "morphology/morphometry.hpp"
#include "paths/paths.hpp"
#include "study/cells/cell_study.hpp"
#include "study/cells/schedule_study.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <cmath>
#include <mutex>
#include <utility>

using namespace hinesight;
using namespace hinesight::study;

namespace {

std::string dataFile(const char* name)
{
  return tests::testData("app/").toStdString() + name;
}

CellRequest requestFor(std::initializer_list<const char*> names)
{
  CellRequest request;
  std::uint64_t id = 0;
  for (const char* name : names)
    request.cells.push_back({++id, dataFile(name)});
  request.parameters.solve.solver = hines::kMulticore; // whose stages are always the same
  request.plansBranches = true;
  return request;
}

QStringList stagesOf(const CellResult& result)
{
  QStringList names;
  for (const Stage& stage : result.record->timings.stages)
    names << QString::fromStdString(stage.name);
  return names;
}

std::vector<std::uint64_t> sourcesOf(const CellResult& result)
{
  std::vector<std::uint64_t> sources;
  for (const StudiedCell& cell : result.cells)
    sources.push_back(cell.source);
  return sources;
}

/// Keeps what a study tells.
struct Listener
{
  std::vector<CellReading> readings;
  std::vector<CellResult> results;

  CellObserver observer()
  {
    return {[this](const auto& read) { readings = read; }, [this](const auto& scene) { results.push_back(scene); }};
  }
};

} // namespace

class TestCellStudy : public QObject
{
  Q_OBJECT

private slots:
  void solvesOpenCells();
  void runsOnlyWhatChanged_data();
  void runsOnlyWhatChanged();
  void runsNothingTwice();
  void solvesAgainOnRequest();
  void keepsWhatAutoChose();
  void saysWhatAGpuWouldTakeForItsPlan();
  void readsOnlyNewFiles();
  void scalesWithoutReadingAgain();
  void solvesTheSameInEveryUnit();
  void recordsScales();
  void takesOneScaleOrOneForEachFile();
  void goesOnWithoutBrokenFiles();
  void hasNothingToSolveWithoutCells();
  void solvesRandomTrees();
  void keepsThePlanOfAFailedSolve();
  void refusesParametersOutOfRange();
  void tellsProgressForwards();
  void stopsWhenCancelled();
  void keepsCellsThatWereReadBeforeACancellation();
  void namesSources();
};

void TestCellStudy::solvesOpenCells()
{
  CellRequest request = requestFor({"stellate.swc", "bipolar.swc"});
  request.parameters.batch.copies = 3;
  CellStudy study;
  Listener listener;
  const CellResult result = study.run(request, {}, listener.observer());

  QCOMPARE(listener.readings.size(), 2u);
  QCOMPARE(result.cells.size(), 2u);
  QCOMPARE(result.cells[0].name, std::string("stellate"));
  QCOMPARE(sourcesOf(result), (std::vector<std::uint64_t>{1, 2}));
  QCOMPARE(result.plan->batch->cells(), 6u);
  QCOMPARE(result.branchOfCompartment.size(), 2u);
  QVERIFY(result.accuracy.maxRelativeDifference <= 1e-12);
  QVERIFY(result.accuracy.relativeResidual <= 1e-12);

  // One sample is one compartment, so the batch has three times the samples of both files.
  const auto samples = listener.readings[0].metrics.samples + listener.readings[1].metrics.samples;
  QVERIFY(result.record);
  QCOMPARE(result.record->compartments, 3 * samples);
  QCOMPARE(result.record->source, std::string("stellate.swc, bipolar.swc"));
  QCOMPARE(stagesOf(result), (QStringList{"read", "discretize", "batch", "plan", "permute", "solve"}));
  QVERIFY(!result.record->timings.device.empty());
  // Told twice before the end: the cells, then their plan, neither with figures of a solve.
  QCOMPARE(listener.results.size(), 2u);
  QVERIFY(!listener.results[0].plan);
  QVERIFY(listener.results[1].plan);
  QVERIFY(!listener.results[1].solution);
}

void TestCellStudy::runsOnlyWhatChanged_data()
{
  using Edit = std::function<void(CellParameters&)>;
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

void TestCellStudy::runsOnlyWhatChanged()
{
  QFETCH(std::function<void(CellParameters&)>, edit);
  QFETCH(QStringList, stages);
  CellRequest request = requestFor({"bipolar.swc"});
  CellStudy study;
  Listener listener;
  study.run(request, {}, listener.observer());
  edit(request.parameters);
  QCOMPARE(stagesOf(study.run(request, {}, listener.observer())), stages);
}

void TestCellStudy::runsNothingTwice()
{
  const CellRequest request = requestFor({"bipolar.swc"});
  CellStudy study;
  Listener listener;
  const CellResult first = study.run(request, {}, listener.observer());
  const CellResult second = study.run(request, {}, listener.observer());
  QCOMPARE(stagesOf(second), QStringList());
  QCOMPARE(second.plan, first.plan);
  QCOMPARE(second.solution, first.solution);
  // Who did not get the first result learns from the second what the solve took.
  QVERIFY(second.solved && second.solved->timings.has("solve"));
  QCOMPARE(second.solved->timings.of("solve"), first.record->timings.of("solve"));
}

void TestCellStudy::solvesAgainOnRequest()
{
  CellRequest request = requestFor({"bipolar.swc"});
  CellStudy study;
  Listener listener;
  const CellResult first = study.run(request, {}, listener.observer());
  request.solveAgain = true;
  const CellResult second = study.run(request, {}, listener.observer());
  QCOMPARE(stagesOf(second), (QStringList{"permute", "solve"}));
  QVERIFY(second.solution != first.solution);
  QCOMPARE(second.solution->x, first.solution->x);
}

/// The solution names the solver that auto chose, and is none the less that of the parameters.
void TestCellStudy::keepsWhatAutoChose()
{
  CellRequest request = requestFor({"bipolar.swc"});
  request.parameters.solve.solver = hines::kAuto;
  CellStudy study;
  Listener listener;
  const CellResult result = study.run(request, {}, listener.observer());
  QVERIFY(result.solution->parameters.solver != hines::kAuto);
  QVERIFY(!result.record->choice.empty());
  QVERIFY(result.record->solver != "auto");
  QCOMPARE(stagesOf(study.run(request, {}, listener.observer())), QStringList());
}

/// Where the CPU carries out what is planned for a GPU; a solver of the CPU has nothing to do with one.
void TestCellStudy::saysWhatAGpuWouldTakeForItsPlan()
{
  CellRequest request = requestFor({"bipolar.swc"});
  request.parameters.solve.solver = hines::kFine;
  request.parameters.solve.gpu = Gpu::T4;
  CellStudy study;
  const CellResult fine = study.run(request, {});
  QCOMPARE(fine.record->plannedFor, planningDevice(Gpu::T4).name);
  QVERIFY(fine.record->predicted > 0);
  hines::SolveParameters onGpu = request.parameters.solve;
  onGpu.backend = Backend::Cuda;
  QCOMPARE(fine.record->predicted, planSchedule(fine.batch, onGpu).predicted->milliseconds);
  request.parameters.solve.solver = hines::kMulticore;
  const CellResult multicore = study.run(request, {});
  QVERIFY(multicore.record->plannedFor.empty());
  QCOMPARE(multicore.record->predicted, 0.0);
}

void TestCellStudy::readsOnlyNewFiles()
{
  CellRequest request = requestFor({"bipolar.swc"});
  CellStudy study;
  Listener listener;
  study.run(request, {}, listener.observer());
  const auto kept = listener.readings[0].morphology;
  request = requestFor({"bipolar.swc", "stellate.swc"});
  const CellResult result = study.run(request, {}, listener.observer());
  QCOMPARE(listener.readings[0].morphology, kept);
  QVERIFY(listener.readings[1].morphology);
  QCOMPARE(result.cells.size(), 2u);

  // The same path under a new identity is read again.
  request.cells = {{7, dataFile("bipolar.swc")}};
  study.run(request, {}, listener.observer());
  QVERIFY(listener.readings[0].morphology != kept);
}

void TestCellStudy::scalesWithoutReadingAgain()
{
  CellRequest request = requestFor({"bipolar.swc", "stellate.swc", "broken.swc"});
  CellStudy study;
  Listener listener;
  study.run(request, {}, listener.observer());
  const std::vector<CellReading> inMicrometres = listener.readings;

  request.cells[0].scale = 0.001;
  const CellResult scaled = study.run(request, {}, listener.observer());
  QCOMPARE(stagesOf(scaled), (QStringList{"scale", "discretize", "batch", "plan", "permute", "solve"}));
  QCOMPARE(listener.readings[0].morphology->unitScale, 0.001);
  QVERIFY(!listener.readings[0].modified.empty());
  QCOMPARE(listener.readings[0].modified, modificationTime(request.cells[0].path));
  QCOMPARE(listener.readings[0].metrics.totalLength, inMicrometres[0].metrics.totalLength / 1000);
  QCOMPARE(scaled.cells[0].discretization->morphology, listener.readings[0].morphology);
  QCOMPARE(listener.readings[1].morphology, inMicrometres[1].morphology);
  QVERIFY(listener.readings[2].error);
  QCOMPARE(stagesOf(study.run(request, {}, listener.observer())), QStringList());

  // From the file's own numbers each time: nothing is lost on the way.
  request.cells[0].scale = 1;
  study.run(request, {}, listener.observer());
  QCOMPARE(listener.readings[0].morphology, inMicrometres[0].morphology);

  // So it is where the cell lies.
  request.cells[0].place.move = {10, 0, -5};
  const CellResult moved = study.run(request, {}, listener.observer());
  QCOMPARE(moved.cells[0].discretization->morphology, listener.readings[0].morphology);
  QCOMPARE(listener.readings[0].unplaced, inMicrometres[0].morphology);
  const auto soma = morphology::somaCentreOf(*inMicrometres[0].morphology);
  const auto now = morphology::somaCentreOf(*listener.readings[0].morphology);
  QVERIFY(std::abs(now[0] - soma[0] - 10) < 1e-9 && std::abs(now[2] - soma[2] + 5) < 1e-9);
  request.cells[0].place = {};
  study.run(request, {}, listener.observer());
  QCOMPARE(listener.readings[0].morphology, inMicrometres[0].morphology);

  // Cells that are wanted again after they were not are there as they were read.
  const std::vector<CellSource> all = std::exchange(request.cells, {});
  study.run(request, {}, listener.observer());
  request.cells = all;
  study.run(request, {}, listener.observer());
  QCOMPARE(listener.readings[0].morphology, inMicrometres[0].morphology);

  request.cells[0].scale = 0;
  QVERIFY_THROWS_EXCEPTION(Error, study.run(request, {}, listener.observer()));
}

void TestCellStudy::solvesTheSameInEveryUnit()
{
  const auto contentOf = [](const char* unit) {
    return std::make_shared<const std::string>(
        QStringLiteral("1 1 0 0 0 5%1 -1\n2 3 0 20%1 0 1%1 1\n3 3 9%1 40%1 0 1%1 2\n")
            .arg(QLatin1String(unit))
            .toStdString());
  };
  CellRequest request = requestFor({});
  request.cells = {{1, "micrometres.swc", contentOf("")}};
  const CellResult micrometres = CellStudy().run(request, {});
  request.cells = {{1, "nanometres.swc", contentOf("e3"), 0.001}};
  const CellResult nanometres = CellStudy().run(request, {});
  QCOMPARE(stagesOf(nanometres), stagesOf(micrometres));
  QCOMPARE(nanometres.solution->x.size(), micrometres.solution->x.size());
  for (std::size_t i = 0; i < micrometres.solution->x.size(); ++i)
    QVERIFY(qFuzzyCompare(nanometres.solution->x[i], micrometres.solution->x[i]));
}

/// Of the files that are in the record, in the order of these.
void TestCellStudy::recordsScales()
{
  CellRequest request = requestFor({"bipolar.swc", "broken.swc", "stellate.swc"});
  const auto recorded = [&] {
    const CellResult result = CellStudy().run(request, {});
    FileParameters files;
    CellParameters parameters;
    std::vector<BoundField> fields = fieldsOf(files);
    for (const BoundField& field : fieldsOf(parameters))
      fields.push_back(field);
    if (!applySettings(fields, result.record->settings).empty() || parameters != request.parameters)
      return std::vector<double>();
    return files.scale;
  };
  QCOMPARE(recorded(), std::vector<double>{1});
  request.cells[0].scale = 0.008;
  request.cells[1].scale = 0.5;
  QCOMPARE(recorded(), (std::vector<double>{0.008, 1}));
  request.cells[2].scale = 0.008;
  QCOMPARE(recorded(), std::vector<double>{0.008});
  request.parameters.batch.source = BatchSource::RandomTrees;
  QCOMPARE(recorded(), std::vector<double>{1});
}

void TestCellStudy::takesOneScaleOrOneForEachFile()
{
  const std::vector<std::string> files = {"a.swc", "b.swc"};
  const auto scalesOf = [](const std::vector<CellSource>& sources) {
    std::vector<double> scales;
    for (const CellSource& source : sources)
      scales.push_back(source.scale);
    return scales;
  };
  QCOMPARE(scalesOf(sourcesOf(files, {})), (std::vector<double>{1, 1}));
  QCOMPARE(scalesOf(sourcesOf(files, {{0.001}})), (std::vector<double>{0.001, 0.001}));
  QCOMPARE(scalesOf(sourcesOf(files, {{0.001, 2}})), (std::vector<double>{0.001, 2}));
  QCOMPARE(sourcesOf(files, {})[1].id, 2u);
  QCOMPARE(sourcesOf(files, {})[1].path, files[1]);
  QVERIFY(sourcesOf({}, {{0.001}}).empty());
  QVERIFY_THROWS_EXCEPTION(Error, sourcesOf(files, {{1, 2, 3}}));
  QVERIFY_THROWS_EXCEPTION(Error, sourcesOf({"a.swc"}, {std::vector<double>()}));
}

void TestCellStudy::goesOnWithoutBrokenFiles()
{
  CellRequest request = requestFor({"broken.swc", "bipolar.swc", "missing.swc"});
  CellStudy study;
  Listener listener;
  const CellResult result = study.run(request, {}, listener.observer());
  QCOMPARE(listener.readings.size(), 3u);
  QVERIFY(listener.readings[0].error);
  QCOMPARE(listener.readings[0].error->line(), 3);
  QCOMPARE(listener.readings[0].error->file(), dataFile("broken.swc"));
  QVERIFY(!listener.readings[1].error);
  QCOMPARE(listener.readings[2].error->code(), ErrorCode::FileNotFound);
  QCOMPARE(sourcesOf(result), (std::vector<std::uint64_t>{2}));
  QVERIFY(result.record);
}

void TestCellStudy::hasNothingToSolveWithoutCells()
{
  CellStudy study;
  Listener listener;
  const CellResult result = study.run({}, {}, listener.observer());
  QVERIFY(result.cells.empty());
  QVERIFY(!result.record);
}

void TestCellStudy::solvesRandomTrees()
{
  CellRequest request;
  request.parameters.batch.source = BatchSource::RandomTrees;
  request.parameters.batch.distinctTrees = 3;
  request.parameters.batch.copies = 5;
  CellStudy study;
  Listener listener;
  const CellResult result = study.run(request, {}, listener.observer());
  QCOMPARE(result.record->source, std::string("3 random trees"));
  QCOMPARE(result.record->cells, 15u);
  QCOMPARE(result.cells.size(), 3u);
  QVERIFY(!result.cells[0].discretization);

  request.parameters.batch.randomTree.seed = 2;
  const CellResult other = study.run(request, {}, listener.observer());
  QVERIFY(other.solution->x != result.solution->x);
}

void TestCellStudy::keepsThePlanOfAFailedSolve()
{
  CellRequest request = requestFor({"bipolar.swc"});
  request.parameters.solve.solver = hines::kSerial;
  request.parameters.solve.backend = Backend::Cuda; // does not exist anywhere
  CellStudy study;
  Listener listener;
  QVERIFY_THROWS_EXCEPTION(Error, study.run(request, {}, listener.observer()));
  QVERIFY(listener.results.back().plan);

  request.parameters.solve.backend = Backend::Cpu;
  QCOMPARE(stagesOf(study.run(request, {}, listener.observer())), QStringList({"plan", "solve"}));
}

void TestCellStudy::refusesParametersOutOfRange()
{
  CellRequest request = requestFor({"bipolar.swc"});
  CellStudy study;
  Listener listener;
  for (const std::int32_t copies : {0, -1, 1'000'001}) {
    request.parameters.batch.copies = copies;
    QVERIFY_THROWS_EXCEPTION(Error, study.run(request, {}, listener.observer()));
  }
  request.parameters.batch = {};
  request.parameters.solve.of<hines::PlanParameters>().blockSize = 33;
  QVERIFY_THROWS_EXCEPTION(Error, study.run(request, {}, listener.observer()));
  request.parameters.solve.of<hines::PlanParameters>() = {};
  QVERIFY(study.run(request, {}, listener.observer()).record);
}

void TestCellStudy::tellsProgressForwards()
{
  CellRequest request = requestFor({"stellate.swc", "bipolar.swc"});
  request.parameters.batch.copies = 50;
  std::mutex mutex;
  std::vector<std::pair<std::string, double>> told;
  const RunControl control([&](std::string_view stage, double fraction) {
    const std::lock_guard lock(mutex);
    told.emplace_back(stage, fraction);
  });
  CellStudy study;
  Listener listener;
  study.run(request, control, listener.observer());
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

void TestCellStudy::stopsWhenCancelled()
{
  const CellRequest request = requestFor({"bipolar.swc"});
  CellStudy study;
  Listener listener;
  const RunControl control([&](std::string_view stage, double) {
    if (stage == "plan")
      control.cancel();
  });
  try {
    study.run(request, control, listener.observer());
    QFAIL("the run went on");
  } catch (const Error& error) {
    QCOMPARE(error.code(), ErrorCode::Cancelled);
  }
  // What was finished is kept: the next run starts with the plan.
  QCOMPARE(stagesOf(study.run(request, {}, listener.observer())), (QStringList{"plan", "permute", "solve"}));
}

void TestCellStudy::keepsCellsThatWereReadBeforeACancellation()
{
  CellRequest request = requestFor({"stellate.swc", "bipolar.swc", "stellate.swc", "bipolar.swc"});
  request.parameters.solve.threads = 1;
  CellStudy study;
  std::vector<CellReading> readings;
  CellObserver observer;
  observer.readingEnded = [&](const auto& read) { readings = read; };
  const RunControl control([&](std::string_view stage, double fraction) {
    if (stage == "read" && fraction >= 0.5)
      control.cancel();
  });
  QVERIFY_THROWS_EXCEPTION(Error, study.run(request, control, observer));
  QCOMPARE(readings.size(), std::size_t{2});
  QVERIFY(readings[1].morphology && readings[1].id == request.cells[1].id);
  // They are not read again.
  Listener listener;
  study.run(request, {}, listener.observer());
  QCOMPARE(listener.readings.size(), std::size_t{4});
  QCOMPARE(listener.readings[1].morphology.get(), readings[1].morphology.get());
}

void TestCellStudy::namesSources()
{
  QCOMPARE(describeSources({}), std::string());
  QCOMPARE(describeSources({"a"}), std::string("a"));
  QCOMPARE(describeSources({"a", "b", "c"}), std::string("a, b, c"));
  QCOMPARE(describeSources({"a", "b", "c", "d", "e"}), std::string("a, b, c and 2 more"));
}

HINESIGHT_TEST(TestCellStudy)
#include "test_cell_study.moc"
