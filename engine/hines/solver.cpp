#include "hines/solver.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/choice/cost_cache.hpp"
#include "hines/prepared_solver.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

//  kind, name, title, summary, on the CPU, on CUDA, in single precision, executes the plan of branches, uses threads,
//  chains only, peer
constexpr std::array kSolvers = {
    SolverTraits{SolverKind::Serial, "serial", "Serial",
                 "One sweep on one core: the reference of all others (Hines 1984)", true, false, false, false, false},
    SolverTraits{SolverKind::Multicore, "multicore", "Multicore",
                 "The blocks of the plan of branches, in parallel over the cores", true, false, false, true, true},
    SolverTraits{SolverKind::Fine, "fine", "Fine",
                 "One thread a branch, level by level, as the plan of branches says (Huber 2018)", true, true, false,
                 true, false},
    SolverTraits{SolverKind::Resident, "resident", "Resident",
                 "Reads every cell once, keeps it on chip, writes it once; makes its own plan", true, true, true, false,
                 true},
    SolverTraits{SolverKind::Coarse, "coarse", "Coarse",
                 "One lane a cell, in one of five layouts of memory (Martinez 2018)", true, true, true, false, true},
    SolverTraits{SolverKind::Interleaved, "interleaved", "Interleaved",
                 "Cells of one shape side by side in the vector registers of the cores", true, false, true, false,
                 true},
    SolverTraits{SolverKind::Edd, "edd", "Domain decomposition",
                 "Exact: chains between junctions side by side, then the junctions alike, recursively (Vooturi 2019)",
                 true, true, true, false, true},
    SolverTraits{SolverKind::Tridiagonal, "tridiagonal", "Tridiagonal",
                 "Chains of one length, in pieces that the lanes of a warp keep in registers", true, true, true, false,
                 true, true},
    SolverTraits{SolverKind::GtsvStrided, "gtsv2-strided", "gtsv2, strided",
                 "Chains of one length by cuSPARSE gtsv2StridedBatch: to compare with", false, true, true, false, false,
                 true, true},
    SolverTraits{SolverKind::GtsvInterleaved, "gtsv-interleaved", "gtsv, interleaved",
                 "Chains of one length by cuSPARSE gtsvInterleavedBatch: to compare with", false, true, true, false,
                 false, true, true},
    SolverTraits{SolverKind::Auto, "auto", "Automatic",
                 "The solver that is predicted to be the fastest for the batch on this device", true, true, true, true,
                 true},
};

/// "fine or resident".
std::string cudaSolvers()
{
  std::string text;
  std::size_t left = static_cast<std::size_t>(std::ranges::count_if(kSolvers, &SolverTraits::onCuda));
  for (const SolverTraits& solver : kSolvers)
    if (solver.onCuda) {
      --left;
      text += std::string(solver.name) + (left > 1 ? ", " : left == 1 ? " or " : "");
    }
  return text;
}

} // namespace

std::span<const SolverTraits> allSolvers()
{
  return kSolvers;
}

const SolverTraits& traitsOf(SolverKind solver)
{
  return *std::ranges::find(kSolvers, solver, &SolverTraits::kind);
}

std::string whereItRuns(const SolverTraits& solver)
{
  return std::string(solver.onCpu && solver.onCuda ? "CPU and CUDA"
                     : solver.onCuda               ? "CUDA only"
                                                   : "CPU only") +
         (solver.inSingle ? ", double and single precision" : ", double precision only");
}

std::span<const Choice> tableOf(SolverKind)
{
  static const std::vector<std::string> help = [] {
    std::vector<std::string> texts;
    for (const SolverTraits& solver : kSolvers)
      texts.push_back(std::string(solver.summary) + " (" + whereItRuns(solver) + ").");
    return texts;
  }();
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> table;
    for (const SolverTraits& solver : kSolvers)
      table.push_back({solver.name, solver.title, help[table.size()], {}});
    return table;
  }();
  return choices;
}

std::string_view solverName(SolverKind solver)
{
  return traitsOf(solver).name;
}

bool runsOn(SolverKind solver, Backend backend)
{
  const SolverTraits& traits = traitsOf(solver);
  return backend == Backend::Cuda ? traits.onCuda : traits.onCpu;
}

std::size_t bytesOf(Precision precision)
{
  return precision == Precision::Double ? sizeof(double) : sizeof(float);
}

double accuracyLimit(Precision precision)
{
  return precision == Precision::Double ? 1e-12 : 1e-5;
}

void validate(const SolveParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
  const SolverTraits& traits = traitsOf(parameters.solver);
  const std::string subject = "The " + std::string(traits.name) + " solver runs ";
  if (parameters.backend == Backend::Cuda && !traits.onCuda)
    throw Error(ErrorCode::BadParameter, subject + "on the CPU only; choose " + cudaSolvers() + " for CUDA.");
  if (parameters.backend == Backend::Cpu && !traits.onCpu)
    throw Error(ErrorCode::BadParameter, subject + "on CUDA only; choose another for the CPU.");
  if (parameters.precision == Precision::Single && !traits.inSingle)
    throw Error(ErrorCode::BadParameter, subject + "in double precision only.");
  if (parameters.backend == Backend::Cuda)
    requireCudaDevice();
}

