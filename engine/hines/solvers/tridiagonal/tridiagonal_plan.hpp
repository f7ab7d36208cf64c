#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/lane_chart.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace hinesight::hines {

/// Chains of one length, solved by parts of warps: each lane holds a contiguous piece of a chain in registers. It
/// eliminates all of its piece but the first row, the junction, between which the cyclic reduction of tridiagonal_step
/// then goes (the partition method of Wang 1981 with the reduction of Hockney and Jesshope 1981 inside a warp). The
/// chains lie one behind the other, as in the batch: nothing is permuted.
struct TridiagonalPlan
{
  std::shared_ptr<const HinesBatch> batch;
  std::int32_t rows = 1;        ///< of every chain
  std::int32_t lanes = 1;       ///< that share a chain, a power of two up to 32
  std::int32_t rowsPerLane = 1; ///< odd, so that the lanes of a warp meet different banks of shared memory

  std::int32_t systemsPerWarp() const { return 32 / lanes; }
  std::size_t warps() const
  {
    const auto perWarp = static_cast<std::size_t>(systemsPerWarp());
    return (batch->cells() + perWarp - 1) / perWarp;
  }
};

/// The longest piece that fits the registers of a lane.
inline constexpr std::int32_t kMostRowsPerLane = 33;

/// Whether all cells of the batch are chains of one length, numbered from one end to the other.
bool areChainsOfOneLength(const HinesBatch& batch);

/// The length of the chains that all cells of the batch are. Throws Error(BadParameter) for other shapes, naming
/// `solver`.
std::int32_t chainLength(const HinesBatch& batch, std::string_view solver);

/// Throws as chainLength; Error(BadParameter) for parameters, and chains longer than the lanes' registers hold.
std::shared_ptr<const TridiagonalPlan> makeTridiagonalPlan(std::shared_ptr<const HinesBatch> batch,
                                                           const TridiagonalParameters& parameters);

/// One unit a warp.
std::shared_ptr<const LaneCharts> makeTridiagonalCharts(std::shared_ptr<const TridiagonalPlan> plan);

} // namespace hinesight::hines
