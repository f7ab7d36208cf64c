#pragma once

// For .cu files only: the resident solver's kernels (see resident_plan.hpp). Real is the precision of the values.

#include "core/cuda/shared_copies.cuh"
#include "hines/solvers/resident/resident_plan.hpp"
#include "hines/solvers/resident/resident_step.hpp"

#include <cuda/atomic>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hinesight::hines::device {

using cuda::Movement; // of hinesight

constexpr std::uint16_t kNone = 0xFFFF;

template <typename Real>
constexpr Precision kPrecision = sizeof(Real) == 8 ? Precision::Double : Precision::Single;

template <typename Real, std::size_t kIndex>
constexpr ResidentForm kFormOf = residentForms(kPrecision<Real>)[kIndex];

// The tables name values and contributions of nodes by where they are in a block's shared memory, counted in numbers of
// the precision at hand, so that no lane has to work out an address.

/// A piece in shared memory.
struct alignas(8) PackedPiece
{
  std::uint16_t length;
  std::uint16_t node;         ///< where it is; kNone: a tip
  std::uint16_t parentNode;   ///< where it is; kNone: none
  std::uint16_t contribution; ///< where it is
};

/// 32 pieces, longest first: where the rows of their compartments begin, counted from the block's first slot.
struct alignas(16) PackedGroup
{
  std::uint16_t row[kMostResidentRows];
};

/// A node in shared memory; where things are.
struct alignas(16) PackedNode
{
  std::uint16_t parent; ///< the node itself where there is none
  std::uint16_t child;  ///< the node itself where there is none
  std::uint16_t out;    ///< the contribution to the parent
  std::uint16_t in;     ///< the first contribution left to it
  std::uint16_t inEnd;
  std::uint16_t round; ///< in which it is eliminated
};

/// Nodes that a block eliminates; in its tables those of the last round come first.
struct NodeSet
{
  std::uint16_t count;
  std::uint8_t rounds;
  std::uint8_t blockRounds; ///< the first, in which more nodes are left than a warp can take
  std::uint16_t first;      ///< where the first node of the tables is; the others follow downwards
  std::uint16_t wideRounds; ///< the first, in which more nodes are left than the block has threads
};

/// What a thread block must know of its part of a unit.
struct alignas(16) BlockHead
{
  std::uint64_t firstSlot; ///< of its values, in the plan's layout
  std::uint64_t table;     ///< into the tables
  std::uint32_t tableBytes;
  std::uint32_t forwardedBytes; ///< that the first block gets from all
  std::uint16_t heldSlots;      ///< the first, of the groups that the warps keep in registers
  std::uint16_t slotCount;      ///< the others, in shared memory
  NodeSet own;
  NodeSet shared; ///< of the first block
  std::uint16_t groups;
  std::uint16_t pulled; ///< nodes whose x comes from the first block, from `pulledTo` on
  std::uint16_t owned;  ///< so many of them, the first, are forwarded to the first block before
  std::uint16_t pulledTo;
  std::uint16_t forwarded; ///< contributions that are forwarded to the first block, from `forwardedFrom` on
  std::uint16_t forwardedFrom;
  std::uint16_t pushed; ///< x that the first block sends to all
  std::uint16_t units;  ///< that a block solves one after the other
  std::uint32_t stride; ///< from the values of one to those of the next
};
static_assert(sizeof(BlockHead) == 64);

/// Where the x of a shared node goes.
struct PackedPush
{
  std::uint16_t from; ///< node of the first block
  std::uint16_t to;   ///< node of the other
  std::uint16_t rank; ///< of the other
  std::uint16_t unused;
};

/// Where a block's tables begin in shared memory.
struct Tables
{
  const PackedPiece* pieces;
  const PackedGroup* groups;
  const PackedNode* own;
  const std::uint16_t* ownedTo;   ///< where owned shared nodes are in the first block
  const std::uint16_t* forwardTo; ///< where forwarded contributions are there
  const PackedNode* shared;
  const PackedPush* pushes;

  __device__ Tables(const unsigned char* buffer, const BlockHead& head)
  {
    pieces = reinterpret_cast<const PackedPiece*>(buffer);
    groups = reinterpret_cast<const PackedGroup*>(pieces + 32 * head.groups);
    own = reinterpret_cast<const PackedNode*>(groups + head.groups);
    ownedTo = reinterpret_cast<const std::uint16_t*>(own + head.own.count);
    forwardTo = ownedTo + (head.owned + 7) / 8 * 8;
    shared = reinterpret_cast<const PackedNode*>(forwardTo + (head.forwarded + 7) / 8 * 8);
    pushes = reinterpret_cast<const PackedPush*>(shared + head.shared.count);
  }
};

/// Where things are in shared memory after the barriers and the nodes.
struct SharedLayout
{
  std::uint32_t tables;
  std::uint32_t values; ///< excess, then u, then b
};

/// Where the messages of a unit's blocks are, where they go through global memory. The box of a unit holds what the
/// first block gets, as it lies in its shared memory, and then what it answers, block after block.
struct alignas(16) Box
{
  std::uint64_t begin;   ///< of the unit's, into all numbers
  std::uint16_t from;    ///< where what the first block gets lies in its shared memory
  std::uint16_t count;   ///< numbers of it
  std::uint16_t answers; ///< where the answers to this block begin, counted from the first answer
  std::uint16_t unused;
};

/// What units need whose blocks are no cluster; of a launch.
struct Mail
{
  const Box* boxes;   ///< of each block
  void* numbers;      ///< of the precision at hand
  unsigned* started;  ///< blocks that have started; 0 before the launch
  unsigned* arrived;  ///< of each unit: blocks that have written what the first gets, and the first once it has
                      ///< answered; 0 before the launch
  unsigned ranks = 1; ///< blocks of a unit
};

/// Values that follow one another in the batch and come to a block in one chunk (resident_chunks.hpp).
struct alignas(16) PackedRun
{
  std::uint64_t begin; ///< in the batch
  std::uint16_t count; ///< 0: none
  std::uint16_t at;    ///< in the chunk, if `begin` is aligned
  std::uint16_t chunk;
  std::uint16_t unused;
};

/// Where a lane finds its piece.
struct PackedPlace
{
  std::uint16_t at; ///< of its far end in its chunk, if its run begins at an aligned address
  std::uint8_t run;
  std::uint8_t chunk; ///< kNoChunk: the lane has no piece
};
constexpr std::uint8_t kNoChunk = 0xFF;

/// What a block takes in the order of the batch.
struct alignas(16) BatchPart
{
  std::uint32_t places; ///< where those of its lanes begin
  std::uint32_t runs;   ///< where those of its first unit begin; the other units' follow, `stride` apart
  std::uint16_t runCount;
  std::uint16_t chunks; ///< of a unit
};

/// What the blocks of a launch need that take their values in the order of the batch.
struct BatchOrder
{
  const BatchPart* parts; ///< of each block
  const PackedRun* runs;  ///< of each unit and block, `stride` apart
  const PackedPlace* places;
  std::uint32_t stride;        ///< the most runs of a block
  std::uint32_t chunks;        ///< where these begin in shared memory
  std::uint32_t capacity;      ///< values of a chunk, a multiple of 32
  std::uint32_t solutions;     ///< chunks of the solution that there is room for
  std::uint32_t firstSolution; ///< where that begins, in chunks of one vector; 0: in place of what came
};

/// What the thread blocks of a launch have in common.
struct Launch
{
  SharedLayout first;  ///< of the first block of a unit
  SharedLayout other;  ///< of the others
  unsigned ahead;      ///< the values of the block so many later are brought into the L2 cache
  unsigned inTurn = 0; ///< so many blocks, the first, start apart, over so many ns
  unsigned turns = 0;
  Mail mail = {};
  BatchOrder batch = {};
};

