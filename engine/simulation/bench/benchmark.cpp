#include "simulation/bench/benchmark.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/measured.hpp"
#include "core/memory_bandwidth.hpp"
#include "simulation/bench/floor.hpp"
#include "simulation/cells/shared_cells.hpp"
#include "simulation/samples/sample_networks.hpp"
#include "simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hinesight::simulation {

namespace {

/// A network to be measured, by its number of cells.
struct Subject
{
  std::string name;
  std::shared_ptr<const cell::CellModel> model;
  std::vector<std::size_t> cells;
  double leastCurrent, greatestCurrent; ///< nA
  double celsius;
  int threads; ///< of the CPU; 0: all
  bool onlyCpu = false;
};

double areaOf(const cell::CellModel& model)
{
  return std::accumulate(model.cut.area.begin(), model.cut.area.end(), 0.0);
}

/// Cells of hh, under currents that let them fire.
Subject hhSubject(std::string name, std::shared_ptr<const cell::CellModel> model, std::vector<std::size_t> cells,
                  int threads)
{
  constexpr double kLeast = 0.8e-4, kGreatest = 1.2e-4; // nA/um2
  const double area = areaOf(*model);
  return {std::move(name), std::move(model), std::move(cells), kLeast * area, kGreatest * area, 6.3, threads};
}

Subject corticalSubject(std::string name, std::shared_ptr<const cell::CellModel> model, std::vector<std::size_t> cells,
                        int threads)
{
  const double celsius = model->biophysics.celsius;
  return {std::move(name), std::move(model), std::move(cells), 0.25, 0.4, celsius, threads};
}

std::shared_ptr<const cell::CellModel> hhCell()
{
  constexpr std::size_t kCompartments = 200;
  return samples::dendrites(kCompartments, 1, {samples::hh()});
}

Subject subjectOf(BenchmarkCase which, const BenchmarkParameters& parameters)
{
  const std::string name(choiceName(which));
  const auto sizes = [&](std::vector<std::size_t> full, std::size_t quick) {
    return !parameters.cells.empty() ? parameters.cells
           : parameters.quick        ? std::vector<std::size_t>{quick}
                                     : std::move(full);
  };
  switch (which) {
  case BenchmarkCase::Hh:
    return hhSubject(name, hhCell(), sizes({100, 1000, 5000, 20000}, 20), parameters.threads);
  case BenchmarkCase::Perisomatic:
    return corticalSubject(name, samples::cortical(samples::Kind::Perisomatic), sizes({1000, 10000}, 10),
                           parameters.threads);
  case BenchmarkCase::AllActive:
    return corticalSubject(name, samples::cortical(samples::Kind::AllActive), sizes({1000, 10000}, 5),
                           parameters.threads);
  case BenchmarkCase::Pyramidal:
    return hhSubject(name, samples::pyramidal(), {1}, parameters.threads);
  case BenchmarkCase::OneCore:
    break;
  }
  Subject subject = hhSubject(name, hhCell(), {parameters.quick ? std::size_t{5} : std::size_t{100}}, 1);
  subject.onlyCpu = true;
  return subject;
}

Network networkOf(const Subject& subject, std::size_t cells)
{
  return samples::randomNetwork(subject.model, {.cells = cells,
                                                .weight = 2e-4,
                                                .leastCurrent = subject.leastCurrent,
                                                .greatestCurrent = subject.greatestCurrent});
}

double leastDelayOf(const Network& network)
{
  constexpr double kOfSingleCells = 1; // ms
  double least = network.connections.empty() ? kOfSingleCells : kForever;
  for (const Connection& connection : network.connections)
    least = std::min(least, connection.delay);
  return least;
}

/// That is taken on the backend.
std::size_t usedMemory(Backend backend)
{
  if (backend == Backend::Cpu)
    return residentMemoryBytes();
  std::size_t used = 0;
  for (const DeviceInfo& device : cudaDevices())
    used += device.model.memoryBytes - device.freeBytes;
  return used;
}

/// Stage by stage: `after` less `before`, a repetition.
StageTimings meanStages(const StageTimings& before, const StageTimings& after, std::size_t repetitions)
{
  StageTimings mean;
  mean.add(before, -1.0 / static_cast<double>(repetitions));
  mean.add(after, 1.0 / static_cast<double>(repetitions));
  return mean;
}

class Measurement
{
public:
  Measurement(const Subject& of, std::size_t cells, Backend backend, const BenchmarkParameters& with,
              const RunControl& run)
      : subject(of), parameters(with), control(run)
  {
    point.name = subject.name;
    point.cells = cells;
    point.backend = backend;
    point.threads = subject.threads;
    point.timeStep = parameters.timeStep;
  }

  BenchmarkPoint measure()
  {
    try {
      requireDevice(point.backend);
      run();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      point.error = error.message();
    } catch (const std::bad_alloc&) {
      point.error = "Not enough memory; choose fewer cells.";
    }
    return std::move(point);
  }

private:
  void run()
  {
    const std::size_t memoryBefore = usedMemory(point.backend);
    Network network = networkOf(subject, point.cells);
    point.compartments = samples::compartmentsOf(network);
    point.connections = network.connections.size();
    point.stepsOfEpoch = std::max<std::int64_t>(1, std::llround(std::floor(leastDelayOf(network) / point.timeStep)));
    SimulationParameters with;
    with.timeStep = point.timeStep;
    with.celsius = subject.celsius;
    with.threads = subject.threads;
    with.backend = point.backend;
    with.devices = parameters.devices;
    point.settings = settingsOf(fieldsOf(with));
    devices = devicesFor(network, point.compartments, with);
    Simulation simulation(std::move(network), with);
    point.stepsOfEpoch = std::min(point.stepsOfEpoch, simulation.stepsOfEpoch()); // a GPU's are shorter
    const std::size_t memoryAfter = usedMemory(point.backend);
    point.memoryBytes = memoryAfter - std::min(memoryAfter, memoryBefore);
    stretchOf(simulation);
    repeat(simulation);
    findFloor();
  }

