#include "model/tags.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace hinesight::model {

namespace {

std::string withoutBlanksAround(const std::string& word)
{
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = word.find_first_not_of(kBlanks);
  return first == std::string::npos ? std::string() : word.substr(first, word.find_last_not_of(kBlanks) - first + 1);
}

/// Of a text in UTF-8.
std::size_t charactersOf(const std::string& text)
{
  return static_cast<std::size_t>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

void requireTag(const std::string& tag)
{
  const auto isRefused = [](unsigned char c) { return c == ',' || c < 0x20 || c == 0x7F; };
  if (charactersOf(tag) > kLongestTag || std::ranges::any_of(tag, isRefused))
    throw Error(ErrorCode::BadParameter, "The tag \"" + tag + "\" will not do; it needs 1 to " +
                                             std::to_string(kLongestTag) +
                                             " characters, no comma and no control characters.");
}

} // namespace

std::vector<std::string> tagSet(std::vector<std::string> words)
{
  for (std::string& word : words)
    word = withoutBlanksAround(word);
  std::erase(words, std::string());
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  std::ranges::for_each(words, requireTag);
  if (words.size() > kMostTags)
    throw Error(ErrorCode::BadParameter, "These are " + std::to_string(words.size()) + " tags; a cell has at most " +
                                             std::to_string(kMostTags) + ".");
  return words;
}

std::vector<std::string> tagsOf(std::string_view text)
{
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return tagSet(std::move(words));
}

std::string textOfTags(const std::vector<std::string>& tags)
{
  std::string text;
  for (const std::string& tag : tags)
    text += (text.empty() ? "" : ", ") + tag;
  return text;
}

} // namespace hinesight::model
