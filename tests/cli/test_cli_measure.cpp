#include "cli/program.hpp"
#include "paths/paths.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliMeasure : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }
  static QString cell() { return testData("app/stellate.swc"); }
  auto rowsOf(const QString& name) const
  {
    return hinesight::io::parseCsv(hinesight::readFile(path(name).toStdString()), name.toStdString());
  }

private slots:
  void initTestCase() { QVERIFY(folder.isValid()); }

  void writesTables()
  {
    const ProgramRun run =
        runProgram({"measure", cell(), "--sholl", "10", "--branches", path("branches.csv"), "--types",
                    path("types.csv"), "--sholl-out", path("sholl.csv"), "--path", "1,100", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonObject json = run.json().array()[0].toObject();
    const auto branches = rowsOf("branches.csv");
    const auto info = runProgram({"info", cell(), "--json"}).json().array()[0].toObject();
    QCOMPARE(json["branches"].toInt(), info["branches"].toInt());
    QCOMPARE(static_cast<int>(branches.size()), json["branches"].toInt() + 1);
    QCOMPARE(branches[0].fields.size(), branches[1].fields.size());
    double ofBranches = 0;
    double ofTypes = 0;
    for (std::size_t k = 1; k < branches.size(); ++k)
      ofBranches += std::stod(branches[k].fields[7]);
    for (const auto& type : json["types"].toArray())
      ofTypes += type.toObject()["length"].toDouble();
    QVERIFY(ofBranches > 0 && std::abs(ofBranches - ofTypes) < 1e-9 * ofTypes);
    QCOMPARE(rowsOf("types.csv").size(), static_cast<std::size_t>(json["types"].toArray().size()) + 1);
    QCOMPARE(rowsOf("sholl.csv").size(),
             static_cast<std::size_t>(json["sholl"].toObject()["intersections"].toArray().size()) + 1);
    QVERIFY(json["path"].toObject()["length"].toDouble() >= json["path"].toObject()["distance"].toDouble());
  }

  /// A cell in nanometres is measured in micrometres.
  void measuresInMicrometres()
  {
    const auto lengthOf = [](const QStringList& arguments) {
      double length = 0;
      for (const auto& type : runProgram(arguments).json().array()[0].toObject()["types"].toArray())
        length += type.toObject()["length"].toDouble();
      return length;
    };
    const double plain = lengthOf({"measure", cell(), "--json"});
    const double scaled = lengthOf({"measure", cell(), "--scale", "0.001", "--json"});
    QVERIFY(plain > 0 && std::abs(scaled - plain / 1000) < 1e-9 * scaled);
  }

  /// In the classes of each quantity every branch of a neurite is counted, if it has the quantity.
  void writesHistograms()
  {
    const auto written = [&](const QString& quantity) {
      const ProgramRun run =
          runProgram({"measure", cell(), "--histogram-of", quantity, "--histogram", path("histogram.csv")});
      [&] { QVERIFY2(run.status == 0, run.text()); }();
      return rowsOf("histogram.csv");
    };
    const auto countOf = [](const auto& rows) {
      int count = 0;
      for (std::size_t k = 1; k < rows.size(); ++k)
        count += std::stoi(rows[k].fields[3]);
      return count;
    };
    QVERIFY(runProgram({"measure", cell(), "--branches", path("branches.csv")}).status == 0);
    int branches = 0;
    int forks = 0; // that have an angle
    const auto table = rowsOf("branches.csv");
    for (std::size_t k = 1; k < table.size(); ++k)
      if (table[k].fields[3] != "1") {
        ++branches;
        forks += table[k].fields[16].empty() ? 0 : 1;
      }
    QVERIFY(branches > 10 && forks > 3);
    const auto lengths = written("length");
    QCOMPARE(QString::fromStdString(lengths[0].fields[1]), QStringLiteral("from um"));
    QCOMPARE(countOf(lengths), branches);
    const auto angles = written("local-angle");
    QCOMPARE(QString::fromStdString(angles[0].fields[2]), QStringLiteral("to deg"));
    QCOMPARE(countOf(angles), forks);
    QCOMPARE(countOf(written("order")), branches);
    QCOMPARE(runProgram({"measure", cell(), "--histogram-of", "order"}).status, 2);
    QCOMPARE(runProgram({"measure", cell(), "--histogram-of", "colour", "--histogram", path("x.csv")}).status, 2);
  }

  void saysWhatIsWrong()
  {
    QCOMPARE(runProgram({"measure"}).status, 2);
    QCOMPARE(runProgram({"measure", cell(), "--sholl-out", path("x.csv")}).status, 2);
    QCOMPARE(runProgram({"measure", cell(), "--sholl", "1e-9"}).status, 1);
    const ProgramRun run = runProgram({"measure", cell(), "--path", "1,1000000"});
    QCOMPARE(run.status, 1);
    QVERIFY2(run.err.contains("no sample 1000000"), run.text());
  }
};

HINESIGHT_TEST(TestCliMeasure)

#include "test_cli_measure.moc"
