#include "hines/solvers/interleaved/interleaved_plan.hpp"

#include "hines/pulse.hpp"
#include "hines/solvers/interleaved/interleaved_streams.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace hinesight::hines::detail {

namespace {

/// Larger cells are not taken side by side: what sixteen of them need is more than any cache holds.
constexpr std::size_t kMostCompartments = std::size_t{1} << 18;

std::size_t sizeOf(const HinesBatch& batch, std::uint32_t cell)
{
  return batch.offset[cell + 1] - batch.offset[cell];
}

/// Groups the cells of one shape; gives what is left over to the streams.
void groupShape(std::uint32_t shape, std::span<const std::uint32_t> cells, InterleavedPlan& plan)
{
  for (const SideBySide& taken : takeSideBySide(cells.size(), plan.batch->shapes[shape]->size(), plan.lanes)) {
    plan.groups.push_back({shape, taken.width, plan.groupedCells.size(), taken.cells});
    const auto group = cells.first(taken.cells);
    plan.groupedCells.insert(plan.groupedCells.end(), group.begin(), group.end());
    cells = cells.subspan(taken.cells);
  }
  plan.streamedCells.insert(plan.streamedCells.end(), cells.begin(), cells.end());
}

/// Gives every group and streamed cell its place in memory, each on the boundary of a cache line.
void placeRows(InterleavedPlan& plan)
{
  const HinesBatch& batch = *plan.batch;
  constexpr std::size_t kLine = 64 / sizeof(float);
  const auto take = [&plan](std::size_t count) {
    const std::size_t begin = plan.slotCount;
    plan.slotCount += (count + kLine - 1) / kLine * kLine;
    return begin;
  };
  for (InterleavedGroup& group : plan.groups)
    group.slotBegin = take(plan.lanes[group.width] * batch.shapes[group.shape]->size());
  plan.streamBegin.reserve(plan.streamedCells.size());
  for (const std::uint32_t cell : plan.streamedCells)
    plan.streamBegin.push_back(take(sizeOf(batch, cell)));
}

} // namespace

InterleavedSteps interleavedSteps(std::span<const std::int32_t> parent, const RunControl& control)
{
  InterleavedSteps result;
  result.steps.assign(parent.size(), 0);
  result.parent.assign(parent.begin(), parent.end());
  Pulse pulse(control);
  for (std::size_t i = parent.size(); i-- > 0;) {
    pulse.tick();
    if (parent[i] < 0) {
      result.steps[i] |= kJumps | kIsRoot;
      result.parent[i] = static_cast<std::int32_t>(i);
      continue;
    }
    const auto p = static_cast<std::size_t>(parent[i]);
    if (p + 1 == i)
      continue;
    result.steps[i] |= kJumps;
    if ((result.steps[p] & kGathers) == 0)
      result.steps[i] |= kFirst;
    result.steps[p] |= kGathers;
  }
  return result;
}

std::vector<SideBySide> takeSideBySide(std::size_t cells, std::size_t compartments, std::span<const std::size_t> lanes)
{
  std::vector<SideBySide> taken;
  if (compartments > kMostCompartments)
    return taken;
  for (std::size_t width = 0; width < lanes.size(); ++width)
    while (2 * cells > lanes[width]) {
      taken.push_back({width, std::min(lanes[width], cells)});
      cells -= taken.back().cells;
    }
  return taken;
}

std::shared_ptr<const InterleavedPlan> planInterleaved(std::shared_ptr<const HinesBatch> batch,
                                                       std::span<const std::size_t> lanes, const RunControl& control)
{
  auto plan = std::make_shared<InterleavedPlan>();
  plan->batch = std::move(batch);
  plan->lanes.assign(lanes.begin(), lanes.end());
  const HinesBatch& planned = *plan->batch;
  plan->shapes.reserve(planned.shapes.size());
  for (const auto& shape : planned.shapes)
    plan->shapes.push_back(interleavedSteps(shape->parent, control));

  std::vector<std::vector<std::uint32_t>> cellsOf(planned.shapes.size());
  for (std::uint32_t cell = 0; cell < planned.cells(); ++cell)
    cellsOf[planned.shapeOf[cell]].push_back(cell);
  for (std::uint32_t shape = 0; shape < cellsOf.size(); ++shape) {
    control.checkpoint();
    groupShape(shape, cellsOf[shape], *plan);
  }
  std::ranges::stable_sort(plan->groups, std::ranges::greater{}, [&](const InterleavedGroup& group) {
    return group.cells * planned.shapes[group.shape]->size();
  });
  std::ranges::stable_sort(plan->streamedCells, std::ranges::greater{},
                           [&](std::uint32_t cell) { return sizeOf(planned, cell); });
  placeRows(*plan);
  return plan;
}

