#include "hines/resident_solver.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/resident_charts.hpp"
#include "hines/resident_step.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// The unknowns of a unit. After contraction `excess`, `b`, `u` of a compartment inside a piece hold w, y and v.
struct UnitValues
{
  std::vector<double> excess, u, b;
  std::vector<double> nodeExcess, nodeB, nodeW;
  std::vector<NodeContribution> contribution;
};

void gather(const ResidentPlan& plan, const ResidentUnit& unit, std::span<const double> b, UnitValues& values)
{
  const ResidentSchedule& schedule = plan.schedules[unit.schedule];
  const HinesBatch& batch = *plan.batch;
  const std::size_t slots = schedule.slotCell.size();
  values.excess.assign(slots, 1);
  values.u.assign(slots, 0);
  values.b.assign(slots, 0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (schedule.slotCell[slot] < 0)
      continue;
    const std::uint32_t cell = plan.cellOrder[unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot])];
    const std::size_t row = batch.offset[cell] + static_cast<std::size_t>(schedule.slotCompartment[slot]);
    values.excess[slot] = batch.excess[row];
    values.u[slot] = batch.u[row];
    values.b[slot] = b[row];
  }
  const auto nodes = static_cast<std::size_t>(schedule.nodeCount());
  values.nodeExcess.resize(nodes);
  values.nodeB.resize(nodes);
  values.nodeW.resize(nodes);
  values.contribution.resize(static_cast<std::size_t>(schedule.contributions));
}

void scatter(const ResidentPlan& plan, const ResidentUnit& unit, const UnitValues& values, std::vector<double>& x)
{
  const ResidentSchedule& schedule = plan.schedules[unit.schedule];
  for (std::size_t slot = 0; slot < schedule.slotCell.size(); ++slot) {
    if (schedule.slotCell[slot] < 0)
      continue;
    const std::uint32_t cell = plan.cellOrder[unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot])];
    x[plan.batch->offset[cell] + static_cast<std::size_t>(schedule.slotCompartment[slot])] = values.b[slot];
  }
}

/// Calls f(piece, its slot in row k as a function of k) for every piece.
template <typename Function>
void forEachPiece(const ResidentSchedule& schedule, Function f)
{
  const auto runRank = [&](std::int32_t groupBegin, std::int32_t groupCount, std::int32_t slotBegin) {
    for (std::int32_t group = groupBegin; group < groupBegin + groupCount; ++group)
      for (std::int32_t lane = 0; lane < 32; ++lane) {
        const ResidentPiece& piece = schedule.pieces[static_cast<std::size_t>(group) * 32 + lane];
        if (piece.length > 0)
          f(piece, [&, row = schedule.rowBegin[group]](std::int32_t k) {
            return static_cast<std::size_t>(slotBegin + schedule.rowSlot[row + k] + lane);
          });
      }
  };
  if (schedule.ranks.empty())
    runRank(0, schedule.groups(), 0);
  for (const ResidentRank& rank : schedule.ranks)
    runRank(rank.groupBegin, rank.groupCount, rank.slotBegin);
}

