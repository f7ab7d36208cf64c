#include "core/device.hpp"
#include "core/error.hpp"
#include "synapse/device_room.hpp"
#include "synapse/formation/device_connector.cuh"
#include "synapse/plasticity/device_step.cuh"
#include "synapse/plasticity/device_update.cuh"
#include "synapse/ranks/common_run.hpp"
#include "synapse/ranks/essential_connector.cuh"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The plasticity model on a GPU. Everything stays on the device: a step is one kernel, or two where there are many
// neurons, and the host waits only for records, for the counts of an update, and where neurons change status or
// background. Whatever several threads add to is a whole number, so that their order does not matter.

namespace hinesight::synapse::detail {

namespace {

using cuda::Buffer;
using cuda::check;

/// Steps that are put on the stream before the host looks whether it is to stop.
constexpr std::uint32_t kStepsAtOnce = 256;

class CudaModel final : public ModelBase
{
public:
  /// `essential`: of ranks without the whole tree, else null.
  CudaModel(ModelSetup modelSetup, const PlasticityProgress& start, cuda::DeviceExchange* withOthers,
            std::unique_ptr<const EssentialSearch> essential)
      : ModelBase(std::move(modelSetup), start), exchange(withOthers), neurons(setup, start.neurons, exchange),
        graph(start.network, neurons.stepped(), space),
        connector(makeConnector(std::move(essential))), synaptic{Buffer<std::int64_t>(size()),
                                                                 Buffer<std::int64_t>(size())},
        tallies(kStepsAtOnce), census(1), lost(size()), deletedCount(1), vacantAxons(size()), vacantDendrites(size())
  {
    if (someDisabled())
      neurons.setEnabled(&enabled);
    if (!backgroundOf.empty())
      neurons.setBackgrounds(backgroundOf);
    stages.backend = Backend::Cuda;
    stages.device = cuda::deviceNameOn(exchange) + setup.treesOfGpus;
    for (Buffer<std::int64_t>& sums : synaptic)
      check(cudaMemset(sums.data(), 0, sums.size() * sizeof(std::int64_t)), "clear the inputs");
    const auto& kinds = setup.population->isInhibitory;
    for (std::uint8_t channel = 0; channel < kChannels; ++channel)
      hasAxons[channel] = std::find(kinds.begin(), kinds.end(), channel) != kinds.end();
  }

  void run(std::uint32_t steps, std::uint32_t recordEvery, std::vector<StepRecord>& records,
           const RunControl& control) override
  {
    if (!exchange)
      return ModelBase::run(steps, recordEvery, records, control);
    CommonRun common(exchange->ranks(), control);
    current = &common;
    common.agree();
    try {
      ModelBase::run(steps, recordEvery, records, common.common());
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Cancelled) // as on all ranks
        exchange->gatherDevices(stages);
      throw;
    }
    exchange->gatherDevices(stages);
  }

  NeuronState state() const override
  {
    requireWhole();
    if (exchange)
      neurons.exchangeState();
    NeuronState whole;
    if (isRoot())
      whole = neurons.download();
    else
      whole.enabled = enabled;
    return whole;
  }
  Network network() const override
  {
    requireWhole();
    return isRoot() ? graph.download(setup.population->isInhibitory) : Network{size(), {}};
  }

protected:
  std::uint32_t stepsAtOnce() const override { return kStepsAtOnce; }

  void advance(std::uint32_t first, std::uint32_t steps, std::uint32_t tallyEvery, bool synapsesStay,
               std::vector<StepTally>& result) override
  {
    requireWhole();
    const Stopwatch stopwatch;
    const StepLaunch launch = stepLaunch();
    if (!spikesSent)
      launchSend(launch, synaptic[first % 2].data());
    if (tallyEvery > 0)
      clearTallies(tallies.data(), kStepsAtOnce);
    std::uint32_t tallied = 0;
    for (std::uint32_t step = first; step < first + steps; ++step) {
      spikesSent = synapsesStay || step + 1 < first + steps;
      const bool isTallied = tallyEvery > 0 && step % tallyEvery == 0;
      const bool isLast = step + 1 == first + steps;
      stepOnce(launch, step, isTallied ? tallies.data() + tallied++ : nullptr, isLast);
    }
    check(cudaGetLastError(), "step the neurons");
    if (exchange)
      exchange->wait("step the neurons");
    if (tallied > 0) {
      const std::size_t before = result.size();
      result.resize(before + tallied);
      check(cudaMemcpy(result.data() + before, tallies.data(), tallied * sizeof(StepTally), cudaMemcpyDeviceToHost),
            "download the records");
      sumOverRanks(std::span(result).subspan(before));
    }
    check(cudaDeviceSynchronize(), "step the neurons");
    if (exchange)
      current->agree();
    const double took = stopwatch.elapsed();
    const double exchanged = exchange ? std::min(took, steps * exchangeTimer.elapsed()) : 0;
    stages.add("electrical", took - exchanged);
    if (exchange)
      stages.add("exchange", exchanged);
  }

