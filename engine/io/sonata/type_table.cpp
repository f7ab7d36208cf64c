#include "io/sonata/type_table.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace hinesight::io {

namespace {

/// The words of a line; blanks stand inside quotes, and there two quotes are one that is meant.
std::vector<std::string> wordsOf(std::string_view line)
{
  std::vector<std::string> words;
  bool isInWord = false, isQuoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (!isQuoted && (c == ' ' || c == '\t' || c == '\r')) {
      isInWord = false;
      continue;
    }
    if (!isInWord)
      words.emplace_back();
    isInWord = true;
    if (isQuoted && line.substr(k, 2) == "\"\"")
      words.back() += line[k++];
    else if (c == '"')
      isQuoted = !isQuoted;
    else
      words.back() += c;
  }
  return words;
}

} // namespace

std::string TypeTable::valueOf(std::int64_t type, const std::string& column) const
{
  const auto row = rows.find(type);
  const auto at = std::ranges::find(columns, column);
  if (row == rows.end() || at == columns.end())
    return {};
  return row->second[static_cast<std::size_t>(at - columns.begin())];
}

bool TypeTable::hasValues(const std::string& column) const
{
  return std::ranges::any_of(rows, [&](const auto& row) { return !valueOf(row.first, column).empty(); });
}

TypeTable readTypeTable(const std::filesystem::path& path, const std::string& id)
{
  const std::string text = readFile(path);
  TypeTable table;
  std::optional<std::size_t> place; // of the ids
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::vector<std::string> words = wordsOf(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    if (words.empty())
      continue;
    if (!place) {
      const auto found = std::ranges::find(words, id);
      if (found == words.end())
        throw Error(ErrorCode::BadFormat, "has no column \"" + id + "\" in its first line", path.string(), number);
      place = static_cast<std::size_t>(found - words.begin());
      words.erase(found);
      table.columns = std::move(words);
      continue;
    }
    if (words.size() != table.columns.size() + 1)
      throw Error(ErrorCode::BadFormat,
                  "has " + std::to_string(words.size()) + " values for " + std::to_string(table.columns.size() + 1) +
                      " columns",
                  path.string(), number);
    const auto word = words.begin() + static_cast<std::ptrdiff_t>(*place);
    const std::optional<std::int64_t> type = numberOf<std::int64_t>(*word);
    if (!type || table.has(*type))
      throw Error(ErrorCode::BadFormat, "the type \"" + *word + (type ? "\" is there twice" : "\" is no whole number"),
                  path.string(), number);
    words.erase(word);
    for (std::string& value : words)
      if (value == "NULL" || value == "NONE")
        value.clear();
    table.rows.emplace(*type, std::move(words));
  }
  if (!place)
    throw Error(ErrorCode::BadFormat, "is empty; a table of types is needed", path.string());
  return table;
}

} // namespace hinesight::io
