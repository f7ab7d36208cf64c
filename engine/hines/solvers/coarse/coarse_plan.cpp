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

/// Lays out one share.
class ShareBuilder
{
public:
  ShareBuilder(const CoarsePlan& coarsePlan, std::span<const std::uint32_t> cells)
      : batch(*coarsePlan.batch), parameters(coarsePlan.parameters), padded(coarsePlan.computesPadding()),
        warpLanes(coarsePlan.warpLanes)
  {
    share.lanes.reserve(cells.size());
    for (const std::uint32_t cell : cells) {
      share.lanes.push_back({0, 0, cell, rowsOf(batch, cell)});
      share.compartments += static_cast<std::size_t>(rowsOf(batch, cell));
    }
    share.mostRows = share.lanes.front().rows; // they are sorted
  }

  CoarseShare build(const RunControl& control)
  {
    placeValues();
    for (std::size_t first = 0; first < share.lanes.size(); first += warpLanes) {
      control.checkpoint();
      addWarp(std::span(share.lanes).subspan(first, std::min(warpLanes, share.lanes.size() - first)));
    }
    return std::move(share);
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
    return (share.lanes.size() + kWarpLanes - 1) / kWarpLanes * kWarpLanes;
  }

  void placeValues()
  {
    const std::size_t group = groupLanes();
    const bool unified = parameters.layout == CoarseLayout::UnifiedVector;
    std::size_t groupBegin = 0;
    for (std::size_t lane = 0; lane < share.lanes.size(); ++lane) {
      share.lanes[lane].begin = groupBegin + lane % group;
      if (lane % group == group - 1 || lane + 1 == share.lanes.size())
        groupBegin += group * static_cast<std::size_t>(share.lanes[lane - lane % group].rows) * (unified ? 3 : 1);
    }
    share.strides = {unified ? 3 * group : group, unified ? group : groupBegin};
    share.values = unified ? groupBegin : 3 * groupBegin;
  }

  void addWarp(std::span<CoarseLane> lanes)
  {
    const auto warp = static_cast<std::size_t>(lanes.data() - share.lanes.data()) / warpLanes;
    const auto firstOfGroup = warp * warpLanes / groupLanes() * groupLanes();
    share.warps.push_back({1, padded ? share.lanes[firstOfGroup].rows : lanes.front().rows});
    const auto shapeOf = [&](const CoarseLane& lane) { return batch.shapeOf[lane.cell]; };
    std::vector<std::uint32_t> shapes;
    for (const CoarseLane& lane : lanes)
      shapes.push_back(shapeOf(lane));
    if (std::ranges::adjacent_find(shapes, std::ranges::not_equal_to()) == shapes.end())
      shapes.resize(1);
    else
      share.warps.back().parentStride = static_cast<std::int32_t>(warpLanes);
    const std::size_t table = parentTable(shapes);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      lanes[lane].parentBegin = table + (shapes.size() == 1 ? 0 : lane);
  }

  /// Where the parents of such shapes begin; interleaved where there are several.
  std::size_t parentTable(const std::vector<std::uint32_t>& shapes)
  {
    const auto [found, isNew] = tables.try_emplace(shapes, share.parent.size());
    if (!isNew)
      return found->second;
    const std::size_t stride = shapes.size() == 1 ? 1 : warpLanes;
    const auto rows = batch.shapes[shapes.front()]->size();
    requireMemory(rows * stride * sizeof(std::int32_t), "The table of parents");
    share.parent.resize(share.parent.size() + rows * stride, -1);
    for (std::size_t lane = 0; lane < shapes.size(); ++lane) {
      const std::vector<std::int32_t>& parent = batch.shapes[shapes[lane]]->parent;
      for (std::size_t row = 0; row < parent.size(); ++row)
        share.parent[found->second + row * stride + lane] = parent[row];
    }
    return found->second;
  }

  const HinesBatch& batch;
  const CoarseParameters& parameters;
  bool padded;
  std::size_t warpLanes;
  CoarseShare share;
  std::map<std::vector<std::uint32_t>, std::size_t> tables;
};

