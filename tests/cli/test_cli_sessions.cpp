#include "cli/program.hpp"
#include "paths/paths.hpp"

#include "small_session.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QDirIterator>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliSessions : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }
  /// Two populations, two connections, and parameters of studies.
  static constexpr const char* kStudies = R"({
    "session": 1,
    "populations": [
      {"name": "A", "kind": "box", "count": 60, "extent": [300, 300, 100], "seed": 3},
      {"name": "B", "role": "inhibitory", "kind": "sphere", "count": 40, "origin": [150, 150, 50], "radius": 100,
       "seed": 2}],
    "connections": [
      {"name": "ab", "source": "A", "target": "B", "kernel": "gaussian", "sigma": 80, "cut": 0.1},
      {"name": "formed", "kind": "formed", "between": ["A", "B"], "formed-axons": 4, "formed-dendrites": 4}],
    "form": {"neurons": 500, "axons": 3, "dendrites": 3, "seed": 5},
    "grow": {"neurons": 200, "excitatory": 0.5, "steps": 350, "record-every": 50, "seed": 7,
             "axon-initial-least": 2, "axon-initial-most": 3, "excitatory-initial-least": 2, "excitatory-initial-most": 3,
             "inhibitory-initial-least": 2, "inhibitory-initial-most": 3},
    "bench-projections": {"sides": [8, 16], "repetitions": 2, "loop-side": 0},
    "bench-synapses": {"neurons": [300, 500], "repetitions": 1},
    "bench-hines": {"of": "tables", "table": ["copies"], "cells": [2, 4], "solvers": ["serial"], "quick": true}
  })";

  static QString example() { return sourceFile("docs/example.hinesight"); }

  /// Runs a script that reads files by h5py alone and says where they break rules.
  static void requireRules(const QString& script, const QString& file, const QByteArray& counted)
  {
    QProcess process;
    process.start("/usr/bin/python3", {sourceFile("tests/cli/") + script, file});
    QVERIFY(process.waitForFinished());
    const QByteArray said = process.readAllStandardOutput(), errors = process.readAllStandardError();
    if (errors.contains("ModuleNotFoundError"))
      QSKIP("there is no h5py here");
    QVERIFY2(errors.isEmpty(), errors);
    QVERIFY2(said.trimmed().split('\n').size() == 1 && said.contains(counted), said);
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void runsASession()
  {
    const ProgramRun run = runProgram({"run", example(), "--json", "--out", path("out")});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QCOMPARE(json["circuit"].toObject()["connections"].toArray().size(), 4);
    QCOMPARE(json["solve"].toObject()["cells"].toInt(), 100);
    for (const char* const file : {"circuit/circuit_config.json", "circuit/network/pyramidal_nodes.h5",
                                   "circuit/morphologies/stellate.swc", "connections.csv", "solve.json"})
      QVERIFY2(QFile::exists(path("out/") + file), file);
    // The record says all that it takes to repeat the solve.
    const ProgramRun again = runProgram({"solve", "--from", path("out/solve.json"), "--json"});
    QVERIFY2(again.status == 0, again.text());
    QCOMPARE(again.json().object()["compartments"].toInt(), json["solve"].toObject()["compartments"].toInt());
  }

  void changesParametersFirst()
  {
    const auto edgesOf = [](const ProgramRun& run) {
      return run.json().object()["circuit"].toObject()["connections"].toArray()[0].toObject()["edges"].toInt();
    };
    const ProgramRun plain = runProgram({"run", example(), "--json", "--study", "circuit"});
    const ProgramRun wide = runProgram({"run", example(), "--json", "--study", "circuit", "--set",
                                        "connections.input.sigma=200", "--set", "populations.basket.count=10"});
    QVERIFY2(plain.status == 0 && wide.status == 0, wide.text());
    QVERIFY(!wide.json().object().contains("solve"));
    QVERIFY(edgesOf(wide) > edgesOf(plain));
    QCOMPARE(wide.json().object()["circuit"].toObject()["populations"].toArray()[2].toObject()["neurons"].toInt(), 10);
  }

  /// Whoever makes the whole circuit hears of it as whoever makes the one table does.
  void saysThatPopulationsDifferInSize()
  {
    const QString session = path("one.hinesight");
    QFile file(session);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"session": 1,
      "populations": [{"name": "a", "kind": "box", "count": 100, "extent": [100, 100, 100]},
                      {"name": "b", "kind": "box", "count": 60, "extent": [100, 100, 100]}],
      "connections": [{"name": "pairs", "source": "a", "target": "b", "kernel": "one-to-one"},
                      {"name": "near", "source": "a", "target": "b", "kernel": "nearest", "neighbours": 3}]})");
    file.close();
    const QByteArray said =
        "The connection \"pairs\": One to one joins neurons of equal index, but \"a\" has 100 neurons "
        "and \"b\" 60: the last 40 of \"a\" have no connection";
    const ProgramRun run = runProgram({"run", session, "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray warnings = run.json().object()["circuit"].toObject()["warnings"].toArray();
    QCOMPARE(warnings.size(), 1);
    QVERIFY2(warnings[0].toString().toUtf8().startsWith(said), run.text());
    const ProgramRun exported = runProgram({"export", session, "--sonata", path("one")});
    QVERIFY2(exported.status == 0 && exported.err.contains(said), exported.text());
  }

  void exportsTheCircuitAlone()
  {
    const ProgramRun run = runProgram({"export", example(), "--sonata", path("circuit")});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.out.contains("feedforward"));
    QVERIFY(QFile::exists(path("circuit/circuit_config.json")));
  }

  /// Read by another program, which knows the rules of the SONATA Developer Guide.
  void theCircuitKeepsTheRulesOfSonata()
  {
    // Beside the example: a pool drawn from by chance, cells turned about an axis, names with quotes and blanks, and
    // neurons without edges.
    const QString pools = testData("sessions/pools.hinesight");
    for (const QString& session : {example(), pools}) {
      const QString out = path("kept/" + QFileInfo(session).baseName());
      const ProgramRun run = runProgram({"export", session, "--sonata", out});
      QVERIFY2(run.status == 0, run.text());
      QProcess process;
      process.start("/usr/bin/python3", {sourceFile("tests/cli/sonata_rules.py"), out + "/circuit_config.json"});
      QVERIFY(process.waitForFinished());
      const QByteArray said = process.readAllStandardOutput(), errors = process.readAllStandardError();
      if (errors.contains("ModuleNotFoundError"))
        QSKIP("there is no h5py here");
      QVERIFY2(errors.isEmpty(), errors);
      const auto lines = said.trimmed().split('\n');
      QVERIFY2(lines.size() == 1, said);
      QVERIFY2(said.contains("nodes of 3 populations"), said);
    }
  }

  /// The configuration that is exported keeps the rules as well, and runs to the bytes of the session.
  void anExportedSimulationRunsToTheSameBytes()
  {
    writeText(path("tree.swc"), kSmallTree);
    writeText(path("small.hinesight"), kSmallSession);
    const ProgramRun made = runProgram({"export", path("small.hinesight"), "--sonata", path("sonata")});
    QVERIFY2(made.status == 0, made.text());
    const QString config = path("sonata/simulation/simulation_config.json");
    const ProgramRun session = runProgram({"simulate", path("small.hinesight"), "--out", path("of_session")});
    const ProgramRun sonata = runProgram({"simulate", config, "--out", path("of_sonata")});
    QVERIFY2(session.status == 0 && sonata.status == 0, sonata.text());
    for (const char* const name : {"spikes.h5", "spikes.csv", "v.h5", "soma.h5", "held.h5"}) {
      QFile first(path("of_session/") + name), second(path("of_sonata/") + name);
      QVERIFY2(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly), name);
      const QByteArray bytes = first.readAll();
      QVERIFY2(!bytes.isEmpty() && bytes == second.readAll(), name);
    }
    // What was read can be written again.
    const ProgramRun again = runProgram({"export", config, "--sonata", path("again")});
    QVERIFY2(again.status == 0, again.text());
    for (const QString& folderOf : {path("sonata/simulation"), path("again")}) {
      requireRules("sonata_rules.py", folderOf + "/circuit_config.json", "nodes of 4 populations");
      requireRules("configuration_rules.py", folderOf + "/simulation_config.json", "3 reports");
    }
    const ProgramRun third = runProgram({"simulate", path("again/simulation_config.json"), "--out", path("of_again")});
    QVERIFY2(third.status == 0, third.text());
    QFile first(path("of_session/spikes.h5")), last(path("of_again/spikes.h5"));
    QVERIFY(first.open(QIODevice::ReadOnly) && last.open(QIODevice::ReadOnly));
    QVERIFY(first.readAll() == last.readAll());
  }

  /// The circuit of all connections, and below it the one that is simulated.
  void runWritesTheCircuitThatExportWrites()
  {
    writeText(path("tree.swc"), kSmallTree);
    writeText(path("small.hinesight"), kSmallSession);
    const ProgramRun exported = runProgram({"export", path("small.hinesight"), "--sonata", path("exported_small")});
    const ProgramRun made =
        runProgram({"run", path("small.hinesight"), "--study", "circuit", "--out", path("made_small")});
    QVERIFY2(exported.status == 0 && made.status == 0, made.text());
    const auto filesIn = [](const QString& root) {
      QMap<QString, QByteArray> files;
      QDirIterator each(root, QDir::Files, QDirIterator::Subdirectories);
      while (each.hasNext()) {
        QFile file(each.next());
        if (file.open(QIODevice::ReadOnly))
          files.insert(QDir(root).relativeFilePath(file.fileName()), file.readAll());
      }
      return files;
    };
    const auto wanted = filesIn(path("exported_small"));
    QVERIFY(wanted.contains("circuit_config.json") && wanted.contains("simulation/simulation_config.json"));
    const auto found = filesIn(path("made_small/circuit"));
    QCOMPARE(found.keys(), wanted.keys());
    for (auto file = wanted.begin(); file != wanted.end(); ++file)
      QVERIFY2(found[file.key()] == file.value(), qPrintable(file.key()));
  }

  /// Settings that a session only holds are carried out where that is asked for.
  void whatIsNotToBeRunIsRunByItsName()
  {
    writeText(path("held.hinesight"), R"({"session": 1, "populations": [{"name": "A"}],
                                          "form": {"neurons": 300, "run": false}})");
    const ProgramRun all = runProgram({"run", path("held.hinesight"), "--json"});
    QVERIFY2(all.status == 0, all.text());
    QVERIFY2(all.json().object().contains("circuit") && !all.json().object().contains("formation"), all.text());
    const ProgramRun named = runProgram({"run", path("held.hinesight"), "--json", "--study", "formation"});
    QVERIFY2(named.status == 0, named.text());
    QCOMPARE(named.json().object()["formation"].toObject()["neurons"].toInt(), 300);
  }

  void aNetworkGrowsFromAFormedConnection()
  {
    writeText(path("studies.hinesight"), kStudies);
    const ProgramRun run =
        runProgram({"run", path("studies.hinesight"), "--json", "--study", "growth", "--study", "formation",
                    "--connection", "formed", "--set", "grow.begins-with=formed", "--set", "grow.steps=200"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject grown = run.json().object()["growth"].toObject();
    QCOMPARE(grown["neurons"].toInt(), 100);
    const auto formed = run.json().object()["formed"].toObject()["formed"].toObject()["synapses"].toInt();
    QVERIFY(formed > 0);
    QCOMPARE(grown["synapses"].toInt() - grown["created"].toInt() + grown["deleted"].toInt(), formed);
    const ProgramRun nobody =
        runProgram({"run", path("studies.hinesight"), "--study", "growth", "--set", "grow.begins-with=ab"});
    QCOMPARE(nobody.status, 1);
    QVERIFY2(nobody.err.contains("no formed connection \"ab\""), nobody.text());
  }

  void foldersAreCalledSo()
  {
    for (const QStringList& command :
         {QStringList{"run"}, QStringList{"export"}, QStringList{"compare"}, QStringList{"simulate"}}) {
      const ProgramRun help = runProgram(command + QStringList{"--help"});
      const char* const option = command.front() == "export" ? "--sonata FOLDER" : "--out FOLDER";
      QVERIFY2(help.out.contains(option), help.text());
    }
  }

  /// The example of the documentation, whose cells spike.
  void theExampleIsSimulated()
  {
    const QString session = sourceFile("docs/simulation.hinesight");
    const ProgramRun run = runProgram({"simulate", session, "--tstop", "40", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QCOMPARE(json["cells"].toInt(), 50);
    QVERIFY(json["populations"].toArray()[0].toObject()["spikes"].toInt() > 0);
    QVERIFY(json["populations"].toArray()[1].toObject()["spikes"].toInt() > 0);
    QVERIFY2(json["warnings"].toArray().isEmpty(), run.text());
  }

  void comparesConnectionsOfASession()
  {
    const ProgramRun run = runProgram(
        {"compare", example(), "--connections", "inhibition", "local", "--json", "--out", path("comparison")});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray comparisons = run.json().array();
    QCOMPARE(comparisons.size(), 1);
    QCOMPARE(comparisons[0].toObject()["sources"].toInt(), 100);
    QCOMPARE(comparisons[0].toObject()["networks"].toArray()[1].toObject()["name"].toString(),
             QString("local_basket_to_pyramidal"));
    for (const char* const file : {"comparison.json", "overlap.csv", "by_degree.csv", "by_distance.csv"})
      QVERIFY2(QFile::exists(path("comparison/") + file), file);
    const ProgramRun text = runProgram({"compare", example(), "--connections", "inhibition", "local"});
    QVERIFY2(text.out.contains("Jaccard index") && text.out.contains("distance up to"), text.text());
  }

  void comparesFiles()
  {
    const auto make = [&](const char* name, const char* sigma) {
      return runProgram({"project", "--side", "12", "--recurrent", "--kernel", "gaussian", "--sigma", sigma, "--cut",
                         "0.2", "--out", path(name)});
    };
    QVERIFY2(make("narrow.h5", "1").status == 0, make("narrow.h5", "1").text());
    QVERIFY2(make("wide.npy", "2").status == 0, make("wide.npy", "2").text());
    const ProgramRun tables = runProgram({"compare", path("narrow.h5"), path("wide.npy"), "--json"});
    QVERIFY2(tables.status == 0, tables.text());
    const QJsonObject made = tables.json().array()[0].toObject();
    // All pairs of the narrow kernel are pairs of the wide one.
    QCOMPARE(made["onlyFirst"].toInt(), 0);
    QVERIFY(made["inBoth"].toInt() > 0 && made["onlySecond"].toInt() > 0);
    QVERIFY(!made["pairsByDistance"].toArray().isEmpty());

    writeText(path("neurons.csv"), "x,y,z,type,area\n0,0,0,ex,a\n3,4,0,ex,a\n");
    writeText(path("network.csv"), "source,target,weight,plastic\n0,1,2,1\n");
    const ProgramRun bare = runProgram({"compare", path("network.csv"), path("network.csv"), "--json"});
    QVERIFY2(bare.status == 0, bare.text());
    QVERIFY(bare.err.contains("nothing is compared by distance"));
    const ProgramRun placed =
        runProgram({"compare", path("network.csv"), path("network.csv"), "--neurons", path("neurons.csv"), "--json"});
    QVERIFY2(placed.status == 0, placed.text());
    QVERIFY(!placed.json().array()[0].toObject()["pairsByDistance"].toArray().isEmpty());
    // Weights that are all one have no correlation.
    const ProgramRun alike = runProgram({"compare", path("network.csv"), path("network.csv")});
    QVERIFY2(alike.out.contains("correlation of weights") && !alike.out.contains("nan"), alike.text());
    const ProgramRun unequal = runProgram({"compare", path("narrow.h5"), path("network.csv")});
    QCOMPARE(unequal.status, 1);
    QVERIFY2(unequal.err.contains("the same neurons are needed"), unequal.text());
  }

  void comparesEdgesOfAnExportedCircuit()
  {
    const QString out = path("exported");
    QVERIFY(runProgram({"export", example(), "--sonata", out}).status == 0);
    const ProgramRun whole = runProgram({"compare", out + "/network/inhibition_edges.h5",
                                         out + "/network/local_basket_to_pyramidal_edges.h5", "--json"});
    QVERIFY2(whole.status == 0, whole.text());
    const QJsonObject made = whole.json().array()[0].toObject();
    QCOMPARE(made["source"].toString(), QString("basket"));
    QVERIFY(!made["pairsByDistance"].toArray().isEmpty());
  }

  void comparesAConnectionOfASessionWithAFile()
  {
    const QString out = path("side");
    QVERIFY(runProgram({"export", example(), "--sonata", out}).status == 0);
    const ProgramRun run = runProgram(
        {"compare", example(), "--connections", "inhibition", out + "/network/inhibition_edges.h5", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json().array()[0].toObject()["jaccard"].toDouble(), 1.0);
  }

  /// A session that holds each study, and what single commands make of the same parameters.
  void runsEveryStudyToTheBytesOfItsCommand()
  {
    writeText(path("studies.hinesight"), kStudies);
    const QString out = path("studies");
    const ProgramRun run = runProgram({"run", path("studies.hinesight"), "--json", "--out", out});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    for (const char* const part : {"circuit", "formation", "growth", "benchmark"})
      QVERIFY2(json.contains(part), run.text());
    QCOMPARE(json["growth"].toObject()["step"].toInt(), 350);
    QCOMPARE(json["benchmark"].toObject().keys(), (QStringList{"hines", "projections", "synapses"}));
    const ProgramRun parts =
        runProgram({"run", path("studies.hinesight"), "--json", "--out", out, "--study", "projection", "--study",
                    "formation", "--connection", "ab", "--connection", "formed"});
    QVERIFY2(parts.status == 0, parts.text());
    QVERIFY2(!parts.json().object().contains("formation"), parts.text()); // connections are named

    const auto bytesOf = [](const QString& file) {
      QFile opened(file);
      return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    };
    const auto requireSame = [&](const QString& ofSession, const QString& ofCommand) {
      QVERIFY2(!bytesOf(ofSession).isEmpty() && bytesOf(ofSession) == bytesOf(ofCommand), qPrintable(ofSession));
    };
    QVERIFY(runProgram({"form", "--neurons", "500", "--axons", "3", "--dendrites", "3", "--seed", "5", "--out",
                        path("form.h5")})
                .status == 0);
    requireSame(out + "/formation.h5", path("form.h5"));
    QVERIFY(runProgram({"grow", "--neurons", "200", "--excitatory", "0.5", "--steps", "350", "--seed", "7",
                        "--initial-least", "2", "--initial-most", "3", "--records", path("grow.csv"), "--record-every",
                        "50", "--out", path("grow.h5")})
                .status == 0);
    requireSame(out + "/growth.h5", path("grow.h5"));
    requireSame(out + "/growth.csv", path("grow.csv"));
    QVERIFY(bytesOf(out + "/growth.csv").count('\n') > 5);
    QVERIFY(runProgram({"project",
                        "--source-name",
                        "A",
                        "--source-box",
                        "60,300,300,100",
                        "--source-seed",
                        "3",
                        "--destination-name",
                        "B",
                        "--destination-sphere",
                        "40,100",
                        "--destination-origin",
                        "150,150,50",
                        "--destination-seed",
                        "2",
                        "--kernel",
                        "gaussian",
                        "--sigma",
                        "80",
                        "--cut",
                        "0.1",
                        "--out",
                        path("ab.h5")})
                .status == 0);
    requireSame(out + "/projections/ab.h5", path("ab.h5"));
    // Times differ; what is measured does not.
    const auto columnsOf = [&](const QString& file) {
      QByteArrayList lines;
      for (const QByteArray& line : bytesOf(file).split('\n'))
        lines << line.split(',').mid(0, 3).join(',');
      return lines;
    };
    const auto requireSameRows = [&](const char* name, const QStringList& options) {
      const QString file = path(QString(name) + ".csv");
      const ProgramRun single =
          runProgram(QStringList{"bench", name} + options + QStringList{"--backend", "cpu", "--out", file});
      QVERIFY2(single.status == 0, single.text());
      QVERIFY(columnsOf(file).size() > 2);
      QCOMPARE(columnsOf(out + "/bench-" + name + ".csv"), columnsOf(file));
      QVERIFY(!bytesOf(out + "/bench-" + name + ".json").isEmpty());
    };
    requireSameRows("hines", {"--table", "copies", "--solvers", "serial", "--cells", "2,4", "--quick"});
    requireSameRows("projections", {"--sides", "8,16", "--repetitions", "2", "--loop-side", "0"});
    requireSameRows("synapses", {"--neurons", "300,500", "--repetitions", "1"});
  }

  /// The neurons of a part of a session may be populations of its circuit.
  void formsAndGrowsBetweenPopulations()
  {
    writeText(path("studies.hinesight"), kStudies);
    const QString out = path("between");
    const ProgramRun run =
        runProgram({"run", path("studies.hinesight"), "--json", "--out", out, "--study", "growth", "--study",
                    "formation", "--set", "grow.populations=A,B", "--set", "form.populations=B"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json().object()["growth"].toObject()["neurons"].toInt(), 100);
    QCOMPARE(run.json().object()["formation"].toObject()["neurons"].toInt(), 40);
    QCOMPARE(run.json().object()["formed"].toObject()["formed"].toObject()["neurons"].toInt(), 100);
    // What was grown is compared with what joins the same populations, a projection among them.
    const QString grown = out + "/growth.h5";
    for (const char* const connection : {"ab", "formed"}) {
      const ProgramRun compared =
          runProgram({"compare", path("studies.hinesight"), "--connections", connection, grown, "--json"});
      QVERIFY2(compared.status == 0, compared.text());
      QCOMPARE(compared.json().array().size(), 1);
      QVERIFY(!compared.json().array()[0].toObject()["pairsByDistance"].toArray().isEmpty());
    }
    const ProgramRun table = runProgram({"run", path("studies.hinesight"), "--study", "projection", "--out", out});
    QVERIFY2(table.status == 0, table.text());
    const ProgramRun files = runProgram({"compare", out + "/projections/ab.h5", grown, "--json"});
    QVERIFY2(files.status == 0, files.text());
    QCOMPARE(files.json().array()[0].toObject()["target"].toString(), QString("B"));
  }

  /// A benchmark that a session has nothing of is added by --set.
  void measuresTheCellsOfASession()
  {
    const ProgramRun run = runProgram({"run", example(), "--json", "--study", "benchmark", "--set",
                                       "bench-hines.cells=3,5", "--set", "bench-hines.solvers=serial", "--set",
                                       "bench-hines.quick=true", "--set", "bench-hines.precision=both"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray rows = run.json().object()["benchmark"].toObject()["hines"].toObject()["rows"].toArray();
    QCOMPARE(rows.size(), 2);
    QVERIFY2(run.out.contains("synthetic_stellate"), run.text());
  }

  /// Files of single tables and networks keep the rules of SONATA as those of circuits do.
  void singleFilesKeepTheRulesOfSonata()
  {
    const auto require = [&](const QString& name, const QByteArray& counted) {
      QByteArray config = R"({"manifest": {"$D": "."}, "components": {"morphologies_dir": "$D"}, "networks": {
        "nodes": [{"nodes_file": "$D/X.h5", "node_types_file": "$D/X_node_types.csv"}],
        "edges": [{"edges_file": "$D/X.h5", "edge_types_file": "$D/X_edge_types.csv"}]}})";
      config.replace("$D/X", "$D/" + name.toUtf8());
      writeText(path(name + "_config.json"), config);
      requireRules("sonata_rules.py", path(name + "_config.json"), counted);
    };
    for (const char* const extra : {"--recurrent", "--no-recurrent"}) {
      QStringList command = {"project", "--side", "15",         "--kernel", "gaussian", "--sigma",       "2",
                             "--cut",   "0.05",   "--velocity", "0.3",      "--out",    path("table.h5")};
      const bool isRecurrent = QByteArray(extra) == "--recurrent";
      if (isRecurrent)
        command << extra;
      const ProgramRun run = runProgram(command);
      QVERIFY2(run.status == 0, run.text());
      require("table", isRecurrent ? "nodes of 1 populations" : "nodes of 2 populations");
    }
    QVERIFY(
        runProgram({"form", "--neurons", "200", "--axons", "4", "--dendrites", "4", "--out", path("net.h5")}).status ==
        0);
    require("net", "200 nodes of 1 populations");
    // With static synapses beside the plastic ones.
    writeText(path("mixed.csv"), "source,target,weight,plastic\n0,1,2,1\n3,1,-1,1\n0,1,0.5,0\n2,3,-1.5,0\n");
    writeText(path("four.csv"), "x,y,z,type,area\n0,0,0,ex,a\n3,4,0,ex,a\n0,9,0,in,b\n9,0,0,in,b\n");
    const ProgramRun grown = runProgram({"grow", "--steps", "1", "--positions", path("four.csv"), "--network",
                                         path("mixed.csv"), "--out", path("mixed.h5")});
    QVERIFY2(grown.status == 0, grown.text());
    require("mixed", "4 nodes of 1 populations, 4 edges");
  }

  void saysWhatIsWrong_data()
  {
    writeText(path("studies.hinesight"), kStudies);
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("sentence");
    writeText(path("broken.hinesight"), "{\"session\": 1,\n");
    writeText(path("nothing.hinesight"), "{\"session\": 1}");
    writeText(path("circuit_config.json"), R"({"networks": {"nodes": [], "edges": []}})");
    writeText(path("missing.hinesight"), R"({"session": 1, "cells": [{"name": "a", "file": "none.swc"}]})");
    QTest::newRow("no file") << QStringList{"run", path("none.hinesight")} << 1 << "none.hinesight";
    QTest::newRow("broken") << QStringList{"run", path("broken.hinesight")} << 1 << "broken.hinesight:2";
    QTest::newRow("nothing") << QStringList{"run", path("nothing.hinesight")} << 1 << "nothing to run";
    QTest::newRow("no such cell") << QStringList{"run", path("missing.hinesight")} << 1 << "none.swc";
    QTest::newRow("no circuit") << QStringList{"export", path("nothing.hinesight"), "--sonata", path("x")} << 1
                                << "no population";
    QTest::newRow("a circuit alone") << QStringList{"export", path("circuit_config.json"), "--sonata", path("x")} << 1
                                     << "save it as a session and export that";
    QTest::newRow("no such path") << QStringList{"run", example(), "--set", "connections.none.sigma=4"} << 1
                                  << "connections.none";
    QTest::newRow("no such study") << QStringList{"run", example(), "--study", "grow"} << 2
                                   << "circuit|projection|formation|growth|simulation|solve|benchmark";
    QTest::newRow("no growth") << QStringList{"run", example(), "--study", "growth"} << 1
                               << "nothing for the study \"growth\"";
    QTest::newRow("no steps") << QStringList{"run",         path("studies.hinesight"), "--study", "growth", "--set",
                                             "grow.steps=0"}
                              << 1 << "--set grow.steps=1000";
    QTest::newRow("not this connection") << QStringList{"run",        example(),      "--study",
                                                        "projection", "--connection", "none"}
                                         << 1 << "no connection \"none\"";
    QTest::newRow("no such solver") << QStringList{"run",       example(), "--study",
                                                   "benchmark", "--set",   "bench-hines.solvers=abacus"}
                                    << 1 << "no solver \"abacus\"";
    QTest::newRow("one file") << QStringList{"compare", path("broken.csv")} << 2 << "needs two networks";
    QTest::newRow("no connections") << QStringList{"compare", example()} << 2 << "--connections FIRST SECOND";
    QTest::newRow("no such connection") << QStringList{"compare", example(), "--connections", "input", "none"} << 1
                                        << "no connection \"none\"";
    QTest::newRow("others") << QStringList{"compare", example(), "--connections", "input", "inhibition"} << 1
                            << "do not join the same populations";
    QTest::newRow("no folder") << QStringList{"export", example()} << 2 << "--sonata";
    QTest::newRow("a file is there") << QStringList{"export", example(), "--sonata", path("broken.hinesight")} << 1
                                     << "broken.hinesight";
  }
  void saysWhatIsWrong()
  {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, sentence);
    const ProgramRun run = runProgram(arguments);
    QCOMPARE(run.status, status);
    QVERIFY2(run.err.contains(sentence.toUtf8()), run.text());
    QVERIFY(!QDir(path("x")).exists());
  }
};

HINESIGHT_TEST(TestCliSessions)

#include "test_cli_sessions.moc"
