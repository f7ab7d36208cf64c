#include "hines/resident_plan.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/pulse.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kLanes = 32;
constexpr std::size_t kMostRanks = 8;        ///< thread blocks of a cluster that every device with clusters supports
constexpr std::int32_t kMostIndexed = 65534; ///< nodes, contributions and slots of a rank have 16-bit numbers on chip

/// The cells of a unit as one forest.
struct Forest
{
  std::vector<std::int32_t> parent;
  std::vector<std::int32_t> cell;
  std::vector<std::int32_t> compartment;

  std::int32_t size() const { return static_cast<std::int32_t>(parent.size()); }
};

Forest joinCells(const HinesBatch& batch, std::span<const std::uint32_t> shapes)
{
  Forest forest;
  for (std::size_t c = 0; c < shapes.size(); ++c) {
    const auto base = forest.size();
    const std::vector<std::int32_t>& parent = batch.shapes[shapes[c]]->parent;
    for (std::size_t i = 0; i < parent.size(); ++i) {
      forest.parent.push_back(parent[i] < 0 ? -1 : parent[i] + base);
      forest.cell.push_back(static_cast<std::int32_t>(c));
      forest.compartment.push_back(static_cast<std::int32_t>(i));
    }
  }
  return forest;
}

/// A piece while the plan is made: `compartments` root side first, [begin, end) of Pieces::compartment.
struct CutPiece
{
  std::int32_t begin = 0;
  std::int32_t end = 0;
  bool isTip = false;
  std::int32_t parentPiece = -1;

  std::int32_t length() const { return end - begin; }
};

/// Every branch of a forest cut into pieces of nearly equal length; a parent piece precedes its children.
struct Pieces
{
  std::vector<std::int32_t> compartment;
  std::vector<CutPiece> piece;
};

Pieces cutIntoPieces(const Forest& forest, std::int32_t pieceLength, const RunControl& control)
{
  const std::int32_t n = forest.size();
  std::vector<std::int32_t> children(static_cast<std::size_t>(n), 0);
  std::vector<std::int32_t> lastChild(static_cast<std::size_t>(n), -1);
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t p = forest.parent[i];
    if (p < 0)
      continue;
    ++children[p];
    lastChild[p] = i;
  }
  Pieces pieces;
  pieces.compartment.reserve(static_cast<std::size_t>(n));
  std::vector<std::int32_t> pieceEndingAt(static_cast<std::size_t>(n), -1);
  detail::Pulse pulse(control);
  for (std::int32_t head = 0; head < n; ++head) {
    pulse.tick();
    const std::int32_t above = forest.parent[head];
    if (above >= 0 && children[above] == 1)
      continue; // inside a branch
    const auto first = static_cast<std::int64_t>(pieces.compartment.size());
    std::int32_t end = head;
    pieces.compartment.push_back(head);
    while (children[end] == 1) {
      end = lastChild[end];
      pieces.compartment.push_back(end);
    }
    const std::int64_t length = static_cast<std::int64_t>(pieces.compartment.size()) - first;
    const std::int64_t count = (length + pieceLength - 1) / pieceLength;
    std::int32_t parentPiece = above < 0 ? -1 : pieceEndingAt[above];
    for (std::int64_t q = 0; q < count; ++q) {
      CutPiece piece;
      piece.begin = static_cast<std::int32_t>(first + length * q / count);
      piece.end = static_cast<std::int32_t>(first + length * (q + 1) / count);
      piece.isTip = q == count - 1 && children[end] == 0;
      piece.parentPiece = parentPiece;
      parentPiece = static_cast<std::int32_t>(pieces.piece.size());
      pieceEndingAt[pieces.compartment[static_cast<std::size_t>(piece.end) - 1]] = parentPiece;
      pieces.piece.push_back(piece);
    }
  }
  return pieces;
}

/// The order in which the junctions are eliminated.
struct Contraction
{
  std::vector<std::int32_t> pieceOfNode;
  std::vector<std::int32_t> nodeOfPiece; ///< -1 for tips
  std::vector<std::int32_t> parentPiece; ///< of each node when it is eliminated; -1: none
  std::vector<std::int32_t> childPiece;
  std::vector<std::int32_t> roundBegin;
};

