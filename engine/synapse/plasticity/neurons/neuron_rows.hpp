#pragma once

#include "synapse/plasticity/neurons/neuron_step.hpp"

#include <cstddef>
#include <cstdint>

namespace hinesight::synapse {

/// Arrays of the neurons that a step changes.
struct NeuronArrays
{
  double* potential = nullptr;
  double* recovery = nullptr;
  std::uint8_t* fired = nullptr;
  double* calcium = nullptr;
  double* delta[kPools] = {};
  double* target = nullptr;              ///< null: all have that of the growth curves
  const std::uint8_t* enabled = nullptr; ///< null: all are
};

/// What neurons get in a step.
struct StepInputs
{
  const std::int64_t* synaptic = nullptr; ///< by neuron
  const double* stimulus = nullptr;       ///< by area; null: none
  const std::uint32_t* area = nullptr;    ///< by neuron
  const Background* backgrounds = nullptr;
  const std::uint32_t* backgroundOf = nullptr; ///< by neuron: its own of these; null: all have the same
  std::uint32_t firstNeuron = 0;               ///< that all arrays begin with: keys the draws
};

/// A step of neurons begin to end - 1, compiled for one set of instructions.
struct NeuronRows
{
  /// Membranes: who fires.
  void (*membranes)(const StepConstants& constants, const NeuronArrays& neurons, const StepInputs& inputs,
                    std::uint32_t step, std::size_t begin, std::size_t end);
  /// Calcium of those that fired and did not, targets, and what elements grow by.
  void (*elements)(const StepConstants& constants, const NeuronArrays& neurons, std::uint32_t step, std::size_t begin,
                   std::size_t end);
};

/// Null where the program was not compiled for such processors.
const NeuronRows* portableNeuronRows();
const NeuronRows* avx2NeuronRows();
const NeuronRows* avx512NeuronRows();

/// The best that this processor executes; all give the same bytes.
const NeuronRows& neuronRows();

} // namespace hinesight::synapse
