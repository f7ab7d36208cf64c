#include "hines/solvers/resident/resident_plan.hpp"

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "hines/pulse.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace hinesight::hines {

namespace {

constexpr std::int32_t kLanes = 32;
constexpr std::size_t kMostRanks = 8; ///< thread blocks of a cluster that every device with clusters supports

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
struct BranchPiece
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
  std::vector<BranchPiece> piece;
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
      BranchPiece piece;
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

/// Which thread block has each piece.
using Deal = std::vector<std::int32_t>;

/// Divides the tree into connected parts, a few for each of `ranks` thread blocks, so that few junctions lie between
/// parts, and deals these to the blocks, the largest first.
Deal dealPieces(const Pieces& pieces, std::size_t ranks)
{
  const std::size_t count = pieces.piece.size();
  if (ranks == 1)
    return Deal(count, 0);
  constexpr std::int32_t kPartsOfARank = 6;
  const std::int32_t target = std::max<std::int32_t>(8, static_cast<std::int32_t>(count / ranks) / kPartsOfARank);

  std::vector<std::int32_t> part(count, -1); // where a part begins
  std::vector<std::int32_t> sizes;
  std::vector<std::int32_t> below(count, 0); // pieces of the subtree that are in no part yet, without the piece itself
  std::vector<std::int32_t> lastPending(count, -1);
  std::vector<std::int32_t> nextPending(count, -1);
  for (auto p = static_cast<std::int32_t>(count) - 1; p >= 0; --p) {
    const std::int32_t size = below[p] + 1;
    const std::int32_t above = pieces.piece[p].parentPiece;
    if (above < 0 || size >= target) {
      part[p] = static_cast<std::int32_t>(sizes.size());
      sizes.push_back(size);
      continue;
    }
    below[above] += size;
    nextPending[p] = lastPending[above];
    lastPending[above] = p;
    if (below[above] < target)
      continue;
    for (std::int32_t q = lastPending[above]; q >= 0; q = nextPending[q])
      part[q] = static_cast<std::int32_t>(sizes.size());
    sizes.push_back(below[above]);
    below[above] = 0;
    lastPending[above] = -1;
  }

  std::vector<std::int32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::int32_t k) { return sizes[k]; });
  std::vector<std::int32_t> load(ranks, 0);
  std::vector<std::int32_t> rankOf(sizes.size());
  for (const std::int32_t k : order) {
    const auto least = std::ranges::min_element(load);
    *least += sizes[k];
    rankOf[k] = static_cast<std::int32_t>(least - load.begin());
  }
  Deal deal(count);
  for (std::size_t p = 0; p < count; ++p) {
    if (part[p] < 0)
      part[p] = part[pieces.piece[p].parentPiece];
    deal[p] = rankOf[part[p]];
  }
  return deal;
}

/// The order in which the junctions are eliminated: those that are one rank's own, rank after rank, then the shared.
struct Contraction
{
  std::vector<std::int32_t> pieceOfNode;
  std::vector<std::int32_t> nodeOfPiece; ///< -1 for tips
  std::vector<std::int32_t> parentPiece; ///< of each node when it is eliminated; -1: none
  std::vector<std::int32_t> childPiece;
  std::vector<std::int32_t> roundBegin;
  std::vector<std::int32_t> roundsOfRank; ///< size ranks + 1: first round of each, and of the shared
};

/// Rake and compress. Which child of a node is still there is kept as the exclusive or of them all, so that a star
/// costs no more than a chain.
class Contractor
{
public:
  Contractor(const Pieces& pieces, const RunControl& control) : pulse(control)
  {
    const std::size_t count = pieces.piece.size();
    parent.resize(count);
    children.assign(count, 0);
    childMix.assign(count, 0);
    picked.assign(count, 0);
    result.nodeOfPiece.assign(count, -1);
    result.roundBegin.push_back(0);
    for (std::size_t p = 0; p < count; ++p) {
      parent[p] = pieces.piece[p].parentPiece;
      if (pieces.piece[p].isTip || parent[p] < 0)
        continue;
      ++children[parent[p]];
      childMix[parent[p]] ^= static_cast<std::int32_t>(p);
    }
  }

