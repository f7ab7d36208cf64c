#include "core/device.hpp"
#include "core/parallel.hpp"
#include "simulation/cells/block_cells.hpp"
#include "simulation/cells/block_rows.hpp"
#include "simulation/cells/block_step.hpp"
#include "simulation/cells/device_cells.cuh"

#include "core/cuda/pinned_array.cuh"
#include "core/cuda/stream.cuh"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <tuple>

// Cells on a GPU: a block of threads takes a block of cells into shared memory, goes on for an epoch, and puts their
// states back. Cells that are too large for shared memory stay in the device's, and so in its cache.

namespace hinesight::simulation {

namespace {

using cuda::Buffer;
using cuda::check;

/// Which channels a kernel knows: fewer need fewer registers.
enum class Channels
{
  Hh,     ///< the squid axon's
  Simple, ///< all but schemes of many states
  Every,
};

template <Channels kKnown, typename Visit>
__device__ __forceinline__ void visitKnown(const GroupView& group, const Visit& visit)
{
  if constexpr (kKnown == Channels::Hh) {
    if (group.kind == cell::ChannelKind::HhSodium)
      visit(cell::channels::HhSodium());
    else
      visit(cell::channels::HhPotassium());
  } else if constexpr (kKnown == Channels::Simple) {
    if (group.kind != cell::ChannelKind::NaV)
      visitGroup(group, [&](const auto& channel) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(channel)>, cell::channels::NaV>)
          visit(channel);
      });
  } else {
    visitGroup(group, visit);
  }
}

/// The threads of a block.
template <Channels kKnown>
struct ThreadLanes
{
  using Index = std::uint32_t;
  static constexpr bool kByNode = true; // a thread keeps its row in registers
  static constexpr Index kAtOnce = 1;
  static constexpr Index kWarp = 32;

  Index shift; ///< there are 2^shift cells

  __device__ __forceinline__ Index count() const { return Index{1} << shift; }
  __device__ __forceinline__ Index itemOf(Index i) const { return i >> shift; }
  __device__ __forceinline__ Index laneOf(Index i) const { return i & (count() - 1); }
  __device__ __forceinline__ static Index thread() { return threadIdx.x; }
  __device__ __forceinline__ static Index threads() { return blockDim.x; }
  __device__ __forceinline__ static void wait() { __syncthreads(); }
  __device__ __forceinline__ static void waitForWarp() { __syncwarp(); }

  template <typename Body>
  __device__ __forceinline__ void forEach(Index items, const Body& body) const
  {
    for (Index i = thread(); i < items << shift; i += threads())
      body(itemOf(i), laneOf(i));
  }

  /// kCount items at once; where fewer are left, the first of them stands for the others too.
  template <Index kCount, typename Body>
  __device__ __forceinline__ void forSeveral(Index items, const Body& body) const
  {
    for (Index i = thread(); i < items; i += kCount * threads()) {
      Index item[kCount];
      for (Index k = 0; k < kCount; ++k)
        item[k] = i + k * threads() < items ? i + k * threads() : i;
      body(item);
    }
  }

  /// One piece of one cell.
  struct Side
  {
    Piece piece;
    Index number, lane;

    template <typename Body>
    __device__ __forceinline__ void all(const Body& body) const
    {
      body(Index{0}, piece, lane);
    }
    template <typename Body>
    __device__ __forceinline__ void ofRank(Index begin, Index, const Body& body) const
    {
      body(Index{0}, begin + number);
    }
  };
  template <typename Body>
  __device__ __forceinline__ void forPieces(const ModelView& model, const Body& body) const
  {
    for (Index i = thread(); i < model.pieces << shift; i += threads()) {
      const Side side{model.piece[itemOf(i)], itemOf(i), laneOf(i)};
      body(i, side.piece.nodes, side);
    }
  }

  template <typename Body>
  __device__ __forceinline__ static void forEachOfBlock(Index items, const Body& body)
  {
    for (Index i = thread(); i < items; i += threads())
      body(i);
  }

  /// By the threads before the last warp, which has synapses.
  template <typename Body>
  __device__ __forceinline__ static void forEachBeside(Index items, const Body& body)
  {
    for (Index i = (thread() + kWarp < threads() ? threads() : 2 * threads()) - kWarp - 1 - thread(); i < items;
         i += threads())
      body(i);
  }

  /// All threads of the block, or its last warp.
  struct Crew
  {
    bool isWarp;

    __device__ __forceinline__ Index first() const { return isWarp ? thread() & (kWarp - 1) : thread(); }
    __device__ __forceinline__ Index threadCount() const { return isWarp ? kWarp : threads(); }
    __device__ __forceinline__ void wait() const
    {
      if (isWarp)
        __syncwarp();
      else
        __syncthreads();
    }
    template <typename Body>
    __device__ __forceinline__ void forEachOfBlock(Index items, const Body& body) const
    {
      for (Index i = first(); i < items; i += threadCount())
        body(i);
    }
    template <typename IsDue, typename Body>
    __device__ __forceinline__ void forEachWhile(std::uint32_t& next, std::uint32_t end, const IsDue& isDue,
                                                 const Body& body) const
    {
      if (next == end)
        return;
      for (Index taken = threadCount(); taken == threadCount(); next += taken) {
        const std::uint32_t k = next + first();
        const bool isMine = k < end && isDue(k);
        if (isMine)
          body(k);
        taken = isWarp ? static_cast<Index>(__popc(__ballot_sync(0xFFFFFFFFu, isMine ? 1 : 0)))
                       : static_cast<Index>(__syncthreads_count(isMine ? 1 : 0));
      }
    }
  };

