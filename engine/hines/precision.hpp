#pragma once

#include "core/choices.hpp"

#include <cstddef>
#include <string_view>

namespace hinesight::hines {

/// Of the numbers that are read, worked with and written.
enum class Precision
{
  Double,
  Single
};

inline constexpr Choice kPrecisions[] = {{"double", "Double", "64 bits: 16 digits."},
                                         {"single", "Single", "32 bits: 7 digits."}};
inline std::span<const Choice> tableOf(Precision)
{
  return kPrecisions;
}
/// "double" or "single".
inline std::string_view precisionName(Precision precision)
{
  return choiceName(precision);
}
/// 8 or 4.
std::size_t bytesOf(Precision precision);

} // namespace hinesight::hines
