#pragma once

#include "core/run_control.hpp"

#include <cstdint>

namespace hinesight::hines::detail {

/// Looks for cancellation every 65,536 steps of a long loop: often enough to stop within milliseconds, too rarely to
/// cost anything. A step is a compartment or so.
class Pulse
{
public:
  explicit Pulse(const RunControl& runControl) : control(runControl) {}

  void tick(std::uint32_t taken = 1)
  {
    steps += taken;
    if (steps < 0x10000u)
      return;
    steps = 0;
    control.checkpoint();
  }

private:
  const RunControl& control;
  std::uint32_t steps = 0;
};

} // namespace hinesight::hines::detail