/// Rake and compress. Which child of a node is still there is kept as the exclusive or of them all, so that a star
/// costs no more than a chain.
Contraction contract(const Pieces& pieces, const RunControl& control)
{
  const std::size_t count = pieces.piece.size();
  std::vector<std::int32_t> parent(count);
  std::vector<std::int32_t> children(count, 0);
  std::vector<std::int32_t> childMix(count, 0);
  std::vector<std::int32_t> alive;
  for (std::size_t p = 0; p < count; ++p) {
    parent[p] = pieces.piece[p].parentPiece;
    if (pieces.piece[p].isTip)
      continue;
    alive.push_back(static_cast<std::int32_t>(p));
    if (parent[p] >= 0) {
      ++children[parent[p]];
      childMix[parent[p]] ^= static_cast<std::int32_t>(p);
    }
  }
  Contraction result;
  result.nodeOfPiece.assign(count, -1);
  result.roundBegin.push_back(0);
  std::vector<char> picked(count, 0);
  detail::Pulse pulse(control);
  while (!alive.empty()) {
    for (const std::int32_t p : alive)
      picked[p] = children[p] == 0;
    for (const std::int32_t p : alive)
      if (children[p] == 1 && !picked[childMix[p]] && (parent[p] < 0 || !picked[parent[p]]))
        picked[p] = 1;
    for (const std::int32_t p : alive) {
      pulse.tick();
      if (!picked[p])
        continue;
      result.nodeOfPiece[p] = static_cast<std::int32_t>(result.pieceOfNode.size());
      result.pieceOfNode.push_back(p);
      result.parentPiece.push_back(parent[p]);
      result.childPiece.push_back(children[p] == 0 ? -1 : childMix[p]);
    }
    for (auto j = static_cast<std::size_t>(result.roundBegin.back()); j < result.pieceOfNode.size(); ++j) {
      const std::int32_t p = result.pieceOfNode[j];
      const std::int32_t above = parent[p];
      const std::int32_t below = result.childPiece[j];
      if (below >= 0)
        parent[below] = above;
      if (above < 0)
        continue;
      childMix[above] ^= p;
      if (below >= 0)
        childMix[above] ^= below;
      else
        --children[above];
    }
    std::erase_if(alive, [&](std::int32_t p) { return picked[p] != 0; });
    result.roundBegin.push_back(static_cast<std::int32_t>(result.pieceOfNode.size()));
  }
  return result;
}

/// Nodes with their places for contributions, those of a node side by side; returns each piece's place.
std::vector<std::int32_t> placeContributions(const Pieces& pieces, const Contraction& contraction,
                                             ResidentSchedule& schedule)
{
  const std::size_t nodeCount = contraction.pieceOfNode.size();
  std::vector<std::int32_t> begin(nodeCount + 1, 0);
  for (const CutPiece& piece : pieces.piece)
    if (piece.parentPiece >= 0)
      ++begin[static_cast<std::size_t>(contraction.nodeOfPiece[piece.parentPiece]) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());

  std::vector<std::int32_t> place(pieces.piece.size());
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  schedule.contributions = begin.back();
  for (std::size_t p = 0; p < place.size(); ++p) {
    const std::int32_t parentPiece = pieces.piece[p].parentPiece;
    // What a root leaves is nobody's, but has a place of its own: so no lane has to ask.
    place[p] = parentPiece < 0 ? schedule.contributions++ : next[contraction.nodeOfPiece[parentPiece]]++;
  }

  const auto nodeOf = [&](std::int32_t piece) { return piece < 0 ? -1 : contraction.nodeOfPiece[piece]; };
  std::vector<std::int32_t> inherited = place; // a node inherits the place of the parent that was eliminated above it
  schedule.nodes.resize(nodeCount + 1);
  for (std::size_t j = 0; j < nodeCount; ++j) {
    const std::int32_t piece = contraction.pieceOfNode[j];
    const std::int32_t below = contraction.childPiece[j];
    schedule.nodes[j] = {nodeOf(contraction.parentPiece[j]), nodeOf(below), inherited[piece], begin[j]};
    if (below >= 0)
      inherited[below] = inherited[piece];
  }
  schedule.nodes.back().contributionBegin = begin.back();
  schedule.roundBegin = contraction.roundBegin;
  return place;
}

