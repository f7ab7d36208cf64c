#include "core/device.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/shared_copies.cuh"
#include "core/cuda/stream.cuh"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

namespace hinesight {

namespace {

/// As limitDevices set it.
std::optional<DeviceModel>& deviceLimit()
{
  static std::optional<DeviceModel> limit;
  return limit;
}

__global__ void emptyKernel() {}

/// For calls whose errors are not reported: cleared, so that no later launch seems to have failed.
bool succeeds(cudaError_t status)
{
  if (status != cudaSuccess)
    cudaGetLastError();
  return status == cudaSuccess;
}

/// Whether an error says that the program has no code for a device.
bool isLackOfCode(cudaError_t status)
{
  constexpr std::array kOfCode = {cudaErrorNoKernelImageForDevice, cudaErrorInvalidDeviceFunction,
                                  cudaErrorInvalidKernelImage,     cudaErrorInvalidPtx,
                                  cudaErrorUnsupportedPtxVersion,  cudaErrorJitCompilerNotFound,
                                  cudaErrorJitCompilationDisabled};
  return std::ranges::find(kOfCode, status) != kOfCode.end();
}

/// What the current device runs of this program. Throws as cuda::check.
void describeCode(DeviceInfo& device)
{
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, emptyKernel);
  if (isLackOfCode(status)) {
    cudaGetLastError();
    return;
  }
  cuda::check(status, "load its code");
  device.codeCapability = attributes.ptxVersion;
  device.isCodeNative = attributes.binaryVersion == attributes.ptxVersion;
}

int attributeOf(int device, cudaDeviceAttr attribute)
{
  int value = 0;
  cuda::check(cudaDeviceGetAttribute(&value, attribute, device), "describe itself");
  return value;
}

DeviceModel describe(int device)
{
  cudaDeviceProp properties;
  cuda::check(cudaGetDeviceProperties(&properties, device), "describe itself");
  DeviceModel model;
  model.name = properties.name;
  model.capability = 10 * properties.major + properties.minor;
  model.multiprocessors = properties.multiProcessorCount;
  model.registersPerMultiprocessor = properties.regsPerMultiprocessor;
  model.threadsPerMultiprocessor = properties.maxThreadsPerMultiProcessor;
  model.sharedBytesPerBlock = properties.sharedMemPerBlockOptin;
  model.sharedBytesPerMultiprocessor = properties.sharedMemPerMultiprocessor;
  model.reservedSharedBytes = properties.reservedSharedMemPerBlock;
  model.l2Bytes = static_cast<std::size_t>(properties.l2CacheSize);
  model.memoryBytes = properties.totalGlobalMem;
  constexpr double kKilohertz = 1e3;
  constexpr double kTransfersAClock = 2;
  constexpr double kBitsOfByte = 8;
  model.bandwidth = kKilohertz * attributeOf(device, cudaDevAttrMemoryClockRate) * kTransfersAClock *
                    attributeOf(device, cudaDevAttrGlobalMemoryBusWidth) / kBitsOfByte;
  model.clock = kKilohertz * attributeOf(device, cudaDevAttrClockRate);
  return model;
}

struct DescribedDevices
{
  std::vector<DeviceInfo> ofUse;
  std::string failure; ///< of the last one that is of no use, a sentence
};

/// As the driver knows them; what is free is not told.
DescribedDevices describeDevices()
{
  DescribedDevices described;
  int count = 0;
  if (const cudaError_t status = cudaGetDeviceCount(&count); !succeeds(status)) {
    described.failure = std::string("The NVIDIA driver failed to list its GPUs: ") + cudaGetErrorString(status) + ".";
    return described;
  }
  int driver = 0;
  succeeds(cudaDriverGetVersion(&driver));
  for (int index = 0; index < count; ++index) {
    DeviceInfo info;
    info.index = index;
    info.driver = std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    try {
      info.model = describe(index);
      cuda::check(cudaSetDevice(index), "start");
      describeCode(info);
    } catch (const Error& error) {
      described.failure = error.message();
      continue;
    }
    described.ofUse.push_back(std::move(info));
  }
  return described;
}

/// The same, asked for once.
const DescribedDevices& describedDevices()
{
  static const DescribedDevices described = describeDevices();
  return described;
}

/// Those of use, with the limit, the main one first.
std::vector<DeviceInfo> limitedDevices()
{
  int current = 0;
  const bool isKnown = succeeds(cudaGetDevice(&current));
  std::vector<DeviceInfo> devices = describedDevices().ofUse;
  if (isKnown)
    succeeds(cudaSetDevice(current)); // looking at all of them has left another one
  if (deviceLimit())
    for (DeviceInfo& device : devices)
      device.model = limited(std::move(device.model), *deviceLimit());
  return mainFirst(std::move(devices), mainCudaDevice());
}

/// Sets what cuda::freeMemory returns, unless it fails.
cudaError_t readFreeMemory(std::size_t& bytes)
{
  std::size_t free = 0;
  std::size_t total = 0;
  const cudaError_t status = cudaMemGetInfo(&free, &total);
  if (status != cudaSuccess)
    return status;
  const std::size_t used = total - free;
  const std::size_t limit = deviceLimit() ? deviceLimit()->memoryBytes : total;
  bytes = limit > used ? std::min(free, limit - used) : 0;
  return status;
}

} // namespace

