#include "app/program_run.hpp"
#include "core/files.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "small_session.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include <string>
#include <utility>

using hinesight::tests::Result;
using hinesight::tests::runProgram;

/// The real program as a process that exports sessions.
class TestProgramExports : public QObject
{
  Q_OBJECT

private slots:
  void exportsASession();
  void exportsEveryConnectionAndGrowth();
  void exportsASessionWhoseCircuitWasOpen();
  void exportsWhatIsMeasured();
  void leavesOutACircuitThatNobodyMade();

private:
  QTemporaryDir folder;
};

void TestProgramExports::exportsASession()
{
  const QDir to(folder.filePath(QStringLiteral("export")));
  const Result result = runProgram({"--session", hinesight::tests::sourceFile("docs/example.hinesight"), "--export",
                                    to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  for (const char* view : {"morphology", "tree", "packing", "splitting", "measure", "projection", "synapses"})
    QVERIFY2(QImage(to.filePath(QLatin1String(view) + QStringLiteral(".png"))).width() > 100, view);
  QFile timings(to.filePath(QStringLiteral("timings.csv")));
  QVERIFY(timings.open(QIODevice::ReadOnly) && timings.readAll().contains("synthetic_stellate"));
  QVERIFY(QFile::exists(to.filePath(QStringLiteral("circuit/circuit_config.json"))));
  for (const char* table : {"cells.csv", "branches.csv", "types.csv", "sholl.csv"}) {
    QFile file(to.filePath(QLatin1String(table)));
    QVERIFY2(file.open(QIODevice::ReadOnly) && file.readAll().contains("synthetic_stellate"), table);
  }
  // Each connection has a figure and a run of its own; what was formed and grown is there as well.
  for (const char* name : {"projection-input", "projection-feedforward", "projection-inhibition", "synapses-local"})
    QVERIFY2(QImage(to.filePath(QLatin1String(name) + QStringLiteral(".png"))).width() > 100, name);
  QVERIFY(QFile::exists(to.filePath(QStringLiteral("synapses-local.h5"))));
  QVERIFY(!QFile::exists(to.filePath(QStringLiteral("plasticity.png")))); // the session says of no steps
  timings.seek(0);
  const QByteArray runs = timings.readAll();
  for (const char* run : {"input: ", "feedforward: ", "inhibition: ", "local: formed"})
    QVERIFY2(runs.contains(run), run);
  QFile connections(to.filePath(QStringLiteral("connections.csv")));
  QVERIFY(connections.open(QIODevice::ReadOnly));
  const QByteArray lines = connections.readAll();
  for (const char* name : {"\ninput,", "\nfeedforward,", "\ninhibition,", "\nlocal,"})
    QVERIFY2(lines.contains(name), lines);
  // The session that was written makes the same circuit.
  const Result again = runProgram({"--session", to.filePath(QStringLiteral("session.hinesight")), "--export",
                                   folder.filePath(QStringLiteral("again")), "--size", "1280x720"});
  QCOMPARE(again.exitStatus, 0);
  const auto nodes = [this](const char* in) {
    QFile file(folder.filePath(QLatin1String(in) + QStringLiteral("/circuit/network/pyramidal_nodes.h5")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  QVERIFY(!nodes("export").isEmpty());
  QCOMPARE(nodes("again"), nodes("export"));

  // A file that is gone takes nothing from the others, and is told of.
  QFile text(to.filePath(QStringLiteral("session.hinesight")));
  QVERIFY(text.open(QIODevice::ReadOnly));
  QByteArray gone = text.readAll();
  const QByteArray list = "\"cells\": [";
  gone.insert(gone.indexOf(list) + list.size(), "{\"name\": \"gone\", \"file\": \"gone.swc\"},");
  QFile other(to.filePath(QStringLiteral("gone.hinesight")));
  QVERIFY(other.open(QIODevice::WriteOnly) && other.write(gone) == gone.size());
  other.close();
  const QDir partly(folder.filePath(QStringLiteral("partly")));
  const Result rest = runProgram({"--session", other.fileName(), "--export", partly.path(), "--size", "1280x720"});
  QCOMPARE(rest.exitStatus, 1);
  QVERIFY2(rest.errors.contains(QStringLiteral("gone.swc")), qPrintable(rest.errors));
  for (const char* file : {"morphology.png", "types.csv", "circuit/circuit_config.json", "session.hinesight"})
    QVERIFY2(QFile::exists(partly.filePath(QLatin1String(file))), file);
}

/// Names of connections that are no names of files, and a network that grows.
void TestProgramExports::exportsEveryConnectionAndGrowth()
{
  QFile session(folder.filePath(QStringLiteral("grows.hinesight")));
  QVERIFY(session.open(QIODevice::WriteOnly));
  session.write(R"({"session": 1, "populations": [
      {"name": "A", "kind": "box", "count": 60, "extent": [300, 300, 100]},
      {"name": "B", "kind": "box", "count": 40, "extent": [300, 300, 100], "seed": 2}],
    "connections": [
      {"name": "a b", "source": "A", "target": "B", "kernel": "gaussian", "sigma": 80, "cut": 0.1},
      {"name": "A_b", "source": "B", "target": "A", "kernel": "gaussian", "sigma": 80, "cut": 0.1},
      {"name": "near & far", "kind": "formed", "between": ["A", "B"]},
      {"name": "near", "kind": "formed", "between": ["A"]}],
    "grow": {"populations": ["A", "B"], "steps": 250, "axon-initial-least": 2, "axon-initial-most": 3,
      "excitatory-initial-least": 2, "excitatory-initial-most": 3}})");
  session.close();
  const QDir to(folder.filePath(QStringLiteral("grown")));
  const Result result = runProgram({"--session", session.fileName(), "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  for (const char* name : {"projection-a_b", "projection-A_b-2", "synapses-near___far", "synapses-near", "plasticity"})
    QVERIFY2(QImage(to.filePath(QLatin1String(name) + QStringLiteral(".png"))).width() > 100, name);
  for (const char* name :
       {"synapses-near___far.h5", "synapses-near.h5", "plasticity.h5", "plasticity.csv", "plasticity.svg"})
    QVERIFY2(QFile::exists(to.filePath(QLatin1String(name))), name);
  QFile records(to.filePath(QStringLiteral("plasticity.csv")));
  QVERIFY(records.open(QIODevice::ReadOnly) && records.readAll().contains("\n250,"));
  QFile timings(to.filePath(QStringLiteral("timings.csv")));
  QVERIFY(timings.open(QIODevice::ReadOnly));
  const QByteArray runs = timings.readAll();
  for (const char* run : {"a b: A", "A_b: B", "near & far: formed", "near: formed", "250 steps"})
    QVERIFY2(runs.contains(run), run);
}

/// Nobody looks at the page Simulation, which cannot open it any more.
void TestProgramExports::exportsASessionWhoseCircuitWasOpen()
{
  using namespace hinesight;
  const auto write = [this](const char* name, const std::string& text) {
    writeFileAtomically(folder.filePath(QLatin1String(name)).toStdString(),
                        [&](std::ostream& stream) { stream << text; });
  };
  std::string text = tests::kSmallSession;
  for (const auto& [from, to] :
       {std::pair(R"("session": 1,)", R"("session": 1, "view": {"page": "simulation", "circuit-open": true},)"),
        std::pair(R"("synapse-place": "nearest")", R"("synapse-place": "sections", "synapse-on": "apic")")}) {
    const std::size_t at = text.find(from);
    QVERIFY2(at != std::string::npos, from);
    text.replace(at, std::string(from).size(), to);
  }
  write("tree.swc", tests::kSmallTree);
  write("open.hinesight", text);
  const QDir to(folder.filePath(QStringLiteral("of open")));
  const Result result = runProgram(
      {"--session", folder.filePath(QStringLiteral("open.hinesight")), "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  QVERIFY2(result.errors.contains("without how it is simulated"), qPrintable(result.errors));
  QVERIFY(QFile::exists(to.filePath(QStringLiteral("circuit/circuit_config.json"))));
  const auto view = model::readSession(to.filePath(QStringLiteral("session.hinesight")).toStdString()).view;
  QVERIFY(view.isCircuitOpen);
  QCOMPARE(view.page, std::string("simulation"));
}

/// As the page Measure has it: its histogram, and paths.
void TestProgramExports::exportsWhatIsMeasured()
{
  QVERIFY(QFile::copy(hinesight::tests::testData("app/stellate.swc"), folder.filePath("stellate.swc")));
  QFile session(folder.filePath(QStringLiteral("measured.hinesight")));
  QVERIFY(session.open(QIODevice::WriteOnly));
  session.write(R"({"session": 1, "cells": [{"name": "a cell", "file": "stellate.swc"}],
    "view": {"histogram-of": "order", "paths": [
      {"from": "a cell", "from-sample": 3, "to": "a cell", "to-sample": 9, "path": 12.5, "distance": 10.25}]}})");
  session.close();
  const QDir to(folder.filePath(QStringLiteral("measured")));
  const Result result = runProgram({"--session", session.fileName(), "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  const auto linesOf = [&](const char* name) {
    QFile file(to.filePath(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QList<QByteArray>();
  };
  const QList<QByteArray> classes = linesOf("histogram.csv");
  QCOMPARE(classes.value(0), QByteArray("file,from,to,branches"));
  QVERIFY2(classes.value(1).contains("stellate.swc,0,1,"), classes.value(1));
  QVERIFY(classes.size() > 4);
  QCOMPARE(linesOf("paths.csv").value(1), QByteArray("a cell,3,a cell,9,12.5,10.25"));
}

/// The populations that every window begins with are in its sessions.
void TestProgramExports::leavesOutACircuitThatNobodyMade()
{
  const QDir to(folder.filePath(QStringLiteral("cells alone"))), again(folder.filePath(QStringLiteral("cells again")));
  for (const QStringList& arguments :
       {QStringList{hinesight::tests::testData("app/stellate.swc"), "--export", to.path(), "--size", "1280x720"},
        QStringList{"--session", to.filePath("session.hinesight"), "--export", again.path(), "--size", "1280x720"}}) {
    const Result result = runProgram(arguments);
    QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  }
  for (const QDir& each : {to, again}) {
    QVERIFY(QImage(each.filePath(QStringLiteral("morphology.png"))).width() > 100);
    for (const char* part : {"circuit", "connections.csv", "projection.png", "synapses.png"})
      QVERIFY2(!QFile::exists(each.filePath(QLatin1String(part))), part);
    QVERIFY(QDir(each.path()).entryList({QStringLiteral("projection-*")}).isEmpty());
  }
  const auto session = hinesight::model::readSession(to.filePath(QStringLiteral("session.hinesight")).toStdString());
  QCOMPARE(session.project.populations.size(), std::size_t{2});
}

HINESIGHT_TEST(TestProgramExports)
#include "test_program_exports.moc"
