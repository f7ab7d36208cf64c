#include "core/cuda/host_copies.cuh"
#include "core/device.hpp"
#include "synapse/device_room.hpp"
#include "synapse/formation/device_connector.cuh"
#include "synapse/formation/formation_on_device.hpp"

#include <algorithm>
#include <utility>

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;

DeviceConnector::DeviceConnector(const OctreeView& tree, const SearchParameters& search)
    : neurons(tree.neurons), parameters(search), search(tree, search)
{}

void DeviceConnector::reserve(std::size_t elements)
{
  search.reserve(elements);
  conflicts.reserve(elements);
  cuda::grow(synapses, 2 * elements);
}

void DeviceConnector::connect(Channel channel, std::uint32_t step, const std::uint32_t* axons,
                              const std::uint32_t* dendrites, StageTimings& timings, const RunControl& control)
{
  const bool seeksAxons = parameters.kind == SearchKind::Inverse;
  const std::uint32_t* const seeking = seeksAxons ? dendrites : axons;
  const std::uint32_t* const sought = seeksAxons ? axons : dendrites;
  timer.start();
  search.setSought(sought, space);
  timings.add("vacant", timer.stop());
  search.soughtElements().total(); // throws where they are too many
  timer.start();
  search.run(seeking, channel, step, space, control);
  timings.add("search", timer.stop());
  timer.start();
  conflicts.resolve(search.requests(), search.requestCount(), sought, neurons, channel, step, parameters.seed,
                    seeksAxons, space);
  append(conflicts.pairs(), conflicts.pairCount());
  timings.add("resolve", timer.stop());
}

void DeviceConnector::append(const PairKey* pairs, std::size_t count)
{
  if (added + count > synapses.size()) {
    Buffer<PairKey> larger(2 * (added + count));
    check(cudaMemcpyAsync(larger.data(), synapses.data(), added * sizeof(PairKey), cudaMemcpyDeviceToDevice),
          "keep the new synapses");
    synapses = std::move(larger);
  }
  if (count > 0)
    check(cudaMemcpyAsync(synapses.data() + added, pairs, count * sizeof(PairKey), cudaMemcpyDeviceToDevice),
          "keep the new synapses");
  added += count;
}

namespace {

constexpr unsigned kThreads = 256;

/// Vacant elements of one channel at the start: axons where they are of the channel, dendrites everywhere.
__global__ void __launch_bounds__(kThreads)
    startKernel(const std::uint8_t* isInhibitory, std::uint32_t neurons, Channel channel, std::uint32_t axonsOfNeuron,
                std::uint32_t dendritesOfNeuron, std::uint32_t* axons, std::uint32_t* dendrites)
{
  const std::uint32_t neuron = blockIdx.x * kThreads + threadIdx.x;
  if (neuron >= neurons)
    return;
  axons[neuron] = (isInhibitory[neuron] != 0) == (channel == kInhibitory) ? axonsOfNeuron : 0;
  dendrites[neuron] = dendritesOfNeuron;
}

/// One update on the device, stage by stage.
class DeviceUpdate
{
public:
  DeviceUpdate(Formation& result, const RunControl& runControl)
      : formation(result), population(*result.population), parameters(result.parameters), timings(result.timings),
        control(runControl)
  {}

  void run()
  {
    const auto neurons = static_cast<std::uint32_t>(population.size());
    const std::size_t elements = elementsOfChannel();
    requireDeviceMemory(population.size(), deviceBytesOfFormation(population.size(), elements), cuda::freeMemory());
    Stopwatch stopwatch;
    cuda::Workspace space;
    space.reserve(64 * population.size()); // what sorting takes, and more
    const Buffer<std::uint8_t> isInhibitory(population.isInhibitory);
    Buffer<std::uint32_t> axons(neurons);
    Buffer<std::uint32_t> dendrites(neurons);
    check(cudaDeviceSynchronize(), "upload the population");
    timings.add("upload", stopwatch.lap());

    const DeviceOctree tree(population.position, space, control);
    for (const Stage& stage : tree.timings().stages)
      timings.add(stage.name == "upload" ? "upload" : "tree", stage.milliseconds);

    stopwatch.lap();
    DeviceConnector connector(tree.view(), parameters.search);
    DeviceGraph graph(neurons);
    connector.reserve(elements);
    graph.reserve(2 * elements);
    check(cudaDeviceSynchronize(), "prepare the update");
    timings.add("allocate", stopwatch.lap());

    cuda::HostCopies copies;
    connector.begin();
    for (const Channel channel : {kExcitatory, kInhibitory}) {
      startKernel<<<blocksFor(neurons, kThreads), kThreads>>>(isInhibitory.data(), neurons, channel, parameters.axons,
                                                              parameters.dendrites, axons.data(), dendrites.data());
      check(cudaGetLastError(), "count vacant elements");
      connector.connect(channel, parameters.step, axons.data(), dendrites.data(), timings, control);
      formation.requests += connector.requestCount();
      control.checkpoint();
      stopwatch.lap();
      if (parameters.keepsTree)
        connector.soughtElements().download(formation.sought[channel], copies);
      check(cudaDeviceSynchronize(), "copy the vacant elements");
      timings.add("download", stopwatch.lap());
    }
    graph.merge(connector.newSynapses(), connector.newSynapseCount(), connector.workspace());
    check(cudaDeviceSynchronize(), "add the synapses");
    timings.add("edges", stopwatch.lap());

    graph.download(isInhibitory.data(), formation.network, copies);
    const auto onHost = std::make_shared<Octree>();
    if (parameters.keepsTree)
      tree.download(*onHost, copies);
    copies.run(control);
    formation.tree = onHost;
    timings.add("download", stopwatch.lap());
  }

private:
  /// The most that seek in one channel.
  std::size_t elementsOfChannel() const
  {
    if (parameters.search.kind == SearchKind::Inverse)
      return population.size() * parameters.dendrites;
    const auto inhibitory = static_cast<std::size_t>(
        std::ranges::count_if(population.isInhibitory, [](std::uint8_t is) { return is != 0; }));
    return std::max(inhibitory, population.size() - inhibitory) * parameters.axons;
  }

  Formation& formation;
  const NeuronPopulation& population;
  const FormationParameters& parameters;
  StageTimings& timings;
  const RunControl& control;
};

} // namespace

std::shared_ptr<Formation> formSynapsesOnDevice(std::shared_ptr<const NeuronPopulation> population,
                                                const FormationParameters& parameters, const RunControl& control)
{
  requireCudaDevice();
  auto formation = std::make_shared<Formation>();
  formation->parameters = parameters;
  formation->population = std::move(population);
  formation->timings.backend = Backend::Cuda;
  formation->timings.device = cuda::currentDeviceName();
  formation->vacantAxons = std::uint64_t{parameters.axons} * formation->population->size();
  DeviceUpdate(*formation, control).run();
  return formation;
}

} // namespace hinesight::synapse::detail
