#include "synapse/plasticity/neurons/neuron_rows_kernel.hpp"

const hinesight::synapse::NeuronRows* hinesight::synapse::portableNeuronRows()
{
  return &kNeuronRows;
}
