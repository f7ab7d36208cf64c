#include "hines/edd_threshold.hpp"

#include "hines/edd_plan.hpp"
#include "hines/edd_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace hinesight::hines {

namespace {

/// A chain in the middle of what reduced systems look like: neighbours couple about as strongly as they leak.
std::shared_ptr<const HinesSystem> chainOfRows(std::int32_t rows)
{
  auto system = std::make_shared<HinesSystem>();
  for (std::int32_t i = 0; i < rows; ++i) {
    const bool isRoot = i == 0;
    const bool isTip = i + 1 == rows;
    system->parent.push_back(i - 1);
    system->u.push_back(isRoot ? 0 : -1);
    system->d.push_back(1.0 + (isRoot ? 0 : 1) + (isTip ? 0 : 1));
    system->b.push_back(-65);
  }
  return system;
}

/// Median of some solves, ms.
double timeOf(const std::shared_ptr<const HinesBatch>& batch, std::int32_t depth, const SolveParameters& parameters,
              const RunControl& control)
{
  constexpr int kWarmUp = 5;
  constexpr int kSolves = 25;
  EddPlanParameters wanted;
  wanted.depth = depth;
  StageTimings timings;
  const auto solver = prepareEdd(makeEddPlan(batch, wanted, control), parameters, timings, control);
  for (int k = 0; k < kWarmUp; ++k)
    solver->solveOnce(control);
  std::array<double, kSolves> times{};
  for (double& time : times)
    time = solver->solveOnce(control).solve;
  std::ranges::nth_element(times, times.begin() + kSolves / 2);
  return times[kSolves / 2];
}

std::mutex keptMutex;
std::array<std::optional<EddThreshold>, 2> kept; ///< by precision

} // namespace

std::int32_t EddThreshold::rows(std::int32_t rightHandSides) const
{
  constexpr double kMost = 1'000'000;
  return static_cast<std::int32_t>(std::clamp(std::round(a / rightHandSides + b), 1.0, kMost));
}

EddThreshold fitThrough(std::span<const EddThresholdPoint> points)
{
  const auto count = static_cast<double>(points.size());
  double meanX = 0, meanRows = 0;
  for (const EddThresholdPoint& point : points) {
    meanX += 1.0 / point.rightHandSides / count;
    meanRows += point.rows / count;
  }
  double square = 0, product = 0;
  for (const EddThresholdPoint& point : points) {
    const double x = 1.0 / point.rightHandSides - meanX;
    square += x * x;
    product += x * (point.rows - meanRows);
  }
  const double a = square > 0 ? product / square : 0;
  return {a, meanRows - a * meanX};
}

EddThresholdFit fitEddThreshold(Backend backend, Precision precision, const RunControl& control)
{
  constexpr std::array kRows = {4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512};
  constexpr std::array kRightHandSides = {1, 2, 4, 8, 16, 32, 64};
  EddThresholdFit fit;
  SolveParameters parameters;
  parameters.solver = SolverKind::Edd;
  parameters.backend = backend;
  parameters.precision = precision;
  parameters.threads = 1;
  for (const int rightHandSides : kRightHandSides) {
    parameters.edd.rightHandSides = rightHandSides;
    EddThresholdPoint point{rightHandSides, 1};
    for (const int rows : kRows) {
      control.checkpoint();
      const auto batch = makeBatchOfCells({chainOfRows(rows)}, 1, 1, control);
      if (timeOf(batch, 0, parameters, control) > timeOf(batch, 1, parameters, control))
        break;
      point.rows = rows;
    }
    fit.points.push_back(point);
  }
  fit.threshold = fitThrough(fit.points);
  return fit;
}

EddThreshold eddThreshold(Backend backend, Precision precision, StageTimings& timings, const RunControl& control)
{
  if (backend == Backend::Cpu)
    return {};
  const std::lock_guard lock(keptMutex);
  std::optional<EddThreshold>& known = kept[precision == Precision::Double ? 0 : 1];
  if (!known) {
    const Stopwatch watch;
    known = fitEddThreshold(backend, precision, control.silenced()).threshold;
    timings.add("threshold fit", watch.elapsed());
  }
  return *known;
}

void setEddThreshold(Precision precision, const EddThreshold& threshold)
{
  const std::lock_guard lock(keptMutex);
  kept[precision == Precision::Double ? 0 : 1] = threshold;
}

} // namespace hinesight::hines
