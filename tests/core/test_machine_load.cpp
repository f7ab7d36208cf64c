#include "core/machine_load.hpp"
#include "slowness.hpp"
#include "test_main.hpp"

#include <QProcess>
#include <QTest>

#include <chrono>
#include <cmath>
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
  void subtractsThisProgramAndWhatTicksMayHide()
  {
    const ProcessorTimes before{100, 50, 2};
    QCOMPARE(processorsOfOthers(before, {102, 52, 2}, 1), 0.0);
    QVERIFY(std::abs(processorsOfOthers(before, {102, 51, 2}, 1) - 0.972) < 1e-9); // 28 ms may be an error
    QVERIFY(std::abs(processorsOfOthers(before, {102, 51, 2}, 2) - 0.486) < 1e-9);
    QCOMPARE(processorsOfOthers(before, {100.02, 50, 2}, 0.05), 0.0); // two ticks tell nothing
    QCOMPARE(processorsOfOthers(before, {100, 51, 2}, 1), 0.0);
    QCOMPARE(processorsOfOthers(before, {102, 51, 2}, 0), 0.0);
  }

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
