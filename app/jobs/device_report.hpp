#pragma once

#include "core/device.hpp"

#include <QString>

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

/// The chosen GPU is the main one from then on. Takes seconds where CUDA has to be started.
DeviceReport findDevices();

/// What one GPU computes, this one computes, in all windows of this person on this machine.
void keepChosenGpu(const DeviceInfo& gpu);
/// The one that was chosen comes first; where it is not there, all stay.
std::vector<DeviceInfo> chosenFirst(std::vector<DeviceInfo> gpus);
/// "GPU 0: NVIDIA H200".
QString gpuInWords(const DeviceInfo& gpu);

} // namespace hinesight::app
