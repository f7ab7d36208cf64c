#include "synapse/check/verify_reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace hinesight::synapse::reference {

namespace {

double valueOfGamma(const KernelParameters& p, double d)
{
  return std::pow(d, p.gammaK - 1) * std::exp(-d / p.gammaTheta) /
         (std::tgamma(p.gammaK) * std::pow(p.gammaTheta, p.gammaK));
}

double valueOfWeibull(const KernelParameters& p, double d)
{
  return p.weibullB * p.weibullK * std::pow(d, p.weibullK - 1) * std::exp(-p.weibullB * std::pow(d, p.weibullK));
}

/// Divides by the sum; where that is 0, leaves zeros.
void normalise(std::vector<double>& weights)
{
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum > 0)
    for (double& weight : weights)
      weight /= sum;
}

} // namespace

double squaredDistance(const Position& a, const Position& b)
{
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  return sum;
}

double kernel(const KernelParameters& p, double distance)
{
  switch (p.kind) {
  case AttractionKind::Gaussian: {
    const double z = (distance - p.mu) / p.sigma;
    return std::exp(-z * z);
  }
  case AttractionKind::Linear:
    if (std::isinf(p.cutoff))
      return 1;
    return distance <= p.cutoff ? 1 - distance / p.cutoff : 0;
  case AttractionKind::Gamma:
    return valueOfGamma(p, distance);
  case AttractionKind::Weibull:
    break;
  }
  return valueOfWeibull(p, distance);
}

Tree::Tree(std::span<const Position> positions, std::span<const std::uint32_t> vacant, const Position& lowest,
           double edge)
    : place(positions), vacantElements(vacant)
{
  Node root;
  root.children.fill(-1);
  root.edge = edge;
  for (std::size_t axis = 0; axis < 3; ++axis)
    root.middle[axis] = lowest[axis] + edge / 2;
  tree.push_back(root);
  for (std::uint32_t neuron = 0; neuron < positions.size(); ++neuron)
    insert(neuron);
  sumUp();
}

std::int32_t Tree::childOf(std::int32_t node, const Position& at) const
{
  const Position& middle = tree[static_cast<std::size_t>(node)].middle;
  std::int32_t octant = 0;
  for (int axis = 0; axis < 3; ++axis)
    octant |= (at[static_cast<std::size_t>(axis)] >= middle[static_cast<std::size_t>(axis)] ? 1 : 0) << axis;
  return octant;
}

std::int32_t Tree::addChild(std::int32_t node, const Position& at)
{
  const auto octant = static_cast<std::size_t>(childOf(node, at));
  const auto index = static_cast<std::int32_t>(tree.size());
  Node child;
  child.children.fill(-1);
  child.edge = tree[static_cast<std::size_t>(node)].edge / 2;
  for (std::size_t axis = 0; axis < 3; ++axis)
    child.middle[axis] = tree[static_cast<std::size_t>(node)].middle[axis] +
                         ((octant >> axis & 1) != 0 ? child.edge / 2 : -child.edge / 2);
  tree[static_cast<std::size_t>(node)].children[octant] = index;
  tree.push_back(child);
  return index;
}

/// As RELeARN inserts: down to the empty octant; a leaf that is in the way moves down until the two part. The positions
/// that this is used with part at some level.
void Tree::insert(std::uint32_t neuron)
{
  std::int32_t node = 0;
  while (true) {
    const std::int32_t next =
        tree[static_cast<std::size_t>(node)].children[static_cast<std::size_t>(childOf(node, place[neuron]))];
    if (next < 0) {
      tree[static_cast<std::size_t>(addChild(node, place[neuron]))].neuron = neuron;
      return;
    }
    if (isLeaf(next)) {
      const std::uint32_t other = std::exchange(tree[static_cast<std::size_t>(next)].neuron, kNoTarget);
      tree[static_cast<std::size_t>(addChild(next, place[other]))].neuron = other;
    }
    node = next;
  }
}

