#include "core/device.hpp"

#include "core/error.hpp"
#include "core/stage_timings.hpp"

#include <cstdio>
#include <fstream>

namespace hinesight {

#if !HINESIGHT_HAS_CUDA
bool cudaCompiled()
{
  return false;
}

bool cusparseInstalled()
{
  return false;
}

std::vector<DeviceInfo> cudaDevices()
{
  return {};
}

void requireCudaDevice()
{
  throw Error(ErrorCode::NoDevice,
              "This build has no CUDA backend; build with nvcc installed or choose the CPU backend.");
}

double measureCopyBandwidth()
{
  requireCudaDevice();
  return 0;
}
#endif

void requireDevice(Backend backend)
{
  if (backend == Backend::Cuda)
    requireCudaDevice();
}

DeviceInfo planningDevice()
{
  const std::vector<DeviceInfo> devices = cudaDevices();
  if (!devices.empty())
    return devices.front();
  DeviceInfo reference;
  reference.index = -1;
  reference.name = "NVIDIA H200";
  reference.computeCapability = "9.0";
  reference.memoryBytes = std::size_t{143'771} << 20;
  reference.freeBytes = reference.memoryBytes;
  reference.multiprocessors = 132;
  reference.sharedBytesPerBlock = std::size_t{227} << 10;
  return reference;
}

std::string processorName()
{
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.rfind("model name", 0) != 0)
      continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "CPU";
}

std::size_t availableMemoryBytes()
{
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    unsigned long long kilobytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kilobytes) == 1)
      return static_cast<std::size_t>(kilobytes) * 1024;
  }
  return static_cast<std::size_t>(-1);
}

void requireMemory(std::size_t bytes, const std::string& what, const std::string& file)
{
  const std::size_t available = availableMemoryBytes();
  const char* const advice = file.empty() ? "choose fewer cells or compartments." : "take a smaller file.";
  if (bytes > available)
    throw Error(ErrorCode::OutOfMemory,
                what + " needs " + formatBytes(bytes) + " of main memory, but only " + formatBytes(available) +
                    " are free; " + advice,
                file);
}

std::string formatBytes(std::size_t bytes)
{
  static const char* const kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.5 && unit < 6) {
    value /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", decimals, value, kUnits[unit]);
  return text;
}

} // namespace hinesight
