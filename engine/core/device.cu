#include "core/device.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/shared_copies.cuh"
#include "core/cuda/stream.cuh"

#include <algorithm>
#include <optional>

namespace hinesight {

namespace {

/// As limitDevices set it.
std::optional<DeviceModel>& deviceLimit()
{
  static std::optional<DeviceModel> limit;
  return limit;
}

__global__ void emptyKernel() {}

/// What the current device runs of this program.
void describeCode(DeviceInfo& device)
{
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, emptyKernel) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
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

/// As the driver knows them; what is free is not told.
std::vector<DeviceInfo> describeDevices()
{
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  int driver = 0;
  cudaDriverGetVersion(&driver);
  std::vector<DeviceInfo> devices;
  for (int index = 0; index < count; ++index) {
    DeviceInfo info;
    info.index = index;
    info.driver = std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    try {
      info.model = describe(index);
      cuda::check(cudaSetDevice(index), "start");
    } catch (const Error&) {
      continue; // of no use
    }
    describeCode(info);
    devices.push_back(std::move(info));
  }
  return devices;
}

/// The same, asked for once, with the limit, the main one first.
std::vector<DeviceInfo> limitedDevices()
{
  int current = 0;
  cudaGetDevice(&current);
  static const std::vector<DeviceInfo> described = describeDevices();
  cudaSetDevice(current); // looking at all of them has left another one
  std::vector<DeviceInfo> devices = described;
  if (deviceLimit())
    for (DeviceInfo& device : devices)
      device.model = limited(std::move(device.model), *deviceLimit());
  return mainFirst(std::move(devices), mainCudaDevice());
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
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "tell how much of its memory is free");
  if (!deviceLimit())
    return free;
  const std::size_t used = total - free;
  return deviceLimit()->memoryBytes > used ? std::min(free, deviceLimit()->memoryBytes - used) : 0;
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
  cudaGetDevice(&current);
  std::vector<DeviceInfo> devices = limitedDevices();
  for (DeviceInfo& device : devices) {
    if (cudaSetDevice(device.index) == cudaSuccess)
      device.freeBytes = cuda::freeMemory();
  }
  if (!devices.empty()) {
    const bool isOfUse = std::ranges::find(devices, current, &DeviceInfo::index) != devices.end();
    cudaSetDevice(isOfUse ? current : devices.front().index);
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
  if (!devices.empty() && cudaSetDevice(devices.front().index) != cudaSuccess)
    cudaGetLastError(); // its first use says what is wrong
}

void requireCudaDevice()
{
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) {
    const std::vector<DeviceInfo> devices = cudaDevices();
    if (devices.empty() || devices.front().codeCapability > 0)
      return;
    throw Error(ErrorCode::NoDevice, "The GPU " + codeText(devices.front()) + "; choose the CPU backend.");
  }
  cudaGetLastError();
  int driver = 0;
  const bool hasDriver = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
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
