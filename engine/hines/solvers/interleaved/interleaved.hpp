#pragma once

#include "hines/solver_id.hpp"

namespace hinesight::hines {

/// Cells of one shape side by side in the CPU's vector registers, the others several at a time.
inline constexpr SolverId kInterleaved{"interleaved"};

} // namespace hinesight::hines