/// A child comes after its parent, so that one pass from the end is bottom-up.
void Tree::sumUp()
{
  for (std::size_t i = tree.size(); i-- > 0;) {
    Node& node = tree[i];
    if (node.neuron != kNoTarget) {
      node.weight = vacantElements[node.neuron];
      node.centroid = place[node.neuron];
      continue;
    }
    for (const std::int32_t index : node.children) {
      if (index < 0)
        continue;
      const Node& child = tree[static_cast<std::size_t>(index)];
      node.weight += child.weight;
      for (std::size_t axis = 0; axis < 3; ++axis)
        node.centroid[axis] += child.weight * child.centroid[axis];
    }
    for (double& x : node.centroid)
      x = node.weight > 0 ? x / node.weight : 0;
  }
}

std::size_t Tree::branchings() const
{
  return static_cast<std::size_t>(std::ranges::count_if(tree, [](const Node& node) {
    const auto children = std::ranges::count_if(node.children, [](std::int32_t child) { return child >= 0; });
    return node.neuron != kNoTarget || children > 1;
  }));
}

void Tree::gather(std::int32_t from, const Position& seeker, double theta, std::vector<std::int32_t>& accepted) const
{
  std::vector<std::int32_t> open(tree[static_cast<std::size_t>(from)].children.begin(),
                                 tree[static_cast<std::size_t>(from)].children.end());
  while (!open.empty()) {
    const std::int32_t index = open.back();
    open.pop_back();
    if (index < 0)
      continue;
    const Node& node = tree[static_cast<std::size_t>(index)];
    const double distance = std::sqrt(squaredDistance(node.centroid, seeker));
    if (node.weight == 0 || (node.neuron != kNoTarget && distance == 0))
      continue;
    if (node.neuron != kNoTarget || node.edge < theta * distance)
      accepted.push_back(index);
    else
      open.insert(open.end(), node.children.begin(), node.children.end());
  }
}

std::vector<double> Tree::inducedDistribution(std::uint32_t seeker, double theta,
                                              const KernelParameters& parameters) const
{
  std::vector<double> probability(place.size(), 0);
  std::vector<std::pair<std::int32_t, double>> open = {{0, 1.0}}; // nodes to descend into, with their probability
  std::vector<std::int32_t> accepted;
  std::vector<double> weights;
  while (!open.empty()) {
    const auto [from, share] = open.back();
    open.pop_back();
    accepted.clear();
    weights.clear();
    gather(from, place[seeker], theta, accepted);
    bool isAny = false;
    for (const std::int32_t index : accepted) {
      const Node& node = tree[static_cast<std::size_t>(index)];
      const double distance = std::sqrt(squaredDistance(node.centroid, place[seeker]));
      weights.push_back(node.weight * kernel(parameters, distance));
      isAny = isAny || weights.back() > 0;
    }
    for (std::size_t i = 0; !isAny && i < accepted.size(); ++i) {
      const Node& node = tree[static_cast<std::size_t>(accepted[i])];
      weights[i] = node.weight / std::sqrt(squaredDistance(node.centroid, place[seeker]));
    }
    normalise(weights);
    for (std::size_t i = 0; i < accepted.size(); ++i) {
      if (weights[i] == 0)
        continue;
      if (isLeaf(accepted[i]))
        probability[tree[static_cast<std::size_t>(accepted[i])].neuron] += share * weights[i];
      else
        open.emplace_back(accepted[i], share * weights[i]);
    }
  }
  return probability;
}

std::vector<double> exactDistribution(std::span<const Position> positions, std::span<const std::uint32_t> vacant,
                                      std::uint32_t seeker, const KernelParameters& parameters)
{
  std::vector<double> probability(positions.size(), 0);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double distance = std::sqrt(squaredDistance(positions[i], positions[seeker]));
    if (vacant[i] > 0 && distance > 0)
      probability[i] = vacant[i] * kernel(parameters, distance);
  }
  normalise(probability);
  return probability;
}

double totalVariation(std::span<const double> a, std::span<const double> b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

} // namespace hinesight::synapse::reference
