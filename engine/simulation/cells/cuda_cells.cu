#include "core/device.hpp"
#include "simulation/cells/block_rows.hpp"
#include "simulation/cells/block_step.hpp"
#include "simulation/cells/cells.hpp"
#include "simulation/cells/device_cells.cuh"

#include "core/cuda/stream.cuh"

#include <algorithm>
#include <array>
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

/// The threads of a block. kIsOne: it has one cell.
template <Channels kKnown, bool kIsOne>
struct ThreadLanes
{
  using Index = std::uint32_t;
  static constexpr bool kByNode = true; // a thread keeps its row in registers

  Index shift; ///< there are 2^shift cells

  __device__ __forceinline__ Index count() const { return kIsOne ? 1u : 1u << shift; }
  __device__ __forceinline__ static void wait() { __syncthreads(); }

  template <typename Body>
  __device__ __forceinline__ void forEach(Index items, const Body& body) const
  {
    if constexpr (kIsOne) {
      for (Index i = threadIdx.x; i < items; i += blockDim.x)
        body(i, Index{0});
    } else {
      for (Index i = threadIdx.x; i < items << shift; i += blockDim.x)
        body(i >> shift, i & (count() - 1));
    }
  }

  /// While a round is waited for, each thread reads its first item of the next one.
  template <typename Body>
  __device__ __forceinline__ void forRounds(const ModelView& model, const Body& body) const
  {
    const EliminationRound* rounds = model.round;
    const EliminationItem* items = model.items;
    const std::uint32_t count = model.rounds;
    EliminationRound round = rounds[0];
    EliminationItem mine = itemOf(items, round.first, round.items);
    for (std::uint32_t r = 1;; ++r) {
      forEachItem(items + round.first, round.items, mine, body);
      if (r == count)
        break;
      round = rounds[r];
      mine = itemOf(items, round.first, round.items);
      wait();
    }
    wait();
  }
  template <typename Body>
  __device__ __forceinline__ void forRoundsBack(const ModelView& model, const Body& body) const
  {
    const EliminationRound* rounds = model.round;
    const EliminationItem* items = model.items;
    std::uint32_t r = model.rounds - 1; // the root's, in which nothing is eliminated
    if (r == 0)
      return;
    EliminationRound round = rounds[--r];
    EliminationItem mine = itemOf(items, round.first, round.eliminated);
    for (;;) {
      forEachItem(items + round.first, round.eliminated, mine, body);
      if (r == 0)
        break;
      round = rounds[--r];
      mine = itemOf(items, round.first, round.eliminated);
      wait();
    }
    wait();
  }
  __device__ __forceinline__ EliminationItem itemOf(const EliminationItem* items, Index first, Index count) const
  {
    const Index k = kIsOne ? threadIdx.x : threadIdx.x >> shift;
    return items[first + (k < count ? k : 0u)];
  }
  template <typename Body>
  __device__ __forceinline__ void forEachItem(const EliminationItem* items, Index count, const EliminationItem& mine,
                                              const Body& body) const
  {
    EliminationItem item = mine;
    const Index end = kIsOne ? count : count << shift;
    for (Index i = threadIdx.x; i < end;) {
      const Index lane = kIsOne ? 0u : i & (this->count() - 1);
      body(item, [lane](const auto& ofLane) { ofLane(lane); });
      i += blockDim.x;
      if (i < end)
        item = items[kIsOne ? i : i >> shift];
    }
  }

  template <typename Body>
  __device__ __forceinline__ static void forEachOfBlock(Index items, const Body& body)
  {
    for (Index i = threadIdx.x; i < items; i += blockDim.x)
      body(i);
  }

  /// By the last threads, while the first ones have other work.
  template <typename Body>
  __device__ __forceinline__ static void forEachBeside(Index items, const Body& body)
  {
    for (Index i = blockDim.x - 1 - threadIdx.x; i < items; i += blockDim.x)
      body(i);
  }

  template <typename IsDue, typename Body>
  __device__ __forceinline__ static void forEachWhile(std::uint32_t& next, std::uint32_t end, const IsDue& isDue,
                                                      const Body& body)
  {
    if (next == end)
      return;
    for (std::uint32_t taken = blockDim.x; taken == blockDim.x; next += taken) {
      const std::uint32_t k = next + threadIdx.x;
      const bool isMine = k < end && isDue(k);
      if (isMine)
        body(k);
      taken = static_cast<std::uint32_t>(__syncthreads_count(isMine ? 1 : 0));
    }
  }

  template <typename Visit>
  __device__ __forceinline__ static void visit(const GroupView& group, const Visit& visit)
  {
    visitKnown<kKnown>(group, visit);
  }

