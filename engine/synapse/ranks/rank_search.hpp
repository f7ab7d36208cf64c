#pragma once

#include "core/communicator.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "synapse/ranks/neuron_ranges.hpp"
#include "synapse/search/search.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace hinesight::synapse {

/// `vacant`, with 0 for the neurons that other ranks seek for (SeekerShare).
std::vector<std::uint32_t> shareOfSeekers(const Octree& tree, std::span<const std::uint32_t> vacant, int rank,
                                          int ranks);

/// What an element seeks on each rank; whole on every rank.
struct RankSearch
{
  const Octree& tree;
  std::span<const Position> positions;
  std::span<const std::uint32_t> seeking; ///< vacant elements by neuron
  std::span<const std::uint32_t> offered;
  Channel channel;
  std::uint32_t step;
  const SearchParameters& parameters;
  int threads;
};

/// Requests that were granted, as the owners of both neurons learn of them, in any order.
struct GrantedRequests
{
  std::vector<Request> ofSeekers; ///< whose seeker is this rank's
  std::vector<Request> ofFound;   ///< whose found neuron is this rank's
  std::uint64_t requests = 0;     ///< that this rank made, granted or not
};

/// A search of one channel and its conflicts. Every rank seeks for its share of the seekers; requests go to the owner
/// of the neuron that was found, who grants them, and from there to the owner of the seeker. The same requests are
/// granted on any number of ranks. `sought` sums what is offered. Stages "search" and "resolve" are added to `timings`.
/// Throws FailedTogether as searchTargets does.
GrantedRequests searchOnRanks(Communicator& ranks, const NeuronRanges& ranges, const RankSearch& search,
                              const VacantElements& sought, StageTimings& timings, const RunControl& control);

/// What the order of requests on one neuron is drawn by.
struct ConflictDraws
{
  Channel channel;
  std::uint32_t step;
  std::uint64_t seed;
};

/// The conflicts of requests that ranks have found, each at the owner of the neuron that was found. `offered`: vacant
/// elements of this rank's neurons by number. Stage "resolve". Collective.
GrantedRequests grantOnRanks(Communicator& ranks, const NeuronRanges& ranges, const std::vector<Request>& found,
                             std::span<const std::uint32_t> offered, const ConflictDraws& draws, int threads,
                             StageTimings& timings, const RunControl& control);

/// Sends each item to the rank that owner(item) says; returns what this rank got, that of lower ranks first.
template <typename T, typename Owner>
std::vector<T> sendToOwners(Communicator& ranks, const std::vector<T>& items, Owner owner)
{
  std::vector<std::size_t> counts, place;
  std::vector<T> ordered;
  together(ranks, [&] {
    counts.assign(static_cast<std::size_t>(ranks.size()), 0);
    for (const T& item : items)
      ++counts[static_cast<std::size_t>(owner(item))];
    place.assign(counts.size(), 0);
    std::exclusive_scan(counts.begin(), counts.end(), place.begin(), std::size_t{0});
    ordered.resize(items.size());
    for (const T& item : items)
      ordered[place[static_cast<std::size_t>(owner(item))]++] = item;
  });
  return ranks.allToAll(std::span<const T>(ordered), std::span<const std::size_t>(counts)).items;
}

} // namespace hinesight::synapse