/// Groups of 32 pieces of similar length, dealt to `ranks` thread blocks so that each has about as many slots.
void layOutPieces(const Forest& forest, const Pieces& pieces, const Contraction& contraction,
                  std::span<const std::int32_t> place, std::size_t ranks, std::int32_t alignment,
                  ResidentSchedule& schedule)
{
  const auto count = static_cast<std::int32_t>(pieces.piece.size());
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return pieces.piece[a].length() > pieces.piece[b].length(); });
  std::vector<std::vector<std::int32_t>> groupsOf(ranks);
  std::vector<std::int64_t> load(ranks, 0);
  // The first block holds the nodes too: two compartments' worth of memory each.
  load.front() = ranks > 1 ? 2 * static_cast<std::int64_t>(contraction.pieceOfNode.size()) : 0;
  for (std::int32_t first = 0; first < count; first += kLanes) {
    const auto rank = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
    groupsOf[rank].push_back(first);
    for (std::int32_t q = first; q < std::min(count, first + kLanes); ++q)
      load[rank] += pieces.piece[order[q]].length();
  }

  schedule.pieces.clear();
  schedule.rowBegin.assign(1, 0);
  schedule.rowSlot.clear();
  schedule.ranks.clear();
  schedule.slotCell.clear();
  schedule.slotCompartment.clear();
  for (const std::vector<std::int32_t>& groups : groupsOf) {
    ResidentRank rank;
    rank.groupBegin = schedule.groups();
    rank.groupCount = static_cast<std::int32_t>(groups.size());
    rank.slotBegin = schedule.slots();
    for (const std::int32_t first : groups) {
      const std::int32_t last = std::min(count, first + kLanes);
      for (std::int32_t q = first; q < first + kLanes; ++q) {
        ResidentPiece piece;
        if (q < last) {
          const CutPiece& cut = pieces.piece[order[q]];
          piece.length = cut.length();
          piece.node = contraction.nodeOfPiece[order[q]];
          piece.parentNode = cut.parentPiece < 0 ? -1 : contraction.nodeOfPiece[cut.parentPiece];
          piece.contribution = place[order[q]];
        }
        schedule.pieces.push_back(piece);
      }
      const std::int32_t rows = pieces.piece[order[first]].length();
      for (std::int32_t row = 0; row < rows; ++row) {
        schedule.rowSlot.push_back(schedule.slots() - rank.slotBegin);
        for (std::int32_t q = first; q < last && pieces.piece[order[q]].length() > row; ++q) {
          const std::int32_t i = pieces.compartment[static_cast<std::size_t>(pieces.piece[order[q]].end - 1 - row)];
          schedule.slotCell.push_back(forest.cell[i]);
          schedule.slotCompartment.push_back(forest.compartment[i]);
        }
      }
      schedule.rowBegin.push_back(static_cast<std::int32_t>(schedule.rowSlot.size()));
      while (schedule.slots() % alignment != 0) {
        schedule.slotCell.push_back(-1);
        schedule.slotCompartment.push_back(-1);
      }
    }
    rank.slotCount = schedule.slots() - rank.slotBegin;
    schedule.ranks.push_back(rank);
  }
}

bool fitsOnChip(const ResidentSchedule& schedule, std::size_t bytes, Precision precision)
{
  if (schedule.nodeCount() > kMostIndexed || schedule.contributions > kMostIndexed)
    return false;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    if (schedule.ranks[rank].slotCount > kMostIndexed || residentBytes(schedule, rank, precision) > bytes)
      return false;
  return true;
}

std::int32_t automaticPieceLength(std::int32_t compartments)
{
  return compartments > 8000 ? 32 : compartments > 3000 ? 24 : 16;
}

struct ClusterSize
{
  std::size_t ranks;
  std::size_t blockBytes; ///< of each
  double multiprocessors; ///< that it fills
};

