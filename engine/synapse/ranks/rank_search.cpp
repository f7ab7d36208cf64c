#include "synapse/ranks/rank_search.hpp"

#include "synapse/ranks/seeker_share.hpp"

#include <algorithm>

namespace hinesight::synapse {

std::vector<std::uint32_t> shareOfSeekers(const Octree& tree, std::span<const std::uint32_t> vacant, int rank,
                                          int ranks)
{
  const auto seekers =
      static_cast<std::size_t>(std::ranges::count_if(vacant, [](std::uint32_t count) { return count > 0; }));
  const SeekerShare ofRank(seekers, rank, ranks);
  std::vector<std::uint32_t> share(vacant.size(), 0);
  std::size_t place = 0; // among the seekers in Morton order
  for (const std::uint32_t neuron : tree.order) {
    if (vacant[neuron] == 0)
      continue;
    if (ofRank.holds(place++))
      share[neuron] = vacant[neuron];
  }
  return share;
}

GrantedRequests searchOnRanks(Communicator& ranks, const NeuronRanges& ranges, const RankSearch& search,
                              const VacantElements& sought, StageTimings& timings, const RunControl& control)
{
  Stopwatch stopwatch;
  std::vector<Request> found;
  together(ranks, [&] {
    const std::vector<std::uint32_t> share = shareOfSeekers(search.tree, search.seeking, ranks.rank(), ranks.size());
    found = searchTargets(search.tree, search.positions, share, sought, search.channel, search.step, search.parameters,
                          search.threads, control);
  });
  timings.add("search", stopwatch.lap());
  const NeuronRange own = ranges.of(ranks.rank());
  return grantOnRanks(ranks, ranges, found, search.offered.subspan(own.begin, own.size()),
                      {search.channel, search.step, search.parameters.seed}, search.threads, timings, control);
}

GrantedRequests grantOnRanks(Communicator& ranks, const NeuronRanges& ranges, const std::vector<Request>& found,
                             std::span<const std::uint32_t> offered, const ConflictDraws& draws, int threads,
                             StageTimings& timings, const RunControl& control)
{
  Stopwatch stopwatch;
  GrantedRequests granted;
  granted.requests = found.size();
  granted.ofFound = sendToOwners(ranks, found, [&](const Request& r) { return ranges.owner(r.found); });
  together(ranks, [&] {
    control.checkpoint();
    std::vector<Request>& mine = granted.ofFound;
    // Conflicts are among requests on one neuron: any number of it will do.
    const std::uint32_t first = ranges.of(ranks.rank()).begin;
    for (Request& request : mine)
      request.found -= first;
    const std::vector<std::uint8_t> grants =
        resolveConflicts(mine, offered, draws.channel, draws.step, draws.seed, threads);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (grants[i] != 0) {
        mine[kept] = mine[i];
        mine[kept++].found += first;
      }
    mine.resize(kept);
  });
  granted.ofSeekers = sendToOwners(ranks, granted.ofFound, [&](const Request& r) { return ranges.owner(r.seeker); });
  timings.add("resolve", stopwatch.lap());
  return granted;
}

} // namespace hinesight::synapse
