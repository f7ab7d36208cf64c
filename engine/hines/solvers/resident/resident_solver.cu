#include "hines/solvers/resident/resident_solver.hpp"

#include "core/cuda/cuda_support.cuh"
#include "core/cuda/timed_graph.cuh"
#include "core/device.hpp"
#include "hines/batch_vector.cuh"
#include "hines/device_upload.cuh"
#include "hines/permutation.cuh"
#include "hines/solvers/resident/resident.hpp"
#include "hines/solvers/resident/resident_chunks.hpp"
#include "hines/solvers/resident/resident_kernels.cuh"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

// The resident solver on the device: the plan's tables packed for the kernels of resident_kernels.cuh, and the
// launches.

namespace hinesight::hines {

namespace {

using cuda::Buffer;
using device::BlockHead;
using device::NodeSet;
using device::PackedGroup;
using device::PackedNode;
using device::PackedPiece;
using device::PackedPush;
using device::SharedLayout;

/// The schedules' tables as bytes, each part aligned to 16 as the bulk copy engine wants it.
class TableBytes
{
public:
  template <typename T>
  void append(const std::vector<T>& items)
  {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + items.size() * sizeof(T));
    if (!items.empty())
      std::memcpy(bytes.data() + begin, items.data(), items.size() * sizeof(T));
  }
  std::size_t align()
  {
    bytes.resize((bytes.size() + 15) & ~std::size_t{15});
    return bytes.size();
  }
  const std::vector<unsigned char>& all() const { return bytes; }

private:
  std::vector<unsigned char> bytes;
};

/// Where a rank finds its nodes and contributions in shared memory, as the packed tables say it.
class Places
{
public:
  Places(const ResidentSchedule& packed, std::size_t index, Precision precision)
      : schedule(packed), rank(packed.ranks[index]), map(residentMap(packed, index, precision)),
        contributionBegin(contributionBeginOf(rank.nodeBegin)),
        ownContributions(contributionBeginOf(rank.nodeBegin + rank.nodeCount) - contributionBegin)
  {
    for (std::size_t k = 0; k < rank.pulled.size(); ++k)
      pulledAt.emplace(rank.pulled[k], k);
    for (std::size_t k = 0; k < rank.forwarded.size(); ++k)
      forwardedAt.emplace(rank.forwarded[k], k);
  }

  /// Of one of its own nodes or of those that it pulls.
  std::uint16_t node(std::int32_t index) const
  {
    return place(map.nodes, 3, index < schedule.sharedBegin ? index - rank.nodeBegin : pulled(index));
  }
  std::uint16_t firstPulled() const { return place(map.nodes, 3, rank.nodeCount); }
  std::uint16_t firstForwarded() const { return place(map.contributions, 2, ownContributions); }
  /// To one of its own nodes, to a shared node that it forwards, or what is left by a root.
  std::uint16_t contribution(std::int32_t index)
  {
    const std::int32_t own = index - contributionBegin;
    if (own >= 0 && own < ownContributions)
      return place(map.contributions, 2, own);
    const auto forwarded = static_cast<std::int32_t>(rank.forwarded.size());
    const auto found = forwardedAt.find(index);
    if (found != forwardedAt.end())
      return place(map.contributions, 2, ownContributions + static_cast<std::int32_t>(found->second));
    const auto [root, isNew] = rootAt.try_emplace(index, static_cast<std::int32_t>(rootAt.size()));
    return place(map.contributions, 2, ownContributions + forwarded + root->second);
  }
  /// In the first rank.
  std::uint16_t sharedNode(std::int32_t index) const { return place(map.sharedNodes, 3, index - schedule.sharedBegin); }
  std::uint16_t sharedContribution(std::int32_t index) const
  {
    return place(map.sharedContributions, 2, index - contributionBeginOf(schedule.sharedBegin));
  }

private:
  std::int32_t contributionBeginOf(std::int32_t node) const
  {
    return schedule.nodes[static_cast<std::size_t>(node)].contributionBegin;
  }
  std::int32_t pulled(std::int32_t node) const { return rank.nodeCount + static_cast<std::int32_t>(pulledAt.at(node)); }
  static std::uint16_t place(std::size_t begin, std::size_t size, std::int32_t index)
  {
    return static_cast<std::uint16_t>(begin + size * static_cast<std::size_t>(index));
  }

