#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hinesight {

enum class Backend;

/// A CUDA device as the driver describes it.
struct DeviceInfo
{
  int index = 0;
  std::string name;
  std::string computeCapability; ///< such as "9.0"
  std::string driver;            ///< CUDA version that the driver supports, such as "13.0"
  std::size_t memoryBytes = 0;
  std::size_t freeBytes = 0;
  int multiprocessors = 0;
  std::size_t sharedBytesPerBlock = 0; ///< most that a block may opt in to
  std::size_t l2Bytes = 0;
};

/// Whether this program was built with its CUDA backend.
bool cudaCompiled();

/// Every usable CUDA device; empty without a driver, a device or a CUDA build. Never throws.
std::vector<DeviceInfo> cudaDevices();

/// The device that CUDA schedules are planned for: the first of cudaDevices() or, where there is none, what plans
/// read of an NVIDIA H200 (index -1, no driver).
DeviceInfo planningDevice();

/// Throws Error(NoDevice) with the reason where CUDA cannot be used.
void requireCudaDevice();

/// The same, where it is CUDA that is asked for: before anything is computed for it.
void requireDevice(Backend backend);

/// Whether NVIDIA's cuSPARSE library, which some solvers use or are compared with, can be loaded. Never throws.
bool cusparseInstalled();

/// Device copy bandwidth in bytes per second, bytes read plus bytes written: the best of several copies of 1 GiB (or of
/// a quarter of the free memory, if that is less). Throws as requireCudaDevice.
double measureCopyBandwidth();

/// The processor as users know it, such as "AMD EPYC 9B14".
std::string processorName();

/// Bytes of main memory that can still be used without swapping.
std::size_t availableMemoryBytes();

/// Throws Error(OutOfMemory) naming `what`, and the file that needs it where there is one, where fewer than `bytes` of
/// main memory are available.
void requireMemory(std::size_t bytes, const std::string& what, const std::string& file = {});

/// "1.5 GB", "310 MB", "12 kB": three significant figures, powers of 1000.
std::string formatBytes(std::size_t bytes);

} // namespace hinesight
