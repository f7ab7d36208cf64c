#include "morphology/branches.hpp"

#include <algorithm>
#include <limits>

namespace hinesight::morphology {

namespace {

/// Whether a branch begins with `sample`, which is no root.
bool startsBranch(const Morphology& morphology, std::int32_t sample)
{
  const std::int32_t parent = morphology.parent[sample];
  return morphology.parent[parent] < 0 || morphology.childCount(parent) >= 2;
}

void addBranch(const Morphology& morphology, std::int32_t sample, BranchTree& tree)
{
  const std::int32_t start = morphology.parent[sample];
  const std::int32_t parent = tree.ofSample[start];
  tree.sampleBegin.push_back(static_cast<std::int32_t>(tree.sample.size()));
  tree.start.push_back(start);
  tree.parent.push_back(parent);
  tree.order.push_back(parent < 0 ? 0 : tree.order[parent] + 1);
  tree.type.push_back(morphology.type[sample]);
  tree.length.push_back(0);
}

/// All of the tree but its lengths. Whether every sample comes behind its parent in the file.
bool numberBranches(const Morphology& morphology, BranchTree& tree)
{
  constexpr std::size_t kAhead = 12; // samples whose data are asked for before they are needed
  const std::vector<std::int32_t>& order = morphology.order;
  bool areParentsFirst = true;
  tree.ofSample.assign(morphology.samples(), -1);
  tree.sample.reserve(morphology.samples() - morphology.roots.size());
  // Depth first, an unbranched chain is visited without a gap: the samples of a branch lie side by side in the order.
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (at + kAhead < order.size()) {
      const std::int32_t later = order[at + kAhead];
      __builtin_prefetch(&morphology.parent[later]);
      __builtin_prefetch(&morphology.childBegin[later]);
      __builtin_prefetch(&morphology.type[later]);
      __builtin_prefetch(&tree.ofSample[later], 1);
    }
    const std::int32_t sample = order[at];
    const std::int32_t parent = morphology.parent[sample];
    if (parent < 0)
      continue;
    areParentsFirst &= parent < sample;
    if (startsBranch(morphology, sample))
      addBranch(morphology, sample, tree);
    tree.ofSample[sample] = static_cast<std::int32_t>(tree.branches()) - 1;
    tree.sample.push_back(sample);
  }
  tree.sampleBegin.push_back(static_cast<std::int32_t>(tree.sample.size()));
  return areParentsFirst;
}

/// After the sample's parent.
void addLength(const Morphology& morphology, std::int32_t sample, BranchTree& tree)
{
  const std::int32_t parent = morphology.parent[sample];
  if (parent < 0)
    return;
  const double step = sampleDistance(morphology, sample, parent);
  tree.length[tree.ofSample[sample]] += step;
  tree.pathDistance[sample] = tree.pathDistance[parent] + step;
}

} // namespace

BranchTree findBranches(const Morphology& morphology)
{
  BranchTree tree;
  const bool areParentsFirst = numberBranches(morphology, tree);
  // The same sums either way; those in the order of the file read less of what is not in a cache.
  tree.pathDistance.assign(morphology.samples(), 0);
  if (areParentsFirst) {
    for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(morphology.samples()); ++sample)
      addLength(morphology, sample, tree);
  } else {
    for (const std::int32_t sample : morphology.order)
      addLength(morphology, sample, tree);
  }
  return tree;
}

MorphologyMetrics measure(const Morphology& morphology, const BranchTree& branches)
{
  MorphologyMetrics metrics;
  metrics.samples = morphology.samples();
  metrics.branches = branches.branches();
  metrics.roots = morphology.roots.size();
  for (std::int32_t sample = 0; sample < static_cast<std::int32_t>(morphology.samples()); ++sample) {
    const std::int32_t children = morphology.childCount(sample);
    metrics.bifurcations += children >= 2;
    metrics.tips += children == 0 && morphology.parent[sample] >= 0;
    metrics.somaSamples += morphology.type[sample] == kSoma;
    metrics.maxPathDistance = std::max(metrics.maxPathDistance, branches.pathDistance[sample]);
  }
  for (std::size_t branch = 0; branch < branches.branches(); ++branch) {
    metrics.maxBranchOrder = std::max(metrics.maxBranchOrder, branches.order[branch]);
    metrics.totalLength += branches.length[branch];
  }
  const std::vector<double>* axes[3] = {&morphology.x, &morphology.y, &morphology.z};
  for (int axis = 0; axis < 3 && metrics.samples > 0; ++axis) {
    const auto [lowest, highest] = std::minmax_element(axes[axis]->begin(), axes[axis]->end());
    metrics.lower[axis] = *lowest;
    metrics.upper[axis] = *highest;
  }
  return metrics;
}

} // namespace hinesight::morphology
