#pragma once

#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"
#include "hines/lane_chart.hpp"
#include "hines/precision.hpp"
#include "hines/solvers/coarse/coarse_parameters.hpp"
#include "hines/solvers/edd/edd_parameters.hpp"
#include "hines/solvers/tridiagonal/tridiagonal_parameters.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::hines {

enum class SolverKind
{
  Serial,          ///< one sweep, one core: the reference
  Multicore,       ///< executes the plan of branches, blocks in parallel over the cores
  Fine,            ///< executes the plan of branches with one thread a branch: CUDA, or lane by lane on one core
  Resident,        ///< a plan of its own (resident_plan.hpp): each cell is read once, kept on chip, and written once
  Coarse,          ///< one thread a system (coarse_plan.hpp): the serial sweep, and its result to the last bit
  Interleaved,     ///< cells of one shape side by side in the CPU's vector registers, the others several at a time
  Edd,             ///< exact domain decomposition (edd_plan.hpp): chains between junctions side by side, recursively
  Tridiagonal,     ///< chains of one length, pieces in the registers of the lanes of a warp (tridiagonal_plan.hpp)
  GtsvStrided,     ///< cuSPARSE's gtsv2StridedBatch, chains of one length: a peer to compare with
  GtsvInterleaved, ///< cuSPARSE's gtsvInterleavedBatch, likewise
  Auto,            ///< whichever of the others is expected to be the fastest for the batch (cost_model.hpp)
};

/// What there is of a solver.
struct SolverTraits
{
  SolverKind kind;
  std::string_view name;    ///< as in commands and files, such as "resident"
  std::string_view title;   ///< on screen
  std::string_view summary; ///< a sentence
  bool onCpu;
  bool onCuda;
  bool inSingle;           ///< in single precision too
  bool executesPlan;       ///< of branches (SolvePlan), or may; the others make a plan of their own, or none
  bool usesThreads;        ///< SolveParameters::threads, on the CPU
  bool chainsOnly = false; ///< batches of chains of one length, root first
  bool isPeer = false;     ///< a routine of somebody else that ours are compared with
};

/// Every solver, the reference first.
std::span<const SolverTraits> allSolvers();
const SolverTraits& traitsOf(SolverKind solver);
/// "serial", "multicore", "fine", "resident", "coarse", "interleaved", "edd", "tridiagonal", "gtsv2-strided",
/// "gtsv-interleaved", "auto".
std::string_view solverName(SolverKind solver);

/// Whether there is such a solver for a backend.
bool runsOn(SolverKind solver, Backend backend);

/// "CPU and CUDA, double and single precision".
std::string whereItRuns(const SolverTraits& solver);
/// The table of solvers as choices.
std::span<const Choice> tableOf(SolverKind);

struct SolveParameters
{
  SolverKind solver = SolverKind::Auto;
  Backend backend = Backend::Cpu;
  Precision precision = Precision::Double;
  std::int32_t repeat = 1;  ///< solves; timings are of the fastest
  std::int32_t threads = 0; ///< CPU threads, 0: all
  CoarseParameters coarse;  ///< of the coarse solver
  EddParameters edd;        ///< of the edd solver
  TridiagonalParameters tridiagonal;
  GtsvParameters gtsv; ///< of gtsv-interleaved

  bool operator==(const SolveParameters&) const = default;
};

