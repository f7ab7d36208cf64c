#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "widgets/projection_charts.hpp"
#include "widgets/projection_types.hpp"

#include <memory>
#include <string>

namespace hinesight::app {

/// Two populations, how they are joined, and where the table is made.
struct ProjectionRequest
{
  projection::PopulationParameters source;
  projection::PopulationParameters destination;
  projection::ProjectionParameters parameters;
  projection::ComputeParameters compute;

  bool operator==(const ProjectionRequest&) const = default;
};

/// A finished table with what the window shows of it.
struct ProjectionOutcome
{
  std::shared_ptr<const projection::WeightTable> table;
  std::shared_ptr<const projection::TableSummary> summary;
  widgets::FanPicture fanOut;
  widgets::FanPicture fanIn;
  StageTimings
      timings; ///< positions (where a population was made anew), bin, count, scan, compact, download, summarize
};

/// A table to write, by the extension of the path.
struct TableExportRequest
{
  std::shared_ptr<const projection::WeightTable> table;
  std::string path;
};

/// Makes populations and tables; a population is kept until its parameters change. Not thread-safe: one thread uses it
/// at a time.
class ProjectionPipeline
{
public:
  /// Throws as makePopulation, prepare, makeTable and summarize; Error(BadParameter) for a projection without a cut
  /// whose every pair would have a row, with their number.
  ProjectionOutcome run(const ProjectionRequest& request, const RunControl& control);

  /// To be called while nothing waits: has memory ready for another table like the last one, which is still shown.
  /// Throws Error(Cancelled).
  void makeReady(const projection::WeightTable& last, const RunControl& control);

private:
  using Shared = std::shared_ptr<const projection::Population>;
  Shared populationOf(const projection::PopulationParameters& parameters, const Shared& other,
                      const RunControl& control) const;

  Shared source;
  Shared destination;
  projection::TableMemory memory;
};

} // namespace hinesight::app
