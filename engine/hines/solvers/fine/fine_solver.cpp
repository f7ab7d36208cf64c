#include "hines/solvers/fine/fine_solver.hpp"

#include "hines/branch/branch_solver.hpp"
#include "hines/branch/planned_solver.hpp"
#include "hines/solvers/fine/fine.hpp"

#include <utility>

namespace hinesight::hines {

namespace {

class FineSolver final : public BranchSolver
{
public:
  FineSolver()
      : BranchSolver(
            SolverTraits{.id = kFine,
                         .title = "Fine",
                         .summary = "One thread a branch, level by level, as the plan of branches says (Huber 2018)",
                         .onCpu = true,
                         .onCuda = true})
  {}

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule,
                                          [[maybe_unused]] const SolveParameters& parameters, StageTimings& timings,
                                          [[maybe_unused]] const RunControl& control) const override
  {
    auto plan = scheduleAs<SolvePlan>(schedule);
#if HINESIGHT_HAS_CUDA
    if (parameters.backend == Backend::Cuda)
      return detail::prepareFineCuda(std::move(plan), timings, control);
#endif
    return preparePlanned(std::move(plan), 1, true, timings);
  }

  std::optional<CostTerms> builtInCosts(Backend backend) const override
  {
    return backend == Backend::Cuda ? std::optional(CostTerms{5'000, 0, 0.06, 0, 900, 0}) : std::nullopt;
  }
  /// One compartment of a branch after another, from the tips to the root and back.
  CostTerms countTerms(const BatchProfile& profile, const CostScope& /*scope*/) const override
  {
    return countLaunch(profile, static_cast<double>(profile.deepestCell));
  }
  bool isFittedOn(const BatchProfile& profile, Backend /*backend*/) const override
  {
    constexpr std::size_t kLargeCell = 50'000;
    return profile.chainLength == 0 && profile.largestCell < kLargeCell;
  }

  /// Neither balanced nor split besides: what the plan buys.
  std::vector<BenchmarkVariant> benchmarkVariants(const SolveParameters& parameters) const override
  {
    BenchmarkVariant asRead{", as read", parameters};
    asRead.parameters.of<PlanParameters>().balance = BalanceMeasure::None;
    asRead.parameters.of<PlanParameters>().split = SplitStrategy::None;
    return {std::move(asRead), {{}, parameters}};
  }
};

} // namespace

const SolverDefinition& fineSolver()
{
  static const FineSolver solver;
  return solver;
}

} // namespace hinesight::hines
