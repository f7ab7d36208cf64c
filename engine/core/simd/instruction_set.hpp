#pragma once

namespace hinesight {

/// Of the vector units of processors, the least first.
enum class InstructionSet
{
  Portable, ///< what every processor of the architecture has
  Avx2,     ///< AVX2 and FMA
  Avx512,   ///< AVX-512 F, DQ and VL, and FMA
};

/// The greatest that this processor has.
InstructionSet widestInstructionSet();

} // namespace hinesight