  /// Calls body(crew): by one warp, while the others go on, where that is enough for `items`.
  template <typename Body>
  __device__ __forceinline__ static void beside(Index items, const Body& body)
  {
    const Crew crew{items <= 2 * kWarp};
    if (!crew.isWarp || thread() >= threads() - kWarp)
      body(crew);
  }

  template <typename Body>
  __device__ __forceinline__ static void apart(const Body& body)
  {
    body();
  }

  template <typename Visit>
  __device__ __forceinline__ static void visit(const GroupView& group, const Visit& visit)
  {
    visitKnown<kKnown>(group, visit);
  }

  /// Each warp takes small groups of its own: different ones run side by side. Large ones are for all.
  template <typename Compute, typename Apply>
  __device__ __forceinline__ void computeGroups(const ModelView& model, std::uint32_t first, const Compute& compute,
                                                const Apply& apply) const
  {
    const Index most = 2 * kWarp;
    const bool hasLarge = first < model.rowGroups || model.largestGroup * count() > most;
    const Index warps = threads() / kWarp;
    bool isForAll = false;
    std::uint32_t g = first + warps - 1 - thread() / kWarp;
    for (;; g += isForAll ? 1 : warps) { // one place that calls the formulas: there are many
      if (g >= model.groups) {
        if (isForAll || !hasLarge)
          break;
        isForAll = true;
        g = first;
      }
      const GroupView& group = model.group[g];
      const Index items = group.count * count();
      if ((items > most) != isForAll)
        continue;
      const Index step = isForAll ? threads() : kWarp;
      const Index start = isForAll ? thread() : thread() & (kWarp - 1);
      visit(group, [&](const auto& channel) {
        for (Index k = start; k < items; k += step)
          apply(group, itemOf(k), laneOf(k), compute(channel, group, itemOf(k), laneOf(k)));
      });
    }
  }
};

/// What of a block is in shared memory.
struct SharedPlan
{
  bool hasWork = false;   ///< potentials and the system
  bool hasStates = false; ///< of the channels

  auto operator<=>(const SharedPlan&) const = default;
};

/// How many threads a multiprocessor has registers for, and a block at most. What is in few nodes may wait for
/// registers that are kept in memory; schemes of many states, which are in most, may not. Measured on an H200.
__host__ __device__ constexpr unsigned mostThreads(Channels known)
{
  switch (known) {
  case Channels::Hh:
    return 640;
  case Channels::Simple:
    return 768;
  case Channels::Every:
    break;
  }
  return 384;
}

// Shared memory of the kernel's own variables.
constexpr std::size_t kSharedOfModel = (sizeof(ModelView) + 15) / 16 * 16;
constexpr std::size_t kSharedOfKernel = kSharedOfModel + (sizeof(BlockView) + 15) / 16 * 16;

/// The address in a register: the compiler would find it out anew at each use, which takes as long as a read.
__device__ __forceinline__ double* sharedMemory()
{
  extern __shared__ double shared[];
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  return static_cast<double*>(__cvta_shared_to_generic(__shfl_sync(0xFFFFFFFFu, address, 0)));
}

/// How many values a block's system of so many rows has besides potentials.
std::size_t workValuesOf(const ModelView& model, std::size_t lanes, std::size_t rows)
{
  const std::size_t junctions = model.nodes - model.pieceNodes;
  return 3 * rows + 2 * (junctions + model.slotCount) * lanes;
}

/// How many values a block's inputs have that every step reads and writes.
HINESIGHT_HOST_DEVICE inline std::size_t inputValuesOf(std::size_t lanes, std::size_t synapses, std::size_t inputs)
{
  return lanes + 3 * synapses + 2 * inputs;
}

/// Gives the system its places from `next` on.
__host__ __device__ inline void placeWork(const ModelView& model, std::uint32_t lanes, std::uint32_t rows, double* next,
                                          NodeArrays& nodes)
{
  const std::uint32_t junctions = (model.nodes - model.pieceNodes) * lanes;
  nodes.right = next;
  nodes.upper = nodes.right + rows;
  nodes.lower = nodes.upper + rows;
  nodes.link = nodes.lower + rows;
  nodes.slotSum = nodes.link + 2 * junctions;
  nodes.slotRight = nodes.slotSum + model.slotCount * lanes;
}

__device__ __forceinline__ void copyValues(double* to, const double* from, std::uint32_t count)
{
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x)
    to[i] = from[i];
}