  /// Rounds among `alive` until none of them can be eliminated while the others stay; returns what is left.
  std::vector<std::int32_t> eliminate(std::vector<std::int32_t> alive)
  {
    while (!alive.empty()) {
      for (const std::int32_t p : alive)
        picked[p] = children[p] == 0;
      for (const std::int32_t p : alive)
        if (children[p] == 1 && !picked[childMix[p]] && (parent[p] < 0 || !picked[parent[p]]))
          picked[p] = 1;
      for (const std::int32_t p : alive)
        if (picked[p])
          take(p);
      const auto begin = static_cast<std::size_t>(result.roundBegin.back());
      if (begin == result.pieceOfNode.size())
        break;
      for (std::size_t j = begin; j < result.pieceOfNode.size(); ++j)
        bridge(j);
      std::erase_if(alive, [&](std::int32_t p) { return result.nodeOfPiece[p] >= 0; });
      result.roundBegin.push_back(static_cast<std::int32_t>(result.pieceOfNode.size()));
    }
    return alive;
  }

  Contraction result;

private:
  void take(std::int32_t p)
  {
    pulse.tick();
    result.nodeOfPiece[p] = static_cast<std::int32_t>(result.pieceOfNode.size());
    result.pieceOfNode.push_back(p);
    result.parentPiece.push_back(parent[p]);
    result.childPiece.push_back(children[p] == 0 ? -1 : childMix[p]);
  }
  /// Connects the child of an eliminated node, if any, with its parent.
  void bridge(std::size_t node)
  {
    const std::int32_t p = result.pieceOfNode[node];
    const std::int32_t above = parent[p];
    const std::int32_t below = result.childPiece[node];
    picked[p] = 0;
    if (below >= 0)
      parent[below] = above;
    if (above < 0)
      return;
    childMix[above] ^= p;
    if (below >= 0)
      childMix[above] ^= below;
    else
      --children[above];
  }

  detail::Pulse pulse;
  std::vector<std::int32_t> parent;
  std::vector<std::int32_t> children;
  std::vector<std::int32_t> childMix;
  std::vector<char> picked;
};

Contraction contract(const Pieces& pieces, const Deal& deal, std::size_t ranks, const RunControl& control)
{
  std::vector<char> isShared(pieces.piece.size(), 0);
  for (std::size_t p = 0; p < pieces.piece.size(); ++p)
    if (const std::int32_t above = pieces.piece[p].parentPiece; above >= 0 && deal[above] != deal[p])
      isShared[above] = 1;
  std::vector<std::vector<std::int32_t>> own(ranks);
  std::vector<std::int32_t> shared;
  for (std::size_t p = 0; p < pieces.piece.size(); ++p)
    if (!pieces.piece[p].isTip)
      (isShared[p] ? shared : own[deal[p]]).push_back(static_cast<std::int32_t>(p));
  Contractor contractor(pieces, control);
  std::vector<std::int32_t>& rounds = contractor.result.roundsOfRank;
  const auto roundsSoFar = [&] { return static_cast<std::int32_t>(contractor.result.roundBegin.size()) - 1; };
  for (std::vector<std::int32_t>& alive : own) {
    rounds.push_back(roundsSoFar());
    // What two shared nodes hang on is left, and shared too.
    const std::vector<std::int32_t> left = contractor.eliminate(std::move(alive));
    shared.insert(shared.end(), left.begin(), left.end());
  }
  rounds.push_back(roundsSoFar());
  std::ranges::sort(shared);
  contractor.eliminate(std::move(shared));
  return std::move(contractor.result);
}

/// Nodes with their places for contributions, those of a node side by side; returns each piece's place.
std::vector<std::int32_t> placeContributions(const Pieces& pieces, const Contraction& contraction,
                                             ResidentSchedule& schedule)
{
  const std::size_t nodeCount = contraction.pieceOfNode.size();
  std::vector<std::int32_t> begin(nodeCount + 1, 0);
  for (const BranchPiece& piece : pieces.piece)
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
  schedule.sharedRound = contraction.roundsOfRank.back();
  schedule.sharedBegin = schedule.roundBegin[static_cast<std::size_t>(schedule.sharedRound)];
  return place;
}

/// Thread blocks that a unit may be dealt to.
struct BlockShape
{
  std::size_t form;
  std::size_t ranks;
  std::int32_t together; ///< on a multiprocessor
  std::int32_t rows;     ///< of a piece, at most
  std::int32_t warps;    ///< of each, at most
  std::size_t bytes;     ///< of shared memory, each
};

