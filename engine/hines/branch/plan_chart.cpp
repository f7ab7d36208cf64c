#include "hines/branch/plan.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

/// "1 branch", "24 branches".
std::string counted(std::size_t count, const std::string& one, const std::string& many)
{
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// The branches of a level in the order in which they are given to the lanes.
std::vector<std::int32_t> orderedBranches(const BlockSchedule& schedule, const PlannedLevel& level, LaneOrder order)
{
  std::vector<std::int32_t> branches(static_cast<std::size_t>(level.branchCount));
  std::iota(branches.begin(), branches.end(), level.branchBegin);
  if (order == LaneOrder::ByLength)
    // Stable: a plan that sorts by length is drawn lane by lane as it is.
    std::ranges::stable_sort(branches, std::ranges::greater{},
                             [&](std::int32_t branch) { return schedule.branchLength[branch]; });
  else if (order == LaneOrder::ByCell)
    std::ranges::sort(branches, {}, [&](std::int32_t branch) {
      return std::pair(schedule.branchCell[branch], schedule.branchNode[branch]);
    });
  return branches;
}

/// Draws a block level by level.
class BlockChart
{
public:
  BlockChart(const SolvePlan& drawnPlan, std::size_t drawnBlock, LaneOrder laneOrder)
      : plan(drawnPlan), block(plan.blocks[drawnBlock]), schedule(plan.schedules[block.schedule]), order(laneOrder)
  {
    chart.lanes = plan.parameters.blockSize;
    chart.title =
        counted(schedule.cellShape.size(), "cell", "cells") + ", " + counted(schedule.levels.size(), "level", "levels");
    chart.keepsBands = true;
    chart.bars.reserve(schedule.branchLength.size());
  }

  LaneChart draw()
  {
    for (std::size_t level = schedule.levels.size(); level-- > 0;)
      addLevel(level);
    return std::move(chart);
  }

private:
  void addLevel(std::size_t number)
  {
    const PlannedLevel& level = schedule.levels[number];
    const std::vector<std::int32_t> branches = orderedBranches(schedule, level, order);
    LaneBand band;
    band.label = "L" + std::to_string(number);
    band.detail = counted(branches.size(), "branch", "branches");
    band.step = chart.steps;
    band.barrierAfter = number > 0;
    for (std::size_t begin = 0; begin < branches.size(); begin += static_cast<std::size_t>(chart.lanes)) {
      if (begin > 0)
        band.seams.push_back(chart.steps);
      addPass(
          std::span(branches).subspan(begin, std::min(static_cast<std::size_t>(chart.lanes), branches.size() - begin)));
    }
    if (!band.seams.empty())
      band.detail += " in " + std::to_string(band.seams.size() + 1) + " passes";
    band.steps = chart.steps - band.step;
    chart.bands.push_back(std::move(band));
  }

  void addPass(std::span<const std::int32_t> branches)
  {
    std::int32_t longest = 0;
    for (std::size_t lane = 0; lane < branches.size(); ++lane) {
      const std::int32_t branch = branches[lane];
      const std::int32_t cell = schedule.branchCell[branch];
      const PlannedShape& shape = plan.shapes[schedule.cellShape[cell]];
      LaneBar bar;
      bar.lane = static_cast<std::int32_t>(lane);
      bar.step = chart.steps;
      bar.steps = schedule.branchLength[branch];
      bar.cell = static_cast<std::int32_t>(plan.cellOrder[block.cellBegin + static_cast<std::size_t>(cell)]);
      bar.compartment = shape.compartment[shape.tree.first[schedule.branchNode[branch]]];
      chart.bars.push_back(bar);
      longest = std::max(longest, bar.steps);
    }
    chart.steps += longest;
  }

  const SolvePlan& plan;
  const PlannedBlock& block;
  const BlockSchedule& schedule;
  LaneOrder order;
  LaneChart chart;
};

} // namespace

LaneChart SolvePlan::chart(std::size_t unit, LaneOrder order) const
{
  return BlockChart(*this, unit, order).draw();
}

std::optional<std::size_t> SolvePlan::unitOfCell(std::size_t cell) const
{
  const auto found = std::ranges::find(cellOrder, cell);
  if (found == cellOrder.end())
    return std::nullopt;
  const auto place = static_cast<std::size_t>(found - cellOrder.begin());
  const auto after = std::ranges::upper_bound(blocks, place, {}, &PlannedBlock::cellBegin);
  return static_cast<std::size_t>(after - blocks.begin()) - 1;
}

std::vector<SchedulePiece> SolvePlan::piecesOf(std::span<const std::int32_t> cells) const
{
  std::vector<SchedulePiece> pieces;
  for (const std::int32_t cell : cells) {
    const PlannedShape& shape = shapes[batch->shapeOf[static_cast<std::size_t>(cell)]];
    for (std::size_t branch = 0; branch < shape.tree.branches(); ++branch)
      pieces.push_back({cell, shape.tree.level[branch], shape.tree.length[branch],
                        shape.compartment[shape.tree.first[branch]], LaneWork::Compartment});
  }
  return pieces;
}

std::optional<ScheduleFigures> SolvePlan::summary(const RunControl& /*control*/) const
{
  return figures;
}

} // namespace hinesight::hines
