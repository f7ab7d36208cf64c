#include "core/device.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/stream.cuh"

#include <algorithm>

namespace hinesight {

namespace {
constexpr int kLeastCapability = 9; ///< what the kernels are compiled for (cmake/cuda.cmake)
} // namespace

bool cudaCompiled()
{
  return true;
}

std::vector<DeviceInfo> cudaDevices()
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
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, index) != cudaSuccess)
      continue;
    DeviceInfo info;
    info.index = index;
    info.name = properties.name;
    info.computeCapability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    info.driver = std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10);
    info.memoryBytes = properties.totalGlobalMem;
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaSetDevice(index) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess)
      info.freeBytes = free;
    info.multiprocessors = properties.multiProcessorCount;
    info.sharedBytesPerBlock = properties.sharedMemPerBlockOptin;
    info.l2Bytes = static_cast<std::size_t>(properties.l2CacheSize);
    devices.push_back(std::move(info));
  }
  if (!devices.empty())
    cudaSetDevice(0);
  return devices;
}

void requireCudaDevice()
{
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) {
    int major = 0;
    cuda::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "describe itself");
    if (major < kLeastCapability)
      throw Error(ErrorCode::NoDevice, "The CUDA device has compute capability " + std::to_string(major) +
                                           ".x, but this build needs 9.0 or newer; choose the CPU backend.");
    return;
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
  std::size_t free = 0;
  std::size_t total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "read its free memory");
  const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, free / 4);
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
