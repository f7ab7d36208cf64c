#include "widgets/cells/tree/tree_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hinesight::widgets {

namespace {

/// Children of every branch, heaviest first; those of the last entry, one past the branches, are the roots.
struct Children
{
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> child;

  bool none(std::int32_t node) const { return begin[node] == begin[node + 1]; }
  std::int32_t first(std::int32_t node) const { return child[begin[node]]; }
  std::int32_t last(std::int32_t node) const { return child[begin[node + 1] - 1]; }
};

Children childrenByWeight(const hines::DependencyTree& tree)
{
  const auto branches = static_cast<std::int32_t>(tree.branches());
  const auto slotOf = [&](std::int32_t branch) { return tree.parent[branch] < 0 ? branches : tree.parent[branch]; };

  Children children;
  children.begin.assign(tree.branches() + 2, 0);
  for (std::int32_t branch = 0; branch < branches; ++branch) {
    ++children.begin[slotOf(branch) + 1];
  }
  std::partial_sum(children.begin.begin(), children.begin.end(), children.begin.begin());
  children.child.resize(tree.branches());
  std::vector<std::int32_t> next(children.begin.begin(), children.begin.end() - 1);
  for (std::int32_t branch = 0; branch < branches; ++branch) {
    children.child[next[slotOf(branch)]++] = branch;
  }

  const std::vector<std::int64_t> weight = subtreeCompartments(tree);
  for (std::int32_t node = 0; node <= branches; ++node) {
    std::stable_sort(children.child.begin() + children.begin[node], children.child.begin() + children.begin[node + 1],
                     [&](std::int32_t a, std::int32_t b) { return weight[a] > weight[b]; });
  }
  return children;
}

/// Puts subtrees side by side, bottom up. The outline of a subtree is followed by children and, where a shorter subtree
/// ends beside a deeper one, by a thread to the deeper one's next branch, so that joining two subtrees costs no more
/// than the depth of the shallower one.
class TidyTree
{
public:
  TidyTree(const hines::DependencyTree& tree)
      : children(childrenByWeight(tree)), nodes(static_cast<std::int32_t>(tree.branches()) + 1), offset(nodes, 0.0),
        thread(nodes, -1), threadDelta(nodes, 0.0), leftEnd(nodes), rightEnd(nodes)
  {
    // A parent comes before its children, so that falling order meets every subtree before its parent.
    for (std::int32_t node = nodes - 1 - 1; node >= 0; --node) {
      placeChildren(node);
    }
    placeChildren(nodes - 1);
  }

  /// Of a branch from its parent; of a root from the middle of all roots.
  double offsetFromParent(std::int32_t branch) const { return offset[branch]; }

private:
  /// A branch with its place across, in the frame of the subtree in question; node -1: none.
  struct Place
  {
    std::int32_t node = -1;
    double x = 0;
  };

  Place shifted(const Place& place, double by) const { return {place.node, place.x + by}; }

  Place below(const Place& place, bool leftOutline) const
  {
    if (!children.none(place.node)) {
      const std::int32_t child = leftOutline ? children.first(place.node) : children.last(place.node);
      return {child, place.x + offset[child]};
    }
    return {thread[place.node], place.x + threadDelta[place.node]};
  }

  void tie(const Place& from, const Place& to)
  {
    thread[from.node] = to.node;
    threadDelta[from.node] = to.x - from.x;
  }

  void placeChildren(std::int32_t node)
  {
    if (children.none(node)) {
      leftEnd[node] = rightEnd[node] = {node, 0};
      return;
    }
    const std::int32_t begin = children.begin[node];
    const std::int32_t end = children.begin[node + 1];
    const std::int32_t firstChild = children.child[begin];
    offset[firstChild] = 0;
    Place forestLeft = leftEnd[firstChild];
    Place forestRight = rightEnd[firstChild];
    for (std::int32_t k = begin + 1; k < end; ++k) {
      join(children.child[k - 1], children.child[k], forestLeft, forestRight);
    }
    const double middle = 0.5 * offset[children.child[end - 1]];
    for (std::int32_t k = begin; k < end; ++k) {
      offset[children.child[k]] -= middle;
    }
    leftEnd[node] = shifted(forestLeft, -middle);
    rightEnd[node] = shifted(forestRight, -middle);
  }

