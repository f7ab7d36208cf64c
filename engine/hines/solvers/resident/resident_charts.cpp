#include "hines/solvers/resident/resident_plan.hpp"

#include <algorithm>
#include <string>
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

/// A lane keeps the far end of a piece for the junctions, and eliminates the rest; of a piece with a tip it eliminates
/// all.
std::int32_t stepsOf(const ResidentPiece& piece)
{
  return piece.length - (piece.node >= 0 ? 1 : 0);
}

/// Junctions that one thread block eliminates, a lane each; those of the last round have the block's first lanes.
struct Junctions
{
  std::int32_t nodeEnd;
  std::int32_t roundBegin;
  std::int32_t roundCount;
  std::int32_t laneBegin;
  std::int32_t lanes; ///< of a cell spread over the device: those of the largest block; in turns where there are more

  std::int32_t laneOf(std::int32_t node) const { return laneBegin + (nodeEnd - 1 - node) % lanes; }
  std::int32_t stepOf(std::int32_t node) const { return (nodeEnd - 1 - node) / lanes; }
};

/// What the thread blocks do side by side, then what the first does with what is left between them.
struct JunctionPhase
{
  std::string title;
  std::vector<Junctions> blocks;

  std::int32_t rounds() const
  {
    std::int32_t most = 0;
    for (const Junctions& block : blocks)
      most = std::max(most, block.roundCount);
    return most;
  }
};

std::vector<JunctionPhase> phasesOf(const ResidentSchedule& schedule)
{
  JunctionPhase own{"junctions", {}};
  for (const ResidentRank& rank : schedule.ranks)
    own.blocks.push_back({rank.nodeBegin + rank.nodeCount, rank.roundBegin, rank.roundCount, kWarp * rank.groupBegin,
                          kWarp * std::max(1, rank.groupCount)});
  if (schedule.ranks.empty())
    own.blocks.push_back(
        {schedule.nodeCount(), 0, schedule.rounds(), 0, std::min(kMostLanesOfABlock, lanesOf(schedule))});
  std::vector<JunctionPhase> phases{own};
  if (!schedule.ranks.empty() && schedule.sharedCount() > 0)
    phases.push_back({"junctions between blocks",
                      {{schedule.nodeCount(), schedule.sharedRound, schedule.rounds() - schedule.sharedRound, 0,
                        lanesOf(schedule)}}});
  return phases;
}

/// Steps that a round takes: more than one only where there are more junctions than lanes.
std::int32_t stepsOf(const ResidentSchedule& schedule, const JunctionPhase& phase, std::int32_t round)
{
  std::int32_t steps = 0;
  for (const Junctions& block : phase.blocks)
    if (round < block.roundCount) {
      const std::int32_t begin = schedule.roundBegin[static_cast<std::size_t>(block.roundBegin + round)];
      const std::int32_t end = schedule.roundBegin[static_cast<std::size_t>(block.roundBegin + round) + 1];
      steps = std::max(steps, block.stepOf(begin) - block.stepOf(end - 1) + 1);
    }
  return steps;
}

/// Whether a block has more junctions left in a round than a warp has lanes.
bool isWide(const ResidentSchedule& schedule, const JunctionPhase& phase, std::int32_t round)
{
  return std::ranges::any_of(phase.blocks, [&](const Junctions& block) {
    return round < block.roundCount &&
           block.nodeEnd - schedule.roundBegin[static_cast<std::size_t>(block.roundBegin + round)] > kWarp;
  });
}

std::int32_t contractionSteps(const ResidentSchedule& schedule)
{
  std::int32_t steps = 0;
  for (const ResidentPiece& piece : schedule.pieces)
    steps = std::max(steps, stepsOf(piece));
  return steps;
}

/// Where the values of a piece's compartments are: its first slot of every row.
std::vector<std::int32_t> slotBeginOfGroups(const ResidentSchedule& schedule)
{
  std::vector<std::int32_t> begin(static_cast<std::size_t>(schedule.groups()), 0);
  for (const ResidentRank& rank : schedule.ranks)
    std::fill_n(begin.begin() + rank.groupBegin, rank.groupCount, rank.slotBegin);
  return begin;
}

/// Draws one unit.
class UnitChart
{
public:
  UnitChart(const ResidentPlan& drawnPlan, std::size_t number)
      : plan(drawnPlan), unit(plan.units[number]), schedule(plan.schedules[unit.schedule]),
        slotBegin(slotBeginOfGroups(schedule))
  {
    chart.title = title();
    chart.lanes = lanesOf(schedule);
    chart.bars.reserve(schedule.pieces.size() + schedule.nodes.size());
  }

  LaneChart draw()
  {
    addPieces();
    addJunctions();
    return std::move(chart);
  }

private:
  std::string title() const
  {
    const std::size_t cells = schedule.cellShape.size();
    std::string text = cells == 1 ? "1 cell" : std::to_string(cells) + " cells";
    if (schedule.ranks.empty())
      text += ", spread over the device";
    else if (schedule.ranks.size() > 1)
      text += " on " + std::to_string(schedule.ranks.size()) + " thread blocks";
    return text;
  }

