#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// Neighbours of a node when it is eliminated, in the tree that is left then, by their places.
struct Neighbours
{
  std::uint32_t up;
  std::int32_t down; ///< -1: it is a leaf
};

/// A place that gets what its neighbours that were eliminated in the round before pass on: in the order of these.
struct Collection
{
  std::uint32_t place;
  std::uint32_t first, second; ///< twice a neighbour's place, and kFromUp; kNoSource: there is none
  std::uint32_t more;          ///< of the plan: further ones; 0: there are none
};
inline constexpr std::uint32_t kFromUp = 1; ///< the neighbour passes on to its `down`, not to its `up`
inline constexpr std::uint32_t kNoSource = 0xFFFFFFFFu;

/// In which order the system of a tree is eliminated: in rounds, each of which removes nodes that have at most two
/// neighbours and are no neighbours of each other. Their elimination is independent, and a node between two others
/// leaves a coupling between these. So a cable of n nodes takes about log2(n) rounds. The order depends on the tree
/// alone: one processor and many threads of a GPU add the same numbers in the same order.
///
/// A node's place is its number in that order; the root of the tree is the last.
class EliminationPlan
{
public:
  EliminationPlan() = default;
  /// `parent` of each node, below it; -1 of node 0.
  explicit EliminationPlan(std::span<const std::int32_t> parent);

  std::size_t rounds() const { return firstOfRound.empty() ? 0 : firstOfRound.size() - 1; }

  std::vector<std::uint32_t> nodeAt;       ///< per place
  std::vector<std::uint32_t> placeOf;      ///< per node
  std::vector<std::uint32_t> firstOfRound; ///< places, and the end
  std::vector<Neighbours> neighbours;      ///< per place, but for the root
  /// Per place: what it gets in the round in which it is eliminated; the root's in the end.
  std::vector<Collection> collections;
  std::vector<std::uint32_t> firstOther; ///< per round, and the end
  std::vector<Collection> others;        ///< what places that stay get in a round
  std::vector<std::uint32_t> more;       ///< sources of collections, each list after its length
};

} // namespace hinesight::simulation
