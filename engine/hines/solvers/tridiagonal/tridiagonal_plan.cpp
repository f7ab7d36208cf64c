#include "hines/solvers/tridiagonal/tridiagonal_plan.hpp"

#include "core/error.hpp"
#include "hines/chains.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kWarpLanes = 32;

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
std::int32_t fastestLanes(std::int32_t rows, std::size_t cells, int multiprocessors)
{
  constexpr std::int32_t kRows = 9;
  constexpr double kFewWarps = 11.37; // of a multiprocessor
  const auto fewWarps = static_cast<std::size_t>(kFewWarps * multiprocessors);
  const auto pieces = static_cast<std::uint32_t>((rows + kRows - 1) / kRows);
  auto lanes = std::min(static_cast<std::int32_t>(std::bit_ceil(pieces)), kWarpLanes);
  while (lanes < kWarpLanes && lanes < rows && cells * 2 * static_cast<std::size_t>(lanes) <= fewWarps * kWarpLanes)
    lanes *= 2;
  return lanes;
}

/// Draws one warp.
class WarpChart
{
public:
  WarpChart(const TridiagonalPlan& drawnPlan, std::size_t unit)
      : plan(drawnPlan), firstSystem(unit * static_cast<std::size_t>(plan.systemsPerWarp())),
        systems(static_cast<std::int32_t>(
            std::min(static_cast<std::size_t>(plan.systemsPerWarp()), plan.batch->cells() - firstSystem)))
  {}

  LaneChart draw()
  {
    chart.lanes = kWarpLanes;
    chart.steps = sweepSteps() + reductions();
    chart.title = std::to_string(systems) + (systems == 1 ? " chain of " : " chains of ") + std::to_string(plan.rows);
    addBands();
    for (std::int32_t system = 0; system < systems; ++system)
      for (std::int32_t place = 0; place < plan.lanes; ++place)
        addBars(system * plan.lanes + place, place, static_cast<std::int32_t>(firstSystem) + system);
    return std::move(chart);
  }

private:
  std::int32_t sweepSteps() const { return plan.rowsPerLane - 1; }
  /// Steps of cyclic reduction, and the division by the diagonal that is left.
  std::int32_t reductions() const { return std::countr_zero(static_cast<std::uint32_t>(plan.lanes)) + 1; }

  /// Without barriers: a warp keeps step with itself.
  void addBands()
  {
    if (sweepSteps() > 0)
      chart.bands.push_back({"pieces", 0, sweepSteps(), false});
    for (std::int32_t k = 0; k < reductions(); ++k) {
      const bool last = k + 1 == reductions();
      chart.bands.push_back(
          {last ? "junctions alone" : "junctions " + std::to_string(1 << k) + " apart", sweepSteps() + k, 1, false});
    }
  }

  void addBars(std::int32_t lane, std::int32_t place, std::int32_t cell)
  {
    const std::int32_t rows = std::clamp(plan.rows - place * plan.rowsPerLane, 0, plan.rowsPerLane);
    const std::int32_t eliminated = std::max(0, rows - 1);
    const std::int32_t padding = sweepSteps() - eliminated;
    if (padding > 0)
      chart.bars.push_back({lane, 0, padding, cell, LaneWork::Padding});
    if (eliminated > 0)
      chart.bars.push_back({lane, padding, eliminated, cell, LaneWork::Compartment});
    chart.bars.push_back({lane, sweepSteps(), reductions(), cell, rows > 0 ? LaneWork::Junction : LaneWork::Padding});
  }

  const TridiagonalPlan& plan;
  std::size_t firstSystem;
  std::int32_t systems;
  LaneChart chart;
};

} // namespace

void validate(const TridiagonalParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

std::shared_ptr<const TridiagonalPlan> makeTridiagonalPlan(std::shared_ptr<const HinesBatch> batch,
                                                           const TridiagonalParameters& parameters, int multiprocessors)
{
  validate(parameters);
  auto plan = std::make_shared<TridiagonalPlan>();
  plan->rows = chainLength(*batch, "tridiagonal");
  plan->batch = std::move(batch);
  plan->lanes =
      parameters.lanes > 0 ? parameters.lanes : fastestLanes(plan->rows, plan->batch->cells(), multiprocessors);
  const std::int32_t most = plan->lanes * kMostRowsPerLane;
  if (plan->rows > most)
    throw Error(ErrorCode::BadParameter, "Chains of " + std::to_string(plan->rows) + " compartments are too long for " +
                                             std::to_string(plan->lanes) + " lanes, which hold " +
                                             std::to_string(most) + "; choose " +
                                             (plan->lanes < kWarpLanes ? "more lanes." : "the resident solver."));
  plan->rowsPerLane = rowsPerLaneOf(plan->rows, plan->lanes);
  return plan;
}

LaneChart TridiagonalPlan::chart(std::size_t unit, LaneOrder /*order*/) const
{
  return WarpChart(*this, unit).draw();
}

/// All warps but the last are full.
std::size_t TridiagonalPlan::kindOf(std::size_t unit) const
{
  return (unit + 1) * static_cast<std::size_t>(systemsPerWarp()) <= batch->cells() ? 0 : 1;
}

std::optional<std::size_t> TridiagonalPlan::unitOfCell(std::size_t cell) const
{
  return cell < batch->cells() ? std::optional(cell / static_cast<std::size_t>(systemsPerWarp())) : std::nullopt;
}

} // namespace hinesight::hines
