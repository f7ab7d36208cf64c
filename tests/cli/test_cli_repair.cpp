#include "cli/program.hpp"

#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliRepair : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }
  QString write(const QString& name, const QByteArray& text) const
  {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
      qFatal("cannot write");
    return path(name);
  }
  static QByteArray read(const QString& file)
  {
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
  }

private slots:
  void saysWhatItWouldDo()
  {
    const QString file = write("a.swc", "5 3 0 0 0 1 -1\n6 3 0 9 0 0 5\n");
    const ProgramRun run = runProgram({"repair", file, "--dry-run"});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY2(run.out.contains("radius: 1 unknown radius is interpolated") && run.out.contains("soma: the root"),
             run.text());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{"a.swc"});
  }

  void writesRepairedFiles()
  {
    const QString a = write("a.swc", "1 1 0 0 0 5 -1\n2 3 0 9 0 0 1\n");
    const QString b = write("b.swc", "1 3 0 0 0 5 -1\n2 3 0 9 0 1 1\n");
    QVERIFY(QDir(folder.path()).mkdir("out"));
    const ProgramRun run = runProgram({"repair", a, b, "--out", path("out"), "--only", "soma,radius", "--json"});
    QVERIFY2(run.status == 0, run.text());
    const QJsonArray files = run.json().array();
    QCOMPARE(files[0].toObject()["changes"].toArray()[0].toObject()["repair"].toString(), QString("radius"));
    QCOMPARE(files[1].toObject()["output"].toString(), path("out/b.swc"));
    QVERIFY(read(path("out/a.swc")).startsWith("# Repaired: 1 unknown radius"));
    QVERIFY(read(path("out/b.swc")).contains("\n1 1 0 0 0 5 -1\n"));
  }

  void neverWritesOverWhatItReads()
  {
    const QString file = write("a.swc", "1 3 0 0 0 1 -1\n");
    QCOMPARE(runProgram({"repair", file, "--out", file}).status, 2);
    QCOMPARE(runProgram({"repair", file, "--out", folder.path()}).status, 2);
    QCOMPARE(runProgram({"repair", file}).status, 2);
    QCOMPARE(runProgram({"repair", file, "--dry-run", "--only", "colour"}).status, 2);
    QCOMPARE(read(file), QByteArray("1 3 0 0 0 1 -1\n"));
  }

  void repairsTheOthersWhereOneCannotBeRead()
  {
    const QString broken = write("broken.swc", "1 1 0 0\n");
    const QString file = write("c.swc", "1 3 0 0 0 1 -1\n");
    const ProgramRun run = runProgram({"repair", broken, file, "--dry-run"});
    QCOMPARE(run.status, 1);
    QVERIFY2(run.out.contains("c.swc:\n  soma:"), run.text());
  }
};

HINESIGHT_TEST(TestCliRepair)
#include "test_cli_repair.moc"
