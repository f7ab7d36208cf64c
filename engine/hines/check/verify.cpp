#include "hines/check/verify.hpp"

#include "core/device.hpp"
#include "hines/branch/plan.hpp"
#include "hines/check/verification_shapes.hpp"
#include "hines/solvers/edd/edd_solver.hpp"
#include "hines/solvers/edd/edd_step.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_plan.hpp"

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
      for (const auto pack : {PackStrategy::Greedy, PackStrategy::FirstFit, PackStrategy::LevelShift}) {
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

/// Whether a solver of chains takes the batch.
bool areShortChains(const HinesBatch& batch)
{
  constexpr std::size_t kMostRows = 1'000;
  return areChainsOfOneLength(batch) && batch.shapes.front()->size() <= kMostRows;
}

/// Ours; what others promise is not ours to verify.
std::vector<SolverKind> solversOf(Backend backend, const HinesBatch& batch)
{
  std::vector<SolverKind> solvers;
  for (const SolverTraits& solver : allSolvers())
    if ((backend == Backend::Cuda ? solver.onCuda : solver.onCpu) && !solver.isPeer &&
        (!solver.chainsOnly || areShortChains(batch)))
      solvers.push_back(solver.kind);
  return solvers;
}

/// Compared as bytes, not as numbers: 0 and -0 differ, a NaN equals itself.
bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Whether the columns of right-hand sides that such a block keeps on chip fit there.
bool fitsOnChip(const HinesBatch& batch, const CoarseParameters& coarse)
{
  std::size_t largest = 0;
  for (const auto& shape : batch.shapes)
    largest = std::max(largest, shape->size());
  return largest * static_cast<std::size_t>(coarse.blockSize) * sizeof(double) <=
         cudaDevices().front().sharedBytesPerBlock;
}

/// Each method with one right-hand side, with several, and with several and factors that were made before.
std::vector<SolveParameters> variantsOfEdd(SolveParameters parameters)
{
  std::vector<SolveParameters> variants;
  for (const EddMethod method : {EddMethod::Fine, EddMethod::MinTpt, EddMethod::MinTrsv}) {
    if (method == EddMethod::MinTrsv && parameters.backend == Backend::Cuda && !cusparseInstalled())
      continue;
    parameters.edd = {};
    parameters.edd.method = method;
    variants.push_back(parameters);
    parameters.edd.rightHandSides = 3;
    variants.push_back(parameters);
    parameters.edd.keepFactors = true;
    variants.push_back(parameters);
  }
  return variants;
}

/// Every way in which a solver that looks at no plan does a batch.
std::vector<SolveParameters> variantsOf(SolverKind solver, Backend backend, const HinesBatch& batch)
{
  SolveParameters parameters;
  parameters.solver = solver;
  parameters.backend = backend;
  if (solver == SolverKind::Edd)
    return variantsOfEdd(parameters);
  std::vector<SolveParameters> variants;
  if (solver == SolverKind::Tridiagonal)
    for (const std::int32_t lanes : {1, 2, 4, 8, 16, 32}) {
      parameters.tridiagonal.lanes = lanes;
      if (batch.shapes.front()->size() <= static_cast<std::size_t>(lanes * kMostRowsPerLane))
        variants.push_back(parameters);
    }
  if (solver != SolverKind::Coarse)
    return variants.empty() ? std::vector{parameters} : variants;
  for (const CoarseLayout layout : allCoarseLayouts())
    for (const auto padding : {CoarsePadding::NotComputed, CoarsePadding::Computed}) {
      parameters.coarse.layout = layout;
      parameters.coarse.padding = padding;
      parameters.coarse.blockSize = layout == CoarseLayout::BlockShared ? 4 : 64;
      if (backend == Backend::Cpu || layout != CoarseLayout::BlockShared || fitsOnChip(batch, parameters.coarse))
        variants.push_back(parameters);
    }
  return variants;
}

/// The solution for each right-hand side that the parameters ask for, the batch's first, all moved to where that one
/// is.
std::vector<std::vector<double>> solutionsOf(const std::shared_ptr<const SolvePlan>& plan,
                                             const SolveParameters& parameters, const RunControl& control)
{
  if (parameters.solver != SolverKind::Edd)
    return {solve(plan, parameters, control)->x};
  const HinesBatch& batch = *plan->batch;
  StageTimings timings;
  const auto solver = prepareEdd(makeEddPlan(plan->batch, parameters, timings, control), parameters, timings, control);
  solver->solveOnce(control);
  std::vector<std::vector<double>> solutions;
  for (std::int32_t column = 0; column < parameters.edd.rightHandSides; ++column) {
    std::vector<double>& x = solutions.emplace_back(batch.compartments());
    solver->readColumn(column, x);
    for (std::size_t cell = 0; cell < batch.cells(); ++cell)
      for (std::size_t i = batch.offset[cell]; i < batch.offset[cell + 1]; ++i)
        x[i] -= eddColumnShift(cell, static_cast<std::uint32_t>(column));
  }
  return solutions;
}

void verifyVariant(VerifyCase& result, const std::shared_ptr<const SolvePlan>& plan, const SolveParameters& parameters,
                   const RunControl& control)
{
  const auto solutions = solutionsOf(plan, parameters, control);
  const auto again = solutionsOf(plan, parameters, control);
  Accuracy& worst = result.accuracy;
  for (std::size_t column = 0; column < solutions.size(); ++column) {
    const Accuracy accuracy = checkAccuracy(*plan->batch, solutions[column], control);
    worst.maxRelativeDifference = std::max(worst.maxRelativeDifference, accuracy.maxRelativeDifference);
    worst.relativeResidual = std::max(worst.relativeResidual, accuracy.relativeResidual);
    result.repeatable = result.repeatable && sameBytes(solutions[column], again[column]);
  }
  ++result.plans;
}

/// The coarse solver's operations are the serial sweep's: there is no difference that it may have.
bool isAccurate(const VerifyCase& result)
{
  const bool exact = result.solver == SolverKind::Serial || result.solver == SolverKind::Coarse;
  return result.accuracy.isWithinLimit() && (!exact || result.accuracy.maxRelativeDifference == 0);
}

std::vector<VerifyCase> verifyShape(const detail::VerificationShape& shape, Backend backend, const RunControl& control)
{
  const auto batch = makeBatchOfCells(shape.systems, shape.cells, 1, control);
  std::vector<VerifyCase> cases;
  for (const SolverKind solver : solversOf(backend, *batch)) {
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
      // What makes a plan of its own, or is one of the others, is not tried under every plan of branches.
      if ((traitsOf(result.solver).executesPlan && result.solver != SolverKind::Auto) || result.plans == 0)
        for (const SolveParameters& variant : variantsOf(result.solver, backend, *batch))
          verifyVariant(result, plan, variant, control);
  }
  for (VerifyCase& result : cases)
    result.passed = result.repeatable && isAccurate(result);
  return cases;
}

} // namespace

std::vector<VerifyCase> verify(Backend backend, const RunControl& control)
{
  if (backend == Backend::Cuda)
    requireCudaDevice();

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
