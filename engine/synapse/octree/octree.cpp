#include "synapse/octree/octree.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/radix_sort.hpp"
#include "synapse/octree/octree_parts.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace hinesight::synapse {

using namespace detail;

namespace {

constexpr std::size_t kBytesOfNeuron = 64; ///< most that building takes at a time

void computeCodes(Octree& tree, const std::vector<Position>& positions, int threads, const RunControl& control)
{
  const OctreeBox box = boxOf(boundsOfAll(positions, 0, threads, control));
  tree.lowest = {box.lowest[0], box.lowest[1], box.lowest[2]};
  tree.edge = box.edge;
  tree.code.resize(positions.size());
  tree.order.resize(positions.size());
  forBlocks(positions.size(), threads, control, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t neuron = begin; neuron < end; ++neuron) {
      tree.code[neuron] = mortonCode(gridPoint(box, positions[neuron]));
      tree.order[neuron] = static_cast<std::uint32_t>(neuron);
    }
  });
}

/// The first of the nodes that begin at each place; the last entry is the number of nodes.
std::vector<std::uint32_t> numberNodes(const SortedCodes& codes, int threads, const RunControl& control)
{
  std::vector<std::uint32_t> firstNode(std::size_t{codes.count} + 1);
  std::vector<std::uint32_t> blocks(blocksOf(codes.count));
  forBlocks(codes.count, threads, control, [&](std::size_t block, std::size_t begin, std::size_t end) {
    std::uint32_t nodes = 0;
    for (std::size_t place = begin; place < end; ++place) {
      firstNode[place] = nodes;
      nodes += onesOf(codes.innerLevels(static_cast<std::uint32_t>(place))) + 1;
    }
    blocks[block] = nodes;
  });
  firstNode.back() = sumBlocks(blocks);
  forBlocks(codes.count, threads, control, [&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place)
      firstNode[place] += blocks[block];
  });
  return firstNode;
}

} // namespace

Bounds detail::boundsOfAll(std::span<const Position> positions, std::uint32_t first, int threads,
                           const RunControl& control)
{
  std::vector<Bounds> blocks(blocksOf(positions.size()));
  forBlocks(positions.size(), threads, control, [&](std::size_t block, std::size_t begin, std::size_t end) {
    Bounds bounds;
    for (std::size_t i = begin; i < end; ++i) {
      const Position& at = positions[i];
      bounds = joined(bounds, boundsOf(first + static_cast<std::uint32_t>(i), at[0], at[1], at[2]));
    }
    blocks[block] = bounds;
  });
  Bounds all;
  for (const Bounds& bounds : blocks)
    all = joined(all, bounds);
  return all;
}

void detail::makeNodes(Octree& tree, int threads, const RunControl& control)
{
  const SortedCodes codes{tree.code.data(), static_cast<std::uint32_t>(tree.code.size())};
  const std::vector<std::uint32_t> firstNode = numberNodes(codes, threads, control);
  tree.leafNode.resize(codes.count);
  tree.next.resize(firstNode.back());
  tree.leafBegin.resize(firstNode.back());
  tree.level.resize(firstNode.back());
  const NodeArrays nodes{firstNode.data(), tree.next.data(), tree.leafBegin.data(), tree.level.data()};
  forBlocks(codes.count, threads, control, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
      writeNodes(codes, nodes, static_cast<std::uint32_t>(place));
      tree.leafNode[tree.order[place]] = firstNode[place + 1] - 1;
    }
  });
}

void detail::findLargeNodes(const Octree& tree, VacantElements& elements)
{
  std::vector<std::uint64_t> before = {0}; // each place
  before.reserve(tree.neurons() + 1);
  for (std::uint32_t node = 0; node < tree.nodes(); ++node)
    if (tree.isLeaf(node))
      before.push_back(before.back() + elements.count[node]);
  const auto countOf = [&](std::uint32_t node) { return before[tree.leafEnd(node)] - before[tree.leafBegin[node]]; };
  elements.large.clear();
  forLargeNodes(
      tree, 0, static_cast<std::uint32_t>(tree.nodes()), [&](std::uint32_t node) { return isLarge(countOf(node)); },
      [&](std::uint32_t node) {
        elements.large.push_back({node, countOf(node)});
      });
}

