#pragma once

#include "app/cli/session.hpp"
#include "hines/solver.hpp"

namespace hinesight::cli {

/// Before the first solve with `auto` on a device: measures what its solvers cost there, for a second or two, and keeps
/// that for later runs. Says on stderr where it cannot be kept. Throws as hines::fitCurrentCosts.
void fitCostsIfNeeded(const hines::SolveParameters& parameters, Session& session);

} // namespace hinesight::cli
