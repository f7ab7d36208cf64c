// Compiled for processors with these instructions; elsewhere there is none of it.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include "synapse/plasticity/neurons/neuron_rows_kernel.hpp"
#define HINESIGHT_ROWS &kNeuronRows
#else
#include "synapse/plasticity/neurons/neuron_rows.hpp"
#define HINESIGHT_ROWS nullptr
#endif

const hinesight::synapse::NeuronRows* hinesight::synapse::avx512NeuronRows()
{
  return HINESIGHT_ROWS;
}
