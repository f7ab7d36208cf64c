#include "hines/solvers/all.hpp"

// The solvers, the reference first: the order of every list. One line each, the name of a function that returns its
// definition.
#define HINESIGHT_FOR_EVERY_SOLVER(with)                                                                               \
  with(serialSolver) with(multicoreSolver) with(fineSolver) with(residentSolver) with(coarseSolver)                    \
      with(interleavedSolver) with(eddSolver) with(tridiagonalSolver) with(gtsvStridedSolver)                          \
          with(gtsvInterleavedSolver) with(automaticSolver)

namespace hinesight::hines {

#define HINESIGHT_DECLARE(function) const SolverDefinition& function();
HINESIGHT_FOR_EVERY_SOLVER(HINESIGHT_DECLARE)
#undef HINESIGHT_DECLARE

std::vector<const SolverDefinition*> detail::builtInSolvers()
{
#define HINESIGHT_TAKE(function) &function(),
  return {HINESIGHT_FOR_EVERY_SOLVER(HINESIGHT_TAKE)};
#undef HINESIGHT_TAKE
}

} // namespace hinesight::hines
