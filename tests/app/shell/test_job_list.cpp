#include "app/app_fixture.hpp"
#include "app/cells/cell_controller.hpp"
#include "app/cells_fixture.hpp"
#include "app/layout/window_faults.hpp"
#include "app/shell/bars/job_list.hpp"
#include "test_main.hpp"
#include "widgets/elided_label.hpp"

#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QSettings>
#include <QThread>
#include <QToolButton>
#include <QtTest>

#include <atomic>
#include <cstddef>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr JobKind kTables{.name = "Weight tables of the projections between all populations of a long name",
                          .stage = "positions"};
constexpr JobKind kFiles{.name = "Export of measures", .stage = "export"};
constexpr JobKind kUnseen{.name = "unseen", .isQuiet = true};

} // namespace

/// The jobs of the real main window, in the list above its status bar.
class TestJobList : public QObject, CellsFixture
{
  Q_OBJECT

private slots:
  void init()
  {
    QSettings().clear();
    ends.clear();
    areReleased = false;
    show();
  }
  void cleanup()
  {
    while (window->jobs().isActive())
      window->jobs().cancel();
    window.reset();
  }

  void cancelsAJobThatWaits();
  void theKeyboardDoesAll();
  void nothingIsCut();
  void saysThatThereIsNothing();

private:
  /// A run that takes minutes, one of each of these kinds that waits for it, and one that nobody sees.
  void startJobs()
  {
    open({"stellate.swc"});
    startLongRun();
    for (const JobKind& kind : {kTables, kFiles, kUnseen})
      window->jobs().submit(
          kind,
          [this](const JobContext& context) {
            context.control().report("export", 0.5);
            while (!areReleased && !context.control().isCancelled())
              QThread::yieldCurrentThread();
          },
          [this, kind] { ends << QLatin1String(kind.name.data()); },
          {{}, [this, kind] { ends << QStringLiteral("cancelled: ") + QLatin1String(kind.name.data()); }});
  }

  /// By the action that menu and palette have.
  JobList* openList()
  {
    find<QAction>("jobsAction")->trigger();
    auto* list = window->findChild<JobList*>();
    return list && QTest::qWaitForWindowExposed(list) ? list : nullptr;
  }

  template <typename Part>
  Part* part(const char* name, std::size_t job)
  {
    const QString numbered = QLatin1String(name) + QString::number(window->jobs().list().at(job).id);
    return find<Part>(qPrintable(numbered));
  }

  std::atomic<bool> areReleased = false; ///< jobs that waited are half done until then
  QStringList ends;                      ///< how they ended, in their order
};

void TestJobList::cancelsAJobThatWaits()
{
  startJobs();
  auto* opens = find<QToolButton>("waitingButton");
  QTRY_VERIFY(opens->isVisible());
  QCOMPARE(opens->text(), QStringLiteral("2 waiting"));
  QTest::mouseClick(opens, Qt::LeftButton);
  const QPointer<JobList> list = window->findChild<JobList*>();
  QVERIFY(list && QTest::qWaitForWindowExposed(list));

  QCOMPARE(window->jobs().list().size(), std::size_t(3));
  QCOMPARE(part<QLabel>("jobName", 0)->text(), QStringLiteral("Cells: stellate.swc"));
  QCOMPARE(part<QLabel>("jobName", 2)->text(), QStringLiteral("Export of measures"));
  QCOMPARE(part<QLabel>("jobStage", 0)->text(), QStringLiteral("Solving"));
  QCOMPARE(part<QLabel>("jobStage", 1)->text(), QStringLiteral("Waits"));
  QCOMPARE(part<QProgressBar>("jobFraction", 1)->value(), 0);
  const QString elapsed = part<QLabel>("jobElapsed", 1)->text();
  QTRY_VERIFY(part<QLabel>("jobElapsed", 1)->text() != elapsed);

  QTest::mouseClick(part<QToolButton>("cancelJob", 1), Qt::LeftButton);
  QCOMPARE(ends, QStringList{QStringLiteral("cancelled: ") + QLatin1String(kTables.name.data())});
  QCOMPARE(window->jobs().list().size(), std::size_t(2));
  QVERIFY(window->jobs().current()->kind == kCells && window->jobs().current()->isRunning);
  QCOMPARE(opens->text(), QStringLiteral("1 waiting"));
  QTRY_COMPARE(list->findChildren<QToolButton*>().size(), 2);
  QCOMPARE(part<QLabel>("jobStage", 1)->text(), QStringLiteral("Waits"));

  QTest::mouseClick(part<QToolButton>("cancelJob", 0), Qt::LeftButton);
  const auto* progress = part<QProgressBar>("jobFraction", 0);
  QTRY_COMPARE_WITH_TIMEOUT(2 * progress->value(), progress->maximum(), kPatience);
  QTRY_COMPARE(part<QLabel>("jobStage", 0)->text(), QStringLiteral("Writing the file"));
  QVERIFY(!find<QLabel>("noJobs")->isVisible());
  areReleased = true;
  QTRY_COMPARE_WITH_TIMEOUT(ends.value(1), QStringLiteral("Export of measures"), kPatience);
  QVERIFY(list && list->isVisible());
  QTRY_VERIFY(find<QLabel>("noJobs")->isVisible());
}

