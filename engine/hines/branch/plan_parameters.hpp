#pragma once

#include "core/fields.hpp"
#include "hines/cut_length.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
    {"none", "Not split", "Branches stay whole."},
    {"level-average", "Level average", "Branches longer than the average of their level over the batch."},
    {"fixed", "Fixed length", "Branches longer than a given number of compartments.", "split-length"},
    {"block-average", "Block average", "Branches longer than the average of their level in their block."},
};
inline constexpr Choice kPackStrategies[] = {
    {"greedy", "Greedy", "Next cell into the current block, or a new one."},
    {"first-fit", "First-fit", "Largest first, each into the first block where it fits."},
    {"level-shift", "Level-shift", "As greedy, but subtrees begin later where their level has no lane left."},
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

/// Settings of the solvers that take a cell branch by branch.
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
              .help = "Moves the root to make the tree less deep.",
              .detail = "The solution does not depend on the root, but the levels do. With the root in the centre of "
                        "the tree fewer steps wait for one another (Huber 2018, section 6).",
              .section = {"Re-root", "Where the root of the dependency tree is."}},
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
              .range = from(1, kLongestCut),
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
/// splitName, of FixedLength with its length: "fixed:16".
std::string describeSplit(const PlanParameters& parameters);

} // namespace hinesight::hines
