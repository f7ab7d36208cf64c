#include "cable/discretization.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/memory_bandwidth.hpp"
#include "hines/bench/benchmark.hpp"
#include "hines/bench/benchmark_tables.hpp"

#include "hines/solvers.hpp"
#include "hines/trees.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <set>

using namespace hinesight;
using namespace hinesight::hines;

namespace {

BenchmarkParameters briefly()
{
  BenchmarkParameters parameters;
  parameters.warmUp = 0;
  parameters.duration = 0;
  return parameters;
}

/// Chains of 20 compartments; counts how often they were made.
std::shared_ptr<const BenchmarkSource> countedChains(int& made)
{
  return std::make_shared<const BenchmarkSource>(BenchmarkSource{"chains", [&made](const RunControl& control) {
                                                                   ++made;
                                                                   return chainOf(20)->make(control);
                                                                 }});
}

BenchmarkCase caseOf(const std::shared_ptr<const BenchmarkSource>& source, std::int64_t cells, SolverId solver)
{
  BenchmarkCase one;
  one.table = "test";
  one.source = source;
  one.cells = cells;
  one.label = solverName(solver);
  one.solve.solver = solver;
  return one;
}

template <typename Call>
std::optional<ErrorCode> codeOf(const Call& call)
{
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

} // namespace

class TestBenchmark : public QObject
{
  Q_OBJECT

private slots:
  /// The first test that measures: the memory bandwidth is measured once a program.
  void tellsThatItMeasuresTheMemoryBandwidth()
  {
    std::vector<std::string> stages;
    std::vector<double> fractions;
    const RunControl control([&](std::string_view stage, double fraction) {
      if (stages.empty() || stages.back() != stage)
        stages.emplace_back(stage);
      fractions.push_back(fraction);
    });
    int made = 0;
    const auto source = countedChains(made);
    const std::vector cases = {caseOf(source, 1, kSerial), caseOf(source, 3, kSerial)};
    runBenchmark(cases, briefly(), {}, control);
    QCOMPARE(stages, (std::vector<std::string>{"memory bandwidth", "serial, 1 cell", "serial, 3 cells", "benchmark"}));
    QVERIFY(std::ranges::is_sorted(fractions));
    QCOMPARE(fractions.front(), 0.0);
    QCOMPARE(fractions[fractions.size() - 3], 1.0 / 3);
    QCOMPARE(fractions.back(), 1.0);
  }

  void spreadsAreOrderStatistics()
  {
    const Spread odd = spreadOf({5, 1, 4, 2, 3});
    QCOMPARE(odd.min, 1.0);
    QCOMPARE(odd.lowerQuartile, 2.0);
    QCOMPARE(odd.median, 3.0);
    QCOMPARE(odd.upperQuartile, 4.0);
    QCOMPARE(odd.max, 5.0);
    const Spread even = spreadOf({4, 1, 2, 3});
    QCOMPARE(even.lowerQuartile, 1.75);
    QCOMPARE(even.median, 2.5);
    QCOMPARE(even.upperQuartile, 3.25);
    QCOMPARE(spreadOf({7}).median, 7.0);
  }

  void rowsSayWhatWasMeasured()
  {
    int made = 0;
    const auto source = countedChains(made);
    const std::vector cases = {caseOf(source, 3, kSerial), caseOf(source, 3, kMulticore), caseOf(source, 5, kResident)};
    std::vector<std::string> heard;
    const auto rows = runBenchmark(cases, briefly(), [&](const BenchmarkRow& row) { heard.push_back(row.label); });
    QCOMPARE(rows.size(), cases.size());
    QCOMPARE(heard, (std::vector<std::string>{"serial", "multicore", "resident"}));
    QCOMPARE(made, 1);
    for (const BenchmarkRow& row : rows) {
      QVERIFY2(!row.failed(), row.error.c_str());
      QCOMPARE(row.compartments, row.cells * 20);
      QCOMPARE(row.shapes, std::size_t{1});
      QCOMPARE(row.bytesMoved, row.compartments * 32);
      QVERIFY(row.repetitions.size() >= 7);
      const Spread& ms = row.milliseconds;
      QVERIFY(ms.min > 0 && ms.min <= ms.lowerQuartile && ms.lowerQuartile <= ms.median);
      QVERIFY(ms.median <= ms.upperQuartile && ms.upperQuartile <= ms.max);
      QVERIFY(row.accuracy.isWithinLimit());
      QVERIFY(!row.device.empty() && !row.driver.empty());
      QVERIFY(row.copyBandwidth > 1e8);
      const double perSecond = static_cast<double>(row.compartments) / (ms.median * 1e-3);
      QCOMPARE(row.compartmentsPerSecond, perSecond);
      QCOMPARE(row.bandwidthFraction, 32 * perSecond / row.copyBandwidth);
    }
    QCOMPARE(rows[2].cells, std::size_t{5});
    QVERIFY(rows[1].parameters.find("split level-average") != std::string::npos);
    QVERIFY(rows[0].parameters.empty());
  }

