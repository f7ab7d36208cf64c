#pragma once

#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan_parameters.hpp"
#include "hines/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hinesight::hines {

/// A cell as a tree of branches. Branch k covers the planned compartments first[k] ... first[k] + length[k] - 1, root
/// side first; its parent compartment is the last one of branch parent[k]. Branches are ordered by level, so a parent
/// precedes its children. Several roots in a forest.
struct DependencyTree
{
  std::vector<std::int32_t> parent; ///< -1 at a root
  std::vector<std::int32_t> level;  ///< branch steps from the root
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> length; ///< compartments
  /// The uncut branch that it is a piece of, numbered alike in all pieces of it; a branch that was not cut has its own.
  std::vector<std::int32_t> uncut;

  std::size_t branches() const { return parent.size(); }
  std::int32_t levels() const { return level.empty() ? 0 : level.back() + 1; }
};

/// One numbering of a cell's compartments with its tree of branches.
struct PlannedShape
{
  std::vector<std::int32_t> compartment; ///< planned index -> compartment of the HinesSystem
  std::vector<std::int32_t>
      couplingSource; ///< planned index -> compartment whose u couples it with its planned parent; -1 at a root
  std::vector<std::int32_t> parent; ///< planned index -> planned parent; -1 at a root
  DependencyTree tree;
  std::int32_t criticalPath = 0; ///< compartments on the longest path from a root, which wait for one another
  std::uint32_t batchShape = 0;  ///< index into HinesBatch::shapes
};

/// The branches of one level of a block, side by side. Element k (root side first) of branch j of the level is at
/// slotOffset + k * stride + j.
struct PlannedLevel
{
  std::int32_t branchBegin = 0; ///< first branch of the level, in the block's branch arrays
  std::int32_t branchCount = 0;
  std::int32_t slotOffset = 0;
  std::int32_t stride = 0;    ///< = branchCount
  std::int32_t maxLength = 0; ///< rows of the level
};

/// What a block of threads executes. Blocks that hold the same shapes in the same order share it. A branch is on a
/// level after its parent's: the next one, or with PackStrategy::LevelShift a later one.
struct BlockSchedule
{
  std::vector<std::uint32_t> cellShape; ///< per cell of the block: index into SolvePlan::shapes
  std::vector<PlannedLevel> levels;     ///< root level first

  // Per branch of the block, level after level, in lane order.
  std::vector<std::int32_t> branchLength;
  std::vector<std::int32_t> parentBranch; ///< in these arrays; -1 at a root
  std::vector<std::int32_t> parentSlot;   ///< slot of the parent compartment; -1 at a root
  std::vector<std::int32_t>
      childBegin;                  ///< size branches + 1: the branches that hang on the end of branch k, in `child`
  std::vector<std::int32_t> child; ///< in the order in which the serial sweep would add them (falling index)
  std::vector<std::int32_t> branchCell; ///< cell of the block
  std::vector<std::int32_t> branchNode; ///< branch in that cell's DependencyTree

  // Per slot: where its values come from. -1: padding.
  std::vector<std::int32_t> slotCell;     ///< cell of the block
  std::vector<std::int32_t> slotDiagonal; ///< compartment of the HinesSystem (d, b and x)
  std::vector<std::int32_t> slotCoupling; ///< compartment whose u is the coupling with the parent; -1 at a root

  std::int32_t slotCount() const { return static_cast<std::int32_t>(slotCell.size()); }
  std::int32_t branches() const { return static_cast<std::int32_t>(branchLength.size()); }
};

/// A block of the launch.
struct PlannedBlock
{
  std::uint32_t schedule = 0; ///< index into SolvePlan::schedules
  std::size_t slotBegin = 0;  ///< first slot of the block in the level-interleaved arrays
  std::size_t cellBegin = 0;  ///< its cells are SolvePlan::cellOrder[cellBegin ...], as many as the schedule has
};

/// The schedule of the solvers that take a cell branch by branch. A unit is a block of threads, a round a level. A
/// level with more branches than the block has threads is executed in passes of blockSize branches; a pass takes as
/// many steps as its longest branch has compartments. A warp (32 branches that follow one another in a pass) issues as
/// many steps as the longest of its branches.
struct SolvePlan final : Schedule
{
  PlanParameters parameters;

  std::vector<PlannedShape> asRead; ///< per shape of the batch: root and branches of the file
  /// Balanced and split: first one per shape of the batch, in its order. Where blocks cut a shape differently
  /// (BlockAverage), the other ways to cut it follow; PlannedShape::batchShape says of which shape.
  std::vector<PlannedShape> shapes;
  std::vector<double> levelThreshold; ///< per level: longer branches were cut (LevelAverage, FixedLength); else empty

  std::vector<BlockSchedule> schedules;
  std::vector<PlannedBlock> blocks;
  std::vector<std::uint32_t> cellOrder; ///< cells of the batch, block after block
  std::size_t slotCount = 0;            ///< of all blocks

  /// Of this plan. Its bytes: per compartment 72 (backward reads u, b and the excess and writes b and the excess;
  /// forward reads all three and writes x), per branch 64 (its tables, what it hands to its parent, its parent's
  /// value); the permutation into the layout and back is not part of them. The critical path is at least
  /// PlannedShape::criticalPath of its cells: a level lasts as long as the longest branch of any of them.
  ScheduleFigures figures;
  ScheduleFigures figuresUncut;  ///< of the same balance, pack and block size without split: what the cut is compared
                                 ///< with
  ScheduleFigures figuresAsRead; ///< of the same pack and block size without balance and split

  std::string_view unitName() const override { return "block"; }
  std::size_t unitCount() const override { return blocks.size(); }
  /// A band a level, the deepest first; a bar a branch.
  LaneChart chart(std::size_t unit, LaneOrder order = LaneOrder::AsExecuted) const override;
  std::size_t kindOf(std::size_t unit) const override { return blocks[unit].schedule; }
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override;
  bool dividesCells() const override { return true; }
  std::optional<LaneOrder> laneOrder() const override
  {
    return parameters.sortByLength ? LaneOrder::ByLength : LaneOrder::ByCell;
  }
  /// By their levels, the root's 0.
  std::vector<SchedulePiece> piecesOf(std::span<const std::int32_t> cells) const override;
  std::string_view roundName() const override { return "level"; }
  std::optional<ScheduleFigures> summary(const RunControl& control = {}) const override;

protected:
  std::size_t bytesMoved() const override { return figures.bytesMoved; }
};

/// Balance, split, pack, sort and lay out. Linear in compartments of distinct shapes and in cells times levels.
///
/// Packing takes the cells grouped by shape, the shapes in the order of their first cell, so that copies give few
/// distinct schedules. A cell with more branches on a level than a block has threads gets a block of its own, and its
/// level is executed in passes. BlockAverage packs the uncut cells, cuts each of these blocks by its own averages
/// (huber 2018, section 8: an intermediate packing gives more local averages) and packs the cut cells anew. Throws
/// Error(BadParameter) (a cell that needs more than 2^31 - 1 slots included), Error(BadFormat) for a batch that
/// contradicts itself, Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<const SolvePlan> makePlan(std::shared_ptr<const HinesBatch> batch, const PlanParameters& parameters,
                                          const RunControl& control = {});

} // namespace hinesight::hines