/// Pieces of similar length in groups of 32, the longest first, each thread block's its own.
class Layout
{
public:
  Layout(const Forest& allCompartments, const Pieces& allPieces, const Contraction& allNodes,
         std::span<const std::int32_t> places, ResidentSchedule& result)
      : forest(allCompartments), pieces(allPieces), contraction(allNodes), place(places), schedule(result)
  {
    schedule.rowBegin.assign(1, 0);
  }

  void addRank(const Deal& deal, std::int32_t index, const ResidentParameters& parameters)
  {
    const std::int32_t alignment = residentAlignment(parameters.precision);
    std::vector<std::int32_t> order;
    for (std::size_t p = 0; p < deal.size(); ++p)
      if (deal[p] == index)
        order.push_back(static_cast<std::int32_t>(p));
    std::ranges::stable_sort(order, std::greater{}, [&](std::int32_t p) { return pieces.piece[p].length(); });
    if (parameters.order == ResidentOrder::Batch)
      spreadOverBanks(order, alignment);
    ResidentRank rank;
    rank.groupBegin = schedule.groups();
    rank.slotBegin = schedule.slotCount();
    for (std::size_t first = 0; first < order.size(); first += kLanes)
      addGroup(std::span(order).subspan(first, std::min<std::size_t>(kLanes, order.size() - first)), rank.slotBegin,
               alignment);
    rank.groupCount = schedule.groups() - rank.groupBegin;
    rank.slotCount = schedule.slotCount() - rank.slotBegin;
    rank.roundBegin = contraction.roundsOfRank[static_cast<std::size_t>(index)];
    rank.roundCount = contraction.roundsOfRank[static_cast<std::size_t>(index) + 1] - rank.roundBegin;
    rank.nodeBegin = schedule.roundBegin[static_cast<std::size_t>(rank.roundBegin)];
    rank.nodeCount = schedule.roundBegin[static_cast<std::size_t>(rank.roundBegin + rank.roundCount)] - rank.nodeBegin;
    addShared(rank);
    schedule.ranks.push_back(std::move(rank));
  }

private:
  /// Lanes that take their pieces out of a chunk read as many numbers at a time as there are banks of shared memory:
  /// `banks` pieces that follow one another are to end in different ones. Pieces of one length change places with those
  /// close behind, so that what lies together in the batch stays together.
  void spreadOverBanks(std::vector<std::int32_t>& order, std::int32_t banks) const
  {
    const auto lengthOf = [&](std::int32_t p) { return pieces.piece[p].length(); };
    const auto bankOf = [&](std::int32_t p) {
      return static_cast<std::size_t>(pieces.compartment[static_cast<std::size_t>(pieces.piece[p].end) - 1] % banks);
    };
    const auto near = static_cast<std::size_t>(4 * banks);
    std::vector<char> isTaken(static_cast<std::size_t>(banks));
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k % isTaken.size() == 0)
        std::ranges::fill(isTaken, 0);
      const auto first = order.begin() + static_cast<std::ptrdiff_t>(k);
      const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), k + near));
      const auto free = std::find_if(
          first, last, [&](std::int32_t p) { return lengthOf(p) == lengthOf(*first) && !isTaken[bankOf(p)]; });
      if (free != last)
        std::rotate(first, free, free + 1);
      isTaken[bankOf(order[k])] = 1;
    }
  }

  void addGroup(std::span<const std::int32_t> group, std::int32_t slotBegin, std::int32_t alignment)
  {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      ResidentPiece piece;
      if (lane < group.size()) {
        const BranchPiece& cut = pieces.piece[group[lane]];
        piece.length = cut.length();
        piece.node = contraction.nodeOfPiece[group[lane]];
        piece.parentNode = cut.parentPiece < 0 ? -1 : contraction.nodeOfPiece[cut.parentPiece];
        piece.contribution = place[group[lane]];
      }
      schedule.pieces.push_back(piece);
    }
    const std::int32_t rows = pieces.piece[group.front()].length();
    for (std::int32_t row = 0; row < rows; ++row) {
      schedule.rowSlot.push_back(schedule.slotCount() - slotBegin);
      for (std::size_t lane = 0; lane < group.size() && pieces.piece[group[lane]].length() > row; ++lane) {
        const std::int32_t i = pieces.compartment[static_cast<std::size_t>(pieces.piece[group[lane]].end - 1 - row)];
        schedule.slotCell.push_back(forest.cell[i]);
        schedule.slotCompartment.push_back(forest.compartment[i]);
      }
    }
    schedule.rowBegin.push_back(static_cast<std::int32_t>(schedule.rowSlot.size()));
    while (schedule.slotCount() % alignment != 0) {
      schedule.slotCell.push_back(-1);
      schedule.slotCompartment.push_back(-1);
    }
  }

  /// What goes between the rank and the shared nodes.
  void addShared(ResidentRank& rank) const
  {
    const std::span own(schedule.pieces.begin() + rank.groupBegin * kLanes, schedule.pieces.end());
    std::set<std::int32_t> known;
    for (const ResidentPiece& piece : own)
      if (piece.length > 0 && piece.node >= schedule.sharedBegin && known.insert(piece.node).second)
        rank.pulled.push_back(piece.node);
    rank.owned = static_cast<std::int32_t>(rank.pulled.size());
    for (const ResidentPiece& piece : own) {
      if (piece.length == 0)
        continue;
      rank.roots += piece.parentNode < 0 ? 1 : 0;
      if (piece.parentNode < schedule.sharedBegin)
        continue;
      rank.forwarded.push_back(piece.contribution);
      if (known.insert(piece.parentNode).second)
        rank.pulled.push_back(piece.parentNode);
    }
  }

  const Forest& forest;
  const Pieces& pieces;
  const Contraction& contraction;
  std::span<const std::int32_t> place;
  ResidentSchedule& schedule;
};

