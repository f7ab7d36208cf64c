#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/host_device.hpp"
#include "synapse/octree/octree.hpp"

#include <cstddef>
#include <cstdint>

// What makes the octree and its vacant sums, shared by CPU and CUDA: one place, gap or node at a time.

namespace hinesight::synapse {

/// The cubic box of an octree, um.
struct OctreeBox
{
  double lowest[3];
  double edge;
};

constexpr double kFarthest = 1e15; ///< um: squares of distances are to be finite in float

/// Of some neurons' coordinates, and the first neuron that has one out of range, or kNoNeuron.
struct Bounds
{
  double lowest[3] = {kInfinity, kInfinity, kInfinity};
  double highest[3] = {-kInfinity, -kInfinity, -kInfinity};
  std::uint32_t unusable = kNoNeuron;
};

HINESIGHT_FORMULA Bounds boundsOf(std::uint32_t neuron, double x, double y, double z)
{
  Bounds bounds;
  // Not a number is not within.
  if (magnitude(x) <= kFarthest && magnitude(y) <= kFarthest && magnitude(z) <= kFarthest)
    return {{x, y, z}, {x, y, z}, kNoNeuron};
  bounds.unusable = neuron;
  return bounds;
}

HINESIGHT_FORMULA Bounds joined(const Bounds& a, const Bounds& b)
{
  Bounds bounds = a;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.lowest[axis] = b.lowest[axis] < a.lowest[axis] ? b.lowest[axis] : a.lowest[axis];
    bounds.highest[axis] = b.highest[axis] > a.highest[axis] ? b.highest[axis] : a.highest[axis];
  }
  bounds.unusable = b.unusable < a.unusable ? b.unusable : a.unusable;
  return bounds;
}

/// The cubic box of all neurons. Throws Error(BadParameter) that names a neuron out of range.
OctreeBox boxOf(const Bounds& bounds);

inline OctreeBox boxOf(const Octree& tree)
{
  return {{tree.lowest[0], tree.lowest[1], tree.lowest[2]}, tree.edge};
}

/// Throws Error(BadParameter) where an octree cannot be made over so many neurons.
void requireNeuronCount(std::size_t neurons);

/// So many that a node's count follows from its lower 32 bits and the nearest float.
inline constexpr std::uint64_t kMostVacant = std::uint64_t{1} << 54;

/// Throws Error(BadParameter) where there are more than kMostVacant.
void requireVacantCount(std::uint64_t vacant);

/// A place in units of the box's edge / 2^32; the leading 21 bits are the cell of the deepest level.
struct GridPoint
{
  std::uint32_t x, y, z;
};

HINESIGHT_FORMULA std::uint32_t gridCoordinate(double x, double lowest, double edge)
{
  if (!(edge > 0))
    return 0;
  // At most 2^32, there only at the upper face of the box.
  const double units = (x - lowest) / edge * 0x1p32;
  return units < 0x1p32 ? static_cast<std::uint32_t>(units) : 0xFFFFFFFFu;
}

HINESIGHT_FORMULA GridPoint gridPoint(const OctreeBox& box, double x, double y, double z)
{
  return {gridCoordinate(x, box.lowest[0], box.edge), gridCoordinate(y, box.lowest[1], box.edge),
          gridCoordinate(z, box.lowest[2], box.edge)};
}

inline GridPoint gridPoint(const OctreeBox& box, const Position& at)
{
  return gridPoint(box, at[0], at[1], at[2]);
}

/// 21 bits, each to three times its place.
HINESIGHT_FORMULA std::uint64_t spreadBits(std::uint32_t bits)
{
  std::uint64_t spread = bits & 0x1FFFFFu;
  spread = (spread | spread << 32) & 0x001F00000000FFFFu;
  spread = (spread | spread << 16) & 0x001F0000FF0000FFu;
  spread = (spread | spread << 8) & 0x100F00F00F00F00Fu;
  spread = (spread | spread << 4) & 0x10C30C30C30C30C3u;
  spread = (spread | spread << 2) & 0x1249249249249249u;
  return spread;
}

