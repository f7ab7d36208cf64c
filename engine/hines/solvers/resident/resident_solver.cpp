#include "hines/solvers/resident/resident_solver.hpp"

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "hines/solvers/definition.hpp"
#include "hines/solvers/resident/resident.hpp"
#include "hines/solvers/resident/resident_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// The unknowns of a unit. After contraction `excess`, `b`, `u` of a compartment inside a piece hold w, y and v.
template <typename Real>
struct UnitValues
{
  std::vector<Real> excess, u, b;
  std::vector<NodeValues<Real>> node;
  std::vector<NodeContribution<Real>> contribution;
};

template <typename Real>
void gather(const ResidentPlan& plan, const ResidentUnit& unit, std::span<const double> b, UnitValues<Real>& values)
{
  const ResidentSchedule& schedule = plan.schedules[unit.schedule];
  const HinesBatch& batch = *plan.batch;
  const std::size_t slotCount = schedule.slotCell.size();
  values.excess.assign(slotCount, 1);
  values.u.assign(slotCount, 0);
  values.b.assign(slotCount, 0);
  for (std::size_t slot = 0; slot < slotCount; ++slot) {
    if (schedule.slotCell[slot] < 0)
      continue;
    const std::uint32_t cell = plan.cellOrder[unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot])];
    const std::size_t row = batch.offset[cell] + static_cast<std::size_t>(schedule.slotCompartment[slot]);
    values.excess[slot] = static_cast<Real>(batch.excess[row]);
    values.u[slot] = static_cast<Real>(batch.u[row]);
    values.b[slot] = static_cast<Real>(b[row]);
  }
  values.node.resize(static_cast<std::size_t>(schedule.nodeCount()));
  values.contribution.resize(static_cast<std::size_t>(schedule.contributions));
}

template <typename Real>
void scatter(const ResidentPlan& plan, const ResidentUnit& unit, const UnitValues<Real>& values, std::vector<double>& x)
{
  const ResidentSchedule& schedule = plan.schedules[unit.schedule];
  for (std::size_t slot = 0; slot < schedule.slotCell.size(); ++slot) {
    if (schedule.slotCell[slot] < 0)
      continue;
    const std::uint32_t cell = plan.cellOrder[unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot])];
    x[plan.batch->offset[cell] + static_cast<std::size_t>(schedule.slotCompartment[slot])] =
        static_cast<double>(values.b[slot]);
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

template <typename Real>
void solveUnit(const ResidentSchedule& schedule, UnitValues<Real>& v)
{
  forEachPiece(schedule, [&](const ResidentPiece& piece, auto slotOf) {
    ChainSweep<Real> sweep;
    const std::int32_t first = piece.node >= 0 ? 1 : 0;
    if (piece.node >= 0)
      sweep.fill = v.u[slotOf(0)];
    for (std::int32_t k = first; k < piece.length; ++k) {
      const std::size_t slot = slotOf(k);
      const EliminatedRow<Real> e = eliminateInChain<ResidentRounding>(sweep, v.excess[slot], v.u[slot], v.b[slot]);
      v.excess[slot] = e.w;
      v.b[slot] = e.y;
      v.u[slot] = e.v;
    }
    v.contribution[piece.contribution] = {sweep.excess, sweep.b};
    if (piece.node < 0)
      return;
    v.node[piece.node] = {v.excess[slotOf(0)] - sweep.endExcess, v.b[slotOf(0)] - sweep.endB, sweep.fill};
  });

  for (std::int32_t j = 0; j < schedule.nodeCount(); ++j) {
    const ResidentNode& node = schedule.nodes[j];
    const std::int32_t end = schedule.nodes[j + 1].contributionBegin;
    std::int32_t c = node.contributionBegin;
    if (c + 2 <= end) {
      take(v.node[j], v.contribution[c], v.contribution[c + 1]);
      c += 2;
    }
    for (; c < end; ++c)
      take(v.node[j], v.contribution[c]);
    const bool hasChild = node.childNode >= 0;
    const NodeElimination<Real> e = eliminateNode(v.node[j], hasChild ? v.node[node.childNode] : NodeValues<Real>{},
                                                  v.contribution[node.contribution]);
    v.node[j] = e.own;
    v.contribution[node.contribution] = e.toParent;
    if (hasChild)
      v.node[node.childNode] = e.child;
  }
  for (std::int32_t j = schedule.nodeCount() - 1; j >= 0; --j) {
    const ResidentNode& node = schedule.nodes[j];
    const auto xOf = [&](std::int32_t other) { return other >= 0 ? v.node[other].b : Real(0); };
    v.node[j].b = substituteNode(v.node[j], xOf(node.parentNode), xOf(node.childNode));
  }

  forEachPiece(schedule, [&](const ResidentPiece& piece, auto slotOf) {
    Real next = piece.parentNode >= 0 ? v.node[piece.parentNode].b : Real(0);
    const Real end = piece.node >= 0 ? v.node[piece.node].b : Real(0);
    for (std::int32_t k = piece.length - 1; k >= (piece.node >= 0 ? 1 : 0); --k) {
      const std::size_t slot = slotOf(k);
      next = substituteInPiece<Real>({v.excess[slot], v.b[slot], v.u[slot]}, next, end);
      v.b[slot] = next;
    }
    if (piece.node >= 0)
      v.b[slotOf(0)] = end;
  });
}

