#pragma once

#include "core/host_device.hpp"
#include "synapse/element_step.hpp"
#include "synapse/neuron_models.hpp"
#include "synapse/plasticity.hpp"

#include <cstdint>

// What one neuron does in a step, once for CPU and CUDA.

namespace hinesight::synapse {

/// Element pools of a neuron.
inline constexpr int kPools = 3;
inline constexpr int kAxons = 0;
inline constexpr int kDendrites = 1; ///< plus the channel

/// PlasticityParameters as a step needs them.
struct StepConstants
{
  NeuronModel model = NeuronModel::Poisson;
  std::uint32_t subSteps = 10;
  double dt = 0.1; ///< of a sub-step, ms
  double synapseConductance = 0;
  double constantInput = 0;
  bool noisy = false;
  double noiseMean = 0;
  double noiseSpread = 0;
  std::uint64_t seed = 1;
  CalciumStep calcium;
  GrowthCurve growth[kPools];
  double calciumUnits = 1; ///< a power of two: records add calcium up in whole numbers of 1 / calciumUnits
};

/// `neurons`: how many are added up in a record.
StepConstants stepConstants(const PlasticityParameters& parameters, std::size_t neurons);

/// Stimulus as a step needs it: to all neurons, or to those of an area.
struct StimulusSpan
{
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t period = 1;
  std::uint32_t area = 0;
  bool everywhere = true;
  double intensity = 0;
};

/// What the stimuli add to the input of a neuron of `area`.
HINESIGHT_FORMULA double stimulusInput(const StimulusSpan* stimuli, std::uint32_t count, std::uint32_t step,
                                       std::uint32_t area)
{
  double sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const StimulusSpan& s = stimuli[i];
    const bool now = step >= s.begin && step <= s.end && (step - s.begin) % s.period == 0;
    if (now && (s.everywhere || s.area == area))
      sum += s.intensity;
  }
  return sum;
}

/// Input of a neuron in a step: `synaptic` counts the weights of its in-synapses whose source fired in the step before.
HINESIGHT_FORMULA double neuronInput(const StepConstants& c, std::int64_t synaptic, double stimulus)
{
  return c.synapseConductance * static_cast<double>(synaptic) + c.constantInput + stimulus;
}

HINESIGHT_FORMULA double noiseInput(const StepConstants& c, std::uint32_t neuron, std::uint32_t step)
{
  return c.noiseMean + c.noiseSpread * backgroundNormal(c.seed, neuron, step);
}

/// Calcium, which is never negative, as a whole number, for sums whose order does not matter.
HINESIGHT_FORMULA std::int64_t calciumWhole(const StepConstants& c, double calcium)
{
  return static_cast<std::int64_t>(calcium * c.calciumUnits);
}

} // namespace hinesight::synapse
