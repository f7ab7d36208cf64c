#pragma once

#include "core/device_model.hpp"
#include "core/devices_field.hpp"
#include "core/fields.hpp"
#include "core/measured.hpp"
#include "core/run_control.hpp"
#include "core/stage_timings.hpp"
#include "hines/batch.hpp"
#include "hines/precision.hpp"
#include "hines/schedule.hpp"
#include "hines/solver_id.hpp"
#include "hines/solver_settings.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::hines {

class SolverDefinition; // solvers/definition.hpp

/// What there is of a solver.
struct SolverTraits
{
  SolverId id;
  std::string_view title;   ///< such as "Domain decomposition"
  std::string_view summary; ///< one line: what it does, after whom
  bool onCpu = false;
  bool onCuda = false;
  bool inSingle = false;    ///< in single precision too
  bool usesThreads = false; ///< SolveParameters::threads, on the CPU
  bool chainsOnly = false;  ///< batches of chains of one length, root first
  bool isPeer = false;      ///< a routine of somebody else that ours are compared with
  bool isExact = false;     ///< its operations are the serial sweep's, in their order
  bool isChoice = false;    ///< it is one of the others, chosen for the batch

  std::string_view name() const { return id.name; } ///< as in commands and files
};

/// Every solver (solvers/all.cpp), the reference first.
std::span<const SolverDefinition* const> allSolvers();
/// Adds a solver behind the others. Before anything else asks for them; `definition` must outlive the program's use of
/// it.
void addSolver(const SolverDefinition& definition);

/// Throws Error(BadParameter) for a name that is no solver's.
const SolverTraits& traitsOf(SolverId solver);
/// The solver of that name. Throws as traitsOf.
SolverId solverNamed(std::string_view name);
inline std::string_view solverName(SolverId solver)
{
  return solver.name;
}

/// Whether there is such a solver for a backend.
bool runsOn(SolverId solver, Backend backend);

/// "CPU and CUDA, double and single precision".
std::string whereItRuns(const SolverTraits& solver);
/// The solvers as choices (core/fields.hpp).
std::span<const Choice> tableOf(SolverId);
std::size_t placeInTable(SolverId solver);
SolverId choiceAt(SolverId, std::size_t place);

bool isReadBy(const SettingsGroup& settings, SolverId solver);

/// As the number of repetitions: as many as it takes (areEnough, core/measured.hpp).
inline constexpr std::int32_t kUntilStable = 0;

struct SolveParameters
{
  SolverId solver = kAuto;
  Backend backend = Backend::Cpu;
  Gpu gpu = Gpu::Here; ///< that CUDA schedules are planned for
  Precision precision = Precision::Double;
  std::int32_t repeat = kUntilStable; ///< solves; timings are of the median one
  std::int32_t threads = 0;           ///< CPU threads, 0: all
  std::int32_t devices = 1;           ///< GPUs that share the cells, 0: all
  SolverSettings settings;            ///< of any solvers; each reads its own

  /// Settings by their type, such as EddParameters.
  template <typename Settings>
  const Settings& of() const
  {
    return settings.of<Settings>();
  }
  template <typename Settings>
  Settings& of()
  {
    return settings.of<Settings>();
  }

  bool operator==(const SolveParameters&) const = default;
};

