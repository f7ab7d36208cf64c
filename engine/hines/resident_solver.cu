#include "hines/resident_solver.hpp"

#include "core/cuda_support.cuh"
#include "core/device.hpp"
#include "hines/permutation.cuh"
#include "hines/resident_charts.hpp"
#include "hines/resident_step.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

// The resident solver on the device (see resident_plan.hpp). A unit is one thread block, or a cluster of them that
// keeps the junctions in the shared memory of its first block. Values and tables come by the bulk copy engine, are
// worked on in place, and go back the same way: global memory is read once and written once.

namespace hinesight::hines {

namespace {

namespace cg = cooperative_groups;
using cuda::Buffer;

constexpr std::uint16_t kNone = 0xFFFF;

struct PackedPiece
{
  std::uint16_t lengthAndTip; ///< length * 2, + 1 for a tip
  std::uint16_t node;
  std::uint16_t parentNode;
  std::uint16_t contribution;
};

struct PackedNode
{
  std::uint16_t parentNode;
  std::uint16_t childNode;
  std::uint16_t contribution;
  std::uint16_t contributionBegin;
};

/// What a thread block must know to lay out its shared memory and to fetch its tables.
struct RankHead
{
  std::uint32_t slots;
  std::uint32_t slotBegin; ///< in the unit
  std::uint32_t groups;
  std::uint32_t pieceBytes; ///< pieces, rows of groups, slots of rows
  std::uint32_t nodes;
  std::uint32_t rounds;
  std::uint32_t nodeBytes;  ///< nodes and rounds; 0 but in the first rank
  std::uint64_t pieceTable; ///< into the tables
  std::uint64_t nodeTable;
};

struct LaunchedUnit
{
  std::uint32_t head; ///< of its first rank
  std::size_t slotBegin;
};

/// Where things are in shared memory, from its start.
struct SharedLayout
{
  std::uint32_t values; ///< excess, then u, then b
  std::uint32_t pieceTable;
  std::uint32_t nodeTable;
  std::uint32_t nodeValues; ///< excess, then b, then w
  std::uint32_t contributions;
};

__device__ SharedLayout layOut(const RankHead& head)
{
  SharedLayout s;
  s.values = 16; // after the barrier
  s.pieceTable = s.values + 24 * head.slots;
  s.nodeTable = s.pieceTable + head.pieceBytes;
  s.nodeValues = s.nodeTable + head.nodeBytes;
  s.contributions = (s.nodeValues + 24 * head.nodes + 15) & ~15u;
  return s;
}

__device__ NodeArrays nodeArrays(unsigned char* shared, const SharedLayout& s, std::uint32_t nodes)
{
  auto* excess = reinterpret_cast<double*>(shared + s.nodeValues);
  return {excess, excess + nodes, excess + 2 * nodes, reinterpret_cast<NodeContribution*>(shared + s.contributions)};
}

__device__ std::uint32_t sharedAddress(const void* p)
{
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

__device__ void fetch(void* to, const void* from, std::uint32_t bytes, std::uint64_t* barrier)
{
  if (bytes > 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     sharedAddress(to)),
                 "l"(from), "r"(bytes), "r"(sharedAddress(barrier))
                 : "memory");
}

__device__ void expectBytes(std::uint64_t* barrier, std::uint32_t bytes)
{
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(barrier)));
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes)
               : "memory");
}

__device__ void waitForBytes(std::uint64_t* barrier)
{
  std::uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier))
                 : "memory");
}

