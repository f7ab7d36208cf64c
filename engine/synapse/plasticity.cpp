#include "synapse/plasticity.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/plasticity_backend.hpp"

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

} // namespace

std::string_view neuronModelName(NeuronModel model)
{
  constexpr std::array<std::string_view, 4> kNames = {"poisson", "izhikevich", "fitzhugh-nagumo", "aeif"};
  return kNames[static_cast<std::size_t>(model)];
}

std::string_view backgroundName(BackgroundKind kind)
{
  constexpr std::array<std::string_view, 3> kNames = {"none", "constant", "normal"};
  return kNames[static_cast<std::size_t>(kind)];
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
  requireFrom("The constant background", p.backgroundBase, -1e9, 1e9);
  requireFrom("The mean of the background", p.backgroundMean, -1e9, 1e9);
  requireFrom("The standard deviation of the background", p.backgroundSpread, 0, 1e9);
  if (p.background == BackgroundKind::Normal && p.backgroundSpread == 0)
    refuse("Normal background needs a standard deviation above 0; give one, or choose constant background.");
  for (const Stimulus& stimulus : p.stimuli)
    requireStimulus(stimulus);
  // Below, an Euler step would overshoot to negative calcium.
  requireFrom("The calcium decay time", p.calciumDecay, 1.0 / p.integrationSteps);
  requireFrom("The calcium that a spike adds", p.calciumPerSpike, 0, 1e6);
  requireFrom("The initial calcium", p.calciumInitial, 0, 1e9);
  requireFrom("The calcium target", p.calciumTarget, -1e9, 1e9);
  requireGrowth("axons", p.axon);
  requireGrowth("excitatory dendrites", p.excitatoryDendrite);
  requireGrowth("inhibitory dendrites", p.inhibitoryDendrite);
  validate(p.search);
}

StepConstants stepConstants(const PlasticityParameters& p, std::size_t neurons)
{
  StepConstants c;
  const double subSteps = p.integrationSteps;
  c.model = p.model;
  c.subSteps = p.integrationSteps;
  c.dt = 1.0 / subSteps;
  c.synapseConductance = p.synapseConductance;
  c.constantInput = p.background == BackgroundKind::Constant ? p.backgroundBase : 0.0;
  c.noisy = p.background == BackgroundKind::Normal;
  c.noiseMean = p.backgroundMean;
  c.noiseSpread = p.backgroundSpread;
  c.seed = p.search.seed;
  c.calcium = {1.0 - 1.0 / (subSteps * p.calciumDecay), p.calciumPerSpike / subSteps};
  c.growth[0] = makeGrowthCurve(p.axon.rate, p.axon.leastCalcium, p.calciumTarget);
  c.growth[1] = makeGrowthCurve(p.excitatoryDendrite.rate, p.excitatoryDendrite.leastCalcium, p.calciumTarget);
  c.growth[2] = makeGrowthCurve(p.inhibitoryDendrite.rate, p.inhibitoryDendrite.leastCalcium, p.calciumTarget);
  // As fine as the sum over all neurons allows: nobody has more calcium than one that always fires.
  const double most = 2 * std::max({p.calciumInitial, p.calciumPerSpike * p.calciumDecay, 1.0});
  int exponent = 0;
  std::frexp(most * static_cast<double>(neurons), &exponent);
  c.calciumUnits = std::ldexp(1.0, 62 - exponent);
  return c;
}

