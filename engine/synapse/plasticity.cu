#include "core/cuda_support.cuh"
#include "core/cuda_workspace.cuh"
#include "core/device.hpp"
#include "synapse/device_connector.cuh"
#include "synapse/plasticity_backend.hpp"

#include <algorithm>
#include <array>
#include <utility>

// The plasticity model on a GPU. Everything stays on the device: a step is one kernel with a thread a neuron, and the
// host waits only for records and for the counts of an update. Whatever several threads add to is a whole number, so
// that their order does not matter.

namespace hinesight::synapse::detail {

namespace {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;

constexpr unsigned kThreads = 128;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kAllLanes = 0xFFFFFFFFu;
/// Steps that are put on the stream before the host looks whether it is to stop.
constexpr std::uint32_t kStepsAtOnce = 256;

/// The neurons in device memory, for kernels.
struct NeuronsView
{
  std::uint32_t count;
  double* potential;
  double* recovery;
  std::uint8_t* fired;
  double* calcium;
  double* grown[kPools];
  std::uint32_t* connected[kPools];
  double* delta[kPools];
  const std::uint8_t* isInhibitory;
  const std::uint32_t* area;
  const StimulusSpan* stimuli;
  std::uint32_t stimulusCount;
  const std::uint64_t* staticOffset; ///< null: no static synapses
  const std::uint32_t* staticPartner;
  const std::int32_t* staticWeight;
};

__device__ std::uint32_t threadIndex()
{
  return blockIdx.x * kThreads + threadIdx.x;
}

// CUDA's atomic functions know 64-bit numbers by another name than the standard types'.
using Atomic64 = unsigned long long;

__device__ void addTo(std::int64_t* sum, std::int64_t value)
{
  atomicAdd(reinterpret_cast<Atomic64*>(sum), static_cast<Atomic64>(value));
}
__device__ void addTo(std::uint64_t* sum, std::uint64_t value)
{
  atomicAdd(reinterpret_cast<Atomic64*>(sum), static_cast<Atomic64>(value));
}

struct Sum
{
  template <typename T>
  __device__ T operator()(T a, T b) const
  {
    return a + b;
  }
};

/// Of all lanes of a warp, in lane 0.
template <typename T, typename Operation>
__device__ T overWarp(T value, Operation operation)
{
  for (int distance = 16; distance > 0; distance /= 2)
    value = operation(value, __shfl_down_sync(kAllLanes, value, distance));
  return value;
}

__device__ StepTally overWarp(StepTally part)
{
  const auto least = [](std::uint64_t a, std::uint64_t b) { return a < b ? a : b; };
  const auto most = [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; };
  return {overWarp(part.fired, Sum{}), overWarp(part.calcium, Sum{}), overWarp(part.least, least),
          overWarp(part.most, most)};
}

/// Adds the parts of all threads of the block to a tally. Every thread of the block must call.
__device__ void addToTally(const StepTally& mine, StepTally* tally)
{
  __shared__ StepTally ofWarp[kWarps];
  const StepTally part = overWarp(mine);
  if (threadIdx.x % 32 == 0)
    ofWarp[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  StepTally whole;
  whole = overWarp(threadIdx.x < kWarps ? ofWarp[threadIdx.x] : whole);
  if (threadIdx.x != 0)
    return;
  addTo(&tally->fired, whole.fired);
  addTo(&tally->calcium, whole.calcium);
  atomicMin(reinterpret_cast<Atomic64*>(&tally->least), whole.least);
  atomicMax(reinterpret_cast<Atomic64*>(&tally->most), whole.most);
}

__device__ StepTally tallyOf(const StepConstants& c, double calcium, bool fired)
{
  const auto bits = static_cast<std::uint64_t>(__double_as_longlong(calcium));
  return {fired ? 1u : 0u, calciumWhole(c, calcium), bits, bits};
}

/// The lanes of a warp add the weights of the synapses of those of their neurons that fired to their targets' sums.
__device__ void sendSpikes(const NeuronsView& v, const GraphView& graph, std::uint32_t neuron, bool fired,
                           std::int64_t* synaptic)
{
  const std::uint32_t lane = threadIdx.x % 32;
  for (unsigned senders = __ballot_sync(kAllLanes, fired); senders != 0; senders &= senders - 1) {
    const std::uint32_t source = neuron - lane + static_cast<std::uint32_t>(__ffs(static_cast<int>(senders)) - 1);
    const std::int64_t sign = v.isInhibitory[source] != 0 ? -1 : 1;
    for (std::uint64_t pair = graph.outOffset[source] + lane; pair < graph.outOffset[source + 1]; pair += 32)
      addTo(synaptic + targetOf(graph.key[pair]), sign * graph.units[pair]);
    if (!v.staticOffset)
      continue;
    for (std::uint64_t s = v.staticOffset[source] + lane; s < v.staticOffset[source + 1]; s += 32)
      addTo(synaptic + v.staticPartner[s], std::int64_t{v.staticWeight[s]});
  }
}

/// A step of one neuron: who fires, calcium, elements. Returns whether it fired.
template <typename Model>
__device__ bool stepNeuron(const StepConstants& c, const NeuronsView& v, std::uint32_t i, std::uint32_t step,
                           std::int64_t synaptic, double& calcium)
{
  const double stimulus = v.stimulusCount > 0 ? stimulusInput(v.stimuli, v.stimulusCount, step, v.area[i]) : 0.0;
  double input = neuronInput(c, synaptic, stimulus);
  if (c.noisy)
    input += noiseInput(c, i, step);
  const double uniform = Model::kDraws ? spikeUniform(c.seed, i, step) : 0.0;
  const Membrane m = stepMembrane<Model>({v.potential[i], v.recovery[i], 0.0}, input, uniform, c.subSteps, c.dt);
  v.potential[i] = m.potential;
  v.recovery[i] = m.recovery;
  v.fired[i] = m.fired != 0 ? 1 : 0;
  calcium = v.calcium[i];
  for (std::uint32_t s = 0; s < c.subSteps; ++s)
    calcium = c.calcium.subStep(calcium, m.fired);
  v.calcium[i] = calcium;
  for (int pool = 0; pool < kPools; ++pool)
    v.delta[pool][i] += c.growth[pool].at(calcium);
  return m.fired != 0;
}

/// A step of all neurons. `now` holds what their synapses bring, and is cleared; what they send goes to `next` unless
/// that is null: before an update, which changes the synapses.
template <typename Model, bool tallied>
__global__ void __launch_bounds__(kThreads)
    stepKernel(StepConstants c, NeuronsView v, GraphView graph, std::uint32_t step, std::int64_t* now,
               std::int64_t* next, StepTally* tally)
{
  const std::uint32_t i = threadIndex();
  bool fired = false;
  StepTally mine;
  if (i < v.count) {
    const std::int64_t synaptic = now[i];
    now[i] = 0;
    double calcium = 0;
    fired = stepNeuron<Model>(c, v, i, step, synaptic, calcium);
    if constexpr (tallied)
      mine = tallyOf(c, calcium, fired);
  }
  if (next)
    sendSpikes(v, graph, i, fired, next);
  if constexpr (tallied)
    addToTally(mine, tally);
}

__global__ void __launch_bounds__(kThreads) sendKernel(NeuronsView v, GraphView graph, std::int64_t* next)
{
  const std::uint32_t i = threadIndex();
  sendSpikes(v, graph, i, i < v.count && v.fired[i] != 0, next);
}

__global__ void __launch_bounds__(kThreads) tallyKernel(StepConstants c, NeuronsView v, StepTally* tally)
{
  const std::uint32_t i = threadIndex();
  StepTally mine;
  if (i < v.count)
    mine = tallyOf(c, v.calcium[i], v.fired[i] != 0);
  addToTally(mine, tally);
}

__global__ void clearTalliesKernel(StepTally* tallies, std::uint32_t count)
{
  if (threadIdx.x < count)
    tallies[threadIdx.x] = {};
}

/// Sums of elements, and how many membranes are no numbers.
struct Census
{
  ElementTally elements;
  std::uint64_t broken = 0;
};

__device__ bool isNumber(double x)
{
  return fabs(x) <= 0x1.fffffffffffffp+1023;
}

__global__ void __launch_bounds__(kThreads) censusKernel(NeuronsView v, Census* census)
{
  const std::uint32_t i = threadIndex();
  const bool there = i < v.count;
  const bool firstLane = threadIdx.x % 32 == 0;
  for (int pool = 0; pool < kPools; ++pool) {
    const auto units = there ? static_cast<std::int64_t>(v.grown[pool][i] * kElementUnits) : std::int64_t{0};
    const std::int64_t grown = overWarp(units, Sum{});
    const std::uint64_t connected = overWarp(there ? std::uint64_t{v.connected[pool][i]} : std::uint64_t{0}, Sum{});
    if (firstLane) {
      addTo(&census->elements.grown[pool], grown);
      addTo(&census->elements.connected[pool], connected);
    }
  }
  const bool broken = there && !(isNumber(v.potential[i]) && isNumber(v.recovery[i]));
  const unsigned lanes = __ballot_sync(kAllLanes, broken);
  if (firstLane && lanes != 0)
    addTo(&census->broken, static_cast<std::uint64_t>(__popc(lanes)));
}

/// Adds what has grown to the elements of a pool; `lost`: synapses that each neuron is to lose.
__global__ void __launch_bounds__(kThreads)
    commitKernel(NeuronsView v, int pool, double retract, std::uint32_t* lost, std::uint64_t* deleted)
{
  const std::uint32_t i = threadIndex();
  std::uint32_t mine = 0;
  if (i < v.count) {
    const std::uint32_t connected = v.connected[pool][i];
    const ElementUpdate update = commitElements(v.grown[pool][i], connected, v.delta[pool][i], retract);
    mine = connected - update.connected;
    lost[i] = mine;
    v.grown[pool][i] = update.grown;
    v.delta[pool][i] = 0;
  }
  const std::uint64_t sum = overWarp(std::uint64_t{mine}, Sum{});
  if (threadIdx.x % 32 == 0 && sum > 0)
    addTo(deleted, sum);
}

__device__ void takeSynapses(std::uint32_t& units, std::uint32_t* partner, DeletionDraw& draw)
{
  const std::uint32_t taken = draw.take(units);
  if (taken == 0)
    return;
  units -= taken;
  atomicSub(partner, taken);
}

/// Deletes what each neuron loses in a pool.
__global__ void __launch_bounds__(kThreads)
    deleteKernel(NeuronsView v, GraphView graph, int pool, const std::uint32_t* lost, std::uint64_t seed,
                 std::uint32_t step)
{
  const std::uint32_t i = threadIndex();
  if (i >= v.count || lost[i] == 0)
    return;
  const std::uint32_t connected = v.connected[pool][i];
  DeletionDraw draw(seed, i, static_cast<std::uint32_t>(pool), step, connected, lost[i]);
  if (pool == kAxons) {
    std::uint32_t* const partners = v.connected[kDendrites + v.isInhibitory[i]];
    for (std::uint64_t pair = graph.outOffset[i]; pair < graph.outOffset[i + 1] && draw.left() > 0; ++pair)
      takeSynapses(graph.units[pair], partners + targetOf(graph.key[pair]), draw);
  } else {
    for (std::uint64_t at = graph.inOffset[i]; at < graph.inOffset[i + 1] && draw.left() > 0; ++at) {
      const std::uint32_t pair = graph.inPair[at];
      const std::uint32_t source = sourceOf(graph.key[pair]);
      if (v.isInhibitory[source] == pool - kDendrites)
        takeSynapses(graph.units[pair], v.connected[kAxons] + source, draw);
    }
  }
  v.connected[pool][i] = connected - lost[i];
}

__global__ void __launch_bounds__(kThreads)
    vacantKernel(NeuronsView v, Channel channel, std::uint32_t* axons, std::uint32_t* dendrites)
{
  const std::uint32_t i = threadIndex();
  if (i >= v.count)
    return;
  const int pool = kDendrites + channel;
  axons[i] = v.isInhibitory[i] == channel ? vacantElements(v.grown[kAxons][i], v.connected[kAxons][i]) : 0;
  dendrites[i] = vacantElements(v.grown[pool][i], v.connected[pool][i]);
}

/// Counts the elements of new synapses as connected.
__global__ void __launch_bounds__(kThreads)
    connectKernel(NeuronsView v, Channel channel, const PairKey* pairs, std::uint64_t count)
{
  const std::uint64_t at = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= count)
    return;
  atomicAdd(v.connected[kAxons] + sourceOf(pairs[at]), 1u);
  atomicAdd(v.connected[kDendrites + channel] + targetOf(pairs[at]), 1u);
}

template <typename T>
std::vector<T> downloaded(const Buffer<T>& buffer)
{
  std::vector<T> host(buffer.size());
  buffer.download(host.data());
  return host;
}

template <typename T>
void copyOnDevice(Buffer<T>& to, const T* from, std::size_t count)
{
  cuda::grow(to, count);
  if (count > 0)
    check(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToDevice), "keep the network");
}

/// Static synapses in device memory.
struct StaticLists
{
  explicit StaticLists(const Network& network)
  {
    if (network.synapses.empty())
      return;
    const Adjacency lists = outgoing(network);
    offset = Buffer<std::uint64_t>(lists.offset);
    partner = Buffer<std::uint32_t>(lists.partner);
    weight = Buffer<std::int32_t>(lists.weight);
  }

