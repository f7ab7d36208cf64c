#pragma once

#include "core/host_device.hpp"
#include "hines/elimination.hpp"

#include <cstddef>
#include <cstdint>

// The serial sweep as one lane of the coarse solver does it (martinez 2018, algorithm 1, corrected), shared by CPU and
// CUDA. The same operations in the same order as sweepSerially: in double precision the same bytes.

namespace hinesight::hines {

/// One system in memory. Row i of the three vectors lies i * stride behind the first.
template <typename Real>
struct LaneSystem
{
  Real* excess; ///< eliminated in place
  Real* u;
  Real* b; ///< on return the solution
  std::size_t stride;
  std::size_t strideOfB; ///< another one where b is kept in shared memory
  const std::int32_t* parent;
  std::size_t parentStride;
  std::int32_t rows;         ///< of the system
  std::int32_t computedRows; ///< at least `rows`; what is more is padding, rows of the identity
  std::int32_t startRow;     ///< at least `computedRows`: lanes in lockstep count down from there to stay side by side
};

/// Padding hangs below the last row, one row under the other.
template <typename Real>
HINESIGHT_HOST_DEVICE inline std::int32_t parentOf(const LaneSystem<Real>& lane, std::int32_t row)
{
  return row < lane.rows ? lane.parent[static_cast<std::size_t>(row) * lane.parentStride] : row - 1;
}

/// Both sweeps. What a row takes from the row before it, most often its parent, stays in registers: it is the last to
/// be taken from that row, so the order of the subtractions is that of sweepSerially. Row sums stay there in double
/// precision also where Real is single: along a branch their rounding errors would add up (docs/accuracy.md).
template <typename Real>
HINESIGHT_HOST_DEVICE inline void sweepLane(const LaneSystem<Real>& lane)
{
  std::int32_t carriedTo = -1;
  double carriedExcess = 0;
  Real carriedB = 0;
  for (std::int32_t row = lane.startRow - 1; row >= 0; --row) {
    if (row >= lane.computedRows)
      continue;
    const std::size_t at = static_cast<std::size_t>(row) * lane.stride;
    const std::size_t atB = static_cast<std::size_t>(row) * lane.strideOfB;
    double excess = lane.excess[at];
    Real b = lane.b[atB];
    if (row == carriedTo) {
      excess -= carriedExcess;
      b -= carriedB;
      lane.excess[at] = static_cast<Real>(excess);
      lane.b[atB] = b;
    }
    const std::int32_t parent = parentOf(lane, row);
    if (parent < 0)
      continue;
    const Real u = lane.u[at];
    const Real f = u / (static_cast<Real>(excess) - u);
    carriedExcess = f * excess;
    carriedB = f * b;
    carriedTo = parent;
    if (parent != row - 1) {
      lane.excess[static_cast<std::size_t>(parent) * lane.stride] -= static_cast<Real>(carriedExcess);
      lane.b[static_cast<std::size_t>(parent) * lane.strideOfB] -= carriedB;
      carriedTo = -1;
    }
  }
  Real value = 0;
  for (std::int32_t row = 0; row < lane.computedRows; ++row) {
    const std::size_t at = static_cast<std::size_t>(row) * lane.stride;
    const std::size_t atB = static_cast<std::size_t>(row) * lane.strideOfB;
    const std::int32_t parent = parentOf(lane, row);
    if (parent < 0)
      value = lane.b[atB] / lane.excess[at];
    else
      value = substitute(lane.excess[at], lane.u[at], lane.b[atB],
                         parent == row - 1 ? value : lane.b[static_cast<std::size_t>(parent) * lane.strideOfB]);
    lane.b[atB] = value;
  }
}

} // namespace hinesight::hines
