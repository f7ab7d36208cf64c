#include "hines/solvers/edd/edd_plan.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::size_t kCheckpointRows = std::size_t{1} << 16;

void validate(const EddPlanParameters& p)
{
  if (p.chainLength < 1)
    throw Error(ErrorCode::BadParameter,
                "The chain length K is " + std::to_string(p.chainLength) + ", but must be 1 or more.");
  if (p.depth < -1)
    throw Error(ErrorCode::BadParameter,
                "The recursion depth is " + std::to_string(p.depth) + ", but must be -1 (by the threshold) or more.");
  if (p.threshold < 1)
    throw Error(ErrorCode::BadParameter,
                "The threshold is " + std::to_string(p.threshold) + " rows, but must be 1 or more.");
  if (p.cellsPerUnit < 1 || p.cellsPerUnit > 1024)
    throw Error(ErrorCode::BadParameter,
                "The cells of a unit are " + std::to_string(p.cellsPerUnit) + ", but must be from 1 to 1024.");
  if (p.contiguousChains && p.cellsPerUnit != 1)
    throw Error(ErrorCode::BadParameter, "Contiguous chains need units of one cell.");
}

using Parents = std::vector<std::int32_t>;

/// Which rows become junctions, root first.
std::vector<bool> junctionsOf(std::span<const std::int32_t> parent, const EddPlanParameters& parameters,
                              const RunControl& control)
{
  const std::size_t n = parent.size();
  const bool fine = parameters.junctions == EddJunctions::Fine;
  std::vector<bool> junction(n, false);
  std::vector<std::int32_t> children(n, 0);
  // Rows of the piece below, its junction included; a tip is counted as if a junction hung below it.
  std::vector<std::int32_t> below(n, 1);
  for (std::size_t i = n; i-- > 0;) {
    if (i % kCheckpointRows == 0)
      control.checkpoint();
    junction[i] = children[i] > 1 || (fine && below[i] >= parameters.chainLength);
    if (parent[i] < 0)
      continue;
    const auto p = static_cast<std::size_t>(parent[i]);
    ++children[p];
    below[p] = junction[i] ? 1 : below[i] + 1;
  }
  return junction;
}

/// One recursion before its slots at the next one are known: junctions and parents are rows of the reduced system.
struct Contraction
{
  EddLevel level;
  std::vector<std::int32_t> slotOfRow;
  Parents reduced;
};

/// The pieces in the order of their first rows, and those rows.
void findPieces(std::span<const std::int32_t> parent, const std::vector<bool>& junction, std::vector<EddPiece>& pieces,
                std::vector<std::int32_t>& firstRow, Parents& reduced)
{
  const auto n = static_cast<std::int32_t>(parent.size());
  std::vector<std::int32_t> number(parent.size(), -1);
  std::vector<bool> isTip(parent.size(), true);
  std::int32_t junctions = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    if (junction[i])
      number[i] = junctions++;
    if (parent[i] >= 0)
      isTip[parent[i]] = false;
  }
  reduced.assign(static_cast<std::size_t>(junctions), -1);
  for (std::int32_t i = 0; i < n; ++i) {
    if (!junction[i] && !isTip[i])
      continue;
    EddPiece piece{1, number[i], -1, -1};
    std::int32_t above = parent[i];
    for (; above >= 0 && !junction[above]; above = parent[above])
      ++piece.length;
    if (above >= 0)
      piece.parent = number[above];
    if (piece.junction >= 0)
      reduced[piece.junction] = piece.parent;
    pieces.push_back(piece);
    firstRow.push_back(i);
  }
}

/// Pieces by falling length, those with a junction first among equals, so that the lanes of a warp do alike.
std::vector<std::size_t> orderOf(const std::vector<EddPiece>& pieces)
{
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t p) { return std::pair(-pieces[p].length, pieces[p].junction < 0); });
  return order;
}

Contraction contract(std::span<const std::int32_t> parent, const EddPlanParameters& parameters, bool contiguous,
                     const RunControl& control)
{
  const std::vector<bool> junction = junctionsOf(parent, parameters, control);
  std::vector<EddPiece> found;
  std::vector<std::int32_t> firstRow;
  Contraction c;
  findPieces(parent, junction, found, firstRow, c.reduced);
  control.checkpoint();

  EddLevel& level = c.level;
  level.rows = static_cast<std::int32_t>(parent.size());
  const std::vector<std::size_t> order = orderOf(found);
  control.checkpoint();
  level.pieces.reserve(order.size());
  level.rowBegin.assign(static_cast<std::size_t>(found[order.front()].length) + 1, 0);
  for (const std::size_t p : order) {
    level.pieces.push_back(found[p]);
    if (contiguous)
      level.pieceBegin.push_back(
          level.pieceBegin.empty() ? 0 : level.pieceBegin.back() + level.pieces[level.pieces.size() - 2].length);
    ++level.rowBegin[found[p].length];
  }
  // From how many pieces end before row k to how many have one, to where it begins.
  auto having = static_cast<std::int32_t>(found.size());
  std::int32_t begin = 0;
  for (std::int32_t& entry : level.rowBegin) {
    having -= entry;
    entry = begin;
    begin += having;
  }

  c.slotOfRow.resize(parent.size());
  for (std::size_t p = 0; p < order.size(); ++p) {
    if (p % kCheckpointRows == 0)
      control.checkpoint();
    std::int32_t row = firstRow[order[p]];
    for (std::int32_t k = 0; k < level.pieces[p].length; ++k, row = parent[row])
      c.slotOfRow[row] = contiguous ? level.pieceBegin[p] + k : level.rowBegin[k] + static_cast<std::int32_t>(p);
  }
  return c;
}

