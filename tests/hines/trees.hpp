#pragma once

#include "cancellation.hpp"
#include "core/philox.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

// Trees, systems and reference solutions for the tests of planning and solving.

namespace trees {

using hinesight::hines::HinesSystem;
using Parents = std::vector<std::int32_t>;
using System = std::shared_ptr<const HinesSystem>;

/// Adds a chain of `length` compartments below `parent`; the last one's number.
inline std::int32_t addChain(Parents& tree, std::int32_t parent, std::int32_t length)
{
  for (std::int32_t i = 0; i < length; ++i) {
    tree.push_back(parent);
    parent = static_cast<std::int32_t>(tree.size()) - 1;
  }
  return parent;
}

inline Parents chain(std::int32_t length)
{
  Parents tree;
  addChain(tree, -1, length);
  return tree;
}

inline Parents star(std::int32_t children)
{
  Parents tree(static_cast<std::size_t>(children) + 1, 0);
  tree.front() = -1;
  return tree;
}

/// A spine with a tooth of 1 to 4 compartments at each of its compartments.
inline Parents comb(std::int32_t spine)
{
  Parents tree;
  std::int32_t joint = -1;
  for (std::int32_t i = 0; i < spine; ++i) {
    joint = addChain(tree, joint, 1);
    addChain(tree, joint, 1 + i % 4);
  }
  return tree;
}

/// Every branch of `length` compartments splits in two, on `levels` levels; depth first, as files have it.
inline Parents binaryTree(std::int32_t levels, std::int32_t length)
{
  Parents tree;
  std::vector<std::pair<std::int32_t, std::int32_t>> open = {{-1, 0}}; // parent, level
  while (!open.empty()) {
    const auto [parent, level] = open.back();
    open.pop_back();
    const std::int32_t end = addChain(tree, parent, length);
    if (level + 1 < levels)
      open.insert(open.end(), 2, {end, level + 1});
  }
  return tree;
}

/// Each compartment hangs on one of the `window` before it: the smaller the window, the longer and thinner the tree.
/// With `forest`, one in ten is a root.
inline Parents randomTree(std::int32_t size, std::int32_t window, std::uint64_t seed, bool forest = false)
{
  Parents tree = {-1};
  for (std::int32_t i = 1; i < size; ++i) {
    const double draw = hinesight::randomUniform(seed, static_cast<std::uint64_t>(i), 0, 0);
    if (forest && hinesight::randomUniform(seed, static_cast<std::uint64_t>(i), 0, 1) < 0.1)
      tree.push_back(-1);
    else
      tree.push_back(i - 1 - static_cast<std::int32_t>(draw * std::min(i, window)));
  }
  return tree;
}

/// Random values like those of a cable: negative couplings around `strength`, a dominant diagonal.
inline System makeSystem(Parents parent, std::uint64_t seed, double strength = 1)
{
  auto system = std::make_shared<HinesSystem>();
  const std::size_t n = parent.size();
  system->d.assign(n, 0);
  system->u.assign(n, 0);
  system->b.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto draw = [&](std::uint32_t what) { return hinesight::randomUniform(seed, i, 1, what); };
    system->d[i] += 0.1 + draw(0);
    system->b[i] = 60 * draw(1) - 50;
    if (parent[i] < 0)
      continue;
    const double coupling = strength * (0.5 + draw(2));
    system->u[i] = -coupling;
    system->d[i] += coupling;
    system->d[static_cast<std::size_t>(parent[i])] += coupling;
  }
  system->parent = std::move(parent);
  return system;
}

