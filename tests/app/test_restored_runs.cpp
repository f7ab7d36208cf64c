#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "app_fixture.hpp"
#include "hines/solvers.hpp"
#include "test_main.hpp"
#include "window_fixture.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// A double click on a run of the history brings its parameters back, whatever kind of run it is: each is run by a
/// value that is typed into a field, then another is typed there and another page shown.
class TestRestoredRuns : public QObject, WindowFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    QVERIFY(showWindow());
  }
  void cleanup() { window.reset(); }

  void restoresByDoubleClick_data();
  void restoresByDoubleClick();
  void restoresWhatASimulationRanBy();

private:
  struct Kind
  {
    const char* name;
    ViewKind page;
    io::RunKind run;
    const char* field;
    const char* value;   ///< of the run
    const char* another; ///< that is typed afterwards
    const char* button;  ///< that runs it; empty: an edit or Return does
    void (TestRestoredRuns::*prepare)();
  };
  static const std::vector<Kind>& kinds();

  void prepareSolve()
  {
    study::CellParameters parameters = window->parameters();
    parameters.solve.solver = hines::kMulticore;
    window->setParameters(parameters);
    window->openFiles({dataFile("bipolar.swc")});
  }
  void prepareTable() {}
  void prepareFormation()
  {
    auto* panel = find<FormationPanel>("formationPanel");
    study::FormationRequest request = panel->request();
    request.source.placement.neurons = 300;
    panel->setRequest(request);
  }
  void prepareGrowth()
  {
    auto* panel = find<PlasticityPanel>("plasticityPanel");
    study::GrowthRequest request = panel->request();
    request.source.placement.neurons = 300;
    request.model.updatePeriod = 20;
    panel->setRequest(request);
    window->plasticity().setRequest(request);
  }
  void prepareSimulation()
  {
    QSignalSpy opened(&window->simulation(), &SimulationPage::opened);
    click("simulationSample1");
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatience);
    window->simulation().setSpeed(SimulationRunner::kAsFastAsItGoes);
  }
  void prepareSolverBenchmark()
  {
    find<QComboBox>("benchmarkSource")->setCurrentIndex(static_cast<int>(HinesBenchmarkPanel::Source::Ca1Sized));
    for (const hines::SolverDefinition* solver : hines::allSolvers()) {
      const QString name = QString::fromStdString(std::string(solver->traits.name()));
      find<QCheckBox>(qPrintable(QStringLiteral("benchmarkSolver_") + name))
          ->setChecked(solver->traits.id == hines::kSerial);
    }
  }
  void prepareProjectionBenchmark()
  {
    window->benchmarks().showKind(BenchmarkPage::Kind::Projections);
    find<QSpinBox>("projectionBenchmarkRepetitions")->setValue(1);
  }

  /// Whatever the field is.
  QString textOf(const char* field) const { return find<QWidget>(field)->property("text").toString(); }
  void typeInto(const char* field, const char* value)
  {
    auto* widget = find<QWidget>(field);
    widget->setFocus();
    QMetaObject::invokeMethod(widget, "selectAll");
    QTest::keyClicks(widget, QLatin1String(value));
    QTest::keyClick(widget, Qt::Key_Return);
  }
  int runs() const { return window->runs().rowCount(); }
  bool waitForRun(int before) const
  {
    return QTest::qWaitFor([&] { return runs() > before && !window->jobs().isActive(); }, kPatience);
  }
  void doubleClick(int run)
  {
    auto* table = find<QTableView>("runTable");
    if (!table->isVisible())
      find<QDockWidget>("timingsDock")->toggleViewAction()->trigger();
    QTRY_VERIFY(table->isVisible());
    const QModelIndex index = table->model()->index(run, RunTableModel::Kind);
    table->scrollTo(index);
    const QPoint cell = table->visualRect(index).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell);
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, cell);
  }
};

const std::vector<TestRestoredRuns::Kind>& TestRestoredRuns::kinds()
{
  static const std::vector<Kind> kKinds = {
      {"solve", ViewKind::Morphology, io::RunKind::Solve, "blockSizeSpin", "64", "32", "",
       &TestRestoredRuns::prepareSolve},
      {"table", ViewKind::Projection, io::RunKind::Table, "projectionCutSpin", "0.02", "0.03", "",
       &TestRestoredRuns::prepareTable},
      {"formation", ViewKind::Synapses, io::RunKind::Formation, "formationSigmaSpin", "60", "90", "",
       &TestRestoredRuns::prepareFormation},
      {"growth", ViewKind::Plasticity, io::RunKind::Growth, "plasticityCalciumTargetSpin", "0.9", "0.5",
       "plasticityStep", &TestRestoredRuns::prepareGrowth},
      {"simulation", ViewKind::Simulation, io::RunKind::Simulation, "simulationDtSpin", "0.05", "0.1", "simulationMore",
       &TestRestoredRuns::prepareSimulation},
      {"benchmark of solvers", ViewKind::Benchmark, io::RunKind::Benchmark, "benchmarkCells", "2", "3 4", "",
       &TestRestoredRuns::prepareSolverBenchmark},
      {"benchmark of projections", ViewKind::Benchmark, io::RunKind::Benchmark, "projectionBenchmarkSides", "8", "6 7",
       "", &TestRestoredRuns::prepareProjectionBenchmark},
  };
  return kKinds;
}

void TestRestoredRuns::restoresByDoubleClick_data()
{
  QTest::addColumn<int>("place");
  for (std::size_t place = 0; place < kinds().size(); ++place)
    QTest::newRow(kinds()[place].name) << static_cast<int>(place);
}

void TestRestoredRuns::restoresByDoubleClick()
{
  QFETCH(int, place);
  const Kind& kind = kinds()[static_cast<std::size_t>(place)];
  const auto* area = window->findChild<ViewArea*>();
  window->showView(kind.page);
  (this->*kind.prepare)();
  QVERIFY(!QTest::currentTestFailed());
  QVERIFY(waitForJobs());
  const auto run = [&] {
    if (*kind.button)
      click(kind.button);
  };
  int before = runs();
  typeInto(kind.field, kind.value);
  run();
  QVERIFY(waitForRun(before));
  const int wanted = runs() - 1;
  QCOMPARE(window->runs().runs().back().kind, kind.run);
  QVERIFY(window->runs().canRestore(wanted));
  const QString value = textOf(kind.field);
  before = runs();
  typeInto(kind.field, kind.another);
  QVERIFY(*kind.button || waitForRun(before));
  QVERIFY2(textOf(kind.field) != value, qPrintable(value));
  window->showView(kind.page == ViewKind::Morphology ? ViewKind::Plasticity : ViewKind::Morphology);
  if (kind.page == ViewKind::Benchmark) // the other one is shown
    window->benchmarks().showKind(qstrcmp(kind.field, "benchmarkCells") == 0 ? BenchmarkPage::Kind::Projections
                                                                             : BenchmarkPage::Kind::Hines);
  QVERIFY(area->current() != static_cast<int>(kind.page));
  doubleClick(wanted);
  QVERIFY(!QTest::currentTestFailed());
  QCOMPARE(textOf(kind.field), value);
  QCOMPARE(area->current(), static_cast<int>(kind.page));
  if (kind.page == ViewKind::Benchmark)
    QVERIFY(find<QWidget>(kind.field)->isVisible());
  QVERIFY(waitForJobs()); // what is read or run by them leaves them
  QCOMPARE(textOf(kind.field), value);
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
