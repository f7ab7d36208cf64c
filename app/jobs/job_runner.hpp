#pragma once

#include "app/cells/pipeline.hpp"
#include "app/projection/projection_pipeline.hpp"
#include "app/synapses/formation_pipeline.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"
#include "hines/bench/benchmark.hpp"
#include "projection/benchmark.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace hinesight::app {

/// The devices of this machine as the status bar and the backend choice show them.
struct DeviceReport
{
  std::string processor;
  int threads = 1;
  std::vector<DeviceInfo> cudaDevices;
  std::string whyNoCuda; ///< one sentence; empty where CUDA can be used
};

/// Solvers to measure, and how.
struct BenchmarkRequest
{
  std::vector<hines::BenchmarkCase> cases;
  hines::BenchmarkParameters parameters;
};

/// Projections to measure, by the size of their populations.
struct ProjectionBenchmarkRequest
{
  projection::BenchmarkParameters parameters;
};

/// Runs the pipeline, a benchmark, a projection, a formation of synapses, the reading or the writing of a table on one
/// worker thread, so that none disturbs what another measures. A new request cancels the running one: the newest wins,
/// and there is never a queue. Every request ends in exactly one of `finished`, `failed` and `cancelled`, unless a
/// newer one replaced it. Signals come on the thread that the runner lives on.
class JobRunner : public QObject
{
  Q_OBJECT

public:
  explicit JobRunner(QObject* parent = nullptr);
  /// Cancels what runs and waits for the worker to notice (within 100 ms).
  ~JobRunner() override;

  void request(PipelineRequest request);
  /// Measures; every row comes by `benchmarkRow`, and the end by `benchmarkFinished` instead of `finished`.
  void request(BenchmarkRequest request);
  /// The same for projections, by `projectionBenchmarkPoint`.
  void request(ProjectionBenchmarkRequest request);
  /// Makes a table of weights, which comes by `projectionFinished` instead of `finished`; or `projectionAsked` comes,
  /// and nothing was made.
  void request(ProjectionRequest request);
  /// Reads a table, which comes by `tableOpened`.
  void request(TableOpenRequest request);
  /// Forms synapses, which come by `formationFinished` instead of `finished`.
  void request(FormationRequest request);
  /// Writes a table; the end comes by `tableExported`.
  void request(TableExportRequest request);
  /// Writes neurons or synapses; the end comes by `tableExported` too.
  void request(NetworkExportRequest request);
  /// Ends the running request at once: `cancelled` is emitted before this returns, and nothing of it comes any more.
  /// Its work stops within 100 ms. Nothing happens where nothing runs.
  void cancel();
  bool isRunning() const { return running; }
  /// Whether the pipeline of the cells runs.
  bool isSolving() const { return running && newestKind == Kind::Pipeline; }
  /// Whether solvers or projections are measured.
  bool isBenchmarking() const { return running && wasBenchmark(); }
  bool isProjecting() const { return running && wasProjection(); }
  bool isForming() const { return running && wasFormation(); }
  /// Whether the newest request is a benchmark, running or not.
  bool wasBenchmark() const { return newestKind == Kind::Benchmark || wasProjectionBenchmark(); }
  bool wasProjectionBenchmark() const { return newestKind == Kind::ProjectionBenchmark; }
  /// A table that is made or read.
  bool wasProjection() const { return newestKind == Kind::Projection || wasTableOpening(); }
  bool wasTableOpening() const { return newestKind == Kind::TableOpening; }
  bool wasFormation() const { return newestKind == Kind::Formation; }
  bool wasTableExport() const { return newestKind == Kind::TableExport || newestKind == Kind::NetworkExport; }
  /// Whether the worker has nothing to do: no request, and nothing that it does in advance of the next one.
  bool isIdle() const { return idle; }
  /// Milliseconds since the running request was made.
  double elapsed() const { return running ? watch.elapsed() : 0; }

signals:
  void devicesFound(const hinesight::app::DeviceReport& report);
  void started();
  void progressed(const QString& stage, double fraction); ///< at most 10 times a second
  void cellsRead(const std::vector<hinesight::app::CellReading>& readings);
  void sceneReady(const hinesight::app::PipelineOutcome& outcome); ///< as PipelineObserver::sceneReady
  void finished(const hinesight::app::PipelineOutcome& outcome);
  void benchmarkRow(const hinesight::hines::BenchmarkRow& row);
  void projectionBenchmarkPoint(const hinesight::projection::BenchmarkPoint& point);
  void benchmarkFinished();
  void projectionFinished(const hinesight::app::ProjectionOutcome& outcome);
  void projectionAsked(const hinesight::app::SizeQuestion& question);
  void tableOpened(const hinesight::app::OpenedTable& opened);
  void formationFinished(const hinesight::app::FormationOutcome& outcome);
  void tableExported(const QString& path);
  /// Nothing runs any more; before the signal that says how it ended.
  void ended();
  void failed(const hinesight::Error& error);
  void cancelled();

private:
  /// In the order of Job::request.
  enum class Kind
  {
    Pipeline,
    Benchmark,
    Projection,
    TableExport,
    ProjectionBenchmark,
    TableOpening,
    Formation,
    NetworkExport
  };
  struct Job
  {
    std::uint64_t number = 0;
    std::variant<PipelineRequest, BenchmarkRequest, ProjectionRequest, TableExportRequest, ProjectionBenchmarkRequest,
                 TableOpenRequest, FormationRequest, NetworkExportRequest>
        request;
    RunControl control;
  };

  void start(Job job);
  void work();
  void runJob(const Job& job);
  void run(const Job& job, const PipelineRequest& request);
  void run(const Job& job, const BenchmarkRequest& request);
  void run(const Job& job, const ProjectionRequest& request);
  void run(const Job& job, const TableExportRequest& request);
  void run(const Job& job, const ProjectionBenchmarkRequest& request);
  void run(const Job& job, const TableOpenRequest& request);
  void run(const Job& job, const FormationRequest& request);
  void run(const Job& job, const NetworkExportRequest& request);
  RunControl makeControl(std::uint64_t number);
  /// Calls `tell` on the runner's thread if job `number` is still the newest by then.
  void deliver(std::uint64_t number, std::function<void()> tell);
  void deliverEnd(std::uint64_t number, std::function<void()> tell);

  // Of the runner's own thread.
  std::uint64_t newest = 0;
  bool running = false;
  Kind newestKind = Kind::Pipeline; ///< of what runs, or ran last
  Stopwatch watch;
  RunControl newestControl;

  // Shared with the worker.
  std::mutex mutex;
  std::condition_variable wake;
  std::optional<Job> waiting;
  bool quitting = false;
  std::atomic<bool> idle{false};

  Pipeline pipeline;                     ///< of the worker
  ProjectionPipeline projectionPipeline; ///< of the worker
  FormationPipeline formationPipeline;   ///< of the worker
  std::thread worker;
};

} // namespace hinesight::app