__device__ void storeAndWait(void* to, const void* from, std::uint32_t bytes)
{
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(sharedAddress(from)),
               "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  // The block's shared memory may be given away only when it has been read.
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

template <bool kCluster>
__device__ void synchronize()
{
  if constexpr (kCluster)
    cg::this_cluster().sync();
  else
    __syncthreads();
}

/// A lane contracts its piece: from then on excess, b and u hold w, y and v inside it. The next row is read before the
/// present one is overwritten, which takes the reads off the chain of dependent operations.
__device__ void contractPiece(const PackedPiece& piece, const std::uint16_t* row, int lane, double* excess, double* u,
                              double* b, const NodeArrays& nodes)
{
  const int length = piece.lengthAndTip >> 1;
  const bool isTip = piece.lengthAndTip & 1;
  if (length == 0)
    return;
  PieceSweep sweep;
  int slot = row[0] + lane;
  double sk = excess[slot];
  double uk = u[slot];
  double bk = b[slot];
  const double endExcess = sk;
  const double endRightHandSide = bk;
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
  for (; k < length; ++k) {
    const double sNext = excess[next];
    const double uNext = u[next];
    const double bNext = b[next];
    const int afterNext = k + 2 < length ? row[k + 2] + lane : next;
    const EliminatedCompartment e = eliminateInPiece(sweep, sk, uk, bk);
    excess[slot] = e.w;
    u[slot] = e.v;
    b[slot] = e.y;
    slot = next;
    next = afterNext;
    sk = sNext;
    uk = uNext;
    bk = bNext;
  }
  if (piece.parentNode != kNone)
    nodes.contribution[piece.contribution] = {sweep.excess, sweep.rightHandSide};
  if (!isTip) {
    nodes.excess[piece.node] = endExcess - sweep.endExcess;
    nodes.b[piece.node] = endRightHandSide - sweep.endRightHandSide;
    nodes.w[piece.node] = sweep.fill;
  }
}

/// A lane substitutes inside its piece.
__device__ void expandPiece(const PackedPiece& piece, const std::uint16_t* row, int lane, const double* excess,
                            const double* u, double* b, const NodeArrays& nodes)
{
  const int length = piece.lengthAndTip >> 1;
  const bool isTip = piece.lengthAndTip & 1;
  if (length == 0)
    return;
  double x = piece.parentNode == kNone ? 0.0 : nodes.b[piece.parentNode];
  double end = 0;
  if (!isTip) {
    end = nodes.b[piece.node];
    b[row[0] + lane] = end;
  }
  const int last = isTip ? 0 : 1;
  int slot = row[length - 1] + lane;
#pragma unroll 4
  for (int k = length - 1; k >= last; --k) {
    const EliminatedCompartment e{excess[slot], b[slot], isTip ? 0.0 : u[slot]};
    const int next = k > 0 ? row[k - 1] + lane : slot;
    x = substituteInPiece(e, x, end);
    b[slot] = x;
    slot = next;
  }
}

__device__ int orNone(std::uint16_t index)
{
  return index == kNone ? -1 : index;
}

/// The rounds of rake and compress and back. Rounds of more than a warp's width are shared by the whole block.
__device__ void reduce(const PackedNode* table, const std::uint16_t* roundBegin, int rounds, const NodeArrays& nodes)
{
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const auto eliminate = [&](int j) {
    const PackedNode n = table[j];
    eliminateNode(nodes, j, orNone(n.parentNode), orNone(n.childNode), n.contribution, n.contributionBegin,
                  table[j + 1].contributionBegin);
  };
  const auto substitute = [&](int j) {
    const PackedNode n = table[j];
    substituteNode(nodes, j, orNone(n.parentNode), orNone(n.childNode));
  };
  int wide = 0;
  while (wide < rounds && roundBegin[wide + 1] - roundBegin[wide] > 32)
    ++wide;
  for (int round = 0; round < wide; ++round) {
    for (int j = roundBegin[round] + thread; j < roundBegin[round + 1]; j += threads)
      eliminate(j);
    __syncthreads();
  }
  if (thread < 32) {
    for (int round = wide; round < rounds; ++round) {
      for (int j = roundBegin[round] + thread; j < roundBegin[round + 1]; j += 32)
        eliminate(j);
      __syncwarp();
    }
    for (int round = rounds - 1; round >= wide; --round) {
      for (int j = roundBegin[round] + thread; j < roundBegin[round + 1]; j += 32)
        substitute(j);
      __syncwarp();
    }
  }
  __syncthreads();
  for (int round = wide - 1; round >= 0; --round) {
    for (int j = roundBegin[round] + thread; j < roundBegin[round + 1]; j += threads)
      substitute(j);
    __syncthreads();
  }
}

template <bool kCluster>
__global__ void __launch_bounds__(1024, 1)
    residentKernel(const LaunchedUnit* units, const RankHead* heads, const unsigned char* tables, int ranks,
                   const double* __restrict__ excess, const double* __restrict__ u, const double* __restrict__ b,
                   double* __restrict__ x)
{
  extern __shared__ __align__(128) unsigned char shared[];
  const int rank = kCluster ? static_cast<int>(blockIdx.x) % ranks : 0;
  const LaunchedUnit unit = units[kCluster ? blockIdx.x / ranks : blockIdx.x];
  const RankHead head = heads[unit.head + rank];
  const SharedLayout s = layOut(head);
  auto* barrier = reinterpret_cast<std::uint64_t*>(shared);
  auto* sharedExcess = reinterpret_cast<double*>(shared + s.values);
  double* sharedU = sharedExcess + head.slots;
  double* sharedB = sharedU + head.slots;
  const std::size_t first = unit.slotBegin + head.slotBegin;
  if (threadIdx.x == 0) {
    const std::uint32_t bytes = head.slots * 8;
    expectBytes(barrier, 3 * bytes + head.pieceBytes + head.nodeBytes);
    fetch(shared + s.pieceTable, tables + head.pieceTable, head.pieceBytes, barrier);
    fetch(shared + s.nodeTable, tables + head.nodeTable, head.nodeBytes, barrier);
    fetch(sharedExcess, excess + first, bytes, barrier);
    fetch(sharedU, u + first, bytes, barrier);
    fetch(sharedB, b + first, bytes, barrier);
  }
  NodeArrays nodes = nodeArrays(shared, s, head.nodes);
  if (kCluster && rank > 0) {
    const SharedLayout ofFirst = layOut(heads[unit.head]);
    nodes = nodeArrays(cg::this_cluster().map_shared_rank(shared, 0), ofFirst, head.nodes);
  }
  __syncthreads();
  waitForBytes(barrier);
  if constexpr (kCluster)
    cg::this_cluster().sync(); // the first block must run before anything is written to its memory

  const auto* pieces = reinterpret_cast<const PackedPiece*>(shared + s.pieceTable);
  const auto* groupRow = reinterpret_cast<const std::uint32_t*>(pieces + 32 * head.groups);
  const auto* rows = reinterpret_cast<const std::uint16_t*>(groupRow + head.groups);
  const int lane = static_cast<int>(threadIdx.x) & 31;
  const int warp = static_cast<int>(threadIdx.x) >> 5;
  const int warps = static_cast<int>(blockDim.x) >> 5;
  const int groups = static_cast<int>(head.groups);
  for (int g = warp; g < groups; g += warps)
    contractPiece(pieces[32 * g + lane], rows + groupRow[g], lane, sharedExcess, sharedU, sharedB, nodes);
  synchronize<kCluster>();
  if (rank == 0) {
    const auto* table = reinterpret_cast<const PackedNode*>(shared + s.nodeTable);
    reduce(table, reinterpret_cast<const std::uint16_t*>(table + head.nodes + 1), static_cast<int>(head.rounds), nodes);
  }
  if constexpr (kCluster)
    cg::this_cluster().sync();
  for (int g = warp; g < groups; g += warps)
    expandPiece(pieces[32 * g + lane], rows + groupRow[g], lane, sharedExcess, sharedU, sharedB, nodes);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  synchronize<kCluster>(); // in a cluster: nobody reads the first block's memory any more
  if (threadIdx.x == 0 && head.slots > 0)
    storeAndWait(x + first, sharedB, head.slots * 8);
}

// Units too large to stay on chip: the same three steps as three launches over global memory.

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

struct SpreadValues
{
  double* excess;
  double* u;
  double* b;
  double* x;
  double* nodeExcess;
  double* nodeB;
  double* nodeW;
  NodeContribution* contribution;
};

__device__ NodeArrays spreadNodes(const SpreadUnit& unit, const SpreadValues& v)
{
  return {v.nodeExcess + unit.nodeBegin, v.nodeB + unit.nodeBegin, v.nodeW + unit.nodeBegin,
          v.contribution + unit.contributionBegin};
}

__global__ void spreadContract(SpreadTables t, SpreadValues v)
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
  const NodeArrays nodes = spreadNodes(unit, v);
  PieceSweep sweep;
  const std::size_t far = base + row[0];
  if (piece.node >= 0)
    sweep.fill = v.u[far];
  for (std::int32_t k = piece.node >= 0 ? 1 : 0; k < piece.length; ++k) {
    const std::size_t slot = base + row[k];
    const EliminatedCompartment e = eliminateInPiece(sweep, v.excess[slot], v.u[slot], v.b[slot]);
    v.excess[slot] = e.w;
    v.u[slot] = e.v;
    v.x[slot] = e.y;
  }
  if (piece.parentNode >= 0)
    nodes.contribution[piece.contribution] = {sweep.excess, sweep.rightHandSide};
  if (piece.node >= 0) {
    nodes.excess[piece.node] = v.excess[far] - sweep.endExcess;
    nodes.b[piece.node] = v.b[far] - sweep.endRightHandSide;
    nodes.w[piece.node] = sweep.fill;
  }
}

