#pragma once

#include "core/choices.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hinesight {

/// The compute capability, times ten, from which on blocks have clusters.
inline constexpr int kLeastClusterCapability = 90;

/// What CUDA plans and predictions read of a GPU; they know nothing else of it.
struct DeviceModel
{
  std::string name;   ///< such as "NVIDIA H200"
  int capability = 0; ///< compute capability times ten
  int multiprocessors = 0;
  int registersPerMultiprocessor = 0; ///< of 32 bits
  int threadsPerMultiprocessor = 0;
  std::size_t sharedBytesPerBlock = 0;          ///< most that a block may opt in to
  std::size_t sharedBytesPerMultiprocessor = 0; ///< with what the system reserves of every block
  std::size_t reservedSharedBytes = 0;          ///< of every block, by the system
  std::size_t l2Bytes = 0;
  std::size_t memoryBytes = 0;
  double bandwidth = 0; ///< of its memory, by clock and width of the bus, bytes/s
  double clock = 0;     ///< of the multiprocessors, boosted, Hz

  /// Clusters of blocks, messages between their blocks, bulk copies and barriers that count bytes, all since Hopper.
  bool hasClusters() const { return capability >= kLeastClusterCapability; }
  /// Multiply-adds in double precision that a multiprocessor does in a clock; 0 where the capability is not known
  /// (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions").
  int doublesPerClock() const;
  /// The same in single precision.
  int singlesPerClock() const;

  bool operator==(const DeviceModel&) const = default;
};

/// "7.5" of 75.
std::string capabilityText(int capability);

/// A GPU that can be planned for: the one that is here, or one of the models that are known.
enum class Gpu
{
  Here,
  T4,
  Rtx2080Ti,
  Rtx3060,
  Rtx3090,
  Rtx4060,
  Rtx4090,
  Rtx5090,
  A100,
  L40S,
  H100,
  H200,
  B200,
};

/// The GPUs as choices (core/fields.hpp).
std::span<const Choice> tableOf(Gpu);

/// A model as its maker describes it.
struct KnownDevice
{
  DeviceModel model;
  std::string_view source;          ///< of the figures
  bool isPredictionChecked = false; ///< whether predicted times were compared with measured ones on such a GPU
};

/// Of a model; not of Gpu::Here.
const KnownDevice& knownDevice(Gpu gpu);

/// The known model of that name ("NVIDIA H100 80GB HBM3" is an H100).
std::optional<Gpu> knownDeviceNamed(std::string_view name);

/// Whether predictions for that model were compared with measurements: not for one with other multiprocessors, nor for
/// one that is limited.
bool isPredictionChecked(const DeviceModel& device);

/// How CUDA code moves data there: "clusters of blocks, bulk copies and asynchronous barriers" from 9.0 on,
/// "asynchronous copies, messages between blocks through global memory" from 8.0, else "plain copies, ...".
std::string pathsText(const DeviceModel& device);
/// The same of code that was compiled for a compute capability, times ten, and may use clusters or not.
std::string pathsText(bool hasClusters, int codeCapability);

/// "227 KB of shared memory a block, 228 KB a multiprocessor, 60 MB of L2, 4800 GB/s to memory".
std::string sizesText(const DeviceModel& device);

/// `device` with no more of anything than `limit` has, named "NVIDIA H200 limited to NVIDIA T4".
DeviceModel limited(DeviceModel device, const DeviceModel& limit);

} // namespace hinesight