namespace {

LaneChart chartOf(const InterleavedPlan& plan, const InterleavedGroup& group)
{
  LaneChart chart;
  chart.lanes = static_cast<std::int32_t>(plan.lanes[group.width]);
  chart.steps = static_cast<std::int32_t>(plan.batch->shapes[group.shape]->size());
  chart.title = std::to_string(group.cells) + " cells of one shape";
  chart.bands.push_back({"whole cells", 0, chart.steps, false});
  for (std::size_t lane = 0; lane < group.cells; ++lane)
    chart.bars.push_back({static_cast<std::int32_t>(lane), 0, chart.steps,
                          static_cast<std::int32_t>(plan.groupedCells[group.cellBegin + lane]), LaneWork::Compartment});
  return chart;
}

/// As one thread takes them: each into the lane that is free first.
LaneChart chartOfStreams(const InterleavedPlan& plan)
{
  constexpr auto kLanes = StreamSweep<double>::kStreams;
  std::array<std::int32_t, kLanes> busyUntil{};
  LaneChart chart;
  chart.lanes = static_cast<std::int32_t>(kLanes);
  chart.title =
      std::to_string(plan.streamedCells.size()) + (plan.streamedCells.size() == 1 ? " cell" : " cells") + " one by one";
  for (const std::uint32_t cell : plan.streamedCells) {
    const auto lane = std::ranges::min_element(busyUntil) - busyUntil.begin();
    const auto steps = static_cast<std::int32_t>(sizeOf(*plan.batch, cell));
    std::int32_t& busy = busyUntil[static_cast<std::size_t>(lane)];
    chart.bars.push_back(
        {static_cast<std::int32_t>(lane), busy, steps, static_cast<std::int32_t>(cell), LaneWork::Compartment});
    busy += steps;
  }
  chart.steps = *std::ranges::max_element(busyUntil);
  chart.bands.push_back({"whole cells", 0, chart.steps, false});
  return chart;
}

} // namespace

LaneChart InterleavedPlan::chart(std::size_t unit, LaneOrder /*order*/) const
{
  return unit < groups.size() ? chartOf(*this, groups[unit]) : chartOfStreams(*this);
}

/// Groups of one shape are alike where they have as many cells.
std::size_t InterleavedPlan::kindOf(std::size_t unit) const
{
  if (unit >= groups.size())
    return 0;
  const std::size_t mostLanes = lanes.empty() ? 1 : lanes.front();
  return 1 + (groups[unit].shape * lanes.size() + groups[unit].width) * (mostLanes + 1) + groups[unit].cells;
}

std::optional<std::size_t> InterleavedPlan::unitOfCell(std::size_t cell) const
{
  if (cell >= batch->cells())
    return std::nullopt;
  const auto found = std::ranges::find(groupedCells, cell);
  if (found == groupedCells.end())
    return groups.size();
  const auto place = static_cast<std::size_t>(found - groupedCells.begin());
  const auto isOf = [&](const InterleavedGroup& group) {
    return place >= group.cellBegin && place < group.cellBegin + group.cells;
  };
  return static_cast<std::size_t>(std::ranges::find_if(groups, isOf) - groups.begin());
}

std::size_t InterleavedPlan::paddingBytes() const
{
  return 3 * sizeof(double) * (slotCount - batch->compartments());
}

/// Three numbers are read and the solution is written, read and written; factors stay in the cache.
std::size_t InterleavedPlan::bytesMoved() const
{
  return 6 * sizeof(double) * batch->compartments();
}

int usefulThreads(const InterleavedPlan& plan, int threads)
{
  const HinesBatch& batch = *plan.batch;
  // ns, rounded, of a compartment and of a share that is worth a thread, on an AMD EPYC and an Intel Xeon.
  constexpr double kGrouped = 1;
  constexpr double kStreamed = 6;
  constexpr double kShare = 50'000;
  constexpr auto kStreams = StreamSweep<double>::kStreams;
  double work = 0;
  for (const InterleavedGroup& group : plan.groups)
    work += kGrouped * static_cast<double>(group.cells * batch.shapes[group.shape]->size());
  for (const std::uint32_t cell : plan.streamedCells)
    work += kStreamed * static_cast<double>(sizeOf(batch, cell));
  const std::size_t units = plan.groups.size() + (plan.streamedCells.size() + kStreams - 1) / kStreams;
  const double most = std::min({static_cast<double>(threads), static_cast<double>(units), work / kShare});
  return std::max(1, static_cast<int>(most));
}

} // namespace hinesight::hines::detail
