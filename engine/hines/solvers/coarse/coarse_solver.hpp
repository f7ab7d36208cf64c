#pragma once

#include "core/run_control.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/coarse/coarse_plan.hpp"
#include "hines/solvers/coarse/coarse_sweep.hpp"

#include <memory>

namespace hinesight::hines::detail {

/// The system of `lane` in `values`, the share's numbers.
template <typename Real>
HINESIGHT_HOST_DEVICE inline LaneSystem<Real> laneSystem(const CoarseLane& lane, const CoarseWarp& warp,
                                                         const CoarseStrides& strides, bool padded, Real* values,
                                                         const std::int32_t* parent)
{
  Real* const excess = values + lane.begin;
  return {excess,
          excess + strides.vector,
          excess + 2 * strides.vector,
          strides.row,
          strides.row,
          parent + lane.parentBegin,
          static_cast<std::size_t>(warp.parentStride),
          lane.rows,
          padded ? warp.startRow : lane.rows,
          warp.startRow};
}

/// The coarse solver on the GPUs of this host, one for each share. Only in CUDA builds.
std::unique_ptr<PreparedSolver> prepareCoarseCuda(std::shared_ptr<const CoarsePlan> plan,
                                                  const SolveParameters& parameters, StageTimings& timings,
                                                  const RunControl& control);

} // namespace hinesight::hines::detail
