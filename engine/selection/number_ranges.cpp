#include "selection/number_ranges.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace hinesight::selection {

std::string rangesText(const std::vector<std::size_t>& numbers)
{
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (first > 0 ? "," : "") + std::to_string(numbers[first]);
    if (last > first)
      text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::vector<NumberRange> rangesOf(std::string_view text, std::size_t least, std::size_t most)
{
  std::vector<NumberRange> ranges;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view range = text.substr(begin, comma - begin);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const auto first = numberOf<std::size_t>(range.substr(0, dash));
    const auto last = dash < range.size() ? numberOf<std::size_t>(range.substr(dash + 1)) : first;
    const bool isAscending = first && last && *first <= *last && (ranges.empty() || *first > ranges.back().last);
    if (!isAscending || *first < least || *last > most)
      return {};
    ranges.push_back({*first, *last});
    begin = comma + 1;
  }
  return ranges;
}

} // namespace hinesight::selection