void solveUnit(const ResidentSchedule& schedule, UnitValues& v)
{
  forEachPiece(schedule, [&](const ResidentPiece& piece, auto slotOf) {
    PieceSweep sweep;
    const std::int32_t first = piece.node >= 0 ? 1 : 0;
    if (piece.node >= 0)
      sweep.fill = v.u[slotOf(0)];
    for (std::int32_t k = first; k < piece.length; ++k) {
      const std::size_t slot = slotOf(k);
      const EliminatedCompartment e = eliminateInPiece(sweep, v.excess[slot], v.u[slot], v.b[slot]);
      v.excess[slot] = e.w;
      v.b[slot] = e.y;
      v.u[slot] = e.v;
    }
    v.contribution[piece.contribution] = {sweep.excess, sweep.rightHandSide};
    if (piece.node < 0)
      return;
    v.nodeExcess[piece.node] = v.excess[slotOf(0)] - sweep.endExcess;
    v.nodeB[piece.node] = v.b[slotOf(0)] - sweep.endRightHandSide;
    v.nodeW[piece.node] = sweep.fill;
  });

  const NodeArrays nodes{v.nodeExcess.data(), v.nodeB.data(), v.nodeW.data(), v.contribution.data()};
  for (std::int32_t j = 0; j < schedule.nodeCount(); ++j) {
    const ResidentNode& node = schedule.nodes[j];
    eliminateNode(nodes, j, node.parentNode, node.childNode, node.contribution, node.contributionBegin,
                  schedule.nodes[j + 1].contributionBegin);
  }
  for (std::int32_t j = schedule.nodeCount() - 1; j >= 0; --j)
    substituteNode(nodes, j, schedule.nodes[j].parentNode, schedule.nodes[j].childNode);

  forEachPiece(schedule, [&](const ResidentPiece& piece, auto slotOf) {
    double next = piece.parentNode >= 0 ? v.nodeB[piece.parentNode] : 0.0;
    const double end = piece.node >= 0 ? v.nodeB[piece.node] : 0.0;
    for (std::int32_t k = piece.length - 1; k >= (piece.node >= 0 ? 1 : 0); --k) {
      const std::size_t slot = slotOf(k);
      next = substituteInPiece({v.excess[slot], v.b[slot], v.u[slot]}, next, end);
      v.b[slot] = next;
    }
    if (piece.node >= 0)
      v.b[slotOf(0)] = end;
  });
}

class ResidentSolver final : public PreparedSolver
{
public:
  ResidentSolver(std::shared_ptr<const ResidentPlan> residentPlan, int threadCount)
      : plan(std::move(residentPlan)), threads(threadCount)
  {
    requireMemory(plan->batch->compartments() * sizeof(double), "The solution");
    x.resize(plan->batch->compartments());
  }

  void setRightHandSide(std::span<const double> b) override { rightHandSide.assign(b.begin(), b.end()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    const std::span<const double> b = rightHandSide.empty() ? std::span(plan->batch->b) : std::span(rightHandSide);
    const Stopwatch watch;
    parallelFor(
        plan->units.size(), 1,
        [&](std::size_t begin, std::size_t end) {
          UnitValues values;
          for (std::size_t k = begin; k < end; ++k) {
            control.checkpoint();
            gather(*plan, plan->units[k], b, values);
            solveUnit(plan->schedules[plan->units[k].schedule], values);
            scatter(*plan, plan->units[k], values, x);
          }
        },
        threads);
    return {0, watch.elapsed()};
  }

  void read(std::span<double> solution, StageTimings& /*timings*/) override { std::ranges::copy(x, solution.begin()); }

  std::shared_ptr<const LaneCharts> charts() const override { return makeResidentCharts(plan); }

private:
  std::shared_ptr<const ResidentPlan> plan;
  int threads;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<double> x;
};

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

std::unique_ptr<PreparedSolver> prepareResident(std::shared_ptr<const ResidentPlan> plan,
                                                const SolveParameters& parameters, StageTimings& timings,
                                                const RunControl& control)
{
  timings.backend = parameters.backend;
#if HINESIGHT_HAS_CUDA
  if (parameters.backend == Backend::Cuda) {
    requireCudaDevice();
    return detail::prepareResidentCuda(std::move(plan), parameters, timings, control);
  }
#else
  static_cast<void>(control);
#endif
  const int threads = detail::threadsOf(parameters);
  timings.device = detail::deviceText(threads);
  return std::make_unique<ResidentSolver>(std::move(plan), threads);
}

std::unique_ptr<PreparedSolver> detail::prepareResident(const SolverInput& input, StageTimings& timings,
                                                        const RunControl& control)
{
  const Stopwatch stopwatch;
  auto plan = makeResidentPlan(input.batch, residentParameters(input.parameters.backend), control);
  timings.add("solver plan", stopwatch.elapsed());
  return hines::prepareResident(std::move(plan), input.parameters, timings, control);
}

} // namespace hinesight::hines
