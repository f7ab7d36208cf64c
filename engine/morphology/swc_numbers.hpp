#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hinesight::morphology {

/// Largest magnitude of a coordinate or radius. Far beyond any unit's use; keeps squares and volumes finite.
inline constexpr double kLargestLength = 1e100;

/// Whole numbers up to here are exact as double.
inline constexpr std::uint64_t kLargestExactWhole = std::uint64_t{1} << 53;

enum class NumberStatus
{
  Plain,
  WholeDecimal, ///< a whole number written as a real one: 3.0, 3e0
  NotANumber,
  NotWhole,
  NotFinite,
  OutOfRange,
};

/// A whole number, also one written with a decimal point or exponent. Hexadecimal is refused.
NumberStatus parseWhole(std::string_view text, std::int64_t& value);

/// A decimal number with optional sign and exponent, correctly rounded, of magnitude up to kLargestLength. Locale-free.
NumberStatus parseReal(std::string_view text, double& value);

inline constexpr std::array<double, 20> kPowersOfTen = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,
                                                        1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19};

inline bool isDigit(char c)
{
  return c >= '0' && c <= '9';
}

inline bool endsField(char c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Where the next field begins, or the line ends. `position` must lie before a line end in the same buffer.
inline const char* skipBlanks(const char* position)
{
  while (*position == ' ' || *position == '\t')
    ++position;
  return position;
}

/// Scans the plain spelling (optional '-', up to 18 digits) at `position` up to a blank or line end. Null for any other
/// spelling, which then deserves the slower functions above. `position` must lie before a line end in the same buffer.
inline const char* scanWhole(const char* position, std::int64_t& value)
{
  const bool negative = *position == '-';
  position += negative;
  const char* digits = position;
  std::int64_t magnitude = 0;
  for (; isDigit(*position) && position - digits < 18; ++position)
    magnitude = magnitude * 10 + (*position - '0');
  if (position == digits || !endsField(*position))
    return nullptr;
  value = negative ? -magnitude : magnitude;
  return position;
}

/// The same for a plain decimal number (optional '-', digits, optional point, optional exponent).
inline const char* scanReal(const char* position, double& value)
{
  const char* begin = position;
  const bool negative = *position == '-';
  position += negative;
  // Wraps for more than 19 digits; the count then sends the number to std::from_chars.
  std::uint64_t mantissa = 0;
  const char* digits = position;
  for (; isDigit(*position); ++position)
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*position - '0');
  std::int64_t count = position - digits;
  std::int64_t fraction = 0;
  if (*position == '.') {
    const char* point = ++position;
    for (; isDigit(*position); ++position)
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*position - '0');
    fraction = position - point;
    count += fraction;
  }
  const bool hasExponent = *position == 'e' || *position == 'E';
  while (hasExponent && !endsField(*position))
    ++position;
  if (count == 0 || !endsField(*position))
    return nullptr;
  if (!hasExponent && count <= 19 && mantissa <= kLargestExactWhole) {
    // Both operands are exact, so one division rounds correctly (Clinger, PLDI 1990, section 4).
    const double magnitude = static_cast<double>(mantissa) / kPowersOfTen[fraction];
    value = negative ? -magnitude : magnitude;
    return position;
  }
  const NumberStatus status = parseReal({begin, static_cast<std::size_t>(position - begin)}, value);
  return status == NumberStatus::Plain ? position : nullptr;
}

} // namespace hinesight::morphology
