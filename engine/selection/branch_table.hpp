#pragma once

#include "selection/branch_fields.hpp"
#include "selection/branch_id.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hinesight::cable {
struct Discretization;
}
namespace hinesight::hines {
struct SolvePlan;
}

namespace hinesight::selection {

/// The branches of all cells of a batch with their figures, a row a branch: cell after cell, and in a cell by number,
/// so that a branch comes before those that hang on it.
struct BranchTable
{
  std::vector<std::string> cellNames;
  std::vector<std::size_t> firstRow = {0}; ///< size cells + 1
  std::vector<std::int32_t> cell;          ///< per row
  std::vector<std::int64_t> parent;        ///< per row: the row of the branch that it hangs on; -1 at a root
  /// Per figure and row. NaN: unknown, such as the length of a branch of a random tree.
  std::array<std::vector<double>, kBranchFigures> figures;

  std::size_t rows() const { return parent.size(); }
  std::size_t cells() const { return cellNames.size(); }
  double at(BranchFigure figure, std::size_t row) const { return figures[static_cast<std::size_t>(figure)][row]; }
  /// nullopt: there is no such branch.
  std::optional<std::size_t> rowOf(BranchId id) const;
  BranchId idOf(std::size_t row) const;
};

/// A cell of a batch: cell i is cell i of it.
struct TabledCell
{
  std::string name;
  const cable::Discretization* discretization = nullptr; ///< null: a random tree, which has no place in space
};

/// The rows alone: their figures are left empty. Linear in branches. Cells that the plan does not have, have no rows.
BranchTable makeBranchRows(std::span<const TabledCell> cells, const hines::SolvePlan& plan);
/// The same with the figures. Linear in samples and compartments.
BranchTable makeBranchTable(std::span<const TabledCell> cells, const hines::SolvePlan& plan);

/// Per shape of the plan's batch: the first block that holds a cell of it; -1: none.
std::vector<std::int32_t> blockOfShape(const hines::SolvePlan& plan);

} // namespace hinesight::selection
