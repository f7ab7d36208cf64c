#include "core/device.hpp"

#include "core/error.hpp"
#include "core/memory_limits.hpp"
#include "core/stage_timings.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>

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

std::string cudaCode()
{
  return {};
}

std::vector<DeviceInfo> cudaDevices()
{
  return {};
}

void useCudaDevice(int /*index*/)
{
  requireCudaDevice();
}

void useMainCudaDevice() {}

std::optional<DeviceModel> firstCudaDevice()
{
  return std::nullopt;
}

void limitDevices(const DeviceModel& /*limit*/) {}

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

namespace {

std::atomic<int> mainIndex = 0;
std::atomic<bool> wasMainChosen = false; ///< else CUDA need not be started for it

} // namespace

void setMainCudaDevice(int index)
{
  if (mainIndex.exchange(index) != index)
    wasMainChosen = true;
  if (wasMainChosen)
    useMainCudaDevice();
}

int mainCudaDevice()
{
  return mainIndex;
}

std::vector<DeviceInfo> mainFirst(std::vector<DeviceInfo> devices, int index)
{
  const auto found = std::ranges::find(devices, index, &DeviceInfo::index);
  if (found != devices.end())
    std::rotate(devices.begin(), found, found + 1);
  return devices;
}

MainCudaDeviceScope::MainCudaDeviceScope(int index) : before(mainCudaDevice())
{
  setMainCudaDevice(index);
}

MainCudaDeviceScope::~MainCudaDeviceScope()
{
  setMainCudaDevice(before);
}

void requireDevice(Backend backend)
{
  if (backend == Backend::Cuda)
    requireCudaDevice();
}

std::size_t gpusAskedFor(std::int32_t devices, const std::string& who)
{
  const std::size_t present = cudaDevices().size();
  const auto wanted = devices == 0 ? present : static_cast<std::size_t>(devices);
  if (wanted > present)
    throw Error(ErrorCode::BadParameter, who + " was given " + std::to_string(wanted) +
                                             " devices, but this machine has " + std::to_string(present) +
                                             "; choose 0 for all.");
  return wanted;
}

std::string codeText(const DeviceInfo& device)
{
  if (device.codeCapability == 0)
    return device.model.name + " has compute capability " + capabilityText(device.model.capability) +
           ", but this program has code for " + cudaCode() + " only";
  const std::string capability = capabilityText(device.codeCapability);
  return device.isCodeNative ? "native code for " + capability : "PTX " + capability + ", which the driver compiles";
}

std::string pathsText(const DeviceInfo& device)
{
  return pathsText(device.hasClusters(), device.codeCapability);
}

DeviceModel planningDevice(Gpu gpu)
{
  if (gpu != Gpu::Here)
    return knownDevice(gpu).model;
  return firstCudaDevice().value_or(knownDevice(Gpu::H200).model);
}

bool isDeviceHere(Gpu gpu)
{
  return gpu == Gpu::Here && firstCudaDevice();
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

namespace {

/// Of the whole machine; kUnlimited where the system does not say.
std::size_t machineMemoryLeft()
{
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    unsigned long long kilobytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu kB", &kilobytes) == 1)
      return static_cast<std::size_t>(kilobytes) * 1024;
  }
  return kUnlimited;
}

} // namespace

std::size_t availableMemoryBytes()
{
  std::ifstream file("/proc/self/cgroup");
  const std::string groups(std::istreambuf_iterator<char>(file), {});
  return std::min({machineMemoryLeft(), memoryLeftInGroups(groups, "/sys/fs/cgroup"), addressesLeft()});
}

void requireMemory(std::size_t bytes, const std::string& what, const std::string& file)
{
  if (bytes <= kLittle)
    return;
  const std::size_t available = availableMemoryBytes();
  const char* const advice = file.empty() ? "make it smaller." : "take a smaller file.";
  if (bytes > available)
    throw Error(ErrorCode::OutOfMemory,
                what + " needs " + formatBytes(bytes) + " of main memory, but only " + formatBytes(available) +
                    " are free; " + advice,
                file);
}

void requireDeviceMemory(std::size_t neurons, std::size_t bytes, std::size_t free)
{
  if (bytes <= free)
    return;
  const auto share = static_cast<double>(free) / static_cast<double>(bytes);
  const auto fit = static_cast<std::size_t>(share * static_cast<double>(neurons));
  throw Error(ErrorCode::OutOfMemory, std::to_string(neurons) + " neurons need " + formatBytes(bytes) +
                                          " of the GPU's memory, of which " + formatBytes(free) +
                                          " are free; choose at most " + std::to_string(fit) +
                                          " neurons, or the CPU backend.");
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
