#include "simulation/cells/elimination.hpp"

#include <algorithm>
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

EliminationPlan::EliminationPlan(std::span<const std::int32_t> parent) : placeOf(parent.size())
{
  struct Neighbours
  {
    std::uint32_t up;
    std::int32_t down;
  };
  Rest rest(parent);
  std::vector<std::uint32_t> left(parent.size() - 1);
  std::iota(left.rbegin(), left.rend(), 1u); // children come before their parents
  std::vector<std::uint32_t> roundOf(parent.size(), 0);
  std::vector<Neighbours> neighbours; // nodes, per place
  std::vector<std::uint32_t> firstOfRound = {0};
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
      neighbours.push_back({up, down});
    }
    // Only now does the tree change: what was independent stays so.
    for (std::size_t k = begin; k < neighbours.size(); ++k) {
      const auto [up, down] = neighbours[k];
      rest.removeChild(static_cast<std::int32_t>(up), static_cast<std::int32_t>(nodeAt[k]));
      if (down < 0)
        continue;
      rest.parent[static_cast<std::size_t>(down)] = static_cast<std::int32_t>(up);
      rest.addChild(static_cast<std::int32_t>(up), down);
    }
    firstOfRound.push_back(static_cast<std::uint32_t>(nodeAt.size()));
    std::erase_if(left, [&](std::uint32_t node) { return roundOf[node] == round; });
  }
  nodeAt.push_back(0);
  for (std::uint32_t place = 0; place < nodeAt.size(); ++place)
    placeOf[nodeAt[place]] = place;

  more = {0}; // none
  const auto root = static_cast<std::uint32_t>(nodeAt.size() - 1);
  std::vector<std::vector<std::uint32_t>> sourcesOf(parent.size()); // of the round before, per place
  const auto addItem = [&](EliminationItem item) {
    std::vector<std::uint32_t>& from = sourcesOf[item.place];
    item.first = from.empty() ? kNoSource : from[0];
    item.second = from.size() < 2 ? kNoSource : from[1];
    if (from.size() > 2) {
      item.more = static_cast<std::uint32_t>(more.size());
      more.push_back(static_cast<std::uint32_t>(from.size() - 2));
      more.insert(more.end(), from.begin() + 2, from.end());
    }
    from.clear();
    items.push_back(item);
  };
  for (std::size_t round = 0; round + 1 < firstOfRound.size(); ++round) {
    const std::uint32_t first = firstOfRound[round], end = firstOfRound[round + 1];
    const std::size_t before = items.size();
    for (std::uint32_t place = first; place < end; ++place) {
      const auto [up, down] = neighbours[place];
      addItem({.place = place,
               .up = placeOf[up],
               .below = down < 0 ? place : placeOf[static_cast<std::size_t>(down)],
               .isEliminated = 1});
    }
    for (std::uint32_t place = end; place <= root; ++place)
      if (!sourcesOf[place].empty())
        addItem({.place = place, .up = place, .below = place});
    rounds.push_back({.first = static_cast<std::uint32_t>(before),
                      .items = static_cast<std::uint32_t>(items.size() - before),
                      .eliminated = end - first});
    for (std::size_t k = before; k < before + (end - first); ++k) {
      const EliminationItem& item = items[k];
      sourcesOf[item.up].push_back(2 * item.place);
      if (item.below != item.place)
        sourcesOf[item.below].push_back(2 * item.place + kFromUp);
    }
  }
  rounds.push_back({.first = static_cast<std::uint32_t>(items.size()), .items = 1, .eliminated = 0});
  addItem({.place = root, .up = root, .below = root, .isRoot = 1});
}

} // namespace hinesight::simulation
