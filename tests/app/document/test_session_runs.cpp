#include "app/app_fixture.hpp"
#include "app/program_run.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "core/files.hpp"
#include "io/runs/run_record.hpp"
#include "session_runs_fixture.hpp"
#include "test_main.hpp"

#include <QLabel>
#include <QtTest>

#include <memory>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// The history of runs in the real main window, saved with its session and opened.
class TestSessionRuns : public QObject, SessionRunsFixture
{
  Q_OBJECT

  /// The sentence below the table about two of its runs.
  QString comparisonOf(int first, int second)
  {
    clickRun(first);
    clickRun(second, Qt::ControlModifier);
    return find<QLabel>("runComparison")->text();
  }
  QString bannerText() const { return find<MessageBanner>("messageBanner")->text(); }

private slots:
  void init() { begin(); }
  void cleanup() { window.reset(); }

  /// Rows, verdicts and the order; what is made after that stands behind them.
  void theHistoryComesBackWithItsSession()
  {
    Done done;
    for (const std::size_t place : {0, 1, 5}) { // solve, table, benchmark
      runAndTypeAnother(kinds()[place], done);
      QVERIFY(!QTest::currentTestFailed());
    }
    QVERIFY(runsOf(io::RunKind::Solve) >= 2);
    const std::vector<QStringList> before = rows();
    const QString verdict = comparisonOf(0, runs() - 1);
    const QString ofSolves = comparisonOf(0, 1);
    QVERIFY(ofSolves != verdict);
    save("history.hinesight");
    save("history again.hinesight");
    QCOMPARE(readFile(path("history again.hinesight").toStdString()),
             readFile(path("history.hinesight").toStdString()));
    QCOMPARE(sessionIn("history.hinesight").runs.size(), before.size());

    newWindow();
    open({path("history.hinesight")});
    QVERIFY(!window->isWindowModified());
    const std::vector<QStringList> now = rows();
    QVERIFY(now.size() > before.size()); // the cells were solved
    QVERIFY(beginsWith(before));
    QCOMPARE(comparisonOf(0, static_cast<int>(before.size()) - 1), verdict);
    QCOMPARE(comparisonOf(0, 1), ofSolves);
    QCOMPARE(window->runs().made().size(), now.size() - before.size());
    // All of them are there when it is saved once more.
    save("longer.hinesight");
    QCOMPARE(sessionIn("longer.hinesight").runs.size(), now.size());
  }

  /// A document has its own; to undo that it was opened brings back the runs of before, with those made since they
  /// were seen first.
  void openingASessionShowsItsRunsAlone()
  {
    open({dataFile("bipolar.swc")});
    save("bipolar.hinesight");
    newWindow();
    open({dataFile("stellate.swc")});
    type("copiesSpin", "3");
    QVERIFY(waitForJobs());
    const std::vector<QStringList> before = rows();
    QCOMPARE(before.size(), std::size_t{2});
    open({path("bipolar.hinesight")});
    for (const io::RunRecord& run : window->runs().runs())
      QCOMPARE(run.source, std::string("bipolar.swc"));
    const std::vector<QStringList> opened = rows();
    undo();
    QVERIFY(beginsWith(before));
    undo(); // a step within the document takes no run away
    QVERIFY(beginsWith(before));
    for (const io::RunRecord& run : window->runs().runs())
      QCOMPARE(run.source, std::string("stellate.swc"));
    for (int step = 0; step < 2; ++step) {
      find<QAction>("redoAction")->trigger();
      QVERIFY(waitForJobs());
    }
    QVERIFY(beginsWith(opened));
    // The same session once more: what was run since it was saved can be had back.
    QTest::keyClick(window.get(), Qt::Key_F5);
    QVERIFY(waitForJobs());
    const std::vector<QStringList> longer = rows();
    open({path("bipolar.hinesight")});
    QVERIFY(!beginsWith(longer));
    undo();
    QVERIFY(beginsWith(longer));
  }

  void clearedRunsAreInNoSession()
  {
    open({dataFile("bipolar.swc")});
    runTable();
    click("clearRunsButton");
    QCOMPARE(runs(), 0);
    save("cleared.hinesight");
    QVERIFY(sessionIn("cleared.hinesight").runs.empty());
    QVERIFY(readFile(path("cleared.hinesight").toStdString()).find("\"runs\"") == std::string::npos);
  }

  /// A session of somebody else: one sentence, and all the rest.
  void brokenRunsAreLeftOut()
  {
    open({dataFile("bipolar.swc")});
    save("sound.hinesight");
    std::string text = readFile(path("sound.hinesight").toStdString());
    const std::string begin = "\"runs\": [\n";
    text.insert(text.find(begin) + begin.size(), "    {\"solver\": 7},\n");
    writeFileAtomically(path("broken.hinesight").toStdString(), [&](std::ostream& stream) { stream << text; });
    const std::vector<QStringList> before = rows();
    newWindow();
    open({path("broken.hinesight")});
    QCOMPARE(window->cells().rowCount(), 1);
    QVERIFY2(bannerText().contains(QStringLiteral("broken.hinesight: 1 of 2 runs has been left out: run 1 has no")),
             qPrintable(bannerText()));
    QCOMPARE(rowOf(0), before.at(0));
  }

  /// As for runs made today.
  void aRunWhosePopulationsAreGoneSaysSo()
  {
    auto run = std::make_shared<io::RunRecord>(io::startRecord(io::RunKind::Table, "EI: E \u2192 I", {}));
    run->settings = {{"sigma", "4"}};
    run->timings.add("count", 1);
    model::writeSession(window->project(), path("gone.hinesight").toStdString(), {}, {run});
    open({path("gone.hinesight")});
    const model::Project before = window->project();
    doubleClick(0);
    QVERIFY(waitForJobs());
    QVERIFY2(
        bannerText().contains(QStringLiteral("The populations that EI: E \u2192 I joined are not there any more.")),
        qPrintable(bannerText()));
    QVERIFY(window->project() == before);
  }

  /// The program that exports a session writes what it ran itself.
  void anExportHasOnlyItsOwnRuns()
  {
    open({dataFile("bipolar.swc")});
    type("copiesSpin", "7");
    QVERIFY(waitForJobs());
    type("copiesSpin", "2");
    QVERIFY(waitForJobs());
    save("exported.hinesight");
    QCOMPARE(sessionIn("exported.hinesight").runs.size(), std::size_t{3});
    window.reset();
    const tests::Result result =
        tests::runProgram({"--session", path("exported.hinesight"), "--export", path("export"), "--size", "1280x720"});
    QVERIFY2(result.exitStatus == 0, qPrintable(result.errors));
    int solves = 0;
    for (const io::RunRecord& run : io::readTimings(path("export/timings.csv").toStdString()))
      if (run.kind == io::RunKind::Solve) {
        ++solves;
        QCOMPARE(run.cells, std::size_t{2});
      }
    QVERIFY(solves > 0);
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestSessionRuns>)
#include "test_session_runs.moc"
