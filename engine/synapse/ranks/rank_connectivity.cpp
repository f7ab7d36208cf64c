#include "synapse/ranks/rank_connectivity.hpp"

#include "synapse/ranks/rank_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace hinesight::synapse {

namespace {

/// Synapses of a pair that one of its owners has deleted; both neurons by number.
struct DeletedUnits
{
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  std::uint32_t units = 0;
};

/// Where the pair of a list and a target is; there is one.
std::uint64_t placeOf(const PlasticGraph& graph, std::size_t list, std::uint32_t target)
{
  const auto begin = graph.target.begin() + static_cast<std::ptrdiff_t>(graph.offset[list]);
  const auto end = graph.target.begin() + static_cast<std::ptrdiff_t>(graph.offset[list + 1]);
  return static_cast<std::uint64_t>(std::lower_bound(begin, end, target) - graph.target.begin());
}

/// One update on one of the ranks.
class RankUpdate
{
public:
  RankUpdate(Communicator& communicator, const RankUpdateSetup& updateSetup, RankConnectivity& changed,
             std::uint32_t atStep, StageTimings& stages, const RunControl& runControl)
      : ranks(communicator), setup(updateSetup), connectivity(changed), own(setup.ranges.of(ranks.rank())),
        isInhibitory(setup.population.isInhibitory), step(atStep), timings(stages), control(runControl)
  {}

  ConnectivityChange run()
  {
    ConnectivityChange change;
    Stopwatch stopwatch;
    for (int pool = 0; pool < kPools; ++pool)
      change.deleted += deleteOf(pool);
    timings.add("delete", stopwatch.elapsed());
    for (const Channel channel : {kExcitatory, kInhibitory})
      form(channel);
    stopwatch.lap();
    change.created = ranks.allReduce(std::uint64_t{sentNew.size()}, Reduction::Sum);
    if (change.created + change.deleted > 0)
      together(ranks, [&] {
        control.checkpoint();
        merge(connectivity.sent, sentNew);
        merge(connectivity.received, receivedNew);
      });
    timings.add("edges", stopwatch.elapsed());
    return change;
  }

private:
  /// Returns how many synapses neurons of all ranks lose for want of elements of a pool.
  std::uint64_t deleteOf(int pool)
  {
    std::uint64_t lostHere = 0;
    together(ranks, [&] {
      control.checkpoint();
      lostHere = commit(pool);
    });
    const std::uint64_t deleted = ranks.allReduce(lostHere, Reduction::Sum);
    if (deleted == 0)
      return 0;
    std::vector<DeletedUnits> gone;
    together(ranks, [&] { gone = pool == kAxons ? deleteOutgoing() : deleteIncoming(pool - kDendrites); });
    const auto partner = [&](const DeletedUnits& d) {
      return setup.ranges.owner(pool == kAxons ? d.target : d.source);
    };
    for (const DeletedUnits& d : sendToOwners(ranks, gone, partner))
      pool == kAxons ? loseIncoming(d) : loseOutgoing(d);
    return deleted;
  }

  std::uint64_t commit(int pool)
  {
    std::vector<double>& grown = connectivity.grown[pool];
    std::vector<double>& delta = connectivity.delta[pool];
    const double retract = growthOf(setup.parameters, pool).retractRatio;
    lost.assign(grown.size(), 0);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < grown.size(); ++i) {
      const std::uint32_t connected = connectivity.connected[pool][i];
      const ElementUpdate update = commitElements(grown[i], connected, delta[i], retract);
      lost[i] = connected - update.connected;
      sum += lost[i];
      grown[i] = update.grown;
      delta[i] = 0;
    }
    return sum;
  }

  /// Of an own neuron, which loses the synapses that are drawn.
  DeletionDraw drawOf(int pool, std::size_t i)
  {
    std::uint32_t& connected = connectivity.connected[pool][i];
    const DeletionDraw draw(setup.parameters.search.seed, own.begin + static_cast<std::uint32_t>(i),
                            static_cast<std::uint32_t>(pool), step, connected, lost[i]);
    connected -= lost[i];
    return draw;
  }

  std::vector<DeletedUnits> deleteOutgoing()
  {
    std::vector<DeletedUnits> gone;
    PlasticGraph& graph = connectivity.sent;
    for (std::size_t i = 0; i < lost.size(); ++i) {
      if (lost[i] == 0)
        continue;
      DeletionDraw draw = drawOf(kAxons, i);
      for (std::uint64_t pair = graph.offset[i]; pair < graph.offset[i + 1] && draw.left() > 0; ++pair)
        if (const std::uint32_t taken = draw.take(graph.units[pair]); taken > 0) {
          graph.units[pair] -= taken;
          gone.push_back({own.begin + static_cast<std::uint32_t>(i), graph.target[pair], taken});
        }
    }
    return gone;
  }

