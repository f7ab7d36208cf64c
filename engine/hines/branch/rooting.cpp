#include "hines/branch/rooting.hpp"

#include "hines/pulse.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace hinesight::hines::detail {

namespace {

/// Per compartment, the greatest sum of weights along any path that starts at it, both ends included. Weights are not
/// negative. Children follow their parents, so one pass up and one pass down see every path.
template <typename Weight>
std::vector<std::int32_t> eccentricities(std::span<const std::int32_t> parent, Weight weight, Pulse& pulse)
{
  const auto n = static_cast<std::int32_t>(parent.size());
  std::vector<std::int32_t> best(parent.size(), 0);   // heaviest path into one subtree of a child
  std::vector<std::int32_t> second(parent.size(), 0); // the same into another child's
  for (std::int32_t i = n - 1; i >= 0; --i) {
    pulse.tick();
    const std::int32_t p = parent[i];
    if (p < 0)
      continue;
    const std::int32_t down = best[i] + weight(i);
    if (down > best[p]) {
      second[p] = best[p];
      best[p] = down;
    } else {
      second[p] = std::max(second[p], down);
    }
  }
  // `second` of a compartment is no longer needed once its children are done, `above` is needed only then.
  std::vector<std::int32_t> above(parent.size(), 0); // heaviest path that leaves by the parent, without the start
  for (std::int32_t i = 0; i < n; ++i) {
    pulse.tick();
    const std::int32_t p = parent[i];
    if (p < 0)
      continue;
    const bool isBest = best[i] + weight(i) == best[p];
    above[i] = weight(p) + std::max(above[p], isBest ? second[p] : best[p]);
  }
  std::vector<std::int32_t> longest(parent.size());
  for (std::int32_t i = 0; i < n; ++i)
    longest[i] = weight(i) + std::max(best[i], above[i]);
  return longest;
}

std::vector<std::int32_t> degrees(std::span<const std::int32_t> parent)
{
  std::vector<std::int32_t> degree(parent.size(), 0);
  for (std::size_t i = 0; i < parent.size(); ++i) {
    if (parent[i] < 0)
      continue;
    ++degree[i];
    ++degree[static_cast<std::size_t>(parent[i])];
  }
  return degree;
}

/// Hangs the tree of `root` from it: every edge on the way to the old root is turned round. The coupling of an edge
/// stays where the file has it, at the end that was the child.
void turnPath(Rooting& rooting, std::int32_t root)
{
  std::int32_t newParent = -1;
  for (std::int32_t i = root; i >= 0;) {
    const std::int32_t oldParent = rooting.parent[i];
    rooting.parent[i] = newParent;
    rooting.couplingSource[i] = newParent;
    newParent = i;
    i = oldParent;
  }
}

} // namespace

Rooting rootAsRead(const std::vector<std::int32_t>& parent)
{
  Rooting rooting{parent, std::vector<std::int32_t>(parent.size())};
  for (std::size_t i = 0; i < parent.size(); ++i)
    rooting.couplingSource[i] = parent[i] < 0 ? -1 : static_cast<std::int32_t>(i);
  return rooting;
}

Rooting rootBalanced(const std::vector<std::int32_t>& parent, BalanceMeasure measure, const RunControl& control)
{
  Rooting rooting = rootAsRead(parent);
  if (measure == BalanceMeasure::None)
    return rooting;

  Pulse pulse(control);
  const std::vector<std::int32_t> degree = degrees(parent);
  const auto isJunction = [&](std::int32_t i) { return degree[i] >= 3 ? 1 : 0; };
  const std::vector<std::int32_t> longest = eccentricities(
      parent, [](std::int32_t) { return 1; }, pulse);
  const std::vector<std::int32_t> junctions = eccentricities(parent, isJunction, pulse);

  // Below the root a branch ends at every junction; the root ends its own branch already where it has two children.
  using Key = std::tuple<std::int32_t, std::int32_t, bool, std::int32_t>;
  const auto keyOf = [&](std::int32_t i) {
    const std::int32_t levels = 1 + (degree[i] >= 2 ? 1 : 0) + junctions[i] - isJunction(i);
    return measure == BalanceMeasure::Branches ? Key{levels, longest[i], parent[i] >= 0, i}
                                               : Key{longest[i], levels, parent[i] >= 0, i};
  };
  std::vector<std::int32_t> tree(parent.size()); // per compartment: number of its tree
  std::vector<std::int32_t> centre;              // per tree
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(parent.size()); ++i) {
    pulse.tick();
    if (parent[i] < 0) {
      tree[i] = static_cast<std::int32_t>(centre.size());
      centre.push_back(i);
      continue;
    }
    tree[i] = tree[parent[i]];
    std::int32_t& best = centre[tree[i]];
    if (keyOf(i) < keyOf(best))
      best = i;
  }
  for (const std::int32_t root : centre)
    turnPath(rooting, root);
  return rooting;
}

} // namespace hinesight::hines::detail
