#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/host_device.hpp"
#include "core/philox.hpp"
#include "synapse/search/random_keys.hpp"

#include <cstdint>

// Calcium and synaptic elements of one neuron, once for CPU and CUDA.

namespace hinesight::synapse {

/// C += (-C / tau + beta fired) / h, so many times a step.
struct CalciumStep
{
  double kept = 1;   ///< a sub-step: 1 - 1 / (h tau)
  double gained = 0; ///< a sub-step in which the neuron fires: beta / h

  HINESIGHT_FORMULA double subStep(double calcium, double fired) const { return calcium * kept + gained * fired; }
};

/// Growth of one kind of element in a step as a function of calcium (Butz and van Ooyen 2013, PLoS Comput. Biol. 9):
/// a Gaussian lowered so that it is zero at the least calcium and at the target, and largest midway.
struct GrowthCurve
{
  double rate = 0;         ///< nu: the most, elements a step
  double center = 0;       ///< xi
  double inverseWidth = 0; ///< 1 / |zeta|; 0 where least calcium and target are one

  HINESIGHT_FORMULA double at(double calcium) const
  {
    const double z = (calcium - center) * inverseWidth;
    const double growth = rate * (2.0 * fixedExp(-(z * z)) - 1.0);
    const double narrow = calcium == center ? 0.0 : -rate;
    return inverseWidth == 0 ? narrow : growth;
  }
};

HINESIGHT_FORMULA GrowthCurve makeGrowthCurve(double rate, double leastCalcium, double target)
{
  constexpr double kTwoRootLn2 = 0x1.aa4499161cd47p+0; // 1.66510922...
  const double most = target > leastCalcium ? target : leastCalcium;
  const double width = most - leastCalcium;
  return {rate, (leastCalcium + most) * 0.5, width > 0 ? kTwoRootLn2 / width : 0.0};
}

/// The same growth of a neuron with its own target.
HINESIGHT_FORMULA double growthTowards(double target, double rate, double leastCalcium, double calcium)
{
  return makeGrowthCurve(rate, leastCalcium, target).at(calcium);
}

/// How a neuron's calcium target changes, after its calcium and before its elements.
struct TargetDecayStep
{
  std::uint32_t period = 0; ///< steps; 0: it does not
  double factor = 1;
  double loss = 0;

  HINESIGHT_FORMULA bool isDue(std::uint32_t step) const { return period > 0 && step % period == 0; }
  HINESIGHT_FORMULA double at(double target) const { return target * factor - loss; }
};

/// One element pool of a neuron at a connectivity update.
struct ElementUpdate
{
  double grown = 0;            ///< g afterwards
  std::uint32_t connected = 0; ///< c that are left: the others' synapses are deleted
};

/// Adds what has grown since the last update. Vacant elements go first; a share `retract` of those that are left is
/// lost; where more went than were vacant, synapses go (RELeARN's commit).
HINESIGHT_FORMULA ElementUpdate commitElements(double grown, std::uint32_t connected, double delta, double retract)
{
  const double bound = connected;
  const double vacant = grown - bound + delta;
  if (vacant >= 0)
    return {(1.0 - retract) * vacant + bound, connected};
  const double left = grown + delta;
  if (left < 0)
    return {0.0, 0};
  const double whole = roundDown(left);
  // Rounding may leave a neuron as many whole elements as before; it cannot leave it more.
  const double kept = whole < bound ? whole : bound;
  return {kept + (1.0 - retract) * (left - kept), static_cast<std::uint32_t>(kept)};
}

/// Whole elements without a synapse.
HINESIGHT_FORMULA std::uint32_t vacantElements(double grown, std::uint32_t connected)
{
  const double vacant = grown - static_cast<double>(connected);
  return vacant > 0 ? static_cast<std::uint32_t>(vacant) : 0;
}

/// Chooses a given number of a neuron's synapses of one pool, uniformly without replacement, by looking at each once:
/// the next is taken with probability (to be taken) / (not yet looked at) (Knuth, The Art of Computer Programming,
/// volume 2, section 3.4.2, algorithm S).
class DeletionDraw
{
public:
  HINESIGHT_FORMULA DeletionDraw(std::uint64_t drawSeed, std::uint32_t neuron, std::uint32_t pool,
                                 std::uint32_t drawStep, std::uint32_t synapses, std::uint32_t taken)
      : seed(drawSeed), entity(randomEntity(RandomPurpose::Deletion, neuron, pool)), step(drawStep), ahead(synapses),
        wanted(taken)
  {}

  HINESIGHT_FORMULA std::uint32_t left() const { return wanted; }

  /// How many of the next `units` synapses are taken.
  HINESIGHT_FORMULA std::uint32_t take(std::uint32_t units)
  {
    std::uint32_t taken = 0;
    for (std::uint32_t unit = 0; unit < units && wanted > 0; ++unit) {
      const bool goes = wanted == ahead || scaled(ahead) < wanted;
      taken += goes;
      wanted -= goes;
      --ahead;
    }
    return taken;
  }

private:
  /// Uniform in 0 ... below - 1, up to a bias of below / 2^64. One draw a synapse: `ahead` is different for each.
  HINESIGHT_FORMULA std::uint32_t scaled(std::uint32_t below) const
  {
    const PhiloxWords bits = randomBits(seed, entity, step, ahead);
    const std::uint64_t low = std::uint64_t{bits.word[0]} * below;
    const std::uint64_t high = std::uint64_t{bits.word[1]} * below;
    return static_cast<std::uint32_t>((high + (low >> 32)) >> 32);
  }

  std::uint64_t seed;
  std::uint64_t entity;
  std::uint32_t step;
  std::uint32_t ahead;
  std::uint32_t wanted;
};

} // namespace hinesight::synapse
