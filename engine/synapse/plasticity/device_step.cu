#include "synapse/plasticity/device_step.cuh"

#include <algorithm>

namespace hinesight::synapse::detail {

namespace {

constexpr unsigned kWarps = kThreads / 32;
constexpr std::uint32_t kLanesOfStep = 16; ///< that send a neuron's spikes within a step

/// Of neurons, a bit each.
__host__ __device__ constexpr std::uint32_t wordsOf(std::uint32_t neurons)
{
  return neurons / 32 + (neurons % 32 != 0 ? 1 : 0);
}

__device__ StepTally tallyOverWarp(StepTally part)
{
  const auto least = [](std::uint64_t a, std::uint64_t b) { return a < b ? a : b; };
  const auto most = [](std::uint64_t a, std::uint64_t b) { return a > b ? a : b; };
  return {overWarp(part.fired, Sum{}), overWarp(part.calcium, Sum{}), overWarp(part.least, least),
          overWarp(part.most, most)};
}

__device__ StepTally together(const StepTally& a, const StepTally& b)
{
  return {a.fired + b.fired, a.calcium + b.calcium, a.least < b.least ? a.least : b.least,
          a.most > b.most ? a.most : b.most};
}

/// Adds the parts of all threads of the block to a tally. Every thread of the block must call.
__device__ void addToTally(const StepTally& mine, StepTally* tally)
{
  __shared__ StepTally ofWarp[kWarps];
  const StepTally part = tallyOverWarp(mine);
  if (threadIdx.x % 32 == 0)
    ofWarp[threadIdx.x / 32] = part;
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  StepTally whole;
  whole = tallyOverWarp(threadIdx.x < kWarps ? ofWarp[threadIdx.x] : whole);
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

__device__ std::uint32_t withoutLowest(std::uint32_t bits, std::uint32_t count)
{
  for (; count > 0; --count)
    bits &= bits - 1;
  return bits;
}

/// Adds the weights of the synapses of those neurons of a word that fired to their targets' sums, a weight of 1 as
/// `unit`. So many lanes take a neuron, and twice as many a word, so that two of its neurons send at once.
template <std::uint32_t kLanes>
__device__ void sendSpikes(const NeuronsView& v, const GraphView& graph, std::uint32_t word, std::uint32_t fired,
                           std::int64_t unit, std::int64_t* synaptic)
{
  const std::uint32_t lane = threadIdx.x % kLanes;
  fired = withoutLowest(fired, threadIdx.x / kLanes % 2);
  for (; fired != 0; fired = withoutLowest(fired, 2)) {
    const std::uint32_t source = word * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(fired)) - 1);
    const std::int64_t signedUnit = v.isInhibitory[source] != 0 ? -unit : unit;
    if (graph.sentOffset) {
      for (std::uint64_t at = graph.sentOffset[source] + lane; at < graph.sentOffset[source + 1]; at += kLanes) {
        const SentPair pair = graph.sent[at];
        addTo(synaptic + pair.target, signedUnit * pair.units);
      }
    } else {
      for (std::uint64_t pair = graph.outOffset[source] + lane; pair < graph.outOffset[source + 1]; pair += kLanes)
        addTo(synaptic + targetOf(graph.key[pair]), signedUnit * graph.units[pair]);
    }
    if (!v.staticOffset)
      continue;
    for (std::uint64_t s = v.staticOffset[source] + lane; s < v.staticOffset[source + 1]; s += kLanes)
      addTo(synaptic + v.staticTarget[s], v.staticUnits[s]);
  }
}

/// What a step of a neuron reads and writes. None of it is looked at again in a step: it leaves the caches first, so
/// that the sums of inputs, which spikes add to, stay there.
struct NeuronValues
{
  std::int64_t synaptic;
  double potential, recovery, calcium, delta[kPools];
};

__device__ NeuronValues readNeuron(const NeuronsView& v, const std::int64_t* synaptic, std::uint32_t i)
{
  NeuronValues n = {synaptic[i], __ldcs(v.potential + i), __ldcs(v.recovery + i), __ldcs(v.calcium + i), {}};
  for (int pool = 0; pool < kPools; ++pool)
    n.delta[pool] = __ldcs(v.delta[pool] + i);
  return n;
}

__device__ void writeNeuron(const NeuronsView& v, const NeuronValues& n, std::uint32_t i)
{
  __stcs(v.potential + i, n.potential);
  __stcs(v.recovery + i, n.recovery);
  __stcs(v.calcium + i, n.calcium);
  for (int pool = 0; pool < kPools; ++pool)
    __stcs(v.delta[pool] + i, n.delta[pool]);
}

/// What a neuron gets in a step. `alike`: all have the same background, which is not fast normal.
template <bool alike>
__device__ double inputOf(const StepConstants& c, const NeuronsView& v, std::uint32_t i, std::uint32_t step,
                          std::int64_t synaptic)
{
  const double stimulus = v.stimulusCount > 0 ? stimulusInput(v.stimuli, v.stimulusCount, step, v.area[i]) : 0.0;
  const double input = neuronInput(c, synaptic, stimulus);
  if constexpr (!alike) {
    if (v.backgroundOf)
      return input +
             individualInput(c, v.backgrounds[v.backgroundOf[i]], i, step, inputWindow(c.seed, step, c.windows));
    if (c.background.kind == BackgroundKind::FastNormal)
      return input + fastNormalInput(c, c.background, i, inputWindow(c.seed, step, c.windows));
  }
  return c.background.kind == BackgroundKind::Normal ? input + normalInput(c, c.background, i, step) : input;
}

/// What the elements of a neuron grow by in a step.
template <bool alike>
__device__ void growElements(const StepConstants& c, const NeuronsView& v, std::uint32_t i, std::uint32_t step,
                             NeuronValues& n)
{
  if constexpr (!alike) {
    if (v.target) {
      double target = v.target[i];
      if (c.targetDecay.isDue(step))
        v.target[i] = target = c.targetDecay.at(target);
      for (int pool = 0; pool < kPools; ++pool)
        n.delta[pool] += growthTowards(target, c.growth[pool].rate, c.leastCalcium[pool], n.calcium);
      return;
    }
  }
  for (int pool = 0; pool < kPools; ++pool)
    n.delta[pool] += c.growth[pool].at(n.calcium);
}

/// A step of one enabled neuron: who fires, calcium, elements. Returns whether it fired.
template <typename Model, bool alike>
__device__ bool stepNeuron(const StepConstants& c, const NeuronsView& v, std::uint32_t i, std::uint32_t step,
                           NeuronValues& n)
{
  const double input = inputOf<alike>(c, v, i, step, n.synaptic);
  const double uniform = Model::kDraws ? spikeUniform(c.seed, i, step) : 0.0;
  const Membrane m = stepMembrane<Model>({n.potential, n.recovery, 0.0}, input, uniform, c.subSteps, c.dt);
  n.potential = m.potential;
  n.recovery = m.recovery;
  for (std::uint32_t s = 0; s < c.subSteps; ++s)
    n.calcium = c.calcium.subStep(n.calcium, m.fired);
  growElements<alike>(c, v, i, step, n);
  return m.fired != 0;
}

__device__ bool isEnabled(const NeuronsView& v, std::uint32_t i)
{
  return !v.enabled || v.enabled[i] != 0;
}

/// A step of the neurons of this GPU. `alike`: all are enabled, and targets and backgrounds are the same for all. `now`
/// holds what their synapses bring, and is cleared; what they send goes to `next` unless that is null. A thread takes
/// one neuron after another. It reads the next one before it steps this one, so that it does not wait for memory.
template <typename Model, bool tallied, bool alike>
__global__ void __launch_bounds__(kThreads)
    stepKernel(StepConstants c, NeuronsView v, GraphView graph, std::uint32_t step, std::int64_t* now,
               std::int64_t* next, StepTally* tally)
{
  const std::uint32_t stride = gridDim.x * kThreads;
  const std::uint32_t lane = threadIdx.x % 32;
  StepTally mine;
  std::uint32_t i = v.stepped.begin + threadIndex();
  const std::uint32_t end = v.stepped.end;
  NeuronValues n;
  if (i < end)
    n = readNeuron(v, now, i);
  for (; i - lane < end; i += stride) {
    NeuronValues ahead;
    if (i + stride < end)
      ahead = readNeuron(v, now, i + stride);
    bool fired = false;
    if (i < end) {
      now[i] = 0;
      if (alike || isEnabled(v, i)) {
        fired = stepNeuron<Model, alike>(c, v, i, step, n);
        writeNeuron(v, n, i);
        if constexpr (tallied)
          mine = together(mine, tallyOf(c, n.calcium, fired));
      }
    }
    const std::uint32_t word = __ballot_sync(kAllLanes, fired);
    if (lane == 0)
      v.fired[i / 32] = word;
    if (next)
      sendSpikes<kLanesOfStep>(v, graph, i / 32, word, c.synapseUnits, next);
    n = ahead;
  }
  if constexpr (tallied)
    addToTally(mine, tally);
}

/// Twice as many lanes a word of neurons.
template <std::uint32_t kLanes>
__global__ void __launch_bounds__(kThreads)
    sendKernel(NeuronsView v, GraphView graph, std::int64_t unit, std::int64_t* next)
{
  const std::uint32_t word = threadIndex() / (2 * kLanes);
  if (word < wordsOf(v.count))
    sendSpikes<kLanes>(v, graph, word, v.fired[word], unit, next);
}

__global__ void __launch_bounds__(kThreads) tallyKernel(StepConstants c, NeuronsView v, StepTally* tally)
{
  const std::uint32_t i = v.stepped.begin + threadIndex();
  StepTally mine;
  if (i < v.stepped.end && isEnabled(v, i))
    mine = tallyOf(c, v.calcium[i], hasFired(v, i));
  addToTally(mine, tally);
}

__global__ void clearTalliesKernel(StepTally* tallies, std::uint32_t count)
{
  if (threadIdx.x < count)
    tallies[threadIdx.x] = {};
}

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
  const bool broken =
      i >= v.stepped.begin && i < v.stepped.end && !(isNumber(v.potential[i]) && isNumber(v.recovery[i]));
  const unsigned lanes = __ballot_sync(kAllLanes, broken);
  if (firstLane && lanes != 0)
    addTo(&census->broken, static_cast<std::uint64_t>(__popc(lanes)));
}

