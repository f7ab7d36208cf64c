#include "hines/verify.hpp"

#include "hines/plan.hpp"
#include "hines/verification_shapes.hpp"

#include <algorithm>
#include <cstring>

namespace hinesight::hines {

namespace {

std::vector<PlanParameters> everyPlan()
{
  std::vector<PlanParameters> plans;
  for (const auto balance : {BalanceMeasure::None, BalanceMeasure::Branches, BalanceMeasure::Compartments})
    for (const auto split :
         {SplitStrategy::None, SplitStrategy::LevelAverage, SplitStrategy::FixedLength, SplitStrategy::BlockAverage})
      for (const auto pack : {PackStrategy::Greedy, PackStrategy::FirstFit}) {
        PlanParameters plan;
        plan.balance = balance;
        plan.split = split;
        plan.pack = pack;
        plans.push_back(plan);
      }
  PlanParameters narrow;
  narrow.blockSize = 32;
  narrow.sortByLength = false;
  plans.push_back(narrow);
  return plans;
}

std::vector<SolverKind> solversOf(Backend backend)
{
  std::vector<SolverKind> solvers;
  for (const SolverTraits& solver : allSolvers())
    if (backend == Backend::Cuda ? solver.onCuda : solver.onCpu)
      solvers.push_back(solver.kind);
  return solvers;
}

/// Compared as bytes, not as numbers: 0 and -0 differ, a NaN equals itself.
bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void verifyPlan(VerifyCase& result, const std::shared_ptr<const SolvePlan>& plan, Backend backend,
                const RunControl& control)
{
  SolveParameters parameters;
  parameters.solver = result.solver;
  parameters.backend = backend;
  const auto solution = solve(plan, parameters, control);
  const auto again = solve(plan, parameters, control);
  const Accuracy accuracy = checkAccuracy(*plan->batch, solution->x, control);
  Accuracy& worst = result.accuracy;
  worst.maxRelativeDifference = std::max(worst.maxRelativeDifference, accuracy.maxRelativeDifference);
  worst.relativeResidual = std::max(worst.relativeResidual, accuracy.relativeResidual);
  result.repeatable = result.repeatable && sameBytes(solution->x, again->x);
  ++result.plans;
}

std::vector<VerifyCase> verifyShape(const detail::VerificationShape& shape, Backend backend, const RunControl& control)
{
  const auto batch = makeBatchOfCells(shape.systems, shape.cells, 1, control);
  std::vector<VerifyCase> cases;
  for (const SolverKind solver : solversOf(backend)) {
    VerifyCase result;
    result.shape = shape.name;
    result.solver = solver;
    result.cells = batch->cells();
    result.compartments = batch->compartments();
    cases.push_back(result);
  }
  for (const PlanParameters& parameters : everyPlan()) {
    const auto plan = makePlan(batch, parameters, control);
    for (VerifyCase& result : cases)
      // What makes a plan of its own is tried once.
      if (traitsOf(result.solver).executesPlan || result.plans == 0)
        verifyPlan(result, plan, backend, control);
  }
  for (VerifyCase& result : cases)
    result.passed = result.repeatable && result.accuracy.isWithinLimit();
  return cases;
}

} // namespace

std::vector<VerifyCase> verify(Backend backend, const RunControl& control)
{
  SolveParameters wanted;
  wanted.solver = solversOf(backend).front();
  wanted.backend = backend;
  validate(wanted);

  std::vector<VerifyCase> cases;
  const auto shapes = detail::makeVerificationShapes();
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    control.report("verify", static_cast<double>(s) / static_cast<double>(shapes.size()));
    const std::vector<VerifyCase> ofShape = verifyShape(shapes[s], backend, control);
    cases.insert(cases.end(), ofShape.begin(), ofShape.end());
  }
  control.report("verify", 1);
  return cases;
}

} // namespace hinesight::hines