ResidentSchedule layOut(const Forest& forest, const Pieces& pieces, const Deal& deal, std::size_t ranks,
                        const ResidentParameters& parameters, const RunControl& control)
{
  ResidentSchedule schedule;
  const Contraction contraction = contract(pieces, deal, ranks, control);
  const std::vector<std::int32_t> place = placeContributions(pieces, contraction, schedule);
  Layout layout(forest, pieces, contraction, place, schedule);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    layout.addRank(deal, static_cast<std::int32_t>(rank), parameters);
  return schedule;
}

bool fitsOnChip(const ResidentSchedule& schedule, const BlockShape& shape, Precision precision)
{
  constexpr std::int32_t kMostSlots = 65535; // their numbers have 16 bits on chip
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    if (schedule.ranks[rank].slotCount > kMostSlots || residentBytes(schedule, rank, precision).total() > shape.bytes)
      return false;
  return true;
}

/// Whether what values in the order of the batch come in is large enough there. In a cluster it is as large as it is.
bool hasRoomForChunks(const ResidentSchedule& schedule, const BlockShape& shape, const ResidentParameters& parameters)
{
  if (parameters.order == ResidentOrder::Schedule || shape.ranks > 1)
    return true;
  constexpr double kLeastShare = 0.5; // of the values; measured
  const ResidentRank& rank = schedule.ranks.front();
  const double values = 3.0 * static_cast<double>(bytesOf(parameters.precision)) * rank.slotCount;
  const std::size_t taken = residentBytes(schedule, 0, parameters.precision).total();
  return static_cast<double>(shape.bytes - taken) >= kLeastShare * values;
}

/// The ways to put a unit on chip, the best first: alone in a block, of which two or three share a multiprocessor, so
/// that one works while another waits, or which has it to itself; then in a cluster of blocks, which costs messages,
/// with the least share of the device first.
std::vector<BlockShape> blockShapes(const ResidentParameters& parameters)
{
  std::vector<BlockShape> shapes;
  const std::span<const ResidentForm> forms = residentForms(parameters.precision);
  for (std::size_t k = 0; k < forms.size(); ++k)
    for (std::int32_t together = forms[k].mostTogether; together >= forms[k].leastTogether; --together) {
      // All blocks of a unit run at the same time.
      const std::size_t places = static_cast<std::size_t>(together * parameters.device.multiprocessors);
      const std::size_t most = forms[k].inClusters ? std::min(kMostRanks, places) : 1;
      for (std::size_t ranks = forms[k].inClusters ? 2 : 1; ranks <= most; ++ranks)
        shapes.push_back({k, ranks, together, forms[k].rows, residentWarps(forms[k], parameters.device) / together,
                          residentShare(parameters.device, together)});
    }
  std::ranges::stable_sort(shapes, {}, [](const BlockShape& shape) {
    return std::pair(shape.ranks > 1, static_cast<double>(shape.ranks) / shape.together);
  });
  return shapes;
}