  /// Each warp takes channels of one group: different groups run side by side.
  template <typename Compute, typename Apply>
  __device__ __forceinline__ void computeGroups(const ModelView& model, std::uint32_t first, const Compute& compute,
                                                const Apply& apply) const
  {
    constexpr Index kWarp = 32;
    const Index warps = blockDim.x / kWarp;
    Index turn = warps - 1 - threadIdx.x / kWarp; // the last ones have fewer rows
    for (std::uint32_t g = first; g < model.groups; ++g) {
      const GroupView& group = model.group[g];
      const Index items = group.count * count();
      Index k = turn * kWarp + threadIdx.x % kWarp;
      for (; k < items; k += warps * kWarp) {
        const Index i = kIsOne ? k : k >> shift;
        const Index lane = kIsOne ? 0u : k & (count() - 1);
        Input input;
        visit(group, [&](const auto& channel) { input = compute(channel, group, i, lane); });
        apply(group, i, lane, input);
      }
      // The next group begins with the warp after the last that had work.
      const Index taken = (items + kWarp - 1) / kWarp;
      turn = (turn + warps - taken % warps) % warps;
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

constexpr std::size_t kWorkArrays = 6;        // v, sum, right, link, upper, lower
constexpr unsigned kMostThreads = 256;        // of a block
constexpr std::size_t kSharedOfKernel = 2560; // its own variables
constexpr std::uint32_t kMostGroups = 24;     // whose views are copied into shared memory

std::size_t sharedBytesOf(const SharedPlan& plan, std::size_t values, std::size_t states)
{
  return sizeof(double) * ((plan.hasWork ? kWorkArrays * values : 0) + (plan.hasStates ? states : 0));
}

__device__ __forceinline__ void copyValues(double* to, const double* from, std::uint32_t count)
{
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x)
    to[i] = from[i];
}

/// Three blocks a multiprocessor at least, but for schemes of many states: more registers would leave it idle.
/// kIsShared: potentials, the system and the states of channels are in shared memory, which the compiler then knows.
template <Channels kKnown, bool kIsOne, bool kIsShared>
__global__ void __launch_bounds__(kMostThreads, kKnown == Channels::Every ? 1 : 3)
    runCells(const ModelView* models, const DeviceBlock* blocks, std::uint32_t first, SharedPlan plan,
             const DeviceEpoch epoch)
{
  extern __shared__ double shared[];
  // Read again and again from here: registers are for the formulas.
  __shared__ GroupView groups[kMostGroups];
  __shared__ ModelView model;
  __shared__ BlockView view;
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
  const std::uint32_t values = model.nodes * view.lanes;
  const std::uint32_t states = block.states * view.lanes;
  NodeArrays nodes = home;
  if (kIsShared || plan.hasWork) {
    nodes.v = shared;
    nodes.sum = shared + values;
    nodes.right = shared + 2 * values;
    nodes.link = shared + 3 * values;
    nodes.upper = shared + 4 * values;
    nodes.lower = shared + 5 * values;
    copyValues(nodes.v, home.v, values);
  }
  if (kIsShared) {
    nodes.states = shared + kWorkArrays * values;
    copyValues(nodes.states, home.states, states);
  }
  if (model.groups <= kMostGroups)
    for (std::uint32_t g = threadIdx.x; g < model.groups; g += blockDim.x)
      groups[g] = model.group[g];
  for (std::uint32_t lane = threadIdx.x; lane < view.lanes; lane += blockDim.x)
    view.spikes[lane] = 0;
  __syncthreads();
  if (threadIdx.x == 0 && model.groups <= kMostGroups)
    model.group = groups;
  __syncthreads();

  const ThreadLanes<kKnown, kIsOne> lanes{kIsOne ? 0u : static_cast<std::uint32_t>(__ffs(view.lanes) - 1)};
  BlockStep<ThreadLanes<kKnown, kIsOne>>(lanes, model, nodes, view, epoch.rules).run(epoch.from, epoch.to);

  if (kIsShared || plan.hasWork)
    copyValues(home.v, nodes.v, values);
  if (kIsShared)
    copyValues(home.states, nodes.states, states);
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
    junctions[k].source[1 - end]->value = isHalf ? 1.5 * now - 0.5 * last : now;
    last = now;
  }
}

using Kernel = void (*)(const ModelView*, const DeviceBlock*, std::uint32_t, SharedPlan, const DeviceEpoch);

template <Channels kKnown>
Kernel kernelKnowing(bool isOne, bool isShared)
{
  if (isShared)
    return isOne ? &runCells<kKnown, true, true> : &runCells<kKnown, false, true>;
  return isOne ? &runCells<kKnown, true, false> : &runCells<kKnown, false, false>;
}

Kernel kernelOf(Channels known, bool isOne, const SharedPlan& plan)
{
  const bool isShared = plan.hasWork && plan.hasStates;
  switch (known) {
  case Channels::Hh:
    return kernelKnowing<Channels::Hh>(isOne, isShared);
  case Channels::Simple:
    return kernelKnowing<Channels::Simple>(isOne, isShared);
  case Channels::Every:
    break;
  }
  return kernelKnowing<Channels::Every>(isOne, isShared);
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

/// Small cells stand side by side, so that all threads of a block have work; larger ones do, so that fewer barriers
/// wait for nothing, where enough blocks are left for all multiprocessors. Measured on an H100.
std::uint32_t cudaLanes(std::size_t cells, std::size_t left, std::size_t nodes, int)
{
  constexpr std::size_t kLeastValues = 128, kGoodValues = 2000;
  constexpr std::size_t kGoodLanes = 4, kManyBlocks = 125;
  const auto wants = [&](std::size_t lanes) {
    const std::size_t twice = 2 * lanes;
    return nodes * lanes < kLeastValues ||
           (twice <= kGoodLanes && nodes * twice <= kGoodValues && cells >= twice * kManyBlocks);
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
  bool isOne;
  unsigned threads;
  SharedPlan plan;
  std::size_t sharedBytes;
  std::uint32_t first; ///< of the device's blocks
  std::uint32_t count;
};

class CudaCells : public Cells
{
public:
  explicit CudaCells(Blocks made) : Cells(std::move(made)), model(*firstCudaDevice())
  {
    for (const Block& block : inBlocks.blocks)
      lanes += block.lanes;
    put();
  }

  void run(const StepRules& rules, std::int64_t from, std::int64_t to,
           const std::vector<std::vector<PendingEvent>>& events, EpochResults& results) override
  {
    const auto steps = static_cast<std::uint32_t>(to - from);
    uploadEvents(rules, from, events);
    cuda::grow(spikeTimes, std::size_t{lanes} * slotsOf(steps));
    cuda::grow(spikeList, std::size_t{lanes} * slotsOf(steps));
    cuda::grow(records, std::size_t{probes} * steps);
    check(cudaMemset(counters.data(), 0, 2 * sizeof(std::uint32_t)), "clear the counts of spikes");
    const DeviceEpoch epoch = {.rules = rules,
                               .from = from,
                               .to = to,
                               .events = stepEvents.data(),
                               .firstEvent = firstEvents.data(),
                               .spikeTimes = spikeTimes.data(),
                               .spikes = spikes.data(),
                               .spikeSlots = slotsOf(steps),
                               .records = records.data(),
                               .recordStride = steps,
                               .spikeCount = counters.data(),
                               .spikeList = spikeList.data(),
                               .cellOfLane = cellOfLane.data(),
                               .isOut = counters.data() + 1};
    if (const auto count = static_cast<std::uint32_t>(junctions.size()); count > 0) {
      constexpr unsigned kThreads = 128;
      exchangePotentials<<<cuda::blocksFor(count, kThreads), kThreads>>>(junctions.data(), peersBefore.data(), count,
                                                                         rules.isHalf);
    }
    for (const Launch& launch : launches)
      kernelOf(launch.known, launch.isOne, launch.plan)<<<launch.count, launch.threads, launch.sharedBytes>>>(
          models.data(), deviceBlocks.data(), launch.first, launch.plan, epoch);
    check(cudaGetLastError(), "start the simulation of cells");
    isFetched = false;
    collect(steps, results);
  }

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
    hasFirstEvents = false;
    putModels();
    putBlocks();
    putJunctions();
    isFetched = true;
  }

  /// What an epoch leaves behind has a tenth of the memory at most.
  std::int64_t longestEpoch() const override
  {
    constexpr std::int64_t kLongest = 4096;
    const double perStep = 12.0 * lanes + 8.0 * probes;
    const double steps = static_cast<double>(cuda::freeMemory()) / 10 / perStep;
    return std::clamp(static_cast<std::int64_t>(steps), std::int64_t{1}, kLongest);
  }

  std::string device() const override { return cuda::currentDeviceName(); }

private:
  static constexpr std::size_t kChangingParts = 8;

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
      std::size_t rows, groups, pools, rounds, items, more, firstCurrents, currents;
      std::vector<std::array<std::size_t, 6>> ofGroup;
    };
    std::vector<Places> places;
    for (const CompiledCell& each : inBlocks.models) {
      const EliminationPlan& plan = each.elimination;
      Places p = {constant.add(each.rows),
                  constant.add(each.groups()),
                  constant.add(each.pools),
                  constant.add(plan.rounds),
                  constant.add(plan.items),
                  constant.add(plan.more),
                  constant.add(each.firstCurrents()),
                  constant.add(each.currents()),
                  {}};
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
      ModelView view = inBlocks.models[k].view();
      view.rows = constant.at<RowConstants>(p.rows);
      view.group = constant.at<GroupView>(p.groups);
      view.pool = constant.at<CalciumPool>(p.pools);
      view.firstCurrentOf = constant.at<std::uint32_t>(p.firstCurrents);
      view.currentOf = constant.at<std::uint32_t>(p.currents);
      view.round = constant.at<EliminationRound>(p.rounds);
      view.items = constant.at<EliminationItem>(p.items);
      view.more = constant.at<std::uint32_t>(p.more);
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
      constantPlaces.push_back(
          {constant.add(block.kindOf), constant.add(block.synapseTarget), constant.add(block.inputTarget),
           constant.add(block.firstInput), constant.add(block.inputOrder), constant.add(block.watched),
           constant.add(block.threshold), constant.add(block.probes), constant.add(block.probedChildren)});
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
                       static_cast<std::uint32_t>(inBlocks.models[block.model].states), k, firstLane[k],
                       firstProbe[k]});
      work += workOf(block, sharedPlanOf(block));
    }
    deviceBlocks = Buffer<DeviceBlock>(views);
    spikes = Buffer<std::uint32_t>(cells.size());
    counters = Buffer<std::uint32_t>(2);
    firstEvents = Buffer<std::uint32_t>(inBlocks.blocks.size() + 1);
  }

  /// Values of a block's scratch memory: before per cell, mean per synapse, calcium currents, two per input, the system
  /// where it is not in shared memory.
  std::size_t workOf(const Block& block, const SharedPlan& plan) const
  {
    return block.lanes + block.kindOf.size() + currentsOf(block) + 2 * block.inputs() +
           (plan.hasWork ? 0 : (kWorkArrays - 1) * block.v.size());
  }

  std::size_t currentsOf(const Block& block) const
  {
    return inBlocks.models[block.model].calciumCurrents * block.lanes;
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
    view.channelInputs = block.channelInputs;
    view.before = take(block.lanes);
    view.channelCurrent = take(currentsOf(block));
    view.mean = take(block.kindOf.size());
    view.inputConductance = take(inputs);
    view.inputCurrent = take(inputs);
    return view;
  }

  NodeArrays nodesOf(std::size_t k, double* work)
  {
    const Block& block = inBlocks.blocks[k];
    NodeArrays nodes = {};
    nodes.v = changing.at<double>(changingPlaces[k][0]);
    nodes.states = changing.at<double>(changingPlaces[k][1]);
    if (!sharedPlanOf(block).hasWork)
      for (double** each : {&nodes.sum, &nodes.right, &nodes.link, &nodes.upper, &nodes.lower}) {
        *each = work;
        work += block.v.size();
      }
    return nodes;
  }

  void putJunctions()
  {
    std::vector<DeviceJunction> all;
    for (const auto& ends : inBlocks.placeOfJunction) {
      DeviceJunction junction = {};
      for (std::size_t end = 0; end < 2; ++end) {
        const PointSource& source = inBlocks.blocks[ends[end].block].pointSources[ends[end].index];
        junction.source[end] = changing.at<PointSource>(changingPlaces[ends[end].block][6]) + ends[end].index;
        junction.v[end] = changing.at<double>(changingPlaces[ends[end].block][0]) + source.target;
      }
      all.push_back(junction);
    }
    junctions = Buffer<DeviceJunction>(all);
    peersBefore = Buffer<double>(inBlocks.peersBefore);
  }

  SharedPlan sharedPlanOf(const Block& block) const
  {
    const std::size_t most = model.sharedBytesPerBlock - kSharedOfKernel;
    for (const SharedPlan plan : {SharedPlan{true, true}, SharedPlan{true, false}})
      if (sharedBytesOf(plan, block.v.size(), block.states.size()) <= most)
        return plan;
    return {};
  }

  /// Blocks that need the same go together; returns their order.
  std::vector<std::uint32_t> planLaunches()
  {
    using Key = std::tuple<Channels, bool, unsigned, SharedPlan, std::size_t>;
    std::map<Key, std::vector<std::uint32_t>, std::greater<>> groups;
    for (std::uint32_t k = 0; k < inBlocks.blocks.size(); ++k) {
      const Block& block = inBlocks.blocks[k];
      constexpr std::size_t kStep = 1024; // bytes: blocks that are nearly as large go together
      const SharedPlan plan = sharedPlanOf(block);
      const std::size_t bytes = (sharedBytesOf(plan, block.v.size(), block.states.size()) + kStep - 1) / kStep * kStep;
      groups[{channelsOf(inBlocks.models[block.model]), block.lanes == 1, threadsFor(block.v.size()), plan, bytes}]
          .push_back(k);
    }
    std::vector<std::uint32_t> order;
    for (const auto& [key, members] : groups) {
      const auto& [known, isOne, threads, plan, bytes] = key;
      launches.push_back({known, isOne, threads, plan, bytes, static_cast<std::uint32_t>(order.size()),
                          static_cast<std::uint32_t>(members.size())});
      check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernelOf(known, isOne, plan)),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(model.sharedBytesPerBlock - kSharedOfKernel)),
            "reserve shared memory");
      order.insert(order.end(), members.begin(), members.end());
    }
    return order;
  }

  static unsigned threadsFor(std::size_t values)
  {
    if (values <= 64)
      return 64;
    return values <= 448 ? 128 : kMostThreads; // three rows for each
  }

  void uploadEvents(const StepRules& rules, std::int64_t from, const std::vector<std::vector<PendingEvent>>& events)
  {
    firstOfBlock.assign(1, 0);
    hostEvents.clear();
    for (std::size_t k = 0; k < events.size(); ++k) {
      const Block& block = inBlocks.blocks[k];
      const std::size_t first = hostEvents.size();
      hostEvents.resize(first + events[k].size());
      if (!events[k].empty())
        blockRows().events(inBlocks.kinds.data(), block.kindOf.data(), events[k].data(), events[k].size(), rules, from,
                           hostEvents.data() + first);
      firstOfBlock.push_back(static_cast<std::uint32_t>(hostEvents.size()));
    }
    if (hostEvents.empty() && !hadEvents && hasFirstEvents)
      return;
    hadEvents = !hostEvents.empty();
    hasFirstEvents = true;
    firstEvents.upload(firstOfBlock.data());
    if (hostEvents.empty())
      return;
    cuda::grow(stepEvents, hostEvents.size());
    check(
        cudaMemcpy(stepEvents.data(), hostEvents.data(), hostEvents.size() * sizeof(StepEvent), cudaMemcpyHostToDevice),
        "upload events");
  }

  /// Waits for the epoch and takes its spikes and records.
  void collect(std::uint32_t steps, EpochResults& results)
  {
    std::uint32_t counts[2];
    check(cudaMemcpy(counts, counters.data(), sizeof counts, cudaMemcpyDeviceToHost), "simulate cells");
    results.isOutOfBounds = counts[1] != 0;
    results.spikes.assign(1, cuda::toHost(spikeList, counts[0]));
    if (probes == 0)
      return;
    const std::vector<double> values = cuda::toHost(records, std::size_t{probes} * steps);
    const double* next = values.data();
    for (const Block& block : inBlocks.blocks)
      for (const std::uint32_t probe : block.probeNumbers) {
        results.records[probe].insert(results.records[probe].end(), next, next + steps);
        next += steps;
      }
  }

  DeviceModel model;
  Arena constant, changing;
  std::size_t kindsPlace = 0, levelsPlace = 0;
  std::vector<std::array<std::size_t, 9>> constantPlaces;              ///< per block
  std::vector<std::array<std::size_t, kChangingParts>> changingPlaces; ///< per block
  Buffer<ModelView> models;
  Buffer<DeviceBlock> deviceBlocks; ///< in the order of launches
  Buffer<DeviceJunction> junctions;
  Buffer<double> peersBefore, scratch, spikeTimes, records;
  Buffer<std::uint32_t> cellOfLane, spikes, counters, firstEvents;
  Buffer<StepEvent> stepEvents;
  Buffer<Spike> spikeList;
  std::vector<Launch> launches;
  std::vector<StepEvent> hostEvents;
  std::vector<std::uint32_t> firstOfBlock;
  std::uint32_t lanes = 0, probes = 0;
  bool isFetched = true, hadEvents = false, hasFirstEvents = false;
};

} // namespace

std::unique_ptr<Cells> makeCudaCells(const Network& network, const SimulationParameters& parameters,
                                     std::vector<CompiledCell> models, const cell::Temperature& temperature)
{
  requireCudaDevice();
  return std::make_unique<CudaCells>(Blocks(network, parameters, std::move(models), temperature, &cudaLanes));
}

} // namespace hinesight::simulation
