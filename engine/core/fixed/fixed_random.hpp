#pragma once

#include "core/fixed/fixed_math.hpp"
#include "core/philox.hpp"

#include <cstdint>

// Random numbers that are the same on CPU and CUDA, whatever the vector width.

namespace hinesight {

/// 52 random bits as a number in [0, 1), by operations that vectors have.
HINESIGHT_FORMULA double unitUniform(std::uint32_t low, std::uint32_t high)
{
  constexpr std::uint64_t kBitsOfOne = 0x3FF0000000000000u;
  return fromBits(kBitsOfOne | ((std::uint64_t{high} << 32 | low) >> 12)) - 1.0;
}

/// Standard normal (Box and Muller 1958).
HINESIGHT_FORMULA double standardNormal(const PhiloxWords& bits)
{
  const double u = 1.0 - unitUniform(bits.word[0], bits.word[1]); // in (0, 1]
  const double turns = unitUniform(bits.word[2], bits.word[3]);
  return squareRoot(-2.0 * fixedLog(u)) * fixedSinTurns(turns);
}

} // namespace hinesight