void requireNeuronCount(std::size_t neurons)
{
  if (neurons == 0)
    throw Error(ErrorCode::BadParameter, "There is no neuron to build an octree over; give at least one.");
  if (static_cast<double>(neurons) > kMostNeurons)
    throw Error(ErrorCode::BadParameter, "There are " + std::to_string(neurons) + " neurons, but an octree takes " +
                                             std::to_string(static_cast<std::size_t>(kMostNeurons)) +
                                             " at most; choose fewer.");
}

OctreeBox boxOf(const Bounds& bounds)
{
  if (bounds.unusable != kNoNeuron)
    throw Error(ErrorCode::BadParameter, "Neuron " + std::to_string(bounds.unusable) +
                                             " has a coordinate that is no number or beyond 1e15 um; correct its "
                                             "position.");
  OctreeBox box = {};
  for (int axis = 0; axis < 3; ++axis) {
    box.lowest[axis] = bounds.lowest[axis] + 0.0; // no negative zero, whichever came first
    box.edge = std::max(box.edge, bounds.highest[axis] - bounds.lowest[axis]);
  }
  return box;
}

void requireVacantCount(std::uint64_t vacant)
{
  if (vacant > kMostVacant)
    throw Error(ErrorCode::BadParameter, "The neurons have " + std::to_string(vacant) +
                                             " vacant elements, more than 2^54; give each neuron fewer.");
}

double Octree::cellEdge(std::uint32_t node) const
{
  return std::ldexp(edge, -level[node]);
}

Position Octree::cellCorner(std::uint32_t node) const
{
  const std::uint64_t cell = code[leafBegin[node]];
  Position corner = lowest;
  double side = edge;
  for (int depth = 1; depth <= level[node]; ++depth) {
    side /= 2;
    const std::uint64_t octant = cell >> 3 * (kDeepestLevel - depth);
    for (int axis = 0; axis < 3; ++axis)
      corner[axis] += (octant >> axis & 1) != 0 ? side : 0;
  }
  return corner;
}

std::shared_ptr<const Octree> makeOctree(const std::vector<Position>& positions, int threads, const RunControl& control)
{
  requireNeuronCount(positions.size());
  requireMemory(positions.size() * kBytesOfNeuron, "The octree");
  auto tree = std::make_shared<Octree>();
  tree->timings.device = processorName();
  Stopwatch stopwatch;
  control.report("codes", 0);
  computeCodes(*tree, positions, threads, control);
  tree->timings.add("codes", stopwatch.lap());
  control.report("sort", 0);
  radixSort(tree->code, tree->order, threads, control);
  tree->timings.add("sort", stopwatch.lap());
  control.report("nodes", 0);
  makeNodes(*tree, threads, control);
  tree->timings.add("nodes", stopwatch.lap());
  control.report("nodes", 1);
  return tree;
}

VacantElements sumVacant(const Octree& tree, const std::vector<Position>& positions,
                         const std::vector<std::uint32_t>& vacant, int threads)
{
  const OctreeBox box = boxOf(tree);
  const std::vector<VacantSum> sums = sumOverPlaces(tree.neurons(), threads, [&](std::size_t place) {
    const std::uint32_t neuron = tree.order[place];
    return vacantAt(vacant[neuron], gridPoint(box, positions[neuron]));
  });
  requireVacantCount(sums.back().count);
  VacantElements elements;
  elements.count.resize(tree.nodes());
  elements.centroid.resize(tree.nodes());
  forBlocks(tree.nodes(), threads, {}, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t index = begin; index < end; ++index) {
      const auto node = static_cast<std::uint32_t>(index);
      const VacantSum sum = sums[tree.leafEnd(node)] - sums[tree.leafBegin[node]];
      elements.count[node] = static_cast<std::uint32_t>(sum.count);
      elements.centroid[node] =
          tree.isLeaf(node) ? centroidOf(positions[tree.order[tree.leafBegin[node]]], sum) : centroidOf(box, sum);
    }
  });
  forLargeNodes(
      tree, 0, static_cast<std::uint32_t>(tree.nodes()),
      [&](std::uint32_t node) { return isLarge(sums[tree.leafEnd(node)].count - sums[tree.leafBegin[node]].count); },
      [&](std::uint32_t node) {
        setSum(elements, box, node, wideSum(sums.data(), tree.leafBegin[node], tree.leafEnd(node)));
      });
  return elements;
}

} // namespace hinesight::synapse
