#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/fixed/fixed_random.hpp"
#include "core/host_device.hpp"
#include "core/philox.hpp"
#include "synapse/search/random_keys.hpp"

#include <cstdint>

// The neuron models as explicit Euler sub-steps of a step of 1 ms, once for CPU and CUDA. Conditions are selections,
// so that compilers can put neurons side by side in vectors. Constants are those of RELeARN's defaults.

namespace hinesight::synapse {

/// A neuron's membrane within a step. `fired` is 0 or 1, of the same type as the rest for the sake of vectors.
struct Membrane
{
  double potential = 0;
  double recovery = 0;
  double fired = 0;
};

/// Fires with a probability that follows the input with a lag. Its second variable counts the refractory steps left.
struct PoissonNeuron
{
  static constexpr bool kDraws = true; ///< wants a uniform number a step
  static constexpr double kInitialPotential = 0;
  static constexpr double kInitialRecovery = 0;
  static constexpr double kRest = 0.05;
  static constexpr double kDecay = 5; ///< ms
  static constexpr double kRefractorySteps = 4;

  HINESIGHT_FORMULA static void subStep(Membrane& m, double input, double dt)
  {
    m.potential += ((kRest - m.potential) * (1.0 / kDecay) + input) * dt;
  }
  HINESIGHT_FORMULA static void finish(Membrane& m, double uniform)
  {
    const double drawn = m.potential >= uniform ? 1.0 : 0.0;
    m.fired = m.recovery == 0 ? drawn : 0.0;
    const double waited = m.recovery > 0 ? m.recovery - 1.0 : 0.0;
    m.recovery = m.fired != 0 ? kRefractorySteps : waited;
  }
};

/// Izhikevich 2003, IEEE Transactions on Neural Networks 14(6), with the constants of fast spiking.
struct IzhikevichNeuron
{
  static constexpr bool kDraws = false;
  static constexpr double kA = 0.1, kB = 0.2, kC = -65, kD = 2;
  static constexpr double kSpike = 30; ///< mV
  static constexpr double kInitialPotential = kC;
  static constexpr double kInitialRecovery = 0;

  HINESIGHT_FORMULA static void subStep(Membrane& m, double input, double dt)
  {
    const double v = m.potential, u = m.recovery;
    const double potential = v + ((0.04 * v + 5.0) * v + 140.0 - u + input) * dt;
    const double recovery = u + kA * (kB * v - u) * dt;
    const double spikes = potential >= kSpike ? 1.0 : 0.0;
    // Once it has fired, it waits for the next step.
    m.potential = m.fired != 0 ? v : spikes != 0 ? kC : potential;
    m.recovery = m.fired != 0 ? u : spikes != 0 ? recovery + kD : recovery;
    m.fired = m.fired != 0 ? 1.0 : spikes;
  }
  HINESIGHT_FORMULA static void finish(Membrane&, double) {}
};

/// FitzHugh 1961, Nagumo et al. 1962. Fires while on the way down from the peak of its oscillation.
struct FitzHughNagumoNeuron
{
  static constexpr bool kDraws = false;
  static constexpr double kA = 0.7, kB = 0.8, kPhi = 0.08;
  static constexpr double kInitialPotential = -1.2;
  static constexpr double kInitialRecovery = -0.6;

  HINESIGHT_FORMULA static double cubic(double v) { return v - v * v * v * (1.0 / 3.0); }

  HINESIGHT_FORMULA static void subStep(Membrane& m, double input, double dt)
  {
    const double v = m.potential, w = m.recovery;
    m.potential = v + (cubic(v) - w + input) * dt;
    m.recovery = w + kPhi * (v + kA - kB * w) * dt;
  }
  HINESIGHT_FORMULA static void finish(Membrane& m, double)
  {
    const double above = m.recovery > cubic(m.potential) ? 1.0 : 0.0;
    m.fired = m.potential > 1.0 ? above : 0.0;
  }
};

/// Brette and Gerstner 2005, J. Neurophysiol. 94: adaptive exponential integrate-and-fire.
struct AdaptiveExponentialNeuron
{
  static constexpr bool kDraws = false;
  static constexpr double kCapacitance = 281;    ///< pF
  static constexpr double kLeak = 30;            ///< nS
  static constexpr double kRest = -70.6;         ///< mV
  static constexpr double kThreshold = -50.4;    ///< mV
  static constexpr double kSlope = 2;            ///< mV
  static constexpr double kAdaptationTime = 144; ///< ms
  static constexpr double kSubthreshold = 4;     ///< nS
  static constexpr double kPerSpike = 0.0805;    ///< nA
  static constexpr double kSpike = 20;           ///< mV
  static constexpr double kInitialPotential = kRest;
  static constexpr double kInitialRecovery = 0;

  HINESIGHT_FORMULA static void subStep(Membrane& m, double input, double dt)
  {
    const double v = m.potential, w = m.recovery;
    const double onset = kLeak * kSlope * fixedExp((v - kThreshold) * (1.0 / kSlope));
    const double potential = v + (onset - kLeak * (v - kRest) - w + input) * (1.0 / kCapacitance) * dt;
    const double recovery = w + (kSubthreshold * (v - kRest) - w) * (1.0 / kAdaptationTime) * dt;
    const double spikes = potential >= kSpike ? 1.0 : 0.0;
    m.potential = m.fired != 0 ? v : spikes != 0 ? kRest : potential;
    m.recovery = m.fired != 0 ? w : spikes != 0 ? recovery + kPerSpike : recovery;
    m.fired = m.fired != 0 ? 1.0 : spikes;
  }
  HINESIGHT_FORMULA static void finish(Membrane&, double) {}
};

/// A whole step of 1 ms.
template <typename Model>
HINESIGHT_FORMULA Membrane stepMembrane(Membrane m, double input, double uniform, std::uint32_t subSteps, double dt)
{
  m.fired = 0;
  for (std::uint32_t s = 0; s < subSteps; ++s)
    Model::subStep(m, input, dt);
  Model::finish(m, uniform);
  return m;
}

/// What a Poisson neuron's membrane is compared with in a step.
HINESIGHT_FORMULA double spikeUniform(std::uint64_t seed, std::uint32_t neuron, std::uint32_t step)
{
  const PhiloxWords bits = randomBits(seed, randomEntity(RandomPurpose::Spike, neuron), step, 0);
  return unitUniform(bits.word[0], bits.word[1]);
}

HINESIGHT_FORMULA double backgroundNormal(std::uint64_t seed, std::uint32_t neuron, std::uint32_t step)
{
  return standardNormal(randomBits(seed, randomEntity(RandomPurpose::Background, neuron), step, 0));
}

/// Entry `index` of the row of numbers that fast normal input is taken from. The row needs no memory: an entry is a
/// function of its index.
HINESIGHT_FORMULA double predrawnNormal(std::uint64_t seed, std::uint64_t index)
{
  const std::uint64_t entity = randomEntity(RandomPurpose::PredrawnInput, static_cast<std::uint32_t>(index));
  return standardNormal(randomBits(seed, entity, static_cast<std::uint32_t>(index >> 32), 0));
}

/// Which entry of the row neuron 0 gets in a step, uniformly among `windows`, below 2^50.
HINESIGHT_FORMULA std::uint64_t inputWindow(std::uint64_t seed, std::uint32_t step, double windows)
{
  const PhiloxWords bits = randomBits(seed, randomEntity(RandomPurpose::InputWindow, 0), step, 0);
  return static_cast<std::uint64_t>(unitUniform(bits.word[0], bits.word[1]) * windows);
}

} // namespace hinesight::synapse