  /// Moves the subtree of `next` beside those of its elder siblings, the last of which is `elder`. `forestLeft` and
  /// `forestRight`: the outermost branches of the deepest row of what stands already, then of everything.
  void join(std::int32_t elder, std::int32_t next, Place& forestLeft, Place& forestRight)
  {
    Place left{elder, offset[elder]}; // down the right outline of what stands
    Place right{next, 0};             // down the left outline of what comes
    double shift = -std::numeric_limits<double>::infinity();
    while (left.node >= 0 && right.node >= 0) {
      shift = std::max(shift, left.x + 1 - right.x);
      left = below(left, false);
      right = below(right, true);
    }
    offset[next] = shift;
    if (left.node >= 0) { // what stands is deeper
      tie(shifted(rightEnd[next], shift), left);
      return;
    }
    forestRight = shifted(rightEnd[next], shift);
    if (right.node >= 0) { // what comes is deeper
      tie(forestLeft, shifted(right, shift));
      forestLeft = shifted(leftEnd[next], shift);
    }
  }

  Children children;
  std::int32_t nodes;
  std::vector<double> offset;
  std::vector<std::int32_t> thread;
  std::vector<double> threadDelta;
  std::vector<Place> leftEnd; ///< of the deepest row of a subtree, from its top branch
  std::vector<Place> rightEnd;
};

} // namespace

std::int64_t TreeLayout::steps() const
{
  return std::accumulate(rowHeight.begin(), rowHeight.end(), std::int64_t{0});
}

TreeLayout layOutTree(const hines::DependencyTree& tree, double rowGap)
{
  TreeLayout layout;
  layout.rowGap = rowGap;
  layout.rowHeight = longestOfLevels(tree);
  layout.rowTop.reserve(layout.rowHeight.size());
  for (const std::int32_t height : layout.rowHeight) {
    layout.rowTop.push_back(layout.height);
    layout.height += height + rowGap;
  }
  if (tree.branches() == 0) {
    return layout;
  }
  layout.height -= rowGap;

  const TidyTree tidy(tree);
  layout.x.resize(tree.branches());
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const std::int32_t parent = tree.parent[branch];
    layout.x[branch] = tidy.offsetFromParent(static_cast<std::int32_t>(branch)) + (parent < 0 ? 0 : layout.x[parent]);
  }
  const auto [leftmost, rightmost] = std::minmax_element(layout.x.begin(), layout.x.end());
  const double left = *leftmost - 0.5;
  layout.width = *rightmost + 0.5 - left;
  for (double& x : layout.x) {
    x -= left;
  }
  return layout;
}

std::vector<std::int32_t> longestOfLevels(const hines::DependencyTree& tree)
{
  std::vector<std::int32_t> longest(tree.levels(), 0);
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    std::int32_t& length = longest[tree.level[branch]];
    length = std::max(length, tree.length[branch]);
  }
  return longest;
}

std::vector<std::int64_t> subtreeCompartments(const hines::DependencyTree& tree)
{
  std::vector<std::int64_t> weight(tree.length.begin(), tree.length.end());
  for (std::size_t branch = tree.branches(); branch-- > 0;) {
    if (tree.parent[branch] >= 0) {
      weight[tree.parent[branch]] += weight[branch];
    }
  }
  return weight;
}

std::vector<std::int32_t> criticalPath(const hines::DependencyTree& tree)
{
  std::vector<std::int64_t> depth(tree.branches());
  for (std::size_t branch = 0; branch < tree.branches(); ++branch) {
    const std::int32_t parent = tree.parent[branch];
    depth[branch] = tree.length[branch] + (parent < 0 ? 0 : depth[parent]);
  }
  std::vector<std::int32_t> path;
  if (depth.empty()) {
    return path;
  }
  auto branch = static_cast<std::int32_t>(std::max_element(depth.begin(), depth.end()) - depth.begin());
  for (; branch >= 0; branch = tree.parent[branch]) {
    path.push_back(branch);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

UncutBranches joinPieces(const hines::DependencyTree& tree)
{
  UncutBranches uncut;
  if (tree.branches() == 0) {
    return uncut;
  }
  const std::size_t count = static_cast<std::size_t>(*std::max_element(tree.uncut.begin(), tree.uncut.end())) + 1;
  uncut.level.assign(count, -1);
  uncut.length.assign(count, 0);
  uncut.top.assign(count, -1);
  for (std::size_t piece = 0; piece < tree.branches(); ++piece) {
    const std::int32_t branch = tree.uncut[piece];
    uncut.length[branch] += tree.length[piece];
    if (uncut.top[branch] < 0) { // the first piece of a branch precedes the others
      const std::int32_t parent = tree.parent[piece];
      uncut.top[branch] = static_cast<std::int32_t>(piece);
      uncut.level[branch] = parent < 0 ? 0 : uncut.level[tree.uncut[parent]] + 1;
    }
  }
  return uncut;
}

} // namespace hinesight::widgets
