#include "cli/program.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "test_main.hpp"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace hinesight::tests;

/// `verify simulation` and `bench simulation`.
class TestCliSimulationChecks : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void truthsArePrinted()
  {
    const ProgramRun run = runProgram({"verify", "simulation", "--quick", "--truths", "ring,clamps", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().object();
    QVERIFY(json["passed"].toBool());
    const QJsonArray checks = json["checks"].toArray();
    QVERIFY(checks.size() >= 8);
    for (const auto& value : checks) {
      const QJsonObject check = value.toObject();
      QCOMPARE(check["outcome"].toString(), QString("passed"));
      QVERIFY(check["difference"].toDouble() <= check["bound"].toDouble());
      QCOMPARE(check["backend"].toString(), QString("cpu"));
    }
    const ProgramRun text = runProgram({"verify", "simulation", "--quick", "--truths", "clamps"});
    QVERIFY2(text.status == 0 && text.out.contains("expected") && text.out.contains("4 passed, 0 failed, 0 skipped"),
             text.text());
  }

  void outcomesStandBelowEachOther()
  {
    const ProgramRun run = runProgram({"verify", "simulation", "--quick", "--truths", "squid-axon,clamps"});
    QVERIFY2(run.status == 0 && run.out.contains("6.3 °C"), run.text());
    QSet<qsizetype> places;
    for (const QString& line : QString::fromUtf8(run.out).split('\n'))
      if (line.endsWith("passed"))
        places.insert(line.size());
    QCOMPARE(places.size(), 1);
  }

  void modelsThatAreNotThereAreSkipped()
  {
    const ProgramRun run =
        runProgram({"verify", "simulation", "--quick", "--truths", "models", "--models", folder.path(), "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray checks = run.json().object()["checks"].toArray();
    QVERIFY(!checks.isEmpty());
    for (const auto& check : checks)
      QCOMPARE(check.toObject()["outcome"].toString(), QString("skipped"));
    QCOMPARE(runProgram({"verify", "simulation", "--models", path("nowhere"), "--json"}).error()["code"].toString(),
             QString("fileNotFound"));
  }

  void wrongUsageIsSaid()
  {
    QCOMPARE(runProgram({"verify", "simulation", "--backend", "abacus"}).status, 2);
    const ProgramRun run = runProgram({"verify", "simulation", "--truths", "tooth", "--json"});
    QVERIFY2(run.status == 1 && run.error()["message"].toString().contains("rallpack-3"), run.text());
  }

  void networksAreTimed()
  {
    const QString csv = path("points.csv"), json = path("points.json");
    const ProgramRun run = runProgram({"bench", "simulation", "--quick", "--backend", "cpu", "--case", "hh,one-core",
                                       "--cells", "3", "--out", csv, "--out", json});
    QVERIFY2(run.status == 0, run.text());
    const auto lines = hinesight::io::parseCsv(hinesight::readFile(csv.toStdString()), "points.csv");
    QCOMPARE(lines.size(), std::size_t{1 + 2});
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(hinesight::readFile(json.toStdString())));
    const QJsonArray points = document.object()["points"].toArray();
    QCOMPARE(points.size(), 2);
    for (const auto& value : points) {
      const QJsonObject point = value.toObject();
      QCOMPARE(point["error"].toString(), QString());
      QVERIFY(point["medianMs"].toDouble() > 0 && point["floorMs"].toDouble() > 0);
      QVERIFY(point["shareOfFloor"].toDouble() < 1);
      const double compartments = point["compartments"].toDouble();
      const double expected = 1e3 * compartments * point["stretchMs"].toDouble() / point["timeStepMs"].toDouble() /
                              point["medianMs"].toDouble();
      QVERIFY(std::abs(point["compartmentStepsPerSecond"].toDouble() / expected - 1) < 1e-9);
    }
    QCOMPARE(points[0].toObject()["compartments"].toInt(), 600);
    QCOMPARE(runProgram({"bench", "simulation", "--case", "abacus"}).status, 2);
    QCOMPARE(runProgram({"bench", "simulation", "--quick", "--backend", "cpu", "--out", path("points.txt")}).status, 1);
  }
};

HINESIGHT_TEST(TestCliSimulationChecks)
#include "test_cli_simulation_checks.moc"