/// A block's shared memory, addressed in numbers.
template <typename Real>
struct NodeMemory
{
  unsigned char* start;

  __device__ NodeContribution<Real>& contribution(std::uint32_t at) const
  {
    return *reinterpret_cast<NodeContribution<Real>*>(start + at * sizeof(Real));
  }
  __device__ NodeValues<Real>& node(std::uint32_t at) const
  {
    return *reinterpret_cast<NodeValues<Real>*>(start + at * sizeof(Real));
  }
};

// --- Copies that nobody waits for at once -----------------------------------------------------------------------

template <Movement kMovement, typename Real>
__device__ void prefetchBlock(const BlockHead& head, std::uint64_t firstSlot, const Real* excess, const Real* u,
                              const Real* b)
{
  const std::uint32_t bytes = static_cast<std::uint32_t>(sizeof(Real)) * (head.heldSlots + head.slotCount);
  cuda::prefetch<kMovement>(excess + firstSlot, bytes);
  cuda::prefetch<kMovement>(u + firstSlot, bytes);
  cuda::prefetch<kMovement>(b + firstSlot, bytes);
}
template <Movement kMovement, typename Real>
__device__ void prefetchBlock(const BlockHead& head, const Real* excess, const Real* u, const Real* b)
{
  prefetchBlock<kMovement>(head, head.firstSlot, excess, u, b);
}

// --- Messages between the blocks of a unit ----------------------------------------------------------------------

/// A block of the cluster, as others write to it: stores arrive by themselves and are counted by the barrier there, so
/// that no fence holds up the writer.
struct RemoteBlock
{
  std::uint32_t start;   ///< of its shared memory
  std::uint32_t barrier; ///< that counts

  __device__ RemoteBlock(const unsigned char* shared, const std::uint64_t* ownBarrier, std::uint32_t rank)
  {
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(start) : "r"(cuda::sharedAddress(shared)), "r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(cuda::sharedAddress(ownBarrier)), "r"(rank));
  }
  __device__ void send(std::uint32_t at, double a) const
  {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [%0], %1, [%2];" ::"r"(start + 8 * at),
                 "d"(a), "r"(barrier)
                 : "memory");
  }
  __device__ void send(std::uint32_t at, float a) const
  {
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(start + 4 * at),
                 "f"(a), "r"(barrier)
                 : "memory");
  }
  template <typename Real>
  __device__ void send(std::uint32_t at, const NodeValues<Real>& node) const
  {
    send(at, node.excess);
    send(at + 1, node.b);
    send(at + 2, node.w);
  }
  template <typename Real>
  __device__ void send(std::uint32_t at, const NodeContribution<Real>& left) const
  {
    send(at, left.excess);
    send(at + 1, left.b);
  }
};

/// What other blocks sent is here.
__device__ inline void waitForMessages(std::uint64_t* barrier)
{
  std::uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(cuda::sharedAddress(barrier))
                 : "memory");
}

// --- Pieces in registers ----------------------------------------------------------------------------------------

/// A lane's piece: row k is the k-th compartment from its far end. Before contraction the rows hold excess, right-hand
/// side and u in place of w, y and v.
template <typename Real, int kRows>
struct HeldPiece
{
  EliminatedRow<Real> row[kRows];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
constexpr bool kHasL2Policies = true;
#else
constexpr bool kHasL2Policies = false;
#endif

/// Reads a value for the only time: it takes no place in the L1 cache, of which shared memory leaves so little that it
/// would hold up the loads that follow. With `kLeavesL2` its line is the next to leave the L2 cache too, which makes
/// room for what is brought there ahead.
template <bool kLeavesL2>
__device__ double readOnce(const double* from)
{
  double value;
  if constexpr (kLeavesL2 && kHasL2Policies) {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.f64 %0, [%1], %2;" : "=d"(value) : "l"(from), "l"(policy));
  } else
    asm("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(value) : "l"(from));
  return value;
}
template <bool kLeavesL2>
__device__ float readOnce(const float* from)
{
  float value;
  if constexpr (kLeavesL2 && kHasL2Policies) {
    std::uint64_t policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(from), "l"(policy));
  } else
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(value) : "l"(from));
  return value;
}

/// Reads a piece from global memory, all rows at once.
template <bool kLeavesL2, typename Real, int kRows>
__device__ void readPiece(int length, const PackedGroup& group, const Real* __restrict__ excess,
                          const Real* __restrict__ u, const Real* __restrict__ b, HeldPiece<Real, kRows>& held)
{
#pragma unroll
  for (int k = 0; k < kRows; ++k)
    if (k < length) {
      const std::uint32_t slot = group.row[k];
      held.row[k] = {readOnce<kLeavesL2>(excess + slot), readOnce<kLeavesL2>(b + slot), readOnce<kLeavesL2>(u + slot)};
    }
}

/// A lane contracts its piece. The junction at a far end is kept as a row whose x is that junction's.
template <typename Real, int kRows>
__device__ void contractPiece(const PackedPiece& piece, HeldPiece<Real, kRows>& held, const NodeMemory<Real>& nodes)
{
  const int length = piece.length;
  if (length == 0)
    return;
  const bool isTip = piece.node == kNone;
  ChainSweep<Real> sweep;
  const Real endExcess = held.row[0].w;
  const Real endRightHandSide = held.row[0].y;
#pragma unroll
  for (int k = 0; k < kRows; ++k) {
    if (k >= length)
      break;
    EliminatedRow<Real>& row = held.row[k];
    if (k == 0 && !isTip) {
      sweep.fill = row.v;
      row = {0, 0, -1};
    } else
      row = eliminateInChain<ResidentRounding>(sweep, row.w, row.v, row.y);
  }
  nodes.contribution(piece.contribution) = {sweep.excess, sweep.b};
  if (!isTip)
    nodes.node(piece.node) = {endExcess - sweep.endExcess, endRightHandSide - sweep.endB, sweep.fill};
}

/// Where a lane writes the solution in the layout of the plan, from the far end of its piece on.
template <typename Real>
struct PlannedPlaces
{
  Real* ofLane;
  const PackedGroup& group;

  __device__ Real& operator[](int row) const { return ofLane[group.row[row]]; }
};

/// And where in a chunk, in the order of the batch.
template <typename Real>
struct BatchPlaces
{
  Real* farEnd;

  __device__ Real& operator[](int row) const { return farEnd[-row]; }
};

/// A lane substitutes inside its piece and writes the solution.
template <typename Real, int kRows, typename Places>
__device__ void expandPiece(const PackedPiece& piece, const HeldPiece<Real, kRows>& held, const Places& x,
                            const NodeMemory<Real>& nodes)
{
  const int length = piece.length;
  if (length == 0)
    return;
  Real next = piece.parentNode == kNone ? Real(0) : nodes.node(piece.parentNode).b;
  const Real end = piece.node == kNone ? Real(0) : nodes.node(piece.node).b;
#pragma unroll
  for (int k = kRows - 1; k >= 0; --k)
    if (k < length) {
      next = substituteInPiece(held.row[k], next, end);
      x[k] = next;
    }
}

// --- Pieces in shared memory ------------------------------------------------------------------------------------

/// A lane's values in shared memory, by slots counted from the block's first.
template <typename Real>
struct SharedValues
{
  Real* excess;
  Real* u;
  Real* b;
};

