#include "core/parallel.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace hinesight;

class TestParallel : public QObject
{
  Q_OBJECT

private slots:
  void visitsEveryItemOnce_data()
  {
    QTest::addColumn<qulonglong>("count");
    QTest::addColumn<qulonglong>("grain");
    QTest::addColumn<int>("threads");
    for (const qulonglong count : {0ULL, 1ULL, 7ULL, 100'003ULL})
      for (const qulonglong grain : {0ULL, 1ULL, 64ULL, 1'000'000ULL})
        for (const int threads : {0, 1, 3})
          QTest::addRow("%llu items, grain %llu, %d threads", count, grain, threads) << count << grain << threads;
  }
  void visitsEveryItemOnce()
  {
    QFETCH(qulonglong, count);
    QFETCH(qulonglong, grain);
    QFETCH(int, threads);
    std::vector<std::atomic<int>> visits(count);
    parallelFor(
        count, grain,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            ++visits[i];
        },
        threads);
    for (const auto& visit : visits)
      QCOMPARE(visit.load(), 1);
  }

  void keepsTheGrain()
  {
    std::atomic<std::size_t> smallest{1'000'000};
    constexpr std::size_t kCount = 10'000;
    constexpr std::size_t kGrain = 512;
    parallelFor(kCount, kGrain, [&](std::size_t begin, std::size_t end) {
      std::size_t known = smallest;
      while (end - begin < known && !smallest.compare_exchange_weak(known, end - begin)) {
      }
    });
    // A range is halved as long as it is longer than the grain.
    QVERIFY(smallest >= kGrain / 2);
  }

  void runsOnTheCallingThreadAloneWhenTold()
  {
    const auto caller = std::this_thread::get_id();
    int calls = 0;
    parallelFor(
        1000, 1,
        [&](std::size_t begin, std::size_t end) {
          ++calls;
          QCOMPARE(begin, std::size_t{0});
          QCOMPARE(end, std::size_t{1000});
          QVERIFY(std::this_thread::get_id() == caller);
        },
        1);
    QCOMPARE(calls, 1);
  }

  void throwsWhatABodyThrows_data()
  {
    QTest::addColumn<int>("threads");
    QTest::newRow("alone") << 1;
    QTest::newRow("together") << 0;
  }
  void throwsWhatABodyThrows()
  {
    QFETCH(int, threads);
    const auto run = [&] {
      parallelFor(
          1000, 1,
          [](std::size_t begin, std::size_t end) {
            if (begin <= 500 && 500 < end)
              throw Error(ErrorCode::Cancelled, "stop");
          },
          threads);
    };
    QVERIFY_EXCEPTION_THROWN(run(), Error);
  }

  void knowsHowManyThreadsThereAre() { QVERIFY(hardwareThreads() >= 1); }
};

HINESIGHT_TEST(TestParallel)
#include "test_parallel.moc"
