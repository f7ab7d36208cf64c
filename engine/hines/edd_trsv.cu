#include "hines/edd_solver.hpp"

#include "core/cuda_support.cuh"
#include "core/cusparse.cuh"
#include "hines/edd_device.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// MIN-TRSV of vooturi 2019, section III-D1, figure 5: with the rows and columns of all junctions emptied, what is left
// of the matrix is tridiagonal. One call of cuSPARSE solves it for three right-hand sides: the right-hand side itself
// and, of each chain, its coupling with the junction above (P) and with the one below (Q). The Schur complement is
// formed in row sums: what a chain takes from a junction's is P or Q times the row sums of the chain, all of one sign.

namespace hinesight::hines {

namespace {

using cuda::Buffer;

/// A piece of a unit.
struct PieceWork
{
  std::uint32_t unit;
  std::int32_t piece;
};

/// A unit of one cell.
struct CellWork
{
  std::uint32_t unit;
  std::size_t pieceOf; ///< table of its shape: slot of the first recursion -> piece
};

/// The tridiagonal system of all cells.
template <typename Real>
struct TridiagonalView
{
  Real* lower;
  Real* diagonal;
  Real* upper;
  Real* solutions;  ///< columns of `rows`: P, Q, then one for each right-hand side
  std::size_t rows; ///< at least those of the batch
  const CellWork* cells;
  const std::int32_t* pieceOf;
  const std::int32_t* pieceBegin; ///< as the view's pieces
};

/// Calls f(row of the system, slot, rows from the piece's first one, piece) for every row of cell blockIdx.x.
template <typename Real, typename Function>
__device__ void forEachRow(const EddView<Real>& view, const TridiagonalView<Real>& system, Function f)
{
  const CellWork work = system.cells[blockIdx.x];
  const EddUnit unit = view.units[work.unit];
  const EddLevelHead level = view.levels[view.shapes[unit.shape].levelBegin];
  for (std::int32_t slot = static_cast<std::int32_t>(blockIdx.y * blockDim.x + threadIdx.x); slot < level.rows;
       slot += static_cast<std::int32_t>(blockDim.x * gridDim.y)) {
    const std::size_t piece = level.pieceTable + static_cast<std::size_t>(system.pieceOf[work.pieceOf + slot]);
    f(unit.rowBegin + slot, unit.slotBegin + slot, slot - system.pieceBegin[piece], view.pieces[piece], unit);
  }
}

/// The matrix and the columns P and Q. Junctions become rows of the identity.
template <typename Real>
__global__ void assembleMatrixKernel(EddView<Real> view, TridiagonalView<Real> system)
{
  forEachRow(view, system,
             [&](std::size_t row, std::size_t slot, std::int32_t k, const EddPiece& piece, const EddUnit& /*unit*/) {
               const bool isJunction = k == 0 && piece.junction >= 0;
               const bool hasBelow = k > 0;
               const bool belowIsJunction = k == 1 && piece.junction >= 0;
               const bool isLast = k + 1 == piece.length;
               const Real u = isJunction ? Real{0} : view.u[slot];
               const Real below = hasBelow ? view.u[slot - 1] : Real{0};
               system.diagonal[row] = isJunction ? Real{1} : view.excess[slot] - (u + below);
               system.lower[row] = hasBelow && !belowIsJunction ? below : Real{0};
               system.upper[row] = isLast ? Real{0} : u;
               system.solutions[row] = isLast && piece.parent >= 0 ? u : Real{0};
               system.solutions[system.rows + row] = belowIsJunction ? below : Real{0};
             });
}

/// The right-hand sides, blockIdx.z of them.
template <typename Real>
__global__ void assembleRightHandSidesKernel(EddView<Real> view, TridiagonalView<Real> system)
{
  forEachRow(
      view, system,
      [&](std::size_t row, std::size_t /*slot*/, std::int32_t k, const EddPiece& piece, const EddUnit& /*unit*/) {
        system.solutions[(2 + blockIdx.z) * system.rows + row] =
            k == 0 && piece.junction >= 0 ? Real{0} : view.b[blockIdx.z * view.rowCount + row];
      });
}

template <typename Real>
__device__ Real sumOfWarp(Real value)
{
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

constexpr unsigned kThreads = 256;

/// The Schur complement of each piece's chain: one warp a piece.
template <typename Real>
__global__ void __launch_bounds__(kThreads)
    reduceMatrixKernel(EddView<Real> view, TridiagonalView<Real> system, const PieceWork* work, std::uint32_t pieces)
{
  const std::uint32_t warp = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  if (warp >= pieces)
    return;
  const EddUnit unit = view.units[work[warp].unit];
  const EddLevelHead* level = view.levels + view.shapes[unit.shape].levelBegin;
  const std::size_t index = level->pieceTable + static_cast<std::size_t>(work[warp].piece);
  const EddPiece piece = view.pieces[index];
  const std::size_t begin = static_cast<std::size_t>(system.pieceBegin[index]);
  const bool hasJunction = piece.junction >= 0;
  const Real* excess = view.excess + unit.slotBegin + begin;
  const Real* u = view.u + unit.slotBegin + begin;
  const Real* p = system.solutions + unit.rowBegin + begin;
  const Real* q = p + system.rows;
  Real fromParent = 0;
  Real fromJunction = 0;
  for (std::int32_t k = (hasJunction ? 1 : 0) + static_cast<std::int32_t>(threadIdx.x % 32); k < piece.length;
       k += 32) {
    fromParent += p[k] * excess[k];
    fromJunction += q[k] * excess[k];
  }
  fromParent = sumOfWarp(fromParent);
  fromJunction = sumOfWarp(fromJunction);
  if (threadIdx.x % 32 != 0)
    return;
  if (piece.parent >= 0)
    view.contributionExcess[unit.contributionBegin + static_cast<std::size_t>(piece.contribution)] = fromParent;
  if (hasJunction) {
    const std::size_t to = unit.slotBegin + level[1].slotBegin + static_cast<std::size_t>(piece.junction);
    const std::int32_t last = piece.length - 1;
    view.excess[to] = excess[0] - fromJunction;
    view.u[to] = piece.parent < 0 ? Real{0} : last == 0 ? u[0] : -(u[last] * q[last]);
  }
}

/// What the chains take from the junctions' right-hand sides: one thread a piece, blockIdx.y the right-hand side.
template <typename Real>
__global__ void __launch_bounds__(kThreads) reduceRightHandSidesKernel(EddView<Real> view, TridiagonalView<Real> system,
                                                                       const PieceWork* work, std::uint32_t pieces)
{
  const std::uint32_t t = blockIdx.x * kThreads + threadIdx.x;
  if (t >= pieces)
    return;
  const std::size_t column = blockIdx.y;
  const EddUnit unit = view.units[work[t].unit];
  const EddLevelHead* level = view.levels + view.shapes[unit.shape].levelBegin;
  const std::size_t index = level->pieceTable + static_cast<std::size_t>(work[t].piece);
  const EddPiece piece = view.pieces[index];
  const std::size_t begin = static_cast<std::size_t>(system.pieceBegin[index]);
  const bool hasJunction = piece.junction >= 0;
  const bool hasChain = piece.length > (hasJunction ? 1 : 0);
  const Real* u = view.u + unit.slotBegin + begin;
  const Real* y = system.solutions + (2 + column) * system.rows + unit.rowBegin + begin;
  if (piece.parent >= 0)
    view.contributionB[column * view.contributionCount + unit.contributionBegin +
                       static_cast<std::size_t>(piece.contribution)] =
        hasChain ? u[piece.length - 1] * y[piece.length - 1] : Real{0};
  if (hasJunction) {
    const Real b = view.b[column * view.rowCount + unit.rowBegin + begin];
    view.x[column * view.slotCount + unit.slotBegin + level[1].slotBegin + static_cast<std::size_t>(piece.junction)] =
        hasChain ? b - u[0] * y[1] : b;
  }
}

/// The solution in every row from that of the junctions; blockIdx.z: right-hand side.
template <typename Real>
__global__ void expandRowsKernel(EddView<Real> view, TridiagonalView<Real> system)
{
  forEachRow(view, system,
             [&](std::size_t row, std::size_t slot, std::int32_t k, const EddPiece& piece, const EddUnit& unit) {
               Real* x = view.x + blockIdx.z * view.slotCount;
               const EddLevelHead* level = view.levels + view.shapes[unit.shape].levelBegin;
               const Real* junctions = x + unit.slotBegin + level[1].slotBegin;
               if (k == 0 && piece.junction >= 0) {
                 x[slot] = junctions[piece.junction];
                 return;
               }
               Real value = system.solutions[(2 + blockIdx.z) * system.rows + row];
               if (piece.parent >= 0)
                 value -= system.solutions[row] * junctions[piece.parent];
               if (piece.junction >= 0)
                 value -= system.solutions[system.rows + row] * junctions[piece.junction];
               x[slot] = value;
             });
}

template <typename Real>
__global__ void fillKernel(Real* values, std::size_t count, Real value)
{
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = value;
}

/// The tridiagonal system in device memory, and who does what of it.
template <typename Real>
class TridiagonalArrays
{
public:
  TridiagonalArrays(const EddPlan& plan, unsigned columnCount)
      : rows(rowsOf(plan)), lower(rows), diagonal(rows), upper(rows), solutions(rows * (2 + columnCount))
  {
    std::vector<std::size_t> pieceOfBegin;
    std::vector<std::int32_t> pieceOfSlot, begins;
    for (const EddShape& shape : plan.shapes) {
      pieceOfBegin.push_back(pieceOfSlot.size());
      const EddLevel& chains = shape.levels.front();
      for (std::int32_t p = 0; p < chains.pieceCount(); ++p)
        pieceOfSlot.insert(pieceOfSlot.end(), static_cast<std::size_t>(chains.pieces[p].length), p);
      // As the pieces of all recursions follow one another in the tables; only the first one's have a place.
      begins.insert(begins.end(), chains.pieceBegin.begin(), chains.pieceBegin.end());
      for (std::size_t level = 1; level < shape.levels.size(); ++level)
        begins.resize(begins.size() + shape.levels[level].pieces.size(), 0);
    }
    std::vector<PieceWork> pieceList;
    std::vector<CellWork> cellList;
    std::int32_t mostRows = 1;
    for (std::uint32_t k = 0; k < plan.units.size(); ++k) {
      const EddLevel& chains = plan.shapes[plan.units[k].shape].levels.front();
      for (std::int32_t p = 0; p < chains.pieceCount(); ++p)
        pieceList.push_back({k, p});
      cellList.push_back({k, pieceOfBegin[plan.units[k].shape]});
      mostRows = std::max(mostRows, chains.rows);
    }
    pieces = Buffer<PieceWork>(pieceList);
    cells = Buffer<CellWork>(cellList);
    pieceOf = Buffer<std::int32_t>(pieceOfSlot);
    pieceBegin = Buffer<std::int32_t>(begins);
    parts = std::min(65535u, (static_cast<unsigned>(mostRows) + kRowsAPart - 1) / kRowsAPart);
    padRows();
  }

  TridiagonalView<Real> view()
  {
    return {lower.data(), diagonal.data(), upper.data(),   solutions.data(),
            rows,         cells.data(),    pieceOf.data(), pieceBegin.data()};
  }
  dim3 rowGrid(unsigned columns) const { return dim3(static_cast<unsigned>(cells.size()), parts, columns); }
  std::uint32_t pieceCount() const { return static_cast<std::uint32_t>(pieces.size()); }
  const PieceWork* pieceWork() const { return pieces.data(); }
  /// Columns [first, first + count) with the matrix.
  cuda::TridiagonalColumns<Real> columns(unsigned first, unsigned count)
  {
    return {static_cast<int>(rows), static_cast<int>(count),        lower.data(), diagonal.data(),
            upper.data(),           solutions.data() + first * rows};
  }

private:
  static constexpr unsigned kRowsAPart = 4096;

  /// cuSPARSE wants three rows or more.
  static std::size_t rowsOf(const EddPlan& plan)
  {
    const std::size_t rows = plan.batch->compartments();
    if (rows > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw Error(ErrorCode::BadParameter, "min-trsv solves at most 2147483647 compartments; the batch has " +
                                               std::to_string(rows) + ". Choose fewer cells or another method.");
    return std::max<std::size_t>(rows, 3);
  }

  /// All rows become those of the identity; those that are somebody's are overwritten.
  void padRows()
  {
    const auto fill = [](Buffer<Real>& values, Real value) {
      constexpr unsigned kFillThreads = 256;
      fillKernel<<<static_cast<unsigned>((values.size() + kFillThreads - 1) / kFillThreads), kFillThreads>>>(
          values.data(), values.size(), value);
      cuda::check(cudaGetLastError(), "set up the chains");
    };
    fill(lower, 0);
    fill(diagonal, 1);
    fill(upper, 0);
    fill(solutions, 0);
  }

  std::size_t rows;
  Buffer<Real> lower, diagonal, upper, solutions;
  Buffer<PieceWork> pieces;
  Buffer<CellWork> cells;
  Buffer<std::int32_t> pieceOf, pieceBegin;
  unsigned parts = 1;
};

template <typename Real>
class EddTrsvSolver final : public detail::EddDeviceSolver<Real>
{
public:
  EddTrsvSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters)
      : detail::EddDeviceSolver<Real>(std::move(eddPlan), parameters), launches(*this->plan, 1),
        system(*this->plan, this->columns)
  {
    const std::size_t bytes = std::max({cusparse.columnsBufferBytes(system.columns(0, 2 + this->columns)),
                                        cusparse.columnsBufferBytes(system.columns(0, 2)),
                                        cusparse.columnsBufferBytes(system.columns(2, this->columns))});
    workspace = Buffer<std::byte>(bytes);
    if (this->keepFactors)
      factorize();
    cuda::check(cudaDeviceSynchronize(), "factorize the batch");
    this->graph.record([&](cudaStream_t stream) { launch(stream); });
  }

private:
  static constexpr unsigned kRowThreads = 256;

  unsigned warpBlocks() const { return (system.pieceCount() * 32 + kThreads - 1) / kThreads; }
  unsigned threadBlocks() const { return (system.pieceCount() + kThreads - 1) / kThreads; }

  void assembleMatrix(cudaStream_t stream)
  {
    assembleMatrixKernel<<<system.rowGrid(1), kRowThreads, 0, stream>>>(this->arrays.view(), system.view());
  }
  /// Of columns [first, first + count).
  void solveChains(unsigned first, unsigned count, cudaStream_t stream)
  {
    cusparse.setStream(stream);
    cusparse.solveColumns(system.columns(first, count), workspace.data());
  }
  void reduceMatrix(cudaStream_t stream)
  {
    reduceMatrixKernel<<<warpBlocks(), kThreads, 0, stream>>>(this->arrays.view(), system.view(), system.pieceWork(),
                                                              system.pieceCount());
  }

  /// What does not depend on right-hand sides, once and for all.
  void factorize()
  {
    assembleMatrix(nullptr);
    solveChains(0, 2, nullptr);
    reduceMatrix(nullptr);
    launches.template run<EddPhase::Factor>(this->arrays.view(), 1, nullptr);
  }

  void launch(cudaStream_t stream)
  {
    const EddView<Real> view = this->arrays.view();
    assembleRightHandSidesKernel<<<system.rowGrid(this->columns), kRowThreads, 0, stream>>>(view, system.view());
    if (this->keepFactors) {
      solveChains(2, this->columns, stream);
    } else {
      assembleMatrix(stream);
      solveChains(0, 2 + this->columns, stream);
      reduceMatrix(stream);
    }
    reduceRightHandSidesKernel<<<dim3(threadBlocks(), this->columns), kThreads, 0, stream>>>(
        view, system.view(), system.pieceWork(), system.pieceCount());
    this->runRecursions(launches, stream);
    expandRowsKernel<<<system.rowGrid(this->columns), kRowThreads, 0, stream>>>(view, system.view());
    cuda::check(cudaGetLastError(), "launch the solver");
  }

  cuda::Cusparse cusparse;
  detail::EddLaunches launches;
  TridiagonalArrays<Real> system;
  Buffer<std::byte> workspace;
};

} // namespace

std::unique_ptr<EddSolver> detail::prepareEddTrsv(std::shared_ptr<const EddPlan> plan,
                                                  const SolveParameters& parameters)
{
  if (parameters.precision == Precision::Single)
    return std::make_unique<EddTrsvSolver<float>>(std::move(plan), parameters.edd);
  return std::make_unique<EddTrsvSolver<double>>(std::move(plan), parameters.edd);
}

} // namespace hinesight::hines
