#include "app/app_fixture.hpp"
#include "app/document/session_controller.hpp"
#include "app/held_job.hpp"
#include "app/layout/window_faults.hpp"
#include "app/projection/projection_controller.hpp"
#include "app/shell/bars/job_list.hpp"
#include "app/simulation/simulated_circuit_fixture.hpp"
#include "test_main.hpp"
#include "widgets/elided_label.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <optional>

using namespace hinesight;
using namespace hinesight::app;

/// What the list of jobs calls them, in the real main window. The jobs wait for one that nobody sees.
class TestJobNames : public QObject, SimulatedCircuitFixture
{
  Q_OBJECT

private slots:
  void init() { openSmallSession(); }
  void cleanup()
  {
    if (held)
      held->release();
    held.reset();
    while (window->jobs().isActive())
      window->jobs().cancel();
    window.reset();
  }

  void aTaskNamesItsObject();
  void exportsAreToldApart();
  void whatIsOpenedAndSavedIsNamed();
  void aProjectionNamesItsConnection();
  void aBenchmarkNamesItsStudy();
  void longNamesAreElidedInTheMiddle();

private:
  /// What is submitted from now on waits.
  void hold()
  {
    QVERIFY(waitForJobs());
    held.emplace(HeldJob::Until::Released);
    held->submitTo(window->jobs(), {.name = "holds all others", .isQuiet = true});
    QVERIFY(held->waitUntilHeld());
  }
  /// By the action that menu and palette have.
  QList<widgets::ElidedLabel*> listed()
  {
    find<QAction>("jobsAction")->trigger();
    auto* list = window->findChild<JobList*>();
    if (!list || !QTest::qWaitForWindowExposed(list))
      return {};
    QList<widgets::ElidedLabel*> names;
    for (const JobState& job : window->jobs().list())
      names << find<widgets::ElidedLabel>(qPrintable(QStringLiteral("jobName%1").arg(job.id)));
    return names;
  }
  QStringList names()
  {
    QStringList texts;
    for (const widgets::ElidedLabel* label : listed())
      texts << label->text();
    window->findChild<JobList*>()->close();
    return texts;
  }
  /// Answers the dialog for the file of an export.
  void exportSpikesTo(const QString& file)
  {
    click("simulationExport");
    auto* dialog = find<QFileDialog>("exportSimulationDialog");
    const QStringList filters = dialog->nameFilters();
    const auto filter = std::ranges::find_if(filters, [](const QString& each) { return each.contains("csv"); });
    QVERIFY(filter != filters.end());
    dialog->selectNameFilter(*filter);
    emit dialog->fileSelected(file);
    delete dialog;
  }

  std::optional<HeldJob> held;
};

void TestJobNames::aTaskNamesItsObject()
{
  constexpr JobKind kind{.name = "Export"};
  QCOMPARE(JobTask(kind).name(), QStringLiteral("Export"));
  QCOMPARE(JobTask(kind, QStringLiteral("E to I")).name(), QStringLiteral("Export: E to I"));
  const JobTask folders(kind, QStringLiteral("/home/a/cells/"), QStringLiteral("Search"));
  QCOMPARE(folders.name(), QStringLiteral("Search: cells"));
  QCOMPARE(folders.wholeName(), QStringLiteral("Search: /home/a/cells/"));
  QVERIFY(JobTask::several({}).isEmpty());
  QCOMPARE(JobTask::several({QStringLiteral("/a/b.swc")}), QStringLiteral("/a/b.swc"));
  QCOMPARE(JobTask::several({QStringLiteral("/a/b.swc"), QStringLiteral("c"), QStringLiteral("d")}),
           QStringLiteral("b.swc and 2 more"));
}

void TestJobNames::exportsAreToldApart()
{
  openCircuit();
  runMore();
  hold();
  exportSpikesTo(folder.filePath(QStringLiteral("first.csv")));
  exportSpikesTo(folder.filePath(QStringLiteral("second.csv")));
  const QList<widgets::ElidedLabel*> labels = listed();
  QCOMPARE(labels.size(), 2);
  QCOMPARE(labels[0]->text(), QStringLiteral("Export of a simulation: first.csv"));
  QCOMPARE(labels[1]->text(), QStringLiteral("Export of a simulation: second.csv"));
  QVERIFY2(labels[1]->toolTip().endsWith(folder.filePath(QStringLiteral("second.csv"))),
           qPrintable(labels[1]->toolTip()));
  const std::uint64_t first = window->jobs().list().front().id;
  const auto* cancel = find<QToolButton>(qPrintable(QStringLiteral("cancelJob%1").arg(first)));
  QVERIFY(cancel->accessibleName().contains(QStringLiteral("first.csv")));
}

void TestJobNames::whatIsOpenedAndSavedIsNamed()
{
  hold();
  QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("many cells")));
  window->openFiles({folder.filePath(QStringLiteral("many cells"))});
  window->openFiles({QStringLiteral(":/samples/synthetic_pyramidal_fit.json")});
  window->findChild<SessionController*>()->save(folder.filePath(QStringLiteral("other.hinesight")));
  const QStringList all = names();
  for (const char* name :
       {"Search of folders: many cells", "Model to simulate: Pyramidal cell", "Session to save: other.hinesight"})
    QVERIFY2(all.contains(QLatin1String(name)), qPrintable(all.join(u'\n')));
}

void TestJobNames::aProjectionNamesItsConnection()
{
  window->showView(ViewKind::Projection);
  hold();
  window->findChild<ProjectionController*>()->pick("inhibition");
  find<QAction>("runAction")->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isActive(), kPatience);
  const QStringList all = names();
  QVERIFY2(all.contains(QStringLiteral("Weight table: inhibition")), qPrintable(all.join(u'\n')));
}

void TestJobNames::aBenchmarkNamesItsStudy()
{
  hold();
  window->showView(ViewKind::Benchmark);
  click("benchmarkRun");
  QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isActive(), kPatience);
  const QStringList all = names();
  QVERIFY2(all.contains(QStringLiteral("Benchmark: Hines solvers")), qPrintable(all.join(u'\n')));
}

/// So that both the work and the end of the name are read.
void TestJobNames::longNamesAreElidedInTheMiddle()
{
  hold();
  const QString file =
      folder.filePath(QString(150, QLatin1Char('a')) + QStringLiteral("-of-the-second-population.csv"));
  window->jobs().submit(
      {{.name = "Export of measures"}, file}, [](const JobContext&) {}, [] {});
  const QList<widgets::ElidedLabel*> labels = listed();
  QCOMPARE(labels.size(), 1);
  const QString shown = labels[0]->shownText();
  QVERIFY2(shown.startsWith(QStringLiteral("Export")) && shown.contains(QChar(0x2026)) &&
               shown.endsWith(QStringLiteral(".csv")),
           qPrintable(shown));
  QCOMPARE(labels[0]->toolTip(), QStringLiteral("Export of measures: ") + file);
  const QStringList faults = WindowFaults::in(*window->findChild<JobList*>());
  QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

HINESIGHT_TEST_RUN(runWindowTest<TestJobNames>)
#include "test_job_names.moc"