/// A lane contracts its piece: from then on excess, b and u hold w, y and v inside it. The next row is read before the
/// present one is overwritten, which takes the reads off the chain of dependent operations.
template <typename Real>
__device__ void contractPiece(const PackedPiece& piece, const PackedGroup& group, const SharedValues<Real>& values,
                              const NodeMemory<Real>& nodes)
{
  const int length = piece.length;
  if (length == 0)
    return;
  const bool isTip = piece.node == kNone;
  ChainSweep<Real> sweep;
  std::uint32_t slot = group.row[0];
  Real sk = values.excess[slot];
  Real uk = values.u[slot];
  Real bk = values.b[slot];
  const Real endExcess = sk;
  const Real endRightHandSide = bk;
  int k = 0;
  if (!isTip) {
    sweep.fill = uk;
    k = 1;
    if (length > 1) {
      slot = group.row[1];
      sk = values.excess[slot];
      uk = values.u[slot];
      bk = values.b[slot];
    }
  }
#pragma unroll 1
  for (; k < length; ++k) {
    const std::uint32_t next = k + 1 < length ? group.row[k + 1] : slot;
    const Real sNext = values.excess[next];
    const Real uNext = values.u[next];
    const Real bNext = values.b[next];
    const EliminatedRow<Real> e = eliminateInChain<ResidentRounding>(sweep, sk, uk, bk);
    values.excess[slot] = e.w;
    values.u[slot] = e.v;
    values.b[slot] = e.y;
    slot = next;
    sk = sNext;
    uk = uNext;
    bk = bNext;
  }
  nodes.contribution(piece.contribution) = {sweep.excess, sweep.b};
  if (!isTip)
    nodes.node(piece.node) = {endExcess - sweep.endExcess, endRightHandSide - sweep.endB, sweep.fill};
}

/// A lane substitutes inside its piece and writes the solution.
template <typename Real, typename Places>
__device__ void expandPiece(const PackedPiece& piece, const PackedGroup& group, const SharedValues<Real>& values,
                            const Places& x, const NodeMemory<Real>& nodes)
{
  const int length = piece.length;
  if (length == 0)
    return;
  const bool isTip = piece.node == kNone;
  Real next = piece.parentNode == kNone ? Real(0) : nodes.node(piece.parentNode).b;
  const Real end = isTip ? Real(0) : nodes.node(piece.node).b;
#pragma unroll 4
  for (int k = length - 1; k > 0; --k) {
    const std::uint32_t slot = group.row[k];
    const Real v = isTip ? Real(0) : values.u[slot];
    next = substituteInPiece<Real>({values.excess[slot], values.b[slot], v}, next, end);
    x[k] = next;
  }
  const std::uint32_t first = group.row[0]; // written by tips and others at once: by whole sectors
  x[0] = isTip ? substituteInPiece<Real>({values.excess[first], values.b[first], Real(0)}, next, end) : end;
}

// --- Nodes ------------------------------------------------------------------------------------------------------

/// A thread's node, in registers from its elimination to its substitution.
template <typename Real>
struct HeldNode
{
  PackedNode node;
  int round; ///< -1: the thread has none
  std::uint16_t self;
  NodeValues<Real> eliminated;
};

template <typename Real>
__device__ HeldNode<Real> heldNode(const NodeSet& set, const PackedNode* table, unsigned index)
{
  HeldNode<Real> held;
  held.round = -1;
  if (index < set.count) {
    held.node = table[index];
    held.round = held.node.round;
    held.self = static_cast<std::uint16_t>(set.first - 3 * index);
  }
  return held;
}

/// Everything that is read is read first: the reads wait for each other only once.
template <typename Real>
__device__ void eliminate(HeldNode<Real>& held, const NodeMemory<Real>& nodes)
{
  const PackedNode& node = held.node;
  const bool hasChild = node.child != held.self;
  NodeValues<Real> own = nodes.node(held.self);
  NodeValues<Real> child = nodes.node(node.child);
  const NodeContribution<Real> toParent = nodes.contribution(node.out);
  NodeContribution<Real> first{0, 0};
  NodeContribution<Real> second{0, 0};
  const int count = (node.inEnd - node.in) / 2;
  if (count > 0)
    first = nodes.contribution(node.in);
  if (count > 1)
    second = nodes.contribution(node.in + 2);
  take(own, first, second);
  if (count > 2) {
    int in = node.in + 4;
#pragma unroll 1
    for (; in + 8 <= node.inEnd; in += 8) { // a star's center has thousands: four reads at a time
      NodeContribution<Real> left[4];
      for (int c = 0; c < 4; ++c)
        left[c] = nodes.contribution(in + 2 * c);
      for (int c = 0; c < 4; ++c)
        take(own, left[c]);
    }
#pragma unroll 1
    for (; in < node.inEnd; in += 2)
      take(own, nodes.contribution(in));
  }
  child.w = hasChild ? child.w : Real(0);
  const NodeElimination<Real> e = eliminateNode(own, child, toParent);
  held.eliminated = e.own;
  nodes.contribution(node.out) = e.toParent;
  if (hasChild)
    nodes.node(node.child) = e.child;
}

template <typename Real>
__device__ void substitute(const HeldNode<Real>& held, const NodeMemory<Real>& nodes)
{
  nodes.node(held.self).b =
      substituteNode(held.eliminated, nodes.node(held.node.parent).b, nodes.node(held.node.child).b);
}

/// The rounds of rake and compress, a thread a node; where there are more, the first rounds go over them, and what
/// elimination leaves in these stays in shared memory. All nodes of the rounds after the first `blockRounds` are the
/// first warp's, which needs to wait for nobody else. Returns before other warps know of that warp's work.
template <typename Real>
__device__ void eliminateNodes(const NodeSet set, const PackedNode* table, HeldNode<Real>& held,
                               const NodeMemory<Real>& nodes)
{
  int round = 0;
#pragma unroll 1
  for (; round < set.blockRounds; ++round) {
    if (held.round == round)
      eliminate(held, nodes);
    if (round < set.wideRounds)
#pragma unroll 1
      for (unsigned index = threadIdx.x + blockDim.x; index < set.count; index += blockDim.x) {
        HeldNode<Real> other = heldNode<Real>(set, table, index);
        if (other.round != round)
          continue;
        eliminate(other, nodes);
        nodes.node(other.self) = other.eliminated;
      }
    __syncthreads();
  }
  if (threadIdx.x >= 32)
    return;
#pragma unroll 1
  for (; round < set.rounds; ++round) {
    if (held.round == round)
      eliminate(held, nodes);
    __syncwarp();
  }
}

/// And back. Every thread of the block knows all x afterwards.
template <typename Real>
__device__ void substituteNodes(const NodeSet set, const PackedNode* table, const HeldNode<Real>& held,
                                const NodeMemory<Real>& nodes)
{
  if (threadIdx.x < 32) {
#pragma unroll 1
    for (int round = set.rounds - 1; round >= set.blockRounds; --round) {
      if (held.round == round)
        substitute(held, nodes);
      __syncwarp();
    }
  }
  __syncthreads();
#pragma unroll 1
  for (int round = set.blockRounds - 1; round >= 0; --round) {
    if (held.round == round)
      substitute(held, nodes);
    if (round < set.wideRounds)
#pragma unroll 1
      for (unsigned index = threadIdx.x + blockDim.x; index < set.count; index += blockDim.x) {
        HeldNode<Real> other = heldNode<Real>(set, table, index);
        if (other.round != round)
          continue;
        other.eliminated = nodes.node(other.self);
        substitute(other, nodes);
      }
    __syncthreads();
  }
}

/// What the blocks of a unit tell each other: each leaves the first what its elimination left in shared nodes, and the
/// first answers with the x of those that each needs. Every thread of every block calls everything, `answer` and
/// `waitForAll` those of the first alone.
template <Movement kMovement, typename Real>
class Messages;

