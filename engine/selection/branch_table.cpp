#include "selection/branch_table.hpp"

#include "cable/discretization.hpp"
#include "core/parallel.hpp"
#include "hines/branch/plan.hpp"
#include "morphology/morphometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace hinesight::selection {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The rows of one cell, from `first` on, which are being filled.
class CellRows
{
public:
  CellRows(BranchTable& filled, const hines::PlannedShape& plannedShape, std::size_t firstRow)
      : table(filled), shape(plannedShape), first(firstRow), count(plannedShape.tree.branches())
  {}

  double* column(BranchFigure figure) { return table.figures[static_cast<std::size_t>(figure)].data() + first; }

  /// What the tree alone says.
  void addTree(std::size_t cell, std::int32_t block)
  {
    const hines::DependencyTree& tree = shape.tree;
    double* const subtree = column(BranchFigure::Subtree);
    double* const children = column(BranchFigure::Children);
    std::fill_n(subtree, count, 1);
    std::fill_n(children, count, 0);
    for (std::size_t k = count; k-- > 0;)
      if (const std::int32_t parent = tree.parent[k]; parent >= 0) {
        subtree[parent] += subtree[k];
        ++children[parent];
      }
    for (std::size_t k = 0; k < count; ++k) {
      column(BranchFigure::Cell)[k] = static_cast<double>(cell + 1);
      column(BranchFigure::Branch)[k] = static_cast<double>(k + 1);
      column(BranchFigure::Level)[k] = tree.level[k];
      column(BranchFigure::Compartments)[k] = tree.length[k];
      column(BranchFigure::Block)[k] = block < 0 ? kUnknown : block + 1;
    }
  }

  void addShape(const cable::Discretization& discretization)
  {
    std::vector<std::int32_t> ofCompartment(shape.compartment.size());
    for (std::size_t k = 0; k < count; ++k)
      for (std::int32_t i = 0; i < shape.tree.length[k]; ++i) {
        const auto planned = static_cast<std::size_t>(shape.tree.first[k] + i);
        ofCompartment[static_cast<std::size_t>(shape.compartment[planned])] = static_cast<std::int32_t>(k);
      }
    addSamples(discretization, ofCompartment);
  }

private:
  void addSamples(const cable::Discretization& discretization, const std::vector<std::int32_t>& ofCompartment)
  {
    const morphology::Morphology& m = *discretization.morphology;
    const morphology::BranchTree& chains = *discretization.branches;
    const std::array<double, 3> soma = morphology::somaCentreOf(m);
    std::vector<std::int32_t> firstType(count);
    std::vector<std::int32_t> ofFirstType(count, 0);                   // samples
    std::map<std::size_t, std::map<std::int32_t, std::int32_t>> mixed; // samples of the other types of a branch
    std::vector<double> width(count, 0), radii(count, 0);
    std::vector<std::int32_t> samples(count, 0);
    double* const length = column(BranchFigure::Length);
    std::fill_n(length, count, 0);
    double* const far = column(BranchFigure::PathDistance);
    double* const near = column(BranchFigure::PathStart);
    double* const straight = column(BranchFigure::Distance);
    double* const order = column(BranchFigure::Order);
    for (const std::int32_t sample : m.order) {
      const auto s = static_cast<std::size_t>(sample);
      const auto k = static_cast<std::size_t>(ofCompartment[static_cast<std::size_t>(discretization.ofSample[s])]);
      const std::int32_t parent = m.parent[s];
      const double start = chains.pathDistance[parent < 0 ? s : static_cast<std::size_t>(parent)];
      near[k] = std::fmin(near[k], start);
      if (!(chains.pathDistance[s] < far[k])) {
        far[k] = chains.pathDistance[s];
        straight[k] = std::hypot(m.x[s] - soma[0], m.y[s] - soma[1], m.z[s] - soma[2]);
        const std::int32_t chain = chains.ofSample[s];
        order[k] = chain < 0 ? 0 : chains.order[static_cast<std::size_t>(chain)];
      }
      if (samples[k]++ == 0)
        firstType[k] = m.type[s];
      if (m.type[s] == firstType[k])
        ++ofFirstType[k];
      else
        ++mixed[k][m.type[s]];
      radii[k] += m.solvedRadius[s];
      if (parent < 0 || morphology::isStem(m, sample))
        continue;
      const double segment = morphology::sampleDistance(m, sample, parent);
      width[k] += segment * (m.solvedRadius[s] + m.solvedRadius[static_cast<std::size_t>(parent)]);
      length[k] += segment;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (samples[k] == 0)
        continue;
      column(BranchFigure::Type)[k] = firstType[k];
      column(BranchFigure::Diameter)[k] = length[k] > 0 ? width[k] / length[k] : 2 * radii[k] / samples[k];
    }
    for (auto& [k, types] : mixed) {
      types[firstType[k]] = ofFirstType[k];
      column(BranchFigure::Type)[k] =
          std::ranges::max_element(types, {}, [](const auto& counted) { return counted.second; })->first;
    }
  }

