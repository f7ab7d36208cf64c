#pragma once

#include "hines/interleaved_sweep.hpp"

#include <utility>

// The sweeps over interleaved cells, written once and compiled several times with different instructions. Everything
// here has internal linkage and calls no inline function of the standard library: the linker may keep any of several
// copies of such a function, and must not keep one that only some processors can execute.

namespace hinesight::hines::detail {

namespace {

template <typename Real, int kWidth>
struct VectorOf
{
  typedef Real Type __attribute__((vector_size(kWidth * sizeof(Real))));
};

template <typename Real, int kWidth>
using Vector = typename VectorOf<Real, kWidth>::Type;

/// Of two rows a and b with the k-th elements a[k] and b[k]: the first has a[k] where k lacks bit `kBit` and b[k -
/// kBit] where it has it, the second a[k + kBit] and b[k].
template <int kBit, typename V, std::size_t... k>
inline __attribute__((always_inline)) void exchange(V& a, V& b, std::index_sequence<k...>)
{
  constexpr int kWidth = sizeof...(k);
  const V first =
      __builtin_shufflevector(a, b, ((k & kBit) != 0 ? kWidth + static_cast<int>(k) - kBit : static_cast<int>(k))...);
  b = __builtin_shufflevector(a, b, ((k & kBit) != 0 ? kWidth + static_cast<int>(k) : static_cast<int>(k) + kBit)...);
  a = first;
}

/// Transposes a square by exchanging blocks of `kBit` across its diagonal, then of twice that.
template <int kWidth, int kBit = 1, typename V>
inline __attribute__((always_inline)) void transpose(V (&rows)[kWidth])
{
  if constexpr (kBit < kWidth) {
    for (int row = 0; row < kWidth; ++row)
      if ((row & kBit) == 0)
        exchange<kBit>(rows[row], rows[row + kBit], std::make_index_sequence<kWidth>());
    transpose<kWidth, 2 * kBit>(rows);
  }
}

/// By reference: a vector that the processor has no register for cannot be returned.
template <typename From, typename To>
inline __attribute__((always_inline)) void convert(const From& from, To& to)
{
  to = __builtin_convertvector(from, To);
}

/// kVectors registers of kWidth lanes each, a cell a lane. Cells are read in tiles of kWidth compartments, transposed
/// in registers, so that each cache line of the batch is touched once.
///
/// Row sums are carried from a compartment to the next in double precision, in single precision too: along a chain they
/// settle where what is added equals what is lost, and rounding to single precision shifts that point by many times the
/// last digit (docs/accuracy.md). What is read, kept and written has the precision asked for.
template <typename Real, int kWidth, int kVectors>
class CellSweep
{
public:
  static constexpr int kLanes = kWidth * kVectors;

  CellSweep(const InterleavedShape& sweptShape, const InterleavedRows<Real>& sweptRows, const std::size_t* offsets,
            Real* scratch)
      : shape(sweptShape), rows(sweptRows), offset(offsets), factor(scratch),
        value(scratch + kLanes * sweptShape.compartments)
  {}

  void run()
  {
    backward();
    forward();
  }

private:
  using V = Vector<Real, kWidth>;
  using Wide = Vector<double, kWidth>;

  /// A compartment of every lane.
  struct Row
  {
    V lane[kVectors];
  };

  /// Compartments of a tile that are still asked for ahead: tiles times their compartments.
  static constexpr std::size_t kAhead = 6 * kWidth;

  static Row load(const Real* from)
  {
    Row row;
    __builtin_memcpy(&row, __builtin_assume_aligned(from, sizeof(V)), sizeof row);
    return row;
  }

  static void store(Real* to, const Row& row)
  {
    __builtin_memcpy(__builtin_assume_aligned(to, sizeof(V)), &row, sizeof row);
  }

  Real* factorOf(std::size_t i) const { return factor + i * kLanes; }
  Real* valueOf(std::size_t i) const { return value + i * kLanes; }

  /// Reads compartments [begin, begin + count) of every cell.
  void readTile(const Real* from, std::size_t begin, std::size_t count, Row (&tile)[kWidth]) const
  {
    for (int v = 0; v < kVectors; ++v) {
      V square[kWidth];
      for (int lane = 0; lane < kWidth; ++lane) {
        const Real* cell = from + offset[v * kWidth + lane] + begin;
        if (count == kWidth)
          __builtin_memcpy(&square[lane], cell, sizeof(V));
        else {
          square[lane] = V{};
          __builtin_memcpy(&square[lane], cell, count * sizeof(Real));
        }
        if (begin >= kAhead)
          __builtin_prefetch(cell - kAhead);
      }
      transpose<kWidth>(square);
      for (int k = 0; k < kWidth; ++k)
        tile[k].lane[v] = square[k];
    }
  }

