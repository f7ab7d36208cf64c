#pragma once

// For .cu files only.

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/cuda_workspace.cuh"
#include "core/cuda/device_exchange.cuh"
#include "synapse/formation/device_graph.cuh"
#include "synapse/plasticity/plasticity_backend.hpp"
#include "synapse/ranks/neuron_ranges.hpp"

#include <array>
#include <cstdint>

// The neurons of a plasticity model in device memory, and what its kernels share.

namespace hinesight::synapse::detail {

inline constexpr unsigned kThreads = 256; ///< of a block of the model's kernels, one a neuron
inline constexpr unsigned kAllLanes = 0xFFFFFFFFu;

/// The neurons in device memory, for kernels. State that an update does not change, and deltas between updates, are of
/// those that this GPU steps; on one GPU these are all.
struct NeuronsView
{
  std::uint32_t count;
  NeuronRange stepped;
  double* potential;
  double* recovery;
  std::uint32_t* fired; ///< in the last step: bit i % 32 of word i / 32
  double* calcium;
  double* grown[kPools];
  std::uint32_t* connected[kPools];
  double* delta[kPools];
  const std::uint8_t* isInhibitory;
  const std::uint32_t* area;
  const StimulusSpan* stimuli;
  std::uint32_t stimulusCount;
  const std::uint64_t* staticOffset; ///< null: no static synapses
  const std::uint32_t* staticTarget;
  const std::int64_t* staticUnits;
  double* target;              ///< null: all have that of the growth curves
  const std::uint8_t* enabled; ///< null: all are
  const Background* backgrounds;
  const std::uint32_t* backgroundOf; ///< null: all have the same
};

class DeviceNeurons
{
public:
  /// `exchange`: with ranks that step as many neurons each, the last ones fewer or none; null: all are stepped here.
  DeviceNeurons(const ModelSetup& setup, const NeuronState& state, cuda::DeviceExchange* exchange = nullptr);

  NeuronsView view();
  NeuronRange stepped() const { return own; }
  /// Give all ranks what each has of its neurons. Collective.
  void exchangeFired();
  void exchangeDeltas();
  void exchangeState();
  NeuronState download() const;
  /// Null pointer: all are enabled.
  void setEnabled(const std::vector<std::uint8_t>* status);
  void setBackgrounds(const std::vector<std::uint32_t>& indices)
  {
    backgroundOf = cuda::Buffer<std::uint32_t>(indices);
  }
  /// Whether targets, status and backgrounds are those of all neurons alike.
  bool areAlike() const { return target.size() == 0 && !someDisabled && backgroundOf.size() == 0; }

private:
  friend class Savepoint;

  void exchangeNumbers(cuda::Buffer<double>& numbers);

  cuda::DeviceExchange* exchange;
  std::uint32_t count; ///< of all ranks
  std::uint32_t part;  ///< neurons that a rank has room for, words of 64
  NeuronRange own;
  cuda::Buffer<double> potential, recovery;
  cuda::Buffer<std::uint32_t> fired; ///< a bit each
  cuda::Buffer<double> calcium;
  std::array<cuda::Buffer<double>, kPools> grown;
  std::array<cuda::Buffer<std::uint32_t>, kPools> connected;
  std::array<cuda::Buffer<double>, kPools> delta;
  cuda::Buffer<std::uint8_t> isInhibitory;
  cuda::Buffer<std::uint32_t> area;
  cuda::Buffer<StimulusSpan> stimuli;
  cuda::Buffer<std::uint64_t> staticOffset;
  cuda::Buffer<std::uint32_t> staticTarget;
  cuda::Buffer<std::int64_t> staticUnits;
  double commonTarget;
  cuda::Buffer<double> target; ///< empty: commonTarget
  bool someDisabled = false;
  cuda::Buffer<std::uint8_t> enabled; ///< where some are not
  cuda::Buffer<Background> backgrounds;
  cuda::Buffer<std::uint32_t> backgroundOf; ///< empty: all have the same
};

/// What an update that is cancelled goes back to.
class Savepoint
{
public:
  void save(DeviceNeurons& neurons, const GraphView& graph);
  void restore(DeviceNeurons& neurons, const GraphView& graph);

private:
  std::array<cuda::Buffer<double>, kPools> grown;
  std::array<cuda::Buffer<std::uint32_t>, kPools> connected;
  std::array<cuda::Buffer<double>, kPools> delta;
  cuda::Buffer<std::uint32_t> units;
};

// Of kernels.

__device__ inline std::uint32_t threadIndex()
{
  return blockIdx.x * kThreads + threadIdx.x;
}

// CUDA's atomic functions know 64-bit numbers by another name than the standard types'.
using Atomic64 = unsigned long long;

__device__ inline void addTo(std::int64_t* sum, std::int64_t value)
{
  atomicAdd(reinterpret_cast<Atomic64*>(sum), static_cast<Atomic64>(value));
}
__device__ inline void addTo(std::uint64_t* sum, std::uint64_t value)
{
  atomicAdd(reinterpret_cast<Atomic64*>(sum), static_cast<Atomic64>(value));
}

struct Sum
{
  template <typename T>
  __device__ T operator()(T a, T b) const
  {
    return a + b;
  }
};

__device__ inline bool hasFired(const NeuronsView& v, std::uint32_t neuron)
{
  return (v.fired[neuron / 32] >> (neuron % 32) & 1u) != 0;
}

/// Of all lanes of a warp, in lane 0.
template <typename T, typename Operation>
__device__ T overWarp(T value, Operation operation)
{
  for (int distance = 16; distance > 0; distance /= 2)
    value = operation(value, __shfl_down_sync(kAllLanes, value, distance));
  return value;
}

} // namespace hinesight::synapse::detail
