#pragma once

#include "core/host_device.hpp"

#include <cstdint>

namespace hinesight {

/// Four 32-bit words: a counter, or the random bits that belong to it.
struct PhiloxWords
{
  std::uint32_t word[4];
};

/// Philox 4x32-10 (Salmon et al., SC 2011, section 3.3): random bits as a pure function of counter and key.
HINESIGHT_FORMULA PhiloxWords philox4x32(PhiloxWords counter, std::uint32_t key0, std::uint32_t key1)
{
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * counter.word[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * counter.word[2];
    const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
    counter = {{high1 ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(product1), high0 ^ counter.word[3] ^ key1,
                static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// Random bits of one draw, keyed by what it is for: no generator, no state, the same on CPU and CUDA.
HINESIGHT_FORMULA PhiloxWords randomBits(std::uint64_t seed, std::uint64_t entity, std::uint32_t step,
                                         std::uint32_t draw)
{
  return philox4x32({{static_cast<std::uint32_t>(entity), static_cast<std::uint32_t>(entity >> 32), step, draw}},
                    static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
}

/// Uniform in [0, 1) with 53 random bits.
HINESIGHT_FORMULA double randomUniform(std::uint64_t seed, std::uint64_t entity, std::uint32_t step, std::uint32_t draw)
{
  const PhiloxWords bits = randomBits(seed, entity, step, draw);
  const std::uint64_t mantissa = ((std::uint64_t{bits.word[1]} << 32) | bits.word[0]) >> 11;
  return static_cast<double>(mantissa) * 0x1.0p-53;
}

} // namespace hinesight
