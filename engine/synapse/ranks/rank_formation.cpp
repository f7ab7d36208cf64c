#include "synapse/ranks/rank_formation.hpp"

#include "core/device.hpp"
#include "synapse/formation/formation_on_device.hpp"
#include "synapse/ranks/rank_search.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace hinesight::synapse {

namespace {

constexpr const char* kTask = "form";

/// One update on one of the ranks.
class RankUpdate
{
public:
  RankUpdate(Communicator& communicator, Formation& result, const RunControl& runControl)
      : ranks(communicator), formation(result), parameters(result.parameters), positions(result.population->position),
        ranges(positions.size(), ranks.size()), control(runControl), threads(threadsOfRank(ranks, parameters.threads))
  {}

  void run()
  {
    Stopwatch stopwatch;
    together(ranks, [&] {
      formation.tree = makeOctree(positions, threads, control);
      formation.timings.add("tree", stopwatch.lap());
      control.report("vacant", 0);
      vacant = vacantByNeuron(*formation.population, parameters);
      for (int channel = 0; channel < kChannels; ++channel) {
        for (const std::uint32_t axons : vacant.axons[channel])
          formation.vacantAxons += axons;
        formation.sought[channel] =
            sumVacant(*formation.tree, positions, vacant.offered(channel, parameters.search.kind), threads);
        control.checkpoint();
      }
      formation.timings.add("vacant", stopwatch.lap());
    });
    std::vector<Synapse> fresh;
    for (const Channel channel : {kExcitatory, kInhibitory})
      connect(channel, fresh);
    formation.requests = ranks.allReduce(formation.requests, Reduction::Sum);
    stopwatch.lap();
    together(ranks, [&] {
      control.report("edges", 0);
      formation.network.neurons = positions.size();
      addSynapses(formation.network, std::move(fresh));
    });
    gatherNetwork();
    formation.timings.add("edges", stopwatch.lap());
  }

private:
  void connect(Channel channel, std::vector<Synapse>& fresh)
  {
    const SearchKind kind = parameters.search.kind;
    const GrantedRequests granted =
        searchOnRanks(ranks, ranges,
                      {*formation.tree, positions, vacant.seeking(channel, kind), vacant.offered(channel, kind),
                       channel, parameters.step, parameters.search, threads},
                      formation.sought[channel], formation.timings, control);
    formation.requests += granted.requests;
    const std::int32_t weight = channel == kExcitatory ? 1 : -1;
    together(ranks, [&] {
      if (kind == SearchKind::Inverse)
        for (const Request& r : granted.ofFound)
          fresh.push_back({r.found, r.seeker, weight});
      else
        for (const Request& r : granted.ofSeekers)
          fresh.push_back({r.seeker, r.found, weight});
    });
  }

  /// Lower ranks have lower sources: one behind the other their synapses are in order.
  void gatherNetwork()
  {
    std::vector<Synapse>& mine = formation.network.synapses;
    RankLists<Synapse> all = ranks.gatherTo(0, std::span<const Synapse>(mine));
    if (ranks.isRoot())
      mine = std::move(all.items);
  }

  Communicator& ranks;
  Formation& formation;
  const FormationParameters& parameters;
  const std::vector<Position>& positions;
  NeuronRanges ranges;
  const RunControl& control;
  int threads;
  VacantByNeuron vacant;
};

} // namespace

bool areTooFewToShare(std::size_t neurons, Backend backend)
{
  constexpr std::size_t kLeastOnGpus = 500'000;
  return backend == Backend::Cuda && neurons < kLeastOnGpus;
}

std::shared_ptr<Formation> formOnRanks(Communicator& ranks, std::shared_ptr<const NeuronPopulation> population,
                                       const FormationParameters& parameters, const RunControl& control)
{
  if (parameters.backend == Backend::Cuda)
    return detail::formSynapsesOnDevice(std::move(population), parameters, control, &ranks);
  auto formation = std::make_shared<Formation>();
  formation->parameters = parameters;
  formation->population = std::move(population);
  formation->timings.device = processorName() + ", " + ranksInWords(ranks);
  RankUpdate(ranks, *formation, control).run();
  return formation;
}

std::shared_ptr<const NeuronPopulation> broadcastPopulation(Communicator& ranks,
                                                            std::shared_ptr<const NeuronPopulation> population)
{
  static const NeuronPopulation none;
  const NeuronPopulation& from = population ? *population : none;
  auto received = std::make_shared<NeuronPopulation>();
  received->position = ranks.broadcastFrom(0, std::span(from.position));
  received->isInhibitory = ranks.broadcastFrom(0, std::span(from.isInhibitory));
  received->area = ranks.broadcastFrom(0, std::span(from.area));
  std::uint64_t areas = from.areaNames.size();
  ranks.broadcast(areas, 0);
  received->areaNames.resize(areas);
  for (std::size_t i = 0; i < areas; ++i) {
    std::string name = population ? from.areaNames[i] : std::string();
    ranks.broadcast(name, 0);
    received->areaNames[i] = std::move(name);
  }
  return population ? population : received;
}

std::shared_ptr<Formation> leadFormation(Communicator& ranks, std::shared_ptr<const NeuronPopulation> population,
                                         const FormationParameters& parameters, const RunControl& control)
{
  static_assert(std::is_trivially_copyable_v<FormationParameters>);
  requireDevice(parameters.backend);
  const TaskScope task(ranks, kTask);
  FormationParameters told = parameters;
  ranks.broadcast(told, 0);
  return formOnRanks(ranks, broadcastPopulation(ranks, std::move(population)), parameters, control);
}

RankTask formationTask(const RunControl& control)
{
  return {kTask, [control](Communicator& ranks) {
            FormationParameters parameters;
            ranks.broadcast(parameters, 0);
            formOnRanks(ranks, broadcastPopulation(ranks, nullptr), parameters, control.silenced());
          }};
}

} // namespace hinesight::synapse