  Buffer<std::uint64_t> offset;
  Buffer<std::uint32_t> partner;
  Buffer<std::int32_t> weight;
};

/// The neurons in device memory.
struct DeviceNeurons
{
  DeviceNeurons(const ModelSetup& setup, const NeuronState& s)
      : potential(s.membrane), recovery(s.recovery), fired(s.fired),
        calcium(s.calcium), grown{Buffer<double>(s.grown[0]), Buffer<double>(s.grown[1]), Buffer<double>(s.grown[2])},
        connected{Buffer<std::uint32_t>(s.connected[0]), Buffer<std::uint32_t>(s.connected[1]),
                  Buffer<std::uint32_t>(s.connected[2])},
        delta{Buffer<double>(s.delta[0]), Buffer<double>(s.delta[1]), Buffer<double>(s.delta[2])},
        isInhibitory(setup.population->isInhibitory), area(setup.population->area), stimuli(setup.stimuli),
        staticLists(setup.staticNetwork)
  {}

  NeuronsView view()
  {
    return {static_cast<std::uint32_t>(potential.size()),
            potential.data(),
            recovery.data(),
            fired.data(),
            calcium.data(),
            {grown[0].data(), grown[1].data(), grown[2].data()},
            {connected[0].data(), connected[1].data(), connected[2].data()},
            {delta[0].data(), delta[1].data(), delta[2].data()},
            isInhibitory.data(),
            area.data(),
            stimuli.data(),
            static_cast<std::uint32_t>(stimuli.size()),
            staticLists.offset.data(),
            staticLists.partner.data(),
            staticLists.weight.data()};
  }

