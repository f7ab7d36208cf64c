#include "cli/program.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "io/networks/network_files.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliForm : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  std::string path(const QString& name) const { return folder.filePath(name).toStdString(); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void tellsWhatItFormed()
  {
    const ProgramRun run = runProgram({"form", "--neurons", "2000", "--excitatory", "0.8", "--theta", "0.4", "--axons",
                                       "2", "--dendrites", "3", "--search", "exact", "--threads", "1", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QCOMPARE(json["neurons"].toInt(), 2'000);
    QCOMPARE(json["vacantAxons"].toInt(), 4'000);
    QVERIFY(json["synapses"].toInt() > 3'000 && json["synapses"].toInt() <= 4'000);
    QCOMPARE(json["theta"].toDouble(), 0.4);
    QCOMPARE(json["search"].toString(), QString("exact"));
    QCOMPARE(json["backend"].toString(), QString("cpu"));
    QVERIFY(json["device"].toString().endsWith("1 thread"));
    QVERIFY(json["meanDistance"].toDouble() > 100);
    const QJsonObject settings = json["settings"].toObject();
    QCOMPARE(settings["theta"].toString(), QString("0.4"));
    QCOMPARE(settings["dendrites"].toString(), QString("3"));
    QCOMPARE(settings["cutoff"].toString(), QString("inf"));
    QCOMPARE(settings["excitatory"].toString(), QString("0.8"));
    QStringList stages;
    double sum = 0;
    for (const auto& stage : json["stages"].toArray()) {
      stages << stage.toObject()["name"].toString();
      sum += stage.toObject()["milliseconds"].toDouble();
    }
    QCOMPARE(stages, (QStringList{"tree", "vacant", "search", "resolve", "edges"}));
    QVERIFY(std::abs(sum - json["milliseconds"].toDouble()) < 1e-6);
  }

  void readsPositionsAndWritesTheNetwork()
  {
    const auto population = hinesight::synapse::makeRandomPopulation(500, 26, 0.8, 7);
    for (const QString name : {"cells.txt", "cells.csv"}) {
      hinesight::io::writeNeuronPopulation(*population, path(name));
      for (const QString out : {"network.csv", "network.h5", "in_network.txt"}) {
        const ProgramRun run =
            runProgram({"form", "--positions", folder.filePath(name), "--out", folder.filePath(out), "--json"});
        QVERIFY2(run.status == 0, run.text());
        const auto network = hinesight::io::readNetwork(path(out));
        int units = 0;
        for (const auto& synapse : network.plastic.synapses)
          units += std::abs(synapse.weight);
        QCOMPARE(units, run.json().object()["synapses"].toInt());
        QVERIFY(units > 250);
      }
    }
  }

  /// Of a file with several populations, by name; what of it is not read is said.
  void readsOnePopulationOfAFile()
  {
    const QString file = folder.filePath("circuit.h5");
    const ProgramRun made = runProgram({"project", "--source-box", "300,200,200,200", "--source-name", "E",
                                        "--destination-box", "100,200,200,200", "--destination-name", "I", "--kernel",
                                        "gaussian", "--sigma", "20", "--out", file, "--json"});
    QVERIFY2(made.status == 0, made.text());
    for (const auto& [name, neurons] : {std::pair("E", 300), std::pair("I", 100)}) {
      const ProgramRun run = runProgram({"form", "--positions", file + ':' + name, "--json"});
      QVERIFY2(run.status == 0, run.text());
      QCOMPARE(run.json().object()["neurons"].toInt(), neurons);
      const QString edges = QString::number(made.json().object()["rows"].toInt()) + " connections";
      QVERIFY2(run.json().object()["warnings"].toArray()[0].toString().contains(edges), run.text());
      QVERIFY2(run.err.startsWith("hinesight-cli: warning: " + file.toUtf8() + ": only its neurons are read"),
               run.text());
    }
    const ProgramRun several = runProgram({"form", "--positions", file});
    QVERIFY2(several.status == 1 && several.err.contains("2 populations"), several.text());
    const ProgramRun none = runProgram({"form", "--positions", file + ":X"});
    QVERIFY2(none.status == 1 && none.err.contains("has no population \"X\" in /nodes; there are: E, I"), none.text());
  }

  void readsPositionsUnderAnyName()
  {
    writeText(folder.filePath("bare.tsv"), "x\ty\tz\n0\t0\t0\n30\t0\t0\n");
    const ProgramRun run = runProgram({"form", "--positions", folder.filePath("bare.tsv"), "--json"});
    QVERIFY2(run.status == 0, run.text());
    QCOMPARE(run.json().object()["neurons"].toInt(), 2);
    QVERIFY(run.err.isEmpty() && run.json().object()["warnings"].toArray().isEmpty());
    writeText(folder.filePath("cell.csv"), kForkedCell);
    const ProgramRun cell = runProgram({"form", "--positions", folder.filePath("cell.csv")});
    QVERIFY2(cell.status == 1 && cell.err.contains("is an SWC file"), cell.text());
  }

  void takesEveryKernel()
  {
    const auto distanceWith = [](const QStringList& kernel) {
      const ProgramRun run = runProgram(QStringList{"form", "--neurons", "1000", "--json"} + kernel);
      return run.status == 0 ? run.json().object()["meanDistance"].toDouble() : -1;
    };
    const double wide = distanceWith({});
    QVERIFY(wide > 100);
    QVERIFY(distanceWith({"--sigma", "40"}) < wide / 2);
    QVERIFY(distanceWith({"--sigma", "30", "--mu", "200"}) > wide);
    QVERIFY(std::abs(distanceWith({"--kernel", "linear"}) - wide) < 20);
    QVERIFY(distanceWith({"--kernel", "linear", "--cutoff", "50"}) < 50);
    for (const char* none : {"inf", "none"})
      QCOMPARE(distanceWith({"--kernel", "linear", "--cutoff", none}), distanceWith({"--kernel", "linear"}));
    QVERIFY(distanceWith({"--kernel", "gamma", "--gamma-k", "2", "--gamma-theta", "10"}) < wide / 2);
    QVERIFY(distanceWith({"--kernel", "weibull", "--weibull-k", "2", "--weibull-b", "0.001"}) < wide / 2);
  }

  void measuresEveryCombination()
  {
    const QString csv = folder.filePath("times.csv");
    const ProgramRun run =
        runProgram({"bench", "synapses", "--neurons", "300,1000", "--axons", "1,2", "--theta", "0.3,0.5", "--search",
                    "barnes-hut,exact", "--backend", "cpu", "--repetitions", "2", "--json", "--out", csv});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray points = run.json().object()["points"].toArray();
    QCOMPARE(points.size(), 16);
    for (const auto& value : points) {
      const QJsonObject point = value.toObject();
      QCOMPARE(point["vacantAxons"].toInt(), point["neurons"].toInt() * point["axons"].toInt());
      QVERIFY(2 * point["synapses"].toInt() > point["vacantAxons"].toInt());
      QVERIFY(point["searchMs"].toDouble() > 0);
      QVERIFY(std::abs(point["microsecondsPerAxon"].toDouble() * point["vacantAxons"].toInt() / 1e3 -
                       point["updateMs"].toDouble()) < 1e-9);
      QVERIFY(point["lowerQuartileMs"].toDouble() <= point["updateMs"].toDouble());
    }
    const auto lines = hinesight::io::parseCsv(hinesight::readFile(csv.toStdString()), "times.csv");
    QCOMPARE(lines.size(), std::size_t{17});
    for (const auto& line : lines)
      QCOMPARE(line.fields.size(), lines[0].fields.size());
    QCOMPARE(lines[16].fields[3], std::string("exact"));
    const ProgramRun parts =
        runProgram({"bench", "synapses", "--neurons", "100", "--neurons", "200,300", "--repetitions", "1", "--json"});
    QVERIFY2(parts.status == 0, parts.text());
    QVERIFY(parts.json().object()["points"].toArray().size() >= 3);
    QVERIFY(points[0].toObject()["settings"].toString().contains("\nsigma=750\n"));
    QCOMPARE(runProgram({"bench", "synapses", "--neurons", "0"}).status, 1);
    QCOMPARE(runProgram({"bench", "synapses", "--neurons", "100", "--repetitions", "0"}).status, 1);
    QCOMPARE(runProgram({"bench", "synapses", "--search", "magic"}).status, 2);
    QCOMPARE(runProgram({"bench", "synapses", "--out", "a.txt"}).status, 1);
  }

  void refusesBadInput_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("word");
    QTest::newRow("theta") << QStringList{"--theta", "0.6"} << 1 << "Theta is 0.6";
    QTest::newRow("no axons") << QStringList{"--axons", "0"} << 1 << "Axons is 0";
    QTest::newRow("one neuron") << QStringList{"--neurons", "1"} << 1 << "at least two";
    QTest::newRow("no neurons") << QStringList{"--neurons", "0"} << 1 << "Neurons is 0";
    QTest::newRow("too many") << QStringList{"--neurons", "1000000001"} << 1 << "1,000,000,000";
    QTest::newRow("spacing") << QStringList{"--spacing", "nan"} << 1 << "Spacing is nan";
    QTest::newRow("share") << QStringList{"--excitatory", "2"} << 1 << "Excitatory is 2";
    QTest::newRow("sigma") << QStringList{"--sigma", "0"} << 1 << "Sigma is 0";
    QTest::newRow("search") << QStringList{"--search", "magic"} << 2 << "magic";
    QTest::newRow("no file") << QStringList{"--positions", "/no/such/file.txt"} << 1 << "file";
    QTest::newRow("two ways") << QStringList{"--positions", "/a.txt", "--neurons", "5"} << 2 << "--positions";
    QTest::newRow("ending") << QStringList{"--neurons", "9", "--out", "a.xyz"} << 1 << ".txt";
  }

  void refusesBadInput()
  {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, word);
    const ProgramRun run = runProgram(QStringList{"form"} + arguments);
    QVERIFY2(run.status == status, run.text());
    QVERIFY(run.out.isEmpty());
    QVERIFY2(run.err.contains(word.toUtf8()), run.text());
    QCOMPARE(run.err.trimmed().count('\n'), 0);
  }
};

HINESIGHT_TEST(TestCliForm)
#include "test_cli_form.moc"