  const ResidentSchedule& schedule;
  const ResidentRank& rank;
  ResidentMap map;
  std::int32_t contributionBegin;
  std::int32_t ownContributions;
  std::unordered_map<std::int32_t, std::size_t> pulledAt;
  std::unordered_map<std::int32_t, std::size_t> forwardedAt;
  std::unordered_map<std::int32_t, std::int32_t> rootAt;
};

void packPieces(const ResidentSchedule& schedule, const ResidentRank& rank, Places& places, TableBytes& tables)
{
  const std::int32_t groupEnd = rank.groupBegin + rank.groupCount;
  std::vector<PackedPiece> pieces;
  for (std::int32_t p = rank.groupBegin * 32; p < groupEnd * 32; ++p) {
    const ResidentPiece& piece = schedule.pieces[p];
    if (piece.length == 0) {
      pieces.push_back({0, device::kNone, device::kNone, 0});
      continue;
    }
    const auto placeOf = [&](std::int32_t node) { return node < 0 ? device::kNone : places.node(node); };
    pieces.push_back({static_cast<std::uint16_t>(piece.length), placeOf(piece.node), placeOf(piece.parentNode),
                      places.contribution(piece.contribution)});
  }
  std::vector<PackedGroup> groups;
  for (std::int32_t g = rank.groupBegin; g < groupEnd; ++g) {
    PackedGroup group{};
    const std::int32_t begin = schedule.rowBegin[g];
    for (std::int32_t k = 0; k < schedule.rowBegin[g + 1] - begin; ++k)
      group.row[k] = static_cast<std::uint16_t>(schedule.rowSlot[begin + k]);
    groups.push_back(group);
  }
  tables.append(pieces);
  tables.append(groups);
}

/// Nodes [begin, begin + count) with rounds [round, round + rounds), the last first. `nodeAt` and `contributionAt` say
/// where things are.
template <typename NodeAt, typename ContributionAt>
NodeSet packNodes(const ResidentSchedule& schedule, std::int32_t begin, std::int32_t count, std::int32_t round,
                  std::int32_t rounds, NodeAt nodeAt, ContributionAt contributionAt, TableBytes& tables)
{
  std::vector<PackedNode> nodes(static_cast<std::size_t>(count));
  NodeSet set{};
  set.count = static_cast<std::uint16_t>(count);
  set.rounds = static_cast<std::uint8_t>(rounds);
  set.first = count > 0 ? nodeAt(begin + count - 1) : std::uint16_t{0};
  for (std::int32_t r = 0; r < rounds; ++r) {
    const std::int32_t first = schedule.roundBegin[static_cast<std::size_t>(round + r)];
    if (begin + count - first > 32)
      set.blockRounds = static_cast<std::uint8_t>(r + 1);
    if (begin + count - first > 32 * schedule.warps)
      set.wideRounds = static_cast<std::uint16_t>(r + 1);
    for (std::int32_t j = first; j < schedule.roundBegin[static_cast<std::size_t>(round + r + 1)]; ++j) {
      const ResidentNode& node = schedule.nodes[static_cast<std::size_t>(j)];
      const std::int32_t in = node.contributionBegin;
      const std::int32_t inEnd = schedule.nodes[static_cast<std::size_t>(j) + 1].contributionBegin;
      PackedNode& packed = nodes[static_cast<std::size_t>(begin + count - 1 - j)];
      packed.parent = nodeAt(node.parentNode >= 0 ? node.parentNode : j);
      packed.child = nodeAt(node.childNode >= 0 ? node.childNode : j);
      packed.out = contributionAt(node.contribution);
      packed.in = in < inEnd ? contributionAt(in) : std::uint16_t{0};
      packed.inEnd = static_cast<std::uint16_t>(packed.in + 2 * (inEnd - in));
      packed.round = static_cast<std::uint16_t>(r);
    }
  }
  tables.append(nodes);
  return set;
}

/// The x of shared nodes that each block needs.
std::vector<PackedPush> pushesOf(const ResidentSchedule& schedule, const Places& first, Precision precision)
{
  std::vector<PackedPush> pushes;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    const Places places(schedule, rank, precision);
    for (const std::int32_t node : schedule.ranks[rank].pulled)
      pushes.push_back({first.sharedNode(node), places.node(node), static_cast<std::uint16_t>(rank), 0});
  }
  return pushes;
}

/// A schedule's blocks.
struct PackedSchedule
{
  std::vector<BlockHead> heads;   ///< firstSlot counted from the unit's first
  std::vector<device::Box> boxes; ///< begin counted from the unit's first
  std::size_t boxNumbers = 0;     ///< of a unit's box
};

/// Where the blocks of a unit leave messages that go through global memory.
void packBoxes(const ResidentSchedule& schedule, Precision precision, PackedSchedule& packed)
{
  const ResidentMap map = residentMap(schedule, 0, precision);
  device::Box box{};
  box.from = static_cast<std::uint16_t>(map.sharedNodes);
  box.count = static_cast<std::uint16_t>(map.end - map.sharedNodes);
  for (const ResidentRank& rank : schedule.ranks) {
    packed.boxes.push_back(box);
    box.answers = static_cast<std::uint16_t>(box.answers + rank.pulled.size());
  }
  constexpr std::size_t kAligned = 16;
  packed.boxNumbers = (std::size_t{box.count} + box.answers + kAligned - 1) / kAligned * kAligned;
}

/// The schedule's tables go to `tables`.
PackedSchedule packSchedule(const ResidentSchedule& schedule, Precision precision, TableBytes& tables)
{
  PackedSchedule packed;
  std::vector<BlockHead>& heads = packed.heads;
  const Places firstPlaces(schedule, 0, precision);
  for (std::size_t index = 0; index < schedule.ranks.size(); ++index) {
    const ResidentRank& rank = schedule.ranks[index];
    Places places(schedule, index, precision);
    BlockHead head{};
    head.firstSlot = static_cast<std::uint64_t>(rank.slotBegin);
    head.table = tables.align();
    head.heldSlots = static_cast<std::uint16_t>(residentHeldSlots(schedule, index));
    head.slotCount = static_cast<std::uint16_t>(rank.slotCount - head.heldSlots);
    head.units = 1;
    head.groups = static_cast<std::uint16_t>(rank.groupCount);
    head.pulled = static_cast<std::uint16_t>(rank.pulled.size());
    head.owned = static_cast<std::uint16_t>(rank.owned);
    head.pulledTo = places.firstPulled();
    head.forwarded = static_cast<std::uint16_t>(rank.forwarded.size());
    head.forwardedFrom = places.firstForwarded();
    packPieces(schedule, rank, places, tables);
    head.own = packNodes(
        schedule, rank.nodeBegin, rank.nodeCount, rank.roundBegin, rank.roundCount,
        [&](std::int32_t node) { return places.node(node); },
        [&](std::int32_t contribution) { return places.contribution(contribution); }, tables);
    std::vector<std::uint16_t> ownedTo;
    for (std::int32_t k = 0; k < rank.owned; ++k)
      ownedTo.push_back(firstPlaces.sharedNode(rank.pulled[static_cast<std::size_t>(k)]));
    std::vector<std::uint16_t> forwardTo;
    for (const std::int32_t contribution : rank.forwarded)
      forwardTo.push_back(firstPlaces.sharedContribution(contribution));
    tables.append(ownedTo);
    tables.align();
    tables.append(forwardTo);
    tables.align();
    if (index == 0) {
      head.shared = packNodes(
          schedule, schedule.sharedBegin, schedule.sharedCount(), schedule.sharedRound,
          schedule.rounds() - schedule.sharedRound, [&](std::int32_t node) { return firstPlaces.sharedNode(node); },
          [&](std::int32_t contribution) { return firstPlaces.sharedContribution(contribution); }, tables);
      const std::vector<PackedPush> pushes = pushesOf(schedule, firstPlaces, precision);
      head.pushed = static_cast<std::uint16_t>(pushes.size());
      tables.append(pushes);
      for (const ResidentRank& each : schedule.ranks)
        head.forwardedBytes += static_cast<std::uint32_t>(
            bytesOf(precision) * (3 * static_cast<std::size_t>(each.owned) + 2 * each.forwarded.size()));
    }
    head.tableBytes = static_cast<std::uint32_t>(tables.align() - head.table);
    heads.push_back(head);
  }
  packBoxes(schedule, precision, packed);
  return packed;
}

