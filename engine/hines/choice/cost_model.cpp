#include "hines/choice/cost_model.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/interleaved/interleaved_plan.hpp"
#include "hines/solvers/interleaved/interleaved_streams.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>

namespace hinesight::hines {

namespace {

/// What eight thread blocks of a cluster hold (resident_plan.hpp); larger cells are spread over the device.
constexpr std::size_t kMostOnChip = 60'000;

/// The longest chain that the tridiagonal solver takes: a warp's lanes with their registers full.
constexpr std::size_t kLongestChain = 32 * static_cast<std::size_t>(kMostRowsPerLane);

std::size_t depthOf(const HinesSystem& system)
{
  std::vector<std::uint32_t> depth(system.size(), 1);
  for (std::size_t i = 0; i < depth.size(); ++i)
    if (system.parent[i] >= 0)
      depth[i] = depth[static_cast<std::size_t>(system.parent[i])] + 1;
  return depth.empty() ? 0 : *std::ranges::max_element(depth);
}

template <typename Real>
void countInterleaved(const HinesBatch& batch, BatchProfile& profile, const RunControl& control)
{
  std::vector<std::size_t> lanes;
  for (const auto& width : detail::interleavedWidths<Real>(detail::bestVectorInstructions()))
    lanes.push_back(width.lanes);
  const detail::InterleavedPlan plan = detail::planInterleaved(batch, lanes, control);
  for (const detail::InterleavedGroup& group : plan.groups)
    profile.vectorRows += batch.shapes[group.shape]->size();
  for (const std::uint32_t cell : plan.streamedCells) {
    const std::size_t size = batch.offset[cell + 1] - batch.offset[cell];
    profile.streamed += size;
    profile.largestStreamed = std::max(profile.largestStreamed, size);
  }
}

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

double at(std::size_t count)
{
  return static_cast<double>(count);
}

double& of(CostTerms& terms, CostTerm term)
{
  return terms[static_cast<std::size_t>(term)];
}

double logarithm(std::size_t count)
{
  return std::log2(at(count) + 1);
}

CostTerms countOnCpu(SolverKind solver, const BatchProfile& profile, int threads, std::size_t cacheBytes)
{
  CostTerms terms{};
  of(terms, CostTerm::Start) = 1;
  of(terms, CostTerm::Fork) = threads > 1 ? 1 : 0;
  const double bytes = 4 * sizeof(double) * at(profile.compartments);
  of(terms, CostTerm::Beyond) = std::max(0.0, 1 - at(cacheBytes) / std::max(bytes, 1.0)) * at(profile.compartments);
  if (solver == SolverKind::Interleaved) {
    constexpr auto kStreams = detail::StreamSweep<double>::kStreams;
    of(terms, CostTerm::VectorRows) = at(profile.vectorRows) / threads;
    of(terms, CostTerm::Compartments) = at(profile.streamed) / threads;
    // Streams hide one another's latency, except that of the last ones.
    of(terms, CostTerm::Steps) =
        std::max(0.0, at(profile.largestStreamed) - at(profile.streamed) / (at(kStreams) * threads));
  } else {
    of(terms, CostTerm::Compartments) =
        std::max(at(profile.compartments) / threads, threads > 1 ? at(profile.largestCell) : 0);
  }
  return terms;
}

CostTerms countOnCuda(SolverKind solver, const BatchProfile& profile)
{
  CostTerms terms{};
  of(terms, CostTerm::Start) = 1;
  of(terms, CostTerm::Compartments) = at(profile.compartments);
  switch (solver) {
  case SolverKind::Resident:
    of(terms, CostTerm::Steps) = logarithm(std::min(profile.largestCell, kMostOnChip));
    of(terms, CostTerm::Beyond) = at(profile.tooLarge);
    break;
  case SolverKind::Edd:
    of(terms, CostTerm::Steps) = logarithm(profile.largestCell);
    break;
  case SolverKind::Tridiagonal:
    of(terms, CostTerm::Steps) = logarithm(profile.chainLength);
    break;
  case SolverKind::Coarse:
    of(terms, CostTerm::Steps) = at(profile.largestCell);
    break;
  default: // fine: one compartment of a branch after another, from the tips to the root and back
    of(terms, CostTerm::Steps) = at(profile.deepestCell);
    break;
  }
  return terms;
}

/// In the order of CostTerm.
struct BuiltIn
{
  SolverKind solver;
  CostTerms nanoseconds;
};

constexpr std::array kBuiltInCpu = {
    BuiltIn{SolverKind::Interleaved, {300, 6'000, 2.5, 13, 8, 3.5}},
    BuiltIn{SolverKind::Multicore, {500, 6'000, 7, 0, 0, 6}},
    BuiltIn{SolverKind::Serial, {50, 0, 11, 0, 0, 2}},
};

constexpr std::array kBuiltInCuda = {
    BuiltIn{SolverKind::Resident, {2'500, 0, 0.011, 0, 700, 0.5}},
    BuiltIn{SolverKind::Tridiagonal, {2'500, 0, 0.0077, 0, 300, 0}},
    BuiltIn{SolverKind::Edd, {20'000, 0, 0.05, 0, 10'000, 0}},
    BuiltIn{SolverKind::Coarse, {3'000, 0, 0.022, 0, 800, 0}},
    BuiltIn{SolverKind::Fine, {5'000, 0, 0.06, 0, 900, 0}},
};

std::string milliseconds(double value)
{
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g ms", value);
  return text.data();
}

struct Candidate
{
  SolverKind solver = SolverKind::Serial;
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

bool canSolve(SolverKind solver, const BatchProfile& profile)
{
  return !traitsOf(solver).chainsOnly || (profile.chainLength > 0 && profile.chainLength <= kLongestChain);
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

} // namespace

std::string_view costTermName(CostTerm term)
{
  constexpr std::array<std::string_view, kCostTerms> kNames = {"start",       "fork",  "compartments",
                                                               "vector rows", "steps", "beyond"};
  return kNames[static_cast<std::size_t>(term)];
}

BatchProfile profileOf(const HinesBatch& batch, Backend backend, Precision precision, const RunControl& control)
{
  BatchProfile profile;
  profile.cells = batch.cells();
  profile.compartments = batch.compartments();
  for (const auto& shape : batch.shapes) {
    control.checkpoint();
    profile.largestCell = std::max(profile.largestCell, shape->size());
    profile.deepestCell = std::max(profile.deepestCell, depthOf(*shape));
  }
  for (const std::uint32_t shape : batch.shapeOf)
    if (batch.shapes[shape]->size() > kMostOnChip)
      profile.tooLarge += batch.shapes[shape]->size();
  if (areChainsOfOneLength(batch))
    profile.chainLength = profile.largestCell;
  if (backend == Backend::Cpu && precision == Precision::Double)
    countInterleaved<double>(batch, profile, control);
  else if (backend == Backend::Cpu)
    countInterleaved<float>(batch, profile, control);
  return profile;
}

std::vector<SolverKind> costedSolvers(Backend backend, Precision precision)
{
  std::vector<SolverKind> solvers;
  const auto take = [&](const auto& costs) {
    for (const BuiltIn& cost : costs)
      if (precision == Precision::Double || traitsOf(cost.solver).inSingle)
        solvers.push_back(cost.solver);
  };
  backend == Backend::Cpu ? take(kBuiltInCpu) : take(kBuiltInCuda);
  return solvers;
}

CostModel builtInCosts(Backend backend, Precision precision)
{
  CostModel model;
  model.backend = backend;
  model.precision = precision;
  if (backend == Backend::Cpu)
    model.cacheBytes = lastCacheBytes();
  const auto take = [&](const auto& costs) {
    for (const BuiltIn& cost : costs)
      if (precision == Precision::Double || traitsOf(cost.solver).inSingle)
        model.costs.push_back({cost.solver, cost.nanoseconds});
  };
  backend == Backend::Cpu ? take(kBuiltInCpu) : take(kBuiltInCuda);
  return model;
}

CostTerms countTerms(SolverKind solver, const BatchProfile& profile, Backend backend, int threads,
                     std::size_t cacheBytes)
{
  return backend == Backend::Cpu ? countOnCpu(solver, profile, threads, cacheBytes) : countOnCuda(solver, profile);
}

double predictedTime(const CostModel& model, const SolverCost& cost, const BatchProfile& profile, int threads)
{
  const CostTerms counts = countTerms(cost.solver, profile, model.backend, threads, model.cacheBytes);
  double nanoseconds = 0;
  for (std::size_t term = 0; term < kCostTerms; ++term)
    nanoseconds += counts[term] * cost.nanoseconds[term];
  return nanoseconds * 1e-6;
}

SolverChoice chooseSolver(const BatchProfile& profile, const SolveParameters& asked, const CostModel& model)
{
  const int threads = detail::threadsOf(asked);
  std::vector<Candidate> candidates;
  for (const SolverCost& cost : model.costs)
    if (canSolve(cost.solver, profile))
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
  choice.reason += model.fitted ? " (costs measured on " + model.device + ")" : " (built-in costs)";
  return choice;
}

} // namespace hinesight::hines
