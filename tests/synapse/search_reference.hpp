#pragma once

#include "synapse/formation/formation.hpp"
#include "synapse/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace hinesight::tests {

/// What a search should do, written once more from its description (Barnes and Hut 1986; Rinke et al. 2018), in double
/// precision and with the library's functions.
class SearchReference
{
public:
  SearchReference(const synapse::Octree& octree, const std::vector<synapse::Position>& positions,
                  const std::vector<std::uint32_t>& vacantByNeuron, const synapse::SearchParameters& searchParameters)
      : tree(octree), position(positions), vacant(vacantByNeuron), parameters(searchParameters)
  {
    sums.resize(tree.nodes());
    for (std::size_t node = tree.nodes(); node-- > 0;)
      sums[node] = sumOf(static_cast<std::uint32_t>(node));
  }

  /// The exact probability of each neuron to be found.
  std::vector<double> exact(std::uint32_t seeker) const
  {
    std::vector<double> probability(position.size());
    double sum = 0;
    for (std::size_t i = 0; i < position.size(); ++i) {
      const double d = distance(position[seeker], position[i]);
      probability[i] = d > 0 ? vacant[i] * kernelValue(parameters.kernel, d) : 0;
      sum += probability[i];
    }
    for (double& p : probability)
      p /= sum;
    return probability;
  }

  /// That of the search with its theta: the product over the descent.
  std::vector<double> induced(std::uint32_t seeker) const
  {
    std::vector<double> probability(position.size());
    std::vector<std::pair<std::uint32_t, double>> open = {{0, 1.0}};
    while (!open.empty()) {
      const auto [from, share] = open.back();
      open.pop_back();
      for (const auto& [node, p] : accepted(seeker, from)) {
        if (tree.isLeaf(node))
          probability[tree.order[tree.leafBegin[node]]] += share * p;
        else
          open.emplace_back(node, share * p);
      }
    }
    return probability;
  }

  /// What the seeker weighs below `from`, with its probability.
  std::vector<std::pair<std::uint32_t, double>> accepted(std::uint32_t seeker, std::uint32_t from) const
  {
    std::vector<std::pair<std::uint32_t, double>> nodes;
    std::vector<std::uint32_t> open = childrenOf(from);
    double sum = 0;
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      if (sums[node].count == 0)
        continue;
      const double d = distance(position[seeker], sums[node].centroid);
      if (!isAccepted(node, d)) {
        for (const std::uint32_t child : childrenOf(node))
          open.push_back(child);
        continue;
      }
      nodes.emplace_back(node, static_cast<double>(sums[node].count) * kernelValue(parameters.kernel, d));
      sum += nodes.back().second;
    }
    for (auto& [node, p] : nodes)
      p /= sum;
    return nodes;
  }

  bool isAccepted(std::uint32_t node, double d) const
  {
    if (tree.isLeaf(node))
      return d > 0;
    return parameters.kind != synapse::SearchKind::Naive && tree.cellEdge(node) < parameters.theta * d;
  }

  std::uint64_t count(std::uint32_t node) const { return sums[node].count; }
  const synapse::Position& centroid(std::uint32_t node) const { return sums[node].centroid; }

  static double distance(const synapse::Position& a, const synapse::Position& b)
  {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }

private:
  struct Sum
  {
    std::uint64_t count = 0;
    synapse::Position centroid = {};
  };

  std::vector<std::uint32_t> childrenOf(std::uint32_t node) const
  {
    std::vector<std::uint32_t> children;
    for (std::uint32_t child = node + 1; child < tree.next[node]; child = tree.next[child])
      children.push_back(child);
    return children;
  }

  Sum sumOf(std::uint32_t node) const
  {
    Sum sum;
    for (std::uint32_t place = tree.leafBegin[node]; place < tree.leafEnd(node); ++place) {
      const std::uint32_t neuron = tree.order[place];
      sum.count += vacant[neuron];
      for (int axis = 0; axis < 3; ++axis)
        sum.centroid[axis] += vacant[neuron] * position[neuron][axis];
    }
    for (double& x : sum.centroid)
      x /= static_cast<double>(sum.count);
    if (tree.isLeaf(node))
      sum.centroid = position[tree.order[tree.leafBegin[node]]]; // without rounding
    return sum;
  }

  const synapse::Octree& tree;
  const std::vector<synapse::Position>& position;
  const std::vector<std::uint32_t>& vacant;
  synapse::SearchParameters parameters;
  std::vector<Sum> sums;
};

/// How far a chi-square statistic is from its mean, as a standard normal number (Wilson and Hilferty 1931). Outcomes
/// with fewer than 10 expected are counted together.
inline double chiSquareScore(const std::vector<std::uint64_t>& observed, const std::vector<double>& probability)
{
  constexpr double kLeastExpected = 10;
  double draws = 0;
  for (const std::uint64_t n : observed)
    draws += static_cast<double>(n);
  double statistic = 0, pooledObserved = 0, pooledExpected = 0;
  int cells = 0;
  const auto add = [&](double seen, double expected) {
    statistic += (seen - expected) * (seen - expected) / expected;
    ++cells;
  };
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double expected = draws * probability[i];
    if (expected >= kLeastExpected) {
      add(static_cast<double>(observed[i]), expected);
    } else {
      pooledObserved += static_cast<double>(observed[i]);
      pooledExpected += expected;
    }
  }
  if (pooledExpected >= kLeastExpected)
    add(pooledObserved, pooledExpected);
  else if (pooledObserved > 10 * kLeastExpected)
    return 1e9; // what should hardly ever happen did
  const double freedom = cells - 1;
  return (std::cbrt(statistic / freedom) - (1 - 2 / (9 * freedom))) / std::sqrt(2 / (9 * freedom));
}

} // namespace hinesight::tests
