#include "core/cuda/host_copies.cuh"
#include "core/device.hpp"
#include "synapse/device_room.hpp"
#include "synapse/formation/device_connector.cuh"
#include "synapse/formation/formation_on_device.hpp"
#include "synapse/octree/octree_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace hinesight::synapse::detail {

using cuda::blocksFor;
using cuda::Buffer;
using cuda::check;

DeviceConnector::DeviceConnector(const OctreeView& tree, const SearchParameters& search,
                                 cuda::DeviceExchange* withOthers)
    : neurons(tree.neurons), parameters(search), exchange(withOthers), search(tree, search, withOthers)
{}

void DeviceConnector::reserve(std::size_t elements, std::size_t fresh)
{
  search.reserve(elements);
  conflicts.reserve(elements);
  cuda::grow(synapses, fresh, cuda::Room::Exact);
}

void DeviceConnector::release()
{
  search.release();
  conflicts.release();
  space = {};
}

void DeviceConnector::connect(Channel channel, std::uint32_t step, const std::uint32_t* axons,
                              const std::uint32_t* dendrites, StageTimings& timings, const RunControl& control)
{
  const bool seeksAxons = parameters.kind == SearchKind::Inverse;
  const std::uint32_t* const seeking = seeksAxons ? dendrites : axons;
  const std::uint32_t* const sought = seeksAxons ? axons : dendrites;
  cuda::together(exchange, [&] {
    timer.start();
    search.setSought(sought, space);
    timings.add("vacant", timer.stop());
    search.soughtElements().total(); // throws where they are too many
  });
  timer.start();
  search.run(seeking, channel, step, space, control);
  const double searched = timer.stop();
  timings.add("search", searched - (exchange ? search.exchangeTime() : 0));
  if (exchange)
    timings.add("exchange", search.exchangeTime());
  cuda::together(exchange, [&] {
    timer.start();
    conflicts.resolve(search.requests(), search.requestCount(), sought, neurons, channel, step, parameters.seed,
                      seeksAxons, space);
    append(conflicts.pairs(), conflicts.pairCount());
    timings.add("resolve", timer.stop());
  });
}

