#include "hines/solvers/edd/edd_plan.hpp"

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

/// Draws one unit.
class UnitChart
{
public:
  UnitChart(const EddPlan& drawnPlan, std::size_t number)
      : plan(drawnPlan), unit(plan.units[number]), shape(plan.shapes[unit.shape])
  {
    chart.title = counted(unit.cells, "cell");
    std::int32_t most = 1;
    for (const EddLevel& level : shape.levels)
      most = std::max(most, level.pieceCount());
    chart.lanes = most * static_cast<std::int32_t>(unit.cells);
  }

  LaneChart draw()
  {
    std::vector<std::int32_t> compartmentOf(shape.slotOf.size());
    for (std::size_t i = 0; i < shape.slotOf.size(); ++i)
      compartmentOf[shape.slotOf[i]] = static_cast<std::int32_t>(i);
    for (std::int32_t recursion = 0; recursion < shape.depth(); ++recursion) {
      addRecursion(recursion, compartmentOf);
      compartmentOf = compartmentsAbove(shape.levels[recursion], compartmentOf, rowsAfter(shape, recursion));
    }
    addRest();
    return std::move(chart);
  }

private:
  std::int32_t cellOf(std::uint32_t cell) const
  {
    return static_cast<std::int32_t>(plan.cellOrder[unit.cellBegin + cell]);
  }

  void addRecursion(std::int32_t recursion, const std::vector<std::int32_t>& compartmentOf)
  {
    const EddLevel& level = shape.levels[recursion];
    const std::size_t barsBefore = chart.bars.size();
    for (std::int32_t p = 0; p < level.pieceCount(); ++p) {
      const EddPiece& piece = level.pieces[p];
      if (stepsOf(piece) == 0)
        continue;
      const bool hasJunction = piece.junction >= 0;
      const std::int32_t first = !hasJunction               ? slotOfFirstRow(level, p)
                                 : level.pieceBegin.empty() ? level.rowBegin[1] + p
                                                            : level.pieceBegin[p] + 1;
      for (std::uint32_t cell = 0; cell < unit.cells; ++cell) {
        LaneBar bar;
        bar.lane = p * static_cast<std::int32_t>(unit.cells) + static_cast<std::int32_t>(cell);
        bar.step = chart.steps;
        bar.steps = stepsOf(piece);
        bar.cell = cellOf(cell);
        bar.work = recursion == 0 ? LaneWork::Compartment : LaneWork::Junction;
        bar.compartment = compartmentOf[first];
        chart.bars.push_back(bar);
      }
    }
    LaneBand band;
    band.label =
        recursion == 0 && plan.parameters.contiguousChains ? "one solve" : "recursion " + std::to_string(recursion + 1);
    band.detail = counted(chart.bars.size() - barsBefore, "chain");
    band.step = chart.steps;
    band.steps = stepsOf(level);
    band.barrierAfter = true;
    chart.steps += band.steps;
    chart.bands.push_back(std::move(band));
  }

  void addRest()
  {
    if (shape.restRows() == 0) {
      // Nothing is left to wait for.
      chart.bands.back().barrierAfter = false;
      return;
    }
    for (std::uint32_t cell = 0; cell < unit.cells; ++cell) {
      LaneBar bar;
      bar.lane = static_cast<std::int32_t>(cell);
      bar.step = chart.steps;
      bar.steps = shape.restRows();
      bar.cell = cellOf(cell);
      bar.work = shape.depth() == 0 ? LaneWork::Compartment : LaneWork::Junction;
      chart.bars.push_back(bar);
    }
    const std::size_t rows = static_cast<std::size_t>(shape.restRows()) * unit.cells;
    chart.bands.push_back({"serial sweep", chart.steps, shape.restRows(), false,
                           counted(rows, shape.depth() == 0 ? "compartment" : "junction")});
    chart.steps += shape.restRows();
  }

  const EddPlan& plan;
  const EddUnit& unit;
  const EddShape& shape;
  LaneChart chart;
};

} // namespace

LaneChart EddPlan::chart(std::size_t unit, LaneOrder /*order*/) const
{
  return UnitChart(*this, unit).draw();
}

/// Of one shape all units but the last have the same number of cells.
std::size_t EddPlan::kindOf(std::size_t unit) const
{
  return std::size_t{units[unit].shape} * (static_cast<std::size_t>(parameters.cellsPerUnit) + 1) + units[unit].cells;
}

std::optional<std::size_t> EddPlan::unitOfCell(std::size_t cell) const
{
  const auto found = std::find(cellOrder.begin(), cellOrder.end(), cell);
  if (found == cellOrder.end())
    return std::nullopt;
  const auto place = static_cast<std::size_t>(found - cellOrder.begin());
  const auto after = std::upper_bound(units.begin(), units.end(), place,
                                      [](std::size_t p, const EddUnit& unit) { return p < unit.cellBegin; });
  return static_cast<std::size_t>(after - units.begin()) - 1;
}

/// A slot is read as three numbers and left as three (its factors and its solution), which the way back reads before it
/// writes the solution; what a chain takes from its junctions is two numbers, written and read.
std::size_t EddPlan::bytesMoved() const
{
  return sizeof(double) * (10 * slotCount + 4 * contributionCount);
}

} // namespace hinesight::hines
