#include "synapse/neurons/neuron_rows.hpp"

namespace hinesight::synapse {

namespace {

const NeuronRows& bestNeuronRows()
{
#if defined(__x86_64__)
  const bool fused = __builtin_cpu_supports("fma") != 0;
  const bool wide = fused && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0;
  if (const NeuronRows* rows = wide ? avx512NeuronRows() : nullptr)
    return *rows;
  if (const NeuronRows* rows = fused && __builtin_cpu_supports("avx2") != 0 ? avx2NeuronRows() : nullptr)
    return *rows;
#endif
  return *portableNeuronRows();
}

} // namespace

const NeuronRows& neuronRows()
{
  static const NeuronRows& best = bestNeuronRows();
  return best;
}

} // namespace hinesight::synapse