  void rowsNameAllThatTheyDependOn()
  {
    const auto rows = runBenchmark(std::vector{caseOf(ca1SizedCell(), 2, kSerial)}, briefly());
    QCOMPARE(rows.size(), std::size_t{1});
    const auto textOf = [&rows](const std::string& name) {
      const auto found = std::ranges::find(rows[0].settings, name, &Setting::name);
      return found == rows[0].settings.end() ? std::string("not named") : found->text;
    };
    QCOMPARE(textOf("solver"), std::string("serial"));
    QCOMPARE(textOf("seed"), std::to_string(briefly().seed));
    cable::DiscretizationParameters cells;
    for (const BoundField& field : fieldsOf(cells))
      QCOMPARE(textOf(field.name), field.text());
  }

  void fewerCellsThanSystemsTakeTheFirst()
  {
    const auto source = std::make_shared<const BenchmarkSource>(
        BenchmarkSource{"two", [](const RunControl& control) {
                          return BenchmarkSource::Systems{chainOf(20)->make(control)[0], chainOf(30)->make(control)[0]};
                        }});
    const auto rows = runBenchmark(std::vector{caseOf(source, 1, kSerial), caseOf(source, 3, kSerial)}, briefly());
    QCOMPARE(rows[0].compartments, std::size_t{20});
    QCOMPARE(rows[1].compartments, std::size_t{70});
    QCOMPARE(rows[1].shapes, std::size_t{2});
  }

  /// Also of a solver that brings the batch into its layout when it is prepared, and then has nothing to permute.
  void countsThePermutationOfEverySolver()
  {
    int made = 0;
    const auto source = countedChains(made);
    for (const BenchmarkRow& row : runBenchmark(
             std::vector{caseOf(source, 20'000, kMulticore), caseOf(source, 20'000, kInterleaved)}, briefly())) {
      QVERIFY2(!row.failed(), row.error.c_str());
      QVERIFY(row.permute > 0);
    }
  }

  /// What cannot be done is a row with its sentence, and what follows is measured.
  void failuresAreRows()
  {
    int made = 0;
    const auto source = countedChains(made);
    BenchmarkCase impossible = caseOf(source, 3, kSerial);
    impossible.solve.backend = Backend::Cuda;
    const auto broken = std::make_shared<const BenchmarkSource>(
        BenchmarkSource{"broken", [](const RunControl&) -> BenchmarkSource::Systems {
                          throw Error(ErrorCode::FileNotFound, "The cell is gone.");
                        }});
    const std::vector cases = {impossible, caseOf(source, 1'000'000'000'000, kSerial), caseOf(source, 0, kSerial),
                               caseOf(broken, 1, kSerial), caseOf(source, 3, kSerial)};
    const auto rows = runBenchmark(cases, briefly());
    QCOMPARE(rows.size(), cases.size());
    QVERIFY(rows[0].error.find("on the CPU only") != std::string::npos);
    QVERIFY(rows[1].error.find("free") != std::string::npos);
    QVERIFY(rows[2].failed());
    QCOMPARE(rows[3].error, std::string("The cell is gone."));
    QVERIFY(rows[3].repetitions.empty());
    QVERIFY2(!rows[4].failed(), rows[4].error.c_str());
  }

  void cancelsBetweenAndInsideCases()
  {
    int made = 0;
    const auto source = countedChains(made);
    const RunControl control;
    std::size_t rows = 0;
    const auto stopAfterFirst = [&](const BenchmarkRow&) {
      ++rows;
      control.cancel();
    };
    const std::vector cases(3, caseOf(source, 3, kSerial));
    QVERIFY(codeOf([&] { runBenchmark(cases, briefly(), stopAfterFirst, control); }) == ErrorCode::Cancelled);
    QCOMPARE(rows, std::size_t{1});
  }

  void refusesParametersOutOfRange()
  {
    BenchmarkParameters few;
    few.minRepetitions = 6;
    QVERIFY(codeOf([&] { runBenchmark({}, few); }) == ErrorCode::BadParameter);
    BenchmarkParameters endless;
    endless.duration = std::numeric_limits<double>::infinity();
    QVERIFY(codeOf([&] { validate(endless); }) == ErrorCode::BadParameter);
    QVERIFY(runBenchmark({}, briefly()).empty());
  }

  void tablesHoldTheirBatches_data()
  {
    QTest::addColumn<QString>("name");
    for (const BenchmarkTable& table : benchmarkTables())
      QTest::newRow(table.name.data()) << QString::fromUtf8(table.name.data());
  }

  /// Cases of one batch are neighbours, names are the table's, and no peer is among the trees.
  void tablesHoldTheirBatches()
  {
    QFETCH(QString, name);
    BenchmarkScope scope;
    const auto cases = makeBenchmarkTable(name.toStdString(), scope);
    std::set<std::pair<const BenchmarkSource*, std::int64_t>> done;
    std::pair<const BenchmarkSource*, std::int64_t> last(nullptr, 0);
    for (const BenchmarkCase& one : cases) {
      QCOMPARE(one.table, name.toStdString());
      QVERIFY(!one.label.empty() && !one.source->what.empty());
      QVERIFY(traitsOf(one.solve.solver).onCpu);
      const std::pair batch(one.source.get(), one.cells);
      if (batch != last)
        QVERIFY2(done.insert(batch).second, "a batch would be made twice");
      last = batch;
      if (traitsOf(one.solve.solver).isPeer)
        QVERIFY(one.source->what.starts_with("chain"));
    }
  }