  BranchTable& table;
  const hines::PlannedShape& shape;
  std::size_t first;
  std::size_t count;
};

} // namespace

std::optional<std::size_t> BranchTable::rowOf(BranchId id) const
{
  const auto c = static_cast<std::size_t>(id.cell);
  if (id.isNull() || c >= cells() || static_cast<std::size_t>(id.branch) >= firstRow[c + 1] - firstRow[c])
    return std::nullopt;
  return firstRow[c] + static_cast<std::size_t>(id.branch);
}

BranchId BranchTable::idOf(std::size_t row) const
{
  return {cell[row], static_cast<std::int32_t>(row - firstRow[static_cast<std::size_t>(cell[row])])};
}

BranchTable makeBranchRows(std::span<const TabledCell> cells, const hines::SolvePlan& plan)
{
  BranchTable table;
  const std::vector<std::uint32_t>& shapeOf = plan.batch->shapeOf;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    table.cellNames.push_back(cells[cell].name);
    const auto first = static_cast<std::int64_t>(table.firstRow.back());
    if (cell < shapeOf.size())
      for (const std::int32_t parent : plan.asRead[shapeOf[cell]].tree.parent) {
        table.cell.push_back(static_cast<std::int32_t>(cell));
        table.parent.push_back(parent < 0 ? -1 : first + parent);
      }
    table.firstRow.push_back(table.rows());
  }
  return table;
}

BranchTable makeBranchTable(std::span<const TabledCell> cells, const hines::SolvePlan& plan)
{
  BranchTable table = makeBranchRows(cells, plan);
  const std::vector<std::uint32_t>& shapeOf = plan.batch->shapeOf;
  for (std::vector<double>& column : table.figures)
    column.resize(table.rows(), kUnknown);
  const std::vector<std::int32_t> blocks = blockOfShape(plan);
  constexpr std::size_t kFewCells = 16;
  parallelFor(std::min(cells.size(), shapeOf.size()), kFewCells, [&](std::size_t begin, std::size_t end) {
    for (std::size_t cell = begin; cell < end; ++cell) {
      CellRows rows(table, plan.asRead[shapeOf[cell]], table.firstRow[cell]);
      rows.addTree(cell, blocks[shapeOf[cell]]);
      if (cells[cell].discretization)
        rows.addShape(*cells[cell].discretization);
    }
  });
  return table;
}

std::vector<std::int32_t> blockOfShape(const hines::SolvePlan& plan)
{
  std::vector<std::int32_t> block(plan.asRead.size(), -1);
  for (std::size_t i = plan.blocks.size(); i-- > 0;)
    for (const std::uint32_t shape : plan.schedules[plan.blocks[i].schedule].cellShape)
      block[plan.shapes[shape].batchShape] = static_cast<std::int32_t>(i);
  return block;
}

} // namespace hinesight::selection