template <typename Visitor>
void visitFields(SolveParameters& p, Visitor&& visit)
{
  const auto visitSettings = [&](bool drawnAnyway) {
    for (const SettingsGroup& group : solverSettings())
      if (group.isDrawnAnyway == drawnAnyway)
        visit(group.about.when(drawnAnyway || isReadBy(group, p.solver)), p.settings.fieldsOf(group));
  };
  visitSettings(true);
  visit(Field{.name = "solver",
              .label = "Solver",
              .help = "What solves the batch.",
              .section = {"Solve", "What solves the batch, and where."}},
        p.solver);
  visit(Field{.name = "backend", .label = "Backend", .help = "Where the solver runs.", .concern = Concern::Machine},
        p.backend);
  visit(Field{.name = "gpu",
              .label = "Planned for",
              .help = "The GPU that CUDA schedules are planned for.",
              .detail = "Of a model that is not here the schedule and its predicted time can be looked at. A solve "
                        "executes that schedule on this machine's GPU, where its shared memory is large enough."}
            .when(p.backend == Backend::Cuda || traitsOf(p.solver).onCuda),
        p.gpu);
  visit(Field{.name = "precision",
              .label = "Precision",
              .help = "Precision of the numbers that are read, computed with and written.",
              .detail = "Single moves half the bytes. Solvers eliminate sums of rows instead of diagonals, which loses "
                        "no digits to cancellation. Only the rounding of single precision itself remains."},
        p.precision);
  visitSettings(false);
  visit(Field{.name = "repeat",
              .label = "Repetitions",
              .range = from(1, 1'000'000),
              .slider = {1, 1000, true},
              .special = {kUntilStable, "until stable"},
              .help = "Solves in a row; the median one is timed.",
              .detail = "A single solve of a small batch is over in microseconds and its time is noisy. Until stable: "
                        "for 50 ms until the 95 % confidence interval of the median is narrower than 2 % of it, else "
                        "for 200 ms, or for 1 s while it is wider than 20 %; "
                        "at least 6 solves, unless they take more than a second, and at most 1,000.",
              .concern = Concern::Machine},
        p.repeat);
  visit(Field{.name = "threads",
              .label = "CPU threads",
              .range = from(0, 1024),
              .slider = {0, 64},
              .special = {0, "all"},
              .help = "Threads of the solvers that use several.",
              .detail = "More threads than the machine has do not make it faster.",
              .concern = Concern::Machine}
            .when(traitsOf(p.solver).usesThreads && p.backend == Backend::Cpu),
        p.threads);
  Field devices = devicesField("GPUs of this machine that share the cells.",
                               "Cells do not wait for one another: every GPU takes a part of them, and nothing is sent "
                               "between them. A batch that is too small to share is solved on one; the device's name "
                               "says so.");
  devices.former = "coarse-devices";
  visit(devices.when(p.backend == Backend::Cuda), p.devices);
}

/// Whether both name one solver, with all that its schedule of a batch follows from: backend, precision and the
/// settings that it reads.
bool planAlike(const SolveParameters& a, const SolveParameters& b);

/// Throws Error(BadParameter) for ranges of what the solver reads and for combinations that do not exist (serial or
/// multicore on CUDA).
void validate(const SolveParameters& parameters);
/// Throws Error(NoDevice) for CUDA where there is none.
void requireDevice(const SolveParameters& parameters);

/// What is solved with in place of a solver that chooses.
struct SolverChoice
{
  SolveParameters parameters; ///< as asked for, with the solver and, on the CPU, the threads
  double predicted = 0;       ///< ms; 0 where there was nothing to choose
  std::string reason;         ///< one line, such as "interleaved, 1 thread: 0.21 ms expected; multicore 0.85 ms (...)"
};

/// What a solve gave. `x` in the order of the batch.
struct Solution
{
  SolveParameters parameters; ///< that were solved with: where `auto` was asked for, what it chose
  std::string choice;         ///< why `auto` chose it, one line; empty where it was not asked
  std::vector<double> x;
  /// choose (auto), plan, upload, permute, solve, download (CUDA); plan, permute, solve (multicore, fine on CPU); plan,
  /// solve (serial). No plan where the schedule was there. Permute brings the batch into the layout of the plan and the
  /// solution out of it. On the CPU a block is permuted and solved while it is in the cache, so the stages alternate on
  /// every thread: the wall-clock time is divided between them as the threads' time was.
  StageTimings timings;
  /// The solve stage of every repetition, ms; `timings` has the lower median.
  std::vector<double> repetitions;
  double others = 0; ///< processors that other programs kept busy during the repetitions on the CPU; 0 on a GPU
  std::shared_ptr<const Schedule> schedule; ///< that was executed

  /// Of one repetition.
  Measured time() const { return measuredOf(repetitions, others); }
};

/// Solves the batch. Throws as validate and requireDevice; Error(OutOfMemory), Error(DeviceFailure), Error(Cancelled),
/// Error(BadParameter) where the solver cannot do the batch. prepared_solver.hpp has the parts of it. `known`: a
/// schedule of the batch, executed where the solver would make the same; may be null.
std::shared_ptr<const Solution> solve(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                      const RunControl& control = {}, std::shared_ptr<const Schedule> known = nullptr);
/// The same by a schedule of the solver that the parameters name (not `auto`). Throws Error(BadParameter) where it is
/// another's.
std::shared_ptr<const Solution> solve(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                      const RunControl& control = {});

/// The settings that the solver heeds, in words: "balance branches, split level-average, pack greedy, blocks of 128".
/// For a batch of so many cells.
std::string describeParameters(const SolveParameters& parameters, std::size_t cells);

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
