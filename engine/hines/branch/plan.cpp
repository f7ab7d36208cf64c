#include "hines/branch/plan.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/branch/block_schedule.hpp"
#include "hines/branch/branching.hpp"
#include "hines/branch/pack.hpp"
#include "hines/branch/rooting.hpp"
#include "hines/branch/split.hpp"

#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace hinesight::hines {

std::string describeSplit(const PlanParameters& parameters)
{
  return std::string(splitName(parameters.split)) +
         (parameters.split == SplitStrategy::FixedLength ? ":" + std::to_string(parameters.splitLength) : "");
}

void validate(const PlanParameters& parameters)
{
  validateAllFields(fieldsOf(parameters));
}

namespace {

using detail::CellGroup;
using detail::CutShapes;
using detail::LevelSum;
using detail::Packing;
using Shapes = std::vector<PlannedShape>;

void checkBatch(const HinesBatch& batch)
{
  const auto fail = [](const std::string& what) {
    throw Error(ErrorCode::BadFormat, "The batch contradicts itself: " + what + ".");
  };
  if (batch.cells() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::BadParameter, "The batch has more than 4294967295 cells; choose fewer copies.");
  if (batch.offset.size() != batch.cells() + 1 || batch.offset.front() != 0)
    fail("it needs one offset a cell and one more");
  for (std::size_t cell = 0; cell < batch.cells(); ++cell) {
    if (batch.shapeOf[cell] >= batch.shapes.size())
      fail("cell " + std::to_string(cell) + " has a shape that is not there");
    if (batch.offset[cell + 1] - batch.offset[cell] != batch.shapes[batch.shapeOf[cell]]->size())
      fail("cell " + std::to_string(cell) + " has another size than its shape");
  }
  const std::size_t n = batch.compartments();
  if (batch.d.size() != n || batch.u.size() != n || batch.b.size() != n || batch.excess.size() != n)
    fail("d, u, b and excess must have one number a compartment");
  for (const auto& shape : batch.shapes)
    cable::validate(*shape);
}

void requireMemoryForShapes(const HinesBatch& batch)
{
  // Three numberings a shape (as read, balanced, split) of three numbers a compartment, and as much again while they
  // are built.
  constexpr std::size_t kBytesPerCompartment = 3 * 3 * sizeof(std::int32_t) * 2;
  std::size_t compartments = 0;
  for (const auto& shape : batch.shapes)
    compartments += shape->size();
  requireMemory(compartments * kBytesPerCompartment,
                "Planning cells of " + std::to_string(compartments) + " compartments in all");
}

Shapes rootAndBranch(const HinesBatch& batch, BalanceMeasure balance, const RunControl& control)
{
  Shapes shapes(batch.shapes.size());
  parallelFor(shapes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      control.checkpoint();
      const auto rooting = detail::rootBalanced(batch.shapes[s]->parent, balance, control);
      shapes[s] = detail::buildShape(rooting, static_cast<std::uint32_t>(s), control);
    }
  });
  return shapes;
}

/// Cells by shape, shapes in the order of their first cell. `shapeAt[k]` is the shape of `cells[k]`.
std::vector<CellGroup> groupCells(std::span<const std::uint32_t> cells, std::span<const std::uint32_t> shapeAt,
                                  std::size_t shapeCount)
{
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<CellGroup> groups;
  std::vector<std::size_t> groupOf(shapeCount, kNone);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::uint32_t shape = shapeAt[k];
    if (groupOf[shape] == kNone) {
      groupOf[shape] = groups.size();
      groups.push_back({shape, {}});
    }
    groups[groupOf[shape]].cells.push_back(cells[k]);
  }
  return groups;
}

std::vector<CellGroup> groupByShape(const HinesBatch& batch)
{
  std::vector<std::uint32_t> cells(batch.cells());
  std::iota(cells.begin(), cells.end(), std::uint32_t{0});
  return groupCells(cells, batch.shapeOf, batch.shapes.size());
}

double averageLength(const LevelSum& level)
{
  return level.branches > 0 ? level.compartments / level.branches : 1.0;
}

