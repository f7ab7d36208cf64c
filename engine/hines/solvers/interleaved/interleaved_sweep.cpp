#include "hines/solvers/interleaved/interleaved_sweep.hpp"

namespace hinesight::hines::detail {

namespace {

bool processorHas(VectorInstructions instructions)
{
#if defined(__x86_64__)
  switch (instructions) {
  case VectorInstructions::Portable:
    return true;
  case VectorInstructions::Avx2:
    return __builtin_cpu_supports("avx2") != 0;
  case VectorInstructions::Avx512:
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
  }
#endif
  return instructions == VectorInstructions::Portable;
}

template <typename Real>
const InterleavedWidth<Real>* firstWidth(VectorInstructions instructions)
{
  switch (instructions) {
  case VectorInstructions::Avx512:
    return avx512Widths<Real>();
  case VectorInstructions::Avx2:
    return avx2Widths<Real>();
  case VectorInstructions::Portable:
    break;
  }
  return portableWidths<Real>();
}

} // namespace

template <typename Real>
std::span<const InterleavedWidth<Real>> interleavedWidths(VectorInstructions instructions)
{
  const InterleavedWidth<Real>* const first = firstWidth<Real>(instructions);
  const InterleavedWidth<Real>* last = first;
  while (last->lanes > 0)
    ++last;
  return {first, last};
}

template std::span<const InterleavedWidth<double>> interleavedWidths(VectorInstructions);
template std::span<const InterleavedWidth<float>> interleavedWidths(VectorInstructions);

bool hasVectorInstructions(VectorInstructions instructions)
{
  return !interleavedWidths<double>(instructions).empty() && processorHas(instructions);
}

VectorInstructions bestVectorInstructions()
{
  for (const auto instructions : {VectorInstructions::Avx512, VectorInstructions::Avx2})
    if (hasVectorInstructions(instructions))
      return instructions;
  return VectorInstructions::Portable;
}

} // namespace hinesight::hines::detail
