#include "cli/program.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

namespace {

/// The rows of a table of tab-separated values, each as column name -> text. Empty where there is no such file.
QList<QMap<QString, QString>> readTable(const QString& path)
{
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return {};
  QList<QMap<QString, QString>> rows;
  const QStringList names = QString::fromUtf8(file.readLine()).remove('\n').split('\t');
  while (!file.atEnd()) {
    const QStringList fields = QString::fromUtf8(file.readLine()).remove('\n').split('\t');
    QMap<QString, QString> row;
    for (int i = 0; i < fields.size() && i < names.size(); ++i)
      row[names[i]] = fields[i];
    rows << row;
  }
  return rows;
}

} // namespace

class TestCliInfo : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;
  const QString morphologies = sharedFile("morphologies");

  QString path(const QString& name) const { return folder.filePath(name); }

private slots:
  void initTestCase()
  {
    QVERIFY(folder.isValid());
    writeText(path("forked.swc"), kForkedCell);
    writeText(path("orphan.swc"), kForkedCell + "9 2 0 0 9 1 8\n");
    writeText(path("cycle.swc"), "1 1 0 0 0 5 -1\n2 3 1 0 0 1 3\n3 3 2 0 0 1 2\n");
  }

  void printsTheKeysThatScriptsRead()
  {
    const ProgramRun run = runProgram({"info", "--json", path("forked.swc")});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY2(run.err.isEmpty(), run.text());
    const QJsonArray cells = run.json().array();
    QCOMPARE(cells.size(), 1);
    const QJsonObject expected = {
        {"file", path("forked.swc")}, {"scale", 1},        {"samples", 5},          {"branches", 3},
        {"bifurcations", 1},          {"tips", 2},         {"maxBranchOrder", 1},   {"roots", 1},
        {"somaSamples", 1},           {"totalLength", 90}, {"maxPathDistance", 60}, {"warnings", QJsonArray()}};
    QCOMPARE(cells[0].toObject(), expected);
  }

  void printsWarningsWithTheirLines()
  {
    const ProgramRun run = runProgram({"info", "--json", path("orphan.swc")});
    QVERIFY2(run.status == 0, run.text());
    bool found = false;
    for (const QJsonValue& warning : run.json()[0]["warnings"].toArray())
      found = found || (warning["line"].toInt() == 7 && warning["message"].toString().contains("8"));
    QVERIFY2(found, run.text());

    const ProgramRun text = runProgram({"info", path("orphan.swc")});
    QVERIFY2(text.out.contains((path("orphan.swc") + ":7: warning: ").toUtf8()), text.text());
    const ProgramRun strict = runProgram({"info", "--strict", path("orphan.swc")});
    QVERIFY2(strict.status == 1 && strict.err.contains("orphan.swc:7: "), strict.text());
  }

  void scalesFilesAsTold()
  {
    writeText(path("nanometres.swc"), "1 1 0 0 0 5000 -1\n2 3 0 30000 0 500 1\n");
    const ProgramRun asRead = runProgram({"info", "--json", path("nanometres.swc")});
    QCOMPARE(asRead.json()[0]["totalLength"].toDouble(), 30000.0);
    QCOMPARE(asRead.json()[0]["warnings"][0]["suggestedScale"].toDouble(), 0.001);
    const ProgramRun scaled =
        runProgram({"info", "--json", "--scale", "0.001,1", path("nanometres.swc"), path("forked.swc")});
    QVERIFY2(scaled.status == 0, scaled.text());
    QCOMPARE(scaled.json()[0]["totalLength"].toDouble(), 30.0);
    QCOMPARE(scaled.json()[0]["scale"].toDouble(), 0.001);
    QVERIFY2(scaled.json()[0]["warnings"].toArray().isEmpty(), scaled.text());
    QCOMPARE(scaled.json()[1]["totalLength"].toDouble(), 90.0);
    const ProgramRun all = runProgram({"info", "--json", "--scale", "2", path("nanometres.swc"), path("forked.swc")});
    QCOMPARE(all.json()[1]["totalLength"].toDouble(), 180.0);

    const ProgramRun many =
        runProgram({"info", "--json", "--scale", "1,2,3", path("nanometres.swc"), path("forked.swc")});
    QCOMPARE(many.status, 1);
    QCOMPARE(many.error()["code"].toString(), "badParameter");
    const ProgramRun none = runProgram({"info", "--json", "--scale", "0", path("forked.swc")});
    QVERIFY2(none.status == 1 && none.error()["message"].toString().contains("1e-06"), none.text());
    QCOMPARE(runProgram({"info", "--scale", "nm", path("forked.swc")}).status, 2);
  }

  void printsATable()
  {
    const ProgramRun run = runProgram({"info", path("forked.swc")});
    QCOMPARE(run.status, 0);
    const QList<QByteArray> lines = run.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 2);
    QVERIFY(lines[0].startsWith("file "));
    const QString row = QString::fromUtf8(lines[1]).simplified();
    QCOMPARE(row, path("forked.swc") + " 5 3 1 2 1 1 1 90 60");
    QCOMPARE(lines[0].size(), lines[1].size());
  }

  void goesOnAfterAFileThatIsBad()
  {
    const QStringList files = {path("cycle.swc"), path("forked.swc"), path("missing.swc"), path("orphan.swc")};
    const ProgramRun run = runProgram(QStringList{"info", "--json"} + files);
    QCOMPARE(run.status, 1);
    QCOMPARE(run.json().array().size(), 2);
    QCOMPARE(run.json()[0]["file"].toString(), files[1]);
    QCOMPARE(run.json()[1]["file"].toString(), files[3]);
    const QList<QByteArray> errors = run.err.trimmed().split('\n');
    QCOMPARE(errors.size(), 2);
    const QJsonObject cycle = QJsonDocument::fromJson(errors[0])["error"].toObject();
    QCOMPARE(cycle["code"].toString(), "badFormat");
    QCOMPARE(cycle["file"].toString(), files[0]);
    QCOMPARE(cycle["line"].toInt(), 2);
    QCOMPARE(run.error()["code"].toString(), "fileNotFound");
    QCOMPARE(run.error()["file"].toString(), files[2]);
    QCOMPARE(run.error()["line"].toInt(-1), 0);

    const ProgramRun text = runProgram(QStringList{"info"} + files);
    QCOMPARE(text.status, 1);
    QVERIFY(text.out.contains("forked.swc"));
    QVERIFY(text.err.contains("cycle.swc:2: "));
  }

  void agreesWithTheTableOfEdgeCases()
  {
    const auto rows = readTable(testData("swc/EDGE.tsv"));
    QVERIFY(rows.size() > 100);
    for (const auto& row : rows) {
      const QString file = testData("swc/") + row["file"];
      const ProgramRun run = runProgram({"info", "--json", file});
      const bool refused = row["expected"] == "error";
      QVERIFY2(run.status == (refused ? 1 : 0), qPrintable(row["file"] + " " + run.text()));
      if (refused)
        QCOMPARE(run.error()["file"].toString(), file);
      else
        QVERIFY2(run.json()[0]["warnings"].toArray().isEmpty() == (row["expected"] == "accept"), qPrintable(file));
    }
  }

  void agreesWithTheTableOfRealCells()
  {
    const auto rows = readTable(morphologies + "/INDEX.tsv");
    if (rows.isEmpty())
      QSKIP("the real morphologies are not here");
    QStringList files;
    for (const auto& row : rows)
      if (row["valid"] == "yes")
        files << morphologies + "/real/" + row["file"];
    const ProgramRun run = runProgram(QStringList{"info", "--json"} + files);
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray cells = run.json().array();
    QCOMPARE(cells.size(), files.size());
    int at = 0;
    for (const auto& row : rows) {
      if (row["valid"] != "yes")
        continue;
      const QJsonObject cell = cells[at++].toObject();
      const auto agrees = [&](const char* key, const char* column) {
        if (cell[key].toInt(-1) == row[column].toInt())
          return true;
        qWarning("%s: %s is %d, not %s", qPrintable(row["file"]), key, cell[key].toInt(-1), qPrintable(row[column]));
        return false;
      };
      QVERIFY(agrees("samples", "points"));
      QVERIFY(agrees("branches", "branches"));
      QVERIFY(agrees("bifurcations", "bifurcations"));
      QVERIFY(agrees("tips", "tips"));
      QVERIFY(agrees("maxBranchOrder", "max_branch_order"));
      QVERIFY(agrees("roots", "roots"));
      QVERIFY(agrees("somaSamples", "soma_points"));
    }
  }

  void agreesWithTheReferenceLengths()
  {
    const auto rows = readTable(morphologies + "/REFERENCE.tsv");
    if (rows.isEmpty())
      QSKIP("the real morphologies are not here");
    QStringList files;
    for (const auto& row : rows)
      files << morphologies + "/real/" + row["file"];
    const ProgramRun run = runProgram(QStringList{"info", "--json"} + files);
    QVERIFY2(run.status == 0, run.text());
    // The table has nine digits.
    const auto close = [](double value, const QString& text) {
      return std::abs(value - text.toDouble()) <= 1e-8 * text.toDouble();
    };
    for (int i = 0; i < rows.size(); ++i) {
      const QJsonObject cell = run.json()[i].toObject();
      QVERIFY2(close(cell["totalLength"].toDouble(), rows[i]["total_length"]), qPrintable(rows[i]["file"]));
      QVERIFY2(close(cell["maxPathDistance"].toDouble(), rows[i]["max_path_from_root"]), qPrintable(rows[i]["file"]));
    }
  }
};

HINESIGHT_TEST(TestCliInfo)
#include "test_cli_info.moc"
