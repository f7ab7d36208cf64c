#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/schedule.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace hinesight::hines {

/// Chains of one length, solved by parts of warps: each lane holds a contiguous piece of a chain in registers. It
/// eliminates all of its piece but the first row, the junction, between which the cyclic reduction of tridiagonal_step
/// then goes (the partition method of Wang 1981 with the reduction of Hockney and Jesshope 1981 inside a warp). The
/// chains lie one behind the other, as in the batch: nothing is permuted.
struct TridiagonalPlan final : Schedule
{
  std::int32_t rows = 1;        ///< of every chain
  std::int32_t lanes = 1;       ///< that share a chain, a power of two up to 32
  std::int32_t rowsPerLane = 1; ///< odd, so that the lanes of a warp meet different banks of shared memory

  std::int32_t systemsPerWarp() const { return 32 / lanes; }
  std::size_t warps() const
  {
    const auto perWarp = static_cast<std::size_t>(systemsPerWarp());
    return (batch->cells() + perWarp - 1) / perWarp;
  }

  std::string_view unitName() const override { return "warp"; }
  std::size_t unitCount() const override { return warps(); }
  LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const override;
  std::size_t kindOf(std::size_t unit) const override;
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return lanes > 1; }

protected:
  /// Each number is read or written once.
  std::size_t bytesMoved() const override { return 4 * sizeof(double) * batch->compartments(); }
};

/// The longest piece that fits the registers of a lane.
inline constexpr std::int32_t kMostRowsPerLane = 33;

/// For a GPU of so many multiprocessors. Throws as chainLength; Error(BadParameter) for parameters, and chains longer
/// than the lanes' registers hold.
std::shared_ptr<const TridiagonalPlan> makeTridiagonalPlan(std::shared_ptr<const HinesBatch> batch,
                                                           const TridiagonalParameters& parameters,
                                                           int multiprocessors);

} // namespace hinesight::hines
