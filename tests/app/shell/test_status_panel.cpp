#include "app/app_fixture.hpp"
#include "app/jobs/jobs.hpp"
#include "app/shell/bars/status_panel.hpp"
#include "app/window_fixture.hpp"
#include "test_main.hpp"
#include "widgets/theme.hpp"

#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QStatusBar>
#include <QThread>
#include <QToolButton>
#include <QtTest>

#include <atomic>

using namespace hinesight;
using namespace hinesight::app;

/// What the status bar says of a job that runs.
class TestStatusPanel : public QObject
{
  Q_OBJECT

private slots:
  void progressIsPaintedWithWhatElseThereIsToPaint();
  void theBarStaysInItsPlaceWhenTheStageChanges();
  void textsKeepOffTheEdgeInAnotherTheme();

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
      JobKind{.name = "held"},
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

/// Also when another job waits.
void TestStatusPanel::theBarStaysInItsPlaceWhenTheStageChanges()
{
  std::atomic<bool> isNext = false;
  QMainWindow window;
  Jobs jobs;
  const StatusPanel panel(window.statusBar(), &jobs);
  const auto* bar = window.findChild<QProgressBar*>(QStringLiteral("jobProgress"));
  const auto* stage = window.findChild<QLabel*>(QStringLiteral("stageLabel"));
  const auto* waiting = window.findChild<QToolButton*>(QStringLiteral("waitingButton"));
  window.resize(1000, 200);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  jobs.submit(
      JobKind{.name = "held"},
      [&isNext](const JobContext& context) {
        while (!context.control().isCancelled()) {
          context.control().report(isNext ? "fit solver costs" : "solve", 0.5);
          QThread::msleep(1);
        }
      },
      [] {});
  QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible() && stage->text() == stageInWords(QStringLiteral("solve")), kPatience);
  QTRY_VERIFY(bar->width() > 0);
  const auto place = [&] {
    QCoreApplication::sendPostedEvents(); // what is to be laid out
    return QRect(bar->mapTo(&window, QPoint()), bar->size());
  };
  const QRect before = place();
  isNext = true;
  QTRY_COMPARE_WITH_TIMEOUT(stage->text(), stageInWords(QStringLiteral("fit solver costs")), kPatience);
  QCOMPARE(place(), before);
  jobs.submit(
      JobKind{.name = "next"}, [](const JobContext&) {}, [] {});
  QTRY_VERIFY_WITH_TIMEOUT(waiting->isVisible(), kPatience);
  QCOMPARE(place(), before);
  jobs.cancel();
  QTRY_VERIFY_WITH_TIMEOUT(jobs.isIdle(), kPatience);
}

/// Also where the window gets another theme before it is seen, as by --theme.
void TestStatusPanel::textsKeepOffTheEdgeInAnotherTheme()
{
  const widgets::ThemeMode before = widgets::theme().mode;
  QMainWindow window;
  Jobs jobs;
  StatusPanel panel(window.statusBar(), &jobs);
  panel.showResult(QStringLiteral("44.2 \u00b5s"));
  widgets::setTheme(before == widgets::ThemeMode::Dark ? widgets::ThemeMode::Light : widgets::ThemeMode::Dark);
  window.resize(1000, 200);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  const auto textOf = [&](const char* name) {
    const auto* label = window.findChild<QLabel*>(QLatin1String(name));
    return label->contentsRect().translated(label->mapTo(&window, QPoint()));
  };
  QVERIFY(textOf("resultLabel").left() >= 8);
  QVERIFY(textOf("memoryLabel").left() - textOf("deviceLabel").right() > 12);
  QVERIFY(window.width() - textOf("memoryLabel").right() > 8);
  widgets::setTheme(before);
}

HINESIGHT_TEST_RUN(runWindowTest<TestStatusPanel>)
#include "test_status_panel.moc"
