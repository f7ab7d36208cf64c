#pragma once

// For .cu files only: the resident solver's kernels (see resident_plan.hpp). Real is the precision of the values.

#include "hines/resident_plan.hpp"
#include "hines/resident_step.hpp"

#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

namespace hinesight::hines::device {

namespace cg = cooperative_groups;

constexpr std::uint16_t kNone = 0xFFFF;
constexpr int kMostThreads = 384;

// A unit's nodes are in the shared memory of its first block. The tables name their values and contributions by where
// they are there, counted in numbers of the precision at hand, so that no lane has to work out an address.

/// A piece in shared memory.
struct PackedPiece
{
  std::uint16_t lengthAndTip; ///< length * 2, + 1 for a tip
  std::uint16_t node;         ///< where it is
  std::uint16_t parentNode;   ///< where it is; kNone: none
  std::uint16_t contribution; ///< where it is
};

/// A node in shared memory; where things are.
struct alignas(8) PackedNode
{
  std::uint16_t parent; ///< the node itself where there is none
  std::uint16_t child;  ///< the node itself where there is none
  std::uint16_t out;    ///< the contribution to the parent
  std::uint16_t in;     ///< the first contribution left to it; they go on to the next node's first
};

/// What a thread block must know: one read from global memory, everything else follows from it.
struct BlockHead
{
  std::uint64_t firstSlot;  ///< of its values, in the plan's layout
  std::uint64_t pieceTable; ///< into the tables
  std::uint64_t nodeTable;
  std::uint32_t slots;
  std::uint32_t groups;
  std::uint32_t pieceBytes; ///< pieces, first rows of groups, first slots of rows
  std::uint32_t nodeBytes;  ///< nodes and rounds; 0 but in the first block of a cluster
  std::uint32_t nodes;
  std::uint32_t rounds;
};

/// Where things are in shared memory, from its start.
struct SharedLayout
{
  std::uint32_t values; ///< excess, then u, then b
  std::uint32_t pieceTable;
  std::uint32_t nodeTable;  ///< in the first block of a cluster, and what follows
  std::uint32_t nodeValues; ///< NodeValues
  std::uint32_t contributions;
};

template <typename Real>
__host__ __device__ SharedLayout layOut(const BlockHead& head)
{
  SharedLayout s;
  s.values = static_cast<std::uint32_t>(kResidentBarrierBytes);
  s.pieceTable = s.values + 3 * sizeof(Real) * head.slots;
  s.nodeTable = s.pieceTable + head.pieceBytes;
  s.nodeValues = s.nodeTable + head.nodeBytes;
  s.contributions = (s.nodeValues + 3 * sizeof(Real) * head.nodes + 15) & ~15u;
  return s;
}

/// The part of the shared memory of a unit's first block that is addressed in numbers.
template <typename Real>
struct NodeMemory
{
  unsigned char* start; ///< of that block's shared memory

  __device__ NodeContribution<Real>& contribution(std::uint32_t at) const
  {
    return reinterpret_cast<AlignedContribution*>(start + at * sizeof(Real))->value;
  }
  __device__ NodeValues<Real>& node(std::uint32_t at) const
  {
    return *reinterpret_cast<NodeValues<Real>*>(start + at * sizeof(Real));
  }

private:
  struct alignas(2 * sizeof(Real)) AlignedContribution
  {
    NodeContribution<Real> value;
  };
};

// --- The bulk copy engine ---------------------------------------------------------------------------------------

__device__ inline std::uint32_t sharedAddress(const void* p)
{
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void initialize(std::uint64_t* barrier)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(barrier)));
}

__device__ inline void expectBytes(std::uint64_t* barrier, std::uint32_t bytes)
{
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes)
               : "memory");
}

__device__ inline void fetch(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier)
{
  if (bytes > 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     sharedAddress(to)),
                 "l"(from), "r"(bytes), "r"(sharedAddress(barrier))
                 : "memory");
}

/// Brings what a later block will fetch from the device's memory into its L2 cache.
__device__ inline void prefetch(const void* from, std::uint32_t bytes)
{
  if (bytes > 0)
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}

__device__ inline void waitForBytes(std::uint64_t* barrier)
{
  std::uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier))
                 : "memory");
}