/// 3 x 21 bits: the octants from the root down, x in the lowest bit of each three.
HINESIGHT_FORMULA std::uint64_t mortonCode(const GridPoint& point)
{
  constexpr int kBelowDeepest = 32 - kDeepestLevel;
  return spreadBits(point.x >> kBelowDeepest) | spreadBits(point.y >> kBelowDeepest) << 1 |
         spreadBits(point.z >> kBelowDeepest) << 2;
}

HINESIGHT_FORMULA int leadingZeros(std::uint64_t bits)
{
#ifdef __CUDA_ARCH__
  return __clzll(static_cast<long long>(bits));
#else
  return __builtin_clzll(bits);
#endif
}

HINESIGHT_FORMULA std::uint32_t onesOf(std::uint32_t bits)
{
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
#endif
}

/// The deepest level of a cell that holds both codes.
HINESIGHT_FORMULA int commonLevel(std::uint64_t a, std::uint64_t b)
{
  return a == b ? kDeepestLevel : kDeepestLevel - 1 - (63 - leadingZeros(a ^ b)) / 3;
}

/// Morton codes in ascending order.
struct SortedCodes
{
  const std::uint64_t* code;
  std::uint32_t count;

  /// The level of the cell common to places `place` and `place` + 1; -1 before the first and behind the last.
  HINESIGHT_FORMULA int gapBehind(std::int64_t place) const
  {
    return place < 0 || place + 1 >= count ? -1 : commonLevel(code[place], code[place + 1]);
  }

  /// Behind the last place of the cell of this level that holds `place`: ever longer steps, then halving ones, so that
  /// the cost is the logarithm of the cell's neurons.
  HINESIGHT_FORMULA std::uint32_t cellEnd(std::uint32_t place, int level) const
  {
    std::uint32_t inside = place;
    std::uint32_t step = 1;
    while (step < count - inside && commonLevel(code[place], code[inside + step]) >= level) {
      inside += step;
      step *= 2;
    }
    std::uint32_t outside = step < count - inside ? inside + step : count;
    while (outside - inside > 1) {
      const std::uint32_t middle = inside + (outside - inside) / 2;
      (commonLevel(code[place], code[middle]) >= level ? inside : outside) = middle;
    }
    return outside;
  }

  /// Calls visit(level, end) for the inner nodes that begin at a place, from the innermost. The gap behind the place
  /// is one between children of the innermost; the gap behind a node is one of the next outer, as long as that does not
  /// reach in front of the place.
  template <typename Visit>
  HINESIGHT_FORMULA void forInnerNodes(std::uint32_t place, Visit visit) const
  {
    const int before = gapBehind(std::int64_t{place} - 1);
    int level = gapBehind(place);
    while (level > before) {
      const std::uint32_t end = cellEnd(place, level);
      visit(level, end);
      level = gapBehind(std::int64_t{end} - 1);
    }
  }

  /// A bit for the level of each inner node that begins at a place.
  HINESIGHT_FORMULA std::uint32_t innerLevels(std::uint32_t place) const
  {
    std::uint32_t levels = 0;
    forInnerNodes(place, [&levels](int level, std::uint32_t) { levels |= 1u << level; });
    return levels;
  }

  /// Of the cell that the neuron at a place is alone in.
  HINESIGHT_FORMULA int leafLevel(std::uint32_t place) const
  {
    const int before = gapBehind(std::int64_t{place} - 1);
    const int behind = gapBehind(place);
    const int deepest = before > behind ? before : behind;
    return deepest < kDeepestLevel ? deepest + 1 : kDeepestLevel;
  }
};

/// Where the nodes go. The nodes that begin at a place, the outermost first and the leaf last, are [firstNode[place],
/// firstNode[place + 1]); firstNode[count] is the number of nodes.
struct NodeArrays
{
  const std::uint32_t* firstNode;
  std::uint32_t* next;
  std::uint32_t* leafBegin;
  std::uint8_t* level;
};

