#include "hines/solvers/coarse/coarse_plan.hpp"

#include "core/device.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::array kLayouts = {CoarseLayout::Flat, CoarseLayout::FullInterleaved, CoarseLayout::BlockInterleaved,
                                 CoarseLayout::BlockShared, CoarseLayout::UnifiedVector};
constexpr std::size_t kWarpLanes = 32;

std::int32_t rowsOf(const HinesBatch& batch, std::uint32_t cell)
{
  return static_cast<std::int32_t>(batch.offset[cell + 1] - batch.offset[cell]);
}

/// Largest first, cells of one shape side by side.
std::vector<std::uint32_t> sortedCells(const HinesBatch& batch)
{
  std::vector<std::uint32_t> cells(batch.cells());
  std::iota(cells.begin(), cells.end(), 0U);
  std::ranges::stable_sort(cells, [&](std::uint32_t a, std::uint32_t b) {
    return std::make_tuple(-rowsOf(batch, a), batch.shapeOf[a]) < std::make_tuple(-rowsOf(batch, b), batch.shapeOf[b]);
  });
  return cells;
}

/// Lays out the cells.
class TableBuilder
{
public:
  TableBuilder(const CoarsePlan& coarsePlan, std::span<const std::uint32_t> cells)
      : batch(*coarsePlan.batch), parameters(coarsePlan.parameters), padded(coarsePlan.computesPadding()),
        warpLanes(coarsePlan.warpLanes)
  {
    table.lanes.reserve(cells.size());
    for (const std::uint32_t cell : cells)
      table.lanes.push_back({0, 0, cell, rowsOf(batch, cell)});
    table.mostRows = table.lanes.front().rows; // they are sorted
  }

  CoarseTable build(const RunControl& control)
  {
    placeValues();
    for (std::size_t first = 0; first < table.lanes.size(); first += warpLanes) {
      control.report("solver plan", static_cast<double>(first) / static_cast<double>(table.lanes.size()));
      addWarp(std::span(table.lanes).subspan(first, std::min(warpLanes, table.lanes.size() - first)));
    }
    return std::move(table);
  }

private:
  /// Systems whose rows lie side by side.
  std::size_t groupLanes() const
  {
    switch (parameters.layout) {
    case CoarseLayout::Flat:
      return 1;
    case CoarseLayout::BlockInterleaved:
    case CoarseLayout::BlockShared:
      return static_cast<std::size_t>(parameters.blockSize);
    case CoarseLayout::FullInterleaved:
    case CoarseLayout::UnifiedVector:
      break;
    }
    // Whole warps, so that every row begins where a memory transaction does.
    return (table.lanes.size() + kWarpLanes - 1) / kWarpLanes * kWarpLanes;
  }

  void placeValues()
  {
    const std::size_t group = groupLanes();
    const bool unified = parameters.layout == CoarseLayout::UnifiedVector;
    std::size_t groupBegin = 0;
    for (std::size_t lane = 0; lane < table.lanes.size(); ++lane) {
      table.lanes[lane].begin = groupBegin + lane % group;
      if (lane % group == group - 1 || lane + 1 == table.lanes.size())
        groupBegin += group * static_cast<std::size_t>(table.lanes[lane - lane % group].rows) * (unified ? 3 : 1);
    }
    table.strides = {unified ? 3 * group : group, unified ? group : groupBegin};
    table.values = unified ? groupBegin : 3 * groupBegin;
  }

  void addWarp(std::span<CoarseLane> lanes)
  {
    const auto warp = static_cast<std::size_t>(lanes.data() - table.lanes.data()) / warpLanes;
    const auto firstOfGroup = warp * warpLanes / groupLanes() * groupLanes();
    table.warps.push_back({1, padded ? table.lanes[firstOfGroup].rows : lanes.front().rows});
    const auto shapeOf = [&](const CoarseLane& lane) { return batch.shapeOf[lane.cell]; };
    std::vector<std::uint32_t> shapes;
    for (const CoarseLane& lane : lanes)
      shapes.push_back(shapeOf(lane));
    if (std::ranges::adjacent_find(shapes, std::ranges::not_equal_to()) == shapes.end())
      shapes.resize(1);
    else
      table.warps.back().parentStride = static_cast<std::int32_t>(warpLanes);
    const std::size_t parents = parentTable(shapes);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      lanes[lane].parentBegin = parents + (shapes.size() == 1 ? 0 : lane);
  }

