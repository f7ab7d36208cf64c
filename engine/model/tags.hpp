#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Tags of a cell: short words of a person by which cells are told apart and found, such as "pyramidal" or "layer 5".

namespace hinesight::model {

inline constexpr std::size_t kLongestTag = 64; ///< characters
inline constexpr std::size_t kMostTags = 32;   ///< of a cell

/// These words without the blanks around them, sorted, each once; empty ones are none. Throws Error(BadParameter) for
/// more than kMostTags, and for a tag that is longer than kLongestTag or has a comma or a control character.
std::vector<std::string> tagSet(std::vector<std::string> words);

/// The same of a text, a comma between two tags.
std::vector<std::string> tagsOf(std::string_view text);
/// The other way round: "layer 5, pyramidal".
std::string textOfTags(const std::vector<std::string>& tags);

} // namespace hinesight::model