ResidentBytes most(const ResidentBytes& a, const ResidentBytes& b)
{
  return {std::max(a.nodes, b.nodes), std::max(a.tables, b.tables), std::max(a.values, b.values)};
}

SharedLayout layOut(const ResidentBytes& bytes)
{
  const std::size_t tables = (bytes.nodes + 15) & ~std::size_t{15};
  return {static_cast<std::uint32_t>(tables), static_cast<std::uint32_t>(tables + bytes.tables)};
}

/// Units that are launched together.
struct UnitClass
{
  std::size_t form = 0;
  std::size_t ranks = 1;
  std::int32_t warps = 1;
  ResidentBytes first;   ///< the most that the first block of a unit needs of each
  ResidentBytes other;   ///< and any other block
  std::size_t slots = 0; ///< the most of a block
  std::vector<BlockHead> heads;
  std::vector<device::Box> boxes;
  std::size_t boxNumbers = 0; ///< of all

  // Where values are taken in the order of the batch.
  std::int32_t capacity = 0; ///< of a chunk; 0: they are taken in the layout of the plan
  bool takesSeveral = false; ///< a block takes several units, one after the other
  std::size_t stride = 0;    ///< the most runs of a block
  std::vector<device::BatchPart> parts;
  std::vector<std::vector<device::PackedRun>> runs;

  explicit UnitClass(const ResidentSchedule& schedule)
      : form(schedule.form), ranks(schedule.ranks.size()), warps(schedule.warps)
  {}

  bool inBatchOrder() const { return capacity > 0; }

  bool sendsMessages() const { return ranks > 1; }
  std::size_t sharedBytes() const { return std::max(first.total(), other.total()); }

  /// Blocks of a multiprocessor, by warps and by shared memory.
  std::size_t together(const ResidentParameters& parameters) const
  {
    std::int32_t blocks = residentWarps(residentForms(parameters.precision)[form], parameters.device) / warps;
    while (blocks > 1 && sharedBytes() > residentShare(parameters.device, blocks))
      --blocks;
    return static_cast<std::size_t>(blocks);
  }
  /// Whether a schedule can join without fewer blocks fitting on a multiprocessor, or none.
  bool admits(const ResidentSchedule& schedule, const ResidentParameters& parameters) const
  {
    if (schedule.form != form || schedule.ranks.size() != ranks || schedule.warps != warps)
      return false;
    UnitClass alone(schedule);
    alone.include(schedule, parameters.precision);
    UnitClass joined(schedule);
    joined.first = first;
    joined.other = other;
    joined.include(schedule, parameters.precision);
    return joined.sharedBytes() <= parameters.device.sharedBytesPerBlock &&
           joined.together(parameters) == alone.together(parameters) &&
           joined.together(parameters) == together(parameters);
  }
  void include(const ResidentSchedule& schedule, Precision precision)
  {
    first = most(first, residentBytes(schedule, 0, precision));
    for (std::size_t rank = 1; rank < schedule.ranks.size(); ++rank)
      other = most(other, residentBytes(schedule, rank, precision));
    for (const ResidentRank& rank : schedule.ranks)
      slots = std::max(slots, static_cast<std::size_t>(rank.slotCount));
  }
};

/// Chunks in shared memory behind what a block of the class needs anyway.
template <typename Real>
struct ChunkRoom
{
  // The same of every movement.
  using Chunks = device::Chunks<cuda::Movement::Threads, Real>;

  static std::size_t begin(const UnitClass& unitClass) { return (unitClass.sharedBytes() + 15) & ~std::size_t{15}; }
  static std::size_t sharedBytes(const UnitClass& unitClass)
  {
    return begin(unitClass) + Chunks::headBytes(unitClass.stride) +
           vectors(unitClass.takesSeveral) * sizeof(Real) * static_cast<std::size_t>(unitClass.capacity);
  }
  static std::uint32_t solutions(bool takesSeveral) { return takesSeveral ? kSeparateSolutions : kIncoming; }
  static std::uint32_t firstSolution(bool takesSeveral) { return takesSeveral ? kIncoming : 0; }

  /// As much as fits beside all else where as many blocks share a multiprocessor, and no more than a block takes.
  /// A block that has a multiprocessor to itself takes several units, so that one comes while another is solved; that
  /// needs room for a solution beside what comes. Blocks that share one overlap without it (docs/notes/resident.md).
  static void setUp(UnitClass& unitClass, const ResidentParameters& parameters)
  {
    constexpr std::int32_t kMostChunks = 4;
    unitClass.takesSeveral =
        !unitClass.sendsMessages() && unitClass.together(parameters) == 1 &&
        kMostChunks * capacity(unitClass, parameters, true) >= static_cast<std::int32_t>(unitClass.slots);
    unitClass.capacity = capacity(unitClass, parameters, unitClass.takesSeveral);
  }

private:
  static constexpr std::uint32_t kIncoming = Chunks::kDepth * Chunks::kVectors;
  static constexpr std::uint32_t kSeparateSolutions = 3;

  static std::size_t vectors(bool takesSeveral) { return kIncoming + (takesSeveral ? kSeparateSolutions : 0); }
  static std::int32_t capacity(const UnitClass& unitClass, const ResidentParameters& parameters, bool takesSeveral)
  {
    constexpr std::size_t kMultiple = 32;
    const std::size_t share =
        residentShare(parameters.device, static_cast<std::int32_t>(unitClass.together(parameters)));
    const std::size_t taken = begin(unitClass) + Chunks::headBytes(kMostResidentRuns);
    const std::size_t fits = share > taken ? (share - taken) / (vectors(takesSeveral) * sizeof(Real)) : 0;
    return static_cast<std::int32_t>(std::min(fits, unitClass.slots + 2 * kMultiple) / kMultiple * kMultiple);
  }
};

