#pragma once

#include "core/run_control.hpp"
#include "hines/branch/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hinesight::hines::detail {

/// The cells that are planned alike.
struct CellGroup
{
  std::uint32_t shape = 0;          ///< index into the planned shapes
  std::vector<std::uint32_t> cells; ///< cells of the batch
};

/// The level of a block on which each branch of a cell is executed; null: each on the level of its tree.
using BranchLevels = std::shared_ptr<const std::vector<std::int32_t>>;

struct PackedBlock
{
  std::uint32_t sequence = 0; ///< index into Packing::sequences
  std::size_t cellBegin = 0;  ///< into Packing::cellOrder
};

/// Which cells share a block. Blocks with the same shapes in the same order refer to the same sequence.
struct Packing
{
  std::vector<std::vector<std::uint32_t>> sequences;   ///< planned shapes of a block's cells
  std::vector<std::vector<BranchLevels>> branchLevels; ///< per sequence and cell of it
  std::vector<PackedBlock> blocks;
  std::vector<std::uint32_t> cellOrder; ///< cells of the batch, block after block

  std::size_t cellsOf(const PackedBlock& block) const { return sequences[block.sequence].size(); }
};

/// Greedy (huber 2018, section 4), first fit, or greedy with subtrees that begin later, group after group. A block
/// takes a cell while every level has at most `blockSize` branches and the slots of its layout can be numbered by
/// 32-bit integers; a cell that fits nowhere gets a block of its own. First fit takes the groups by falling
/// compartments and looks at the newest 64 blocks only, which keeps it linear.
Packing packCells(std::span<const CellGroup> groups, std::span<const PlannedShape> shapes, PackStrategy strategy,
                  std::int32_t blockSize, const RunControl& control);

} // namespace hinesight::hines::detail
