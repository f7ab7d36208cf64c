#pragma once

// For .cu files only.

#include "core/cuda/cuda_workspace.cuh"
#include "simulation/cells/block.hpp"
#include "simulation/cells/views.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// Arrays that go to the device together. First all are added; `allocate` gives them addresses, which may then be
/// written into them; `upload` brings them there.
class Arena
{
public:
  /// The place of an array.
  template <typename T>
  std::size_t add(std::span<const T> values)
  {
    constexpr std::size_t kAlignment = 16;
    const std::size_t place = bytes.size();
    bytes.resize((place + values.size_bytes() + kAlignment - 1) / kAlignment * kAlignment);
    if (!values.empty())
      std::memcpy(bytes.data() + place, values.data(), values.size_bytes());
    return place;
  }
  template <typename T>
  std::size_t add(const std::vector<T>& values)
  {
    return add(std::span<const T>(values));
  }

  void allocate()
  {
    device = {};
    device = cuda::Buffer<std::byte>(bytes.size());
  }
  /// On the device.
  template <typename T>
  T* at(std::size_t place)
  {
    return reinterpret_cast<T*>(device.data() + place);
  }
  /// In main memory, until it is uploaded.
  template <typename T>
  T* hostAt(std::size_t place)
  {
    return reinterpret_cast<T*>(bytes.data() + place);
  }
  void upload()
  {
    device.upload(bytes.data());
    bytes = {};
  }
  std::vector<std::byte> download() const { return cuda::toHost(device); }

private:
  std::vector<std::byte> bytes;
  cuda::Buffer<std::byte> device;
};

/// What a block of threads works on, besides its model.
struct DeviceBlock
{
  BlockView view; ///< without what changes from epoch to epoch
  NodeArrays nodes;
  std::uint32_t model;
  std::uint32_t states;     ///< of the model
  std::uint32_t number;     ///< of the block
  std::uint32_t firstLane;  ///< of all blocks' lanes
  std::uint32_t firstProbe; ///< of all blocks' probes
  bool hasInputs;           ///< synapses and inputs are in shared memory while it runs
};

/// What changes from epoch to epoch.
struct DeviceEpoch
{
  StepRules rules;
  std::int64_t from;
  std::int64_t to;
  const StepEvent* events;
  const std::uint32_t* firstEvent; ///< per block, and the end
  double* spikeTimes;
  std::uint32_t* spikes;
  std::uint32_t spikeSlots;
  double* records;
  std::uint32_t recordStride;
  std::uint32_t* spikeCount; ///< of spikeList
  Spike* spikeList;          ///< in no order
  const std::uint32_t* cellOfLane;
  std::uint32_t* isOut;        ///< 1 where a potential is out of bounds
  const std::uint32_t* wasOut; ///< the same of the epoch before: then all stays as it is
};

} // namespace hinesight::simulation