  void ringVariesThePlan()
  {
    BenchmarkScope scope;
    scope.cells = {16};
    std::set<std::string> labels;
    std::vector<PlanParameters> plans;
    for (const BenchmarkCase& one : makeBenchmarkTable("ring", scope)) {
      labels.insert(one.label);
      const auto& plan = one.solve.of<PlanParameters>();
      if (one.solve.solver == kFine && std::ranges::find(plans, plan) == plans.end())
        plans.push_back(plan);
    }
    QCOMPARE(labels, (std::set<std::string>{"coarse", "resident", "fine, as read", "fine, split",
                                            "fine, balanced, split", "fine, block average", "fine, level-shift"}));
    QCOMPARE(plans.size(), std::size_t{5});
    scope.solvers = {kSerial};
    for (const BenchmarkCase& one : makeBenchmarkTable("ring", scope))
      QVERIFY(one.solve.solver == kSerial);
  }

  void scopeNarrowsTables()
  {
    BenchmarkScope scope;
    scope.solvers = {kSerial, kFine};
    scope.cells = {2, 4};
    const auto cases = makeBenchmarkTable("copies", scope);
    QCOMPARE(cases.size(), std::size_t{6});
    QCOMPARE(cases[1].label, std::string("fine, as read"));
    const auto& asRead = cases[1].solve.of<PlanParameters>();
    QVERIFY(asRead.split == SplitStrategy::None && asRead.balance == BalanceMeasure::None);
    QCOMPARE(cases[2].label, std::string("fine"));
    QCOMPARE(cases[5].cells, std::int64_t{4});
    // A solver of the CPU beside those of the device.
    scope.backend = Backend::Cuda;
    const auto onDevice = makeBenchmarkTable("copies", scope);
    QVERIFY(onDevice[0].solve.backend == Backend::Cpu);
    QVERIFY(onDevice[1].solve.backend == Backend::Cuda);
    QVERIFY(codeOf([&] { makeBenchmarkTable("no such", scope); }) == ErrorCode::BadParameter);
  }

  /// In both orders, each batch; the second is compared to the first.
  void oneShotIsComparedToTheLayoutOfThePlan()
  {
    BenchmarkScope scope;
    scope.cells = {2};
    const auto cases = makeBenchmarkTable("one-shot", scope);
    QCOMPARE(cases.size(), std::size_t{4});
    QCOMPARE(cases[0].label, std::string("resident"));
    QCOMPARE(cases[1].label, std::string("resident, one shot"));
    QCOMPARE(cases[1].comparedTo, cases[0].label);
    QVERIFY(cases[1].solve.of<ResidentSettings>().order == ResidentOrder::Batch);
    const auto rows = runBenchmark(std::vector{cases[0], cases[1]}, briefly());
    QVERIFY2(!rows[0].failed() && !rows[1].failed(), rows[1].error.c_str());
    QCOMPARE(rows[0].ratio, 0.0);
    QCOMPARE(rows[1].ratio, rows[1].milliseconds.median / rows[0].milliseconds.median);
  }

  /// The issue names the sizes; the synthetic cells must keep to them.
  void syntheticCellsHaveTheirSizes()
  {
    const auto size = ca1SizedCell()->make({}).front()->size();
    QVERIFY2(size > 1'300 && size < 1'500, std::to_string(size).c_str());
    std::size_t smallest = 1'000'000;
    std::size_t largest = 0;
    for (const auto& system : mixedSyntheticCells()->make({})) {
      smallest = std::min(smallest, system->size());
      largest = std::max(largest, system->size());
    }
    QVERIFY2(smallest < 1'500 && largest > 8'000 && largest <= 20'000, std::to_string(largest).c_str());
    QCOMPARE(chainOf(64)->make({}).front()->size(), std::size_t{64});
    for (const BenchmarkCase& one : makeBenchmarkTable("long", {}))
      QVERIFY(std::abs(static_cast<double>(one.source->make({}).front()->size()) - 120'000) < 2'000);
  }

  void mainMemoryIsMeasured()
  {
    const double bandwidth = measureMemoryBandwidth();
    QVERIFY2(bandwidth > 5e8 && bandwidth < 1e13, std::to_string(bandwidth).c_str());
    QVERIFY(residentMemoryBytes() > 1'000'000);
    const RunControl cancelled;
    cancelled.cancel();
    QVERIFY(codeOf([&] { measureMemoryBandwidth(cancelled); }) == ErrorCode::Cancelled);
  }
};

HINESIGHT_TEST(TestBenchmark)
#include "test_benchmark.moc"
