#include "cli/program.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

using namespace hinesight::tests;

class TestCliCommands : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  /// What is declared once is an option, a setting of the record, and stands on the page.
  void everyParameterIsAnOption()
  {
    const ProgramRun run = runProgram({"parameters", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray studies = run.json()["studies"].toArray();
    QVERIFY(studies.size() >= 8);
    int options = 0;
    for (const QJsonValue& study : studies) {
      const QString command = study["command"].toString();
      ProgramRun help;
      if (!command.isEmpty()) {
        help = runProgram(command.split(' ') << "--help");
        QVERIFY2(help.status == 0, qPrintable(command));
      }
      for (const QJsonValue& parameter : study["parameters"].toArray()) {
        const QString name = parameter["name"].toString();
        if (parameter["kind"].toString() == "list") // from files, by options of their own
          continue;
        // Others are of the window, or stand in sessions.
        const bool isOption = parameter["concern"].toString() != "picture" && !command.isEmpty();
        const QRegularExpression option("--" + QRegularExpression::escape(name) + "\\b(?!-)");
        QVERIFY2(QString::fromUtf8(help.out).contains(option) == isOption, qPrintable(command + " --" + name));
        QVERIFY2(!parameter["label"].toString().isEmpty() && !parameter["help"].toString().isEmpty(), qPrintable(name));
        options += isOption ? 1 : 0;
      }
    }
    QVERIFY(options > 100);
  }

  void solvesFilesOrRandomTreesOrBoth()
  {
    const QString cell = path("source.swc");
    writeText(cell, kForkedCell);
    const auto cellsOf = [&](const QStringList& arguments) {
      const ProgramRun run = runProgram(QStringList{"solve", "--json"} + arguments);
      return run.status == 0 ? run.json()["cells"].toInt() : -run.status;
    };
    QCOMPARE(cellsOf({cell, "--random-trees", "3"}), 4);
    QCOMPARE(cellsOf({cell, "--random-trees", "3", "--source", "open-cells"}), 1);
    QCOMPARE(cellsOf({"--random-trees", "3", "--source", "random-trees"}), 3);
    QCOMPARE(cellsOf({cell, "--random-trees", "3", "--source", "random-trees"}), -2);
    QCOMPARE(cellsOf({"--source", "random-trees"}), -2);
    QCOMPARE(cellsOf({"--random-trees", "3", "--source", "open-cells"}), -2);
  }

  /// With or without a GPU.
  void predictsForAGpuThatIsNotHere()
  {
    const QString cell = path("predicted.swc");
    writeText(cell, kForkedCell);
    const ProgramRun text = runProgram({"solve", "--predict", "t4", cell});
    QVERIFY2(text.status == 0, text.text());
    QVERIFY2(text.out.contains("planned for") && text.out.contains("NVIDIA T4, which is not here"), text.text());
    QVERIFY2(text.out.contains("predicted for an NVIDIA T4 (not checked against one)"), text.text());
    const ProgramRun run = runProgram({"solve", "--json", "--predict", "h100", "--solver", "coarse", cell});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json()["device"].toString(), QString("NVIDIA H100"));
    QCOMPARE(run.json()["solver"].toString(), QString("coarse"));
    QCOMPARE(run.json()["backend"].toString(), QString("cuda"));
    QVERIFY(run.json()["predictedMilliseconds"].toDouble() > 0);
    QVERIFY(run.json()["predictionChecked"].toBool());
    const ProgramRun plan = runProgram({"plan", "--json", "--gpu", "rtx3060", cell});
    QVERIFY2(plan.status == 0, plan.text());
    QCOMPARE(plan.json()["gpu"].toString(), QString("NVIDIA GeForce RTX 3060"));
    QVERIFY(plan.json()["predictions"].toArray().size() >= 4);
    QVERIFY(!runProgram({"plan", "--json", cell}).json().object().contains("predictions"));
    QCOMPARE(runProgram({"solve", "--predict", "t5", cell}).status, 2);
    const ProgramRun serial = runProgram({"solve", "--predict", "t4", "--solver", "serial", cell});
    QCOMPARE(serial.status, 1);
  }

  void listsTheGpusThatCanBePlannedFor()
  {
    const ProgramRun run = runProgram({"devices", "--known", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray known = run.json()["known"].toArray();
    QCOMPARE(known.size(), 12);
    for (const QJsonValue& device : known) {
      QVERIFY(device["source"].toString().size() > 20);
      QVERIFY(device["sharedBytesPerBlock"].toInteger() >= 64 << 10);
      QVERIFY(device["bandwidth"].toDouble() > 1e11);
    }
    const ProgramRun text = runProgram({"devices", "--known"});
    QVERIFY2(text.out.contains("rtx4060") && text.out.contains("source: "), text.text());
    QCOMPARE(runProgram({"--limit-gpu", "a100", "devices"}).status, 0);
    QCOMPARE(runProgram({"--limit-gpu", "a200", "devices"}).status, 2);
  }

  void thePageOfParametersIsThatOfTheProgram()
  {
    const ProgramRun run = runProgram({"parameters", "--markdown"});
    QCOMPARE(run.status, 0);
    QFile page(sourceFile("docs/parameters.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY2(page.readAll() == run.out, "docs/parameters.md is old: run scripts/make-parameters-page");
  }

  void aRunIsRepeatedFromItsRecord()
  {
    const QString cell = path("cell.swc");
    writeText(cell, kForkedCell);
    for (const QString& name : {QStringLiteral("record.json"), QStringLiteral("record.csv")}) {
      const ProgramRun first = runProgram({"solve",
                                           cell,
                                           "--cells",
                                           "7",
                                           "--max-length",
                                           "3.5",
                                           "--discretize",
                                           "length",
                                           "--time-step",
                                           "0.0125",
                                           "--split",
                                           "fixed:3",
                                           "--no-sort",
                                           "--solver",
                                           "multicore",
                                           "--random-trees",
                                           "2",
                                           "--seed",
                                           "5",
                                           "--timings",
                                           path(name)});
      QVERIFY2(first.status == 0, first.text());
      const ProgramRun again = runProgram({"solve", "--from", path(name), "--timings", path("again.json"), "--json"});
      QVERIFY2(again.status == 0, again.text());
      QCOMPARE(again.json()["cells"].toInt(), 7);
      QFile file(path("again.json"));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QJsonObject settings = QJsonDocument::fromJson(file.readAll())["runs"][0]["settings"].toObject();
      QCOMPARE(settings["max-length"].toString(), QString("3.5"));
      QCOMPARE(settings["split-length"].toString(), QString("3"));
      QCOMPARE(settings["sort"].toString(), QString("false"));
      QCOMPARE(settings["time-step"].toString(), QString("0.0125"));
      // What is given besides has the last word.
      QCOMPARE(runProgram({"solve", "--from", path(name), "--cells", "9", "--json"}).json()["cells"].toInt(), 9);
    }
    writeText(path("old.json"), R"({"runs": []})");
    QCOMPARE(runProgram({"solve", "--from", path("old.json")}).status, 1);
  }

  void aRunOfScaledFilesIsRepeatedInTheirUnits()
  {
    const QString small = path("small.swc"), large = path("large.swc");
    writeText(small, kForkedCell);
    writeText(large, "1 1 0 0 0 5000 -1\n2 3 0 30000 0 500 1\n");
    const auto compartmentsOf = [](const ProgramRun& run) { return run.json()["compartments"].toInt(); };
    const QStringList byLength = {"--discretize", "length", "--max-length", "2", "--solver", "serial", "--json"};
    for (const QString& name : {QStringLiteral("units.json"), QStringLiteral("units.csv")}) {
      const ProgramRun first =
          runProgram(QStringList{"solve", small, large, "--scale", "1,0.001", "--timings", path(name)} + byLength);
      QVERIFY2(first.status == 0, first.text());
      QVERIFY2(first.err.isEmpty(), first.text());
      const ProgramRun again = runProgram({"solve", "--from", path(name), "--json"});
      QVERIFY2(again.status == 0, again.text());
      QVERIFY2(again.err.isEmpty(), again.text());
      QCOMPARE(compartmentsOf(again), compartmentsOf(first));
      // What is given besides has the last word.
      const ProgramRun other = runProgram({"solve", "--from", path(name), "--scale", "1,0.002", "--json"});
      QVERIFY(compartmentsOf(other) > compartmentsOf(first));
      QCOMPARE(runProgram({"solve", "--from", path(name), small, "--json"}).status, 1);
    }
    // Records of versions that knew no scales are of files in µm.
    QFile file(path("units.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    QVERIFY(text.contains("scale=1,0.001\n"));
    writeText(path("old.csv"), text.replace("scale=1,0.001\n", ""));
    const ProgramRun old = runProgram({"solve", "--from", path("old.csv"), "--json"});
    QCOMPARE(compartmentsOf(old), compartmentsOf(runProgram(QStringList{"solve", small, large} + byLength)));
  }

  void aRecordIsNotWrittenOverByItsRepetition()
  {
    const QString cell = path("kept.swc"), record = path("kept.json");
    writeText(cell, kForkedCell);
    QCOMPARE(runProgram({"solve", cell, "--timings", record}).status, 0);
    QFile file(record);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    const ProgramRun run = runProgram({"solve", "--from", record, "--timings", record, "--json"});
    QVERIFY2(run.status == 2, run.text());
    QVERIFY2(run.error()["message"].toString().contains("one file"), run.text());
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), before);
  }

  void helpsWithEveryCommand_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("program") << QStringList{"--help"} << QStringList{"info",   "plan", "solve", "generate", "devices",
                                                                     "verify", "fit",  "bench", "run",      "export"};
    QTest::newRow("info") << QStringList{"info", "--help"} << QStringList{"FILE", "--json"};
    const QStringList batch = {"--json",         "--cells",
                               "--discretize",   "sample|fixed|length|d-lambda",
                               "--compartments", "--max-length",
                               "--d-lambda",     "--resolution",
                               "--balance",      "none|branches|compartments",
                               "--split",        "fixed:K",
                               "--pack",         "greedy|first-fit|level-shift",
                               "--block-size"};
    QTest::newRow("plan") << QStringList{"plan", "--help"} << batch;
    QTest::newRow("solve") << QStringList{"solve", "--help"}
                           << batch + QStringList{"--solver",  "serial|multicore|fine",
                                                  "--backend", "cpu|cuda",
                                                  "--repeat",  "--timings"};
    QTest::newRow("generate") << QStringList{"generate", "--help"} << QStringList{"--json", "--seed", "--output"};
    QTest::newRow("devices") << QStringList{"devices", "--help"} << QStringList{"--json", "--fit"};
    QTest::newRow("verify") << QStringList{"verify", "--help"} << QStringList{"--json", "--backend"};
  }
  void helpsWithEveryCommand()
  {
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, mentions);
    const ProgramRun run = runProgram(arguments);
    QCOMPARE(run.status, 0);
    QVERIFY(run.err.isEmpty());
    for (const QString& word : mentions)
      QVERIFY2(run.out.contains(word.toUtf8()), qPrintable(word + " is not in:\n" + run.out));
  }

  void saysItsVersion()
  {
    const ProgramRun run = runProgram({"--version"});
    QCOMPARE(run.status, 0);
    QVERIFY2(run.out.startsWith("hinesight-cli "), run.text());
    for (const char* line : {"\ncommit ", "\ncompiler ", "\nCUDA "})
      QVERIFY2(run.out.contains(line), run.text());
  }

  void generatesTheSameCellForTheSameSeed()
  {
    const ProgramRun one = runProgram({"generate", "--seed", "5"});
    QCOMPARE(one.status, 0);
    QVERIFY(one.out.startsWith("#"));
    QCOMPARE(runProgram({"generate", "--seed", "5"}).out, one.out);
    QVERIFY(runProgram({"generate", "--seed", "6"}).out != one.out);
    QCOMPARE(
        runProgram({"generate", "--probability", "0.5", "--length", "50", "--step", "3"}).out,
        runProgram({"generate", "--branching-probability", "0.5", "--branch-length", "50", "--step-length", "3"}).out);
    QVERIFY(runProgram({"generate", "--seed", "5", "--kind", "bipolar"}).out != one.out);
  }

  void generatesFilesThatInfoReads()
  {
    const ProgramRun made =
        runProgram({"generate", "--json", "--cells", "3", "--seed", "5", "--output", path("cell.swc")});
    QVERIFY2(made.status == 0, made.text());
    const QStringList files = {path("cell-1.swc"), path("cell-2.swc"), path("cell-3.swc")};
    const ProgramRun read = runProgram(QStringList{"info", "--json"} + files);
    QVERIFY2(read.status == 0, read.text());
    QCOMPARE(made.json(), read.json());
    QCOMPARE(read.json().array().size(), 3);
    for (const QJsonValue& cell : read.json().array())
      QVERIFY2(cell["warnings"].toArray().isEmpty(), read.text());
    QFile first(files[0]);
    QVERIFY(first.open(QIODevice::ReadOnly));
    QCOMPARE(first.readAll(), runProgram({"generate", "--seed", "5"}).out);
  }

  void keepsTheOldFileWhenItCannotGenerate()
  {
    writeText(path("old.swc"), "old");
    const ProgramRun run = runProgram({"generate", "--stems", "0", "--output", path("old.swc")});
    QCOMPARE(run.status, 1);
    QFile old(path("old.swc"));
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("old"));
    QCOMPARE(runProgram({"generate", "--output", "/dev/null"}).status, 1);
  }

  void listsDevices()
  {
    const QJsonDocument devices = runProgram({"devices", "--json"}).json();
    QCOMPARE(devices["cpu"]["threads"].toInt(), QThread::idealThreadCount());
    QVERIFY(!devices["cpu"]["name"].toString().isEmpty());
    QVERIFY(devices["cudaCompiled"].isBool());
    QVERIFY(devices["cuda"].isArray());
    QVERIFY(devices["cudaCompiled"].toBool() || devices["cuda"].toArray().isEmpty());
    const ProgramRun text = runProgram({"devices"});
    QVERIFY2(text.status == 0 && text.out.startsWith("cpu ") && text.out.contains("\ncuda"), text.text());
    if (devices["cuda"].toArray().isEmpty())
      QCOMPARE(runProgram({"devices", "--fit"}).status, 1);
  }

  void verifiesItself()
  {
    const ProgramRun run = runProgram({"verify", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json()["passed"].toBool(), true);
    QMap<QString, QStringList> solvers;
    for (const QJsonValue& c : run.json()["cases"].toArray()) {
      solvers[c["shape"].toString()] << c["solver"].toString();
      QVERIFY(c["passed"].toBool());
      QVERIFY(c["repeatable"].toBool());
      QVERIFY(c["maxRelativeDifference"].toDouble(1) <= 1e-12);
      QVERIFY(c["relativeResidual"].toDouble(1) <= 1e-12);
      // Three ways to balance, four to split and three to pack; the other solvers do not look at the plan.
      const bool plans = c["solver"] == "multicore" || c["solver"] == "fine";
      QVERIFY(c["plans"].toInt() >= (plans ? 36 : 1));
    }
    for (const char* shape :
         {"single compartment", "chain of 100,000", "star with 5,000 children", "comb with 2,000 teeth",
          "balanced binary tree", "forest of 40 trees", "random trees", "mixed batch"})
      for (const char* solver : {"serial", "multicore", "fine", "resident", "auto"})
        QVERIFY2(solvers[shape].contains(solver), shape);
  }

  void measuresCosts()
  {
    const ProgramRun run = runProgram({"fit", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject costs = run.json()["nanoseconds"].toObject();
    QCOMPARE(costs.keys(), (QStringList{"interleaved", "multicore", "serial"}));
    for (const QString& solver : costs.keys()) {
      const QJsonObject terms = costs[solver].toObject();
      QVERIFY(terms["compartments"].toDouble() > 0.1 && terms["compartments"].toDouble() < 1e3);
      for (const QString& term : terms.keys())
        QVERIFY(terms[term].toDouble(-1) >= 0);
    }
    QVERIFY(runProgram({"fit"}).out.contains("vector rows"));
    QCOMPARE(runProgram({"fit", "--backend", "gpu"}).status, 2);
  }

  void simulatesRallpack()
  {
    const ProgramRun run = runProgram({"verify", "--rallpack", "interleaved", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json()["passed"].toBool(), true);
    QMap<QString, double> differences;
    for (const QJsonValue& form : run.json()["rallpack1"].toArray())
      differences[form["form"].toString()] = form["differenceFromDoubleMillivolt"].toDouble(-1);
    QCOMPARE(differences.size(), 5);
    QCOMPARE(differences["double"], 0.0);
    QVERIFY(differences["single, row sums, dV"] < 1e-4);
    QVERIFY(differences["single, diagonal, V"] > 1);
    QVERIFY(runProgram({"verify", "--rallpack", "serial"}).out.contains("for comparison"));
    QCOMPARE(runProgram({"verify", "--rallpack", "multicore"}).status, 0);
    QCOMPARE(runProgram({"verify", "--rallpack", "abacus"}).status, 2);
  }

  void verifiesSynapses()
  {
    const ProgramRun run = runProgram({"verify", "synapses", "--quick", "--tests", "2,12", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json()["passed"].toBool(), true);
    QSet<int> tests;
    for (const QJsonValue& check : run.json()["checks"].toArray()) {
      tests << check["test"].toInt();
      QCOMPARE(check["outcome"].toString(), QString("passed"));
      QVERIFY(check.toObject().contains("atLeast") || check.toObject().contains("atMost"));
    }
    QCOMPARE(tests, (QSet<int>{2, 12}));
    const ProgramRun text = runProgram({"verify", "synapses", "--quick", "--tests", "12"});
    QVERIFY2(text.out.contains("12 deletion: synapses of an axon") && text.out.contains(": passed\n"), text.text());
    QCOMPARE(runProgram({"verify", "synapses", "--tests", "16"}).status, 1);
    QCOMPARE(runProgram({"verify", "synapses", "--networks", "nowhere", "--json"}).error()["code"].toString(),
             QString("fileNotFound"));
    QCOMPARE(runProgram({"verify", "synapses", "--tests", "x"}).status, 2);
  }

  void showsProgressOnATerminal()
  {
    // stderr is a terminal: the program's end of a pseudo-terminal.
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0)
      QSKIP("this machine has no pseudo-terminals");
    QVERIFY(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    QProcess process;
    process.setStandardErrorFile(ptsname(terminal));
    process.start(programPath(),
                  {"solve", "--random-trees", "100", "--cells", "20000", "--solver", "fine", "--repeat", "20"});
    QVERIFY(process.waitForStarted());
    QByteArray shown;
    const auto readAll = [&] {
      char bytes[4096];
      for (ssize_t got; (got = read(terminal, bytes, sizeof bytes)) > 0;)
        shown.append(bytes, got);
    };
    QTRY_VERIFY_WITH_TIMEOUT((readAll(), process.state() == QProcess::NotRunning), 60'000);
    readAll();
    close(terminal);
    QCOMPARE(process.exitCode(), 0);
    // Which stages are seen is a matter of when it is looked at.
    const QRegularExpression stage(QStringLiteral("\\x1b\\[K(plan|solver plan|solve) \\d+ %"));
    QVERIFY2(QString::fromUtf8(shown).contains(stage), shown);
    QVERIFY2(shown.endsWith("\r\033[K"), shown);
    QVERIFY(process.readAllStandardOutput().startsWith("batch"));
  }
};

HINESIGHT_TEST(TestCliCommands)
#include "test_cli_commands.moc"