__global__ void spreadReduce(SpreadTables t, SpreadValues v)
{
  const SpreadUnit unit = t.units[blockIdx.x];
  const NodeArrays nodes = spreadNodes(unit, v);
  const ResidentNode* table = t.nodes + unit.nodeTable;
  const std::int32_t* roundBegin = t.roundBegin + unit.roundTable;
  for (std::int32_t round = 0; round < unit.rounds; ++round) {
    for (std::int32_t j = roundBegin[round] + threadIdx.x; j < roundBegin[round + 1]; j += blockDim.x)
      eliminateNode(nodes, j, table[j].parentNode, table[j].childNode, table[j].contribution,
                    table[j].contributionBegin, table[j + 1].contributionBegin);
    __syncthreads();
  }
  for (std::int32_t round = unit.rounds - 1; round >= 0; --round) {
    for (std::int32_t j = roundBegin[round] + threadIdx.x; j < roundBegin[round + 1]; j += blockDim.x)
      substituteNode(nodes, j, table[j].parentNode, table[j].childNode);
    __syncthreads();
  }
}

__global__ void spreadExpand(SpreadTables t, SpreadValues v)
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
  const NodeArrays nodes = spreadNodes(unit, v);
  double next = piece.parentNode >= 0 ? nodes.b[piece.parentNode] : 0.0;
  double end = 0;
  if (piece.node >= 0) {
    end = nodes.b[piece.node];
    v.x[base + row[0]] = end;
  }
  for (std::int32_t k = piece.length - 1; k >= (piece.node >= 0 ? 1 : 0); --k) {
    const std::size_t slot = base + row[k];
    next = substituteInPiece({v.excess[slot], v.x[slot], v.u[slot]}, next, end);
    v.x[slot] = next;
  }
}

