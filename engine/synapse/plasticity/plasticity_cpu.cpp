#include "core/device.hpp"
#include "core/parallel.hpp"
#include "synapse/plasticity/neurons/neuron_rows.hpp"
#include "synapse/plasticity/plasticity_backend.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>

namespace hinesight::synapse::detail {

namespace {

constexpr std::size_t kGrain = 8192;
/// So few neurons are done sooner than threads are woken.
constexpr std::size_t kMostSerial = 16'384;

class CpuModel final : public ModelBase
{
public:
  CpuModel(ModelSetup modelSetup, const PlasticityProgress& start)
      : ModelBase(std::move(modelSetup), start), potential(start.neurons.membrane), recovery(start.neurons.recovery),
        fired(start.neurons.fired), calcium(start.neurons.calcium), calciumTarget(start.neurons.target),
        connectivity(connectivityOf(start.neurons, start.network, setup.population->isInhibitory)),
        staticSynapses(staticLists(setup)), synaptic(potential.size()),
        areaStimulus(setup.stimuli.empty() ? 0 : setup.population->areaNames.size())
  {
    const int wanted = setup.parameters.threads;
    threads = wanted > 0 ? wanted : hardwareThreads();
    stages.backend = Backend::Cpu;
    stages.device = processorName() + (threads == 1 ? ", 1 thread" : ", " + std::to_string(threads) + " threads");
  }

  NeuronState state() const override
  {
    return {
        potential,         recovery, fired, calcium, calciumTarget, enabled, connectivity.grown, connectivity.connected,
        connectivity.delta};
  }
  Network network() const override { return networkOf(connectivity.graph, setup.population->isInhibitory); }

protected:
  std::uint32_t stepsAtOnce() const override { return 1; }

  void advance(std::uint32_t first, std::uint32_t steps, std::uint32_t tallyEvery, bool,
               std::vector<StepTally>& tallies) override
  {
    for (std::uint32_t step = first; step < first + steps; ++step) {
      Stopwatch stopwatch;
      addUpSpikes();
      stepMembranes(step);
      stages.add("electrical", stopwatch.lap());
      stepElements(step);
      stages.add("growth", stopwatch.elapsed());
      if (tallyEvery > 0 && step % tallyEvery == 0)
        tallies.push_back(tally());
    }
  }

  StepTally tally() const override
  {
    StepTally whole;
    std::mutex mutex;
    forNeurons([&](std::size_t begin, std::size_t end) {
      StepTally part;
      for (std::size_t i = begin; i < end; ++i) {
        if (enabled[i] == 0)
          continue;
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(calcium[i]);
        part.fired += fired[i];
        part.calcium += calciumWhole(setup.constants, calcium[i]);
        part.least = std::min(part.least, bits);
        part.most = std::max(part.most, bits);
      }
      const std::lock_guard lock(mutex);
      whole.fired += part.fired;
      whole.calcium += part.calcium;
      whole.least = std::min(whole.least, part.least);
      whole.most = std::max(whole.most, part.most);
    });
    return whole;
  }

  ElementTally elementTally() const override
  {
    ElementTally sum;
    for (int pool = 0; pool < kPools; ++pool)
      for (std::size_t i = 0; i < potential.size(); ++i) {
        sum.grown[pool] += static_cast<std::int64_t>(connectivity.grown[pool][i] * kElementUnits);
        sum.connected[pool] += connectivity.connected[pool][i];
      }
    return sum;
  }

  bool isFinite() const override
  {
    return std::all_of(potential.begin(), potential.end(), [](double x) { return std::isfinite(x); }) &&
           std::all_of(recovery.begin(), recovery.end(), [](double x) { return std::isfinite(x); });
  }

  ConnectivityChange update(std::uint32_t atStep, const RunControl& control) override
  {
    return updateConnectivity(connectivity, *setup.population, *setup.tree, setup.parameters, atStep, stages, control);
  }

