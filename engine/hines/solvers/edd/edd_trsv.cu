#include "hines/solvers/edd/edd_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/cusparse.cuh"
#include "hines/solvers/edd/edd_device.cuh"
#include "hines/solvers/edd/edd_trsv_step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

// MIN-TRSV on the device: one call of cuSPARSE solves the chains of all cells for all right-hand sides.

namespace hinesight::hines {

namespace {

using cuda::Buffer;

constexpr unsigned kThreads = 256;

/// Calls f(row) for every row of cell blockIdx.x.
template <typename Real, typename Function>
__device__ void forEachRow(const EddView<Real>& view, const EddTrsvView<Real>& system, Function f)
{
  const EddUnit unit = view.units[system.cells[blockIdx.x].unit];
  const std::int32_t rows = view.levels[view.shapes[unit.shape].levelBegin].rows;
  for (std::int32_t slot = static_cast<std::int32_t>(blockIdx.y * blockDim.x + threadIdx.x); slot < rows;
       slot += static_cast<std::int32_t>(blockDim.x * gridDim.y))
    f(edd::trsvRow(view, system, blockIdx.x, slot));
}

template <typename Real>
__global__ void __launch_bounds__(kThreads) assembleMatrixKernel(EddView<Real> view, EddTrsvView<Real> system)
{
  forEachRow(view, system, [&](const edd::TrsvRow& at) { edd::trsvAssembleMatrix(view, system, at); });
}

/// blockIdx.z: the right-hand side, here and below.
template <typename Real>
__global__ void __launch_bounds__(kThreads) assembleRightHandSidesKernel(EddView<Real> view, EddTrsvView<Real> system)
{
  forEachRow(view, system,
             [&](const edd::TrsvRow& at) { edd::trsvAssembleRightHandSide(view, system, at, blockIdx.z); });
}

template <typename Real>
__device__ Real sumOfWarp(Real value)
{
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

/// One warp a piece.
template <typename Real>
__global__ void __launch_bounds__(kThreads)
    reduceMatrixKernel(EddView<Real> view, EddTrsvView<Real> system, std::uint32_t pieces)
{
  const std::uint32_t warp = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
  if (warp >= pieces)
    return;
  const edd::TrsvRow begin = edd::trsvPiece(view, system, warp);
  edd::TrsvSums<Real> sums = edd::trsvSum(view, system, begin, static_cast<std::int32_t>(threadIdx.x % 32), 32);
  sums.fromParent = sumOfWarp(sums.fromParent);
  sums.fromJunction = sumOfWarp(sums.fromJunction);
  if (threadIdx.x % 32 == 0)
    edd::trsvReduceMatrix(view, system, begin, sums);
}

/// One thread a piece; blockIdx.y: the right-hand side.
template <typename Real>
__global__ void __launch_bounds__(kThreads)
    reduceRightHandSidesKernel(EddView<Real> view, EddTrsvView<Real> system, std::uint32_t pieces)
{
  const std::uint32_t t = blockIdx.x * kThreads + threadIdx.x;
  if (t < pieces)
    edd::trsvReduceRightHandSide(view, system, edd::trsvPiece(view, system, t), blockIdx.y);
}

template <typename Real>
__global__ void __launch_bounds__(kThreads) expandKernel(EddView<Real> view, EddTrsvView<Real> system)
{
  forEachRow(view, system, [&](const edd::TrsvRow& at) {
    view.x[blockIdx.z * view.slotCount + at.slot] = edd::trsvExpand(view, system, at, blockIdx.z);
  });
}

/// One thread a piece; blockIdx.y: the right-hand side.
template <typename Real>
__global__ void __launch_bounds__(kThreads)
    leaveFlowsKernel(EddView<Real> view, EddTrsvView<Real> system, std::uint32_t pieces)
{
  const std::uint32_t t = blockIdx.x * kThreads + threadIdx.x;
  if (t < pieces)
    edd::trsvLeaveFlow(view, edd::trsvPiece(view, system, t), blockIdx.y);
}

template <typename Real>
__global__ void __launch_bounds__(kThreads) residualKernel(EddView<Real> view, EddTrsvView<Real> system, Real* residual)
{
  forEachRow(view, system, [&](const edd::TrsvRow& at) {
    residual[blockIdx.z * view.rowCount + at.row] = edd::trsvResidual(view, at, blockIdx.z);
  });
}

template <typename Real>
__global__ void __launch_bounds__(kThreads)
    correctKernel(EddView<Real> view, EddTrsvView<Real> system, EddView<Real> correction)
{
  forEachRow(view, system, [&](const edd::TrsvRow& at) { edd::trsvCorrect(view, correction, system, at, blockIdx.z); });
}

template <typename Real>
__global__ void fillKernel(Real* values, std::size_t count, Real value)
{
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = value;
}

/// The tridiagonal system in device memory.
template <typename Real>
class TrsvArrays
{
public:
  TrsvArrays(const EddPlan& plan, unsigned columnCount) : TrsvArrays(plan, EddTrsvTables(plan), columnCount) {}

  EddTrsvView<Real> view()
  {
    return {lower.data(), diagonal.data(), upper.data(),   solutions.data(), rows,
            cells.data(), pieces.data(),   pieceOf.data(), pieceBegin.data()};
  }
  dim3 rowGrid(unsigned columns) const { return dim3(static_cast<unsigned>(cells.size()), parts, columns); }
  std::uint32_t pieceCount() const { return static_cast<std::uint32_t>(pieces.size()); }
  /// Columns [first, first + count) with the matrix.
  cuda::TridiagonalColumns<Real> columns(unsigned first, unsigned count)
  {
    return {static_cast<int>(rows), static_cast<int>(count),        lower.data(), diagonal.data(),
            upper.data(),           solutions.data() + first * rows};
  }

private:
  TrsvArrays(const EddPlan& plan, const EddTrsvTables& tables, unsigned columnCount)
      : rows(rowsOf(plan)), lower(rows), diagonal(rows), upper(rows), solutions(rows * (2 + columnCount)),
        cells(tables.cells), pieces(tables.pieces), pieceOf(tables.pieceOf), pieceBegin(tables.pieceBegin)
  {
    constexpr unsigned kRowsAPart = 4096;
    parts = std::min(65535u, (static_cast<unsigned>(tables.mostRows) + kRowsAPart - 1) / kRowsAPart);
    padRows();
  }

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
      fillKernel<<<static_cast<unsigned>((values.size() + kThreads - 1) / kThreads), kThreads>>>(values.data(),
                                                                                                 values.size(), value);
      cuda::check(cudaGetLastError(), "set up the chains");
    };
    fill(lower, 0);
    fill(diagonal, 1);
    fill(upper, 0);
    fill(solutions, 0);
  }

