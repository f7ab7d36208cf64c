#include "core/parallel.hpp"

#include "core/error.hpp"
#include "test_main.hpp"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include <sys/resource.h>

using namespace hinesight;

namespace {

/// What this process may take of addresses, until it goes.
class AddressLimit
{
public:
  explicit AddressLimit(rlim_t bytes)
  {
    getrlimit(RLIMIT_AS, &before);
    rlimit less = before;
    less.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &less);
  }
  ~AddressLimit() { setrlimit(RLIMIT_AS, &before); }

private:
  rlimit before{};
};

/// Bytes of addresses that this process has.
rlim_t addressesInUse()
{
  QFile file("/proc/self/statm");
  if (!file.open(QIODevice::ReadOnly))
    qFatal("there is no /proc/self/statm");
  return file.readAll().split(' ').front().toULongLong() * 4096;
}

bool visitsAllOnce(std::size_t count, std::size_t grain, int threads)
{
  std::vector<std::atomic<int>> visits(count);
  parallelFor(
      count, grain,
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          ++visits[i];
      },
      threads);
  return std::all_of(visits.begin(), visits.end(), [](const auto& visit) { return visit.load() == 1; });
}

} // namespace

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
    QVERIFY(visitsAllOnce(count, grain, threads));
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
    QVERIFY(smallest >= kGrain);
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

  void runsLoopsInsideLoops()
  {
    std::atomic<int> inner{0};
    parallelFor(8, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        parallelFor(
            100, 1, [&](std::size_t from, std::size_t to) { inner += static_cast<int>(to - from); }, 4);
    });
    QCOMPARE(inner.load(), 800);
  }

  void servesSeveralThreadsAtATime()
  {
    std::atomic<int> right{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 4; ++caller)
      callers.emplace_back([&right, caller] {
        for (int round = 0; round < 50; ++round)
          right += visitsAllOnce(1000, 1, 1 + caller) ? 1 : 0;
      });
    for (std::thread& caller : callers)
      caller.join();
    QCOMPARE(right.load(), 200);
  }

  void doesWithoutThreadsThatCannotBeMade()
  {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer takes more addresses than can be limited");
#endif
    constexpr int kThreads = 500;
    constexpr rlim_t kRoom = rlim_t{64} << 20; // for the stacks of a few
    const AddressLimit limit(addressesInUse() + kRoom);
    QVERIFY(visitsAllOnce(100'000, 1, kThreads));
    QVERIFY_EXCEPTION_THROWN(
        parallelFor(
            kThreads, 1, [](std::size_t, std::size_t) { throw Error(ErrorCode::Cancelled, ""); }, kThreads),
        Error);
  }

  void knowsHowManyThreadsThereAre()
  {
    QVERIFY(hardwareThreads() >= 1);
  }
};

HINESIGHT_TEST(TestParallel)
#include "test_parallel.moc"
