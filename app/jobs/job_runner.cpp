#include "app/jobs/job_runner.hpp"

#include "core/parallel.hpp"
#include "hines/choice/cost_cache.hpp"

#include "io/tables/projection_export.hpp"

#include <QMetaObject>

#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace hinesight::app {

namespace {

constexpr std::int64_t kProgressInterval = 100; ///< ms; a repaint of the window may take 50 on software OpenGL

std::int64_t steadyMilliseconds()
{
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

DeviceReport findDevices()
{
  DeviceReport report;
  report.processor = processorName();
  report.threads = hardwareThreads();
  report.cudaDevices = cudaDevices();
  try {
    requireCudaDevice();
  } catch (const Error& error) {
    report.whyNoCuda = error.message();
  }
  return report;
}

} // namespace

JobRunner::JobRunner(QObject* parent) : QObject(parent), worker([this] { work(); }) {}

JobRunner::~JobRunner()
{
  newestControl.cancel();
  {
    const std::lock_guard lock(mutex);
    quitting = true;
    waiting.reset();
  }
  wake.notify_one();
  worker.join();
}

void JobRunner::request(PipelineRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(BenchmarkRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(ProjectionRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(TableOpenRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(TableExportRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(ProjectionBenchmarkRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(FormationRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::request(NetworkExportRequest request)
{
  start({0, std::move(request), {}});
}

void JobRunner::start(Job job)
{
  newestControl.cancel();
  ++newest;
  newestControl = makeControl(newest);
  job.number = newest;
  job.control = newestControl;
  running = true;
  newestKind = static_cast<Kind>(job.request.index());
  watch.lap();
  {
    const std::lock_guard lock(mutex);
    waiting = std::move(job);
    idle = false;
  }
  wake.notify_one();
  emit started();
}

void JobRunner::cancel()
{
  if (!running)
    return;
  newestControl.cancel();
  ++newest; // whatever the job still has to say is not heard
  running = false;
  emit ended();
  emit cancelled();
}

/// A control whose progress reaches `progressed`: every change of the stage, and in between so thinned out that the
/// event queue never fills with it.
RunControl JobRunner::makeControl(std::uint64_t number)
{
  struct Told
  {
    std::mutex mutex;
    std::string stage;
    std::int64_t time = 0;
  };
  return RunControl([this, number, told = std::make_shared<Told>()](std::string_view stage, double fraction) {
    const std::int64_t now = steadyMilliseconds();
    {
      const std::lock_guard lock(told->mutex);
      if (stage == told->stage && now - told->time < kProgressInterval)
        return;
      told->stage = stage;
      told->time = now;
    }
    deliver(number, [this, name = QString::fromUtf8(stage.data(), static_cast<qsizetype>(stage.size())), fraction] {
      emit progressed(name, fraction);
    });
  });
}

void JobRunner::work()
{
  QMetaObject::invokeMethod(
      this, [this, report = findDevices()] { emit devicesFound(report); }, Qt::QueuedConnection);
  while (true) {
    Job job;
    {
      std::unique_lock lock(mutex);
      idle = !waiting;
      wake.wait(lock, [this] { return quitting || waiting; });
      if (quitting)
        return;
      job = std::move(*waiting);
      waiting.reset();
    }
    runJob(job);
  }
}

void JobRunner::runJob(const Job& job)
{
  const auto fail = [&](const Error& error) { deliverEnd(job.number, [this, error] { emit failed(error); }); };
  try {
    std::visit([&](const auto& request) { run(job, request); }, job.request);
  } catch (const Error& error) {
    // Whoever cancelled a job knows already.
    if (error.code() != ErrorCode::Cancelled)
      fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorCode::OutOfMemory,
               "The run needs more memory than is free; choose fewer cells, compartments or neurons."));
  } catch (const std::exception& unexpected) {
    fail(Error(ErrorCode::DeviceFailure, std::string("The run failed: ") + unexpected.what() + "."));
  }
}

void JobRunner::run(const Job& job, const PipelineRequest& request)
{
  PipelineObserver observer;
  observer.cellsRead = [&](const std::vector<CellReading>& readings) {
    deliver(job.number, [this, readings] { emit cellsRead(readings); });
  };
  observer.sceneReady = [&](const PipelineOutcome& outcome) {
    deliver(job.number, [this, outcome] { emit sceneReady(outcome); });
  };
  const PipelineOutcome outcome = pipeline.run(request, job.control, observer);
  deliverEnd(job.number, [this, outcome] { emit finished(outcome); });
}

void JobRunner::run(const Job& job, const BenchmarkRequest& request)
{
  const auto tell = [&](const hines::BenchmarkRow& row) {
    deliver(job.number, [this, row] { emit benchmarkRow(row); });
  };
  for (const hines::BenchmarkCase& one : request.cases)
    hines::fitCostsForAuto(one.solve, job.control);
  hines::runBenchmark(request.cases, request.parameters, tell, job.control);
  deliverEnd(job.number, [this] { emit benchmarkFinished(); });
}

void JobRunner::run(const Job& job, const ProjectionRequest& request)
{
  const auto result = projectionPipeline.run(request, job.control);
  if (const auto* question = std::get_if<SizeQuestion>(&result))
    return deliverEnd(job.number, [this, asked = *question] { emit projectionAsked(asked); });
  const auto& outcome = std::get<ProjectionOutcome>(result);
  deliverEnd(job.number, [this, outcome] { emit projectionFinished(outcome); });
  projectionPipeline.makeReady(*outcome.table, job.control); // a newer request ends it
}

void JobRunner::run(const Job& job, const TableOpenRequest& request)
{
  const OpenedTable opened = projectionPipeline.open(request, job.control);
  deliverEnd(job.number, [this, opened] { emit tableOpened(opened); });
}

void JobRunner::run(const Job& job, const TableExportRequest& request)
{
  job.control.report("export", 0);
  io::exportTable(*request.table, request.path, job.control);
  deliverEnd(job.number, [this, path = QString::fromStdString(request.path)] { emit tableExported(path); });
}

void JobRunner::run(const Job& job, const ProjectionBenchmarkRequest& request)
{
  const auto tell = [&](const projection::BenchmarkPoint& point) {
    deliver(job.number, [this, point] { emit projectionBenchmarkPoint(point); });
  };
  projection::runBenchmark(request.parameters, tell, job.control);
  deliverEnd(job.number, [this] { emit benchmarkFinished(); });
}

void JobRunner::run(const Job& job, const FormationRequest& request)
{
  const FormationOutcome outcome = formationPipeline.run(request, job.control);
  deliverEnd(job.number, [this, outcome] { emit formationFinished(outcome); });
}

void JobRunner::run(const Job& job, const NetworkExportRequest& request)
{
  job.control.report("export", 0);
  exportNetwork(request, job.control);
  deliverEnd(job.number, [this, path = QString::fromStdString(request.path)] { emit tableExported(path); });
}

void JobRunner::deliver(std::uint64_t number, std::function<void()> tell)
{
  QMetaObject::invokeMethod(
      this,
      [this, number, tell = std::move(tell)] {
        if (running && number == newest)
          tell();
      },
      Qt::QueuedConnection);
}

void JobRunner::deliverEnd(std::uint64_t number, std::function<void()> tell)
{
  deliver(number, [this, tell = std::move(tell)] {
    running = false;
    emit ended();
    tell();
  });
}

} // namespace hinesight::app
