#include "hines/shares.hpp"

#include "core/device.hpp"
#include "core/shares.hpp"
#include "hines/solvers/definition.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hinesight::hines {

ShareTimes::ShareTimes(const HinesBatch& ofBatch, const SolveParameters& parameters, std::size_t shares,
                       const RunControl& control)
    : batch(ofBatch), solver(definitionOf(parameters.solver))
{
  if (solver.isCosted(parameters))
    cost = solver.cudaCost();
  if (!cost)
    return;
  scope.backend = Backend::Cuda;
  scope.precision = parameters.precision;
  scope.device = planningDevice(parameters.gpu);
  scope.evenShare = std::max<std::size_t>(1, batch.compartments() / shares);
  nanoseconds = costsOn(scope.device, *cost, scope.precision);
  shapes = profileShapes(batch, control);
}

double ShareTimes::of(CellRange range)
{
  if (!cost)
    return static_cast<double>(batch.offset[range.end] - batch.offset[range.begin]);
  count(range);
  std::vector<ShapeProfile> inside;
  std::ranges::copy_if(shapes, std::back_inserter(inside), [](const ShapeProfile& shape) { return shape.cells > 0; });
  constexpr double kMilliseconds = 1e-6;
  return timeOf(solver.countTerms(profileOf(std::move(inside)), scope), nanoseconds) * kMilliseconds;
}

/// From the range that was asked for before: a search asks for ranges that differ little.
void ShareTimes::count(CellRange range)
{
  const auto cellsOf = [this](std::size_t cell) -> std::size_t& { return shapes[batch.shapeOf[cell]].cells; };
  if (range.begin >= counted.end || range.end <= counted.begin) {
    for (ShapeProfile& shape : shapes)
      shape.cells = 0;
    counted = {range.begin, range.begin};
  }
  while (counted.begin > range.begin)
    ++cellsOf(--counted.begin);
  while (counted.end < range.end)
    ++cellsOf(counted.end++);
  while (counted.begin < range.begin)
    --cellsOf(counted.begin++);
  while (counted.end > range.end)
    --cellsOf(--counted.end);
}

std::vector<CellRange> shareCells(const HinesBatch& batch, const SolveParameters& parameters, std::size_t shares,
                                  const RunControl& control)
{
  const std::size_t count = std::min(shares, batch.cells());
  ShareTimes times(batch, parameters, count, control);
  const bool areEqual = batch.shapes.size() == 1;
  const std::vector<std::size_t> cuts =
      areEqual ? cutIntoShares(batch.offset, count)
               : cutIntoShares(batch.offset, count, [&](std::size_t begin, std::size_t end) {
                   control.checkpoint();
                   return times.of({begin, end});
                 });
  std::vector<CellRange> ranges;
  for (std::size_t k = 0; k < count; ++k)
    ranges.push_back({cuts[k], cuts[k + 1]});
  return ranges;
}

} // namespace hinesight::hines