unsigned blocks(std::size_t neurons)
{
  return cuda::blocksFor(neurons, kThreads);
}

template <typename Model, bool tallied>
void launchModel(const StepLaunch& l, std::uint32_t step, std::int64_t* now, std::int64_t* next, StepTally* tally)
{
  const auto kernel = l.alike ? &stepKernel<Model, tallied, true> : &stepKernel<Model, tallied, false>;
  static const unsigned atOnce[] = {cuda::blocksAtOnce(&stepKernel<Model, tallied, false>, kThreads),
                                    cuda::blocksAtOnce(&stepKernel<Model, tallied, true>, kThreads)};
  const unsigned count = std::min(atOnce[l.alike ? 1 : 0], blocks(l.neurons.stepped.size()));
  kernel<<<count, kThreads>>>(l.constants, l.neurons, l.graph, step, now, next, tally);
}

template <typename Model>
void launchModel(const StepLaunch& l, std::uint32_t step, std::int64_t* now, std::int64_t* next, StepTally* tally)
{
  if (tally)
    launchModel<Model, true>(l, step, now, next, tally);
  else
    launchModel<Model, false>(l, step, now, next, nullptr);
}

void launchModel(const StepLaunch& launch, std::uint32_t step, std::int64_t* now, std::int64_t* next, StepTally* tally)
{
  switch (launch.constants.model) {
  case NeuronModel::Poisson:
    return launchModel<PoissonNeuron>(launch, step, now, next, tally);
  case NeuronModel::Izhikevich:
    return launchModel<IzhikevichNeuron>(launch, step, now, next, tally);
  case NeuronModel::FitzHughNagumo:
    return launchModel<FitzHughNagumoNeuron>(launch, step, now, next, tally);
  case NeuronModel::AdaptiveExponential:
    return launchModel<AdaptiveExponentialNeuron>(launch, step, now, next, tally);
  }
}