/// kIsShared: potentials, the system and the states of channels are in shared memory, which the compiler then knows.
template <Channels kKnown, bool kIsShared, bool kAsNeuron>
__global__ void __launch_bounds__(mostThreads(kKnown), 1)
    runCells(const ModelView* models, const DeviceBlock* blocks, std::uint32_t first, SharedPlan plan,
             const DeviceEpoch epoch)
{
  double* const memory = sharedMemory();
  double* const shared = memory + kSharedOfKernel / sizeof(double);
  // Read again and again from here: registers are for the formulas.
  ModelView& model = *reinterpret_cast<ModelView*>(memory);
  BlockView& view = *reinterpret_cast<BlockView*>(memory + kSharedOfModel / sizeof(double));
  if (*epoch.wasOut != 0)
    return;
  const DeviceBlock& block = blocks[first + blockIdx.x];
  const NodeArrays home = block.nodes;
  if (threadIdx.x == 0) {
    model = models[block.model];
    view = block.view;
    view.event = epoch.events + epoch.firstEvent[block.number];
    view.events = epoch.firstEvent[block.number + 1] - epoch.firstEvent[block.number];
    view.spikeTimes = epoch.spikeTimes + std::size_t{block.firstLane} * epoch.spikeSlots;
    view.spikes = epoch.spikes + block.firstLane;
    view.spikeSlots = epoch.spikeSlots;
    view.records = epoch.records + std::size_t{block.firstProbe} * epoch.recordStride;
    view.recordStride = epoch.recordStride;
  }
  __syncthreads();
  const std::uint32_t values = model.nodes * view.lanes + view.tips;
  const std::uint32_t states = block.states * view.lanes;
  NodeArrays nodes = home;
  if (kIsShared || plan.hasWork) {
    nodes.v = shared;
    placeWork(model, view.lanes, values, shared + values, nodes);
    copyValues(nodes.v, home.v, values);
  }
  if (kIsShared) {
    nodes.states = nodes.slotRight + model.slotCount * view.lanes;
    copyValues(nodes.states, home.states, states);
  }
  const bool hasInputs = kIsShared && block.hasInputs;
  if (hasInputs) {
    double* next = nodes.states + states;
    const std::uint32_t inputs = view.channelInputs + view.synapses + view.pointSources;
    if (threadIdx.x == 0) {
      view.rising = next;
      view.falling = view.rising + view.synapses;
      view.mean = view.falling + view.synapses;
      view.inputConductance = view.mean + view.synapses;
      view.inputCurrent = view.inputConductance + inputs;
      view.before = view.inputCurrent + inputs;
    }
    copyValues(next, block.view.rising, view.synapses);
    copyValues(next + view.synapses, block.view.falling, view.synapses);
  }
  for (std::uint32_t lane = threadIdx.x; lane < view.lanes; lane += blockDim.x)
    view.spikes[lane] = 0;
  __syncthreads();

  const ThreadLanes<kKnown> lanes{static_cast<std::uint32_t>(__ffs(view.lanes) - 1)};
  BlockStep<ThreadLanes<kKnown>, kAsNeuron>(lanes, model, nodes, view, epoch.rules).run(epoch.from, epoch.to);

  __syncthreads();
  if (kIsShared || plan.hasWork)
    copyValues(home.v, nodes.v, values);
  if (kIsShared)
    copyValues(home.states, nodes.states, states);
  if (hasInputs) {
    copyValues(block.view.rising, view.rising, view.synapses);
    copyValues(block.view.falling, view.falling, view.synapses);
  }
  for (std::uint32_t i = threadIdx.x; i < values; i += blockDim.x)
    if (!(magnitude(nodes.v[i]) <= kMostPotential))
      *epoch.isOut = 1;
  for (std::uint32_t lane = threadIdx.x; lane < view.lanes; lane += blockDim.x)
    for (std::uint32_t k = 0; k < view.spikes[lane]; ++k)
      epoch.spikeList[atomicAdd(epoch.spikeCount, 1u)] = {epoch.cellOfLane[block.firstLane + lane],
                                                          view.spikeTimes[lane * view.spikeSlots + k]};
}

/// Both ends of a gap junction.
struct DeviceJunction
{
  PointSource* source[2];
  const double* v[2];
};

/// As CpuCells::exchangePotentials.
__global__ void exchangePotentials(const DeviceJunction* junctions, double* before, std::uint32_t count, bool isHalf)
{
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count)
    return;
  for (int end = 0; end < 2; ++end) {
    const double now = *junctions[k].v[end];
    double& last = before[2 * k + static_cast<std::uint32_t>(end)];
    junctions[k].source[1 - end]->value = peerPotential(now, last, isHalf);
    last = now;
  }
}

/// An end of a gap junction whose other end is in another share.
struct DeviceEnd
{
  PointSource* source;
  const double* v;
};

__global__ void readPotentials(const DeviceEnd* ends, double* potentials, std::uint32_t count)
{
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count)
    potentials[k] = *ends[k].v;
}

__global__ void writePeers(const DeviceEnd* ends, const double* peers, std::uint32_t count)
{
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count)
    ends[k].source->value = peers[k];
}

using Kernel = void (*)(const ModelView*, const DeviceBlock*, std::uint32_t, SharedPlan, const DeviceEpoch);

template <bool kAsNeuron>
Kernel kernelOf(Channels known, const SharedPlan& plan)
{
  const bool isShared = plan.hasWork && plan.hasStates;
  switch (known) {
  case Channels::Hh:
    return isShared ? &runCells<Channels::Hh, true, kAsNeuron> : &runCells<Channels::Hh, false, kAsNeuron>;
  case Channels::Simple:
    return isShared ? &runCells<Channels::Simple, true, kAsNeuron> : &runCells<Channels::Simple, false, kAsNeuron>;
  case Channels::Every:
    break;
  }
  return isShared ? &runCells<Channels::Every, true, kAsNeuron> : &runCells<Channels::Every, false, kAsNeuron>;
}

