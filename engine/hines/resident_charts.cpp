#include "hines/resident_charts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kWarp = 32;
constexpr std::int32_t kMostLanesOfABlock = 1024;

std::int32_t lanesOf(const ResidentSchedule& schedule)
{
  return kWarp * std::max(1, schedule.groups());
}

/// Lanes that share the junctions: those of the first thread block. A cell spread over the device has them solved by
/// the largest block that there is.
std::int32_t junctionLanesOf(const ResidentSchedule& schedule)
{
  const std::int32_t groups = schedule.ranks.empty() ? schedule.groups() : schedule.ranks.front().groupCount;
  return std::clamp(kWarp * groups, kWarp, kMostLanesOfABlock);
}

/// A lane keeps the far end of a piece for the junctions, and eliminates the rest; of a piece with a tip it eliminates
/// all.
std::int32_t stepsOf(const ResidentPiece& piece)
{
  return piece.length - (piece.node >= 0 ? 1 : 0);
}

/// A round of the junctions: those of a narrow one are eliminated by one warp.
struct Round
{
  std::int32_t begin;
  std::int32_t end;
  std::int32_t lanes;

  std::int32_t size() const { return end - begin; }
  std::int32_t steps() const { return (size() + lanes - 1) / lanes; }
};

Round roundOf(const ResidentSchedule& schedule, std::int32_t index)
{
  Round round{schedule.roundBegin[index], schedule.roundBegin[index + 1], kWarp};
  if (round.size() > kWarp)
    round.lanes = junctionLanesOf(schedule);
  return round;
}

std::int32_t contractionSteps(const ResidentSchedule& schedule)
{
  std::int32_t steps = 0;
  for (const ResidentPiece& piece : schedule.pieces)
    steps = std::max(steps, stepsOf(piece));
  return steps;
}

LaneFigures measure(const ResidentSchedule& schedule)
{
  LaneFigures figures;
  figures.lanes = lanesOf(schedule);
  std::int64_t busy = schedule.nodeCount();
  for (const ResidentPiece& piece : schedule.pieces)
    busy += stepsOf(piece);
  figures.steps = contractionSteps(schedule);
  for (std::int32_t round = 0; round < schedule.rounds(); ++round)
    figures.steps += roundOf(schedule, round).steps();
  const double laneSteps = static_cast<double>(figures.lanes) * static_cast<double>(figures.steps);
  figures.occupancy = laneSteps > 0 ? static_cast<double>(busy) / laneSteps : 0;
  return figures;
}

/// Where the values of a piece's compartments are: its first slot of every row.
std::vector<std::int32_t> slotBeginOfGroups(const ResidentSchedule& schedule)
{
  std::vector<std::int32_t> begin(static_cast<std::size_t>(schedule.groups()), 0);
  for (const ResidentRank& rank : schedule.ranks)
    std::fill_n(begin.begin() + rank.groupBegin, rank.groupCount, rank.slotBegin);
  return begin;
}

class ResidentCharts final : public LaneCharts
{
public:
  explicit ResidentCharts(std::shared_ptr<const ResidentPlan> drawn)
      : plan(std::move(drawn)), firstUnit(plan->schedules.size(), plan->units.size())
  {
    for (std::size_t unit = 0; unit < plan->units.size(); ++unit) {
      std::size_t& first = firstUnit[plan->units[unit].schedule];
      first = std::min(first, unit);
    }
  }

  std::size_t units() const override { return plan->units.size(); }
  LaneFigures figures(std::size_t unit) const override { return measure(scheduleOf(unit)); }
  std::size_t firstAlike(std::size_t unit) const override { return firstUnit[plan->units[unit].schedule]; }

  std::optional<std::size_t> unitOfCell(std::size_t cell) const override
  {
    const auto found = std::find(plan->cellOrder.begin(), plan->cellOrder.end(), cell);
    if (found == plan->cellOrder.end())
      return std::nullopt;
    const auto place = static_cast<std::size_t>(found - plan->cellOrder.begin());
    const auto after = std::upper_bound(plan->units.begin(), plan->units.end(), place,
                                        [](std::size_t p, const ResidentUnit& unit) { return p < unit.cellBegin; });
    return static_cast<std::size_t>(after - plan->units.begin()) - 1;
  }

