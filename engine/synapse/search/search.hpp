#pragma once

#include "core/fields.hpp"
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

inline constexpr Choice kSearches[] = {
    {"naive", "Naive", "Every neuron is weighed: the reference; its time grows with their square."},
    {"barnes-hut", "Barnes-Hut", "Axons seek dendrites; far cells are weighed as a whole."},
    {"inverse", "Inverse", "The same, but dendrites seek axons."},
    {"exact", "Exact", "The exact distribution at the cost of Barnes-Hut: cells are proposed by a bound."},
};
inline std::span<const Choice> tableOf(SearchKind)
{
  return kSearches;
}
inline std::string_view searchName(SearchKind kind)
{
  return choiceName(kind);
}

/// visitFields says what each is, in which unit and range.
struct SearchParameters
{
  SearchKind kind = SearchKind::BarnesHut;
  double theta = 0.3; ///< a cell of edge L at distance d is weighed as a whole where L < theta d
  KernelParameters kernel;
  std::uint64_t seed = 1;

  bool operator==(const SearchParameters&) const = default;
};

/// Above it, an accepted cell could hold the seeking neuron itself.
inline constexpr double kMostTheta = 0.5;

template <typename Visitor>
void visitFields(SearchParameters& p, Visitor&& visit)
{
  visit(Field{.name = "search",
              .label = "Search",
              .help = "Who seeks whom, and how exactly.",
              .detail = "Barnes-Hut weighs cells that are far enough away as a whole (Rinke et al. 2018).",
              .section = {"Search", "How vacant elements find each other."}},
        p.kind);
  visit(Field{.name = "theta",
              .label = "Theta",
              .range = above(0, kMostTheta),
              .slider = {0.1, kMostTheta},
              .help = "How large a cell may look to be weighed as a whole.",
              .detail = "A cell of edge L at distance d is accepted where L < theta d. Smaller is more exact and "
                        "slower. On the Synapses page, select a neuron and move this slider: the accepted nodes "
                        "change."},
        p.theta);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, 18446744073709551615.0),
              .slider = {0, 100},
              .help = "Seed of the random positions and choices.",
              .detail = "The same seed gives the same network on every machine and any number of threads."},
        p.seed);
  visit(FieldGroup{"kernel", "Kernel", "", "How attraction falls with the distance d."}, p.kernel);
}

/// A search within other parameters.
inline constexpr FieldGroup kSearchGroup{"search", "Search", "", "How vacant elements find each other."};

/// Throws as validateFields.
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
/// then of seeker and element, as many as it has vacant elements. Returns a flag per request; who is granted does not
/// depend on the order of the requests.
std::vector<std::uint8_t> resolveConflicts(std::span<const Request> requests, std::span<const std::uint32_t> vacant,
                                           Channel channel, std::uint32_t step, std::uint64_t seed, int threads = 0);

} // namespace hinesight::synapse
