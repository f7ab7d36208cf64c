#pragma once

#include "cell/cell_model.hpp"
#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/spread.hpp"
#include "core/stage_timings.hpp"
#include "simulation/network.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hinesight::simulation {

/// What is measured: cells of our own (simulation/samples), in a sparse random network where there are several.
enum class BenchmarkCase
{
  Hh,
  Perisomatic,
  AllActive,
  Pyramidal,
  OneCore,
};

inline constexpr Choice kBenchmarkCases[] = {
    {"hh", "hh everywhere", "Networks of cells of 200 compartments with the squid axon's channels on all of them."},
    {"perisomatic", "Perisomatic", "A network of cells of 264 compartments with ten mechanisms at the soma."},
    {"all-active", "All-active", "The same cells with channels on the dendrites as well."},
    {"pyramidal", "One cell", "One cell of about 1,500 compartments with hh everywhere."},
    {"one-core", "One core", "The cells of hh on one thread of the CPU."},
};
inline std::span<const Choice> tableOf(BenchmarkCase)
{
  return kBenchmarkCases;
}

/// Of BenchmarkCase::Hh.
Network hhNetwork(std::size_t cells);

/// Each case by each number of cells on each backend.
struct BenchmarkParameters
{
  std::vector<BenchmarkCase> cases = {BenchmarkCase::Hh, BenchmarkCase::Perisomatic, BenchmarkCase::AllActive,
                                      BenchmarkCase::Pyramidal, BenchmarkCase::OneCore};
  std::vector<Backend> backends = {Backend::Cpu};
  std::vector<std::size_t> cells; ///< of the networks; empty: those of each case
  double timeStep = 0.025;        ///< ms
  int threads = 0;
  std::int32_t devices = 1; ///< GPUs that share the cells, 0: all
  bool quick = false;

  bool operator==(const BenchmarkParameters&) const = default;
};

template <typename Visitor>
void visitFields(BenchmarkParameters& p, Visitor&& visit)
{
  visit(Field{.name = "case", .label = "Case", .help = "What is measured."}, p.cases);
  visit(Field{.name = "backend", .label = "Backend", .help = "Where it runs.", .concern = Concern::Machine},
        p.backends);
  visit(Field{.name = "cells",
              .label = "Cells",
              .range = from(1, 1e7),
              .help = "Numbers of cells of the networks; none: those of each case."},
        p.cells);
  visit(Field{.name = "dt", .label = "Time step", .unit = "ms", .range = above(0, 1), .help = "How far a step takes."},
        p.timeStep);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .special = {0, "all"},
              .help = "Threads of the processor.",
              .concern = Concern::Machine},
        p.threads);
  visit(Field{.name = "devices",
              .label = "GPUs",
              .range = from(0, 64),
              .special = {0, "all"},
              .help = "GPUs of this machine that share the cells of a network.",
              .concern = Concern::Machine},
        p.devices);
  visit(Field{.name = "quick",
              .label = "Quick",
              .help = "Few small networks, measured twice: to see that all works.",
              .concern = Concern::Machine},
        p.quick);
}

/// One combination. With `error`, what could not be had is 0.
struct BenchmarkPoint
{
  std::string name; ///< of the case, or of the model that was given
  std::size_t cells = 0;
  std::size_t compartments = 0; ///< of all cells
  std::size_t connections = 0;
  Backend backend = Backend::Cpu;
  std::string device;
  int threads = 0; ///< of the CPU; 0: all
  double timeStep = 0;
  std::int64_t stepsOfEpoch = 0;
  double stretch = 0;              ///< ms of simulated time that each repetition took the network further
  std::vector<double> repetitions; ///< ms of each
  Spread milliseconds;
  double spikes = 0; ///< a second and cell
  double events = 0; ///< a second and cell
  double floor =
      0; ///< ms of a repetition: the greater of its bytes over the bandwidth and its operations over the rate
  bool isMemory = false;       ///< whether that is of the bytes
  std::size_t memoryBytes = 0; ///< that the simulation took
  StageTimings timings;        ///< of one repetition in the mean
  std::vector<Setting> settings;
  std::string error; ///< one sentence; empty where all went well

  bool failed() const { return !error.empty(); }
  double compartmentStepsPerSecond() const;
  double realTimeFactor() const { return failed() ? 0 : stretch / milliseconds.median; }
  double microsecondsPerStep() const { return failed() ? 0 : 1e3 * milliseconds.median * timeStep / stretch; }
  double shareOfFloor() const { return failed() ? 0 : floor / milliseconds.median; }
};

/// Runs every combination: the network settles for an epoch and 10 ms, then it is taken further by stretches of whole
/// epochs, until their median is stable (areEnough). `given`: a model each case of which is measured as well, as
/// "perisomatic" is. A combination that fails (no device, too little memory) gives a point with its error, and the rest
/// goes on. `measured` is told each as soon as it is there. Throws Error(BadParameter), Error(Cancelled).
std::vector<BenchmarkPoint> runBenchmark(const BenchmarkParameters& parameters,
                                         std::span<const std::shared_ptr<const cell::CellModel>> given = {},
                                         const std::function<void(const BenchmarkPoint&)>& measured = {},
                                         const RunControl& control = {});

} // namespace hinesight::simulation
