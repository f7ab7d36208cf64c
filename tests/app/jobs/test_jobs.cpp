#include "app/held_job.hpp"
#include "app/jobs/device_report.hpp"
#include "app/jobs/jobs.hpp"
#include "slowness.hpp"
#include "test_main.hpp"

#include <QSemaphore>
#include <QSignalSpy>
#include <QtTest>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kPatience = 20'000 * tests::kSlowness; // ms; on a busy machine

constexpr JobKind kSum{.name = "sum", .stage = "adding"};
constexpr JobKind kOther{.name = "other"};
constexpr JobKind kEach{.name = "each", .newestWins = false};
constexpr JobKind kQuiet{.name = "quiet", .isQuiet = true};
constexpr JobKind kYielding{.name = "yielding", .isQuiet = true, .yields = true};

/// How jobs ended, in their order.
struct Ends
{
  QStringList list;

  JobEnds of(const QString& name)
  {
    return {[this, name](const Error& error) {
              list << name + QStringLiteral(" failed: ") + QString::fromUtf8(errorCodeName(error.code()).data());
            },
            [this, name] { list << name + QStringLiteral(" cancelled"); }};
  }
  void submit(Jobs& jobs, const JobKind& kind, int value)
  {
    const QString name = QString::number(value);
    jobs.submit(
        kind, [value](const JobContext&) { return value; }, [this](int result) { list << QString::number(result); },
        of(name));
  }
};

} // namespace

class TestJobs : public QObject
{
  Q_OBJECT

private slots:
  void findsDevices();
  void deliversOneResult();
  void tellsProgress();
  void newestOfAKindWins();
  void otherKindsWait();
  void jobsThatAreAllWantedAreAllDone();
  void cancelsAtOnce();
  void cancelsWithoutWaiting();
  void cancelsWhatIsShown();
  void cancelsNothingWhereNothingRuns();
  void reportsErrors_data();
  void reportsErrors();
  void endsWhileRunning();
  void longJobsLetOthersRun();
  void quietJobsAreNotShown();
  void listsWhatRunsAndWaits();
  void cancelsOneThatWaits();
  void timeIsCountedAnewWhenAJobBegins();
  void whatYieldsEndsForOthers();
};

void TestJobs::findsDevices()
{
  const DeviceReport found = app::findDevices();
  QVERIFY(!found.processor.empty());
  QVERIFY(found.threads >= 1);
  // Either a device, or the reason why there is none.
  QCOMPARE(found.cudaDevices.empty(), !found.whyNoCuda.empty());
}

void TestJobs::deliversOneResult()
{
  Jobs jobs;
  Ends ends;
  const QSignalSpy delivered(&jobs, &Jobs::delivered);
  ends.submit(jobs, kSum, 7);
  QVERIFY(jobs.isActive() && jobs.isActive(kSum) && !jobs.isActive(kOther));
  QVERIFY(jobs.current()->kind == kSum);
  QTRY_COMPARE_WITH_TIMEOUT(delivered.count(), 1, kPatience);
  QCOMPARE(ends.list, QStringList{"7"});
  QVERIFY(!jobs.isActive());
}

void TestJobs::tellsProgress()
{
  HeldJob job(HeldJob::Until::Cancelled);
  Jobs jobs;
  QStringList stages;
  connect(&jobs, &Jobs::progressed, this, [&](const JobKind& kind, const QString& stage, double fraction) {
    stages << QStringLiteral("%1: %2 %3").arg(QLatin1String(kind.name.data()), stage).arg(fraction);
  });
  jobs.submit(
      kSum,
      [](const JobContext& context) {
        for (const char* stage : {"adding", "checking"})
          for (int i = 0; i < 1000; ++i)
            context.control().report(stage, i * 1e-3);
      },
      [] {});
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  // Every stage, and not every report.
  QVERIFY(stages.contains(QStringLiteral("sum: adding 0")));
  QVERIFY(stages.contains(QStringLiteral("sum: checking 0")));
  QVERIFY(stages.size() < 1000);
}

void TestJobs::newestOfAKindWins()
{
  HeldJob job(HeldJob::Until::Cancelled);
  Jobs jobs;
  Ends ends;
  const QSignalSpy cancelled(&jobs, &Jobs::cancelled);
  job.submitTo(jobs, kSum);
  QVERIFY(job.waitUntilHeld());
  for (int value = 1; value <= 20; ++value)
    ends.submit(jobs, kSum, value);
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, QStringList{"20"});
  QCOMPARE(cancelled.count(), 0);
  QVERIFY(!job.wentOn());
}