/// The ways to divide `bytes` among the thread blocks of a cluster, those that fill the least of the device first.
std::vector<ClusterSize> clusterSizes(std::size_t bytes, std::size_t blockBytes)
{
  constexpr std::size_t kReservedBytes = 1024; // of every block, by the system
  std::vector<ClusterSize> sizes;
  for (std::size_t together = 1; together <= 2; ++together) {
    const std::size_t each = (blockBytes + kReservedBytes) / together - kReservedBytes;
    for (std::size_t ranks = std::max<std::size_t>(2, bytes / each + 1); ranks <= kMostRanks; ++ranks)
      sizes.push_back({ranks, each, static_cast<double>(ranks) / static_cast<double>(together)});
  }
  std::ranges::stable_sort(sizes, {}, &ClusterSize::multiprocessors);
  return sizes;
}

ResidentSchedule makeSchedule(const HinesBatch& batch, std::vector<std::uint32_t> shapes,
                              const ResidentParameters& parameters, const RunControl& control)
{
  const Forest forest = joinCells(batch, shapes);
  const Pieces pieces = cutIntoPieces(
      forest, parameters.pieceLength > 0 ? parameters.pieceLength : automaticPieceLength(forest.size()), control);
  const Contraction contraction = contract(pieces, control);
  const std::int32_t alignment = residentAlignment(parameters.precision);
  ResidentSchedule schedule;
  schedule.cellShape = std::move(shapes);
  const std::vector<std::int32_t> place = placeContributions(pieces, contraction, schedule);
  layOutPieces(forest, pieces, contraction, place, 1, alignment, schedule);
  if (fitsOnChip(schedule, parameters.blockBytes, parameters.precision))
    return schedule;
  const std::size_t bytes = residentBytes(schedule, 0, parameters.precision);
  for (const ClusterSize& size : clusterSizes(bytes, parameters.blockBytes)) {
    layOutPieces(forest, pieces, contraction, place, size.ranks, alignment, schedule);
    if (fitsOnChip(schedule, size.blockBytes, parameters.precision))
      return schedule;
  }
  layOutPieces(forest, pieces, contraction, place, 1, alignment, schedule);
  schedule.ranks.clear();
  return schedule;
}

/// The cells of each unit. Cells of one shape share units; what is left of all shapes is put together.
std::vector<std::vector<std::uint32_t>> groupCells(const HinesBatch& batch, const ResidentParameters& parameters)
{
  // Few cells: rather more units than thread blocks that hold many cells each.
  constexpr std::size_t kUnitsWanted = 1024;
  const auto most = static_cast<std::size_t>(parameters.unitCompartments);
  const std::size_t target = std::clamp(batch.compartments() / kUnitsWanted, std::min<std::size_t>(64, most), most);

  std::vector<std::vector<std::uint32_t>> cellsOf(batch.shapes.size());
  for (std::size_t cell = 0; cell < batch.cells(); ++cell)
    cellsOf[batch.shapeOf[cell]].push_back(static_cast<std::uint32_t>(cell));
  std::vector<std::uint32_t> bySize(batch.shapes.size());
  std::iota(bySize.begin(), bySize.end(), 0u);
  std::stable_sort(bySize.begin(), bySize.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return batch.shapes[a]->size() > batch.shapes[b]->size(); });

  std::vector<std::vector<std::uint32_t>> units;
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t shape : bySize) {
    const std::size_t size = std::max<std::size_t>(1, batch.shapes[shape]->size());
    const std::size_t together = std::max<std::size_t>(1, target / size);
    const std::vector<std::uint32_t>& cells = cellsOf[shape];
    std::size_t used = 0;
    for (; used + together <= cells.size(); used += together)
      units.emplace_back(cells.begin() + static_cast<std::ptrdiff_t>(used),
                         cells.begin() + static_cast<std::ptrdiff_t>(used + together));
    rest.insert(rest.end(), cells.begin() + static_cast<std::ptrdiff_t>(used), cells.end());
  }
  std::size_t filled = target;
  for (const std::uint32_t cell : rest) {
    const std::size_t size = batch.shapes[batch.shapeOf[cell]]->size();
    if (filled + size > target) {
      units.emplace_back();
      filled = 0;
    }
    units.back().push_back(cell);
    filled += size;
  }
  return units;
}

} // namespace

