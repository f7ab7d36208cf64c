#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"

#include <algorithm>
#include <cmath>
#include <string>

// What a model needs to know before its first step, and what is wrong with it.

namespace hinesight::synapse::detail {

namespace {

[[noreturn]] void refuse(const std::string& sentence)
{
  throw Error(ErrorCode::BadParameter, sentence);
}

std::uint32_t areaNamed(const std::string& who, const std::string& area, const NeuronPopulation& population)
{
  const auto named = std::find(population.areaNames.begin(), population.areaNames.end(), area);
  if (named == population.areaNames.end())
    refuse(who + " goes to the area '" + area + "', which the population does not have; name one that it has.");
  return static_cast<std::uint32_t>(named - population.areaNames.begin());
}

std::vector<StimulusSpan> stimulusSpans(const std::vector<Stimulus>& stimuli, const NeuronPopulation& population)
{
  std::vector<StimulusSpan> spans;
  for (const Stimulus& s : stimuli) {
    const std::uint32_t area = s.area.empty() ? 0 : areaNamed("A stimulus", s.area, population);
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

/// Neurons that interrupts create between two steps, the first excluded, the second included.
std::uint64_t createdWithin(const std::vector<Interrupt>& interrupts, std::uint32_t after, std::uint32_t upTo)
{
  std::uint64_t created = 0;
  for (const Interrupt& interrupt : interrupts)
    if (interrupt.step > after && interrupt.step <= upTo)
      created += interrupt.count;
  return created;
}

void requireNeuron(const std::string& who, std::uint32_t neuron, std::uint64_t neurons)
{
  if (neuron >= neurons)
    refuse(who + " names neuron " + std::to_string(neuron) + ", counted from 0, but there are " +
           std::to_string(neurons) + " neurons; leave it out.");
}

/// Throws for neurons that are not there when something is said of them, and for more than there can be or than memory
/// holds: those that are created late would else fail hours later.
void requireNeurons(const PlasticityParameters& p, std::size_t neurons, std::uint32_t step)
{
  constexpr std::size_t kBytesPerNeuron = 420; // state, an update's copy of it, and the octree
  const std::uint64_t created = createdWithin(p.interrupts, step, UINT32_MAX);
  const std::uint64_t atEnd = neurons + created;
  if (atEnd >= kNoTarget)
    refuse("Interrupts create " + std::to_string(created) + " neurons, more than there can be; create fewer.");
  requireMemory(kBytesPerNeuron * atEnd, created == 0 ? "The plasticity model"
                                                      : "The plasticity model with the " + std::to_string(created) +
                                                            " neurons that interrupts create");
  for (const NeuronCalcium& own : p.calciumOf)
    requireNeuron("A calcium target", own.neuron, atEnd);
  for (const BackgroundChange& change : p.backgroundChanges)
    for (const std::uint32_t neuron : change.neurons)
      requireNeuron("A background", neuron, atEnd);
  for (const Interrupt& interrupt : p.interrupts) {
    // What is past was looked at when it happened.
    const bool ahead = interrupt.step > step;
    const std::uint64_t there = ahead ? neurons + createdWithin(p.interrupts, step, interrupt.step - 1) : 0;
    for (const std::uint32_t neuron : interrupt.neurons)
      if (ahead)
        requireNeuron("The interrupt at step " + std::to_string(interrupt.step), neuron, there);
  }
}

/// Ordered; throws for synapses of neurons that are not there and weights that cannot be added up.
StaticNetwork orderedStatic(const StaticNetwork& network, std::size_t neurons)
{
  constexpr double kMostWeight = 0x1p33; // onto a neuron: with the plastic synapses below 2^34, times kFractionUnits
  StaticNetwork ordered = network;
  ordered.neurons = neurons;
  std::vector<double> onto(neurons, 0);
  for (const StaticSynapse& s : ordered.synapses) {
    const std::string name =
        "A static synapse goes from neuron " + std::to_string(s.source) + " to neuron " + std::to_string(s.target);
    if (s.source >= neurons || s.target >= neurons)
      refuse(name + ", but there are " + std::to_string(neurons) + " neurons; leave it out.");
    if (!std::isfinite(s.weight))
      refuse(name + " with a weight that is no number; give it one.");
    onto[s.target] += std::abs(s.weight);
    if (onto[s.target] > kMostWeight)
      refuse("The static weights onto neuron " + std::to_string(s.target) +
             " add up to more than 2^33; give smaller weights and a greater synapse conductance.");
  }
  std::stable_sort(ordered.synapses.begin(), ordered.synapses.end(), [](const auto& a, const auto& b) {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
  });
  return ordered;
}

bool hasFractions(const StaticNetwork& network)
{
  return std::any_of(network.synapses.begin(), network.synapses.end(),
                     [](const StaticSynapse& s) { return s.weight != std::trunc(s.weight); });
}

/// Neurons of each change, and the background that they get: changes[n] is backgrounds[n + 1].
void addBackgrounds(ModelSetup& setup)
{
  const NeuronPopulation& population = *setup.population;
  setup.backgrounds = {Background{}};
  for (const BackgroundChange& change : setup.parameters.backgroundChanges) {
    setup.backgrounds.push_back(change.background);
    std::vector<std::uint32_t> neurons;
    for (const std::uint32_t neuron : change.neurons)
      if (neuron < population.size()) // others are yet to be created
        neurons.push_back(neuron);
    for (const std::string& name : change.areas) {
      const std::uint32_t area = areaNamed("A background", name, population);
      for (std::uint32_t i = 0; i < population.size(); ++i)
        if (population.area[i] == area)
          neurons.push_back(i);
    }
    setup.changed.push_back(std::move(neurons));
  }
}

/// The steps, in order, before which the host has something to do.
std::vector<std::uint32_t> eventSteps(const PlasticityParameters& p)
{
  std::vector<std::uint32_t> steps;
  for (const Interrupt& interrupt : p.interrupts)
    if (interrupt.kind != InterruptKind::Create)
      steps.push_back(interrupt.step);
  for (const BackgroundChange& change : p.backgroundChanges)
    steps.push_back(change.step);
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

} // namespace

ModelSetup makeSetup(std::shared_ptr<const NeuronPopulation> population, const PlasticityParameters& parameters,
                     const StaticNetwork& staticNetwork, std::uint32_t step)
{
  validate(parameters);
  requirePopulation(*population);
  requireNeurons(parameters, population->size(), step);
  ModelSetup setup;
  setup.parameters = parameters;
  setup.staticNetwork = orderedStatic(staticNetwork, population->size());
  setup.constants = stepConstants(parameters, population->size(), hasFractions(setup.staticNetwork));
  setup.stimuli = stimulusSpans(parameters.stimuli, *population);
  setup.ownTargets = !parameters.calciumOf.empty() || parameters.targetDecay != TargetDecay::None;
  setup.events = eventSteps(parameters);
  setup.population = std::move(population);
  if (parameters.background == BackgroundKind::Individual)
    addBackgrounds(setup);
  return setup;
}

StaticLists staticLists(const ModelSetup& setup)
{
  const StaticNetwork& network = setup.staticNetwork;
  const auto units = static_cast<double>(setup.constants.synapseUnits);
  StaticLists lists;
  lists.offset.assign(network.neurons + 1, 0);
  for (const StaticSynapse& synapse : network.synapses) {
    ++lists.offset[synapse.source + 1];
    lists.target.push_back(synapse.target);
    lists.units.push_back(std::llrint(synapse.weight * units));
  }
  for (std::size_t neuron = 0; neuron < network.neurons; ++neuron)
    lists.offset[neuron + 1] += lists.offset[neuron];
  return lists;
}

} // namespace hinesight::synapse::detail
