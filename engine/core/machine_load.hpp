#pragma once

#include <chrono>

namespace hinesight {

/// Looks at what other programs, and the neighbours of a virtual machine, take of the processors that this process may
/// run on. Time of this process itself, whatever its threads do, is not theirs.
class MachineLoad
{
public:
  /// Looks from now on.
  MachineLoad();

  /// Processors that others kept busy, on average over the time since: 0.5 is half of one. It is the least that the
  /// system's clock, which ticks every 10 ms, allows: near 0 over a time that is too short to tell. 0 where the system
  /// does not say (Linux, proc(5): /proc/stat).
  double others() const;

private:
  struct Times
  {
    double busy = 0; ///< s, of the processors, whoever ran
    double own = 0;  ///< s
    int processors = 0;
  };

  static Times now();

  std::chrono::steady_clock::time_point begin;
  Times before;
};

} // namespace hinesight
