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

/// How a junction is eliminated. It gets what its neighbours that went before passed on: in consecutive slots, first
/// what pieces left there. `up` and `below` are its neighbours in the tree that is left then; a leaf stands below
/// itself, the root above itself too. All are numbers of junctions; the k-th item is that of the k-th junction.
struct alignas(16) EliminationItem
{
  std::uint32_t first = 0, count = 0;     ///< its slots
  std::uint32_t up = 0, below = 0;        ///< its neighbours
  std::uint32_t upSlot = 0, downSlot = 0; ///< where it leaves what it passes on to these
  std::uint32_t upLink = 0, downLink = 0; ///< where its coupling to `up` is, and that of `below` to it
  std::uint32_t turn = 0;                 ///< its round
  std::uint32_t ends = 0;                 ///< of slotEnds, those of this junction: one for each round up to its own
  std::uint32_t unused[2] = {};
};

/// Items of a round: they are independent.
struct EliminationRound
{
  std::uint32_t first;
  std::uint32_t items;
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

  /// Of a node when it is eliminated: places.
  struct Neighbours
  {
    std::uint32_t up;
    std::uint32_t below; ///< a leaf: itself
  };

  std::vector<std::uint32_t> nodeAt;    ///< in the order of elimination; the root of the tree is the last
  std::vector<std::uint32_t> placeOf;   ///< per node
  std::vector<Neighbours> neighbours;   ///< per place; the root is its own
  std::vector<EliminationRound> rounds; ///< of places; the last one is the root's
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

  std::uint32_t pieceNodes() const { return static_cast<std::uint32_t>(nodeAt.size() - items.size()); }

  std::vector<std::uint32_t> nodeAt;      ///< per place
  std::vector<std::uint32_t> placeOf;     ///< per node
  std::vector<Piece> pieces;              ///< from the longest to the shortest
  std::vector<std::uint32_t> firstOfRank; ///< place of the first node that is the k-th of its piece, and the end
  std::vector<EliminationItem> items;     ///< of the junctions, in the order of their elimination
  std::vector<EliminationRound> rounds;   ///< of items; the last one is the root's
  /// Of a junction and a round: up to where its slots were filled in earlier rounds. They are filled in their order, so
  /// that a junction can add some before its turn.
  std::vector<std::uint32_t> slotEnds;
  std::uint32_t slotCount = 0;

private:
  void makeItems(std::span<const EliminationRounds::Neighbours> neighbours);
};

} // namespace hinesight::simulation