  LaneChart chart(std::size_t unit) const override
  {
    const ResidentSchedule& schedule = scheduleOf(unit);
    LaneChart chart;
    chart.title = titleOf(unit);
    chart.lanes = lanesOf(schedule);
    chart.bars.reserve(schedule.pieces.size() + schedule.nodes.size());
    addPieces(unit, chart);
    addJunctions(unit, chart);
    return chart;
  }

private:
  const ResidentSchedule& scheduleOf(std::size_t unit) const { return plan->schedules[plan->units[unit].schedule]; }

  std::string titleOf(std::size_t unit) const
  {
    const ResidentSchedule& schedule = scheduleOf(unit);
    const std::size_t cells = schedule.cellShape.size();
    std::string title = "unit " + std::to_string(unit + 1) + ": ";
    title += cells == 1 ? "1 cell" : std::to_string(cells) + " cells";
    if (schedule.ranks.empty())
      title += ", spread over the device";
    else if (schedule.ranks.size() > 1)
      title += " on " + std::to_string(schedule.ranks.size()) + " thread blocks";
    return title;
  }

  /// A bar for what is in a slot.
  LaneBar barOf(std::size_t unit, std::int32_t slot, LaneWork work) const
  {
    const ResidentSchedule& schedule = scheduleOf(unit);
    const std::size_t cell = plan->units[unit].cellBegin + static_cast<std::size_t>(schedule.slotCell[slot]);
    LaneBar bar;
    bar.cell = static_cast<std::int32_t>(plan->cellOrder[cell]);
    bar.compartment = schedule.slotCompartment[slot];
    bar.work = work;
    return bar;
  }

  void addPieces(std::size_t unit, LaneChart& chart) const
  {
    const ResidentSchedule& schedule = scheduleOf(unit);
    const std::vector<std::int32_t> slotBegin = slotBeginOfGroups(schedule);
    for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(schedule.pieces.size()); ++lane) {
      const ResidentPiece& piece = schedule.pieces[lane];
      const std::int32_t group = lane / kWarp;
      if (stepsOf(piece) == 0)
        continue;
      const std::int32_t row = schedule.rowBegin[group] + piece.length - stepsOf(piece);
      LaneBar bar = barOf(unit, slotBegin[group] + schedule.rowSlot[row] + lane % kWarp, LaneWork::Compartment);
      bar.lane = lane;
      bar.steps = stepsOf(piece);
      chart.bars.push_back(bar);
    }
    chart.steps = contractionSteps(schedule);
    chart.bands.push_back({"contract pieces", 0, chart.steps, schedule.nodeCount() > 0});
  }

  void addJunctions(std::size_t unit, LaneChart& chart) const
  {
    const ResidentSchedule& schedule = scheduleOf(unit);
    const std::vector<std::int32_t> slotBegin = slotBeginOfGroups(schedule);
    std::vector<std::int32_t> slotOfNode(static_cast<std::size_t>(schedule.nodeCount()));
    for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(schedule.pieces.size()); ++lane)
      if (const std::int32_t node = schedule.pieces[lane].node; node >= 0)
        slotOfNode[node] = slotBegin[lane / kWarp] + schedule.rowSlot[schedule.rowBegin[lane / kWarp]] + lane % kWarp;

    for (std::int32_t index = 0; index < schedule.rounds(); ++index) {
      const Round round = roundOf(schedule, index);
      for (std::int32_t node = round.begin; node < round.end; ++node) {
        LaneBar bar = barOf(unit, slotOfNode[node], LaneWork::Junction);
        bar.lane = (node - round.begin) % round.lanes;
        bar.step = chart.steps + (node - round.begin) / round.lanes;
        bar.steps = 1;
        chart.bars.push_back(bar);
      }
      // A warp keeps step with itself; only a round of the whole block is waited for.
      const bool isWaitedFor = round.lanes > kWarp && index + 1 < schedule.rounds();
      chart.bands.push_back({"junctions, round " + std::to_string(index + 1), chart.steps, round.steps(), isWaitedFor});
      chart.steps += round.steps();
    }
  }

  std::shared_ptr<const ResidentPlan> plan;
  std::vector<std::size_t> firstUnit; ///< with a schedule
};

} // namespace

std::shared_ptr<const LaneCharts> makeResidentCharts(std::shared_ptr<const ResidentPlan> plan)
{
  return std::make_shared<const ResidentCharts>(std::move(plan));
}

} // namespace hinesight::hines