/// In a cluster: straight into the others' shared memory.
template <typename Real>
class Messages<Movement::Bulk, Real>
{
public:
  __device__ Messages(unsigned char* shared, const Launch& /*launch*/)
      : start(shared), forwardedCame(reinterpret_cast<std::uint64_t*>(shared) + 2), pulledCame(forwardedCame + 1)
  {}

  /// Which block of the launch this one is.
  __device__ unsigned block() const { return blockIdx.x; }
  __device__ unsigned rank() const
  {
    unsigned rank = 0;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
  }
  /// By one thread, before barriers are published.
  __device__ void setUp(const BlockHead& head) const
  {
    cuda::initializeBarrier(forwardedCame);
    cuda::initializeBarrier(pulledCame);
    cuda::expectBytes(forwardedCame, head.forwardedBytes);
    cuda::expectBytes(pulledCame, static_cast<std::uint32_t>(sizeof(Real)) * head.pulled);
  }
  /// A block must run, and its barriers be there, before anything is sent to it. Nothing else is released here.
  __device__ void arrive() const { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
  __device__ void forward(const BlockHead& head, const Tables& tables) const
  {
    __syncthreads();
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    const NodeMemory<Real> nodes{start};
    const RemoteBlock first(start, forwardedCame, 0);
    for (unsigned k = threadIdx.x; k < head.owned; k += blockDim.x)
      first.send(tables.ownedTo[k], nodes.node(head.pulledTo + 3 * k));
    for (unsigned k = threadIdx.x; k < head.forwarded; k += blockDim.x)
      first.send(tables.forwardTo[k], nodes.contribution(head.forwardedFrom + 2 * k));
  }
  __device__ void waitForAll() const { waitForMessages(forwardedCame); }
  __device__ void answer(const BlockHead& head, const Tables& tables) const
  {
    const NodeMemory<Real> nodes{start};
    for (unsigned k = threadIdx.x; k < head.pushed; k += blockDim.x) {
      const PackedPush push = tables.pushes[k];
      RemoteBlock(start, pulledCame, push.rank).send(push.to + 1u, nodes.node(push.from).b);
    }
  }
  __device__ void waitForAnswer(const BlockHead& /*head*/) const { waitForMessages(pulledCame); }

private:
  unsigned char* start; ///< of this block's shared memory
  std::uint64_t* forwardedCame;
  std::uint64_t* pulledCame;
};

/// Through global memory. Blocks count themselves as they start, and units are made of blocks in that order: a block
/// only ever waits for blocks that run already or start next, so that no launch waits for ever where as many blocks as
/// a unit has fit on the device.
template <typename Real>
class Messages<Movement::Threads, Real>
{
public:
  __device__ Messages(unsigned char* shared, const Launch& launch)
      : start(shared), mail(launch.mail), own(number(mail, shared)), box(mail.boxes[own]),
        numbers(static_cast<Real*>(mail.numbers) + box.begin), arrived(mail.arrived[own / mail.ranks])
  {}

  __device__ unsigned block() const { return own; }
  __device__ unsigned rank() const { return own % mail.ranks; }
  __device__ void setUp(const BlockHead& /*head*/) const {}
  __device__ void arrive() const {}
  __device__ void forward(const BlockHead& head, const Tables& tables) const
  {
    __syncthreads();
    const NodeMemory<Real> nodes{start};
    for (unsigned k = threadIdx.x; k < head.owned; k += blockDim.x)
      *reinterpret_cast<NodeValues<Real>*>(numbers + (tables.ownedTo[k] - box.from)) =
          nodes.node(head.pulledTo + 3 * k);
    for (unsigned k = threadIdx.x; k < head.forwarded; k += blockDim.x)
      *reinterpret_cast<NodeContribution<Real>*>(numbers + (tables.forwardTo[k] - box.from)) =
          nodes.contribution(head.forwardedFrom + 2 * k);
    post();
  }
  __device__ void waitForAll() const
  {
    waitFor(mail.ranks);
    Real* own = reinterpret_cast<Real*>(start) + box.from;
    for (unsigned k = threadIdx.x; k < box.count; k += blockDim.x)
      own[k] = __ldcg(numbers + k);
    __syncthreads();
  }
  __device__ void answer(const BlockHead& head, const Tables& tables) const
  {
    const NodeMemory<Real> nodes{start};
    for (unsigned k = threadIdx.x; k < head.pushed; k += blockDim.x) // block after block, each one's as it pulls them
      numbers[box.count + k] = nodes.node(tables.pushes[k].from).b;
    post();
  }
  __device__ void waitForAnswer(const BlockHead& head) const
  {
    waitFor(mail.ranks + 1);
    const NodeMemory<Real> nodes{start};
    for (unsigned k = threadIdx.x; k < head.pulled; k += blockDim.x)
      nodes.node(head.pulledTo + 3 * k).b = __ldcg(numbers + box.count + box.answers + k);
    __syncthreads();
  }

private:
  using Counter = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device>;

  /// How many blocks have started before.
  static __device__ unsigned number(const Mail& mail, unsigned char* shared)
  {
    auto* place = reinterpret_cast<volatile unsigned*>(shared);
    if (threadIdx.x == 0)
      *place = atomicAdd(mail.started, 1U);
    __syncthreads();
    return *place;
  }
  /// What the block has written is there for all who see the count.
  __device__ void post() const
  {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      Counter(arrived).fetch_add(1, ::cuda::std::memory_order_release);
  }
  __device__ void waitFor(unsigned count) const
  {
    if (threadIdx.x == 0)
      while (Counter(arrived).load(::cuda::std::memory_order_acquire) < count)
        __nanosleep(40);
    __syncthreads();
  }

