#pragma once

// For .cu files only: a plan of exact domain decomposition in device memory, and its launches.

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/timed_graph.cuh"
#include "core/device.hpp"
#include "hines/solvers/edd/edd_execution.hpp"
#include "hines/solvers/edd/edd_solver.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::hines::detail {

using cuda::Buffer;

/// Threads [first, first + 32) of a unit's recursion.
struct EddWarpWork
{
  std::uint32_t unit;
  std::uint32_t first;
};

inline constexpr unsigned kEddLevelThreads = 128;
inline constexpr unsigned kEddUnitThreads = 512;

/// Finds the piece of this thread: warps have theirs from the list.
template <typename Real>
__device__ bool findEddWork(const EddView<Real>& view, const EddWarpWork* work, std::uint32_t warps,
                            std::int32_t number, EddUnit& unit, std::uint32_t& t)
{
  const std::uint32_t warp = blockIdx.x * (kEddLevelThreads / 32) + threadIdx.x / 32;
  if (warp >= warps)
    return false;
  const EddWarpWork mine = work[warp];
  unit = view.units[mine.unit];
  t = mine.first + threadIdx.x % 32;
  const EddLevelHead& level = view.levels[view.shapes[unit.shape].levelBegin + number];
  return t < static_cast<std::uint32_t>(level.pieces) * unit.cells;
}

/// One recursion over the whole device. blockIdx.y: right-hand side.
template <EddPhase phase, typename Real>
__global__ void __launch_bounds__(kEddLevelThreads)
    eddContractKernel(EddView<Real> view, const EddWarpWork* work, std::uint32_t warps, std::int32_t number)
{
  EddUnit unit;
  std::uint32_t t;
  if (findEddWork(view, work, warps, number, unit, t))
    edd::contract<phase>(view, unit, number, t, blockIdx.y);
}

template <typename Real>
__global__ void __launch_bounds__(kEddLevelThreads)
    eddExpandKernel(EddView<Real> view, const EddWarpWork* work, std::uint32_t warps, std::int32_t number)
{
  EddUnit unit;
  std::uint32_t t;
  if (findEddWork(view, work, warps, number, unit, t))
    edd::expand(view, unit, number, t, blockIdx.y);
}

/// The recursions from `first` on, the serial sweep, and the way back: one block a unit.
template <EddPhase phase, typename Real>
__global__ void __launch_bounds__(kEddUnitThreads, 2) eddUnitKernel(EddView<Real> view, std::int32_t first)
{
  const EddUnit unit = view.units[blockIdx.x];
  const EddShapeHead shape = view.shapes[unit.shape];
  const EddLevelHead* levels = view.levels + shape.levelBegin;
  const std::size_t column = blockIdx.y;
  for (std::int32_t number = first; number < shape.depth; ++number) {
    const std::uint32_t work = static_cast<std::uint32_t>(levels[number].pieces) * unit.cells;
    for (std::uint32_t t = threadIdx.x; t < work; t += blockDim.x)
      edd::contract<phase>(view, unit, number, t, column);
    __syncthreads();
  }
  for (std::uint32_t cell = threadIdx.x; cell < unit.cells; cell += blockDim.x)
    edd::finish<phase>(view, unit, cell, column);
  if constexpr (phase != EddPhase::Factor) {
    for (std::int32_t number = shape.depth - 1; number >= first; --number) {
      __syncthreads();
      const std::uint32_t work = static_cast<std::uint32_t>(levels[number].pieces) * unit.cells;
      for (std::uint32_t t = threadIdx.x; t < work; t += blockDim.x)
        edd::expand(view, unit, number, t, column);
    }
  }
}

/// A cell of the plan's order in the layout.
struct EddCellPlace
{
  std::size_t row;       ///< of the batch
  std::size_t slotBegin; ///< of its first slot
  std::size_t inputBegin;
  std::size_t slotTable; ///< where its shape's slots are listed
  std::uint32_t rows;
  std::uint32_t stride;
  std::uint32_t cell; ///< of the batch
};

template <typename Real>
__global__ void eddLayOutMatrixKernel(const EddCellPlace* places, const std::int32_t* slotOf, const double* excess,
                                      const double* u, Real* excessOut, Real* uOut)
{
  const EddCellPlace p = places[blockIdx.x];
  for (std::uint32_t i = blockIdx.y * blockDim.x + threadIdx.x; i < p.rows; i += blockDim.x * gridDim.y) {
    const std::size_t to = p.slotBegin + static_cast<std::size_t>(slotOf[p.slotTable + i]) * p.stride;
    excessOut[to] = static_cast<Real>(excess[p.row + i]);
    uOut[to] = static_cast<Real>(u[p.row + i]);
  }
}

