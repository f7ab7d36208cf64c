#include "app/app_fixture.hpp"
#include "app/program_run.hpp"
#include "paths/paths.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QtTest>

#include <csignal>

#include <sys/types.h>

using hinesight::tests::kPatience;
using hinesight::tests::Result;
using hinesight::tests::runProgram;

/// The real program as a process, with sessions.
class TestProgramSessions : public QObject
{
  Q_OBJECT

private slots:
  void keepsWhatIsOpenWhenItIsKilled();
  void endsAsItShouldOnSignals_data();
  void endsAsItShouldOnSignals();
  void optionsCountOverASession();
  void solvesASessionOnTheChosenBackend_data();
  void solvesASessionOnTheChosenBackend();

private:
  QTemporaryDir folder;
};

/// Killed at once, it leaves a session that opens.
void TestProgramSessions::keepsWhatIsOpenWhenItIsKilled()
{
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_STATE_HOME"), folder.path());
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path());
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(hinesight::tests::programFile("hinesight"),
                {hinesight::app::dataFile("stellate.swc"), "--copies", "5"});
  const QDir state(folder.filePath(QStringLiteral("hinesight")));
  const auto kept = [&] { return state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0); };
  QTRY_VERIFY_WITH_TIMEOUT(!kept().isEmpty(), kPatience);
  program.kill();
  QVERIFY(program.waitForFinished(kPatience));
  const Result opened = runProgram({"--session", state.filePath(kept()), "--export",
                                    folder.filePath(QStringLiteral("recovered")), "--size", "1280x720"});
  QVERIFY2(opened.exitStatus == 0, qPrintable(opened.errors));
  const QDir recovered(folder.filePath(QStringLiteral("recovered")));
  QFile timings(recovered.filePath(QStringLiteral("timings.csv")));
  const bool isThere = timings.open(QIODevice::ReadOnly);
  QVERIFY2(isThere, qPrintable(recovered.entryList().join(QLatin1Char(' ')) + opened.errors));
  QVERIFY(timings.readAll().contains("stellate"));
}

void TestProgramSessions::endsAsItShouldOnSignals_data()
{
  QTest::addColumn<int>("signal");
  QTest::newRow("logout") << SIGTERM;
  QTest::newRow("Ctrl+C") << SIGINT;
  QTest::newRow("closed terminal") << SIGHUP;
}

/// As Quit does: what was open is the last session, and nothing is to be recovered.
void TestProgramSessions::endsAsItShouldOnSignals()
{
  QFETCH(int, signal);
  const QTemporaryDir home;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("XDG_STATE_HOME"), home.path());
  environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
  QProcess program;
  program.setProcessEnvironment(environment);
  program.start(hinesight::tests::programFile("hinesight"), {hinesight::app::dataFile("stellate.swc")});
  const QDir state(home.filePath(QStringLiteral("hinesight")));
  const auto left = [&](const char* names) { return state.entryList({QLatin1String(names)}, QDir::Files); };
  QTRY_VERIFY_WITH_TIMEOUT(!left("window-*.hinesight").isEmpty(), kPatience);
  QCOMPARE(::kill(static_cast<pid_t>(program.processId()), signal), 0);
  QVERIFY(program.waitForFinished(kPatience));
  QCOMPARE(program.exitStatus(), QProcess::NormalExit);
  QCOMPARE(program.exitCode(), 0);
  QCOMPARE(left("window-*"), QStringList()); // nor a lock
  QVERIFY(QFile::exists(state.filePath(QStringLiteral("last.hinesight"))));
}

/// Which says 100 copies, and CUDA for its cells and for the synapses that it forms.
void TestProgramSessions::optionsCountOverASession()
{
  QFile example(hinesight::tests::sourceFile("docs/example.hinesight"));
  QVERIFY(example.open(QIODevice::ReadOnly));
  QByteArray of = example.readAll();
  of.replace("\"../resources/", "\"" + hinesight::tests::sourceFile("resources/").toUtf8());
  of.replace("\"kind\": \"formed\",", "\"kind\": \"formed\", \"formed-backend\": \"cuda\",");
  of.replace("\"copies\": 100", "\"copies\": 100, \"backend\": \"cuda\"");
  QCOMPARE(of.count("\"cuda\""), 2);
  QFile ofCuda(folder.filePath(QStringLiteral("cuda.hinesight")));
  QVERIFY(ofCuda.open(QIODevice::WriteOnly) && ofCuda.write(of) == of.size());
  ofCuda.close();
  const QDir to(folder.filePath(QStringLiteral("over")));
  const Result result = runProgram({"--copies", "7", "--solver", "serial", "--backend", "cpu", "--session",
                                    ofCuda.fileName(), "--export", to.path(), "--size", "1280x720"});
  QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
  QFile session(to.filePath(QStringLiteral("session.hinesight")));
  QVERIFY(session.open(QIODevice::ReadOnly));
  const QByteArray text = session.readAll();
  QVERIFY2(text.contains("\"copies\": 7") && text.contains("\"solver\": \"serial\""), text);
  QVERIFY2(text.contains("\"formed-backend\": \"cpu\"") && !text.contains("\"cuda\""), text);
}

void TestProgramSessions::solvesASessionOnTheChosenBackend_data()
{
  QTest::addColumn<QString>("view");
  for (const char* view : {"morphology", "projection", "synapses"})
    QTest::newRow(view) << QString::fromLatin1(view);
}

/// Without a device that says the same as with a cell.
void TestProgramSessions::solvesASessionOnTheChosenBackend()
{
  QFETCH(QString, view);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QString()); // none
  const QString shot = folder.filePath(QStringLiteral("without.png"));
  const auto takeOf = [&](const QString& file) {
    return runProgram({"--backend", "cuda", "--view", view, "--screenshot", shot, "--size", "1280x720", file},
                      environment);
  };
  const Result ofCell = takeOf(hinesight::app::dataFile("stellate.swc"));
  const Result ofSession = takeOf(hinesight::tests::sourceFile("docs/example.hinesight"));
  QCOMPARE(ofCell.exitStatus, 1);
  QCOMPARE(ofSession.exitStatus, 1);
  QCOMPARE(ofSession.errors, ofCell.errors);
  QVERIFY(!QFile::exists(shot));
}

HINESIGHT_TEST(TestProgramSessions)
#include "test_program_sessions.moc"
