#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace hinesight::synapse {

/// That an octree takes: more than memory holds on most machines, and few enough that its nodes count below 2^32.
inline constexpr double kMostNeurons = 1e9;

using Position = std::array<double, 3>; ///< um

/// What an axon may seek: dendrites of its own signal type (and, in an inverse search, a dendrite the axons of its).
enum Channel : std::uint8_t
{
  kExcitatory = 0,
  kInhibitory = 1
};
inline constexpr int kChannels = 2;

/// Deepest level: a cell of level l has the edge of the box over 2^l. Neurons that share a cell of this level are
/// co-located: they become the leaves of one node.
inline constexpr int kDeepestLevel = 21;

/// Where a neuron could be named, and none is.
inline constexpr std::uint32_t kNoNeuron = 0xFFFFFFFF;

/// An octree over neurons at fixed positions as flat arrays. The cubic box is that of the positions, its lowest corner
/// theirs; octant bits 0, 1, 2 are x, y, z at or beyond the middle (Barnes and Hut 1986). A node is the smallest cell
/// of the octree that holds its neurons: an inner node has at least two children, a leaf is one neuron, and there are
/// fewer than twice as many nodes as neurons. Nodes are in depth-first order, so that a node's subtree is [node,
/// next[node]) and a traversal needs no stack: on to node + 1 to descend, to next[node] to go past. Neurons are in
/// Morton order (ties: by index), and a subtree holds consecutive ones. In a part of a tree (ranks/essential_tree.hpp)
/// a leaf may also be an inner node of the whole tree, whose subtree is left out; its place has no neuron.
struct Octree
{
  Position lowest = {}; ///< corner of the box, um
  double edge = 0;      ///< of the box, um; 0 when all neurons are at one place

  std::vector<std::uint32_t> order;    ///< neuron at each place of the Morton order
  std::vector<std::uint64_t> code;     ///< its Morton code, 3 x 21 bits
  std::vector<std::uint32_t> leafNode; ///< node of each neuron, by neuron

  // Per node.
  std::vector<std::uint32_t> next;      ///< behind its subtree; node + 1: a leaf
  std::vector<std::uint32_t> leafBegin; ///< its first neuron in Morton order; the end is leafBegin[next[node]] or all
  std::vector<std::uint8_t> level; ///< of its cell; a leaf has that of the cell that it is alone in, or kDeepestLevel

  StageTimings timings; ///< "codes", "sort", "nodes"

  std::size_t neurons() const { return order.size(); }
  std::size_t nodes() const { return next.size(); }
  bool isLeaf(std::uint32_t node) const { return next[node] == node + 1; }
  bool isNeuron(std::uint32_t node) const { return isLeaf(node) && order[leafBegin[node]] != kNoNeuron; }
  /// Behind the last neuron of a node.
  std::uint32_t leafEnd(std::uint32_t node) const
  {
    return next[node] < next.size() ? leafBegin[next[node]] : static_cast<std::uint32_t>(order.size());
  }
  double cellEdge(std::uint32_t node) const;
  Position cellCorner(std::uint32_t node) const; ///< the lowest
};

/// A node with 2^32 vacant elements or more.
struct LargeNode
{
  std::uint32_t node = 0;
  std::uint64_t count = 0;

  bool operator==(const LargeNode&) const = default;
};

/// Vacant elements of one channel in every node of an octree: the virtual neurons of Rinke et al. 2018.
struct VacantElements
{
  std::vector<std::uint32_t> count;           ///< per node: in its subtree; of a large one the lower 32 bits
  std::vector<std::array<float, 3>> centroid; ///< per node, um: of its vacant elements; 0 where there are none
  std::vector<LargeNode> large;               ///< in ascending order

  /// In the subtree of a node.
  std::uint64_t in(std::uint32_t node) const
  {
    if (large.empty())
      return count[node];
    const auto found = std::ranges::lower_bound(large, node, {}, &LargeNode::node);
    return found != large.end() && found->node == node ? found->count : count[node];
  }
};

/// Any number of neurons from 1 to 10^9, coordinates up to 1e15 um; else Error(BadParameter), which names the neuron.
/// The same arrays on any number of threads and on CUDA. Throws Error(OutOfMemory), Error(Cancelled).
std::shared_ptr<const Octree> makeOctree(const std::vector<Position>& positions, int threads = 0,
                                         const RunControl& control = {});

/// Sums of vacant elements by neuron for all nodes. The sums are of whole numbers (positions in 2^-32 of the box's
/// edge), so that their order does not matter: one prefix sum over the Morton order, then a difference a node. A leaf's
/// centroid is its neuron's place. Throws Error(BadParameter) where there are more than 2^54 vacant elements.
VacantElements sumVacant(const Octree& tree, const std::vector<Position>& positions,
                         const std::vector<std::uint32_t>& vacant, int threads = 0);

} // namespace hinesight::synapse
