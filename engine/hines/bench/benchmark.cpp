#include "hines/bench/benchmark.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/memory_bandwidth.hpp"
#include "hines/choice/cost_model.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <sys/utsname.h>

namespace hinesight::hines {

namespace {

std::string number(double value)
{
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// "580.159.03, CUDA 13.0", or the CUDA version alone where the driver's own is not told.
std::string cudaDriver()
{
  std::string text;
  std::ifstream("/sys/module/nvidia/version") >> text;
  for (const DeviceInfo& device : cudaDevices())
    return (text.empty() ? "" : text + ", ") + "CUDA " + device.driver;
  return text;
}

/// "Linux 6.1.0".
std::string systemRelease()
{
  utsname names = {};
  return uname(&names) == 0 ? std::string(names.sysname) + " " + names.release : std::string();
}

std::size_t usedMemory(Backend backend)
{
  if (backend == Backend::Cpu)
    return residentMemoryBytes();
  for (const DeviceInfo& device : cudaDevices())
    return device.model.memoryBytes - device.freeBytes;
  return 0;
}

/// What is known of a backend's machine; measured where it is first asked for, once a program.
class Machine
{
public:
  double copyBandwidth(Backend backend, const RunControl& control)
  {
    const std::lock_guard lock(mutex);
    double& bandwidth = bandwidths[backend == Backend::Cuda ? planningDevice().name : std::string()];
    if (bandwidth == 0)
      bandwidth = backend == Backend::Cuda ? measureCopyBandwidth() : measureMemoryBandwidth(control);
    return bandwidth;
  }

  std::string driver(Backend backend)
  {
    const std::lock_guard lock(mutex);
    std::string& text = backend == Backend::Cuda ? cudaText : cpuText;
    if (text.empty())
      text = backend == Backend::Cuda ? cudaDriver() : systemRelease();
    return text;
  }

private:
  std::mutex mutex;
  std::map<std::string, double> bandwidths; ///< by the name of the GPU; of the CPU without one
  std::string cudaText, cpuText;
};

Machine& machine()
{
  static Machine known;
  return known;
}

/// Makes something once for neighbouring cases that need the same; remembers also that it cannot be made.
template <typename Key, typename Value>
class LastMade
{
public:
  template <typename Make>
  const Value& of(const Key& wanted, const Make& make)
  {
    if (!key || *key != wanted) {
      forget();
      key = wanted;
      try {
        value = make();
      } catch (const Error& error) {
        if (error.code() == ErrorCode::Cancelled)
          throw;
        failure = error;
      } catch (const std::bad_alloc&) {
        failure = Error(ErrorCode::OutOfMemory, "The batch needs more memory than is free; choose fewer cells.");
      }
    }
    if (failure)
      throw *failure;
    return value;
  }

  void forget()
  {
    key.reset();
    failure.reset();
    value = {};
  }

private:
  std::optional<Key> key;
  Value value{};
  std::optional<Error> failure;
};

/// Runs cases and keeps what neighbours share.
class Bench
{
public:
  Bench(const BenchmarkParameters& parameters, const BenchmarkPause& betweenSolves)
      : settings(parameters), pause(betweenSolves)
  {}

  BenchmarkRow run(const BenchmarkCase& wanted, const RunControl& control)
  {
    BenchmarkRow row = describe(wanted);
    try {
      measure(wanted, row, control);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled)
        throw;
      row.error = error.message();
    } catch (const std::bad_alloc&) {
      row.error = "The solver needs more memory than is free; choose fewer cells.";
    }
    return row;
  }

private:
  using Source = std::shared_ptr<const BenchmarkSource>;
  using BatchKey = std::pair<Source, std::int64_t>;
  using Batch = std::shared_ptr<const HinesBatch>;

  BenchmarkRow describe(const BenchmarkCase& wanted) const
  {
    BenchmarkRow row;
    row.table = wanted.table;
    row.what = wanted.source->what;
    row.label = wanted.label;
    row.comparedTo = wanted.comparedTo;
    row.cells = static_cast<std::size_t>(std::max<std::int64_t>(0, wanted.cells));
    row.solve = wanted.solve;
    row.parameters = describeParameters(wanted.solve, row.cells);
    row.settings = settingsOf(fieldsOf(wanted.solve));
    addMissing(row.settings, settingsOf(fieldsOf(settings)));
    addMissing(row.settings, wanted.source->settings);
    return row;
  }

  Batch batchOf(const BenchmarkCase& wanted, const RunControl& control)
  {
    const BatchKey key(wanted.source, wanted.cells);
    return batch.of(key, [&] {
      BenchmarkSource::Systems made = systems.of(wanted.source, [&] { return wanted.source->make(control); });
      if (wanted.cells > 0 && static_cast<std::size_t>(wanted.cells) < made.size())
        made.resize(static_cast<std::size_t>(wanted.cells));
      return makeBatchOfCells(made, wanted.cells, settings.seed, control);
    });
  }

  void measure(const BenchmarkCase& wanted, BenchmarkRow& row, const RunControl& control)
  {
    validate(wanted.solve);
    requireDevice(wanted.solve);
    const Batch made = batchOf(wanted, control);
    row.shapes = made->shapes.size();
    row.compartments = made->compartments();
    row.parameters = describeParameters(wanted.solve, made->cells());
    StageTimings choosing;
    ResolvedParameters resolved = resolve(*made, wanted.solve, choosing, control);
    if (!resolved.choice.empty()) {
      row.choice = std::move(resolved.choice);
      row.parameters = std::string(solverName(resolved.parameters.solver)) + ": " +
                       describeParameters(resolved.parameters, made->cells());
    }
    row.driver = machine().driver(wanted.solve.backend);
    row.copyBandwidth = machine().copyBandwidth(wanted.solve.backend, control);
    time(made, resolved.parameters, row, control);
    fillFigures(row);
  }

  /// Prepares, checks and times one solver.
  void time(const Batch& made, const SolveParameters& parameters, BenchmarkRow& row, const RunControl& control) const
  {
    const std::size_t before = usedMemory(parameters.backend);
    const Stopwatch watch;
    StageTimings timings;
    const auto schedule = makeSchedule(made, parameters, timings, control);
    const auto solver = prepare(schedule, parameters, timings, control);
    row.preparation = watch.elapsed();
    row.predicted = predictionOf(*schedule, parameters, control);
    row.device = timings.device;
    solver->solveOnce(control);
    const std::size_t after = usedMemory(parameters.backend);
    row.memoryBytes = after > before ? after - before : 0;
    check(*made, parameters.precision, *solver, row, control);

    const auto warmUp = [&] {
      for (const Stopwatch watchOfIt; watchOfIt.elapsed() < settings.warmUp;)
        solver->solveOnce(control);
    };
    warmUp();
    std::vector<double> solve, permute;
    constexpr std::size_t kMostRepetitions = 1'000;
    const auto least = static_cast<std::size_t>(settings.minRepetitions);
    for (const Stopwatch measured;
         solve.size() < least || (measured.elapsed() < settings.duration && solve.size() < kMostRepetitions);) {
      if (pause && pause())
        warmUp();
      const SolveTimes took = solver->solveOnce(control);
      solve.push_back(took.solve);
      permute.push_back(took.permute);
    }
    row.milliseconds = spreadOf(solve);
    row.repetitions = std::move(solve);
    // A solver that keeps the matrix in its layout brings it there when it is prepared, others at every solve.
    row.permute = spreadOf(std::move(permute)).median + timings.of("permute");
  }

  /// Not by what is measured here: so the model of the device is compared with the device.
  static double predictionOf(const Schedule& schedule, const SolveParameters& parameters, const RunControl& control)
  {
    if (parameters.backend != Backend::Cuda)
      return 0;
    const CostModel costs = builtInCosts(parameters.backend, parameters.precision, parameters.gpu);
    const auto prediction = predict(profileOf(*schedule.batch, control), parameters, costs, &schedule);
    return prediction ? prediction->milliseconds : 0;
  }

  static void check(const HinesBatch& batch, Precision precision, PreparedSolver& solver, BenchmarkRow& row,
                    const RunControl& control)
  {
    requireMemory(batch.compartments() * sizeof(double), "The solution");
    std::vector<double> x(batch.compartments());
    StageTimings ignored;
    solver.read(x, ignored);
    row.accuracy = checkAccuracy(batch, x, control);
    if (!row.accuracy.isWithinLimit(precision))
      row.error = "The solution differs from the serial sweep by " + number(row.accuracy.maxRelativeDifference) +
                  " and leaves a residual of " + number(row.accuracy.relativeResidual) + ", relative; the limit is " +
                  number(accuracyLimit(precision)) + ".";
  }

  static void fillFigures(BenchmarkRow& row)
  {
    constexpr std::size_t kNumbersMoved = 4;
    const double seconds = row.milliseconds.median * 1e-3;
    row.bytesMoved = kNumbersMoved * bytesOf(row.solve.precision) * row.compartments;
    if (seconds <= 0)
      return;
    row.compartmentsPerSecond = static_cast<double>(row.compartments) / seconds;
    row.bandwidthFraction = static_cast<double>(row.bytesMoved) / seconds / row.copyBandwidth;
  }

  BenchmarkParameters settings;
  const BenchmarkPause& pause;
  LastMade<Source, BenchmarkSource::Systems> systems;
  LastMade<BatchKey, Batch> batch;
};

/// The time of a row over that of the one that it is compared to, the last of that label and batch; 0 without it.
double ratioOf(const BenchmarkRow& row, std::span<const BenchmarkRow> before)
{
  if (row.comparedTo.empty())
    return 0;
  const auto isCompared = [&](const BenchmarkRow& other) {
    return other.label == row.comparedTo && other.table == row.table && other.what == row.what &&
           other.cells == row.cells && other.milliseconds.median > 0;
  };
  const auto found = std::find_if(before.rbegin(), before.rend(), isCompared);
  return found == before.rend() ? 0 : row.milliseconds.median / found->milliseconds.median;
}

/// Of the cases, each once.
std::vector<Backend> backendsOf(std::span<const BenchmarkCase> cases)
{
  std::vector<Backend> backends;
  for (const BenchmarkCase& each : cases)
    if (std::ranges::find(backends, each.solve.backend) == backends.end())
      backends.push_back(each.solve.backend);
  return backends;
}

/// Before the first case, since it may take longer than many cases. Where it cannot be done, the rows say why.
void measureBandwidth(Backend backend, const RunControl& control)
{
  try {
    machine().copyBandwidth(backend, control);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::Cancelled)
      throw;
  } catch (const std::bad_alloc&) {
  }
}

std::string stageOf(const BenchmarkCase& wanted)
{
  return wanted.label + ", " + std::to_string(wanted.cells) + (wanted.cells == 1 ? " cell" : " cells");
}

} // namespace