std::uint16_t packIndex(std::int32_t index)
{
  return index < 0 ? kNone : static_cast<std::uint16_t>(index);
}

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

RankHead packRank(const ResidentSchedule& schedule, std::size_t index, TableBytes& tables)
{
  const ResidentRank& rank = schedule.ranks[index];
  RankHead head{};
  head.slots = static_cast<std::uint32_t>(rank.slotCount);
  head.slotBegin = static_cast<std::uint32_t>(rank.slotBegin);
  head.groups = static_cast<std::uint32_t>(rank.groupCount);
  head.nodes = static_cast<std::uint32_t>(schedule.nodeCount());
  head.rounds = static_cast<std::uint32_t>(schedule.rounds());

  const std::int32_t groupEnd = rank.groupBegin + rank.groupCount;
  const std::int32_t firstRow = schedule.rowBegin[rank.groupBegin];
  std::vector<PackedPiece> pieces;
  for (std::int32_t p = rank.groupBegin * 32; p < groupEnd * 32; ++p) {
    const ResidentPiece& piece = schedule.pieces[p];
    pieces.push_back({static_cast<std::uint16_t>(piece.length * 2 + (piece.node < 0 ? 1 : 0)), packIndex(piece.node),
                      packIndex(piece.parentNode), static_cast<std::uint16_t>(piece.contribution)});
  }
  std::vector<std::uint32_t> groupRow;
  for (std::int32_t g = rank.groupBegin; g < groupEnd; ++g)
    groupRow.push_back(static_cast<std::uint32_t>(schedule.rowBegin[g] - firstRow));
  std::vector<std::uint16_t> rows;
  for (std::int32_t r = firstRow; r < schedule.rowBegin[groupEnd]; ++r)
    rows.push_back(static_cast<std::uint16_t>(schedule.rowSlot[r]));
  head.pieceTable = tables.align();
  tables.append(pieces);
  tables.append(groupRow);
  tables.append(rows);
  head.pieceBytes = static_cast<std::uint32_t>(tables.align() - head.pieceTable);
  if (index > 0)
    return head;

  std::vector<PackedNode> nodes;
  for (const ResidentNode& node : schedule.nodes)
    nodes.push_back({packIndex(node.parentNode), packIndex(node.childNode),
                     static_cast<std::uint16_t>(node.contribution),
                     static_cast<std::uint16_t>(node.contributionBegin)});
  head.nodeTable = tables.align();
  tables.append(nodes);
  tables.append(std::vector<std::uint16_t>(schedule.roundBegin.begin(), schedule.roundBegin.end()));
  head.nodeBytes = static_cast<std::uint32_t>(tables.align() - head.nodeTable);
  return head;
}

