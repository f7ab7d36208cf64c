#include "hines/solvers/interleaved/interleaved_sweep.hpp"

namespace hinesight::hines::detail {

namespace {

template <typename Real>
const InterleavedWidth<Real>* firstWidth(InstructionSet instructions)
{
  switch (instructions) {
  case InstructionSet::Avx512:
    return avx512Widths<Real>();
  case InstructionSet::Avx2:
    return avx2Widths<Real>();
  case InstructionSet::Portable:
    break;
  }
  return portableWidths<Real>();
}

} // namespace

template <typename Real>
std::span<const InterleavedWidth<Real>> interleavedWidths(InstructionSet instructions)
{
  const InterleavedWidth<Real>* const first = firstWidth<Real>(instructions);
  const InterleavedWidth<Real>* last = first;
  while (last->lanes > 0)
    ++last;
  return {first, last};
}

template std::span<const InterleavedWidth<double>> interleavedWidths(InstructionSet);
template std::span<const InterleavedWidth<float>> interleavedWidths(InstructionSet);

bool hasVectorInstructions(InstructionSet instructions)
{
  return !interleavedWidths<double>(instructions).empty() && instructions <= widestInstructionSet();
}

InstructionSet bestVectorInstructions()
{
  for (const auto instructions : {InstructionSet::Avx512, InstructionSet::Avx2})
    if (hasVectorInstructions(instructions))
      return instructions;
  return InstructionSet::Portable;
}

} // namespace hinesight::hines::detail