/// The textbook's elimination of the diagonal (huber 2018, listing 2, corrected) with the precision of `Real`.
template <typename Real>
std::vector<double> solveByTextbook(const Parents& parent, const std::vector<double>& d0, const std::vector<double>& u,
                                    const std::vector<double>& b0)
{
  std::vector<Real> d(d0.size());
  std::vector<Real> b(b0.size());
  std::transform(d0.begin(), d0.end(), d.begin(), [](double value) { return static_cast<Real>(value); });
  std::transform(b0.begin(), b0.end(), b.begin(), [](double value) { return static_cast<Real>(value); });
  for (std::size_t i = parent.size(); i-- > 0;) {
    if (parent[i] < 0)
      continue;
    const auto coupling = static_cast<Real>(u[i]);
    const Real f = coupling / d[i];
    d[static_cast<std::size_t>(parent[i])] -= f * coupling;
    b[static_cast<std::size_t>(parent[i])] -= f * b[i];
  }
  for (std::size_t i = 0; i < parent.size(); ++i)
    b[i] =
        parent[i] < 0 ? b[i] / d[i] : (b[i] - static_cast<Real>(u[i]) * b[static_cast<std::size_t>(parent[i])]) / d[i];
  std::vector<double> x(b.size());
  std::transform(b.begin(), b.end(), x.begin(), [](const Real& value) { return static_cast<double>(value); });
  return x;
}

/// One row after another.
inline std::vector<std::vector<double>> denseMatrix(const HinesSystem& system)
{
  std::vector<std::vector<double>> a(system.size(), std::vector<double>(system.size(), 0));
  for (std::size_t i = 0; i < system.size(); ++i) {
    a[i][i] = system.d[i];
    if (system.parent[i] < 0)
      continue;
    const auto p = static_cast<std::size_t>(system.parent[i]);
    a[i][p] = a[p][i] = system.u[i];
  }
  return a;
}

/// Gaussian elimination with row exchanges in long double, which knows nothing of trees.
inline std::vector<double> solveDensely(const std::vector<std::vector<double>>& matrix, const std::vector<double>& b)
{
  const std::size_t n = b.size();
  std::vector<std::vector<long double>> a(n);
  for (std::size_t i = 0; i < n; ++i) {
    a[i].assign(matrix[i].begin(), matrix[i].end());
    a[i].push_back(b[i]);
  }
  const auto magnitude = [](long double value) { return value < 0 ? -value : value; };
  for (std::size_t k = 0; k < n; ++k) {
    const auto pivot = std::max_element(a.begin() + static_cast<std::ptrdiff_t>(k), a.end(),
                                        [&](auto& r, auto& s) { return magnitude(r[k]) < magnitude(s[k]); });
    std::swap(a[k], *pivot);
    for (std::size_t i = k + 1; i < n; ++i) {
      const long double f = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j)
        a[i][j] -= f * a[k][j];
    }
  }
  std::vector<double> x(n);
  for (std::size_t k = n; k-- > 0;) {
    long double value = a[k][n];
    for (std::size_t j = k + 1; j < n; ++j)
      value -= a[k][j] * x[j];
    x[k] = static_cast<double>(value / a[k][k]);
  }
  return x;
}

/// Greatest |a - b| over greatest |b|.
inline double normwiseDifference(const std::vector<double>& a, const std::vector<double>& b)
{
  double difference = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    magnitude = std::max(magnitude, std::abs(b[i]));
  }
  return difference / magnitude;
}

/// Every combination of balance, split and pack.
inline std::vector<hinesight::hines::PlanParameters> everyPlan(std::int32_t blockSize = 128)
{
  using namespace hinesight::hines;
  std::vector<PlanParameters> plans;
  for (const auto balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments})
    for (const auto split :
         {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::FixedLength, SplitStrategy::BlockAverage})
      for (const auto pack : {PackStrategy::Greedy, PackStrategy::FirstFit, PackStrategy::LevelShift})
        for (const bool sort : {true, false}) {
          PlanParameters parameters;
          parameters.balance = balance;
          parameters.split = split;
          parameters.splitLength = 3;
          parameters.pack = pack;
          parameters.blockSize = blockSize;
          parameters.sortByLength = sort;
          plans.push_back(parameters);
        }
  return plans;
}

using hinesight::tests::Checkpoints;
using hinesight::tests::endsWhereCancelled;
using hinesight::tests::failureOf;

} // namespace trees
