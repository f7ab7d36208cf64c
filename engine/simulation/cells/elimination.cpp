#include "simulation/cells/elimination.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace hinesight::simulation {

namespace {

/// The tree of the nodes that are left.
struct Rest
{
  explicit Rest(std::span<const std::int32_t> parents)
      : parent(parents.begin(), parents.end()), children(parents.size(), 0), childSum(parents.size(), 0)
  {
    for (std::size_t node = 1; node < parent.size(); ++node)
      addChild(parent[node], static_cast<std::int32_t>(node));
  }

  void addChild(std::int32_t of, std::int32_t child)
  {
    ++children[static_cast<std::size_t>(of)];
    childSum[static_cast<std::size_t>(of)] += child;
  }
  void removeChild(std::int32_t of, std::int32_t child)
  {
    --children[static_cast<std::size_t>(of)];
    childSum[static_cast<std::size_t>(of)] -= child;
  }
  /// Of a node with one child.
  std::int32_t onlyChild(std::size_t node) const { return static_cast<std::int32_t>(childSum[node]); }

  std::vector<std::int32_t> parent;
  std::vector<std::int32_t> children; ///< how many
  std::vector<std::int64_t> childSum; ///< of their numbers: where there is one, it is that
};

} // namespace

EliminationRounds::EliminationRounds(std::span<const std::int32_t> parent) : placeOf(parent.size())
{
  struct Taken
  {
    std::uint32_t up;
    std::int32_t down;
  };
  Rest rest(parent);
  std::vector<std::uint32_t> left(parent.size() - 1);
  std::iota(left.rbegin(), left.rend(), 1u); // children come before their parents
  std::vector<std::uint32_t> roundOf(parent.size(), 0);
  std::vector<Taken> taken; // nodes, per place
  for (std::uint32_t round = 1; !left.empty(); ++round) {
    const std::size_t begin = nodeAt.size();
    for (const std::uint32_t node : left) {
      const auto up = static_cast<std::uint32_t>(rest.parent[node]);
      const std::int32_t down = rest.children[node] == 1 ? rest.onlyChild(node) : -1;
      const bool isTaken = rest.children[node] <= 1 && roundOf[up] != round &&
                           (down < 0 || roundOf[static_cast<std::size_t>(down)] != round);
      if (!isTaken)
        continue;
      roundOf[node] = round;
      nodeAt.push_back(node);
      taken.push_back({up, down});
    }
    // Only now does the tree change: what was independent stays so.
    for (std::size_t k = begin; k < taken.size(); ++k) {
      const auto [up, down] = taken[k];
      rest.removeChild(static_cast<std::int32_t>(up), static_cast<std::int32_t>(nodeAt[k]));
      if (down < 0)
        continue;
      rest.parent[static_cast<std::size_t>(down)] = static_cast<std::int32_t>(up);
      rest.addChild(static_cast<std::int32_t>(up), down);
    }
    rounds.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(nodeAt.size() - begin)});
    std::erase_if(left, [&](std::uint32_t node) { return roundOf[node] == round; });
  }
  nodeAt.push_back(0);
  for (std::uint32_t place = 0; place < nodeAt.size(); ++place)
    placeOf[nodeAt[place]] = place;

  for (std::uint32_t place = 0; place < taken.size(); ++place) {
    const auto [up, down] = taken[place];
    neighbours.push_back({placeOf[up], down < 0 ? place : placeOf[static_cast<std::size_t>(down)]});
  }
  const std::uint32_t root = placeOf[0];
  neighbours.push_back({root, root});
  rounds.push_back({root, 1});
}

namespace {

/// A run of nodes without branches, from its lowest to its highest.
using Run = std::vector<std::uint32_t>;

/// The runs between junctions; those that are long are cut, which makes some of their nodes junctions.
std::vector<Run> cutRuns(std::span<const std::int32_t> parent, std::vector<std::uint8_t>& isJunction)
{
  constexpr std::size_t kMost = EliminationPlan::kLongestPiece;
  std::vector<std::int32_t> children(parent.size(), 0), child(parent.size(), -1);
  for (std::size_t node = 1; node < parent.size(); ++node) {
    ++children[static_cast<std::size_t>(parent[node])];
    child[static_cast<std::size_t>(parent[node])] = static_cast<std::int32_t>(node);
  }
  for (std::size_t node = 0; node < parent.size(); ++node)
    isJunction[node] = node == 0 || children[node] > 1 ? 1 : 0;
  std::vector<Run> lowest; // uncut
  for (std::size_t node = 1; node < parent.size(); ++node) {
    const bool isLowest = !isJunction[node] && (child[node] < 0 || isJunction[static_cast<std::size_t>(child[node])]);
    if (!isLowest)
      continue;
    Run run;
    for (std::size_t next = node; !isJunction[next]; next = static_cast<std::size_t>(parent[next]))
      run.push_back(static_cast<std::uint32_t>(next));
    lowest.push_back(std::move(run));
  }
  std::vector<Run> runs;
  for (const Run& run : lowest) {
    const std::size_t pieces = (run.size() + 1 + kMost) / (kMost + 1);
    const std::size_t nodes = run.size() - (pieces - 1); // one is a junction between each two pieces
    std::size_t next = 0;
    for (std::size_t k = 0; k < pieces; ++k) {
      const std::size_t count = nodes / pieces + (k < nodes % pieces ? 1 : 0);
      runs.emplace_back(run.begin() + static_cast<std::ptrdiff_t>(next),
                        run.begin() + static_cast<std::ptrdiff_t>(next + count));
      next += count;
      if (k + 1 < pieces)
        isJunction[run[next++]] = 1;
    }
  }
  std::ranges::stable_sort(runs, std::greater<>(), &Run::size);
  return runs;
}

} // namespace

