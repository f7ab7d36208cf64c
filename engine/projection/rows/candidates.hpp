#pragma once

#include "core/fixed/fixed_math.hpp"

#include <cstddef>
#include <cstdint>

// Which destinations a source looks at: those of the lattice points or cells within its reach, row by row along x. One
// source's rows follow one another in destination order where the destinations are a lattice. Shared by CPU and CUDA.

namespace hinesight::projection {

/// Positions of a population: held (three arrays) or, where those are null, on a lattice.
struct PositionsView
{
  const double* held[3];
  double origin[3];
  double spacing[3];
  std::uint32_t size[3];
};

HINESIGHT_FORMULA void positionOf(const PositionsView& view, std::uint32_t index, double (&position)[3])
{
  if (view.held[0] != nullptr) {
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = view.held[axis][index];
    return;
  }
  const std::uint32_t row = index / view.size[0];
  position[0] = view.origin[0] + static_cast<double>(index - row * view.size[0]) * view.spacing[0];
  position[1] = view.origin[1] + static_cast<double>(row % view.size[1]) * view.spacing[1];
  position[2] = view.origin[2] + static_cast<double>(row / view.size[1]) * view.spacing[2];
}

/// One axis of the destinations: `count` lattice points at origin + i step, or `count` cells of that width.
struct AxisView
{
  double origin;
  double step;
  double inverseStep;
  double slack; ///< by how much an index may be wrong from rounding
  double period;
  double inversePeriod; ///< both 0 where the axis does not close
  std::uint32_t count;
  bool cells;
};

/// The shortest image of a displacement along a closed axis; the displacement itself on an open one.
HINESIGHT_FORMULA double nearestImage(const AxisView& axis, double d)
{
  return d - axis.period * roundDown(d * axis.inversePeriod + 0.5);
}

/// Up to two ranges of indices, ascending.
struct Span
{
  std::uint32_t begin[2];
  std::uint32_t length[2];
};

HINESIGHT_FORMULA std::uint32_t lengthOf(const Span& span)
{
  return span.length[0] + span.length[1];
}

HINESIGHT_FORMULA std::uint32_t indexIn(const Span& span, std::uint32_t i)
{
  return i < span.length[0] ? span.begin[0] + i : span.begin[1] + (i - span.length[0]);
}

/// The lattice points or cells that have something within `half` of `centre`, and possibly one more at each end.
HINESIGHT_FORMULA Span spanOf(const AxisView& axis, double centre, double half)
{
  const double low = (centre - half - axis.origin) * axis.inverseStep;
  const double high = (centre + half - axis.origin) * axis.inverseStep;
  const double slack = axis.slack + 1e-15 * (magnitude(low) + magnitude(high));
  double first = axis.cells ? roundDown(low - slack) : -roundDown(slack - low);
  double last = roundDown(high + slack);
  const double count = axis.count;
  const Span whole = {{0, 0}, {axis.count, 0}};
  // Written so that an infinite or undefined bound, from an unbounded reach, means the whole axis.
  if (axis.period > 0) {
    if (!(last - first + 1 < count))
      return whole;
    if (last < first)
      return {{0, 0}, {0, 0}};
    const double turn = count * roundDown(first / count);
    first -= turn;
    last -= turn;
    const auto begin = static_cast<std::uint32_t>(first);
    if (last < count)
      return {{begin, 0}, {static_cast<std::uint32_t>(last - first) + 1, 0}};
    return {{0, begin}, {static_cast<std::uint32_t>(last - count) + 1, axis.count - begin}};
  }
  first = first > 0 ? first : 0;
  last = last < count - 1 ? last : count - 1;
  if (!(first <= last))
    return {{0, 0}, {0, 0}};
  return {{static_cast<std::uint32_t>(first), 0}, {static_cast<std::uint32_t>(last - first) + 1, 0}};
}

/// What a source's kernel comes to; the same for all sources, or for all in a row of a grid (widening Gaussian).
struct SourceTerms
{
  double scale;              ///< of the exponent
  double limit;              ///< pairs of a greater metric have no row
  double reach;              ///< pairs further apart have no row; a little more than that, so that rounding loses none
  double extent[3];          ///< the same along each axis
  double box[3];             ///< pairs that reach this along an axis of the kernel's frame have no row
  std::uint32_t lastAtLimit; ///< nearest neighbours: pairs at the limit have a row up to this destination
};

/// The destinations, in slots: slot = index on a lattice, else sorted by cell.
struct DestinationView
{
  PositionsView positions; ///< by index
  AxisView axis[3];
  const std::uint32_t* cellBegin; ///< null on a lattice; cells along x, then y, then z; one entry more than cells
  const double* slotPosition[3];  ///< null on a lattice; by slot
  const std::uint32_t* slotIndex; ///< null on a lattice
  std::uint32_t count;
  bool inOrder; ///< a source's slots come in the order of their indices
};

/// The cell of a position along an axis; the nearest one for what rounding puts outside.
HINESIGHT_FORMULA std::uint32_t cellOf(const AxisView& axis, double position)
{
  const double cell = roundDown((position - axis.origin) / axis.step);
  const double last = static_cast<double>(axis.count) - 1;
  return static_cast<std::uint32_t>(cell < 0 ? 0 : cell > last ? last : cell);
}

/// The cell of a position, as cellBegin numbers them.
HINESIGHT_FORMULA std::uint32_t cellAt(const DestinationView& destination, const double (&position)[3])
{
  const AxisView* const axis = destination.axis;
  return (cellOf(axis[2], position[2]) * axis[1].count + cellOf(axis[1], position[1])) * axis[0].count +
         cellOf(axis[0], position[0]);
}

/// A projection ready to be evaluated: plain data, with pointers to main or to device memory.
struct ProblemView
{
  PositionsView source;
  DestinationView destination;
  const SourceTerms* terms;
  std::uint32_t termDivisor; ///< the terms of source s are terms[s / termDivisor % termCount]
  std::uint32_t termCount;
  std::uint32_t sources;
  double offset[3];
  double cut;
  double randomWeight;
  double delay;
  double inverseVelocity;
  std::uint64_t seed;
  bool oneToOne;
  bool boxed;
  bool wrapped;
  bool random;
  bool selfConnections;
};

/// A source and the rows of destinations that it looks at.
struct SourceView
{
  std::uint32_t index;
  double position[3];
  double centre[3]; ///< position + offset
  SourceTerms terms;
  Span y, z;
};

HINESIGHT_FORMULA SourceView makeSource(const ProblemView& problem, std::uint32_t index, const SourceTerms& terms)
{
  SourceView source;
  source.index = index;
  positionOf(problem.source, index, source.position);
  for (int axis = 0; axis < 3; ++axis)
    source.centre[axis] = source.position[axis] + problem.offset[axis];
  source.terms = terms;
  source.y = spanOf(problem.destination.axis[1], source.centre[1], source.terms.extent[1]);
  source.z = spanOf(problem.destination.axis[2], source.centre[2], source.terms.extent[2]);
  return source;
}

HINESIGHT_FORMULA SourceView makeSource(const ProblemView& problem, std::uint32_t index)
{
  return makeSource(problem, index, problem.terms[index / problem.termDivisor % problem.termCount]);
}

HINESIGHT_FORMULA std::uint32_t rowsOf(const ProblemView& problem, const SourceView& source)
{
  if (problem.oneToOne)
    return source.index < problem.destination.count ? 1 : 0;
  return source.terms.limit < 0 ? 0 : lengthOf(source.y) * lengthOf(source.z);
}

/// Slots that share y and z, or the y and z of their cell.
struct RowView
{
  double y, z;            ///< lattice: positions
  double dy, dz;          ///< lattice: displacements
  std::uint32_t slotZero; ///< lattice: the slot with x index 0
  Span span;
};

/// How far the nearest point of a row is from the source along an axis.
HINESIGHT_FORMULA double distanceToRow(const AxisView& axis, std::uint32_t index, double centre, double& position,
                                       double& displacement)
{
  if (!axis.cells) {
    position = axis.origin + static_cast<double>(index) * axis.step;
    displacement = nearestImage(axis, position - centre);
    return magnitude(displacement);
  }
  position = axis.origin + (static_cast<double>(index) + 0.5) * axis.step;
  displacement = nearestImage(axis, position - centre);
  const double outside = magnitude(displacement) - (0.5 + 1e-6 + axis.slack) * axis.step;
  return outside > 0 ? outside : 0;
}

HINESIGHT_FORMULA RowView makeRow(const ProblemView& problem, const SourceView& source, std::uint32_t rowIndex)
{
  const DestinationView& destination = problem.destination;
  const std::uint32_t rowsOfLayer = lengthOf(source.y);
  // Most populations are flat: their one layer needs no division.
  const std::uint32_t layer = rowIndex < rowsOfLayer || problem.oneToOne ? 0 : rowIndex / rowsOfLayer;
  std::uint32_t iz = problem.oneToOne ? 0 : indexIn(source.z, layer);
  std::uint32_t iy = problem.oneToOne ? 0 : indexIn(source.y, rowIndex - layer * rowsOfLayer);
  if (problem.oneToOne && destination.cellBegin == nullptr) {
    const std::uint32_t line = source.index / destination.axis[0].count;
    iy = line % destination.axis[1].count;
    iz = line / destination.axis[1].count;
  }
  RowView row;
  const double y = distanceToRow(destination.axis[1], iy, source.centre[1], row.y, row.dy);
  const double z = distanceToRow(destination.axis[2], iz, source.centre[2], row.z, row.dz);
  const std::uint32_t line = iz * destination.axis[1].count + iy;
  row.slotZero = line * destination.axis[0].count;
  if (problem.oneToOne) {
    row.span = {{source.index, 0}, {1, 0}};
    return row;
  }
  const double left = source.terms.reach * source.terms.reach - (y * y + z * z);
  if (left < 0) {
    row.span = {{0, 0}, {0, 0}};
    return row;
  }
  const double chord = squareRoot(left);
  const double half = chord < source.terms.extent[0] ? chord : source.terms.extent[0];
  row.span = spanOf(destination.axis[0], source.centre[0], half);
  for (int part = 0; part < 2; ++part) {
    const std::uint32_t first = row.slotZero + row.span.begin[part];
    if (destination.cellBegin == nullptr) {
      row.span.begin[part] = first;
    } else if (row.span.length[part] > 0) {
      row.span.begin[part] = destination.cellBegin[first];
      row.span.length[part] = destination.cellBegin[first + row.span.length[part]] - row.span.begin[part];
    }
  }
  return row;
}

/// Displacement, position and index of a destination.
struct Target
{
  double d[3];
  double position[3];
  std::uint32_t index;
};

/// What is in a slot of a row. `kLattice` says whether the destinations are on one.
template <bool kLattice>
HINESIGHT_FORMULA Target targetAt(const ProblemView& problem, const SourceView& source, const RowView& row,
                                  std::uint32_t slot)
{
  const DestinationView& destination = problem.destination;
  Target target;
  if (kLattice) {
    const AxisView& axis = destination.axis[0];
    target.index = slot;
    target.position[0] = axis.origin + wholeNumber(slot - row.slotZero) * axis.step;
    target.position[1] = row.y;
    target.position[2] = row.z;
    const double dx = target.position[0] - source.centre[0];
    target.d[0] = problem.wrapped ? nearestImage(axis, dx) : dx;
    target.d[1] = row.dy;
    target.d[2] = row.dz;
    return target;
  }
  target.index = destination.slotIndex[slot];
  for (int a = 0; a < 3; ++a) {
    target.position[a] = destination.slotPosition[a][slot];
    const double d = target.position[a] - source.centre[a];
    target.d[a] = problem.wrapped ? nearestImage(destination.axis[a], d) : d;
  }
  return target;
}

/// The same for a destination that is known by its index.
HINESIGHT_FORMULA Target targetOf(const ProblemView& problem, const SourceView& source, std::uint32_t index)
{
  Target target;
  target.index = index;
  positionOf(problem.destination.positions, index, target.position);
  for (int a = 0; a < 3; ++a) {
    const double d = target.position[a] - source.centre[a];
    target.d[a] = problem.wrapped ? nearestImage(problem.destination.axis[a], d) : d;
  }
  return target;
}

/// The delay of a connection in ms; the way is the shortest on a torus, and knows no offset.
HINESIGHT_FORMULA float delayOf(const ProblemView& problem, const SourceView& source, std::uint32_t index)
{
  double position[3];
  positionOf(problem.destination.positions, index, position);
  double square = 0;
  for (int a = 0; a < 3; ++a) {
    const double way = position[a] - source.position[a];
    const double shortest = problem.wrapped ? nearestImage(problem.destination.axis[a], way) : way;
    square += shortest * shortest;
  }
  return static_cast<float>(problem.delay + squareRoot(square) * problem.inverseVelocity);
}

} // namespace hinesight::projection
