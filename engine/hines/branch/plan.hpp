#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "hines/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace hinesight::hines {

/// What the root is moved for (huber 2018, section 6, "balance the dependency tree").
enum class BalanceMeasure
{
  None,         ///< keep the root of the file
  Branches,     ///< least number of levels
  Compartments, ///< least number of elimination steps on the longest path from the root
};

/// Which branches are cut in two (huber 2018, sections 6 and 8).
enum class SplitStrategy
{
  None,
  LevelAverage, ///< longer than the average of its level over the whole batch
  FixedLength,  ///< longer than `splitLength`
  BlockAverage, ///< longer than the average of its level over its block (the paper's outlook)
};

enum class PackStrategy
{
  Greedy,   ///< next cell into the current block while every level fits, else a new block (huber 2018, section 4)
  FirstFit, ///< cells by falling size, each into the first block where every level fits
  /// As Greedy, but where a level is full a subtree begins one or more levels later, as long as the block gets neither
  /// levels nor steps by it (the paper's outlook).
  LevelShift,
};

inline constexpr Choice kBalanceMeasures[] = {
    {"none", "Soma", "Keep the root of the file."},
    {"branches", "Fewest levels", "The centre of the tree, counted in branches."},
    {"compartments", "Shortest path", "The centre of the tree, counted in compartments."},
};
inline constexpr Choice kSplitStrategies[] = {
    {"none", "Nothing", "Branches stay whole."},
    {"level-average", "Level average", "Branches longer than the average of their level over the batch."},
    {"fixed", "Fixed length", "Branches longer than a given number of compartments.", "split-length"},
    {"block-average", "Block average", "Branches longer than the average of their level in their block."},
};
inline constexpr Choice kPackStrategies[] = {
    {"greedy", "Greedy", "Next cell into the current block, or a new one."},
    {"first-fit", "First-fit", "Largest first, each into the first block where it fits."},
    {"level-shift", "Level-shift", "As greedy, subtrees begin later where their level has no lane left."},
};
inline std::span<const Choice> tableOf(BalanceMeasure)
{
  return kBalanceMeasures;
}
inline std::span<const Choice> tableOf(SplitStrategy)
{
  return kSplitStrategies;
}
inline std::span<const Choice> tableOf(PackStrategy)
{
  return kPackStrategies;
}
inline std::string_view balanceName(BalanceMeasure balance)
{
  return choiceName(balance);
}
inline std::string_view splitName(SplitStrategy split)
{
  return choiceName(split);
}
inline std::string_view packName(PackStrategy pack)
{
  return choiceName(pack);
}

struct PlanParameters
{
  BalanceMeasure balance = BalanceMeasure::Branches;
  SplitStrategy split = SplitStrategy::LevelAverage;
  std::int32_t splitLength = 16; ///< compartments
  PackStrategy pack = PackStrategy::Greedy;
  std::int32_t blockSize = 128; ///< threads
  bool sortByLength = true;

  bool operator==(const PlanParameters&) const = default;
};

template <typename Visitor>
void visitFields(PlanParameters& p, Visitor&& visit)
{
  visit(Field{.name = "balance",
              .label = "Re-root at",
              .help = "Moves the root so that the tree gets less deep.",
              .detail = "The equations do not care which compartment is the root, but the levels do: with the root in "
                        "the centre of the tree fewer steps wait for one another (Huber 2018, section 6).",
              .section = {"Balance", "Where the root of the dependency tree is."}},
        p.balance);
  visit(Field{.name = "split",
              .label = "Split",
              .help = "Splits long branches in two, so that a level has branches of like length.",
              .detail = "A level lasts as long as its longest branch. Splitting moves the branch's lower part one "
                        "level down: the level gets shorter, but another barrier may come (Huber 2018, sections 6 "
                        "and 8).",
              .section = {"Split", "Which branches are split in two."}},
        p.split);
  visit(Field{.name = "split-length",
              .label = "Split at",
              .unit = "comp.",
              .range = from(1, 1'000'000),
              .slider = {1, 1000, true},
              .help = "Longer branches are split.",
              .detail = "Small: short levels, many barriers. Large: few barriers, idle lanes. The Splitting view shows "
                        "both sides; drag its threshold line."}
            .when(p.split == SplitStrategy::FixedLength),
        p.splitLength);
  visit(Field{.name = "pack",
              .label = "Packing strategy",
              .help = "In what order cells go into blocks.",
              .detail = "A cell fits where every level has a free lane for each of its branches. Greedy takes cells as "
                        "they come (Huber 2018, section 4); first-fit takes the largest first and tries every open "
                        "block; level-shift lets subtrees begin levels later where their level is full (section 8).",
              .section = {"Pack", "How cells share blocks of threads."}},
        p.pack);
  visit(Field{.name = "block-size",
              .label = "Threads per block",
              .unit = "threads",
              .range = from(32, 1024),
              .multipleOf = 32,
              .help = "Threads of a block.",
              .detail = "A wide block holds more cells and idles on narrow levels; a narrow one needs several passes "
                        "for a wide level."},
        p.blockSize);
  visit(Field{.name = "sort",
              .label = "Sort by length",
              .help = "Branches of a level lie side by side by length.",
              .detail = "The 32 lanes of a warp wait for their longest branch; sorted, they have branches of like "
                        "length (Huber 2018, figure 4.1)."},
        p.sortByLength);
}

void validate(const PlanParameters& parameters);

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

/// The figures of a plan. A level with more branches than the block has threads is executed in passes of blockSize
/// branches; a pass takes as many steps as its longest branch has compartments. A warp (32 branches that follow one
/// another in a pass) issues as many steps as the longest of its branches.
struct PlanFigures
{
  std::int32_t levels = 0;   ///< most levels of any block
  std::int64_t barriers = 0; ///< between the levels of the deepest block, both sweeps: 2 (levels - 1)
  /// Steps of one sweep, all levels and passes, of the block where they are most. At least PlannedShape::criticalPath
  /// of its cells: a level lasts as long as the longest branch of any of them.
  std::int64_t criticalPath = 0;
  double occupancy = 0;         ///< compartments over issued lane steps (32 a warp and step), 0 to 1
  std::size_t paddingBytes = 0; ///< of d, u and b in double precision, all blocks
  /// What both sweeps are predicted to read and write: per compartment 72 bytes (backward reads d, u, b and writes d
  /// and b; forward reads d, u, b and writes x), per branch 64 (its tables, what it hands to its parent, its parent's
  /// value). The permutation into the layout and back is not part of it.
  std::size_t bytesMoved = 0;
  std::size_t blocks = 0;
};

/// How a batch is solved. Immutable; the views draw it and the solvers execute it.
struct SolvePlan
{
  std::shared_ptr<const HinesBatch> batch;
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

  PlanFigures figures;       ///< of this plan
  PlanFigures figuresUncut;  ///< of the same balance, pack and block size without split: what the cut is compared with
  PlanFigures figuresAsRead; ///< of the same pack and block size without balance and split
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
