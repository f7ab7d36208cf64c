#include "synapse/ranks/essential_tree.hpp"

#include "synapse/octree/octree_parts.hpp"
#include "synapse/search/search_step.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

namespace hinesight::synapse {

namespace {

/// What a rank tells of a node.
struct Cell
{
  enum class Kind : std::uint8_t
  {
    Neuron,
    Open,  ///< its children follow
    Closed ///< they do not
  };

  std::uint64_t code = 0;           ///< of the first neuron
  std::uint32_t begin = 0, end = 0; ///< places among all
  std::uint32_t neuron = kNoNeuron;
  std::uint8_t level = 0;
  Kind kind = Kind::Neuron;
};

/// The deepest level whose cells divide a rank's neurons into no more than so many groups.
int levelOfGroups(const std::vector<std::uint64_t>& code, std::size_t mostGroups)
{
  std::array<std::size_t, kDeepestLevel + 1> gaps{}; // between neighbours, by the level of their common cell
  for (std::size_t place = 1; place < code.size(); ++place)
    ++gaps[static_cast<std::size_t>(commonLevel(code[place - 1], code[place]))];
  std::size_t groups = 1;
  int level = 0;
  while (level < kDeepestLevel && groups + gaps[static_cast<std::size_t>(level)] <= mostGroups)
    groups += gaps[static_cast<std::size_t>(level++)];
  return level;
}

/// Where a rank's seekers are, in single precision: boxes of those that share a cell, because a range of the Morton
/// order may begin or end far from the rest of it.
std::vector<CellBounds> boxesOfSeekers(const PlacedNeurons& placed)
{
  constexpr std::size_t kMostBoxes = 64;
  constexpr float kFar = std::numeric_limits<float>::infinity();
  const int level = levelOfGroups(placed.code, kMostBoxes);
  std::vector<CellBounds> boxes;
  for (std::size_t place = 0; place < placed.size(); ++place) {
    if (place == 0 || commonLevel(placed.code[place - 1], placed.code[place]) < level)
      boxes.push_back({{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}});
    CellBounds& box = boxes.back();
    const std::array<float, 3> at = detail::inSinglePrecision(placed.position[place]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      box.lowest[axis] = std::min(box.lowest[axis], at[axis]);
      box.highest[axis] = std::max(box.highest[axis], at[axis]);
    }
  }
  return boxes;
}

/// The nodes over places of one rank. Its tree has a neighbour's code at either end, where there is one: what reaches
/// there is of the top, and the others are nodes of the whole tree.
class OwnSubtree
{
public:
  OwnSubtree(const PlacedNeurons& placedNeurons, std::span<const std::uint64_t> before,
             std::span<const std::uint64_t> behind, int threads, const RunControl& control)
      : placed(placedNeurons), skipped(static_cast<std::uint32_t>(before.size()))
  {
    if (placed.size() == 0)
      return;
    tree.code.assign(before.begin(), before.end());
    tree.code.insert(tree.code.end(), placed.code.begin(), placed.code.end());
    tree.code.insert(tree.code.end(), behind.begin(), behind.end());
    tree.order.resize(tree.code.size());
    std::iota(tree.order.begin(), tree.order.end(), 0u);
    tree.edge = placed.box.edge;
    detail::makeNodes(tree, threads, control);
  }

  std::size_t nodes() const { return tree.nodes(); }

  /// Calls visit(node, cell) for nodes in depth-first order; isOpen(node) says of an inner one whether its children are
  /// visited.
  template <typename IsOpen, typename Visit>
  void forNodes(IsOpen isOpen, Visit visit) const
  {
    std::uint32_t node = 0;
    while (node < tree.nodes()) {
      if (!isOwn(node)) {
        ++node;
        continue;
      }
      const std::uint32_t place = tree.leafBegin[node] - skipped;
      Cell cell{tree.code[tree.leafBegin[node]],
                placed.begin() + place,
                placed.begin() + tree.leafEnd(node) - skipped,
                kNoNeuron,
                tree.level[node],
                Cell::Kind::Closed};
      if (tree.isLeaf(node)) {
        cell.kind = Cell::Kind::Neuron;
        cell.neuron = placed.neuron[place];
      } else if (isOpen(node)) {
        cell.kind = Cell::Kind::Open;
      }
      visit(node, cell);
      node = cell.kind == Cell::Kind::Open ? node + 1 : tree.next[node];
    }
  }

