#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hinesight::hines {

/// A built-in batch solved by one solver in many ways; the figures are the worst of them.
struct VerifyCase
{
  std::string shape; ///< such as "comb with 2,000 teeth"
  SolverId solver;
  std::size_t cells = 0;
  std::size_t compartments = 0;
  std::size_t plans = 0; ///< ways in which it was solved: SolverDefinition::verifyVariants
  Accuracy accuracy;
  bool repeatable = true; ///< in every way, a second solve gave the same bytes
  bool asOnCpu = true;    ///< in every way, the same schedule gave the same bytes on the CPU
  bool passed = false;    ///< both, and accurate within accuracyLimit; exact solvers without any difference
};

/// Every solver of a backend on a built-in set of shapes, extremes of depth and breadth and what lies between, in every
/// way that the solver has: plans of branches by every combination of balance, split and pack, coarse in every layout,
/// domain decomposition by every method. What CUDA gives is compared with what the CPU gives by the same schedule, but
/// of routines that are not ours. Failures are reported, not thrown. Throws Error(NoDevice) for CUDA where there is
/// none, Error(Cancelled), and what planning and solving throw.
std::vector<VerifyCase> verify(Backend backend, const RunControl& control = {});

} // namespace hinesight::hines
