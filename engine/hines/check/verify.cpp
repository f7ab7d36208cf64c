#include "hines/check/verify.hpp"

#include "core/device.hpp"
#include "hines/chains.hpp"
#include "hines/check/verification_shapes.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hinesight::hines {

namespace {

/// Whether a solver of chains takes the batch.
bool areShortChains(const HinesBatch& batch)
{
  constexpr std::size_t kMostRows = 1'000;
  return areChainsOfOneLength(batch) && batch.shapes.front()->size() <= kMostRows;
}

/// Ours; what others promise is not ours to verify.
std::vector<const SolverDefinition*> solversOf(Backend backend, const HinesBatch& batch)
{
  std::vector<const SolverDefinition*> solvers;
  for (const SolverDefinition* solver : allSolvers()) {
    const SolverTraits& traits = solver->traits;
    if ((backend == Backend::Cuda ? traits.onCuda : traits.onCpu) && !traits.isPeer &&
        (!traits.chainsOnly || areShortChains(batch)))
      solvers.push_back(solver);
  }
  return solvers;
}

/// Compared as bytes, not as numbers: 0 and -0 differ, a NaN equals itself.
bool sameBytes(const std::vector<double>& a, const std::vector<double>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Schedules that solvers of one batch share, so that they are made once.
class KnownSchedules
{
public:
  explicit KnownSchedules(std::shared_ptr<const HinesBatch> planned) : batch(std::move(planned)) {}

  std::shared_ptr<const Schedule> of(const SolverDefinition& solver, const SolveParameters& parameters,
                                     const RunControl& control)
  {
    for (const auto& schedule : known)
      if (solver.wouldPlan(*schedule, parameters))
        return schedule;
    StageTimings ignored;
    auto schedule = makeSchedule(batch, parameters, ignored, control);
    if (solver.wouldPlan(*schedule, parameters))
      known.push_back(schedule);
    return schedule;
  }

private:
  std::shared_ptr<const HinesBatch> batch;
  std::vector<std::shared_ptr<const Schedule>> known;
};

/// The solution for each right-hand side that the parameters ask for.
std::vector<std::vector<double>> solutionsOf(const std::shared_ptr<const Schedule>& schedule,
                                             const SolveParameters& parameters, const RunControl& control)
{
  StageTimings ignored;
  const auto solver = prepare(schedule, parameters, ignored, control);
  solver->solveOnce(control);
  return solver->readAll(*schedule->batch);
}

/// Whether the CPU finds the same by the schedule.
bool isAsOnCpu(const std::vector<std::vector<double>>& solutions, const std::shared_ptr<const Schedule>& schedule,
               SolveParameters parameters, const RunControl& control)
{
  parameters.backend = Backend::Cpu;
  return std::ranges::equal(solutions, solutionsOf(schedule, parameters, control), sameBytes);
}

bool isAsOnCpuInSingle(const std::shared_ptr<const HinesBatch>& batch, SolveParameters parameters,
                       const RunControl& control)
{
  if (!traitsOf(parameters.solver).inSingle)
    return true;
  parameters.precision = Precision::Single;
  StageTimings ignored;
  const auto schedule = makeSchedule(batch, parameters, ignored, control);
  return isAsOnCpu(solutionsOf(schedule, parameters, control), schedule, parameters, control);
}

void verifyVariant(VerifyCase& result, const std::shared_ptr<const Schedule>& schedule,
                   const SolveParameters& parameters, const RunControl& control)
{
  const auto solutions = solutionsOf(schedule, parameters, control);
  const auto again = solutionsOf(schedule, parameters, control);
  Accuracy& worst = result.accuracy;
  for (std::size_t column = 0; column < solutions.size(); ++column) {
    const Accuracy accuracy = checkAccuracy(*schedule->batch, solutions[column], control);
    worst.maxRelativeDifference = std::max(worst.maxRelativeDifference, accuracy.maxRelativeDifference);
    worst.relativeResidual = std::max(worst.relativeResidual, accuracy.relativeResidual);
    result.repeatable = result.repeatable && sameBytes(solutions[column], again[column]);
  }
  if (parameters.backend == Backend::Cuda && definitionOf(parameters.solver).givesBytesOfCpu(parameters))
    result.asOnCpu = result.asOnCpu && isAsOnCpu(solutions, schedule, parameters, control) &&
                     isAsOnCpuInSingle(schedule->batch, parameters, control);
  ++result.plans;
}

/// Where a solver's operations are the serial sweep's, there is no difference that it may have.
bool isAccurate(const VerifyCase& result)
{
  return result.accuracy.isWithinLimit() &&
         (!traitsOf(result.solver).isExact || result.accuracy.maxRelativeDifference == 0);
}

std::vector<VerifyCase> verifyShape(const detail::VerificationShape& shape, Backend backend, const RunControl& control)
{
  const auto batch = makeBatchOfCells(shape.systems, shape.cells, 1, control);
  KnownSchedules schedules(batch);
  std::vector<VerifyCase> cases;
  for (const SolverDefinition* solver : solversOf(backend, *batch)) {
    VerifyCase result;
    result.shape = shape.name;
    result.solver = solver->traits.id;
    result.cells = batch->cells();
    result.compartments = batch->compartments();
    SolveParameters parameters;
    parameters.solver = result.solver;
    parameters.backend = backend;
    for (const SolveParameters& variant : solver->verifyVariants(parameters, *batch))
      verifyVariant(result, schedules.of(*solver, variant, control), variant, control);
    result.passed = result.repeatable && result.asOnCpu && isAccurate(result);
    cases.push_back(std::move(result));
  }
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
