#include "cli/program.hpp"
#include "paths/paths.hpp"

#include "core/files.hpp"
#include "io/csv.hpp"
#include "test_main.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliSelect : public QObject
{
  Q_OBJECT

  static QString cell() { return testData("app/stellate.swc"); }

private slots:
  void listsTheBranchesThatMatch()
  {
    const QTemporaryDir folder;
    const QString table = folder.filePath("axons.csv");
    const QStringList where = {"--where", "type == axon && length > 30"};
    const ProgramRun run = runProgram(QStringList{"select", cell(), "--json", "--out", table} + where);
    QVERIFY2(run.status == 0, run.text());
    const int selected = run.json()["selected"].toInt();
    QVERIFY(selected > 0 && selected < run.json()["branches"].toInt());
    QCOMPARE(run.json()["rows"].toArray().size(), selected);
    const auto rows = hinesight::io::parseCsv(hinesight::readFile(table.toStdString()), table.toStdString());
    QCOMPARE(rows.size(), static_cast<std::size_t>(selected) + 1);
    double length = 0;
    for (std::size_t row = 1; row < rows.size(); ++row) {
      QCOMPARE(rows[row].fields[0], std::string("2"));
      QCOMPARE(rows[row].fields.back(), std::string("stellate"));
      length += std::stod(rows[row].fields[4]);
    }
    QCOMPARE(rows[0].fields[4], std::string("length um"));
    QVERIFY(std::abs(length - run.json()["length"].toDouble()) < 1e-9 * length);

    const ProgramRun text = runProgram(QStringList{"select", cell()} + where);
    QVERIFY2(text.out.contains(QByteArray::number(selected) + " of "), text.text());
    const QJsonObject all = runProgram({"select", cell(), "--json"}).json().object();
    QCOMPARE(all["selected"], all["branches"]);
    QCOMPARE(all["branches"].toInt(), run.json()["branches"].toInt());
  }

  void marksWhereAnExpressionIsWrong()
  {
    const ProgramRun run = runProgram({"select", cell(), "--where", "order > 1 && lenght > 3"});
    QCOMPARE(run.status, 1);
    QVERIFY2(run.err.contains("--where, character 14: There is no field \"lenght\"; did you mean \"length\"?"),
             run.text());
  }

  void helpNamesTheFields()
  {
    const ProgramRun run = runProgram({"select", "--help"});
    QCOMPARE(run.status, 0);
    QVERIFY2(run.out.contains("pathDistance (um)") && run.out.contains("apical"), run.text());
  }
};

HINESIGHT_TEST(TestCliSelect)
#include "test_cli_select.moc"
