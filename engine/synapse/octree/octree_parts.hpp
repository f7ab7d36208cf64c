#pragma once

#include "core/parallel.hpp"
#include "core/run_control.hpp"
#include "synapse/octree/octree_step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// What makes an octree and its vacant sums on the CPU, for a whole tree and for the parts of ranks.

namespace hinesight::synapse::detail {

inline constexpr std::size_t kBlock = std::size_t{1} << 13; ///< places that one thread works on in one go

inline std::size_t blocksOf(std::size_t items)
{
  return (items + kBlock - 1) / kBlock;
}

/// Calls body(block, begin, end) for blocks that are the same on any number of threads.
template <typename Body>
void forBlocks(std::size_t items, int threads, const RunControl& control, Body body)
{
  parallelFor(
      blocksOf(items), 1,
      [&](std::size_t first, std::size_t last) {
        for (std::size_t block = first; block < last; ++block) {
          control.checkpoint();
          body(block, block * kBlock, std::min(items, (block + 1) * kBlock));
        }
      },
      threads);
}

/// Exclusive sums over the blocks, in place; returns the sum of all.
template <typename T>
T sumBlocks(std::vector<T>& blocks)
{
  T sum{};
  for (T& block : blocks)
    sum = sum + std::exchange(block, sum);
  return sum;
}

/// Exclusive sums of vacantOf(place), a VacantSum, over so many places; the last entry is the sum of all.
template <typename VacantOf>
std::vector<VacantSum> sumOverPlaces(std::size_t places, int threads, VacantOf vacantOf)
{
  std::vector<VacantSum> sums(places + 1);
  std::vector<VacantSum> blocks(blocksOf(places));
  forBlocks(places, threads, {}, [&](std::size_t block, std::size_t begin, std::size_t end) {
    VacantSum sum{};
    for (std::size_t place = begin; place < end; ++place) {
      sums[place] = sum;
      sum = sum + vacantOf(place);
    }
    blocks[block] = sum;
  });
  sums.back() = sumBlocks(blocks);
  forBlocks(places, threads, {}, [&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place)
      sums[place] = sums[place] + blocks[block];
  });
  return sums;
}

/// Of neurons, numbered from `first` on.
Bounds boundsOfAll(std::span<const Position> positions, std::uint32_t first, int threads, const RunControl& control);

/// The nodes over a tree's places, whose codes and neurons are there, in ascending order.
void makeNodes(Octree& tree, int threads, const RunControl& control);

inline std::array<float, 3> inSinglePrecision(const Position& at)
{
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
}

/// Of an inner node; 0 where it has no vacant elements.
inline std::array<float, 3> centroidOf(const OctreeBox& box, const VacantSum& sum)
{
  if (sum.count == 0)
    return {};
  return {centroidCoordinate(sum.x, sum.count, box.lowest[0], box.edge),
          centroidCoordinate(sum.y, sum.count, box.lowest[1], box.edge),
          centroidCoordinate(sum.z, sum.count, box.lowest[2], box.edge)};
}

inline std::array<float, 3> centroidOf(const OctreeBox& box, const WideSum& sum)
{
  if (sum.count == 0)
    return {};
  return {centroidCoordinate(sum, 0, box.lowest[0], box.edge), centroidCoordinate(sum, 1, box.lowest[1], box.edge),
          centroidCoordinate(sum, 2, box.lowest[2], box.edge)};
}

/// Of a leaf the neuron's own place, so that neurons at one place are at no distance from each other; 0 where it has no
/// vacant elements.
inline std::array<float, 3> centroidOf(const Position& neuron, const VacantSum& sum)
{
  return sum.count == 0 ? std::array<float, 3>{} : inSinglePrecision(neuron);
}

/// Calls visit(node) for the nodes of [begin, end) that isLargeNode says it of, in depth-first order. Below the others
/// there are none.
template <typename IsLargeNode, typename Visit>
void forLargeNodes(const Octree& tree, std::uint32_t begin, std::uint32_t end, IsLargeNode isLargeNode, Visit visit)
{
  for (std::uint32_t node = begin; node < end;) {
    const bool large = isLargeNode(node);
    if (large)
      visit(node);
    node = large ? node + 1 : tree.next[node];
  }
}

/// Of an inner node, which is put behind the other large ones where it is one.
inline void setSum(VacantElements& elements, const OctreeBox& box, std::uint32_t node, const WideSum& sum)
{
  elements.count[node] = static_cast<std::uint32_t>(sum.count);
  elements.centroid[node] = centroidOf(box, sum);
  if (isLarge(sum.count))
    elements.large.push_back({node, sum.count});
}

/// The large nodes of sums that have lower bits only.
void findLargeNodes(const Octree& tree, VacantElements& elements);

} // namespace hinesight::synapse::detail