CutShapes cutWholeBatch(const Shapes& balanced, const HinesBatch& batch, const PlanParameters& parameters,
                        const RunControl& control)
{
  std::vector<std::size_t> copies(balanced.size(), 0);
  for (const std::uint32_t shape : batch.shapeOf)
    ++copies[shape];
  std::vector<const PlannedShape*> pointers;
  for (const PlannedShape& shape : balanced)
    pointers.push_back(&shape);
  if (parameters.split == SplitStrategy::LevelAverage)
    return detail::cutByLevel(pointers, copies, averageLength, control);
  return detail::cutByLevel(
      pointers, copies, [&](const LevelSum&) { return static_cast<double>(parameters.splitLength); }, control);
}

/// The ways in which blocks cut the shapes, each kept once.
class CutVariants
{
public:
  explicit CutVariants(Shapes balanced) : shapes(std::move(balanced)), hasCut(shapes.size(), false) {}

  std::uint32_t indexOf(PlannedShape&& cut)
  {
    const std::uint32_t batchShape = cut.batchShape;
    const auto [known, isNew] = variantOf.try_emplace({batchShape, cut.tree.length}, 0);
    if (!isNew)
      return known->second;
    // The first one replaces the uncut shape, so that there is one a shape of the batch at its own index.
    const bool isFirst = !hasCut[batchShape];
    hasCut[batchShape] = true;
    known->second = isFirst ? batchShape : static_cast<std::uint32_t>(shapes.size());
    if (isFirst)
      shapes[batchShape] = std::move(cut);
    else
      shapes.push_back(std::move(cut));
    return known->second;
  }

  Shapes take() { return std::move(shapes); }

private:
  Shapes shapes;
  std::vector<bool> hasCut;
  // The lengths of the pieces, level after level, tell two ways to cut one shape apart.
  std::map<std::pair<std::uint32_t, std::vector<std::int32_t>>, std::uint32_t> variantOf;
};

struct CutBatch
{
  Shapes shapes;
  std::vector<CellGroup> groups;
};

/// Cuts the cells of each block of `packing` by the averages of that block. The groups follow the blocks.
CutBatch cutBlockByBlock(const Shapes& balanced, const Packing& packing, const RunControl& control)
{
  CutVariants variants(balanced);
  std::vector<std::map<std::uint32_t, std::uint32_t>> variantIn; // per sequence: shape -> variant
  for (const std::vector<std::uint32_t>& sequence : packing.sequences) {
    std::map<std::uint32_t, std::size_t> count;
    for (const std::uint32_t shape : sequence)
      ++count[shape];
    std::vector<const PlannedShape*> pointers;
    std::vector<std::size_t> copies;
    for (const auto& [shape, cells] : count) {
      pointers.push_back(&balanced[shape]);
      copies.push_back(cells);
    }
    CutShapes cut = detail::cutByLevel(pointers, copies, averageLength, control);
    variantIn.emplace_back();
    for (PlannedShape& shape : cut.shapes) {
      const std::uint32_t batchShape = shape.batchShape;
      variantIn.back()[batchShape] = variants.indexOf(std::move(shape));
    }
  }
  std::vector<std::uint32_t> variantOfCell;
  variantOfCell.reserve(packing.cellOrder.size());
  for (const detail::PackedBlock& block : packing.blocks)
    for (const std::uint32_t shape : packing.sequences[block.sequence])
      variantOfCell.push_back(variantIn[block.sequence].at(shape));
  Shapes shapes = variants.take();
  const std::size_t shapeCount = shapes.size();
  return {std::move(shapes), groupCells(packing.cellOrder, variantOfCell, shapeCount)};
}

/// The schedules of a packing without their slots.
std::vector<BlockSchedule> layOutSequences(const Packing& packing, const Shapes& shapes, bool sortByLength,
                                           const RunControl& control)
{
  std::vector<BlockSchedule> schedules(packing.sequences.size());
  parallelFor(schedules.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s)
      schedules[s] =
          detail::layOutBranches(packing.sequences[s], packing.branchLevels[s], shapes, sortByLength, control);
  });
  return schedules;
}

ScheduleFigures measurePacking(const Packing& packing, std::span<const BlockSchedule> schedules, std::int32_t blockSize)
{
  std::vector<std::size_t> timesUsed(schedules.size(), 0);
  for (const detail::PackedBlock& block : packing.blocks)
    ++timesUsed[block.sequence];
  return detail::measure(schedules, timesUsed, blockSize);
}

