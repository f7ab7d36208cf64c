#include "app/benchmark/benchmark_controller.hpp"

#include "app/benchmark/benchmark_page.hpp"
#include "app/benchmark/hines_benchmark_panel.hpp"
#include "app/benchmark/projection_benchmark_panel.hpp"
#include "app/shell/bars/status_panel.hpp"

#include <utility>

namespace hinesight::app {

BenchmarkController::BenchmarkController(JobRunner* jobs, BenchmarkPage* shownPage,
                                         std::function<PipelineParameters()> windowParameters, QObject* parent)
    : QObject(parent), runner(jobs), page(shownPage), parameters(std::move(windowParameters))
{
  connectPage();
  connectRunner();
}

void BenchmarkController::connectPage()
{
  connect(page, &BenchmarkPage::runRequested, this,
          [this](const BenchmarkRequest& request) { runner->request(request); });
  connect(page, &BenchmarkPage::projectionRunRequested, this,
          [this](const ProjectionBenchmarkRequest& request) { runner->request(request); });
  connect(page, &BenchmarkPage::cancelRequested, runner, &JobRunner::cancel);
}

void BenchmarkController::connectRunner()
{
  connect(runner, &JobRunner::devicesFound, page, &BenchmarkPage::setDevices);
  connect(runner, &JobRunner::started, this, &BenchmarkController::takeStart);
  connect(runner, &JobRunner::progressed, this, &BenchmarkController::takeProgress);
  connect(runner, &JobRunner::benchmarkRow, &page->hines(), &HinesBenchmarkPanel::takeRow);
  connect(runner, &JobRunner::projectionBenchmarkPoint, &page->projections(), &ProjectionBenchmarkPanel::takePoint);
  connect(runner, &JobRunner::benchmarkFinished, this, &BenchmarkController::takeFinished);
  connect(runner, &JobRunner::ended, this, &BenchmarkController::refresh);
}

void BenchmarkController::takeStart()
{
  refresh();
  if (runner->isBenchmarking())
    page->takeStarted();
}

void BenchmarkController::takeProgress(const QString& stage, double fraction)
{
  if (runner->isBenchmarking())
    page->takeProgress(runner->wasProjectionBenchmark() ? stageInWords(stage) : stage, fraction);
}

void BenchmarkController::takeFinished()
{
  emit told(runner->wasProjectionBenchmark()
                ? tr("The benchmark of projections is finished.")
                : tr("The benchmark is finished; click a point to load its plan into the views."));
}

void BenchmarkController::refresh()
{
  if (!runner->isBenchmarking())
    page->takeEnd();
  page->setBusy(runner->isRunning() && !runner->isBenchmarking());
  page->hines().setParameters(parameters());
}

} // namespace hinesight::app