  std::size_t rows;
  Buffer<Real> lower, diagonal, upper, solutions;
  Buffer<EddTrsvCell> cells;
  Buffer<EddTrsvPiece> pieces;
  Buffer<std::int32_t> pieceOf, pieceBegin;
  unsigned parts = 1;
};

template <typename Real>
class EddTrsvSolver final : public detail::EddDeviceSolver<Real>
{
public:
  EddTrsvSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters)
      : detail::EddDeviceSolver<Real>(std::move(eddPlan), parameters, parameters.refinements > 0),
        launches(*this->plan, 1), system(*this->plan, this->columns), refinements(parameters.refinements),
        residual(refinements > 0 ? this->arrays.b.size() : 0), correction(refinements > 0 ? this->arrays.x.size() : 0)
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
  unsigned warpBlocks() const { return (system.pieceCount() * 32 + kThreads - 1) / kThreads; }
  dim3 pieceGrid() const { return dim3((system.pieceCount() + kThreads - 1) / kThreads, this->columns); }
  dim3 rowGrid() const { return system.rowGrid(this->columns); }

  void assembleMatrix(cudaStream_t stream)
  {
    assembleMatrixKernel<<<system.rowGrid(1), kThreads, 0, stream>>>(this->arrays.view(), system.view());
  }
  /// Of columns [first, first + count).
  void solveChains(unsigned first, unsigned count, cudaStream_t stream)
  {
    cusparse.setStream(stream);
    cusparse.solveColumns(system.columns(first, count), workspace.data());
  }
  void reduceMatrix(cudaStream_t stream)
  {
    reduceMatrixKernel<<<warpBlocks(), kThreads, 0, stream>>>(this->arrays.view(), system.view(), system.pieceCount());
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
    assembleRightHandSidesKernel<<<rowGrid(), kThreads, 0, stream>>>(view, system.view());
    if (this->keepFactors) {
      solveChains(2, this->columns, stream);
    } else {
      assembleMatrix(stream);
      solveChains(0, 2 + this->columns, stream);
      reduceMatrix(stream);
    }
    reduceRightHandSidesKernel<<<pieceGrid(), kThreads, 0, stream>>>(view, system.view(), system.pieceCount());
    this->runRecursions(launches, stream);
    expandKernel<<<rowGrid(), kThreads, 0, stream>>>(view, system.view());
    for (std::int32_t k = 0; k < refinements; ++k)
      refine(stream);
    cuda::check(cudaGetLastError(), "launch the solver");
  }

  void refine(cudaStream_t stream)
  {
    const EddView<Real> view = this->arrays.view();
    EddView<Real> error = view;
    error.b = residual.data();
    error.x = correction.data();
    leaveFlowsKernel<<<pieceGrid(), kThreads, 0, stream>>>(view, system.view(), system.pieceCount());
    residualKernel<<<rowGrid(), kThreads, 0, stream>>>(view, system.view(), residual.data());
    assembleRightHandSidesKernel<<<rowGrid(), kThreads, 0, stream>>>(error, system.view());
    solveChains(2, this->columns, stream);
    reduceRightHandSidesKernel<<<pieceGrid(), kThreads, 0, stream>>>(error, system.view(), system.pieceCount());
    launches.template run<EddPhase::Solve>(error, this->columns, stream);
    correctKernel<<<rowGrid(), kThreads, 0, stream>>>(view, system.view(), error);
  }

  cuda::Cusparse cusparse;
  detail::EddLaunches launches;
  TrsvArrays<Real> system;
  std::int32_t refinements;
  Buffer<Real> residual, correction; ///< as right-hand sides and unknowns are laid out
  Buffer<std::byte> workspace;
};

} // namespace

std::unique_ptr<EddSolver> detail::prepareEddTrsvCuda(std::shared_ptr<const EddPlan> plan,
                                                      const SolveParameters& parameters)
{
  if (parameters.precision == Precision::Single)
    return std::make_unique<EddTrsvSolver<float>>(std::move(plan), parameters.of<EddParameters>());
  return std::make_unique<EddTrsvSolver<double>>(std::move(plan), parameters.of<EddParameters>());
}

} // namespace hinesight::hines
