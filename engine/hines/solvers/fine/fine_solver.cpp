#include "hines/solvers/fine/fine_solver.hpp"

#include "hines/branch/branch_solver.hpp"
#include "hines/branch/plan.hpp"
#include "hines/branch/planned_solver.hpp"
#include "hines/solvers/fine/fine.hpp"

#include <algorithm>
#include <cmath>
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

  std::optional<CudaCost> cudaCost() const override
  {
    return CudaCost{.start = 15'000,
                    .stepClocks = 800,
                    .bytes = 65,
                    .multiplyAdds = 18,
                    .doubleClocks = 5.5,
                    .movesApart = true,
                    .isChecked = true};
  }
  /// One compartment of a branch after another, from the tips to the root and back. Instructions are issued for whole
  /// warps, also where some of their lanes have no branch.
  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    CostTerms terms = countLaunch(profile, waits(profile, scope));
    termOf(terms, CostTerm::Beyond) = static_cast<double>(profile.compartments);
    const auto* plan = dynamic_cast<const SolvePlan*>(scope.schedule);
    termOf(terms, CostTerm::Compartments) /= plan ? std::max(plan->figures.occupancy, 0.01) : kOccupancy;
    const CostTerms costs = costsOn(scope.device, *cudaCost(), scope.precision);
    hideSteps(terms, costs, termOf(costs, CostTerm::Compartments));
    return terms;
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

private:
  static constexpr double kOccupancy = 0.7; ///< of usual plans

  /// Steps that wait for one another, and barriers, each as long as a step and a half. What the L1 cache of a
  /// multiprocessor does not hold of a block takes longer, and what L2 does not hold twice as long again.
  static double waits(const BatchProfile& profile, const CostScope& scope)
  {
    constexpr double kCutBranches = 1.3; // levels of cut branches wait for their longest
    constexpr double kBarriers = 24;
    constexpr double kBarrierSteps = 1.4;
    constexpr double kL1Bytes = 128 << 10; // beside shared memory
    constexpr double kMissedL1 = 0.8;
    double steps = kCutBranches * static_cast<double>(profile.deepestCell);
    double barriers = kBarriers;
    const double bytes = 4.0 * sizeof(double) * static_cast<double>(profile.compartments);
    double heldBytes = kL1Bytes; // by the blocks of a multiprocessor
    if (const auto* plan = dynamic_cast<const SolvePlan*>(scope.schedule)) {
      steps = static_cast<double>(plan->figures.criticalPath);
      barriers = static_cast<double>(plan->figures.barriers);
      const auto blocks = static_cast<double>(std::max<std::size_t>(1, plan->blocks.size()));
      heldBytes = bytes / blocks * std::ceil(blocks / std::max(1, scope.device.multiprocessors));
    }
    const double missedL1 = std::max(0.0, 1 - kL1Bytes / std::max(heldBytes, 1.0));
    return (steps * (1 + kMissedL1 * missedL1) + kBarrierSteps * barriers) * (1 + missedShare(scope.device, bytes));
  }
};

} // namespace

const SolverDefinition& fineSolver()
{
  static const FineSolver solver;
  return solver;
}

} // namespace hinesight::hines