void TestJobs::otherKindsWait()
{
  HeldJob job(HeldJob::Until::Released);
  Jobs jobs;
  Ends ends;
  job.submitTo(jobs, {.name = "first"});
  ends.submit(jobs, kSum, 1);
  ends.submit(jobs, kOther, 2);
  ends.submit(jobs, kSum, 3);
  QVERIFY(job.waitUntilHeld());
  QCOMPARE(jobs.waiting(), 2);
  job.release();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, (QStringList{"2", "3"}));
  QVERIFY(job.wentOn());
}

void TestJobs::jobsThatAreAllWantedAreAllDone()
{
  Jobs jobs;
  Ends ends;
  for (int value = 1; value <= 3; ++value)
    ends.submit(jobs, kEach, value);
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, (QStringList{"1", "2", "3"}));
}

void TestJobs::cancelsAtOnce()
{
  Jobs jobs;
  Ends ends;
  ends.submit(jobs, kSum, 1);
  jobs.cancel();
  QCOMPARE(ends.list, QStringList{"1 cancelled"});
  QVERIFY(!jobs.isActive());

  QTRY_VERIFY_WITH_TIMEOUT(jobs.isIdle(), kPatience); // also where the worker had not begun it

  // Nothing of it comes any more, and the queue is as good as new.
  ends.submit(jobs, kSum, 2);
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, (QStringList{"1 cancelled", "2"}));
}

/// Whatever the worker does just then; and it does no more of it.
void TestJobs::cancelsWithoutWaiting()
{
  HeldJob job(HeldJob::Until::Released);
  Jobs jobs;
  const QSignalSpy cancelled(&jobs, &Jobs::cancelled);
  job.submitTo(jobs);
  QVERIFY(job.waitUntilHeld());
  jobs.cancel();
  QCOMPARE(cancelled.count(), 1);
  QVERIFY(!jobs.isIdle());
  job.release();
  QTRY_VERIFY_WITH_TIMEOUT(jobs.isIdle(), kPatience);
  QVERIFY(!job.wentOn());
}

/// Not what waits behind it.
void TestJobs::cancelsWhatIsShown()
{
  HeldJob job(HeldJob::Until::Cancelled);
  Jobs jobs;
  Ends ends;
  job.submitTo(jobs, {.name = "first"});
  ends.submit(jobs, kSum, 1);
  ends.submit(jobs, kOther, 2);
  QVERIFY(job.waitUntilHeld());
  QCoreApplication::processEvents();
  QCOMPARE(jobs.current()->kind.name, std::string_view("first"));
  jobs.cancel();
  jobs.cancel(kOther);
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, (QStringList{"2 cancelled", "1"}));
}

void TestJobs::cancelsNothingWhereNothingRuns()
{
  Jobs jobs;
  const QSignalSpy cancelled(&jobs, &Jobs::cancelled);
  jobs.cancel();
  jobs.cancel(kSum);
  QCOMPARE(cancelled.count(), 0);
  jobs.cancel(7);
  QVERIFY(!jobs.current());
  QVERIFY(jobs.list().empty());
}

void TestJobs::reportsErrors_data()
{
  QTest::addColumn<std::function<void()>>("fail");
  QTest::addColumn<QString>("end");
  QTest::newRow("expected") << std::function<void()>([] { throw Error(ErrorCode::BadFormat, "is damaged", "a.swc"); })
                            << "1 failed: badFormat";
  QTest::newRow("memory") << std::function<void()>([] { throw std::bad_alloc(); }) << "1 failed: outOfMemory";
  QTest::newRow("defect") << std::function<void()>([] { throw std::logic_error("no such thing"); })
                          << "1 failed: unexpected";
}

void TestJobs::reportsErrors()
{
  QFETCH(std::function<void()>, fail);
  QFETCH(QString, end);
  Jobs jobs;
  Ends ends;
  const QSignalSpy failed(&jobs, &Jobs::failed);
  jobs.submit(
      kSum, [fail](const JobContext&) { fail(); }, [&] { ends.list << "delivered"; }, ends.of("1"));
  QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatience);
  QCOMPARE(ends.list, QStringList{end});
  QVERIFY(!jobs.isActive());
}

void TestJobs::endsWhileRunning()
{
  HeldJob job(HeldJob::Until::Cancelled);
  {
    Jobs jobs;
    job.submitTo(jobs);
    QVERIFY(job.waitUntilHeld());
  }
  QVERIFY2(!job.wentOn(), "the queue waited for its job instead of stopping it");
}

