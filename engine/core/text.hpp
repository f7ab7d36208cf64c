#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace hinesight {

/// Appends the shortest text that reads back to the same number; "nan", "inf", "-inf".
template <typename Number>
void appendText(std::string& text, Number value)
{
  static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>);
  constexpr std::size_t kMost = 40; // characters of any number
  char digits[kMost];
  text.append(digits, std::to_chars(digits, digits + kMost, value).ptr);
}

/// That text.
template <typename Number>
std::string textOf(Number value)
{
  std::string text;
  appendText(text, value);
  return text;
}

/// The number that the whole text is; none for anything else, and for what the type cannot hold.
template <typename Number>
std::optional<Number> numberOf(std::string_view text)
{
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end)
    return std::nullopt;
  return value;
}

} // namespace hinesight
