#include "synapse/ranks/rank_formation.hpp"

#include "core/device.hpp"
#include "synapse/formation/formation_on_device.hpp"
#include "synapse/ranks/essential_search.hpp"
#include "synapse/ranks/rank_search.hpp"
#include "synapse/ranks/tree_on_ranks.hpp"

#include <optional>
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
  RankUpdate(Communicator& communicator, Formation& result, TreeOnRanks treeOnRanks, const RunControl& runControl)
      : ranks(communicator), formation(result), tree(treeOnRanks), parameters(result.parameters),
        positions(result.population->position), ranges(positions.size(), ranks.size()),
        known(tree == TreeOnRanks::Essential ? ranges.of(ranks.rank())
                                             : NeuronRange{0, static_cast<std::uint32_t>(positions.size())}),
        control(runControl), threads(threadsOfRank(ranks, parameters.threads))
  {}

  void run()
  {
    Stopwatch stopwatch;
    if (tree == TreeOnRanks::Essential)
      essential.emplace(ranks, ranges, std::span(positions).subspan(known.begin, known.size()), parameters.search.theta,
                        parameters.backend, threads, control);
    else
      together(ranks, [&] { formation.tree = makeOctree(positions, threads, control); });
    formation.timings.device = (essential ? essential->device() : processorName()) + ", " + ranksInWords(ranks, tree);
    formation.timings.add("tree", stopwatch.lap());
    together(ranks, [&] {
      control.report("vacant", 0);
      vacant = vacantByNeuron(*formation.population, parameters, known);
    });
    for (int channel = 0; channel < kChannels; ++channel)
      sumVacantOf(channel);
    formation.timings.add("vacant", stopwatch.lap());
    std::vector<Synapse> fresh;
    for (const Channel channel : {kExcitatory, kInhibitory})
      connect(channel, fresh);
    formation.requests = ranks.allReduce(formation.requests, Reduction::Sum);
    if (essential) {
      formation.vacantAxons = ranks.allReduce(formation.vacantAxons, Reduction::Sum);
      formation.sought = {}; // of no tree that the formation has
    }
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
  void sumVacantOf(int channel)
  {
    const std::vector<std::uint32_t>& offered = vacant.offered(channel, parameters.search.kind);
    VacantElements& sought = formation.sought[static_cast<std::size_t>(channel)];
    if (essential)
      sought = essential->sumVacant(offered);
    together(ranks, [&] {
      for (const std::uint32_t axons : vacant.axons[channel])
        formation.vacantAxons += axons;
      if (!essential)
        sought = sumVacant(*formation.tree, positions, offered, threads);
      control.checkpoint();
    });
  }

  GrantedRequests search(Channel channel)
  {
    const std::span<const std::uint32_t> seeking = vacant.seeking(channel, parameters.search.kind);
    const std::span<const std::uint32_t> offered = vacant.offered(channel, parameters.search.kind);
    if (essential)
      return essential->search({seeking, offered, channel, parameters.step, parameters.search},
                               formation.sought[channel], formation.timings, control);
    return searchOnRanks(
        ranks, ranges,
        {*formation.tree, positions, seeking, offered, channel, parameters.step, parameters.search, threads},
        formation.sought[channel], formation.timings, control);
  }

  void connect(Channel channel, std::vector<Synapse>& fresh)
  {
    const SearchKind kind = parameters.search.kind;
    const GrantedRequests granted = search(channel);
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
  TreeOnRanks tree;
  const FormationParameters& parameters;
  const std::vector<Position>& positions;
  NeuronRanges ranges;
  NeuronRange known; ///< whose vacant elements this rank has
  const RunControl& control;
  int threads;
  VacantByNeuron vacant;
  std::optional<EssentialSearch> essential;
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
  // Who asks for the tree gets it whole.
  const TreeOnRanks chosen = parameters.keepsTree ? TreeOnRanks::Whole : chosenTree(ranks);
  const TreeOnRanks tree = treeFor(chosen, parameters.search.kind, parameters.backend);
  if (parameters.backend == Backend::Cuda && tree == TreeOnRanks::Whole) {
    auto formation = detail::formSynapsesOnDevice(std::move(population), parameters, control, &ranks);
    formation->timings.device += treesOfGpusInWords(chosen, parameters.search.kind);
    return formation;
  }
  auto formation = std::make_shared<Formation>();
  formation->timings.backend = parameters.backend;
  formation->parameters = parameters;
  formation->population = std::move(population);
  RankUpdate(ranks, *formation, tree, control).run();
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
