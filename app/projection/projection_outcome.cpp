#include "app/projection/projection_outcome.hpp"

#include <cmath>
#include <utility>

namespace hinesight::app {

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

} // namespace hinesight::app
