#include "cli/program.hpp"

#include "test_main.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace hinesight::tests;

class TestCliSessions : public QObject
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const QString& name) const { return folder.filePath(name); }
  static QString example() { return QString(HINESIGHT_TEST_DATA) + "/../../docs/example.hinesight"; }

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

  void exportsTheCircuitAlone()
  {
    const ProgramRun run = runProgram({"export", example(), "--sonata", path("circuit")});
    QVERIFY2(run.status == 0, run.text());
    QVERIFY(run.out.contains("feedforward"));
    QVERIFY(QFile::exists(path("circuit/circuit_config.json")));
  }

  void saysWhatIsWrong_data()
  {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("sentence");
    writeText(path("broken.hinesight"), "{\"session\": 1,\n");
    writeText(path("nothing.hinesight"), "{\"session\": 1}");
    writeText(path("missing.hinesight"), R"({"session": 1, "cells": [{"name": "a", "file": "none.swc"}]})");
    QTest::newRow("no file") << QStringList{"run", path("none.hinesight")} << 1 << "none.hinesight";
    QTest::newRow("broken") << QStringList{"run", path("broken.hinesight")} << 1 << "broken.hinesight:2";
    QTest::newRow("nothing") << QStringList{"run", path("nothing.hinesight")} << 1 << "nothing to run";
    QTest::newRow("no such cell") << QStringList{"run", path("missing.hinesight")} << 1 << "none.swc";
    QTest::newRow("no circuit") << QStringList{"export", path("nothing.hinesight"), "--sonata", path("x")} << 1
                                << "no population";
    QTest::newRow("no such path") << QStringList{"run", example(), "--set", "connections.none.sigma=4"} << 1
                                  << "connections.none";
    QTest::newRow("no such study") << QStringList{"run", example(), "--study", "grow"} << 2 << "circuit|solve";
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