template <typename Real>
__global__ void eddLayOutRightHandSidesKernel(const EddCellPlace* places, const std::int32_t* slotOf,
                                              const double* excess, const double* b, Real* out, std::size_t rows,
                                              std::uint32_t columns)
{
  const EddCellPlace p = places[blockIdx.x];
  for (std::uint32_t column = 0; column < columns; ++column) {
    const double shift = eddColumnShift(p.cell, column);
    for (std::uint32_t i = blockIdx.y * blockDim.x + threadIdx.x; i < p.rows; i += blockDim.x * gridDim.y)
      out[column * rows + p.inputBegin + static_cast<std::size_t>(slotOf[p.slotTable + i]) * p.stride] =
          static_cast<Real>(b[p.row + i] + shift * excess[p.row + i]);
  }
}

template <typename Real>
__global__ void eddReadKernel(const EddCellPlace* places, const std::int32_t* slotOf, const Real* x, double* out)
{
  const EddCellPlace p = places[blockIdx.x];
  for (std::uint32_t i = blockIdx.y * blockDim.x + threadIdx.x; i < p.rows; i += blockDim.x * gridDim.y)
    out[p.row + i] = x[p.slotBegin + static_cast<std::size_t>(slotOf[p.slotTable + i]) * p.stride];
}

/// Between the order of the batch and the layout of the plan.
class EddLayout
{
public:
  explicit EddLayout(const EddPlan& plan)
  {
    std::vector<std::size_t> tableBegin;
    std::vector<std::int32_t> table;
    for (const EddShape& shape : plan.shapes) {
      tableBegin.push_back(table.size());
      table.insert(table.end(), shape.slotOf.begin(), shape.slotOf.end());
    }
    std::vector<EddCellPlace> list;
    std::uint32_t most = 0;
    list.reserve(plan.cellOrder.size());
    for (const EddUnit& unit : plan.units)
      for (std::uint32_t c = 0; c < unit.cells; ++c) {
        const std::uint32_t cell = plan.cellOrder[unit.cellBegin + c];
        const auto rows = static_cast<std::uint32_t>(plan.shapes[unit.shape].slotOf.size());
        most = std::max(most, rows);
        list.push_back({plan.batch->offset[cell], unit.slotBegin + c, unit.rowBegin + c, tableBegin[unit.shape], rows,
                        unit.cells, cell});
      }
    places = Buffer<EddCellPlace>(list);
    slotOf = Buffer<std::int32_t>(table);
    constexpr std::uint32_t kRowsAPart = 4096;
    grid = dim3(static_cast<unsigned>(list.size()), std::min(65535u, (most + kRowsAPart - 1) / kRowsAPart));
  }

  template <typename Real>
  void layOutMatrix(const double* excess, const double* u, Real* excessOut, Real* uOut) const
  {
    eddLayOutMatrixKernel<<<grid, kThreads>>>(places.data(), slotOf.data(), excess, u, excessOut, uOut);
    cuda::check(cudaGetLastError(), "launch the permutation");
  }
  template <typename Real>
  void layOutRightHandSides(const double* excess, const double* b, Real* out, std::size_t rows,
                            std::uint32_t columns) const
  {
    eddLayOutRightHandSidesKernel<<<grid, kThreads>>>(places.data(), slotOf.data(), excess, b, out, rows, columns);
    cuda::check(cudaGetLastError(), "launch the permutation");
  }
  template <typename Real>
  void read(const Real* x, double* out) const
  {
    eddReadKernel<<<grid, kThreads>>>(places.data(), slotOf.data(), x, out);
    cuda::check(cudaGetLastError(), "launch the permutation");
  }

private:
  static constexpr unsigned kThreads = 256;
  Buffer<EddCellPlace> places;
  Buffer<std::int32_t> slotOf;
  dim3 grid;
};

/// The tables and values of a plan in device memory.
template <typename Real>
class EddArrays
{
public:
  EddArrays(const EddPlan& plan, std::size_t columns, bool withReciprocal)
      : EddArrays(plan, EddTables(plan), columns, withReciprocal)
  {}