ResidentSchedule makeSchedule(const HinesBatch& batch, std::vector<std::uint32_t> shapes,
                              const ResidentParameters& parameters, const RunControl& control)
{
  constexpr std::int32_t kSpreadPieceLength = 32;
  const Forest forest = joinCells(batch, shapes);
  const std::size_t bytes = 3 * bytesOf(parameters.precision) * static_cast<std::size_t>(forest.size());
  // Of each shape, shared memory and registers, in bytes.
  const auto capacity = [&](const BlockShape& shape) {
    return shape.ranks * (shape.bytes + 3 * bytesOf(parameters.precision) * kLanes *
                                            static_cast<std::size_t>(shape.rows * shape.warps));
  };
  std::map<std::int32_t, Pieces> piecesOf; // by their greatest length
  std::optional<ResidentSchedule> fitting; // without much room for chunks beside it
  for (const BlockShape& shape : blockShapes(parameters)) {
    if (fitting && (shape.form != fitting->form || shape.ranks > 1))
      continue;
    const std::int32_t pieceLength = parameters.pieceLength > 0 ? parameters.pieceLength : shape.rows;
    if (pieceLength > shape.rows || bytes > capacity(shape))
      continue;
    const auto [found, isNew] = piecesOf.try_emplace(pieceLength);
    if (isNew)
      found->second = cutIntoPieces(forest, pieceLength, control);
    const Pieces& pieces = found->second;
    ResidentSchedule schedule =
        layOut(forest, pieces, dealPieces(pieces, shape.ranks), shape.ranks, parameters, control);
    schedule.form = shape.form;
    schedule.warps = 1;
    for (const ResidentRank& rank : schedule.ranks)
      schedule.warps = std::max(schedule.warps, std::min(shape.warps, rank.groupCount));
    if (!fitsOnChip(schedule, shape, parameters.precision))
      continue;
    if (hasRoomForChunks(schedule, shape, parameters)) {
      schedule.cellShape = std::move(shapes);
      return schedule;
    }
    fitting = std::move(schedule);
  }
  if (fitting) {
    fitting->cellShape = std::move(shapes);
    return std::move(*fitting);
  }
  const Pieces pieces =
      cutIntoPieces(forest, parameters.pieceLength > 0 ? parameters.pieceLength : kSpreadPieceLength, control);
  ResidentSchedule schedule = layOut(forest, pieces, Deal(pieces.piece.size(), 0), 1, parameters, control);
  schedule.ranks.clear();
  schedule.cellShape = std::move(shapes);
  return schedule;
}

/// How many compartments a unit shall have at most. Few in all: rather more units than units that hold many cells each.
/// In a batch of cells of many shapes the last units are smaller, so that all multiprocessors finish at about the same
/// time; of one shape this would cost more than it gains (docs/notes/resident.md).
class UnitTarget
{
public:
  UnitTarget(std::size_t batch, bool isMixed, std::size_t largest, int multiprocessors)
      : unitsWanted(static_cast<std::size_t>(kUnitsOfMultiprocessor * multiprocessors)),
        most(std::clamp(batch / unitsWanted, std::min<std::size_t>(64, largest), largest)),
        least(isMixed && most == largest ? most / 4 : most)
  {}

  /// Of the next unit, with so many compartments left.
  std::size_t next(std::size_t left) const
  {
    std::size_t target = most;
    while (target / 2 >= least && left / target < unitsWanted / 2)
      target /= 2;
    return target;
  }

private:
  static constexpr double kUnitsOfMultiprocessor = 7.76;

  std::size_t unitsWanted;
  std::size_t most;
  std::size_t least;
};

