#include "app/jobs/jobs.hpp"

#include "core/device.hpp"
#include "core/stage_timings.hpp"

#include <QDir>
#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

namespace hinesight::app {

namespace {

constexpr std::int64_t kProgressInterval = 100; ///< ms; a repaint of the window may take 50 on software OpenGL

std::int64_t steadyMilliseconds()
{
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

QString textOf(std::string_view utf8)
{
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace

JobTask::JobTask(const JobKind& ofKind, QString ofObject, QString doneToIt)
    : kind(ofKind), object(std::move(ofObject)), work(doneToIt.isEmpty() ? textOf(kind.name) : std::move(doneToIt))
{}

QString JobTask::several(const QStringList& names)
{
  if (names.size() < 2)
    return names.value(0);
  return Jobs::tr("%1 and %2 more").arg(QDir(names.front()).dirName()).arg(names.size() - 1);
}

QString JobTask::name() const
{
  if (object.isEmpty())
    return work;
  return Jobs::tr("%1: %2").arg(work, QDir::isAbsolutePath(object) ? QDir(object).dirName() : object);
}

QString JobTask::wholeName() const
{
  return object.isEmpty() ? work : Jobs::tr("%1: %2").arg(work, object);
}

struct JobContext::Job
{
  std::uint64_t id;
  JobKind kind;
  QString name;
  QString wholeName;
  Jobs::Work work;
  JobEnds ends;
  RunControl control = {};
  // As the thread of Jobs has heard.
  QString stage = textOf(kind.stage);
  double fraction = 0;
  bool isBegun = false;
  Stopwatch since = {}; ///< since it was begun, before that since it was submitted
};

const RunControl& JobContext::control() const
{
  return job->control;
}

void JobContext::post(std::function<void()> say) const
{
  jobs->post(job, std::move(say));
}

void JobContext::tell(std::function<void()> say) const
{
  QMetaObject::invokeMethod(jobs, std::move(say), Qt::QueuedConnection);
}

bool JobContext::letOthersRun() const
{
  return jobs->runOthers();
}

Jobs::Jobs(QObject* parent) : QObject(parent), worker([this] { work(); }) {}

Jobs::~Jobs()
{
  {
    const std::lock_guard lock(mutex);
    quitting = true;
    queue.clear();
  }
  for (const auto& job : active)
    job->control.cancel();
  wake.notify_one();
  worker.join();
}

void Jobs::start(const JobTask& task, Work work, JobEnds ends)
{
  const JobKind& kind = task.kind;
  auto job = std::make_shared<Job>(
      Job{++submittedJobs, kind, task.name(), task.wholeName(), std::move(work), std::move(ends)});
  job->control = controlOf(job);
  for (const auto& older : std::vector(active)) {
    const bool isReplaced = kind.newestWins && older->kind == kind;
    if (isReplaced || (older->kind.yields && !kind.isQuiet))
      drop(older);
  }
  active.push_back(job);
  {
    const std::lock_guard lock(mutex);
    queue.push_back(std::move(job));
  }
  wake.notify_one();
  emit submitted(kind);
}

// ---- on the thread of Jobs ----

std::shared_ptr<Jobs::Job> Jobs::currentJob() const
{
  std::shared_ptr<Job> shown;
  for (const auto& job : active)
    if (!job->kind.isQuiet && (!shown || job->isBegun))
      shown = job;
  return shown;
}

JobState Jobs::stateOf(const Job& job) const
{
  const bool isRunning = job.isBegun && currentJob().get() == &job; // else it may pause for that one
  return {job.id, job.kind, job.name, job.wholeName, job.stage, job.fraction, job.since.elapsed(), isRunning};
}

std::vector<JobState> Jobs::list() const
{
  std::vector<JobState> states;
  for (const auto& job : active)
    if (!job->kind.isQuiet)
      states.push_back(stateOf(*job));
  return states;
}

std::optional<JobState> Jobs::current() const
{
  const auto job = currentJob();
  return job ? std::optional(stateOf(*job)) : std::nullopt;
}

int Jobs::waiting() const
{
  const auto shown = std::ranges::count_if(active, [](const auto& job) { return !job->kind.isQuiet; });
  return std::max(0, static_cast<int>(shown) - 1);
}

bool Jobs::isActive(const JobKind& kind) const
{
  return std::ranges::any_of(active, [&](const auto& job) { return job->kind == kind; });
}

bool Jobs::isIdle() const
{
  const std::lock_guard lock(mutex);
  return !isBusy && queue.empty();
}

void Jobs::cancel()
{
  if (const auto job = currentJob())
    cancel(job);
}

void Jobs::cancel(const JobKind& kind)
{
  for (const auto& job : std::vector(active))
    if (job->kind == kind)
      cancel(job);
}

void Jobs::cancel(std::uint64_t id)
{
  const auto job = std::ranges::find(active, id, &Job::id);
  if (job != active.end())
    cancel(std::shared_ptr(*job));
}

void Jobs::drop(const JobKind& kind)
{
  for (const auto& job : std::vector(active))
    if (job->kind == kind && drop(job))
      emit ended(kind);
}

void Jobs::cancel(const std::shared_ptr<Job>& job)
{
  if (!drop(job))
    return;
  emit ended(job->kind);
  if (job->ends.cancelled)
    job->ends.cancelled();
  emit cancelled(job->kind);
}

/// Nothing of it is heard any more. Whether it was active.
bool Jobs::drop(const std::shared_ptr<Job>& job)
{
  job->control.cancel();
  {
    const std::lock_guard lock(mutex);
    std::erase(queue, job);
  }
  return std::erase(active, job) > 0;
}

void Jobs::post(const std::weak_ptr<Job>& job, std::function<void()> tell)
{
  QMetaObject::invokeMethod(
      this,
      [this, job, tell = std::move(tell)] {
        if (std::ranges::find(active, job.lock()) != active.end())
          tell();
      },
      Qt::QueuedConnection);
}

void Jobs::postEnd(const std::shared_ptr<Job>& job, std::function<void()> tell)
{
  post(job, [this, job, tell = std::move(tell)] {
    std::erase(active, job);
    emit ended(job->kind);
    tell();
  });
}

// ---- on the worker ----

/// A control whose progress reaches `progressed`: every change of the stage, and in between so thinned out that the
/// event queue never fills with it.
RunControl Jobs::controlOf(const std::weak_ptr<Job>& job)
{
  struct Told
  {
    std::mutex mutex;
    std::string stage;
    std::int64_t time = 0;
  };
  return RunControl([this, job, told = std::make_shared<Told>()](std::string_view stage, double fraction) {
    const std::int64_t now = steadyMilliseconds();
    {
      const std::lock_guard lock(told->mutex);
      if (stage == told->stage && now - told->time < kProgressInterval)
        return;
      told->stage = stage;
      told->time = now;
    }
    post(job, [this, job, name = textOf(stage), fraction] {
      const auto of = job.lock();
      of->stage = name;
      of->fraction = fraction;
      emit progressed(of->kind, name, fraction);
    });
  });
}

void Jobs::work()
{
  while (true) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex);
      isBusy = false;
      wake.wait(lock, [this] { return quitting || !queue.empty(); });
      if (quitting)
        return;
      job = std::move(queue.front());
      queue.pop_front();
      isBusy = true;
    }
    runJob(job);
  }
}

bool Jobs::runOthers()
{
  for (bool ranAny = false;; ranAny = true) {
    std::shared_ptr<Job> job;
    {
      const std::lock_guard lock(mutex);
      const auto next = std::ranges::find_if(queue, [](const auto& waits) { return !waits->kind.isLong; });
      if (next == queue.end())
        return ranAny;
      job = std::move(*next);
      queue.erase(next);
    }
    runJob(job);
  }
}

void Jobs::runJob(const std::shared_ptr<Job>& job)
{
  if (job->control.isCancelled())
    return;
  const auto fail = [&](const Error& error) {
    postEnd(job, [this, job, error] {
      if (job->ends.failed)
        job->ends.failed(error);
      emit failed(job->kind, error);
    });
  };
  post(job, [job = std::weak_ptr(job)] {
    job.lock()->isBegun = true;
    job.lock()->since = {};
  });
  try {
    const MainCudaDeviceScope scope(gpu);
    postEnd(job, [this, kind = job->kind, deliver = job->work(JobContext(this, job))] {
      deliver();
      emit delivered(kind);
    });
  } catch (const Error& error) {
    // Whoever cancelled a job knows already.
    if (error.code() != ErrorCode::Cancelled)
      fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorCode::OutOfMemory,
               "The run needs more memory than is free; choose fewer cells, compartments or neurons."));
  } catch (const std::exception& unexpected) {
    fail(Error(ErrorCode::Unexpected, std::string("The run failed: ") + unexpected.what() + "."));
  }
}

} // namespace hinesight::app
