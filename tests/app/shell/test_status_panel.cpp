#include "app/app_fixture.hpp"
#include "app/jobs/jobs.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"

#include <QMainWindow>
#include <QProgressBar>
#include <QStatusBar>
#include <QThread>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

/// What the status bar says of a job that runs.
class TestStatusPanel : public QObject
{
  Q_OBJECT

private slots:
  void progressIsPaintedWithWhatElseThereIsToPaint();

private:
  bool eventFilter(QObject* watched, QEvent* event) override
  {
    if (event->type() == QEvent::Paint)
      ++(isTelling ? paintedAtOnce : painted);
    return QObject::eventFilter(watched, event);
  }

  bool isTelling = false; ///< the panel is told of progress
  int painted = 0;
  int paintedAtOnce = 0; ///< while it is told
};

/// Each picture of the window is one of all of it.
void TestStatusPanel::progressIsPaintedWithWhatElseThereIsToPaint()
{
  QMainWindow window;
  Jobs jobs;
  connect(&jobs, &Jobs::progressed, this, [this] { isTelling = true; });
  const StatusPanel panel(window.statusBar(), &jobs);
  connect(&jobs, &Jobs::progressed, this, [this] { isTelling = false; });
  auto* bar = window.findChild<QProgressBar*>(QStringLiteral("jobProgress"));
  bar->installEventFilter(this);
  window.resize(800, 200);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  jobs.submit(
      {.name = "held"},
      [](const JobContext& context) {
        for (int k = 0; !context.control().isCancelled(); ++k) {
          context.control().report("solve", 0.1 + k % 800 * 1e-3);
          QThread::msleep(1);
        }
      },
      [] {});
  QTRY_VERIFY_WITH_TIMEOUT(painted + paintedAtOnce > 4, kPatience);
  QVERIFY(bar->value() > 0);
  jobs.cancel();
  QCOMPARE(paintedAtOnce, 0);
}

HINESIGHT_TEST_RUN(runWindowTest<TestStatusPanel>)
#include "test_status_panel.moc"