/// Units that are launched together: as many thread blocks of each fit a multiprocessor.
struct UnitClass
{
  std::size_t ranks = 1;
  std::size_t sharedBytes = 0;
  std::int32_t groups = 0; ///< most of any rank
  std::vector<LaunchedUnit> units;
};

class Stream
{
public:
  Stream() { cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream"); }
  ~Stream()
  {
    if (stream)
      cudaStreamDestroy(stream);
  }
  Stream(Stream&& other) noexcept : stream(std::exchange(other.stream, nullptr)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream; }

private:
  cudaStream_t stream = nullptr;
};

/// All launches of a solve, captured once, so that the host's launch times stay out of it.
class LaunchGraph
{
public:
  LaunchGraph() = default;
  ~LaunchGraph()
  {
    if (executable)
      cudaGraphExecDestroy(executable);
  }
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// Captures what `launch` puts on `origin` and on streams that it forks from it.
  template <typename Launch>
  void capture(cudaStream_t origin, Launch launch)
  {
    cuda::check(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal), "record the launches");
    launch();
    cudaGraph_t graph = nullptr;
    cuda::check(cudaStreamEndCapture(origin, &graph), "record the launches");
    const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    cuda::check(status, "record the launches");
  }
  void run(cudaStream_t stream) const { cuda::check(cudaGraphLaunch(executable, stream), "launch the solver"); }

private:
  cudaGraphExec_t executable = nullptr;
};

class Event
{
public:
  Event() { cuda::check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event"); }
  ~Event() { cudaEventDestroy(event); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event; }

private:
  cudaEvent_t event = nullptr;
};

/// The plan in device memory, ready to launch.
class DeviceResident
{
public:
  explicit DeviceResident(const ResidentPlan& plan)
  {
    packResident(plan);
    packSpread(plan);
  }

