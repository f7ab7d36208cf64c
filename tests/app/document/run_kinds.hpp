#pragma once

#include "app/app_fixture.hpp"
#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/cells/run_table_model.hpp"
#include "app/pages/view_area.hpp"
#include "app/plasticity/plasticity_page.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/session_fixture.hpp"
#include "app/simulation/simulation_page.hpp"
#include "app/synapses/formation_panel.hpp"
#include "hines/solvers.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QSpinBox>
#include <QTableView>
#include <QtTest>

#include <vector>

namespace hinesight::app {

/// Runs of every kind in the real window: each by a value that is typed into a field, then another is typed there.
class RunKinds : public SessionFixture
{
protected:
  struct Kind
  {
    const char* name;
    ViewKind page;
    io::RunKind run;
    const char* field;
    const char* value;   ///< of the run
    const char* another; ///< that is typed afterwards
    const char* button;  ///< that runs it; empty: an edit or Return does
    void (RunKinds::*prepare)();
  };
  static const std::vector<Kind>& kinds()
  {
    static const std::vector<Kind> kKinds = {
        {"solve", ViewKind::Morphology, io::RunKind::Solve, "blockSizeSpin", "64", "32", "", &RunKinds::prepareSolve},
        {"table", ViewKind::Projection, io::RunKind::Table, "projectionCutSpin", "0.02", "0.03", "",
         &RunKinds::prepareTable},
        {"formation", ViewKind::Synapses, io::RunKind::Formation, "formationSigmaSpin", "60", "90", "",
         &RunKinds::prepareFormation},
        {"growth", ViewKind::Plasticity, io::RunKind::Growth, "plasticityCalciumTargetSpin", "0.9", "0.5",
         "plasticityStep", &RunKinds::prepareGrowth},
        {"simulation", ViewKind::Simulation, io::RunKind::Simulation, "simulationDtSpin", "0.05", "0.1",
         "simulationMore", &RunKinds::prepareSimulation},
        {"benchmark of solvers", ViewKind::Benchmark, io::RunKind::Benchmark, "benchmarkCells", "2", "3 4", "",
         &RunKinds::prepareSolverBenchmark},
        {"benchmark of projections", ViewKind::Benchmark, io::RunKind::Benchmark, "projectionBenchmarkSides", "8",
         "6 7", "", &RunKinds::prepareProjectionBenchmark},
    };
    return kKinds;
  }
  static void addKinds()
  {
    QTest::addColumn<int>("place");
    for (std::size_t place = 0; place < kinds().size(); ++place)
      QTest::newRow(kinds()[place].name) << static_cast<int>(place);
  }

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
  /// The table of runs, which is seen then.
  QTableView* runTable()
  {
    auto* table = find<QTableView>("runTable");
    if (!table->isVisible())
      find<QDockWidget>("timingsDock")->toggleViewAction()->trigger();
    return table;
  }
  void clickRun(int run, Qt::KeyboardModifiers modifiers = {})
  {
    auto* table = runTable();
    QTRY_VERIFY(table->isVisible());
    const QModelIndex index = table->model()->index(run, RunTableModel::Kind);
    table->scrollTo(index);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, modifiers, table->visualRect(index).center());
  }
  void doubleClick(int run)
  {
    clickRun(run);
    auto* table = runTable();
    QTest::mouseDClick(table->viewport(), Qt::LeftButton, {},
                       table->visualRect(table->model()->index(run, RunTableModel::Kind)).center());
  }

  /// Of a run: its row, and what its field said.
  struct Done
  {
    int run = -1;
    QString value;
  };
  /// By the value of the kind; then another one is in the field, by which it may have run, too.
  void runAndTypeAnother(const Kind& kind, Done& done)
  {
    window->showView(kind.page);
    (this->*kind.prepare)();
    QVERIFY(!QTest::currentTestFailed());
    QVERIFY(waitForJobs());
    int before = runs();
    typeInto(kind.field, kind.value);
    if (*kind.button)
      click(kind.button);
    QVERIFY(waitForRun(before));
    done = {runs() - 1, textOf(kind.field)};
    QCOMPARE(window->runs().runs().back().kind, kind.run);
    before = runs();
    typeInto(kind.field, kind.another);
    QVERIFY(*kind.button || waitForRun(before));
  }
  /// By a double click, from another page.
  void restoresFromAnotherPage(const Kind& kind, const Done& done)
  {
    const auto* area = window->findChild<ViewArea*>();
    QVERIFY(window->runs().canRestore(done.run));
    QVERIFY2(textOf(kind.field) != done.value, qPrintable(done.value));
    window->showView(kind.page == ViewKind::Morphology ? ViewKind::Plasticity : ViewKind::Morphology);
    if (kind.page == ViewKind::Benchmark) // the other one is shown
      window->benchmarks().showKind(qstrcmp(kind.field, "benchmarkCells") == 0 ? BenchmarkPage::Kind::Projections
                                                                               : BenchmarkPage::Kind::Hines);
    QVERIFY(area->current() != static_cast<int>(kind.page));
    doubleClick(done.run);
    QVERIFY(!QTest::currentTestFailed());
    QCOMPARE(textOf(kind.field), done.value);
    QCOMPARE(area->current(), static_cast<int>(kind.page));
    if (kind.page == ViewKind::Benchmark)
      QVERIFY(find<QWidget>(kind.field)->isVisible());
    QVERIFY(waitForJobs()); // what is read or run by them leaves them
    QCOMPARE(textOf(kind.field), done.value);
  }
};

} // namespace hinesight::app