namespace detail {

namespace {

std::vector<StimulusSpan> stimulusSpans(const std::vector<Stimulus>& stimuli, const NeuronPopulation& population)
{
  std::vector<StimulusSpan> spans;
  for (const Stimulus& s : stimuli) {
    const auto named = std::find(population.areaNames.begin(), population.areaNames.end(), s.area);
    if (!s.area.empty() && named == population.areaNames.end())
      refuse("A stimulus goes to the area '" + s.area + "', which the population does not have; name one that it has.");
    const auto area = s.area.empty() ? 0 : static_cast<std::uint32_t>(named - population.areaNames.begin());
    spans.push_back({s.begin, s.end, s.period, area, s.area.empty(), s.intensity});
  }
  return spans;
}

void requirePopulation(const NeuronPopulation& population)
{
  const std::size_t neurons = population.size();
  if (neurons == 0)
    refuse("The population has no neurons; give at least one.");
  if (population.isInhibitory.size() != neurons || population.area.size() != neurons)
    refuse("The population has " + std::to_string(neurons) +
           " positions, but not as many signal types and areas; give one of each a neuron.");
  if (std::any_of(population.isInhibitory.begin(), population.isInhibitory.end(), [](auto type) { return type > 1; }))
    refuse("A neuron's signal type is neither 0, excitatory, nor 1, inhibitory; give one of these.");
  for (const std::uint32_t area : population.area)
    if (area >= population.areaNames.size())
      refuse("A neuron is in area number " + std::to_string(area) + ", but there are " +
             std::to_string(population.areaNames.size()) + " areas; name them all.");
}

/// Ordered; throws for synapses of neurons that are not there.
Network orderedStatic(const Network& network, std::size_t neurons)
{
  Network ordered = network;
  ordered.neurons = neurons;
  for (const Synapse& s : ordered.synapses)
    if (s.source >= neurons || s.target >= neurons)
      refuse("A static synapse goes from neuron " + std::to_string(s.source) + " to neuron " +
             std::to_string(s.target) + ", but there are " + std::to_string(neurons) + " neurons; leave it out.");
  std::sort(ordered.synapses.begin(), ordered.synapses.end());
  return ordered;
}

ModelSetup makeSetup(std::shared_ptr<const NeuronPopulation> population, const PlasticityParameters& parameters,
                     const Network& staticNetwork)
{
  constexpr std::size_t kBytesPerNeuron = 400; // state, an update's copy of it, and the octree
  validate(parameters);
  requirePopulation(*population);
  requireMemory(kBytesPerNeuron * population->size(), "The plasticity model");
  ModelSetup setup;
  setup.parameters = parameters;
  setup.staticNetwork = orderedStatic(staticNetwork, population->size());
  setup.tree = makeOctree(population->position, parameters.threads);
  setup.constants = stepConstants(parameters, population->size());
  setup.stimuli = stimulusSpans(parameters.stimuli, *population);
  setup.population = std::move(population);
  return setup;
}

std::pair<double, double> initialMembrane(NeuronModel model)
{
  switch (model) {
  case NeuronModel::Poisson:
    return {PoissonNeuron::kInitialPotential, PoissonNeuron::kInitialRecovery};
  case NeuronModel::Izhikevich:
    return {IzhikevichNeuron::kInitialPotential, IzhikevichNeuron::kInitialRecovery};
  case NeuronModel::FitzHughNagumo:
    return {FitzHughNagumoNeuron::kInitialPotential, FitzHughNagumoNeuron::kInitialRecovery};
  case NeuronModel::AdaptiveExponential:
    return {AdaptiveExponentialNeuron::kInitialPotential, AdaptiveExponentialNeuron::kInitialRecovery};
  }
  return {};
}

std::vector<double> initialElements(const GrowthParameters& growth, int pool, std::uint64_t seed, std::size_t neurons)
{
  std::vector<double> grown(neurons, growth.initialLeast);
  const double range = growth.initialMost - growth.initialLeast;
  for (std::size_t i = 0; range > 0 && i < neurons; ++i) {
    const std::uint64_t entity =
        randomEntity(RandomPurpose::InitialElements, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(pool));
    grown[i] += range * randomUniform(seed, entity, 0, 0);
  }
  return grown;
}

[[noreturn]] void refuseProgress(const std::string& what)
{
  throw Error(ErrorCode::BadFormat, "The state to go on from " + what + "; it is damaged.");
}

/// Throws unless every number is one that a model reaches and the connected elements are those of the synapses.
void requireSound(const PlasticityProgress& progress, const NeuronPopulation& population)
{
  const NeuronState& s = progress.neurons;
  const std::size_t neurons = population.size();
  bool sized = s.membrane.size() == neurons && s.recovery.size() == neurons && s.fired.size() == neurons &&
               s.calcium.size() == neurons && progress.network.neurons == neurons;
  for (int pool = 0; pool < kPools; ++pool)
    sized = sized && s.grown[pool].size() == neurons && s.connected[pool].size() == neurons &&
            s.delta[pool].size() == neurons;
  if (!sized)
    refuseProgress("has not as many neurons as the population");
  std::array<std::vector<std::uint64_t>, kPools> found;
  found.fill(std::vector<std::uint64_t>(neurons, 0));
  graphOf(progress.network, population.isInhibitory);
  for (const Synapse& synapse : progress.network.synapses) {
    const auto units = static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(synapse.weight)));
    found[kAxons][synapse.source] += units;
    found[kDendrites + population.isInhibitory[synapse.source]][synapse.target] += units;
  }
  for (std::size_t i = 0; i < neurons; ++i) {
    bool sound = s.fired[i] <= 1 && s.calcium[i] >= 0 && std::isfinite(s.calcium[i]);
    for (int pool = 0; pool < kPools; ++pool)
      sound = sound && std::isfinite(s.delta[pool][i]) && std::isfinite(s.grown[pool][i]) &&
              s.grown[pool][i] >= s.connected[pool][i] && s.connected[pool][i] == found[pool][i];
    if (!sound)
      refuseProgress("has numbers of neuron " + std::to_string(i) + " that no model reaches");
  }
}

