#include "app/projection/projection_outcome.hpp"

#include <utility>

namespace hinesight::app {

ProjectionOutcome withPictures(study::ProjectionResult result, const RunControl& control)
{
  ProjectionOutcome outcome{std::move(result), {}, {}};
  const projection::Projection& projection = outcome.table->projection;
  outcome.fanOut = widgets::makeFanPicture(*projection.source, outcome.summary->fanOut);
  control.checkpoint();
  outcome.fanIn = widgets::makeFanPicture(*projection.destination, outcome.summary->fanIn);
  return outcome;
}

} // namespace hinesight::app