void validate(const ResidentParameters& parameters)
{
  const auto require = [](bool valid, const std::string& what) {
    if (!valid)
      throw Error(ErrorCode::BadParameter, what);
  };
  require(parameters.pieceLength >= 0 && parameters.pieceLength <= 512,
          "The piece length is " + std::to_string(parameters.pieceLength) +
              " compartments; choose 1 to 512, or 0 for automatic.");
  require(parameters.unitCompartments >= 1 && parameters.unitCompartments <= 65536,
          "The size of a unit is " + std::to_string(parameters.unitCompartments) +
              " compartments; choose 1 to 65,536.");
  require(parameters.blockBytes >= 16384 && parameters.blockBytes <= 1048576,
          "The shared memory of a block is " + std::to_string(parameters.blockBytes) +
              " bytes; choose 16,384 to 1,048,576.");
}

std::int32_t residentAlignment(Precision precision)
{
  return static_cast<std::int32_t>(16 / bytesOf(precision));
}

std::size_t residentBytes(const ResidentSchedule& schedule, std::size_t rank, Precision precision)
{
  const auto align = [](std::size_t bytes) { return (bytes + 15) & ~std::size_t{15}; };
  const ResidentRank& r = schedule.ranks[rank];
  const auto groups = static_cast<std::size_t>(r.groupCount);
  const auto rows =
      static_cast<std::size_t>(schedule.rowBegin[r.groupBegin + r.groupCount] - schedule.rowBegin[r.groupBegin]);
  const std::size_t real = bytesOf(precision);
  std::size_t bytes = kResidentBarrierBytes + 3 * real * static_cast<std::size_t>(r.slotCount);
  bytes += align(8 * kLanes * groups + 4 * (groups + 1) + 2 * (rows + 1));
  if (rank == 0) {
    const auto nodes = static_cast<std::size_t>(schedule.nodeCount());
    bytes += align(8 * schedule.nodes.size() + 2 * schedule.roundBegin.size());
    bytes += align(3 * real * nodes) + 2 * real * static_cast<std::size_t>(schedule.contributions);
  }
  return bytes;
}

std::shared_ptr<const ResidentPlan> makeResidentPlan(std::shared_ptr<const HinesBatch> batch,
                                                     const ResidentParameters& parameters, const RunControl& control)
{
  validate(parameters);
  auto plan = std::make_shared<ResidentPlan>();
  plan->batch = batch;
  plan->parameters = parameters;
  std::size_t distinct = 0;
  for (const auto& shape : batch->shapes)
    distinct += shape->size();
  constexpr std::size_t kBytesPerCompartment = 128; // forest, pieces and schedule of a distinct cell
  constexpr std::size_t kBytesPerCell = 64;
  requireMemory(kBytesPerCompartment * distinct + kBytesPerCell * batch->cells(), "The resident solver's plan");
  std::vector<std::vector<std::uint32_t>> cells = groupCells(*batch, parameters);
  control.report("plan", 0.1);

  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  std::vector<std::vector<std::uint32_t>> sequences;
  std::vector<std::uint32_t> scheduleOf;
  for (const std::vector<std::uint32_t>& unit : cells) {
    std::vector<std::uint32_t> shapes;
    for (const std::uint32_t cell : unit)
      shapes.push_back(batch->shapeOf[cell]);
    const auto [entry, isNew] = known.try_emplace(shapes, static_cast<std::uint32_t>(sequences.size()));
    if (isNew)
      sequences.push_back(std::move(shapes));
    scheduleOf.push_back(entry->second);
  }
  plan->schedules.resize(sequences.size());
  parallelFor(sequences.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s)
      plan->schedules[s] = makeSchedule(*batch, std::move(sequences[s]), parameters, control);
  });
  control.report("plan", 0.9);

  for (std::size_t k = 0; k < cells.size(); ++k) {
    ResidentUnit unit;
    unit.schedule = scheduleOf[k];
    unit.slotBegin = plan->slots;
    unit.cellBegin = plan->cellOrder.size();
    plan->units.push_back(unit);
    plan->cellOrder.insert(plan->cellOrder.end(), cells[k].begin(), cells[k].end());
    plan->slots += (static_cast<std::size_t>(plan->schedules[unit.schedule].slots()) + 15) & ~std::size_t{15};
  }
  return plan;
}

} // namespace hinesight::hines