  /// Where the parents of such shapes begin; interleaved where there are several.
  std::size_t parentTable(const std::vector<std::uint32_t>& shapes)
  {
    const auto [found, isNew] = tables.try_emplace(shapes, table.parent.size());
    if (!isNew)
      return found->second;
    const std::size_t stride = shapes.size() == 1 ? 1 : warpLanes;
    const auto rows = batch.shapes[shapes.front()]->size();
    requireMemory(rows * stride * sizeof(std::int32_t), "The table of parents");
    table.parent.resize(table.parent.size() + rows * stride, -1);
    for (std::size_t lane = 0; lane < shapes.size(); ++lane) {
      const std::vector<std::int32_t>& parent = batch.shapes[shapes[lane]]->parent;
      for (std::size_t row = 0; row < parent.size(); ++row)
        table.parent[found->second + row * stride + lane] = parent[row];
    }
    return found->second;
  }

  const HinesBatch& batch;
  const CoarseParameters& parameters;
  bool padded;
  std::size_t warpLanes;
  CoarseTable table;
  std::map<std::vector<std::uint32_t>, std::size_t> tables;
};

/// Warps whose lanes have as many rows each are of one kind.
void placeUnits(CoarsePlan& plan)
{
  plan.unitOf.resize(plan.batch->cells());
  std::map<std::vector<std::int32_t>, std::size_t> known;
  for (std::size_t warp = 0; warp < plan.table.warps.size(); ++warp) {
    std::vector<std::int32_t> rows = {plan.table.warps[warp].startRow};
    for (const CoarseLane& lane : plan.lanesOf(warp)) {
      rows.push_back(lane.rows);
      plan.unitOf[lane.cell] = warp;
    }
    plan.kinds.push_back(known.try_emplace(std::move(rows), warp).first->second);
  }
}

} // namespace

std::span<const CoarseLayout> allCoarseLayouts()
{
  return kLayouts;
}

void validate(const CoarseParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

std::size_t CoarsePlan::sharedBytes(std::size_t bytes) const
{
  if (parameters.layout != CoarseLayout::BlockShared)
    return 0;
  return static_cast<std::size_t>(table.mostRows) * static_cast<std::size_t>(parameters.blockSize) * bytes;
}

std::shared_ptr<const CoarsePlan> makeCoarsePlan(std::shared_ptr<const HinesBatch> batch,
                                                 const CoarseParameters& parameters, const RunControl& control)
{
  validate(parameters);
  control.report("solver plan", 0);
  auto plan = std::make_shared<CoarsePlan>();
  plan->batch = std::move(batch);
  plan->parameters = parameters;
  plan->warpLanes = std::min(kWarpLanes, static_cast<std::size_t>(parameters.blockSize));
  plan->table = TableBuilder(*plan, sortedCells(*plan->batch)).build(control);
  placeUnits(*plan);
  control.report("solver plan", 1);
  return plan;
}

std::span<const CoarseLane> CoarsePlan::lanesOf(std::size_t warp) const
{
  const std::size_t first = warp * warpLanes;
  return std::span(table.lanes).subspan(first, std::min(warpLanes, table.lanes.size() - first));
}

LaneChart CoarsePlan::chart(std::size_t warp, LaneOrder /*order*/) const
{
  const auto lanes = lanesOf(warp);
  const std::int32_t steps = table.warps[warp].startRow;
  LaneChart chart;
  chart.title = std::to_string(lanes.size()) + (lanes.size() == 1 ? " cell" : " cells");
  chart.lanes = static_cast<std::int32_t>(warpLanes);
  chart.steps = steps;
  chart.bands.push_back({"backward sweep", 0, steps, false});
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    const auto lane = static_cast<std::int32_t>(k);
    const auto cell = static_cast<std::int32_t>(lanes[k].cell);
    const std::int32_t padding = steps - lanes[k].rows;
    if (padding > 0 && computesPadding())
      chart.bars.push_back({lane, 0, padding, cell, LaneWork::Padding});
    chart.bars.push_back({lane, padding, lanes[k].rows, cell, LaneWork::Compartment});
  }
  return chart;
}

std::optional<std::size_t> CoarsePlan::unitOfCell(std::size_t cell) const
{
  return cell < unitOf.size() ? std::optional(unitOf[cell]) : std::nullopt;
}

std::size_t CoarsePlan::paddingBytes() const
{
  return sizeof(double) * (table.values - 3 * batch->compartments());
}

/// Backward reads three numbers and writes two, forward reads three and writes one; each reads the parent. So do rows
/// of padding where they are computed.
std::size_t CoarsePlan::bytesMoved() const
{
  std::size_t rows = 0;
  for (std::size_t warp = 0; warp < table.warps.size(); ++warp)
    for (const CoarseLane& lane : lanesOf(warp))
      rows += static_cast<std::size_t>(computesPadding() ? table.warps[warp].startRow : lane.rows);
  return rows * (9 * sizeof(double) + 2 * sizeof(std::int32_t));
}

} // namespace hinesight::hines
