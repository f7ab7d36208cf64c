#include "scaling/scaling.hpp"

#include "core/check_sum.hpp"
#include "core/device.hpp"
#include "hines/cells/benchmark_sources.hpp"
#include "hines/prepared_solver.hpp"
#include "projection/projection.hpp"
#include "projection/table_memory.hpp"
#include "simulation/bench/benchmark.hpp"
#include "simulation/simulation.hpp"
#include "synapse/formation/formation.hpp"
#include "synapse/plasticity/plasticity.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace hinesight::scaling {

namespace {

constexpr double kSpacing = 26; ///< um, of random neurons

template <typename T>
std::uint64_t hashOf(std::span<const T> items, std::uint64_t hash)
{
  return checkSum({reinterpret_cast<const char*>(items.data()), items.size_bytes()}, hash);
}

/// What one kind of work gives on some ranks.
struct Measured
{
  std::vector<double> milliseconds;
  std::vector<double> exchange;
  double amount = 0; ///< ScalingPoint::amount; 0: the size
  std::uint64_t hash = checkSum({});
  std::string device;
};

double sumOf(const StageTimings& timings, std::initializer_list<const char*> stages)
{
  double sum = 0;
  for (const char* const stage : stages)
    sum += timings.of(stage);
  return sum;
}

/// The repetitions of a measurement, after one that counts for nothing.
template <typename Body>
void repeat(std::int32_t repetitions, const RunControl& control, Body body)
{
  for (std::int32_t i = -1; i < repetitions; ++i) {
    control.checkpoint();
    body(i >= 0);
  }
}

Measured measureSolve(const ScalingParameters& p, std::int64_t cells, std::int32_t ranks, const RunControl& control)
{
  Measured result;
  hines::SolveParameters solve;
  solve.backend = p.backend;
  solve.solver = hines::solverNamed(p.backend == Backend::Cuda ? "resident" : "interleaved");
  (p.backend == Backend::Cuda ? solve.devices : solve.threads) = ranks;
  const auto batch = hines::makeBatch(hines::ca1SizedCell()->make(control), cells);
  StageTimings timings;
  const auto prepared = hines::prepare(batch, solve, timings, control);
  repeat(p.repetitions, control, [&](bool counts) {
    // Short solves lie within a clock's noise: the median of several.
    constexpr int kSolves = 9;
    std::vector<double> times;
    for (int i = 0; i < kSolves; ++i)
      times.push_back(prepared->solveOnce(control).solve);
    if (counts)
      result.milliseconds.push_back(spreadOf(times).median);
  });
  std::vector<double> x(batch->compartments());
  prepared->read(x, timings);
  result.hash = hashOf(std::span<const double>(x), result.hash);
  result.device = timings.device;
  return result;
}

Measured measureTables(const ScalingParameters& p, std::int64_t side, const RunControl& control)
{
  Measured result;
  projection::PopulationParameters grid;
  grid.size = {static_cast<std::uint32_t>(side), static_cast<std::uint32_t>(side), 1};
  projection::Projection joined;
  joined.source = projection::makePopulation(grid);
  joined.destination = projection::makePopulation(grid);
  projection::ComputeParameters compute;
  compute.backend = p.backend;
  std::shared_ptr<const projection::WeightTable> table;
  projection::TableMemory memory;
  repeat(p.repetitions, control, [&](bool counts) {
    table = nullptr; // its memory is used again
    table =
        projection::makeTable(*projection::prepare(joined, compute, control.silenced()), memory, control.silenced());
    if (counts)
      result.milliseconds.push_back(sumOf(table->timings, {"count", "exchange", "scan", "compact"}));
  });
  result.hash = hashOf(std::span(table->offsets), result.hash);
  result.hash = hashOf(table->destination.span(), result.hash);
  result.hash = hashOf(table->weight.span(), result.hash);
  result.amount = static_cast<double>(table->rows());
  result.device = table->timings.device;
  return result;
}

Measured measureUpdate(const ScalingParameters& p, std::int64_t neurons, const RunControl& control)
{
  Measured result;
  const auto population = synapse::makeRandomPopulation(static_cast<std::size_t>(neurons), kSpacing, 1, 1, control);
  synapse::FormationParameters formation;
  formation.backend = p.backend;
  formation.keepsTree = false;
  repeat(p.repetitions, control, [&](bool counts) {
    const auto formed = synapse::formSynapses(population, formation, control.silenced());
    if (counts) {
      result.milliseconds.push_back(sumOf(formed->timings, {"vacant", "search", "exchange", "resolve", "edges"}));
      result.exchange.push_back(formed->timings.of("exchange"));
      return;
    }
    result.hash = hashOf(std::span(formed->network.synapses), result.hash);
    result.device = formed->timings.device;
  });
  return result;
}

Measured measureSteps(const ScalingParameters& p, std::int64_t neurons, const RunControl& control)
{
  constexpr std::uint32_t kSteps = 100; // of a measurement
  constexpr double kElements = 8;       // of a neuron, of which some six connect
  Measured result;
  synapse::PlasticityParameters plasticity;
  plasticity.backend = p.backend;
  plasticity.background = synapse::BackgroundKind::Constant;
  plasticity.backgroundBase = 0.05; // so that a seventh fires
  plasticity.synapseConductance = 0;
  // The elements that connect at the first update, and no update after it while steps are measured.
  plasticity.updatePeriod = 1 + kSteps * (static_cast<std::uint32_t>(p.repetitions) + 1);
  plasticity.axon.initialLeast = plasticity.axon.initialMost = kElements;
  plasticity.excitatoryDendrite.initialLeast = plasticity.excitatoryDendrite.initialMost = kElements;
  const auto population = synapse::makeRandomPopulation(static_cast<std::size_t>(neurons), kSpacing, 1, 1, control);
  const auto model = synapse::makePlasticityModel(population, plasticity);
  std::vector<synapse::StepRecord> records;
  model->run(plasticity.updatePeriod, 0, records, control.silenced());
  repeat(p.repetitions, control, [&](bool counts) {
    const StageTimings before = model->timings();
    const Stopwatch stopwatch;
    model->run(kSteps, 0, records, control.silenced());
    if (counts) {
      result.milliseconds.push_back(stopwatch.elapsed() / kSteps);
      result.exchange.push_back((model->timings().of("exchange") - before.of("exchange")) / kSteps);
    }
  });
  const synapse::PlasticityProgress end = model->progress();
  result.hash = hashOf(std::span(end.network.synapses), result.hash);
  result.hash = hashOf(std::span(end.neurons.calcium), result.hash);
  result.device = model->timings().device;
  return result;
}

Measured measureSimulation(const ScalingParameters& p, std::int64_t cells, std::int32_t ranks,
                           const RunControl& control)
{
  constexpr double kSettles = 12; // ms: all currents have begun
  constexpr double kStretch = 20; // ms, of a measurement
  Measured result;
  simulation::SimulationParameters with;
  with.backend = p.backend;
  (p.backend == Backend::Cuda ? with.devices : with.threads) = ranks;
  simulation::Simulation simulated(simulation::hhNetwork(static_cast<std::size_t>(cells)), with);
  simulated.runUntil(kSettles, control.silenced());
  repeat(p.repetitions, control, [&](bool counts) {
    const Stopwatch stopwatch;
    simulated.runUntil(simulated.time() + kStretch, control.silenced());
    if (counts)
      result.milliseconds.push_back(stopwatch.elapsed() / kStretch);
  });
  for (const simulation::Spike& spike : simulated.spikes()) {
    result.hash = hashOf(std::span(&spike.cell, 1), result.hash);
    result.hash = hashOf(std::span(&spike.time, 1), result.hash);
  }
  for (const std::int64_t cell : {std::int64_t{0}, cells - 1})
    result.hash = hashOf(std::span<const double>(simulated.potentialsOf(static_cast<std::size_t>(cell))), result.hash);
  result.device = simulated.stages().device;
  return result;
}

/// The size of some work on one rank, and of work that grows with the ranks on several.
std::int64_t sizeOf(const ScalingParameters& p, ScaledWork work, double grown)
{
  const auto times = [&](std::int64_t size) { return std::llround(static_cast<double>(size) * grown); };
  switch (work) {
  case ScaledWork::Solve:
    return times(p.cells);
  case ScaledWork::Tables:
    return std::llround(static_cast<double>(p.side) * std::sqrt(grown)); // rows grow about as its square
  case ScaledWork::Update:
    return times(p.neurons);
  case ScaledWork::Steps:
    return times(p.stepNeurons);
  case ScaledWork::Simulation:
    return times(p.simulatedCells);
  }
  return 0;
}

Measured measure(const ScalingParameters& p, ScaledWork work, std::int64_t size, std::int32_t ranks,
                 const RunControl& control)
{
  switch (work) {
  case ScaledWork::Solve:
    return measureSolve(p, size, ranks, control);
  case ScaledWork::Tables:
    return measureTables(p, size, control);
  case ScaledWork::Update:
    return measureUpdate(p, size, control);
  case ScaledWork::Steps:
    return measureSteps(p, size, control);
  case ScaledWork::Simulation:
    return measureSimulation(p, size, ranks, control);
  }
  return {};
}

ScalingPoint measurePoint(const ScalingParameters& p, ScaledWork work, Growth growth, std::int32_t ranks,
                          const OnRanks& onRanks, const RunControl& control)
{
  const std::int64_t size = sizeOf(p, work, growth == Growth::Weak ? ranks : 1);
  Measured result;
  const auto body = [&] { result = measure(p, work, size, ranks, control); };
  // GPUs and threads share a solve and a simulation without ranks.
  if (ranks == 1 || work == ScaledWork::Solve || work == ScaledWork::Simulation)
    body();
  else
    onRanks(ranks, body);
  ScalingPoint point;
  point.work = work;
  point.growth = growth;
  point.ranks = ranks;
  point.size = static_cast<std::uint64_t>(work == ScaledWork::Tables ? size * size : size);
  point.amount = result.amount > 0 ? result.amount : static_cast<double>(size);
  point.device = result.device;
  point.milliseconds = spreadOf(result.milliseconds);
  point.exchange = result.exchange.empty() ? 0 : spreadOf(result.exchange).median;
  point.hash = result.hash;
  return point;
}

} // namespace

std::vector<ScalingPoint> runScaling(const ScalingParameters& parameters, const OnRanks& onRanks,
                                     const std::function<void(const ScalingPoint&)>& measured,
                                     const RunControl& control)
{
  validateFields(fieldsOf(parameters));
  requireDevice(parameters.backend);
  std::vector<std::int32_t> ranks = parameters.ranks;
  ranks.push_back(1);
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  const auto total = static_cast<double>(parameters.works.size() * parameters.growths.size() * ranks.size());
  std::vector<ScalingPoint> points;
  for (const ScaledWork work : parameters.works)
    for (const Growth growth : parameters.growths) {
      const std::size_t first = points.size(); // of one rank
      for (const std::int32_t count : ranks) {
        control.report("bench", static_cast<double>(points.size()) / total);
        ScalingPoint point = measurePoint(parameters, work, growth, count, onRanks, control);
        const ScalingPoint& one = count == 1 ? point : points[first];
        point.oneRank = one.milliseconds.median;
        point.oneAmount = one.amount;
        point.isSame = growth == Growth::Weak || point.hash == one.hash;
        points.push_back(std::move(point));
        if (measured)
          measured(points.back());
      }
    }
  return points;
}

} // namespace hinesight::scaling
