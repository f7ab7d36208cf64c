#pragma once

#include "hines/branch/plan.hpp"
#include "hines/solvers/definition.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hinesight::hines {

/// What the solvers that take a cell branch by branch have in common: their schedule, SolvePlan, and its settings,
/// PlanParameters.
class BranchSolver : public SolverDefinition
{
public:
  using SolverDefinition::SolverDefinition;

  std::vector<SettingsGroup> settings() const override;
  std::string describe(const SolveParameters& parameters, std::size_t cells) const override;
  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& timings, const RunControl& control) const override;
  bool wouldPlan(const Schedule& schedule, const SolveParameters& parameters) const override;
  /// Every combination of balance, split and pack, and narrow unsorted blocks besides.
  std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters,
                                              const HinesBatch& batch) const override;
  /// The ways to split.
  std::vector<CutWay> cutWays(const SolveParameters& parameters) const override;
  void chooseCut(SolveParameters& parameters, std::string_view name) const override;
  /// The averages of the levels, or K.
  std::vector<CutLength> cutLengths(const Schedule& schedule, const SolveParameters& parameters) const override;
  void setCutLength(SolveParameters& parameters, std::int32_t compartments) const override;
};

} // namespace hinesight::hines
