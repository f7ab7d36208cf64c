#pragma once

#include <cstdint>

namespace hinesight::hines {

/// The longest length, in compartments, at which a person can have cells cut.
inline constexpr std::int32_t kLongestCut = 1'000'000;

/// A length at which cells are cut, as a line that can be dragged.
struct CutLength
{
  double length = 1;           ///< compartments
  bool inForce = true;         ///< else another way to cut is chosen
  bool isAutomatic = false;    ///< it follows from the batch
  std::int32_t fromRound = -1; ///< of those rounds only; -1: of all
};

} // namespace hinesight::hines
