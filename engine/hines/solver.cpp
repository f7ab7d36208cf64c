#include "hines/solver.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/machine_load.hpp"
#include "core/parallel.hpp"
#include "hines/devices.hpp"
#include "hines/prepared_solver.hpp"
#include "hines/slabs.hpp"
#include "hines/solvers/all.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

std::vector<const SolverDefinition*>& solvers()
{
  static std::vector<const SolverDefinition*> all = detail::builtInSolvers();
  return all;
}

const SolverDefinition* findSolver(std::string_view name)
{
  const auto found =
      std::ranges::find(solvers(), name, [](const SolverDefinition* solver) { return solver->traits.name(); });
  return found == solvers().end() ? nullptr : *found;
}

/// "fine or resident".
std::string cudaSolvers()
{
  std::vector<std::string_view> names;
  for (const SolverDefinition* solver : solvers())
    if (solver->traits.onCuda)
      names.push_back(solver->traits.name());
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + std::string(names[k]);
  return text;
}

} // namespace

std::span<const SolverDefinition* const> allSolvers()
{
  return solvers();
}

void addSolver(const SolverDefinition& definition)
{
  if (findSolver(definition.traits.name()))
    throw Error(ErrorCode::BadParameter, "There is a solver '" + std::string(definition.traits.name()) +
                                             "' already; give the new one another name.");
  solvers().push_back(&definition);
}

const SolverDefinition& definitionOf(SolverId solver)
{
  if (const SolverDefinition* found = findSolver(solver.name))
    return *found;
  throw Error(ErrorCode::BadParameter, "There is no solver '" + std::string(solver.name) + "'.");
}

const SolverTraits& traitsOf(SolverId solver)
{
  return definitionOf(solver).traits;
}

SolverId solverNamed(std::string_view name)
{
  return definitionOf({name}).traits.id;
}

std::string whereItRuns(const SolverTraits& solver)
{
  return std::string(solver.onCpu && solver.onCuda ? "CPU and CUDA"
                     : solver.onCuda               ? "CUDA only"
                                                   : "CPU only") +
         (solver.inSingle ? ", double and single precision" : ", double precision only");
}

std::span<const Choice> tableOf(SolverId)
{
  static std::deque<std::string> helps; // of which those that are handed out stay where they are
  static std::vector<Choice> choices;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (choices.size() != solvers().size()) {
    choices.clear();
    for (const SolverDefinition* solver : solvers()) {
      const SolverTraits& traits = solver->traits;
      helps.push_back(std::string(traits.summary) + " (" + whereItRuns(traits) + ").");
      choices.push_back({traits.name(), traits.title, helps.back(), {}});
    }
  }
  return choices;
}

std::size_t placeInTable(SolverId solver)
{
  const auto isIt = [solver](const SolverDefinition* other) { return other->traits.id == solver; };
  return static_cast<std::size_t>(std::ranges::find_if(solvers(), isIt) - solvers().begin());
}

SolverId choiceAt(SolverId, std::size_t place)
{
  return solvers()[place]->traits.id;
}

std::span<const SettingsGroup> solverSettings()
{
  static std::vector<SettingsGroup> groups;
  static std::size_t known = 0; ///< solvers
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (known != solvers().size()) {
    known = solvers().size();
    groups.clear();
    for (const SolverDefinition* solver : solvers())
      for (const SettingsGroup& group : solver->settings())
        if (std::ranges::find(groups, group.type, &SettingsGroup::type) == groups.end())
          groups.push_back(group);
  }
  return groups;
}

SolverSettings::SolverSettings()
{
  for (const SettingsGroup& group : solverSettings())
    held.emplace(group.type, group.defaults->copy());
}

bool isReadBy(const SettingsGroup& settings, SolverId solver)
{
  const std::vector<SettingsGroup> groups = definitionOf(solver).settings();
  return std::ranges::find(groups, settings.type, &SettingsGroup::type) != groups.end();
}

