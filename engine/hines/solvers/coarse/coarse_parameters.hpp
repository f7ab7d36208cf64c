#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hinesight::hines {

/// How the systems of a batch lie in memory (martinez 2018, sections 3.1 and 3.2).
enum class CoarseLayout
{
  Flat,             ///< system after system
  FullInterleaved,  ///< the first rows of all systems, then their second rows, ...
  BlockInterleaved, ///< the same within each group of blockSize systems
  BlockShared,      ///< as BlockInterleaved, the right-hand side kept in shared memory while it is solved
  UnifiedVector,    ///< as FullInterleaved, the three vectors of a row one behind the other
};

std::span<const CoarseLayout> allCoarseLayouts();
/// "flat", "full-interleaved", "block-interleaved", "block-shared", "unified-vector".
std::string_view layoutName(CoarseLayout layout);

/// What is done with rows that interleaving adds to the smaller systems of a group (martinez 2018, section 3.3).
enum class CoarsePadding
{
  NotComputed, ///< every thread ends with its own system (NCP)
  Computed,    ///< every thread runs as long as the group's largest system (CP)
};

/// "not-computed", "computed".
std::string_view paddingName(CoarsePadding padding);

struct CoarseParameters
{
  CoarseLayout layout = CoarseLayout::FullInterleaved;
  CoarsePadding padding = CoarsePadding::NotComputed;
  /// Threads of a block, and systems that are interleaved in a group: 1, 2, 4, 8, 16 or a multiple of 32 to 1024.
  std::int32_t blockSize = 32;
  std::int32_t devices = 1; ///< GPUs of this host that share the cells, 0: all of them; 0 to 64

  bool operator==(const CoarseParameters&) const = default;
};

/// Throws Error(BadParameter) for ranges.
void validate(const CoarseParameters& parameters);

} // namespace hinesight::hines