template <typename Visitor>
void visitFields(SolveParameters& p, Visitor&& visit)
{
  visit(Field{.name = "solver",
              .label = "Solver",
              .help = "What solves the batch.",
              .section = {"Solve", "What solves the batch, and where."}},
        p.solver);
  visit(Field{.name = "backend", .label = "Backend", .help = "Where the solver runs.", .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "precision",
              .label = "Precision",
              .help = "Of the numbers that are read, worked with and written.",
              .detail = "Single moves half the bytes. Solvers eliminate sums of rows instead of diagonals, which loses "
                        "no digits to cancellation: what is left is the rounding of single precision itself."},
        p.precision);
  visit(FieldGroup{"coarse", "Coarse solver", "coarse-", "One lane a cell."}.when(p.solver == SolverKind::Coarse),
        p.coarse);
  visit(FieldGroup{"edd", "Exact domain decomposition", "edd-", "Chains between junctions side by side."}.when(
            p.solver == SolverKind::Edd),
        p.edd);
  visit(FieldGroup{"tridiagonal", "Tridiagonal solver", "chain-", "Batches of chains."}.when(p.solver ==
                                                                                             SolverKind::Tridiagonal),
        p.tridiagonal);
  visit(FieldGroup{"gtsv", "cuSPARSE's gtsvInterleavedBatch", "gtsv-", "Batches of chains."}.when(
            p.solver == SolverKind::GtsvInterleaved),
        p.gtsv);
  visit(Field{.name = "repeat",
              .label = "Repetitions",
              .range = from(1, 1'000'000),
              .slider = {1, 1000, true},
              .help = "Solves in a row; the fastest is timed.",
              .detail = "A single solve of a small batch is over in microseconds and its time is noisy.",
              .concern = Concern::Machine},
        p.repeat);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads of the solvers that use several.",
              .detail = "More threads than the machine has only get into each other's way.",
              .concern = Concern::Machine}
            .when(traitsOf(p.solver).usesThreads && p.backend == Backend::Cpu),
        p.threads);
}

/// Throws Error(BadParameter) for ranges and for combinations that do not exist (serial or multicore on CUDA),
/// Error(NoDevice) for CUDA where there is none.
void validate(const SolveParameters& parameters);

/// What a solve gave. `x` in the order of the batch.
struct Solution
{
  SolveParameters parameters; ///< that were solved with: where `auto` was asked for, what it chose
  std::string choice;         ///< why `auto` chose it, one line; empty where it was not asked
  std::vector<double> x;
  /// solver plan (where it makes one), upload, permute, solve, download (CUDA); permute, solve (multicore, fine on
  /// CPU); solve (serial). Permute brings the batch into the layout of the plan and the solution out of it. On the CPU
  /// a block is permuted and solved while it is in the cache, so the stages alternate on every thread: the wall-clock
  /// time is divided between them as the threads' time was.
  StageTimings timings;
  /// The solve stage of every repetition, ms.
  std::vector<double> repetitions;
  /// The schedule of a solver that does not execute the plan of branches; null where it is not ours to know.
  std::shared_ptr<const LaneCharts> charts;
};

/// Solves the plan's batch. Throws as validate; Error(OutOfMemory), Error(DeviceFailure), Error(Cancelled),
/// Error(BadParameter) where the solver cannot do the batch. prepared_solver.hpp has the parts of it.
std::shared_ptr<const Solution> solve(std::shared_ptr<const SolvePlan> plan, const SolveParameters& parameters,
                                      const RunControl& control = {});

/// The serial sweep over one system (Hines 1984, carried out as elimination.hpp says): on return b holds the solution
/// and `excess`, which starts as the system's diagonalExcess, is eliminated. Throws Error(Cancelled).
void sweepSerially(std::span<const std::int32_t> parent, std::span<double> excess, std::span<const double> u,
                   std::span<double> b, const RunControl& control = {});

/// The greatest relative difference from the serial sweep, and the greatest relative residual, that a solver may have:
/// 1e-12 and, in single precision, 1e-5.
double accuracyLimit(Precision precision);

/// How far a solution is from the serial sweep's, and how well it satisfies the equations; each the worst cell's.
/// Infinite where a number is not finite.
struct Accuracy
{
  double maxRelativeDifference = 0; ///< max |x - x_serial| / max |x_serial| over a cell
  double relativeResidual = 0;      ///< max |A x - b| / (max |A| max |x| + max |b|) over a cell

  bool isWithinLimit(Precision precision = Precision::Double) const
  {
    return maxRelativeDifference <= accuracyLimit(precision) && relativeResidual <= accuracyLimit(precision);
  }
};

Accuracy checkAccuracy(const HinesBatch& batch, std::span<const double> x, const RunControl& control = {},
                       int threads = 0);

} // namespace hinesight::hines