  std::vector<DeletedUnits> deleteIncoming(int channel)
  {
    if (incoming.offset.empty())
      incoming = incomingPairs(connectivity.received, own.size());
    std::vector<DeletedUnits> gone;
    PlasticGraph& graph = connectivity.received;
    for (std::size_t i = 0; i < lost.size(); ++i) {
      if (lost[i] == 0)
        continue;
      DeletionDraw draw = drawOf(kDendrites + channel, i);
      for (std::uint64_t at = incoming.offset[i]; at < incoming.offset[i + 1] && draw.left() > 0; ++at) {
        const std::uint32_t source = incoming.source[at];
        if (isInhibitory[source] != channel)
          continue;
        std::uint32_t& units = graph.units[incoming.pair[at]];
        if (const std::uint32_t taken = draw.take(units); taken > 0) {
          units -= taken;
          gone.push_back({source, own.begin + static_cast<std::uint32_t>(i), taken});
        }
      }
    }
    return gone;
  }

  /// The owner of the axon has deleted them.
  void loseIncoming(const DeletedUnits& d)
  {
    const std::uint32_t target = d.target - own.begin;
    connectivity.received.units[placeOf(connectivity.received, d.source, target)] -= d.units;
    connectivity.connected[kDendrites + isInhibitory[d.source]][target] -= d.units;
  }

  /// The owner of the dendrite has deleted them.
  void loseOutgoing(const DeletedUnits& d)
  {
    const std::uint32_t source = d.source - own.begin;
    connectivity.sent.units[placeOf(connectivity.sent, source, d.target)] -= d.units;
    connectivity.connected[kAxons][source] -= d.units;
  }

  /// Of this rank's neurons.
  std::vector<std::uint32_t> vacantOf(int pool) const
  {
    std::vector<std::uint32_t> vacant(own.size());
    for (std::size_t i = 0; i < vacant.size(); ++i)
      vacant[i] = vacantElements(connectivity.grown[pool][i], connectivity.connected[pool][i]);
    return vacant;
  }
  std::vector<std::uint32_t> vacantAxons(Channel channel) const
  {
    std::vector<std::uint32_t> vacant = vacantOf(kAxons);
    for (std::size_t i = 0; i < vacant.size(); ++i)
      if (isInhibitory[own.begin + i] != channel)
        vacant[i] = 0;
    return vacant;
  }

  bool haveAny(const std::vector<std::uint32_t>& vacant)
  {
    const bool mine = std::ranges::any_of(vacant, [](std::uint32_t count) { return count > 0; });
    return ranks.allReduce(std::uint64_t{mine}, Reduction::Most) != 0;
  }

  std::vector<std::uint32_t> ofAllNeurons(const std::vector<std::uint32_t>& mine)
  {
    std::vector<std::uint32_t> all;
    together(ranks, [&] { all.resize(setup.ranges.neurons()); });
    ranks.allGather(std::span(mine), std::span(all), setup.ranges.begins());
    return all;
  }

  GrantedRequests searchWhole(const EssentialQuery& query, const std::vector<std::uint32_t>& seeking,
                              const std::vector<std::uint32_t>& offered)
  {
    Stopwatch stopwatch;
    const std::vector<std::uint32_t> allSeeking = ofAllNeurons(seeking), allOffered = ofAllNeurons(offered);
    const std::vector<Position>& positions = setup.population.position;
    VacantElements sought;
    together(ranks, [&] { sought = sumVacant(*setup.tree, positions, allOffered, setup.threads); });
    timings.add("tree", stopwatch.lap());
    return searchOnRanks(
        ranks, setup.ranges,
        {*setup.tree, positions, allSeeking, allOffered, query.channel, query.step, query.parameters, setup.threads},
        sought, timings, control.silenced());
  }

  GrantedRequests searchEssential(const EssentialQuery& query)
  {
    Stopwatch stopwatch;
    const VacantElements sought = setup.essential->sumVacant(query.offered);
    timings.add("tree", stopwatch.lap());
    return setup.essential->search(query, sought, timings, control.silenced());
  }

  /// Forms the synapses of one channel.
  void form(Channel channel)
  {
    std::vector<std::uint32_t> axons, dendrites;
    together(ranks, [&] {
      axons = vacantAxons(channel);
      dendrites = vacantOf(kDendrites + channel);
    });
    if (!haveAny(axons) || !haveAny(dendrites))
      return;
    const bool inverse = setup.parameters.search.kind == SearchKind::Inverse;
    const std::vector<std::uint32_t>& seeking = inverse ? dendrites : axons;
    const std::vector<std::uint32_t>& offered = inverse ? axons : dendrites;
    const EssentialQuery query = {seeking, offered, channel, step, setup.parameters.search};
    const GrantedRequests granted =
        setup.essential != nullptr ? searchEssential(query) : searchWhole(query, seeking, offered);
    Stopwatch stopwatch;
    together(ranks, [&] {
      for (const Request& r : inverse ? granted.ofFound : granted.ofSeekers) {
        const NewSynapse added = inverse ? NewSynapse{r.found, r.seeker} : NewSynapse{r.seeker, r.found};
        ++connectivity.connected[kAxons][added.source - own.begin];
        sentNew.push_back({added.source - own.begin, added.target});
      }
      for (const Request& r : inverse ? granted.ofSeekers : granted.ofFound) {
        const NewSynapse added = inverse ? NewSynapse{r.found, r.seeker} : NewSynapse{r.seeker, r.found};
        ++connectivity.connected[kDendrites + channel][added.target - own.begin];
        receivedNew.push_back({added.source, added.target - own.begin});
      }
    });
    timings.add("edges", stopwatch.lap());
  }

