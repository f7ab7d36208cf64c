#include "core/error.hpp"
#include "core/text.hpp"
#include "synapse/plasticity/neurons/neuron_step.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace hinesight::synapse {

namespace {

[[noreturn]] void refuse(const std::string& sentence)
{
  throw Error(ErrorCode::BadParameter, sentence);
}

/// What only several parameters together say.
void requireGrowth(const std::string& pool, const GrowthParameters& growth)
{
  if (growth.initialMost < growth.initialLeast)
    refuse("The greatest number of initial " + pool + " is " + textOf(growth.initialMost) + ", below the least, " +
           textOf(growth.initialLeast) + "; exchange the two.");
}

void requireStimulus(const Stimulus& stimulus)
{
  if (stimulus.end < stimulus.begin)
    refuse("A stimulus ends at step " + std::to_string(stimulus.end) + ", before it begins at step " +
           std::to_string(stimulus.begin) + "; exchange the two.");
}

void requireBackgrounds(const PlasticityParameters& p)
{
  if (p.background == BackgroundKind::Individual && p.backgroundChanges.empty())
    refuse("No neuron has a background of its own; name a file of backgrounds with at least one line.");
  if (p.background != BackgroundKind::Individual && !p.backgroundChanges.empty())
    refuse("Neurons have backgrounds of their own, but the background is " + std::string(backgroundName(p.background)) +
           "; choose file.");
  for (const BackgroundChange& change : p.backgroundChanges)
    if (change.background.kind == BackgroundKind::Individual)
      refuse("A neuron's own background is file; choose none, constant, normal or fast-normal.");
}

void requireOneTargetEach(const PlasticityParameters& p)
{
  std::vector<std::uint32_t> named;
  for (const NeuronCalcium& own : p.calciumOf)
    named.push_back(own.neuron);
  std::sort(named.begin(), named.end());
  if (const auto twice = std::adjacent_find(named.begin(), named.end()); twice != named.end())
    refuse("Neuron " + std::to_string(*twice) + " has two calcium targets; give it one.");
}

void requireInterrupt(const Interrupt& interrupt)
{
  const bool creates = interrupt.kind == InterruptKind::Create;
  if (!creates && interrupt.neurons.empty())
    refuse("The interrupt at step " + std::to_string(interrupt.step) +
           " names no neuron; give at least one, or leave it out.");
  if (creates ? !interrupt.neurons.empty() : interrupt.count != 0)
    refuse("The interrupt at step " + std::to_string(interrupt.step) +
           " both names neurons and creates some; give two interrupts.");
}

/// In a shorter time an Euler step would overshoot to negative calcium.
void requireDecay(const PlasticityParameters& p)
{
  const double shortest = 1.0 / p.integrationSteps;
  if (p.calciumDecay < shortest)
    refuse("Calcium decay is " + textOf(p.calciumDecay) + " ms, less than an integration step; choose " +
           textOf(shortest) + " ms or more, or more integration steps.");
}

} // namespace

void validate(const PlasticityParameters& p)
{
  std::vector<BoundField> own = fieldsOf(p);
  std::erase_if(own, [](const BoundField& field) {
    return !field.groups.empty() && field.groups.front().name == kSearchGroup.name;
  });
  validateAllFields(own);
  validate(p.search); // of the kernel only what applies
  requireDecay(p);
  requireBackgrounds(p);
  for (const Stimulus& stimulus : p.stimuli)
    requireStimulus(stimulus);
  for (const Interrupt& interrupt : p.interrupts)
    requireInterrupt(interrupt);
  requireOneTargetEach(p);
  requireGrowth(kPoolNames[kAxons], p.axon);
  requireGrowth(kPoolNames[kDendrites], p.excitatoryDendrite);
  requireGrowth(kPoolNames[kDendrites + 1], p.inhibitoryDendrite);
}

namespace {

TargetDecayStep targetDecayStep(const PlasticityParameters& p)
{
  switch (p.targetDecay) {
  case TargetDecay::Absolute:
    return {p.targetDecayPeriod, 1, p.targetDecayAmount};
  case TargetDecay::Relative:
    return {p.targetDecayPeriod, p.targetDecayAmount, 0};
  default:
    return {};
  }
}

/// Nobody has more calcium than one that always fires, or than it began with.
double mostCalcium(const PlasticityParameters& p)
{
  double most = std::max({p.calciumInitial, p.calciumPerSpike * p.calciumDecay, 1.0});
  for (const NeuronCalcium& own : p.calciumOf)
    most = std::max(most, own.initial);
  return most;
}

} // namespace

StepConstants stepConstants(const PlasticityParameters& p, std::size_t neurons, bool hasFractions)
{
  constexpr double kNumbersOfNeuron = 1000; // in the row of fast normal input
  StepConstants c;
  const double subSteps = p.integrationSteps;
  c.model = p.model;
  c.subSteps = p.integrationSteps;
  c.dt = 1.0 / subSteps;
  c.synapseUnits = hasFractions ? kFractionUnits : 1;
  c.inputOfUnit = p.synapseConductance / static_cast<double>(c.synapseUnits);
  c.constantInput = p.background == BackgroundKind::Constant ? p.backgroundBase : 0.0;
  c.background = {p.background, p.backgroundMean, p.backgroundSpread};
  c.windows = (kNumbersOfNeuron - 1) * static_cast<double>(neurons) + 1;
  c.seed = p.search.seed;
  c.calcium = {1.0 - 1.0 / (subSteps * p.calciumDecay), p.calciumPerSpike / subSteps};
  const std::array<const GrowthParameters*, kPools> growth = {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite};
  for (int pool = 0; pool < kPools; ++pool) {
    c.growth[pool] = makeGrowthCurve(growth[pool]->rate, growth[pool]->leastCalcium, p.calciumTarget);
    c.leastCalcium[pool] = growth[pool]->leastCalcium;
  }
  c.targetDecay = targetDecayStep(p);
  // As fine as the sum over all neurons allows.
  int exponent = 0;
  std::frexp(2 * mostCalcium(p) * static_cast<double>(neurons), &exponent);
  c.calciumUnits = std::ldexp(1.0, 62 - exponent);
  return c;
}

} // namespace hinesight::synapse
