#include "hines/solvers/edd/edd_charts.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace {

/// Rows that a piece's lane eliminates: all but the junction.
std::int32_t stepsOf(const EddPiece& piece)
{
  return piece.length - (piece.junction >= 0 ? 1 : 0);
}

std::int32_t stepsOf(const EddLevel& level)
{
  std::int32_t most = 0;
  for (const EddPiece& piece : level.pieces)
    most = std::max(most, stepsOf(piece));
  return most;
}

std::int32_t slotOfFirstRow(const EddLevel& level, std::int32_t piece)
{
  return level.pieceBegin.empty() ? piece : level.pieceBegin[piece];
}

/// The compartments that the rows of the next recursion are, by slot there.
std::vector<std::int32_t> compartmentsAbove(const EddLevel& level, const std::vector<std::int32_t>& compartmentOf,
                                            std::int32_t rows)
{
  std::vector<std::int32_t> above(static_cast<std::size_t>(rows), -1);
  for (std::int32_t p = 0; p < level.pieceCount(); ++p)
    if (level.pieces[p].junction >= 0)
      above[level.pieces[p].junction] = compartmentOf[slotOfFirstRow(level, p)];
  return above;
}

/// "1 chain", "58 chains".
std::string counted(std::size_t count, const std::string& what)
{
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::int32_t rowsAfter(const EddShape& shape, std::int32_t recursion)
{
  return recursion + 1 < shape.depth() ? shape.levels[recursion + 1].rows : shape.restRows();
}

class EddCharts final : public LaneCharts
{
public:
  explicit EddCharts(std::shared_ptr<const EddPlan> drawn) : plan(std::move(drawn)) {}

  std::size_t units() const override { return plan->units.size(); }

  LaneFigures figures(std::size_t unit) const override
  {
    const EddShape& shape = shapeOf(unit);
    const std::int64_t cells = plan->units[unit].cells;
    LaneFigures figures;
    figures.lanes = lanesOf(unit);
    figures.steps = shape.restRows();
    std::int64_t busy = shape.restRows() * cells;
    for (const EddLevel& level : shape.levels) {
      figures.steps += stepsOf(level);
      for (const EddPiece& piece : level.pieces)
        busy += stepsOf(piece) * cells;
    }
    const double laneSteps = static_cast<double>(figures.lanes) * static_cast<double>(figures.steps);
    figures.occupancy = laneSteps > 0 ? static_cast<double>(busy) / laneSteps : 0;
    return figures;
  }

  /// Units of one shape follow one another, and all but the last have the same number of cells.
  std::size_t firstAlike(std::size_t unit) const override
  {
    const EddUnit& wanted = plan->units[unit];
    const auto sameShape = [&](const EddUnit& other) { return other.shape == wanted.shape; };
    const auto first = std::find_if(plan->units.begin(), plan->units.end(), sameShape);
    return first->cells == wanted.cells ? static_cast<std::size_t>(first - plan->units.begin()) : unit;
  }

  std::optional<std::size_t> unitOfCell(std::size_t cell) const override
  {
    const auto found = std::find(plan->cellOrder.begin(), plan->cellOrder.end(), cell);
    if (found == plan->cellOrder.end())
      return std::nullopt;
    const auto place = static_cast<std::size_t>(found - plan->cellOrder.begin());
    const auto after = std::upper_bound(plan->units.begin(), plan->units.end(), place,
                                        [](std::size_t p, const EddUnit& unit) { return p < unit.cellBegin; });
    return static_cast<std::size_t>(after - plan->units.begin()) - 1;
  }

  LaneChart chart(std::size_t unit) const override
  {
    const EddShape& shape = shapeOf(unit);
    const std::uint32_t cells = plan->units[unit].cells;
    LaneChart chart;
    chart.title = "unit " + std::to_string(unit + 1) + ": " + counted(cells, "cell");
    chart.lanes = lanesOf(unit);
    std::vector<std::int32_t> compartmentOf(shape.slotOf.size());
    for (std::size_t i = 0; i < shape.slotOf.size(); ++i)
      compartmentOf[shape.slotOf[i]] = static_cast<std::int32_t>(i);
    for (std::int32_t recursion = 0; recursion < shape.depth(); ++recursion) {
      addRecursion(unit, recursion, compartmentOf, chart);
      compartmentOf = compartmentsAbove(shape.levels[recursion], compartmentOf, rowsAfter(shape, recursion));
    }
    addRest(unit, chart);
    return chart;
  }

private:
  const EddShape& shapeOf(std::size_t unit) const { return plan->shapes[plan->units[unit].shape]; }

  std::int32_t lanesOf(std::size_t unit) const
  {
    std::int32_t most = 1;
    for (const EddLevel& level : shapeOf(unit).levels)
      most = std::max(most, level.pieceCount());
    return most * static_cast<std::int32_t>(plan->units[unit].cells);
  }

  std::int32_t cellOf(std::size_t unit, std::uint32_t cell) const
  {
    return static_cast<std::int32_t>(plan->cellOrder[plan->units[unit].cellBegin + cell]);
  }

  void addRecursion(std::size_t unit, std::int32_t recursion, const std::vector<std::int32_t>& compartmentOf,
                    LaneChart& chart) const
  {
    const EddShape& shape = shapeOf(unit);
    const EddLevel& level = shape.levels[recursion];
    const std::uint32_t cells = plan->units[unit].cells;
    const std::size_t barsBefore = chart.bars.size();
    for (std::int32_t p = 0; p < level.pieceCount(); ++p) {
      const EddPiece& piece = level.pieces[p];
      if (stepsOf(piece) == 0)
        continue;
      const bool hasJunction = piece.junction >= 0;
      const std::int32_t first = !hasJunction               ? slotOfFirstRow(level, p)
                                 : level.pieceBegin.empty() ? level.rowBegin[1] + p
                                                            : level.pieceBegin[p] + 1;
      for (std::uint32_t cell = 0; cell < cells; ++cell) {
        LaneBar bar;
        bar.lane = p * static_cast<std::int32_t>(cells) + static_cast<std::int32_t>(cell);
        bar.step = chart.steps;
        bar.steps = stepsOf(piece);
        bar.cell = cellOf(unit, cell);
        bar.work = recursion == 0 ? LaneWork::Compartment : LaneWork::Junction;
        bar.compartment = compartmentOf[first];
        chart.bars.push_back(bar);
      }
    }
    const std::size_t chains = chart.bars.size() - barsBefore;
    const std::string how = recursion == 0 && plan->parameters.contiguousChains
                                ? ", one solve"
                                : ", recursion " + std::to_string(recursion + 1);
    const std::int32_t steps = stepsOf(level);
    chart.bands.push_back({counted(chains, "chain") + how, chart.steps, steps, true});
    chart.steps += steps;
  }

  void addRest(std::size_t unit, LaneChart& chart) const
  {
    const EddShape& shape = shapeOf(unit);
    if (shape.restRows() == 0) {
      // Nothing is left to wait for.
      chart.bands.back().barrierAfter = false;
      return;
    }
    for (std::uint32_t cell = 0; cell < plan->units[unit].cells; ++cell) {
      LaneBar bar;
      bar.lane = static_cast<std::int32_t>(cell);
      bar.step = chart.steps;
      bar.steps = shape.restRows();
      bar.cell = cellOf(unit, cell);
      bar.work = shape.depth() == 0 ? LaneWork::Compartment : LaneWork::Junction;
      chart.bars.push_back(bar);
    }
    const std::size_t rows = static_cast<std::size_t>(shape.restRows()) * plan->units[unit].cells;
    chart.bands.push_back({counted(rows, shape.depth() == 0 ? "compartment" : "junction") + ", serial", chart.steps,
                           shape.restRows(), false});
    chart.steps += shape.restRows();
  }

  std::shared_ptr<const EddPlan> plan;
};

} // namespace

std::shared_ptr<const LaneCharts> makeEddCharts(std::shared_ptr<const EddPlan> plan)
{
  return std::make_shared<const EddCharts>(std::move(plan));
}

} // namespace hinesight::hines