/// How the blocks of a schedule take their values in the order of the batch.
struct PackedChunks
{
  std::vector<ResidentChunks> ofRank;
  std::vector<std::uint32_t> places; ///< where each rank's begin

  std::size_t mostRuns() const
  {
    std::size_t runs = 0;
    for (const ResidentChunks& chunks : ofRank)
      runs = std::max(runs, chunks.runs.size());
    return runs;
  }
  /// Of a unit.
  std::vector<device::PackedRun> runsOf(std::size_t rank, const ResidentPlan& plan, const ResidentUnit& unit) const
  {
    std::vector<device::PackedRun> runs;
    for (const ResidentRun& run : ofRank[rank].runs) {
      const std::uint32_t cell = plan.cellOrder[unit.cellBegin + static_cast<std::size_t>(run.cell)];
      runs.push_back({plan.batch->offset[cell] + static_cast<std::size_t>(run.compartment),
                      static_cast<std::uint16_t>(run.count), static_cast<std::uint16_t>(run.at),
                      static_cast<std::uint16_t>(run.chunk), 0});
    }
    return runs;
  }
};

/// Of a schedule; the places of its lanes go to `places`. None where its layout does not allow it.
std::optional<PackedChunks> packChunks(const ResidentPlan& plan, std::size_t index, std::int32_t capacity,
                                       std::vector<device::PackedPlace>& places)
{
  const ResidentSchedule& schedule = plan.schedules[index];
  const std::vector<std::int32_t> cellBegin = residentCellBegins(*plan.batch, schedule);
  const bool joined = followOneAnother(plan, index);
  PackedChunks packed;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
    auto chunks = residentChunks(schedule, rank, plan.parameters.precision, cellBegin, joined, capacity);
    if (!chunks)
      return std::nullopt;
    packed.ofRank.push_back(std::move(*chunks));
  }
  for (const ResidentChunks& chunks : packed.ofRank) {
    packed.places.push_back(static_cast<std::uint32_t>(places.size()));
    for (const ResidentPlace& place : chunks.places)
      if (place.run < 0)
        places.push_back({0, 0, device::kNoChunk});
      else
        places.push_back({static_cast<std::uint16_t>(place.at), static_cast<std::uint8_t>(place.run),
                          static_cast<std::uint8_t>(chunks.runs[static_cast<std::size_t>(place.run)].chunk)});
  }
  return packed;
}

/// Where the units of a class leave messages that go through global memory.
template <typename Real>
class Mailroom
{
public:
  Mailroom(const UnitClass& unitClass, cuda::Movement movement) : ranks(static_cast<unsigned>(unitClass.ranks))
  {
    if (!unitClass.sendsMessages() || movement == cuda::Movement::Bulk)
      return;
    boxes = Buffer<device::Box>(unitClass.boxes);
    numbers = Buffer<Real>(std::vector<Real>(unitClass.boxNumbers));
    counters = Buffer<unsigned>(1 + unitClass.heads.size() / unitClass.ranks);
  }

  /// Empties it before each launch.
  device::Mail open(cudaStream_t stream)
  {
    if (counters.size() == 0)
      return {};
    cuda::check(cudaMemsetAsync(counters.data(), 0, counters.size() * sizeof(unsigned), stream), "clear its counters");
    return {boxes.data(), numbers.data(), counters.data(), counters.data() + 1, ranks};
  }

private:
  unsigned ranks;
  Buffer<device::Box> boxes;
  Buffer<Real> numbers;
  Buffer<unsigned> counters;
};

/// The plan in device memory, ready to launch.
template <typename Real>
class DeviceResident
{
public:
  DeviceResident(const ResidentPlan& plan, ResidentOrder order)
      : parameters(plan.parameters), multiprocessors(static_cast<std::size_t>(plan.parameters.device.multiprocessors)),
        movement(cuda::movementFor(plan.parameters.device)), isPlanned(plan.schedules.size(), 1)
  {
    packResident(plan, order);
    packSpread(plan);
  }

  /// Whether the units of a schedule take their values in the layout of the plan.
  bool takesLayout(std::size_t schedule) const { return isPlanned[schedule] != 0; }

  /// The values of a batch, and room for the solution.
  struct Values
  {
    Real* excess = nullptr;
    Real* u = nullptr;
    Real* b = nullptr;
    Real* x = nullptr;
  };

  /// `planned`: in the layout of the plan, `ofBatch`: in the order of the batch. `permute` and `unpermute` are launched
  /// before and after what takes the layout.
  template <typename Permute, typename Unpermute>
  void capture(const Values& planned, const Values& ofBatch, Permute permute, Unpermute unpermute)
  {
    graph.record([&](cudaStream_t origin) {
      fork.record(origin);
      for (std::size_t k = 0; k < classes.size(); ++k)
        if (classes[k].inBatchOrder())
          launchAfter(fork, streams[streamOf(k)].get(), [&](cudaStream_t stream) { launchClass(k, stream, ofBatch); });
      permute(origin);
      permuted.record(origin);
      for (std::size_t k = 0; k < classes.size(); ++k)
        if (!classes[k].inBatchOrder())
          launchAfter(permuted, streams[streamOf(k)].get(),
                      [&](cudaStream_t stream) { launchClass(k, stream, planned); });
      if (spreadCount > 0)
        launchAfter(permuted, streams.back().get(), [&](cudaStream_t stream) { launchSpread(stream, planned); });
      for (const auto& each : joins)
        each->holdBack(origin);
      unpermute(origin);
    });
  }
  void capture(const Values& planned)
  {
    const auto nothing = [](cudaStream_t) {};
    capture(planned, {}, nothing, nothing);
  }