__device__ inline void store(void* to, const void* from, std::uint32_t bytes)
{
  if (bytes == 0)
    return;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(sharedAddress(from)),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// The block's shared memory may be given away only when its stores have read it.
__device__ inline void waitForStores()
{
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/// A block's values come in parts, so that the first are worked on while the last are under way. Barrier 0 is the
/// tables', barrier 1 + k the one of part k.
struct Parts
{
  static constexpr std::uint32_t kMost = static_cast<std::uint32_t>(kResidentBarrierBytes / 8) - 2;
  static constexpr std::uint32_t kLeast = 256; ///< slots

  std::uint32_t slots; ///< of a part but the last
  std::uint32_t count;

  __device__ explicit Parts(std::uint32_t all)
  {
    constexpr std::uint32_t kAlignment = 16; // bytes are so in any precision
    const std::uint32_t even = (all + kMost - 1) / kMost;
    slots = max(kLeast, (even + kAlignment - 1) / kAlignment * kAlignment);
    count = (all + slots - 1) / slots;
  }
  /// The part that holds the slot before `end`.
  __device__ std::uint32_t lastOf(std::uint32_t end) const { return (end - 1) / slots; }
};

// --- Pieces -----------------------------------------------------------------------------------------------------

/// A lane contracts its piece: from then on excess, b and u hold w, y and v inside it. The next row is read before the
/// present one is overwritten, which takes the reads off the chain of dependent operations.
template <typename Real>
__device__ void contractPiece(const PackedPiece& piece, const std::uint16_t* row, int lane, Real* excess, Real* u,
                              Real* b, const NodeMemory<Real>& nodes)
{
  const int length = piece.lengthAndTip >> 1;
  const bool isTip = piece.lengthAndTip & 1;
  if (length == 0)
    return;
  PieceSweep<Real> sweep;
  int slot = row[0] + lane;
  Real sk = excess[slot];
  Real uk = u[slot];
  Real bk = b[slot];
  const Real endExcess = sk;
  const Real endRightHandSide = bk;
  int k = 0;
  if (!isTip) {
    sweep.fill = uk;
    k = 1;
    if (length > 1) {
      slot = row[1] + lane;
      sk = excess[slot];
      uk = u[slot];
      bk = b[slot];
    }
  }
  int next = k + 1 < length ? row[k + 1] + lane : slot;
#pragma unroll 1
  for (; k < length; ++k) {
    const Real sNext = excess[next];
    const Real uNext = u[next];
    const Real bNext = b[next];
    const int afterNext = k + 2 < length ? row[k + 2] + lane : next;
    const EliminatedCompartment<Real> e = eliminateInPiece(sweep, sk, uk, bk);
    excess[slot] = e.w;
    u[slot] = e.v;
    b[slot] = e.y;
    slot = next;
    next = afterNext;
    sk = sNext;
    uk = uNext;
    bk = bNext;
  }
  nodes.contribution(piece.contribution) = {sweep.excess, sweep.rightHandSide};
  if (!isTip)
    nodes.node(piece.node) = {endExcess - sweep.endExcess, endRightHandSide - sweep.endRightHandSide, sweep.fill};
}

/// A lane substitutes inside its piece.
template <typename Real>
__device__ void expandPiece(const PackedPiece& piece, const std::uint16_t* row, int lane, const Real* excess,
                            const Real* u, Real* b, const NodeMemory<Real>& nodes)
{
  const int length = piece.lengthAndTip >> 1;
  const bool isTip = piece.lengthAndTip & 1;
  if (length == 0)
    return;
  Real x = piece.parentNode == kNone ? Real(0) : nodes.node(piece.parentNode).b;
  Real end = 0;
  if (!isTip) {
    end = nodes.node(piece.node).b;
    b[row[0] + lane] = end;
  }
  const int last = isTip ? 0 : 1;
  if (length == last)
    return;
  int slot = row[length - 1] + lane;
  const auto eliminatedAt = [&](int at) {
    return EliminatedCompartment<Real>{excess[at], b[at], isTip ? Real(0) : u[at]};
  };
  EliminatedCompartment<Real> e = eliminatedAt(slot);
  int next = length - 2 >= last ? row[length - 2] + lane : slot;
#pragma unroll 1
  for (int k = length - 1; k >= last; --k) {
    const EliminatedCompartment<Real> eNext = eliminatedAt(next);
    const int afterNext = k - 2 >= last ? row[k - 2] + lane : next;
    x = substituteInPiece(e, x, end);
    b[slot] = x;
    slot = next;
    next = afterNext;
    e = eNext;
  }
}

// --- Nodes ------------------------------------------------------------------------------------------------------

/// The nodes' tables in shared memory.
struct NodeTable
{
  const PackedNode* node; ///< one more than there are
  const std::uint16_t* roundBegin;
  int rounds;
  int firstNode; ///< where it is
};

/// What a thread does in a round, read from the tables ahead of time.
struct NodeTurn
{
  int j;
  int end;  ///< of the round
  int self; ///< where the node is
  int inEnd;
  PackedNode node;

  __device__ bool exists() const { return j < end; }
  __device__ void readNode(const NodeTable& table)
  {
    self = table.firstNode + 3 * j;
    inEnd = table.node[j + 1].in;
    node = table.node[j];
  }
  /// The thread's next node in the same round.
  __device__ NodeTurn after(const NodeTable& table, int threads) const
  {
    NodeTurn next{j + threads, end, 0, 0, {}};
    if (next.exists())
      next.readNode(table);
    return next;
  }
};

__device__ inline NodeTurn turnOf(const NodeTable& table, int round, int thread)
{
  NodeTurn turn{table.roundBegin[round] + thread, table.roundBegin[round + 1], 0, 0, {}};
  if (turn.exists())
    turn.readNode(table);
  return turn;
}

/// Everything that is read is read first: the reads wait for each other only once.
template <typename Real>
__device__ void eliminate(const NodeTurn& turn, const NodeMemory<Real>& nodes)
{
  const PackedNode& node = turn.node;
  NodeValues<Real> own = nodes.node(turn.self);
  NodeValues<Real> child = nodes.node(node.child);
  const NodeContribution<Real> toParent = nodes.contribution(node.out);
  NodeContribution<Real> first{0, 0};
  NodeContribution<Real> second{0, 0};
  if (node.in < turn.inEnd)
    first = nodes.contribution(node.in);
  if (node.in + 2 < turn.inEnd)
    second = nodes.contribution(node.in + 2);
  take(own, first);
  take(own, second);
  int in = node.in + 4;
#pragma unroll 1
  for (; in + 8 <= turn.inEnd; in += 8) { // a star's center has thousands: four reads at a time
    NodeContribution<Real> left[4];
    for (int c = 0; c < 4; ++c)
      left[c] = nodes.contribution(in + 2 * c);
    for (int c = 0; c < 4; ++c)
      take(own, left[c]);
  }
#pragma unroll 1
  for (; in < turn.inEnd; in += 2)
    take(own, nodes.contribution(in));
  const bool hasChild = node.child != turn.self;
  if (!hasChild)
    child.w = 0;
  const NodeElimination<Real> e = eliminateNode(own, child, toParent);
  nodes.node(turn.self) = e.own;
  nodes.contribution(node.out) = e.toParent;
  if (hasChild)
    nodes.node(node.child) = e.child;
}

/// `threads` threads eliminate the nodes of rounds [first, last); `synchronize` makes them wait for each other.
template <typename Real, typename Synchronize>
__device__ void eliminateRounds(const NodeTable& table, int first, int last, int thread, int threads,
                                const NodeMemory<Real>& nodes, Synchronize synchronize)
{
  if (first >= last)
    return;
  NodeTurn turn = turnOf(table, first, thread);
#pragma unroll 1
  for (int round = first; round < last; ++round) {
    const NodeTurn now = turn;
    if (round + 1 < last)
      turn = turnOf(table, round + 1, thread);
    if (now.exists())
      eliminate(now, nodes);
#pragma unroll 1
    for (NodeTurn more = now.after(table, threads); more.exists(); more = more.after(table, threads))
      eliminate(more, nodes);
    synchronize();
  }
}

template <typename Real>
__device__ void substitute(const NodeTurn& turn, const NodeValues<Real>& eliminated, const NodeMemory<Real>& nodes)
{
  nodes.node(turn.self).b = substituteNode(eliminated, nodes.node(turn.node.parent).b, nodes.node(turn.node.child).b);
}

/// And substitute in them, backwards. What a node's elimination left is read ahead like the tables.
template <typename Real, typename Synchronize>
__device__ void substituteRounds(const NodeTable& table, int first, int last, int thread, int threads,
                                 const NodeMemory<Real>& nodes, Synchronize synchronize)
{
  if (first >= last)
    return;
  NodeTurn turn = turnOf(table, last - 1, thread);
  NodeValues<Real> eliminated{};
  if (turn.exists())
    eliminated = nodes.node(turn.self);
#pragma unroll 1
  for (int round = last - 1; round >= first; --round) {
    const NodeTurn now = turn;
    const NodeValues<Real> eliminatedNow = eliminated;
    if (round > first) {
      turn = turnOf(table, round - 1, thread);
      if (turn.exists())
        eliminated = nodes.node(turn.self);
    }
    if (now.exists())
      substitute(now, eliminatedNow, nodes);
#pragma unroll 1
    for (NodeTurn more = now.after(table, threads); more.exists(); more = more.after(table, threads))
      substitute(more, nodes.node(more.self), nodes);
    synchronize();
  }
}

/// The rounds of rake and compress and back. The first rounds, while they are wider than a warp, are shared by the
/// whole block.
template <typename Real>
__device__ void reduce(const NodeTable& table, const NodeMemory<Real>& nodes)
{
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const auto block = [] { __syncthreads(); };
  const auto warp = [] { __syncwarp(); };
  int wide = 0;
  while (wide < table.rounds && table.roundBegin[wide + 1] - table.roundBegin[wide] > 32)
    ++wide;
  eliminateRounds(table, 0, wide, thread, threads, nodes, block);
  if (thread < 32) {
    eliminateRounds(table, wide, table.rounds, thread, 32, nodes, warp);
    substituteRounds(table, wide, table.rounds, thread, 32, nodes, warp);
  }
  __syncthreads();
  substituteRounds(table, 0, wide, thread, threads, nodes, block);
}

// --- A unit on chip ---------------------------------------------------------------------------------------------

/// Fetches a block's tables and values; one warp. Part k of the values is lane k's affair.
template <typename Real>
__device__ void fetchBlock(const BlockHead& head, const SharedLayout& s, const Parts& parts, unsigned char* shared,
                           const unsigned char* tables, const Real* excess, const Real* u, const Real* b)
{
  auto* barriers = reinterpret_cast<std::uint64_t*>(shared);
  const auto lane = static_cast<std::uint32_t>(threadIdx.x);
  if (lane <= parts.count)
    initialize(barriers + lane);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncwarp();
  if (lane == parts.count) {
    expectBytes(barriers, head.pieceBytes + head.nodeBytes);
    fetch(shared + s.pieceTable, tables + head.pieceTable, head.pieceBytes, barriers);
    fetch(shared + s.nodeTable, tables + head.nodeTable, head.nodeBytes, barriers);
  }
  if (lane < parts.count) {
    const std::uint32_t begin = lane * parts.slots;
    const std::uint32_t slots = min(head.slots, begin + parts.slots) - begin;
    const std::uint32_t bytes = slots * sizeof(Real);
    const std::size_t from = head.firstSlot + begin;
    auto* values = reinterpret_cast<Real*>(shared + s.values) + begin;
    std::uint64_t* barrier = barriers + 1 + lane;
    expectBytes(barrier, 3 * bytes);
    fetch(values, excess + from, bytes, barrier);
    fetch(values + head.slots, u + from, bytes, barrier);
    fetch(values + 2 * head.slots, b + from, bytes, barrier);
  }
}

/// A unit is one thread block, or a cluster of them that keeps the junctions in the shared memory of its first block.
/// Values and tables come by the bulk copy engine, are worked on in place, and go back the same way: global memory is
/// read once and written once. Each block has the values of the one `ahead` blocks later brought into the L2 cache, so
/// that the memory is busy while blocks reduce.
template <typename Real, bool kCluster>
__global__ void __launch_bounds__(kMostThreads, 3)
    residentKernel(const BlockHead* heads, unsigned ahead, const unsigned char* tables, const Real* __restrict__ excess,
                   const Real* __restrict__ u, const Real* __restrict__ b, Real* __restrict__ x)
{
  extern __shared__ __align__(128) unsigned char shared[];
  const BlockHead head = heads[blockIdx.x];
  const SharedLayout s = layOut<Real>(head);
  const Parts parts(head.slots);
  if (threadIdx.x < 32)
    fetchBlock(head, s, parts, shared, tables, excess, u, b);
  bool isFirst = true;
  unsigned char* sharedOfFirst = shared;
  if constexpr (kCluster) {
    isFirst = cg::this_cluster().block_rank() == 0;
    sharedOfFirst = cg::this_cluster().map_shared_rank(shared, 0);
    cg::this_cluster().sync(); // the first block must run before anything is written to its memory
  } else
    __syncthreads();
  const NodeMemory<Real> nodes{sharedOfFirst};
  auto* barriers = reinterpret_cast<std::uint64_t*>(shared);
  waitForBytes(barriers);

  auto* sharedExcess = reinterpret_cast<Real*>(shared + s.values);
  Real* sharedU = sharedExcess + head.slots;
  Real* sharedB = sharedU + head.slots;
  const auto* pieces = reinterpret_cast<const PackedPiece*>(shared + s.pieceTable);
  const auto* groupRow = reinterpret_cast<const std::uint32_t*>(pieces + 32 * head.groups);
  const auto* rows = reinterpret_cast<const std::uint16_t*>(groupRow + head.groups + 1);
  const int lane = static_cast<int>(threadIdx.x) & 31;
  const int warp = static_cast<int>(threadIdx.x) >> 5;
  const int warps = static_cast<int>(blockDim.x) >> 5;
  const int groups = static_cast<int>(head.groups);
  std::uint32_t arrived = 0; // parts
  for (int g = warp; g < groups; g += warps) {
    for (const std::uint32_t last = parts.lastOf(rows[groupRow[g + 1]]); arrived <= last; ++arrived)
      waitForBytes(barriers + 1 + arrived);
    contractPiece(pieces[32 * g + lane], rows + groupRow[g], lane, sharedExcess, sharedU, sharedB, nodes);
  }
  // This block's own values are here: the memory is free for a later one's.
  if (threadIdx.x == 0 && blockIdx.x + ahead < gridDim.x) {
    const BlockHead& later = heads[blockIdx.x + ahead];
    const std::size_t from = later.firstSlot;
    const std::uint32_t bytes = later.slots * sizeof(Real);
    prefetch(excess + from, bytes);
    prefetch(u + from, bytes);
    prefetch(b + from, bytes);
  }
  if constexpr (kCluster)
    cg::this_cluster().sync();
  else
    __syncthreads();
  if (isFirst) {
    const auto* table = reinterpret_cast<const PackedNode*>(shared + s.nodeTable);
    reduce<Real>({table, reinterpret_cast<const std::uint16_t*>(table + head.nodes + 1), static_cast<int>(head.rounds),
                  static_cast<int>(s.nodeValues / sizeof(Real))},
                 {shared});
  }
  if constexpr (kCluster)
    cg::this_cluster().sync();
  for (int g = warp; g < groups; g += warps) {
    expandPiece(pieces[32 * g + lane], rows + groupRow[g], lane, sharedExcess, sharedU, sharedB, nodes);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (lane == 0) {
      const std::uint32_t begin = rows[groupRow[g]];
      store(x + head.firstSlot + begin, sharedB + begin, (rows[groupRow[g + 1]] - begin) * sizeof(Real));
    }
  }
  // The first block stays until nobody reads its memory any more.
  if constexpr (kCluster)
    cg::this_cluster().barrier_arrive();
  if (lane == 0)
    waitForStores();
  if constexpr (kCluster)
    if (isFirst)
      cg::this_cluster().barrier_wait();
}

// --- Units too large to stay on chip: the same three steps as three launches over global memory -----------------

struct SpreadUnit
{
  std::size_t slotBegin;
  std::size_t nodeBegin;         ///< into the nodes' values, tables too
  std::size_t contributionBegin; ///< into the contributions
  std::size_t pieceTable;
  std::size_t groupTable;
  std::size_t rowTable;
  std::size_t nodeTable;
  std::size_t roundTable;
  std::int32_t groups;
  std::int32_t nodes;
  std::int32_t rounds;
};

struct SpreadTables
{
  const SpreadUnit* units;
  const ResidentPiece* pieces;
  const std::int32_t* rowBegin;
  const std::int32_t* rowSlot;
  const ResidentNode* nodes;
  const std::int32_t* roundBegin;
};

template <typename Real>
struct SpreadValues
{
  Real* excess;
  Real* u;
  Real* b;
  Real* x;
  NodeValues<Real>* node;
  NodeContribution<Real>* contribution;
};

template <typename Real>
__global__ void spreadContract(SpreadTables t, SpreadValues<Real> v)
{
  const SpreadUnit unit = t.units[blockIdx.y];
  const std::int32_t index = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= unit.groups * 32)
    return;
  const ResidentPiece piece = t.pieces[unit.pieceTable + index];
  if (piece.length == 0)
    return;
  const std::int32_t* row = t.rowSlot + unit.rowTable + t.rowBegin[unit.groupTable + index / 32];
  const std::size_t base = unit.slotBegin + index % 32;
  NodeValues<Real>* nodes = v.node + unit.nodeBegin;
  PieceSweep<Real> sweep;
  const std::size_t far = base + row[0];
  if (piece.node >= 0)
    sweep.fill = v.u[far];
  for (std::int32_t k = piece.node >= 0 ? 1 : 0; k < piece.length; ++k) {
    const std::size_t slot = base + row[k];
    const EliminatedCompartment<Real> e = eliminateInPiece(sweep, v.excess[slot], v.u[slot], v.b[slot]);
    v.excess[slot] = e.w;
    v.u[slot] = e.v;
    v.x[slot] = e.y;
  }
  v.contribution[unit.contributionBegin + piece.contribution] = {sweep.excess, sweep.rightHandSide};
  if (piece.node >= 0)
    nodes[piece.node] = {v.excess[far] - sweep.endExcess, v.b[far] - sweep.endRightHandSide, sweep.fill};
}

template <typename Real>
__global__ void spreadReduce(SpreadTables t, SpreadValues<Real> v)
{
  const SpreadUnit unit = t.units[blockIdx.x];
  NodeValues<Real>* nodes = v.node + unit.nodeBegin;
  const ResidentNode* table = t.nodes + unit.nodeTable;
  const std::int32_t* roundBegin = t.roundBegin + unit.roundTable;
  NodeContribution<Real>* contribution = v.contribution + unit.contributionBegin;
  for (std::int32_t round = 0; round < unit.rounds; ++round) {
    for (std::int32_t j = roundBegin[round] + threadIdx.x; j < roundBegin[round + 1]; j += blockDim.x) {
      const ResidentNode node = table[j];
      const std::int32_t end = table[j + 1].contributionBegin;
      NodeValues<Real> own = nodes[j];
#pragma unroll 8
      for (std::int32_t c = node.contributionBegin; c < end; ++c)
        take(own, contribution[c]);
      const bool hasChild = node.childNode >= 0;
      const NodeElimination<Real> e =
          eliminateNode(own, hasChild ? nodes[node.childNode] : NodeValues<Real>{}, contribution[node.contribution]);
      nodes[j] = e.own;
      contribution[node.contribution] = e.toParent;
      if (hasChild)
        nodes[node.childNode] = e.child;
    }
    __syncthreads();
  }
  for (std::int32_t round = unit.rounds - 1; round >= 0; --round) {
    for (std::int32_t j = roundBegin[round] + threadIdx.x; j < roundBegin[round + 1]; j += blockDim.x) {
      const auto xOf = [&](std::int32_t other) { return other >= 0 ? nodes[other].b : Real(0); };
      nodes[j].b = substituteNode(nodes[j], xOf(table[j].parentNode), xOf(table[j].childNode));
    }
    __syncthreads();
  }
}

template <typename Real>
__global__ void spreadExpand(SpreadTables t, SpreadValues<Real> v)
{
  const SpreadUnit unit = t.units[blockIdx.y];
  const std::int32_t index = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= unit.groups * 32)
    return;
  const ResidentPiece piece = t.pieces[unit.pieceTable + index];
  if (piece.length == 0)
    return;
  const std::int32_t* row = t.rowSlot + unit.rowTable + t.rowBegin[unit.groupTable + index / 32];
  const std::size_t base = unit.slotBegin + index % 32;
  NodeValues<Real>* nodes = v.node + unit.nodeBegin;
  Real next = piece.parentNode >= 0 ? nodes[piece.parentNode].b : Real(0);
  Real end = 0;
  if (piece.node >= 0) {
    end = nodes[piece.node].b;
    v.x[base + row[0]] = end;
  }
  for (std::int32_t k = piece.length - 1; k >= (piece.node >= 0 ? 1 : 0); --k) {
    const std::size_t slot = base + row[k];
    next = substituteInPiece<Real>({v.excess[slot], v.x[slot], v.u[slot]}, next, end);
    v.x[slot] = next;
  }
}

} // namespace hinesight::hines::device
