#pragma once

#include "projection/problem.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace hinesight::projection {

/// A rectangle parallel to the x and y axes, in which a contour is looked for.
struct ContourRegion
{
  std::array<double, 2> low;  ///< x and y
  std::array<double, 2> high; ///< above `low` along both
  double z;
};

using ContourSegment = std::array<Position, 2>;

/// Where |kernel| falls to the cut around the projection of a source: the borders of the region whose pairs have a row
/// (with the random rule: may have one), to be drawn on the destination layer. The kernel is sampled at `samples`
/// points along each axis and interpolated linearly in between (marching squares: Lorensen and Cline 1987, in two
/// dimensions); a border of the box cut lies within one such step. On a torus the region must be one period of the
/// destination along x and y. Empty for a cut of 0 and for kernels without a border: one-to-one and all-to-all. Throws
/// as prepare, and Error(BadParameter) for less than 2 samples or an empty region.
std::vector<ContourSegment> cutContour(const Projection& projection, std::uint64_t source, const ContourRegion& region,
                                       std::uint32_t samples);

} // namespace hinesight::projection