  /// Runs the captured launches and returns their time in ms.
  double run()
  {
    graph.start();
    return graph.finish();
  }

private:
  template <typename Launch>
  void launchAfter(const cuda::Event& event, cudaStream_t stream, Launch launch)
  {
    event.holdBack(stream);
    launch(stream);
    joins.push_back(std::make_unique<cuda::Event>());
    joins.back()->record(stream);
  }

  void packResident(const ResidentPlan& plan, ResidentOrder order)
  {
    TableBytes bytes;
    const Precision precision = plan.parameters.precision;
    std::vector<PackedSchedule> packedOf(plan.schedules.size());
    std::vector<std::size_t> classOf(plan.schedules.size(), 0);
    for (std::size_t s = 0; s < plan.schedules.size(); ++s) {
      const ResidentSchedule& schedule = plan.schedules[s];
      if (schedule.ranks.empty())
        continue;
      packedOf[s] = packSchedule(schedule, precision, bytes);
      std::size_t k = 0;
      while (k < classes.size() && !classes[k].admits(schedule, plan.parameters))
        ++k;
      if (k == classes.size())
        classes.emplace_back(schedule);
      classes[k].include(schedule, precision);
      classOf[s] = k;
    }
    std::vector<PackedChunks> chunksOf(plan.schedules.size());
    if (order == ResidentOrder::Batch)
      takeBatchOrder(plan, classOf, chunksOf);
    std::vector<std::vector<ResidentUnit>> unitsOf(classes.size());
    for (const ResidentUnit& unit : plan.units)
      if (!packedOf[unit.schedule].heads.empty())
        unitsOf[classOf[unit.schedule]].push_back(unit);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      addHeads(classes[k], unitsOf[k], packedOf);
      if (classes[k].inBatchOrder())
        addParts(classes[k], unitsOf[k], plan, chunksOf);
    }
    std::erase_if(classes, [](const UnitClass& unitClass) { return unitClass.heads.empty(); });
    // First blocks that want a multiprocessor to themselves, which would have to wait for all that share it; then
    // clusters, whose blocks must find room at the same time; large blocks before small, so that the last to finish are
    // small.
    std::ranges::stable_sort(classes, std::greater{}, [&](const UnitClass& c) {
      return std::tuple(c.together(plan.parameters) == 1, c.ranks, c.warps);
    });
    for (const UnitClass& unitClass : classes) {
      heads.emplace_back(unitClass.heads);
      mailrooms.emplace_back(unitClass, movement);
      parts.emplace_back(unitClass.parts);
      runs.emplace_back(flattened(unitClass));
    }
    streams.resize(classes.size() + 1);
    tables = Buffer<unsigned char>(bytes.all());
    const auto mostBytes = static_cast<int>(plan.parameters.device.sharedBytesPerBlock);
    for (const UnitClass& unitClass : classes)
      cuda::check(cudaFuncSetAttribute(kernelOf(unitClass), cudaFuncAttributeMaxDynamicSharedMemorySize, mostBytes),
                  "give a block so much shared memory");
  }

  /// Moves the schedules that can take their values in the order of the batch to classes that do.
  void takeBatchOrder(const ResidentPlan& plan, std::vector<std::size_t>& classOf, std::vector<PackedChunks>& chunksOf)
  {
    std::vector<device::PackedPlace> placeList;
    const std::size_t formed = classes.size();
    std::vector<std::size_t> batchClassOf(formed, formed); // none yet
    for (std::size_t s = 0; s < plan.schedules.size(); ++s) {
      if (plan.schedules[s].ranks.empty())
        continue;
      const std::size_t k = classOf[s];
      UnitClass withChunks = classes[k];
      ChunkRoom<Real>::setUp(withChunks, parameters);
      std::optional<PackedChunks> chunks = packChunks(plan, s, withChunks.capacity, placeList);
      if (!chunks)
        continue;
      if (batchClassOf[k] == formed) {
        batchClassOf[k] = classes.size();
        classes.push_back(std::move(withChunks));
      }
      UnitClass& batchClass = classes[batchClassOf[k]];
      batchClass.stride = std::max(batchClass.stride, chunks->mostRuns());
      chunksOf[s] = std::move(*chunks);
      classOf[s] = batchClassOf[k];
      isPlanned[s] = 0;
    }
    places = Buffer<device::PackedPlace>(placeList);
  }

  static void addParts(UnitClass& unitClass, std::span<const ResidentUnit> units, const ResidentPlan& plan,
                       std::span<const PackedChunks> chunksOf)
  {
    std::vector<device::BatchPart> unitParts;
    for (const ResidentUnit& unit : units) {
      const PackedChunks& chunks = chunksOf[unit.schedule];
      for (std::size_t rank = 0; rank < chunks.ofRank.size(); ++rank) {
        const ResidentChunks& ofRank = chunks.ofRank[rank];
        unitParts.push_back({chunks.places[rank], static_cast<std::uint32_t>(unitClass.runs.size() * unitClass.stride),
                             static_cast<std::uint16_t>(ofRank.runs.size()), static_cast<std::uint16_t>(ofRank.count)});
        unitClass.runs.push_back(chunks.runsOf(rank, plan, unit));
      }
    }
    std::size_t next = 0; // a block has the part of its first unit
    for (const BlockHead& head : unitClass.heads) {
      unitClass.parts.push_back(unitParts[next]);
      next += head.units;
    }
  }
  /// The runs of all blocks, `stride` apart.
  static std::vector<device::PackedRun> flattened(const UnitClass& unitClass)
  {
    std::vector<device::PackedRun> all(unitClass.runs.size() * unitClass.stride);
    for (std::size_t block = 0; block < unitClass.runs.size(); ++block)
      std::ranges::copy(unitClass.runs[block], all.begin() + static_cast<std::ptrdiff_t>(block * unitClass.stride));
    return all;
  }

  /// How many of the units that are left the next block takes, at most. In the order of the batch, where all units are
  /// alike, there is one block for each place on the device: a unit comes while the one before it is solved.
  std::size_t unitsOfBlock(const UnitClass& unitClass, std::span<const ResidentUnit> units, std::size_t places) const
  {
    constexpr std::size_t kMostUnits = 4;
    const auto other =
        std::ranges::find_if(units, [&](const ResidentUnit& unit) { return unit.schedule != units.front().schedule; });
    const auto alike = static_cast<std::size_t>(other - units.begin());
    if (unitClass.inBatchOrder() && unitClass.takesSeveral && alike > 2 * placesLeft(unitClass, places))
      return (alike + placesLeft(unitClass, places) - 1) / placesLeft(unitClass, places);
    const bool takesSeveral = unitClass.inBatchOrder()
                                  ? unitClass.takesSeveral
                                  : residentForms(parameters.precision)[unitClass.form].takesSeveral;
    return takesSeveral ? std::clamp<std::size_t>(units.size() / (2 * places), 1, kMostUnits) : 1;
  }
  /// That no block of the class has yet.
  static std::size_t placesLeft(const UnitClass& unitClass, std::size_t places)
  {
    return places - unitClass.heads.size() % places;
  }

  /// The blocks of a launch: one for each unit and rank or, where a block takes several, for as many units of one
  /// schedule as leave at least two such blocks for every place on the device.
  void addHeads(UnitClass& unitClass, std::span<const ResidentUnit> units,
                std::span<const PackedSchedule> packedOf) const
  {
    const std::size_t places = unitClass.together(parameters) * multiprocessors;
    while (!units.empty()) {
      const std::size_t wanted = unitsOfBlock(unitClass, units, places);
      const std::size_t stride = units.size() > 1 ? units[1].slotBegin - units[0].slotBegin : 0;
      const auto follows = [&](std::size_t k) { // also in the layout, where values are taken in that
        return units[k].schedule == units[0].schedule &&
               (unitClass.inBatchOrder() || units[k].slotBegin == units[0].slotBegin + k * stride);
      };
      std::size_t count = 1;
      while (count < std::min(wanted, units.size()) && follows(count))
        ++count;
      const PackedSchedule& packed = packedOf[units[0].schedule];
      for (BlockHead head : packed.heads) {
        head.firstSlot += units[0].slotBegin;
        head.stride = static_cast<std::uint32_t>(stride);
        head.units = static_cast<std::uint16_t>(count);
        unitClass.heads.push_back(head);
      }
      for (device::Box box : packed.boxes) {
        box.begin = unitClass.boxNumbers;
        unitClass.boxes.push_back(box);
      }
      unitClass.boxNumbers += packed.boxNumbers;
      units = units.subspan(count);
    }
  }

  void packSpread(const ResidentPlan& plan)
  {
    std::vector<device::SpreadUnit> unitList;
    std::vector<ResidentPiece> pieceList;
    std::vector<std::int32_t> rowBeginList, rowSlotList, roundList;
    std::vector<ResidentNode> nodeList;
    std::map<std::uint32_t, device::SpreadUnit> tablesOf;
    std::size_t nodeTotal = 0;
    std::size_t contributionTotal = 0;
    for (const ResidentUnit& unit : plan.units) {
      const ResidentSchedule& schedule = plan.schedules[unit.schedule];
      if (!schedule.ranks.empty())
        continue;
      const auto [entry, isNew] = tablesOf.try_emplace(unit.schedule);
      device::SpreadUnit& shape = entry->second;
      if (isNew) {
        shape.pieceTable = pieceList.size();
        shape.groupTable = rowBeginList.size();
        shape.rowTable = rowSlotList.size();
        shape.nodeTable = nodeList.size();
        shape.roundTable = roundList.size();
        shape.groups = schedule.groups();
        shape.nodes = schedule.nodeCount();
        shape.rounds = schedule.rounds();
        pieceList.insert(pieceList.end(), schedule.pieces.begin(), schedule.pieces.end());
        rowBeginList.insert(rowBeginList.end(), schedule.rowBegin.begin(), schedule.rowBegin.end());
        rowSlotList.insert(rowSlotList.end(), schedule.rowSlot.begin(), schedule.rowSlot.end());
        nodeList.insert(nodeList.end(), schedule.nodes.begin(), schedule.nodes.end());
        roundList.insert(roundList.end(), schedule.roundBegin.begin(), schedule.roundBegin.end());
      }
      device::SpreadUnit placed = shape;
      placed.slotBegin = unit.slotBegin;
      placed.nodeBegin = nodeTotal;
      placed.contributionBegin = contributionTotal;
      nodeTotal += static_cast<std::size_t>(schedule.nodeCount());
      contributionTotal += static_cast<std::size_t>(schedule.contributions);
      spreadGroups = std::max(spreadGroups, schedule.groups());
      unitList.push_back(placed);
    }
    spreadCount = unitList.size();
    if (spreadCount == 0)
      return;
    if (spreadCount > 65535)
      throw Error(
          ErrorCode::BadParameter,
          "The batch has more than 65,535 cells that are too large for the GPU's on-chip memory; choose fewer.");
    spreadUnits = Buffer<device::SpreadUnit>(unitList);
    spreadPieces = Buffer<ResidentPiece>(pieceList);
    spreadRowBegin = Buffer<std::int32_t>(rowBeginList);
    spreadRowSlot = Buffer<std::int32_t>(rowSlotList);
    spreadNodeTable = Buffer<ResidentNode>(nodeList);
    spreadRounds = Buffer<std::int32_t>(roundList);
    nodes = Buffer<NodeValues<Real>>(nodeTotal);
    contribution = Buffer<NodeContribution<Real>>(contributionTotal);
  }

  using Kernel = void (*)(const BlockHead*, device::Launch, const unsigned char*, const Real*, const Real*, const Real*,
                          Real*);

  template <cuda::Movement kMovement, std::size_t kForm>
  static Kernel kernel(bool inBatchOrder)
  {
    if (inBatchOrder)
      return &device::residentBatchKernel<kMovement, Real, kForm>;
    if constexpr (device::kFormOf<Real, kForm>.takesSeveral)
      return &device::residentRunKernel<kMovement, Real, kForm>;
    else
      return &device::residentKernel<kMovement, Real, kForm>;
  }
  /// One for each of residentForms.
  template <cuda::Movement kMovement>
  static auto kernelsThatMove(bool inBatchOrder)
  {
    constexpr std::size_t count = residentForms(device::kPrecision<Real>).size();
    return [&]<std::size_t... kForm>(std::index_sequence<kForm...>)
    {
      return std::array<Kernel, count>{kernel<kMovement, kForm>(inBatchOrder)...};
    }
    (std::make_index_sequence<count>{});
  }
  Kernel kernelOf(const UnitClass& unitClass) const
  {
    const auto all = movement == cuda::Movement::Bulk
                         ? kernelsThatMove<cuda::Movement::Bulk>(unitClass.inBatchOrder())
                         : kernelsThatMove<cuda::Movement::Threads>(unitClass.inBatchOrder());
    return all[unitClass.form];
  }

  /// Classes whose blocks wait for one another go one after the other where nothing but their order of starting keeps
  /// them from waiting for ever.
  std::size_t streamOf(std::size_t k) const
  {
    if (movement == cuda::Movement::Bulk || !classes[k].sendsMessages())
      return k;
    return static_cast<std::size_t>(std::ranges::find_if(classes, &UnitClass::sendsMessages) - classes.begin());
  }

  /// Classes of larger units go first: a block of theirs does not wait for several small ones to end at once, and the
  /// last to finish are small.
  int priority(std::size_t k) const
  {
    const cuda::PriorityRange range = cuda::priorityRange();
    return std::min(range.least, range.greatest + static_cast<int>(k));
  }

  void launchClass(std::size_t k, cudaStream_t stream, const Values& values)
  {
    const UnitClass& unitClass = classes[k];
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(unitClass.heads.size()));
    config.blockDim = dim3(static_cast<unsigned>(unitClass.warps * 32));
    config.dynamicSmemBytes =
        unitClass.inBatchOrder() ? ChunkRoom<Real>::sharedBytes(unitClass) : unitClass.sharedBytes();
    config.stream = stream;
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributePriority;
    attributes[0].val.priority = priority(k);
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim = {static_cast<unsigned>(unitClass.ranks), 1, 1};
    config.attrs = attributes;
    config.numAttrs = unitClass.sendsMessages() && movement == cuda::Movement::Bulk ? 2 : 1;
    const std::size_t together = unitClass.together(parameters) * multiprocessors;
    // A block brings the values of one that starts soon after its own reduction: what is brought earlier takes the room
    // in the L2 cache of what comes before it (docs/notes/resident.md).
    const BlockHead& largest = unitClass.heads.front();
    const std::size_t slots = largest.heldSlots + std::size_t{largest.slotCount};
    const std::size_t inCache = parameters.device.l2Bytes * 3 / 4 / (3 * sizeof(Real) * slots);
    const std::size_t ahead = std::min(unitClass.ranks == 1 ? together * 3 / 4 : together / 2, inCache);
    device::Launch launch{layOut(unitClass.first), layOut(unitClass.other),
                          static_cast<unsigned>(ahead / unitClass.ranks * unitClass.ranks)};
    launch.mail = mailrooms[k].open(stream);
    if (unitClass.inBatchOrder())
      launch.batch = {parts[k].data(),
                      runs[k].data(),
                      places.data(),
                      static_cast<std::uint32_t>(unitClass.stride),
                      static_cast<std::uint32_t>(ChunkRoom<Real>::begin(unitClass)),
                      static_cast<std::uint32_t>(unitClass.capacity),
                      ChunkRoom<Real>::solutions(unitClass.takesSeveral),
                      ChunkRoom<Real>::firstSolution(unitClass.takesSeveral)};
    // Those of later launches start when others end; few or small blocks would not make up for the time that they wait.
    constexpr std::size_t kLeastRounds = 3;
    const std::size_t capacity = residentCapacity(parameters.device, parameters.precision, 1) * multiprocessors;
    if (k == 0 && slots * together >= capacity / 2 && unitClass.heads.size() >= kLeastRounds * together) {
      launch.inTurn = static_cast<unsigned>(together);
      constexpr double kShare = 0.63; // of the time in which they cross the memory's bus
      const auto bytes = static_cast<double>(4 * sizeof(Real) * slots * together);
      launch.turns = static_cast<unsigned>(kShare * 1e9 * bytes / parameters.device.bandwidth);
    }
    cuda::check(cudaLaunchKernelEx(&config, kernelOf(unitClass), static_cast<const BlockHead*>(heads[k].data()), launch,
                                   static_cast<const unsigned char*>(tables.data()),
                                   static_cast<const Real*>(values.excess), static_cast<const Real*>(values.u),
                                   static_cast<const Real*>(values.b), values.x),
                "launch the resident solver");
  }

  void launchSpread(cudaStream_t stream, const Values& values)
  {
    const device::SpreadTables t{spreadUnits.data(),   spreadPieces.data(),    spreadRowBegin.data(),
                                 spreadRowSlot.data(), spreadNodeTable.data(), spreadRounds.data()};
    const device::SpreadValues<Real> v{values.excess, values.u, values.b, values.x, nodes.data(), contribution.data()};
    const dim3 grid(static_cast<unsigned>((spreadGroups * 32 + 127) / 128), static_cast<unsigned>(spreadCount));
    device::spreadContract<<<grid, 128, 0, stream>>>(t, v);
    device::spreadReduce<<<static_cast<unsigned>(spreadCount), 1024, 0, stream>>>(t, v);
    device::spreadExpand<<<grid, 128, 0, stream>>>(t, v);
    cuda::check(cudaGetLastError(), "launch the resident solver");
  }

  ResidentParameters parameters;
  std::size_t multiprocessors;
  cuda::Movement movement;
  std::vector<char> isPlanned; ///< per schedule: takesLayout
  std::vector<UnitClass> classes;
  std::vector<Buffer<BlockHead>> heads;         ///< per class
  std::vector<Mailroom<Real>> mailrooms;        ///< per class
  std::vector<Buffer<device::BatchPart>> parts; ///< per class
  std::vector<Buffer<device::PackedRun>> runs;  ///< per class
  Buffer<device::PackedPlace> places;
  Buffer<unsigned char> tables;
  std::size_t spreadCount = 0;
  std::int32_t spreadGroups = 0;
  Buffer<device::SpreadUnit> spreadUnits;
  Buffer<ResidentPiece> spreadPieces;
  Buffer<std::int32_t> spreadRowBegin, spreadRowSlot, spreadRounds;
  Buffer<ResidentNode> spreadNodeTable;
  Buffer<NodeValues<Real>> nodes;
  Buffer<NodeContribution<Real>> contribution;
  std::vector<cuda::Stream> streams; ///< per class, and one for the spread cells
  cuda::Event fork, permuted;
  std::vector<std::unique_ptr<cuda::Event>> joins;
  cuda::TimedGraph graph; ///< all launches of a solve
};