/// So many compartments that two units share a multiprocessor with their tables and junctions.
std::size_t largestUnit(const ResidentParameters& parameters)
{
  if (parameters.unitCompartments > 0)
    return static_cast<std::size_t>(parameters.unitCompartments);
  // Measured (docs/notes/resident.md); three blocks that share a multiprocessor need the rest for chunks.
  const bool needsChunks = parameters.order == ResidentOrder::Batch && parameters.precision == Precision::Single;
  const double share = needsChunks ? 0.45 : 0.685;
  const std::size_t capacity = residentCapacity(parameters.device, Precision::Double, 2);
  return std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(capacity)) / 100 * 100);
}

/// The cells of each unit, the largest first. Cells of one shape share units; what is left of all shapes is put
/// together.
std::vector<std::vector<std::uint32_t>> groupCells(const HinesBatch& batch, const ResidentParameters& parameters)
{
  std::vector<std::vector<std::uint32_t>> cellsOf(batch.shapes.size());
  for (std::size_t cell = 0; cell < batch.cells(); ++cell)
    cellsOf[batch.shapeOf[cell]].push_back(static_cast<std::uint32_t>(cell));
  std::vector<std::uint32_t> bySize(batch.shapes.size());
  std::iota(bySize.begin(), bySize.end(), 0u);
  std::stable_sort(bySize.begin(), bySize.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return batch.shapes[a]->size() > batch.shapes[b]->size(); });

  std::vector<std::vector<std::uint32_t>> units;
  std::vector<std::uint32_t> rest;
  const UnitTarget target(batch.compartments(), batch.shapes.size() > 1, largestUnit(parameters),
                          parameters.device.multiprocessors);
  std::size_t left = batch.compartments();
  for (const std::uint32_t shape : bySize) {
    const std::size_t size = std::max<std::size_t>(1, batch.shapes[shape]->size());
    const std::vector<std::uint32_t>& cells = cellsOf[shape];
    std::size_t used = 0;
    while (used < cells.size()) {
      const std::size_t together = std::max<std::size_t>(1, target.next(left) / size);
      if (used + together > cells.size())
        break;
      units.emplace_back(cells.begin() + static_cast<std::ptrdiff_t>(used),
                         cells.begin() + static_cast<std::ptrdiff_t>(used + together));
      used += together;
      left -= std::min(left, together * size);
    }
    rest.insert(rest.end(), cells.begin() + static_cast<std::ptrdiff_t>(used), cells.end());
  }
  const std::size_t most = target.next(left);
  std::size_t filled = most;
  for (const std::uint32_t cell : rest) {
    const std::size_t size = batch.shapes[batch.shapeOf[cell]]->size();
    if (filled + size > most) {
      units.emplace_back();
      filled = 0;
    }
    units.back().push_back(cell);
    filled += size;
  }
  const auto sizeOf = [&](const std::vector<std::uint32_t>& unit) {
    std::size_t size = 0;
    for (const std::uint32_t cell : unit)
      size += batch.shapes[batch.shapeOf[cell]]->size();
    return size;
  };
  std::ranges::stable_sort(units, std::greater{}, sizeOf);
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
  require(parameters.unitCompartments >= 0 && parameters.unitCompartments <= 65536,
          "The size of a unit is " + std::to_string(parameters.unitCompartments) +
              " compartments; choose 1 to 65,536, or 0 for automatic.");
  const DeviceModel& device = parameters.device;
  require(device.sharedBytesPerBlock >= 16384 && device.sharedBytesPerBlock <= 262'144,
          "The shared memory of a block is " + std::to_string(device.sharedBytesPerBlock) +
              " bytes; choose 16,384 to 262,144.");
  require(device.multiprocessors >= 1, "The GPU has no multiprocessors; choose another.");
}

std::int32_t residentAlignment(Precision precision)
{
  return static_cast<std::int32_t>(128 / bytesOf(precision));
}