  EddView<Real> view()
  {
    return {shapes.data(),
            levels.data(),
            pieces.data(),
            numbers.data(),
            units.data(),
            excess.data(),
            u.data(),
            w.data(),
            v.data(),
            reciprocal.data(),
            b.data(),
            x.data(),
            contributionExcess.data(),
            contributionB.data(),
            rows,
            slotCount,
            contributions};
  }

  Buffer<EddShapeHead> shapes;
  Buffer<EddLevelHead> levels;
  Buffer<EddPiece> pieces;
  Buffer<std::int32_t> numbers;
  Buffer<EddUnit> units;
  std::size_t rows, slotCount, contributions;
  Buffer<Real> excess, u, w, v, reciprocal, b, x, contributionExcess, contributionB;

private:
  EddArrays(const EddPlan& plan, const EddTables& tables, std::size_t columns, bool withReciprocal)
      : shapes(tables.shapes), levels(tables.levels), pieces(tables.pieces), numbers(tables.numbers),
        units(tables.units), rows(plan.batch->compartments()), slotCount(plan.slotCount),
        contributions(plan.contributionCount), excess(slotCount), u(slotCount), w(slotCount), v(slotCount),
        reciprocal(withReciprocal ? slotCount : 0), b(rows * columns), x(slotCount * columns),
        contributionExcess(contributions), contributionB(contributions * columns)
  {}
};

/// How the recursions are launched.
class EddLaunches
{
public:
  /// Of the recursions from `firstLevel` on.
  explicit EddLaunches(const EddPlan& plan, std::int32_t firstLevel = 0) : first(firstLevel), firstInUnits(firstLevel)
  {
    const std::int32_t depth = plan.depth();
    const auto processors = static_cast<std::uint64_t>(planningDevice().multiprocessors);
    for (; firstInUnits < depth && needsDevice(plan, firstInUnits, processors); ++firstInUnits)
      levels.push_back(levelOf(plan, firstInUnits));
    std::uint64_t most = 1;
    for (const EddUnit& unit : plan.units) {
      const EddShape& shape = plan.shapes[unit.shape];
      if (firstInUnits < shape.depth())
        most = std::max(most, piecesOf(shape, unit, firstInUnits));
    }
    // Many units share the multiprocessors; few are each done by as many threads as can be.
    const std::uint64_t mostThreads = plan.units.size() > processors ? kEddUnitThreads / 2 : kEddUnitThreads;
    unitThreads = static_cast<unsigned>(std::clamp<std::uint64_t>((most + 31) / 32 * 32, 32, mostThreads));
    if (plan.units.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw Error(ErrorCode::BadParameter, "The plan has more units than one launch can have; solve fewer cells.");
    units = static_cast<unsigned>(plan.units.size());
  }

  /// Down, the rest, and up again where there are right-hand sides.
  template <EddPhase phase, typename Real>
  void run(const EddView<Real>& view, unsigned columns, cudaStream_t stream) const
  {
    for (std::size_t k = 0; k < levels.size(); ++k)
      eddContractKernel<phase><<<gridOf(k, columns), kEddLevelThreads, 0, stream>>>(
          view, levels[k].data(), warpsOf(k), first + static_cast<std::int32_t>(k));
    eddUnitKernel<phase><<<dim3(units, columns), unitThreads, 0, stream>>>(view, firstInUnits);
    if constexpr (phase != EddPhase::Factor)
      for (std::size_t k = levels.size(); k-- > 0;)
        eddExpandKernel<<<gridOf(k, columns), kEddLevelThreads, 0, stream>>>(view, levels[k].data(), warpsOf(k),
                                                                             first + static_cast<std::int32_t>(k));
    cuda::check(cudaGetLastError(), "launch the solver");
  }

private:
  /// Pieces that one block does in the time of a launch and its expansion.
  static constexpr std::uint64_t kBlockPieces = 1024;

  static std::uint64_t piecesOf(const EddShape& shape, const EddUnit& unit, std::int32_t number)
  {
    return static_cast<std::uint64_t>(shape.levels[static_cast<std::size_t>(number)].pieceCount()) * unit.cells;
  }

  /// Whether one unit would keep its block busy while the others are done.
  static bool needsDevice(const EddPlan& plan, std::int32_t number, std::uint64_t processors)
  {
    std::uint64_t most = 0;
    std::uint64_t all = 0;
    for (const EddUnit& unit : plan.units) {
      const EddShape& shape = plan.shapes[unit.shape];
      if (number >= shape.depth())
        continue;
      const std::uint64_t pieces = piecesOf(shape, unit, number);
      most = std::max(most, pieces);
      all += pieces;
    }
    return most > kBlockPieces && most * processors > all;
  }

  static Buffer<EddWarpWork> levelOf(const EddPlan& plan, std::int32_t number)
  {
    std::vector<EddWarpWork> work;
    for (std::uint32_t k = 0; k < plan.units.size(); ++k) {
      const EddShape& shape = plan.shapes[plan.units[k].shape];
      if (number >= shape.depth())
        continue;
      const std::uint64_t pieces = piecesOf(shape, plan.units[k], number);
      for (std::uint64_t first = 0; first < pieces; first += 32)
        work.push_back({k, static_cast<std::uint32_t>(first)});
    }
    return Buffer<EddWarpWork>(work);
  }

  std::uint32_t warpsOf(std::size_t k) const { return static_cast<std::uint32_t>(levels[k].size()); }
  dim3 gridOf(std::size_t k, unsigned columns) const
  {
    constexpr std::uint32_t kWarps = kEddLevelThreads / 32;
    return dim3((warpsOf(k) + kWarps - 1) / kWarps, columns);
  }

  std::vector<Buffer<EddWarpWork>> levels; ///< of the recursions that are launches of their own
  std::int32_t first;
  std::int32_t firstInUnits;
  unsigned unitThreads = 0;
  unsigned units = 0;
};

/// What the solvers on the device have in common. Who derives from it records its launches.
template <typename Real>
class EddDeviceSolver : public EddSolver
{
public:
  void setRightHandSide(std::span<const double> b) override
  {
    scratch.upload(b.data());
    layout.layOutRightHandSides(batchExcess.data(), scratch.data(), arrays.b.data(), arrays.rows, columns);
    cuda::check(cudaDeviceSynchronize(), "lay out right-hand sides");
  }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    graph.start();
    return {0, graph.finish()};
  }

