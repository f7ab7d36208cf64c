#include "app/projection/projection_outcome.hpp"

#include "core/device.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hinesight::app {

namespace {

using projection::HostArray;
using Neurons = std::shared_ptr<const projection::Population>;

Neurons renamed(const Neurons& neurons, const std::string& before, const std::string& now, const RunControl& control)
{
  if (neurons->name() != before)
    return neurons;
  projection::PopulationParameters parameters = neurons->parameters();
  parameters.name = now;
  return neurons->isGrid()
             ? projection::makePopulation(parameters, control)
             : projection::populationAt(std::move(parameters),
                                        {neurons->coordinates(0), neurons->coordinates(1), neurons->coordinates(2)});
}

template <typename T>
HostArray<T> copyOf(const HostArray<T>& values, const RunControl& control)
{
  control.checkpoint();
  if (values.empty())
    return {};
  HostArray<T> copy(values.size());
  std::ranges::copy(values, copy.data());
  return copy;
}

} // namespace

ProjectionOutcome withPictures(study::ProjectionResult result, const RunControl& control)
{
  ProjectionOutcome outcome{std::move(result), {}, {}, 0, 0};
  const projection::Projection& projection = outcome.table->projection;
  outcome.fanOut = widgets::makeFanPicture(*projection.source, outcome.summary->fanOut);
  control.checkpoint();
  outcome.fanIn = widgets::makeFanPicture(*projection.destination, outcome.summary->fanIn);
  for (const float weight : outcome.table->weight) {
    outcome.weight += weight;
    outcome.magnitude += std::abs(weight);
  }
  return outcome;
}

ProjectionOutcome withPopulationRenamed(const ProjectionOutcome& outcome, const std::string& before,
                                        const std::string& now, const RunControl& control)
{
  const projection::WeightTable& table = *outcome.table;
  requireMemory(table.bytes(), "The table with another name");
  auto copy = std::make_shared<projection::WeightTable>();
  const projection::Projection& joins = table.projection;
  copy->projection = joins;
  copy->projection.source = renamed(joins.source, before, now, control);
  copy->projection.destination =
      joins.destination == joins.source ? copy->projection.source : renamed(joins.destination, before, now, control);
  copy->offsets = table.offsets;
  copy->destination = copyOf(table.destination, control);
  copy->weight = copyOf(table.weight, control);
  copy->delay = copyOf(table.delay, control);
  copy->constantDelay = table.constantDelay;
  copy->timings = table.timings;
  copy->warnings = table.warnings;
  ProjectionOutcome result = outcome;
  result.table = std::move(copy);
  return result;
}

} // namespace hinesight::app
