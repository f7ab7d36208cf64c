#pragma once

#include "synapse/neuron_rows.hpp"

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

void gatherInputs(Lanes& lanes, const StepConstants& c, const StepInputs& inputs, std::uint32_t step, std::size_t begin,
                  std::size_t count)
{
  for (std::size_t i = 0; i < count; ++i) {
    const double stimulus = inputs.stimulus ? inputs.stimulus[inputs.area[begin + i]] : 0.0;
    lanes.input[i] = neuronInput(c, inputs.synaptic[begin + i], stimulus);
  }
  if (!c.noisy)
    return;
  for (std::size_t i = 0; i < count; ++i)
    lanes.input[i] += noiseInput(c, static_cast<std::uint32_t>(begin + i), step);
}

template <typename Model>
void stepBlock(Lanes& lanes, const StepConstants& c, std::uint32_t step, std::size_t begin, std::size_t count)
{
  if constexpr (Model::kDraws)
    for (std::size_t i = 0; i < count; ++i)
      lanes.uniform[i] = spikeUniform(c.seed, static_cast<std::uint32_t>(begin + i), step);
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
    stepBlock<Model>(lanes, c, step, begin, count);
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

void elements(const StepConstants& c, const NeuronArrays& neurons, std::size_t begin, std::size_t end)
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
    std::copy_n(calcium, count, neurons.calcium + begin);
    for (int pool = 0; pool < kPools; ++pool) {
      const GrowthCurve curve = c.growth[pool];
      double* const delta = neurons.delta[pool] + begin;
      for (std::size_t i = 0; i < count; ++i)
        delta[i] += curve.at(calcium[i]);
    }
  }
}

constexpr NeuronRows kNeuronRows = {&membranes, &elements};

} // namespace

} // namespace hinesight::synapse
