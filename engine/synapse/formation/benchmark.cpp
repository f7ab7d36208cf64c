#include "synapse/formation/benchmark.hpp"

#include <algorithm>

namespace hinesight::synapse {

namespace {

double updateTime(const StageTimings& timings)
{
  double sum = 0;
  for (const char* stage : {"tree", "vacant", "search", "resolve", "edges"})
    sum += timings.of(stage);
  return sum;
}

BenchmarkPoint measure(const std::shared_ptr<const NeuronPopulation>& population, const FormationParameters& formation,
                       int repetitions, const RunControl& control)
{
  BenchmarkPoint point;
  point.neurons = population->size();
  point.axons = formation.axons;
  point.theta = formation.search.theta;
  point.kind = formation.search.kind;
  point.backend = formation.backend;
  point.settings = settingsOf(fieldsOf(formation));
  addMissing(point.settings, population->origin);
  point.settings.push_back({"repetitions", std::to_string(repetitions)});
  if (formation.backend == Backend::Cuda)
    formSynapses(population, formation, control.silenced());
  std::vector<StageTimings> runs;
  std::vector<double> updates;
  for (int i = 0; i < repetitions; ++i) {
    const auto formed = formSynapses(population, formation, control.silenced());
    point.vacantAxons = formed->vacantAxons;
    point.synapses = synapseCount(formed->network);
    point.meanDistance = formed->meanDistance;
    runs.push_back(formed->timings);
    updates.push_back(updateTime(formed->timings));
  }
  point.milliseconds = spreadOf(updates);
  const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
  std::nth_element(runs.begin(), middle, runs.end(),
                   [](const StageTimings& a, const StageTimings& b) { return updateTime(a) < updateTime(b); });
  point.timings = *middle;
  point.device = middle->device;
  return point;
}

} // namespace

void validate(const BenchmarkParameters& parameters)
{
  validateFields(fieldsOf(parameters));
}

std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         const std::function<void(const BenchmarkPoint&)>& measured,
                                         const RunControl& control)
{
  validate(parameters);
  const std::size_t combinations = parameters.neurons.size() * parameters.axons.size() * parameters.thetas.size() *
                                   parameters.kinds.size() * parameters.backends.size();
  std::vector<BenchmarkPoint> points;
  for (const std::size_t neurons : parameters.neurons) {
    const auto population = makeRandomPopulation(neurons, parameters.spacing, 1, parameters.seed);
    for (const std::uint32_t axons : parameters.axons)
      for (const double theta : parameters.thetas)
        for (const SearchKind kind : parameters.kinds)
          for (const Backend backend : parameters.backends) {
            control.report("bench", static_cast<double>(points.size()) / static_cast<double>(combinations));
            FormationParameters formation;
            formation.search = {kind, theta, parameters.kernel, parameters.seed};
            formation.axons = axons;
            formation.dendrites = axons;
            formation.backend = backend;
            formation.threads = parameters.threads;
            formation.keepsTree = false;
            points.push_back(measure(population, formation, parameters.repetitions, control));
            if (measured)
              measured(points.back());
          }
  }
  return points;
}

} // namespace hinesight::synapse