  /// A bar for what is in a slot.
  LaneBar barOf(std::int32_t slot, LaneWork work) const
  {
    const std::size_t cell = unit.cellBegin + static_cast<std::size_t>(schedule.slotCell[slot]);
    LaneBar bar;
    bar.cell = static_cast<std::int32_t>(plan.cellOrder[cell]);
    bar.compartment = schedule.slotCompartment[slot];
    bar.work = work;
    return bar;
  }

  void addPieces()
  {
    for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(schedule.pieces.size()); ++lane) {
      const ResidentPiece& piece = schedule.pieces[lane];
      const std::int32_t group = lane / kWarp;
      if (stepsOf(piece) == 0)
        continue;
      const std::int32_t row = schedule.rowBegin[group] + piece.length - stepsOf(piece);
      LaneBar bar = barOf(slotBegin[group] + schedule.rowSlot[row] + lane % kWarp, LaneWork::Compartment);
      bar.lane = lane;
      bar.steps = stepsOf(piece);
      chart.bars.push_back(bar);
    }
    chart.steps = contractionSteps(schedule);
    chart.bands.push_back({"contract pieces", 0, chart.steps, schedule.nodeCount() > 0});
  }

  void addJunctions()
  {
    std::vector<std::int32_t> slotOfNode(static_cast<std::size_t>(schedule.nodeCount()));
    for (std::int32_t lane = 0; lane < static_cast<std::int32_t>(schedule.pieces.size()); ++lane)
      if (const std::int32_t node = schedule.pieces[lane].node; node >= 0)
        slotOfNode[node] = slotBegin[lane / kWarp] + schedule.rowSlot[schedule.rowBegin[lane / kWarp]] + lane % kWarp;

    const std::vector<JunctionPhase> phases = phasesOf(schedule);
    for (const JunctionPhase& phase : phases)
      for (std::int32_t round = 0; round < phase.rounds(); ++round) {
        for (const Junctions& block : phase.blocks) {
          if (round >= block.roundCount)
            continue;
          const std::int32_t begin = schedule.roundBegin[static_cast<std::size_t>(block.roundBegin + round)];
          const std::int32_t end = schedule.roundBegin[static_cast<std::size_t>(block.roundBegin + round) + 1];
          for (std::int32_t node = begin; node < end; ++node) {
            LaneBar bar = barOf(slotOfNode[static_cast<std::size_t>(node)], LaneWork::Junction);
            bar.lane = block.laneOf(node);
            bar.step = chart.steps + block.stepOf(node) - block.stepOf(end - 1);
            bar.steps = 1;
            chart.bars.push_back(bar);
          }
        }
        const std::int32_t steps = stepsOf(schedule, phase, round);
        // A warp keeps step with itself: only rounds of more junctions than a warp has lanes are waited for.
        const bool isLast = &phase == &phases.back() && round + 1 == phase.rounds();
        const bool isWaitedFor = !isLast && (round + 1 == phase.rounds() || isWide(schedule, phase, round));
        chart.bands.push_back({phase.title + ", round " + std::to_string(round + 1), chart.steps, steps, isWaitedFor});
        chart.steps += steps;
      }
  }

  const ResidentPlan& plan;
  const ResidentUnit& unit;
  const ResidentSchedule& schedule;
  std::vector<std::int32_t> slotBegin; ///< of each group
  LaneChart chart;
};

} // namespace

LaneChart ResidentPlan::chart(std::size_t unit, LaneOrder /*order*/) const
{
  return UnitChart(*this, unit).draw();
}

std::optional<std::size_t> ResidentPlan::unitOfCell(std::size_t cell) const
{
  const auto found = std::find(cellOrder.begin(), cellOrder.end(), cell);
  if (found == cellOrder.end())
    return std::nullopt;
  const auto place = static_cast<std::size_t>(found - cellOrder.begin());
  const auto after = std::upper_bound(units.begin(), units.end(), place,
                                      [](std::size_t p, const ResidentUnit& unit) { return p < unit.cellBegin; });
  return static_cast<std::size_t>(after - units.begin()) - 1;
}

std::size_t ResidentPlan::paddingBytes() const
{
  return 3 * sizeof(double) * (slotCount - batch->compartments());
}

/// On chip three numbers of a slot are read and one is written. A cell that is spread over the device leaves three
/// where it read three, which the way back reads before it writes one; a junction has three numbers and what it leaves
/// to others two, each written and read.
std::size_t ResidentPlan::bytesMoved() const
{
  std::size_t numbers = 0;
  for (const ResidentUnit& unit : units) {
    const ResidentSchedule& schedule = schedules[unit.schedule];
    const auto ofUnit = static_cast<std::size_t>(schedule.slotCount());
    numbers += schedule.ranks.empty() ? 10 * ofUnit + 6 * static_cast<std::size_t>(schedule.nodeCount()) +
                                            4 * static_cast<std::size_t>(schedule.contributions)
                                      : 4 * ofUnit;
  }
  return sizeof(double) * numbers;
}

} // namespace hinesight::hines
