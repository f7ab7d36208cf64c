#pragma once

#include "app/jobs/job_runner.hpp"

#include <QObject>
#include <QString>

#include <functional>

namespace hinesight::app {

class BenchmarkPage;

/// Joins the page of benchmarks and the job runner. A benchmark and the pipeline take turns: an edit ends a benchmark
/// that is running, and what it measured stays.
class BenchmarkController : public QObject
{
  Q_OBJECT

public:
  /// `parameters`: those of the window, which measuring starts from.
  BenchmarkController(JobRunner* runner, BenchmarkPage* page, std::function<PipelineParameters()> parameters,
                      QObject* parent);

signals:
  /// A benchmark came to its end, in words.
  void told(const QString& result);

private:
  void connectPage();
  void connectRunner();
  void takeStart();
  void takeProgress(const QString& stage, double fraction);
  void takeFinished();
  void refresh();

  JobRunner* runner;
  BenchmarkPage* page;
  std::function<PipelineParameters()> parameters;
};

} // namespace hinesight::app
