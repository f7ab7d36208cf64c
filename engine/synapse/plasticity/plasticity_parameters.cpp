#include "core/error.hpp"
#include "synapse/neurons/neuron_step.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace hinesight::synapse {

namespace {

[[noreturn]] void refuse(const std::string& sentence)
{
  throw Error(ErrorCode::BadParameter, sentence);
}

/// The shortest text that reads back to the same number.
std::string shortText(double value)
{
  std::array<char, 40> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

void requireFrom(const std::string& name, double value, double least, double most = 1e12)
{
  // Written so that what is no number is refused too.
  if (value >= least && value <= most)
    return;
  refuse(name + " is " + shortText(value) + "; choose a number from " + shortText(least) + " to " + shortText(most) +
         ".");
}

void requireGrowth(const std::string& pool, const GrowthParameters& growth)
{
  constexpr double kMostElements = 1e6;
  requireFrom("The growth rate of " + pool, growth.rate, 0, 1e3);
  requireFrom("The least calcium of " + pool, growth.leastCalcium, -1e9, 1e9);
  requireFrom("The least number of initial " + pool, growth.initialLeast, 0, kMostElements);
  requireFrom("The most initial " + pool, growth.initialMost, growth.initialLeast, kMostElements);
  requireFrom("The retract ratio of " + pool, growth.retractRatio, 0, 1);
}

void requireStimulus(const Stimulus& stimulus)
{
  if (stimulus.period == 0)
    refuse("The period of a stimulus is 0 steps; choose at least 1.");
  if (stimulus.end < stimulus.begin)
    refuse("A stimulus ends at step " + std::to_string(stimulus.end) + ", before it begins at step " +
           std::to_string(stimulus.begin) + "; exchange the two.");
  requireFrom("The intensity of a stimulus", stimulus.intensity, -1e9, 1e9);
}

void requireBackground(const std::string& name, const Background& background)
{
  requireFrom("The mean of " + name, background.mean, -1e9, 1e9);
  requireFrom("The standard deviation of " + name, background.spread, 0, 1e9);
  const bool isNormal = background.kind == BackgroundKind::Normal || background.kind == BackgroundKind::FastNormal;
  if (isNormal && background.spread == 0)
    refuse("Normal background needs a standard deviation above 0; give one, or choose constant background.");
}

void requireBackgrounds(const PlasticityParameters& p)
{
  requireFrom("The constant background", p.backgroundBase, -1e9, 1e9);
  requireBackground("the background", {p.background, p.backgroundMean, p.backgroundSpread});
  if (p.background == BackgroundKind::Individual && p.backgroundChanges.empty())
    refuse("Which neuron gets which background is not said; name a file of backgrounds that has a line.");
  if (p.background != BackgroundKind::Individual && !p.backgroundChanges.empty())
    refuse("Neurons have backgrounds of their own, but the background is " + std::string(backgroundName(p.background)) +
           "; choose file.");
  for (const BackgroundChange& change : p.backgroundChanges) {
    requireBackground("a neuron's own background", change.background);
    if (change.background.kind == BackgroundKind::Individual)
      refuse("A neuron's own background is file; choose none, constant, normal or fast-normal.");
  }
}

void requireTargets(const PlasticityParameters& p)
{
  for (const NeuronCalcium& own : p.calciumOf) {
    requireFrom("The initial calcium of neuron " + std::to_string(own.neuron), own.initial, 0, 1e9);
    requireFrom("The calcium target of neuron " + std::to_string(own.neuron), own.target, -1e9, 1e9);
  }
  std::vector<std::uint32_t> named;
  for (const NeuronCalcium& own : p.calciumOf)
    named.push_back(own.neuron);
  std::sort(named.begin(), named.end());
  if (const auto twice = std::adjacent_find(named.begin(), named.end()); twice != named.end())
    refuse("Neuron " + std::to_string(*twice) + " has two calcium targets; give it one.");
  if (p.targetDecayPeriod < 1)
    refuse("A decay of calcium targets every 0 steps is not possible; choose at least 1.");
  const bool isFactor = p.targetDecay == TargetDecay::Relative;
  requireFrom(isFactor ? "The factor of decaying calcium targets" : "What calcium targets decay by",
              p.targetDecayAmount, 0, isFactor ? 1.0 : 1e9);
}

void requireInterrupt(const Interrupt& interrupt)
{
  if (interrupt.step < 1)
    refuse("An interrupt is at step 0; steps count from 1.");
  const bool creates = interrupt.kind == InterruptKind::Create;
  if (creates ? interrupt.count == 0 : interrupt.neurons.empty())
    refuse("The interrupt at step " + std::to_string(interrupt.step) + (creates ? " creates no" : " names no") +
           " neuron; give at least one, or leave it out.");
  if (creates ? !interrupt.neurons.empty() : interrupt.count != 0)
    refuse("The interrupt at step " + std::to_string(interrupt.step) +
           " both names neurons and creates some; give two interrupts.");
}

} // namespace

std::string_view neuronModelName(NeuronModel model)
{
  constexpr std::array<std::string_view, 4> kNames = {"poisson", "izhikevich", "fitzhugh-nagumo", "aeif"};
  return kNames[static_cast<std::size_t>(model)];
}

std::string_view backgroundName(BackgroundKind kind)
{
  constexpr std::array<std::string_view, 5> kNames = {"none", "constant", "normal", "fast-normal", "file"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view targetDecayName(TargetDecay decay)
{
  constexpr std::array<std::string_view, 3> kNames = {"none", "absolute", "relative"};
  return kNames[static_cast<std::size_t>(decay)];
}

void validate(const PlasticityParameters& p)
{
  if (p.integrationSteps < 1 || p.integrationSteps > 10'000)
    refuse("The number of integration steps is " + std::to_string(p.integrationSteps) + "; choose 1 to 10,000.");
  if (p.updatePeriod < 1)
    refuse("A connectivity update every 0 steps is not possible; choose at least 1.");
  if (p.threads < 0)
    refuse("The number of threads is " + std::to_string(p.threads) + "; choose 0, for all, or more.");
  requireFrom("The synapse conductance", p.synapseConductance, -1e9, 1e9);
  requireBackgrounds(p);
  for (const Stimulus& stimulus : p.stimuli)
    requireStimulus(stimulus);
  for (const Interrupt& interrupt : p.interrupts)
    requireInterrupt(interrupt);
  // Below, an Euler step would overshoot to negative calcium.
  requireFrom("The calcium decay time", p.calciumDecay, 1.0 / p.integrationSteps);
  requireFrom("The calcium that a spike adds", p.calciumPerSpike, 0, 1e6);
  requireFrom("The initial calcium", p.calciumInitial, 0, 1e9);
  requireFrom("The calcium target", p.calciumTarget, -1e9, 1e9);
  requireTargets(p);
  requireGrowth("axons", p.axon);
  requireGrowth("excitatory dendrites", p.excitatoryDendrite);
  requireGrowth("inhibitory dendrites", p.inhibitoryDendrite);
  validate(p.search);
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
