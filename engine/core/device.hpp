#pragma once

#include "core/device_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hinesight {

enum class Backend;

/// A CUDA device of this machine.
struct DeviceInfo
{
  int index = 0;
  DeviceModel model;  ///< as the driver describes it, limited as limitDevices says
  std::string driver; ///< CUDA version that the driver supports, such as "13.0"
  std::size_t freeBytes = 0;
  int codeCapability = 0;    ///< that the code which runs there was compiled for, times ten; 0: the program has none
  bool isCodeNative = false; ///< machine code of the program's; else PTX that the driver compiles

  /// Whether the device and the code both have them.
  bool hasClusters() const { return model.hasClusters() && codeCapability >= kLeastClusterCapability; }
};

/// Whether this program was built with its CUDA backend.
bool cudaCompiled();

/// What this program has code for, such as "7.5, 8.0, 9.0, PTX 9.0"; empty without the CUDA backend.
std::string cudaCode();

/// "native code for 9.0", "PTX 9.0, which the driver compiles", or in one sentence that there is none for the device.
std::string codeText(const DeviceInfo& device);

/// How that code moves data, as pathsText of a model.
std::string pathsText(const DeviceInfo& device);

/// Every CUDA device, the main one first; empty without a driver, a device or a CUDA build. Never throws.
std::vector<DeviceInfo> cudaDevices();

/// The calling thread works on that device of cudaDevices() from now on. Throws Error(NoDevice), Error(DeviceFailure).
void useCudaDevice(int index);

/// The main device does what one device does: it is the first of cudaDevices() from now on, and the calling thread
/// works on it. Until then, and where there is none of that index, CUDA's own order stays. Never throws.
void setMainCudaDevice(int index);
/// Its index.
int mainCudaDevice();
/// The calling thread works on it from now on: threads begin on CUDA's first one. Never throws.
void useMainCudaDevice();

/// What that index names comes first, the others in their order; where there is none of it, all stay.
std::vector<DeviceInfo> mainFirst(std::vector<DeviceInfo> devices, int index);

/// While it lives another device is the main one, as setMainCudaDevice says; then the one of before.
class MainCudaDeviceScope
{
public:
  explicit MainCudaDeviceScope(int index);
  ~MainCudaDeviceScope();
  MainCudaDeviceScope(const MainCudaDeviceScope&) = delete;
  MainCudaDeviceScope& operator=(const MainCudaDeviceScope&) = delete;

private:
  const int before;
};

/// The first of them without asking how much of its memory is free; nullopt where there is none. Never throws.
std::optional<DeviceModel> firstCudaDevice();

/// From now on every CUDA device counts as one with no more than the model has: what is planned for such a GPU, and the
/// code that it would run, can be tried on a larger one. Before anything asks for devices.
void limitDevices(const DeviceModel& limit);

/// The GPU that CUDA schedules are planned for. Of Gpu::Here the first of cudaDevices() or, where there is none, an
/// H200.
DeviceModel planningDevice(Gpu gpu = Gpu::Here);

/// Whether planningDevice(gpu) is a device of this machine.
bool isDeviceHere(Gpu gpu);

/// Throws Error(NoDevice) with the reason where CUDA cannot be used.
void requireCudaDevice();

/// The same, where it is CUDA that is asked for: before anything is computed for it.
void requireDevice(Backend backend);

/// So many GPUs of this machine as someone asks for, 0: all. `who` begins the sentence of an error: "The solve". Throws
/// Error(BadParameter) where there are fewer.
std::size_t gpusAskedFor(std::int32_t devices, const std::string& who);

/// Whether NVIDIA's cuSPARSE library, which some solvers use or are compared with, can be loaded. Never throws.
bool cusparseInstalled();

/// Device copy bandwidth in bytes per second, bytes read plus bytes written: the best of several copies of 1 GiB (or of
/// a quarter of the free memory, if that is less). Throws as requireCudaDevice.
double measureCopyBandwidth();

/// The processor as users know it, such as "AMD EPYC 9B14".
std::string processorName();

/// Bytes of main memory that this process can still take without swapping: what the machine has free, what control
/// groups leave (containers, batch systems), what RLIMIT_AS leaves.
std::size_t availableMemoryBytes();

/// Throws Error(OutOfMemory) naming `what`, and the file that needs it where there is one, where fewer than `bytes` of
/// main memory are available.
void requireMemory(std::size_t bytes, const std::string& what, const std::string& file = {});

/// Throws Error(OutOfMemory) with the number of `neurons` that would fit, where they need more bytes of a GPU's memory
/// than are free.
void requireDeviceMemory(std::size_t neurons, std::size_t bytes, std::size_t free);

/// "1.5 GB", "310 MB", "12 kB": three significant figures, powers of 1000.
std::string formatBytes(std::size_t bytes);

} // namespace hinesight
