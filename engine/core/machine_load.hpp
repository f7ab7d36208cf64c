#pragma once

#include <chrono>

namespace hinesight {

/// Time of processors, s.
struct ProcessorTimes
{
  double busy = 0; ///< of those that this process may run on, whoever ran
  double own = 0;  ///< of this process
  int processors = 0;
};

/// Processors that others kept busy between two looks so many seconds apart, on average, at least: the system charges
/// time in ticks, to whoever runs when one comes, and those of all processors may come together.
double processorsOfOthers(const ProcessorTimes& before, const ProcessorTimes& after, double seconds);

/// Looks at what other programs, and the neighbours of a virtual machine, take of the processors that this process may
/// run on. Time of this process itself, whatever its threads do, is not theirs.
class MachineLoad
{
public:
  /// Looks from now on.
  MachineLoad();

  /// As processorsOfOthers, since then: 0.5 is half of one, and 0 what a short time cannot tell. 0 too where the system
  /// does not say (Linux, proc(5): /proc/stat).
  double others() const;

private:
  std::chrono::steady_clock::time_point begin;
  ProcessorTimes before;
};

} // namespace hinesight
