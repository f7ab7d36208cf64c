#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "hines/cells/benchmark_sources.hpp"
#include "hines/choice/cost_cache.hpp"
#include "hines/choice/cost_fit.hpp"
#include "hines/choice/cost_model.hpp"
#include "hines/prepared_solver.hpp"

#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "test_main.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

std::shared_ptr<const HinesBatch> batchOf(const std::vector<trees::Parents>& shapes, std::int64_t cells)
{
  std::vector<trees::System> systems;
  for (const auto& shape : shapes)
    systems.push_back(trees::makeSystem(shape, systems.size() + 1));
  return makeBatchOfCells(systems, cells);
}

SolveParameters asked(Backend backend, int threads = 2, Precision precision = Precision::Double)
{
  SolveParameters parameters;
  parameters.repeat = 1;
  parameters.backend = backend;
  parameters.threads = threads;
  parameters.precision = precision;
  return parameters;
}

double& costOf(CostModel& model, SolverId solver, CostTerm term)
{
  const auto found = std::ranges::find(model.costs, solver, &SolverCost::solver);
  return found->nanoseconds[static_cast<std::size_t>(term)];
}

/// Costs unlike the built-in ones, so that a fit has something to find.
CostModel hiddenCosts(Backend backend)
{
  CostModel model = builtInCosts(backend, Precision::Double);
  double factor = 0.6;
  for (SolverCost& cost : model.costs)
    for (double& nanoseconds : cost.nanoseconds) {
      nanoseconds *= factor;
      factor = factor > 1.5 ? 0.5 : factor + 0.17;
    }
  return model;
}

/// What the solve would take on a machine of those costs.
double timeBy(const CostModel& model, const HinesBatch& batch, const SolveParameters& parameters)
{
  const auto cost = std::ranges::find(model.costs, parameters.solver, &SolverCost::solver);
  return predictedTime(model, *cost, profileOf(batch), parameters.threads);
}

double fastestTime(const CostModel& model, const BatchProfile& profile, int threads)
{
  double fastest = std::numeric_limits<double>::infinity();
  for (const SolverCost& cost : model.costs)
    for (const int used : {1, threads})
      if ((used == 1 || traitsOf(cost.solver).usesThreads) &&
          (!traitsOf(cost.solver).chainsOnly || profile.chainLength > 0))
        fastest = std::min(fastest, predictedTime(model, cost, profile, used));
  return fastest;
}

class Variable
{
public:
  Variable(const char* nameOfIt, const QByteArray& value)
      : name(nameOfIt), before(qgetenv(nameOfIt)), wasSet(qEnvironmentVariableIsSet(nameOfIt))
  {
    value.isNull() ? qunsetenv(name) : qputenv(name, value);
  }
  ~Variable() { wasSet ? qputenv(name, before) : qunsetenv(name); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

private:
  const char* name;
  QByteArray before;
  bool wasSet;
};

const CostKey kKey{"device \"A\"", "580.1, CUDA 13.0", "0.1"};

void writeText(const std::filesystem::path& path, const std::string& text)
{
  std::ofstream(path) << text;
}

} // namespace

