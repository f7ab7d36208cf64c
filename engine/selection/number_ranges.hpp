#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hinesight::selection {

/// Numbers that follow one another.
struct NumberRange
{
  std::size_t first = 0;
  std::size_t last = 0;

  bool operator==(const NumberRange&) const = default;
};

/// Ascending numbers as text: "2-4,7".
std::string rangesText(const std::vector<std::size_t>& numbers);
/// What such a text says of numbers from `least` to `most`, ascending; empty where it says anything else.
std::vector<NumberRange> rangesOf(std::string_view text, std::size_t least, std::size_t most);

} // namespace hinesight::selection
