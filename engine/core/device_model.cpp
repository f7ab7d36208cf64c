#include "core/device_model.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace hinesight {

namespace {

constexpr std::size_t kGpus = static_cast<std::size_t>(Gpu::B200) + 1;

constexpr std::size_t operator""_KB(unsigned long long value)
{
  return static_cast<std::size_t>(value) << 10;
}
constexpr std::size_t operator""_MB(unsigned long long value)
{
  return static_cast<std::size_t>(value) << 20;
}
constexpr std::size_t operator""_GB(unsigned long long value)
{
  return static_cast<std::size_t>(value) << 30;
}

/// What every GPU of a compute capability has (CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability").
DeviceModel ofCapability(int capability)
{
  DeviceModel model;
  model.capability = capability;
  model.registersPerMultiprocessor = 65'536;
  model.reservedSharedBytes = capability >= 80 ? 1_KB : 0;
  switch (capability) {
  case 75:
    model.threadsPerMultiprocessor = 1024;
    model.sharedBytesPerMultiprocessor = 64_KB;
    break;
  case 80:
    model.threadsPerMultiprocessor = 2048;
    model.sharedBytesPerMultiprocessor = 164_KB;
    break;
  case 90:
  case 100:
    model.threadsPerMultiprocessor = 2048;
    model.sharedBytesPerMultiprocessor = 228_KB;
    break;
  default: // 8.6, 8.9, 12.0
    model.threadsPerMultiprocessor = 1536;
    model.sharedBytesPerMultiprocessor = 100_KB;
    break;
  }
  model.sharedBytesPerBlock = model.sharedBytesPerMultiprocessor - model.reservedSharedBytes;
  return model;
}

KnownDevice known(DeviceModel model, std::string_view source, bool isPredictionChecked = false)
{
  return {std::move(model), source, isPredictionChecked};
}

/// Bandwidth in GB/s, clock in MHz.
DeviceModel makeModel(std::string name, int capability, int multiprocessors, std::size_t l2Bytes,
                      std::size_t memoryBytes, double bandwidth, double clock)
{
  DeviceModel model = ofCapability(capability);
  model.name = std::move(name);
  model.multiprocessors = multiprocessors;
  model.l2Bytes = l2Bytes;
  model.memoryBytes = memoryBytes;
  model.bandwidth = bandwidth * 1e9;
  model.clock = clock * 1e6;
  return model;
}

const std::array<KnownDevice, kGpus - 1>& knownDevices()
{
  static const std::array<KnownDevice, kGpus - 1> devices = {{
      known(makeModel("NVIDIA T4", 75, 40, 4_MB, 16_GB, 320, 1590),
            "NVIDIA Turing GPU Architecture, WP-09183-001 (2018), comparison of Tesla P4 and Tesla T4"),
      known(makeModel("NVIDIA GeForce RTX 2080 Ti", 75, 68, 5632_KB, 11_GB, 616, 1545),
            "NVIDIA Turing GPU Architecture, WP-09183-001 (2018), table 1, reference card"),
      known(makeModel("NVIDIA GeForce RTX 3060", 86, 28, 3_MB, 12_GB, 360, 1777),
            "GeForce RTX 3060 specifications, nvidia.com (2021); L2 of six controllers of 512 KB: NVIDIA Ampere GA102 "
            "GPU Architecture (2021)"),
      known(makeModel("NVIDIA GeForce RTX 3090", 86, 82, 6_MB, 24_GB, 936, 1695),
            "NVIDIA Ampere GA102 GPU Architecture (2021), comparison of GeForce RTX 2080 Super, 3080 and 3090"),
      known(makeModel("NVIDIA GeForce RTX 4060", 89, 24, 24_MB, 8_GB, 272, 2460),
            "GeForce RTX 4060 family specifications, nvidia.com (2023)"),
      known(makeModel("NVIDIA GeForce RTX 4090", 89, 128, 72_MB, 24_GB, 1008, 2520),
            "NVIDIA Ada GPU Architecture (2022), appendix A, GeForce RTX 4090"),
      known(makeModel("NVIDIA GeForce RTX 5090", 120, 170, 96_MB, 32_GB, 1792, 2407),
            "NVIDIA RTX Blackwell GPU Architecture (2025), appendix A, GeForce RTX 5090"),
      known(makeModel("NVIDIA A100-SXM4-80GB", 80, 108, 40_MB, 80_GB, 2039, 1410),
            "NVIDIA A100 Tensor Core GPU Architecture (2020), comparison of data center GPUs; bandwidth and memory: "
            "NVIDIA A100 80GB data sheet (2021)"),
      known(makeModel("NVIDIA L40S", 89, 142, 96_MB, 48_GB, 864, 2520),
            "NVIDIA L40S data sheet (2023); L2 of a full AD102: NVIDIA Ada GPU Architecture (2022)"),
      known(makeModel("NVIDIA H100", 90, 132, 50_MB, 80_GB, 3352, 1980),
            "NVIDIA H100 Tensor Core GPU Architecture (2022), H100 SXM5; clock and bandwidth as the driver gives them",
            true),
      known(makeModel("NVIDIA H200", 90, 132, 60_MB, std::size_t{143'771} << 20, 4800, 1980),
            "NVIDIA H200 data sheet (2023); L2, clock and memory as the driver gives them", true),
      known(makeModel("NVIDIA B200", 100, 148, 126_MB, 180_GB, 8000, 1965),
            "NVIDIA Blackwell Architecture Technical Brief (2024), HGX B200; L2: Blackwell Tuning Guide, CUDA 12.8"),
  }};
  return devices;
}

} // namespace

int DeviceModel::doublesPerClock() const
{
  switch (capability) {
  case 80:
    return 32;
  case 90:
  case 100:
    return 64;
  case 75:
  case 86:
  case 87:
  case 89:
  case 103:
  case 110:
  case 120:
  case 121:
    return 2;
  default:
    return 0;
  }
}

int DeviceModel::singlesPerClock() const
{
  if (doublesPerClock() == 0)
    return 0;
  return capability <= 80 ? 64 : 128;
}

std::string capabilityText(int capability)
{
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

std::span<const Choice> tableOf(Gpu)
{
  static constexpr std::array<Choice, kGpus> kGpuTable = {{
      {"here", "This machine's", "The first CUDA device of this machine; an H200 where there is none."},
      {"t4", "T4", "Turing, 40 multiprocessors, 16 GB."},
      {"rtx2080ti", "RTX 2080 Ti", "Turing, 68 multiprocessors, 11 GB."},
      {"rtx3060", "RTX 3060", "Ampere, 28 multiprocessors, 12 GB."},
      {"rtx3090", "RTX 3090", "Ampere, 82 multiprocessors, 24 GB."},
      {"rtx4060", "RTX 4060", "Ada, 24 multiprocessors, 8 GB."},
      {"rtx4090", "RTX 4090", "Ada, 128 multiprocessors, 24 GB."},
      {"rtx5090", "RTX 5090", "Blackwell, 170 multiprocessors, 32 GB."},
      {"a100", "A100", "Ampere, 108 multiprocessors, 80 GB."},
      {"l40s", "L40S", "Ada, 142 multiprocessors, 48 GB."},
      {"h100", "H100", "Hopper, 132 multiprocessors, 80 GB."},
      {"h200", "H200", "Hopper, 132 multiprocessors, 141 GB."},
      {"b200", "B200", "Blackwell, 148 multiprocessors, 180 GB."},
  }};
  return kGpuTable;
}

const KnownDevice& knownDevice(Gpu gpu)
{
  return knownDevices().at(static_cast<std::size_t>(gpu) - 1);
}

std::optional<Gpu> knownDeviceNamed(std::string_view name)
{
  for (std::size_t k = 1; k < kGpus; ++k) {
    const auto gpu = static_cast<Gpu>(k);
    const std::string& known = knownDevice(gpu).model.name;
    if (name == known || (name.starts_with(known) && name[known.size()] == ' '))
      return gpu;
  }
  return std::nullopt;
}

bool isPredictionChecked(const DeviceModel& device)
{
  const std::optional<Gpu> gpu = knownDeviceNamed(device.name);
  if (!gpu || !knownDevice(*gpu).isPredictionChecked)
    return false;
  const DeviceModel& checked = knownDevice(*gpu).model;
  return device.capability == checked.capability && device.multiprocessors == checked.multiprocessors;
}

std::string pathsText(bool hasClusters, int codeCapability)
{
  if (hasClusters)
    return "clusters of blocks, bulk copies and asynchronous barriers";
  return std::string(codeCapability >= 80 ? "asynchronous copies" : "plain copies") +
         ", messages between blocks through global memory";
}

std::string pathsText(const DeviceModel& device)
{
  return pathsText(device.hasClusters(), device.capability);
}

std::string sizesText(const DeviceModel& device)
{
  const auto kilobytes = [](std::size_t bytes) { return std::to_string(bytes >> 10); };
  std::array<char, 64> memory{};
  std::snprintf(memory.data(), memory.size(), "%.3g MB of L2, %.0f GB/s to memory",
                static_cast<double>(device.l2Bytes) / (1 << 20), device.bandwidth * 1e-9);
  return kilobytes(device.sharedBytesPerBlock) + " KB of shared memory a block, " +
         kilobytes(device.sharedBytesPerMultiprocessor) + " KB a multiprocessor, " + memory.data();
}

DeviceModel limited(DeviceModel device, const DeviceModel& limit)
{
  device.name += " limited to " + limit.name;
  const auto lower = [](auto& value, const auto& most) { value = std::min(value, most); };
  lower(device.capability, limit.capability);
  lower(device.multiprocessors, limit.multiprocessors);
  lower(device.registersPerMultiprocessor, limit.registersPerMultiprocessor);
  lower(device.threadsPerMultiprocessor, limit.threadsPerMultiprocessor);
  lower(device.sharedBytesPerBlock, limit.sharedBytesPerBlock);
  lower(device.sharedBytesPerMultiprocessor, limit.sharedBytesPerMultiprocessor);
  lower(device.l2Bytes, limit.l2Bytes);
  lower(device.memoryBytes, limit.memoryBytes);
  lower(device.bandwidth, limit.bandwidth);
  lower(device.clock, limit.clock);
  return device;
}

} // namespace hinesight