void Connector::append(const PairKey* pairs, std::size_t count)
{
  if (added + count > synapses.size()) {
    Buffer<PairKey> larger(2 * (added + count));
    check(cudaMemcpyAsync(larger.data(), synapses.data(), added * sizeof(PairKey), cudaMemcpyDeviceToDevice),
          "keep the new synapses");
    synapses = std::move(larger);
  }
  if (count > 0)
    check(cudaMemcpyAsync(synapses.data() + added, pairs, count * sizeof(PairKey), cudaMemcpyDefault),
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
  /// `withOthers`: on ranks; rank 0 has the network in the end. Null: alone.
  DeviceUpdate(Formation& result, cuda::DeviceExchange* withOthers, const RunControl& runControl)
      : formation(result), population(*result.population), parameters(result.parameters), timings(result.timings),
        exchange(withOthers), control(runControl)
  {}

  void run()
  {
    cuda::together(exchange, [&] { prepare(); });
    connector->begin();
    for (const Channel channel : {kExcitatory, kInhibitory})
      connect(channel);
    cuda::together(exchange, [&] {
      const Stopwatch stopwatch;
      if (isTight)
        connector->release();
      graph->merge(connector->newSynapses(), connector->newSynapseCount(), connector->workspace());
      check(cudaDeviceSynchronize(), "add the synapses");
      timings.add("edges", stopwatch.elapsed());
      if (isRoot())
        download();
    });
  }

private:
  bool isRoot() const { return !exchange || exchange->ranks().isRoot(); }

  void prepare()
  {
    const auto neurons = static_cast<std::uint32_t>(population.size());
    const std::array<std::size_t, kChannels> elements = seekingElements();
    const std::size_t most = std::max(elements[kExcitatory], elements[kInhibitory]);
    const std::size_t all = elements[kExcitatory] + elements[kInhibitory];
    const DeviceBytes bytes = deviceBytesOfFormation(population.size(), most, all);
    const std::size_t free = cuda::freeMemory();
    requireDeviceMemory(population.size(), bytes.inTurn, free);
    isTight = bytes.together > free;
    Stopwatch stopwatch;
    cuda::Workspace space;
    space.reserve(sortingBytes(std::max(population.size(), all)));
    isInhibitory = Buffer<std::uint8_t>(population.isInhibitory);
    axons = Buffer<std::uint32_t>(neurons);
    dendrites = Buffer<std::uint32_t>(neurons);
    check(cudaDeviceSynchronize(), "upload the population");
    timings.add("upload", stopwatch.lap());

    tree.emplace(population.position, space, control);
    for (const Stage& stage : tree->timings().stages)
      timings.add(stage.name == "upload" ? "upload" : "tree", stage.milliseconds);

    stopwatch.lap();
    connector.emplace(tree->view(), parameters.search, exchange);
    graph.emplace(neurons);
    connector->reserve(most, all);
    std::swap(connector->workspace(), space);
    if (!isTight)
      graph->reserve(all);
    check(cudaDeviceSynchronize(), "prepare the update");
    timings.add("allocate", stopwatch.lap());
  }

  void connect(Channel channel)
  {
    const auto neurons = static_cast<std::uint32_t>(population.size());
    cuda::together(exchange, [&] {
      startKernel<<<blocksFor(neurons, kThreads), kThreads>>>(isInhibitory.data(), neurons, channel, parameters.axons,
                                                              parameters.dendrites, axons.data(), dendrites.data());
      check(cudaGetLastError(), "count vacant elements");
    });
    if (seekingElements()[channel] > 0 || parameters.keepsTree) {
      connector->connect(channel, parameters.step, axons.data(), dendrites.data(), timings, control);
      formation.requests += connector->requestCount();
    }
    cuda::together(exchange, [&] {
      control.checkpoint();
      const Stopwatch stopwatch;
      if (parameters.keepsTree && isRoot()) {
        connector->soughtElements().download(formation.sought[channel], copies);
        hasLargeNodes[channel] = isLarge(connector->soughtElements().total());
      }
      check(cudaDeviceSynchronize(), "copy the vacant elements");
      timings.add("download", stopwatch.elapsed());
    });
  }

  void download()
  {
    const Stopwatch stopwatch;
    graph->download(isInhibitory.data(), formation.network, copies);
    const auto onHost = std::make_shared<Octree>();
    if (parameters.keepsTree)
      tree->download(*onHost, copies);
    copies.run(control);
    for (int channel = 0; channel < kChannels; ++channel)
      if (hasLargeNodes[channel])
        findLargeNodes(*onHost, formation.sought[channel]);
    formation.tree = onHost;
    timings.add("download", stopwatch.elapsed());
  }

  /// How many seek in each channel.
  std::array<std::size_t, kChannels> seekingElements() const
  {
    const auto inhibitory = static_cast<std::size_t>(
        std::ranges::count_if(population.isInhibitory, [](std::uint8_t is) { return is != 0; }));
    const std::size_t excitatory = population.size() - inhibitory;
    if (parameters.search.kind != SearchKind::Inverse)
      return {excitatory * parameters.axons, inhibitory * parameters.axons};
    const std::size_t dendrites = population.size() * parameters.dendrites;
    return {excitatory > 0 ? dendrites : 0, inhibitory > 0 ? dendrites : 0};
  }

  Formation& formation;
  const NeuronPopulation& population;
  const FormationParameters& parameters;
  StageTimings& timings;
  cuda::DeviceExchange* const exchange;
  const RunControl& control;
  std::array<bool, kChannels> hasLargeNodes = {};
  bool isTight = false; ///< memory is taken for the graph when that of the search is given back
  cuda::HostCopies copies;
  Buffer<std::uint8_t> isInhibitory;
  Buffer<std::uint32_t> axons, dendrites; ///< vacant ones, by neuron
  std::optional<DeviceOctree> tree;
  std::optional<DeviceConnector> connector;
  std::optional<DeviceGraph> graph;
};

} // namespace

std::shared_ptr<Formation> formSynapsesOnDevice(std::shared_ptr<const NeuronPopulation> population,
                                                const FormationParameters& parameters, const RunControl& control,
                                                Communicator* ranks)
{
  cuda::DeviceExchange* const exchange = ranks ? &cuda::DeviceExchange::of(*ranks) : nullptr;
  requireCudaDevice();
  auto formation = std::make_shared<Formation>();
  formation->parameters = parameters;
  formation->population = std::move(population);
  formation->timings.backend = Backend::Cuda;
  formation->timings.device = cuda::deviceNameOn(exchange);
  formation->vacantAxons = std::uint64_t{parameters.axons} * formation->population->size();
  DeviceUpdate(*formation, exchange, control).run();
  if (exchange)
    exchange->gatherDevices(formation->timings);
  return formation;
}

} // namespace hinesight::synapse::detail
