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

/// Clears the upper halves of vector registers. Code of others may leave them in use: each instruction of SSE then
/// waits for the one before, and loops were seen to take thirty times as long.
void clearUpperHalves();

} // namespace hinesight