EliminationPlan::EliminationPlan(std::span<const std::int32_t> parent) : placeOf(parent.size())
{
  std::vector<std::uint8_t> isJunction(parent.size(), 0);
  const std::vector<Run> runs = cutRuns(parent, isJunction);

  // The tree of the junctions, numbered as their nodes are: parents before children.
  std::vector<std::uint32_t> nodeOfJunction;
  std::vector<std::int32_t> numberOf(parent.size(), -1);
  for (std::uint32_t node = 0; node < parent.size(); ++node)
    if (isJunction[node]) {
      numberOf[node] = static_cast<std::int32_t>(nodeOfJunction.size());
      nodeOfJunction.push_back(node);
    }
  std::vector<std::int32_t> runOf(parent.size(), -1); // of a run's highest node
  for (std::size_t k = 0; k < runs.size(); ++k)
    runOf[runs[k].back()] = static_cast<std::int32_t>(k);
  const auto junctionAbove = [&](std::uint32_t node) {
    auto up = static_cast<std::size_t>(parent[node]);
    while (!isJunction[up])
      up = static_cast<std::size_t>(parent[up]);
    return numberOf[up];
  };
  std::vector<std::int32_t> junctionParent;
  for (const std::uint32_t node : nodeOfJunction)
    junctionParent.push_back(node == 0 ? -1 : junctionAbove(node));
  const EliminationRounds reduced(junctionParent);

  for (std::size_t rank = 0; rank == 0 || firstOfRank.back() < nodeAt.size(); ++rank) {
    firstOfRank.push_back(static_cast<std::uint32_t>(nodeAt.size()));
    for (const Run& run : runs)
      if (rank < run.size())
        nodeAt.push_back(run[rank]);
  }
  for (const std::uint32_t junction : reduced.nodeAt)
    nodeAt.push_back(nodeOfJunction[junction]);
  for (std::uint32_t place = 0; place < nodeAt.size(); ++place)
    placeOf[nodeAt[place]] = place;

  const auto placeOfNumber = [&](std::int32_t number) { return reduced.placeOf[static_cast<std::size_t>(number)]; };
  for (const Run& run : runs) {
    Piece piece = {.nodes = static_cast<std::uint32_t>(run.size()), .up = placeOfNumber(junctionAbove(run.back()))};
    piece.below = piece.up;
    pieces.push_back(piece);
  }
  for (std::size_t number = 1; number < nodeOfJunction.size(); ++number) {
    const std::uint32_t node = nodeOfJunction[number];
    if (isJunction[static_cast<std::size_t>(parent[node])])
      continue;
    // The piece whose lowest node is this one's parent.
    const std::uint32_t rank0 = placeOf[static_cast<std::size_t>(parent[node])];
    Piece& piece = pieces[rank0];
    piece.below = placeOfNumber(static_cast<std::int32_t>(number));
    piece.hasBelow = 1;
  }
  rounds = reduced.rounds;
  makeItems(reduced.neighbours);
}

void EliminationPlan::makeItems(std::span<const EliminationRounds::Neighbours> neighbours)
{
  const auto junctions = static_cast<std::uint32_t>(neighbours.size());
  const std::uint32_t root = junctions - 1;
  std::vector<std::uint32_t> linkOf(junctions); // of each junction, at present
  std::iota(linkOf.begin(), linkOf.end(), 0u);
  for (std::uint32_t k = 0; k < junctions; ++k) {
    const auto [up, below] = neighbours[k];
    items.push_back({.up = up, .below = below, .upLink = linkOf[k], .downLink = linkOf[below]});
    if (below != k)
      linkOf[below] = junctions + k;
  }

  // Who passes something on to whom, in the order in which a junction adds it: the piece above it, those below it, then
  // junctions in the order of their elimination.
  const auto forEachPass = [&](const auto& pass) {
    for (Piece& piece : pieces)
      if (piece.hasBelow)
        pass(piece.below, piece.downSlot);
    for (Piece& piece : pieces)
      pass(piece.up, piece.upSlot);
    for (std::uint32_t k = 0; k < root; ++k) {
      pass(items[k].up, items[k].upSlot);
      if (items[k].below != k)
        pass(items[k].below, items[k].downSlot);
    }
  };
  forEachPass([&](std::uint32_t to, std::uint32_t&) { ++items[to].count; });
  for (EliminationItem& item : items) {
    item.first = slotCount;
    slotCount += item.count;
    item.count = 0;
  }
  forEachPass([&](std::uint32_t to, std::uint32_t& slot) { slot = items[to].first + items[to].count++; });

  for (std::uint32_t round = 0; round < rounds.size(); ++round)
    for (std::uint32_t k = 0; k < rounds[round].items; ++k)
      items[rounds[round].first + k].turn = round;
  std::vector<std::uint32_t> filledIn(slotCount, 0); // the first round in which a slot can be added
  for (std::uint32_t k = 0; k < root; ++k) {
    filledIn[items[k].upSlot] = items[k].turn + 1;
    if (items[k].below != k)
      filledIn[items[k].downSlot] = items[k].turn + 1;
  }
  for (EliminationItem& item : items) {
    item.ends = static_cast<std::uint32_t>(slotEnds.size());
    std::uint32_t end = item.first;
    for (std::uint32_t round = 0; round <= item.turn; ++round) {
      while (end < item.first + item.count && filledIn[end] <= round)
        ++end;
      slotEnds.push_back(end);
    }
  }
  slotEnds.push_back(slotCount); // read ahead
}

} // namespace hinesight::simulation
