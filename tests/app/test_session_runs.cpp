#include "app/cells/run_table_model.hpp"
#include "app/document/history.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "core/files.hpp"
#include "io/runs/run_record.hpp"
#include "model/session_file.hpp"
#include "program_run.hpp"
#include "run_kinds.hpp"
#include "test_main.hpp"

#include <QDir>
#include <QLabel>
#include <QSettings>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// The history of runs in the real main window, saved with its session, opened and recovered.
class TestSessionRuns : public QObject, RunKinds
{
  Q_OBJECT

  /// What the table says of a run.
  QStringList rowOf(int run)
  {
    const QAbstractItemModel& model = *runTable()->model();
    QStringList texts;
    for (int column = 0; column < model.columnCount(); ++column)
      if (column != RunTableModel::Time) // which is a day after midnight
        texts << model.index(run, column).data().toString()
              << model.index(run, column).data(Qt::ToolTipRole).toString();
    return texts << QString::fromStdString(window->runs().runs()[run].startedAt);
  }
  std::vector<QStringList> rows()
  {
    std::vector<QStringList> all;
    for (int run = 0; run < runs(); ++run)
      all.push_back(rowOf(run));
    return all;
  }
  /// Whether the table shows these runs first of all.
  bool beginsWith(const std::vector<QStringList>& expected)
  {
    const std::vector<QStringList> now = rows();
    return now.size() >= expected.size() && std::equal(expected.begin(), expected.end(), now.begin());
  }
  /// The sentence below the table about two of its runs.
  QString comparisonOf(int first, int second)
  {
    clickRun(first);
    clickRun(second, Qt::ControlModifier);
    return find<QLabel>("runComparison")->text();
  }
  model::ReadSession sessionIn(const char* name) const { return model::readSession(path(name).toStdString()); }
  void undo()
  {
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
  }
  QString bannerText() const { return find<MessageBanner>("messageBanner")->text(); }
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
  void init()
  {
    QSettings().clear();
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void restoresWhatASessionKept_data() { addKinds(); }
  /// In the next window: the field says what the run was made by, and not what the session was saved with.
  void restoresWhatASessionKept()
  {
    QFETCH(int, place);
    const Kind& kind = kinds()[static_cast<std::size_t>(place)];
    Done done;
    runAndTypeAnother(kind, done);
    QVERIFY(!QTest::currentTestFailed());
    const std::string name = "kind " + std::to_string(place) + ".hinesight";
    save(name.c_str());
    newWindow();
    QCOMPARE(runs(), 0);
    open({path(name.c_str())});
    QVERIFY(!QTest::currentTestFailed());
    QVERIFY(runs() > done.run);
    restoresFromAnotherPage(kind, done);
  }

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
