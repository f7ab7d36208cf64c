#pragma once

#include "hines/solver_id.hpp"

namespace hinesight::hines {

/// One sweep, one core: the reference.
inline constexpr SolverId kSerial{"serial"};

} // namespace hinesight::hines