ResidentMap residentMap(const ResidentSchedule& schedule, std::size_t rank, Precision precision)
{
  const std::size_t alignment = 16 / bytesOf(precision);
  const auto align = [&](std::size_t numbers) { return (numbers + alignment - 1) / alignment * alignment; };
  const auto contributionsOf = [&](std::int32_t nodeBegin, std::int32_t nodeCount) {
    return static_cast<std::size_t>(schedule.nodes[static_cast<std::size_t>(nodeBegin + nodeCount)].contributionBegin -
                                    schedule.nodes[static_cast<std::size_t>(nodeBegin)].contributionBegin);
  };
  const ResidentRank& r = schedule.ranks[rank];
  ResidentMap map;
  map.nodes = kResidentHeadBytes / bytesOf(precision);
  map.contributions = align(map.nodes + 3 * (static_cast<std::size_t>(r.nodeCount) + r.pulled.size()));
  map.sharedNodes = align(map.contributions + 2 * (contributionsOf(r.nodeBegin, r.nodeCount) + r.forwarded.size() +
                                                   static_cast<std::size_t>(r.roots)));
  map.sharedContributions = map.sharedNodes;
  map.end = align(map.sharedNodes);
  if (rank > 0 || schedule.sharedCount() == 0)
    return map;
  const std::int32_t shared = schedule.sharedCount();
  map.sharedContributions = align(map.sharedNodes + 3 * static_cast<std::size_t>(shared));
  map.end = align(
      map.sharedContributions +
      2 * static_cast<std::size_t>(schedule.contributions -
                                   schedule.nodes[static_cast<std::size_t>(schedule.sharedBegin)].contributionBegin));
  return map;
}

std::int32_t residentHeldSlots(const ResidentSchedule& schedule, std::size_t rank)
{
  const ResidentRank& r = schedule.ranks[rank];
  if (r.groupCount <= schedule.warps)
    return r.slotCount;
  return schedule
      .rowSlot[static_cast<std::size_t>(schedule.rowBegin[static_cast<std::size_t>(r.groupBegin + schedule.warps)])];
}

ResidentBytes residentBytes(const ResidentSchedule& schedule, std::size_t rank, Precision precision)
{
  const auto align = [](std::size_t bytes) { return (bytes + 15) & ~std::size_t{15}; };
  constexpr std::size_t kNodeBytes = 16;
  constexpr std::size_t kGroupBytes =
      8 * kLanes + (2 * kMostResidentRows + 15) / 16 * 16; // pieces, first slots of rows
  const ResidentRank& r = schedule.ranks[rank];
  ResidentBytes bytes;
  bytes.nodes = residentMap(schedule, rank, precision).end * bytesOf(precision);
  bytes.values = 3 * bytesOf(precision) * static_cast<std::size_t>(r.slotCount - residentHeldSlots(schedule, rank));
  bytes.tables = kGroupBytes * static_cast<std::size_t>(r.groupCount) +
                 kNodeBytes * static_cast<std::size_t>(r.nodeCount) + align(2 * static_cast<std::size_t>(r.owned)) +
                 align(2 * r.forwarded.size());
  if (rank == 0) {
    std::size_t pulled = 0;
    for (const ResidentRank& each : schedule.ranks)
      pulled += each.pulled.size();
    bytes.tables += kNodeBytes * static_cast<std::size_t>(schedule.sharedCount()) + align(8 * pulled);
  }
  return bytes;
}

std::int32_t residentWarps(const ResidentForm& form, const DeviceModel& device)
{
  constexpr int kRegisters = 65'536; // for which the forms' warps were chosen
  return std::min({form.warps, form.warps * device.registersPerMultiprocessor / kRegisters,
                   device.threadsPerMultiprocessor / kLanes});
}

std::size_t residentShare(const DeviceModel& device, std::int32_t together)
{
  const std::size_t share = device.sharedBytesPerMultiprocessor / static_cast<std::size_t>(together);
  return std::min(device.sharedBytesPerBlock,
                  share > device.reservedSharedBytes ? share - device.reservedSharedBytes : 0) &
         ~std::size_t{127};
}

std::size_t residentCapacity(const DeviceModel& device, Precision precision, std::int32_t together)
{
  std::size_t held = 0; // by lanes of the best form
  for (const ResidentForm& form : residentForms(precision))
    held = std::max(held, static_cast<std::size_t>(form.rows * residentWarps(form, device) * kLanes / together));
  return held + residentShare(device, together) / (3 * bytesOf(precision));
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
    unit.slotBegin = plan->slotCount;
    unit.cellBegin = plan->cellOrder.size();
    plan->units.push_back(unit);
    plan->cellOrder.insert(plan->cellOrder.end(), cells[k].begin(), cells[k].end());
    plan->slotCount += (static_cast<std::size_t>(plan->schedules[unit.schedule].slotCount()) + 15) & ~std::size_t{15};
  }
  return plan;
}

} // namespace hinesight::hines