  unsigned char* start; ///< of this block's shared memory
  const Mail& mail;
  unsigned own; ///< which block of the launch this one is
  Box box;
  Real* numbers;
  unsigned& arrived;
};

/// Of a unit that is one block.
struct Alone
{
  __device__ Alone(unsigned char* /*shared*/, const Launch& /*launch*/) {}
  __device__ unsigned block() const { return blockIdx.x; }
  __device__ unsigned rank() const { return 0; }
};

template <bool kSeveral, Movement kMovement, typename Real>
using Between = std::conditional_t<kSeveral, Messages<kMovement, Real>, Alone>;

// --- A unit on chip ---------------------------------------------------------------------------------------------

/// Blocks that start together would all read at the same time, then all compute, and go on like that. They start one
/// after another, in an order of their own, over about half the time that one takes.
__device__ inline void waitForTurn(const Launch& launch)
{
  if (blockIdx.x >= launch.inTurn)
    return;
  if (threadIdx.x == 0) {
    const auto now = [] {
      std::uint64_t time;
      asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
      return time;
    };
    constexpr unsigned kPlaces = 4096;
    const unsigned place = blockIdx.x * 2654435769U >> 20; // multiples of the golden ratio lie evenly
    const std::uint64_t turn = now() + place * launch.turns / kPlaces;
    while (now() < turn)
      __nanosleep(100);
  }
  __syncthreads();
}

/// A unit is a thread block, or several that leave the junctions between them to the first: a cluster, where there are
/// any. Every warp keeps one group of pieces in registers, read straight from global memory; the other groups come to
/// shared memory and are worked on in place. Global memory is read once and written once. Each block has the values of
/// the one `ahead` blocks later brought into the L2 cache, so that the memory is busy while blocks reduce.
template <Movement kMovement, typename Real, std::size_t kIndex>
__device__ __forceinline__ void solveUnit(const BlockHead* heads, const Launch& launch, const unsigned char* allTables,
                                          const Real* __restrict__ excess, const Real* __restrict__ u,
                                          const Real* __restrict__ b, Real* __restrict__ x)
{
  constexpr ResidentForm kForm = kFormOf<Real, kIndex>;
  using Incoming = cuda::Incoming<kMovement>;
  static_assert(!kForm.takesSeveral);
  extern __shared__ __align__(128) unsigned char shared[];
  const NodeMemory<Real> nodes{shared};
  const Between<kForm.inClusters, kMovement, Real> messages(shared, launch);
  const unsigned block = messages.block();
  const unsigned rank = messages.rank();
  const SharedLayout& s = rank == 0 ? launch.first : launch.other;
  const BlockHead head = heads[block];
  if constexpr (kForm.startsInTurn)
    waitForTurn(launch);
  auto* barriers = reinterpret_cast<std::uint64_t*>(shared);
  const Incoming tablesCome(barriers);
  const Incoming valuesCome(barriers + 1);
  Real* values = reinterpret_cast<Real*>(shared + s.values);
  if (Incoming::copies()) {
    tablesCome.setUp();
    valuesCome.setUp();
    if constexpr (kForm.inClusters)
      messages.setUp(head);
    Incoming::publish();
    tablesCome.expect(head.tableBytes);
    tablesCome.fetch(shared + s.tables, allTables + head.table, head.tableBytes);
    const auto bytes = static_cast<std::uint32_t>(sizeof(Real)) * head.slotCount;
    const std::size_t from = head.firstSlot + head.heldSlots;
    valuesCome.expect(3 * bytes);
    valuesCome.fetch(values, excess + from, bytes);
    valuesCome.fetch(values + head.slotCount, u + from, bytes);
    valuesCome.fetch(values + 2 * head.slotCount, b + from, bytes);
  }
  __syncthreads();
  if constexpr (kForm.inClusters)
    messages.arrive();

  const unsigned lane = threadIdx.x & 31;
  const unsigned warp = threadIdx.x >> 5;
  const unsigned warps = blockDim.x >> 5;
  if constexpr (!kForm.readsTables)
    tablesCome.wait();
  PackedPiece piece{};
  PackedGroup group{};
  if (warp < head.groups) {
    const Tables first(kForm.readsTables ? allTables + head.table : shared + s.tables, head);
    piece = first.pieces[threadIdx.x];
    group = first.groups[warp];
  }
  HeldPiece<Real, kForm.rows> held;
  const std::size_t from = head.firstSlot + lane;
  readPiece<kForm.leavesCache>(piece.length, group, excess + from, u + from, b + from, held);
  contractPiece(piece, held, nodes);
  if constexpr (kForm.readsTables)
    tablesCome.wait();
  const Tables tables(shared + s.tables, head);
  valuesCome.wait();
  Real* ofLane = values + lane - head.heldSlots;
  const SharedValues<Real> kept{ofLane, ofLane + head.slotCount, ofLane + 2 * head.slotCount};
#pragma unroll 1
  for (unsigned g = warp + warps; g < head.groups; g += warps)
    contractPiece(tables.pieces[32 * g + lane], tables.groups[g], kept, nodes);
  if (Incoming::copies() && block + launch.ahead < gridDim.x)
    prefetchBlock<kMovement>(heads[block + launch.ahead], excess, u, b);
  HeldNode<Real> node = heldNode<Real>(head.own, tables.own, threadIdx.x); // while others contract
  __syncthreads();

  eliminateNodes(head.own, tables.own, node, nodes);
  if constexpr (kForm.inClusters) {
    messages.forward(head, tables);
    if (rank == 0) {
      messages.waitForAll();
      HeldNode<Real> between = heldNode<Real>(head.shared, tables.shared, threadIdx.x);
      eliminateNodes(head.shared, tables.shared, between, nodes);
      substituteNodes(head.shared, tables.shared, between, nodes);
      messages.answer(head, tables);
    }
    messages.waitForAnswer(head);
  }
  const PackedGroup ofWarp = tables.groups[min(warp, head.groups - 1U)]; // while the first warp eliminates
  substituteNodes(head.own, tables.own, node, nodes);

  Real* solution = x + head.firstSlot + lane;
  expandPiece(piece, held, PlannedPlaces<Real>{solution, ofWarp}, nodes);
#pragma unroll 1
  for (unsigned g = warp + warps; g < head.groups; g += warps)
    expandPiece(tables.pieces[32 * g + lane], tables.groups[g], kept, PlannedPlaces<Real>{solution, tables.groups[g]},
                nodes);
}

template <Movement kMovement, typename Real, std::size_t kIndex>
__global__ void __launch_bounds__(32 * kFormOf<Real, kIndex>.warps, 1)
    residentKernel(const BlockHead* heads, const __grid_constant__ Launch launch, const unsigned char* allTables,
                   const Real* __restrict__ excess, const Real* __restrict__ u, const Real* __restrict__ b,
                   Real* __restrict__ x)
{
  if constexpr (cuda::kCanMove<kMovement>)
    solveUnit<kMovement, Real, kIndex>(heads, launch, allTables, excess, u, b, x);
}

/// Words that a block's turns have in common, with two numbers of 16 bits each, stay packed until they are needed: what
/// the compiler cannot trace, it cannot unpack once for all turns into more registers than there are.
template <typename T>
class Packed
{
public:
  __device__ explicit Packed(T value) { memcpy(words, &value, sizeof(T)); }
  __device__ T unpacked()
  {
#pragma unroll
    for (std::uint32_t& word : words)
      asm volatile("" : "+r"(word));
    T value;
    memcpy(&value, words, sizeof(T));
    return value;
  }

private:
  std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
};

/// What of a block's head every unit needs.
struct RunPart
{
  std::uint16_t heldSlots;
  std::uint16_t slotCount;
  std::uint16_t groups;
  std::uint16_t unused;
  NodeSet own;
};

/// Which units a block solves: kept in its shared memory, after its first two barriers.
struct Run
{
  std::uint32_t units;
  std::uint32_t stride;
  std::uint64_t firstSlot;