  void capture(double* excess, double* u, double* b, double* x)
  {
    graph.capture(origin.get(), [&] {
      cuda::check(cudaEventRecord(fork.get(), origin.get()), "record an event");
      for (std::size_t k = 0; k < classes.size(); ++k) {
        cudaStream_t stream = streams[k].get();
        cuda::check(cudaStreamWaitEvent(stream, fork.get()), "order the launches");
        launchClass(k, stream, excess, u, b, x);
        joinOrigin(stream);
      }
      if (spreadCount > 0) {
        cudaStream_t stream = streams.back().get();
        cuda::check(cudaStreamWaitEvent(stream, fork.get()), "order the launches");
        launchSpread(stream, excess, u, b, x);
        joinOrigin(stream);
      }
    });
  }

  /// Runs the captured launches and returns their time in ms.
  double run()
  {
    cuda::check(cudaEventRecord(first.get(), origin.get()), "record an event");
    graph.run(origin.get());
    cuda::check(cudaEventRecord(last.get(), origin.get()), "record an event");
    cuda::check(cudaEventSynchronize(last.get()), "run the resident solver");
    float milliseconds = 0;
    cuda::check(cudaEventElapsedTime(&milliseconds, first.get(), last.get()), "read an event");
    return milliseconds;
  }

private:
  class TimedEvent
  {
  public:
    TimedEvent() { cuda::check(cudaEventCreate(&event), "create an event"); }
    ~TimedEvent() { cudaEventDestroy(event); }
    TimedEvent(const TimedEvent&) = delete;
    TimedEvent& operator=(const TimedEvent&) = delete;
    cudaEvent_t get() const { return event; }

  private:
    cudaEvent_t event = nullptr;
  };

  void joinOrigin(cudaStream_t stream)
  {
    joins.push_back(std::make_unique<Event>());
    cuda::check(cudaEventRecord(joins.back()->get(), stream), "record an event");
    cuda::check(cudaStreamWaitEvent(origin.get(), joins.back()->get()), "order the launches");
  }