std::string cuda::currentDeviceName()
{
  int current = 0;
  check(cudaGetDevice(&current), "tell which device is used");
  for (const DeviceInfo& device : limitedDevices())
    if (device.index == current)
      return device.model.name;
  return {};
}

std::size_t cuda::freeMemory()
{
  std::size_t free = 0;
  check(readFreeMemory(free), "tell how much of its memory is free");
  return free;
}

void* cuda::allocate(std::size_t bytes)
{
  void* memory = nullptr;
  const bool isBeyondLimit = deviceLimit() && bytes > freeMemory();
  check(isBeyondLimit ? cudaErrorMemoryAllocation : cudaMalloc(&memory, bytes), "hold the data");
  return memory;
}

cuda::Movement cuda::movementFor(const DeviceModel& planned)
{
  for (const DeviceInfo& device : limitedDevices())
    if (planned.hasClusters() && device.hasClusters())
      return Movement::Bulk;
  return Movement::Threads;
}

bool cudaCompiled()
{
  return true;
}

std::string cudaCode()
{
  return HINESIGHT_CUDA_CODE;
}

std::optional<DeviceModel> firstCudaDevice()
{
  const std::vector<DeviceInfo> devices = limitedDevices();
  return devices.empty() ? std::nullopt : std::optional(devices.front().model);
}

void limitDevices(const DeviceModel& limit)
{
  deviceLimit() = limit;
}

/// The thread's own device is that of before, or the first of them where that one is of no use.
std::vector<DeviceInfo> cudaDevices()
{
  int current = 0;
  succeeds(cudaGetDevice(&current));
  std::vector<DeviceInfo> devices = limitedDevices();
  for (DeviceInfo& device : devices) {
    if (succeeds(cudaSetDevice(device.index)))
      succeeds(readFreeMemory(device.freeBytes));
  }
  if (!devices.empty()) {
    const bool isOfUse = std::ranges::find(devices, current, &DeviceInfo::index) != devices.end();
    succeeds(cudaSetDevice(isOfUse ? current : devices.front().index));
  }
  return devices;
}

void useCudaDevice(int index)
{
  cuda::check(cudaSetDevice(index), "use a device");
}

void useMainCudaDevice()
{
  const std::vector<DeviceInfo> devices = limitedDevices();
  if (!devices.empty())
    succeeds(cudaSetDevice(devices.front().index)); // its first use says what is wrong
}

void requireCudaDevice()
{
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (succeeds(status) && count > 0) {
    const std::vector<DeviceInfo> devices = cudaDevices();
    if (devices.empty())
      throw Error(ErrorCode::NoDevice, describedDevices().failure);
    if (devices.front().codeCapability > 0)
      return;
    throw Error(ErrorCode::NoDevice, "The GPU " + codeText(devices.front()) + "; choose the CPU backend.");
  }
  int driver = 0;
  const bool hasDriver = succeeds(cudaDriverGetVersion(&driver)) && driver > 0;
  const char* const reason = !hasDriver              ? "there is no NVIDIA driver on this machine"
                             : status == cudaSuccess ? "the driver finds none"
                                                     : cudaGetErrorString(status);
  throw Error(ErrorCode::NoDevice, std::string("No CUDA device can be used (") + reason + "); choose the CPU backend.");
}

double measureCopyBandwidth()
{
  requireCudaDevice();
  const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, cuda::freeMemory() / 4);
  cuda::Buffer<unsigned char> from(bytes);
  cuda::Buffer<unsigned char> to(bytes);
  cuda::check(cudaMemset(from.data(), 1, bytes), "fill memory");
  cuda::Timer timer;
  double best = 0;
  for (int repeat = 0; repeat < 12; ++repeat) {
    timer.start();
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice), "copy memory");
    best = std::max(best, 2.0 * static_cast<double>(bytes) / (timer.stop() * 1e-3));
  }
  return best;
}

} // namespace hinesight