void validate(const BenchmarkParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

std::vector<BenchmarkRow> runBenchmark(std::span<const BenchmarkCase> cases, const BenchmarkParameters& parameters,
                                       const BenchmarkListener& listener, const RunControl& control,
                                       const BenchmarkPause& pause)
{
  validate(parameters);
  Bench bench(parameters, pause);
  std::vector<BenchmarkRow> rows;
  const std::vector<Backend> backends = backendsOf(cases);
  const auto shareOf = [all = static_cast<double>(backends.size() + cases.size())](std::size_t step) {
    return static_cast<double>(step) / all;
  };
  for (std::size_t i = 0; i < backends.size(); ++i)
    measureBandwidth(backends[i], control.part(shareOf(i), shareOf(i + 1)));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    control.report(stageOf(cases[i]), shareOf(backends.size() + i));
    // The stages of planning and solving would hide how far the whole is: only cancellation is passed on.
    BenchmarkRow row = bench.run(cases[i], control.silenced());
    row.ratio = ratioOf(row, rows);
    rows.push_back(std::move(row));
    if (listener)
      listener(rows.back());
  }
  control.report("benchmark", 1);
  return rows;
}

std::vector<SolverId> benchmarkSolvers(Backend backend)
{
  std::vector<SolverId> solvers;
  for (const SolverDefinition* solver : allSolvers())
    if (runsOn(solver->traits.id, backend) && !solver->traits.isChoice)
      solvers.push_back(solver->traits.id);
  return solvers;
}

} // namespace hinesight::hines
