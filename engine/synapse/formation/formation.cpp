#include "synapse/formation/formation.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "synapse/formation/formation_on_device.hpp"
#include "synapse/ranks/rank_formation.hpp"
#include "synapse/search/random_keys.hpp"

#include <algorithm>
#include <cmath>

namespace hinesight::synapse {

namespace {

[[noreturn]] void refuse(const std::string& sentence)
{
  throw Error(ErrorCode::BadParameter, sentence);
}

void requirePartners(const NeuronPopulation& population)
{
  if (population.isInhibitory.size() != population.size())
    refuse("The population has " + std::to_string(population.size()) + " positions, but the types of " +
           std::to_string(population.isInhibitory.size()) + " neurons; give a type to each.");
  if (population.size() < 2)
    refuse("The population has " + std::to_string(population.size()) +
           (population.size() == 1 ? " neuron" : " neurons") + "; synapses need at least two.");
  const bool coincident = std::ranges::all_of(
      population.position, [&](const Position& position) { return position == population.position.front(); });
  if (coincident)
    refuse("All neurons are at one place, and neurons at one place do not connect; give them positions of their own.");
}

std::uint64_t sumOf(const std::vector<std::uint32_t>& counts)
{
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts)
    sum += count;
  return sum;
}

double meanDistanceOf(const NeuronPopulation& population, const Network& network)
{
  double sum = 0;
  double synapses = 0;
  for (const Synapse& synapse : network.synapses) {
    const Position& a = population.position[synapse.source];
    const Position& b = population.position[synapse.target];
    const double weight = std::abs(static_cast<double>(synapse.weight));
    sum += weight * std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    synapses += weight;
  }
  return synapses > 0 ? sum / synapses : 0;
}

/// One update on the CPU, stage by stage.
class Update
{
public:
  Update(Formation& result, const RunControl& runControl)
      : formation(result), parameters(result.parameters), positions(result.population->position), control(runControl),
        vacant(vacantByNeuron(*result.population, result.parameters,
                              {0, static_cast<std::uint32_t>(result.population->size())})),
        isInverse(parameters.search.kind == SearchKind::Inverse)
  {}

  void run()
  {
    Stopwatch stopwatch;
    formation.tree = makeOctree(positions, parameters.threads, control);
    formation.timings.add("tree", stopwatch.lap());
    control.report("vacant", 0);
    for (int channel = 0; channel < kChannels; ++channel) {
      formation.vacantAxons += sumOf(vacant.axons[channel]);
      formation.sought[channel] = sumVacant(*formation.tree, positions, soughtBy(channel), parameters.threads);
      control.checkpoint();
    }
    formation.timings.add("vacant", stopwatch.lap());
    std::vector<Synapse> fresh;
    for (const Channel channel : {kExcitatory, kInhibitory})
      connect(channel, fresh);
    stopwatch.lap();
    control.report("edges", 0);
    control.checkpoint();
    formation.network.neurons = positions.size();
    addSynapses(formation.network, std::move(fresh));
    formation.timings.add("edges", stopwatch.lap());
  }

private:
  const std::vector<std::uint32_t>& seeking(int channel) const
  {
    return vacant.seeking(channel, parameters.search.kind);
  }

  const std::vector<std::uint32_t>& soughtBy(int channel) const
  {
    return vacant.offered(channel, parameters.search.kind);
  }

  void connect(Channel channel, std::vector<Synapse>& fresh)
  {
    Stopwatch stopwatch;
    const std::vector<Request> requests =
        searchTargets(*formation.tree, positions, seeking(channel), formation.sought[channel], channel, parameters.step,
                      parameters.search, parameters.threads, control);
    formation.requests += requests.size();
    formation.timings.add("search", stopwatch.lap());
    control.report("resolve", 0);
    control.checkpoint();
    const std::vector<std::uint8_t> granted = resolveConflicts(requests, soughtBy(channel), channel, parameters.step,
                                                               parameters.search.seed, parameters.threads);
    const std::int32_t weight = channel == kExcitatory ? 1 : -1;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto [seeker, element, found] = requests[i];
      if (granted[i] != 0)
        fresh.push_back(isInverse ? Synapse{found, seeker, weight} : Synapse{seeker, found, weight});
    }
    formation.timings.add("resolve", stopwatch.lap());
    control.checkpoint();
  }

  Formation& formation;
  const FormationParameters& parameters;
  const std::vector<Position>& positions;
  const RunControl& control;
  VacantByNeuron vacant;
  bool isInverse;
};

std::shared_ptr<Formation> formOnCpu(std::shared_ptr<const NeuronPopulation> population,
                                     const FormationParameters& parameters, const RunControl& control)
{
  auto formation = std::make_shared<Formation>();
  formation->parameters = parameters;
  formation->population = std::move(population);
  const int threads = parameters.threads > 0 ? parameters.threads : hardwareThreads();
  formation->timings.device =
      processorName() + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  Update(*formation, control).run();
  return formation;
}

} // namespace

VacantByNeuron vacantByNeuron(const NeuronPopulation& population, const FormationParameters& parameters,
                              const NeuronRange& range)
{
  VacantByNeuron vacant;
  for (int channel = 0; channel < kChannels; ++channel) {
    std::vector<std::uint32_t>& axons = vacant.axons[channel];
    axons.resize(range.size());
    for (std::size_t i = 0; i < axons.size(); ++i)
      axons[i] = (population.isInhibitory[range.begin + i] != 0) == (channel == kInhibitory) ? parameters.axons : 0;
    vacant.dendrites[channel].assign(range.size(), parameters.dendrites);
  }
  return vacant;
}

void validate(const FormationParameters& parameters)
{
  validateFields(fieldsOf(parameters));
}

std::shared_ptr<const Formation> formSynapses(std::shared_ptr<const NeuronPopulation> population,
                                              const FormationParameters& parameters, const RunControl& control)
{
  validate(parameters);
  requirePartners(*population);
  std::shared_ptr<Formation> formation;
  Communicator* const ranks = currentRanks();
  if (ranks && !areTooFewToShare(population->size(), parameters.backend)) {
    formation = leadFormation(*ranks, std::move(population), parameters, control);
  } else {
    formation = parameters.backend == Backend::Cuda
                    ? detail::formSynapsesOnDevice(std::move(population), parameters, control)
                    : formOnCpu(std::move(population), parameters, control);
  }
  formation->meanDistance = meanDistanceOf(*formation->population, formation->network);
  if (!parameters.keepsTree) {
    formation->tree.reset();
    formation->sought = {};
  }
  return formation;
}

} // namespace hinesight::synapse