bool planAlike(const SolveParameters& a, const SolveParameters& b)
{
  if (a.solver != b.solver || a.backend != b.backend || a.precision != b.precision)
    return false;
  if (a.backend == Backend::Cuda && a.gpu != b.gpu)
    return false;
  return std::ranges::all_of(definitionOf(a.solver).settings(),
                             [&](const SettingsGroup& group) { return a.settings.agreesOn(group, b.settings); });
}

bool runsOn(SolverId solver, Backend backend)
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
  const std::string subject = "The " + std::string(traits.name()) + " solver runs ";
  if (parameters.backend == Backend::Cuda && !traits.onCuda)
    throw Error(ErrorCode::BadParameter, subject + "on the CPU only; choose " + cudaSolvers() + " for CUDA.");
  if (parameters.backend == Backend::Cpu && !traits.onCpu)
    throw Error(ErrorCode::BadParameter, subject + "on CUDA only; choose another for the CPU.");
  if (parameters.precision == Precision::Single && !traits.inSingle)
    throw Error(ErrorCode::BadParameter, subject + "in double precision only.");
}

void requireDevice(const SolveParameters& parameters)
{
  if (parameters.backend != Backend::Cuda)
    return;
  requireCudaDevice();
  const DeviceModel here = planningDevice();
  const DeviceModel planned = planningDevice(parameters.gpu);
  if (planned.sharedBytesPerBlock > here.sharedBytesPerBlock)
    throw Error(ErrorCode::BadParameter, "A schedule for " + planned.name + " needs blocks of " +
                                             formatBytes(planned.sharedBytesPerBlock) + " of shared memory, but " +
                                             here.name + " has " + formatBytes(here.sharedBytesPerBlock) +
                                             "; plan for a smaller GPU, or for this machine's.");
}

void refuseSchedule()
{
  throw Error(ErrorCode::BadParameter, "The schedule is not one of this solver; plan the batch for it first.");
}

std::string detail::deviceText(int threads)
{
  return processorName() + (threads == 1 ? ", 1 thread" : ", " + std::to_string(threads) + " threads");
}

int detail::threadsOf(const SolveParameters& parameters)
{
  return parameters.threads > 0 ? parameters.threads : hardwareThreads();
}

std::string describeParameters(const SolveParameters& parameters, std::size_t cells)
{
  const SolverDefinition& solver = definitionOf(parameters.solver);
  std::string text = solver.describe(parameters, cells);
  if (solver.traits.isChoice || !solver.traits.usesThreads || parameters.backend == Backend::Cuda)
    return text;
  return text + (text.empty() ? "" : ", ") +
         (parameters.threads == 0   ? "all threads"
          : parameters.threads == 1 ? "1 thread"
                                    : std::to_string(parameters.threads) + " threads");
}

std::vector<std::vector<double>> PreparedSolver::readAll(const HinesBatch& batch)
{
  std::vector<double> x(batch.compartments());
  StageTimings ignored;
  read(x, ignored);
  return {std::move(x)};
}

ResolvedParameters resolve(const HinesBatch& batch, const SolveParameters& parameters, StageTimings& timings,
                           const RunControl& control)
{
  validate(parameters);
  const Stopwatch stopwatch;
  std::optional<SolverChoice> choice = definitionOf(parameters.solver).choose(batch, parameters, control);
  if (!choice)
    return {parameters, {}};
  timings.add("choose", stopwatch.elapsed());
  return {std::move(choice->parameters), std::move(choice->reason)};
}

std::shared_ptr<const Schedule> makeSchedule(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                             StageTimings& timings, const RunControl& control)
{
  validate(parameters);
  const double before = timings.total();
  const Stopwatch stopwatch;
  auto schedule = definitionOf(parameters.solver).plan(std::move(batch), parameters, timings, control);
  const double measured = timings.total() - before; // stages of its own
  timings.add("plan", stopwatch.elapsed() - measured);
  return schedule;
}