  NeuronState download() const
  {
    return {downloaded(potential),
            downloaded(recovery),
            downloaded(fired),
            downloaded(calcium),
            {downloaded(grown[0]), downloaded(grown[1]), downloaded(grown[2])},
            {downloaded(connected[0]), downloaded(connected[1]), downloaded(connected[2])},
            {downloaded(delta[0]), downloaded(delta[1]), downloaded(delta[2])}};
  }

  Buffer<double> potential, recovery;
  Buffer<std::uint8_t> fired;
  Buffer<double> calcium;
  std::array<Buffer<double>, kPools> grown;
  std::array<Buffer<std::uint32_t>, kPools> connected;
  std::array<Buffer<double>, kPools> delta;
  Buffer<std::uint8_t> isInhibitory;
  Buffer<std::uint32_t> area;
  Buffer<StimulusSpan> stimuli;
  StaticLists staticLists;
};

/// What an update that is cancelled goes back to.
class Savepoint
{
public:
  void save(DeviceNeurons& neurons, const GraphView& graph)
  {
    for (int pool = 0; pool < kPools; ++pool) {
      copyOnDevice(grown[pool], neurons.grown[pool].data(), graph.neurons);
      copyOnDevice(connected[pool], neurons.connected[pool].data(), graph.neurons);
      copyOnDevice(delta[pool], neurons.delta[pool].data(), graph.neurons);
    }
    copyOnDevice(units, graph.units, graph.pairs);
  }
  void restore(DeviceNeurons& neurons, const GraphView& graph)
  {
    for (int pool = 0; pool < kPools; ++pool) {
      copyOnDevice(neurons.grown[pool], grown[pool].data(), graph.neurons);
      copyOnDevice(neurons.connected[pool], connected[pool].data(), graph.neurons);
      copyOnDevice(neurons.delta[pool], delta[pool].data(), graph.neurons);
    }
    if (graph.pairs > 0)
      check(cudaMemcpyAsync(graph.units, units.data(), graph.pairs * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice),
            "restore the network");
  }

private:
  std::array<Buffer<double>, kPools> grown;
  std::array<Buffer<std::uint32_t>, kPools> connected;
  std::array<Buffer<double>, kPools> delta;
  Buffer<std::uint32_t> units;
};

class CudaModel final : public ModelBase
{
public:
  CudaModel(ModelSetup modelSetup, const PlasticityProgress& start)
      : ModelBase(std::move(modelSetup), start), neurons(setup, start.neurons), graph(start.network, space),
        octree(setup.population->position, space),
        connector(octree.view(), setup.parameters.search), synaptic{Buffer<std::int64_t>(size()),
                                                                    Buffer<std::int64_t>(size())},
        tallies(kStepsAtOnce), census(1), lost(size()), deletedCount(1), vacantAxons(size()), vacantDendrites(size())
  {
    stages.backend = Backend::Cuda;
    stages.device = cuda::currentDeviceName();
    for (Buffer<std::int64_t>& sums : synaptic)
      check(cudaMemset(sums.data(), 0, sums.size() * sizeof(std::int64_t)), "clear the inputs");
    const auto& kinds = setup.population->isInhibitory;
    for (std::uint8_t channel = 0; channel < kChannels; ++channel)
      hasAxons[channel] = std::find(kinds.begin(), kinds.end(), channel) != kinds.end();
  }

