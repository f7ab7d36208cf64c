#include "hines/solvers/tridiagonal/tridiagonal_plan.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kWarpLanes = 32;

bool isChain(const HinesSystem& system)
{
  for (std::size_t row = 0; row < system.size(); ++row)
    if (system.parent[row] != static_cast<std::int32_t>(row) - 1)
      return false;
  return true;
}

/// Odd, and one of those for which there is a kernel.
std::int32_t roundedRows(std::int32_t rows)
{
  for (const std::int32_t offered : {1, 3, 5, 9, 17})
    if (rows <= offered)
      return offered;
  return kMostRowsPerLane;
}

std::int32_t rowsPerLaneOf(std::int32_t rows, std::int32_t lanes)
{
  return roundedRows((rows + lanes - 1) / lanes);
}

/// Pieces of about nine rows: longer ones leave fewer junctions, shorter ones shorter sweeps, which are worth more
/// where the batch does not fill the device (docs/notes/tridiagonal.md has the times of all).
std::int32_t fastestLanes(std::int32_t rows, std::size_t cells)
{
  constexpr std::int32_t kRows = 9;
  constexpr std::size_t kFewWarps = 1'500;
  const auto pieces = static_cast<std::uint32_t>((rows + kRows - 1) / kRows);
  auto lanes = std::min(static_cast<std::int32_t>(std::bit_ceil(pieces)), kWarpLanes);
  while (lanes < kWarpLanes && lanes < rows && cells * 2 * static_cast<std::size_t>(lanes) <= kFewWarps * kWarpLanes)
    lanes *= 2;
  return lanes;
}

class TridiagonalCharts final : public LaneCharts
{
public:
  explicit TridiagonalCharts(std::shared_ptr<const TridiagonalPlan> tridiagonalPlan) : plan(std::move(tridiagonalPlan))
  {}

  std::size_t units() const override { return plan->warps(); }

  LaneFigures figures(std::size_t unit) const override
  {
    const std::int64_t useful = systemsOf(unit) * (plan->rows - usedLanes() + usedLanes() * reductions());
    return {kWarpLanes, steps(), static_cast<double>(useful) / static_cast<double>(kWarpLanes * steps())};
  }

  LaneChart chart(std::size_t unit) const override
  {
    LaneChart chart;
    chart.lanes = kWarpLanes;
    chart.steps = static_cast<std::int32_t>(steps());
    const auto systems = static_cast<std::int32_t>(systemsOf(unit));
    chart.title = "unit " + std::to_string(unit + 1) + ": " + std::to_string(systems) +
                  (systems == 1 ? " chain of " : " chains of ") + std::to_string(plan->rows);
    addBands(chart);
    for (std::int32_t system = 0; system < systems; ++system)
      for (std::int32_t place = 0; place < plan->lanes; ++place)
        addBars(chart, system * plan->lanes + place, place, static_cast<std::int32_t>(firstSystem(unit)) + system);
    return chart;
  }

  std::size_t firstAlike(std::size_t unit) const override { return systemsOf(unit) == systemsOf(0) ? 0 : unit; }
  std::optional<std::size_t> unitOfCell(std::size_t cell) const override
  {
    return cell / static_cast<std::size_t>(plan->systemsPerWarp());
  }

private:
  std::size_t firstSystem(std::size_t unit) const { return unit * static_cast<std::size_t>(plan->systemsPerWarp()); }
  std::int64_t systemsOf(std::size_t unit) const
  {
    return std::min<std::int64_t>(plan->systemsPerWarp(),
                                  static_cast<std::int64_t>(plan->batch->cells() - firstSystem(unit)));
  }
  std::int32_t sweepSteps() const { return plan->rowsPerLane - 1; }
  /// Steps of cyclic reduction, and the division by the diagonal that is left.
  std::int32_t reductions() const { return std::countr_zero(static_cast<std::uint32_t>(plan->lanes)) + 1; }
  std::int64_t steps() const { return sweepSteps() + reductions(); }
  /// Lanes that have a row.
  std::int32_t usedLanes() const { return (plan->rows + plan->rowsPerLane - 1) / plan->rowsPerLane; }

  /// Without barriers: a warp keeps step with itself.
  void addBands(LaneChart& chart) const
  {
    if (sweepSteps() > 0)
      chart.bands.push_back({"pieces", 0, sweepSteps(), false});
    for (std::int32_t k = 0; k < reductions(); ++k) {
      const bool last = k + 1 == reductions();
      chart.bands.push_back(
          {last ? "junctions alone" : "junctions " + std::to_string(1 << k) + " apart", sweepSteps() + k, 1, false});
    }
  }

  void addBars(LaneChart& chart, std::int32_t lane, std::int32_t place, std::int32_t cell) const
  {
    const std::int32_t rows = std::clamp(plan->rows - place * plan->rowsPerLane, 0, plan->rowsPerLane);
    const std::int32_t eliminated = std::max(0, rows - 1);
    const std::int32_t padding = sweepSteps() - eliminated;
    if (padding > 0)
      chart.bars.push_back({lane, 0, padding, cell, LaneWork::Padding});
    if (eliminated > 0)
      chart.bars.push_back({lane, padding, eliminated, cell, LaneWork::Compartment});
    chart.bars.push_back({lane, sweepSteps(), reductions(), cell, rows > 0 ? LaneWork::Junction : LaneWork::Padding});
  }

  std::shared_ptr<const TridiagonalPlan> plan;
};

} // namespace

void validate(const TridiagonalParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

void validate(const GtsvParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

bool areChainsOfOneLength(const HinesBatch& batch)
{
  return std::ranges::all_of(batch.shapes, [&](const auto& shape) {
    return isChain(*shape) && shape->size() == batch.shapes.front()->size();
  });
}

std::int32_t chainLength(const HinesBatch& batch, std::string_view solver)
{
  if (!areChainsOfOneLength(batch))
    throw Error(ErrorCode::BadParameter,
                "The " + std::string(solver) +
                    " solver takes batches of chains of one length only, numbered from one end to the other; "
                    "choose another solver for cells with branches.");
  return static_cast<std::int32_t>(batch.shapes.front()->size());
}

std::shared_ptr<const TridiagonalPlan> makeTridiagonalPlan(std::shared_ptr<const HinesBatch> batch,
                                                           const TridiagonalParameters& parameters)
{
  validate(parameters);
  auto plan = std::make_shared<TridiagonalPlan>();
  plan->rows = chainLength(*batch, "tridiagonal");
  plan->batch = std::move(batch);
  plan->lanes = parameters.lanes > 0 ? parameters.lanes : fastestLanes(plan->rows, plan->batch->cells());
  const std::int32_t most = plan->lanes * kMostRowsPerLane;
  if (plan->rows > most)
    throw Error(ErrorCode::BadParameter, "Chains of " + std::to_string(plan->rows) + " compartments are too long for " +
                                             std::to_string(plan->lanes) + " lanes, which hold " +
                                             std::to_string(most) + "; choose " +
                                             (plan->lanes < kWarpLanes ? "more lanes." : "the resident solver."));
  plan->rowsPerLane = rowsPerLaneOf(plan->rows, plan->lanes);
  return plan;
}

std::shared_ptr<const LaneCharts> makeTridiagonalCharts(std::shared_ptr<const TridiagonalPlan> plan)
{
  return std::make_shared<TridiagonalCharts>(std::move(plan));
}

} // namespace hinesight::hines
