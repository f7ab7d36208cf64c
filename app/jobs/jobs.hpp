#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"

#include <QObject>
#include <QString>
#include <QStringList>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace hinesight::app {

/// What jobs are for. Whoever submits jobs has a kind of his own for them, and knows them by it.
struct JobKind
{
  std::string_view name;           ///< its identity, as a person reads it in the list of jobs: "Weight table"
  std::string_view stage = "read"; ///< what it does first, until it says so
  /// Of jobs of the kind only the newest is wanted: it takes the place of the others. Else each is done.
  bool newestWins = true;
  /// It takes as long as a person lets it: others run in its pauses (JobContext::letOthersRun), but no long ones.
  bool isLong = false;
  /// Nobody waits for it: it is not shown, and nobody is asked to cancel it.
  bool isQuiet = false;
  /// It does what may be of use later, and ends for any other that is not quiet.
  bool yields = false;

  bool operator==(const JobKind& other) const { return name == other.name; }
};

/// What one job does, and to what. A kind alone is one.
struct JobTask
{
  /// `object`: a name, or the path of a file or folder; empty: it is the only one of its kind. `work`: what is done to
  /// it, where that is not the name of the kind.
  JobTask(const JobKind& ofKind, QString ofObject = {}, QString doneToIt = {});
  /// "cells.swc and 3 more".
  static QString several(const QStringList& names);

  /// "Export of measures: cells.csv": a path without its folders.
  QString name() const;
  /// With them.
  QString wholeName() const;

  JobKind kind;
  QString object;
  QString work;
};

/// A job that runs or waits, as it is now.
struct JobState
{
  std::uint64_t id; ///< of this job alone
  JobKind kind;
  QString name;        ///< as the list of jobs has it
  QString wholeName;   ///< without anything left out
  QString stage;       ///< what it does, or does first
  double fraction = 0; ///< of the stage that is done, 0 to 1
  double elapsed = 0;  ///< ms since it was begun; of one that was not, since it was submitted
  bool isRunning = false;
};

class Jobs;

/// What a job may use of Jobs while it works, on the thread of the worker.
class JobContext
{
public:
  /// Its progress is told by Jobs; cancelled with the job, or when a newer one takes its place.
  const RunControl& control() const;
  /// Calls `tell` on the thread of Jobs unless the job was cancelled or replaced by then.
  void post(std::function<void()> tell) const;
  /// The same whatever has become of the job.
  void tell(std::function<void()> say) const;
  /// Does the jobs that wait, but long ones, before it returns: whether there were any. For long jobs, where nothing is
  /// being measured.
  bool letOthersRun() const;

private:
  friend class Jobs;
  struct Job;
  JobContext(Jobs* ofJobs, const std::shared_ptr<Job>& ofJob) : jobs(ofJobs), job(ofJob) {}

  Jobs* jobs;
  std::shared_ptr<Job> job;
};

/// What is done on the thread of Jobs where a job does not come to its end. Each may be empty.
struct JobEnds
{
  std::function<void(const Error&)> failed;
  std::function<void()> cancelled;
};

/// Does what is submitted on one worker thread, one after another, so that none disturbs what another measures. A job
/// works there, and what it returns is delivered on the thread that Jobs lives on. Every job ends there in exactly one
/// of delivery, JobEnds::failed and JobEnds::cancelled, unless a newer one of its kind replaced it. Knows nothing of
/// what the jobs do.
class Jobs : public QObject
{
  Q_OBJECT

public:
  explicit Jobs(QObject* parent = nullptr);
  /// Cancels what runs and waits for the worker to notice (within 100 ms).
  ~Jobs() override;

  /// `study`: Result(const JobContext&), on the worker. What it throws comes by `ends`. `deliver`: takes the result.
  template <typename Study, typename Deliver>
  void submit(const JobTask& task, Study study, Deliver deliver, JobEnds ends = {})
  {
    using Result = std::invoke_result_t<Study&, const JobContext&>;
    start(
        task,
        [study = std::move(study), deliver = std::move(deliver)](const JobContext& context) -> std::function<void()> {
          if constexpr (std::is_void_v<Result>) {
            study(context);
            return deliver;
          } else {
            return [deliver, result = std::make_shared<const Result>(study(context))] { deliver(*result); };
          }
        },
        std::move(ends));
  }

  /// The main GPU (setMainCudaDevice) of jobs that begin from now on. From any thread.
  void setGpu(int index) { gpu = index; }

  /// Ends the job that `current` says at once: JobEnds::cancelled is called before this returns, and nothing of it
  /// comes any more. Its work stops within 100 ms. Nothing happens where there is none.
  void cancel();
  /// The same for all jobs of a kind.
  void cancel(const JobKind& kind);
  /// The same for one job, by its JobState::id. All others go on.
  void cancel(std::uint64_t id);
  /// Forgets all jobs of a kind: nothing of them comes any more, and nothing is done of their end.
  void drop(const JobKind& kind);
  /// Whether there is a job that runs or waits, but for quiet ones.
  bool isActive() const { return currentJob() != nullptr; }
  bool isActive(const JobKind& kind) const;
  /// All jobs that are not quiet, the oldest first.
  std::vector<JobState> list() const;
  /// What is shown as running: of the jobs that are not quiet the one that was begun last, else the first that waits.
  std::optional<JobState> current() const;
  /// Jobs that are not quiet and not `current`.
  int waiting() const;
  /// Whether the worker has nothing to do.
  bool isIdle() const;

signals:
  void submitted(const hinesight::app::JobKind& kind);
  /// At most 10 times a second for each job.
  void progressed(const hinesight::app::JobKind& kind, const QString& stage, double fraction);
  /// A job is not active any more; before what is done of its end.
  void ended(const hinesight::app::JobKind& kind);
  // After that.
  void delivered(const hinesight::app::JobKind& kind);
  void failed(const hinesight::app::JobKind& kind, const hinesight::Error& error);
  void cancelled(const hinesight::app::JobKind& kind);

private:
  friend class JobContext;
  using Job = JobContext::Job;
  using Work = std::function<std::function<void()>(const JobContext&)>;

  void start(const JobTask& task, Work work, JobEnds ends);
  void work();
  void runJob(const std::shared_ptr<Job>& job);
  bool runOthers();
  RunControl controlOf(const std::weak_ptr<Job>& job);
  std::shared_ptr<Job> currentJob() const;
  JobState stateOf(const Job& job) const;
  void cancel(const std::shared_ptr<Job>& job);
  bool drop(const std::shared_ptr<Job>& job);
  /// Calls `tell` on the thread of Jobs if the job is still active by then.
  void post(const std::weak_ptr<Job>& job, std::function<void()> tell);
  void postEnd(const std::shared_ptr<Job>& job, std::function<void()> tell);

  std::vector<std::shared_ptr<Job>> active; ///< of the thread of Jobs; by their age
  std::uint64_t submittedJobs = 0;

  // Shared with the worker.
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::shared_ptr<Job>> queue;
  bool quitting = false;
  bool isBusy = false; ///< the worker does a job
  std::atomic<int> gpu = 0;

  std::thread worker;
};

} // namespace hinesight::app
