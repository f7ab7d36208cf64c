#pragma once

#include "synapse/plasticity/plasticity.hpp"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

// Models that tests run, and what they compare of them.

namespace hinesight::tests {

using namespace hinesight::synapse;

inline constexpr NeuronModel kModels[] = {NeuronModel::Poisson, NeuronModel::Izhikevich, NeuronModel::FitzHughNagumo,
                                          NeuronModel::AdaptiveExponential};

inline std::shared_ptr<const NeuronPopulation> neurons(std::size_t count, double excitatory = 0.8)
{
  auto population = std::make_shared<NeuronPopulation>(*makeRandomPopulation(count, 26, excitatory, 3));
  population->areaNames = {"left", "right"};
  for (std::size_t i = 0; i < count; ++i)
    population->area[i] = i % 2;
  return population;
}

/// Grows a thousand times as fast as the default, towards a target that is soon reached.
inline PlasticityParameters fastGrowth()
{
  PlasticityParameters p;
  for (GrowthParameters* growth : {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite})
    growth->rate = 2e-2;
  p.axon.leastCalcium = 0.1;
  p.calciumDecay = 500;
  p.calciumPerSpike = 0.02;
  p.calciumTarget = 0.7;
  p.threads = 1;
  return p;
}

/// Elements at the start and strong input: everything happens in the first steps.
inline PlasticityParameters lively(NeuronModel model)
{
  PlasticityParameters p = fastGrowth();
  p.model = model;
  p.background = BackgroundKind::Normal;
  const double strength = model == NeuronModel::Poisson          ? 0.02
                          : model == NeuronModel::Izhikevich     ? 8
                          : model == NeuronModel::FitzHughNagumo ? 0.5
                                                                 : 900;
  p.backgroundMean = strength;
  p.backgroundSpread = strength / 2;
  p.synapseConductance = strength / 5;
  p.stimuli = {{20, 400, 3, strength, "right"}, {50, 90, 1, strength / 2, ""}};
  p.updatePeriod = 40;
  p.calciumTarget = 0.3;
  for (GrowthParameters* growth : {&p.axon, &p.excitatoryDendrite, &p.inhibitoryDendrite}) {
    growth->initialLeast = 1;
    growth->initialMost = 4.5;
    growth->retractRatio = 0.1;
    growth->rate = 0.05;
  }
  return p;
}

template <typename T>
bool sameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline bool sameState(const PlasticityModel& a, const PlasticityModel& b)
{
  const PlasticityProgress x = a.progress(), y = b.progress();
  bool same = x.step == y.step && x.updatePending == y.updatePending && x.created == y.created &&
              x.deleted == y.deleted && x.network.synapses == y.network.synapses &&
              sameBytes(x.neurons.membrane, y.neurons.membrane) && sameBytes(x.neurons.recovery, y.neurons.recovery) &&
              sameBytes(x.neurons.fired, y.neurons.fired) && sameBytes(x.neurons.calcium, y.neurons.calcium) &&
              sameBytes(x.neurons.target, y.neurons.target) && sameBytes(x.neurons.enabled, y.neurons.enabled);
  for (int pool = 0; pool < 3; ++pool)
    same = same && sameBytes(x.neurons.grown[pool], y.neurons.grown[pool]) &&
           sameBytes(x.neurons.connected[pool], y.neurons.connected[pool]) &&
           sameBytes(x.neurons.delta[pool], y.neurons.delta[pool]);
  return same;
}

inline bool sameRecords(const std::vector<StepRecord>& a, const std::vector<StepRecord>& b)
{
  const auto same = [](const StepRecord& x, const StepRecord& y) {
    return x.step == y.step && x.fired == y.fired && x.enabled == y.enabled && x.target == y.target &&
           x.calcium.least == y.calcium.least && x.calcium.mean == y.calcium.mean && x.calcium.most == y.calcium.most &&
           x.grown == y.grown && x.connected == y.connected && x.created == y.created && x.deleted == y.deleted;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

inline std::vector<StepRecord> run(PlasticityModel& model, std::uint32_t steps, std::uint32_t every = 1)
{
  std::vector<StepRecord> records;
  model.run(steps, every, records);
  return records;
}

inline std::uint64_t unitsOf(const Network& network)
{
  std::uint64_t units = 0;
  for (const Synapse& synapse : network.synapses)
    units += static_cast<std::uint64_t>(std::abs(synapse.weight));
  return units;
}

/// What every state must keep: 0 <= c <= floor(g); c is what the synapses say; no synapse from a neuron to itself.
inline void requireConserved(const PlasticityModel& model)
{
  const NeuronState state = model.state();
  const Network network = model.network();
  std::array<std::vector<std::uint32_t>, 3> found;
  found.fill(std::vector<std::uint32_t>(state.calcium.size(), 0));
  for (const Synapse& synapse : network.synapses) {
    const bool inhibitory = model.population().isInhibitory[synapse.source] != 0;
    QVERIFY(synapse.source != synapse.target);
    QVERIFY(synapse.weight != 0 && (synapse.weight < 0) == inhibitory);
    found[0][synapse.source] += static_cast<std::uint32_t>(std::abs(synapse.weight));
    found[inhibitory ? 2 : 1][synapse.target] += static_cast<std::uint32_t>(std::abs(synapse.weight));
  }
  for (std::size_t pool = 0; pool < 3; ++pool) {
    QVERIFY(state.connected[pool] == found[pool]);
    for (std::size_t i = 0; i < state.calcium.size(); ++i)
      QVERIFY(state.connected[pool][i] <= std::floor(state.grown[pool][i]));
  }
}

} // namespace hinesight::tests
