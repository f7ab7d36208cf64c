#include "hines/solvers/edd/edd_threshold.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "hines/solvers/edd/edd_plan.hpp"
#include "hines/solvers/edd/edd_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string_view>
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

using Key = std::pair<std::string, Precision>; ///< device and precision
using Thresholds = std::map<Key, EddThreshold>;

/// To be changed where kernels change so much that thresholds fitted before are no longer theirs.
constexpr std::string_view kFirstLine = "hinesight EDD thresholds, version 1: precision, a, b, device";

std::filesystem::path keptFile()
{
  return userCacheFolder() / "edd-threshold.txt";
}

/// Nothing where there is no such file or it is not ours.
Thresholds readKept()
{
  Thresholds thresholds;
  std::istringstream lines;
  try {
    lines.str(readFile(keptFile()));
  } catch (const Error&) {
    return thresholds;
  }
  std::string line;
  if (!std::getline(lines, line) || line != kFirstLine)
    return thresholds;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string precision, device;
    EddThreshold threshold;
    words >> precision >> threshold.a >> threshold.b >> std::ws;
    if (!words || !std::getline(words, device) || !std::isfinite(threshold.a) || !std::isfinite(threshold.b))
      continue;
    for (const Precision known : {Precision::Double, Precision::Single})
      if (precision == precisionName(known))
        thresholds[{device, known}] = threshold;
  }
  return thresholds;
}

void writeKept(const Thresholds& thresholds)
{
  writeFileAtomically(keptFile(), [&](std::ostream& stream) {
    stream << kFirstLine << '\n' << std::setprecision(std::numeric_limits<double>::max_digits10);
    for (const auto& [key, threshold] : thresholds)
      stream << precisionName(key.second) << ' ' << threshold.a << ' ' << threshold.b << ' ' << key.first << '\n';
  });
}

std::mutex keptMutex;
Thresholds keptHere; ///< by this process; a file that is changed or lost meanwhile does not change its results

std::optional<EddThreshold> findKept(const Key& key)
{
  if (!keptHere.contains(key)) {
    const Thresholds stored = readKept();
    if (const auto found = stored.find(key); found != stored.end())
      keptHere.insert(*found);
  }
  const auto found = keptHere.find(key);
  return found == keptHere.end() ? std::nullopt : std::optional(found->second);
}

void keep(const Key& key, const EddThreshold& threshold)
{
  keptHere[key] = threshold;
  Thresholds stored = readKept();
  stored[key] = threshold;
  try {
    writeKept(stored);
  } catch (const Error&) {
    // Without a folder to write to every process fits its own.
  }
}

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
  parameters.solver = kEdd;
  parameters.backend = backend;
  parameters.precision = precision;
  parameters.threads = 1;
  const RunControl quiet = control.silenced();
  for (const int rightHandSides : kRightHandSides) {
    control.report("threshold fit", static_cast<double>(fit.points.size()) / kRightHandSides.size());
    parameters.of<EddParameters>().rightHandSides = rightHandSides;
    EddThresholdPoint point{rightHandSides, 1};
    for (const int rows : kRows) {
      control.checkpoint();
      const auto batch = makeBatchOfCells({chainOfRows(rows)}, 1, 1, quiet);
      if (timeOf(batch, 0, parameters, quiet) > timeOf(batch, 1, parameters, quiet))
        break;
      point.rows = rows;
    }
    fit.points.push_back(point);
  }
  control.report("threshold fit", 1);
  fit.threshold = fitThrough(fit.points);
  return fit;
}

EddThreshold eddThreshold(Backend backend, Precision precision, StageTimings& timings, const RunControl& control)
{
  if (backend == Backend::Cpu)
    return {};
  requireCudaDevice();
  const std::lock_guard lock(keptMutex);
  const Key key(planningDevice().name, precision);
  if (const auto known = findKept(key))
    return *known;
  const Stopwatch watch;
  const EddThreshold fitted = fitEddThreshold(backend, precision, control).threshold;
  keep(key, fitted);
  timings.add("threshold fit", watch.elapsed());
  return fitted;
}

std::optional<EddThreshold> keptEddThreshold(const std::string& device, Precision precision)
{
  const std::lock_guard lock(keptMutex);
  return findKept({device, precision});
}

void keepEddThreshold(const std::string& device, Precision precision, const EddThreshold& threshold)
{
  const std::lock_guard lock(keptMutex);
  keep({device, precision}, threshold);
}

} // namespace hinesight::hines
