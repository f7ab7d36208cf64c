#pragma once

#include "hines/solvers/interleaved/interleaved_sweep.hpp"

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

/// By reference: a vector that the processor has no register for cannot be returned.
template <typename From, typename To>
inline __attribute__((always_inline)) void convert(const From& from, To& to)
{
  to = __builtin_convertvector(from, To);
}

/// kVectors registers of kWidth lanes each, a cell a lane.
///
/// Row sums are carried from a compartment to the next in double precision, in single precision too: along a chain they
/// settle where what is added equals what is lost, and rounding to single precision shifts that point by many times the
/// last digit (docs/accuracy.md). What is read, kept and written has the precision asked for.
template <typename Real, int kWidth, int kVectors>
class CellSweep
{
public:
  static constexpr int kLanes = kWidth * kVectors;

  CellSweep(const InterleavedShape& sweptShape, const InterleavedRows<Real>& sweptRows, Real* factors)
      : shape(sweptShape), rows(sweptRows), factor(factors)
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

  static Row load(const Real* of, std::size_t i)
  {
    Row row;
    __builtin_memcpy(&row, __builtin_assume_aligned(of + i * kLanes, sizeof(V)), sizeof row);
    return row;
  }

  static void store(Real* to, std::size_t i, const Row& row)
  {
    __builtin_memcpy(__builtin_assume_aligned(to + i * kLanes, sizeof(V)), &row, sizeof row);
  }

  /// What a compartment leaves to its parent, summed.
  struct Carry
  {
    Wide excess[kVectors];
    Row b;
  };

  void takeGathered(std::size_t i, Carry& carry) const
  {
    const Row excess = load(factor, i);
    const Row b = load(rows.x, i);
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
      store(factor, p, excess);
      store(rows.x, p, carry.b);
    }
    carry = Carry{};
  }

  /// Eliminates compartment i: its places in memory then hold what the forward sweep needs, f = u / (s - u) and
  /// b / (s - u).
  void eliminateRow(std::size_t i, Carry& carry) const
  {
    const Row excess = load(rows.excess, i);
    const Row b = load(rows.b, i);
    Row coupling;
    const bool isRoot = (shape.steps[i] & kIsRoot) != 0;
    if (!isRoot)
      coupling = load(rows.u, i);
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
    store(factor, i, f);
    store(rows.x, i, y);
  }

  void backward() const
  {
    Carry carry{};
    for (std::size_t i = shape.compartments; i-- > 0;) {
      const std::uint8_t step = shape.steps[i];
      if ((step & kGathers) != 0)
        takeGathered(i, carry);
      eliminateRow(i, carry);
      if ((step & kJumps) != 0)
        handOver(i, carry);
    }
  }

  void forward() const
  {
    Row x{};
    for (std::size_t i = 0; i < shape.compartments; ++i) {
      const std::uint8_t step = shape.steps[i];
      if ((step & kJumps) != 0)
        x = (step & kIsRoot) != 0 ? Row{} : load(rows.x, static_cast<std::size_t>(shape.parent[i]));
      const Row f = load(factor, i);
      const Row y = load(rows.x, i);
      for (int v = 0; v < kVectors; ++v)
        x.lane[v] = y.lane[v] - f.lane[v] * x.lane[v];
      store(rows.x, i, x);
    }
  }

  const InterleavedShape& shape;
  const InterleavedRows<Real>& rows;
  Real* factor; ///< per compartment and lane; until it is eliminated what its children left of the excess, as x has
                ///< what they left of b
};

template <typename Real, int kWidth, int kVectors>
void sweepCells(const InterleavedShape& shape, const InterleavedRows<Real>& rows, Real* factors)
{
  CellSweep<Real, kWidth, kVectors>(shape, rows, factors).run();
}

} // namespace

} // namespace hinesight::hines::detail
