#include "cli/program.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

using namespace hinesight::tests;

class TestCliErrors : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

  /// "CELL" stands for the path of a good file in the tables below, "FOLDER" for the folder.
  QStringList withPaths(QString arguments) const
  {
    arguments.replace("CELL", path("cell.swc")).replace("FOLDER", folder.path());
    return arguments.split(' ', Qt::SkipEmptyParts);
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeText(path("cell.swc"), kForkedCell);
  }

  void refusesWrongUsage_data()
  {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments : {"",
                                  "dance",
                                  "info",
                                  "plan",
                                  "solve",
                                  "info --wings CELL",
                                  "solve CELL --cells",
                                  "solve CELL --cells many",
                                  "solve CELL --cells 1.5",
                                  "solve CELL --cells 0x10",
                                  "solve CELL --cells=",
                                  "solve CELL --split",
                                  "solve CELL --split sometimes",
                                  "solve CELL --split fixed:",
                                  "solve CELL --split fixed:x",
                                  "solve CELL --pack loosely",
                                  "solve CELL --balance tightrope",
                                  "solve CELL --discretize finely",
                                  "solve CELL --solver magic",
                                  "solve CELL --backend abacus",
                                  "solve CELL --d-lambda wide",
                                  "solve CELL --max-length 10um",
                                  "verify CELL",
                                  "verify --backend abacus",
                                  "devices CELL",
                                  "generate --kind octopus",
                                  "generate --cells 2"})
      QTest::newRow(*arguments ? arguments : "nothing") << arguments;
  }
  void refusesWrongUsage()
  {
    QFETCH(QString, arguments);
    const ProgramRun text = runProgram(withPaths(arguments));
    QVERIFY2(text.status == 2, text.text());
    QVERIFY2(text.out.isEmpty(), text.text());
    QVERIFY2(text.err.startsWith("hinesight-cli: ") && text.err.count('\n') == 1, text.text());
    QVERIFY2(text.err.contains("--help"), text.text());
    const ProgramRun json = runProgram(withPaths(arguments) + QStringList{"--json"});
    QVERIFY2(json.status == 2, json.text());
    QCOMPARE(json.error()["code"].toString(), "usage");
  }

  void anEmptyNameIsNoFile_data()
  {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("option"); // empty: an operand
    const auto rows = [](const char* command, const QStringList& options) {
      for (const QString& option : options)
        QTest::addRow("%s %s", command, qPrintable(option)) << command << option;
    };
    rows("info", {""});
    rows("plan", {""});
    rows("solve", {""});
    rows("solve CELL", {"--timings"});
    rows("generate", {"", "-o", "--output"});
    rows("bench hines --quick", {"", "--out"});
    rows("bench projections --sides 2", {"--out"});
    rows("bench synapses --neurons 10", {"--out"});
    rows("project --side 2", {"--source", "--destination", "--out"});
    rows("form --neurons 10", {"--positions", "--out"});
    rows("grow --neurons 10 --steps 1",
         {"--positions", "--network", "--background-file", "--calcium-file", "--interrupts", "--records", "--monitors",
          "--areas", "--out", "--checkpoint"});
    rows("verify synapses --quick --tests 1", {"--networks"});
  }
  void anEmptyNameIsNoFile()
  {
    QFETCH(QString, command);
    QFETCH(QString, option);
    const bool isLong = option.startsWith("--");
    QList<QStringList> ways = {{option, ""}};
    if (option.isEmpty())
      ways = {{""}};
    if (isLong)
      ways << QStringList{option + "=", "--json"} << QStringList{option, "-"} << QStringList{option, "--json"};
    const QStringList before = QDir::current().entryList(QDir::Files | QDir::Hidden);
    for (const QStringList& way : ways) {
      const ProgramRun run = runProgram(withPaths(command) + way);
      QVERIFY2(run.status == 2, run.text());
      QVERIFY2(run.out.isEmpty(), run.text());
    }
    QCOMPARE(QDir::current().entryList(QDir::Files | QDir::Hidden), before);
  }

  void aFileIsWrittenByOneOption_data()
  {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments :
         {"grow --neurons 10 --steps 20 --records FOLDER/new --checkpoint FOLDER/new --checkpoint-every 10",
          "grow --neurons 10 --steps 20 --records FOLDER/new --areas FOLDER/./new",
          "grow --neurons 10 --steps 20 --monitors FOLDER/a.csv --monitor-neurons 1 --out FOLDER/link.csv",
          "grow --neurons 10 --steps 20 --areas FOLDER/a.csv --out FOLDER/twin.csv",
          "grow --neurons 10 --steps 20 --areas FOLDER/new.csv --out FOLDER/to_new.csv",
          "grow --positions FOLDER/a.csv --steps 20 --out FOLDER/a.csv",
          "grow --positions FOLDER/a.csv --steps 20 --records FOLDER/twin.csv",
          "form --positions FOLDER/a.csv --out FOLDER/link.csv",
          "project --source FOLDER/a.csv --side 2 --out FOLDER/a.csv",
          "project --source FOLDER/a.h5:cells --side 2 --out FOLDER/a.h5",
          "bench hines --quick --out FOLDER/new.csv --out FOLDER/sub/../new.csv",
          "bench projections --sides 2 --out FOLDER/a.csv --out FOLDER/twin.csv",
          "bench synapses --neurons 10 --out FOLDER/a.json --out FOLDER/a.json"})
      QTest::newRow(arguments) << arguments;
  }
  void aFileIsWrittenByOneOption()
  {
    QFETCH(QString, arguments);
    const QDir here(path("files"));
    QVERIFY(here.mkpath("sub"));
    for (const QString& name : here.entryList(QDir::Files | QDir::System))
      QVERIFY(QFile::remove(here.filePath(name)));
    for (const char* name : {"a.csv", "a.h5", "a.json"})
      writeText(here.filePath(name), "x,y,z\n1,2,3\n");
    const auto link = [&](const char* target, const char* name) { return QFile::link(target, here.filePath(name)); };
    QVERIFY(link("a.csv", "link.csv") && link("new.csv", "to_new.csv"));
    QCOMPARE(::link(qPrintable(here.filePath("a.csv")), qPrintable(here.filePath("twin.csv"))), 0);
    const QStringList before = here.entryList(QDir::Files | QDir::System | QDir::Hidden);
    const ProgramRun run =
        runProgram(arguments.replace("FOLDER", here.path()).split(' ', Qt::SkipEmptyParts) + QStringList{"--json"});
    QVERIFY2(run.status == 2, run.text());
    QVERIFY2(run.error()["message"].toString().contains("name one file"), run.text());
    QCOMPARE(here.entryList(QDir::Files | QDir::System | QDir::Hidden), before);
    for (const char* name : {"a.csv", "a.h5", "a.json"}) {
      QFile file(here.filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      QCOMPARE(file.readAll(), QByteArray("x,y,z\n1,2,3\n"));
    }
  }

  void namesAnUnknownCommand()
  {
    const ProgramRun run = runProgram({"dance", path("cell.swc")});
    QCOMPARE(run.status, 2);
    QVERIFY2(run.err.startsWith("hinesight-cli: 'dance' is no command; the commands are info, plan, solve"),
             run.text());
  }

  void refusesBadValues_data()
  {
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("code");
    const auto bad = [](const char* arguments, const char* code = "badParameter") {
      QTest::newRow(arguments) << arguments << code;
    };
    bad("solve CELL --cells 0");
    bad("solve CELL --cells -1");
    bad("plan CELL CELL --cells 1");
    bad("solve CELL --cells 1000000000000000", "outOfMemory");
    bad("solve CELL --cells 9223372036854775807", "outOfMemory");
    bad("solve CELL --cells 100000000000000000000000");
    bad("solve CELL --split fixed:0");
    bad("solve CELL --split fixed:-5");
    bad("solve CELL --split fixed:99999999999");
    bad("solve CELL --block-size 0");
    bad("solve CELL --block-size 33");
    bad("solve CELL --block-size 2048");
    bad("solve CELL --discretize fixed --compartments 0");
    bad("solve CELL --discretize fixed --compartments 100001");
    bad("solve CELL --discretize length --max-length 0");
    bad("solve CELL --discretize length --max-length -3");
    bad("solve CELL --discretize length --max-length nan");
    bad("solve CELL --discretize length --max-length 1e999");
    bad("solve CELL --discretize d-lambda --d-lambda inf");
    bad("solve CELL --resolution 0");
    bad("solve CELL --time-step 0");
    bad("solve CELL --capacitance -1");
    bad("solve CELL --repeat -1");
    bad("solve CELL --threads -1");
    bad("solve CELL --seed -1");
    bad("solve CELL --timings FOLDER/timings.txt");
    bad("solve CELL --solver serial --backend cuda");
    bad("plan --random-trees -1");
    bad("plan --random-trees 1000000000000");
    bad("plan --random-trees 1 --tree-levels 0");
    bad("plan --random-trees 1 --tree-levels 31");
    bad("plan --random-trees 1 --tree-probability 1.5");
    bad("plan --random-trees 1 --tree-compartments 0");
    bad("plan --random-trees 1000000 --tree-levels 20 --tree-probability 0.9", "outOfMemory");
    bad("generate --stems 0");
    bad("generate --levels 99");
    bad("generate --probability 2");
    bad("generate --length nan");
    bad("generate --cells 0 --output FOLDER/x.swc");
    bad("info FOLDER", "fileUnreadable");
    bad("info FOLDER/missing.swc", "fileNotFound");
    bad("solve FOLDER", "fileUnreadable");
    bad("solve CELL FOLDER/missing.swc", "fileNotFound");
  }
  void refusesBadValues()
  {
    QFETCH(QString, arguments);
    QFETCH(QString, code);
    const ProgramRun text = runProgram(withPaths(arguments));
    QVERIFY2(text.status == 1, text.text());
    QVERIFY2(text.out.isEmpty(), text.text());
    QVERIFY2(text.err.startsWith("hinesight-cli: "), text.text());
    if (arguments.startsWith("generate") && !arguments.contains("--output"))
      return;
    const ProgramRun json = runProgram(withPaths(arguments) + QStringList{"--json"});
    QVERIFY2(json.status == 1, json.text());
    const QStringList keys = json.error().keys();
    QCOMPARE((QSet<QString>{keys.begin(), keys.end()}), (QSet<QString>{"code", "message", "file", "line"}));
    QCOMPARE(json.error()["code"].toString(), code);
    QVERIFY(json.error()["message"].toString().size() > 20);
    QVERIFY(json.error()["line"].isDouble());
  }

  void refusesWhatIsNoMorphology_data()
  {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("line");
    QByteArray junk;
    for (int i = 0; i < 5000; ++i)
      junk += static_cast<char>((i * 7919 + i / 13) % 256);
    QTest::newRow("binary junk") << junk << 1;
    QTest::newRow("empty") << QByteArray() << 0;
    QTest::newRow("comments only") << QByteArray("# nothing\n# here\n") << 0;
    QTest::newRow("cycle") << QByteArray("1 1 0 0 0 5 -1\n2 3 1 0 0 1 4\n3 3 2 0 0 1 2\n4 3 2 0 0 1 3\n") << 2;
    QTest::newRow("word for a number") << QByteArray("1 1 0 0 0 5 -1\n2 3 1 0 zero 1 1\n") << 2;
  }
  void refusesWhatIsNoMorphology()
  {
    QFETCH(QByteArray, bytes);
    QFETCH(int, line);
    writeText(path("bad.swc"), bytes);
    for (const char* command : {"info", "plan", "solve"}) {
      const ProgramRun run = runProgram({command, "--json", path("bad.swc")});
      QVERIFY2(run.status == 1, run.text());
      QCOMPARE(run.error()["code"].toString(), "badFormat");
      QCOMPARE(run.error()["file"].toString(), path("bad.swc"));
      QCOMPARE(run.error()["line"].toInt(-1), line);
    }
  }

  void saysThatThereIsNoGpu()
  {
    if (!runProgram({"devices", "--json"}).json()["cuda"].toArray().isEmpty())
      QSKIP("there is a CUDA device here");
    // Of whatever computes, and before anything is computed or read for it.
    for (const char* arguments :
         {"solve FOLDER/missing.swc --backend cuda --json", "verify --backend cuda --json",
          "verify --rallpack resident --backend cuda --json", "verify synapses --backend cuda --json",
          "fit --backend cuda --json", "bench hines FOLDER/missing.swc --backend cuda --json",
          "bench projections --backend cuda --json", "bench synapses --backend cuda --json",
          "bench synapses --backend cpu,cuda --json", "project --source FOLDER/missing.csv --backend cuda --json",
          "form --positions FOLDER/missing.csv --backend cuda --json",
          "grow --positions FOLDER/missing.csv --steps 10 --backend cuda --json"}) {
      const ProgramRun run = runProgram(withPaths(arguments));
      QVERIFY2(run.status == 1, run.text());
      QVERIFY2(run.out.isEmpty(), run.text());
      QCOMPARE(run.error()["code"].toString(), "noDevice");
    }
  }

  void looksWhetherItCanExportBeforeItSolves_data()
  {
    QTest::addColumn<QString>("target");
    QTest::newRow("missing folder") << "FOLDER/missing/timings.csv";
    QTest::newRow("folder without files") << "/proc/timings.json";
    QTest::newRow("a folder") << "FOLDER/folder.csv";
  }
  void looksWhetherItCanExportBeforeItSolves()
  {
    QFETCH(QString, target);
    QVERIFY(QDir().mkpath(path("folder.csv")));
    const ProgramRun run = runProgram(withPaths("solve CELL --json --timings " + target));
    QCOMPARE(run.status, 1);
    QCOMPARE(run.error()["code"].toString(), "writeFailed");
    QCOMPARE(run.error()["file"].toString(), withPaths(target).first());
    QVERIFY2(run.out.isEmpty(), run.text());
    QVERIFY(QDir(folder.path()).entryList({".hinesight-*"}, QDir::Files | QDir::Hidden).isEmpty());
  }

  void saysThatStdoutIsFull()
  {
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(programPath(), {"info", "--json", path("cell.swc")});
    const ProgramRun run = finish(process);
    QCOMPARE(run.status, 1);
    QCOMPARE(run.error()["code"].toString(), "writeFailed");
  }

  void saysThatHelpCannotBeWritten_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("version") << QStringList{"--version"};
    QTest::newRow("program") << QStringList{"--help"};
    for (const char* command :
         {"info", "plan", "solve", "generate", "devices", "verify", "fit", "bench", "project", "form", "grow"})
      QTest::newRow(command) << QStringList{command, "--help"};
    QTest::newRow("verify synapses") << QStringList{"verify", "synapses", "--help"};
    QTest::newRow("bench projections") << QStringList{"bench", "projections", "--help"};
  }
  void saysThatHelpCannotBeWritten()
  {
    QFETCH(QStringList, arguments);
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(programPath(), arguments);
    const ProgramRun run = finish(process);
    QVERIFY2(run.status == 1, run.text());
    QCOMPARE(run.err, QByteArray("hinesight-cli: The output cannot be written to stdout; is the disk full?\n"));
  }

  void doesWithFewerThreadsThanItMayMake_data()
  {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments :
         {"project --side 150 --threads 64", "project --side 20 --threads 64", "solve CELL --cells 100000 --threads 64",
          "solve CELL --cells 100 --threads 64", "form --neurons 20000 --threads 64"})
      QTest::newRow(arguments) << arguments;
  }
  /// Where there is no room for their stacks. What then lacks memory says so.
  void doesWithFewerThreadsThanItMayMake()
  {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer takes more addresses than can be limited");
#endif
    QFETCH(QString, arguments);
    QProcess process;
    process.setChildProcessModifier([] {
      const rlimit limit{300'000 * 1024, 300'000 * 1024};
      setrlimit(RLIMIT_AS, &limit);
    });
    process.start(programPath(), withPaths(arguments));
    const ProgramRun run = finish(process);
    const bool says =
        run.err.startsWith("hinesight-cli: Not enough memory; ") || run.err.contains(" are free; make it smaller.");
    QVERIFY2(run.status == 0 || (run.status == 1 && says), run.text());
  }

  void endsOnInterrupt()
  {
    QProcess process;
    process.start(programPath(), {"solve", "--json", "--repeat", "1000000", "--cells", "10000", path("cell.swc")});
    QVERIFY(process.waitForStarted());
    // So much processor time is spent on solving: starting takes a few milliseconds.
    QTRY_VERIFY(processorTicks(process.processId()) >= 20);
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), SIGINT), 0);
    const ProgramRun run = finish(process);
    QVERIFY2(run.status == 1, run.text());
    QVERIFY2(run.out.isEmpty(), run.text());
    QCOMPARE(run.error()["code"].toString(), "cancelled");
  }
};

HINESIGHT_TEST(TestCliErrors)
#include "test_cli_errors.moc"