void completeSchedules(SolvePlan& plan, const RunControl& control)
{
  std::size_t bytes = 0;
  for (const BlockSchedule& schedule : plan.schedules) {
    detail::requireSlots(schedule);
    bytes += static_cast<std::size_t>(detail::slotsOf(schedule)) * 3 * sizeof(std::int32_t) +
             static_cast<std::size_t>(schedule.branches()) * 7 * sizeof(std::int32_t);
  }
  requireMemory(bytes, "The level-interleaved layout");

  std::vector<std::vector<std::int32_t>> branchOrder(plan.shapes.size());
  parallelFor(plan.shapes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      control.checkpoint();
      branchOrder[s] = detail::serialBranchOrder(plan.shapes[s], control);
    }
  });
  parallelFor(plan.schedules.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      control.checkpoint();
      detail::layOutSlots(plan.schedules[s], plan.shapes, branchOrder, control);
    }
  });
}

void placeBlocks(SolvePlan& plan, Packing&& packing)
{
  plan.cellOrder = std::move(packing.cellOrder);
  plan.blocks.reserve(packing.blocks.size());
  for (const detail::PackedBlock& block : packing.blocks) {
    plan.blocks.push_back({block.sequence, plan.slotCount, block.cellBegin});
    plan.slotCount += static_cast<std::size_t>(plan.schedules[block.sequence].slotCount());
  }
}

} // namespace

std::shared_ptr<const SolvePlan> makePlan(std::shared_ptr<const HinesBatch> batch, const PlanParameters& parameters,
                                          const RunControl& control)
{
  validate(parameters);
  if (!batch)
    throw Error(ErrorCode::BadParameter, "There is no batch to plan; open a cell first.");
  control.report("plan", 0);
  checkBatch(*batch);
  requireMemoryForShapes(*batch);

  auto plan = std::make_shared<SolvePlan>();
  plan->batch = batch;
  plan->parameters = parameters;
  plan->asRead = rootAndBranch(*batch, BalanceMeasure::None, control);
  control.report("plan", 0.15);
  const Shapes balanced =
      parameters.balance == BalanceMeasure::None ? plan->asRead : rootAndBranch(*batch, parameters.balance, control);
  control.report("plan", 0.35);

  const std::vector<CellGroup> groups = groupByShape(*batch);
  const auto pack = [&](std::span<const CellGroup> cells, const Shapes& shapes) {
    return detail::packCells(cells, shapes, parameters.pack, parameters.blockSize, control);
  };
  Packing packing;
  if (parameters.split == SplitStrategy::None) {
    plan->shapes = balanced;
    packing = pack(groups, plan->shapes);
  } else if (parameters.split == SplitStrategy::BlockAverage) {
    CutBatch cut = cutBlockByBlock(balanced, pack(groups, balanced), control);
    plan->shapes = std::move(cut.shapes);
    packing = pack(cut.groups, plan->shapes);
  } else {
    CutShapes cut = cutWholeBatch(balanced, *batch, parameters, control);
    plan->shapes = std::move(cut.shapes);
    plan->levelThreshold = std::move(cut.levelThreshold);
    packing = pack(groups, plan->shapes);
  }
  control.report("plan", 0.55);

  plan->schedules = layOutSequences(packing, plan->shapes, parameters.sortByLength, control);
  plan->figures = measurePacking(packing, plan->schedules, parameters.blockSize);
  control.report("plan", 0.65);
  completeSchedules(*plan, control);
  control.report("plan", 0.9);
  placeBlocks(*plan, std::move(packing));

  const auto figuresOf = [&](const Shapes& shapes) {
    const Packing packed = pack(groups, shapes);
    return measurePacking(packed, layOutSequences(packed, shapes, parameters.sortByLength, control),
                          parameters.blockSize);
  };
  plan->figuresAsRead = figuresOf(plan->asRead);
  if (parameters.split == SplitStrategy::None)
    plan->figuresUncut = plan->figures;
  else if (parameters.balance == BalanceMeasure::None)
    plan->figuresUncut = plan->figuresAsRead;
  else
    plan->figuresUncut = figuresOf(balanced);
  control.report("plan", 1);
  return plan;
}

} // namespace hinesight::hines
