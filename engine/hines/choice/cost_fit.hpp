#pragma once

#include "core/run_control.hpp"
#include "hines/choice/cost_model.hpp"
#include "hines/prepared_solver.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::hines {

/// A measured solve.
struct CostSample
{
  CostTerms counts{};
  double milliseconds = 0;
};

/// The costs that give the least sum of squared relative errors with none below 0. Each is drawn weakly towards its
/// `prior`, so that terms which the samples say nothing about keep it; terms whose prior is 0 stay 0. Deterministic.
CostTerms fitCostTerms(std::span<const CostSample> samples, const CostTerms& prior);

/// How solves are timed and how much time there is; the defaults are the machine's own clock.
struct CostFitParameters
{
  /// ms of one solve of the batch, as CostModel counts it; empty: measured.
  std::function<double(const std::shared_ptr<const HinesBatch>& batch, const SolveParameters& parameters,
                       const RunControl& control)>
      measure;
  /// ms since the fit began; empty: wall-clock time.
  std::function<double()> elapsed;
  /// ms after which no further batch is begun: what was not measured keeps its built-in cost.
  double budget = 1'500;
};

/// Measures costedSolvers on a few batches made for it: one cell, copies, cells of many shapes, many small cells, and
/// one batch beyond the caches (CPU) or one cell too large for the chip (CUDA). Stage "fit solver costs". Throws
/// Error(NoDevice), Error(DeviceFailure), Error(Cancelled).
CostModel fitCosts(Backend backend, Precision precision, const CostFitParameters& parameters = {},
                   const RunControl& control = {});

} // namespace hinesight::hines
