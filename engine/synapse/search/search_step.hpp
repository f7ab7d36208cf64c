#pragma once

#include "core/philox.hpp"
#include "synapse/octree/octree.hpp"
#include "synapse/octree/octree_step.hpp"
#include "synapse/search/kernel_step.hpp"
#include "synapse/search/random_keys.hpp"
#include "synapse/search/search.hpp"

#include <cstdint>

// The pieces of a search that decide something, shared by CPU and CUDA: which nodes are weighed as a whole, what they
// weigh, and which is picked.

namespace hinesight::synapse {

/// What a walk reads of a node of the octree, together.
struct alignas(32) SearchNode
{
  float x, y, z;      ///< centroid of the vacant elements
  float count;        ///< of them; 0: the node is passed by
  float limit;        ///< the node is weighed as a whole where its squared distance is above this
  std::uint32_t next; ///< behind its subtree
};

/// Where the vacant elements of a node can be; of a leaf its place.
struct CellBounds
{
  float lowest[3];
  float highest[3];
};

/// The limit of a node's squared distance above which it is weighed as a whole: a leaf anywhere but at the seeker's own
/// place, an inner node where L^2 < theta^2 d^2. `reach` is the greatest magnitude of a coordinate: the node must also
/// be farther away than its own elements are from each other, as far as single precision can tell, so that no accepted
/// node holds the seeker.
HINESIGHT_FORMULA float acceptanceLimit(bool isLeaf, double cellEdge, double theta, double reach)
{
  constexpr double kDiagonal = 1.7320508075688774;
  constexpr double kSpacing = 0x1p-21;
  if (isLeaf)
    return 0.0F;
  const double distance = cellEdge / theta;
  const double inside = cellEdge * kDiagonal + reach * kSpacing;
  const double least = distance > inside ? distance : inside;
  return static_cast<float>(least * least);
}

/// Only leaves are weighed.
HINESIGHT_FORMULA float naiveLimit(bool isLeaf)
{
  return isLeaf ? 0.0F : static_cast<float>(kInfinity);
}

HINESIGHT_FORMULA double greatestCoordinate(const OctreeBox& box)
{
  double most = 0;
  for (const double lowest : box.lowest) {
    const double highest = magnitude(lowest + box.edge);
    most = most > highest ? most : highest;
    most = most > magnitude(lowest) ? most : magnitude(lowest);
  }
  return most;
}

/// 21 bits out of every third of a Morton code.
HINESIGHT_FORMULA std::uint32_t gatherBits(std::uint64_t code)
{
  std::uint64_t bits = code & 0x1249249249249249u;
  bits = (bits | bits >> 2) & 0x10C30C30C30C30C3u;
  bits = (bits | bits >> 4) & 0x100F00F00F00F00Fu;
  bits = (bits | bits >> 8) & 0x001F0000FF0000FFu;
  bits = (bits | bits >> 16) & 0x001F00000000FFFFu;
  bits = (bits | bits >> 32) & 0x1FFFFFu;
  return static_cast<std::uint32_t>(bits);
}

/// Of the cell of a level that holds a Morton code. Rounding to single precision keeps an order, so that what is inside
/// the cell is inside the bounds; half a unit more covers positions that were rounded to units of the box.
HINESIGHT_FORMULA CellBounds cellBounds(const OctreeBox& box, std::uint64_t code, int level)
{
  CellBounds bounds;
  constexpr double kMargin = 0x1p-10;
  const int below = kDeepestLevel - level;
  const double unit = box.edge * 0x1p-21;
  const double side = static_cast<double>(1u << below);
  for (int axis = 0; axis < 3; ++axis) {
    const double corner = static_cast<double>(gatherBits(code >> axis) >> below << below);
    bounds.lowest[axis] = static_cast<float>(fusedMultiplyAdd(corner - kMargin, unit, box.lowest[axis]));
    bounds.highest[axis] = static_cast<float>(fusedMultiplyAdd(corner + side + kMargin, unit, box.lowest[axis]));
  }
  return bounds;
}

/// Of a node with its sums; `limit` by acceptanceLimit or naiveLimit.
HINESIGHT_FORMULA SearchNode searchNode(const float (&centroid)[3], std::uint64_t count, float limit,
                                        std::uint32_t next)
{
  return {centroid[0], centroid[1], centroid[2], static_cast<float>(count), limit, next};
}

/// Of seekers, side by side, their places in single precision.
template <typename F>
struct Seeker
{
  F x, y, z;
};

template <typename F>
HINESIGHT_FORMULA F squaredDistance(const SearchNode& node, const Seeker<F>& seeker)
{
  const F dx = F(node.x) - seeker.x;
  const F dy = F(node.y) - seeker.y;
  const F dz = F(node.z) - seeker.z;
  return fusedMultiplyAdd(dz, dz, fusedMultiplyAdd(dy, dy, dx * dx));
}

template <typename F>
HINESIGHT_FORMULA F nearestSquared(const CellBounds& cell, const Seeker<F>& seeker)
{
  const auto gap = [&cell](int axis, F at) HINESIGHT_FORMULA_LAMBDA {
    return larger(larger(F(cell.lowest[axis]) - at, at - F(cell.highest[axis])), F(0.0F));
  };
  const F dx = gap(0, seeker.x);
  const F dy = gap(1, seeker.y);
  const F dz = gap(2, seeker.z);
  return fusedMultiplyAdd(dz, dz, fusedMultiplyAdd(dy, dy, dx * dx));
}

template <typename F>
HINESIGHT_FORMULA F farthestSquared(const CellBounds& cell, const Seeker<F>& seeker)
{
  const auto gap = [&cell](int axis, F at) HINESIGHT_FORMULA_LAMBDA {
    return larger(F(cell.highest[axis]) - at, at - F(cell.lowest[axis]));
  };
  const F dx = gap(0, seeker.x);
  const F dy = gap(1, seeker.y);
  const F dz = gap(2, seeker.z);
  return fusedMultiplyAdd(dz, dz, fusedMultiplyAdd(dy, dy, dx * dx));
}

/// At most the squared distance, as squaredDistance computes it, between a point of a cell and a seeker of a box, both
/// rounded to single precision: every operation keeps an order, its rounding included.
HINESIGHT_FORMULA float nearestSquared(const CellBounds& cell, const CellBounds& seekers)
{
  const auto gap = [&](int axis) HINESIGHT_FORMULA_LAMBDA {
    return larger(larger(cell.lowest[axis] - seekers.highest[axis], seekers.lowest[axis] - cell.highest[axis]), 0.0F);
  };
  const float dx = gap(0);
  const float dy = gap(1);
  const float dz = gap(2);
  return fusedMultiplyAdd(dz, dz, fusedMultiplyAdd(dy, dy, dx * dx));
}

/// A count of which the lower 32 bits and the nearest float are known; up to kMostVacant.
HINESIGHT_FORMULA std::uint64_t wholeCount(std::uint32_t lower, float rounded)
{
  if (rounded < 0x1p32F)
    return lower;
  const double upper = (static_cast<double>(rounded) - lower) * 0x1p-32 + 0.5;
  return (static_cast<std::uint64_t>(upper) << 32) | lower;
}

/// The tree as walks read it. Others may take its place that have the same functions.
struct SearchView
{
  const SearchNode* nodes;
  const CellBounds* cells;     ///< of an exact search, else null
  const std::uint32_t* counts; ///< vacant elements by node, the lower 32 bits
  std::uint32_t size;          ///< nodes