  /// Whether a search by any seeker of some boxes could look into an inner node.
  bool isNear(std::uint32_t node, std::span<const CellBounds> seekers, double theta, double reach) const
  {
    const CellBounds cell = cellBounds(placed.box, tree.code[tree.leafBegin[node]], tree.level[node]);
    const float limit = acceptanceLimit(false, tree.cellEdge(node), theta, reach);
    return std::ranges::any_of(seekers, [&](const CellBounds& box) { return !(limit < nearestSquared(cell, box)); });
  }

private:
  bool isOwn(std::uint32_t node) const
  {
    return tree.leafBegin[node] >= skipped && tree.leafEnd(node) <= skipped + placed.size();
  }

  const PlacedNeurons& placed;
  std::uint32_t skipped;
  Octree tree;
};

/// A code at a place among all.
struct PlacedCode
{
  std::uint64_t code = 0;
  std::uint32_t place = 0;
};

/// The first and the last code that a rank has of each cell with its first neuron or its last. Cells with neurons of
/// several ranks are among these.
std::vector<PlacedCode> edgesOf(const PlacedNeurons& placed)
{
  std::vector<std::uint32_t> places;
  const std::vector<std::uint64_t>& code = placed.code;
  for (int level = 0; level <= kDeepestLevel && !code.empty(); ++level)
    for (const std::uint64_t of : {code.front(), code.back()}) {
      const int below = 3 * (kDeepestLevel - level);
      const std::uint64_t least = of >> below << below;
      const std::uint64_t most = least | ((std::uint64_t{1} << below) - 1);
      places.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(code, least) - code.begin()));
      places.push_back(static_cast<std::uint32_t>(std::ranges::upper_bound(code, most) - code.begin() - 1));
    }
  std::ranges::sort(places);
  const auto repeated = std::ranges::unique(places);
  places.erase(repeated.begin(), repeated.end());
  std::vector<PlacedCode> edges;
  for (const std::uint32_t place : places)
    edges.push_back({code[place], placed.begin() + place});
  return edges;
}

/// The nodes with neurons of several ranks, in depth-first order: those of a tree over all edges, because it has the
/// first and the last code of each of their cells.
std::vector<Cell> topOf(const RankLists<PlacedCode>& edges)
{
  Octree tree;
  for (const PlacedCode& edge : edges.items)
    tree.code.push_back(edge.code);
  tree.order.resize(tree.code.size());
  std::iota(tree.order.begin(), tree.order.end(), 0u);
  detail::makeNodes(tree, 1, {});
  const auto rankOf = [&](std::size_t edge) {
    return std::ranges::upper_bound(edges.begin, edge) - edges.begin.begin();
  };
  std::vector<Cell> top;
  for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
    const std::size_t first = tree.leafBegin[node], last = tree.leafEnd(node) - 1;
    if (rankOf(first) != rankOf(last))
      top.push_back({tree.code[first], edges.items[first].place, edges.items[last].place + 1, kNoNeuron,
                     tree.level[node], Cell::Kind::Open});
  }
  return top;
}

/// Puts nodes, which come in depth-first order, behind each other.
class NodeList
{
public:
  NodeList(Octree& octree, std::size_t nodes) : tree(octree)
  {
    tree.next.reserve(nodes);
    tree.leafBegin.reserve(nodes);
    tree.level.reserve(nodes);
  }

  std::uint32_t add(const Cell& cell)
  {
    const std::uint32_t node = size();
    while (!open.empty() && open.back().end <= cell.begin)
      close();
    tree.next.push_back(node + 1);
    tree.leafBegin.push_back(static_cast<std::uint32_t>(tree.order.size()));
    tree.level.push_back(cell.level);
    if (cell.kind == Cell::Kind::Open) {
      open.push_back({node, cell.end});
    } else {
      tree.order.push_back(cell.neuron);
      tree.code.push_back(cell.code);
    }
    return node;
  }

  void end()
  {
    while (!open.empty())
      close();
  }

private:
  struct OpenNode
  {
    std::uint32_t node, end;
  };

  std::uint32_t size() const { return static_cast<std::uint32_t>(tree.next.size()); }
  void close()
  {
    tree.next[open.back().node] = size();
    open.pop_back();
  }

  Octree& tree;
  std::vector<OpenNode> open;
};

/// Codes of the neighbours of each rank's places; none at the ends of the order.
struct Neighbours
{
  std::vector<std::uint64_t> before, behind;
};

Neighbours neighboursOf(const RankLists<PlacedCode>& edges, int rank)
{
  Neighbours codes;
  const auto r = static_cast<std::size_t>(rank);
  if (edges.begin[r] > 0)
    codes.before.push_back(edges.items[edges.begin[r] - 1].code);
  if (edges.begin[r + 1] < edges.items.size())
    codes.behind.push_back(edges.items[edges.begin[r + 1]].code);
  return codes;
}

/// Of one node, from its owner to those that have it too.
struct NodeVacant
{
  std::array<std::uint32_t, 2> count = {}; ///< the lower bits, the upper ones
  std::array<float, 3> centroid = {};