  __device__ std::uint64_t slotOf(unsigned turn) const volatile
  {
    return firstSlot + static_cast<std::uint64_t>(turn) * stride;
  }
};
static_assert(2 * sizeof(std::uint64_t) + sizeof(Run) <= kResidentHeadBytes);

/// What residentKernel does for a unit in one block, for several units of one schedule, one after the other: the tables
/// stay, the next unit's values are brought into the L2 cache while this one is reduced, and each warp asks for its own
/// as soon as it is done.
template <Movement kMovement, typename Real, std::size_t kIndex>
__device__ __forceinline__ void solveRun(const BlockHead* heads, const Launch& launch, const unsigned char* allTables,
                                         const Real* __restrict__ excess, const Real* __restrict__ u,
                                         const Real* __restrict__ b, Real* __restrict__ x)
{
  using Incoming = cuda::Incoming<kMovement>;
  constexpr ResidentForm kForm = kFormOf<Real, kIndex>;
  static_assert(kForm.takesSeveral && kForm.readsTables && !kForm.inClusters);
  extern __shared__ __align__(128) unsigned char shared[];
  const NodeMemory<Real> nodes{shared};
  const SharedLayout& s = launch.first;
  auto* barriers = reinterpret_cast<std::uint64_t*>(shared);
  const Incoming tablesCome(barriers);
  const Incoming valuesCome(barriers + 1);
  auto* run = reinterpret_cast<volatile Run*>(barriers + 2);
  const BlockHead firstHead = heads[blockIdx.x];
  const auto fetchValues = [&](const BlockHead& head, std::uint64_t firstSlot) {
    Real* values = reinterpret_cast<Real*>(shared + s.values);
    const auto bytes = static_cast<std::uint32_t>(sizeof(Real)) * head.slotCount;
    const std::uint64_t from = firstSlot + head.heldSlots;
    valuesCome.expect(3 * bytes);
    valuesCome.fetch(values, excess + from, bytes);
    valuesCome.fetch(values + head.slotCount, u + from, bytes);
    valuesCome.fetch(values + 2 * head.slotCount, b + from, bytes);
  };
  if (threadIdx.x == 0) {
    run->units = firstHead.units;
    run->stride = firstHead.stride;
    run->firstSlot = firstHead.firstSlot;
  }
  if (Incoming::copies()) {
    tablesCome.setUp();
    valuesCome.setUp();
    Incoming::publish();
    tablesCome.expect(firstHead.tableBytes);
    tablesCome.fetch(shared + s.tables, allTables + firstHead.table, firstHead.tableBytes);
    fetchValues(firstHead, firstHead.firstSlot);
  }
  __syncthreads();

  const unsigned lane = threadIdx.x & 31;
  const unsigned warp = threadIdx.x >> 5; // each has a group: a unit in one block gets no more warps than groups
  const unsigned warps = blockDim.x >> 5;
  const Tables first(allTables + firstHead.table, firstHead);
  Packed<PackedPiece> packedPiece(first.pieces[threadIdx.x]);
  Packed<PackedGroup> packedGroup(first.groups[warp]);
  Packed<RunPart> packedPart({firstHead.heldSlots, firstHead.slotCount, firstHead.groups, 0, firstHead.own});
  HeldPiece<Real, kForm.rows> held;
#pragma unroll 1
  for (unsigned turn = 0;; ++turn) {
    const RunPart part = packedPart.unpacked();
    BlockHead head{};
    head.heldSlots = part.heldSlots;
    head.slotCount = part.slotCount;
    head.groups = part.groups;
    head.own = part.own;
    const PackedPiece piece = packedPiece.unpacked();
    const std::uint64_t from = run->slotOf(turn) + lane;
    readPiece<kForm.leavesCache>(piece.length, packedGroup.unpacked(), excess + from, u + from, b + from, held);
    if (turn > 0) {
      __syncthreads(); // from here on shared memory is this unit's
      if (Incoming::copies())
        fetchValues(head, run->slotOf(turn));
    }
    contractPiece(piece, held, nodes);
    const Tables tables(shared + s.tables, head);
    Real* ofLane = reinterpret_cast<Real*>(shared + s.values) + lane - head.heldSlots;
    const SharedValues<Real> kept{ofLane, ofLane + head.slotCount, ofLane + 2 * head.slotCount};
    tablesCome.wait();
    valuesCome.wait(turn);
#pragma unroll 1
    for (unsigned g = warp + warps; g < head.groups; g += warps)
      contractPiece(tables.pieces[32 * g + lane], tables.groups[g], kept, nodes);
    const bool isLast = turn + 1 == run->units;
    if (Incoming::copies()) {
      if (!isLast)
        prefetchBlock<kMovement>(head, run->slotOf(turn + 1), excess, u, b);
      else if (blockIdx.x + launch.ahead < gridDim.x)
        prefetchBlock<kMovement>(heads[blockIdx.x + launch.ahead], excess, u, b);
    }
    if (!isLast)
      cuda::fenceCopies<kMovement>(); // what was written over values, before the next ones come
    HeldNode<Real> node = heldNode<Real>(head.own, tables.own, threadIdx.x); // while others contract
    __syncthreads();

    eliminateNodes(head.own, tables.own, node, nodes);
    const PackedGroup ofWarp = tables.groups[warp];
    substituteNodes(head.own, tables.own, node, nodes);

    Real* solution = x + run->slotOf(turn) + lane;
    expandPiece(packedPiece.unpacked(), held, PlannedPlaces<Real>{solution, ofWarp}, nodes);
#pragma unroll 1
    for (unsigned g = warp + warps; g < head.groups; g += warps)
      expandPiece(tables.pieces[32 * g + lane], tables.groups[g], kept, PlannedPlaces<Real>{solution, tables.groups[g]},
                  nodes);
    if (isLast)
      break;
    packedGroup = Packed<PackedGroup>(tables.groups[warp]);
  }
}

template <Movement kMovement, typename Real, std::size_t kIndex>
__global__ void __launch_bounds__(32 * kFormOf<Real, kIndex>.warps, 1)
    residentRunKernel(const BlockHead* heads, Launch launch, const unsigned char* allTables,
                      const Real* __restrict__ excess, const Real* __restrict__ u, const Real* __restrict__ b,
                      Real* __restrict__ x)
{
  if constexpr (cuda::kCanMove<kMovement>)
    solveRun<kMovement, Real, kIndex>(heads, launch, allTables, excess, u, b, x);
}

// --- A unit on chip, its values in the order of the batch --------------------------------------------------------

/// The chunks of a block (resident_chunks.hpp) in shared memory: two at a time, so that one comes while the other is
/// taken apart. They are counted through all units of the block, so that a unit's first come while the one before it is
/// solved. With the bulk copy engine the last warp, which has the least to do, asks for them, and no other waits for
/// the slowest.
template <Movement kMovement, typename Real>
class Chunks
{
public:
  using Incoming = cuda::Incoming<kMovement>;

  __device__ Chunks(unsigned char* shared, const BatchOrder& batchOrder, const BatchPart& ofBlock)
      : order(batchOrder), part(ofBlock), come(reinterpret_cast<std::uint64_t*>(shared + order.chunks)),
        left(come + kDepth), sharedRuns(reinterpret_cast<PackedRun*>(left + kDepth)),
        values(reinterpret_cast<Real*>(sharedRuns + kRunSets * order.stride))
  {}

  static constexpr unsigned kDepth = 2;
  static constexpr unsigned kVectors = 3;
  static constexpr unsigned kRunSets =
      3; ///< a unit's runs are needed until it is stored, and two chunks come meanwhile
  /// Bytes before the values.
  static constexpr std::size_t headBytes(std::size_t stride)
  {
    return 2 * kDepth * sizeof(std::uint64_t) + kRunSets * stride * sizeof(PackedRun);
  }

  /// By one thread where there are barriers, before they are published.
  __device__ void setUp() const
  {
    if constexpr (kMovement == Movement::Bulk)
      for (unsigned k = 0; k < kDepth; ++k) {
        cuda::initializeBarrier(come + k, 32);
        cuda::initializeBarrier(left + k, blockDim.x / 32);
      }
  }
  /// Brings the runs of the first unit to shared memory; by the threads that copy.
  __device__ void fetchRuns(const Incoming& incoming) const
  {
    incoming.fetch(sharedRuns, order.runs + part.runs, bytesOfRuns());
  }
  __device__ std::uint32_t bytesOfRuns() const { return part.runCount * static_cast<std::uint32_t>(sizeof(PackedRun)); }

