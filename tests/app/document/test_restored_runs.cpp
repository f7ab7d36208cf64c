#include "app/shell/bars/message_banner.hpp"
#include "connections_fixture.hpp"
#include "test_main.hpp"

#include <QListWidget>
#include <QSettings>
#include <QtTest>

#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

/// A double click or Enter on a run of the history brings its parameters back, whatever kind of run it is.
class TestRestoredRuns : public QObject, ConnectionsFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void restoresByDoubleClick_data() { addKinds(); }
  void restoresByDoubleClick();
  void restoresTheChosenRunByEnter();
  void restoresWhatASimulationRanBy();
  void restoresIntoTheConnectionThatRan();
  void makesAConnectionThatIsGoneAnew();

private:
  int runOf(const char* connection, const char* cut);
  void runFeedforward();

  int run = -1; ///< of the connection "feedforward", which ran as it is here
  model::Connection ran;
};

void TestRestoredRuns::restoresByDoubleClick()
{
  QFETCH(int, place);
  const Kind& kind = kinds()[static_cast<std::size_t>(place)];
  Done done;
  runAndTypeAnother(kind, done);
  QVERIFY(!QTest::currentTestFailed());
  restoresFromAnotherPage(kind, done);
}

/// As the context menu does: the one that is chosen, wherever the keyboard stands; of two none.
void TestRestoredRuns::restoresTheChosenRunByEnter()
{
  const Kind& solve = kinds().front();
  Done done;
  runAndTypeAnother(solve, done);
  QVERIFY(!QTest::currentTestFailed());
  const QString another = textOf(solve.field);
  QVERIFY(another != done.value);
  auto* table = runTable();
  QVERIFY(table->actions().contains(find<QAction>("restoreRunAction")));
  clickRun(done.run);
  clickRun(runs() - 1, Qt::ControlModifier);
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(textOf(solve.field), another);
  clickRun(runs() - 1, Qt::ControlModifier);
  QCOMPARE(table->currentIndex().row(), runs() - 1);
  QTest::keyClick(table, Qt::Key_Return);
  QCOMPARE(textOf(solve.field), done.value);
  QVERIFY(waitForJobs());
  QCOMPARE(textOf(solve.field), done.value);
  clickRun(done.run + 1);
  QTest::keyClick(table, Qt::Key_Enter, Qt::KeypadModifier);
  QCOMPARE(textOf(solve.field), another);
}

/// Not what the fields said when it stopped: those are of the next run.
void TestRestoredRuns::restoresWhatASimulationRanBy()
{
  window->showView(ViewKind::Simulation);
  prepareSimulation();
  QVERIFY(!QTest::currentTestFailed());
  const QString value = textOf("simulationDtSpin");
  const auto runOn = [this] {
    const int before = runs();
    click("simulationMore");
    return waitForRun(before);
  };
  QVERIFY(runOn());
  typeInto("simulationDtSpin", "0.1");
  QVERIFY(textOf("simulationDtSpin") != value);
  QVERIFY(runOn()); // it goes on by its own
  doubleClick(runs() - 1);
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(textOf("simulationDtSpin"), value);
}

/// Of the connection that is shown, with that threshold: its place in the list.
int TestRestoredRuns::runOf(const char* connection, const char* cut)
{
  const int before = runs();
  typeInto("projectionCutSpin", cut);
  const bool isOfIt =
      waitForRun(before) && newestOf(io::RunKind::Table).source.starts_with(connection + std::string(": "));
  return isOfIt ? runs() - 1 : -1;
}

/// In the circuit that is opened first.
void TestRestoredRuns::runFeedforward()
{
  openCircuit();
  QVERIFY(!QTest::currentTestFailed());
  chooseConnection("feedforward");
  run = runOf("feedforward", "0.02");
  QVERIFY(run >= 0);
  ran = *connection("feedforward");
}

/// Not into the one that is shown by then.
void TestRestoredRuns::restoresIntoTheConnectionThatRan()
{
  runFeedforward();
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(runOf("feedforward", "0.03") >= 0);
  chooseConnection("inhibition");
  QVERIFY(!QTest::currentTestFailed());
  const model::Connection other = *connection("inhibition");
  QVERIFY(other.source != ran.source || other.target != ran.target || other.projection != ran.projection);
  doubleClick(run);
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(waitForJobs());
  QCOMPARE(*connection("inhibition"), other);
  QCOMPARE(*connection("feedforward"), ran);
  QCOMPARE(find<QListWidget>("connectionList")->currentItem()->text(), QStringLiteral("feedforward"));
  QCOMPARE(textOf("projectionCutSpin").toDouble(), 0.02);
}

void TestRestoredRuns::makesAConnectionThatIsGoneAnew()
{
  runFeedforward();
  QVERIFY(!QTest::currentTestFailed());
  click("removeConnection");
  QVERIFY(waitForJobs());
  QVERIFY(!connection("feedforward"));
  const std::vector<model::Connection> others = window->project().connections;
  doubleClick(run);
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(waitForJobs());
  QVERIFY(connection("feedforward"));
  QCOMPARE(connection("feedforward")->projection, ran.projection);
  for (const model::Connection& other : others)
    QCOMPARE(*connection(other.name.c_str()), other);
  const QString said = find<MessageBanner>("messageBanner")->text();
  QVERIFY2(said.contains(QStringLiteral("made as the new connection feedforward")), qPrintable(said));
}

HINESIGHT_TEST_RUN(runWindowTest<TestRestoredRuns>)
#include "test_restored_runs.moc"