  std::uint64_t whole() const { return std::uint64_t{count[1]} << 32 | count[0]; }
};

} // namespace

/// What a rank's tree is joined from.
struct EssentialTree::Pieces
{
  std::vector<Cell> top;
  std::optional<OwnSubtree> own;
  RankLists<Cell> others;
};

EssentialTree::EssentialTree(Communicator& ranks, const PlacedNeurons& placed, double theta, int threads,
                             const RunControl& control)
{
  std::vector<PlacedCode> ownEdges;
  std::vector<CellBounds> ownBoxes;
  together(ranks, [&] {
    ownEdges = edgesOf(placed);
    ownBoxes = boxesOfSeekers(placed);
  });
  const RankLists<CellBounds> boxes = ranks.allGather(std::span<const CellBounds>(ownBoxes));
  const RankLists<PlacedCode> edges = ranks.allGather(std::span<const PlacedCode>(ownEdges));
  Pieces pieces;
  std::vector<Cell> sent;
  together(ranks, [&] {
    pieces.top = topOf(edges);
    const Neighbours neighbours = neighboursOf(edges, ranks.rank());
    pieces.own.emplace(placed, neighbours.before, neighbours.behind, threads, control);
    const double reach = greatestCoordinate(placed.box);
    for (int rank = 0; rank < ranks.size(); ++rank) {
      control.checkpoint();
      const std::size_t before = given.size();
      if (rank != ranks.rank())
        pieces.own->forNodes([&](std::uint32_t node) { return pieces.own->isNear(node, boxes.of(rank), theta, reach); },
                             [&](std::uint32_t node, const Cell& cell) {
                               sent.push_back(cell);
                               given.push_back(node);
                             });
      givenCount.push_back(given.size() - before);
    }
  });
  pieces.others = ranks.allToAll(std::span<const Cell>(sent), std::span<const std::size_t>(givenCount));
  together(ranks, [&] {
    sent = {};
    part.lowest = {placed.box.lowest[0], placed.box.lowest[1], placed.box.lowest[2]};
    part.edge = placed.box.edge;
    join(pieces, ranks.rank());
    pieces.own.reset();
  });
  const std::vector<std::uint32_t> nodesAtOwner =
      ranks.allToAll(std::span<const std::uint32_t>(given), std::span<const std::size_t>(givenCount)).items;
  together(ranks, [&] {
    atOwner.assign(part.neurons(), 0);
    std::uint32_t place = 0;
    for (std::size_t i = 0; i < nodesAtOwner.size(); ++i) {
      if (pieces.others.items[i].kind == Cell::Kind::Open)
        continue;
      if (place == ownPlaces.begin)
        place = ownPlaces.end;
      atOwner[place++] = nodesAtOwner[i];
    }
  });
}

/// All nodes in depth-first order: those of lower ranks first, and each of the top in front of the first in it. Own
/// nodes that others have get their numbers.
void EssentialTree::join(const Pieces& pieces, int ownRank)
{
  NodeList list(part, pieces.top.size() + pieces.own->nodes() + pieces.others.items.size());
  auto nextTop = pieces.top.begin();
  const auto add = [&](const Cell& cell) {
    for (; nextTop != pieces.top.end() && nextTop->begin <= cell.begin; ++nextTop)
      top.push_back(list.add(*nextTop));
    return list.add(cell);
  };
  const auto places = [&] { return static_cast<std::uint32_t>(part.neurons()); };
  std::vector<std::uint32_t> nodeOf(pieces.own->nodes());
  for (int rank = 0; rank + 1 < static_cast<int>(pieces.others.begin.size()); ++rank) {
    rankBegin.push_back(places());
    for (const Cell& cell : pieces.others.of(rank))
      add(cell);
    if (rank != ownRank)
      continue;
    pieces.own->forNodes([](std::uint32_t) { return true; },
                         [&](std::uint32_t node, const Cell& cell) {
                           nodeOf[node] = add(cell);
                           if (ownNodes.end == 0)
                             ownNodes.begin = nodeOf[node];
                           ownNodes.end = nodeOf[node] + 1;
                         });
    ownPlaces = {rankBegin.back(), places()};
  }
  list.end();
  rankBegin.push_back(places());
  for (std::uint32_t& node : given)
    node = nodeOf[node];
}

int EssentialTree::owner(std::uint32_t leaf) const
{
  return static_cast<int>(std::ranges::upper_bound(rankBegin, part.leafBegin[leaf]) - rankBegin.begin()) - 1;
}

