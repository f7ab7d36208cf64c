#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace hinesight {

/// One value of an enumeration, as `tableOf(Enumeration)` lists them, the value of index k at place k.
struct Choice
{
  std::string_view name = {};     ///< in commands, files and records
  std::string_view label = {};    ///< on screen
  std::string_view help = {};     ///< a sentence
  std::string_view argument = {}; ///< a field that may be given behind it: "fixed:16" sets "split-length"
};

/// The name of an enumeration's value, by its table.
template <typename Enumeration>
std::string_view choiceName(Enumeration value)
{
  const auto index = static_cast<std::size_t>(value);
  const std::span<const Choice> table = tableOf(Enumeration{});
  return index < table.size() ? table[index].name : std::string_view();
}

} // namespace hinesight
