#include "io/runs/run_record.hpp"

#include "cli/program.hpp"
#include "test_main.hpp"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

namespace {

QSet<QString> keysOf(const QJsonObject& object)
{
  const QStringList keys = object.keys();
  return {keys.begin(), keys.end()};
}

} // namespace

class TestCliBatch : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

  QJsonObject plan(const QStringList& arguments) const
  {
    const ProgramRun run = runProgram(QStringList{"plan", "--json"} + arguments);
    return run.status == 0 ? run.json().object() : QJsonObject{{"failed", QString(run.text())}};
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeText(path("forked.swc"), kForkedCell);
    writeText(path("chain.swc"), kChainCell);
  }

  /// Small plans worked out by hand.
  void plansWhatAPencilPlans_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QJsonObject>("expected");
    const QStringList asIs = {"--balance", "none", "--split", "none"};
    const QString forked = path("forked.swc");
    const QString chain = path("chain.swc");
    // One warp issues a step for 32 lanes, of which one works: 8 steps of 1 compartment.
    QTest::newRow("chain") << asIs + QStringList{chain}
                           << QJsonObject{{"cells", 1},         {"compartments", 8}, {"levels", 1},
                                          {"barriers", 0},      {"criticalPath", 8}, {"occupancy", 8.0 / (8 * 32)},
                                          {"paddingBytes", 0.}, {"blocks", 1}};
    // Soma and stem are one branch of 3 compartments, then two branches of one each, side by side.
    QTest::newRow("fork") << asIs + QStringList{forked}
                          << QJsonObject{{"cells", 1},         {"compartments", 5}, {"levels", 2},
                                         {"barriers", 2},      {"criticalPath", 4}, {"occupancy", 5.0 / (4 * 32)},
                                         {"paddingBytes", 0.}, {"blocks", 1}};
    // Lanes of 8 and 3 compartments on the first level: 5 slots of d, u and b are padding.
    QTest::newRow("both") << asIs + QStringList{chain, forked}
                          << QJsonObject{{"cells", 2},
                                         {"compartments", 13},
                                         {"levels", 2},
                                         {"barriers", 2},
                                         {"criticalPath", 9},
                                         {"occupancy", 13.0 / (9 * 32)},
                                         {"paddingBytes", 5 * 24},
                                         {"blocks", 1}};
    // In turn: forked, chain, forked.
    QTest::newRow("three cells of two files") << asIs + QStringList{forked, chain, "--cells", "3"}
                                              << QJsonObject{{"cells", 3}, {"compartments", 18}, {"blocks", 1}};
    // 32 threads hold 16 forked cells, which have 2 branches on a level.
    QTest::newRow("four blocks") << asIs + QStringList{forked, "--cells", "64", "--block-size", "32"}
                                 << QJsonObject{{"cells", 64}, {"compartments", 320}, {"levels", 2}, {"blocks", 4}};
    // Cut after 4 compartments: two levels of 4.
    QTest::newRow("split") << QStringList{"--balance", "none", "--split", "fixed:4", chain}
                           << QJsonObject{{"levels", 2}, {"barriers", 2}, {"criticalPath", 8}};
    // The root moves to the middle of the chain: two branches on one level.
    QTest::newRow("four per branch") << asIs + QStringList{"--discretize", "fixed", "--compartments", "4", forked}
                                     << QJsonObject{{"compartments", 13}};
    QTest::newRow("one per branch and P")
        << asIs + QStringList{"--discretize", "fixed", "--compartments", "1", "--resolution", "5", forked}
        << QJsonObject{{"compartments", 16}};
    // Branches of 20, 30 and 40 um.
    QTest::newRow("at most 15 um") << asIs + QStringList{"--discretize", "length", "--max-length", "15", forked}
                                   << QJsonObject{{"compartments", 1 + 2 + 2 + 3}};
  }
  void plansWhatAPencilPlans()
  {
    QFETCH(QStringList, arguments);
    QFETCH(QJsonObject, expected);
    const QJsonObject actual = plan(arguments);
    const QSet<QString> keys = {"cells",        "compartments", "levels",       "barriers",
                                "criticalPath", "occupancy",    "paddingBytes", "blocks"};
    QVERIFY2(keysOf(actual) == keys, QJsonDocument(actual).toJson());
    for (const QString& key : expected.keys())
      QVERIFY2(actual[key].toDouble() == expected[key].toDouble(),
               qPrintable(key + ": " + QString::number(actual[key].toDouble())));
  }

  void plansRandomTrees()
  {
    const QStringList trees = {"--random-trees", "5", "--tree-levels", "6", "--tree-probability", "0.8"};
    const QJsonObject one = plan(trees);
    QCOMPARE(one["cells"].toInt(), 5);
    QCOMPARE(plan(trees), one);
    QVERIFY(plan(trees + QStringList{"--seed", "2"}) != one);
    QCOMPARE(plan(trees + QStringList{"--cells", "12"})["cells"].toInt(), 12);
    QCOMPARE(plan(trees + QStringList{path("chain.swc")})["cells"].toInt(), 6);
    QCOMPARE(plan(trees + QStringList{path("chain.swc")})["compartments"].toInt(), one["compartments"].toInt() + 8);
    // A chain of 4 levels of 3 compartments behind the soma, none of which decay away.
    const QJsonObject chain = plan({"--random-trees", "1", "--tree-levels", "4", "--tree-probability", "0",
                                    "--tree-compartments", "3", "--tree-decay", "1"});
    QCOMPARE(chain["compartments"].toInt(), 13);
  }

  void printsThePlanAsText()
  {
    const ProgramRun run = runProgram({"plan", path("forked.swc"), "--cells", "2000", "--split", "fixed:2"});
    QVERIFY2(run.status == 0, run.text());
    for (const char* text : {"2,000 (1 shape)", "10,000", "split fixed:2", "as read", "occupancy"})
      QVERIFY2(run.out.contains(text), run.text());
  }

  void solvesWithEveryOption_data()
  {
    QTest::addColumn<QStringList>("options");
    for (const char* solver : {"serial", "multicore", "fine", "resident"})
      for (const char* balance : {"none", "branches", "compartments"})
        for (const char* split : {"none", "level-average", "block-average", "fixed:1"})
          for (const char* pack : {"greedy", "first-fit", "level-shift"})
            QTest::addRow("%s, balance %s, split %s, pack %s", solver, balance, split, pack)
                << QStringList{"--solver", solver, "--balance", balance, "--split", split, "--pack", pack};
  }
  void solvesWithEveryOption()
  {
    QFETCH(QStringList, options);
    const ProgramRun run = runProgram(
        QStringList{"solve", "--json", path("forked.swc"), path("chain.swc"), "--random-trees", "3", "--cells", "101"} +
        options);
    QVERIFY2(run.status == 0, run.text());
    QVERIFY2(run.err.isEmpty(), run.text());
    const QJsonObject result = run.json().object();
    const QSet<QString> keys = {"cells",
                                "precision",
                                "parameters",
                                "compartments",
                                "solver",
                                "choice",
                                "backend",
                                "device",
                                "stages",
                                "maxRelativeDifference",
                                "relativeResidual",
                                "milliseconds",
                                "repetitions",
                                "plannedFor",
                                "predictedMilliseconds",
                                "processorsOfOthers"};
    QCOMPARE(keysOf(result), keys);
    QCOMPARE(result["cells"].toInt(), 101);
    QCOMPARE(result["solver"].toString(), options[1]);
    QCOMPARE(result["precision"].toString(), "double");
    QCOMPARE(result["choice"].toString(), QString());
    QCOMPARE(result["backend"].toString(), "cpu");
    QVERIFY(!result["device"].toString().isEmpty());
    QVERIFY(result["maxRelativeDifference"].isDouble() && result["maxRelativeDifference"].toDouble() <= 1e-12);
    QVERIFY(result["relativeResidual"].isDouble() && result["relativeResidual"].toDouble() <= 1e-12);
    double sum = 0;
    QStringList names;
    for (const QJsonValue& stage : result["stages"].toArray()) {
      QCOMPARE(keysOf(stage.toObject()), (QSet<QString>{"name", "milliseconds"}));
      QVERIFY(stage["milliseconds"].toDouble() >= 0);
      names << stage["name"].toString();
      sum += stage["milliseconds"].toDouble();
    }
    for (const char* name : {"read", "discretize", "plan", "solve"})
      QVERIFY2(names.contains(name), name);
    QVERIFY(std::abs(result["milliseconds"].toDouble() - sum) <= 1e-9 * sum);
  }

  void solvesWithEveryOptionOnCuda()
  {
    if (runProgram({"devices", "--json"}).json()["cuda"].toArray().isEmpty())
      QSKIP("no CUDA device here");
    const ProgramRun run = runProgram({"solve", "--json", path("forked.swc"), "--backend", "cuda"});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.json()["solver"].toString() != "auto" && !run.json()["choice"].toString().isEmpty());
    QCOMPARE(run.json()["backend"].toString(), "cuda");
  }

  /// Where no solver is named, one is chosen by costs that are measured once and then kept.
  void choosesTheSolver()
  {
    const QStringList command = {"solve", "--json", path("forked.swc"), "--cells", "40"};
    const ProgramRun first = runProgram(command);
    QVERIFY2(first.status == 0 && first.err.isEmpty(), first.text());
    const QString solver = first.json()["solver"].toString();
    QVERIFY(solver != "auto" && !solver.isEmpty());
    QVERIFY2(first.json()["choice"].toString().startsWith(solver + (solver == "serial" ? ":" : ", ")), first.text());
    QVERIFY2(first.json()["choice"].toString().contains("costs measured on"), first.text());
    QCOMPARE(runProgram(command).json()["choice"], first.json()["choice"]);
    QVERIFY(runProgram({"devices"}).out.contains("double measured"));
    const ProgramRun single = runProgram(command + QStringList{"--precision", "single"});
    QCOMPARE(single.json()["solver"].toString(), "interleaved");
  }

  void printsTheSolveAsText()
  {
    const ProgramRun run = runProgram({"solve", path("chain.swc"), "--cells", "10", "--repeat", "3"});
    QVERIFY2(run.status == 0, run.text());
    for (const char* text :
         {" on cpu", "chosen", "relative to the serial sweep", "median of 3", "read", "total", " ms"})
      QVERIFY2(run.out.contains(text), run.text());
  }

  void warnsOnStderr()
  {
    writeText(path("orphan.swc"), kForkedCell + "9 2 0 0 9 1 8\n");
    const ProgramRun text = runProgram({"solve", path("orphan.swc")});
    QVERIFY2(text.status == 0 && text.err.contains("orphan.swc:7: warning: "), text.text());
    const ProgramRun strict = runProgram({"solve", "--json", "--strict", path("orphan.swc")});
    QCOMPARE(strict.status, 1);
    QCOMPARE(strict.error()["line"].toInt(), 7);
  }

  void warnsOfWhatChangesNothing()
  {
    const ProgramRun trees = runProgram({"solve", "--random-trees", "2", "--resolution", "2", "--backend", "cpu"});
    QVERIFY2(trees.status == 0 && trees.err.contains("warning: --resolution has no effect on random trees"),
             trees.text());
    const ProgramRun gpus = runProgram({"solve", path("forked.swc"), "--devices", "2", "--backend", "cpu"});
    QVERIFY2(gpus.status == 0 && gpus.err.contains("warning: --devices has no effect on the CPU"), gpus.text());
    QVERIFY(!gpus.err.contains("--resolution"));
    for (const QStringList& command :
         {QStringList{"form", "--neurons", "20"}, QStringList{"grow", "--neurons", "20", "--steps", "5"},
          QStringList{"project", "--source-grid", "3,3", "--recurrent"}}) {
      const ProgramRun network = runProgram(command + QStringList{"--devices", "2", "--backend", "cpu"});
      QVERIFY2(network.status == 0 && network.err.contains("warning: --devices has no effect on the CPU"),
               network.text());
    }
  }

  void writesTimingsThatAgreeWithWhatItPrints_data()
  {
    QTest::addColumn<QString>("name");
    QTest::newRow("csv") << "timings.csv";
    QTest::newRow("json") << "timings.json";
  }
  void writesTimingsThatAgreeWithWhatItPrints()
  {
    QFETCH(QString, name);
    const ProgramRun run = runProgram({"solve", "--json", path("forked.swc"), path("chain.swc"), "--split", "fixed:2",
                                       "--solver", "fine", "--timings", path(name)});
    QVERIFY2(run.status == 0, run.text());
    const std::string file = path(name).toStdString();
    const auto runs = name.endsWith("csv") ? hinesight::io::readTimingsCsv(file) : hinesight::io::readTimingsJson(file);
    QCOMPARE(runs.size(), std::size_t{1});
    const hinesight::io::RunRecord& record = runs[0];
    QCOMPARE(record.source, std::string("forked.swc, chain.swc"));
    QCOMPARE(record.cells, std::size_t{2});
    QCOMPARE(record.compartments, std::size_t{13});
    QCOMPARE(record.split, std::string("fixed:2"));
    QCOMPARE(record.solver, std::string("fine"));
    const QJsonArray stages = run.json()["stages"].toArray();
    QCOMPARE(static_cast<qsizetype>(record.timings.stages.size()), stages.size());
    for (qsizetype i = 0; i < stages.size(); ++i) {
      const hinesight::Stage& stage = record.timings.stages[static_cast<std::size_t>(i)];
      QCOMPARE(QString::fromStdString(stage.name), stages[i]["name"].toString());
      QCOMPARE(stage.milliseconds, stages[i]["milliseconds"].toDouble());
    }
    QCOMPARE(record.accuracy.relativeResidual, run.json()["relativeResidual"].toDouble());
  }

  /// The window exports runs of all kinds: the last solve is repeated, also where something else ran after it.
  void repeatsTheLastSolveOfAllRuns()
  {
    using namespace hinesight;
    QCOMPARE(runProgram({"solve", path("chain.swc"), "--cells", "3", "--timings", path("one.json")}).status, 0);
    std::vector<io::RunRecord> runs = io::readTimings(path("one.json").toStdString());
    StageTimings timings;
    timings.add("electrical", 3);
    io::RunRecord growth = io::startRecord(io::RunKind::Growth, "no synapses", timings);
    growth.settings = {{"calcium-decay", "100"}};
    runs.push_back(growth);
    for (const char* name : {"all.csv", "all.json"}) {
      io::writeTimings(runs, path(name).toStdString());
      const ProgramRun again = runProgram({"solve", "--from", path(name), "--json"});
      QVERIFY2(again.status == 0, again.text());
      QCOMPARE(again.json()["cells"].toInt(), 3);
    }
    io::writeTimings({growth}, path("growth.json").toStdString());
    QCOMPARE(runProgram({"solve", "--from", path("growth.json"), "--json"}).status, 1);
  }
};

HINESIGHT_TEST(TestCliBatch)
#include "test_cli_batch.moc"
