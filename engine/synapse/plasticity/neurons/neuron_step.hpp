#pragma once

#include "core/host_device.hpp"
#include "synapse/plasticity/neurons/element_step.hpp"
#include "synapse/plasticity/neurons/neuron_models.hpp"
#include "synapse/plasticity/plasticity.hpp"

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
  double dt = 0.1;               ///< of a sub-step, ms
  std::int64_t synapseUnits = 1; ///< a power of two: the whole numbers that a weight of 1 counts in inputs
  double inputOfUnit = 0;        ///< synapse conductance / synapseUnits
  double constantInput = 0;
  Background background; ///< of every neuron; Constant is in constantInput already
  double windows = 1;    ///< of the row of fast normal input
  std::uint64_t seed = 1;
  CalciumStep calcium;
  GrowthCurve growth[kPools];       ///< where all have the same target
  double leastCalcium[kPools] = {}; ///< where each has its own
  TargetDecayStep targetDecay;
  double calciumUnits = 1; ///< a power of two: records add calcium up in whole numbers of 1 / calciumUnits
};

/// Fractional static weights are kept to 1 / kFractionUnits.
inline constexpr std::int64_t kFractionUnits = std::int64_t{1} << 28;

/// `neurons`: how many are added up in a record. `hasFractions`: whether static weights are not all whole.
StepConstants stepConstants(const PlasticityParameters& parameters, std::size_t neurons, bool hasFractions = false);

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

/// Input of a neuron in a step but for background that is drawn or its own: `synaptic` counts the weights of its
/// in-synapses whose source fired in the step before, in 1 / synapseUnits.
HINESIGHT_FORMULA double neuronInput(const StepConstants& c, std::int64_t synaptic, double stimulus)
{
  return c.inputOfUnit * static_cast<double>(synaptic) + c.constantInput + stimulus;
}

HINESIGHT_FORMULA double normalInput(const StepConstants& c, const Background& background, std::uint32_t neuron,
                                     std::uint32_t step)
{
  return background.mean + background.spread * backgroundNormal(c.seed, neuron, step);
}

/// `window`: inputWindow of the step.
HINESIGHT_FORMULA double fastNormalInput(const StepConstants& c, const Background& background, std::uint32_t neuron,
                                         std::uint64_t window)
{
  return background.mean + background.spread * predrawnNormal(c.seed, window + neuron);
}

/// Of a neuron that has its own background.
HINESIGHT_FORMULA double individualInput(const StepConstants& c, const Background& background, std::uint32_t neuron,
                                         std::uint32_t step, std::uint64_t window)
{
  switch (background.kind) {
  case BackgroundKind::Constant:
    return background.mean;
  case BackgroundKind::Normal:
    return normalInput(c, background, neuron, step);
  case BackgroundKind::FastNormal:
    return fastNormalInput(c, background, neuron, window);
  default:
    return 0.0;
  }
}

/// Calcium, which is never negative, as a whole number, for sums whose order does not matter.
HINESIGHT_FORMULA std::int64_t calciumWhole(const StepConstants& c, double calcium)
{
  return static_cast<std::int64_t>(calcium * c.calciumUnits);
}

} // namespace hinesight::synapse