  NeuronState state() const override { return neurons.download(); }
  Network network() const override { return graph.download(setup.population->isInhibitory); }

protected:
  std::uint32_t stepsAtOnce() const override { return kStepsAtOnce; }

  void advance(std::uint32_t first, std::uint32_t steps, std::uint32_t tallyEvery,
               std::vector<StepTally>& result) override
  {
    const Stopwatch stopwatch;
    const NeuronsView v = neurons.view();
    const GraphView g = graph.view();
    if (!spikesSent)
      sendKernel<<<blocks(), kThreads>>>(v, g, synaptic[first % 2].data());
    if (tallyEvery > 0)
      clearTalliesKernel<<<1, kStepsAtOnce>>>(tallies.data(), kStepsAtOnce);
    std::uint32_t tallied = 0;
    for (std::uint32_t step = first; step < first + steps; ++step) {
      spikesSent = step % setup.parameters.updatePeriod != 0;
      const bool isTallied = tallyEvery > 0 && step % tallyEvery == 0;
      launchStep(v, g, step, isTallied ? tallies.data() + tallied++ : nullptr);
    }
    check(cudaGetLastError(), "step the neurons");
    if (tallied > 0) {
      const std::size_t before = result.size();
      result.resize(before + tallied);
      check(cudaMemcpy(result.data() + before, tallies.data(), tallied * sizeof(StepTally), cudaMemcpyDeviceToHost),
            "download the records");
    }
    check(cudaDeviceSynchronize(), "step the neurons");
    stages.add("electrical", stopwatch.elapsed());
  }

