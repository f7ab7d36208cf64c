#pragma once

#include "app/window_fixture.hpp"
#include "benchmark/window/busy_watch.hpp"
#include "run_again.hpp"

#include <QtTest>

#include <functional>

namespace hinesight::app {

/// The real main window, and what keeps its thread busy for long while a person does something: then nothing is seen to
/// move. Of a WatchedApplication.
class ThreadWatch : public WindowFixture
{
public:
  /// ms of the thread's own processor time in an event, drawing by software OpenGL left out: what other programs do
  /// meanwhile, and how many cores they leave, does not count.
  static constexpr double kMost = kSilent * tests::kSlowness;

  static WatchedApplication& application() { return *static_cast<WatchedApplication*>(qApp); }

  /// Does something as an event does it, and all that follows from it: jobs, then `afterwards` ms.
  void watch(const QString& what, const std::function<void()>& act, int afterwards = 0)
  {
    application().watchAnew();
    QMetaObject::invokeMethod(window.get(), act, Qt::QueuedConnection);
    QCoreApplication::processEvents();
    QVERIFY(QTest::qWaitFor([this] { return !window->isOpening() && !window->jobs().isActive(); }, 4 * kPatience));
    QCoreApplication::processEvents();
    if (afterwards > 0)
      QTest::qWait(afterwards);
    takeBlocks(what);
  }

  void takeBlocks(const QString& what)
  {
    for (const Silence& silence : application().times().silences)
      if (const double own = silence.own - silence.drawing; own > kMost)
        blocks << QStringLiteral("%1: %2 ms by event %3").arg(what).arg(own, 0, 'f', 0).arg(silence.during);
  }

  /// At the end of a test, which has this name: fails where the same was too long in each of several runs.
  void judge(const char* test)
  {
    constexpr int kRuns = 4;
    if (isRunAgain())
      return writeBlocks(blocks);
    const auto actionOf = [](const QString& block) { return block.section(QLatin1Char(':'), 0, 0); };
    for (int run = 1; run < kRuns && !blocks.isEmpty(); ++run) {
      qInfo("too long in run %d: %s", run, qPrintable(blocks.join(QStringLiteral("; "))));
      QStringList again;
      for (const QString& block : blocksOfAnotherRun(test))
        again << actionOf(block);
      blocks.removeIf([&](const QString& block) { return !again.contains(actionOf(block)); });
    }
    QVERIFY2(blocks.isEmpty(), qPrintable(blocks.join(QLatin1Char('\n'))));
  }

private:
  QStringList blocks;
};

} // namespace hinesight::app