/// From so many neurons on, spikes are sent by a kernel of their own. On an H100 that takes 3 us more up to 300,000
/// neurons, as long at a million, and 7 % less at four million.
constexpr std::uint32_t kSendApartFrom = 2'000'000;

} // namespace

void launchStep(const StepLaunch& launch, std::uint32_t step, std::int64_t* now, std::int64_t* next, StepTally* tally)
{
  const bool apart = launch.neurons.count >= kSendApartFrom;
  launchModel(launch, step, now, apart ? nullptr : next, tally);
  if (apart && next)
    launchSend(launch, next);
}

void launchSend(const StepLaunch& l, std::int64_t* next)
{
  // About as many lanes as a neuron has pairs whose targets are here.
  const double share = static_cast<double>(l.neurons.stepped.size()) / l.neurons.count;
  const double pairs = share * static_cast<double>(l.graph.pairs) / l.neurons.count;
  const auto launch = [&](auto kernel, std::size_t lanes) {
    const std::size_t threads = 2 * lanes * wordsOf(l.neurons.count);
    kernel<<<cuda::blocksFor(threads, kThreads), kThreads>>>(l.neurons, l.graph, l.constants.synapseUnits, next);
  };
  if (pairs > 8)
    launch(&sendKernel<16>, 16);
  else if (pairs > 4)
    launch(&sendKernel<8>, 8);
  else
    launch(&sendKernel<4>, 4);
}

void launchTally(const StepLaunch& l, StepTally* tally)
{
  tallyKernel<<<blocks(l.neurons.stepped.size()), kThreads>>>(l.constants, l.neurons, tally);
}

void clearTallies(StepTally* tallies, std::uint32_t count)
{
  constexpr unsigned kMostTallies = 256;
  clearTalliesKernel<<<1, kMostTallies>>>(tallies, count);
}

void launchCensus(const NeuronsView& neurons, Census* census)
{
  censusKernel<<<blocks(neurons.count), kThreads>>>(neurons, census);
}

} // namespace hinesight::synapse::detail
