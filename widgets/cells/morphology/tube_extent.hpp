#pragma once

#include "widgets/cells/morphology/tube_geometry.hpp"
#include "widgets/orbit/room_fit.hpp"

#include <vector>

namespace hinesight::widgets {

/// So many tubes are looked at by their blocks, a frame's time instead of many.
constexpr std::size_t kFittedByBlocks = 200'000;

/// Of the tubes for which `isWanted` holds.
template <typename Predicate>
Extent extentOf(const TubeGeometry& geometry, Predicate isWanted)
{
  Extent extent;
  for (std::size_t tube = 0; tube < geometry.tubes(); ++tube) {
    if (isWanted(tube)) {
      extent.points.insert(extent.points.end(), &geometry.endA[3 * tube], &geometry.endA[3 * tube] + 3);
      extent.points.insert(extent.points.end(), &geometry.endB[3 * tube], &geometry.endB[3 * tube] + 3);
      extent.radii.insert(extent.radii.end(), {geometry.radiusA[tube], geometry.radiusB[tube]});
    }
  }
  return extent;
}

/// Of all tubes; of very many the boxes around their blocks.
Extent extentOfAll(const TubeGeometry& geometry);
/// The same of those that are not left out. `leftOut`: per tube.
Extent extentOfRest(const TubeGeometry& geometry, const std::vector<bool>& leftOut);

} // namespace hinesight::widgets
