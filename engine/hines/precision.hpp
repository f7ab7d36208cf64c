#pragma once

#include <cstddef>
#include <string_view>

namespace hinesight::hines {

/// Of the numbers that are read, worked with and written.
enum class Precision
{
  Double,
  Single
};

/// "double" or "single".
std::string_view precisionName(Precision precision);
/// 8 or 4.
std::size_t bytesOf(Precision precision);

} // namespace hinesight::hines
