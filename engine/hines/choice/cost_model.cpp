#include "hines/choice/cost_model.hpp"

#include "core/device.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

namespace hinesight::hines {

namespace {

/// The last level that the system tells of; where it tells of none, that of a small processor. (What sysconf answers
/// adds up several chips of a server.)
std::size_t lastCacheBytes()
{
  for (const char* const level : {"3", "2"}) {
    std::size_t kibibytes = 0;
    std::ifstream(std::string("/sys/devices/system/cpu/cpu0/cache/index") + level + "/size") >> kibibytes;
    if (kibibytes > 0)
      return kibibytes << 10;
  }
  return std::size_t{8} << 20;
}

std::string milliseconds(double value)
{
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g ms", value);
  return text.data();
}

struct Candidate
{
  SolverId solver;
  int threads = 0; ///< 0: as asked for
  double time = 0;
};

std::string nameOf(const Candidate& candidate, Backend backend)
{
  std::string name(solverName(candidate.solver));
  if (backend == Backend::Cpu && traitsOf(candidate.solver).usesThreads)
    name += candidate.threads == 1 ? ", 1 thread" : ", " + std::to_string(candidate.threads) + " threads";
  return name;
}

/// The number of threads that is the fastest for a solver: one or all that may be had.
Candidate fastestOf(const CostModel& model, const SolverCost& cost, const BatchProfile& profile, int threads)
{
  Candidate best{cost.solver, 1, predictedTime(model, cost, profile, 1)};
  if (model.backend == Backend::Cuda || threads == 1 || !traitsOf(cost.solver).usesThreads)
    return best;
  const double withAll = predictedTime(model, cost, profile, threads);
  return withAll < best.time ? Candidate{cost.solver, threads, withAll} : best;
}

bool isCosted(const SolverDefinition& solver, Backend backend, Precision precision)
{
  const bool hasCosts = backend == Backend::Cuda ? solver.cudaCost().has_value() : solver.cpuCosts().has_value();
  return hasCosts && (precision == Precision::Double || solver.traits.inSingle);
}

} // namespace

std::vector<SolverId> costedSolvers(Backend backend, Precision precision)
{
  std::vector<SolverId> solvers;
  for (const SolverDefinition* solver : allSolvers())
    if (isCosted(*solver, backend, precision))
      solvers.push_back(solver->traits.id);
  return solvers;
}

CostModel builtInCosts(Backend backend, Precision precision, Gpu gpu)
{
  CostModel model;
  model.backend = backend;
  model.precision = precision;
  if (backend == Backend::Cpu) {
    model.device = "one core of an AMD EPYC";
    model.cacheBytes = lastCacheBytes();
  } else {
    model.gpu = planningDevice(gpu);
    model.device = model.gpu.name;
  }
  for (const SolverDefinition* solver : allSolvers())
    if (isCosted(*solver, backend, precision))
      model.costs.push_back({solver->traits.id, backend == Backend::Cpu
                                                    ? *solver->cpuCosts()
                                                    : costsOn(model.gpu, *solver->cudaCost(), precision)});
  return model;
}

CostScope scopeOf(const CostModel& model, int threads, const Schedule* schedule)
{
  return {model.backend, model.precision, threads, model.cacheBytes, model.gpu, schedule, 0};
}

double predictedTime(const CostModel& model, const SolverCost& cost, const BatchProfile& profile, int threads,
                     const Schedule* schedule)
{
  const CostTerms counts = definitionOf(cost.solver).countTerms(profile, scopeOf(model, threads, schedule));
  return timeOf(counts, cost.nanoseconds) * 1e-6;
}

std::string originText(const Prediction& prediction)
{
  if (prediction.measured)
    return "predicted by costs measured on " + prediction.device;
  if (prediction.backend == Backend::Cpu)
    return "predicted by costs of " + prediction.device;
  return "predicted for an " + prediction.device +
         (prediction.checked ? " (within 15 % of most solves on one, docs/benchmarks.md)"
                             : " (not checked against one)");
}

std::optional<Prediction> predict(const BatchProfile& profile, const SolveParameters& parameters,
                                  const CostModel& model, const Schedule* schedule)
{
  const auto cost = std::ranges::find(model.costs, parameters.solver, &SolverCost::solver);
  if (cost == model.costs.end() || !definitionOf(cost->solver).canSolve(profile) ||
      !definitionOf(cost->solver).isCosted(parameters))
    return std::nullopt;
  const int threads = traitsOf(cost->solver).usesThreads ? detail::threadsOf(parameters) : 1;
  const std::optional<CudaCost> onCuda = definitionOf(cost->solver).cudaCost();
  return Prediction{predictedTime(model, *cost, profile, threads, schedule), model.device, model.fitted,
                    isPredictionChecked(model.gpu) && onCuda && onCuda->isChecked, model.backend};
}

SolverChoice chooseSolver(const BatchProfile& profile, const SolveParameters& asked, const CostModel& model)
{
  const int threads = detail::threadsOf(asked);
  std::vector<Candidate> candidates;
  for (const SolverCost& cost : model.costs)
    if (definitionOf(cost.solver).canSolve(profile))
      candidates.push_back(fastestOf(model, cost, profile, threads));
  std::ranges::stable_sort(candidates, {}, &Candidate::time);

  const Candidate& best = candidates.front();
  SolverChoice choice;
  choice.parameters = asked;
  choice.parameters.solver = best.solver;
  if (asked.backend == Backend::Cpu)
    choice.parameters.threads = best.threads;
  choice.predicted = best.time;
  choice.reason = nameOf(best, asked.backend) + ": " + milliseconds(best.time) + " expected";
  if (candidates.size() > 1)
    choice.reason += ", " + nameOf(candidates[1], asked.backend) + " " + milliseconds(candidates[1].time);
  else
    choice.reason += ", the only one for this batch and precision";
  choice.reason += model.fitted                    ? " (costs measured on " + model.device + ")"
                   : model.backend == Backend::Cpu ? " (built-in costs)"
                                                   : " (predicted for " + model.device + ")";
  return choice;
}

} // namespace hinesight::hines
