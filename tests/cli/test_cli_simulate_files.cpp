#include "cli/program.hpp"
#include "paths/paths.hpp"

#include "small_circuit.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace hinesight::tests;

/// Checkpoints and records of `simulate`.
class TestCliSimulateFiles : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;
  QString config;

  QString path(const QString& name) const { return folder.filePath(name); }
  static QByteArray bytes(const QString& name)
  {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QStringList arguments(const QString& name, const QString& stop) const
  {
    return {"simulate", config, "--tstop", stop, "--out", path(name), "--checkpoint", path(name + ".checkpoint"),
            "--json"};
  }
  void requireSameFiles(const QString& first, const QString& second) const
  {
    for (const char* const file : {"/spikes.h5", "/spikes.csv", "/v.h5", "/ca.h5"})
      QVERIFY2(!bytes(path(first) + file).isEmpty() && bytes(path(first) + file) == bytes(path(second) + file), file);
  }
  static QString said(const ProgramRun& run)
  {
    return run.status == 1 ? run.error()["message"].toString() : "status " + run.text();
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    config = QString::fromStdString(SmallCircuit().write(path("circuit").toStdString()));
    const ProgramRun whole = runProgram(arguments("whole", "400"));
    QVERIFY2(whole.status == 0, whole.text());
  }

  void aLaterRunGoesOn()
  {
    const ProgramRun first = runProgram(arguments("parts", "130.3"));
    QVERIFY2(first.status == 0, first.text());
    const ProgramRun second =
        runProgram(arguments("parts", "400") + QStringList{"--resume", path("parts.checkpoint"), "--threads", "1"});
    QVERIFY2(second.status == 0, second.text());
    requireSameFiles("whole", "parts");
  }

  /// The spikes of its sources by chance go on as the first run had them.
  void aSessionGoesOnToALaterEnd()
  {
    const auto run = [&](const QString& name, const QString& stop, const QStringList& more) {
      const QString session = sourceFile("docs/simulation.hinesight");
      return runProgram(QStringList{"simulate", session, "--tstop", stop, "--out", path(name), "--checkpoint",
                                    path(name + ".checkpoint"), "--json"} +
                        more);
    };
    for (const auto& [name, stop] : {std::pair("session", "80"), std::pair("session-parts", "30.3")}) {
      const ProgramRun first = run(name, stop, {});
      QVERIFY2(first.status == 0, first.text());
    }
    const ProgramRun second = run("session-parts", "80", {"--resume", path("session-parts.checkpoint")});
    QVERIFY2(second.status == 0, second.text());
    for (const char* const file : {"/soma_v.h5", "/spikes.csv", ".checkpoint"})
      QVERIFY2(!bytes(path("session") + file).isEmpty() &&
                   bytes(path("session-parts") + file) == bytes(path("session") + file),
               file);
  }

  /// Killed in the midst of it, again and again, by a command that is given again: the files are those of the run that
  /// was left alone.
  void killedRunsGoOnToTheSameBytes()
  {
    const QStringList again =
        arguments("killed", "400") + QStringList{"--resume", path("killed.checkpoint"), "--checkpoint-every", "10"};
    int kills = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      const QByteArray before = bytes(path("killed.checkpoint"));
      QProcess process;
      process.start(programPath(), again);
      while (process.state() != QProcess::NotRunning && bytes(path("killed.checkpoint")) == before)
        process.waitForFinished(1);
      if (process.state() == QProcess::NotRunning)
        break;
      process.kill();
      process.waitForFinished();
      kills += process.exitStatus() == QProcess::CrashExit;
    }
    QVERIFY(kills > 0);
    const ProgramRun run = runProgram(again);
    QVERIFY2(run.status == 0, run.text());
    requireSameFiles("whole", "killed");
  }

  /// Written before cells were eliminated piece by piece: its values are in another order.
  void aCheckpointOfTheFirstFormatGoesOn()
  {
    QVERIFY(QFile::copy(testData("simulation/format1.checkpoint"), path("older.checkpoint")));
    QVERIFY(QFile::setPermissions(path("older.checkpoint"), QFile::ReadOwner | QFile::WriteOwner));
    const ProgramRun run = runProgram(arguments("older", "400") + QStringList{"--resume", path("older.checkpoint")});
    QVERIFY2(run.status == 0, run.text());
    const QList<QByteArray> expected = bytes(path("whole/spikes.csv")).trimmed().split('\n');
    const QList<QByteArray> found = bytes(path("older/spikes.csv")).trimmed().split('\n');
    QVERIFY(expected.size() > 10);
    QCOMPARE(found.size(), expected.size());
    for (qsizetype k = 1; k < expected.size(); ++k) {
      const QList<QByteArray> one = found[k].split(' '), other = expected[k].split(' ');
      QCOMPARE(one.mid(1), other.mid(1));
      QVERIFY2(std::abs(one[0].toDouble() - other[0].toDouble()) < 1e-6, found[k] + " beside " + expected[k]);
    }
  }

  void whatDoesNotFitIsRefused()
  {
    const QString checkpoint = path("whole.checkpoint");
    const auto resume = [&](const QString& file, const QStringList& more) {
      return said(runProgram(QStringList{"simulate", config, "--tstop", "500", "--json", "--resume", file} + more));
    };
    const QString otherStep = resume(checkpoint, {"--dt", "0.05"});
    QVERIFY2(otherStep.contains("instead of 0.05"), qPrintable(otherStep));
    SmallCircuit other;
    std::string& text = other.texts["config.json"];
    text.replace(text.find("\"amp\": 0.3"), 10, "\"amp\": 0.4");
    const QString otherConfig = QString::fromStdString(other.write(path("other").toStdString()));
    const QString message =
        said(runProgram({"simulate", otherConfig, "--tstop", "500", "--json", "--resume", checkpoint}));
    QVERIFY2(message.contains("another network"), qPrintable(message));
    QVERIFY(said(runProgram({"simulate", config, "--tstop", "100", "--json", "--resume", checkpoint}))
                .contains("400 ms already"));

    const QByteArray whole = bytes(checkpoint);
    writeText(path("cut"), whole.left(whole.size() / 2));
    QVERIFY2(resume(path("cut"), {}).contains("damaged"), qPrintable(resume(path("cut"), {})));
    QByteArray flipped = whole;
    flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
    writeText(path("flipped"), flipped);
    QVERIFY(resume(path("flipped"), {}).contains("damaged"));
    QByteArray later = whole;
    later.replace("checkpoint 2\n", "checkpoint 7\n");
    writeText(path("later"), later);
    QVERIFY(resume(path("later"), {}).contains("another version"));
    QVERIFY(resume(config, {}).contains("no checkpoint"));
    QVERIFY(resume(path("nowhere"), {}).contains("no such file"));
  }

  void nothingIsWrittenOver()
  {
    const QByteArray whole = bytes(path("whole.checkpoint"));
    QVERIFY(said(runProgram(arguments("whole", "20"))).contains("--overwrite"));
    QCOMPARE(bytes(path("whole.checkpoint")), whole);
    QCOMPARE(runProgram({"simulate", config, "--checkpoint-every", "5"}).status, 2);
    QCOMPARE(said(runProgram({"simulate", config, "--json", "--checkpoint", "/proc/no"})).isEmpty(), false);
  }

  void aRecordedRunIsRepeated()
  {
    const QString record = path("run.json");
    const ProgramRun first = runProgram({"simulate", config, "--tstop", "30", "--dt", "0.05", "--celsius", "31",
                                         "--timings", record, "--out", path("first")});
    QVERIFY2(first.status == 0, first.text());
    const QJsonObject run = QJsonDocument::fromJson(bytes(record))["runs"].toArray()[0].toObject();
    QCOMPARE(run["kind"].toString(), QString("simulation"));
    QCOMPARE(run["cells"].toInt(), 2);
    QVERIFY(run["compartments"].toInt() > 2 && run["repetitions"].toArray()[0].toDouble() > 0);
    QVERIFY(!run["device"].toString().isEmpty());
    QCOMPARE(run["settings"].toObject()["dt"].toString(), QString("0.05"));
    QCOMPARE(run["settings"].toObject()["tstop"].toString(), QString("30"));
    const ProgramRun second = runProgram({"simulate", "--from", record, "--out", path("second")});
    QVERIFY2(second.status == 0, second.text());
    requireSameFiles("first", "second");
    const ProgramRun longer = runProgram({"simulate", "--from", record, "--tstop", "40", "--json"});
    QCOMPARE(longer.json().object()["milliseconds"].toDouble(), 40.0);
    QCOMPARE(runProgram({"simulate", "--json"}).status, 2);
    QVERIFY(said(runProgram({"simulate", "--from", config, "--json"})).contains("timing file"));
  }
};

HINESIGHT_TEST(TestCliSimulateFiles)
#include "test_cli_simulate_files.moc"