  /// Begins to copy a chunk; every thread calls it. `isEarly`: the runs of the first unit are not there yet.
  __device__ void fetch(unsigned chunk, bool isEarly, const Real* __restrict__ excess, const Real* __restrict__ u,
                        const Real* __restrict__ b) const
  {
    const unsigned turn = chunk / part.chunks;
    const unsigned ofUnit = chunk % part.chunks;
    const PackedRun* fromRuns = order.runs + part.runs + std::size_t{turn} * order.stride;
    const bool isNew = turn > 0 && ofUnit == 0;
    if constexpr (kMovement == Movement::Bulk) {
      if (!isFetcher())
        return;
      const unsigned lane = threadIdx.x % 32;
      if (isNew)
        for (unsigned r = lane; r < part.runCount; r += 32)
          runsOf(turn)[r] = fromRuns[r];
      const PackedRun* runs = isEarly ? fromRuns : runsOf(turn); // a lane reads what it has written
      std::uint64_t* barrier = come + chunk % kDepth;
      std::uint32_t bytes = 0;
      for (unsigned r = lane; r < part.runCount; r += 32)
        if (runs[r].chunk == ofUnit)
          bytes += kVectors * bytesOf(runs[r]);
      cuda::expectBytes(barrier, bytes);
      for (unsigned r = lane; bytes > 0 && r < part.runCount; r += 32)
        if (const PackedRun run = runs[r]; run.chunk == ofUnit)
          fetch(run, chunk, excess, u, b,
                [&](Real* to, const Real* from, std::uint32_t size) { cuda::fetchBulk(to, from, size, barrier); });
    } else {
      if (isNew)
        for (unsigned r = threadIdx.x; r < part.runCount; r += blockDim.x)
          runsOf(turn)[r] = fromRuns[r];
      for (unsigned r = 0; r < part.runCount; ++r)
        if (const PackedRun run = fromRuns[r]; run.chunk == ofUnit)
          fetch(run, chunk, excess, u, b,
                [](Real* to, const Real* from, std::uint32_t size) { Incoming(nullptr).fetch(to, from, size); });
    }
  }
  /// A chunk is there.
  __device__ void wait(unsigned chunk) const
  {
    if constexpr (kMovement == Movement::Bulk)
      cuda::waitForBulkBytes(come + chunk % kDepth, chunk / kDepth & 1);
    else
      Incoming(nullptr).wait();
  }
  /// The warp has taken its own out of a chunk; those that fetch another to its place wait for all. Whole warps.
  __device__ void leave(unsigned chunk) const
  {
    if constexpr (kMovement == Movement::Bulk) {
      __syncwarp();
      if (threadIdx.x % 32 == 0)
        cuda::arriveAt(left + chunk % kDepth);
      if (isFetcher())
        cuda::waitForBulkBytes(left + chunk % kDepth, chunk / kDepth & 1);
    } else
      __syncthreads();
  }
  /// The far end of a lane's piece: its excess, `capacity` further its u, and again its b.
  __device__ const Real* farEnd(unsigned chunk, unsigned turn, const PackedPlace& place) const
  {
    return values + chunk % kDepth * kVectors * order.capacity + place.at + leadOf(runsOf(turn)[place.run]);
  }

  /// Where a lane leaves the solution of its piece.
  __device__ BatchPlaces<Real> solution(unsigned turn, const PackedPlace& place) const
  {
    return {solutionOf(place.chunk) + place.at + leadOf(runsOf(turn)[place.run])};
  }
  /// Writes the solution of a unit's chunks [begin, begin + solutions) to the batch, and returns once shared memory may
  /// be used again; every thread calls it.
  __device__ void store(unsigned begin, unsigned turn, Real* x) const
  {
    if constexpr (kMovement == Movement::Bulk)
      cuda::fenceBulkCopies();
    __syncthreads();
    const PackedRun* runs = runsOf(turn);
    const auto isMeant = [&](const PackedRun& run) { return run.chunk - begin < order.solutions; };
    if constexpr (kMovement == Movement::Bulk) {
      if (threadIdx.x % 32 == 0) {
        for (unsigned r = threadIdx.x / 32; r < part.runCount; r += blockDim.x / 32)
          if (const PackedRun run = runs[r]; isMeant(run))
            startStore(run, x);
        cuda::waitForBulkStores();
      }
    } else
      for (unsigned r = 0; r < part.runCount; ++r) {
        const PackedRun run = runs[r];
        if (!isMeant(run))
          continue;
        const Real* from = solutionOf(run.chunk) + run.at + leadOf(run);
        for (unsigned k = threadIdx.x; k < run.count; k += blockDim.x)
          x[run.begin + k] = from[k];
      }
    __syncthreads();
  }

  /// Has those of another block brought into the L2 cache; every thread calls it.
  static __device__ void prefetch(const PackedRun* runs, unsigned count, const Real* excess, const Real* u,
                                  const Real* b)
  {
    const auto bring = [&](const PackedRun& run) {
      const std::uint64_t from = run.begin - leadOf(run);
      cuda::prefetch<kMovement>(excess + from, bytesOf(run));
      cuda::prefetch<kMovement>(u + from, bytesOf(run));
      cuda::prefetch<kMovement>(b + from, bytesOf(run));
    };
    if constexpr (kMovement == Movement::Bulk) {
      if (isFetcher())
        for (unsigned r = threadIdx.x % 32; r < count; r += 32)
          if (const PackedRun run = runs[r]; run.count > 0)
            bring(run);
    } else
      for (unsigned r = 0; r < count && runs[r].count > 0; ++r)
        bring(runs[r]);
  }

private:
  static constexpr unsigned kAligned = 16 / sizeof(Real);

  /// Whether the thread is of the last warp.
  static __device__ bool isFetcher() { return threadIdx.x / 32 == blockDim.x / 32 - 1; }
  /// Values between an aligned address and the run's first.
  static __device__ unsigned leadOf(const PackedRun& run) { return static_cast<unsigned>(run.begin) % kAligned; }
  /// Of the run widened to whole 16 bytes.
  static __device__ std::uint32_t bytesOf(const PackedRun& run)
  {
    return (leadOf(run) + run.count + kAligned - 1) / kAligned * 16;
  }
  __device__ PackedRun* runsOf(unsigned turn) const { return sharedRuns + turn % kRunSets * order.stride; }
  __device__ Real* solutionOf(unsigned chunkOfUnit) const
  {
    return values + (order.firstSolution + chunkOfUnit % order.solutions) * order.capacity;
  }

  template <typename Copy>
  __device__ void fetch(const PackedRun& run, unsigned chunk, const Real* excess, const Real* u, const Real* b,
                        Copy copy) const
  {
    Real* to = values + chunk % kDepth * kVectors * order.capacity + run.at;
    const std::uint64_t from = run.begin - leadOf(run);
    const std::uint32_t bytes = bytesOf(run);
    copy(to, excess + from, bytes);
    copy(to + order.capacity, u + from, bytes);
    copy(to + 2 * order.capacity, b + from, bytes);
  }
  /// By one thread: in whole 16 bytes, what is left at both ends by itself.
  __device__ void startStore(const PackedRun& run, Real* x) const
  {
    const unsigned lead = leadOf(run);
    const Real* from = solutionOf(run.chunk) + run.at + lead;
    const unsigned first = min((kAligned - lead) % kAligned, unsigned{run.count});
    const unsigned last = first + (run.count - first) / kAligned * kAligned;
    if (last > first)
      cuda::startBulkStore(x + run.begin + first, from + first,
                           (last - first) * static_cast<std::uint32_t>(sizeof(Real)));
    for (unsigned k = 0; k < first; ++k)
      x[run.begin + k] = from[k];
    for (unsigned k = last; k < run.count; ++k)
      x[run.begin + k] = from[k];
  }