Channels channelsOf(const CompiledCell& model)
{
  Channels known = Channels::Hh;
  for (const ChannelGroup& group : model.channels) {
    if (group.kind == cell::ChannelKind::NaV)
      return Channels::Every;
    if (group.kind != cell::ChannelKind::HhSodium && group.kind != cell::ChannelKind::HhPotassium)
      known = Channels::Simple;
  }
  return known;
}

/// Cells stand side by side, so that all threads have work in the last rounds of elimination too; where there are few,
/// on more multiprocessors. Measured on an H100.
std::uint32_t cudaLanes(std::size_t cells, std::size_t left, std::size_t nodes, int)
{
  constexpr std::size_t kLeastValues = 128, kMostValues = 2000;
  constexpr std::size_t kGoodLanes = 4, kManyBlocks = 125;
  const auto wants = [&](std::size_t lanes) {
    const std::size_t twice = 2 * lanes;
    return nodes * lanes < kLeastValues ||
           (twice <= kGoodLanes && nodes * twice <= kMostValues && cells >= twice * kManyBlocks);
  };
  std::uint32_t lanes = 1;
  while (2 * lanes <= left && wants(lanes))
    lanes *= 2;
  return lanes;
}

/// Blocks that one launch runs.
struct Launch
{
  Channels known;
  unsigned threads;
  SharedPlan plan;
  std::size_t sharedBytes;
  std::uint32_t first; ///< of the device's blocks
  std::uint32_t count;
};

/// A run that was started: its events, and what it leaves behind.
struct StartedRun
{
  Buffer<std::uint32_t> firstEvent; ///< of each block, and the end
  Buffer<StepEvent> events;
  cuda::PinnedArray<std::uint32_t> hostFirstEvent;
  cuda::PinnedArray<StepEvent> hostEvents;
  bool isClear = false; ///< `firstEvent` says that there are none
  std::uint32_t steps = 0;
  Buffer<std::uint32_t> counters{2}; ///< DeviceEpoch::spikeCount, isOut
  cuda::PinnedArray<std::uint32_t> hostCounters;
  Buffer<Spike> spikes;
  Buffer<double> records;
  cuda::Event done;
};

class CudaCells : public BlockCells
{
public:
  CudaCells(Blocks made, int threadsAtMost)
      : BlockCells(std::move(made)), model(*firstCudaDevice()), cpuThreads(threadsAtMost)
  {
    for (const Block& block : inBlocks.blocks)
      lanes += block.lanes;
    put();
  }

  void start(RunPlace place, const StepRules& rules, std::int64_t from, std::int64_t to,
             std::span<const std::vector<PendingEvent>> events) override
  {
    StartedRun& run = runs[static_cast<std::size_t>(place)];
    const StartedRun& before = runs[1 - static_cast<std::size_t>(place)];
    uploadEvents(run, rules, from, events);
    run.steps = static_cast<std::uint32_t>(to - from);
    cuda::grow(spikeTimes, std::size_t{lanes} * slotsOf(run.steps));
    cuda::grow(run.spikes, std::size_t{lanes} * slotsOf(run.steps));
    cuda::grow(run.records, std::size_t{probes} * run.steps);
    check(cudaMemsetAsync(run.counters.data(), 0, 2 * sizeof(std::uint32_t)), "clear the counts of spikes");
    const DeviceEpoch epoch = {.rules = rules,
                               .from = from,
                               .to = to,
                               .events = run.events.data(),
                               .firstEvent = run.firstEvent.data(),
                               .spikeTimes = spikeTimes.data(),
                               .spikes = spikes.data(),
                               .spikeSlots = slotsOf(run.steps),
                               .records = run.records.data(),
                               .recordStride = run.steps,
                               .spikeCount = run.counters.data(),
                               .spikeList = run.spikes.data(),
                               .cellOfLane = cellOfLane.data(),
                               .isOut = run.counters.data() + 1,
                               .wasOut = before.counters.data() + 1};
    if (const auto count = static_cast<std::uint32_t>(junctions.size()); count > 0) {
      exchangePotentials<<<cuda::blocksFor(count, kJunctionThreads), kJunctionThreads>>>(
          junctions.data(), peersBefore.data(), count, rules.isHalf);
    }
    for (const Launch& launch : launches) {
      const Kernel kernel =
          rules.asNeuron ? kernelOf<true>(launch.known, launch.plan) : kernelOf<false>(launch.known, launch.plan);
      kernel<<<launch.count, launch.threads, kSharedOfKernel + launch.sharedBytes>>>(models.data(), deviceBlocks.data(),
                                                                                     launch.first, launch.plan, epoch);
    }
    check(cudaGetLastError(), "start the simulation of cells");
    run.done.record();
    isFetched = false;
  }

