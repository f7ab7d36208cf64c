#include "hines/resident_solver.hpp"

#include "core/cuda_support.cuh"
#include "core/device.hpp"
#include "hines/permutation.cuh"
#include "hines/resident_charts.hpp"
#include "hines/resident_kernels.cuh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

// The resident solver on the device: the plan's tables packed for the kernels of resident_kernels.cuh, and the
// launches.

namespace hinesight::hines {

namespace {

using cuda::Buffer;
using device::BlockHead;
using device::PackedNode;
using device::PackedPiece;
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

/// Where a schedule's nodes and contributions are in the shared memory of the first block of its cluster, as the packed
/// tables say it.
template <typename Real>
class NodePlaces
{
public:
  explicit NodePlaces(const SharedLayout& first)
      : nodes(first.nodeValues / sizeof(Real)), contributions(first.contributions / sizeof(Real))
  {}
  std::uint16_t node(std::int32_t index) const
  {
    return static_cast<std::uint16_t>(static_cast<std::int32_t>(nodes) + 3 * index);
  }
  std::uint16_t contribution(std::int32_t index) const
  {
    return static_cast<std::uint16_t>(static_cast<std::int32_t>(contributions) + 2 * index);
  }

private:
  std::size_t nodes;
  std::size_t contributions;
};

/// A head without tables: the sizes that the layout follows from.
BlockHead headOf(const ResidentSchedule& schedule, std::size_t index)
{
  const ResidentRank& rank = schedule.ranks[index];
  const auto align = [](std::size_t bytes) { return static_cast<std::uint32_t>((bytes + 15) & ~std::size_t{15}); };
  const auto groups = static_cast<std::size_t>(rank.groupCount);
  const auto rows = static_cast<std::size_t>(schedule.rowBegin[rank.groupBegin + rank.groupCount] -
                                             schedule.rowBegin[rank.groupBegin]);
  BlockHead head{};
  head.firstSlot = static_cast<std::uint64_t>(rank.slotBegin); // in the unit
  head.slots = static_cast<std::uint32_t>(rank.slotCount);
  head.groups = static_cast<std::uint32_t>(groups);
  head.pieceBytes = align(32 * sizeof(PackedPiece) * groups + 4 * (groups + 1) + 2 * (rows + 1));
  head.nodes = static_cast<std::uint32_t>(schedule.nodeCount());
  head.rounds = static_cast<std::uint32_t>(schedule.rounds());
  if (index == 0)
    head.nodeBytes = align(sizeof(PackedNode) * schedule.nodes.size() + 2 * schedule.roundBegin.size());
  return head;
}

template <typename Real>
void packPieces(const ResidentSchedule& schedule, const ResidentRank& rank, const NodePlaces<Real>& places,
                TableBytes& tables)
{
  const std::int32_t groupEnd = rank.groupBegin + rank.groupCount;
  const std::int32_t firstRow = schedule.rowBegin[rank.groupBegin];
  std::vector<PackedPiece> pieces;
  for (std::int32_t p = rank.groupBegin * 32; p < groupEnd * 32; ++p) {
    const ResidentPiece& piece = schedule.pieces[p];
    const auto placeOf = [&](std::int32_t node) { return node < 0 ? device::kNone : places.node(node); };
    pieces.push_back({static_cast<std::uint16_t>(piece.length * 2 + (piece.node < 0 ? 1 : 0)), placeOf(piece.node),
                      placeOf(piece.parentNode), places.contribution(piece.contribution)});
  }
  std::vector<std::uint32_t> groupRow;
  for (std::int32_t g = rank.groupBegin; g <= groupEnd; ++g)
    groupRow.push_back(static_cast<std::uint32_t>(schedule.rowBegin[g] - firstRow));
  std::vector<std::uint16_t> rows;
  for (std::int32_t r = firstRow; r < schedule.rowBegin[groupEnd]; ++r)
    rows.push_back(static_cast<std::uint16_t>(schedule.rowSlot[r]));
  rows.push_back(static_cast<std::uint16_t>(rank.slotCount)); // where the last group ends
  tables.append(pieces);
  tables.append(groupRow);
  tables.append(rows);
}

template <typename Real>
void packNodes(const ResidentSchedule& schedule, const NodePlaces<Real>& places, TableBytes& tables)
{
  std::vector<PackedNode> nodes;
  for (std::int32_t j = 0; j < schedule.nodeCount(); ++j) {
    const ResidentNode& node = schedule.nodes[j];
    PackedNode packed{};
    packed.parent = places.node(node.parentNode >= 0 ? node.parentNode : j);
    packed.child = places.node(node.childNode >= 0 ? node.childNode : j);
    packed.out = places.contribution(node.contribution);
    packed.in = places.contribution(node.contributionBegin);
    nodes.push_back(packed);
  }
  PackedNode end{};
  end.in = places.contribution(schedule.nodes.back().contributionBegin);
  nodes.push_back(end);
  tables.append(nodes);
  tables.append(std::vector<std::uint16_t>(schedule.roundBegin.begin(), schedule.roundBegin.end()));
}

/// The heads of a schedule's blocks, firstSlot counted from the unit's first; their tables go to `tables`.
template <typename Real>
std::vector<BlockHead> packSchedule(const ResidentSchedule& schedule, TableBytes& tables)
{
  std::vector<BlockHead> heads;
  for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    heads.push_back(headOf(schedule, rank));
  const NodePlaces<Real> places(device::layOut<Real>(heads.front()));
  for (std::size_t rank = 0; rank < heads.size(); ++rank) {
    heads[rank].pieceTable = tables.align();
    packPieces(schedule, schedule.ranks[rank], places, tables);
  }
  heads.front().nodeTable = tables.align();
  packNodes(schedule, places, tables);
  tables.align();
  return heads;
}

/// Units that are launched together: as many thread blocks of each fit a multiprocessor.
struct UnitClass
{
  std::size_t ranks = 1;
  std::size_t together = 1; ///< thread blocks that a multiprocessor holds
  std::size_t sharedBytes = 0;
  std::int32_t groups = 0; ///< most of any rank
  std::vector<BlockHead> heads;
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
template <typename Real>
class DeviceResident
{
public:
  explicit DeviceResident(const ResidentPlan& plan) : multiprocessors(cuda::multiprocessors())
  {
    packResident(plan);
    packSpread(plan);
  }

