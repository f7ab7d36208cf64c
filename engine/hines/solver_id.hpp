#pragma once

#include <compare>
#include <string_view>

namespace hinesight::hines {

/// Which solver: its name, as in commands and files. Every solver's folder has a constant for its own.
struct SolverId
{
  std::string_view name; ///< of static storage

  auto operator<=>(const SolverId&) const = default;
};

/// Whichever of the others is expected to be the fastest for the batch (choice/cost_model.hpp).
inline constexpr SolverId kAuto{"auto"};

} // namespace hinesight::hines