class TestCostModel : public QObject
{
  Q_OBJECT

private slots:
  void profilesCountTheBatch()
  {
    const auto mixed = batchOf({trees::chain(20), trees::binaryTree(3, 4)}, 3); // 20, 28, 20
    const BatchProfile profile = profileOf(*mixed);
    QCOMPARE(profile.cells, std::size_t{3});
    QCOMPARE(profile.compartments, std::size_t{68});
    QCOMPARE(profile.largestCell, std::size_t{28});
    QCOMPARE(profile.deepestCell, std::size_t{20});
    QCOMPARE(profile.chainLength, std::size_t{0});
    QCOMPARE(profile.shapes.size(), std::size_t{2});
    QCOMPARE(profile.shapes[0].cells + profile.shapes[1].cells, std::size_t{3});
    // Each compartment is in a vector or in a stream.
    const auto& interleaved = definitionOf(kInterleaved);
    const CostScope scope{Backend::Cpu, Precision::Double, 1, 0};
    CostTerms terms = interleaved.countTerms(profile, scope);
    QVERIFY(termOf(terms, CostTerm::Compartments) <= 68);
    QCOMPARE(termOf(terms, CostTerm::VectorRows) > 0, termOf(terms, CostTerm::Compartments) < 68);
    const auto chains = batchOf({trees::chain(20)}, 64);
    const BatchProfile copies = profileOf(*chains);
    QCOMPARE(copies.chainLength, std::size_t{20});
    terms = interleaved.countTerms(copies, scope);
    QCOMPARE(termOf(terms, CostTerm::Compartments), 0.0);
    QVERIFY(termOf(terms, CostTerm::VectorRows) > 0 && termOf(terms, CostTerm::VectorRows) <= 64 * 20 / 2);
    const auto large = batchOf({trees::chain(200'000)}, 1);
    CostScope onH200{Backend::Cuda, Precision::Double, 1, 0};
    onH200.device = knownDevice(Gpu::H200).model;
    terms = definitionOf(kResident).countTerms(profileOf(*large), onH200);
    QCOMPARE(termOf(terms, CostTerm::Beyond), 200'000.0);
    // What a chip holds follows from its model.
    const auto middle = batchOf({trees::chain(40'000)}, 1);
    terms = definitionOf(kResident).countTerms(profileOf(*middle), onH200);
    QCOMPARE(termOf(terms, CostTerm::Beyond), 0.0);
    CostScope onT4 = onH200;
    onT4.device = knownDevice(Gpu::T4).model;
    terms = definitionOf(kResident).countTerms(profileOf(*middle), onT4);
    QCOMPARE(termOf(terms, CostTerm::Beyond), 40'000.0);
  }

  void choosesWhatIsExpectedToBeFastest()
  {
    CostModel model = builtInCosts(Backend::Cpu, Precision::Double);
    for (SolverCost& cost : model.costs)
      cost.nanoseconds = {};
    costOf(model, kSerial, CostTerm::Compartments) = 10;
    costOf(model, kMulticore, CostTerm::Start) = 1'000;
    costOf(model, kMulticore, CostTerm::Fork) = 5'000;
    costOf(model, kMulticore, CostTerm::Compartments) = 5;
    costOf(model, kInterleaved, CostTerm::Start) = 1e9;
    const auto choose = [&](std::int32_t compartments, std::int64_t cells) {
      const auto batch = batchOf({trees::chain(compartments)}, cells);
      return chooseSolver(profileOf(*batch), asked(Backend::Cpu, 4), model);
    };
    const SolverChoice small = choose(100, 1); // 1 us; 1.5 us
    QCOMPARE(small.parameters.solver, kSerial);
    QCOMPARE(small.predicted, 1e-3);
    QVERIFY2(small.reason.starts_with("serial: 0.001 ms expected, multicore, 1 thread 0.0015 ms"),
             small.reason.c_str());
    QVERIFY(small.reason.ends_with("(built-in costs)"));
    const SolverChoice middle = choose(1'000, 1); // one cell is for one thread
    QCOMPARE(middle.parameters.solver, kMulticore);
    QCOMPARE(middle.parameters.threads, 1);
    const SolverChoice large = choose(1'000, 100); // 501 us on one, 131 us on four
    QCOMPARE(large.parameters.solver, kMulticore);
    QCOMPARE(large.parameters.threads, 4);
    QCOMPARE(large.predicted, 0.131);
    // What was asked for besides stays.
    SolveParameters parameters = asked(Backend::Cpu, 3);
    parameters.repeat = 7;
    const auto batch = batchOf({trees::chain(100)}, 100);
    const SolverChoice kept = chooseSolver(profileOf(*batch), parameters, model);
    QCOMPARE(kept.parameters.repeat, 7);
    QVERIFY(kept.parameters.threads <= 3);
  }

  /// The default of CUDA, until a device is measured to have it otherwise.
  void builtInCostsChooseResidentOnCuda_data()
  {
    QTest::addColumn<quint64>("cells");
    QTest::addColumn<quint64>("size");
    for (const quint64 cells : {1, 3, 10, 100, 1'000, 10'000, 100'000, 256'000})
      for (const quint64 size : {50, 1'400, 10'000})
        QTest::addRow("%llu cells of %llu", cells, size) << cells << size;
    QTest::newRow("one large") << quint64{1} << quint64{120'000};
  }
  void builtInCostsChooseResidentOnCuda()
  {
    QFETCH(quint64, cells);
    QFETCH(quint64, size);
    BatchProfile profile;
    profile.cells = cells;
    profile.largestCell = size;
    profile.deepestCell = size / 8;
    profile.compartments = cells * size;
    profile.shapes = {{size, cells}};
    for (const auto precision : {Precision::Double, Precision::Single}) {
      const SolverChoice choice =
          chooseSolver(profile, asked(Backend::Cuda, 0, precision), builtInCosts(Backend::Cuda, precision));
      QCOMPARE(choice.parameters.solver, kResident);
      QCOMPARE(choice.parameters.threads, 0);
    }
  }

  void chainSolversAreForShortChains()
  {
    BatchProfile profile;
    profile.cells = 1'000;
    profile.largestCell = profile.deepestCell = profile.chainLength = 256;
    profile.compartments = 256'000;
    profile.shapes = {{256, 1'000}};
    const CostModel model = builtInCosts(Backend::Cuda, Precision::Double);
    QCOMPARE(chooseSolver(profile, asked(Backend::Cuda), model).parameters.solver, kTridiagonal);
    profile.largestCell = profile.deepestCell = profile.chainLength = 5'000;
    profile.shapes = {{5'000, 1'000}};
    profile.compartments = 5'000'000;
    QCOMPARE(chooseSolver(profile, asked(Backend::Cuda), model).parameters.solver, kResident);
    profile.largestCell = profile.deepestCell = 256;
    profile.shapes = {{256, 1'000}};
    profile.compartments = 256'000;
    profile.chainLength = 0;
    QCOMPARE(chooseSolver(profile, asked(Backend::Cuda), model).parameters.solver, kResident);
  }

  /// Medians of solves of a cell of 1,508 compartments, measured on an H100 and an H200 (docs/benchmarks.md).
  void predictionsForKnownGpusAreNearWhatWasMeasured_data()
  {
    QTest::addColumn<SolverId>("solver");
    QTest::addColumn<quint64>("cells");
    QTest::addColumn<double>("onH200"); // us
    QTest::addColumn<double>("onH100");
    const auto row = [](SolverId solver, quint64 cells, double onH200, double onH100) {
      QTest::addRow("%s, %llu", std::string(solverName(solver)).c_str(), cells) << solver << cells << onH200 << onH100;
    };
    row(kResident, 1'000, 28.0, 29.1);
    row(kResident, 3'000, 57.2, 61.7);
    row(kResident, 10'000, 136.2, 171.9);
    row(kResident, 30'000, 382.8, 491.1);
    row(kFine, 10'000, 697.1, 778.7);
    row(kFine, 30'000, 2'041, 2'286);
    row(kEdd, 1'000, 83.9, 93.1);
    row(kEdd, 10'000, 570.4, 662.5);
    row(kEdd, 30'000, 1'668, 1'890);
  }
  void predictionsForKnownGpusAreNearWhatWasMeasured()
  {
    QFETCH(SolverId, solver);
    QFETCH(quint64, cells);
    QFETCH(double, onH200);
    QFETCH(double, onH100);
    BatchProfile profile;
    profile.cells = cells;
    profile.largestCell = 1'508;
    profile.deepestCell = 82;
    profile.compartments = 1'508 * cells;
    profile.shapes = {{1'508, cells}};
    SolveParameters parameters = asked(Backend::Cuda);
    parameters.solver = solver;
    for (const auto& [gpu, measured] : {std::pair{Gpu::H200, onH200}, {Gpu::H100, onH100}}) {
      const auto prediction = predict(profile, parameters, builtInCosts(Backend::Cuda, Precision::Double, gpu));
      const double off = prediction->milliseconds * 1e3 / measured - 1;
      QVERIFY2(std::abs(off) <= 0.15, std::to_string(off).c_str());
      QVERIFY(prediction->checked && !prediction->measured);
      QCOMPARE(prediction->device, knownDevice(gpu).model.name);
    }
    // A GPU with less of everything is slower, and nobody has compared the time with one.
    const auto onT4 = predict(profile, parameters, builtInCosts(Backend::Cuda, Precision::Double, Gpu::T4));
    QVERIFY(onT4->milliseconds * 1e3 > 2 * onH100);
    QVERIFY(!onT4->checked);
    QCOMPARE(originText(*onT4), std::string("predicted for an NVIDIA T4 (not checked against one)"));
  }

  void solvesThatNobodyModelledAreNotPredicted()
  {
    BatchProfile profile;
    profile.cells = 1;
    profile.largestCell = profile.deepestCell = profile.compartments = 120'000;
    profile.shapes = {{120'000, 1}};
    const CostModel model = builtInCosts(Backend::Cuda, Precision::Double, Gpu::H200);
    SolveParameters parameters = asked(Backend::Cuda);
    parameters.solver = kEdd;
    QVERIFY(predict(profile, parameters, model));
    parameters.of<EddParameters>().rightHandSides = 8;
    QVERIFY(!predict(profile, parameters, model));
    parameters.of<EddParameters>().rightHandSides = 1;
    parameters.of<EddParameters>().method = EddMethod::MinTrsv;
    QVERIFY(!predict(profile, parameters, model));
  }

  /// A bound that no prediction may break: the bytes that must move, and the arithmetic, take their time.
  void predictionsKeepToWhatAGpuCanDo()
  {
    BatchProfile profile;
    profile.cells = 100'000;
    profile.largestCell = profile.deepestCell = profile.chainLength = 256;
    profile.compartments = 256 * profile.cells;
    profile.shapes = {{256, profile.cells}};
    const auto gpus = tableOf(Gpu::Here);
    for (std::size_t k = 1; k < gpus.size(); ++k) {
      const auto gpu = static_cast<Gpu>(k);
      const CostModel model = builtInCosts(Backend::Cuda, Precision::Double, gpu);
      QCOMPARE(model.device, knownDevice(gpu).model.name);
      for (const SolverCost& cost : model.costs) {
        const double milliseconds = predictedTime(model, cost, profile, 1);
        const double moving = 32.0 * static_cast<double>(profile.compartments) / model.gpu.bandwidth * 1e3;
        QVERIFY2(std::isfinite(milliseconds) && milliseconds >= moving,
                 (model.device + ", " + std::string(solverName(cost.solver))).c_str());
      }
    }
  }

  /// Measured costs are of this machine's device alone.
  void costsOfAGpuThatIsNotHereArePredicted()
  {
    for (const auto precision : {Precision::Double, Precision::Single})
      QCOMPARE(currentCosts(Backend::Cuda, precision, Gpu::Rtx3060),
               builtInCosts(Backend::Cuda, precision, Gpu::Rtx3060));
    SolveParameters automatic = asked(Backend::Cuda);
    automatic.gpu = Gpu::Rtx3060;
    const auto batch = batchOf({trees::binaryTree(6, 5)}, 100);
    const SolverChoice choice = chooseSolver(*batch, automatic);
    QVERIFY2(choice.reason.ends_with("(predicted for NVIDIA GeForce RTX 3060)"), choice.reason.c_str());
    QCOMPARE(fitCostsForAuto(automatic), std::string()); // there is nothing to measure
  }

  void fittedTermsAreNoneBelowZero()
  {
    const CostTerms prior = {100, 0, 2, 0, 3, 0};
    QCOMPARE(fitCostTerms({}, prior), prior);
    // Times that fall with the steps: no such cost can be.
    std::vector<CostSample> samples;
    for (const double steps : {0.0, 100.0, 200.0})
      samples.push_back({{1, 1, 1'000, 1, steps, 1}, (5'000 - 10 * steps) * 1e-6});
    const CostTerms fitted = fitCostTerms(samples, prior);
    QVERIFY(std::ranges::all_of(fitted, [](double cost) { return cost >= 0; }));
    QCOMPARE(fitted[1] + fitted[3] + fitted[5], 0.0);
    QVERIFY(fitted[4] < 1e-3);
  }

  /// A machine that takes the times of costs that the fit does not know: it must find what to choose on other batches.
  void fitFindsTheCostsOfAMachine()
  {
    const CostModel machine = hiddenCosts(Backend::Cpu);
    CostFitParameters parameters;
    parameters.measure = [&](const auto& batch, const SolveParameters& solve, const RunControl&) {
      return timeBy(machine, *batch, solve);
    };
    parameters.elapsed = [] { return 0.0; };
    const CostModel fitted = fitCosts(Backend::Cpu, Precision::Double, parameters);
    QVERIFY(fitted.fitted);
    QCOMPARE(fitted.costs.size(), machine.costs.size());
    const int threads = hardwareThreads();
    for (const auto& [source, cells] : {std::pair{ca1SizedCell(), 2},
                                        {ca1SizedCell(), 9},
                                        {ca1SizedCell(), 500},
                                        {mixedSyntheticCells(), 5},
                                        {mixedSyntheticCells(), 40},
                                        {chainOf(30), 3'000}}) {
      auto systems = source->make({});
      systems.resize(std::min<std::size_t>(systems.size(), static_cast<std::size_t>(cells)));
      const auto batch = makeBatchOfCells(systems, cells);
      const BatchProfile profile = profileOf(*batch);
      const SolverChoice choice = chooseSolver(profile, asked(Backend::Cpu, threads), fitted);
      const auto cost = std::ranges::find(machine.costs, choice.parameters.solver, &SolverCost::solver);
      const double takes = predictedTime(machine, *cost, profile, choice.parameters.threads);
      QVERIFY2(takes <= 1.15 * fastestTime(machine, profile, threads), choice.reason.c_str());
      QVERIFY2(std::abs(choice.predicted - takes) <= 0.15 * takes, choice.reason.c_str());
    }
    QCOMPARE(fitCosts(Backend::Cpu, Precision::Double, parameters), fitted);
  }

  void fitEndsWithItsTime()
  {
    int measured = 0;
    double now = 0;
    CostFitParameters parameters;
    parameters.budget = 100;
    parameters.elapsed = [&] { return now; };
    parameters.measure = [&](const auto&, const SolveParameters&, const RunControl&) {
      ++measured;
      now = 1'000;
      return 1.0;
    };
    const CostModel model = fitCosts(Backend::Cpu, Precision::Double, parameters);
    QCOMPARE(measured, 3); // one batch, each solver once
    QCOMPARE(model.costs.size(), std::size_t{3});
    const RunControl cancelled;
    cancelled.cancel();
    QVERIFY(trees::failureOf([&] { fitCosts(Backend::Cpu, Precision::Double, parameters, cancelled); }) ==
            ErrorCode::Cancelled);
    if (!cudaDevices().empty())
      return;
    QVERIFY(trees::failureOf([&] { fitCosts(Backend::Cuda, Precision::Double, parameters); }) == ErrorCode::NoDevice);
  }

  void costsAreKept()
  {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("costs.json").toStdString();
    QVERIFY(!loadCosts(file, kKey, Backend::Cpu, Precision::Double));
    CostModel model = hiddenCosts(Backend::Cpu);
    model.fitted = true;
    model.device = kKey.device;
    saveCosts(file, kKey, model);
    const auto loaded = loadCosts(file, kKey, Backend::Cpu, Precision::Double);
    QVERIFY(loaded.has_value());
    QCOMPARE(*loaded, model);
    // Those of others stay, the same one's are replaced.
    CostKey newer = kKey;
    newer.version = "0.2";
    QVERIFY(!loadCosts(file, newer, Backend::Cpu, Precision::Double));
    QVERIFY(!loadCosts(file, kKey, Backend::Cpu, Precision::Single));
    QVERIFY(!loadCosts(file, kKey, Backend::Cuda, Precision::Double));
    CostModel other = model;
    other.costs.front().nanoseconds.front() = 0.1;
    saveCosts(file, newer, model);
    saveCosts(file, newer, other);
    QCOMPARE(*loadCosts(file, kKey, Backend::Cpu, Precision::Double), model);
    QCOMPARE(*loadCosts(file, newer, Backend::Cpu, Precision::Double), other);
  }

  void damagedFilesAreNoCosts_data()
  {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("empty") << ".*"
                           << "";
    QTest::newRow("no JSON") << ".*"
                             << "{\"format\": 2,";
    QTest::newRow("other JSON") << ".*"
                                << "[1, 2]";
    QTest::newRow("other format") << "\"format\": 2"
                                  << "\"format\": 1";
    QTest::newRow("cost below 0") << "\"start\": [0-9.e+]*"
                                  << "\"start\": -1";
    QTest::newRow("cost of text") << "\"start\": [0-9.e+]*"
                                  << "\"start\": \"fast\"";
    QTest::newRow("no such term") << "\"steps\""
                                  << "\"stairs\"";
    QTest::newRow("no such solver") << "\"serial\""
                                    << "\"cereal\"";
  }
  void damagedFilesAreNoCosts()
  {
    QFETCH(QString, from);
    QFETCH(QString, to);
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("costs.json").toStdString();
    CostModel model = builtInCosts(Backend::Cpu, Precision::Double);
    model.device = kKey.device;
    model.fitted = true;
    saveCosts(file, kKey, model);
    QString text = QString::fromStdString(readFile(file));
    text.replace(QRegularExpression(from, QRegularExpression::DotMatchesEverythingOption), to);
    writeText(file, text.toStdString());
    QVERIFY(!loadCosts(file, kKey, Backend::Cpu, Precision::Double));
    saveCosts(file, kKey, model); // and is replaced
    QCOMPARE(*loadCosts(file, kKey, Backend::Cpu, Precision::Double), model);
  }

  void aFolderThatCannotBeWrittenIsSaid()
  {
    const QTemporaryDir folder;
    const std::filesystem::path inTheWay = folder.filePath("file").toStdString();
    writeText(inTheWay, "no folder");
    CostModel model = builtInCosts(Backend::Cpu, Precision::Double);
    QVERIFY(trees::failureOf([&] { saveCosts(inTheWay / "costs.json", kKey, model); }) == ErrorCode::WriteFailed);
    QVERIFY(!loadCosts(inTheWay / "costs.json", kKey, Backend::Cpu, Precision::Double));
  }

  void theCacheIsWhereTheEnvironmentSays()
  {
    const QTemporaryDir folder;
    const Variable cache("XDG_CACHE_HOME", folder.path().toUtf8());
    QCOMPARE(costCacheFile().string(), folder.filePath("hinesight/solver-costs.json").toStdString());
    const QString file = folder.filePath("file");
    writeText(file.toStdString(), "no folder");
    const Variable inTheWay("XDG_CACHE_HOME", file.toUtf8());
    QVERIFY(trees::failureOf([] { costCacheFile(); }) == ErrorCode::WriteFailed);
  }

  /// What was chosen is seen in the solution, and solving with it gives the same bytes.
  void solutionsSayWhatWasChosen()
  {
    const auto batch = batchOf({trees::binaryTree(6, 5), trees::comb(40)}, 21);
    for (const auto precision : {Precision::Double, Precision::Single}) {
      const SolveParameters parameters = asked(Backend::Cpu, 2, precision);
      const auto solution = solve(batch, parameters);
      QVERIFY(solution->parameters.solver != kAuto);
      QVERIFY(solution->choice.starts_with(solverName(solution->parameters.solver)));
      QVERIFY(checkAccuracy(*batch, solution->x).isWithinLimit(precision));
      StageTimings timings;
      const SolveParameters named = resolve(*batch, parameters, timings).parameters;
      QCOMPARE(named, solution->parameters);
      const auto again = solve(batch, named);
      QVERIFY(again->choice.empty());
      QCOMPARE(again->x, solution->x);
    }
  }
};

HINESIGHT_TEST(TestCostModel)
#include "test_cost_model.moc"
