#include "hines/branch/branching.hpp"

#include "hines/pulse.hpp"

#include <algorithm>

namespace hinesight::hines::detail {

Children childrenOf(std::span<const std::int32_t> parent, const RunControl& control)
{
  Pulse pulse(control);
  Children children;
  children.begin.assign(parent.size() + 1, 0);
  for (const std::int32_t p : parent) {
    pulse.tick();
    if (p >= 0)
      ++children.begin[static_cast<std::size_t>(p) + 1];
  }
  for (std::size_t k = 0; k < parent.size(); ++k)
    children.begin[k + 1] += children.begin[k];
  children.child.resize(static_cast<std::size_t>(children.begin.back()));
  std::vector<std::int32_t> next(children.begin.begin(), children.begin.end() - 1);
  for (std::size_t k = 0; k < parent.size(); ++k) {
    pulse.tick();
    if (parent[k] >= 0)
      children.child[static_cast<std::size_t>(next[static_cast<std::size_t>(parent[k])]++)] =
          static_cast<std::int32_t>(k);
  }
  return children;
}

PlannedShape buildShape(const Rooting& rooting, std::uint32_t batchShape, const RunControl& control)
{
  const std::size_t n = rooting.parent.size();
  const Children children = childrenOf(rooting.parent, control);

  PlannedShape shape;
  shape.batchShape = batchShape;
  shape.compartment.reserve(n);
  shape.couplingSource.reserve(n);
  shape.parent.reserve(n);
  DependencyTree& tree = shape.tree;
  std::vector<std::int32_t> start;  // per branch, in breadth-first order: its first compartment
  std::vector<std::int32_t> pathTo; // per branch: compartments from the root to its end
  const auto append = [&](std::int32_t first, std::int32_t parentBranch) {
    start.push_back(first);
    tree.parent.push_back(parentBranch);
  };
  for (std::size_t i = 0; i < n; ++i)
    if (rooting.parent[i] < 0)
      append(static_cast<std::int32_t>(i), -1);

  Pulse pulse(control);
  for (std::size_t k = 0; k < start.size(); ++k) {
    const std::int32_t parentBranch = tree.parent[k];
    const auto first = static_cast<std::int32_t>(shape.compartment.size());
    std::int32_t plannedParent = parentBranch < 0 ? -1 : tree.first[parentBranch] + tree.length[parentBranch] - 1;
    std::int32_t c = start[k];
    while (true) {
      pulse.tick();
      const auto index = static_cast<std::int32_t>(shape.compartment.size());
      shape.compartment.push_back(c);
      shape.couplingSource.push_back(rooting.couplingSource[c]);
      shape.parent.push_back(plannedParent);
      plannedParent = index;
      if (children.of(c).size() != 1)
        break;
      c = children.of(c).front();
    }
    tree.first.push_back(first);
    tree.length.push_back(static_cast<std::int32_t>(shape.compartment.size()) - first);
    tree.level.push_back(parentBranch < 0 ? 0 : tree.level[parentBranch] + 1);
    tree.uncut.push_back(static_cast<std::int32_t>(k));
    pathTo.push_back((parentBranch < 0 ? 0 : pathTo[parentBranch]) + tree.length.back());
    for (const std::int32_t child : children.of(c))
      append(child, static_cast<std::int32_t>(k));
  }
  shape.criticalPath = pathTo.empty() ? 0 : *std::max_element(pathTo.begin(), pathTo.end());
  return shape;
}

} // namespace hinesight::hines::detail
