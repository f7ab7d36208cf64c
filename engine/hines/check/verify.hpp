#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hinesight::hines {

/// A built-in batch solved by one solver under many plans; the figures are the worst of them.
struct VerifyCase
{
  std::string shape; ///< such as "comb with 2,000 teeth"
  SolverKind solver = SolverKind::Serial;
  std::size_t cells = 0;
  std::size_t compartments = 0;
  std::size_t plans = 0; ///< plans, or variants of a solver that looks at none, under which it was solved
  Accuracy accuracy;
  bool repeatable = true; ///< under every plan, a second solve gave the same bytes
  bool passed = false;    ///< repeatable and accurate within accuracyLimit; serial and coarse without any difference
};

/// Every solver of a backend on a built-in set of shapes, extremes of depth and breadth and what lies between: every
/// combination of balance, split and pack, and narrow unsorted blocks besides; coarse in every layout. Failures are
/// reported, not thrown. Throws Error(NoDevice) for CUDA where there is none, Error(Cancelled), and what planning and
/// solving throw.
std::vector<VerifyCase> verify(Backend backend, const RunControl& control = {});

} // namespace hinesight::hines
