#include "app/jobs/job_runner.hpp"
#include "app_fixture.hpp"
#include "held_job.hpp"
#include "slowness.hpp"
#include "test_main.hpp"

#include <QSignalSpy>
#include <QtTest>

using namespace hinesight;
using namespace hinesight::app;

namespace {

constexpr int kPatience = 20'000 * tests::kSlowness; // ms; on a busy machine

PipelineRequest shortRequest(std::int32_t copies = 1)
{
  PipelineRequest request;
  request.cells = {{1, dataFile("bipolar.swc").toStdString()}};
  request.parameters.batch.copies = copies;
  return request;
}

/// Solves for an hour unless it is stopped.
PipelineRequest longRequest()
{
  PipelineRequest request = shortRequest(10'000);
  request.parameters.solve.repeat = 1'000'000;
  return request;
}

} // namespace

class TestJobRunner : public QObject
{
  Q_OBJECT

private slots:
  void findsDevices();
  void deliversOneResult();
  void tellsProgress();
  void newestRequestWins();
  void cancelsAtOnce();
  void cancelsWithoutWaiting();
  void stopsInTheMidstOfASolve();
  void cancelsNothingWhereNothingRuns();
  void reportsErrors();
  void endsWhileRunning();
};

void TestJobRunner::findsDevices()
{
  JobRunner runner;
  DeviceReport found;
  connect(&runner, &JobRunner::devicesFound, this, [&](const DeviceReport& report) { found = report; });
  QTRY_VERIFY_WITH_TIMEOUT(!found.processor.empty(), kPatience);
  QVERIFY(found.threads >= 1);
  // Either a device, or the reason why there is none.
  QCOMPARE(found.cudaDevices.empty(), !found.whyNoCuda.empty());
}

void TestJobRunner::deliversOneResult()
{
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  QSignalSpy read(&runner, &JobRunner::cellsRead);
  runner.request(shortRequest());
  QVERIFY(runner.isRunning());
  QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, kPatience);
  QCOMPARE(read.count(), 1);
  QVERIFY(!runner.isRunning());
  const auto outcome = finished[0][0].value<PipelineOutcome>();
  QVERIFY(outcome.record);
  QCOMPARE(outcome.record->cells, 1u);
}

void TestJobRunner::tellsProgress()
{
  JobRunner runner;
  QSignalSpy progressed(&runner, &JobRunner::progressed);
  runner.request(longRequest());
  QTRY_VERIFY_WITH_TIMEOUT(progressed.count() >= 3, kPatience);
  for (const QList<QVariant>& progress : progressed) {
    QVERIFY(!progress[0].toString().isEmpty());
    QVERIFY(progress[1].toDouble() >= 0 && progress[1].toDouble() <= 1);
  }
}

void TestJobRunner::newestRequestWins()
{
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  QSignalSpy cancelled(&runner, &JobRunner::cancelled);
  runner.request(longRequest());
  for (std::int32_t copies = 1; copies <= 20; ++copies)
    runner.request(shortRequest(copies));
  QTRY_VERIFY_WITH_TIMEOUT(!runner.isRunning(), kPatience);
  QCOMPARE(finished.count(), 1);
  QCOMPARE(cancelled.count(), 0);
  QCOMPARE(finished[0][0].value<PipelineOutcome>().record->cells, 20u);
}

void TestJobRunner::cancelsAtOnce()
{
  JobRunner runner;
  QSignalSpy cancelled(&runner, &JobRunner::cancelled);
  QSignalSpy finished(&runner, &JobRunner::finished);
  runner.request(longRequest());
  runner.cancel();
  QCOMPARE(cancelled.count(), 1);
  QVERIFY(!runner.isRunning());

  // Nothing of it comes any more, and the runner is as good as new.
  runner.request(shortRequest(3));
  QVERIFY(finished.wait(kPatience));
  QCOMPARE(finished.count(), 1);
  QCOMPARE(finished[0][0].value<PipelineOutcome>().record->cells, 3u);
  QCOMPARE(cancelled.count(), 1);
}

/// Whatever the worker does just then; and it does no more of it.
void TestJobRunner::cancelsWithoutWaiting()
{
  HeldJob job(HeldJob::Until::Released);
  JobRunner runner;
  const QSignalSpy cancelled(&runner, &JobRunner::cancelled);
  runner.request(job.request());
  QVERIFY(job.waitUntilHeld());
  runner.cancel();
  QCOMPARE(cancelled.count(), 1);
  QVERIFY(!runner.isIdle());
  job.release();
  QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
  QVERIFY(!job.wentOn());
}

void TestJobRunner::stopsInTheMidstOfASolve()
{
  JobRunner runner;
  QSignalSpy finished(&runner, &JobRunner::finished);
  QString stage;
  connect(&runner, &JobRunner::progressed, this, [&](const QString& name) { stage = name; });
  runner.request(longRequest());
  QTRY_COMPARE_WITH_TIMEOUT(stage, QStringLiteral("solve"), kPatience);
  runner.cancel();
  QTRY_VERIFY_WITH_TIMEOUT(runner.isIdle(), kPatience);
  runner.request(shortRequest());
  QVERIFY(finished.wait(kPatience));
}

void TestJobRunner::cancelsNothingWhereNothingRuns()
{
  JobRunner runner;
  QSignalSpy cancelled(&runner, &JobRunner::cancelled);
  QSignalSpy finished(&runner, &JobRunner::finished);
  runner.cancel();
  runner.request(shortRequest());
  QVERIFY(finished.wait(kPatience));
  runner.cancel();
  runner.request(shortRequest(2));
  QVERIFY(finished.wait(kPatience));
  QCOMPARE(cancelled.count(), 0);
}

void TestJobRunner::reportsErrors()
{
  JobRunner runner;
  std::optional<Error> failure;
  connect(&runner, &JobRunner::failed, this, [&](const Error& error) { failure = error; });
  runner.request(shortRequest(0));
  QTRY_VERIFY_WITH_TIMEOUT(failure, kPatience);
  QCOMPARE(failure->code(), ErrorCode::BadParameter);
  QVERIFY(!runner.isRunning());
}

void TestJobRunner::endsWhileRunning()
{
  HeldJob job(HeldJob::Until::Cancelled);
  {
    JobRunner runner;
    runner.request(job.request());
    QVERIFY(job.waitUntilHeld());
  }
  QVERIFY2(!job.wentOn(), "the runner waited for its job instead of stopping it");
}

HINESIGHT_TEST(TestJobRunner)
#include "test_job_runner.moc"
