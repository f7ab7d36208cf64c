#include "cli/program.hpp"
#include "io/csv.hpp"
#include "io/runs/plasticity_log.hpp"
#include "study/growth/growth_study.hpp"
#include "study/growth/parameters.hpp"
#include "test_main.hpp"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace hinesight::tests;

class TestCliGrow : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

  QByteArray read(const QString& name) const
  {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
  }

  /// The columns and rows of a log, without the parameters before them.
  QList<QByteArray> rowsOf(const QString& name) const
  {
    QList<QByteArray> rows = read(name).trimmed().split('\n');
    rows.removeIf([](const QByteArray& row) { return row.startsWith('#'); });
    return rows;
  }

  /// The parameters in the comments of a log.
  std::vector<hinesight::Setting> settingsOf(const QString& name) const
  {
    std::vector<hinesight::Setting> settings;
    for (const QByteArray& line : read(name).split('\n'))
      hinesight::io::takeParameter(line.toStdString(), settings);
    return settings;
  }

  /// A run in which synapses form and go from the first update, with all its files named after `name`.
  QStringList arguments(const QString& name, int steps) const
  {
    return QString("grow --neurons 400 --excitatory 0.8 --growth-rate 0.02 --initial-least 1 --initial-most 4 "
                   "--axon-least-calcium 0.1 --calcium-decay 500 --calcium-per-spike 0.02 --update-period 50 "
                   "--stimulus 100,900,7,0.05 --threads 1 --json --record-every 10 --monitor-every 25 "
                   "--monitor-neurons 0,399")
               .split(' ') +
           QStringList{"--steps",
                       QString::number(steps),
                       "--records",
                       path(name + ".records.csv"),
                       "--monitors",
                       path(name + ".monitors.csv"),
                       "--areas",
                       path(name + ".areas.csv"),
                       "--checkpoint",
                       path(name + ".checkpoint"),
                       "--checkpoint-every",
                       "100",
                       "--out",
                       path(name + ".network.csv")};
  }

  void requireSameFiles(const QString& a, const QString& b) const
  {
    for (const char* kind : {".records.csv", ".monitors.csv", ".areas.csv", ".network.csv", ".checkpoint"}) {
      QVERIFY2(read(a + kind).size() > 100, kind);
      QVERIFY2(read(a + kind) == read(b + kind), kind);
    }
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void growsAndWritesItsFiles()
  {
    const ProgramRun run = runProgram(arguments("whole", 2000));
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QCOMPARE(json["neurons"].toInt(), 400);
    QCOMPARE(json["steps"].toInt(), 2000);
    QCOMPARE(json["model"].toString(), QString("poisson"));
    QCOMPARE(json["backend"].toString(), QString("cpu"));
    QVERIFY(json["deleted"].toInt() > 0);
    QCOMPARE(json["created"].toInt() - json["deleted"].toInt(), json["synapses"].toInt());
    QVERIFY(json["stepsPerSecond"].toDouble() > 0);
    QStringList stages;
    for (const auto& stage : json["stages"].toArray())
      stages << stage.toObject()["name"].toString();
    for (const char* stage : {"electrical", "growth", "delete", "tree", "search", "resolve", "edges"})
      QVERIFY2(stages.contains(stage), stage);

    const QList<QByteArray> records = rowsOf("whole.records.csv");
    QCOMPARE(records.size(), 201);
    QVERIFY(
        records[0].startsWith("step,fired,enabled,least calcium,mean calcium,most calcium,target calcium,grown axons"));
    qint64 net = 0;
    for (qsizetype row = 1; row < records.size(); ++row) {
      const QList<QByteArray> fields = records[row].split(',');
      QCOMPARE(fields.size(), records[0].split(',').size());
      QCOMPARE(fields[0].toLongLong(), 10 * row);
      net += fields[fields.size() - 2].toLongLong() - fields.last().toLongLong();
    }
    QCOMPARE(net, json["synapses"].toInteger());
    QCOMPARE(rowsOf("whole.monitors.csv").size(), 1 + 2 * 2000 / 25);
    QCOMPARE(rowsOf("whole.areas.csv").size(), 1 + 2000 / 25);
  }

  /// What its records name, and nothing else, makes the same network grow.
  void aGrowthIsRepeatedFromItsRecords()
  {
    const std::vector<hinesight::Setting> settings = settingsOf("whole.records.csv");
    for (const char* log : {"whole.monitors.csv", "whole.areas.csv"})
      QVERIFY2(settingsOf(log) == settings, log);
    hinesight::study::GrowthStudyParameters named;
    std::vector<hinesight::BoundField> fields = hinesight::fieldsOf(named);
    QVERIFY(hinesight::applySettings(fields, settings).empty());
    for (const hinesight::BoundField& field : hinesight::scienceOf(hinesight::fieldsOf(named)))
      if (field.kind != hinesight::FieldKind::List)
        QVERIFY2(std::ranges::count(settings, field.name, &hinesight::Setting::name) == 1, field.name.c_str());
    QCOMPARE(named.placement.neurons, std::size_t{400});
    QCOMPARE(named.model.stimuli.size(), std::size_t{1});

    hinesight::study::GrowthStudy study;
    study.begin({{named.placement, named.model.search.seed}, named.model, nullptr}, {});
    hinesight::study::GrowthStretch done;
    study.advance(500, done, {}, 10);
    const QList<QByteArray> rows = rowsOf("whole.records.csv");
    QCOMPARE(done.records.size(), std::size_t{50});
    for (std::size_t record = 0; record < done.records.size(); ++record)
      QCOMPARE(QByteArray::fromStdString(hinesight::io::recordRow(done.records[record])).trimmed(),
               rows[static_cast<qsizetype>(record) + 1]);
  }

  void recordsNameTheFilesThatAGrowthBeginsWith()
  {
    writeText(path("places.txt"), "1 0 0 0 a ex\n2 30 0 0 a ex\n3 60 0 0 b in\n");
    writeText(path("begun.csv"), "# neurons: 3\nsource,target,weight,plastic\n0,1,2,1\n");
    const ProgramRun run = runProgram({"grow", "--positions", path("places.txt"), "--network", path("begun.csv"),
                                       "--steps", "10", "--record-every", "5", "--records", path("begun.records.csv")});
    QVERIFY2(run.status == 0, run.text());
    const std::vector<hinesight::Setting> settings = settingsOf("begun.records.csv");
    for (const auto& [name, file] : {std::pair("positions", "places.txt"), std::pair("network", "begun.csv")})
      QVERIFY2(std::ranges::count(settings, hinesight::Setting{name, path(file).toStdString()}) == 1, name);
  }

  /// Its records have no parameters: they go on without.
  void recordsOfEarlierVersionsGoOn()
  {
    const ProgramRun first = runProgram(arguments("earlier", 200));
    QVERIFY2(first.status == 0, first.text());
    const auto asEarlier = [&](const char* kind) {
      writeText(path(QString("earlier") + kind), rowsOf(QString("earlier") + kind).join('\n') + '\n');
    };
    for (const char* kind : {".records.csv", ".monitors.csv", ".areas.csv"})
      asEarlier(kind);
    const ProgramRun resumed = runProgram(arguments("earlier", 400) + QStringList{"--resume"});
    QVERIFY2(resumed.status == 0, resumed.text());
    for (const char* kind : {".records.csv", ".monitors.csv", ".areas.csv"}) {
      const QString log = QString("earlier") + kind;
      QVERIFY2(settingsOf(log).empty(), kind);
      QCOMPARE(rowsOf(log), rowsOf(QString("whole") + kind).first(rowsOf(log).size()));
    }
    QCOMPARE(rowsOf("earlier.records.csv").size(), 1 + 400 / 10);
  }

  /// Killed in the midst of it, again and again, and resumed: the files are those of the run that was left alone.
  void killedRunsResumeToTheSameBytes()
  {
    const QStringList resumed = arguments("killed", 2000) + QStringList{"--resume"};
    int kills = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      const QByteArray before = read("killed.checkpoint");
      QProcess process;
      process.start(programPath(), resumed);
      // Once it has come further, wherever it then is.
      while (process.state() != QProcess::NotRunning && read("killed.checkpoint") == before)
        process.waitForFinished(1);
      if (process.state() == QProcess::NotRunning)
        break;
      process.kill();
      process.waitForFinished();
      kills += process.exitStatus() == QProcess::CrashExit;
    }
    QVERIFY(kills > 0);
    const ProgramRun run = runProgram(resumed);
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.json()["steps"].toInt() < 2000);
    requireSameFiles("whole", "killed");
  }

  void aCheckpointIsNotWrittenOver()
  {
    const ProgramRun first = runProgram(arguments("kept", 200));
    QVERIFY2(first.status == 0, first.text());
    const QByteArray checkpoint = read("kept.checkpoint"), records = read("kept.records.csv");
    const ProgramRun again = runProgram(arguments("kept", 100));
    QVERIFY2(again.status == 1, again.text());
    QCOMPARE(again.error()["file"].toString(), path("kept.checkpoint"));
    QVERIFY2(again.error()["message"].toString().contains("--resume"), again.text());
    QVERIFY(read("kept.checkpoint") == checkpoint && read("kept.records.csv") == records);

    const ProgramRun both = runProgram(arguments("kept", 300) + QStringList{"--resume", "--overwrite"});
    QVERIFY2(both.status == 2, both.text());
    QVERIFY(read("kept.checkpoint") == checkpoint);

    const ProgramRun anew = runProgram(arguments("kept", 100) + QStringList{"--overwrite"});
    QVERIFY2(anew.status == 0, anew.text());
    QCOMPARE(anew.json()["steps"].toInt(), 100);
    QVERIFY(records.startsWith(read("kept.records.csv")));
    const ProgramRun resumed = runProgram(arguments("kept", 200) + QStringList{"--resume"});
    QVERIFY2(resumed.status == 0, resumed.text());
    QVERIFY(read("kept.checkpoint") == checkpoint && read("kept.records.csv") == records);
  }

  /// Where it cannot be told whether there is a checkpoint, a run does not begin anew.
  void aCheckpointThatCannotBeLookedAtIsToldOf()
  {
    QVERIFY(QFile::link("loop", path("loop")) && QFile::link("nowhere", path("dangling")));
    for (const char* name : {"loop", "dangling"})
      for (const char* options : {"--resume", "--resume --checkpoint-every 10", "--checkpoint-every 10"}) {
        const ProgramRun run = runProgram(QStringList{"grow", "--neurons", "10", "--steps", "20", "--json", "--records",
                                                      path("looked.csv"), "--checkpoint", path(name)} +
                                          QString(options).split(' '));
        QVERIFY2(run.status == 1, run.text());
        QCOMPARE(run.error()["file"].toString(), path(name));
        QVERIFY(!QFile::exists(path("looked.csv")));
        QVERIFY(QFileInfo(path(name)).isSymbolicLink());
      }
  }

  void aCheckpointNeedsNoOtherOptions()
  {
    const ProgramRun first = runProgram(arguments("short", 1000));
    QVERIFY2(first.status == 0, first.text());
    const ProgramRun run = runProgram({"grow", "--steps", "2000", "--checkpoint", path("short.checkpoint"), "--resume",
                                       "--out", path("short.network.csv"), "--threads", "2"});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(read("short.network.csv") == read("whole.network.csv"));
  }

  void aCheckpointAloneIsOfTheEnd()
  {
    QStringList first = arguments("end", 900);
    first.remove(first.indexOf("--checkpoint-every"), 2);
    const ProgramRun run = runProgram(first);
    QVERIFY2(run.status == 0, run.text());
    const ProgramRun goesOn = runProgram({"grow", "--steps", "2000", "--checkpoint", path("end.checkpoint"), "--resume",
                                          "--out", path("end.network.csv"), "--threads", "2"});
    QVERIFY2(goesOn.status == 0, goesOn.text());
    QVERIFY(read("end.network.csv") == read("whole.network.csv"));
    // Nothing replaces it unasked.
    QCOMPARE(runProgram(first).status, 1);
  }

  /// With targets, backgrounds and interrupts from files: killed and resumed it is one run, and says what became of it.
  void takesWhatNeuronsHaveFromFiles()
  {
    writeText(path("calcium"), "0 0.1 0.6\n7 0.2 0.9\n410 0.2 0.9\n");
    writeText(path("background"), "0 normal:0.02,0.01 random\n300 constant:0.05 0:7 0:405\n");
    writeText(path("interrupts"), "120 d 0:1 0:2 0:3\n260 e 0:2\n150 c 20\n");
    const auto options = [&](const QString& name, int steps) {
      return arguments(name, steps) + QStringList{"--calcium-file",        path("calcium"),
                                                  "--background",          "file",
                                                  "--background-file",     path("background"),
                                                  "--interrupts",          path("interrupts"),
                                                  "--target-decay",        "relative",
                                                  "--target-decay-amount", "0.99",
                                                  "--target-decay-every",  "100"};
    };
    const ProgramRun whole = runProgram(options("all", 600));
    QVERIFY2(whole.status == 0, whole.text());
    QCOMPARE(whole.json()["neurons"].toInt(), 420);
    QCOMPARE(whole.json()["enabled"].toInt(), 418);
    const double target = (0.6 * 416 + 2 * 0.9) / 418 * std::pow(0.99, 6); // that of 410 begins at 150
    QVERIFY(std::abs(whole.json()["meanTarget"].toDouble() - target) < 0.02 * target);
    for (const int steps : {100, 149, 150, 600}) {
      const ProgramRun part = runProgram(options("parts", steps) + QStringList{"--resume"});
      QVERIFY2(part.status == 0, part.text());
    }
    requireSameFiles("all", "parts");
    const ProgramRun bare = runProgram(
        {"grow", "--steps", "600", "--checkpoint", path("parts.checkpoint"), "--resume", "--target-decay", "absolute"});
    QCOMPARE(bare.status, 1); // another model
  }

  void fractionalStaticWeightsAreKept()
  {
    writeText(path("static.csv"), "# neurons: 5\nsource,target,weight,plastic\n0,1,0.25,0\n2,1,-1.5,0\n3,4,2,1\n");
    const ProgramRun run = runProgram({"grow", "--neurons", "5", "--network", path("static.csv"), "--growth-rate", "0",
                                       "--steps", "120", "--out", path("static_out.csv"), "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QByteArray out = read("static_out.csv");
    QVERIFY2(out.endsWith("3,4,2,1\n0,1,0.25,0\n2,1,-1.5,0\n"), out.constData());
  }

  /// Wherever it stands on the command line.
  void theRateOfOneKindOfElementsHasTheLastWord()
  {
    for (const QStringList& rates : {QStringList{"--axon-growth-rate", "0.5", "--growth-rate", "0.25"},
                                     QStringList{"--growth-rate", "0.25", "--axon-growth-rate", "0.5"}}) {
      const ProgramRun run = runProgram(QStringList{"grow", "--neurons", "10", "--steps", "1", "--json"} + rates);
      QVERIFY2(run.status == 0, run.text());
      const QJsonObject settings = run.json()["settings"].toObject();
      QCOMPARE(settings["axon-growth-rate"].toString(), QString("0.5"));
      QCOMPARE(settings["excitatory-growth-rate"].toString(), QString("0.25"));
      QCOMPARE(settings["inhibitory-growth-rate"].toString(), QString("0.25"));
    }
  }

  void startsFromANetwork()
  {
    const QStringList common = {
        "grow",          "--neurons", "400",   "--excitatory", "0.8", "--network", path("whole.network.csv"),
        "--growth-rate", "0",         "--json"};
    const ProgramRun run = runProgram(common + QStringList{"--steps", "150", "--out", path("kept.csv")});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.json()["synapses"].toInteger() > 0);
    QCOMPARE(run.json()["created"].toInt() + run.json()["deleted"].toInt(), 0);
    const auto rows = [&](const QString& name) {
      const QByteArray text = read(name);
      return text.mid(text.indexOf("source,target"));
    };
    QCOMPARE(rows("kept.csv"), rows("whole.network.csv"));
  }

  void wrongUseIsToldOf_data()
  {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("status");
    QTest::newRow("no steps") << QStringList{} << 2;
    QTest::newRow("no checkpoint") << QStringList{"--steps", "10", "--resume"} << 2;
    QTest::newRow("overwrite without effect") << QStringList{"--steps", "10", "--overwrite"} << 2;
    QTest::newRow("records without a file") << QStringList{"--steps", "10", "--record-every", "5"} << 2;
    QTest::newRow("monitors without a file") << QStringList{"--steps", "10", "--monitor-every", "5"} << 2;
    QTest::newRow("decay amount without decay") << QStringList{"--steps", "10", "--target-decay-amount", "0.5"} << 2;
    QTest::newRow("no stimulus") << QStringList{"--steps", "10", "--stimulus", "1,2"} << 2;
    QTest::newRow("area") << QStringList{"--steps", "10", "--stimulus", "1,2,1,0.5,nowhere"} << 1;
    QTest::newRow("theta") << QStringList{"--steps", "10", "--theta", "0.6"} << 1;
    QTest::newRow("decay") << QStringList{"--steps", "10", "--calcium-decay", "0"} << 1;
    QTest::newRow("neuron") << QStringList{"--steps", "10", "--monitors", path("n.csv"), "--monitor-neurons", "1000"}
                            << 1;
    QTest::newRow("ending") << QStringList{"--steps", "10", "--out", path("n.xyz")} << 1;
    QTest::newRow("another model") << QStringList{"--steps",  "3000",    "--checkpoint", path("whole.checkpoint"),
                                                  "--resume", "--theta", "0.2"}
                                   << 1;
    QTest::newRow("too few steps") << QStringList{"--steps", "30", "--checkpoint", path("whole.checkpoint"), "--resume"}
                                   << 1;
    QTest::newRow("background without file") << QStringList{"--steps", "10", "--background", "file"} << 2;
    QTest::newRow("file without background")
        << QStringList{"--steps", "10", "--background-file", path("background")} << 2;
    QTest::newRow("no interrupts") << QStringList{"--steps", "10", "--interrupts", path("nowhere")} << 1;
    QTest::newRow("interrupt of nobody") << QStringList{"--steps", "10",           "--neurons",
                                                        "2",       "--interrupts", path("interrupts")}
                                         << 1;
    QTest::newRow("decay amount") << QStringList{"--steps", "10", "--target-decay", "relative", "--target-decay-amount",
                                                 "2"}
                                  << 1;
    writeText(path("older"), "Hinesight plasticity checkpoint 1\nno more");
    QTest::newRow("older") << QStringList{"--steps", "30", "--checkpoint", path("older"), "--resume"} << 1;
    writeText(path("damaged"), "Hinesight plasticity checkpoint 2\nno more");
    QTest::newRow("damaged") << QStringList{"--steps", "30", "--checkpoint", path("damaged"), "--resume"} << 1;
  }
  void wrongUseIsToldOf()
  {
    QFETCH(QStringList, options);
    QFETCH(int, status);
    const ProgramRun run = runProgram(QStringList{"grow", "--json"} + options);
    QVERIFY2(run.status == status, run.text());
    QVERIFY2(!run.error()["message"].toString().isEmpty(), run.text());
  }
};

HINESIGHT_TEST(TestCliGrow)
#include "test_cli_grow.moc"
