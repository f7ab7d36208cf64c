#include "cli/program.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliBench : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }

  static ProgramRun bench(const QStringList& arguments)
  {
    return runProgram(QStringList{"bench", "hines", "--backend", "cpu", "--quick"} + arguments);
  }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeText(path("forked.swc"), kForkedCell);
    writeText(path("chain.swc"), kChainCell);
  }

  void measuresFilesAndWritesBothFormats()
  {
    const QString csv = path("rows.csv");
    const QString json = path("rows.json");
    const ProgramRun run = bench({"--table", "copies,mixed", "--solvers", "serial,multicore", "--cells", "2,6", "--out",
                                  csv, "--out", json, path("forked.swc"), path("chain.swc")});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.out.contains("multicore"));
    // 2 tables, one of them with copies beside it; 2 counts; 2 solvers.
    const auto lines = hinesight::io::parseCsv(hinesight::readFile(csv.toStdString()), "rows.csv");
    QCOMPARE(lines.size(), std::size_t{1 + 12});
    const auto rows = QJsonDocument::fromJson(QByteArray::fromStdString(hinesight::readFile(json.toStdString())));
    const QJsonArray array = rows.object()["rows"].toArray();
    QCOMPARE(array.size(), 12);
    for (const auto& value : array) {
      const QJsonObject row = value.toObject();
      QCOMPARE(row["error"].toString(), QString());
      QVERIFY(row["medianMs"].toDouble() > 0);
      QVERIFY(row["repetitions"].toInt() >= 7);
    }
    // Copies are of the first file, a cell of 5 compartments; mixed cells are 5 and 8 in turn.
    QCOMPARE(array[0].toObject()["compartments"].toInt(), 10);
    QCOMPARE(array[2].toObject()["compartments"].toInt(), 30);
    QCOMPARE(array[6].toObject()["compartments"].toInt(), 3 * 13);
  }

  void printsJson()
  {
    const ProgramRun run = bench({"--json", "--table", "copies", "--solvers", "serial", "--cells", "3"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray rows = run.json().object()["rows"].toArray();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows[0].toObject()["solver"].toString(), QString("serial"));
    QCOMPARE(rows[0].toObject()["cells"].toInt(), 3);
  }

  void saysWhatIsNotMeasured()
  {
    // Files that a table does not use.
    const ProgramRun unused =
        bench({"--table", "tridiagonal", "--solvers", "serial", "--cells", "2", path("forked.swc")});
    QVERIFY2(unused.status == 0, unused.text());
    QVERIFY2(unused.err.contains("table tridiagonal has cells of its own"), unused.text());
    const ProgramRun used = bench({"--table", "copies", "--solvers", "serial", "--cells", "2", path("forked.swc")});
    QVERIFY2(used.status == 0 && !used.err.contains("note:"), used.text());
    // Solvers that can do none of the cases: the rows are there, and the command fails.
    const ProgramRun none =
        bench({"--table", "copies", "--solvers", "tridiagonal", "--cells", "2", path("forked.swc")});
    QVERIFY2(none.status == 1, none.text());
    QVERIFY2(none.out.contains("chains of one length"), none.text());
    QVERIFY2(none.err.contains("No case could be measured"), none.text());
  }

  void refusesWhatItCannotDo_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::newRow("unknown table") << QStringList{"--table", "tables"} << 2;
    QTest::newRow("unknown solver") << QStringList{"--solvers", "serial,magic"} << 2;
    QTest::newRow("no cells") << QStringList{"--cells", "0"} << 2;
    QTest::newRow("few repetitions") << QStringList{"--min-repetitions", "3"} << 1;
    QTest::newRow("unknown format") << QStringList{"--out", "rows.txt"} << 1;
    QTest::newRow("no such file") << QStringList{"missing.swc"} << 1;
  }

  void refusesWhatItCannotDo()
  {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    const ProgramRun run = bench(arguments);
    QCOMPARE(run.status, status);
    QVERIFY(run.out.isEmpty());
    QVERIFY(!run.err.isEmpty());
  }
};

HINESIGHT_TEST(TestCliBench)
#include "test_cli_bench.moc"
