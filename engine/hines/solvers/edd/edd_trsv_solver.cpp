#include "hines/solvers/edd/edd_host.hpp"
#include "hines/solvers/edd/edd_trsv_step.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// MIN-TRSV with the sweeps of Thomas where the device has cuSPARSE: the same plan and the same steps otherwise.
template <typename Real>
class EddTrsvCpuSolver final : public detail::EddHostSolver<Real>
{
public:
  EddTrsvCpuSolver(std::shared_ptr<const EddPlan> eddPlan, const EddParameters& parameters, int threadCount,
                   const RunControl& control)
      : detail::EddHostSolver<Real>(std::move(eddPlan), parameters, threadCount, control, parameters.refinements > 0,
                                    1),
        trsvTables(*this->plan), refinements(parameters.refinements)
  {
    const std::size_t rows = this->b.size() / this->columns;
    requireMemory((rows * (5 + this->columns) + (refinements > 0 ? this->b.size() + this->x.size() : 0)) * sizeof(Real),
                  "The solution");
    for (std::vector<Real>* values : {&lower, &diagonal, &upper})
      values->resize(rows);
    solutions.resize(rows * (2 + this->columns));
    residual.resize(refinements > 0 ? this->b.size() : 0);
    correction.resize(refinements > 0 ? this->x.size() : 0);
    if (this->keepFactors) {
      factorizeChains(control);
      this->template contractAll<EddPhase::Factor>(this->view(), 1, control);
    }
  }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const Stopwatch watch;
    const EddView<Real> view = this->view();
    if (!this->keepFactors)
      factorizeChains(control);
    solveChains(view, control);
    this->runRecursions(control);
    this->expandAll(view, control);
    forEachRow(control, [&](const edd::TrsvRow& at, std::size_t column) {
      this->x[column * view.slotCount + at.slot] = edd::trsvExpand(view, system(), at, column);
    });
    for (std::int32_t k = 0; k < refinements; ++k)
      refine(view, control);
    return {0, watch.elapsed()};
  }

