#pragma once

#include "cable/hines_system.hpp"
#include "core/run_control.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hinesight::hines {

using cable::HinesSystem;

/// Many systems to solve at once. Cells of the same shape (parent array) share it, so that what depends on shapes alone
/// is planned once; every cell has its own matrix and right-hand side.
struct HinesBatch
{
  std::vector<std::shared_ptr<const HinesSystem>> shapes; ///< one of each parent array
  std::vector<std::uint32_t> shapeOf;                     ///< per cell: index into `shapes`
  std::vector<std::size_t> offset;                        ///< size cells + 1: first compartment of each cell

  // Per compartment of the batch, cell after cell.
  std::vector<double> d, u, b;
  /// Row sums of the matrix, summed as if exactly (diagonalExcess): what the solvers read for d.
  std::vector<double> excess;

  std::size_t cells() const { return shapeOf.size(); }
  std::size_t compartments() const { return offset.empty() ? 0 : offset.back(); }
};

/// `copies` of each of `systems`, round robin (A B C A B C ...). The first copy of each has its own right-hand side.
/// Every other copy draws a shift uniformly from -10 to 10 mV (seeded, counter-based, by the number of the cell) and
/// adds the current that moves each of its voltages by the shift, so that no two cells have the same solution. Throws
/// Error(BadParameter) for no systems, a system without compartments or copies < 1; Error(BadFormat) for a malformed
/// system; Error(OutOfMemory) before allocating what does not fit.
std::shared_ptr<const HinesBatch> makeBatch(const std::vector<std::shared_ptr<const HinesSystem>>& systems,
                                            std::int64_t copies, std::uint64_t seed = 1,
                                            const RunControl& control = {});

/// The same by the number of cells: `cells` of `systems`, round robin, so that the last round may end early. Throws as
/// makeBatch; Error(BadParameter) also where there are fewer cells than systems.
std::shared_ptr<const HinesBatch> makeBatchOfCells(const std::vector<std::shared_ptr<const HinesSystem>>& systems,
                                                   std::int64_t cells, std::uint64_t seed = 1,
                                                   const RunControl& control = {});

} // namespace hinesight::hines