  /// On a stream of its own, so that it does not wait for the run that was started behind.
  void finish(RunPlace place, Records& allRecords, EpochResults& results) override
  {
    StartedRun& run = runs[static_cast<std::size_t>(place)];
    run.done.wait("simulate cells");
    const auto download = [this](auto* to, const auto* from, std::size_t items) {
      check(cudaMemcpyAsync(to, from, items * sizeof(*from), cudaMemcpyDeviceToHost, downloads.get()),
            "download spikes and records");
    };
    run.hostCounters.grow(2);
    download(run.hostCounters.data(), run.counters.data(), 2);
    check(cudaStreamSynchronize(downloads.get()), "download spikes and records");
    results.isOutOfBounds = run.hostCounters[1] != 0;
    results.spikes.resize(1);
    results.spikes[0].resize(run.hostCounters[0]);
    download(results.spikes[0].data(), run.spikes.data(), run.hostCounters[0]);
    std::vector<double> values(std::size_t{probes} * run.steps);
    download(values.data(), run.records.data(), values.size());
    check(cudaStreamSynchronize(downloads.get()), "download spikes and records");
    const double* next = values.data();
    for (const Block& block : inBlocks.blocks)
      for (const std::uint32_t probe : block.probeNumbers) {
        allRecords[probe].insert(allRecords[probe].end(), next, next + run.steps);
        next += run.steps;
      }
  }

  void readEnds(std::span<double> potentials) override
  {
    const auto count = static_cast<std::uint32_t>(ends.size());
    if (count == 0)
      return;
    readPotentials<<<cuda::blocksFor(count, kJunctionThreads), kJunctionThreads>>>(ends.data(), endValues.data(),
                                                                                   count);
    check(cudaGetLastError(), "read the ends of gap junctions");
    endValues.download(hostEndValues.data());
    for (std::size_t k = 0; k < count; ++k)
      potentials[inBlocks.ends[k].number] = hostEndValues[k];
  }

  void setPeers(std::span<const double> peers) override
  {
    const auto count = static_cast<std::uint32_t>(ends.size());
    if (count == 0)
      return;
    for (std::size_t k = 0; k < count; ++k)
      hostEndValues[k] = peers[inBlocks.ends[k].number];
    endValues.upload(hostEndValues.data());
    writePeers<<<cuda::blocksFor(count, kJunctionThreads), kJunctionThreads>>>(ends.data(), endValues.data(), count);
    check(cudaGetLastError(), "set the ends of gap junctions");
    isFetched = false;
  }

  /// What an epoch leaves behind has a tenth of the memory at most.
  std::int64_t longestEpoch() const override
  {
    constexpr std::int64_t kLongest = 4096;
    const double perStep = 20.0 * lanes + 16.0 * probes; // of two runs
    if (perStep == 0)
      return kLongest;
    const double steps = static_cast<double>(cuda::freeMemory()) / 10 / perStep;
    return std::clamp(static_cast<std::int64_t>(steps), std::int64_t{1}, kLongest);
  }

  std::string device() const override { return cuda::currentDeviceName(); }

protected:
  void fetch() override
  {
    if (isFetched)
      return;
    const std::vector<std::byte> bytes = changing.download();
    for (std::size_t k = 0; k < inBlocks.blocks.size(); ++k)
      forChanging(inBlocks.blocks[k], [&](std::size_t part, auto& values) {
        if (!values.empty())
          std::memcpy(values.data(), bytes.data() + changingPlaces[k][part], values.size() * sizeof(values[0]));
      });
    if (peersBefore.size() > 0)
      peersBefore.download(inBlocks.peersBefore.data());
    isFetched = true;
  }

  void put() override
  {
    constant = {};
    changing = {};
    changingPlaces.clear();
    launches.clear();
    for (StartedRun& run : runs)
      check(cudaMemset(run.counters.data(), 0, 2 * sizeof(std::uint32_t)), "clear the counts of spikes");
    putModels();
    putBlocks();
    putJunctions();
    isFetched = true;
  }

private:
  static constexpr std::size_t kChangingParts = 8;
  static constexpr unsigned kJunctionThreads = 128;

  /// Calls `visit` with the number and the array of each thing that a step changes.
  template <typename Visit>
  static void forChanging(Block& block, const Visit& visit)
  {
    visit(0, block.v);
    visit(1, block.states);
    visit(2, block.calcium);
    visit(3, block.calciumCurrent);
    visit(4, block.rising);
    visit(5, block.falling);
    visit(6, block.pointSources);
    visit(7, block.isAbove);
  }

  static std::uint32_t slotsOf(std::uint32_t steps) { return steps / 2 + 1; }