/// Tells the pieces their slots at the next recursion, and that recursion where its contributions are.
std::vector<std::int32_t> link(EddLevel& level, const std::vector<std::int32_t>& slotOfRow)
{
  std::vector<std::int32_t> begin(slotOfRow.size() + 1, 0);
  for (EddPiece& piece : level.pieces) {
    if (piece.junction >= 0)
      piece.junction = slotOfRow[piece.junction];
    if (piece.parent < 0)
      continue;
    piece.parent = slotOfRow[piece.parent];
    ++begin[piece.parent + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  level.contributions = begin.back();
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  for (EddPiece& piece : level.pieces)
    if (piece.parent >= 0)
      piece.contribution = next[piece.parent]++;
  return begin;
}

bool goesOn(std::size_t rows, const EddShape& shape, const EddPlanParameters& parameters)
{
  if (rows == 0)
    return false;
  if (parameters.contiguousChains && shape.levels.empty())
    return true;
  return parameters.depth >= 0 ? shape.depth() < parameters.depth
                               : rows > static_cast<std::size_t>(parameters.threshold);
}

void makeUnits(EddPlan& plan)
{
  const HinesBatch& batch = *plan.batch;
  std::vector<std::vector<std::uint32_t>> cellsOf(batch.shapes.size());
  for (std::size_t cell = 0; cell < batch.cells(); ++cell)
    cellsOf[batch.shapeOf[cell]].push_back(static_cast<std::uint32_t>(cell));
  std::vector<std::uint32_t> order(batch.shapes.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t s) { return batch.shapes[s]->size(); });

  std::size_t rows = 0;
  for (const std::uint32_t s : order) {
    const EddShape& shape = plan.shapes[s];
    const std::vector<std::uint32_t>& cells = cellsOf[s];
    for (std::size_t begin = 0; begin < cells.size(); begin += static_cast<std::size_t>(plan.parameters.cellsPerUnit)) {
      const std::size_t count = std::min(static_cast<std::size_t>(plan.parameters.cellsPerUnit), cells.size() - begin);
      plan.units.push_back({s, static_cast<std::uint32_t>(plan.cellOrder.size() + begin),
                            static_cast<std::uint32_t>(count), rows, plan.slotCount, plan.contributionCount});
      rows += count * batch.shapes[s]->size();
      plan.slotCount += count * shape.slotCount();
      plan.contributionCount += count * shape.contributionCount();
    }
    plan.cellOrder.insert(plan.cellOrder.end(), cells.begin(), cells.end());
  }
}

} // namespace

std::size_t EddShape::slotCount() const
{
  std::size_t sum = restParent.size();
  for (const EddLevel& level : levels)
    sum += static_cast<std::size_t>(level.rows);
  return sum;
}

std::size_t EddShape::contributionCount() const
{
  std::size_t sum = 0;
  for (const EddLevel& level : levels)
    sum += static_cast<std::size_t>(level.contributions);
  return sum;
}

std::int32_t EddPlan::depth() const
{
  std::int32_t deepest = 0;
  for (const EddShape& shape : shapes)
    deepest = std::max(deepest, shape.depth());
  return deepest;
}

EddShape makeEddShape(std::span<const std::int32_t> parent, const EddPlanParameters& parameters,
                      const RunControl& control)
{
  validate(parameters);
  EddShape shape;
  shape.restParent.assign(parent.begin(), parent.end());
  const auto join = [&](const std::vector<std::int32_t>& slotOfRow) {
    if (shape.levels.empty()) {
      shape.slotOf = slotOfRow;
      return std::vector<std::int32_t>{};
    }
    return link(shape.levels.back(), slotOfRow);
  };
  while (goesOn(shape.restParent.size(), shape, parameters)) {
    Contraction c =
        contract(shape.restParent, parameters, parameters.contiguousChains && shape.levels.empty(), control);
    if (c.reduced.size() == shape.restParent.size())
      break;
    control.checkpoint();
    c.level.contributionBegin = join(c.slotOfRow);
    shape.levels.push_back(std::move(c.level));
    shape.restParent = std::move(c.reduced);
  }
  std::vector<std::int32_t> inOrder(shape.restParent.size());
  std::iota(inOrder.begin(), inOrder.end(), 0);
  shape.restContributionBegin = join(inOrder);
  return shape;
}

std::shared_ptr<const EddPlan> makeEddPlan(std::shared_ptr<const HinesBatch> batch, const EddPlanParameters& parameters,
                                           const RunControl& control)
{
  validate(parameters);
  auto plan = std::make_shared<EddPlan>();
  plan->batch = std::move(batch);
  plan->parameters = parameters;
  const auto& shapes = plan->batch->shapes;
  std::size_t rows = 0;
  for (const auto& shape : shapes)
    rows += shape->size();
  constexpr std::size_t kBytesARow = 64;
  requireMemory(rows * kBytesARow, "The plan of the domain decomposition");
  control.report("solver plan", 0);
  plan->shapes.resize(shapes.size());
  parallelFor(shapes.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      control.checkpoint();
      plan->shapes[s] = makeEddShape(shapes[s]->parent, parameters, control);
    }
  });
  makeUnits(*plan);
  control.report("solver plan", 1);
  return plan;
}

} // namespace hinesight::hines