  const BatchOrder& order;
  const BatchPart& part;
  std::uint64_t* come;   ///< barriers of what comes
  std::uint64_t* left;   ///< and of what was taken
  PackedRun* sharedRuns; ///< of this unit and those that come
  Real* values;
};

/// Takes a piece out of its chunk into registers. `from`: its far end there.
template <typename Real, int kRows>
__device__ void takePiece(int length, const Real* from, unsigned capacity, HeldPiece<Real, kRows>& held)
{
#pragma unroll
  for (int k = 0; k < kRows; ++k)
    if (k < length)
      held.row[k] = {from[-k], from[2 * capacity - k], from[capacity - k]};
}

/// And to where it stays in shared memory.
template <typename Real>
__device__ void takePiece(int length, const PackedGroup& group, const Real* from, unsigned capacity,
                          const SharedValues<Real>& kept)
{
#pragma unroll 4
  for (int k = 0; k < length; ++k) {
    const std::uint32_t slot = group.row[k];
    kept.excess[slot] = from[-k];
    kept.u[slot] = from[capacity - k];
    kept.b[slot] = from[2 * capacity - k];
  }
}

/// What solveUnit does, with values in the order of the batch: they come to shared memory in chunks, out of which lanes
/// take their pieces, and the solution leaves it in chunks.
template <Movement kMovement, typename Real, std::size_t kIndex>
__device__ __forceinline__ void solveInBatchOrder(const BlockHead* heads, const Launch& launch,
                                                  const unsigned char* allTables, const Real* __restrict__ excess,
                                                  const Real* __restrict__ u, const Real* __restrict__ b,
                                                  Real* __restrict__ x)
{
  constexpr ResidentForm kForm = kFormOf<Real, kIndex>;
  using Incoming = cuda::Incoming<kMovement>;
  extern __shared__ __align__(128) unsigned char shared[];
  const NodeMemory<Real> nodes{shared};
  const Between<kForm.inClusters, kMovement, Real> messages(shared, launch);
  const unsigned block = messages.block();
  const unsigned rank = messages.rank();
  const SharedLayout& s = rank == 0 ? launch.first : launch.other;
  const BatchOrder& order = launch.batch;
  const BlockHead head = heads[block];
  const BatchPart part = order.parts[block];
  const Chunks<kMovement, Real> chunks(shared, order, part);
  if constexpr (kForm.startsInTurn)
    waitForTurn(launch);
  const Incoming tablesCome(reinterpret_cast<std::uint64_t*>(shared));
  if (Incoming::copies()) {
    tablesCome.setUp();
    chunks.setUp();
    if constexpr (kForm.inClusters)
      messages.setUp(head);
    Incoming::publish();
    tablesCome.expect(head.tableBytes + chunks.bytesOfRuns());
    chunks.fetchRuns(tablesCome);
    tablesCome.fetch(shared + s.tables, allTables + head.table, head.tableBytes);
  }
  __syncthreads();
  if constexpr (kForm.inClusters)
    messages.arrive();
  const unsigned units = kForm.inClusters ? 1U : unsigned{head.units};
  const unsigned all = units * part.chunks;
  for (unsigned chunk = 0; chunk < min(chunks.kDepth, all); ++chunk)
    chunks.fetch(chunk, chunk < part.chunks, excess, u, b);

  const unsigned lane = threadIdx.x & 31;
  const unsigned warp = threadIdx.x >> 5;
  const unsigned warps = blockDim.x >> 5;
  const PackedPlace* places = order.places + part.places;
  PackedPlace place{0, 0, kNoChunk};
  if (warp < head.groups)
    place = places[threadIdx.x];
  tablesCome.wait();
  const Tables tables(shared + s.tables, head);
  const PackedPiece piece = warp < head.groups ? tables.pieces[threadIdx.x] : PackedPiece{};
  Real* ofLane = reinterpret_cast<Real*>(shared + s.values) + lane - head.heldSlots;
  const SharedValues<Real> kept{ofLane, ofLane + head.slotCount, ofLane + 2 * head.slotCount};
  HeldPiece<Real, kForm.rows> held;
  unsigned chunk = 0;
#pragma unroll 1
  for (unsigned turn = 0; turn < units; ++turn) {
#pragma unroll 1
    for (unsigned ofUnit = 0; ofUnit < part.chunks; ++ofUnit, ++chunk) {
      chunks.wait(chunk);
      if (place.chunk == ofUnit)
        takePiece(piece.length, chunks.farEnd(chunk, turn, place), order.capacity, held);
#pragma unroll 1
      for (unsigned g = warp + warps; g < head.groups; g += warps)
        if (const PackedPlace other = places[32 * g + lane]; other.chunk == ofUnit)
          takePiece(tables.pieces[32 * g + lane].length, tables.groups[g], chunks.farEnd(chunk, turn, other),
                    order.capacity, kept);
      if (chunk + chunks.kDepth < all) {
        chunks.leave(chunk);
        chunks.fetch(chunk + chunks.kDepth, false, excess, u, b);
      }
    }
    contractPiece(piece, held, nodes);
#pragma unroll 1
    for (unsigned g = warp + warps; g < head.groups; g += warps)
      contractPiece(tables.pieces[32 * g + lane], tables.groups[g], kept, nodes);
    if (units == 1 && block + launch.ahead < gridDim.x)
      chunks.prefetch(order.runs + part.runs + std::size_t{launch.ahead} * order.stride, order.stride, excess, u, b);
    HeldNode<Real> node = heldNode<Real>(head.own, tables.own, threadIdx.x); // while others contract
    __syncthreads();

    eliminateNodes(head.own, tables.own, node, nodes);
    if constexpr (kForm.inClusters) {
      messages.forward(head, tables);
      if (rank == 0) {
        messages.waitForAll();
        HeldNode<Real> between = heldNode<Real>(head.shared, tables.shared, threadIdx.x);
        eliminateNodes(head.shared, tables.shared, between, nodes);
        substituteNodes(head.shared, tables.shared, between, nodes);
        messages.answer(head, tables);
      }
      messages.waitForAnswer(head);
    }
    substituteNodes(head.own, tables.own, node, nodes);

#pragma unroll 1
    for (unsigned begin = 0; begin < part.chunks; begin += order.solutions) {
      const auto isMeant = [&](const PackedPlace& one) {
        return one.chunk != kNoChunk && one.chunk - begin < order.solutions;
      };
      if (isMeant(place))
        expandPiece(piece, held, chunks.solution(turn, place), nodes);
#pragma unroll 1
      for (unsigned g = warp + warps; g < head.groups; g += warps)
        if (const PackedPlace other = places[32 * g + lane]; isMeant(other))
          expandPiece(tables.pieces[32 * g + lane], tables.groups[g], kept, chunks.solution(turn, other), nodes);
      chunks.store(begin, turn, x);
    }
  }
}

template <Movement kMovement, typename Real, std::size_t kIndex>
__global__ void __launch_bounds__(32 * kFormOf<Real, kIndex>.warps, 1)
    residentBatchKernel(const BlockHead* heads, const __grid_constant__ Launch launch, const unsigned char* allTables,
                        const Real* __restrict__ excess, const Real* __restrict__ u, const Real* __restrict__ b,
                        Real* __restrict__ x)
{
  if constexpr (cuda::kCanMove<kMovement>)
    solveInBatchOrder<kMovement, Real, kIndex>(heads, launch, allTables, excess, u, b, x);
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
  ChainSweep<Real> sweep;
  const std::size_t far = base + row[0];
  if (piece.node >= 0)
    sweep.fill = v.u[far];
  for (std::int32_t k = piece.node >= 0 ? 1 : 0; k < piece.length; ++k) {
    const std::size_t slot = base + row[k];
    const EliminatedRow<Real> e = eliminateInChain<ResidentRounding>(sweep, v.excess[slot], v.u[slot], v.b[slot]);
    v.excess[slot] = e.w;
    v.u[slot] = e.v;
    v.x[slot] = e.y;
  }
  v.contribution[unit.contributionBegin + piece.contribution] = {sweep.excess, sweep.b};
  if (piece.node >= 0)
    nodes[piece.node] = {v.excess[far] - sweep.endExcess, v.b[far] - sweep.endB, sweep.fill};
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
      std::int32_t c = node.contributionBegin;
      if (c + 2 <= end) {
        take(own, contribution[c], contribution[c + 1]);
        c += 2;
      }
#pragma unroll 8
      for (; c < end; ++c)
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