  StepTally tally() const override
  {
    clearTallies(tallies.data(), 1);
    launchTally(stepLaunch(), tallies.data());
    check(cudaGetLastError(), "add up calcium");
    StepTally sum = cuda::readEntry(tallies.data());
    sumOverRanks(std::span(&sum, 1));
    return sum;
  }

  ElementTally elementTally() const override { return takeCensus().elements; }
  bool isFinite() const override
  {
    const std::uint64_t broken = takeCensus().broken;
    return (exchange ? exchange->ranks().allReduce(broken, Reduction::Most) : broken) == 0;
  }

  ConnectivityChange update(std::uint32_t atStep, const RunControl& control) override
  {
    requireWhole();
    if (exchange)
      exchangeDeltas();
    cuda::together(exchange, [&] { save.save(neurons, graph.view()); });
    isSpoilt = true; // until the update is done, or undone
    try {
      // A rank is cancelled within what all do together.
      const RunControl& own = exchange ? current->own() : control;
      ConnectivityChange change;
      cuda::together(exchange, [&] { change.deleted = deletePools(atStep, own); });
      change.created = formSynapses(atStep, own);
      isSpoilt = false;
      return change;
    } catch (const Error& error) {
      // Whatever else failed may have left the graph without its arrays.
      if (error.code() == ErrorCode::Cancelled) {
        save.restore(neurons, graph.view());
        isSpoilt = false;
      }
      throw;
    }
  }

  std::uint64_t takeStatus() override
  {
    requireWhole();
    if (!someDisabled()) {
      neurons.setEnabled(nullptr);
      return 0;
    }
    neurons.setEnabled(&enabled);
    check(cudaMemsetAsync(deletedCount.data(), 0, sizeof(std::uint64_t)), "clear a count");
    isSpoilt = true; // until the graph is without the synapses that go
    launchDisable(neurons.view(), graph.view(), deletedCount.data());
    check(cudaGetLastError(), "disable neurons");
    const std::uint64_t deleted = cuda::readEntry(deletedCount.data());
    if (deleted > 0)
      cuda::together(exchange, [&] { graph.merge(nullptr, 0, connector->workspace()); });
    isSpoilt = false;
    return deleted;
  }

  void takeBackgrounds() override { neurons.setBackgrounds(backgroundOf); }

private:
  std::size_t size() const { return setup.population->size(); }
  bool isRoot() const { return !exchange || exchange->ranks().isRoot(); }

  std::unique_ptr<Connector> makeConnector(std::unique_ptr<const EssentialSearch> essential)
  {
    const SearchParameters& parameters = setup.parameters.search;
    if (essential)
      return std::make_unique<EssentialConnector>(exchange->ranks(), std::move(essential), size(), parameters);
    octree.emplace(setup.population->position, space);
    return std::make_unique<DeviceConnector>(octree->view(), parameters, exchange);
  }

  void exchangeDeltas()
  {
    const Stopwatch stopwatch;
    neurons.exchangeDeltas();
    exchange->wait("exchange what has grown");
    stages.add("exchange", stopwatch.elapsed());
  }

  /// `isTimed`: how long the exchange of this step takes is measured, for those before it too.
  void stepOnce(const StepLaunch& launch, std::uint32_t step, StepTally* tally, bool isTimed)
  {
    std::int64_t* const now = synaptic[step % 2].data();
    std::int64_t* const next = spikesSent ? synaptic[(step + 1) % 2].data() : nullptr;
    launchStep(launch, step, now, exchange ? nullptr : next, tally);
    if (!exchange)
      return;
    if (isTimed)
      exchangeTimer.start();
    neurons.exchangeFired();
    if (isTimed)
      exchangeTimer.end();
    if (next)
      launchSend(launch, next);
  }

  /// Makes sums of this GPU's neurons those of all ranks.
  void sumOverRanks(std::span<StepTally> parts) const
  {
    if (!exchange)
      return;
    std::vector<std::uint64_t> sums, bounds;
    for (const StepTally& part : parts) {
      sums.insert(sums.end(), {part.fired, static_cast<std::uint64_t>(part.calcium)});
      bounds.insert(bounds.end(), {part.least, ~part.most});
    }
    exchange->ranks().allReduce(std::span(sums), Reduction::Sum);
    exchange->ranks().allReduce(std::span(bounds), Reduction::Least);
    for (std::size_t k = 0; k < parts.size(); ++k)
      parts[k] = {sums[2 * k], static_cast<std::int64_t>(sums[2 * k + 1]), bounds[2 * k], ~bounds[2 * k + 1]};
  }

