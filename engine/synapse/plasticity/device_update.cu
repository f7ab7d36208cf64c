#include "synapse/plasticity/device_update.cuh"

namespace hinesight::synapse::detail {

namespace {

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
      const std::uint32_t source = graph.inSource[at];
      if (v.isInhibitory[source] == pool - kDendrites)
        takeSynapses(graph.units[graph.pairOf(source, i)], v.connected[kAxons] + source, draw);
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

__global__ void __launch_bounds__(kThreads)
    connectKernel(NeuronsView v, Channel channel, const PairKey* pairs, std::uint64_t count)
{
  const std::uint64_t at = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= count)
    return;
  atomicAdd(v.connected[kAxons] + sourceOf(pairs[at]), 1u);
  atomicAdd(v.connected[kDendrites + channel] + targetOf(pairs[at]), 1u);
}

/// A thread a pair of neurons.
__global__ void __launch_bounds__(kThreads) dropKernel(NeuronsView v, GraphView graph, std::uint64_t* deleted)
{
  const std::uint64_t pair = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  std::uint64_t gone = 0;
  if (pair < graph.pairs) {
    const std::uint32_t source = sourceOf(graph.key[pair]);
    const std::uint32_t target = targetOf(graph.key[pair]);
    if (v.enabled[source] == 0 || v.enabled[target] == 0) {
      gone = graph.units[pair];
      graph.units[pair] = 0;
      atomicSub(v.connected[kAxons] + source, static_cast<std::uint32_t>(gone));
      atomicSub(v.connected[kDendrites + v.isInhibitory[source]] + target, static_cast<std::uint32_t>(gone));
    }
  }
  const std::uint64_t sum = overWarp(gone, Sum{});
  if (threadIdx.x % 32 == 0 && sum > 0)
    addTo(deleted, sum);
}

__global__ void __launch_bounds__(kThreads) stopKernel(NeuronsView v)
{
  const std::uint32_t i = threadIndex();
  if (i >= v.count || v.enabled[i] != 0)
    return;
  atomicAnd(v.fired + i / 32, ~(1u << (i % 32)));
  for (int pool = 0; pool < kPools; ++pool) {
    v.grown[pool][i] = 0;
    v.delta[pool][i] = 0;
  }
}

unsigned blocks(const NeuronsView& neurons)
{
  return cuda::blocksFor(neurons.count, kThreads);
}

} // namespace

void launchCommit(const NeuronsView& v, int pool, double retract, std::uint32_t* lost, std::uint64_t* deleted)
{
  commitKernel<<<blocks(v), kThreads>>>(v, pool, retract, lost, deleted);
}

void launchDelete(const NeuronsView& v, const GraphView& graph, int pool, const std::uint32_t* lost, std::uint64_t seed,
                  std::uint32_t step)
{
  deleteKernel<<<blocks(v), kThreads>>>(v, graph, pool, lost, seed, step);
}

void launchVacant(const NeuronsView& v, Channel channel, std::uint32_t* axons, std::uint32_t* dendrites)
{
  vacantKernel<<<blocks(v), kThreads>>>(v, channel, axons, dendrites);
}

void launchConnect(const NeuronsView& v, Channel channel, const PairKey* pairs, std::size_t count)
{
  connectKernel<<<cuda::blocksFor(count, kThreads), kThreads>>>(v, channel, pairs, count);
}

void launchDisable(const NeuronsView& v, const GraphView& graph, std::uint64_t* deleted)
{
  dropKernel<<<cuda::blocksFor(graph.pairs, kThreads), kThreads>>>(v, graph, deleted);
  stopKernel<<<blocks(v), kThreads>>>(v);
}

} // namespace hinesight::synapse::detail