std::string detail::deviceText(int threads)
{
  return processorName() + (threads == 1 ? ", 1 thread" : ", " + std::to_string(threads) + " threads");
}

int detail::threadsOf(const SolveParameters& parameters)
{
  return parameters.threads > 0 ? parameters.threads : hardwareThreads();
}

ResolvedInput resolve(const SolverInput& input, StageTimings& timings, const RunControl& control)
{
  validate(input.parameters);
  if (input.parameters.solver != SolverKind::Auto)
    return {input, {}};
  const Stopwatch stopwatch;
  SolverChoice choice = chooseSolver(*input.batch, input.parameters, control);
  timings.add("choose", stopwatch.elapsed());
  ResolvedInput resolved{{input.batch, input.plan, choice.parameters}, std::move(choice.reason)};
  if (traitsOf(choice.parameters.solver).executesPlan && !input.plan) {
    const Stopwatch planning;
    resolved.input.plan = makePlan(input.batch, {}, control);
    timings.add("plan", planning.elapsed());
  }
  return resolved;
}

std::unique_ptr<PreparedSolver> prepare(const SolverInput& input, StageTimings& timings, const RunControl& control)
{
  if (input.parameters.solver == SolverKind::Auto)
    return prepare(resolve(input, timings, control).input, timings, control);
  validate(input.parameters);
  timings.backend = input.parameters.backend;
  const bool onCuda = input.parameters.backend == Backend::Cuda;
  switch (input.parameters.solver) {
  case SolverKind::Serial:
    return detail::prepareSerial(input, timings, control);
  case SolverKind::Multicore:
    return detail::preparePlanned(input, timings, control);
  case SolverKind::Coarse:
    return detail::prepareCoarse(input, timings, control);
  case SolverKind::Fine:
    return onCuda ? detail::prepareFineCuda(input, timings, control) : detail::preparePlanned(input, timings, control);
  case SolverKind::Resident:
    return detail::prepareResident(input, timings, control);
  case SolverKind::Interleaved:
    return detail::prepareInterleaved(input, timings, control);
  case SolverKind::Edd:
    return detail::prepareEdd(input, timings, control);
  case SolverKind::Tridiagonal:
    return detail::prepareTridiagonal(input, timings, control);
  case SolverKind::GtsvStrided:
  case SolverKind::GtsvInterleaved:
    return detail::prepareGtsvCuda(input, timings, control);
  case SolverKind::Auto:
    break; // resolved above
  }
  throw Error(ErrorCode::BadParameter, "There is no such solver.");
}

std::shared_ptr<const Solution> solve(const SolverInput& input, const RunControl& control)
{
  auto solution = std::make_shared<Solution>();
  auto [resolved, choice] = resolve(input, solution->timings, control);
  solution->parameters = resolved.parameters;
  solution->choice = std::move(choice);
  const auto prepared = prepare(resolved, solution->timings, control);
  requireMemory(input.batch->compartments() * sizeof(double), "The solution");
  solution->x.resize(input.batch->compartments());

  const std::int32_t repeat = input.parameters.repeat;
  SolveTimes fastest{0, std::numeric_limits<double>::infinity()};
  solution->repetitions.reserve(static_cast<std::size_t>(repeat));
  for (std::int32_t repetition = 0; repetition < repeat; ++repetition) {
    control.report("solve", static_cast<double>(repetition) / repeat);
    const SolveTimes took = prepared->solveOnce(control);
    solution->repetitions.push_back(took.solve);
    if (took.solve < fastest.solve)
      fastest = took;
  }
  control.report("solve", 1);
  if (fastest.permute > 0)
    solution->timings.add("permute", fastest.permute);
  solution->timings.add("solve", fastest.solve);
  if (input.parameters.backend == Backend::Cuda)
    control.report("download", 0);
  prepared->read(solution->x, solution->timings);
  solution->charts = prepared->charts();
  return solution;
}

std::shared_ptr<const Solution> solve(std::shared_ptr<const SolvePlan> plan, const SolveParameters& parameters,
                                      const RunControl& control)
{
  const auto batch = plan->batch;
  return solve({batch, std::move(plan), parameters}, control);
}

#if !HINESIGHT_HAS_CUDA
// validate lets nobody come this far.
std::unique_ptr<PreparedSolver> detail::prepareFineCuda(const SolverInput&, StageTimings&, const RunControl&)
{
  return nullptr;
}
std::unique_ptr<PreparedSolver> detail::prepareGtsvCuda(const SolverInput&, StageTimings&, const RunControl&)
{
  return nullptr;
}
#endif

} // namespace hinesight::hines
