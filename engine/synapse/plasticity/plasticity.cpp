#include "synapse/plasticity/plasticity.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace hinesight::synapse {

namespace detail {

namespace {

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

/// Whether a neuron that is disabled has nothing, and one without a target of its own has that of all.
bool isConsistent(const NeuronState& s, std::size_t i, const ModelSetup& setup)
{
  if (!std::isfinite(s.target[i]) || (!setup.ownTargets && s.target[i] != setup.parameters.calciumTarget))
    return false;
  if (s.enabled[i] != 0)
    return s.enabled[i] == 1;
  bool isIdle = s.fired[i] == 0;
  for (int pool = 0; pool < kPools; ++pool)
    isIdle = isIdle && s.grown[pool][i] == 0 && s.delta[pool][i] == 0;
  return isIdle;
}

/// Throws unless every number is one that a model reaches and the connected elements are those of the synapses.
void requireSound(const PlasticityProgress& progress, const ModelSetup& setup)
{
  const NeuronPopulation& population = *setup.population;
  const NeuronState& s = progress.neurons;
  const std::size_t neurons = population.size();
  bool sized = s.membrane.size() == neurons && s.recovery.size() == neurons && s.fired.size() == neurons &&
               s.calcium.size() == neurons && s.target.size() == neurons && s.enabled.size() == neurons &&
               progress.network.neurons == neurons;
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
    bool sound = s.fired[i] <= 1 && s.calcium[i] >= 0 && std::isfinite(s.calcium[i]) && isConsistent(s, i, setup);
    for (int pool = 0; pool < kPools; ++pool)
      sound = sound && std::isfinite(s.delta[pool][i]) && std::isfinite(s.grown[pool][i]) &&
              s.grown[pool][i] >= s.connected[pool][i] && s.connected[pool][i] == found[pool][i];
    if (!sound)
      refuseProgress("has numbers of neuron " + std::to_string(i) + " that no model reaches");
  }
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
  s.target.assign(neurons, p.calciumTarget);
  for (const NeuronCalcium& own : p.calciumOf)
    if (own.neuron < neurons) { // others are yet to be created
      s.calcium[own.neuron] = own.initial;
      s.target[own.neuron] = own.target;
    }
  s.enabled.assign(neurons, 1);
  const std::array<const GrowthParameters*, kPools> growth = {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite};
  for (int pool = 0; pool < kPools; ++pool) {
    s.grown[pool] = initialElements(*growth[pool], pool, p.search.seed, neurons);
    s.connected[pool].assign(neurons, 0);
    s.delta[pool].assign(neurons, 0);
  }
  return progress;
}

std::unique_ptr<PlasticityModel> makeModel(ModelSetup setup, const PlasticityProgress& start)
{
  if (setup.parameters.backend == Backend::Cuda)
    return makeCudaModel(std::move(setup), start);
  return makeCpuModel(std::move(setup), start);
}

} // namespace detail

std::unique_ptr<PlasticityModel> makePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                     const PlasticityParameters& parameters,
                                                     const StaticNetwork& staticNetwork)
{
  detail::ModelSetup setup = detail::makeSetup(std::move(population), parameters, staticNetwork, 0);
  const PlasticityProgress start = detail::freshProgress(*setup.population, parameters);
  return detail::makeCreatingModel(std::move(setup), start);
}

std::unique_ptr<PlasticityModel> continuePlasticityModel(std::shared_ptr<const NeuronPopulation> population,
                                                         const PlasticityParameters& parameters,
                                                         const StaticNetwork& staticNetwork,
                                                         const PlasticityProgress& progress)
{
  detail::ModelSetup setup = detail::makeSetup(std::move(population), parameters, staticNetwork, progress.step);
  detail::requireSound(progress, setup);
  return detail::makeCreatingModel(std::move(setup), progress);
}

#if !HINESIGHT_HAS_CUDA

std::unique_ptr<PlasticityModel> detail::makeCudaModel(ModelSetup, const PlasticityProgress&)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

#endif

} // namespace hinesight::synapse
