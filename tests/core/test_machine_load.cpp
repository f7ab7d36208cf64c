#include "core/machine_load.hpp"
#include "slowness.hpp"
#include "test_main.hpp"

#include <QProcess>
#include <QTest>

#include <chrono>
#include <thread>
#include <vector>

using namespace hinesight;

class TestMachineLoad : public QObject
{
  Q_OBJECT

  static void work(std::chrono::milliseconds time)
  {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
  }

private slots:
  /// Whoever else works here meanwhile is seen as well: only the least is known.
  void seesAnotherProgram()
  {
    QProcess busy;
    busy.start("/bin/sh", {"-c", "while :; do :; done"});
    QVERIFY(busy.waitForStarted());
    const MachineLoad load;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    const double others = load.others();
    busy.kill();
    busy.waitForFinished();
    QVERIFY2(others > 0.3, qPrintable(QString::number(others)));
  }

  /// Between two looks at a quiet machine.
  void doesNotCountThisProgram()
  {
    constexpr std::chrono::milliseconds kTime(300);
    const auto othersWhile = [](const auto& doThis) {
      const MachineLoad load;
      doThis();
      return load.others();
    };
    const auto isQuiet = [&] { return othersWhile([&] { std::this_thread::sleep_for(kTime); }) < 0.05; };
    for (int i = 0; i < 10; ++i) {
      if (!isQuiet())
        continue;
      const double others = othersWhile([&] {
        std::thread other([&] { work(kTime); });
        work(kTime);
        other.join();
      });
      if (!isQuiet())
        continue;
      QVERIFY2(others <= 0.2, qPrintable(QString::number(others)));
      return;
    }
    QSKIP("Other programs keep the machine busy");
  }

  void tellsNothingOfAMoment()
  {
    const MachineLoad load;
    QCOMPARE(load.others(), 0.0);
  }
};

HINESIGHT_TEST(TestMachineLoad)

#include "test_machine_load.moc"
