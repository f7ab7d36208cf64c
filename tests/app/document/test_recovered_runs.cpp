#include "app/app_fixture.hpp"
#include "app/document/history.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "session_runs_fixture.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <cstddef>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// The history of runs in the real main window, kept where it is closed or killed.
class TestRecoveredRuns : public QObject, SessionRunsFixture
{
  Q_OBJECT

  /// Of the window, in a folder that is empty before: what is kept of it.
  void keepOpen()
  {
    QVERIFY(QDir(path("state")).removeRecursively());
    window->keepOpenIn(path("state"));
  }
  QString keptFile() const
  {
    const QDir state(path("state"));
    const QString name = state.entryList({QStringLiteral("window-*.hinesight")}, QDir::Files).value(0);
    return name.isEmpty() ? QString() : state.filePath(name);
  }
  std::size_t keptRuns() const
  {
    return keptFile().isEmpty() ? 0 : model::readSession(keptFile().toStdString()).runs.size();
  }

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  /// No star in the title, no step, no question; the window that is closed is kept with it.
  void aRunAloneIsNoChange()
  {
    keepOpen();
    open({dataFile("bipolar.swc")});
    save("run.hinesight");
    window->activateWindow(); // again, after the dialog
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const int steps = window->history().stack().count();
    const int before = runs();
    QTest::keyClick(window.get(), Qt::Key_F5);
    QVERIFY(waitForRun(before));
    QVERIFY(!window->isWindowModified());
    QCOMPARE(window->history().stack().count(), steps);
    QTRY_COMPARE_WITH_TIMEOUT(keptRuns(), static_cast<std::size_t>(before) + 1, kPatience);
    QVERIFY(window->close());
    QVERIFY(!window->isVisible());
    QCOMPARE(sessionIn("state/last.hinesight").runs.size(), static_cast<std::size_t>(before) + 1);
    QCOMPARE(sessionIn("run.hinesight").runs.size(), static_cast<std::size_t>(before));
  }

  void whatAKilledWindowRanIsRecovered()
  {
    keepOpen();
    open({dataFile("bipolar.swc")});
    type("copiesSpin", "4");
    QVERIFY(waitForJobs());
    const std::vector<QStringList> before = rows();
    QTRY_COMPARE_WITH_TIMEOUT(keptRuns(), before.size(), kPatience);
    const QString left = path("state/window-1-7.hinesight");
    QVERIFY(QFile::copy(keptFile(), left));
    window->close();
    newWindow();
    window->keepOpenIn(path("state"));
    click("recoveryAgree");
    QVERIFY(waitForJobs());
    QVERIFY(beginsWith(before));
    undo();
    QCOMPARE(runs(), 0);
  }

  /// A benchmark needs no cells, and takes long.
  void aBenchmarkAloneIsKept()
  {
    keepOpen();
    QVERIFY(keptFile().isEmpty());
    const Kind& kind = kinds()[5];
    window->showView(kind.page);
    (this->*kind.prepare)();
    typeInto(kind.field, kind.value);
    QVERIFY(waitForRun(0));
    QTRY_COMPARE_WITH_TIMEOUT(keptRuns(), static_cast<std::size_t>(runs()), kPatience);
    QVERIFY(QFile::copy(keptFile(), path("state/window-1-7.hinesight")));
    window->close();
    newWindow();
    window->keepOpenIn(path("state"));
    const QString said = find<QuestionBar>("recoveryBar")->text();
    QVERIFY2(said.endsWith(QStringLiteral(". Runs had been made.")), qPrintable(said));
    click("recoveryAgree");
    QVERIFY(waitForJobs());
    QCOMPARE(runsOf(io::RunKind::Benchmark), 1);
  }

  /// The last window with the same cells and parameters is kept once, with as many runs as it ever had.
  void theSameSessionIsKeptOnceWithMostRuns()
  {
    keepOpen();
    open({dataFile("bipolar.swc")});
    const int before = runs();
    QTest::keyClick(window.get(), Qt::Key_F5);
    QVERIFY(waitForRun(before));
    const auto had = static_cast<std::size_t>(runs());
    window->close();
    newWindow();
    window->keepOpenIn(path("state"));
    open({dataFile("bipolar.swc")});
    QVERIFY(static_cast<std::size_t>(runs()) < had);
    window->close();
    QCOMPARE(QDir(path("state")).entryList({QStringLiteral("last*")}, QDir::Files),
             QStringList{QStringLiteral("last.hinesight")});
    QCOMPARE(sessionIn("state/last.hinesight").runs.size(), had);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestRecoveredRuns>)
#include "test_recovered_runs.moc"
