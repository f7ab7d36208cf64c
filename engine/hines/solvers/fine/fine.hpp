#pragma once

#include "hines/solver_id.hpp"

namespace hinesight::hines {

/// Executes the plan of branches (branch/plan.hpp) with one thread a branch: CUDA, or lane by lane on one core.
inline constexpr SolverId kFine{"fine"};

} // namespace hinesight::hines
