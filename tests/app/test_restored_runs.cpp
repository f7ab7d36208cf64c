#include "run_kinds.hpp"
#include "test_main.hpp"

#include <QSettings>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// A double click on a run of the history brings its parameters back, whatever kind of run it is.
class TestRestoredRuns : public QObject, RunKinds
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
  void restoresWhatASimulationRanBy();
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

HINESIGHT_TEST_RUN(runWindowTest<TestRestoredRuns>)
#include "test_restored_runs.moc"
