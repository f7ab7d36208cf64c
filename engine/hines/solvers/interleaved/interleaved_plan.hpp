#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/schedule.hpp"
#include "hines/solvers/interleaved/interleaved_sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// A shape's parent array in the form of InterleavedShape.
struct InterleavedSteps
{
  std::vector<std::uint8_t> steps;
  std::vector<std::int32_t> parent; ///< a root is its own

  InterleavedShape view() const { return {steps.data(), parent.data(), steps.size()}; }
};

InterleavedSteps interleavedSteps(std::span<const std::int32_t> parent, const RunControl& control);

/// Cells of one shape that are solved side by side, a lane each.
struct InterleavedGroup
{
  std::uint32_t shape = 0;   ///< of the batch
  std::size_t width = 0;     ///< index into the lanes that the plan was made for
  std::size_t cellBegin = 0; ///< its cells are InterleavedPlan::groupedCells[cellBegin ...]
  std::size_t cells = 0;     ///< up to as many as lanes
  std::size_t slotBegin = 0; ///< of its rows in memory; compartment i of lane k is number slotBegin + i * lanes + k
};

/// Which cells are solved together. A unit is a group; those that are left over are the last one, drawn as one thread
/// takes them. One bar a cell, its compartments in a row.
struct InterleavedPlan final : Schedule
{
  std::vector<std::size_t> lanes;       ///< of each width: numbers of cells that are taken side by side, falling
  std::vector<InterleavedSteps> shapes; ///< of the batch, in its order
  std::vector<InterleavedGroup> groups; ///< those with the most compartments first
  std::vector<std::uint32_t> groupedCells;
  std::vector<std::uint32_t> streamedCells; ///< those left over, the largest first
  std::vector<std::size_t> streamBegin;     ///< of the rows of each in memory, one behind the other
  std::size_t slotCount = 0;                ///< of all rows in memory, what alignment leaves free included

  std::string_view unitName() const override { return "vector group"; }
  std::size_t unitCount() const override { return groups.size() + (streamedCells.empty() ? 0 : 1); }
  LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const override;
  std::size_t kindOf(std::size_t unit) const override;
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return false; }

protected:
  std::size_t paddingBytes() const override;
  std::size_t bytesMoved() const override;
};

/// Cells of one shape that are taken side by side.
struct SideBySide
{
  std::size_t width = 0; ///< index into the lanes
  std::size_t cells = 0;
};

/// Of `cells` cells of one shape as many as there are lanes at a time; of what is left as many as fewer lanes take,
/// where more than half of these have a cell. None of cells too large for the caches.
std::vector<SideBySide> takeSideBySide(std::size_t cells, std::size_t compartments, std::span<const std::size_t> lanes);

/// `lanes`: the numbers of cells that can be taken side by side, falling. What takeSideBySide leaves is taken cell by
/// cell.
std::shared_ptr<const InterleavedPlan> planInterleaved(std::shared_ptr<const HinesBatch> batch,
                                                       std::span<const std::size_t> lanes, const RunControl& control);

/// As many of the threads as pay: no more than there are groups, and each with more to do than it takes to wake it. At
/// least 1.
int usefulThreads(const InterleavedPlan& plan, int threads);

} // namespace hinesight::hines::detail
