#pragma once

#include "core/fields.hpp"
#include "hines/solver_id.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace hinesight::hines {

/// One thread a system (coarse_plan.hpp): the serial sweep, and its result to the last bit.
inline constexpr SolverId kCoarse{"coarse"};

/// How the systems of a batch lie in memory (martinez 2018, sections 3.1 and 3.2).
enum class CoarseLayout
{
  Flat,             ///< system after system
  FullInterleaved,  ///< the first rows of all systems, then their second rows, ...
  BlockInterleaved, ///< the same within each group of blockSize systems
  BlockShared,      ///< as BlockInterleaved, the right-hand side kept in shared memory while it is solved
  UnifiedVector,    ///< as FullInterleaved, the three vectors of a row one behind the other
};

inline constexpr Choice kCoarseLayouts[] = {
    {"flat", "Flat", "System after system."},
    {"full-interleaved", "Full-interleaved", "The first rows of all systems, then their second rows, ..."},
    {"block-interleaved", "Block-interleaved", "The same within each group of as many systems as a block has threads."},
    {"block-shared", "Block-shared", "As block-interleaved, the right-hand side kept in shared memory."},
    {"unified-vector", "Unified-vector", "As full-interleaved, the three numbers of a row side by side."},
};
inline std::span<const Choice> tableOf(CoarseLayout)
{
  return kCoarseLayouts;
}
std::span<const CoarseLayout> allCoarseLayouts();
inline std::string_view layoutName(CoarseLayout layout)
{
  return choiceName(layout);
}

/// What is done with rows that interleaving adds to the smaller systems of a group (martinez 2018, section 3.3).
enum class CoarsePadding
{
  NotComputed, ///< every thread ends with its own system (NCP)
  Computed,    ///< every thread runs as long as the group's largest system (CP)
};

inline constexpr Choice kCoarsePaddings[] = {
    {"not-computed", "Not computed", "Every lane ends with its own system."},
    {"computed", "Computed", "Every lane runs as long as the largest system of its group."},
};
inline std::span<const Choice> tableOf(CoarsePadding)
{
  return kCoarsePaddings;
}
inline std::string_view paddingName(CoarsePadding padding)
{
  return choiceName(padding);
}

struct CoarseParameters
{
  CoarseLayout layout = CoarseLayout::FullInterleaved;
  CoarsePadding padding = CoarsePadding::NotComputed;
  std::int32_t blockSize = 32; ///< threads

  bool operator==(const CoarseParameters&) const = default;
};

template <typename Visitor>
void visitFields(CoarseParameters& p, Visitor&& visit)
{
  visit(Field{.name = "layout",
              .label = "Layout",
              .help = "How the systems of the batch lie in memory.",
              .detail =
                  "Interleaved, the 32 lanes of a warp read numbers that lie side by side (Martinez 2018, sections "
                  "3.1 and 3.2)."},
        p.layout);
  visit(Field{.name = "padding",
              .label = "Padding",
              .help = "What is done with rows that smaller systems lack.",
              .detail = "Interleaving gives every system of a group as many rows as the largest has. Computing them "
                        "saves the lanes a test for each row, but it is extra work (Martinez 2018, section 3.3)."},
        p.padding);
  visit(Field{.name = "block-size",
              .label = "Threads per block",
              .unit = "threads",
              .range = from(1, 1024),
              .slider = {1, 1024, true},
              .multipleOf = 32,
              .powersOfTwoBelow = true,
              .help = "Threads of a block; for layouts with groups, also the systems that are interleaved in a group.",
              .former = "coarse-block"},
        p.blockSize);
}

/// Throws Error(BadParameter) for ranges.
void validate(const CoarseParameters& parameters);

} // namespace hinesight::hines
