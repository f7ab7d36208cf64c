#include "hines/planned_sweep.hpp"

#include "hines/pulse.hpp"

#include <algorithm>

namespace hinesight::hines::detail {

namespace {

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

} // namespace

void gatherBlock(const SolvePlan& plan, const PlannedBlock& block, BlockValues& values, const RunControl& control)
{
  const BlockSchedule& schedule = plan.schedules[block.schedule];
  const HinesBatch& batch = *plan.batch;
  const std::vector<std::size_t> offsets = cellOffsets(plan, block);
  const std::size_t slots = schedule.slotCell.size();
  values.excess.resize(slots);
  values.u.resize(slots);
  values.b.resize(slots);
  values.contribution.resize(schedule.branchLength.size());
  Pulse pulse(control);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    pulse.tick();
    const std::int32_t cell = schedule.slotCell[slot];
    if (cell < 0) {
      values.excess[slot] = 1;
      values.u[slot] = 0;
      values.b[slot] = 0;
      continue;
    }
    const std::size_t row = offsets[cell] + static_cast<std::size_t>(schedule.slotDiagonal[slot]);
    const std::int32_t coupling = schedule.slotCoupling[slot];
    values.excess[slot] = batch.excess[row];
    values.b[slot] = batch.b[row];
    values.u[slot] = coupling < 0 ? 0.0 : batch.u[offsets[cell] + static_cast<std::size_t>(coupling)];
  }
}

void scatterBlock(const SolvePlan& plan, const PlannedBlock& block, const BlockValues& values, std::span<double> x,
                  const RunControl& control)
{
  const BlockSchedule& schedule = plan.schedules[block.schedule];
  const std::vector<std::size_t> offsets = cellOffsets(plan, block);
  Pulse pulse(control);
  for (std::size_t slot = 0; slot < schedule.slotCell.size(); ++slot) {
    pulse.tick();
    const std::int32_t cell = schedule.slotCell[slot];
    if (cell >= 0)
      x[offsets[cell] + static_cast<std::size_t>(schedule.slotDiagonal[slot])] = values.b[slot];
  }
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

std::size_t firstSlot(const PlannedLevel& level, std::int32_t lane)
{
  return static_cast<std::size_t>(level.slotOffset) + static_cast<std::size_t>(lane);
}

std::size_t slotOf(const PlannedLevel& level, std::int32_t lane, std::int32_t k)
{
  return firstSlot(level, lane) + static_cast<std::size_t>(k) * static_cast<std::size_t>(level.stride);
}

} // namespace

void sweepLanes(const BlockSchedule& schedule, BlockValues& values, const RunControl& control)
{
  Pulse pulse(control);
  for (auto level = schedule.levels.rbegin(); level != schedule.levels.rend(); ++level)
    for (std::int32_t lane = 0; lane < level->branchCount; ++lane) {
      const std::int32_t branch = level->branchBegin + lane;
      std::size_t slot = slotOf(*level, lane, schedule.branchLength[branch] - 1);
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
