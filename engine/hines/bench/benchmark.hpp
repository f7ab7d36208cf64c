#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/spread.hpp"
#include "core/stage_timings.hpp"
#include "hines/cells/benchmark_sources.hpp"
#include "hines/solver.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

// A benchmark as data: cases in, rows out.
//
// Solvers join by themselves (solvers/definition.hpp). How a table joins: a function in the file of its group
// (benchmark_table_groups.hpp) that returns its cases, and a line in the list there; the command line offers it by
// itself.

namespace hinesight::hines {

/// One line of a table: a batch and how it is solved.
struct BenchmarkCase
{
  std::string table; ///< such as "copies"
  std::shared_ptr<const BenchmarkSource> source;
  std::int64_t cells = 1; ///< of the source's systems, round robin; of fewer cells than systems, the first
  std::string label;      ///< of the solver and its variant, such as "fine, as read"; the line of a plot
  std::string comparedTo; ///< label of a case of the same batch before this one; empty: none
  SolveParameters solve;  ///< `repeat` is not used
};

struct BenchmarkParameters
{
  std::int32_t minRepetitions = 7; ///< measured solves of a case, at least
  double warmUp = 50;              ///< ms of solves before the measured ones, at least one solve
  double duration = 100;           ///< ms that the measured solves last at least, up to 1,000 of them
  std::uint64_t seed = 1;          ///< of the right-hand sides

  bool operator==(const BenchmarkParameters&) const = default;
};

template <typename Visitor>
void visitFields(BenchmarkParameters& p, Visitor&& visit)
{
  constexpr double kMostTime = 60'000; // ms
  visit(Field{.name = "min-repetitions",
              .label = "Least repetitions",
              .range = from(7, 100'000),
              .slider = {7, 1000, true},
              .help = "Measured solves of each case, at least.",
              .detail = "Their median counts, and their quartiles are shown.",
              .concern = Concern::Machine},
        p.minRepetitions);
  visit(Field{.name = "warm-up",
              .label = "Warm-up",
              .unit = "ms",
              .range = from(0, kMostTime),
              .slider = {0, 1000},
              .help = "Time of the solves before the measured ones; there is at least one.",
              .concern = Concern::Machine},
        p.warmUp);
  visit(Field{.name = "duration",
              .label = "Duration of a measurement",
              .unit = "ms",
              .range = from(0, kMostTime),
              .slider = {0, 1000},
              .help = "Least time of the measured solves together; at most 1,000 solves are measured.",
              .concern = Concern::Machine},
        p.duration);
  visit(Field{.name = "seed",
              .label = "Seed",
              .range = from(0, 18446744073709551615.0),
              .slider = {0, 100},
              .help = "Seed of the copies' right-hand sides."},
        p.seed);
}

/// Throws as validateAllFields.
void validate(const BenchmarkParameters& parameters);

/// What a case gave. With `error`, the figures that could not be had are 0; those of an inaccurate solution are there.
struct BenchmarkRow
{
  std::string table;
  std::string what; ///< BenchmarkSource::what
  std::string label;
  std::size_t cells = 0;
  std::size_t shapes = 0; ///< distinct ones
  std::size_t compartments = 0;
  SolveParameters solve;
  std::string parameters;        ///< describeParameters; of `auto` of what it chose
  std::string choice;            ///< SolverChoice::reason of `auto`; else empty
  std::vector<Setting> settings; ///< all that it was solved and measured with, and those of its cells
  std::string device;            ///< such as "NVIDIA H200"
  std::string driver;            ///< driver and CUDA version; of the CPU, the system's name and release

  std::vector<double> repetitions; ///< the solve of each, ms
  Spread milliseconds;             ///< of the solve alone, data in the solver's layout; on CUDA by events
  double predicted = 0;   ///< ms, on CUDA, that the model of the device gives (builtInCosts); 0 where there is none
  std::string comparedTo; ///< BenchmarkCase::comparedTo
  double ratio = 0;       ///< the median time over that of the case that it is compared to; 0 where there is none
  double permute = 0;     ///< ms, median, from the batch's order into the layout, where there is one
  double preparation = 0; ///< ms: the solver's plan, allocation and upload, once a batch
  double compartmentsPerSecond = 0;
  std::size_t bytesMoved = 0;   ///< the floor: three numbers read and one written a compartment
  double copyBandwidth = 0;     ///< measured, bytes per second, of the device's memory or of main memory
  double bandwidthFraction = 0; ///< bytesMoved over the median time, over copyBandwidth
  Accuracy accuracy;            ///< against the serial sweep
  std::size_t memoryBytes = 0;  ///< taken by the solver: on CUDA device memory, on the CPU growth of the process
  std::string error;            ///< one sentence; empty where all went well

  bool failed() const { return !error.empty(); }
};

/// Called on the thread of runBenchmark with each row as soon as it is there.
using BenchmarkListener = std::function<void(const BenchmarkRow& row)>;
/// Called there between two solves. Whether it did anything: then the caches are warmed up again before the next one.
using BenchmarkPause = std::function<bool()>;

/// Runs the cases one after another. Neighbours with the same source and cells share systems and batch, so
/// order cases by these. All solvers are measured alike: prepared, solved once and checked against the serial sweep,
/// warmed up, then timed without anything in between but `pause`; batches that fit a cache stay in it, as in a
/// simulator. A case that fails (memory, a batch that the solver cannot do, no device) or whose solution is outside
/// accuracyLimit gives a row with its error, and the rest goes on. Stages: "memory bandwidth", in the first benchmark
/// of a program on the CPU, then "LABEL, N cells"; fractions of all of these.
/// Throws Error(BadParameter) as validate(BenchmarkParameters), Error(Cancelled).
std::vector<BenchmarkRow> runBenchmark(std::span<const BenchmarkCase> cases, const BenchmarkParameters& parameters,
                                       const BenchmarkListener& listener = {}, const RunControl& control = {},
                                       const BenchmarkPause& pause = {});

/// The solvers of a backend, the reference first; without `auto`, which is one of them.
std::vector<SolverId> benchmarkSolvers(Backend backend);

} // namespace hinesight::hines