  StepTally tally() const override
  {
    clearTalliesKernel<<<1, kStepsAtOnce>>>(tallies.data(), 1);
    tallyKernel<<<blocks(), kThreads>>>(setup.constants, neurons.view(), tallies.data());
    check(cudaGetLastError(), "add up calcium");
    return cuda::readEntry(tallies.data());
  }

  ElementTally elementTally() const override { return takeCensus().elements; }
  bool isFinite() const override { return takeCensus().broken == 0; }

  ConnectivityChange update(std::uint32_t atStep, const RunControl& control) override
  {
    save.save(neurons, graph.view());
    try {
      ConnectivityChange change;
      change.deleted = deletePools(atStep, control);
      change.created = formSynapses(atStep, control);
      return change;
    } catch (...) {
      save.restore(neurons, graph.view());
      throw;
    }
  }

private:
  std::size_t size() const { return setup.population->size(); }
  unsigned blocks() const { return blocksFor(size(), kThreads); }

  void launchStep(const NeuronsView& v, const GraphView& g, std::uint32_t step, StepTally* record)
  {
    switch (setup.constants.model) {
    case NeuronModel::Poisson:
      return launchModel<PoissonNeuron>(v, g, step, record);
    case NeuronModel::Izhikevich:
      return launchModel<IzhikevichNeuron>(v, g, step, record);
    case NeuronModel::FitzHughNagumo:
      return launchModel<FitzHughNagumoNeuron>(v, g, step, record);
    case NeuronModel::AdaptiveExponential:
      return launchModel<AdaptiveExponentialNeuron>(v, g, step, record);
    }
  }

