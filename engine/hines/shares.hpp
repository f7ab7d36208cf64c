#pragma once

#include "core/device_model.hpp"
#include "core/run_control.hpp"
#include "hines/batch.hpp"
#include "hines/slabs.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/cost_terms.hpp"

#include <cstddef>
#include <optional>
#include <vector>

// Shares of a batch for GPUs that solve it together, by the time that each is predicted to take.

namespace hinesight::hines {

/// What ranges of a batch's cells take as shares of it: the time that the model predicts of the solver on the GPU that
/// is planned for (CudaCost), whatever backend solves them. The shares are not planned yet: the time follows from
/// compartments, depths and shapes of the cells.
class ShareTimes
{
public:
  /// `shares`: that the batch is to be cut into. Throws Error(Cancelled).
  ShareTimes(const HinesBatch& batch, const SolveParameters& parameters, std::size_t shares,
             const RunControl& control = {});

  /// Whether the solver has a model of such a solve; else a share takes its compartments.
  bool arePredicted() const { return cost.has_value(); }
  /// ms. `range`: not empty.
  double of(CellRange range);

private:
  void count(CellRange range);

  const HinesBatch& batch;
  const SolverDefinition& solver;
  std::optional<CudaCost> cost;
  CostScope scope;
  CostTerms nanoseconds{};
  std::vector<ShapeProfile> shapes; ///< with the cells of `counted`
  CellRange counted;
};

/// The cells of a batch in so many ranges, one after another, in fewer where there are fewer cells; none is empty. The
/// longest of their times (ShareTimes) is the shortest that there is, and never longer than that of ranges of about as
/// many compartments each; of all such ranges they are those next to these. Cells of one shape are shared by their
/// number. Throws Error(Cancelled).
std::vector<CellRange> shareCells(const HinesBatch& batch, const SolveParameters& parameters, std::size_t shares,
                                  const RunControl& control = {});

} // namespace hinesight::hines