  void capture(Real* excess, Real* u, Real* b, Real* x)
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
    std::vector<std::vector<BlockHead>> headsOf(plan.schedules.size());
    // Blocks of a multiprocessor and ranks make the class; large units first, so that the last to finish are small.
    std::map<std::pair<std::size_t, std::size_t>, UnitClass> byClass;
    std::vector<UnitClass*> classOf(plan.schedules.size(), nullptr);
    for (std::size_t s = 0; s < plan.schedules.size(); ++s) {
      const ResidentSchedule& schedule = plan.schedules[s];
      if (schedule.ranks.empty())
        continue;
      headsOf[s] = packSchedule<Real>(schedule, bytes);
      std::size_t sharedBytes = 0;
      std::int32_t groups = 0;
      for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
        sharedBytes = std::max(sharedBytes, residentBytes(schedule, rank, plan.parameters.precision));
        groups = std::max(groups, schedule.ranks[rank].groupCount);
      }
      constexpr std::size_t kReservedBytes = 1024; // of every block, by the system
      const std::size_t together = std::clamp<std::size_t>(
          (plan.parameters.blockBytes + kReservedBytes) / (sharedBytes + kReservedBytes), 1, 16);
      UnitClass& unitClass = byClass[{together, schedule.ranks.size()}];
      classOf[s] = &unitClass;
      unitClass.ranks = schedule.ranks.size();
      unitClass.together = together;
      unitClass.sharedBytes = std::max(unitClass.sharedBytes, sharedBytes);
      unitClass.groups = std::max(unitClass.groups, groups);
    }
    for (const ResidentUnit& unit : plan.units)
      for (BlockHead head : headsOf[unit.schedule]) {
        head.firstSlot += unit.slotBegin;
        classOf[unit.schedule]->heads.push_back(head);
      }
    for (auto& [key, unitClass] : byClass) {
      heads.emplace_back(unitClass.heads);
      classes.push_back(std::move(unitClass));
    }
    streams.resize(classes.size() + 1);
    tables = Buffer<unsigned char>(bytes.all());
    const auto most = static_cast<int>(plan.parameters.blockBytes);
    for (const auto kernel : {device::residentKernel<Real, false>, device::residentKernel<Real, true>})
      cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
                  "give a block so much shared memory");
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

