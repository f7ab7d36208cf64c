#include "hines/schedule.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kWarp = 32;

/// Adds what a bar does in each band that it goes through.
void addPieces(const LaneChart& chart, const LaneBar& bar, std::vector<SchedulePiece>& pieces)
{
  const std::int32_t end = bar.step + bar.steps;
  for (std::size_t round = bandAt(chart, bar.step); round < chart.bands.size() && chart.bands[round].step < end;
       ++round) {
    const LaneBand& band = chart.bands[round];
    const std::int32_t steps = std::min(end, band.step + band.steps) - std::max(bar.step, band.step);
    if (steps > 0)
      pieces.push_back({bar.cell, static_cast<std::int32_t>(round), steps, bar.compartment, bar.work});
  }
}

} // namespace

std::size_t bandAt(const LaneChart& chart, std::int32_t step)
{
  const auto after = std::ranges::upper_bound(chart.bands, step, {}, &LaneBand::step);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - chart.bands.begin() - 1));
}

LaneChart forwardSweep(LaneChart backward)
{
  LaneChart forward = std::move(backward);
  const std::vector<LaneBand> before = forward.bands;
  const auto begins = [&](const LaneBand& band) { return forward.steps - band.step - band.steps; };
  for (LaneBar& bar : forward.bars) {
    if (forward.keepsBands) {
      const LaneBand& band = before[bandAt(forward, bar.step)];
      bar.step += begins(band) - band.step;
    } else {
      bar.step = forward.steps - bar.step - bar.steps;
    }
  }
  std::ranges::reverse(forward.bands);
  for (std::size_t k = 0; k < forward.bands.size(); ++k) {
    LaneBand& band = forward.bands[k];
    const std::int32_t was = band.step;
    band.step = begins(band);
    for (std::int32_t& seam : band.seams)
      seam = forward.keepsBands ? seam - was + band.step : forward.steps - seam;
    if (!forward.keepsBands)
      std::ranges::reverse(band.seams);
    // What the next band waits for is what this one waited for.
    band.barrierAfter = k + 1 < forward.bands.size() && before[before.size() - 2 - k].barrierAfter;
  }
  return forward;
}

std::vector<LaneWarp> warpsOf(const LaneChart& chart)
{
  std::vector<const LaneBar*> bars;
  bars.reserve(chart.bars.size());
  for (const LaneBar& bar : chart.bars)
    bars.push_back(&bar);
  std::ranges::sort(bars, {}, [](const LaneBar* bar) { return std::pair(bar->lane / kWarp, bar->step); });
  std::vector<LaneWarp> warps;
  for (const LaneBar* bar : bars) {
    const std::int32_t firstLane = bar->lane / kWarp * kWarp;
    const std::int32_t end = bar->step + bar->steps;
    if (!warps.empty() && warps.back().firstLane == firstLane && bar->step <= warps.back().step + warps.back().steps)
      warps.back().steps = std::max(warps.back().steps, end - warps.back().step);
    else
      warps.push_back({firstLane, std::min(kWarp, chart.lanes - firstLane), bar->step, bar->steps});
  }
  return warps;
}

LaneFigures measure(const LaneChart& chart)
{
  LaneFigures figures;
  figures.lanes = chart.lanes;
  figures.steps = chart.steps;
  figures.rounds = static_cast<std::int64_t>(chart.bands.size());
  figures.barriers = std::ranges::count_if(chart.bands, &LaneBand::barrierAfter);
  for (const LaneBar& bar : chart.bars)
    figures.busy += bar.work == LaneWork::Padding ? 0 : bar.steps;
  for (const LaneWarp& warp : warpsOf(chart))
    figures.issued += std::int64_t{warp.lanes} * warp.steps;
  return figures;
}

std::vector<UnitGroup> groupUnits(const Schedule& schedule)
{
  std::unordered_map<std::size_t, std::size_t> groupOf; // of a kind
  std::vector<UnitGroup> groups;
  for (std::size_t unit = 0; unit < schedule.unitCount(); ++unit) {
    const auto [entry, isNew] = groupOf.try_emplace(schedule.kindOf(unit), groups.size());
    if (isNew)
      groups.push_back({unit, 0});
    ++groups[entry->second].units;
  }
  return groups;
}

std::vector<SchedulePiece> Schedule::piecesOf(std::span<const std::int32_t> cells) const
{
  // Several cells may share a unit, whose chart is made once.
  std::map<std::size_t, std::vector<std::int32_t>> cellsOfUnit;
  for (const std::int32_t cell : cells)
    if (const auto unit = unitOfCell(static_cast<std::size_t>(cell)))
      cellsOfUnit[*unit].push_back(cell);
  std::vector<SchedulePiece> pieces;
  for (const auto& [unit, wanted] : cellsOfUnit) {
    const LaneChart drawn = chart(unit);
    for (const LaneBar& bar : drawn.bars)
      if (bar.work != LaneWork::Padding && std::ranges::binary_search(wanted, bar.cell))
        addPieces(drawn, bar, pieces);
  }
  return pieces;
}

std::optional<ScheduleFigures> Schedule::summary(const RunControl& control) const
{
  const std::vector<UnitGroup> groups = groupUnits(*this);
  ScheduleFigures figures;
  std::int64_t busy = 0;
  std::int64_t issued = 0;
  std::mutex mutex;
  parallelFor(groups.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      control.checkpoint();
      const LaneFigures unit = measure(chart(groups[k].first));
      const auto units = static_cast<std::int64_t>(groups[k].units);
      const std::lock_guard lock(mutex);
      figures.rounds = std::max(figures.rounds, unit.rounds);
      figures.barriers = std::max(figures.barriers, 2 * unit.barriers);
      figures.criticalPath = std::max(figures.criticalPath, unit.steps);
      busy += units * unit.busy;
      issued += units * unit.issued;
    }
  });
  figures.occupancy = issued == 0 ? 0 : static_cast<double>(busy) / static_cast<double>(issued);
  figures.paddingBytes = paddingBytes();
  figures.bytesMoved = bytesMoved();
  figures.units = unitCount();
  return figures;
}

UnknownSchedule::UnknownSchedule(std::shared_ptr<const HinesBatch> solved, std::string whose) : owner(std::move(whose))
{
  batch = std::move(solved);
}

LaneChart UnknownSchedule::chart(std::size_t /*unit*/, LaneOrder /*order*/) const
{
  LaneChart chart;
  chart.title = "how " + owner + " schedules it is not known";
  return chart;
}

std::optional<std::size_t> UnknownSchedule::unitOfCell(std::size_t cell) const
{
  return cell < batch->cells() ? std::optional<std::size_t>(0) : std::nullopt;
}

std::optional<ScheduleFigures> UnknownSchedule::summary(const RunControl& /*control*/) const
{
  return std::nullopt;
}

} // namespace hinesight::hines