private:
  EddTrsvView<Real> system()
  {
    return {lower.data(),
            diagonal.data(),
            upper.data(),
            solutions.data(),
            diagonal.size(),
            trsvTables.cells.data(),
            trsvTables.pieces.data(),
            trsvTables.pieceOf.data(),
            trsvTables.pieceBegin.data()};
  }

  const EddUnit& unitOf(std::size_t cell) const { return this->plan->units[trsvTables.cells[cell].unit]; }

  /// Calls f(cell, column) for `columnCount` columns.
  template <typename Function>
  void forEachCell(std::size_t columnCount, const RunControl& control, Function f) const
  {
    const std::size_t cells = trsvTables.cells.size();
    parallelFor(
        cells * columnCount, 1,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            f(k % cells, k / cells);
          }
        },
        this->threads);
  }

  template <typename Function>
  void forEachRowOf(std::size_t cell, Function f)
  {
    const EddView<Real> view = this->view();
    const auto rows = static_cast<std::int32_t>(this->plan->batch->shapes[unitOf(cell).shape]->size());
    for (std::int32_t slot = 0; slot < rows; ++slot)
      f(edd::trsvRow(view, system(), cell, slot));
  }

  /// Calls f(row, column).
  template <typename Function>
  void forEachRow(const RunControl& control, Function f)
  {
    forEachCell(this->columns, control, [&](std::size_t cell, std::size_t column) {
      forEachRowOf(cell, [&](const edd::TrsvRow& at) { f(at, column); });
    });
  }

  /// Calls f(first row of a piece, column).
  template <typename Function>
  void forEachPiece(std::size_t columnCount, const RunControl& control, Function f)
  {
    constexpr std::size_t kPieces = 4096;
    const EddView<Real> view = this->view();
    const std::size_t pieces = trsvTables.pieces.size();
    parallelFor(
        pieces * columnCount, kPieces,
        [&](std::size_t begin, std::size_t end) {
          control.checkpoint();
          for (std::size_t k = begin; k < end; ++k)
            f(edd::trsvPiece(view, system(), k % pieces), k / pieces);
        },
        this->threads);
  }

  /// Thomas over a cell's chains; they are not coupled with those of other cells.
  void sweep(std::size_t cell, std::size_t column)
  {
    const EddUnit& unit = unitOf(cell);
    const std::size_t begin = unit.rowBegin;
    const std::size_t end = begin + this->plan->batch->shapes[unit.shape]->size();
    Real* y = solutions.data() + column * diagonal.size();
    std::vector<Real> ratio(end - begin);
    Real above = 0;
    Real carried = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Real r = Real{1} / (diagonal[i] - lower[i] * above);
      above = upper[i] * r;
      carried = (y[i] - lower[i] * carried) * r;
      ratio[i - begin] = above;
      y[i] = carried;
    }
    for (std::size_t i = end - 1; i-- > begin;)
      y[i] -= ratio[i - begin] * y[i + 1];
  }

  /// P, Q and the Schur complement.
  void factorizeChains(const RunControl& control)
  {
    const EddView<Real> view = this->view();
    forEachCell(1, control, [&](std::size_t cell, std::size_t) {
      forEachRowOf(cell, [&](const edd::TrsvRow& at) { edd::trsvAssembleMatrix(view, system(), at); });
      sweep(cell, 0);
      sweep(cell, 1);
    });
    forEachPiece(1, control, [&](const edd::TrsvRow& begin, std::size_t) {
      edd::trsvReduceMatrix(view, system(), begin, edd::trsvSum(view, system(), begin, 0, 1));
    });
  }

  /// The chains for the right-hand sides of `values`, and those of the junctions.
  void solveChains(const EddView<Real>& values, const RunControl& control)
  {
    forEachCell(this->columns, control, [&](std::size_t cell, std::size_t column) {
      forEachRowOf(cell, [&](const edd::TrsvRow& at) { edd::trsvAssembleRightHandSide(values, system(), at, column); });
      sweep(cell, 2 + column);
    });
    forEachPiece(this->columns, control, [&](const edd::TrsvRow& begin, std::size_t column) {
      edd::trsvReduceRightHandSide(values, system(), begin, column);
    });
  }

  void refine(const EddView<Real>& view, const RunControl& control)
  {
    EddView<Real> error = view;
    error.b = residual.data();
    error.x = correction.data();
    forEachPiece(this->columns, control,
                 [&](const edd::TrsvRow& begin, std::size_t column) { edd::trsvLeaveFlow(view, begin, column); });
    forEachRow(control, [&](const edd::TrsvRow& at, std::size_t column) {
      residual[column * view.rowCount + at.row] = edd::trsvResidual(view, at, column);
    });
    solveChains(error, control);
    this->template contractAll<EddPhase::Solve>(error, this->columns, control);
    this->expandAll(error, control);
    forEachRow(control, [&](const edd::TrsvRow& at, std::size_t column) {
      edd::trsvCorrect(view, error, system(), at, column);
    });
  }

  EddTrsvTables trsvTables;
  std::int32_t refinements;
  std::vector<Real> lower, diagonal, upper, solutions;
  std::vector<Real> residual, correction; ///< as right-hand sides and unknowns are laid out
};

} // namespace

std::unique_ptr<EddSolver> detail::prepareEddTrsvCpu(std::shared_ptr<const EddPlan> plan,
                                                     const SolveParameters& parameters, const RunControl& control)
{
  const int threads = threadsOf(parameters);
  if (parameters.precision == Precision::Single)
    return std::make_unique<EddTrsvCpuSolver<float>>(std::move(plan), parameters.of<EddParameters>(), threads, control);
  return std::make_unique<EddTrsvCpuSolver<double>>(std::move(plan), parameters.of<EddParameters>(), threads, control);
}

} // namespace hinesight::hines