  void launchClass(std::size_t k, cudaStream_t stream, const Real* excess, const Real* u, const Real* b, Real* x)
  {
    const UnitClass& unitClass = classes[k];
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(unitClass.heads.size()));
    config.blockDim = dim3(static_cast<unsigned>(std::clamp(unitClass.groups * 32, 64, device::kMostThreads)));
    config.dynamicSmemBytes = unitClass.sharedBytes;
    config.stream = stream;
    cudaLaunchAttribute cluster[1];
    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim = {static_cast<unsigned>(unitClass.ranks), 1, 1};
    if (unitClass.ranks > 1) {
      config.attrs = cluster;
      config.numAttrs = 1;
    }
    const auto ahead = static_cast<unsigned>(unitClass.together) * multiprocessors;
    cuda::check(cudaLaunchKernelEx(&config,
                                   unitClass.ranks > 1 ? device::residentKernel<Real, true>
                                                       : device::residentKernel<Real, false>,
                                   static_cast<const BlockHead*>(heads[k].data()), ahead,
                                   static_cast<const unsigned char*>(tables.data()), excess, u, b, x),
                "launch the resident solver");
  }

  void launchSpread(cudaStream_t stream, Real* excess, Real* u, Real* b, Real* x)
  {
    const device::SpreadTables t{spreadUnits.data(),   spreadPieces.data(),    spreadRowBegin.data(),
                                 spreadRowSlot.data(), spreadNodeTable.data(), spreadRounds.data()};
    const device::SpreadValues<Real> v{excess, u, b, x, nodes.data(), contribution.data()};
    const dim3 grid(static_cast<unsigned>((spreadGroups * 32 + 127) / 128), static_cast<unsigned>(spreadCount));
    device::spreadContract<<<grid, 128, 0, stream>>>(t, v);
    device::spreadReduce<<<static_cast<unsigned>(spreadCount), 1024, 0, stream>>>(t, v);
    device::spreadExpand<<<grid, 128, 0, stream>>>(t, v);
    cuda::check(cudaGetLastError(), "launch the resident solver");
  }

  unsigned multiprocessors;
  std::vector<UnitClass> classes;
  std::vector<Buffer<BlockHead>> heads; ///< per class
  Buffer<unsigned char> tables;
  std::size_t spreadCount = 0;
  std::int32_t spreadGroups = 0;
  Buffer<device::SpreadUnit> spreadUnits;
  Buffer<ResidentPiece> spreadPieces;
  Buffer<std::int32_t> spreadRowBegin, spreadRowSlot, spreadRounds;
  Buffer<ResidentNode> spreadNodeTable;
  Buffer<NodeValues<Real>> nodes;
  Buffer<NodeContribution<Real>> contribution;
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

template <typename Real>
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
  DeviceResident<Real> resident;
  detail::Permutation permutation;
  Buffer<double> excess, u, b, x; ///< in the order of the batch
  Buffer<Real> plannedExcess, plannedU, plannedB, plannedX;
  cuda::Timer timer;
};

} // namespace

std::unique_ptr<PreparedSolver> detail::prepareResidentCuda(std::shared_ptr<const ResidentPlan> plan,
                                                            const SolveParameters& parameters, StageTimings& timings,
                                                            const RunControl& control)
{
  control.report("upload", 0);
  timings.device = cuda::currentDeviceName();
  const Stopwatch stopwatch;
  std::unique_ptr<PreparedSolver> prepared;
  if (parameters.precision == Precision::Single)
    prepared = std::make_unique<ResidentCudaSolver<float>>(std::move(plan));
  else
    prepared = std::make_unique<ResidentCudaSolver<double>>(std::move(plan));
  cuda::check(cudaDeviceSynchronize(), "upload the batch");
  timings.add("upload", stopwatch.elapsed());
  return prepared;
}

} // namespace hinesight::hines
