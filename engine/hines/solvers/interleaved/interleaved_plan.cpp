#include "hines/solvers/interleaved/interleaved_plan.hpp"

#include "hines/check/pulse.hpp"

#include <algorithm>
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
void groupShape(std::uint32_t shape, std::span<const std::uint32_t> cells, std::span<const std::size_t> lanes,
                InterleavedPlan& plan)
{
  std::size_t done = 0;
  for (std::size_t width = 0; width < lanes.size(); ++width)
    while (2 * (cells.size() - done) > lanes[width]) {
      const std::size_t count = std::min(lanes[width], cells.size() - done);
      plan.groups.push_back({shape, width, plan.groupedCells.size(), count});
      const auto first = cells.begin() + static_cast<std::ptrdiff_t>(done);
      plan.groupedCells.insert(plan.groupedCells.end(), first, first + static_cast<std::ptrdiff_t>(count));
      done += count;
    }
  plan.streamedCells.insert(plan.streamedCells.end(), cells.begin() + static_cast<std::ptrdiff_t>(done), cells.end());
}

/// Gives every group and streamed cell its place in memory, each on the boundary of a cache line.
void placeRows(const HinesBatch& batch, std::span<const std::size_t> lanes, InterleavedPlan& plan)
{
  constexpr std::size_t kLine = 64 / sizeof(float);
  const auto take = [&plan](std::size_t count) {
    const std::size_t begin = plan.slotCount;
    plan.slotCount += (count + kLine - 1) / kLine * kLine;
    return begin;
  };
  for (InterleavedGroup& group : plan.groups)
    group.slotBegin = take(lanes[group.width] * batch.shapes[group.shape]->size());
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

InterleavedPlan planInterleaved(const HinesBatch& batch, std::span<const std::size_t> lanes, const RunControl& control)
{
  InterleavedPlan plan;
  plan.shapes.reserve(batch.shapes.size());
  for (const auto& shape : batch.shapes)
    plan.shapes.push_back(interleavedSteps(shape->parent, control));

  std::vector<std::vector<std::uint32_t>> cellsOf(batch.shapes.size());
  for (std::uint32_t cell = 0; cell < batch.cells(); ++cell)
    cellsOf[batch.shapeOf[cell]].push_back(cell);
  for (std::uint32_t shape = 0; shape < cellsOf.size(); ++shape) {
    control.checkpoint();
    if (batch.shapes[shape]->size() <= kMostCompartments)
      groupShape(shape, cellsOf[shape], lanes, plan);
    else
      plan.streamedCells.insert(plan.streamedCells.end(), cellsOf[shape].begin(), cellsOf[shape].end());
  }
  std::ranges::stable_sort(plan.groups, std::ranges::greater{}, [&](const InterleavedGroup& group) {
    return group.cells * batch.shapes[group.shape]->size();
  });
  std::ranges::stable_sort(plan.streamedCells, std::ranges::greater{},
                           [&](std::uint32_t cell) { return sizeOf(batch, cell); });
  placeRows(batch, lanes, plan);
  return plan;
}

int usefulThreads(const InterleavedPlan& plan, const HinesBatch& batch, int threads)
{
  // ns, rounded, of a compartment and of a share that is worth a thread, on an AMD EPYC and an Intel Xeon.
  constexpr double kGrouped = 1;
  constexpr double kStreamed = 6;
  constexpr double kShare = 50'000;
  constexpr std::size_t kStreamsOfThread = 8;
  double work = 0;
  for (const InterleavedGroup& group : plan.groups)
    work += kGrouped * static_cast<double>(group.cells * batch.shapes[group.shape]->size());
  for (const std::uint32_t cell : plan.streamedCells)
    work += kStreamed * static_cast<double>(sizeOf(batch, cell));
  const std::size_t units = plan.groups.size() + (plan.streamedCells.size() + kStreamsOfThread - 1) / kStreamsOfThread;
  const double most = std::min({static_cast<double>(threads), static_cast<double>(units), work / kShare});
  return std::max(1, static_cast<int>(most));
}

} // namespace hinesight::hines::detail
