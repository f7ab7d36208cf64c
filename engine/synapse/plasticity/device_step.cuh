#pragma once

// For .cu files only.

#include "synapse/plasticity/neurons/device_neurons.cuh"

#include <cstdint>

// The kernels of a step, launched on the default stream. None of these waits.

namespace hinesight::synapse::detail {

/// What a step works on.
struct StepLaunch
{
  const StepConstants& constants;
  NeuronsView neurons;
  GraphView graph;
  bool alike; ///< DeviceNeurons::areAlike, and the background is not fast normal
};

/// A step of the neurons of this GPU. `now` holds what their synapses bring, and is cleared; what they send is added to
/// `next` unless that is null. `tally` is added to unless it is null.
void launchStep(const StepLaunch& launch, std::uint32_t step, std::int64_t* now, std::int64_t* next, StepTally* tally);
/// Adds what all neurons that fired in the last step send to those of this GPU to `next`.
void launchSend(const StepLaunch& launch, std::int64_t* next);
/// Of the neurons of this GPU.
void launchTally(const StepLaunch& launch, StepTally* tally);
/// For at most 256.
void clearTallies(StepTally* tallies, std::uint32_t count);

/// Sums of elements of all neurons, and how many membranes of this GPU's are no numbers.
struct Census
{
  ElementTally elements;
  std::uint64_t broken = 0;
};

/// Adds to `census`.
void launchCensus(const NeuronsView& neurons, Census* census);

} // namespace hinesight::synapse::detail
