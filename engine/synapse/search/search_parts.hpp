#pragma once

#include "core/run_control.hpp"
#include "synapse/search/search_groups.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// What a search on the CPU is made of, for a whole tree and for the parts of ranks.

namespace hinesight::synapse::detail {

/// What walks read of the nodes of a tree.
struct SearchArrays
{
  std::vector<SearchNode> nodes;
  std::vector<CellBounds> cells; ///< of an exact search, else empty
};

SearchArrays makeSearchArrays(const Octree& tree, const VacantElements& sought, const SearchParameters& parameters,
                              int threads);

/// Where the results of each seeker's vacant elements go; the last entry is the number of all. `neurons`: who they are;
/// empty: they are by neuron. Throws Error(BadParameter) for more elements than can seek at once.
std::vector<std::uint64_t> firstRequests(std::span<const std::uint32_t> vacant,
                                         std::span<const std::uint32_t> neurons = {});

/// Throws Error(OutOfMemory) where a search of so many vacant elements over so many nodes has no room.
void requireSearchMemory(std::uint64_t elements, std::size_t nodes);

/// A job without its seekers.
SearchJob jobOf(const SearchArrays& arrays, const VacantElements& sought, Channel channel, std::uint32_t step,
                const SearchParameters& parameters);

/// Searches for so many seekers of a job.
void searchInParallel(const SearchJob& job, std::size_t seekers, int threads, const RunControl& control);

/// As resolveConflicts; no more requests than `most` are sorted at once, or those on one neuron. `draws`: of no neuron.
std::vector<std::uint8_t> resolveInParts(std::span<const Request> requests, std::span<const std::uint32_t> vacant,
                                         const SearchKey& draws, int threads, std::size_t most);

} // namespace hinesight::synapse::detail
