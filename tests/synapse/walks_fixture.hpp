#pragma once

#include "core/thread_ranks.hpp"
#include "synapse/ranks/essential_walks.hpp"
#include "synapse/ranks/rank_search.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

// What ranks find in their essential trees.

namespace hinesight::tests {

using namespace hinesight::synapse;

inline SearchParameters walkedSearch(double theta)
{
  SearchParameters parameters;
  parameters.theta = theta;
  parameters.kernel.sigma = 100;
  return parameters;
}

/// What a rank has for its walks, and what it walks for.
struct Walked
{
  Communicator& ranks;
  const PlacedNeurons& placed;
  const EssentialTree& tree;
  const EssentialQuery& query;
  const std::vector<std::uint32_t>& seeking; ///< by place
  const VacantElements& sought;

  /// What the ranks' walks find in the end.
  std::vector<Request> finish(EssentialWalks& walks, FirstFinds finds) const
  {
    const auto arrived = sendToOwners(ranks, finds.descents, [](const Descent& descent) { return descent.owner; });
    walks.finish(query, sought, arrived, finds.requests, {});
    return std::move(finds.requests);
  }
};

/// On ranks whose neurons seek with 0 to 3 elements each, and offer 1.
inline void onWalks(int ranks, const std::vector<Position>& positions, double theta,
                    const std::function<void(const Walked&)>& look)
{
  std::vector<std::uint32_t> seeking(positions.size()), offered(positions.size(), 1);
  for (std::size_t i = 0; i < seeking.size(); ++i)
    seeking[i] = static_cast<std::uint32_t>(i * 7 % 4);
  const SearchParameters parameters = walkedSearch(theta);
  runRanks(ranks, [&](Communicator& communicator) {
    const NeuronRanges ranges(positions.size(), ranks);
    const NeuronRange own = ranges.of(communicator.rank());
    const auto ofRank = [&](const std::vector<std::uint32_t>& all) {
      return std::span(all).subspan(own.begin, own.size());
    };
    const PlacedNeurons placed(communicator, ranges, std::span(positions).subspan(own.begin, own.size()), 1, {});
    const EssentialTree tree(communicator, placed, theta, 1, {});
    const auto sought = tree.sumVacant(communicator, placed, placed.byPlace(communicator, ofRank(offered)), 1);
    const EssentialQuery query = {ofRank(seeking), ofRank(offered), kExcitatory, 7, parameters};
    const auto byPlace = placed.byPlace(communicator, ofRank(seeking));
    look({communicator, placed, tree, query, byPlace, sought});
  });
}

inline bool isSame(const Request& a, const Request& b)
{
  return std::tie(a.seeker, a.element, a.found) == std::tie(b.seeker, b.element, b.found);
}

inline bool isSame(const Descent& a, const Descent& b)
{
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename T>
bool areSame(const std::vector<T>& a, const std::vector<T>& b)
{
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return isSame(x, y); });
}

} // namespace hinesight::tests