  template <typename Model>
  void launchModel(const NeuronsView& v, const GraphView& g, std::uint32_t step, StepTally* record)
  {
    std::int64_t* const now = synaptic[step % 2].data();
    std::int64_t* const next = spikesSent ? synaptic[(step + 1) % 2].data() : nullptr;
    if (record)
      stepKernel<Model, true><<<blocks(), kThreads>>>(setup.constants, v, g, step, now, next, record);
    else
      stepKernel<Model, false><<<blocks(), kThreads>>>(setup.constants, v, g, step, now, next, nullptr);
  }

  Census takeCensus() const
  {
    check(cudaMemsetAsync(census.data(), 0, sizeof(Census)), "clear a count");
    censusKernel<<<blocks(), kThreads>>>(neurons.view(), census.data());
    check(cudaGetLastError(), "count the elements");
    return cuda::readEntry(census.data());
  }

  std::uint64_t deletePools(std::uint32_t atStep, const RunControl& control)
  {
    const Stopwatch stopwatch;
    const PlasticityParameters& p = setup.parameters;
    const double retract[kPools] = {p.axon.retractRatio, p.excitatoryDendrite.retractRatio,
                                    p.inhibitoryDendrite.retractRatio};
    control.checkpoint();
    check(cudaMemsetAsync(deletedCount.data(), 0, sizeof(std::uint64_t)), "clear a count");
    const NeuronsView v = neurons.view();
    for (int pool = 0; pool < kPools; ++pool) {
      commitKernel<<<blocks(), kThreads>>>(v, pool, retract[pool], lost.data(), deletedCount.data());
      deleteKernel<<<blocks(), kThreads>>>(v, graph.view(), pool, lost.data(), p.search.seed, atStep);
    }
    check(cudaGetLastError(), "delete synapses");
    const std::uint64_t deleted = cuda::readEntry(deletedCount.data());
    stages.add("delete", stopwatch.elapsed());
    return deleted;
  }

  /// Returns how many.
  std::uint64_t formSynapses(std::uint32_t atStep, const RunControl& control)
  {
    connector.begin();
    StageTimings times;
    for (const Channel channel : {kExcitatory, kInhibitory})
      if (hasAxons[channel])
        connectChannel(channel, atStep, times, control);
    for (const Stage& stage : times.stages)
      stages.add(stage.name == "vacant" ? "tree" : stage.name, stage.milliseconds);

    const Stopwatch stopwatch;
    graph.merge(connector.newSynapses(), connector.newSynapseCount(), connector.workspace());
    check(cudaDeviceSynchronize(), "merge the synapses");
    stages.add("edges", stopwatch.elapsed());
    return connector.newSynapseCount();
  }

  void connectChannel(Channel channel, std::uint32_t atStep, StageTimings& times, const RunControl& control)
  {
    const NeuronsView v = neurons.view();
    vacantKernel<<<blocks(), kThreads>>>(v, channel, vacantAxons.data(), vacantDendrites.data());
    check(cudaGetLastError(), "count vacant elements");
    const std::size_t before = connector.newSynapseCount();
    connector.connect(channel, atStep, vacantAxons.data(), vacantDendrites.data(), times, control.silenced());
    const std::size_t count = connector.newSynapseCount() - before;
    connectKernel<<<blocksFor(count, kThreads), kThreads>>>(v, channel, connector.newSynapses() + before, count);
    check(cudaGetLastError(), "connect the elements");
  }

  cuda::Workspace space;
  mutable DeviceNeurons neurons;
  DeviceGraph graph;
  DeviceOctree octree;
  DeviceConnector connector;
  std::array<bool, kChannels> hasAxons = {};
  Savepoint save;
  /// What the synapses bring in a step: [step % 2].
  std::array<Buffer<std::int64_t>, 2> synaptic;
  /// Whether the spikes of the last step are in the sums of the next one.
  bool spikesSent = false;
  mutable Buffer<StepTally> tallies;
  mutable Buffer<Census> census;
  Buffer<std::uint32_t> lost;
  Buffer<std::uint64_t> deletedCount;
  Buffer<std::uint32_t> vacantAxons, vacantDendrites;
};

} // namespace

std::unique_ptr<PlasticityModel> makeCudaModel(ModelSetup setup, const PlasticityProgress& start)
{
  requireCudaDevice();
  return std::make_unique<CudaModel>(std::move(setup), start);
}

} // namespace hinesight::synapse::detail