  std::uint64_t takeStatus() override
  {
    for (std::size_t i = 0; i < enabled.size(); ++i)
      fired[i] = enabled[i] != 0 ? fired[i] : 0;
    return disableNeurons(connectivity, setup.population->isInhibitory, enabled);
  }

  void takeBackgrounds() override {}

private:
  /// Whether several threads do a step.
  bool isShared() const { return threads > 1 && potential.size() > kMostSerial; }

  void forNeurons(const std::function<void(std::size_t, std::size_t)>& body) const
  {
    if (!isShared())
      body(0, potential.size());
    else
      parallelFor(potential.size(), kGrain, body, threads);
  }

  /// What fired in the step before, by the synapses of now. Whole numbers, so that any thread may add at any time.
  void addUpSpikes()
  {
    std::fill(synaptic.begin(), synaptic.end(), 0);
    const bool shared = isShared();
    forNeurons([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (fired[i] == 0)
          continue;
        if (shared)
          sendSpike(i, [&](std::uint32_t target, std::int64_t weight) {
            std::atomic_ref(synaptic[target]).fetch_add(weight, std::memory_order_relaxed);
          });
        else
          sendSpike(i, [&](std::uint32_t target, std::int64_t weight) { synaptic[target] += weight; });
      }
    });
  }

  template <typename Add>
  void sendSpike(std::size_t neuron, Add add) const
  {
    const PlasticGraph& graph = connectivity.graph;
    const std::int64_t unit = setup.constants.synapseUnits;
    const std::int64_t signedUnit = setup.population->isInhibitory[neuron] != 0 ? -unit : unit;
    for (std::uint64_t pair = graph.offset[neuron]; pair < graph.offset[neuron + 1]; ++pair)
      add(graph.target[pair], signedUnit * graph.units[pair]);
    for (std::uint64_t s = staticSynapses.offset[neuron]; s < staticSynapses.offset[neuron + 1]; ++s)
      add(staticSynapses.target[s], staticSynapses.units[s]);
  }

  NeuronArrays arrays()
  {
    return {potential.data(),
            recovery.data(),
            fired.data(),
            calcium.data(),
            {connectivity.delta[0].data(), connectivity.delta[1].data(), connectivity.delta[2].data()},
            setup.ownTargets ? calciumTarget.data() : nullptr,
            someDisabled() ? enabled.data() : nullptr};
  }

  void stepMembranes(std::uint32_t step)
  {
    for (std::size_t area = 0; area < areaStimulus.size(); ++area)
      areaStimulus[area] = stimulusInput(setup.stimuli.data(), static_cast<std::uint32_t>(setup.stimuli.size()), step,
                                         static_cast<std::uint32_t>(area));
    const StepInputs inputs = {synaptic.data(), areaStimulus.empty() ? nullptr : areaStimulus.data(),
                               setup.population->area.data(), setup.backgrounds.data(),
                               backgroundOf.empty() ? nullptr : backgroundOf.data()};
    forNeurons([&, neurons = arrays()](std::size_t begin, std::size_t end) {
      neuronRows().membranes(setup.constants, neurons, inputs, step, begin, end);
    });
  }

  void stepElements(std::uint32_t step)
  {
    forNeurons([&, neurons = arrays()](std::size_t begin, std::size_t end) {
      neuronRows().elements(setup.constants, neurons, step, begin, end);
    });
  }

  std::vector<double> potential, recovery;
  std::vector<std::uint8_t> fired;
  std::vector<double> calcium, calciumTarget;
  Connectivity connectivity;
  StaticLists staticSynapses;
  std::vector<std::int64_t> synaptic;
  std::vector<double> areaStimulus;
  int threads = 1;
};

} // namespace

std::unique_ptr<PlasticityModel> makeCpuModel(ModelSetup setup, const PlasticityProgress& start)
{
  return std::make_unique<CpuModel>(std::move(setup), start);
}

} // namespace hinesight::synapse::detail