template <typename Real>
class PreparedResident final : public PreparedSolver
{
public:
  PreparedResident(std::shared_ptr<const ResidentPlan> residentPlan, int threadCount)
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
          UnitValues<Real> values;
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

private:
  std::shared_ptr<const ResidentPlan> plan;
  int threads;
  std::vector<double> rightHandSide; ///< empty: the batch's
  std::vector<double> x;
};

ResidentParameters residentParameters(const SolveParameters& parameters)
{
  ResidentParameters resident;
  resident.precision = parameters.precision;
  if (parameters.backend != Backend::Cuda)
    return resident;
  resident.device = planningDevice(parameters.gpu);
  resident.order = parameters.of<ResidentSettings>().order;
  return resident;
}

/// What blocks have room for: a model of blockShapes (resident_plan.cpp) that needs no plan.
class ChipModel
{
public:
  ChipModel(const DeviceModel& device, Precision ofValues) : gpu(device), precision(ofValues) {}

  /// Compartments of the largest cell that is solved on chip, by eight blocks on a multiprocessor each; larger ones are
  /// spread over the device. A cluster keeps tables of what its blocks tell one another.
  double mostOnChip() const
  {
    constexpr double kMostBlocks = 8;
    constexpr double kValues = 0.474;
    return std::min<double>(kMostBlocks, gpu.multiprocessors) * kValues * capacity(1);
  }

  /// Of a unit that one block solves where so many share a multiprocessor.
  double mostInBlock(std::int32_t together = 1) const
  {
    constexpr double kValues = 0.685;
    return kValues * capacity(together);
  }

  /// Blocks of such units that share a multiprocessor. `rows`: compartments that a lane has of them.
  double together(double unit, double rows) const
  {
    constexpr double kLanes = 32;
    const ResidentForm& form = residentForms(precision).front();
    const double warps = residentWarps(form, gpu);
    const double perBlock = std::clamp(std::ceil(unit / (rows * kLanes)), 1.0, warps / form.mostTogether);
    return std::max(1.0, std::floor(std::min(warps / perBlock, mostInBlock() / unit)));
  }

private:
  double capacity(std::int32_t together) const
  {
    return static_cast<double>(residentCapacity(gpu, precision, together));
  }

  const DeviceModel& gpu;
  Precision precision;
};

/// Compartments of a unit of cells of that size, as UnitTarget (resident_plan.cpp) has it: at most half of what a
/// multiprocessor has room for in double precision.
double unitSize(double cell, double batch, const DeviceModel& device)
{
  constexpr double kUnitsOfMultiprocessor = 7.76;
  constexpr double kLeast = 64;
  const double most = ChipModel(device, Precision::Double).mostInBlock(2);
  const double target = std::clamp(batch / (kUnitsOfMultiprocessor * std::max(1, device.multiprocessors)), kLeast,
                                   std::max(kLeast, most));
  return std::max(1.0, std::floor(target / cell)) * cell;
}

