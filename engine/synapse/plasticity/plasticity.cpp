#include "synapse/plasticity/plasticity.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"
#include "synapse/ranks/rank_formation.hpp"
#include "synapse/ranks/rank_model.hpp"

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
  throw Error(ErrorCode::BadFormat, "The state to go on from " + what + "; go on from another one.");
}

/// Throws unless there is one of each a neuron.
void requireSized(const PlasticityProgress& progress, std::size_t neurons)
{
  const NeuronState& s = progress.neurons;
  bool sized = s.membrane.size() == neurons && s.recovery.size() == neurons && s.fired.size() == neurons &&
               s.calcium.size() == neurons && s.target.size() == neurons && s.enabled.size() == neurons &&
               progress.network.neurons == neurons;
  for (int pool = 0; pool < kPools; ++pool)
    sized = sized && s.grown[pool].size() == neurons && s.connected[pool].size() == neurons &&
            s.delta[pool].size() == neurons;
  if (!sized)
    refuseProgress("has another number of neurons than the population");
}

/// By pool and neuron, the elements that the synapses connect. Throws as graphOf.
std::array<std::vector<std::uint64_t>, kPools> connectedBy(const Network& network,
                                                           const std::vector<std::uint8_t>& isInhibitory)
{
  graphOf(network, isInhibitory);
  std::array<std::vector<std::uint64_t>, kPools> connected;
  connected.fill(std::vector<std::uint64_t>(isInhibitory.size(), 0));
  for (const Synapse& synapse : network.synapses) {
    const auto units = static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(synapse.weight)));
    connected[kAxons][synapse.source] += units;
    connected[kDendrites + isInhibitory[synapse.source]][synapse.target] += units;
  }
  return connected;
}

/// Throws for numbers of one neuron that no model reaches, or that do not fit its synapses.
class NeuronCheck
{
public:
  NeuronCheck(const PlasticityProgress& progress, const ModelSetup& modelSetup)
      : s(progress.neurons), setup(modelSetup),
        connected(connectedBy(progress.network, modelSetup.population->isInhibitory)),
        // Records add up all neurons' calcium and elements in whole numbers of 63 bits; vacant elements count to 2^32.
        mostCalcium(0x1p62 / setup.constants.calciumUnits / static_cast<double>(s.calcium.size())),
        mostElements(std::min(0x1p32, 0x1p62 / kElementUnits / static_cast<double>(s.calcium.size())))
  {}

  void require(std::size_t i) const
  {
    const bool isEnabled = s.enabled[i] == 1;
    requireThat(s.enabled[i] <= 1, "flag of being enabled", i);
    requireThat(s.fired[i] <= (isEnabled ? 1 : 0), "flag of a spike", i);
    requireThat(s.calcium[i] >= 0 && s.calcium[i] <= mostCalcium, "calcium", i);
    requireThat(std::isfinite(s.target[i]) && (setup.ownTargets || s.target[i] == setup.parameters.calciumTarget),
                "calcium target", i);
    for (int pool = 0; pool < kPools; ++pool) {
      const double grown = s.grown[pool][i], delta = s.delta[pool][i];
      requireThat(s.connected[pool][i] == connected[pool][i], "number of connected", i, pool);
      requireThat(grown >= s.connected[pool][i] && (isEnabled ? grown < mostElements : grown == 0), "number of", i,
                  pool);
      requireThat(isEnabled ? std::abs(delta) < mostElements && grown + delta < mostElements : delta == 0, "growth of",
                  i, pool);
    }
  }

private:
  /// Written so that what is no number is refused too. `pool`: -1 where it is of none.
  static void requireThat(bool isSound, const char* what, std::size_t neuron, int pool = -1)
  {
    if (isSound)
      return;
    const std::string elements = pool < 0 ? std::string() : std::string(" ") + kPoolNames[pool];
    refuseProgress("has a " + std::string(what) + elements + " of neuron " + std::to_string(neuron) +
                   " that no model reaches");
  }

  const NeuronState& s;
  const ModelSetup& setup;
  std::array<std::vector<std::uint64_t>, kPools> connected;
  double mostCalcium, mostElements;
};

/// Throws unless every number is one that a model reaches and the connected elements are those of the synapses.
void requireSound(const PlasticityProgress& progress, const ModelSetup& setup)
{
  const std::size_t neurons = setup.population->size();
  requireSized(progress, neurons);
  if (progress.updatePending && progress.step % setup.parameters.updatePeriod != 0)
    refuseProgress("has a pending update at step " + std::to_string(progress.step) + ", which has none");
  const NeuronCheck check(progress, setup);
  for (std::size_t i = 0; i < neurons; ++i)
    check.require(i);
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
  Communicator* const ranks = currentRanks();
  if (ranks && !areTooFewToShare(setup.population->size(), setup.parameters.backend))
    return makeRankModel(*ranks, std::move(setup), start);
  setup.tree = makeOctree(setup.population->position, setup.parameters.threads);
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

std::unique_ptr<PlasticityModel> detail::makeCudaModel(ModelSetup, const PlasticityProgress&, Communicator*)
{
  throw Error(ErrorCode::NoDevice, "This program was built without CUDA; choose the CPU backend.");
}

#endif

} // namespace hinesight::synapse
