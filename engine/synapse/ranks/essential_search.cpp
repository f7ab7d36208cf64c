#include "synapse/ranks/essential_search.hpp"

#include "core/parallel.hpp"
#include "synapse/octree/octree_parts.hpp"
#include "synapse/ranks/essential_exact.hpp"
#include "synapse/search/search_parts.hpp"
#include "synapse/search/search_step.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hinesight::synapse {

namespace {

/// A descent that goes on at another rank.
struct Descent
{
  std::uint32_t seeker = 0;
  std::uint32_t element = 0;
  std::array<float, 3> position = {}; ///< of the seeker
  std::uint32_t node = 0;             ///< that was picked last, as its owner counts
  std::uint32_t picks = 0;            ///< how many there were
  std::int32_t owner = 0;             ///< of the node
};

/// What the elements of this rank's places found, before any descent goes on elsewhere.
struct FirstFinds
{
  std::vector<Request> requests;
  std::vector<Descent> descents;
};

/// One search on one rank.
class Search
{
public:
  Search(const PlacedNeurons& placedNeurons, const EssentialTree& essentialTree, const EssentialQuery& searchQuery,
         std::vector<std::uint32_t> seekingByPlace, const VacantElements& soughtElements, int searchThreads,
         const RunControl& runControl)
      : placed(placedNeurons), essential(essentialTree), tree(essential.tree()), query(searchQuery),
        vacant(std::move(seekingByPlace)), sought(soughtElements), threads(searchThreads), control(runControl)
  {}

  FirstFinds begin()
  {
    const std::vector<std::uint64_t> first = detail::firstRequests(vacant, placed.neuron);
    detail::requireSearchMemory(first.back(), tree.nodes());
    control.report("search", 0);
    arrays = detail::makeSearchArrays(tree, sought, query.parameters, threads);
    std::vector<std::uint32_t> seekers;
    for (std::uint32_t place = 0; place < vacant.size(); ++place)
      if (vacant[place] > 0)
        seekers.push_back(place);
    std::vector<std::uint32_t> foundNode(first.back());
    std::vector<std::uint8_t> picks(first.back());
    detail::SearchJob job = detail::jobOf(arrays, sought, query.channel, query.step, query.parameters);
    job.seekers = seekers.data();
    job.neurons = placed.neuron.data();
    job.positions = placed.position.data();
    job.vacant = vacant.data();
    job.firstRequest = first.data();
    job.foundNode = foundNode.data();
    job.picks = picks.data();
    detail::searchInParallel(job, seekers.size(), threads, control);
    FirstFinds finds;
    for (const std::uint32_t place : seekers)
      for (std::uint64_t at = first[place]; at < first[place + 1]; ++at)
        if (foundNode[at] != kNoTarget)
          add(finds, place, static_cast<std::uint32_t>(at - first[place]), foundNode[at], picks[at]);
    return finds;
  }

  /// Goes on with descents that have come to a subtree of this rank.
  void finish(std::span<const Descent> descents, std::vector<Request>& requests) const
  {
    constexpr std::size_t kGrain = 256;
    const std::size_t before = requests.size();
    requests.resize(before + descents.size());
    const detail::SearchJob job = detail::jobOf(arrays, sought, query.channel, query.step, query.parameters);
    withFalloff(job.form.falloff, [&]<Falloff kFalloff>() {
      parallelFor(
          descents.size(), kGrain,
          [&](std::size_t begin, std::size_t end) {
            control.checkpoint();
            for (std::size_t i = begin; i < end; ++i)
              requests[before + i] = finished<kFalloff>(job, descents[i]);
          },
          threads);
    });
  }

private:
  void add(FirstFinds& finds, std::uint32_t place, std::uint32_t element, std::uint32_t leaf, std::uint8_t picks) const
  {
    const std::uint32_t seeker = placed.neuron[place];
    if (tree.isNeuron(leaf)) {
      finds.requests.push_back({seeker, element, tree.order[tree.leafBegin[leaf]]});
    } else {
      finds.descents.push_back({seeker, element, detail::inSinglePrecision(placed.position[place]),
                                essential.nodeAtOwner(leaf), picks, essential.owner(leaf)});
    }
  }

  template <Falloff kFalloff>
  Request finished(const detail::SearchJob& job, const Descent& descent) const
  {
    const Seeker<float> seeker{descent.position[0], descent.position[1], descent.position[2]};
    const SearchKey key{job.seed, job.step, job.channel, descent.seeker};
    const std::uint32_t leaf = descend<kFalloff>(
        job.view, job.form, seeker, key, descent.element, descent.node, [](std::uint32_t) {}, descent.picks);
    return {descent.seeker, descent.element, tree.order[tree.leafBegin[leaf]]};
  }

  const PlacedNeurons& placed;
  const EssentialTree& essential;
  const Octree& tree;
  const EssentialQuery& query;
  std::vector<std::uint32_t> vacant;
  const VacantElements& sought;
  int threads;
  const RunControl& control;
  detail::SearchArrays arrays;
};

} // namespace

bool EssentialSearch::canDo(SearchKind kind)
{
  return kind != SearchKind::Naive;
}

EssentialSearch::EssentialSearch(Communicator& communicator, const NeuronRanges& neuronRanges,
                                 std::span<const Position> own, double theta, int searchThreads,
                                 const RunControl& control)
    : ranks(communicator), ranges(neuronRanges), threads(searchThreads), placed(ranks, ranges, own, threads, control),
      tree(ranks, placed, theta, threads, control)
{}

VacantElements EssentialSearch::sumVacant(std::span<const std::uint32_t> offered) const
{
  return tree.sumVacant(ranks, placed, placed.byPlace(ranks, offered), threads);
}

std::vector<Request> EssentialSearch::found(const EssentialQuery& query, const VacantElements& sought,
                                            const RunControl& control) const
{
  std::vector<std::uint32_t> seeking = placed.byPlace(ranks, query.seeking);
  if (query.parameters.kind == SearchKind::Exact)
    return findExactlyOnRanks(ranks, placed, tree, query, seeking, sought, threads, control);
  Search search(placed, tree, query, std::move(seeking), sought, threads, control);
  FirstFinds finds;
  together(ranks, [&] { finds = search.begin(); });
  const std::vector<Descent> descents = sendToOwners(ranks, finds.descents, [](const Descent& d) { return d.owner; });
  together(ranks, [&] { search.finish(descents, finds.requests); });
  return std::move(finds.requests);
}

GrantedRequests EssentialSearch::search(const EssentialQuery& query, const VacantElements& sought,
                                        StageTimings& timings, const RunControl& control) const
{
  Stopwatch stopwatch;
  const std::vector<Request> requests = found(query, sought, control);
  timings.add("search", stopwatch.elapsed());
  return grantOnRanks(ranks, ranges, requests, query.offered, {query.channel, query.step, query.parameters.seed},
                      threads, timings, control);
}

} // namespace hinesight::synapse
