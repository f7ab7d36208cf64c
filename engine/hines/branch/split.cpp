#include "hines/branch/split.hpp"

#include "hines/branch/branching.hpp"
#include "hines/pulse.hpp"

#include <algorithm>
#include <numeric>

namespace hinesight::hines::detail {

namespace {

/// One shape on its way down: the branches, or what is left of them, that have arrived on the current level.
class TreeCutter
{
public:
  TreeCutter(const PlannedShape& uncut, std::size_t cellsOfShape, const RunControl& control)
      : source(&uncut), children(childrenOf(uncut.tree.parent, control)), copies(static_cast<double>(cellsOfShape))
  {
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(uncut.tree.branches()); ++k)
      if (uncut.tree.parent[k] < 0)
        arrived.push_back({k, 0, -1});
  }

  bool done() const { return arrived.empty(); }

  void addTo(LevelSum& sum) const
  {
    std::int64_t compartments = 0;
    for (const Rest& rest : arrived)
      compartments += source->tree.length[rest.branch] - rest.cutOff;
    sum.branches += copies * static_cast<double>(arrived.size());
    sum.compartments += copies * static_cast<double>(compartments);
  }

  /// Puts a piece of each arrived branch on the current level and moves on to the next.
  void cutLevel(std::int32_t threshold, Pulse& pulse)
  {
    std::vector<Rest> next;
    for (const Rest& rest : arrived) {
      pulse.tick();
      const auto piece = static_cast<std::int32_t>(tree.parent.size());
      const std::int32_t left = source->tree.length[rest.branch] - rest.cutOff;
      const std::int32_t kept = std::min(left, threshold);
      tree.parent.push_back(rest.parentPiece);
      tree.level.push_back(level);
      tree.first.push_back(source->tree.first[rest.branch] + rest.cutOff);
      tree.length.push_back(kept);
      tree.uncut.push_back(rest.branch);
      if (kept < left) {
        next.push_back({rest.branch, rest.cutOff + kept, piece});
        continue;
      }
      for (const std::int32_t child : children.of(rest.branch))
        next.push_back({child, 0, piece});
    }
    arrived = std::move(next);
    ++level;
  }

  /// The pieces with their compartments numbered anew, piece after piece.
  PlannedShape finish(Pulse& pulse)
  {
    PlannedShape shape;
    shape.batchShape = source->batchShape;
    shape.criticalPath = source->criticalPath;
    shape.compartment.reserve(source->compartment.size());
    shape.couplingSource.reserve(source->compartment.size());
    shape.parent.reserve(source->compartment.size());
    for (std::size_t piece = 0; piece < tree.branches(); ++piece) {
      const std::int32_t oldFirst = tree.first[piece];
      tree.first[piece] = static_cast<std::int32_t>(shape.compartment.size());
      const std::int32_t p = tree.parent[piece];
      std::int32_t plannedParent = p < 0 ? -1 : tree.first[p] + tree.length[p] - 1;
      for (std::int32_t k = 0; k < tree.length[piece]; ++k) {
        pulse.tick();
        shape.compartment.push_back(source->compartment[oldFirst + k]);
        shape.couplingSource.push_back(source->couplingSource[oldFirst + k]);
        shape.parent.push_back(plannedParent);
        plannedParent = tree.first[piece] + k;
      }
    }
    shape.tree = std::move(tree);
    return shape;
  }

private:
  struct Rest
  {
    std::int32_t branch;      ///< uncut
    std::int32_t cutOff;      ///< compartments of it that earlier levels keep
    std::int32_t parentPiece; ///< -1 at a root
  };

  const PlannedShape* source;
  Children children;
  double copies;
  std::vector<Rest> arrived;
  std::int32_t level = 0;
  DependencyTree tree;
};

} // namespace

CutShapes cutByLevel(std::span<const PlannedShape* const> shapes, std::span<const std::size_t> copies,
                     const ThresholdRule& rule, const RunControl& control)
{
  Pulse pulse(control);
  std::vector<TreeCutter> cutters;
  cutters.reserve(shapes.size());
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    control.checkpoint();
    cutters.emplace_back(*shapes[s], copies[s], control);
  }

  CutShapes cut;
  std::vector<std::size_t> active(shapes.size());
  std::iota(active.begin(), active.end(), std::size_t{0});
  while (true) {
    std::erase_if(active, [&](std::size_t s) { return cutters[s].done(); });
    if (active.empty())
      break;
    control.checkpoint();
    LevelSum sum;
    for (const std::size_t s : active)
      cutters[s].addTo(sum);
    const double threshold = std::max(1.0, rule(sum));
    cut.levelThreshold.push_back(threshold);
    const auto kept = static_cast<std::int32_t>(std::min(threshold, 2147483647.0));
    for (const std::size_t s : active)
      cutters[s].cutLevel(kept, pulse);
  }
  cut.shapes.reserve(shapes.size());
  for (TreeCutter& cutter : cutters)
    cut.shapes.push_back(cutter.finish(pulse));
  return cut;
}

} // namespace hinesight::hines::detail
