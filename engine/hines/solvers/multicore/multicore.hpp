#pragma once

#include "hines/solver_id.hpp"

namespace hinesight::hines {

/// Executes the plan of branches (branch/plan.hpp), blocks in parallel over the cores.
inline constexpr SolverId kMulticore{"multicore"};

} // namespace hinesight::hines
