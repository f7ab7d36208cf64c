#include "synapse/ranks/essential_connector.cuh"

#include <span>
#include <utility>
#include <vector>

namespace hinesight::synapse::detail {

namespace {

/// Of numbers by neuron in device memory.
std::vector<std::uint32_t> download(const std::uint32_t* numbers, const NeuronRange& range)
{
  std::vector<std::uint32_t> host(range.size());
  cuda::check(
      cudaMemcpy(host.data(), numbers + range.begin, range.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
      "download the vacant elements");
  return host;
}

std::vector<PairKey> pairsOf(const std::vector<Request>& requests, bool seeksAxons)
{
  std::vector<PairKey> pairs;
  pairs.reserve(requests.size());
  for (const Request& request : requests)
    pairs.push_back(seeksAxons ? pairKey(request.found, request.seeker) : pairKey(request.seeker, request.found));
  return pairs;
}

} // namespace

EssentialConnector::EssentialConnector(Communicator& ofRanks, std::unique_ptr<const EssentialSearch> essential,
                                       std::size_t neurons, const SearchParameters& searchParameters)
    : ranks(ofRanks), ranges(neurons, ofRanks.size()), parameters(searchParameters), search(std::move(essential))
{}

void EssentialConnector::connect(Channel channel, std::uint32_t step, const std::uint32_t* axons,
                                 const std::uint32_t* dendrites, StageTimings& timings, const RunControl& control)
{
  const bool seeksAxons = parameters.kind == SearchKind::Inverse;
  Stopwatch stopwatch;
  std::vector<std::uint32_t> seeking, offered;
  together(ranks, [&] {
    const NeuronRange own = ranges.of(ranks.rank());
    seeking = download(seeksAxons ? dendrites : axons, own);
    offered = download(seeksAxons ? axons : dendrites, own);
  });
  const VacantElements sought = search->sumVacant(offered);
  timings.add("vacant", stopwatch.elapsed());
  const GrantedRequests granted =
      search->search({seeking, offered, channel, step, parameters}, sought, timings, control);
  stopwatch.lap();
  std::vector<PairKey> mine;
  together(ranks, [&] { mine = pairsOf(granted.ofSeekers, seeksAxons); });
  const RankLists<PairKey> all = ranks.allGather(std::span<const PairKey>(mine));
  together(ranks, [&] { append(all.items.data(), all.items.size()); });
  timings.add("exchange", stopwatch.elapsed());
}

} // namespace hinesight::synapse::detail
