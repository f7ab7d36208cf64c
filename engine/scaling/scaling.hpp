#pragma once

#include "core/fields.hpp"
#include "core/run_control.hpp"
#include "core/spread.hpp"
#include "core/stage_timings.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// How work gets faster, or larger, with ranks: the same measurement on one rank and on several.

namespace hinesight::scaling {

/// What is measured.
enum class ScaledWork
{
  Solve,
  Tables,
  Update,
  Steps,
  Simulation
};

inline constexpr Choice kScaledWorks[] = {
    {"solve", "Solve", "One solve of a batch of cells by the resident solver, on the CPU by the interleaved one."},
    {"tables", "Weight tables", "Count, scan and compaction of the widening Gaussian's table between square grids."},
    {"update", "Update",
     "One connectivity update of random neurons with an axon each; the time of their tree does not count."},
    {"steps", "Steps", "A step of a plasticity model with some six synapses a neuron, of which a seventh fires."},
    {"simulation", "Simulation", "1 ms of a sparse random network of cells of 200 compartments with hh."},
};
inline std::span<const Choice> tableOf(ScaledWork)
{
  return kScaledWorks;
}

/// What grows with the ranks.
enum class Growth
{
  Strong,
  Weak
};

inline constexpr Choice kGrowths[] = {
    {"strong", "Strong", "The work stays the same, so that the ideal time falls as the ranks grow."},
    {"weak", "Weak", "The work grows with the ranks, so that the ideal time stays the same."},
};
inline std::span<const Choice> tableOf(Growth)
{
  return kGrowths;
}

struct ScalingParameters
{
  std::vector<ScaledWork> works = {ScaledWork::Solve, ScaledWork::Tables, ScaledWork::Update, ScaledWork::Steps,
                                   ScaledWork::Simulation};
  std::vector<Growth> growths = {Growth::Strong, Growth::Weak};
  std::vector<std::int32_t> ranks = {1, 2};
  Backend backend = Backend::Cpu;
  std::int64_t cells = 1'000;         ///< of one rank, where work grows
  std::int64_t side = 100;            ///< of the grids, in neurons
  std::int64_t neurons = 100'000;     ///< of an update
  std::int64_t stepNeurons = 100'000; ///< of the plasticity model
  std::int64_t simulatedCells = 100;  ///< of the network that is simulated
  std::int32_t repetitions = 5;       ///< the median counts

  bool operator==(const ScalingParameters&) const = default;
};

template <typename Visitor>
void visitFields(ScalingParameters& p, Visitor&& visit)
{
  constexpr double kMost = 1e9;
  visit(Field{.name = "work", .label = "Work", .help = "What is measured."}, p.works);
  visit(Field{.name = "scaling", .label = "Scaling", .help = "What grows with the ranks."}, p.growths);
  visit(Field{.name = "ranks",
              .label = "Ranks",
              .range = from(1, 1'024),
              .help = "How many ranks share the work; one is measured in any case.",
              .detail =
                  "On CUDA each has a GPU. A solve and a simulation are shared by GPUs, and on the CPU by threads."},
        p.ranks);
  visit(Field{.name = "backend", .label = "Backend", .help = "Where the work is done.", .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "cells", .label = "Cells", .range = from(1, kMost), .help = "Cells of a solve."}, p.cells);
  visit(Field{.name = "side",
              .label = "Side",
              .range = from(2, 10'000),
              .help = "Side of the grids that a table joins, in neurons."},
        p.side);
  visit(Field{.name = "neurons", .label = "Neurons", .range = from(2, kMost), .help = "Neurons of an update."},
        p.neurons);
  visit(Field{.name = "step-neurons",
              .label = "Step neurons",
              .range = from(2, kMost),
              .help = "Neurons of the plasticity model whose steps are measured."},
        p.stepNeurons);
  visit(Field{.name = "simulated-cells",
              .label = "Simulated cells",
              .range = from(1, 1e7),
              .help = "Cells of the network that is simulated."},
        p.simulatedCells);
  visit(Field{.name = "repetitions",
              .label = "Repetitions",
              .range = from(1, 1'000),
              .help = "Of each measurement; the median counts.",
              .concern = Concern::Machine},
        p.repetitions);
}

/// One measurement.
struct ScalingPoint
{
  ScaledWork work = ScaledWork::Solve;
  Growth growth = Growth::Strong;
  std::int32_t ranks = 1;
  std::uint64_t size = 0; ///< cells, neurons of a grid, neurons
  double amount = 0;      ///< of what takes the time: rows of a table, else the size
  std::string device;
  Spread milliseconds;    ///< of a solve, a table, an update, a step, 1 ms of a simulation
  double exchange = 0;    ///< ms of it between the ranks, as far as it is a stage of its own
  double oneRank = 0;     ///< ms, median, of one rank and of the work of one
  double oneAmount = 0;   ///< the amount of that
  std::uint64_t hash = 0; ///< of the result
  bool isSame = true; ///< its bytes are those of one rank (of a simulation: spikes, and potentials of two cells); of
                      ///< weak scaling not looked at

  /// How many times as much a second as one rank.
  double speedUp() const
  {
    return milliseconds.median > 0 && oneAmount > 0 ? amount / oneAmount * oneRank / milliseconds.median : 0;
  }
  /// Of the ideal, which is as many times as there are ranks.
  double efficiency() const { return speedUp() / static_cast<double>(ranks); }
};

/// Does the work of `body` on so many ranks, as leadTasks.
using OnRanks = std::function<void(int ranks, const std::function<void()>& body)>;

/// Every kind of work and growth on one rank and on all numbers of ranks. `measured` hears of each point. Throws
/// Error(BadParameter), Error(NoDevice), Error(OutOfMemory), Error(Cancelled).
std::vector<ScalingPoint> runScaling(const ScalingParameters& parameters, const OnRanks& onRanks,
                                     const std::function<void(const ScalingPoint&)>& measured = {},
                                     const RunControl& control = {});

} // namespace hinesight::scaling