  void packResident(const ResidentPlan& plan)
  {
    TableBytes bytes;
    std::vector<RankHead> headList;
    std::vector<std::uint32_t> headOf(plan.schedules.size());
    // Blocks of a multiprocessor and ranks make the class; large units first, so that the last to finish are small.
    std::map<std::pair<std::size_t, std::size_t>, UnitClass> byClass;
    std::vector<std::pair<std::size_t, std::size_t>> keyOf(plan.schedules.size());
    for (std::size_t s = 0; s < plan.schedules.size(); ++s) {
      const ResidentSchedule& schedule = plan.schedules[s];
      headOf[s] = static_cast<std::uint32_t>(headList.size());
      std::size_t sharedBytes = 0;
      std::int32_t groups = 0;
      for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
        headList.push_back(packRank(schedule, rank, bytes));
        sharedBytes = std::max(sharedBytes, residentBytes(schedule, rank));
        groups = std::max(groups, schedule.ranks[rank].groupCount);
      }
      if (schedule.ranks.empty())
        continue;
      keyOf[s] = {std::clamp<std::size_t>(plan.parameters.blockBytes / (sharedBytes + 1024), 1, 16),
                  schedule.ranks.size()};
      UnitClass& unitClass = byClass[keyOf[s]];
      unitClass.ranks = schedule.ranks.size();
      unitClass.sharedBytes = std::max(unitClass.sharedBytes, sharedBytes);
      unitClass.groups = std::max(unitClass.groups, groups);
    }
    for (const ResidentUnit& unit : plan.units)
      if (!plan.schedules[unit.schedule].ranks.empty())
        byClass[keyOf[unit.schedule]].units.push_back({headOf[unit.schedule], unit.slotBegin});
    for (auto& [key, unitClass] : byClass) {
      units.emplace_back(unitClass.units);
      classes.push_back(std::move(unitClass));
    }
    streams.resize(classes.size() + 1);
    heads = Buffer<RankHead>(headList);
    tables = Buffer<unsigned char>(bytes.all());
    const auto most = static_cast<int>(plan.parameters.blockBytes);
    cuda::check(cudaFuncSetAttribute(residentKernel<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
                "give a block so much shared memory");
    cuda::check(cudaFuncSetAttribute(residentKernel<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
                "give a block so much shared memory");
  }

  void packSpread(const ResidentPlan& plan)
  {
    std::vector<SpreadUnit> unitList;
    std::vector<ResidentPiece> pieceList;
    std::vector<std::int32_t> rowBeginList, rowSlotList, roundList;
    std::vector<ResidentNode> nodeList;
    std::map<std::uint32_t, SpreadUnit> tablesOf;
    std::size_t nodeTotal = 0;
    std::size_t contributionTotal = 0;
    for (const ResidentUnit& unit : plan.units) {
      const ResidentSchedule& schedule = plan.schedules[unit.schedule];
      if (!schedule.ranks.empty())
        continue;
      const auto [entry, isNew] = tablesOf.try_emplace(unit.schedule);
      SpreadUnit& shape = entry->second;
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
      SpreadUnit placed = shape;
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
    spreadUnits = Buffer<SpreadUnit>(unitList);
    spreadPieces = Buffer<ResidentPiece>(pieceList);
    spreadRowBegin = Buffer<std::int32_t>(rowBeginList);
    spreadRowSlot = Buffer<std::int32_t>(rowSlotList);
    spreadNodeTable = Buffer<ResidentNode>(nodeList);
    spreadRounds = Buffer<std::int32_t>(roundList);
    nodeExcess = Buffer<double>(nodeTotal);
    nodeB = Buffer<double>(nodeTotal);
    nodeW = Buffer<double>(nodeTotal);
    contribution = Buffer<NodeContribution>(contributionTotal);
  }

  void launchClass(std::size_t k, cudaStream_t stream, const double* excess, const double* u, const double* b,
                   double* x)
  {
    const UnitClass& unitClass = classes[k];
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(unitClass.units.size() * unitClass.ranks));
    config.blockDim = dim3(static_cast<unsigned>(std::clamp(unitClass.groups * 32, 64, kMostThreads)));
    config.dynamicSmemBytes = unitClass.sharedBytes;
    config.stream = stream;
    cudaLaunchAttribute cluster[1];
    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim = {static_cast<unsigned>(unitClass.ranks), 1, 1};
    if (unitClass.ranks > 1) {
      config.attrs = cluster;
      config.numAttrs = 1;
    }
    cuda::check(cudaLaunchKernelEx(&config, unitClass.ranks > 1 ? residentKernel<true> : residentKernel<false>,
                                   static_cast<const LaunchedUnit*>(units[k].data()),
                                   static_cast<const RankHead*>(heads.data()),
                                   static_cast<const unsigned char*>(tables.data()), static_cast<int>(unitClass.ranks),
                                   excess, u, b, x),
                "launch the resident solver");
  }

  void launchSpread(cudaStream_t stream, double* excess, double* u, double* b, double* x)
  {
    const SpreadTables t{spreadUnits.data(),   spreadPieces.data(),    spreadRowBegin.data(),
                         spreadRowSlot.data(), spreadNodeTable.data(), spreadRounds.data()};
    const SpreadValues v{excess, u, b, x, nodeExcess.data(), nodeB.data(), nodeW.data(), contribution.data()};
    const dim3 grid(static_cast<unsigned>((spreadGroups * 32 + 127) / 128), static_cast<unsigned>(spreadCount));
    spreadContract<<<grid, 128, 0, stream>>>(t, v);
    spreadReduce<<<static_cast<unsigned>(spreadCount), 1024, 0, stream>>>(t, v);
    spreadExpand<<<grid, 128, 0, stream>>>(t, v);
    cuda::check(cudaGetLastError(), "launch the resident solver");
  }

  static constexpr int kMostThreads = 384;
  std::vector<UnitClass> classes;
  std::vector<Buffer<LaunchedUnit>> units;
  Buffer<RankHead> heads;
  Buffer<unsigned char> tables;
  std::size_t spreadCount = 0;
  std::int32_t spreadGroups = 0;
  Buffer<SpreadUnit> spreadUnits;
  Buffer<ResidentPiece> spreadPieces;
  Buffer<std::int32_t> spreadRowBegin, spreadRowSlot, spreadRounds;
  Buffer<ResidentNode> spreadNodeTable;
  Buffer<double> nodeExcess, nodeB, nodeW;
  Buffer<NodeContribution> contribution;
  Stream origin;
  std::vector<Stream> streams;
  Event fork;
  std::vector<std::unique_ptr<Event>> joins;
  TimedEvent first;
  TimedEvent last;
  LaunchGraph graph;
};

detail::Permutation makePermutation(const ResidentPlan& plan)
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
    blocks.push_back({tableBegin[unit.schedule], unit.slotBegin, unit.cellBegin,
                      static_cast<std::uint32_t>(plan.schedules[unit.schedule].slots())});
  std::vector<std::size_t> offsets;
  for (const std::uint32_t c : plan.cellOrder)
    offsets.push_back(plan.batch->offset[c]);
  return {blocks, cell, compartment, {}, offsets};
}

class ResidentCudaSolver final : public PreparedSolver
{
public:
  explicit ResidentCudaSolver(std::shared_ptr<const ResidentPlan> residentPlan)
      : plan(std::move(residentPlan)), resident(*plan), permutation(makePermutation(*plan)),
        excess(plan->batch->excess), u(plan->batch->u), b(plan->batch->b), x(plan->batch->compartments()),
        plannedExcess(plan->slots), plannedU(plan->slots), plannedB(plan->slots), plannedX(plan->slots)
  {
    resident.capture(plannedExcess.data(), plannedU.data(), plannedB.data(), plannedX.data());
  }

