#include "app/projection_pipeline.hpp"

#include "core/error.hpp"

#include <string>
#include <utility>

namespace hinesight::app {

namespace {

void requireCut(const projection::Projection& projection)
{
  if (!projection::needsCut(projection.parameters))
    return;
  const double pairs =
      static_cast<double>(projection.source->count()) * static_cast<double>(projection.destination->count());
  throw Error(ErrorCode::BadParameter, "Without a cut each of the " +
                                           std::to_string(static_cast<std::uint64_t>(pairs)) +
                                           " pairs would have a row; raise the cut above 0, or bound the kernel by a "
                                           "box cut.");
}

} // namespace

ProjectionPipeline::Shared ProjectionPipeline::populationOf(const projection::PopulationParameters& parameters,
                                                            const Shared& other, const RunControl& control) const
{
  for (const Shared& kept : {source, destination, other})
    if (kept && kept->parameters() == parameters)
      return kept;
  return projection::makePopulation(parameters, control);
}

ProjectionOutcome ProjectionPipeline::run(const ProjectionRequest& request, const RunControl& control)
{
  control.report("positions", 0);
  const Stopwatch stopwatch;
  Shared newSource = populationOf(request.source, {}, control);
  Shared newDestination = populationOf(request.destination, newSource, control);
  const bool madeAny = newSource != source || newDestination != destination;
  source = std::move(newSource);
  destination = std::move(newDestination);
  const double making = stopwatch.elapsed();

  const projection::Projection projection{source, destination, request.parameters};
  requireCut(projection);
  ProjectionOutcome outcome;
  outcome.table = projection::makeTable(*projection::prepare(projection, request.compute, control), memory, control);
  Stopwatch summarizing;
  outcome.summary = projection::summarize(*outcome.table, {.threads = request.compute.threads}, control);
  outcome.fanOut = widgets::makeFanPicture(*source, outcome.summary->fanOut);
  control.checkpoint();
  outcome.fanIn = widgets::makeFanPicture(*destination, outcome.summary->fanIn);
  outcome.timings.backend = outcome.table->timings.backend;
  outcome.timings.device = outcome.table->timings.device;
  if (madeAny)
    outcome.timings.add("positions", making);
  for (const Stage& stage : outcome.table->timings.stages)
    outcome.timings.add(stage.name, stage.milliseconds);
  outcome.timings.add("summarize", summarizing.elapsed());
  return outcome;
}

void ProjectionPipeline::makeReady(const projection::WeightTable& last, const RunControl& control)
{
  constexpr int kThreads = 1; // the others paint what was made
  memory.makeReady(last, kThreads, control);
}

} // namespace hinesight::app