  static void merge(PlasticGraph& graph, std::vector<NewSynapse>& added)
  {
    std::ranges::sort(added);
    graph = mergeSynapses(std::move(graph), added);
  }

  Communicator& ranks;
  const RankUpdateSetup& setup;
  RankConnectivity& connectivity;
  NeuronRange own;
  const std::vector<std::uint8_t>& isInhibitory;
  std::uint32_t step;
  StageTimings& timings;
  const RunControl& control;
  std::vector<std::uint32_t> lost; ///< synapses that each own neuron loses
  IncomingPairs incoming;          ///< of `received`; empty until it is needed
  std::vector<NewSynapse> sentNew, receivedNew;
};

} // namespace

ConnectivityChange updateOnRanks(Communicator& ranks, const RankUpdateSetup& setup, RankConnectivity& connectivity,
                                 std::uint32_t step, StageTimings& timings, const RunControl& control)
{
  RankConnectivity changed;
  together(ranks, [&] { changed = connectivity; });
  const ConnectivityChange change = RankUpdate(ranks, setup, changed, step, timings, control).run();
  connectivity = std::move(changed);
  return change;
}

std::uint64_t disableOnRanks(Communicator& ranks, const NeuronRanges& ranges, RankConnectivity& connectivity,
                             const std::vector<std::uint8_t>& isInhibitory, const std::vector<std::uint8_t>& enabled)
{
  const NeuronRange own = ranges.of(ranks.rank());
  PlasticGraph& sent = connectivity.sent;
  PlasticGraph& received = connectivity.received;
  std::uint64_t deleted = 0;
  for (std::size_t i = 0; i < own.size(); ++i)
    for (std::uint64_t pair = sent.offset[i]; pair < sent.offset[i + 1]; ++pair) {
      if (enabled[own.begin + i] != 0 && enabled[sent.target[pair]] != 0)
        continue;
      const std::uint32_t units = std::exchange(sent.units[pair], 0);
      connectivity.connected[kAxons][i] -= units;
      deleted += units;
    }
  for (std::size_t source = 0; source < received.neurons(); ++source)
    for (std::uint64_t pair = received.offset[source]; pair < received.offset[source + 1]; ++pair) {
      const std::uint32_t target = received.target[pair];
      if (enabled[source] == 0 || enabled[own.begin + target] == 0)
        connectivity.connected[kDendrites + isInhibitory[source]][target] -= std::exchange(received.units[pair], 0);
    }
  deleted = ranks.allReduce(deleted, Reduction::Sum);
  together(ranks, [&] {
    if (deleted > 0) {
      sent = mergeSynapses(std::move(sent), {});
      received = mergeSynapses(std::move(received), {});
    }
  });
  for (int pool = 0; pool < kPools; ++pool)
    for (std::size_t i = 0; i < own.size(); ++i)
      if (enabled[own.begin + i] == 0)
        connectivity.grown[pool][i] = connectivity.delta[pool][i] = 0;
  return deleted;
}

namespace {

/// Lists of pairs, in order, from `firstSource` on and with targets from `firstTarget` on.
PlasticGraph graphOfPairs(std::span<const Synapse> synapses, std::size_t sources, std::uint32_t firstSource,
                          std::uint32_t firstTarget)
{
  PlasticGraph graph;
  graph.offset.assign(sources + 1, 0);
  graph.target.reserve(synapses.size());
  graph.units.reserve(synapses.size());
  for (const Synapse& synapse : synapses) {
    ++graph.offset[synapse.source - firstSource + 1];
    graph.target.push_back(synapse.target - firstTarget);
    graph.units.push_back(static_cast<std::uint32_t>(std::abs(synapse.weight)));
  }
  std::partial_sum(graph.offset.begin(), graph.offset.end(), graph.offset.begin());
  return graph;
}

} // namespace

void takeSynapses(Communicator& ranks, const NeuronRanges& ranges, RankConnectivity& connectivity,
                  const std::vector<Synapse>& synapses)
{
  const NeuronRange own = ranges.of(ranks.rank());
  // Lower ranks have lower sources: what comes is in order.
  const std::vector<Synapse> incoming =
      sendToOwners(ranks, synapses, [&](const Synapse& s) { return ranges.owner(s.target); });
  together(ranks, [&] {
    connectivity.sent = graphOfPairs(synapses, own.size(), own.begin, 0);
    connectivity.received = graphOfPairs(incoming, ranges.neurons(), 0, own.begin);
  });
}

} // namespace hinesight::synapse
