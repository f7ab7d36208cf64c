#pragma once

#include "core/check_sum.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <string_view>

// Checkpoints are numbers as the machine has them, between sizes. A program that includes this mutates one half of its
// inputs so that no number moves: it puts other numbers in their places.

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t mostBytes);

namespace hinesight::fuzz {

/// An input as a file: with the check sum of its content.
inline std::string withCheckSum(std::string_view content)
{
  const std::uint64_t sum = checkSum(content);
  std::string file(content);
  return file.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

/// A number, or what stands somewhere else.
inline std::uint64_t anyWord(const std::uint8_t* bytes, std::size_t size, std::mt19937& random)
{
  using Limits = std::numeric_limits<double>;
  static constexpr std::array kNumbers = {0.0,
                                          -0.0,
                                          1.0,
                                          -1.0,
                                          0.5,
                                          5.9,
                                          6.1,
                                          1e9,
                                          1e300,
                                          -1e300,
                                          Limits::max(),
                                          1e-310,
                                          Limits::infinity(),
                                          Limits::quiet_NaN()};
  static constexpr std::array<std::uint64_t, 10> kWords = {
      0, 1, 2, 5, 6, 255, 1u << 31, 0xffffffff, std::uint64_t{1} << 62, ~std::uint64_t{0}};
  switch (random() % 3) {
  case 0:
    return std::bit_cast<std::uint64_t>(kNumbers[random() % kNumbers.size()]);
  case 1:
    return kWords[random() % kWords.size()];
  default:
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + random() % (size - sizeof word + 1), sizeof word);
    return word;
  }
}

} // namespace hinesight::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t mostBytes,
                                               unsigned seed)
{
  std::mt19937 random(seed);
  if (size < sizeof(std::uint64_t) || random() % 2 == 0)
    return LLVMFuzzerMutate(bytes, size, mostBytes);
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
    const std::uint64_t word = hinesight::fuzz::anyWord(bytes, size, random);
    const std::size_t width = std::size_t{1} << random() % 4;
    std::memcpy(bytes + random() % (size - width + 1), &word, width);
  }
  return size;
}