  double epoch() const { return static_cast<double>(point.stepsOfEpoch) * point.timeStep; }

  double timeOf(Simulation& simulation, double stretch) const
  {
    const double until = simulation.time() + stretch;
    const Stopwatch watch;
    simulation.runUntil(until, control.silenced());
    return watch.elapsed();
  }

  /// Lets the network settle, and chooses how far a repetition takes it.
  void stretchOf(Simulation& simulation)
  {
    constexpr double kSettles = 30;        // ms of simulated time
    constexpr double kMostSettling = 2000; // ms
    constexpr double kOfRepetition = 100;  // ms: the first epoch and the last one wait for their events
    double one = timeOf(simulation, epoch());
    for (const Stopwatch watch; !parameters.quick && simulation.time() < kSettles && watch.elapsed() < kMostSettling;)
      one = timeOf(simulation, epoch());
    const double epochs = parameters.quick ? 1 : std::ceil(kOfRepetition / std::max(one, 1e-3));
    point.stretch = epoch() * std::clamp(epochs, 1.0, 1000.0);
  }

  void repeat(Simulation& simulation)
  {
    constexpr std::size_t kLeast = 3;
    constexpr double kTooLong = 20'000; // ms
    const std::size_t spikesBefore = simulation.spikes().size();
    const std::uint64_t eventsBefore = simulation.delivered();
    const StageTimings stagesBefore = simulation.stages();
    const Stopwatch watch;
    const auto isEnough = [&] {
      if (parameters.quick)
        return point.repetitions.size() == 2;
      return (areEnough(point.repetitions, watch.elapsed()) && point.repetitions.size() >= kLeast) ||
             watch.elapsed() > kTooLong;
    };
    do
      point.repetitions.push_back(timeOf(simulation, point.stretch));
    while (!isEnough());
    point.milliseconds = spreadOf(point.repetitions);
    const double seconds = 1e-3 * point.stretch * static_cast<double>(point.repetitions.size());
    const double cells = static_cast<double>(point.cells);
    point.spikes = static_cast<double>(simulation.spikes().size() - spikesBefore) / seconds / cells;
    point.events = static_cast<double>(simulation.delivered() - eventsBefore) / seconds / cells;
    point.timings = meanStages(stagesBefore, simulation.stages(), point.repetitions.size());
    point.device = simulation.stages().device;
  }

  void findFloor()
  {
    const StepCost cost = leastCostOf(*subject.model, point.stepsOfEpoch);
    const MachineRates rates = ratesOf(point.backend, point.threads, control);
    const double steps = point.stretch / point.timeStep * static_cast<double>(point.cells) /
                         static_cast<double>(devices); // each has a share
    const double ofBytes = 1e3 * steps * cost.bytes / rates.bandwidth;
    const double ofOperations = 1e3 * steps * cost.operations / rates.operations;
    point.isMemory = ofBytes > ofOperations;
    point.floor = std::max(ofBytes, ofOperations);
  }

  const Subject& subject;
  const BenchmarkParameters& parameters;
  const RunControl& control;
  BenchmarkPoint point;
  std::size_t devices = 1; ///< GPUs that share the cells
};

} // namespace

Network hhNetwork(std::size_t cells)
{
  return networkOf(hhSubject({}, hhCell(), {}, 0), cells);
}

double BenchmarkPoint::compartmentStepsPerSecond() const
{
  return failed() ? 0 : 1e3 * static_cast<double>(compartments) * stretch / timeStep / milliseconds.median;
}

std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         std::span<const std::shared_ptr<const cell::CellModel>> given,
                                         const std::function<void(const BenchmarkPoint&)>& measured,
                                         const RunControl& control)
{
  validateFields(fieldsOf(parameters));
  std::vector<Subject> subjects;
  for (const BenchmarkCase which : parameters.cases)
    subjects.push_back(subjectOf(which, parameters));
  for (const auto& model : given)
    subjects.push_back(corticalSubject(model->name, model,
                                       parameters.cells.empty() ? std::vector<std::size_t>{1, 1000} : parameters.cells,
                                       parameters.threads));
  std::size_t combinations = 0;
  for (const Subject& subject : subjects)
    combinations += subject.cells.size() * parameters.backends.size();
  std::vector<BenchmarkPoint> points;
  std::size_t done = 0;
  for (const Subject& subject : subjects)
    for (const std::size_t cells : subject.cells)
      for (const Backend backend : parameters.backends) {
        control.report(subject.name, static_cast<double>(done++) / static_cast<double>(combinations));
        if (subject.onlyCpu && backend != Backend::Cpu)
          continue;
        points.push_back(Measurement(subject, cells, backend, parameters, control).measure());
        if (measured)
          measured(points.back());
      }
  return points;
}

} // namespace hinesight::simulation