  void writeTile(std::size_t begin, std::size_t count, const Row (&tile)[kWidth]) const
  {
    for (int v = 0; v < kVectors; ++v) {
      V square[kWidth];
      for (int k = 0; k < kWidth; ++k)
        square[k] = tile[k].lane[v];
      transpose<kWidth>(square);
      for (int lane = 0; lane < kWidth; ++lane) {
        Real* cell = rows.x + offset[v * kWidth + lane] + begin;
        if (count == kWidth)
          __builtin_memcpy(cell, &square[lane], sizeof(V));
        else
          __builtin_memcpy(cell, &square[lane], count * sizeof(Real));
      }
    }
  }

  /// What a compartment leaves to its parent, summed.
  struct Carry
  {
    Wide excess[kVectors];
    Row b;
  };

  void takeGathered(std::size_t i, Carry& carry) const
  {
    const Row excess = load(factorOf(i));
    const Row b = load(valueOf(i));
    for (int v = 0; v < kVectors; ++v) {
      Wide gathered;
      convert(excess.lane[v], gathered);
      carry.excess[v] += gathered;
      carry.b.lane[v] += b.lane[v];
    }
  }

  /// Adds a carry to what waits for the parent, and empties it.
  void handOver(std::size_t i, Carry& carry) const
  {
    if ((shape.steps[i] & kIsRoot) == 0) {
      const auto p = static_cast<std::size_t>(shape.parent[i]);
      if ((shape.steps[i] & kFirst) == 0)
        takeGathered(p, carry);
      Row excess;
      for (int v = 0; v < kVectors; ++v)
        convert(carry.excess[v], excess.lane[v]);
      store(factorOf(p), excess);
      store(valueOf(p), carry.b);
    }
    carry = Carry{};
  }

  /// Eliminates compartment i: its place in memory then holds what the forward sweep needs, f = u / (s - u) and
  /// b / (s - u).
  void eliminateRow(std::size_t i, const Row& excess, const Row& coupling, const Row& b, Carry& carry) const
  {
    const bool isRoot = (shape.steps[i] & kIsRoot) != 0;
    Row f;
    Row y;
    for (int v = 0; v < kVectors; ++v) {
      Wide s;
      Wide u{};
      convert(excess.lane[v], s);
      if (!isRoot)
        convert(coupling.lane[v], u);
      // Not s - u: the next line and this one then wait for the carry side by side.
      const Wide reciprocal = 1.0 / ((s - u) - carry.excess[v]);
      s -= carry.excess[v];
      const Wide ratio = u * reciprocal;
      carry.excess[v] = ratio * s;
      convert(ratio, f.lane[v]);
      convert(reciprocal, y.lane[v]);
      const V r = b.lane[v] - carry.b.lane[v];
      y.lane[v] *= r;
      carry.b.lane[v] = f.lane[v] * r;
    }
    store(factorOf(i), f);
    store(valueOf(i), y);
  }

  void backward() const
  {
    Carry carry{};
    Row excess[kWidth];
    Row u[kWidth];
    Row b[kWidth];
    const std::size_t n = shape.compartments;
    for (std::size_t begin = (n - 1) / kWidth * kWidth, count = n - begin;; begin -= kWidth, count = kWidth) {
      readTile(rows.excess, begin, count, excess);
      readTile(rows.u, begin, count, u);
      readTile(rows.b, begin, count, b);
      for (std::size_t k = count; k-- > 0;) {
        const std::size_t i = begin + k;
        if ((shape.steps[i] & kGathers) != 0)
          takeGathered(i, carry);
        eliminateRow(i, excess[k], u[k], b[k], carry);
        if ((shape.steps[i] & kJumps) != 0)
          handOver(i, carry);
      }
      if (begin == 0)
        break;
    }
  }

  void forward() const
  {
    Row x{};
    Row tile[kWidth];
    const std::size_t n = shape.compartments;
    for (std::size_t begin = 0; begin < n; begin += kWidth) {
      const std::size_t count = n - begin < kWidth ? n - begin : kWidth;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = begin + k;
        if ((shape.steps[i] & kJumps) != 0)
          x = (shape.steps[i] & kIsRoot) != 0 ? Row{} : load(valueOf(static_cast<std::size_t>(shape.parent[i])));
        const Row f = load(factorOf(i));
        const Row y = load(valueOf(i));
        for (int v = 0; v < kVectors; ++v)
          x.lane[v] = y.lane[v] - f.lane[v] * x.lane[v];
        if ((shape.steps[i] & kGathers) != 0)
          store(valueOf(i), x);
        tile[k] = x;
      }
      writeTile(begin, count, tile);
    }
  }

  const InterleavedShape& shape;
  const InterleavedRows<Real>& rows;
  const std::size_t* offset;
  Real* factor; ///< per compartment and lane; until it is eliminated what its children left of the excess
  Real* value;  ///< likewise b / (s - u), or what its children left of b
};

template <typename Real, int kWidth, int kVectors>
void sweepCells(const InterleavedShape& shape, const InterleavedRows<Real>& rows, const std::size_t* offset,
                Real* scratch)
{
  CellSweep<Real, kWidth, kVectors>(shape, rows, offset, scratch).run();
}

} // namespace

} // namespace hinesight::hines::detail
