#include "hines/branch/planned_sweep.hpp"

#include "hines/pulse.hpp"

#include <algorithm>
#include <limits>

namespace hinesight::hines::detail {

namespace {

std::size_t firstSlot(const PlannedLevel& level, std::int32_t lane)
{
  return static_cast<std::size_t>(level.slotOffset) + static_cast<std::size_t>(lane);
}

std::size_t slotOf(const PlannedLevel& level, std::int32_t lane, std::int32_t k)
{
  return firstSlot(level, lane) + static_cast<std::size_t>(k) * static_cast<std::size_t>(level.stride);
}

/// First compartment in the batch of each cell of a block.
std::vector<std::size_t> cellOffsets(const SolvePlan& plan, const PlannedBlock& block)
{
  const std::size_t cells = plan.schedules[block.schedule].cellShape.size();
  std::vector<std::size_t> offsets;
  offsets.reserve(cells);
  for (std::size_t k = 0; k < cells; ++k)
    offsets.push_back(plan.batch->offset[plan.cellOrder[block.cellBegin + k]]);
  return offsets;
}

/// Asks for the rows of one cell in the order in which they lie in memory: the gathering that follows jumps, and would
/// wait for each of them.
void prefetchRows(const HinesBatch& batch, std::size_t begin, std::size_t end)
{
  constexpr std::size_t kLine = 64 / sizeof(double);
  for (std::size_t i = begin; i < end; i += kLine) {
    __builtin_prefetch(&batch.excess[i]);
    __builtin_prefetch(&batch.u[i]);
    __builtin_prefetch(&batch.b[i]);
  }
}

/// A branch as the permutation reads it.
struct BranchSource
{
  const std::int32_t* compartment;    ///< of the HinesSystem, root side first
  const std::int32_t* couplingSource; ///< likewise
  std::size_t offset;                 ///< of its cell in the batch
  std::int32_t length;
};

/// Calls visit(slot, branch, k) for every compartment of a block, k from the root side of its branch. Eight lanes at a
/// time, row after row: in the layout that is one cache line after another, in the batch eight streams.
template <typename Visit>
void forEachCompartment(const SolvePlan& plan, const PlannedBlock& block, const RunControl& control, Visit visit)
{
  constexpr std::int32_t kLanes = 64 / sizeof(double);
  const BlockSchedule& schedule = plan.schedules[block.schedule];
  const std::vector<std::size_t> offsets = cellOffsets(plan, block);
  Pulse pulse(control);
  BranchSource sources[kLanes];
  for (const PlannedLevel& level : schedule.levels)
    for (std::int32_t first = 0; first < level.branchCount; first += kLanes) {
      const std::int32_t lanes = std::min(kLanes, level.branchCount - first);
      std::int32_t rows = 0;
      std::int32_t fullRows = std::numeric_limits<std::int32_t>::max();
      for (std::int32_t lane = 0; lane < lanes; ++lane) {
        const std::int32_t branch = level.branchBegin + first + lane;
        const std::int32_t cell = schedule.branchCell[branch];
        const PlannedShape& shape = plan.shapes[schedule.cellShape[cell]];
        const std::int32_t begin = shape.tree.first[schedule.branchNode[branch]];
        sources[lane] = {shape.compartment.data() + begin, shape.couplingSource.data() + begin, offsets[cell],
                         schedule.branchLength[branch]};
        rows = std::max(rows, sources[lane].length);
        fullRows = std::min(fullRows, sources[lane].length);
      }
      std::int32_t k = 0;
      if (lanes == kLanes)
        for (; k < fullRows; ++k) {
          pulse.tick(kLanes);
          const std::size_t slot = slotOf(level, first, k);
          for (std::int32_t lane = 0; lane < kLanes; ++lane)
            visit(slot + static_cast<std::size_t>(lane), sources[lane], k);
        }
      for (; k < rows; ++k) {
        pulse.tick(kLanes);
        const std::size_t slot = slotOf(level, first, k);
        for (std::int32_t lane = 0; lane < lanes; ++lane)
          if (k < sources[lane].length)
            visit(slot + static_cast<std::size_t>(lane), sources[lane], k);
      }
    }
}

} // namespace

void gatherBlock(const SolvePlan& plan, const PlannedBlock& block, std::span<const double> b, BlockValues& values,
                 const RunControl& control)
{
  const BlockSchedule& schedule = plan.schedules[block.schedule];
  const HinesBatch& batch = *plan.batch;
  const std::vector<std::size_t> offsets = cellOffsets(plan, block);
  for (std::size_t cell = 0; cell < offsets.size(); ++cell)
    prefetchRows(batch, offsets[cell], offsets[cell] + plan.shapes[schedule.cellShape[cell]].compartment.size());
  const auto slotCount = static_cast<std::size_t>(schedule.slotCount());
  values.excess.resize(slotCount);
  values.u.resize(slotCount);
  values.b.resize(slotCount);
  values.contribution.resize(schedule.branchLength.size());
  forEachCompartment(plan, block, control, [&](std::size_t slot, const BranchSource& source, std::int32_t k) {
    const std::size_t row = source.offset + static_cast<std::size_t>(source.compartment[k]);
    const std::int32_t coupling = source.couplingSource[k];
    values.excess[slot] = batch.excess[row];
    values.b[slot] = b[row];
    values.u[slot] = coupling < 0 ? 0.0 : batch.u[source.offset + static_cast<std::size_t>(coupling)];
  });
}

void scatterBlock(const SolvePlan& plan, const PlannedBlock& block, const BlockValues& values, std::span<double> x,
                  const RunControl& control)
{
  forEachCompartment(plan, block, control, [&](std::size_t slot, const BranchSource& source, std::int32_t k) {
    x[source.offset + static_cast<std::size_t>(source.compartment[k])] = values.b[slot];
  });
}

namespace {

/// What the branches that hang on the end of `branch` take from its last row, in the order of the serial sweep.
void gatherChildren(const BlockSchedule& schedule, std::int32_t branch, std::size_t endSlot, BlockValues& values)
{
  for (std::int32_t c = schedule.childBegin[branch]; c < schedule.childBegin[branch + 1]; ++c) {
    const Contribution& contribution = values.contribution[schedule.child[c]];
    values.excess[endSlot] -= contribution.excess;
    values.b[endSlot] -= contribution.b;
  }
}

/// The solution in the first compartment of a branch.
void substituteFirst(const BlockSchedule& schedule, std::int32_t branch, std::size_t slot, BlockValues& values)
{
  const std::int32_t parent = schedule.parentSlot[branch];
  values.b[slot] = parent < 0 ? values.b[slot] / values.excess[slot]
                              : substitute(values.excess[slot], values.u[slot], values.b[slot], values.b[parent]);
}

} // namespace

void sweepLanes(const BlockSchedule& schedule, BlockValues& values, const RunControl& control)
{
  Pulse pulse(control);
  for (auto level = schedule.levels.rbegin(); level != schedule.levels.rend(); ++level)
    for (std::int32_t lane = 0; lane < level->branchCount; ++lane) {
      const std::int32_t branch = level->branchBegin + lane;
      std::size_t slot = slotOf(*level, lane, schedule.branchLength[branch] - 1);
      pulse.tick();
      gatherChildren(schedule, branch, slot, values);
      for (std::int32_t k = schedule.branchLength[branch] - 1; k > 0; --k) {
        pulse.tick();
        const Contribution c = eliminate(values.excess[slot], values.u[slot], values.b[slot]);
        slot -= static_cast<std::size_t>(level->stride);
        values.excess[slot] -= c.excess;
        values.b[slot] -= c.b;
      }
      values.contribution[branch] = eliminate(values.excess[slot], values.u[slot], values.b[slot]);
    }
  for (const PlannedLevel& level : schedule.levels)
    for (std::int32_t lane = 0; lane < level.branchCount; ++lane) {
      const std::int32_t branch = level.branchBegin + lane;
      std::size_t slot = firstSlot(level, lane);
      pulse.tick();
      substituteFirst(schedule, branch, slot, values);
      for (std::int32_t k = 1; k < schedule.branchLength[branch]; ++k) {
        pulse.tick();
        const double above = values.b[slot];
        slot += static_cast<std::size_t>(level.stride);
        values.b[slot] = substitute(values.excess[slot], values.u[slot], values.b[slot], above);
      }
    }
}

namespace {

/// One row of a level: eliminates `lanes` compartments side by side from the row above them.
void eliminateRow(const double* __restrict excess, const double* __restrict u, const double* __restrict b,
                  double* __restrict excessAbove, double* __restrict bAbove, std::int32_t lanes)
{
  for (std::int32_t lane = 0; lane < lanes; ++lane) {
    const Contribution c = eliminate(excess[lane], u[lane], b[lane]);
    excessAbove[lane] -= c.excess;
    bAbove[lane] -= c.b;
  }
}

void substituteRow(const double* __restrict excess, const double* __restrict u, double* __restrict b,
                   const double* __restrict above, std::int32_t lanes)
{
  for (std::int32_t lane = 0; lane < lanes; ++lane)
    b[lane] = substitute(excess[lane], u[lane], b[lane], above[lane]);
}

void eliminateLevel(const BlockSchedule& schedule, const PlannedLevel& level, BlockValues& values,
                    const RunControl& control)
{
  const std::int32_t* length = schedule.branchLength.data() + level.branchBegin;
  std::int32_t active = 0; // branches that reach down to row k: the longest ones, on the left
  for (std::int32_t k = level.maxLength - 1; k >= 0; --k) {
    if ((k & 0xfff) == 0)
      control.checkpoint();
    for (; active < level.branchCount && length[active] > k; ++active)
      gatherChildren(schedule, level.branchBegin + active, slotOf(level, active, k), values);
    if (k == 0)
      break;
    const std::size_t row = slotOf(level, 0, k);
    const std::size_t above = slotOf(level, 0, k - 1);
    eliminateRow(&values.excess[row], &values.u[row], &values.b[row], &values.excess[above], &values.b[above], active);
  }
  for (std::int32_t lane = 0; lane < level.branchCount; ++lane) {
    const std::size_t slot = firstSlot(level, lane);
    values.contribution[level.branchBegin + lane] = eliminate(values.excess[slot], values.u[slot], values.b[slot]);
  }
}

void substituteLevel(const BlockSchedule& schedule, const PlannedLevel& level, BlockValues& values,
                     const RunControl& control)
{
  const std::int32_t* length = schedule.branchLength.data() + level.branchBegin;
  for (std::int32_t lane = 0; lane < level.branchCount; ++lane)
    substituteFirst(schedule, level.branchBegin + lane, firstSlot(level, lane), values);
  std::int32_t active = level.branchCount;
  for (std::int32_t k = 1; k < level.maxLength; ++k) {
    if ((k & 0xfff) == 0)
      control.checkpoint();
    while (active > 0 && length[active - 1] <= k)
      --active;
    const std::size_t row = slotOf(level, 0, k);
    substituteRow(&values.excess[row], &values.u[row], &values.b[row], &values.b[slotOf(level, 0, k - 1)], active);
  }
}

} // namespace

void sweepRows(const BlockSchedule& schedule, BlockValues& values, const RunControl& control)
{
  for (auto level = schedule.levels.rbegin(); level != schedule.levels.rend(); ++level)
    eliminateLevel(schedule, *level, values, control);
  for (const PlannedLevel& level : schedule.levels)
    substituteLevel(schedule, level, values, control);
}

} // namespace hinesight::hines::detail
