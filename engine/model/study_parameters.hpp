#pragma once

#include "core/device.hpp"
#include "core/fields.hpp"
#include "hines/bench/benchmark.hpp"
#include "hines/bench/benchmark_tables.hpp"
#include "study/formation/formation_study.hpp"
#include "study/growth/growth_study.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// What a session says of studies that run without a person, beside the parameters of what they study.

namespace hinesight::model {

/// Synapses that are formed, and whether they are where no study is named.
struct FormationRun : study::FormationRequest
{
  bool isRun = true;

  bool operator==(const FormationRun&) const = default;
};

template <typename Visitor>
void visitFields(FormationRun& r, Visitor&& visit)
{
  visit(Field{.name = "run",
              .label = "Formed by a run",
              .help = "Whether these synapses are formed when the session is run and no study is named.",
              .concern = Concern::Machine},
        r.isRun);
  visitFields(static_cast<study::FormationRequest&>(r), visit);
}

/// A growing network, and how far it grows.
struct GrowthRun : study::GrowthRequest
{
  std::string connection;  ///< formed, whose neurons and synapses it begins with; empty: the source says
  std::uint32_t steps = 0; ///< of 1 ms; 0: it does not grow unless it is told how far
  std::uint32_t recordEvery = 100;

  bool operator==(const GrowthRun&) const = default;
};

template <typename Visitor>
void visitFields(GrowthRun& r, Visitor&& visit)
{
  constexpr double kMostSteps = 4294967295.0;
  visit(Field{.name = "steps",
              .label = "Steps",
              .unit = "ms",
              .range = from(0, kMostSteps),
              .slider = {0, 100'000},
              .special = {0, "none"},
              .help = "How far the network grows when the session is run, in steps of 1 ms."},
        r.steps);
  visit(Field{.name = "record-every",
              .label = "Steps of a record",
              .range = from(1, kMostSteps),
              .slider = {1, 1000, true},
              .help = "Steps from one record of all neurons to the next.",
              .concern = Concern::Machine},
        r.recordEvery);
  visit(Field{.name = "begins-with",
              .label = "Begins with",
              .help = "Name of the formed connection whose neurons and synapses the network begins with; empty: it "
                      "begins with the neurons below."},
        r.connection);
  visitFields(static_cast<study::GrowthRequest&>(r), visit);
}

/// The cells of a benchmark of solvers.
enum class BenchmarkCells
{
  Session,
  RandomTrees,
  Ca1,
  Mixed,
  Tables
};

inline constexpr Choice kBenchmarkCells[] = {
    {"session", "Cells of the session", "In turn, with the discretization and the settings of solvers of \"solve\"."},
    {"random-trees", "Random trees", "Those of \"solve\", all different up to 1,024."},
    {"ca1", "One synthetic cell", "As large as a CA1 pyramidal cell."},
    {"mixed", "Mixed synthetic cells", "Of many sizes."},
    {"tables", "Tables", "Those of 'hinesight-cli bench hines', with the cells of the session, if it has any."},
};
inline std::span<const Choice> tableOf(BenchmarkCells)
{
  return kBenchmarkCells;
}

/// Of the numbers; a solver without single precision is measured in double.
enum class BenchmarkPrecision
{
  Double,
  Single,
  Both
};

inline constexpr Choice kBenchmarkPrecisions[] = {
    {"double", "Double", "Double precision."},
    {"single", "Single", "Single precision, where a solver has it."},
    {"both", "Both", "Either."},
};
inline std::span<const Choice> tableOf(BenchmarkPrecision)
{
  return kBenchmarkPrecisions;
}

/// Which solvers are measured on what.
struct SolverBenchmark
{
  BenchmarkCells cells = BenchmarkCells::Session;
  std::vector<std::string> tables;  ///< of Tables: their names; empty: all
  std::vector<std::int64_t> counts; ///< of cells; empty: those of each table, or 1, 10, 100 and 1,000
  std::vector<std::string> solvers; ///< by their names; empty: all of the backend
  BenchmarkPrecision precision = BenchmarkPrecision::Double;
  Backend backend = Backend::Cpu;
  int threads = 0; ///< of Tables
  bool quick = false;
  hines::BenchmarkParameters measurement;

  bool operator==(const SolverBenchmark&) const = default;
};

template <typename Visitor>
void visitFields(SolverBenchmark& b, Visitor&& visit)
{
  const bool hasTables = b.cells == BenchmarkCells::Tables;
  visit(Field{.name = "of", .label = "Cells", .help = "What is solved."}, b.cells);
  visit(Field{.name = "table", .label = "Tables", .help = "Names of the tables; none: all of them.", .item = "a table"}
            .when(hasTables),
        b.tables);
  visit(Field{.name = "cells",
              .label = "Numbers of cells",
              .range = from(1, 100'000'000),
              .help = "Cells of the batches, each number a batch of its own; none: those of each table, or 1, 10, 100 "
                      "and 1,000."},
        b.counts);
  visit(Field{.name = "solvers",
              .label = "Solvers",
              .help = "Names of the solvers; none: all of the backend.",
              .item = "a solver"},
        b.solvers);
  visit(Field{.name = "precision", .label = "Precision", .help = "Of the numbers."}.when(!hasTables), b.precision);
  visit(Field{.name = "backend", .label = "Backend", .help = "Where it is solved.", .concern = Concern::Machine},
        b.backend);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .special = {0, "all"},
              .help = "Threads of the processor.",
              .concern = Concern::Machine}
            .when(hasTables),
        b.threads);
  visit(Field{.name = "quick",
              .label = "Quick",
              .help = "Few and small batches of tables, without a warm-up: to see that all works.",
              .concern = Concern::Machine},
        b.quick);
  visit(FieldGroup{"measurement", "Measurement", "", "How long each batch is measured."}, b.measurement);
}

} // namespace hinesight::model
