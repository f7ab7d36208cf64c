#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// What is done of a place in a round: it gets what its neighbours that were eliminated in the round before pass on, in
/// the order of these; then it is eliminated, or stays. `up` and `below` are its neighbours in the tree that is left
/// then; a leaf stands below itself.
struct alignas(16) EliminationItem
{
  std::uint32_t place = 0;
  std::uint32_t first = 0, second = 0; ///< twice a neighbour's place, and kFromUp; kNoSource: there is none
  std::uint32_t more = 0;              ///< of the plan: further ones; 0: there are none
  std::uint32_t up = 0, below = 0;
  std::uint32_t isEliminated = 0; ///< 0 or 1
  std::uint32_t isRoot = 0;       ///< 0 or 1: whose potential follows
};
inline constexpr std::uint32_t kFromUp = 1; ///< the neighbour passes on to its `below`, not to its `up`
inline constexpr std::uint32_t kNoSource = 0xFFFFFFFFu;

/// Items of a round: first those that are eliminated.
struct alignas(16) EliminationRound
{
  std::uint32_t first;
  std::uint32_t items;
  std::uint32_t eliminated;
};

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

  std::vector<std::uint32_t> nodeAt;    ///< per place
  std::vector<std::uint32_t> placeOf;   ///< per node
  std::vector<EliminationRound> rounds; ///< the last one is the root's
  std::vector<EliminationItem> items;
  std::vector<std::uint32_t> more; ///< sources of items, each list after its length
};

} // namespace hinesight::simulation