/// Escape ends the list, and not what runs.
void TestJobList::theKeyboardDoesAll()
{
  startJobs();
  QTest::keyClick(window.get(), Qt::Key_J, Qt::ControlModifier);
  const QPointer<JobList> list = window->findChild<JobList*>();
  QVERIFY(list && QTest::qWaitForWindowExposed(list));
  const auto press = [&](Qt::Key key) {
    QWidget* focused = list->focusWidget();
    QTest::keyClick(focused ? focused : list.data(), key);
  };
  press(Qt::Key_Delete); // before a button was reached
  press(Qt::Key_Space);
  QCOMPARE(window->jobs().list().size(), std::size_t(3));
  press(Qt::Key_Tab);
  QTRY_COMPARE(list->focusWidget(), part<QWidget>("cancelJob", 0));
  press(Qt::Key_Tab);
  QCOMPARE(list->focusWidget(), part<QWidget>("cancelJob", 1));
  press(Qt::Key_Delete);
  QCOMPARE(ends.size(), 1);
  QCOMPARE(list->focusWidget(), part<QWidget>("cancelJob", 1)); // of the job that is there now
  press(Qt::Key_Space);
  QCOMPARE(ends.size(), 2);
  QVERIFY(ends.at(0) != ends.at(1));
  press(Qt::Key_Escape);
  QTRY_VERIFY(!list);
  QVERIFY(window->jobs().isActive(kCells));
}

/// In no window that is as small as on a screen of many pixels.
void TestJobList::nothingIsCut()
{
  startJobs();
  for (const QSize& size : {QSize(1000, 700), QSize(500, 350)}) {
    window->resize(size);
    QTRY_COMPARE(window->size(), size);
    const QPointer<JobList> list = openList();
    QVERIFY(list);
    QVERIFY(window->geometry().contains(list->geometry()));
    const auto* name = part<widgets::ElidedLabel>("jobName", 1);
    QVERIFY(name->shownText().startsWith(QStringLiteral("Weight")) && name->shownText().contains(QChar(0x2026)) &&
            name->shownText().endsWith(QStringLiteral("name")));
    const QStringList faults = WindowFaults::in(*list);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    if (const QString pictures = qEnvironmentVariable("HINESIGHT_PICTURES"); !pictures.isEmpty())
      QVERIFY(list->grab().save(QStringLiteral("%1/jobs-%2.png").arg(pictures).arg(size.width())));
    QTest::keyClick(list.data(), Qt::Key_Escape);
    QTRY_VERIFY(!list);
  }
}

void TestJobList::saysThatThereIsNothing()
{
  QVERIFY(waitForJobs());
  const JobList* list = openList();
  QVERIFY(list);
  QVERIFY(find<QLabel>("noJobs")->isVisible());
  QVERIFY(WindowFaults::in(*list).isEmpty());
}

HINESIGHT_TEST_RUN(runWindowTest<TestJobList>)
#include "test_job_list.moc"