  void requireWhole() const
  {
    if (isSpoilt)
      throw Error(ErrorCode::DeviceFailure,
                  "The GPU failed, or ran out of memory, while it changed synapses after step " +
                      std::to_string(step()) +
                      ", and the model is lost; go on from the last checkpoint, or start anew with fewer neurons or "
                      "on the CPU.");
  }

  StepLaunch stepLaunch() const
  {
    const bool alike = neurons.areAlike() && setup.constants.background.kind != BackgroundKind::FastNormal;
    return {setup.constants, neurons.view(), graph.view(), alike};
  }

  Census takeCensus() const
  {
    requireWhole();
    check(cudaMemsetAsync(census.data(), 0, sizeof(Census)), "clear a count");
    launchCensus(neurons.view(), census.data());
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
      launchCommit(v, pool, retract[pool], lost.data(), deletedCount.data());
      launchDelete(v, graph.view(), pool, lost.data(), p.search.seed, atStep);
    }
    check(cudaGetLastError(), "delete synapses");
    const std::uint64_t deleted = cuda::readEntry(deletedCount.data());
    stages.add("delete", stopwatch.elapsed());
    return deleted;
  }

  /// Returns how many.
  std::uint64_t formSynapses(std::uint32_t atStep, const RunControl& control)
  {
    connector->begin();
    StageTimings times;
    for (const Channel channel : {kExcitatory, kInhibitory})
      if (hasAxons[channel])
        connectChannel(channel, atStep, times, control);
    for (const Stage& stage : times.stages)
      stages.add(stage.name == "vacant" ? "tree" : stage.name, stage.milliseconds);

    const Stopwatch stopwatch;
    cuda::together(exchange, [&] {
      graph.merge(connector->newSynapses(), connector->newSynapseCount(), connector->workspace());
      check(cudaDeviceSynchronize(), "merge the synapses");
    });
    stages.add("edges", stopwatch.elapsed());
    return connector->newSynapseCount();
  }

  void connectChannel(Channel channel, std::uint32_t atStep, StageTimings& times, const RunControl& control)
  {
    const NeuronsView v = neurons.view();
    launchVacant(v, channel, vacantAxons.data(), vacantDendrites.data());
    check(cudaGetLastError(), "count vacant elements");
    const std::size_t before = connector->newSynapseCount();
    connector->connect(channel, atStep, vacantAxons.data(), vacantDendrites.data(), times, control.silenced());
    const std::size_t count = connector->newSynapseCount() - before;
    launchConnect(v, channel, connector->newSynapses() + before, count);
    check(cudaGetLastError(), "connect the elements");
  }

  cuda::DeviceExchange* const exchange; ///< null: alone
  CommonRun* current = nullptr;         ///< on ranks, during a run
  cuda::Timer exchangeTimer;            ///< of the last step
  cuda::Workspace space;
  mutable DeviceNeurons neurons;
  mutable DeviceGraph graph;
  std::optional<DeviceOctree> octree; ///< of all neurons, where each GPU has it
  std::unique_ptr<Connector> connector;
  std::array<bool, kChannels> hasAxons = {};
  Savepoint save;
  /// Whether an update or a change of status failed half-way: state and synapses do not fit together.
  bool isSpoilt = false;
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

/// Collective.
std::unique_ptr<const EssentialSearch> makeEssentialSearch(Communicator& ranks, const ModelSetup& setup)
{
  const std::vector<Position>& positions = setup.population->position;
  const NeuronRanges ranges(positions.size(), ranks.size());
  const NeuronRange own = ranges.of(ranks.rank());
  return std::make_unique<EssentialSearch>(ranks, ranges, std::span(positions).subspan(own.begin, own.size()),
                                           setup.parameters.search.theta, Backend::Cuda,
                                           threadsOfRank(ranks, setup.parameters.threads), RunControl());
}

} // namespace

std::unique_ptr<PlasticityModel> makeCudaModel(ModelSetup setup, const PlasticityProgress& start, Communicator* ranks)
{
  cuda::DeviceExchange* const exchange = ranks ? &cuda::DeviceExchange::of(*ranks) : nullptr;
  std::unique_ptr<const EssentialSearch> essential;
  if (ranks && !setup.tree)
    essential = makeEssentialSearch(*ranks, setup);
  std::unique_ptr<PlasticityModel> model;
  cuda::together(exchange, [&] {
    requireCudaDevice();
    const std::size_t neurons = setup.population->size();
    const std::size_t gpus = exchange ? static_cast<std::size_t>(exchange->ranks().size()) : 1;
    const bool hasTree = !essential;
    requireDeviceMemory(neurons, deviceBytesOfModel(neurons, start.network.synapses.size(), gpus, hasTree),
                        cuda::freeMemory());
    model = std::make_unique<CudaModel>(std::move(setup), start, exchange, std::move(essential));
  });
  return model;
}

} // namespace hinesight::synapse::detail