/// Blocks solve units in waves. Each wave takes the rounds of its junctions, one after the other, and the compartments
/// that there are places for. Where there are many waves, blocks start in turn, and one computes while another waits.
/// Shares that are compared have the units of an even one, and their last wave counts as far as it is filled: else a
/// cell more could make a share faster.
CostTerms countWaves(const BatchProfile& profile, const CostScope& scope)
{
  constexpr double kWavesInStep = 6;
  constexpr double kWaiting = 0.6;  // of the rounds, behind these waves
  constexpr double kStarting = 1.2; // rounds, of a multiprocessor, that each block takes to begin
  constexpr double kPiece = 10;     // compartments
  constexpr double kTreeRows = 7;   // of a lane; pieces end at branchings
  constexpr double kChainRows = 12;
  const ChipModel chip(scope.device, scope.precision);
  const double processors = std::max(1, scope.device.multiprocessors);
  CostTerms terms{};
  termOf(terms, CostTerm::Start) = 1;
  const bool isShare = scope.evenShare > 0;
  const auto launched = static_cast<double>(isShare ? scope.evenShare : profile.compartments);
  double blocks = 0;
  double waves = 0;
  double rounds = 0;  // of all waves, each with a share
  double longest = 0; // rounds of a wave
  for (const ShapeProfile& shape : profile.shapes) {
    const auto size = static_cast<double>(shape.compartments);
    const auto cells = static_cast<double>(shape.cells);
    const double ofShape = reductionSteps(static_cast<std::size_t>(size / kPiece));
    if (size > chip.mostOnChip()) {
      termOf(terms, CostTerm::Beyond) += size * cells;
      longest = std::max(longest, ofShape);
      continue;
    }
    const double unit = unitSize(size, launched, scope.device);
    const double units = std::ceil(cells * size / unit);
    const double ranks = std::ceil(unit / chip.mostInBlock());
    const double atOnce =
        processors / ranks * (ranks > 1 ? 1 : chip.together(unit, profile.chainLength > 0 ? kChainRows : kTreeRows));
    const double share = units / atOnce;
    blocks += units * ranks;
    waves += share;
    rounds += share * ofShape;
    longest = std::max(longest, ofShape);
  }
  const double whole = isShare ? waves : std::ceil(waves);
  if (waves > 0)
    rounds *= whole / waves;
  rounds *= whole > kWavesInStep ? (kWavesInStep + kWaiting * (whole - kWavesInStep)) / whole : 1;
  const double ofShapes = static_cast<double>(profile.compartments) - termOf(terms, CostTerm::Beyond);
  termOf(terms, CostTerm::Compartments) = waves > 0 ? ofShapes * whole / waves : 0;
  termOf(terms, CostTerm::Steps) = std::max({rounds, longest, kStarting * blocks / processors});
  return terms;
}

class ResidentSolver final : public SolverDefinition
{
public:
  ResidentSolver()
      : SolverDefinition(
            SolverTraits{.id = kResident,
                         .title = "Resident",
                         .summary = "Reads every cell once, keeps it on chip, writes it once; makes its own plan",
                         .onCpu = true,
                         .onCuda = true,
                         .inSingle = true,
                         .usesThreads = true})
  {}

  std::vector<SettingsGroup> settings() const override
  {
    return {settingsGroup<ResidentSettings>({"resident", "Resident solver", "resident-", "A cell stays on the chip."})};
  }

  std::string describe(const SolveParameters& parameters, std::size_t /*cells*/) const override
  {
    return isInBatchOrder(parameters) ? "order of the batch" : "";
  }

  std::shared_ptr<const Schedule> plan(std::shared_ptr<const HinesBatch> batch, const SolveParameters& parameters,
                                       StageTimings& /*timings*/, const RunControl& control) const override
  {
    return makeResidentPlan(std::move(batch), residentParameters(parameters), control);
  }

  std::unique_ptr<PreparedSolver> prepare(std::shared_ptr<const Schedule> schedule, const SolveParameters& parameters,
                                          StageTimings& timings, const RunControl& control) const override
  {
    return prepareResident(scheduleAs<ResidentPlan>(schedule), parameters, timings, control);
  }

  std::optional<CudaCost> cudaCost() const override
  {
    return CudaCost{.start = 2'500,
                    .stepClocks = 1'060,
                    .bytes = 32,
                    .multiplyAdds = 25,
                    .doubleClocks = 1.7,
                    .singleClocks = 0.94,
                    .beyondClocks = 0.66,
                    .isChecked = true};
  }
  CostTerms countTerms(const BatchProfile& profile, const CostScope& scope) const override
  {
    CostTerms terms = countWaves(profile, scope);
    const CostTerms costs = costsOn(scope.device, *cudaCost(), scope.precision);
    CudaCost onChip = *cudaCost();
    onChip.bytes = 0;
    const double computing = termOf(costsOn(scope.device, onChip, scope.precision), CostTerm::Compartments);
    hideSteps(terms, costs, termOf(costs, CostTerm::Compartments) - computing);
    return terms;
  }
  bool isCosted(const SolveParameters& parameters) const override { return !isInBatchOrder(parameters); }

  /// On the CPU the order is the same in memory.
  std::vector<SolveParameters> verifyVariants(const SolveParameters& parameters,
                                              const HinesBatch& /*batch*/) const override
  {
    if (parameters.backend == Backend::Cpu)
      return {parameters};
    SolveParameters inBatchOrder = parameters;
    inBatchOrder.of<ResidentSettings>().order = ResidentOrder::Batch;
    return {parameters, inBatchOrder};
  }

private:
  static bool isInBatchOrder(const SolveParameters& parameters)
  {
    return parameters.backend == Backend::Cuda && parameters.of<ResidentSettings>().order == ResidentOrder::Batch;
  }
};

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
  if (parameters.precision == Precision::Single)
    return std::make_unique<PreparedResident<float>>(std::move(plan), threads);
  return std::make_unique<PreparedResident<double>>(std::move(plan), threads);
}

const SolverDefinition& residentSolver()
{
  static const ResidentSolver solver;
  return solver;
}

} // namespace hinesight::hines
