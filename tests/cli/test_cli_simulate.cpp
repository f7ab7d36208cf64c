#include "cli/program.hpp"
#include "paths/paths.hpp"

#include "small_circuit.hpp"
#include "small_session.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliSimulate : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }
  QString write(const QString& name, const SmallCircuit& circuit = {}) const
  {
    return QString::fromStdString(circuit.write(path(name).toStdString()));
  }
  QString writeSession(const QString& name) const
  {
    writeText(path("tree.swc"), kSmallTree);
    writeText(path(name), kSmallSession);
    return path(name);
  }
  static QByteArray bytes(const QString& name)
  {
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void aCircuitIsSimulated()
  {
    const ProgramRun run = runProgram({"simulate", write("whole"), "--out", path("out"), "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QCOMPARE(json["cells"].toInt(), 2);
    QCOMPARE(json["pointNeurons"].toInt(), 1);
    QCOMPARE(json["milliseconds"].toDouble(), 60.0);
    const QJsonArray populations = json["populations"].toArray();
    QCOMPARE(populations.size(), 1); // virtual nodes do not spike
    QVERIFY(populations[0].toObject()["spikes"].toInt() > 4);
    QProcess process;
    process.start("/usr/bin/python3", {sourceFile("tests/cli/simulation_rules.py"), path("out"), "v.h5", "ca.h5"});
    QVERIFY(process.waitForFinished());
    const QByteArray said = process.readAllStandardOutput(), errors = process.readAllStandardError();
    if (errors.contains("ModuleNotFoundError"))
      QSKIP("there is no h5py here");
    QVERIFY2(errors.isEmpty(), errors);
    QCOMPARE(said, QByteArray::number(populations[0].toObject()["spikes"].toInt()) + " spikes, 4800 frames\n");
  }

  /// It is simulated without it, and a warning says how the connection gets some.
  void aConnectionWithoutSynapsesIsNamed()
  {
    const QString session = writeSession("less.hinesight");
    QString text = bytes(session);
    const QString synapses = QStringLiteral("\"synapse-place\": \"soma\", \"synapse-weight\": 0.01, ");
    QVERIFY(text.contains(synapses));
    writeText(session, text.remove(synapses).toUtf8().constData());
    const ProgramRun run = runProgram({"simulate", session, "--tstop", "1", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QStringList warnings;
    for (const QJsonValue& warning : run.json().object()["warnings"].toArray())
      warnings << warning.toString();
    const QString all = warnings.join(u'\n');
    QVERIFY2(all.contains("\"inhibition\" takes no part"), qPrintable(all));
    QVERIFY2(all.contains("--set 'connections.inhibition.synapse-place=soma'"), qPrintable(all));
    QCOMPARE(warnings.filter("inhibition").size(), 1); // both in one warning
  }

  /// Two runs, other threads, other epochs: the same bytes.
  void outputIsTheSameBytes()
  {
    const QString config = write("same");
    const QList<QStringList> ways = {{}, {"--threads", "1"}, {"--threads", "3", "--epoch", "0.2"}};
    for (qsizetype k = 0; k < ways.size(); ++k)
      QCOMPARE(runProgram(QStringList{"simulate", config, "--out", path("same" + QString::number(k))} + ways[k]).status,
               0);
    for (const char* const file : {"/spikes.h5", "/spikes.csv", "/v.h5", "/ca.h5"})
      for (const char* const other : {"same1", "same2"})
        QVERIFY2(!bytes(path("same0") + file).isEmpty() && bytes(path("same0") + file) == bytes(path(other) + file),
                 file);
  }

  void aFitIsSimulatedByItself()
  {
    const QString cell = QFileInfo(write("fit")).path();
    const QString fit = cell + "/small_fit.json", swc = cell + "/cells/small.swc";
    const ProgramRun run = runProgram({"simulate", fit, "--morphology", swc, "--current", "0.3,5,20", "--tstop", "30",
                                       "--out", path("fit_out"), "--json"});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.json().object()["populations"].toArray()[0].toObject()["spikes"].toInt() >= 1);
    const ProgramRun resting = runProgram({"simulate", fit, "--morphology", swc, "--tstop", "5"});
    QVERIFY2(resting.status == 0 && resting.err.contains("No current is given"), resting.text());
    const ProgramRun alone = runProgram({"simulate", fit, "--json"});
    QVERIFY2(alone.status == 1 && alone.error()["message"].toString().contains("no SWC file"), alone.text());
  }

  void aSessionIsSimulated()
  {
    const QString session = writeSession("a.hinesight");
    const ProgramRun run = runProgram({"simulate", session, "--out", path("session"), "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QCOMPARE(json["cells"].toInt(), 6);
    QCOMPARE(json["pointNeurons"].toInt(), 1);
    QCOMPARE(json["milliseconds"].toDouble(), 60.0);
    QVERIFY(json["bytesOfSynapse"].toDouble() > 20);
    for (const char* const file : {"spikes.h5", "spikes.csv", "v.h5", "soma.h5", "held.h5"})
      QVERIFY2(QFile::exists(path("session/") + file), file);
    // The same by the study of a session, and with other threads.
    const ProgramRun study =
        runProgram({"run", session, "--study", "simulation", "--out", path("study"), "--set", "simulate.threads=3"});
    QVERIFY2(study.status == 0 && study.out.contains("bytes of memory each"), study.text());
    for (const char* const file : {"/spikes.h5", "/v.h5", "/held.h5"})
      QVERIFY2(bytes(path("session") + file) == bytes(path("study/simulation") + file), file);
    QVERIFY(!QFile::exists(path("study/circuit")));
  }

  /// The command line has the last word.
  void optionsChangeASession()
  {
    const QString session = writeSession("b.hinesight");
    const ProgramRun run =
        runProgram({"simulate", session, "--tstop", "10", "--dt", "0.05", "--scheme", "be", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json().object()["milliseconds"].toDouble(), 10.0);
    const QJsonObject settings = run.json().object()["settings"].toObject();
    QVERIFY2(run.out.contains("\"0.05\"") || settings["dt"].toDouble() == 0.05, run.text());
    const ProgramRun none = runProgram({"simulate", session, "--current", "1,2,3"});
    QVERIFY2(none.status == 2 && none.err.contains("stimuli, cells and seeds of its own"), none.text());
    const ProgramRun set = runProgram({"simulate", session, "--set", "stimuli.step.neurons=9"});
    QVERIFY2(set.status == 1 && set.err.contains("names the neuron 9"), set.text());
    const ProgramRun wild = runProgram({"simulate", session, "--set", "stimuli.step.amplitude=1e6", "--json"});
    QVERIFY2(wild.status == 1 && wild.error()["message"].toString().contains("cell 0"), wild.text());
  }

  void wrongInputIsNamed()
  {
    const QString config = write("wrong");
    const QString nodes = path("wrong/nodes.h5");
    const QByteArray whole = bytes(nodes);
    const auto said = [&](const QStringList& more) {
      const ProgramRun run = runProgram(QStringList{"simulate", config, "--json"} + more);
      return run.status == 1 ? run.error()["message"].toString() : "status " + run.text();
    };
    writeText(nodes, whole.left(whole.size() / 2));
    QCOMPARE(runProgram({"simulate", config, "--json"}).error()["file"].toString(), nodes);
    writeText(nodes, whole);
    QVERIFY2(said({"--dt", "0"}).contains("Time step"), qPrintable(said({"--dt", "0"})));
    QVERIFY2(said({"--dt", "nan"}).contains("Time step"), qPrintable(said({"--dt", "nan"})));
    QVERIFY2(said({"--tstop", "-1"}).contains("tstop"), qPrintable(said({"--tstop", "-1"})));
    QVERIFY2(said({"--compatible", "neuron", "--scheme", "cn"}).contains("backward Euler"), "scheme");
    const ProgramRun nowhere = runProgram({"simulate", config, "--json", "--out", "/proc/no"});
    QVERIFY2(nowhere.error()["file"].toString() == "/proc/no", nowhere.text());
    QCOMPARE(runProgram({"simulate", config, "--current", "1,2,3"}).status, 2);
    SmallCircuit wild;
    const std::string amplitude = "\"amp\": 0.3";
    std::string& text = wild.texts["config.json"];
    text.replace(text.find(amplitude), amplitude.size(), "\"amp\": 3e6");
    const ProgramRun run = runProgram({"simulate", write("wild", wild), "--json"});
    const QString message = run.error()["message"].toString();
    QVERIFY2(run.status == 1 && message.contains("cell 0") && message.contains("ms"), run.text());
  }
};

HINESIGHT_TEST(TestCliSimulate)
#include "test_cli_simulate.moc"