  void setRightHandSide(std::span<const double> rightHandSide) override { b.upload(rightHandSide.data()); }

  SolveTimes solveOnce(const RunControl& control) override
  {
    control.checkpoint();
    SolveTimes took;
    timer.start();
    permutation.toLayout(excess.data(), u.data(), b.data(), plannedExcess.data(), plannedU.data(), plannedB.data());
    took.permute = timer.stop();
    took.solve = resident.run();
    return took;
  }

  void read(std::span<double> solution, StageTimings& timings) override
  {
    timer.start();
    permutation.toBatch(plannedX.data(), x.data());
    timings.add("permute", timer.stop());
    timer.start();
    x.download(solution.data());
    timings.add("download", timer.stop());
  }

  std::shared_ptr<const LaneCharts> charts() const override { return makeResidentCharts(plan); }

private:
  std::shared_ptr<const ResidentPlan> plan;
  DeviceResident resident;
  detail::Permutation permutation;
  Buffer<double> excess, u, b, x; ///< in the order of the batch
  Buffer<double> plannedExcess, plannedU, plannedB, plannedX;
  cuda::Timer timer;
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareResidentCuda(std::shared_ptr<const ResidentPlan> plan,
                                                            const SolveParameters& /*parameters*/,
                                                            StageTimings& timings, const RunControl& control)
{
  control.report("upload", 0);
  timings.device = cuda::currentDeviceName();
  const Stopwatch stopwatch;
  auto prepared = std::make_unique<ResidentCudaSolver>(std::move(plan));
  cuda::check(cudaDeviceSynchronize(), "upload the batch");
  timings.add("upload", stopwatch.elapsed());
  return prepared;
}

} // namespace hinesight::hines