/// Numbers the warps of all shares. Those whose lanes have as many rows each are of one kind.
void placeUnits(CoarsePlan& plan)
{
  plan.unitOf.resize(plan.batch->cells());
  std::map<std::vector<std::int32_t>, std::size_t> known;
  for (std::size_t share = 0; share < plan.shares.size(); ++share)
    for (std::size_t warp = 0; warp < plan.shares[share].warps.size(); ++warp) {
      const std::size_t unit = plan.units.size();
      plan.units.push_back({share, warp, 0});
      std::vector<std::int32_t> rows = {plan.shares[share].warps[warp].startRow};
      for (const CoarseLane& lane : plan.lanesOf(plan.units.back())) {
        rows.push_back(lane.rows);
        plan.unitOf[lane.cell] = unit;
      }
      plan.units.back().kind = known.try_emplace(std::move(rows), unit).first->second;
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
  return static_cast<std::size_t>(shares.front().mostRows) * static_cast<std::size_t>(parameters.blockSize) * bytes;
}

std::shared_ptr<const CoarsePlan> makeCoarsePlan(std::shared_ptr<const HinesBatch> batch,
                                                 const CoarseParameters& parameters, std::int32_t shares,
                                                 const RunControl& control)
{
  validate(parameters);
  control.report("solver plan", 0);
  auto plan = std::make_shared<CoarsePlan>();
  plan->batch = std::move(batch);
  plan->parameters = parameters;
  plan->warpLanes = std::min(kWarpLanes, static_cast<std::size_t>(parameters.blockSize));
  const std::vector<std::uint32_t> cells = sortedCells(*plan->batch);
  const auto block = std::max(kWarpLanes, static_cast<std::size_t>(parameters.blockSize));
  const std::size_t blocks = (cells.size() + block - 1) / block;
  const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(shares), 1, blocks);
  for (std::size_t share = 0; share < count; ++share) {
    control.report("solver plan", static_cast<double>(share) / static_cast<double>(count));
    std::vector<std::uint32_t> dealt;
    for (std::size_t k = share; k < blocks; k += count)
      dealt.insert(dealt.end(), cells.begin() + static_cast<std::ptrdiff_t>(k * block),
                   cells.begin() + static_cast<std::ptrdiff_t>(std::min(cells.size(), (k + 1) * block)));
    plan->shares.push_back(ShareBuilder(*plan, dealt).build(control));
  }
  placeUnits(*plan);
  control.report("solver plan", 1);
  return plan;
}

std::span<const CoarseLane> CoarsePlan::lanesOf(const CoarseUnit& unit) const
{
  const std::vector<CoarseLane>& lanes = shares[unit.share].lanes;
  const std::size_t first = unit.warp * warpLanes;
  return std::span(lanes).subspan(first, std::min(warpLanes, lanes.size() - first));
}

LaneChart CoarsePlan::chart(std::size_t number, LaneOrder /*order*/) const
{
  const CoarseUnit& unit = units[number];
  const auto lanes = lanesOf(unit);
  const std::int32_t steps = shares[unit.share].warps[unit.warp].startRow;
  LaneChart chart;
  chart.title = std::to_string(lanes.size()) + (lanes.size() == 1 ? " cell" : " cells");
  if (shares.size() > 1)
    chart.title += " on GPU " + std::to_string(unit.share + 1);
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
  std::size_t values = 0;
  for (const CoarseShare& share : shares)
    values += share.values;
  return sizeof(double) * (values - 3 * batch->compartments());
}

/// Backward reads three numbers and writes two, forward reads three and writes one; each reads the parent. So do rows
/// of padding where they are computed.
std::size_t CoarsePlan::bytesMoved() const
{
  std::size_t rows = 0;
  for (const CoarseUnit& unit : units)
    for (const CoarseLane& lane : lanesOf(unit))
      rows += static_cast<std::size_t>(computesPadding() ? shares[unit.share].warps[unit.warp].startRow : lane.rows);
  return rows * (9 * sizeof(double) + 2 * sizeof(std::int32_t));
}

} // namespace hinesight::hines
