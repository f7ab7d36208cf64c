#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/schedule.hpp"
#include "hines/solvers/coarse/coarse_parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::hines {

/// Where row i of a lane lies: excess at begin + i * rowStride, u and b one and two vectorStrides behind it.
struct CoarseStrides
{
  std::size_t row = 1;
  std::size_t vector = 0;
};

/// One system and the lane that solves it.
struct CoarseLane
{
  std::size_t begin = 0;       ///< of its first row's excess in the values
  std::size_t parentBegin = 0; ///< of its first row's parent in the table of parents
  std::uint32_t cell = 0;      ///< of the batch
  std::int32_t rows = 0;       ///< compartments of the cell
};

/// What lanes in lockstep have in common.
struct CoarseWarp
{
  std::int32_t parentStride = 1; ///< of the table of parents: 1 where all lanes have one shape and share it
  std::int32_t startRow = 0;     ///< from which they count down together: rows of the largest, padding included
};

/// One thread a system, the systems in one layout (martinez 2018, sections 3.1 to 3.3). Lanes are sorted by size, then
/// shape, so that a warp's lanes end together and share their table of parents.
struct CoarseTable
{
  std::vector<CoarseLane> lanes;
  std::vector<CoarseWarp> warps;    ///< of lanes [w warpLanes, (w + 1) warpLanes)
  std::vector<std::int32_t> parent; ///< in a cell's numbering, -1 at a root; row i of a lane at parentBegin + i stride
  CoarseStrides strides;
  std::size_t values = 0;    ///< numbers in all: three vectors with their padding
  std::int32_t mostRows = 0; ///< of any lane
};

/// A unit is a warp, with one lane a cell; what padding is computed is LaneWork::Padding.
struct CoarsePlan final : Schedule
{
  CoarseParameters parameters;
  std::size_t warpLanes = 32; ///< 32, or blockSize if that is less
  CoarseTable table;
  std::vector<std::size_t> kinds;  ///< per warp: Schedule::kindOf
  std::vector<std::size_t> unitOf; ///< per cell of the batch

  /// Whether threads run on over padding; there is none in Flat.
  bool computesPadding() const
  {
    return parameters.padding == CoarsePadding::Computed && parameters.layout != CoarseLayout::Flat;
  }
  /// Bytes of shared memory that a block of BlockShared needs for numbers of `bytes`; 0 in the other layouts.
  std::size_t sharedBytes(std::size_t bytes) const;
  std::span<const CoarseLane> lanesOf(std::size_t warp) const;

  std::string_view unitName() const override { return "warp"; }
  std::size_t unitCount() const override { return table.warps.size(); }
  LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const override;
  std::size_t kindOf(std::size_t unit) const override { return kinds[unit]; }
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return false; }

protected:
  std::size_t paddingBytes() const override;
  std::size_t bytesMoved() const override;
};

/// Sorts the batch's cells and lays them out. Throws as validate; Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<const CoarsePlan> makeCoarsePlan(std::shared_ptr<const HinesBatch> batch,
                                                 const CoarseParameters& parameters, const RunControl& control = {});

} // namespace hinesight::hines
