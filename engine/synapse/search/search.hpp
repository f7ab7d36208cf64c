#pragma once

#include "core/run_control.hpp"
#include "synapse/octree/octree.hpp"
#include "synapse/search/kernel.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hinesight::synapse {

enum class SearchKind
{
  Naive,     ///< every neuron is weighed: the reference, quadratic
  BarnesHut, ///< axons seek dendrites (Rinke et al. 2018): cells far enough away are weighed as a whole
  Inverse,   ///< dendrites seek axons, as BarnesHut
  Exact      ///< the exact kernel distribution at the cost of BarnesHut: cells are proposed by a bound, and rejected
};

/// "naive", "barnes-hut", "inverse", "exact".
std::string_view searchName(SearchKind kind);

/// Valid: theta above 0 up to 0.5 (above, an accepted cell could hold the seeking neuron itself).
struct SearchParameters
{
  SearchKind kind = SearchKind::BarnesHut;
  double theta = 0.3; ///< a cell of edge L at distance d is weighed as a whole where L < theta d
  KernelParameters kernel;
  std::uint64_t seed = 1;

  bool operator==(const SearchParameters&) const = default;
};

/// Throws Error(BadParameter) that names the parameter and its range.
void validate(const SearchParameters& parameters);

inline constexpr std::uint32_t kNoTarget = 0xFFFFFFFF;

/// What one vacant element found.
struct Request
{
  std::uint32_t seeker = 0;
  std::uint32_t element = 0; ///< of the seeker's vacant elements of its channel: 0, 1, ...
  std::uint32_t found = kNoTarget;
};

/// A search of all vacant elements of one channel. `vacant` per neuron: elements that seek; `sought` sums the others.
/// Requests are ordered by seeker, then element; those that found nothing are left out. Draws are keyed by
/// (seed, step, channel, seeker, element, descent). The same requests on any number of threads and on CUDA. Throws as
/// validate, Error(OutOfMemory), Error(Cancelled).
std::vector<Request> searchTargets(const Octree& tree, std::span<const Position> positions,
                                   std::span<const std::uint32_t> vacant, const VacantElements& sought, Channel channel,
                                   std::uint32_t step, const SearchParameters& parameters, int threads = 0,
                                   const RunControl& control = {});

/// A node that a search weighed as a whole, or a leaf, with its probability to be picked in this descent.
struct AcceptedNode
{
  std::uint32_t node = 0;
  double probability = 0;
};

/// What one seeker's search sees below `from` (0: the root's children): for views and tests.
std::vector<AcceptedNode> acceptedNodes(const Octree& tree, std::span<const Position> positions,
                                        const VacantElements& sought, std::uint32_t seeker, std::uint32_t from,
                                        const SearchParameters& parameters);

/// The nodes that a search picked, one a descent, the last a leaf; empty when it found nothing.
std::vector<std::uint32_t> descentOf(const Octree& tree, std::span<const Position> positions,
                                     const VacantElements& sought, std::uint32_t seeker, std::uint32_t element,
                                     Channel channel, std::uint32_t step, const SearchParameters& parameters);

/// Which requests are granted: those on one neuron in an order of random keys (seed, step, channel, seeker, element),
/// as many as it has vacant elements. Returns a flag per request.
std::vector<std::uint8_t> resolveConflicts(std::span<const Request> requests, std::span<const std::uint32_t> vacant,
                                           Channel channel, std::uint32_t step, std::uint64_t seed, int threads = 0);

} // namespace hinesight::synapse
