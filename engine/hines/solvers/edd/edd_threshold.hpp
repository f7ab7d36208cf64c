#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hinesight::hines {

/// Up to how many rows a system is swept serially rather than decomposed once more: a / R + b for R right-hand sides
/// (vooturi 2019, section IV-D5; there 5245 / R + 40, the serial sweep on the CPU).
struct EddThreshold
{
  double a = 0;
  double b = 16;

  /// At least 1.
  std::int32_t rows(std::int32_t rightHandSides) const;
  bool operator==(const EddThreshold&) const = default;
};

/// The largest system that was swept serially in no more time than it was decomposed once.
struct EddThresholdPoint
{
  std::int32_t rightHandSides = 1;
  double rows = 0;
};

/// Least squares through the points; of one number of right-hand sides only, a is 0. `points` is not empty.
EddThreshold fitThrough(std::span<const EddThresholdPoint> points);

struct EddThresholdFit
{
  EddThreshold threshold;
  std::vector<EddThresholdPoint> points;
};

/// Times the serial sweep against one recursion on chains of 4 to 512 rows for 1 to 64 right-hand sides; takes about a
/// second. Throws Error(NoDevice), Error(DeviceFailure), Error(Cancelled).
EddThresholdFit fitEddThreshold(Backend backend, Precision precision, const RunControl& control = {});

/// The threshold of this machine's device: as kept, else fitted (stage "threshold fit") and kept, so that later runs
/// give the same bytes. On the CPU, where no recursion pays, it is EddThreshold's own: the plan is then that of a
/// device. Throws as fitEddThreshold.
EddThreshold eddThreshold(Backend backend, Precision precision, StageTimings& timings, const RunControl& control = {});

/// What was kept for a device of that name: in this process, or by an earlier one in edd-threshold.txt of
/// userCacheFolder(). A line that cannot be understood counts as not there.
std::optional<EddThreshold> keptEddThreshold(const std::string& device, Precision precision);

/// Keeps it for this process and, where the folder can be written, for later ones.
void keepEddThreshold(const std::string& device, Precision precision, const EddThreshold& threshold);

} // namespace hinesight::hines