  void read(std::span<double> x, StageTimings& timings) override
  {
    timer.start();
    layout.read(arrays.x.data(), scratch.data());
    timings.add("permute", timer.stop());
    timer.start();
    scratch.download(x.data());
    timings.add("download", timer.stop());
  }

  std::int32_t columnCount() const override { return static_cast<std::int32_t>(columns); }

  void readColumn(std::int32_t column, std::span<double> x) override
  {
    layout.read(arrays.x.data() + static_cast<std::size_t>(column) * arrays.slotCount, scratch.data());
    scratch.download(x.data());
  }

protected:
  /// `solvesAgain`: with the same factors within one solve.
  EddDeviceSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters, bool solvesAgain = false)
      : plan(std::move(eddPlan)), columns(static_cast<unsigned>(parameters.rightHandSides)),
        keepFactors(parameters.keepFactors), inOnePhase(columns == 1 && !keepFactors && !solvesAgain), layout(*plan),
        arrays(*plan, columns, !inOnePhase), batchExcess(plan->batch->excess), scratch(plan->batch->compartments())
  {
    scratch.upload(plan->batch->u.data());
    layout.layOutMatrix(batchExcess.data(), scratch.data(), arrays.excess.data(), arrays.u.data());
    setRightHandSide(plan->batch->b);
  }

  /// The recursions of `launches`, whatever has to be done of them in a solve.
  void runRecursions(const EddLaunches& launches, cudaStream_t stream)
  {
    const EddView<Real> view = arrays.view();
    if (inOnePhase) {
      launches.template run<EddPhase::Both>(view, 1, stream);
      return;
    }
    if (!keepFactors)
      launches.template run<EddPhase::Factor>(view, 1, stream);
    launches.template run<EddPhase::Solve>(view, columns, stream);
  }

  std::shared_ptr<const EddPlan> plan;
  unsigned columns;
  bool keepFactors;
  bool inOnePhase; ///< factors and right-hand side together, reciprocals not kept
  EddLayout layout;
  EddArrays<Real> arrays;
  Buffer<double> batchExcess, scratch; ///< in the order of the batch
  cuda::TimedGraph graph;
  cuda::Timer timer;
};

} // namespace hinesight::hines::detail