namespace {

std::unique_ptr<PreparedSolver> prepareOnOne(const std::shared_ptr<const Schedule>& schedule,
                                             const SolveParameters& parameters, StageTimings& timings,
                                             const RunControl& control)
{
  try {
    return definitionOf(parameters.solver).prepare(schedule, parameters, timings, control);
  } catch (const Error& error) {
    // On the CPU the slabs would be in the memory that is too small.
    if (error.code() != ErrorCode::OutOfMemory || parameters.backend == Backend::Cpu)
      throw;
  }
  return prepareInSlabs(*schedule, parameters, schedule->batch->compartments() / 4 * 3, timings, control);
}

} // namespace

std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                        StageTimings& timings, const RunControl& control)
{
  validate(parameters);
  requireDevice(parameters);
  timings.backend = parameters.backend;
  const std::size_t devices = devicesFor(*schedule->batch, parameters);
  if (devices > 1)
    return prepareOnDevices(*schedule, parameters, devices, timings, control);
  auto prepared = prepareOnOne(schedule, parameters, timings, control);
  if (parameters.backend == Backend::Cuda && parameters.devices != 1 && cudaDevices().size() > 1)
    timings.device += ", alone: the batch is too small to share";
  return prepared;
}

std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                        StageTimings& timings, const RunControl& control)
{
  requireDevice(parameters);
  const SolveParameters named = resolve(*batch, parameters, timings, control).parameters;
  return prepare(makeSchedule(std::move(batch), named, timings, control), named, timings, control);
}

namespace {

/// Runs what is prepared as often as asked for, and reads what it gave.
void run(PreparedSolver& prepared, Solution& solution, const RunControl& control)
{
  const std::size_t compartments = solution.schedule->batch->compartments();
  requireMemory(compartments * sizeof(double), "The solution");
  solution.x.resize(compartments);

  const auto asked = static_cast<std::size_t>(solution.parameters.repeat);
  const bool isUntilStable = solution.parameters.repeat == kUntilStable;
  std::vector<double>& times = solution.repetitions;
  std::vector<SolveTimes> all;
  const MachineLoad load;
  const Stopwatch stopwatch;
  do {
    // How many it will take until they are stable is not known; few are usual.
    const auto known = static_cast<double>(times.size());
    control.report("solve", isUntilStable ? known / (known + kLeastForInterval) : known / static_cast<double>(asked));
    all.push_back(prepared.solveOnce(control));
    times.push_back(all.back().solve);
  } while (isUntilStable ? !areEnough(times, stopwatch.elapsed()) : times.size() < asked);
  control.report("solve", 1);
  if (solution.parameters.backend == Backend::Cpu)
    solution.others = load.others();
  const double median = solution.time().median;
  const SolveTimes& took = all[static_cast<std::size_t>(std::ranges::find(times, median) - times.begin())];
  if (took.permute > 0)
    solution.timings.add("permute", took.permute);
  solution.timings.add("solve", median);
  addDevices(took, solution.timings);
  if (solution.parameters.backend == Backend::Cuda)
    control.report("download", 0);
  prepared.read(solution.x, solution.timings);
}

} // namespace

std::shared_ptr<const Solution> solve(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                      const RunControl& control, std::shared_ptr<const Schedule> known)
{
  validate(parameters);
  requireDevice(parameters);
  auto solution = std::make_shared<Solution>();
  ResolvedParameters resolved = resolve(*batch, parameters, solution->timings, control);
  solution->parameters = std::move(resolved.parameters);
  solution->choice = std::move(resolved.choice);
  if (known && definitionOf(solution->parameters.solver).wouldPlan(*known, solution->parameters))
    solution->schedule = std::move(known);
  else
    solution->schedule = makeSchedule(std::move(batch), solution->parameters, solution->timings, control);
  run(*prepare(solution->schedule, solution->parameters, solution->timings, control), *solution, control);
  return solution;
}

std::shared_ptr<const Solution> solve(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                      const RunControl& control)
{
  auto solution = std::make_shared<Solution>();
  solution->parameters = parameters;
  solution->schedule = std::move(schedule);
  run(*prepare(solution->schedule, parameters, solution->timings, control), *solution, control);
  return solution;
}

} // namespace hinesight::hines