  void putModels()
  {
    struct Places
    {
      std::size_t rows, groups, pools, pieces, rounds, items, slotEnds, firstCurrents, currents;
      std::vector<std::array<std::size_t, 6>> ofGroup;
    };
    std::vector<Places> places;
    for (const CompiledCell& each : inBlocks.models()) {
      const EliminationPlan& plan = each.elimination;
      Places p = {constant.add(each.rows),       constant.add(each.groups()),
                  constant.add(each.pools),      constant.add(plan.pieces),
                  constant.add(plan.rounds),     constant.add(plan.items),
                  constant.add(plan.slotEnds),   constant.add(each.firstCurrents()),
                  constant.add(each.currents()), {}};
      for (const ChannelGroup& group : each.channels)
        p.ofGroup.push_back({constant.add(group.node), constant.add(group.pool), constant.add(group.conductance),
                             constant.add(group.reversal), constant.add(group.parameters),
                             constant.add(group.channel)});
      places.push_back(std::move(p));
    }
    addConstantParts();
    constant.allocate();
    std::vector<ModelView> views;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Places& p = places[k];
      ModelView view = inBlocks.models()[k].view();
      view.rows = constant.at<RowConstants>(p.rows);
      view.group = constant.at<GroupView>(p.groups);
      view.pool = constant.at<CalciumPool>(p.pools);
      view.firstCurrentOf = constant.at<std::uint32_t>(p.firstCurrents);
      view.currentOf = constant.at<std::uint32_t>(p.currents);
      view.piece = constant.at<Piece>(p.pieces);
      view.round = constant.at<EliminationRound>(p.rounds);
      view.items = constant.at<EliminationItem>(p.items);
      view.slotEnds = constant.at<std::uint32_t>(p.slotEnds);
      for (std::size_t g = 0; g < p.ofGroup.size(); ++g) {
        GroupView& group = constant.hostAt<GroupView>(p.groups)[g];
        group.node = constant.at<std::uint32_t>(p.ofGroup[g][0]);
        group.pool = constant.at<std::int32_t>(p.ofGroup[g][1]);
        group.conductance = constant.at<double>(p.ofGroup[g][2]);
        group.reversal = constant.at<double>(p.ofGroup[g][3]);
        group.parameters = constant.at<double>(p.ofGroup[g][4]);
        if (group.channel)
          group.channel = constant.at<std::int32_t>(p.ofGroup[g][5]);
      }
      views.push_back(view);
    }
    models = Buffer<ModelView>(views);
  }

  /// Of the blocks, what no step changes.
  void addConstantParts()
  {
    constantPlaces.clear();
    kindsPlace = constant.add(inBlocks.kinds);
    levelsPlace = constant.add(inBlocks.clampLevels);
    for (const Block& block : inBlocks.blocks)
      constantPlaces.push_back({constant.add(block.kindOf), constant.add(block.synapseTarget),
                                constant.add(block.inputTarget), constant.add(block.firstInput),
                                constant.add(block.inputOrder), constant.add(block.watched),
                                constant.add(block.threshold), constant.add(block.probes),
                                constant.add(block.probedChildren), constant.add(block.tips)});
  }

  void putBlocks()
  {
    constant.upload();
    for (Block& block : inBlocks.blocks) {
      std::array<std::size_t, kChangingParts> parts{};
      forChanging(block, [&](std::size_t part, const auto& values) { parts[part] = changing.add(values); });
      changingPlaces.push_back(parts);
    }
    changing.allocate();
    changing.upload();

    const std::vector<std::uint32_t> order = planLaunches();
    std::vector<std::uint32_t> firstLane(inBlocks.blocks.size()), firstProbe(inBlocks.blocks.size());
    std::vector<std::uint32_t> cells;
    probes = 0;
    std::size_t work = 0;
    for (std::size_t k = 0; k < inBlocks.blocks.size(); ++k) {
      const Block& block = inBlocks.blocks[k];
      firstLane[k] = static_cast<std::uint32_t>(cells.size());
      firstProbe[k] = probes;
      cells.insert(cells.end(), block.cells.begin(), block.cells.end());
      cells.resize(firstLane[k] + block.lanes, kNothing);
      probes += static_cast<std::uint32_t>(block.probes.size());
      work += workOf(block, sharedPlanOf(block));
    }
    cellOfLane = Buffer<std::uint32_t>(cells);
    scratch = Buffer<double>(work);
    std::vector<DeviceBlock> views;
    work = 0;
    for (const std::uint32_t k : order) {
      const Block& block = inBlocks.blocks[k];
      double* next = scratch.data() + work;
      const BlockView view = viewOf(k, next);
      views.push_back({view, nodesOf(k, next), block.model,
                       static_cast<std::uint32_t>(inBlocks.models()[block.model].states), k, firstLane[k],
                       firstProbe[k], hasInputs(sharedPlanOf(block), block)});
      work += workOf(block, sharedPlanOf(block));
    }
    deviceBlocks = Buffer<DeviceBlock>(views);
    spikes = Buffer<std::uint32_t>(cells.size());
  }

  /// Values of a block's scratch memory: before per cell, mean per synapse, calcium currents, two per input, the system
  /// where it is not in shared memory.
  std::size_t workOf(const Block& block, const SharedPlan& plan) const
  {
    return block.lanes + block.kindOf.size() + currentsOf(block) + 2 * block.inputs() +
           (plan.hasWork ? 0 : workValuesOf(block));
  }

  std::size_t workValuesOf(const Block& block) const
  {
    return simulation::workValuesOf(modelViewOf(block), block.lanes, block.v.size());
  }

  ModelView modelViewOf(const Block& block) const { return inBlocks.models()[block.model].view(); }

  std::size_t currentsOf(const Block& block) const
  {
    return inBlocks.models()[block.model].calciumCurrents * block.lanes;
  }

  /// Takes what it needs of `work`.
  BlockView viewOf(std::size_t k, double*& work)
  {
    const Block& block = inBlocks.blocks[k];
    const auto& parts = changingPlaces[k];
    const auto& fixed = constantPlaces[k];
    const auto take = [&work](std::size_t count) {
      double* taken = work;
      work += count;
      return taken;
    };
    const std::size_t inputs = block.inputs();
    BlockView view = {};
    view.lanes = block.lanes;
    view.synapses = static_cast<std::uint32_t>(block.kindOf.size());
    view.pointSources = static_cast<std::uint32_t>(block.pointSources.size());
    view.inputTargets = static_cast<std::uint32_t>(block.inputTarget.size());
    view.tips = static_cast<std::uint32_t>(block.tips.size());
    view.probes = static_cast<std::uint32_t>(block.probes.size());
    view.calcium = changing.at<double>(parts[2]);
    view.calciumCurrent = changing.at<double>(parts[3]);
    view.rising = changing.at<double>(parts[4]);
    view.falling = changing.at<double>(parts[5]);
    view.pointSource = changing.at<PointSource>(parts[6]);
    view.isAbove = changing.at<std::uint8_t>(parts[7]);
    view.kinds = constant.at<SynapseKind>(kindsPlace);
    view.clampLevels = constant.at<ClampLevel>(levelsPlace);
    view.kindOf = constant.at<std::uint32_t>(fixed[0]);
    view.synapseTarget = constant.at<std::uint32_t>(fixed[1]);
    view.inputTarget = constant.at<std::uint32_t>(fixed[2]);
    view.firstInput = constant.at<std::uint32_t>(fixed[3]);
    view.inputOrder = constant.at<std::uint32_t>(fixed[4]);
    view.watched = constant.at<std::uint32_t>(fixed[5]);
    view.threshold = constant.at<double>(fixed[6]);
    view.probe = constant.at<ProbeView>(fixed[7]);
    view.probedChild = constant.at<ProbedChild>(fixed[8]);
    view.tip = constant.at<BareTip>(fixed[9]);
    view.channelInputs = block.channelInputs;
    view.before = take(block.lanes);
    view.channelCurrent = take(currentsOf(block));
    view.mean = take(block.kindOf.size());
    view.inputConductance = take(inputs);
    view.inputCurrent = take(inputs);
    view.inRegisters = firstRoundOf(block, threadsOf[k]);
    view.alone = firstRoundOf(block, ThreadLanes<Channels::Hh>::kWarp);
    return view;
  }

  /// The first round of elimination in which no more junctions of all cells are left; else the number of rounds.
  std::uint32_t firstRoundOf(const Block& block, std::size_t most) const
  {
    const EliminationPlan& plan = inBlocks.models()[block.model].elimination;
    std::uint32_t round = 0;
    while (round < plan.rounds.size() && (plan.items.size() - plan.rounds[round].first) * block.lanes > most)
      ++round;
    return round;
  }

  NodeArrays nodesOf(std::size_t k, double* work)
  {
    const Block& block = inBlocks.blocks[k];
    NodeArrays nodes = {};
    nodes.v = changing.at<double>(changingPlaces[k][0]);
    nodes.states = changing.at<double>(changingPlaces[k][1]);
    if (!sharedPlanOf(block).hasWork)
      placeWork(modelViewOf(block), block.lanes, static_cast<std::uint32_t>(block.v.size()), work, nodes);
    return nodes;
  }

  void putJunctions()
  {
    std::vector<DeviceJunction> within;
    for (const Blocks::Junction& each : inBlocks.junctions) {
      DeviceJunction junction = {};
      for (std::size_t side = 0; side < 2; ++side) {
        const DeviceEnd end = endAt(each.ends[side]);
        junction.source[side] = end.source;
        junction.v[side] = end.v;
      }
      within.push_back(junction);
    }
    std::vector<DeviceEnd> apart;
    for (const Blocks::End& each : inBlocks.ends)
      apart.push_back(endAt(each.place));
    ends = Buffer<DeviceEnd>(apart);
    endValues = Buffer<double>(apart.size());
    hostEndValues.resize(apart.size());
    junctions = Buffer<DeviceJunction>(within);
    peersBefore = Buffer<double>(inBlocks.peersBefore);
  }

  DeviceEnd endAt(const PlaceInBlocks& place)
  {
    const auto& parts = changingPlaces[place.block];
    return {changing.at<PointSource>(parts[6]) + place.index,
            changing.at<double>(parts[0]) + inBlocks.blocks[place.block].pointSources[place.index].target};
  }

  std::size_t sharedBytesOf(const SharedPlan& plan, const Block& block) const
  {
    const std::size_t values =
        (plan.hasWork ? block.v.size() + workValuesOf(block) : 0) + (plan.hasStates ? block.states.size() : 0);
    return sizeof(double) * (values + (hasInputs(plan, block) ? inputValuesOf(block) : 0));
  }

  static std::size_t inputValuesOf(const Block& block)
  {
    return simulation::inputValuesOf(block.lanes, block.kindOf.size(), block.inputs());
  }

  /// Whether they are in shared memory, where they are few.
  bool hasInputs(const SharedPlan& plan, const Block& block) const
  {
    constexpr std::size_t kMost = 512;
    return plan.hasStates && inputValuesOf(block) <= kMost;
  }

  std::size_t mostSharedBytes() const { return model.sharedBytesPerBlock - kSharedOfKernel; }

  SharedPlan sharedPlanOf(const Block& block) const
  {
    for (const SharedPlan plan : {SharedPlan{true, true}, SharedPlan{true, false}})
      if (sharedBytesOf(plan, block) <= mostSharedBytes())
        return plan;
    return {};
  }

  /// So many that a multiprocessor has enough of them, and no more than there is work for.
  unsigned threadsFor(const Block& block, std::size_t sharedBytes) const
  {
    const unsigned wanted = mostThreads(channelsOf(inBlocks.models()[block.model])); // on a multiprocessor
    if (sharedBytes == 0)
      return wanted; // a large cell, in the device's memory
    const std::size_t fit =
        model.sharedBytesPerMultiprocessor / (sharedBytes + kSharedOfKernel + model.reservedSharedBytes);
    const auto multiprocessors = static_cast<std::size_t>(model.multiprocessors);
    const std::size_t needed = (inBlocks.blocks.size() + multiprocessors - 1) / multiprocessors;
    const std::size_t blocks = std::max<std::size_t>(1, std::min(fit, needed));
    const EliminationPlan& plan = inBlocks.models()[block.model].elimination;
    const std::size_t sideBySide = plan.nodeAt.size() * block.lanes;
    constexpr std::size_t kWarp = 32;
    const std::size_t most = std::max(kWarp, wanted / blocks / kWarp * kWarp);
    return static_cast<unsigned>(std::min(most, (sideBySide + kWarp - 1) / kWarp * kWarp));
  }

  /// Blocks that need the same go together; returns their order.
  std::vector<std::uint32_t> planLaunches()
  {
    using Key = std::tuple<Channels, unsigned, SharedPlan, std::size_t>;
    std::map<Key, std::vector<std::uint32_t>, std::greater<>> groups;
    for (std::uint32_t k = 0; k < inBlocks.blocks.size(); ++k) {
      const Block& block = inBlocks.blocks[k];
      const SharedPlan plan = sharedPlanOf(block);
      const std::size_t least = sharedBytesOf(plan, block);
      const std::size_t step = std::max<std::size_t>(16, std::bit_floor(least / 32)); // those nearly as large go along
      const std::size_t bytes = std::min((least + step - 1) / step * step, mostSharedBytes());
      groups[{channelsOf(inBlocks.models()[block.model]), threadsFor(block, bytes), plan, bytes}].push_back(k);
    }
    std::vector<std::uint32_t> order;
    threadsOf.resize(inBlocks.blocks.size());
    for (const auto& [key, members] : groups) {
      const auto& [known, threads, plan, bytes] = key;
      for (const std::uint32_t member : members)
        threadsOf[member] = threads;
      launches.push_back({known, threads, plan, bytes, static_cast<std::uint32_t>(order.size()),
                          static_cast<std::uint32_t>(members.size())});
      for (const Kernel kernel : {kernelOf<true>(known, plan), kernelOf<false>(known, plan)})
        check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(model.sharedBytesPerBlock)),
              "reserve shared memory");
      order.insert(order.end(), members.begin(), members.end());
    }
    return order;
  }

  /// Beside the kernels of the run before.
  void uploadEvents(StartedRun& run, const StepRules& rules, std::int64_t from,
                    std::span<const std::vector<PendingEvent>> events)
  {
    run.hostFirstEvent.grow(events.size() + 1);
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < events.size(); ++k) {
      run.hostFirstEvent[k] = count;
      count += static_cast<std::uint32_t>(events[k].size());
    }
    run.hostFirstEvent[events.size()] = count;
    if (count == 0 && run.isClear)
      return;
    run.isClear = false;
    run.hostEvents.grow(count);
    constexpr std::size_t kWorthwhile = 256; // blocks of a thread
    parallelFor(
        events.size(), kWorthwhile,
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k)
            if (!events[k].empty())
              blockRows().events(inBlocks.kinds.data(), inBlocks.blocks[k].kindOf.data(), events[k].data(),
                                 events[k].size(), rules, from, run.hostEvents.data() + run.hostFirstEvent[k]);
        },
        cpuThreads);
    cuda::grow(run.firstEvent, events.size() + 1);
    cuda::grow(run.events, count);
    const auto upload = [this](auto& to, const auto& from, std::size_t items) {
      check(
          cudaMemcpyAsync(to.data(), from.data(), items * sizeof(*from.data()), cudaMemcpyHostToDevice, uploads.get()),
          "upload events");
    };
    upload(run.firstEvent, run.hostFirstEvent, events.size() + 1);
    upload(run.events, run.hostEvents, count);
    check(cudaStreamSynchronize(uploads.get()), "upload events");
    run.isClear = count == 0;
  }

  DeviceModel model;
  int cpuThreads;
  Arena constant, changing;
  std::size_t kindsPlace = 0, levelsPlace = 0;
  std::vector<std::array<std::size_t, 10>> constantPlaces;             ///< per block
  std::vector<std::array<std::size_t, kChangingParts>> changingPlaces; ///< per block
  Buffer<ModelView> models;
  Buffer<DeviceBlock> deviceBlocks; ///< in the order of launches
  Buffer<DeviceJunction> junctions;
  Buffer<DeviceEnd> ends; ///< of Blocks::ends
  std::vector<double> hostEndValues;
  Buffer<double> peersBefore, endValues, scratch, spikeTimes;
  Buffer<std::uint32_t> cellOfLane, spikes;
  std::vector<Launch> launches;
  std::vector<unsigned> threadsOf; ///< per block
  std::array<StartedRun, 2> runs;  ///< by RunPlace
  cuda::Stream uploads, downloads; ///< beside the kernels
  std::uint32_t lanes = 0, probes = 0;
  bool isFetched = true;
};

} // namespace

std::unique_ptr<Cells> makeCudaCells(const CellsSetup& setup, std::size_t share)
{
  requireCudaDevice();
  return std::make_unique<CudaCells>(
      Blocks(setup.network, setup.parameters, setup.models, setup.temperature, setup.shares, share, &cudaLanes),
      setup.parameters.threads);
}

} // namespace hinesight::simulation