VacantElements EssentialTree::sumVacant(Communicator& ranks, const PlacedNeurons& placed,
                                        std::span<const std::uint32_t> vacant, int threads) const
{
  std::vector<VacantSum> sums;
  together(ranks, [&] {
    sums = detail::sumOverPlaces(placed.size(), threads, [&](std::size_t place) {
      return vacantAt(vacant[place], gridPoint(placed.box, placed.position[place]));
    });
  });
  const std::uint64_t all = ranks.allReduce(sums.back().count, Reduction::Sum);
  VacantElements elements;
  together(ranks, [&] {
    requireVacantCount(all);
    elements.count.resize(part.nodes());
    elements.centroid.resize(part.nodes());
    sumOwn(placed, sums, elements, threads);
  });
  sumTop(ranks, placed.box, sums, elements);
  takeOthers(ranks, elements);
  return elements;
}

void EssentialTree::sumOwn(const PlacedNeurons& placed, std::span<const VacantSum> sums, VacantElements& elements,
                           int threads) const
{
  detail::forBlocks(ownNodes.end - ownNodes.begin, threads, {}, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t node = ownNodes.begin + static_cast<std::uint32_t>(i);
      if (part.leafEnd(node) > ownPlaces.end)
        continue; // of the top
      const std::uint32_t place = part.leafBegin[node] - ownPlaces.begin;
      const VacantSum sum = sums[part.leafEnd(node) - ownPlaces.begin] - sums[place];
      elements.count[node] = static_cast<std::uint32_t>(sum.count);
      elements.centroid[node] =
          part.isLeaf(node) ? detail::centroidOf(placed.position[place], sum) : detail::centroidOf(placed.box, sum);
    }
  });
  const auto isOfTop = [&](std::uint32_t node) { return part.leafEnd(node) > ownPlaces.end; };
  const auto wideSumOf = [&](std::uint32_t node) {
    return wideSum(sums.data(), part.leafBegin[node] - ownPlaces.begin, part.leafEnd(node) - ownPlaces.begin);
  };
  detail::forLargeNodes(
      part, ownNodes.begin, ownNodes.end,
      [&](std::uint32_t node) { return isOfTop(node) || isLarge(wideSumOf(node).count); },
      [&](std::uint32_t node) {
        if (!isOfTop(node))
          detail::setSum(elements, placed.box, node, wideSumOf(node));
      });
}

/// Every rank adds what it has of them.
void EssentialTree::sumTop(Communicator& ranks, const OctreeBox& box, std::span<const VacantSum> sums,
                           VacantElements& elements) const
{
  std::vector<std::uint64_t> numbers;
  together(ranks, [&] {
    for (const std::uint32_t node : top) {
      const auto ownPlace = [&](std::uint32_t place) {
        return std::clamp(place, ownPlaces.begin, ownPlaces.end) - ownPlaces.begin;
      };
      const WideSum sum = wideSum(sums.data(), ownPlace(part.leafBegin[node]), ownPlace(part.leafEnd(node)));
      numbers.push_back(sum.count);
      numbers.insert(numbers.end(), std::begin(sum.upper), std::end(sum.upper));
      numbers.insert(numbers.end(), std::begin(sum.lower), std::end(sum.lower));
    }
  });
  ranks.allReduce(std::span(numbers), Reduction::Sum);
  for (std::size_t i = 0; i < top.size(); ++i) {
    const std::uint64_t* const n = numbers.data() + 7 * i;
    detail::setSum(elements, box, top[i], {n[0], {n[1], n[2], n[3]}, {n[4], n[5], n[6]}});
  }
  std::ranges::sort(elements.large, {}, &LargeNode::node);
}

void EssentialTree::takeOthers(Communicator& ranks, VacantElements& elements) const
{
  std::vector<NodeVacant> sent;
  together(ranks, [&] {
    sent.reserve(given.size());
    for (const std::uint32_t node : given) {
      const std::uint64_t count = elements.in(node);
      sent.push_back(
          {{static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(count >> 32)}, elements.centroid[node]});
    }
  });
  const std::vector<NodeVacant> received =
      ranks.allToAll(std::span<const NodeVacant>(sent), std::span<const std::size_t>(givenCount)).items;
  auto next = received.begin();
  auto nextTop = top.begin();
  for (std::uint32_t node = 0; node < part.nodes(); ++node) {
    if (nextTop != top.end() && *nextTop == node) {
      ++nextTop;
    } else if (node == ownNodes.begin && ownNodes.end > node) {
      // Past the own nodes, and those of the top among them.
      node = ownNodes.end - 1;
      nextTop = std::ranges::upper_bound(top, node);
    } else {
      elements.count[node] = next->count[0];
      elements.centroid[node] = next->centroid;
      if (isLarge(next->whole()))
        elements.large.push_back({node, next->whole()});
      ++next;
    }
  }
  std::ranges::sort(elements.large, {}, &LargeNode::node);
}

} // namespace hinesight::synapse