/// Of the units that `isMeant` (ResidentUnit).
template <typename IsMeant>
detail::Permutation makePermutation(const ResidentPlan& plan, IsMeant isMeant)
{
  std::vector<std::int32_t> cell, compartment;
  std::vector<std::size_t> tableBegin;
  for (const ResidentSchedule& schedule : plan.schedules) {
    tableBegin.push_back(cell.size());
    cell.insert(cell.end(), schedule.slotCell.begin(), schedule.slotCell.end());
    compartment.insert(compartment.end(), schedule.slotCompartment.begin(), schedule.slotCompartment.end());
  }
  std::vector<detail::PermutedBlock> blocks;
  for (const ResidentUnit& unit : plan.units)
    if (isMeant(unit))
      blocks.push_back({tableBegin[unit.schedule], unit.slotBegin, unit.cellBegin,
                        static_cast<std::uint32_t>(plan.schedules[unit.schedule].slotCount())});
  std::vector<std::size_t> offsets;
  for (const std::uint32_t c : plan.cellOrder)
    offsets.push_back(plan.batch->offset[c]);
  return {blocks, cell, compartment, {}, offsets};
}

/// In the layout of the plan.
template <typename Real>
struct PlannedValues
{
  explicit PlannedValues(std::size_t slots) : excess(slots), u(slots), b(slots), x(slots) {}
  typename DeviceResident<Real>::Values values() { return {excess.data(), u.data(), b.data(), x.data()}; }

