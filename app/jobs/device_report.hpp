#pragma once

#include "core/device.hpp"

#include <string>
#include <vector>

namespace hinesight::app {

/// The devices of this machine as the status bar and the choices of a backend show them.
struct DeviceReport
{
  std::string processor;
  int threads = 1;
  std::vector<DeviceInfo> cudaDevices;
  std::string whyNoCuda; ///< one sentence; empty where CUDA can be used
};

/// Takes seconds where CUDA has to be started.
DeviceReport findDevices();

} // namespace hinesight::app
