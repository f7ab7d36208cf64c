#include "hines/branch/branch_solver.hpp"
#include "hines/branch/planned_solver.hpp"
#include "hines/solvers/multicore/multicore.hpp"

namespace hinesight::hines {

namespace {

class MulticoreSolver final : public BranchSolver
{
public:
  MulticoreSolver()
      : BranchSolver(SolverTraits{.id = kMulticore,
                                  .title = "Multicore",
                                  .summary = "The blocks of the plan of branches, in parallel over the cores",
                                  .onCpu = true,
                                  .usesThreads = true})
  {}

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& /*control*/) const override
  {
    return preparePlanned(scheduleAs<SolvePlan>(schedule), detail::threadsOf(parameters), false, timings);
  }

  std::optional<CostTerms> cpuCosts() const override { return CostTerms{500, 6'000, 7, 0, 0, 6}; }
  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    return countSweeps(profile, scope);
  }
};

} // namespace

const SolverDefinition& multicoreSolver()
{
  static const MulticoreSolver solver;
  return solver;
}

} // namespace hinesight::hines