std::unique_ptr<PlasticityModel> makeModel(ModelSetup setup, const PlasticityProgress& start)
{
  if (setup.parameters.backend == Backend::Cuda)
    return makeCudaModel(std::move(setup), start);
  return makeCpuModel(std::move(setup), start);
}

} // namespace

PlasticityProgress freshProgress(const NeuronPopulation& population, const PlasticityParameters& p)
{
  const std::size_t neurons = population.size();
  const auto [potential, recovery] = initialMembrane(p.model);
  PlasticityProgress progress;
  progress.network.neurons = neurons;
  NeuronState& s = progress.neurons;
  s.membrane.assign(neurons, potential);
  s.recovery.assign(neurons, recovery);
  s.fired.assign(neurons, 0);
  s.calcium.assign(neurons, p.calciumInitial);
  const std::array<const GrowthParameters*, kPools> growth = {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite};
  for (int pool = 0; pool < kPools; ++pool) {
    s.grown[pool] = initialElements(*growth[pool], pool, p.search.seed, neurons);
    s.connected[pool].assign(neurons, 0);
    s.delta[pool].assign(neurons, 0);
  }
  return progress;
}

} // namespace detail

std::unique_ptr<PlasticityModel> makePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                     const PlasticityParameters& parameters,
                                                     const Network& staticNetwork)
{
  detail::ModelSetup setup = detail::makeSetup(std::move(population), parameters, staticNetwork);
  const PlasticityProgress start = detail::freshProgress(*setup.population, parameters);
  return detail::makeModel(std::move(setup), start);
}

std::unique_ptr<PlasticityModel> continuePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                         const PlasticityParameters& parameters,
                                                         const Network& staticNetwork,
                                                         const PlasticityProgress& progress)
{
  detail::ModelSetup setup = detail::makeSetup(std::move(population), parameters, staticNetwork);
  detail::requireSound(progress, *setup.population);
  return detail::makeModel(std::move(setup), progress);
}

#if !HINESIGHT_HAS_CUDA

std::unique_ptr<PlasticityModel> detail::makeCudaModel(ModelSetup, const PlasticityProgress&)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

#endif

} // namespace hinesight::synapse