/// Writes the nodes that begin at a place.
HINESIGHT_FORMULA void writeNodes(const SortedCodes& codes, const NodeArrays& nodes, std::uint32_t place)
{
  std::uint32_t node = nodes.firstNode[place + 1] - 1;
  nodes.next[node] = node + 1;
  nodes.leafBegin[node] = place;
  nodes.level[node] = static_cast<std::uint8_t>(codes.leafLevel(place));
  codes.forInnerNodes(place, [&](int level, std::uint32_t end) {
    --node;
    nodes.next[node] = nodes.firstNode[end];
    nodes.leafBegin[node] = place;
    nodes.level[node] = static_cast<std::uint8_t>(level);
  });
}

/// Vacant elements and the sums of their grid coordinates, which wrap from 2^32 elements on: the difference of two is
/// right where it is one of fewer.
struct VacantSum
{
  std::uint64_t count, x, y, z;
};

HINESIGHT_FORMULA VacantSum vacantAt(std::uint32_t vacant, const GridPoint& point)
{
  const std::uint64_t count = vacant;
  return {count, count * point.x, count * point.y, count * point.z};
}

HINESIGHT_FORMULA VacantSum operator+(const VacantSum& a, const VacantSum& b)
{
  return {a.count + b.count, a.x + b.x, a.y + b.y, a.z + b.z};
}

HINESIGHT_FORMULA VacantSum operator-(const VacantSum& a, const VacantSum& b)
{
  return {a.count - b.count, a.x - b.x, a.y - b.y, a.z - b.z};
}

HINESIGHT_FORMULA bool isLarge(std::uint64_t vacant)
{
  return vacant >> 32 != 0;
}

/// Any number of vacant elements: the sums of the upper and of the lower 32 bits of sums of their grid coordinates.
struct WideSum
{
  std::uint64_t count = 0;
  std::uint64_t upper[3] = {};
  std::uint64_t lower[3] = {};

  HINESIGHT_FORMULA void add(const VacantSum& sum)
  {
    const std::uint64_t part[3] = {sum.x, sum.y, sum.z};
    count += sum.count;
    for (int axis = 0; axis < 3; ++axis) {
      upper[axis] += part[axis] >> 32;
      lower[axis] += part[axis] & 0xFFFFFFFFu;
    }
  }
};

/// Over places [begin, end), from the sums before each place: over pieces with fewer than 2^32 elements each.
HINESIGHT_FORMULA WideSum wideSum(const VacantSum* before, std::uint32_t begin, std::uint32_t end)
{
  WideSum wide;
  std::uint32_t piece = end - begin;
  while (begin < end) {
    piece = piece < end - begin ? piece : end - begin;
    while (piece > 1 && isLarge(before[begin + piece].count - before[begin].count))
      piece /= 2;
    wide.add(before[begin + piece] - before[begin]);
    begin += piece;
    piece *= 2;
  }
  return wide;
}

/// The middle of the grid's unit at the mean of `count` grid coordinates, um.
HINESIGHT_FORMULA float centroidCoordinate(std::uint64_t sum, std::uint64_t count, double lowest, double edge)
{
  const double mean = static_cast<double>(sum) / static_cast<double>(count) + 0.5;
  return static_cast<float>(fusedMultiplyAdd(edge, mean * 0x1p-32, lowest));
}

/// The same of an axis of a wide sum.
HINESIGHT_FORMULA float centroidCoordinate(const WideSum& sum, int axis, double lowest, double edge)
{
  const std::uint64_t upper = sum.upper[axis] + (sum.lower[axis] >> 32);
  const std::uint64_t lower = sum.lower[axis] & 0xFFFFFFFFu;
  const double whole = static_cast<double>(upper) * 0x1p32 + static_cast<double>(lower);
  const double mean = whole / static_cast<double>(sum.count) + 0.5;
  return static_cast<float>(fusedMultiplyAdd(edge, mean * 0x1p-32, lowest));
}

} // namespace hinesight::synapse
