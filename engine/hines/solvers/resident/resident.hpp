#pragma once

#include "hines/solver_id.hpp"

namespace hinesight::hines {

/// A plan of its own (resident_plan.hpp): each cell is read once, kept on chip, and written once.
inline constexpr SolverId kResident{"resident"};

} // namespace hinesight::hines