  Buffer<Real> excess, u, b, x;
};

template <typename Real>
class ResidentCudaSolver final : public PreparedSolver
{
public:
  explicit ResidentCudaSolver(std::shared_ptr<const ResidentPlan> residentPlan)
      : plan(std::move(residentPlan)), resident(*plan, ResidentOrder::Schedule),
        permutation(makePermutation(*plan, [](const ResidentUnit&) { return true; })), excess(plan->batch->excess),
        u(plan->batch->u), b(plan->batch->b), x(plan->batch->compartments()), planned(plan->slotCount)
  {
    resident.capture(planned.values());
  }

  void setRightHandSide(std::span<const double> rightHandSide) override { b.upload(rightHandSide.data()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    SolveTimes took;
    timer.start();
    permutation.toLayout(excess.data(), u.data(), b.data(), planned.excess.data(), planned.u.data(), planned.b.data());
    took.permute = timer.stop();
    took.solve = resident.run();
    return took;
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    timer.start();
    permutation.toBatch(planned.x.data(), x.data());
    timings.add("permute", timer.stop());
    timer.start();
    x.download(solution.data());
    timings.add("download", timer.stop());
  }

private:
  std::shared_ptr<const ResidentPlan> plan;
  DeviceResident<Real> resident;
  detail::Permutation permutation;
  Buffer<double> excess, u, b, x; ///< in the order of the batch
  PlannedValues<Real> planned;
  cuda::Timer timer;
};

/// From the order of the batch to the order of the batch: units whose layout does not allow it are permuted, and that
/// is part of the solve.
template <typename Real>
class ResidentBatchSolver final : public PreparedSolver
{
public:
  explicit ResidentBatchSolver(std::shared_ptr<const ResidentPlan> residentPlan)
      : plan(std::move(residentPlan)), resident(*plan, ResidentOrder::Batch), excess(plan->batch->excess),
        u(plan->batch->u), b(plan->batch->b), x(plan->batch->compartments())
  {
    const auto takesLayout = [&](const ResidentUnit& unit) { return resident.takesLayout(unit.schedule); };
    if (std::ranges::any_of(plan->units, takesLayout)) {
      permutation.emplace(makePermutation(*plan, takesLayout));
      planned.emplace(plan->slotCount);
    }
    resident.capture(
        planned ? planned->values() : typename DeviceResident<Real>::Values{},
        {excess.data(), u.data(), b.data(), x.data()},
        [&](cudaStream_t stream) {
          if (permutation)
            permutation->toLayout(excess.data(), u.data(), b.data(), planned->excess.data(), planned->u.data(),
                                  planned->b.data(), stream);
        },
        [&](cudaStream_t stream) {
          if (permutation)
            permutation->toBatch(planned->x.data(), x.data(), stream);
        });
  }

  void setRightHandSide(std::span<const double> rightHandSide) override { b.set(rightHandSide); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    return {0, resident.run()};
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    const Stopwatch watch;
    x.get(solution);
    timings.add("download", watch.elapsed());
  }

private:
  std::shared_ptr<const ResidentPlan> plan;
  DeviceResident<Real> resident;
  detail::BatchVector<Real> excess, u, b, x;
  std::optional<detail::Permutation> permutation; ///< of the units that take the layout of the plan
  std::optional<PlannedValues<Real>> planned;     ///< theirs
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareResidentCuda(std::shared_ptr<const ResidentPlan> plan,
                                                            const SolveParameters& parameters, StageTimings& timings,
                                                            const RunControl& control)
{
  return timedUpload(timings, control, [&] {
    if (parameters.of<ResidentSettings>().order == ResidentOrder::Batch)
      return makeInPrecision<PreparedSolver, ResidentBatchSolver>(parameters.precision, std::move(plan));
    return makeInPrecision<PreparedSolver, ResidentCudaSolver>(parameters.precision, std::move(plan));
  });
}

} // namespace hinesight::hines
