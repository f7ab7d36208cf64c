#include "hines/solver.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/elimination.hpp"
#include "hines/planned_sweep.hpp"
#include "hines/resident_solver.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::hines {

std::string_view solverName(SolverKind solver)
{
  switch (solver) {
  case SolverKind::Serial:
    return "serial";
  case SolverKind::Multicore:
    return "multicore";
  case SolverKind::Fine:
    return "fine";
  case SolverKind::Resident:
    return "resident";
  }
  return "unknown";
}

void validate(const SolveParameters& parameters)
{
  if (parameters.repeat < 1 || parameters.repeat > 1'000'000)
    throw Error(ErrorCode::BadParameter, "The number of repetitions is " + std::to_string(parameters.repeat) +
                                             ", but must be from 1 to 1000000.");
  if (parameters.threads < 0 || parameters.threads > 1024)
    throw Error(ErrorCode::BadParameter, "The number of threads is " + std::to_string(parameters.threads) +
                                             ", but must be from 0 (all) to 1024.");
  if (parameters.backend == Backend::Cuda &&
      (parameters.solver == SolverKind::Serial || parameters.solver == SolverKind::Multicore))
    throw Error(ErrorCode::BadParameter, "The " + std::string(solverName(parameters.solver)) +
                                             " solver runs on the CPU only; choose fine or resident for CUDA.");
  if (parameters.backend == Backend::Cuda)
    requireCudaDevice();
}

namespace {

void eliminateRange(std::span<const std::int32_t> parent, std::span<double> excess, std::span<const double> u,
                    std::span<double> b, std::size_t begin, std::size_t end)
{
  for (std::size_t i = end; i-- > begin;) {
    const std::int32_t p = parent[i];
    if (p < 0)
      continue;
    const Contribution c = eliminate(excess[i], u[i], b[i]);
    excess[static_cast<std::size_t>(p)] -= c.excess;
    b[static_cast<std::size_t>(p)] -= c.b;
  }
}

void substituteRange(std::span<const std::int32_t> parent, std::span<const double> excess, std::span<const double> u,
                     std::span<double> b, std::size_t begin, std::size_t end)
{
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t p = parent[i];
    b[i] = p < 0 ? b[i] / excess[i] : substitute(excess[i], u[i], b[i], b[static_cast<std::size_t>(p)]);
  }
}

} // namespace

void sweepSerially(std::span<const std::int32_t> parent, std::span<double> excess, std::span<const double> u,
                   std::span<double> b, const RunControl& control)
{
  // In pieces of a few milliseconds, so that even one huge cell can be cancelled.
  constexpr std::size_t kPiece = std::size_t{1} << 18;
  const std::size_t n = parent.size();
  const std::size_t pieces = (n + kPiece - 1) / kPiece;
  for (std::size_t piece = pieces; piece-- > 0;) {
    control.checkpoint();
    eliminateRange(parent, excess, u, b, piece * kPiece, std::min(n, (piece + 1) * kPiece));
  }
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    control.checkpoint();
    substituteRange(parent, excess, u, b, piece * kPiece, std::min(n, (piece + 1) * kPiece));
  }
}

namespace {

std::string deviceText(int threads)
{
  return processorName() + (threads == 1 ? ", 1 thread" : ", " + std::to_string(threads) + " threads");
}

/// What one repetition took, ms.
struct Repetition
{
  double permute = 0;
  double solve = 0;
};

Repetition solveSerially(const HinesBatch& batch, std::span<double> x, const RunControl& control)
{
  std::size_t largest = 0;
  for (const auto& shape : batch.shapes)
    largest = std::max(largest, shape->size());
  std::vector<double> eliminated(largest);

  const Stopwatch stopwatch;
  for (std::size_t cell = 0; cell < batch.cells(); ++cell) {
    control.checkpoint();
    const std::size_t begin = batch.offset[cell];
    const std::size_t n = batch.offset[cell + 1] - begin;
    const std::span<double> excess = std::span(eliminated).first(n);
    const std::span<double> b = x.subspan(begin, n);
    std::copy_n(batch.excess.begin() + static_cast<std::ptrdiff_t>(begin), n, excess.begin());
    std::copy_n(batch.b.begin() + static_cast<std::ptrdiff_t>(begin), n, b.begin());
    sweepSerially(batch.shapes[batch.shapeOf[cell]]->parent, excess, std::span(batch.u).subspan(begin, n), b, control);
  }
  return {0, stopwatch.elapsed()};
}

/// The memory in which blocks are executed. Threads borrow it and hand it back, so that neither blocks nor repetitions
/// ask the system for it again.
class ScratchPool
{
public:
  std::unique_ptr<detail::BlockValues> borrow()
  {
    const std::lock_guard lock(mutex);
    if (idle.empty())
      return std::make_unique<detail::BlockValues>();
    auto values = std::move(idle.back());
    idle.pop_back();
    return values;
  }

  void handBack(std::unique_ptr<detail::BlockValues> values)
  {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(values));
  }

private:
  std::mutex mutex;
  std::vector<std::unique_ptr<detail::BlockValues>> idle;
};

