#include "cli/program.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "io/tables/projection_export.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliProject : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

  static QStringList paperArguments()
  {
    return QString("project --side 150 --kernel widening-gaussian --sigma-m 100 --e2 2.5 --sigma-0 3 --fshift 4 "
                   "--cut 0.008 --offset-phi 25 --offset-r 0")
        .split(' ');
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void givesThePapersRows()
  {
    const ProgramRun run = runProgram(paperArguments());
    QVERIFY2(run.status == 0, run.text());
    QVERIFY2(run.out.contains("22,208,750"), run.text());
    const ProgramRun boxed = runProgram(paperArguments() + QStringList{"--box-cut", "3", "--json", "--backend", "cpu"});
    QVERIFY2(boxed.status == 0, boxed.text());
    const QJsonObject json = boxed.json().object();
    QCOMPARE(json["rows"].toInteger(), qint64{21'867'250});
    QCOMPARE(json["bytes"].toInteger(), qint64{21'867'250} * 8 + 22'501 * 8);
    QCOMPARE(json["backend"].toString(), QString("cpu"));
    QVERIFY(!json["device"].toString().isEmpty());
    double sum = 0;
    QStringList stages;
    for (const auto& stage : json["stages"].toArray()) {
      stages << stage.toObject()["name"].toString();
      sum += stage.toObject()["milliseconds"].toDouble();
    }
    QCOMPARE(stages, (QStringList{"bin", "count", "scan", "compact"}));
    QVERIFY(std::abs(sum - json["milliseconds"].toDouble()) < 1e-6);
  }

  void writesTheTable()
  {
    writeText(path("cells.csv"), "x,y,z\n0,0,0\n3,0,1\n0,4,0\n");
    for (const QString name : {"table.csv", "table.npy"}) {
      const ProgramRun run =
          runProgram({"project", "--source", path("cells.csv"), "--destination-grid", "5,5,2", "--kernel", "expression",
                      "--expression", "if(r < 1.5, 1 + xs, 0)", "--cut", "0", "--velocity", "2", "--out", path(name)});
      QVERIFY2(run.status == 0, run.text());
      const auto read = hinesight::io::importTable(path(name).toStdString());
      QCOMPARE(read->table.sources(), std::uint64_t{3});
      // (0, 0, 0): itself, one step along each axis, and two of the three diagonals of a face and the third.
      QCOMPARE(read->table.offsets[1], std::uint64_t{7});
      QCOMPARE(read->table.weight[0], 1.0F);
      QCOMPARE(read->table.weight[read->table.offsets[1]], 4.0F);
      QCOMPARE(read->table.delayOf(1), 1.5F);
    }
  }

  void takesPopulationsOfEveryKind()
  {
    const auto rowsOf = [&](const QStringList& arguments) {
      const ProgramRun run = runProgram(
          QStringList{"project", "--kernel", "gaussian", "--sigma", "2", "--cut", "0.01", "--json"} + arguments);
      return run.status == 0 ? run.json().object()["rows"].toInteger() : -1;
    };
    const QStringList boxes = {"--source-box", "400,30,20", "--destination-box", "500,30,20,5"};
    const qint64 rows = rowsOf(boxes);
    QVERIFY(rows > 0);
    QCOMPARE(rowsOf(boxes + QStringList{"--source-seed", "1", "--destination-seed", "2"}), rows);
    QVERIFY(rowsOf(boxes + QStringList{"--source-seed", "7"}) != rows);
    QVERIFY(rowsOf({"--source-sphere", "300,10", "--destination-sphere", "300,10"}) > 0);
    // The nodes of a SONATA file are the population that was written.
    const QString file = path("nodes.h5");
    const QStringList drawn = {"--source-box", "400,30,20", "--destination-grid", "9,8"};
    const qint64 fromDrawn = rowsOf(drawn + QStringList{"--out", file});
    QVERIFY(fromDrawn > 0);
    QCOMPARE(rowsOf({"--source", file + ":source", "--destination", file + ":destination"}), fromDrawn);
    const ProgramRun run = runProgram({"project", "--source", file});
    QVERIFY2(run.status == 1 && run.err.contains("2 populations"), run.text());
  }

  void givesEachPopulationItsOwnPlace()
  {
    const ProgramRun run = runProgram({"project",
                                       "--source-grid",
                                       "3,2",
                                       "--source-spacing",
                                       "2",
                                       "--source-origin",
                                       "-1,5",
                                       "--source-name",
                                       "LGN",
                                       "--destination-grid",
                                       "4,3,2",
                                       "--destination-spacing",
                                       "0.5,1.5,3",
                                       "--destination-origin",
                                       "1,2,-3",
                                       "--destination-name",
                                       "V1",
                                       "--spacing",
                                       "9",
                                       "--kernel",
                                       "all-to-all",
                                       "--out",
                                       path("placed.h5")});
    QVERIFY2(run.status == 0, run.text());
    const auto read = hinesight::io::importTable(path("placed.h5").toStdString());
    const auto& source = *read->table.projection.source;
    const auto& destination = *read->table.projection.destination;
    using hinesight::projection::Position;
    QCOMPARE(source.name(), std::string("LGN"));
    QCOMPARE(destination.name(), std::string("V1"));
    QVERIFY((source.position(0) == Position{-1, 5, 0} && source.position(5) == Position{3, 7, 0}));
    QVERIFY((destination.position(0) == Position{1, 2, -3} && destination.position(23) == Position{2.5, 5, 0}));
    // One spacing for both, as before, and an origin of what is random.
    const ProgramRun both =
        runProgram({"project", "--side", "2", "--spacing", "3", "--destination-box", "50,1,1", "--destination-origin",
                    "100,100", "--kernel", "all-to-all", "--out", path("both.h5")});
    QVERIFY2(both.status == 0, both.text());
    const auto table = hinesight::io::importTable(path("both.h5").toStdString());
    QVERIFY((table->table.projection.source->position(3) == Position{3, 3, 0}));
    QVERIFY(table->table.projection.destination->bounds()[0][0] >= 100);
  }

  void joinsOnePopulationWithItself()
  {
    const auto runWith = [&](const QStringList& arguments) {
      return runProgram(QStringList{"project", "--side", "10", "--kernel", "one-to-one", "--json"} + arguments);
    };
    const ProgramRun itself = runWith({"--recurrent", "--no-self"});
    QCOMPARE(itself.json().object()["rows"].toInt(-1), 0);
    QVERIFY2(itself.err.isEmpty() && itself.json().object()["warnings"].toArray().isEmpty(), itself.text());
    // Two populations have no self-connections to leave out.
    const ProgramRun two = runWith({"--no-self", "--out", path("two.csv")});
    QCOMPARE(two.json().object()["rows"].toInt(-1), 100);
    QVERIFY2(two.err.contains("warning: --no-self leaves nothing out"), two.text());
    QCOMPARE(two.json().object()["warnings"].toArray().size(), 1);
    QVERIFY(hinesight::readFile(path("two.csv").toStdString()).find("# self-connections: true\n") != std::string::npos);
    const ProgramRun named = runWith({"--no-self", "--source-name", "A", "--destination-name", "A"});
    QCOMPARE(named.json().object()["rows"].toInt(-1), 0);
  }

  void readsPositionsAsEveryCommandDoes()
  {
    writeText(path("packed.txt"), "# 2 of 2\n1 5 0 0 area ex\n2 6 0 0 area in\n");
    if (QProcess::execute("gzip", {"-f", path("packed.txt")}) != 0)
      QSKIP("there is no gzip here");
    const ProgramRun run = runProgram({"project", "--source", path("packed.txt.gz"), "--destination-grid", "9,1",
                                       "--kernel", "gaussian", "--sigma", "0.1", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json().object()["rows"].toInt(), 2);
  }

  void saysThatProbabilitiesBelowZeroAreNone()
  {
    const ProgramRun run = runProgram({"project", "--side", "20", "--kernel", "gabor", "--random", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray warnings = run.json().object()["warnings"].toArray();
    QCOMPARE(warnings.size(), 1);
    QVERIFY2(warnings[0].toString().startsWith("The gabor is below 0 for "), run.text());
    QVERIFY2(run.err.startsWith("hinesight-cli: warning: The gabor is below 0 for "), run.text());
  }

  void hasAnOptionForEveryParameter()
  {
    const QByteArray help = runProgram({"project", "--help"}).out;
    hinesight::projection::ProjectionParameters parameters;
    hinesight::projection::ComputeParameters compute;
    std::vector<hinesight::BoundField> fields = hinesight::fieldsOf(parameters);
    for (hinesight::BoundField& field : hinesight::fieldsOf(compute))
      fields.push_back(std::move(field));
    for (const hinesight::BoundField& field : fields)
      QVERIFY2(help.contains(QByteArray("  --" + QByteArray::fromStdString(field.name))), field.name.c_str());
    const QByteArray benchHelp = runProgram({"bench", "projections", "--help"}).out;
    for (const char* option : {"--sides", "--repetitions", "--loop-side", "--threads", "--backend", "--sigma"})
      QVERIFY2(benchHelp.contains(option), option);
  }

  void takesTheOptionsOfEarlierVersions()
  {
    const auto bytesOf = [&](const QStringList& arguments) {
      const ProgramRun run = runProgram(QStringList{"project", "--side", "9", "--recurrent", "--kernel", "exponential",
                                                    "--cut", "0.05", "--out", path("options.csv")} +
                                        arguments);
      return run.status == 0 ? hinesight::readFile(path("options.csv").toStdString()) : run.text().toStdString();
    };
    const std::string random = bytesOf({"--random", "--seed", "7", "--random-weight", "0.25", "--no-self"});
    QVERIFY2(random.find("# rule: random\n") != std::string::npos, random.c_str());
    QVERIFY(random.find("# self-connections: false\n") != std::string::npos);
    QVERIFY(bytesOf({"--rule", "random", "--seed", "7", "--random-weight", "0.25", "--no-self-connections"}) == random);
    QVERIFY(bytesOf({"--wrap"}).find("# wrap: true\n") != std::string::npos);
  }

  void refusesBadInput_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("word");
    QTest::newRow("negative sigma") << QStringList{"--kernel", "gaussian", "--sigma", "-1"} << 1 << "Sigma is -1";
    QTest::newRow("nan") << QStringList{"--sigma-0", "nan"} << 1 << "Sigma 0 is nan";
    QTest::newRow("infinite") << QStringList{"--offset-phi", "inf"} << 1 << "Offset phi is inf";
    QTest::newRow("no cut") << QStringList{"--side", "20", "--cut", "0"} << 1 << "160000";
    QTest::newRow("empty population") << QStringList{"--side", "0"} << 1 << "choose 1 to";
    QTest::newRow("empty box") << QStringList{"--source-box", "0,9,9"} << 1 << "Neurons is 0; choose 1 to";
    QTest::newRow("half a neuron") << QStringList{"--source-box", "1.5,9,9"} << 2 << "whole number";
    QTest::newRow("nan of neurons") << QStringList{"--source-sphere", "nan,9"} << 2 << "whole number";
    QTest::newRow("negative radius") << QStringList{"--source-sphere", "5,-9"} << 1 << "Radius is -9";
    QTest::newRow("endless box") << QStringList{"--source-box", "5,inf,9"} << 1 << "inf";
    QTest::newRow("two kinds") << QStringList{"--source-box", "5,9,9", "--source-grid", "2,2"} << 2 << "more than one";
    QTest::newRow("no SONATA file") << QStringList{"--source", "cells.h5"} << 1 << "no HDF5 file";
    QTest::newRow("other kernel's number")
        << QStringList{"--kernel", "gaussian", "--wavelength", "3"} << 2 << "wavelength";
    QTest::newRow("seed of nothing random")
        << QStringList{"--side", "8", "--seed", "3"} << 2 << "--seed: has no effect";
    QTest::newRow("two rules") << QStringList{"--random", "--rule", "weighted"} << 2 << "--rule";
    QTest::newRow("syntax") << QStringList{"--kernel", "expression", "--expression", "exp(-q)"} << 1 << "column 6";
    QTest::newRow("unknown kernel") << QStringList{"--kernel", "magic"} << 2 << "magic";
    QTest::newRow("no such folder") << QStringList{"--side", "8", "--out", "/no/such/folder/a.csv"} << 1 << "folder";
    QTest::newRow("unknown format") << QStringList{"--side", "8", "--out", "a.txt"} << 1 << ".csv";
    QTest::newRow("no such file") << QStringList{"--source", "/no/such/file.csv"} << 1 << "file";
    QTest::newRow("a cell") << QStringList{"--source", "cell.swc"} << 1 << "is an SWC file";
    QTest::newRow("an infinite weight") << QStringList{"--side", "4", "--kernel", "expression", "--expression", "1/r"}
                                        << 1 << "The expression is inf from neuron 0 of";
    QTest::newRow("spacing of a box") << QStringList{"--source-box", "5,9,9", "--source-spacing", "2"} << 2 << "grid";
    QTest::newRow("origin of a file") << QStringList{"--source", "cells.csv", "--source-origin", "2,2"} << 2 << "file";
    QTest::newRow("a destination of its own")
        << QStringList{"--recurrent", "--destination-grid", "2,2"} << 2 << "--recurrent";
    QTest::newRow("torus of points") << QStringList{"--kernel", "gaussian", "--wrap", "--destination", "cells.csv"} << 1
                                     << "torus";
  }

  void refusesBadInput()
  {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, word);
    for (const QString name : {"cells.csv", "cells.h5"}) {
      writeText(path(name), "0,0,0\n1,1,1\n");
      arguments.replaceInStrings(name, path(name));
    }
    writeText(path("cell.swc"), kForkedCell);
    arguments.replaceInStrings("cell.swc", path("cell.swc"));
    const ProgramRun run = runProgram(QStringList{"project"} + arguments);
    QVERIFY2(run.status == status, run.text());
    QVERIFY(run.out.isEmpty());
    QVERIFY2(run.err.contains(word.toUtf8()), run.text());
    QCOMPARE(run.err.trimmed().count('\n'), 0);
  }

  void makesTheTableWithoutACutWhenForced()
  {
    const ProgramRun run = runProgram(
        {"project", "--side", "20", "--kernel", "gaussian", "--sigma", "5", "--cut", "0", "--force", "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json().object()["rows"].toInt(), 160'000);
  }

  void measuresBySize()
  {
    const ProgramRun run =
        runProgram({"bench", "projections", "--backend", "cpu", "--sides", "8,20,40", "--repetitions", "1",
                    "--loop-side", "20", "--json", "--out", path("times.csv"), "--out", path("times.json")});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray points = run.json().object()["points"].toArray();
    QCOMPARE(points.size(), 3);
    QCOMPARE(points[1].toObject()["pairs"].toInt(), 160'000);
    QVERIFY(points[1].toObject()["loopMs"].toDouble() > 0);
    QVERIFY(points[2].toObject()["loopMs"].isNull());
    QVERIFY(points[2].toObject()["cpuMs"].toDouble() > 0);
    for (const char* key : {"cudaMs", "downloadMs", "cudaAgainMs", "downloadAgainMs"})
      QVERIFY2(points[2].toObject()[QLatin1String(key)].isNull(), key);
    const auto lines = hinesight::io::parseCsv(hinesight::readFile(path("times.csv").toStdString()), "times.csv");
    QCOMPARE(lines.size(), std::size_t{4});
    for (const auto& line : lines)
      QCOMPARE(line.fields.size(), lines[0].fields.size());
    QCOMPARE(lines[2].fields[1], std::string("160000"));
    const ProgramRun fixed = runProgram(
        {"bench", "projections", "--backend", "cpu", "--sides", "20", "--repetitions", "1", "--sigma", "3", "--json"});
    QVERIFY2(fixed.status == 0, fixed.text());
    const ProgramRun table =
        runProgram({"project", "--side", "20", "--kernel", "gaussian", "--sigma", "3", "--cut", "0.008", "--json"});
    QCOMPARE(fixed.json().object()["points"].toArray()[0].toObject()["rows"], table.json().object()["rows"]);
    const QString settings = fixed.json().object()["points"].toArray()[0].toObject()["settings"].toString();
    for (const char* setting : {"kernel=gaussian", "sigma=3", "cut=0.008", "repetitions=1"})
      QVERIFY2(settings.split('\n').contains(QLatin1String(setting)), qPrintable(settings));
    QCOMPARE(runProgram({"bench", "projections", "--sides", "8", "--sigma", "-3"}).status, 1);
    QCOMPARE(runProgram({"bench", "projections", "--sides", "0"}).status, 1);
    QCOMPARE(runProgram({"bench", "projections", "--sides", "8", "--out", "a.txt"}).status, 1);
  }
};

HINESIGHT_TEST(TestCliProject)
#include "test_cli_project.moc"
