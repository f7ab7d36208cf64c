#pragma once

#include "core/run_control.hpp"

#include <cstdint>

namespace hinesight::hines::detail {

/// Looks for cancellation every 65,536 steps of a long loop: often enough to stop within milliseconds, too rarely to
/// cost anything.
class Pulse
{
public:
  explicit Pulse(const RunControl& runControl) : control(runControl) {}

  void tick()
  {
    if ((++steps & 0xffffu) == 0)
      control.checkpoint();
  }

private:
  const RunControl& control;
  std::uint32_t steps = 0;
};

} // namespace hinesight::hines::detail
