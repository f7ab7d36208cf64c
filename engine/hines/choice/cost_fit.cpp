#include "hines/choice/cost_fit.hpp"

#include "cable/random_tree.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/cells/benchmark_sources.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace hinesight::hines {

namespace {

using Source = std::shared_ptr<const BenchmarkSource>;

/// The fastest of a few solves after one that warms up: what disturbs a solve only makes it slower.
double measureSolve(const std::shared_ptr<const HinesBatch>& batch, const SolveParameters& parameters,
                    const RunControl& control)
{
  constexpr int kMostSolves = 9;
  constexpr double kEnough = 40; // ms
  StageTimings ignored;
  const auto solver = prepare(batch, parameters, ignored, control);
  solver->solveOnce(control);
  double fastest = std::numeric_limits<double>::infinity();
  const Stopwatch watch;
  for (int i = 0; i < kMostSolves && (i < 2 || watch.elapsed() < kEnough); ++i) {
    const SolveTimes took = solver->solveOnce(control);
    fastest = std::min(fastest, took.solve + (parameters.backend == Backend::Cpu ? took.permute : 0));
  }
  return fastest;
}

/// A batch to measure on.
struct Calibration
{
  Source source;
  std::int64_t cells = 1;
  bool manyThreads = true; ///< on the CPU with all threads too
};

Source randomTrees(std::int32_t levels, std::int32_t compartments, std::int64_t count)
{
  cable::RandomTreeParameters tree;
  tree.levels = levels;
  tree.compartmentsPerBranch = compartments;
  return ringNetwork(tree, count);
}

std::vector<Calibration> calibrationsOnCpu(std::size_t cacheBytes)
{
  const Source copied = ca1SizedCell();
  std::vector<Calibration> all = {
      {copied, 1, false}, {copied, 4}, {randomTrees(8, 16, 24), 24}, {copied, 64}, {randomTrees(11, 48, 3), 3},
  };
  // Where the caches are so large that what they do not hold would take long, that term stays as built in.
  constexpr std::size_t kMostBytes = std::size_t{160} << 20;
  if (2 * cacheBytes <= kMostBytes)
    all.push_back({copied, static_cast<std::int64_t>(2 * cacheBytes / (4 * sizeof(double) * 1'400)), false});
  return all;
}

std::vector<Calibration> calibrationsOnCuda()
{
  const Source copied = ca1SizedCell();
  return {
      {copied, 1},
      {copied, 1'000},
      {randomTrees(3, 6, 1), 65'536},
      {chainOf(256), 20'000},
      {chainOf(64), 256},
      {finelyCutCell(120'000), 1},
  };
}

/// Measures one batch after the other and gathers samples of each solver.
class Fit
{
public:
  Fit(CostModel& ofDevice, const CostFitParameters& parameters) : model(ofDevice), settings(parameters)
  {
    samples.resize(model.costs.size());
  }

  void take(const Calibration& calibration, const RunControl& control)
  {
    const auto systems = calibration.source->make(control);
    const auto batch = makeBatchOfCells(systems, calibration.cells, 1, control);
    const BatchProfile profile = profileOf(*batch, control);
    for (std::size_t k = 0; k < model.costs.size(); ++k) {
      const SolverDefinition& solver = definitionOf(model.costs[k].solver);
      if (!solver.canSolve(profile) || !solver.isFittedOn(profile, model.backend))
        continue;
      SolveParameters parameters;
      parameters.solver = solver.traits.id;
      parameters.backend = model.backend;
      parameters.precision = model.precision;
      for (const int threads : threadsFor(solver.traits, calibration)) {
        parameters.threads = threads;
        const double took = settings.measure(batch, parameters, control);
        samples[k].push_back({solver.countTerms(profile, scopeOf(model, threads)), took});
      }
    }
  }

  void finish()
  {
    for (std::size_t k = 0; k < model.costs.size(); ++k)
      model.costs[k].nanoseconds = fitCostTerms(samples[k], model.costs[k].nanoseconds);
  }

private:
  std::vector<int> threadsFor(const SolverTraits& traits, const Calibration& calibration) const
  {
    if (model.backend == Backend::Cuda || !traits.usesThreads || !calibration.manyThreads || hardwareThreads() == 1)
      return {1};
    return {1, hardwareThreads()};
  }

  CostModel& model;
  const CostFitParameters& settings;
  std::vector<std::vector<CostSample>> samples; ///< of each of the model's costs
};

CostFitParameters withDefaults(CostFitParameters parameters)
{
  if (!parameters.measure)
    parameters.measure = measureSolve;
  if (!parameters.elapsed)
    parameters.elapsed = [watch = Stopwatch()] { return watch.elapsed(); };
  return parameters;
}

} // namespace

CostTerms fitCostTerms(std::span<const CostSample> samples, const CostTerms& prior)
{
  if (samples.empty())
    return prior;
  constexpr double kPull = 1e-6; // against 1 for a sample that is wrong by its own size
  constexpr int kSweeps = 5'000;
  CostTerms cost = prior;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (std::size_t term = 0; term < kCostTerms; ++term) {
      if (prior[term] <= 0)
        continue;
      double above = kPull / prior[term];
      double below = kPull / (prior[term] * prior[term]);
      for (const CostSample& sample : samples) {
        const double time = sample.milliseconds * 1e6;
        double rest = time;
        for (std::size_t other = 0; other < kCostTerms; ++other)
          if (other != term)
            rest -= sample.counts[other] * cost[other];
        above += sample.counts[term] * rest / (time * time);
        below += sample.counts[term] * sample.counts[term] / (time * time);
      }
      cost[term] = std::max(0.0, above / below);
    }
  return cost;
}

CostModel fitCosts(Backend backend, Precision precision, const CostFitParameters& parameters, const RunControl& control)
{
  if (backend == Backend::Cuda)
    requireCudaDevice();
  const CostFitParameters settings = withDefaults(parameters);
  CostModel model = builtInCosts(backend, precision);
  model.fitted = true;
  Fit fit(model, settings);
  const auto calibrations = backend == Backend::Cpu ? calibrationsOnCpu(model.cacheBytes) : calibrationsOnCuda();
  for (std::size_t i = 0; i < calibrations.size() && settings.elapsed() < settings.budget; ++i) {
    control.report("fit solver costs", static_cast<double>(i) / static_cast<double>(calibrations.size()));
    try {
      fit.take(calibrations[i], control.silenced());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::OutOfMemory)
        throw; // a batch too large for the memory at hand says nothing
    } catch (const std::bad_alloc&) {
      break;
    }
  }
  fit.finish();
  control.report("fit solver costs", 1);
  return model;
}

} // namespace hinesight::hines