/// Every block is brought into the layout, swept and taken out again while it is in the cache.
Repetition executePlan(const SolvePlan& plan, bool laneByLane, int threads, ScratchPool& pool, std::span<double> x,
                       const RunControl& control)
{
  std::atomic<std::int64_t> permuteNanoseconds{0};
  std::atomic<std::int64_t> sweepNanoseconds{0};
  const auto add = [](std::atomic<std::int64_t>& sum, double milliseconds) {
    sum.fetch_add(static_cast<std::int64_t>(milliseconds * 1e6), std::memory_order_relaxed);
  };
  const Stopwatch wall;
  parallelFor(
      plan.blocks.size(), 1,
      [&](std::size_t begin, std::size_t end) {
        auto values = pool.borrow();
        double permute = 0;
        double sweep = 0;
        Stopwatch lap;
        for (std::size_t block = begin; block < end; ++block) {
          control.checkpoint();
          const BlockSchedule& schedule = plan.schedules[plan.blocks[block].schedule];
          detail::gatherBlock(plan, plan.blocks[block], *values, control);
          permute += lap.lap();
          if (laneByLane)
            detail::sweepLanes(schedule, *values, control);
          else
            detail::sweepRows(schedule, *values, control);
          sweep += lap.lap();
          detail::scatterBlock(plan, plan.blocks[block], *values, x, control);
          permute += lap.lap();
        }
        pool.handBack(std::move(values));
        add(permuteNanoseconds, permute);
        add(sweepNanoseconds, sweep);
      },
      threads);
  const double milliseconds = wall.elapsed();
  const auto permute = static_cast<double>(permuteNanoseconds);
  const double total = std::max(1.0, permute + static_cast<double>(sweepNanoseconds));
  return {milliseconds * permute / total, milliseconds * (total - permute) / total};
}

/// Solves as often as asked; keeps the timings of the fastest repetition.
void repeatSolve(const SolveParameters& parameters, const RunControl& control, bool hasPermutation, Solution& solution,
                 const std::function<Repetition()>& solveOnce)
{
  Repetition fastest{0, std::numeric_limits<double>::infinity()};
  solution.repetitions.reserve(static_cast<std::size_t>(parameters.repeat));
  for (std::int32_t repetition = 0; repetition < parameters.repeat; ++repetition) {
    control.report("solve", static_cast<double>(repetition) / parameters.repeat);
    const Repetition took = solveOnce();
    solution.repetitions.push_back(took.solve);
    if (took.solve < fastest.solve)
      fastest = took;
  }
  if (hasPermutation)
    solution.timings.add("permute", fastest.permute);
  solution.timings.add("solve", fastest.solve);
  control.report("solve", 1);
}

/// What `threads` threads need to execute the largest block each.
std::size_t scratchBytes(const SolvePlan& plan, int threads)
{
  std::size_t largest = 0;
  for (const BlockSchedule& schedule : plan.schedules)
    largest = std::max(largest, static_cast<std::size_t>(schedule.slots()) * 3 * sizeof(double) +
                                    static_cast<std::size_t>(schedule.branches()) * sizeof(Contribution));
  return largest * std::min(static_cast<std::size_t>(threads), plan.blocks.size());
}

void solveOnCpu(const SolvePlan& plan, const SolveParameters& parameters, const RunControl& control, Solution& solution)
{
  const HinesBatch& batch = *plan.batch;
  const bool isSerial = parameters.solver == SolverKind::Serial;
  const int threads = parameters.solver != SolverKind::Multicore ? 1
                      : parameters.threads > 0                   ? parameters.threads
                                                                 : hardwareThreads();
  requireMemory(batch.compartments() * sizeof(double) + (isSerial ? 0 : scratchBytes(plan, threads)), "The solution");
  solution.x.resize(batch.compartments());
  solution.timings.device = deviceText(threads);
  if (isSerial) {
    repeatSolve(parameters, control, false, solution, [&] { return solveSerially(batch, solution.x, control); });
    return;
  }
  const bool laneByLane = parameters.solver == SolverKind::Fine || !plan.parameters.sortByLength;
  ScratchPool pool;
  repeatSolve(parameters, control, true, solution,
              [&] { return executePlan(plan, laneByLane, threads, pool, solution.x, control); });
}

} // namespace

#if !HINESIGHT_HAS_CUDA
void detail::solveFineCuda(const SolvePlan& /*plan*/, const SolveParameters& /*parameters*/,
                           const RunControl& /*control*/, Solution& /*solution*/)
{
  requireCudaDevice();
}
#endif

namespace {

/// Blocks as large as the device allows.
ResidentParameters residentParameters(Backend backend)
{
  ResidentParameters resident;
  if (backend == Backend::Cuda) {
    resident.blockBytes = cudaDevices().front().sharedBytesPerBlock;
    resident.clusterBlockBytes = std::min(resident.clusterBlockBytes, resident.blockBytes);
  }
  return resident;
}

} // namespace

std::shared_ptr<const Solution> solve(const SolvePlan& plan, const SolveParameters& parameters,
                                      const RunControl& control)
{
  validate(parameters);
  if (parameters.solver == SolverKind::Resident) {
    const Stopwatch stopwatch;
    const auto resident = makeResidentPlan(plan.batch, residentParameters(parameters.backend), control);
    return solveResident(*resident, parameters, stopwatch.elapsed(), control);
  }
  auto solution = std::make_shared<Solution>();
  solution->parameters = parameters;
  solution->timings.backend = parameters.backend;
  if (parameters.backend == Backend::Cuda)
    detail::solveFineCuda(plan, parameters, control, *solution);
  else
    solveOnCpu(plan, parameters, control, *solution);
  return solution;
}

} // namespace hinesight::hines
