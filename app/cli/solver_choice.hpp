#pragma once

#include "core/error.hpp"
#include "core/stage_timings.hpp"
#include "hines/solver.hpp"

#include <string>
#include <vector>

namespace hinesight::cli {

inline const std::vector<hines::SolverKind> kSolvers = {hines::SolverKind::Serial, hines::SolverKind::Multicore,
                                                        hines::SolverKind::Fine};
inline const std::vector<Backend> kBackends = {Backend::Cpu, Backend::Cuda};

/// A solver is right when neither its greatest relative difference from the serial sweep nor its relative residual
/// exceeds this.
constexpr double kAccuracyBound = 1e-12;

inline bool isAccurate(const hines::Accuracy& accuracy)
{
  // Written so that a NaN is not accurate.
  return accuracy.maxRelativeDifference <= kAccuracyBound && accuracy.relativeResidual <= kAccuracyBound;
}

} // namespace hinesight::cli
