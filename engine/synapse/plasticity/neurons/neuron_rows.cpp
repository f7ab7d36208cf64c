#include "synapse/plasticity/neurons/neuron_rows.hpp"

#include "core/simd/instruction_set.hpp"

namespace hinesight::synapse {

namespace {

const NeuronRows& bestNeuronRows()
{
  const InstructionSet widest = widestInstructionSet();
  if (const NeuronRows* rows = widest >= InstructionSet::Avx512 ? avx512NeuronRows() : nullptr)
    return *rows;
  if (const NeuronRows* rows = widest >= InstructionSet::Avx2 ? avx2NeuronRows() : nullptr)
    return *rows;
  return *portableNeuronRows();
}

} // namespace

const NeuronRows& neuronRows()
{
  static const NeuronRows& best = bestNeuronRows();
  return best;
}

} // namespace hinesight::synapse