  HINESIGHT_FORMULA std::uint32_t end() const { return size; }
  HINESIGHT_FORMULA const SearchNode& node(std::uint32_t index) const { return nodes[index]; }
  HINESIGHT_FORMULA const CellBounds& cell(std::uint32_t index) const { return cells[index]; }
  HINESIGHT_FORMULA std::uint64_t vacant(std::uint32_t index) const
  {
    return wholeCount(counts[index], nodes[index].count);
  }
};

/// The first node that a search looks at: the root itself is never weighed as a whole.
inline constexpr std::uint32_t kFirstNode = 1;

/// What a node weighs: its vacant elements times the kernel at their centroid; by bounds (an exact search), times the
/// most that the kernel is in its cell.
template <Falloff kFalloff, bool kByBounds, typename View, typename F>
HINESIGHT_FORMULA Scaled<F> nodeWeight(const View& view, const KernelForm& form, std::uint32_t node,
                                       const Seeker<F>& seeker, F squared)
{
  Scaled<F> weight;
  if constexpr (kByBounds)
    weight = attractionBound<kFalloff>(form, nearestSquared(view.cell(node), seeker),
                                       farthestSquared(view.cell(node), seeker));
  else
    weight = attraction<kFalloff>(form, squared);
  weight.mantissa = weight.mantissa * F(view.node(node).count);
  return weight;
}

/// Calls visit(node, weight) for the nodes of [begin, end) that a seeker weighs as a whole, in depth-first order, until
/// that returns true. Returns the node where it did, or `end`.
template <Falloff kFalloff, bool kByBounds, typename View, typename Visit>
HINESIGHT_FORMULA std::uint32_t walk(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                     std::uint32_t begin, std::uint32_t end, Visit visit)
{
  std::uint32_t current = begin;
  while (current < end) {
    const SearchNode& node = view.node(current);
    if (node.count == 0) {
      current = node.next;
      continue;
    }
    const float squared = squaredDistance(node, seeker);
    if (!(node.limit < squared)) {
      ++current;
      continue;
    }
    if (visit(current, valueOf(nodeWeight<kFalloff, kByBounds>(view, form, current, seeker, squared))))
      return current;
    current = node.next;
  }
  return end;
}

template <Falloff kFalloff, bool kByBounds, typename View>
HINESIGHT_FORMULA double sumWeights(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                    std::uint32_t begin, std::uint32_t end)
{
  double sum = 0;
  walk<kFalloff, kByBounds>(view, form, seeker, begin, end,
                            [&sum](std::uint32_t, double weight) HINESIGHT_FORMULA_LAMBDA {
                              sum += weight;
                              return false;
                            });
  return sum;
}

/// The first node whose running sum, from `running` on, exceeds the threshold; `end` where none does.
template <Falloff kFalloff, bool kByBounds, typename View>
HINESIGHT_FORMULA std::uint32_t pickNode(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                         std::uint32_t begin, std::uint32_t end, double running, double threshold)
{
  return walk<kFalloff, kByBounds>(view, form, seeker, begin, end,
                                   [&](std::uint32_t, double weight) HINESIGHT_FORMULA_LAMBDA {
                                     running += weight;
                                     return running > threshold;
                                   });
}

/// Uniform in [0, 1) with 52 random bits: times a sum it is always below the sum.
HINESIGHT_FORMULA double uniformOf(std::uint32_t low, std::uint32_t high)
{
  const std::uint64_t mantissa = ((std::uint64_t{high} << 32) | low) >> 12;
  return static_cast<double>(mantissa) * 0x1p-52;
}

/// Who seeks: keys the draws.
struct SearchKey
{
  std::uint64_t seed;
  std::uint32_t step;
  std::uint32_t channel;
  std::uint32_t neuron;
};

/// Of an element's descent, or of its attempt of an exact search.
HINESIGHT_FORMULA double searchDraw(const SearchKey& key, std::uint32_t element, std::uint32_t number)
{
  const PhiloxWords bits = randomBits(key.seed, randomEntity(RandomPurpose::Search, key.neuron, key.channel), key.step,
                                      elementDraw(element, number));
  return uniformOf(bits.word[0], bits.word[1]);
}

/// From an inner node down to a leaf: picks among what the seeker weighs below it, and again below the pick (descents
/// 1, 2, ..., or from a later one on). Calls picked(node) for each.
template <Falloff kFalloff, typename View, typename Picked>
HINESIGHT_FORMULA std::uint32_t descend(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                        const SearchKey& key, std::uint32_t element, std::uint32_t node, Picked picked,
                                        std::uint32_t descent = 1)
{
  for (; view.node(node).next > node + 1; ++descent) {
    const std::uint32_t begin = node + 1;
    const std::uint32_t end = view.node(node).next;
    const double u = searchDraw(key, element, descent);
    const double sum = sumWeights<kFalloff, false>(view, form, seeker, begin, end);
    if (sum > 0) {
      node = pickNode<kFalloff, false>(view, form, seeker, begin, end, 0, u * sum);
    } else {
      const KernelForm inverse = inverseDistanceForm();
      const double most = sumWeights<Falloff::InverseDistance, false>(view, inverse, seeker, begin, end);
      node = pickNode<Falloff::InverseDistance, false>(view, inverse, seeker, begin, end, 0, u * most);
    }
    picked(node);
  }
  return node;
}

/// The element of a proposed cell that an attempt of an exact search takes, by rank in Morton order, and whether the
/// attempt is accepted, which it is where `chance` is below the leaf's share of the cell's bound.
struct Proposal
{
  std::uint64_t rank;
  double chance;
};

/// The upper 64 bits of the product of a number, given by two words, and a count.
HINESIGHT_FORMULA std::uint64_t upperProduct(std::uint32_t high, std::uint32_t low, std::uint64_t count)
{
  const std::uint64_t upper = count >> 32, lower = count & 0xFFFFFFFFu;
  const std::uint64_t middle = std::uint64_t{high} * lower + (std::uint64_t{low} * lower >> 32);
  const std::uint64_t other = std::uint64_t{low} * upper + (middle & 0xFFFFFFFFu);
  return std::uint64_t{high} * upper + (middle >> 32) + (other >> 32);
}

HINESIGHT_FORMULA Proposal proposalDraw(const SearchKey& key, std::uint32_t element, std::uint32_t attempt,
                                        std::uint64_t count)
{
  const PhiloxWords bits = randomBits(key.seed, randomEntity(RandomPurpose::Acceptance, key.neuron, key.channel),
                                      key.step, elementDraw(element, attempt));
  return {upperProduct(bits.word[1], bits.word[0], count), uniformOf(bits.word[2], bits.word[3])};
}

/// What an attempt of an exact search takes of a proposed cell, and what the kernel there has to exceed.
struct Attempt
{
  std::uint64_t rank; ///< of the cell's vacant elements
  double least;
};

template <Falloff kFalloff, typename View>
HINESIGHT_FORMULA Attempt attemptAt(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                    const SearchKey& key, std::uint32_t element, std::uint32_t attempt,
                                    std::uint32_t cell)
{
  const Proposal proposal = proposalDraw(key, element, attempt, view.vacant(cell));
  const double bound = valueOf(attractionBound<kFalloff>(form, nearestSquared(view.cell(cell), seeker),
                                                         farthestSquared(view.cell(cell), seeker)));
  return {proposal.rank, proposal.chance * bound};
}

/// Whether a leaf is what an attempt finds.
template <Falloff kFalloff>
HINESIGHT_FORMULA bool isTaken(const KernelForm& form, const SearchNode& leaf, const Seeker<float>& seeker,
                               double least)
{
  const float squared = squaredDistance(leaf, seeker);
  return squared > 0 && least < valueOf(attraction<kFalloff>(form, squared));
}

/// The leaf that holds a node's vacant element of that rank in Morton order; its rank is that in the leaf then.
template <typename View>
HINESIGHT_FORMULA std::uint32_t leafAtRank(const View& view, std::uint32_t node, std::uint64_t& rank)
{
  while (view.node(node).next > node + 1) {
    ++node;
    for (std::uint64_t vacant = view.vacant(node); rank >= vacant; vacant = view.vacant(node)) {
      rank -= vacant;
      node = view.node(node).next;
    }
  }
  return node;
}

/// Attempts of an exact search after which the leaves are weighed one by one instead, which picks with the same
/// probabilities: only where a bound is far above the kernel everywhere in the cells that matter.
inline constexpr std::uint32_t kMostAttempts = 64;

/// What weighs leaves of [begin, end) one by one: walks past what has no vacant elements or cannot weigh anything.
/// Calls visit(node, weight) until that returns true; returns the node where it did, or `end`.
template <Falloff kFalloff, typename View, typename Visit>
HINESIGHT_FORMULA std::uint32_t walkLeaves(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                           std::uint32_t begin, std::uint32_t end, Visit visit)
{
  std::uint32_t current = begin;
  while (current < end) {
    const SearchNode& node = view.node(current);
    const float squared = squaredDistance(node, seeker);
    const bool isLeaf = node.next == current + 1;
    if (isLeaf && node.count > 0 && squared > 0) {
      if (visit(current, valueOf(nodeWeight<kFalloff, false>(view, form, current, seeker, squared))))
        return current;
    }
    const bool passed =
        node.count == 0 || nodeWeight<kFalloff, true>(view, form, current, seeker, squared).mantissa == 0;
    current = passed ? node.next : current + 1;
  }
  return end;
}

/// The leaf that an element finds in an exact search: cells are proposed by `propose(threshold)`, which gives the node
/// whose running sum of bounds exceeds it, and a vacant element of the cell is taken with the share that its kernel has
/// of the bound. `sum` is that of the bounds. Calls picked(node) for the cell and the leaf. kNoTarget where the kernel
/// is 0 at every leaf.
template <Falloff kFalloff, typename View, typename Propose, typename Picked>
HINESIGHT_FORMULA std::uint32_t findExactly(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                            const SearchKey& key, std::uint32_t element, double sum, Propose propose,
                                            Picked picked)
{
  for (std::uint32_t attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::uint32_t cell = propose(searchDraw(key, element, attempt) * sum);
    const Attempt taken = attemptAt<kFalloff>(view, form, seeker, key, element, attempt, cell);
    std::uint64_t rank = taken.rank;
    const std::uint32_t leaf = leafAtRank(view, cell, rank);
    if (isTaken<kFalloff>(form, view.node(leaf), seeker, taken.least)) {
      picked(cell);
      if (leaf != cell)
        picked(leaf);
      return leaf;
    }
  }
  double leaves = 0;
  walkLeaves<kFalloff>(view, form, seeker, kFirstNode, view.end(),
                       [&leaves](std::uint32_t, double weight) HINESIGHT_FORMULA_LAMBDA {
                         leaves += weight;
                         return false;
                       });
  if (leaves == 0)
    return kNoTarget;
  const double threshold = searchDraw(key, element, kMostAttempts) * leaves;
  double running = 0;
  const std::uint32_t leaf = walkLeaves<kFalloff>(view, form, seeker, kFirstNode, view.end(),
                                                  [&](std::uint32_t, double weight) HINESIGHT_FORMULA_LAMBDA {
                                                    running += weight;
                                                    return running > threshold;
                                                  });
  picked(leaf);
  return leaf;
}

/// The leaf that an element finds, where `sum` is that of all weights of the first descent (of an exact search the
/// bounds), and pick(threshold) the node whose running sum exceeds one. Calls picked(node) for each node on the way.
template <Falloff kFalloff, bool kExact, typename View, typename Pick, typename Picked>
HINESIGHT_FORMULA std::uint32_t findTarget(const View& view, const KernelForm& form, const Seeker<float>& seeker,
                                           const SearchKey& key, std::uint32_t element, double sum, Pick pick,
                                           Picked picked)
{
  if (sum > 0) {
    if constexpr (!kExact) {
      const std::uint32_t first = pick(searchDraw(key, element, 0) * sum);
      picked(first);
      return descend<kFalloff>(view, form, seeker, key, element, first, picked);
    }
    const std::uint32_t leaf = findExactly<kFalloff>(view, form, seeker, key, element, sum, pick, picked);
    if (leaf != kNoTarget)
      return leaf;
  }
  // The kernel is 0 everywhere: the inverse of the distance takes its place.
  const KernelForm inverse = inverseDistanceForm();
  const double most = sumWeights<Falloff::InverseDistance, kExact>(view, inverse, seeker, kFirstNode, view.end());
  if (most == 0)
    return kNoTarget;
  const auto pickInverse = [&](double threshold) HINESIGHT_FORMULA_LAMBDA {
    return pickNode<Falloff::InverseDistance, kExact>(view, inverse, seeker, kFirstNode, view.end(), 0, threshold);
  };
  if constexpr (kExact) {
    return findExactly<Falloff::InverseDistance>(view, inverse, seeker, key, element, most, pickInverse, picked);
  } else {
    const std::uint32_t first = pickInverse(searchDraw(key, element, 0) * most);
    picked(first);
    return descend<kFalloff>(view, form, seeker, key, element, first, picked);
  }
}

/// Key of a request's place among those on one neuron: the neuron, then random.
HINESIGHT_FORMULA std::uint64_t conflictKey(const SearchKey& key, std::uint32_t element, std::uint32_t target)
{
  const PhiloxWords bits = randomBits(key.seed, randomEntity(RandomPurpose::Conflict, key.neuron, key.channel),
                                      key.step, elementDraw(element, 0));
  return std::uint64_t{target} << 32 | bits.word[0];
}

} // namespace hinesight::synapse
