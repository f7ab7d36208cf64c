#pragma once

#include "app/benchmark/benchmark_page.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/view_kind.hpp"
#include "io/runs/run_record.hpp"
#include "study/cells/parameters.hpp"

#include <QObject>
#include <QString>

#include <functional>

namespace hinesight::app {

inline constexpr JobKind kBenchmark{.name = "Benchmark", .stage = "benchmark", .isLong = true};

/// Joins the page of benchmarks and the jobs. What is submitted while a benchmark runs is done between two of its
/// measurements.
class BenchmarkController : public QObject
{
  Q_OBJECT

public:
  /// `parameters`: those of the window, which measuring starts from.
  BenchmarkController(Jobs* jobs, BenchmarkPage* page, std::function<study::CellParameters()> parameters,
                      QObject* parent);

signals:
  /// A case was measured, as PageHost::ran.
  void ran(const hinesight::io::RunRecord& run, const std::function<void()>& restore);
  void pageWanted(hinesight::app::ViewKind page);
  /// The cells are to have these parameters again.
  void parametersWanted(const hinesight::study::CellParameters& parameters);
  /// A benchmark came to its end, in words.
  void told(const QString& result);

private:
  void run(const BenchmarkRequest& request);
  void run(const ProjectionBenchmarkRequest& request);
  template <typename Measure>
  void submit(const QString& study, const Measure& measure, const QString& finished);
  void show(BenchmarkPage::Kind kind);
  void refresh();

  Jobs* jobs;
  BenchmarkPage* page;
  std::function<study::CellParameters()> parameters;
  bool measuresProjections = false; ///< what runs, or ran last
};

} // namespace hinesight::app