/// In their pauses; and no other long one, which would keep them waiting.
void TestJobs::longJobsLetOthersRun()
{
  HeldJob job(HeldJob::Until::Released);
  Jobs jobs;
  Ends ends;
  job.submitTo(jobs);
  QVERIFY(job.waitUntilHeld());
  ends.submit(jobs, {.name = "long too", .isLong = true}, 2);
  ends.submit(jobs, kSum, 1);
  connect(&jobs, &Jobs::delivered, this, [&](const JobKind& kind) { ends.list << QLatin1String(kind.name.data()); });
  job.release();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, (QStringList{"1", "sum", "held", "2", "long too"}));
}

void TestJobs::quietJobsAreNotShown()
{
  HeldJob job(HeldJob::Until::Released);
  Jobs jobs;
  job.submitTo(jobs, kQuiet);
  QVERIFY(job.waitUntilHeld());
  QCoreApplication::processEvents();
  QVERIFY(!jobs.isActive());
  QVERIFY(jobs.isActive(kQuiet));
  jobs.cancel();
  job.release();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(kQuiet), kPatience);
  QVERIFY(job.wentOn());
}

void TestJobs::listsWhatRunsAndWaits()
{
  QSemaphore released;
  Jobs jobs;
  Ends ends;
  jobs.submit(
      kSum,
      [&](const JobContext& context) {
        context.control().report("checking", 0.5);
        while (!context.control().isCancelled() && !released.tryAcquire(1, 10))
          ;
      },
      [] {});
  ends.submit(jobs, kEach, 1);
  ends.submit(jobs, kQuiet, 2);
  ends.submit(jobs, kEach, 3);
  QTRY_COMPARE_WITH_TIMEOUT(jobs.list().front().fraction, 0.5, kPatience);
  const std::vector<JobState> list = jobs.list();
  QCOMPARE(list.size(), std::size_t(3));
  QVERIFY(list[0].kind == kSum && list[1].kind == kEach && list[2].kind == kEach);
  QCOMPARE(list[0].stage, QStringLiteral("checking"));
  QCOMPARE(list[1].stage, QStringLiteral("read"));
  QVERIFY(list[0].isRunning && !list[1].isRunning && !list[2].isRunning);
  QVERIFY(list[0].id != list[1].id && list[1].id != list[2].id);
  QVERIFY(list[1].elapsed >= list[2].elapsed); // both wait since they were submitted
  released.release();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QVERIFY(jobs.list().empty());
}

/// And nothing else, also of its kind.
void TestJobs::cancelsOneThatWaits()
{
  HeldJob job(HeldJob::Until::Released);
  Jobs jobs;
  Ends ends;
  const QSignalSpy cancelled(&jobs, &Jobs::cancelled);
  job.submitTo(jobs);
  QVERIFY(job.waitUntilHeld());
  for (int value = 1; value <= 3; ++value)
    ends.submit(jobs, kEach, value);
  const std::uint64_t second = jobs.list()[2].id;
  jobs.cancel(second);
  QCOMPARE(ends.list, QStringList{"2 cancelled"});
  QCOMPARE(jobs.list().size(), std::size_t(3));
  jobs.cancel(second); // it is there no more
  job.release();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, (QStringList{"2 cancelled", "1", "3"}));
  QCOMPARE(cancelled.count(), 1);
  QVERIFY(job.wentOn());
}

void TestJobs::timeIsCountedAnewWhenAJobBegins()
{
  HeldJob first(HeldJob::Until::Released), second(HeldJob::Until::Released);
  Jobs jobs;
  first.submitTo(jobs, {.name = "first"});
  second.submitTo(jobs, {.name = "second"});
  QVERIFY(first.waitUntilHeld());
  QTRY_VERIFY_WITH_TIMEOUT(jobs.list()[1].elapsed > 300, kPatience);
  first.release();
  QVERIFY(second.waitUntilHeld());
  QTRY_VERIFY_WITH_TIMEOUT(jobs.current()->isRunning && jobs.current()->kind.name == "second", kPatience);
  QVERIFY(jobs.current()->elapsed < 300);
  second.release();
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
}

void TestJobs::whatYieldsEndsForOthers()
{
  HeldJob job(HeldJob::Until::Cancelled);
  Jobs jobs;
  Ends ends;
  job.submitTo(jobs, kYielding);
  QVERIFY(job.waitUntilHeld());
  ends.submit(jobs, kSum, 1);
  QTRY_VERIFY_WITH_TIMEOUT(!jobs.isActive(), kPatience);
  QCOMPARE(ends.list, QStringList{"1"});
  QVERIFY(!job.wentOn());
}

HINESIGHT_TEST(TestJobs)
#include "test_jobs.moc"
