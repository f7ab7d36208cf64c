#pragma once

#include "core/stage_timings.hpp"
#include "hines/solver.hpp"
#include "hines/solvers/definition.hpp"

#include <vector>

namespace hinesight::cli {

inline std::vector<hines::SolverId> solverIds()
{
  std::vector<hines::SolverId> solvers;
  for (const hines::SolverDefinition* solver : hines::allSolvers())
    solvers.push_back(solver->traits.id);
  return solvers;
}
inline const std::vector<hines::Precision> kPrecisions = {hines::Precision::Double, hines::Precision::Single};
inline const std::vector<Backend> kBackends = {Backend::Cpu, Backend::Cuda};

} // namespace hinesight::cli
