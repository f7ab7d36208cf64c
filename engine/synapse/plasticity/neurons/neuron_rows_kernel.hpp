#pragma once

#include "synapse/plasticity/neurons/neuron_rows.hpp"

#include <algorithm>

// A step of many neurons, written once and compiled several times with different instructions: loops over blocks of
// kLanes neurons that the compiler turns into vector instructions. Everything here has internal linkage or is always
// inlined (core/host_device.hpp says why).

namespace hinesight::synapse {

namespace {

constexpr std::size_t kLanes = 256;

/// A block of neurons side by side.
struct Lanes
{
  alignas(64) double input[kLanes];
  alignas(64) double uniform[kLanes];
  alignas(64) double potential[kLanes];
  alignas(64) double recovery[kLanes];
  alignas(64) double fired[kLanes];
};

void addBackground(Lanes& lanes, const StepConstants& c, const StepInputs& inputs, std::uint32_t step,
                   std::size_t begin, std::size_t count)
{
  const auto neuron = [first = inputs.firstNeuron + begin](std::size_t i) {
    return static_cast<std::uint32_t>(first + i);
  };
  if (inputs.backgroundOf) {
    const std::uint64_t window = inputWindow(c.seed, step, c.windows);
    for (std::size_t i = 0; i < count; ++i)
      lanes.input[i] += individualInput(c, inputs.backgrounds[inputs.backgroundOf[begin + i]], neuron(i), step, window);
  } else if (c.background.kind == BackgroundKind::Normal) {
    for (std::size_t i = 0; i < count; ++i)
      lanes.input[i] += normalInput(c, c.background, neuron(i), step);
  } else if (c.background.kind == BackgroundKind::FastNormal) {
    const std::uint64_t window = inputWindow(c.seed, step, c.windows);
    for (std::size_t i = 0; i < count; ++i)
      lanes.input[i] += fastNormalInput(c, c.background, neuron(i), window);
  }
}

void gatherInputs(Lanes& lanes, const StepConstants& c, const StepInputs& inputs, std::uint32_t step, std::size_t begin,
                  std::size_t count)
{
  for (std::size_t i = 0; i < count; ++i) {
    const double stimulus = inputs.stimulus ? inputs.stimulus[inputs.area[begin + i]] : 0.0;
    lanes.input[i] = neuronInput(c, inputs.synaptic[begin + i], stimulus);
  }
  addBackground(lanes, c, inputs, step, begin, count);
}

/// Disabled neurons stand still, whatever was computed of them.
void keepDisabled(Lanes& lanes, const NeuronArrays& neurons, std::size_t begin, std::size_t count)
{
  for (std::size_t i = 0; i < count; ++i) {
    const bool enabled = neurons.enabled[begin + i] != 0;
    lanes.potential[i] = enabled ? lanes.potential[i] : neurons.potential[begin + i];
    lanes.recovery[i] = enabled ? lanes.recovery[i] : neurons.recovery[begin + i];
    lanes.fired[i] = enabled ? lanes.fired[i] : 0.0;
  }
}

/// `first`: the neuron of the first lane.
template <typename Model>
void stepBlock(Lanes& lanes, const StepConstants& c, std::uint32_t step, std::size_t first, std::size_t count)
{
  if constexpr (Model::kDraws)
    for (std::size_t i = 0; i < count; ++i)
      lanes.uniform[i] = spikeUniform(c.seed, static_cast<std::uint32_t>(first + i), step);
  const auto forLanes = [&](auto body) {
    for (std::size_t i = 0; i < count; ++i) {
      Membrane m = {lanes.potential[i], lanes.recovery[i], lanes.fired[i]};
      body(m, i);
      lanes.potential[i] = m.potential;
      lanes.recovery[i] = m.recovery;
      lanes.fired[i] = m.fired;
    }
  };
  for (std::uint32_t s = 0; s < c.subSteps; ++s)
    forLanes([&](Membrane& m, std::size_t i) { Model::subStep(m, lanes.input[i], c.dt); });
  forLanes([&](Membrane& m, std::size_t i) { Model::finish(m, Model::kDraws ? lanes.uniform[i] : 0.0); });
}

template <typename Model>
void stepMembranes(const StepConstants& c, const NeuronArrays& neurons, const StepInputs& inputs, std::uint32_t step,
                   std::size_t begin, std::size_t end)
{
  Lanes lanes;
  for (; begin < end; begin += kLanes) {
    const std::size_t count = std::min(kLanes, end - begin);
    gatherInputs(lanes, c, inputs, step, begin, count);
    std::copy_n(neurons.potential + begin, count, lanes.potential);
    std::copy_n(neurons.recovery + begin, count, lanes.recovery);
    std::fill_n(lanes.fired, count, 0.0);
    stepBlock<Model>(lanes, c, step, inputs.firstNeuron + begin, count);
    if (neurons.enabled)
      keepDisabled(lanes, neurons, begin, count);
    std::copy_n(lanes.potential, count, neurons.potential + begin);
    std::copy_n(lanes.recovery, count, neurons.recovery + begin);
    for (std::size_t i = 0; i < count; ++i)
      neurons.fired[begin + i] = lanes.fired[i] != 0;
  }
}

void membranes(const StepConstants& c, const NeuronArrays& neurons, const StepInputs& inputs, std::uint32_t step,
               std::size_t begin, std::size_t end)
{
  switch (c.model) {
  case NeuronModel::Poisson:
    return stepMembranes<PoissonNeuron>(c, neurons, inputs, step, begin, end);
  case NeuronModel::Izhikevich:
    return stepMembranes<IzhikevichNeuron>(c, neurons, inputs, step, begin, end);
  case NeuronModel::FitzHughNagumo:
    return stepMembranes<FitzHughNagumoNeuron>(c, neurons, inputs, step, begin, end);
  case NeuronModel::AdaptiveExponential:
    return stepMembranes<AdaptiveExponentialNeuron>(c, neurons, inputs, step, begin, end);
  }
}

// What elements grow by. What neurons share is copied first: the compiler would read it again for every neuron that it
// writes, for all it knows.

/// Where all are enabled and have one target.
void growAlike(const StepConstants& c, const NeuronArrays& neurons, const double* calcium, std::size_t begin,
               std::size_t count)
{
  for (int pool = 0; pool < kPools; ++pool) {
    const GrowthCurve curve = c.growth[pool];
    double* const delta = neurons.delta[pool] + begin;
    for (std::size_t i = 0; i < count; ++i)
      delta[i] += curve.at(calcium[i]);
  }
}

/// Where some are disabled, whose `enabled` is 0: to their 0 comes 0.
void growEnabled(const StepConstants& c, const NeuronArrays& neurons, const double* calcium, const double* enabled,
                 std::size_t begin, std::size_t count)
{
  for (int pool = 0; pool < kPools; ++pool) {
    const GrowthCurve curve = c.growth[pool];
    double* const delta = neurons.delta[pool] + begin;
    for (std::size_t i = 0; i < count; ++i) {
      const double growth = curve.at(calcium[i]);
      delta[i] += enabled[i] != 0 ? growth : 0.0;
    }
  }
}

/// Where each has its own target besides, which decays first.
void growTowardsOwn(const StepConstants& c, const NeuronArrays& neurons, const double* calcium, const double* enabled,
                    std::uint32_t step, std::size_t begin, std::size_t count)
{
  alignas(64) double target[kLanes];
  std::copy_n(neurons.target + begin, count, target);
  if (c.targetDecay.isDue(step)) {
    const TargetDecayStep decay = c.targetDecay;
    for (std::size_t i = 0; i < count; ++i)
      target[i] = enabled[i] != 0 ? decay.at(target[i]) : target[i];
    std::copy_n(target, count, neurons.target + begin);
  }
  for (int pool = 0; pool < kPools; ++pool) {
    const double rate = c.growth[pool].rate, leastCalcium = c.leastCalcium[pool];
    double* const delta = neurons.delta[pool] + begin;
    for (std::size_t i = 0; i < count; ++i) {
      const double growth = growthTowards(target[i], rate, leastCalcium, calcium[i]);
      delta[i] += enabled[i] != 0 ? growth : 0.0;
    }
  }
}

/// Where they are not all alike.
void growEach(const StepConstants& c, const NeuronArrays& neurons, const double* calcium, std::uint32_t step,
              std::size_t begin, std::size_t count)
{
  alignas(64) double enabled[kLanes];
  std::fill_n(enabled, count, 1.0);
  for (std::size_t i = 0; neurons.enabled && i < count; ++i)
    enabled[i] = neurons.enabled[begin + i];
  if (neurons.target)
    growTowardsOwn(c, neurons, calcium, enabled, step, begin, count);
  else
    growEnabled(c, neurons, calcium, enabled, begin, count);
}

void elements(const StepConstants& c, const NeuronArrays& neurons, std::uint32_t step, std::size_t begin,
              std::size_t end)
{
  alignas(64) double calcium[kLanes];
  alignas(64) double fired[kLanes];
  for (; begin < end; begin += kLanes) {
    const std::size_t count = std::min(kLanes, end - begin);
    std::copy_n(neurons.calcium + begin, count, calcium);
    for (std::size_t i = 0; i < count; ++i)
      fired[i] = neurons.fired[begin + i];
    for (std::uint32_t s = 0; s < c.subSteps; ++s)
      for (std::size_t i = 0; i < count; ++i)
        calcium[i] = c.calcium.subStep(calcium[i], fired[i]);
    for (std::size_t i = 0; neurons.enabled && i < count; ++i)
      calcium[i] = neurons.enabled[begin + i] != 0 ? calcium[i] : neurons.calcium[begin + i];
    std::copy_n(calcium, count, neurons.calcium + begin);
    if (neurons.enabled || neurons.target)
      growEach(c, neurons, calcium, step, begin, count);
    else
      growAlike(c, neurons, calcium, begin, count);
  }
}

constexpr NeuronRows kNeuronRows = {&membranes, &elements};

} // namespace

} // namespace hinesight::synapse
