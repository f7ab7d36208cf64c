#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinesight::simulation {

/// A run of nodes without branches, at most EliminationPlan::kLongestPiece, between two junctions or between one and a
/// tip.
struct alignas(16) Piece
{
  std::uint32_t nodes = 0;
  std::uint32_t up = 0;       ///< the junction above it
  std::uint32_t below = 0;    ///< the junction below it; of a piece that ends in a tip, the same as `up`
  std::uint32_t hasBelow = 0; ///< 0 or 1
  std::uint32_t upSlot = 0;   ///< where it leaves what it passes on to `up`
  std::uint32_t downSlot = 0; ///< to `below`, if there is one
  std::uint32_t unused[2] = {};
};

/// What pieces pass on to a junction: in consecutive slots.
struct JunctionSlots
{
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t isBelowPiece = 0; ///< 0 or 1: its coupling upwards is that of a piece
};

/// What is done of a junction in a round: it gets what its neighbours that were eliminated in the round before pass on,
/// in the order of these; then it is eliminated, or stays. `up` and `below` are its neighbours in the tree that is left
/// then; a leaf stands below itself. All are numbers of junctions.
struct alignas(16) EliminationItem
{
  std::uint32_t junction = 0;
  std::uint32_t first = 0, second = 0; ///< twice a neighbour, and kFromUp; kNoSource: there is none
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

/// In which order a tree of junctions is eliminated: in rounds, each of which removes nodes that have at most two
/// neighbours and are no neighbours of each other. Their elimination is independent, and a node between two others
/// leaves a coupling between these (rake and compress, Miller and Reif 1985). So a chain of n takes about log2(n)
/// rounds.
struct EliminationRounds
{
  EliminationRounds() = default;
  /// `parent` of each node, below it; -1 of node 0.
  explicit EliminationRounds(std::span<const std::int32_t> parent);

  std::vector<std::uint32_t> nodeAt;    ///< in the order of elimination; the root of the tree is the last
  std::vector<std::uint32_t> placeOf;   ///< per node
  std::vector<EliminationRound> rounds; ///< the last one is the root's
  std::vector<EliminationItem> items;   ///< their junctions are places
  std::vector<std::uint32_t> more;      ///< sources of items, each list after its length
};

/// In which order the system of a tree is eliminated. Unbranched runs of nodes are cut into pieces. First each piece is
/// eliminated from its lower end to its upper one, beside all others; then the tree of the junctions that are left, in
/// rounds (exact domain decomposition as Vooturi 2019 has it, with a tree in place of its chain). The order depends on
/// the tree alone: one processor and many threads of a GPU add the same numbers in the same order.
///
/// A node's place: first the lowest nodes of all pieces, longer pieces first; then the nodes above these, and so on;
/// then the junctions in the order of their elimination, the root of the tree last. So what is done of many pieces side
/// by side is side by side in memory.
class EliminationPlan
{
public:
  static constexpr std::uint32_t kLongestPiece = 6;

  EliminationPlan() = default;
  /// `parent` of each node, below it; -1 of node 0.
  explicit EliminationPlan(std::span<const std::int32_t> parent);

  std::uint32_t pieceNodes() const { return static_cast<std::uint32_t>(nodeAt.size() - junctions.size()); }

  std::vector<std::uint32_t> nodeAt;      ///< per place
  std::vector<std::uint32_t> placeOf;     ///< per node
  std::vector<Piece> pieces;              ///< from the longest to the shortest
  std::vector<std::uint32_t> firstOfRank; ///< place of the first node that is the k-th of its piece, and the end
  std::vector<JunctionSlots> junctions;   ///< in the order of their elimination
  std::uint32_t slotCount = 0;
  EliminationRounds reduced; ///< of the junctions
};

} // namespace hinesight::simulation
