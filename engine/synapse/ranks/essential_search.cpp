#include "synapse/ranks/essential_search.hpp"

#include "core/rank_tasks.hpp"
#include "synapse/ranks/essential_exact.hpp"

#include <utility>

namespace hinesight::synapse {

bool EssentialSearch::canDo(SearchKind kind, Backend backend)
{
  return kind != SearchKind::Naive && (kind != SearchKind::Exact || backend == Backend::Cpu);
}

EssentialSearch::EssentialSearch(Communicator& communicator, const NeuronRanges& neuronRanges,
                                 std::span<const Position> own, double theta, Backend backend, int searchThreads,
                                 const RunControl& control)
    : ranks(communicator), ranges(neuronRanges), threads(searchThreads), placed(ranks, ranges, own, threads, control),
      tree(ranks, placed, theta, threads, control)
{
  together(ranks, [&] {
    if (backend == Backend::Cuda) {
      useGpuOf(ranks);
      walks = detail::makeCudaWalks(placed, tree, theta, threads);
    } else {
      walks = detail::makeCpuWalks(placed, tree, threads);
    }
  });
}

VacantElements EssentialSearch::sumVacant(std::span<const std::uint32_t> offered) const
{
  return tree.sumVacant(ranks, placed, placed.byPlace(ranks, offered), threads);
}

std::vector<Request> EssentialSearch::found(const EssentialQuery& query, const VacantElements& sought,
                                            const RunControl& control) const
{
  const std::vector<std::uint32_t> seeking = placed.byPlace(ranks, query.seeking);
  if (query.parameters.kind == SearchKind::Exact)
    return findExactlyOnRanks(ranks, placed, tree, query, seeking, sought, threads, control);
  FirstFinds finds;
  together(ranks, [&] { finds = walks->begin(query, seeking, sought, control); });
  const std::vector<Descent> descents = sendToOwners(ranks, finds.descents, [](const Descent& d) { return d.owner; });
  together(ranks, [&] { walks->finish(query, sought, descents, finds.requests, control); });
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
